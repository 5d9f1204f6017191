"""Exports, for admins: the files of the project's page."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query
from fastapi.responses import Response

from jurybox.serve import downloads
from jurybox.serve.downloads import Selection
from jurybox.serve.http_api.callers import Admin
from jurybox.serve.http_api.shapes import STORABLE, YesNo
from jurybox.serve.requests import Asked, Number

router = APIRouter(prefix="/projects/{number:int}", tags=["exports"])
Table = Literal["csv", "tsv", "jsonl"]
Names = Annotated[
    Literal["number", "own"],
    Query(description="What raters are called: R1, R2 …, or by their own names."),
]
Flagged = Annotated[YesNo, Query(description="`no` leaves out raters who are not trusted.")]


def _files(*kinds: str) -> dict[int | str, dict[str, Any]]:
    """What stands in the document about files of these kinds."""
    content = {kind.partition(";")[0]: {"schema": {"type": "string"}} for kind in kinds}
    return {200: {"description": "The file.", "content": content}}


_LIST = {"schema": {"type": "array", "items": {"type": "object"}}}
_TASKS: dict[int | str, dict[str, Any]] = {
    200: {"description": "A list of tasks.", "content": {"application/json": _LIST}}
}


def _selection(
    gold: Annotated[YesNo, Query(description="`no` leaves out gold cases.")] = "yes",
    flagged: Flagged = "yes",
    names: Names = "number",
    decisions: Annotated[
        Literal["no", "yes", "only", "instead"],
        Query(
            description="Decisions of adjudicators: as the rater ADJ among the others, alone, or "
            "instead of the judgments of the cases that are decided."
        ),
    ] = "no",
) -> Selection:
    return Selection(gold == "yes", flagged == "yes", names, decisions)


Selected = Annotated[Selection, Depends(_selection)]


@router.get(
    "/judgments.{form}",
    response_class=Response,
    responses=_files(*downloads.TABLES.values()),
)
def export_judgments(
    number: Number, form: Table, which: Selected, _: Admin, visit: Asked
) -> Response:
    """All judgments, one per line, in the long format that all commands of jurybox read."""
    return downloads.judgments(visit.store, visit.store.project_by_id(number), form, which)


@router.get("/label-studio.json", response_class=Response, responses=_TASKS)
def export_label_studio(number: Number, which: Selected, _: Admin, visit: Asked) -> Response:
    """Cases with their judgments, as Label Studio imports them; not for essays.

    It cannot hold when a case was assigned, and the column `status`.
    """
    return downloads.label_studio(visit.store, visit.store.project_by_id(number), which)


@router.get("/edits.{form}", response_class=Response, responses=_files(*downloads.ESSAYS.values()))
def export_edits(
    number: Number,
    form: Literal["m2", "sgml", "zip"],
    _: Admin,
    visit: Asked,
    *,
    annotator: Annotated[
        str,
        Query(max_length=200, pattern=STORABLE, description="One annotator only, as R1."),
    ] = "",
    flagged: Flagged = "yes",
    names: Names = "number",
    decisions: Annotated[
        Literal["no", "yes", "only"],
        Query(description="Decisions of adjudicators as the annotator ADJ, or alone."),
    ] = "no",
) -> Response:
    """Corrected essays."""
    which = Selection(flagged=flagged == "yes", names=names, decisions=decisions)
    project = visit.store.project_by_id(number)
    return downloads.essays(visit.store, project, form, which, annotator)


@router.get(
    "/questionnaire.{form}",
    response_class=Response,
    responses=_files(*downloads.TABLES.values()),
)
def export_questionnaire(
    number: Number, form: Table, _: Admin, visit: Asked, names: Names = "number"
) -> Response:
    """What raters say of themselves, an answer per line."""
    return downloads.questionnaire(visit.store, visit.store.project_by_id(number), form, names)


@router.get("/cases.{form}", response_class=Response, responses=_files(*downloads.TABLES.values()))
def export_cases(number: Number, form: Table, _: Admin, visit: Asked) -> Response:
    """The cases with known answers, practice left out: a case file."""
    return downloads.cases(visit.store, visit.store.project_by_id(number), form)
