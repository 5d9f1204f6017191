"""The admin's pages: projects, a new one, how far one has come, who judges in it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from fastapi import APIRouter
from fastapi.responses import Response
from starlette.datastructures import UploadFile

from jurybox.errors import JuryboxError, UnknownNameError
from jurybox.formats import Input
from jurybox.serve.model import Project, Task
from jurybox.serve.project_forms import (
    DEFAULTS,
    FIELDS,
    Files,
    Made,
    add_to_project,
    in_words,
    make_project,
    settings_of,
)
from jurybox.serve.routes.entering import refuse
from jurybox.serve.routes.joining import COOKIES
from jurybox.serve.visits import Asked, Number, Sent, Visit

router = APIRouter()
TASKS = {
    Task.JUDGE: "Judge: error, OK, or too hard to decide",
    Task.TRAINED: "Judge, for trained raters: context, 0 / 1 / 2 / e, confidence",
    Task.CLOZE: "Cloze: fill the gap",
    Task.CHOICE: "Choice: which of two words is better",
    Task.CORRECT: "Correct: mark and correct the errors in essays",
}


@router.get("/admin")
def list_projects(visit: Asked) -> Response:
    """All projects and how far they have come."""
    if visit.admin() is None:
        return visit.go_to("/admin/login")
    listed = [(one, visit.store.progress(one.id)) for one in visit.store.projects()]
    return visit.page("projects", projects=listed)


@router.get("/admin/new")
def ask_project(visit: Asked) -> Response:
    """The form for a new project."""
    if visit.admin() is None:
        return visit.go_to("/admin/login")
    return _new_page(visit)


@router.post("/admin/projects")
def create(visit: Sent) -> Response:
    """A new project, with its cases, or nothing."""
    if refused := _refuse(visit):
        return refused
    if not visit.is_own_form():
        return _new_page(visit, COOKIES, 403)
    fields = {name: visit.text(name) for name in FIELDS}
    try:
        with uploads(visit) as files:
            settings = settings_of(fields)
            made = make_project(visit.store, settings, files, shuffle=not visit.text("in_order"))
    except JuryboxError as error:
        return _new_page(visit, in_form_words(str(error)), 422)
    return _with_notes(visit, made)


@router.get("/admin/projects/{number}")
def show(number: Number, visit: Asked) -> Response:
    """One project."""
    if visit.admin() is None:
        return visit.go_to("/admin/login")
    return _project_page(visit, number)


@router.post("/admin/projects/{number}/files")
def add_files(number: Number, visit: Sent) -> Response:
    """More cases, or the key of a sample."""
    if refused := _refuse(visit):
        return refused
    if not visit.is_own_form():
        return _project_page(visit, number, COOKIES, 403)
    try:
        with uploads(visit) as files:
            made = add_to_project(visit.store, visit.store.project_by_id(number), files)
    except UnknownNameError:
        return no_project(visit)
    except JuryboxError as error:
        return _project_page(visit, number, in_form_words(str(error)), 422)
    return _with_notes(visit, made)


@router.post("/admin/projects/{number}/open")
def open_or_close(number: Number, visit: Sent) -> Response:
    """A closed project takes nobody in and hands nothing out; what is there stays."""
    if refused := _refuse(visit):
        return refused
    if not visit.is_own_form():
        return _project_page(visit, number, COOKIES, 403)
    try:
        settings = visit.store.project_by_id(number).settings
    except UnknownNameError:
        return no_project(visit)
    visit.store.change_project(number, replace(settings, is_open=visit.text("open") == "yes"))
    return visit.go_to(f"/admin/projects/{number}")


@router.post("/admin/projects/{number}/raters/{rater}")
def stop_or_readmit(number: Number, rater: Number, visit: Sent) -> Response:
    """An admin's decision about one rater."""
    if refused := _refuse(visit):
        return refused
    if not visit.is_own_form():
        return _project_page(visit, number, COOKIES, 403)
    found = visit.store.rater(rater)
    if found is None or found.project != number:
        return visit.message("There is no such rater", status=404)
    if visit.text("do") == "readmit":
        visit.store.readmit_rater(rater)
    else:
        visit.store.stop_rater(rater)
    return visit.go_to(f"/admin/projects/{number}")


def project_for_admin(visit: Visit, number: int) -> Project | Response:
    """A project; or what is answered to those who are no admins, or ask for one that is none."""
    if visit.admin() is None:
        return visit.go_to("/admin/login")
    try:
        return visit.store.project_by_id(number)
    except UnknownNameError:
        return no_project(visit)


def no_project(visit: Visit) -> Response:
    """For numbers that are none."""
    link = ("/admin", "All projects")
    return visit.message("There is no such project", status=404, link=link)


def in_form_words(message: str) -> str:
    """What the library says of options, said of fields.

    >>> in_form_words("--per-case must be 1 or more, not 0")
    '“Judgments per case” must be 1 or more, not 0'
    """
    return in_words(message, dict(FIELDS.values()))


def _refuse(visit: Visit) -> Response | None:
    """For forms without an admin's login."""
    return None if visit.admin() is not None else refuse(visit)


@contextmanager
def uploads(visit: Visit) -> Iterator[Files]:
    """The files of a form, on disk for as long as they are read."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        cases, key = visit.upload("cases"), visit.upload("key")
        yield Files(
            cases=(_on_disk(cases, folder / "cases"),) if cases else (),
            keys=(_on_disk(key, folder / "key"),) if key else (),
            construction=visit.text("construction").strip() or None,
        )


def _on_disk(upload: UploadFile, path: Path) -> Input:
    """A file under a name of ours, that calls itself as its sender did."""
    import shutil

    with path.open("wb") as out:
        shutil.copyfileobj(upload.file, out)
    found = Input(path)
    found.name = (upload.filename or "file")[:100]
    return found


def _with_notes(visit: Visit, made: Made) -> Response:
    path = f"/admin/projects/{made.project.id}"
    if not made.notes:
        return visit.go_to(path)
    return visit.message(
        f"{made.project.name} is ready", *made.notes, link=(path, "To the project")
    )


def _new_page(visit: Visit, problem: str = "", status: int = 200) -> Response:
    filled = {name: visit.text(name) or DEFAULTS.get(name, "") for name in FIELDS}
    return visit.page(
        "new_project",
        status,
        fields={name: title for name, (_, title) in FIELDS.items()},
        filled=filled,
        construction=visit.text("construction"),
        in_order=bool(visit.text("in_order")),
        tasks=TASKS,
        problem=problem,
    )


def _project_page(visit: Visit, number: int, problem: str = "", status: int = 200) -> Response:
    try:
        project = visit.store.project_by_id(number)
    except UnknownNameError:
        return no_project(visit)
    return visit.page(
        "project",
        status,
        project=project,
        task=TASKS[project.task],
        progress=visit.store.progress(number),
        strata=visit.store.strata_progress(number),
        raters=visit.store.rater_progress(number),
        link=link_of(visit, project),
        problem=problem,
    )


def link_of(visit: Visit, project: Project) -> str:
    """The whole address that raters are sent."""
    base = visit.site.base or str(visit.request.base_url).rstrip("/")
    return f"{base}/j/{visit.site.tokens.link(project)}"
