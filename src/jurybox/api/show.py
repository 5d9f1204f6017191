"""`show`: one sentence, all corrections side by side (Table 1 of Bryant and Ng 2015)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from jurybox.api.inputs import Gold, Hypothesis, System, only_annotation, systems_from
from jurybox.api.lookup import find_sentence
from jurybox.api.panels import LoadedPanel, Selection, load_panel
from jurybox.api.people import read_hypotheses
from jurybox.api.shown import Change, Correction, SharedEdit, ShowResult
from jurybox.edits.graded import shared_edits
from jurybox.edits.maxmatch import UNCHANGED
from jurybox.formats import Input
from jurybox.model import Annotation, Edit, Sentence, apply_edits
from jurybox.signature import signature


def show(
    sentence: int | str,
    gold: Gold,
    systems: Hypothesis | Mapping[str, Hypothesis] | Sequence[Hypothesis] | None = None,
    *,
    gold_format: str | None = None,
    documents: Any = None,
    select: Selection = None,
    coverage: Any = None,
    hyp_format: str | None = None,
    tokenize: bool = False,
) -> ShowResult:
    r"""What every annotator and every system made of one sentence, and who made which edit.

    `sentence` is a number from 1, words that occur in one sentence only, or "DOCUMENT:NUMBER"
    where documents are known. Two edits are the same if span and correction are; of alternatives
    (`||`) the first counts. A text has no edits of its own: they are found by MaxMatch so that as
    many as possible are an annotator's; the others are the smallest.

    >>> text = "S A dogs .\nA 1 2|||Nn|||dog|||REQUIRED|||-NONE-|||0\n"
    >>> result = show("dogs", Input.from_text(text), ["A dog ."])
    >>> result.sentence, result.annotators[0].text, result.edits[0].systems
    (1, 'A dog .', ('hypothesis',))
    """
    loaded = load_panel(
        gold, gold_format=gold_format, documents=documents, select=select, coverage=coverage
    )
    opened: list[System] = []
    if systems:
        opened = systems_from(systems, hyp_format=hyp_format)
    place = find_sentence(sentence, loaded)
    wanted = loaded.panel.sentences[place]
    people = tuple(_correction_by(annotation, wanted) for annotation in wanted.annotations)
    shared = _share(people, ())
    machines = tuple(
        _correction_of(system, loaded, place, shared, tokenized=not tokenize) for system in opened
    )
    present = {one.name for one in people}
    found = any(system.format == "text" for system in opened)
    files = [system.source for system in opened if isinstance(system.source, Input)]
    return ShowResult(
        sentence=loaded.numbers[place],
        sentences=loaded.total,
        document=wanted.document,
        tokens=wanted.tokens,
        annotators=people,
        skipped=tuple(name for name in loaded.panel.annotators if name not in present),
        systems=machines,
        edits=_share(people, machines),
        signature=signature(
            "show",
            refs=len(loaded.panel.annotators),
            unchanged=UNCHANGED if found else None,
            tokenize="jurybox" if tokenize else None,
        ),
        inputs=(*loaded.inputs, *files),
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
    system: System,
    loaded: LoadedPanel,
    place: int,
    shared: Sequence[SharedEdit],
    *,
    tokenized: bool,
) -> Correction:
    """What a system made of the sentence at a place; all of its file is read and checked."""
    written = read_hypotheses(system, loaded, tokenized=tokenized)
    wanted = loaded.panel.sentences[place]
    own = written.edits[place] if written.edits is not None else None
    if own is not None:
        return _correction_by(Annotation(system.name, only_annotation(own, system)), wanted)
    tokens = written.sentences[place] or ()
    edits = tuple(_found(wanted.tokens, tokens, shared))
    return Correction(system.name, " ".join(tokens), edits)


def _found(
    source: tuple[str, ...], hypothesis: tuple[str, ...], shared: Sequence[SharedEdit]
) -> Iterator[Change]:
    """A text's edits: annotators' edits where they can be found in it, else the smallest."""
    known = [(edit.start, edit.end, edit.replacement) for edit in shared]
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
