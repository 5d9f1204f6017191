"""What annotators did, on panels small enough to count by hand."""

from __future__ import annotations

from math import isnan

from jurybox.annotators.describe import (
    CHANGED,
    LEFT,
    NOT_SEEN,
    judge_sentences,
    measure_corpus,
    profile_annotators,
)
from jurybox.annotators.result import CorpusSize, PerDocument
from jurybox.model import Annotation, Edit, Panel, Sentence

TOKENS = ("It", "are", "a", "dogs", ".")
VERB, NOUN = Edit(1, 2, "is", "SVA"), Edit(3, 4, "dog", "Nn")


def sentence(document: str | None = None, paragraph: int | None = None, **by: object) -> Sentence:
    annotations = tuple(Annotation(name, edits) for name, edits in by.items())  # type: ignore[arg-type]  # tuples of edits
    return Sentence(TOKENS, annotations, document, paragraph)


#: c looked at the first sentence only, d at none
PANEL = Panel(
    (
        sentence("one", 1, a=(VERB, NOUN), b=(VERB,), c=()),
        sentence("one", 2, a=(), b=()),
        sentence("two", 1, a=(NOUN, NOUN), b=(Edit(0, 0, "x", "Wci"),)),
    ),
    ("a", "b", "c", "d"),
)


def test_edits_are_counted_by_annotator_and_type_and_unused_types_are_zero() -> None:
    a, b, c, d = profile_annotators(PANEL).values()
    assert a.by_type == {"Nn": 3, "SVA": 1, "Wci": 0}
    assert b.by_type == {"Nn": 0, "SVA": 1, "Wci": 1}
    assert list(c.by_type) == list(d.by_type) == ["Nn", "SVA", "Wci"]
    assert [p.total for p in (a, b, c, d)] == [4, 2, 0, 0]


def test_sentences_that_somebody_skipped_are_not_sentences_they_left_as_they_are() -> None:
    profiles = profile_annotators(PANEL)
    assert list(profiles) == ["a", "b", "c", "d"]
    a, b, c, d = profiles.values()
    seen = [(one.sentences, one.untouched) for one in (a, b, c, d)]
    assert seen == [(3, 1), (3, 1), (1, 1), (0, 0)]
    assert (a.edits_per_sentence, a.untouched_share) == (4 / 3, 1 / 3)
    assert (c.edits_per_sentence, c.untouched_share) == (0, 1)
    assert isnan(d.edits_per_sentence)
    assert isnan(d.untouched_share)


def test_judgments_tell_left_changed_and_not_seen_apart() -> None:
    assert judge_sentences(PANEL) == [
        [CHANGED, CHANGED, LEFT, NOT_SEEN],
        [LEFT, LEFT, NOT_SEEN, NOT_SEEN],
        [CHANGED, CHANGED, NOT_SEEN, NOT_SEEN],
    ]


def test_paragraphs_of_the_same_number_in_two_documents_are_two() -> None:
    size = measure_corpus(PANEL)
    assert size == CorpusSize(documents=2, paragraphs=3, sentences=3, tokens=15)
    assert size.per_document == PerDocument(paragraphs=1.5, sentences=1.5, tokens=7.5)


def test_documents_that_are_not_known_for_every_sentence_are_not_counted() -> None:
    some = Panel((*PANEL.sentences, sentence(a=())), PANEL.annotators)
    size = measure_corpus(some)
    assert size == CorpusSize(documents=None, paragraphs=None, sentences=4, tokens=20)
    assert size.per_document is None


def test_documents_can_be_known_without_paragraphs() -> None:
    panel = Panel((sentence("one", a=()), sentence("two", a=())), ("a",))
    size = measure_corpus(panel)
    assert (size.documents, size.paragraphs) == (2, None)
    assert size.per_document is not None
    assert isnan(size.per_document.paragraphs)
    assert size.per_document[1:] == (1.0, 5.0)
