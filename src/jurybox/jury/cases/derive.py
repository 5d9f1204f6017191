"""From edits to cases: a panel of annotators becomes cases and judgments, a text decisions.

Any panel is a case set: the places of a construction are cases, every annotator who looked at a
sentence judges its cases (an edit there: error; none: ok), and a system decides them by its own
edits. Nothing is judged at a trivial place, for a rule has decided there; but where the rule and
an annotator differ, the place is an ordinary case.

An edit is read without the words it repeats: people mark more than they change ("me" becomes "to
me"), and alignment joins changes that stand side by side. Both are read the same way, so that what
a person and a system put in one place can be compared.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress
from typing import NamedTuple

import numpy as np

from jurybox.counting.output_checks import OutputCheck
from jurybox.counting.panels import LoadedPanel, load_panel_of
from jurybox.counting.people import read_hypotheses
from jurybox.counting.systems import System, only_annotation, optional_systems
from jurybox.engine import Progress, expect
from jurybox.errors import InputError, UsageError, collecting_warnings, plural, warn
from jurybox.formats import Input
from jurybox.jury.cases import DeriveCases
from jurybox.jury.cases.constructions import (
    BY_TYPE,
    Construction,
    Place,
    find_constructions,
    find_places,
    is_punctuation,
)
from jurybox.jury.cases.context import Context, contexts_of
from jurybox.jury.cases.duplicates import Duplicates
from jurybox.jury.cases.infinitives import Tagger, choose_tagger
from jurybox.jury.cases.naming import SentenceNames, case_id
from jurybox.jury.cases.result import ConstructionSummary, DerivedCases, RaterSummary, SystemSummary
from jurybox.metrics.maxmatch import smallest_edits
from jurybox.model import (
    LABEL_BITS,
    LABELS,
    Case,
    CaseDescription,
    CaseSet,
    DecisionTable,
    Edit,
    JudgmentTable,
    Panel,
    Sentence,
)
from jurybox.options import signature
from jurybox.tables import shown_order

ERROR, OK = LABELS.index("error"), LABELS.index("ok")
UNTYPED = frozenset(("", "UNK"))

#: whether an edit is about a construction
Concerns = Callable[[Construction, Edit], bool]


def by_type(construction: Construction, edit: Edit) -> bool:
    """The edit has one of the construction's types."""
    return construction.is_about(edit.type)


def any_edit(construction: Construction, edit: Edit) -> bool:
    """Every edit counts, whatever its type; for a system, whose edits have none, always."""
    return True


def edit_types(sentences: Iterable[Sentence]) -> frozenset[str]:
    """The types that annotators gave their edits; none where the data has no types."""
    met = {e.type for s in sentences for a in s.annotations for e in a.edits}
    return frozenset(met) if met - UNTYPED else frozenset()


def without_types(sentences: Iterable[Sentence]) -> tuple[str, ...]:
    """The annotators who gave none of their edits a type, in order of their first edit."""
    typed: dict[str, bool] = {}
    for annotation in (a for sentence in sentences for a in sentence.annotations):
        if annotation.edits:
            met = any(edit.type not in UNTYPED for edit in annotation.edits)
            typed[annotation.annotator] = met or typed.get(annotation.annotator, False)
    return tuple(name for name, met in typed.items() if not met)


@dataclass(slots=True)
class Tally:
    """What became of a construction's edits and of its trivial rule."""

    edits: int = 0  # edits that are about the construction
    on_cases: int = 0  # those that make a case an error
    trivial: int = 0  # places that the rule decides
    overruled: int = 0  # places trivial by the rule, but not for some annotator


@dataclass(slots=True)
class PanelCases:
    """The cases of a panel, with what annotators say about them."""

    cases: list[Case] = field(default_factory=list)
    places: list[list[Place]] = field(default_factory=list)  # of every sentence, in order of cases
    judgments: JudgmentTable = field(default_factory=JudgmentTable)
    tallies: dict[str, Tally] = field(default_factory=dict)
    dropped: dict[str, int] = field(default_factory=dict)  # trivial places that are no cases
    duplicates: Duplicates = field(default_factory=Duplicates)


