"""How `show` works: what everybody made of a sentence, and who made which edit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from jurybox.counting.panels import LoadedPanel, load_panel_of
from jurybox.counting.people import Hypotheses, read_hypotheses
from jurybox.counting.systems import System, optional_systems
from jurybox.metrics.graded import shared_edits
from jurybox.metrics.maxmatch import UNCHANGED
from jurybox.model import Edit, Sentence, apply_edits
from jurybox.options import signature
from jurybox.show import Show
from jurybox.show.lookup import find_sentence
from jurybox.show.result import Change, Correction, SharedEdit, ShowResult
from jurybox.tables import shown_order


def show_sentence(call: Show) -> ShowResult:
    """Read the panel and the systems, and lay out the one sentence that is meant."""
    loaded = load_panel_of(call)
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

    >>> from jurybox.model import Annotation
    >>> goes = Annotation("A1", (Edit(1, 2, "goes", "SVA"),))
    >>> sentence = Sentence(("She", "go", "."), (goes,))
    >>> system = Hypotheses("mine", "mine.txt", [("She", "goes", ".")])
    >>> [(e.replacement, e.annotators, e.systems) for e in lay_out(sentence, [system], 0).edits]
    [('goes', ('A1',), ('mine',))]
    """
    people = {one.annotator: _correction_by(one.edits, sentence) for one in sentence.annotations}
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


def _correction_by(edits: Sequence[Edit], sentence: Sentence) -> Correction:
    """The text that edits make, and the edits from left to right."""
    changes = [
        Change(
            edit.start,
            edit.end,
            " ".join(sentence.tokens[edit.start : edit.end]),
            "||".join(edit.alternatives),
            edit.type,
        )
        for edit in sorted(edits, key=lambda edit: (edit.start, edit.end))
    ]
    return Correction(" ".join(apply_edits(sentence.tokens, edits)), tuple(changes))


def _correction_of(
    system: Hypotheses, place: int, sentence: Sentence, known: Sequence[tuple[int, int, str]]
) -> Correction:
    """A system's own edits; of a text those of annotators it holds, else the smallest."""
    own = system.edits[place] if system.edits is not None else None
    if own is not None:
        return _correction_by(own.annotations[0].edits if own.annotations else (), sentence)
    source, tokens = sentence.tokens, system.sentences[place] or ()
    changes = [
        Change(start, end, " ".join(source[start:end]), text)
        for start, end, text in shared_edits(source, tokens, known)
    ]
    return Correction(" ".join(tokens), tuple(changes))


def _share(
    people: Mapping[str, Correction], machines: Mapping[str, Correction]
) -> tuple[SharedEdit, ...]:
    """Every span and correction once, by position, the most frequent first at the same span."""
    edits: dict[tuple[int, int, str], SharedEdit] = {}
    for field, everybody in (("annotators", people), ("systems", machines)):
        for name, one in everybody.items():
            for edit in one.edits:
                shared = edits.get(edit.key) or SharedEdit(*edit.key[:2], edit.source, edit.key[2])
                types = () if edit.type is None else (edit.type,)
                added: dict[str, Any] = {field: _once((*getattr(shared, field), name))}
                edits[edit.key] = shared._replace(types=_once((*shared.types, *types)), **added)
    return tuple(sorted(edits.values(), key=lambda e: (*e[:2], -len(e.annotators), e.replacement)))


def _once(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))
