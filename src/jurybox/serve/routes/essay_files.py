"""Corrected essays for admins to download: M2, SGML, everything in a zip."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import Response

from jurybox.errors import UnknownNameError
from jurybox.serve import downloads
from jurybox.serve.essays import ADJUDICATOR
from jurybox.serve.model import Task
from jurybox.serve.routes.projects import project_for_admin
from jurybox.serve.visits import Asked, Number

router = APIRouter()


@router.get("/admin/projects/{number}/edits.{form}")
def download(number: Number, form: str, visit: Asked) -> Response:
    """All corrections. `?annotator=R1` is one annotator, `?flagged=no` those who are trusted.

    Adjudicators' decisions (ADJ) repeat what others said, so they are no part of it unless asked
    for: `?decisions=yes`, or `only`.
    """
    project = project_for_admin(visit, number)
    if isinstance(project, Response):
        return project
    if form not in downloads.ESSAYS or project.task != Task.CORRECT:
        return visit.message(
            "There is no such file",
            "Only essays have corrections: edits.m2, edits.sgml and edits.zip.",
            status=404,
            link=(f"/admin/projects/{number}", "To the project"),
        )
    asked = visit.request.query_params
    is_decided = asked.get("decisions") == "only"
    try:
        return downloads.essays(
            visit.store,
            project,
            form,
            annotator=ADJUDICATOR if is_decided else asked.get("annotator") or None,
            flagged=asked.get("flagged") != "no",
            names="own" if asked.get("names") == "own" else "number",
            decisions=asked.get("decisions") == "yes",
        )
    except UnknownNameError as error:
        return visit.message("There is no such annotator", str(error), status=404)
