"""What admins download: judgments, essays, cases, the questionnaire."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fastapi import APIRouter
from fastapi.responses import Response

from jurybox.errors import InputError, UnknownNameError, UsageError
from jurybox.serve import downloads
from jurybox.serve.downloads import TABLES, Selection
from jurybox.serve.requests import Asked, Number, PageAdmin, PageError, Visit
from jurybox.serve.settings import Task
from jurybox.serve.store import export

router = APIRouter(prefix="/admin/projects/{number}")


@router.get("/judgments.{form}")
def send_judgments(number: Number, form: str, visit: Asked, _: PageAdmin) -> Response:
    """All judgments; `?gold=no` and `?flagged=no` leave some out, `?names=own` names raters.

    `?decisions=yes` adds adjudicators' decisions as the rater ADJ, `only` gives them alone, with
    `instead` they replace the judgments of the cases that are decided.
    """
    return _send(visit, number, form, downloads.judgments, form, selection_of(visit))


@router.get("/label-studio.json")
def send_label_studio(number: Number, visit: Asked, _: PageAdmin) -> Response:
    return _send(visit, number, "csv", downloads.label_studio, selection_of(visit))


@router.get("/questionnaire.{form}")
def send_questionnaire(number: Number, form: str, visit: Asked, _: PageAdmin) -> Response:
    """What raters say of themselves; `?names=own` names them."""
    names = selection_of(visit).names
    return _send(visit, number, form, downloads.questionnaire, form, names)


@router.get("/cases.{form}")
def send_cases(number: Number, form: str, visit: Asked, _: PageAdmin) -> Response:
    return _send(visit, number, form, downloads.cases, form)


@router.get("/edits.{form}")
def send_edits(number: Number, form: str, visit: Asked, _: PageAdmin) -> Response:
    """All corrections. `?annotator=R1` is one annotator, `?flagged=no` those who are trusted.

    Adjudicators' decisions (ADJ) repeat what others said, so they are left out unless asked for:
    `?decisions=yes`, or `only`.
    """
    project = visit.listed_project(number)
    if form not in downloads.ESSAYS or project.task != Task.CORRECT:
        raise PageError(
            "There is no such file",
            "Only essays have corrections: edits.m2, edits.sgml and edits.zip.",
            link=(f"/admin/projects/{number}", "To the project"),
        )
    annotator = visit.request.query_params.get("annotator", "")
    try:
        return downloads.essays(visit.store, project, form, selection_of(visit), annotator)
    except UnknownNameError as error:
        raise PageError("There is no such annotator", str(error)) from None


def _send(
    visit: Visit, number: int, form: str, make: Callable[..., Response], *given: Any
) -> Response:
    project = visit.listed_project(number)
    if form not in TABLES:
        raise PageError("There is no such file")
    try:
        return make(visit.store, project, *given)
    except (UsageError, InputError) as error:
        link = (f"/admin/projects/{number}", "To the project")
        raise PageError("There is no such file", str(error), link=link) from None


def selection_of(visit: Visit) -> Selection:
    """What the address asks for; values that mean nothing to us change nothing."""
    asked = visit.request.query_params
    decisions = asked.get("decisions", "no")
    return Selection(
        gold=asked.get("gold") != "no",
        flagged=asked.get("flagged") != "no",
        names="own" if asked.get("names") == "own" else "number",
        decisions=decisions if decisions in export.DECISIONS else "no",
    )
