"""The admin's pages: projects, a new one, how far one is and how it goes, who judges in it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, Response

from jurybox.errors import UnknownNameError
from jurybox.serve import actions, categories, settings
from jurybox.serve.dashboard import dashboard_of
from jurybox.serve.dashboard import text as dashboard_text
from jurybox.serve.essays.decisions import shown_essay
from jurybox.serve.model import Project, Role
from jurybox.serve.pages import render
from jurybox.serve.projects import FilledProject
from jurybox.serve.requests import Asked, Number, PageAdmin, Sent, Visit, shown_on
from jurybox.serve.settings import ASKED, ON_DASHBOARD, TITLES, Task

router = APIRouter()
#: seconds between two requests of the script for the board
EVERY = 5
TASKS = {
    Task.JUDGE: "Judge: error, OK, or too hard to decide",
    Task.EXTRANEOUS: "Judge extraneous words: extraneous, not extraneous, or too hard to decide",
    Task.TRAINED: "Judge, for trained raters: context, 0 / 1 / 2 / e, confidence",
    Task.CLOZE: "Cloze: fill the gap",
    Task.CHOICE: "Choice: which of two words is better",
    Task.CORRECT: "Correct: mark and correct the errors in essays",
}


@router.get("/admin")
def list_projects(visit: Asked, _: PageAdmin) -> Response:
    listed = [(one, visit.store.progress(one.id)) for one in visit.store.projects()]
    return visit.page("projects", projects=listed)


@router.get("/admin/new")
def ask_project(visit: Asked, _: PageAdmin) -> Response:
    return visit.page(
        "new_project",
        fields=ASKED,
        titles=TITLES,
        groups=list(dict.fromkeys(one.group for one in ASKED.values() if one.group)),
        filled={name: visit.text(name) or one.default_text for name, one in ASKED.items()},
        construction=visit.text("construction"),
        in_order=bool(visit.text("in_order")),
        tasks=TASKS,
    )


@router.post("/admin/projects")
@shown_on(ask_project)
def create(visit: Sent, _: PageAdmin) -> Response:
    """A new project, with its cases, or nothing."""
    return _with_notes(visit, actions.create_from_form(visit))


@router.get("/admin/projects/{number}")
def show(number: Number, visit: Asked, _: PageAdmin) -> Response:
    project = visit.store.project_by_id(number)
    return visit.page(
        "project",
        project=project,
        task=TASKS[project.task],
        progress=visit.store.progress(number),
        strata=visit.store.strata_progress(number),
        raters=visit.store.rater_progress(number),
        awaiting=visit.store.awaiting_feedback(project),
        link=actions.link_of(visit, project),
    )


@router.post("/admin/projects/{number}/files")
@shown_on(show)
def add_files(number: Number, visit: Sent, _: PageAdmin) -> Response:
    """More cases, or the key of a sample."""
    return _with_notes(visit, actions.add_from_form(visit, number))


def _with_notes(visit: Visit, filled: FilledProject) -> Response:
    path = f"/admin/projects/{filled.project.id}"
    if not filled.notes:
        return visit.go_to(path)
    return visit.message(
        f"{filled.project.name} is ready", *filled.notes, link=(path, "To the project")
    )


@router.post("/admin/projects/{number}/open")
@shown_on(show)
def open_or_close(number: Number, visit: Sent, _: PageAdmin) -> Response:
    """A closed project admits nobody and assigns nothing; its data stays."""
    before = visit.store.project_by_id(number).settings
    visit.store.change_project(number, replace(before, is_open=visit.text("open") == "yes"))
    return visit.go_to(f"/admin/projects/{number}")


@router.post("/admin/projects/{number}/raters/{rater}")
@shown_on(show)
def stop_or_readmit(number: Number, rater: Number, visit: Sent, _: PageAdmin) -> Response:
    """An admin's decision about one rater."""
    actions.find_rater(visit, number, rater)
    if visit.text("do") == "readmit":
        visit.store.readmit_rater(rater)
    else:
        visit.store.stop_rater(rater)
    return visit.go_to(f"/admin/projects/{number}")


@router.get("/admin/projects/{number}/raters/{rater}/feedback")
def ask_feedback(number: Number, rater: Number, visit: Asked, user: PageAdmin) -> Response:
    """What an annotator has corrected so far, and the form for feedback."""
    project, annotator = actions.enter_feedback(visit, number, rater, user)
    listed = categories.of(project.settings.categories)
    return visit.page(
        "annotator_feedback",
        project=project,
        rater=annotator,
        essays=[shown_essay(one) for one in visit.store.corrected_essays(rater)],
        titles={one.name: one.title for one in listed},
        given=visit.store.feedback(rater),
        is_waiting=rater in visit.store.awaiting_feedback(project),
        is_written=visit.asked("after") == "written",
        text=visit.text("text"),
    )


@router.post("/admin/projects/{number}/raters/{rater}/feedback")
@shown_on(ask_feedback)
def write_feedback(number: Number, rater: Number, visit: Sent, user: PageAdmin) -> Response:
    """Feedback, which the annotator reads before the next essay."""
    actions.enter_feedback(visit, number, rater, user)
    visit.store.write_feedback(number, rater, user.id, visit.text("text"))
    return visit.go_to(f"/admin/projects/{number}/raters/{rater}/feedback?after=written")


# --- the dashboard: it works without a script; with one, it asks for the board alone ---


@router.get("/admin/projects/{number}/dashboard")
def show_dashboard(number: Number, visit: Asked, _: PageAdmin) -> Response:
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


@router.get("/admin/projects/{number}/dashboard/board")
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


@router.post("/admin/projects/{number}/dashboard")
@shown_on(show_dashboard)
def change_dashboard(number: Number, visit: Sent, _: PageAdmin) -> Response:
    project = visit.store.project_by_id(number)
    fields = {name: visit.text(name) for name in ON_DASHBOARD}
    visit.store.change_project(number, settings.change_dashboard(project.settings, fields))
    return visit.go_to(f"/admin/projects/{number}/dashboard")


def _board(visit: Visit, project: Project) -> dict[str, Any]:
    return {
        "project": project,
        "board": dashboard_of(visit.store, project),
        "words": dashboard_text,
    }
