"""Judgments as files, sent while they are read, however many there are; the questionnaire."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator

from fastapi import APIRouter
from fastapi.responses import Response, StreamingResponse

from jurybox.errors import UnknownNameError
from jurybox.serve.model import Project
from jurybox.serve.routes.projects import no_project
from jurybox.serve.store import Store, export
from jurybox.serve.visits import Asked, Number

router = APIRouter()
FORMS = {"csv": "text/csv; charset=utf-8", "jsonl": "application/x-ndjson; charset=utf-8"}


@router.get("/admin/projects/{number}/judgments.{form}")
def download(number: Number, form: str, visit: Asked) -> Response:
    """All judgments; `?gold=no` and `?flagged=no` leave some out, `?names=own` names raters.

    `?decisions=yes` brings adjudicators' decisions in as the rater ADJ, `only` gives them alone,
    `instead` has them in place of the judgments of the cases that are decided.
    """
    if visit.admin() is None:
        return visit.go_to("/admin/login")
    try:
        project = visit.store.project_by_id(number)
    except UnknownNameError:
        return no_project(visit)
    if form not in FORMS:
        return visit.message("There is no such file", status=404)
    asked = visit.request.query_params
    text = pieces(
        visit.store,
        project,
        form,
        gold=asked.get("gold") != "no",
        flagged=asked.get("flagged") != "no",
        names="own" if asked.get("names") == "own" else "number",
        decisions=decisions_of(asked.get("decisions", "no")),
    )
    return StreamingResponse(
        text, media_type=FORMS[form], headers=_as_file(file_name(project.name), form)
    )


@router.get("/admin/projects/{number}/questionnaire.{form}")
def download_questionnaire(number: Number, form: str, visit: Asked) -> Response:
    """What raters say of themselves; `?names=own` names them."""
    if visit.admin() is None:
        return visit.go_to("/admin/login")
    try:
        project = visit.store.project_by_id(number)
    except UnknownNameError:
        return no_project(visit)
    if form not in FORMS:
        return visit.message("There is no such file", status=404)
    out = io.StringIO()
    names = "own" if visit.request.query_params.get("names") == "own" else "number"
    visit.store.export_questionnaire(number, out, form, names=names)
    headers = _as_file(f"{file_name(project.name)}-questionnaire", form)
    return Response(out.getvalue(), media_type=FORMS[form], headers=headers)


def decisions_of(asked: str) -> str:
    """What an address asks for, as the store calls it.

    >>> decisions_of("only"), decisions_of("perhaps")
    ('only', 'no')
    """
    return asked if asked in export.DECISIONS else "no"


def _as_file(name: str, form: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}.{form}"'}


def file_name(project: str) -> str:
    """A project's name as that of a file, on any system.

    >>> file_name("prepositions, 2nd round"), file_name("…")
    ('prepositions-2nd-round', 'judgments')
    """
    return re.sub(r"[^A-Za-z0-9_-]+", "-", project).strip("-") or "judgments"


def pieces(
    store: Store,
    project: Project,
    form: str,
    *,
    gold: bool,
    flagged: bool,
    names: str,
    decisions: str = "no",
) -> Iterator[str]:
    """The export, some thousand lines at a time."""
    columns = export.columns_of(project.task, decisions)
    header = io.StringIO()
    export.write((), columns, header, form)
    yield header.getvalue()
    found = store.judgments(
        project.id, gold=gold, flagged=flagged, names=names, decisions=decisions
    )
    for block in found:
        text = io.StringIO()
        export.write((block,), columns, text, form)
        yield text.getvalue().removeprefix(header.getvalue())
