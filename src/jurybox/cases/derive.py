"""From edits to cases: a panel of annotators becomes cases and judgments, a text decisions.

Any panel is a case set: the places of a construction are cases, every annotator who looked at a
sentence judges its cases (an edit there: error; none: ok), and a system decides them by its own
edits. Nothing is judged at a trivial place, for a rule has decided there; but where the rule and
an annotator differ, the place is an ordinary case.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from jurybox.cases.changes import insertions, put_at, trim
from jurybox.cases.constructions import Construction, Place, find_places, is_punctuation
from jurybox.cases.infinitives import Tagger
from jurybox.cases.naming import SentenceNames, case_id
from jurybox.model import (
    LABEL_BITS,
    LABELS,
    Case,
    DecisionTable,
    Edit,
    JudgmentTable,
    Sentence,
)

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
    """The annotators who gave none of their edits a type, in order of their first edit.

    >>> from jurybox.model import Annotation
    >>> typed = Annotation("Ann", (Edit(0, 1, "On", "Prep"),))
    >>> untyped = Annotation("Bob", (Edit(0, 1, "On", "UNK"),))
    >>> without_types([Sentence(("At", "night"), (typed, untyped))])
    ('Bob',)
    """
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
    overruled: int = 0  # places trivial by the rule, but not for some annotator


@dataclass(slots=True)
class PanelCases:
    """The cases of a panel, with what annotators say about them."""

    cases: list[Case] = field(default_factory=list)
    places: list[list[Place]] = field(default_factory=list)  # of every sentence, in order of cases
    judgments: JudgmentTable = field(default_factory=JudgmentTable)
    tallies: dict[str, Tally] = field(default_factory=dict)


def derive(
    sentences: Sequence[Sentence],
    annotators: Sequence[str],
    constructions: Sequence[Construction],
    *,
    numbers: Sequence[int],
    tagger: Tagger,
    concerns: Concerns = by_type,
    untyped: Collection[str] = (),
) -> PanelCases:
    """Cases and judgments of a panel; `numbers` are those of its sentences, for the ids.

    A sentence nobody looked at has no cases. Every edit of an `untyped` annotator counts, since no
    type can tell what it is about.
    """
    derived = PanelCases(tallies={one.name: Tally() for one in constructions})
    derived.judgments.raters = list(annotators)
    raters = {name: number << LABEL_BITS for number, name in enumerate(annotators)}
    corrections: dict[tuple[str, ...], int] = {(): 0}
    given = array("I")
    infinitives = tagger.find(sentence.tokens for sentence in sentences)
    names = SentenceNames()
    for sentence, found, number in zip(sentences, infinitives, numbers, strict=True):
        name = names.next(number, sentence.document)
        places = [p for one in constructions for p in find_places(one, sentence.tokens, found)]
        if not sentence.annotations:
            places = []
        places.sort(key=lambda place: place[:2])
        answers = []
        for annotation in sentence.annotations:
            rule = any_edit if annotation.annotator in untyped else concerns
            errors = find_errors(sentence.tokens, annotation.edits, places, rule)
            _count_edits(derived.tallies, constructions, annotation.edits, errors, rule)
            answers.append((raters[annotation.annotator], errors.at))
        contested = {place for _, made in answers for place in made}
        first = len(derived.cases)
        for at, place in enumerate(places):
            trivial = place.trivial and at not in contested
            derived.tallies[place.construction.name].overruled += place.trivial and not trivial
            derived.cases.append(_make_case(sentence, name, place, trivial))
            if trivial:
                continue
            derived.judgments.case.extend([first + at] * len(answers))
            for rater, made in answers:
                put = made.get(at)
                derived.judgments.answer.append(rater | (OK if put is None else ERROR))
                given.append(0 if not put else corrections.setdefault(put, len(corrections)))
        derived.places.append(places)
    derived.judgments.corrections = list(corrections)
    derived.judgments.correction = given if len(corrections) > 1 else None
    return derived


def _make_case(sentence: Sentence, name: str, place: Place, trivial: bool) -> Case:
    return Case(
        id=case_id(name, place.start, place.end),
        sentence=sentence.text,
        start=place.start,
        end=place.end,
        written=" ".join(sentence.tokens[place.start : place.end]),
        construction=place.construction.name,
        document=sentence.document,
        trivial=trivial,
    )


class Errors(NamedTuple):
    """The places (by number) that edits make errors, with equally good corrections of each.

    No correction is known where an edit repeats the source: it says only that something is wrong.
    """

    at: dict[int, tuple[str, ...]]
    hits: dict[str, set[int]]  # construction -> the edits (by number) that made an error


def find_errors(
    tokens: Sequence[str], edits: Sequence[Edit], places: Sequence[Place], concerns: Concerns
) -> Errors:
    """Which places are errors for one annotator or system.

    Where several edits cover a token, the shortest says what is put there, and of equally short
    ones the first in the file.

    >>> from jurybox.cases.constructions import CONSTRUCTIONS
    >>> tokens = "I sat at mat".split()
    >>> wanted = [CONSTRUCTIONS[name] for name in ("preposition", "missing-article")]
    >>> places = [place for one in wanted for place in find_places(one, tokens)]
    >>> edits = [Edit(2, 3, "on", "Prep"), Edit(3, 4, "the mat||a mat", "ArtOrDet")]
    >>> errors = find_errors(tokens, edits, places, by_type).at
    >>> [(places[number][:2], put) for number, put in errors.items()]
    [((2, 3), ('on',)), ((3, 3), ('the', 'a'))]
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
    """What the alternatives of an edit put at a token it covers; None where none touches it."""
    changes = [trim(tokens, edit.start, edit.end, text) for text in edit.alternatives]
    if place.construction.touched and not any(
        change.start <= place.start < change.end for change in changes
    ):
        return None
    return tuple(
        dict.fromkeys(
            put_at(tokens, edit.start, edit.end, text, place)
            for text, change in zip(edit.alternatives, changes, strict=True)
            if change.words or change.start < change.end
        )
    )


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
            made = insertions(tokens, edit.start, edit.end, text, construction)
            wanted = [one for one in made if one.own]
            if anything and not wanted:
                wanted = [one for one in made if len(made) == 1 or not is_punctuation(one.text)]
            for one in wanted:
                inserted[one.position] = (*inserted.get(one.position, ()), one.text)
    return inserted


def _count_edits(
    tallies: dict[str, Tally],
    constructions: Sequence[Construction],
    edits: Sequence[Edit],
    errors: Errors,
    concerns: Concerns,
) -> None:
    for one in constructions:
        tallies[one.name].edits += sum(concerns(one, edit) for edit in edits)
        tallies[one.name].on_cases += len(errors.hits.get(one.name, ()))


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