def derive(
    sentences: Sequence[Sentence],
    annotators: Sequence[str],
    constructions: Sequence[Construction],
    *,
    numbers: Sequence[int],
    tagger: Tagger,
    contexts: Iterable[Context] | None = None,
    concerns: Concerns = by_type,
    untyped: Collection[str] = (),
    drop_duplicates: bool = False,
    progress: Progress | None = None,
) -> PanelCases:
    """Cases and judgments of a panel; `numbers` are those of its sentences, for the ids.

    A sentence nobody looked at has no cases. Every edit of an `untyped` annotator counts, since no
    type can tell what it is about. `contexts` are those of the sentences, unless all neighbours
    are among them.
    """
    derived = PanelCases(tallies={one.name: Tally() for one in constructions})
    met: set[str] = set()  # sentences with cases: what stands there again has the same places
    duplicates = 0
    derived.judgments.raters = list(annotators)
    raters = {name: number << LABEL_BITS for number, name in enumerate(annotators)}
    corrections: dict[tuple[str, ...], int] = {(): 0}
    given = array("I")
    infinitives = tagger.find(sentence.tokens for sentence in sentences)
    names = SentenceNames()
    expect(progress, len(sentences))
    if contexts is None:
        contexts = contexts_of(sentences)
    parts = zip(sentences, infinitives, numbers, contexts, strict=True)
    for sentence, found, number, context in parts:
        name = names.next(number, sentence.document)
        places = [p for one in constructions for p in find_places(one, sentence.tokens, found)]
        if not sentence.annotations:
            places = []
        places.sort(key=lambda place: place[:2])
        if sentence.text in met:
            duplicates += len(places)
            places = [] if drop_duplicates else places
        elif places:
            met.add(sentence.text)
        answers = []
        for annotation in sentence.annotations:
            rule = any_edit if annotation.annotator in untyped else concerns
            errors = find_errors(sentence.tokens, annotation.edits, places, rule)
            for one in constructions:
                tally = derived.tallies[one.name]
                tally.edits += sum(rule(one, edit) for edit in annotation.edits)
                tally.on_cases += len(errors.hits.get(one.name, ()))
            answers.append((raters[annotation.annotator], errors.at))
        contested = {place for _, errors_at in answers for place in errors_at}
        first = len(derived.cases)
        for at, place in enumerate(places):
            trivial = place.trivial and at not in contested
            tally = derived.tallies[place.construction.name]
            tally.trivial += trivial
            tally.overruled += place.trivial and not trivial
            derived.cases.append(
                Case(
                    id=case_id(name, place.start, place.end),
                    sentence=sentence.text,
                    start=place.start,
                    end=place.end,
                    written=" ".join(sentence.tokens[place.start : place.end]),
                    construction=place.construction.name,
                    document=sentence.document,
                    trivial=trivial,
                    before=context.before,
                    after=context.after,
                )
            )
            if trivial:
                continue
            derived.judgments.case.extend([first + at] * len(answers))
            for rater, errors_at in answers:
                put = errors_at.get(at)
                derived.judgments.answer.append(rater | (OK if put is None else ERROR))
                given.append(0 if not put else corrections.setdefault(put, len(corrections)))
        derived.places.append(places)
        if progress is not None:
            progress(1)
    derived.duplicates = Duplicates(duplicates, drop_duplicates)
    derived.judgments.corrections = list(corrections)
    derived.judgments.correction = given if len(corrections) > 1 else None
    return derived


class Errors(NamedTuple):
    """The places (by number) that edits make errors, with equally good corrections of each.

    No correction is known where an edit repeats the source: it says only that something is wrong.
    """

    at: dict[int, tuple[str, ...]]
    hits: dict[str, set[int]]  # construction -> the edits (by number) that make a case an error


