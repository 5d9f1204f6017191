"""How `show` works: what everybody made of a sentence, and who made which edit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from jurybox.counting.panels import LoadedPanel, load_panel
from jurybox.counting.people import Hypotheses, read_hypotheses
from jurybox.counting.systems import System, optional_systems
from jurybox.metrics.graded import shared_edits
from jurybox.metrics.maxmatch import UNCHANGED
from jurybox.model import Annotation, Edit, Sentence, apply_edits
from jurybox.name_order import shown_order
from jurybox.show import Show
from jurybox.show.lookup import find_sentence
from jurybox.show.result import Change, Correction, SharedEdit, ShowResult
from jurybox.signature import signature


def show_sentence(call: Show) -> ShowResult:
    """Read the panel and the systems, and lay out the one sentence that is meant."""
    loaded = load_panel(
        call.gold,
        gold_format=call.gold_format,
        documents=call.documents,
        select=call.select,
        coverage=call.coverage,
        missing_annotator=call.missing_annotator,
    )
    systems = optional_systems(call.systems, hyp_format=call.hyp_format, hyp_key=call.hyp_key)
    place = find_sentence(call.sentence, loaded)
    wanted = loaded.panel.sentences[place]
    written = [read_hypotheses(one, loaded, tokenized=not call.tokenize) for one in systems]
    laid_out = lay_out(wanted, written, place)
    present = laid_out.annotators
    names = shown_order(loaded.panel.annotators)
    return ShowResult(
        sentence=loaded.numbers[place],
        sentences=loaded.total,
        document=wanted.document,
        source=" ".join(wanted.tokens),
        annotators={name: present[name] for name in names if name in present},
        skipped=tuple(name for name in names if name not in present),
        systems=laid_out.systems,
        edits=tuple(
            edit._replace(annotators=tuple(sorted(edit.annotators, key=names.index)))
            for edit in laid_out.edits
        ),
        signature=sign(loaded, systems, tokenize=call.tokenize),
        inputs=(*loaded.inputs, *(file for system in systems for file in system.files)),
    )


class SideBySide(NamedTuple):
    """The corrections of one sentence, and its edits with everybody who made them."""

    annotators: dict[str, Correction]  # those who looked at the sentence
    systems: dict[str, Correction]
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
    people = {one.annotator: _correction_by(one, sentence) for one in sentence.annotations}
    known = list(dict.fromkeys(edit.key for one in people.values() for edit in one.edits))
    systems = {one.name: _correction_of(one, place, sentence, known) for one in written}
    return SideBySide(people, systems, _share(people, systems))


def sign(loaded: LoadedPanel, systems: Sequence[System], *, tokenize: bool) -> str:
    """What the layout depends on: how edits are found in a text."""
    found = any(system.is_text for system in systems)
    return signature(
        "show",
        refs=len(loaded.panel.annotators),
        unchanged=UNCHANGED if found else None,
        tokenize="jurybox" if tokenize else None,
    )


def _changes(sentence: Sentence, edits: Sequence[Edit]) -> tuple[Change, ...]:
    return tuple(
        Change(
            edit.start,
            edit.end,
            " ".join(sentence.tokens[edit.start : edit.end]),
            "||".join(edit.alternatives),
            edit.type,
        )
        for edit in sorted(edits, key=lambda edit: (edit.start, edit.end))
    )


def _correction_by(annotation: Annotation, sentence: Sentence) -> Correction:
    text = " ".join(apply_edits(sentence.tokens, annotation.edits))
    return Correction(text, _changes(sentence, annotation.edits))


def _correction_of(
    system: Hypotheses, place: int, sentence: Sentence, known: Sequence[tuple[int, int, str]]
) -> Correction:
    own = system.edits[place] if system.edits is not None else None
    if own is not None:
        edits = own.annotations[0].edits if own.annotations else ()
        return _correction_by(Annotation(system.name, edits), sentence)
    tokens = system.sentences[place] or ()
    return Correction(" ".join(tokens), tuple(_found(sentence.tokens, tokens, known)))


def _found(
    source: tuple[str, ...], hypothesis: tuple[str, ...], known: Sequence[tuple[int, int, str]]
) -> Iterator[Change]:
    """A text's edits: annotators' edits where they can be found in it, else the smallest."""
    for start, end, text in shared_edits(source, hypothesis, known):
        yield Change(start, end, " ".join(source[start:end]), text)


def _share(
    people: Mapping[str, Correction], machines: Mapping[str, Correction]
) -> tuple[SharedEdit, ...]:
    """Every span and correction once, by position, the most frequent first at the same span."""
    made: dict[tuple[int, int, str], list[tuple[bool, str, Change]]] = {}
    for human, everybody in ((True, people), (False, machines)):
        for name, one in everybody.items():
            for edit in one.edits:
                made.setdefault(edit.key, []).append((human, name, edit))
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
