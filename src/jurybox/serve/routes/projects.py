"""The admin's pages: projects, a new one, how far one has come, who judges in it."""

from __future__ import annotations

from dataclasses import replace

from fastapi import APIRouter
from fastapi.responses import Response

from jurybox.errors import JuryboxError
from jurybox.serve import actions, categories
from jurybox.serve.essays.decisions import shown_essay
from jurybox.serve.model import Project, Rater, User
from jurybox.serve.projects import FilledProject
from jurybox.serve.requests import (
    Asked,
    Number,
    PageAdmin,
    PageError,
    RefusalError,
    Sent,
    Visit,
)
from jurybox.serve.settings import ASKED, TITLES, Task

router = APIRouter()
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
    return _new_page(visit)


@router.post("/admin/projects")
def create(visit: Sent, _: PageAdmin) -> Response:
    """A new project, with its cases, or nothing."""
    try:
        visit.check_form()
        return _with_notes(visit, actions.create_from_form(visit))
    except JuryboxError as error:
        return _new_page(visit, error)


@router.get("/admin/projects/{number}")
def show(number: Number, visit: Asked, _: PageAdmin) -> Response:
    return _project_page(visit, number)


@router.post("/admin/projects/{number}/files")
def add_files(number: Number, visit: Sent, _: PageAdmin) -> Response:
    """More cases, or the key of a sample."""
    visit.listed_project(number)
    try:
        visit.check_form()
        return _with_notes(visit, actions.add_from_form(visit, number))
    except JuryboxError as error:
        return _project_page(visit, number, error)


@router.post("/admin/projects/{number}/open")
def open_or_close(number: Number, visit: Sent, _: PageAdmin) -> Response:
    """A closed project admits nobody and assigns nothing; its data stays."""
    settings = visit.listed_project(number).settings
    try:
        visit.check_form()
        visit.store.change_project(number, replace(settings, is_open=visit.text("open") == "yes"))
    except JuryboxError as error:
        return _project_page(visit, number, error)
    return visit.go_to(f"/admin/projects/{number}")


@router.post("/admin/projects/{number}/raters/{rater}")
def stop_or_readmit(number: Number, rater: Number, visit: Sent, _: PageAdmin) -> Response:
    """An admin's decision about one rater."""
    try:
        visit.check_form()
        actions.find_rater(visit, number, rater)
        if visit.text("do") == "readmit":
            visit.store.readmit_rater(rater)
        else:
            visit.store.stop_rater(rater)
    except RefusalError as error:
        if error.status == 404:
            raise PageError("There is no such rater") from None
        return _project_page(visit, number, error)
    return visit.go_to(f"/admin/projects/{number}")


@router.get("/admin/projects/{number}/raters/{rater}/feedback")
def ask_feedback(number: Number, rater: Number, visit: Asked, user: PageAdmin) -> Response:
    """What an annotator has corrected so far, and the form for feedback."""
    return _feedback_page(visit, number, rater, user)


@router.post("/admin/projects/{number}/raters/{rater}/feedback")
def write_feedback(number: Number, rater: Number, visit: Sent, user: PageAdmin) -> Response:
    """Feedback, which the annotator reads before the next essay."""
    _enter_feedback(visit, number, rater, user)
    try:
        visit.check_form()
        visit.store.write_feedback(number, rater, user.id, visit.text("text"))
    except JuryboxError as error:
        return _feedback_page(visit, number, rater, user, error)
    return visit.go_to(f"/admin/projects/{number}/raters/{rater}/feedback?after=written")


def _enter_feedback(visit: Visit, number: int, rater: int, user: User) -> tuple[Project, Rater]:
    visit.listed_project(number)
    link = (f"/admin/projects/{number}", "To the project")
    try:
        return actions.enter_feedback(visit, number, rater, user)
    except RefusalError as error:
        title = "You judge in this project" if error.status == 403 else "There is nothing here"
        raise PageError(title, error.detail, status=error.status, link=link) from None


def _feedback_page(
    visit: Visit, number: int, rater: int, user: User, error: Exception | None = None
) -> Response:
    project, annotator = _enter_feedback(visit, number, rater, user)
    listed = categories.of(project.settings.categories)
    return visit.page(
        "annotator_feedback",
        error,
        project=project,
        rater=annotator,
        essays=[shown_essay(one) for one in visit.store.corrected_essays(rater)],
        titles={one.name: one.title for one in listed},
        given=visit.store.feedback(rater),
        is_waiting=rater in visit.store.awaiting_feedback(project),
        is_written=visit.request.query_params.get("after") == "written",
        text=visit.text("text"),
    )


def _with_notes(visit: Visit, filled: FilledProject) -> Response:
    path = f"/admin/projects/{filled.project.id}"
    if not filled.notes:
        return visit.go_to(path)
    return visit.message(
        f"{filled.project.name} is ready", *filled.notes, link=(path, "To the project")
    )


def _new_page(visit: Visit, error: Exception | None = None) -> Response:
    return visit.page(
        "new_project",
        error,
        fields=ASKED,
        titles=TITLES,
        groups=list(dict.fromkeys(one.group for one in ASKED.values() if one.group)),
        filled={name: visit.text(name) or one.default_text for name, one in ASKED.items()},
        construction=visit.text("construction"),
        in_order=bool(visit.text("in_order")),
        tasks=TASKS,
    )


def _project_page(visit: Visit, number: int, error: Exception | None = None) -> Response:
    project = visit.listed_project(number)
    return visit.page(
        "project",
        error,
        project=project,
        task=TASKS[project.task],
        progress=visit.store.progress(number),
        strata=visit.store.strata_progress(number),
        raters=visit.store.rater_progress(number),
        awaiting=visit.store.awaiting_feedback(project),
        link=actions.link_of(visit, project),
    )
