"""Differing corrections of an essay: tick what is kept, write what is missing, decide."""

from __future__ import annotations

from typing import Any, NamedTuple

from fastapi.responses import Response

from jurybox.errors import InputError
from jurybox.serve import categories, contested, essay_decisions, wording
from jurybox.serve.contested import ContestedCase
from jurybox.serve.essay_decisions import Ticked, Writing
from jurybox.serve.essays import write_edits
from jurybox.serve.model import Given, Project, Task, User
from jurybox.serve.visits import Visit

NOTHING_KEPT = (
    "Nothing is ticked. If there is no error in this essay, please say so below; else tick what is "
    "kept."
)
UNFINISHED = (
    "You have begun a correction of your own. Please add it, or close its form, before you decide."
)


class Entered(NamedTuple):
    """An adjudicator in a project."""

    user: User
    project: Project


def shared(visit: Visit, entered: Entered, case: ContestedCase, problem: str) -> dict[str, Any]:
    """What the pages of all tasks show."""
    project, decision = entered.project, case.decision
    before = visit.request.query_params.get("before", "")
    is_sent = visit.request.method == "POST"
    question = wording.question(case.task, case.shown)
    if case.task == Task.CORRECT:
        question = "Which corrections are kept?"
    return {
        "user": entered.user,
        "project": project,
        "case": case,
        "shown": case.shown,
        "question": question,
        "counts": visit.store.contested_counts(project.id, partial=not project.settings.is_open),
        "decision": decision,
        "decided": _said(case),
        "over": "" if decision is None else repr(decision.time),
        "comment": visit.text("comment") if is_sent else decision.comment if decision else "",
        "before": int(before) if before.isdecimal() and len(before) < 10 else 0,
        "problem": problem,
    }


def _said(case: ContestedCase) -> str:
    """The decision in words; '' where there is none."""
    decision = case.decision
    if decision is None or not decision.is_made:
        return ""
    if case.task == Task.CORRECT:
        return wording.corrections(len(decision.edits))
    return contested.said(case, decision)


def given_of(visit: Visit, case: ContestedCase) -> Given:
    """The decision that the form means."""
    if _writing(visit).is_begun:
        raise InputError(UNFINISHED)
    edits = essay_decisions.edits_of(case, _ticked(visit))
    if not edits and visit.text("no_error") != "yes":
        raise InputError(NOTHING_KEPT)
    return Given("", edits=edits)


def before_decision(visit: Visit, entered: Entered, case: ContestedCase) -> Response | None:
    """The page once more, for what is no decision: writing a correction, adding it, closing it."""
    do, _, asked = visit.text("do").partition(":")
    if do == "decide":
        return None
    ticked, writing, is_added = _ticked(visit), _writing(visit), False
    try:
        if do == "write":
            if writing.is_begun:
                raise InputError(UNFINISHED)
            writing = essay_decisions.begin_writing(case, ticked, asked)
        elif do == "add":
            own = entered.project.settings.categories
            ticked = essay_decisions.add_written(case, ticked, writing, own)
            writing, is_added = Writing(-1), True
        elif do == "close":
            writing = Writing(-1)
    except InputError as error:
        return essay_page(
            visit, entered, case, problem=str(error), status=422, ticked=ticked, writing=writing
        )
    note = "Your correction is ticked. What it takes the place of is not." if is_added else ""
    return essay_page(visit, entered, case, ticked=ticked, writing=writing, note=note)


def essay_page(
    visit: Visit,
    entered: Entered,
    case: ContestedCase,
    *,
    problem: str = "",
    status: int = 200,
    ticked: Ticked | None = None,
    writing: Writing | None = None,
    note: str = "",
) -> Response:
    """The essay with everybody's corrections, and the form."""
    is_sent = visit.request.method == "POST"
    if ticked is None:
        ticked = _ticked_or_none(visit) if is_sent else None
    ticked = ticked or essay_decisions.first_ticked(case)
    parts = essay_decisions.parts_of(case, ticked)
    listed = categories.of(entered.project.settings.categories)
    return visit.page(
        "adjudicate_essay",
        status,
        **shared(visit, entered, case, problem),
        parts={part.number: part for part in parts},
        paragraphs=_numbers(case),
        differing=[part.number for part in parts if not part.is_agreed],
        own=[write_edits([one]) for one in ticked.own],
        writing=writing or (_writing(visit) if is_sent else Writing(-1)),
        categories=listed,
        titles={one.name: one.title for one in listed},
        flagged=[one.letter for one in case.judgments if one.is_flagged],
        remarks=[(one.letter, one.comment) for one in case.judgments if one.comment],
        is_empty=is_sent and not ticked.kept,
        note=note,
    )


def _numbers(case: ContestedCase) -> list[list[int]]:
    """The sentences' numbers, by paragraph."""
    found, number = [], 0
    for paragraph in case.shown.essay:
        found.append(list(range(number, number + len(paragraph))))
        number += len(paragraph)
    return found


def _ticked(visit: Visit) -> Ticked:
    return essay_decisions.read_ticked(visit.texts("keep"), visit.texts("own"))


def _ticked_or_none(visit: Visit) -> Ticked | None:
    try:
        return _ticked(visit)
    except InputError:
        return None


def _writing(visit: Visit) -> Writing:
    """The form for an own correction; sentence -1 where it is closed."""
    sentence = visit.text("sentence")
    number = int(sentence) if sentence.isdecimal() and len(sentence) < 7 else -1
    if number < 0:
        return Writing(-1)
    return Writing(
        number,
        visit.text("start"),
        visit.text("end"),
        visit.text("replacement"),
        visit.text("category"),
        visit.text("instead"),
    )
