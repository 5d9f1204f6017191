"""Projects, for admins: made, read, changed, filled."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from jurybox.formats import Input
from jurybox.formats.long_tables import encode_json
from jurybox.serve.dashboard import dashboard_of
from jurybox.serve.http_api.callers import Admin
from jurybox.serve.http_api.project_shapes import (
    CaseShape,
    MadeProject,
    NewCases,
    NewKey,
    NewProject,
    ProgressShape,
    ProjectProgress,
    ProjectShape,
    SettingsChange,
    SettingsShape,
)
from jurybox.serve.model import Project
from jurybox.serve.project_forms import (
    FIELDS,
    Files,
    Made,
    add_to_project,
    make_project,
    settings_of,
)
from jurybox.serve.routes.projects import link_of, uploads
from jurybox.serve.visits import Asked, Number, Sent, Visit

router = APIRouter(tags=["projects"])
_FILES: dict[str, Any] = {
    "cases": {"type": "string", "format": "binary", "description": "A case file, or M2."},
    "key": {"type": "string", "format": "binary", "description": "The key of a sample."},
    "construction": {"type": "string", "description": "M2: which places are cases."},
    "in_order": {"type": "string", "description": "`yes`: hand cases out in their order."},
}


def _form(**fields: Any) -> dict[str, Any]:
    """The body of a form with files, for the document."""
    schema = {"type": "object", "properties": {**fields, **_FILES}}
    if "name" in fields:
        schema["required"] = ["name"]
    content = {"multipart/form-data": {"schema": schema}}
    return {"requestBody": {"required": True, "content": content}}


_FIELDS = {
    name: {"type": "string", "description": f"{title}, as {option} of `jurybox serve new`."}
    for name, (option, title) in FIELDS.items()
}


@router.get("/projects")
def list_projects(_: Admin, visit: Asked) -> list[ProjectShape]:
    """All projects, the oldest first."""
    return [project_shape(visit, one) for one in visit.store.projects()]


@router.post("/projects", status_code=201)
def create_project(given: NewProject, _: Admin, visit: Asked) -> MadeProject:
    """A new project with its cases, or nothing at all."""
    files = Files(cases=_case_input(given.cases), keys=tuple(map(_key_input, given.keys)))
    made = make_project(visit.store, given.settings(), files, shuffle=given.shuffle)
    return _made(visit, made)


@router.post("/projects/from-files", status_code=201, openapi_extra=_form(**_FIELDS))
def create_from_files(_: Admin, visit: Sent) -> MadeProject:
    """The same out of a form with files; its fields are text, as on the page."""
    fields = {name: visit.text(name) for name in FIELDS}
    with uploads(visit) as files:
        made = make_project(visit.store, settings_of(fields), files, shuffle=_is_shuffled(visit))
    return _made(visit, made)


@router.get("/projects/{number:int}")
def read_project(number: Number, _: Admin, visit: Asked) -> ProjectShape:
    """One project: its settings, the link for raters, how far it is."""
    return project_shape(visit, visit.store.project_by_id(number))


@router.patch("/projects/{number:int}")
def change_project(number: Number, given: SettingsChange, _: Admin, visit: Asked) -> ProjectShape:
    """Other settings. `is_open` closes and opens; the task stays once there are cases."""
    settings = given.changed(visit.store.project_by_id(number).settings)
    return project_shape(visit, visit.store.change_project(number, settings))


@router.post("/projects/{number:int}/cases", status_code=201)
def add_cases(number: Number, given: NewCases, _: Admin, visit: Asked) -> MadeProject:
    """More cases: all of them, or none."""
    project = visit.store.project_by_id(number)
    files = Files(cases=_case_input(given.cases))
    return _made(visit, add_to_project(visit.store, project, files, shuffle=given.shuffle))


@router.post("/projects/{number:int}/keys", status_code=201)
def add_key(number: Number, given: NewKey, _: Admin, visit: Asked) -> MadeProject:
    """The key of a sample whose cases are there; strata are for admins only."""
    project = visit.store.project_by_id(number)
    return _made(visit, add_to_project(visit.store, project, Files(keys=(_key_input(given),))))


@router.post("/projects/{number:int}/files", status_code=201, openapi_extra=_form())
def add_files(number: Number, _: Admin, visit: Sent) -> MadeProject:
    """More cases, or a key, out of a form with files."""
    project = visit.store.project_by_id(number)
    with uploads(visit) as files:
        made = add_to_project(visit.store, project, files, shuffle=_is_shuffled(visit))
    return _made(visit, made)


@router.get("/projects/{number:int}/progress")
def read_progress(number: Number, _: Admin, visit: Asked) -> ProjectProgress:
    """How far a project is, and each stratum of its sample."""
    strata = visit.store.strata_progress(number)
    return ProjectProgress(
        **visit.store.progress(number)._asdict(),
        strata={name: ProgressShape.of(one) for name, one in strata.items()},
    )


@router.get("/projects/{number:int}/dashboard")
def read_dashboard(number: Number, _: Admin, visit: Asked) -> dict[str, Any]:
    """Everything on the dashboard: progress, raters, pace, agreement, the system, money.

    What cannot be told is null, with a `reason`. Counting many judgments goes on in the background:
    `counted` says as of when they are.
    """
    return dashboard_of(visit.store, visit.store.project_by_id(number)).to_dict()


def project_shape(visit: Visit, project: Project) -> ProjectShape:
    """A project for its admins."""
    return ProjectShape(
        id=project.id,
        created=project.created,
        link=link_of(visit, project),
        cases=project.cases,
        gold=project.gold,
        practice=project.practice,
        settings=SettingsShape.of(project.settings),
        progress=ProgressShape.of(visit.store.progress(project.id)),
    )


def _made(visit: Visit, made: Made) -> MadeProject:
    return MadeProject(project=project_shape(visit, made.project), notes=list(made.notes))


def _is_shuffled(visit: Visit) -> bool:
    return visit.text("in_order") != "yes"


def _case_input(cases: list[CaseShape]) -> tuple[Input, ...]:
    """Cases as a file would hold them: they are read and checked in the same way."""
    lines = (encode_json(one.model_dump(exclude_defaults=True)) for one in cases)
    return (Input.from_lines(lines, "cases"),) if cases else ()


def _key_input(key: NewKey) -> Input:
    return Input.from_text(key.content, "key")