def find_errors(
    tokens: Sequence[str], edits: Sequence[Edit], places: Sequence[Place], concerns: Concerns
) -> Errors:
    """Which places are errors for one annotator or system.

    Where several edits cover a token, the shortest says what is put there, and of equally short
    ones the first in the file.
    """
    errors: dict[int, tuple[str, ...]] = {}
    hits: dict[str, set[int]] = {}
    if not edits:
        return Errors(errors, hits)
    tokens_at = {p.start: n for n, p in enumerate(places) if not p.construction.missing}
    positions = {p.start: n for n, p in enumerate(places) if p.construction.missing}
    missing = places[next(iter(positions.values()))].construction if positions else None
    order = sorted(range(len(edits)), key=lambda e: (edits[e].end - edits[e].start, e))
    for which in order:
        edit = edits[which]
        for token in range(edit.start, edit.end):
            number = tokens_at.get(token, -1)
            if number < 0 or not concerns(places[number].construction, edit):
                continue
            put = _corrections(tokens, edit, places[number])
            if put is not None:
                errors.setdefault(number, put)
                hits.setdefault(places[number].construction.name, set()).add(which)
        if missing:
            for position, texts in _insertions(tokens, edit, missing, concerns).items():
                errors.setdefault(positions[position], texts)
                hits.setdefault(missing.name, set()).add(which)
    return Errors(errors, hits)


def _corrections(tokens: Sequence[str], edit: Edit, place: Place) -> tuple[str, ...] | None:
    """What the alternatives of an edit put at a token it covers; None where none touches it.

    An edit that changes nothing, as a label does, calls all of its tokens wrong.
    """
    changes = [trim(tokens, edit.start, edit.end, text) for text in edit.alternatives]
    changes_something = any(change.words or change.start < change.end for change in changes)
    if (
        place.construction.touched
        and changes_something
        and not any(change.start <= place.start < change.end for change in changes)
    ):
        return None
    put = dict.fromkeys(
        put_at(tokens, edit.start, edit.end, text, place)
        for text, change in zip(edit.alternatives, changes, strict=True)
        if change.words or change.start < change.end
    )
    if kind := place.construction.kind:  # whoever finds another kind of error finds none of this
        return tuple(text for text in put if (not text) == (kind == "extraneous")) or None
    return tuple(put)


def _insertions(
    tokens: Sequence[str], edit: Edit, construction: Construction, concerns: Concerns
) -> dict[int, tuple[str, ...]]:
    """Position -> what the alternatives of an edit insert there.

    What is inserted must be one of the construction's own words, unless the edit's type says that
    it is about the construction: then it is another word (`their` for an article) where there is
    none of its own. Of "their relatives ," the comma is not what the type is about.
    """
    inserted: dict[int, tuple[str, ...]] = {}
    if concerns(construction, edit):
        anything = concerns is by_type and not construction.touched
        for text in edit.alternatives:
            found = insertions(tokens, edit.start, edit.end, text, construction)
            wanted = [one for one in found if one.own]
            if anything and not wanted:
                wanted = [one for one in found if len(found) == 1 or not is_punctuation(one.text)]
            for one in wanted:
                inserted[one.position] = (*inserted.get(one.position, ()), one.text)
    return inserted


def decide(
    name: str,
    sentences: Iterable[Sentence],
    places: Iterable[Sequence[Place]],
    edits: Iterable[Sequence[Edit]],
) -> DecisionTable:
    """A system's decisions by its edits: error where one covers the case or inserts what it lacks.

    The suggestion is what the system put there; '' is a deletion.
    """
    table = DecisionTable(name)
    suggestions: list[str | None] = []
    for sentence, cases, own in zip(sentences, places, edits, strict=True):
        errors = find_errors(sentence.tokens, own, cases, any_edit).at
        for number in range(len(cases)):
            put = errors.get(number)
            table.label.append(0 if put is None else 1)
            suggestions.append(put[0] if put else None)
    table.suggestion = suggestions
    return table


# --- what an edit changes ---


class Change(NamedTuple):
    """Source tokens start..end become `words`; nothing at either end stays the same."""

    start: int
    end: int
    words: tuple[str, ...]


