"""Files that admins download, from the pages and from the HTTP API.

Long ones are sent while they are read. Label Studio's JSON lists judgments by case, so the
judgments are held in memory for it.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from itertools import chain, islice
from typing import NamedTuple

from fastapi.responses import Response, StreamingResponse

from jurybox.errors import UsageError
from jurybox.formats import Input
from jurybox.formats.platforms import read_judgments_of, writing
from jurybox.formats.tables import cases as case_files
from jurybox.model import CaseSet
from jurybox.serve.essays import ADJUDICATOR, AnnotatedEssay
from jurybox.serve.essays import exports as essay_exports
from jurybox.serve.model import Project
from jurybox.serve.settings import Task
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


# --- judgments ---


def judgments(store: Store, project: Project, form: str, which: Selection) -> Response:
    """All judgments as a table, sent while they are read."""
    return _as_file(judgment_pieces(store, project, form, which), project.name, form)


def judgment_pieces(store: Store, project: Project, form: str, which: Selection) -> Iterator[str]:
    columns = export.columns_of(project.task, which.decisions)
    header = io.StringIO()
    export.write((), columns, header, form)
    yield header.getvalue()
    for block in store.judgments(project.id, **which._asdict()):
        text = io.StringIO()
        export.write((block,), columns, text, form)
        yield text.getvalue().removeprefix(header.getvalue())


def label_studio(store: Store, project: Project, which: Selection) -> Response:
    """Cases with their judgments as Label Studio imports them; essays are a UsageError."""
    return _as_file(label_studio_text(store, project, which), project.name, "json", "-label-studio")


def label_studio_text(store: Store, project: Project, which: Selection) -> str:
    """What Label Studio cannot hold (when a case was assigned, `status`) is left out."""
    if project.task == Task.CORRECT:
        raise UsageError(f"{project.name} holds essays: download them as M2 or SGML")
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


# --- tables of cases, and of what raters say of themselves ---


def questionnaire(store: Store, project: Project, form: str, names: str) -> Response:
    out = io.StringIO()
    store.export_questionnaire(project.id, out, form, names=names)
    return _as_file(out.getvalue(), project.name, form, "-questionnaire")


def cases(store: Store, project: Project, form: str) -> Response:
    """The cases of a project with known answers, practice left out: a case file."""
    out = io.StringIO()
    case_files.write(store.case_set(project.id), out, form)
    return _as_file(out.getvalue(), project.name, form, "-cases")


# --- essays ---


def essays(
    store: Store, project: Project, form: str, which: Selection, annotator: str = ""
) -> Response:
    """Corrected essays, of one annotator only if one is named.

    Somebody who finished none of them is an UnknownNameError.
    """
    only = ADJUDICATOR if which.decisions == "only" else annotator or None
    found = store.annotated_essays(
        project.id,
        flagged=which.flagged,
        names=which.names,
        decisions=which.decisions == "yes" or only == ADJUDICATOR,
    )
    ending = f"-{file_name(only)}" if only else ""
    if form == "zip":
        whole = io.BytesIO()
        essay_exports.write_zip(essay_exports.finished(found, only), whole, name=project.name)
        return _as_file(whole.getvalue(), project.name, form, ending)
    text = essay_pieces(found, form, only)
    first = next(text, "")  # a name that nobody has is known before anything is sent
    return _as_file(chain([first], text), project.name, form, ending)


def essay_pieces(
    found: Iterator[AnnotatedEssay], form: str, annotator: str | None
) -> Iterator[str]:
    write = essay_exports.write_m2 if form == "m2" else essay_exports.write_sgml
    chosen = essay_exports.finished(found, annotator)
    while some := list(islice(chosen, ESSAYS_AT_ONCE)):
        text = io.StringIO()
        write(some, text, annotator=annotator)
        yield text.getvalue()


# --- names of files ---


def file_name(project: str) -> str:
    """A project's name as that of a file, on any system.

    >>> file_name("prepositions, 2nd round"), file_name("…")
    ('prepositions-2nd-round', 'judgments')
    """
    return re.sub(r"[^A-Za-z0-9_-]+", "-", project).strip("-") or "judgments"


def _as_file(
    content: str | bytes | Iterator[str], project: str, form: str, ending: str = ""
) -> Response:
    """A response that browsers save; pieces of text are sent while they are made."""
    headers = {"Content-Disposition": f'attachment; filename="{file_name(project)}{ending}.{form}"'}
    kind = {"json": "application/json", **TABLES, **ESSAYS}[form]
    if isinstance(content, str | bytes):
        return Response(content, media_type=kind, headers=headers)
    return StreamingResponse(content, media_type=kind, headers=headers)
