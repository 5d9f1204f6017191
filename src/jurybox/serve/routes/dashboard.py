"""The admin's dashboard: how a project goes, in numbers, and what it will cost.

The page works without a script. With one, it asks for the board alone every few seconds.
"""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, Response

from jurybox.errors import UnknownNameError
from jurybox.serve.dashboard import dashboard_of
from jurybox.serve.dashboard import text as dashboard_text
from jurybox.serve.model import Project, Role
from jurybox.serve.pages import render
from jurybox.serve.requests import Asked, Number, PageAdmin, Sent, Visit, shown_on
from jurybox.serve.routes.projects import TASKS
from jurybox.serve.settings import ON_DASHBOARD, TITLES, change_dashboard

router = APIRouter(prefix="/admin/projects/{number}/dashboard")
#: seconds between two requests of the script
EVERY = 5


@router.get("")
def show(number: Number, visit: Asked, _: PageAdmin) -> Response:
    project = visit.store.project_by_id(number)
    stored = {name: getattr(project.settings, one.attribute) for name, one in ON_DASHBOARD.items()}
    shown = {
        name: "" if value is None else f"{value:g}" if isinstance(value, float) else value
        for name, value in stored.items()
    }
    return visit.page(
        "dashboard",
        task=TASKS[project.task],
        fields=ON_DASHBOARD,
        titles=TITLES,
        filled={name: visit.text(name) for name in ON_DASHBOARD} if visit.error else shown,
        every=EVERY,
        **_board(visit, project),
    )


@router.get("/board")
def show_board(number: Number, visit: Asked) -> Response:
    """What changes on it, for the script: a piece of the page."""
    user = visit.user()
    if user is None or user.role != Role.ADMIN:
        return HTMLResponse("You are not logged in.", 403)
    try:
        project = visit.store.project_by_id(number)
    except UnknownNameError:
        return HTMLResponse("There is no such project.", 404)
    return HTMLResponse(render("_board", **_board(visit, project)))


@router.post("")
@shown_on(show)
def change(number: Number, visit: Sent, _: PageAdmin) -> Response:
    project = visit.store.project_by_id(number)
    fields = {name: visit.text(name) for name in ON_DASHBOARD}
    visit.store.change_project(number, change_dashboard(project.settings, fields))
    return visit.go_to(f"/admin/projects/{number}/dashboard")


def _board(visit: Visit, project: Project) -> dict[str, Any]:
    return {
        "project": project,
        "board": dashboard_of(visit.store, project),
        "words": dashboard_text,
    }
