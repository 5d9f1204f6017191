"""Exports, for admins: the files of the project's page."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query
from fastapi.responses import Response

from jurybox.serve import downloads
from jurybox.serve.downloads import Wish
from jurybox.serve.essays import ADJUDICATOR
from jurybox.serve.http_api.callers import Admin
from jurybox.serve.http_api.shapes import STORABLE, YesNo
from jurybox.serve.visits import Asked, Number

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


_TASKS: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "A list of tasks.",
        "content": {"application/json": {"schema": {"type": "array", "items": {"type": "object"}}}},
    }
}


def _wish(
    gold: Annotated[YesNo, Query(description="`no` leaves out gold cases.")] = "yes",
    flagged: Flagged = "yes",
    names: Names = "number",
    decisions: Annotated[
        Literal["no", "yes", "only", "instead"],
        Query(
            description="Decisions of adjudicators: as the rater ADJ beside the others, alone, or "
            "instead of the judgments of the cases that are decided."
        ),
    ] = "no",
) -> Wish:
    return Wish(gold == "yes", flagged == "yes", names, decisions)


Wished = Annotated[Wish, Depends(_wish)]


@router.get(
    "/judgments.{form}",
    response_class=Response,
    responses=_files(*downloads.TABLES.values()),
)
def export_judgments(number: Number, form: Table, wish: Wished, _: Admin, visit: Asked) -> Response:
    """All judgments, one per line, in the long format that all commands of jurybox read."""
    project = visit.store.project_by_id(number)
    return downloads.judgments(visit.store, project, form, wish)


@router.get("/label-studio.json", response_class=Response, responses=_TASKS)
def export_label_studio(number: Number, wish: Wished, _: Admin, visit: Asked) -> Response:
    """Cases with their judgments, as Label Studio imports them; not for essays.

    It has no place for when a case was handed out, and for the column `status`.
    """
    project = visit.store.project_by_id(number)
    return downloads.label_studio(visit.store, project, wish)


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
    return downloads.essays(
        visit.store,
        visit.store.project_by_id(number),
        form,
        annotator=ADJUDICATOR if decisions == "only" else annotator or None,
        flagged=flagged == "yes",
        names=names,
        decisions=decisions == "yes",
    )


@router.get(
    "/questionnaire.{form}",
    response_class=Response,
    responses=_files(*downloads.TABLES.values()),
)
def export_questionnaire(
    number: Number, form: Table, _: Admin, visit: Asked, names: Names = "number"
) -> Response:
    """What raters say of themselves, an answer per line."""
    project = visit.store.project_by_id(number)
    return downloads.questionnaire(visit.store, project, form, names)


@router.get("/cases.{form}", response_class=Response, responses=_files(*downloads.TABLES.values()))
def export_cases(number: Number, form: Table, _: Admin, visit: Asked) -> Response:
    """The cases with known answers, practice left out: a case file."""
    return downloads.cases(visit.store, visit.store.project_by_id(number), form)