def trim(tokens: Sequence[str], start: int, end: int, replacement: str) -> Change:
    """An edit without the words it repeats at its beginning and end.

    >>> trim("explained me it".split(), 1, 2, "to me")
    Change(start=1, end=1, words=('to',))
    >>> trim("explained me it".split(), 0, 2, "explained")
    Change(start=1, end=2, words=())
    """
    words = replacement.split()
    first, last = 0, len(words)
    while start < end and first < last and tokens[start] == words[first]:
        start += 1
        first += 1
    while start < end and first < last and tokens[end - 1] == words[last - 1]:
        end -= 1
        last -= 1
    return Change(start, end, tuple(words[first:last]))


def put_at(tokens: Sequence[str], start: int, end: int, replacement: str, place: Place) -> str:
    """What stands for the token at a place once an edit that covers it is applied; '': nothing.

    Of an edit of several words it is the part for that token, where that is clear: the one word of
    the construction that replaces the one it covers, or the word in the same place if there are as
    many as before. Else it is the whole replacement.
    """
    change = trim(tokens, start, end, replacement)
    if not change.start <= place.start < change.end:
        return " ".join(replacement.split())  # covered and kept: only the whole tells what changed
    covered, words = tokens[change.start : change.end], change.words
    own = [word for word in words if place.construction.owns(word)]
    if (
        len(own) == 1
        and own[0].lower() != tokens[place.start].lower()
        and sum(map(place.construction.owns, covered)) == 1
    ):
        return own[0]
    if len(covered) == len(words) and words[place.start - change.start] != tokens[place.start]:
        return words[place.start - change.start]
    return " ".join(words)


class Insertion(NamedTuple):
    """Words put before the token at `position`."""

    position: int
    text: str
    own: bool  # one of the construction's words is among them


def insertions(
    tokens: Sequence[str], start: int, end: int, replacement: str, construction: Construction
) -> tuple[Insertion, ...]:
    """What an edit inserts, and where; its words are aligned to those it replaces.

    Each of the small edits that alignment finds inserts words if it only adds some, or if it
    replaces words by more words, of which the last or the first is the construction's own while
    none of those replaced was.
    """
    change = trim(tokens, start, end, replacement)
    covered = tokens[change.start : change.end]
    if not covered:
        parts = [change]
    else:
        parts = [
            Change(change.start + one.start, change.start + one.end, tuple(one.replacement.split()))
            for one in smallest_edits(covered, change.words)
        ]
    found = []
    for first, last, words in parts:
        replaced = tokens[first:last]
        if not replaced:
            if words:
                found.append(Insertion(first, " ".join(words), any(map(construction.owns, words))))
        elif len(words) > len(replaced) and not any(map(construction.owns, replaced)):
            if construction.owns(words[-1]):
                found.append(Insertion(last, words[-1], True))
            elif construction.owns(words[0]):
                found.append(Insertion(first, words[0], True))
    return tuple(found)


# --- a panel and systems, read and derived ---


