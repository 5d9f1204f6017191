"""Files that admins download, at the same addresses below /admin and in the HTTP API.

Long ones are sent while they are read. Label Studio's JSON lists judgments by case, so the
judgments are held in memory for it.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from itertools import chain, islice
from typing import Annotated, Any, Literal, NamedTuple

from fastapi import APIRouter, Depends, Query
from fastapi.responses import Response, StreamingResponse

from jurybox.formats import Input
from jurybox.formats.platforms import read_judgments_of, writing
from jurybox.formats.tables import cases as case_files
from jurybox.model import CaseSet
from jurybox.serve.essays import ADJUDICATOR, AnnotatedEssay
from jurybox.serve.essays import exports as essay_exports
from jurybox.serve.model import Project
from jurybox.serve.requests import Asked, Number, RefusalError
from jurybox.serve.settings import STORABLE, Task
from jurybox.serve.store import Store, export
from jurybox.serve.warning_turns import collected_warnings

#: forms of tables -> the kind of their bytes
TABLES = {
    "csv": "text/csv; charset=utf-8",
    "tsv": "text/tab-separated-values; charset=utf-8",
    "jsonl": "application/x-ndjson; charset=utf-8",
}
#: forms of corrected essays
ESSAYS = {
    "m2": "text/plain; charset=utf-8",
    "sgml": "text/plain; charset=utf-8",
    "zip": "application/zip",
}
ESSAYS_AT_ONCE = 20


class Selection(NamedTuple):
    """Which judgments are exported, and what raters are called in them."""

    gold: bool = True
    flagged: bool = True  # those of raters who are not trusted, too
    names: str = "number"  # or "own"
    decisions: str = "no"  # of adjudicators: yes, only, instead


router = APIRouter(prefix="/projects/{number:int}", tags=["exports"])
Table = Literal["csv", "tsv", "jsonl"]
YesNo = Literal["yes", "no"]
Names = Annotated[
    Literal["number", "own"],
    Query(description="What raters are called: R1, R2 …, or by their own names."),
]
Flagged = Annotated[YesNo, Query(description="`no` leaves out raters who are not trusted.")]


def _files(*kinds: str) -> dict[str, Any]:
    """What stands in the document of the API about files of these kinds."""
    content = {kind.partition(";")[0]: {"schema": {"type": "string"}} for kind in kinds}
    found: dict[int, Any] = {200: {"description": "The file.", "content": content}}
    return {"response_class": Response, "responses": found}


_LIST = {"schema": {"type": "array", "items": {"type": "object"}}}
_TASKS = {"description": "A list of tasks.", "content": {"application/json": _LIST}}


# --- judgments ---


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


@router.get("/judgments.{form}", **_files(*TABLES.values()))
def export_judgments(number: Number, form: Table, which: Selected, visit: Asked) -> Response:
    """All judgments, one per line, in the long format that all commands of jurybox read."""
    project = visit.store.project_by_id(number)
    return _as_file(judgment_pieces(visit.store, project, form, which), project, form)


def judgment_pieces(store: Store, project: Project, form: str, which: Selection) -> Iterator[str]:
    columns = export.columns_of(project.task, which.decisions)
    header = io.StringIO()
    export.write((), columns, header, form)
    yield header.getvalue()
    for block in store.judgments(project.id, **which._asdict()):
        text = io.StringIO()
        export.write((block,), columns, text, form)
        yield text.getvalue().removeprefix(header.getvalue())


@router.get("/label-studio.json", response_class=Response, responses={200: _TASKS})
def export_label_studio(number: Number, which: Selected, visit: Asked) -> Response:
    """Cases with their judgments, as Label Studio imports them; not for essays.

    It cannot hold when a case was assigned, and the column `status`.
    """
    project = visit.store.project_by_id(number)
    if project.task == Task.CORRECT:
        raise _no_such_file(project, f"{project.name} holds essays: download them as M2 or SGML")
    text = label_studio_text(visit.store, project, which)
    return _as_file(text, project, "json", "-label-studio")


def label_studio_text(store: Store, project: Project, which: Selection) -> str:
    text = "".join(judgment_pieces(store, project, "csv", which))
    if text.count("\n") <= 1:  # nobody has judged yet: nothing but the header
        return "[]\n"
    table = Input.from_text(text, project.name)
    known = {case.id: case for case in store.case_set(project.id).cases}
    out = io.StringIO()
    with collected_warnings():  # what is left out is said in the documentation
        found = read_judgments_of(
            table, extra=("seconds", "confidence", "submitted"), repeats="keep"
        )
        # judgments name their cases only; what raters saw belongs into the tasks
        cases = CaseSet(tuple(known[case.id] for case in found.cases.cases))
        writing.write_label_studio(found._replace(cases=cases), out)
    return out.getvalue()


# --- essays ---


@router.get("/edits.{form}", **_files(*ESSAYS.values()))
def export_edits(
    number: Number,
    form: Literal["m2", "sgml", "zip"],
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
    project = visit.store.project_by_id(number)
    if project.task != Task.CORRECT:
        detail = "Only essays have corrections: edits.m2, edits.sgml and edits.zip."
        raise _no_such_file(project, detail)
    only = ADJUDICATOR if decisions == "only" else annotator or None
    found = visit.store.annotated_essays(
        project.id,
        flagged=flagged == "yes",
        names=names,
        decisions=decisions == "yes" or only == ADJUDICATOR,
    )
    ending = f"-{file_name(only)}" if only else ""
    if form == "zip":
        whole = io.BytesIO()
        essay_exports.write_zip(essay_exports.finished(found, only), whole, name=project.name)
        return _as_file(whole.getvalue(), project, form, ending)
    text = _essays(found, form, only)
    first = next(text, "")  # a name that nobody has is known before anything is sent
    return _as_file(chain([first], text), project, form, ending)


def _essays(found: Iterator[AnnotatedEssay], form: str, annotator: str | None) -> Iterator[str]:
    write = essay_exports.write_m2 if form == "m2" else essay_exports.write_sgml
    chosen = essay_exports.finished(found, annotator)
    while some := list(islice(chosen, ESSAYS_AT_ONCE)):
        text = io.StringIO()
        write(some, text, annotator=annotator)
        yield text.getvalue()


# --- tables of cases, and of what raters say of themselves ---


@router.get("/questionnaire.{form}", **_files(*TABLES.values()))
def export_questionnaire(
    number: Number, form: Table, visit: Asked, names: Names = "number"
) -> Response:
    """What raters say of themselves, an answer per line."""
    out = io.StringIO()
    visit.store.export_questionnaire(number, out, form, names=names)
    return _as_file(out.getvalue(), visit.store.project_by_id(number), form, "-questionnaire")


@router.get("/cases.{form}", **_files(*TABLES.values()))
def export_cases(number: Number, form: Table, visit: Asked) -> Response:
    """The cases with known answers, practice left out: a case file."""
    out = io.StringIO()
    project = visit.store.project_by_id(number)
    case_files.write(visit.store.case_set(number), out, form)
    return _as_file(out.getvalue(), project, form, "-cases")


# --- files ---


def _no_such_file(project: Project, detail: str) -> RefusalError:
    link = (f"/admin/projects/{project.id}", "To the project")
    return RefusalError(404, detail, title="There is no such file", link=link)


def file_name(project: str) -> str:
    """A project's name as that of a file, on any system."""
    return re.sub(r"[^A-Za-z0-9_-]+", "-", project).strip("-") or "judgments"


def _as_file(
    content: str | bytes | Iterator[str], project: Project, form: str, ending: str = ""
) -> Response:
    """A response that browsers save; pieces of text are sent while they are made."""
    name = f"{file_name(project.name)}{ending}.{form}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    kind = {"json": "application/json", **TABLES, **ESSAYS}[form]
    if isinstance(content, str | bytes):
        return Response(content, media_type=kind, headers=headers)
    return StreamingResponse(content, media_type=kind, headers=headers)
