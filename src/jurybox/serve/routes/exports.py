"""What admins download: judgments, cases, the questionnaire; essays are in `essay_files.py`."""

from __future__ import annotations

from collections.abc import Callable

from fastapi import APIRouter
from fastapi.responses import Response

from jurybox.errors import InputError, UsageError
from jurybox.serve import downloads
from jurybox.serve.downloads import TABLES, Wish
from jurybox.serve.model import Project
from jurybox.serve.routes.projects import project_for_admin
from jurybox.serve.store import export
from jurybox.serve.visits import Asked, Number, Visit

router = APIRouter()


@router.get("/admin/projects/{number}/judgments.{form}")
def send_judgments(number: Number, form: str, visit: Asked) -> Response:
    """All judgments; `?gold=no` and `?flagged=no` leave some out, `?names=own` names raters.

    `?decisions=yes` brings adjudicators' decisions in as the rater ADJ, `only` gives them alone,
    `instead` has them in place of the judgments of the cases that are decided.
    """
    wish = wish_of(visit)
    return _send(
        visit, number, form, lambda project: downloads.judgments(visit.store, project, form, wish)
    )


@router.get("/admin/projects/{number}/label-studio.json")
def send_label_studio(number: Number, visit: Asked) -> Response:
    """The same as Label Studio imports it."""
    wish = wish_of(visit)
    return _send(
        visit, number, "csv", lambda project: downloads.label_studio(visit.store, project, wish)
    )


@router.get("/admin/projects/{number}/questionnaire.{form}")
def send_questionnaire(number: Number, form: str, visit: Asked) -> Response:
    """What raters say of themselves; `?names=own` names them."""
    names = wish_of(visit).names
    return _send(
        visit,
        number,
        form,
        lambda project: downloads.questionnaire(visit.store, project, form, names),
    )


@router.get("/admin/projects/{number}/cases.{form}")
def send_cases(number: Number, form: str, visit: Asked) -> Response:
    """The cases, as a case file."""
    return _send(visit, number, form, lambda project: downloads.cases(visit.store, project, form))


def _send(visit: Visit, number: int, form: str, make: Callable[[Project], Response]) -> Response:
    project = project_for_admin(visit, number)
    if isinstance(project, Response):
        return project
    if form not in TABLES:
        return visit.message("There is no such file", status=404)
    try:
        return make(project)
    except (UsageError, InputError) as error:
        link = (f"/admin/projects/{number}", "To the project")
        return visit.message("There is no such file", str(error), status=404, link=link)


def wish_of(visit: Visit) -> Wish:
    """What the address asks for; words that say nothing to us leave everything as it is."""
    asked = visit.request.query_params
    decisions = asked.get("decisions", "no")
    return Wish(
        gold=asked.get("gold") != "no",
        flagged=asked.get("flagged") != "no",
        names="own" if asked.get("names") == "own" else "number",
        decisions=decisions if decisions in export.DECISIONS else "no",
    )
