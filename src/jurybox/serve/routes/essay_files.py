"""Corrected essays for admins to download: M2, SGML, everything in a zip."""

from __future__ import annotations

import io
from collections.abc import Iterator
from itertools import islice

from fastapi import APIRouter
from fastapi.responses import Response, StreamingResponse

from jurybox.errors import UnknownNameError
from jurybox.serve import essay_exports
from jurybox.serve.essays import ADJUDICATOR, AnnotatedEssay
from jurybox.serve.model import Project, Task
from jurybox.serve.routes.exports import file_name
from jurybox.serve.routes.projects import no_project
from jurybox.serve.visits import Asked, Number, Visit

router = APIRouter()
#: of which form are which bytes
FORMS = {
    "m2": "text/plain; charset=utf-8",
    "sgml": "text/plain; charset=utf-8",
    "zip": "application/zip",
}
ESSAYS_AT_ONCE = 20


@router.get("/admin/projects/{number}/edits.{form}")
def download(number: Number, form: str, visit: Asked) -> Response:
    """All corrections. `?annotator=R1` is one annotator, `?flagged=no` those who are trusted.

    Adjudicators' decisions (ADJ) repeat what others said, so they are no part of it unless asked
    for: `?decisions=yes`, or `only`.
    """
    if visit.admin() is None:
        return visit.go_to("/admin/login")
    try:
        project = visit.store.project_by_id(number)
    except UnknownNameError:
        return no_project(visit)
    if form not in FORMS or project.task != Task.CORRECT:
        return visit.message(
            "There is no such file",
            "Only essays have corrections: edits.m2, edits.sgml and edits.zip.",
            status=404,
            link=(f"/admin/projects/{number}", "To the project"),
        )
    essays = asked_for(visit, project)
    annotator = _annotator(visit)
    headers = {"Content-Disposition": f'attachment; filename="{_file(project, annotator, form)}"'}
    try:
        if form == "zip":
            whole = io.BytesIO()
            chosen = essay_exports.finished(essays, annotator)
            essay_exports.write_zip(chosen, whole, name=project.name)
            return Response(whole.getvalue(), media_type=FORMS[form], headers=headers)
        text = pieces(essays, form, annotator)
        first = next(text, "")  # a name that nobody has is known before anything is sent
    except UnknownNameError as error:
        return visit.message("There is no such annotator", str(error), status=404)
    return StreamingResponse(_behind(first, text), media_type=FORMS[form], headers=headers)


def asked_for(visit: Visit, project: Project) -> Iterator[AnnotatedEssay]:
    """The essays with the annotators that the address asks for."""
    asked = visit.request.query_params
    return visit.store.annotated_essays(
        project.id,
        flagged=asked.get("flagged") != "no",
        names="own" if asked.get("names") == "own" else "number",
        decisions=asked.get("decisions") == "yes" or _annotator(visit) == ADJUDICATOR,
    )


def _annotator(visit: Visit) -> str | None:
    asked = visit.request.query_params
    return ADJUDICATOR if asked.get("decisions") == "only" else asked.get("annotator") or None


def pieces(essays: Iterator[AnnotatedEssay], form: str, annotator: str | None) -> Iterator[str]:
    """The file, some essays at a time."""
    write = essay_exports.write_m2 if form == "m2" else essay_exports.write_sgml
    chosen = essay_exports.finished(essays, annotator)
    while some := list(islice(chosen, ESSAYS_AT_ONCE)):
        text = io.StringIO()
        write(some, text, annotator=annotator)
        yield text.getvalue()


def _behind(first: str, rest: Iterator[str]) -> Iterator[str]:
    yield first
    yield from rest


def _file(project: Project, annotator: str | None, form: str) -> str:
    name = file_name(project.name)
    return f"{name}-{file_name(annotator)}.{form}" if annotator else f"{name}.{form}"
