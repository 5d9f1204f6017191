"""Heads of phrases by tags, and what words look like to features."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.detect.phrases import PADDING, find_phrases, hash_of, normal_form, places_of
from jurybox.detect.tagging import TAGS, TaggedText


def heads(text: str, at: str) -> tuple[str, str, str]:
    """The noun and the verb before a word, and the head of what follows it."""
    words, tags = zip(*(pair.rsplit("/", 1) for pair in text.split()), strict=True)
    tagged = TaggedText.of([(words, tags)])
    found = find_phrases(tagged)
    place = int(places_of(tagged, np.array([0]), np.array([words.index(at)]))[0])

    def word(number: int) -> str:
        return words[number - PADDING] if number >= PADDING else ""

    return (
        word(int(found.noun_before[place])),
        word(int(found.verb_before[place])),
        word(int(found.head_after[place + 1])),
    )


@pytest.mark.parametrize(
    ("text", "at", "expected"),
    [
        (
            "The/DT red/JJ car/NN has/VBZ been/VBN parked/VBN behind/IN the/DT old/JJ town/NN "
            "hall/NN ./.",
            "behind",
            ("car", "parked", "hall"),
        ),
        ("It/PRP was/VBD in/IN 1987/CD ./.", "in", ("It", "was", "1987")),
        ("the/DT end/NN of/IN this/DT ,/,", "of", ("end", "", "this")),
        ("by/IN using/VBG it/PRP", "by", ("", "", "using")),
        ("the/DT ship/NN on/IN which/WDT they/PRP came/VBD", "on", ("ship", "", "which")),
        ("from/IN under/IN the/DT bed/NN", "from", ("", "", "under")),
        ("in/IN John/NNP 's/POS house/NN", "in", ("", "", "house")),
        ("for/IN self/NN -/HYPH control/NN", "for", ("", "", "control")),
        ("with/IN a/DT broken/VBN leg/NN", "with", ("", "", "leg")),
        ("off/IN ./.", "off", ("", "", ".")),
    ],
)
def test_heads_of_phrases(text: str, at: str, expected: tuple[str, str, str]) -> None:
    assert heads(text, at) == expected


def test_the_mark_of_an_infinitive_is_no_preposition() -> None:
    tagged = TaggedText.of([(["to", "go", "To", "Rome"], ["TO", "VB", "IN", "NNP"])])
    classes = find_phrases(tagged).classes[PADDING : PADDING + 4]
    assert (classes >= 0).tolist() == [False, False, True, False]


def test_small_letters_and_kinds_of_numbers_are_one_word() -> None:
    assert normal_form("Of") == normal_form("of")
    assert normal_form("1987") == normal_form("2014") != normal_form("3014")
    assert normal_form("17") == normal_form("42") != normal_form("417")
    assert normal_form("") == ""


def test_a_words_hash_never_changes() -> None:
    # a model knows features by these bytes: another hash would make every saved model worthless
    assert hash_of("of") == 0x934E60EED2437EBE


words = st.sampled_from(("a", "cat", "of", "in", "17", "run", "."))
sentences = st.lists(st.lists(st.tuples(words, st.sampled_from(TAGS))))


@given(sentences)
def test_a_sentence_is_read_the_same_alone_and_among_others(
    given_sentences: list[list[tuple[str, str]]],
) -> None:
    pairs = [([w for w, _ in one], [t for _, t in one]) for one in given_sentences]
    together = TaggedText.of(pairs)
    found = find_phrases(together)
    for number, pair in enumerate(pairs):
        alone = find_phrases(TaggedText.of([pair]))
        shift = int(together.starts[number]) + PADDING * number
        inside = slice(PADDING, PADDING + len(pair[0]))
        there = slice(shift + PADDING, shift + PADDING + len(pair[0]))
        assert (alone.words[inside] == found.words[there]).all()
        assert (alone.head_after[inside] + shift == found.head_after[there]).all()
        first = found.first[there]
        for name in ("noun_before", "verb_before", "preposition_before"):
            mine, ours = getattr(alone, name)[inside], getattr(found, name)[there]
            assert (np.where(mine < 0, -1, mine + shift) == np.where(ours < first, -1, ours)).all()
