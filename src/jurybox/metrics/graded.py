"""Edits with weights: an edit counts by the share of annotators who made it.

Madnani et al. (2011) judge a detector by how many people call a case an error; here the same is
done for corrections. If w is the share of a sentence's annotators who made an edit, a system that
makes it adds w to tp and 1 − w to fp, and one that does not adds w to fn. So precision is the mean
share of annotators who agree with an edit of the system, and recall the share of all annotators'
edits that the system makes: what scoring against each annotator alone gives, added up over them. An
edit is the same by span and correction (`edit`), or by its span alone (`span`).

MaxMatch asks whether *somebody* agrees with a sentence; this asks how many agree with an edit.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable
from typing import NamedTuple, TypeVar

from jurybox.metrics.maxmatch import UNCHANGED, find_edits
from jurybox.metrics.maxmatch.bestpath import Gold
from jurybox.model import Sentence

Correction = tuple[int, int, str]  # start, end, text
Key = TypeVar("Key", bound=Hashable)


class Grade(NamedTuple):
    """Weighted counts; addable."""

    tp: float = 0.0
    fp: float = 0.0
    fn: float = 0.0

    def plus(self, other: Grade) -> Grade:
        """The sum of two."""
        return Grade(self.tp + other.tp, self.fp + other.fp, self.fn + other.fn)


class Grades(NamedTuple):
    """By span and correction, and by span alone."""

    edit: Grade = Grade()
    span: Grade = Grade()

    def plus(self, other: Grades) -> Grades:
        """The sum of two."""
        return Grades(self.edit.plus(other.edit), self.span.plus(other.span))


def grade_sentence(
    sentence: Sentence, hypothesis: tuple[str, ...], *, unchanged: int = UNCHANGED
) -> Grades:
    """How far a hypothesis agrees with each annotator of a sentence.

    Two of three annotators below want "goes"; nobody wants another word for "school".

    >>> from jurybox.model import Annotation, Edit
    >>> goes, went = Edit(1, 2, "goes"), Edit(1, 2, "went")
    >>> annotations = (Annotation("A", (goes,)), Annotation("B", (goes,)), Annotation("C", (went,)))
    >>> sentence = Sentence(("She", "go", "to", "school"), annotations)
    >>> grades = grade_sentence(sentence, ("She", "goes", "to", "college"))
    >>> [round(count, 4) for count in grades.edit], [round(count, 4) for count in grades.span]
    ([0.6667, 1.3333, 0.3333], [1.0, 1.0, 0.0])
    """
    annotators = len(sentence.annotations)
    if not annotators:
        return Grades()
    makers: dict[Correction, set[int]] = {}
    markers: dict[tuple[int, int], set[int]] = {}
    for number, annotation in enumerate(sentence.annotations):
        for edit in annotation.edits:
            markers.setdefault((edit.start, edit.end), set()).add(number)
            for text in edit.alternatives:
                makers.setdefault((edit.start, edit.end, text), set()).add(number)
    proposed = shared_edits(sentence.tokens, hypothesis, makers, unchanged=unchanged)
    by_edit = {key: len(who) / annotators for key, who in makers.items()}
    by_span = {key: len(who) / annotators for key, who in markers.items()}
    spans = {(start, end) for start, end, _ in proposed}
    return Grades(_grade(proposed, by_edit), _grade(spans, by_span))


def _grade(proposed: Collection[Key], weights: dict[Key, float]) -> Grade:
    hits = sum(weights.get(key, 0.0) for key in proposed)
    return Grade(hits, len(proposed) - hits, sum(weights.values()) - hits)


def shared_edits(
    source: tuple[str, ...],
    hypothesis: tuple[str, ...],
    known: Iterable[Correction],
    *,
    unchanged: int = UNCHANGED,
) -> list[Correction]:
    """A text's edits: known ones where they can be found in it, else the smallest.

    MaxMatch fuses what matches no gold edit into edits as large as it may; the changes themselves
    say more.

    >>> shared_edits(("a", "b", "c"), ("x", "b", "y"), [(0, 1, "x")])
    [(0, 1, 'x'), (2, 3, 'y')]
    """
    listed = list(dict.fromkeys(known))
    wanted = set(listed)
    gold = [Gold(start, end, (text,)) for start, end, text in listed]
    edits: list[Correction] = []
    for edit in find_edits(source, hypothesis, gold, unchanged=unchanged):
        if edit[:3] in wanted:
            edits.append(edit[:3])
            continue
        words = tuple(edit.replacement.split())
        smallest = find_edits(source[edit.start : edit.end], words, unchanged=0)
        edits += [(edit.start + s, edit.start + e, text) for s, e, text, _ in smallest]
    return edits
