"""What everybody made of a sentence, side by side: people, systems, and who made which edit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from jurybox.api.inputs import System
from jurybox.api.panels import LoadedPanel
from jurybox.api.people import Hypotheses
from jurybox.api.shown import Change, Correction, SharedEdit
from jurybox.edits.graded import shared_edits
from jurybox.edits.maxmatch import UNCHANGED
from jurybox.model import Annotation, Edit, Sentence, apply_edits
from jurybox.signature import signature


class SideBySide(NamedTuple):
    """The corrections of one sentence, and its edits with everybody who made them."""

    annotators: tuple[Correction, ...]  # those who looked at the sentence
    systems: tuple[Correction, ...]
    edits: tuple[SharedEdit, ...]


def lay_out(sentence: Sentence, written: Sequence[Hypotheses], place: int) -> SideBySide:
    """People's edits as they stand; a system's own, or those found in its text by MaxMatch.

    `place` is where the sentence stands among those of `written`.

    >>> goes = Annotation("A1", (Edit(1, 2, "goes", "SVA"),))
    >>> sentence = Sentence(("She", "go", "."), (goes,))
    >>> system = Hypotheses("mine", "mine.txt", [("She", "goes", ".")])
    >>> [(e.replacement, e.annotators, e.systems) for e in lay_out(sentence, [system], 0).edits]
    [('goes', ('A1',), ('mine',))]
    """
    people = tuple(_correction_by(annotation, sentence) for annotation in sentence.annotations)
    known = list(dict.fromkeys(edit.key for one in people for edit in one.edits))
    systems = tuple(_correction_of(one, place, sentence, known) for one in written)
    return SideBySide(people, systems, _share(people, systems))


def sign(loaded: LoadedPanel, systems: Sequence[System], *, tokenize: bool) -> str:
    """What the layout depends on: how edits are found in a text."""
    found = any(system.format == "text" for system in systems)
    return signature(
        "show",
        refs=len(loaded.panel.annotators),
        unchanged=UNCHANGED if found else None,
        tokenize="jurybox" if tokenize else None,
    )


def _changes(sentence: Sentence, edits: Sequence[Edit]) -> tuple[Change, ...]:
    ordered = sorted(edits, key=lambda edit: (edit.start, edit.end))
    return tuple(
        Change(e.start, e.end, " ".join(sentence.tokens[e.start : e.end]), e.alternatives, e.type)
        for e in ordered
    )


def _correction_by(annotation: Annotation, sentence: Sentence) -> Correction:
    text = " ".join(apply_edits(sentence.tokens, annotation.edits))
    return Correction(annotation.annotator, text, _changes(sentence, annotation.edits))


def _correction_of(
    system: Hypotheses, place: int, sentence: Sentence, known: Sequence[tuple[int, int, str]]
) -> Correction:
    own = system.edits[place] if system.edits is not None else None
    if own is not None:
        edits = own.annotations[0].edits if own.annotations else ()
        return _correction_by(Annotation(system.name, edits), sentence)
    tokens = system.sentences[place] or ()
    return Correction(system.name, " ".join(tokens), tuple(_found(sentence.tokens, tokens, known)))


def _found(
    source: tuple[str, ...], hypothesis: tuple[str, ...], known: Sequence[tuple[int, int, str]]
) -> Iterator[Change]:
    """A text's edits: annotators' edits where they can be found in it, else the smallest."""
    for start, end, text in shared_edits(source, hypothesis, known):
        yield Change(start, end, " ".join(source[start:end]), (text,))


def _share(people: Sequence[Correction], machines: Sequence[Correction]) -> tuple[SharedEdit, ...]:
    """Every span and correction once, by position, the most frequent first at the same span."""
    made: dict[tuple[int, int, str], list[tuple[bool, str, Change]]] = {}
    for human, one in [*((True, one) for one in people), *((False, one) for one in machines)]:
        for edit in one.edits:
            made.setdefault(edit.key, []).append((human, one.name, edit))
    edits = [
        SharedEdit(
            start,
            end,
            source=makers[0][2].source,
            replacement=text,
            types=_once(edit.type for _, _, edit in makers if edit.type is not None),
            annotators=_once(name for human, name, _ in makers if human),
            systems=_once(name for human, name, _ in makers if not human),
        )
        for (start, end, text), makers in made.items()
    ]
    return tuple(sorted(edits, key=lambda e: (*e[:2], -len(e.annotators), e.replacement)))


def _once(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))