def derive_from_panel(call: DeriveCases) -> DerivedCases:
    """Read the panel, find its cases, and let systems decide them."""
    with collecting_warnings() as messages:
        loaded = load_panel_of(call)
        panel = loaded.panel
        types = edit_types(panel)
        wanted = find_constructions(call.construction, types)
        needs_tags = any(one.skips_infinitives for one in wanted)  # which `to` is a preposition?
        typed = call.error_rule == "type" and bool(types)
        _check_rule(wanted, types, call.error_rule)
        untyped = _untyped(wanted, panel) if typed else ()
        tagger = choose_tagger(call.tagger if needs_tags else "words")
        derived = derive(
            panel.sentences,
            panel.annotators,
            wanted,
            numbers=loaded.numbers,
            tagger=tagger,
            contexts=loaded.kept(list(contexts_of(loaded.sentences))),
            concerns=by_type if typed else any_edit,
            untyped=untyped,
            drop_duplicates=call.duplicates == "drop",
            progress=call.progress,
        )
        if not derived.cases:
            names = " or ".join(one.name for one in wanted)
            raise InputError(f"no sentence of the panel has a case for --construction {names}")
        opened = optional_systems(call.systems, hyp_format=call.hyp_format, hyp_key=call.hyp_key)
        decisions = {system.name: _decide(system, loaded, derived, call) for system in opened}
    files = [system.source for system in opened if isinstance(system.source, Input)]
    files += {one.file.name: one.file for one in wanted if one.file}.values()
    trivial = [case.trivial for case in derived.cases]
    on_trivial = {name: sum(compress(one.label, trivial)) for name, one in decisions.items()}
    if call.trivial == "drop":
        decisions = _drop_trivial(derived, decisions)
    described = {
        one.name: _describe(
            one, typed, untyped, tagger, panel, dropped=derived.dropped.get(one.name)
        )
        for one in wanted
    }
    description = _join(list(described.values()))
    return DerivedCases(
        description=description,
        constructions=tuple(_summarise(derived, *one) for one in described.items()),
        raters=_count_raters(derived.judgments),
        systems=tuple(
            SystemSummary(
                name, errors := sum(table.label), on_trivial[name], errors / len(derived.cases)
            )
            for name, table in decisions.items()
        ),
        duplicates=derived.duplicates,
        with_before=sum(bool(case.before) for case in derived.cases),
        case_set=CaseSet(tuple(derived.cases), description),
        judgments=derived.judgments,
        decisions=decisions,
        signature=signature(
            "cases",
            refs=len(panel.annotators),
            construction=[one.signed for one in wanted],
            rule="type" if typed else "any-edit",
            to=tagger.name if needs_tags else None,
            trivial="drop" if call.trivial == "drop" else None,
            duplicates="drop" if call.duplicates == "drop" else None,
            **loaded.signed,
            tokenize="jurybox" if call.tokenize else None,
        ),
        inputs=(*loaded.inputs, *files),
        warnings=tuple(messages),
    )


def _drop_trivial(
    derived: PanelCases, decisions: Mapping[str, DecisionTable]
) -> dict[str, DecisionTable]:
    """Without trivial cases, which have no judgments; the decisions on the others are returned."""
    kept = [not case.trivial for case in derived.cases]
    if not any(kept):
        raise InputError("--trivial drop leaves no case: a rule decides every position")
    derived.dropped = {name: tally.trivial for name, tally in derived.tallies.items()}
    derived.cases = list(compress(derived.cases, kept))
    number = (np.cumsum(kept) - 1).astype(np.uint32)
    derived.judgments.case = array("I", number[np.asarray(derived.judgments.case)].tobytes())
    return {name: one.only(kept) for name, one in decisions.items()}


def _summarise(derived: PanelCases, name: str, description: CaseDescription) -> ConstructionSummary:
    """Count the cases of one construction, and what annotators say about them."""
    mine = np.array([case.construction == name for case in derived.cases])
    answers = np.asarray(derived.judgments.answer) & ((1 << LABEL_BITS) - 1)
    about = np.asarray(derived.judgments.case)
    seen, errors = (
        np.bincount(about[chosen], minlength=len(mine))[mine]
        for chosen in (slice(None), answers == ERROR)
    )
    tally = derived.tallies[name]
    return ConstructionSummary(
        name=name,
        n=len(seen),
        trivial=tally.trivial,
        overruled=tally.overruled,
        judgments=int(seen.sum()),
        error_judgments=int(errors.sum()),
        any_error=int((errors > 0).sum()),
        majority_error=int((2 * errors > seen).sum()),
        edits=tally.edits,
        on_cases=tally.on_cases,
        description=description,
    )


def _count_raters(judgments: JudgmentTable) -> tuple[RaterSummary, ...]:
    """Every annotator as tables list them: in the order of the panel, but A2 before A10."""
    answers = np.asarray(judgments.answer)
    is_error = answers & ((1 << LABEL_BITS) - 1) == ERROR
    counts = [
        np.bincount(chosen >> LABEL_BITS, minlength=len(judgments.raters)).tolist()
        for chosen in (answers, answers[is_error])
    ]
    found = dict(zip(judgments.raters, zip(*counts, strict=True), strict=True))
    return tuple(RaterSummary(name, *found[name]) for name in shown_order(list(found)))


