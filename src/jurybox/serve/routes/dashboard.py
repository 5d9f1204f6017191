"""The admin's dashboard: how a project goes, in numbers, and what they will cost.

The page is whole without a script. With one, it asks for the board alone every few seconds.
"""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, Response

from jurybox.errors import JuryboxError, UnknownNameError
from jurybox.serve import board_words
from jurybox.serve.dashboard import dashboard_of
from jurybox.serve.model import Project
from jurybox.serve.pages import render
from jurybox.serve.project_forms import FIELDS, WATCHED, change_watching
from jurybox.serve.routes.joining import COOKIES
from jurybox.serve.routes.projects import TASKS, in_form_words, no_project
from jurybox.serve.visits import Asked, Number, Sent, Visit

router = APIRouter()
#: seconds between two questions of the script
EVERY = 5


@router.get("/admin/projects/{number}/dashboard")
def show(number: Number, visit: Asked) -> Response:
    """The dashboard of a project."""
    if visit.admin() is None:
        return visit.go_to("/admin/login")
    return _page(visit, number)


@router.get("/admin/projects/{number}/dashboard/board")
def show_board(number: Number, visit: Asked) -> Response:
    """What changes on it, for the script: a piece of the page."""
    if visit.admin() is None:
        return HTMLResponse("You are not logged in.", 403)
    try:
        project = visit.store.project_by_id(number)
    except UnknownNameError:
        return HTMLResponse("There is no such project.", 404)
    return HTMLResponse(render("_board", **_board(visit, project)))


@router.post("/admin/projects/{number}/dashboard")
def change(number: Number, visit: Sent) -> Response:
    """What is paid, and how precise it should be."""
    if visit.admin() is None:
        return visit.message("You are not logged in", status=403, link=("/admin/login", "Log in"))
    if not visit.is_own_form():
        return _page(visit, number, COOKIES, 403)
    try:
        project = visit.store.project_by_id(number)
    except UnknownNameError:
        return no_project(visit)
    try:
        fields = {name: visit.text(name) for name in WATCHED}
        visit.store.change_project(number, change_watching(project.settings, fields))
    except JuryboxError as error:
        return _page(visit, number, in_form_words(str(error)), 422)
    return visit.go_to(f"/admin/projects/{number}/dashboard")


def _page(visit: Visit, number: int, problem: str = "", status: int = 200) -> Response:
    try:
        project = visit.store.project_by_id(number)
    except UnknownNameError:
        return no_project(visit)
    settings = project.settings
    within = settings.precise_within
    stored = {
        "pay": settings.pay,
        "fee": settings.fee,
        "precise_within": "" if within is None else f"{within:g}",
    }
    typed = {name: visit.text(name) for name in WATCHED}
    return visit.page(
        "dashboard",
        status,
        task=TASKS[project.task],
        fields={name: FIELDS[name][1] for name in WATCHED},
        filled=typed if problem else stored,
        every=EVERY,
        problem=problem,
        **_board(visit, project),
    )


def _board(visit: Visit, project: Project) -> dict[str, Any]:
    return {
        "project": project,
        "board": dashboard_of(visit.store, project),
        "words": board_words,
    }