def _check_rule(
    constructions: Sequence[Construction], types: frozenset[str], error_rule: str
) -> None:
    for one in constructions:
        if error_rule == "any-edit" and one.name.startswith(BY_TYPE):
            raise UsageError(
                f"--construction {one.name} takes edits of one type, --error-rule any-edit takes "
                "all; choose one of them, or --construction token"
            )
        if error_rule == "type" and types and not any(map(one.is_about, types)):
            met = ", ".join(sorted(types)[:10]) + (" …" if len(types) > 10 else "")
            warn(
                f"no annotator has an edit of type {' or '.join(one.types)}, so no {one.name} case "
                f"is an error (types there: {met}); say --error-rule any-edit to count every edit"
            )


def _untyped(constructions: Sequence[Construction], panel: Panel) -> tuple[str, ...]:
    """Annotators whose edits have no types although others' have; all their edits count."""
    names = without_types(panel)
    if not names or not any(one.types for one in constructions):
        return ()
    listed = ", ".join(names)
    for one in constructions:
        if one.name.startswith(BY_TYPE):
            raise InputError(
                f"--construction {one.name}: no edit of {listed} has a type; leave them out, or "
                "give their edits types"
            )
    warn(
        f"no edit of {listed} has a type, so every edit of theirs counts; --error-rule any-edit "
        "does the same for all annotators"
    )
    return names


def _describe(
    construction: Construction,
    typed: bool,
    untyped: Sequence[str],
    tagger: Tagger,
    panel: Panel,
    *,
    dropped: int | None,
) -> CaseDescription:
    """What N consists of, in words."""
    one = construction
    tagged = one.skips_infinitives and not one.missing
    edit = f"an edit of type {' or '.join(one.types)}" if typed and one.types else "an edit"
    if untyped and one.types:
        edit = f"{edit} (of {', '.join(untyped)}, without types: any edit)"
    inserted = "something" if typed and not one.touched else one.noun
    effect = "changes the token itself" if one.touched else "covers the token"
    effect = {
        "extraneous": "takes the token away",
        "wrong": "puts other words in place of the token",
    }.get(one.kind, effect)
    if one.missing:
        effect = f"inserts {inserted} at the position"
    unless = "; unless an annotator puts something there"
    if dropped is not None:
        unless = f": {plural(dropped, 'position')}, left out{unless}"
    return CaseDescription(
        construction=one.name,
        unit=one.unit,
        enumeration=f"{one.enumeration} ({tagger.rule})" if tagged else one.enumeration,
        trivial_rule=f"{one.trivial_rule}{unless}" if one.trivial_rule else "",
        error_rule=f"{edit} {effect}",
        origin=f"{panel.name}: {len(panel)} sentences, {len(panel.annotators)} annotators",
    )


def _join(described: Sequence[CaseDescription]) -> CaseDescription:
    """One description of all; what differs is said for each construction."""
    if len(described) == 1:
        return described[0]
    joined = {}
    for name in ("unit", "enumeration", "trivial_rule", "error_rule"):
        said = {one.construction: str(getattr(one, name)) for one in described}
        joined[name] = "; ".join(f"{which}: {text}" for which, text in said.items() if text)
    names = "+".join(one.construction for one in described)
    return CaseDescription(construction=names, origin=described[0].origin, **joined)


def _decide(
    system: System, loaded: LoadedPanel, derived: PanelCases, call: DeriveCases
) -> DecisionTable:
    """A system's decisions, by its own edits or by those that alignment finds in its text."""
    written = read_hypotheses(system, loaded, tokenized=not call.tokenize)
    sentences = loaded.panel.sentences
    if written.edits is not None:
        own = [() if one is None else only_annotation(one, system) for one in written.edits]
    else:
        check = OutputCheck(system.place)
        own = []
        expect(call.progress, len(sentences))
        for sentence, tokens in zip(sentences, written.sentences, strict=True):
            check.look(sentence.tokens, tokens or ())
            own.append(smallest_edits(sentence.tokens, tokens or ()))
            if call.progress is not None:
                call.progress(1)
        warn(*check.warnings())
    return decide(system.name, sentences, derived.places, own)
