"""What people said, out of the store: judgments in blocks of columns with the names of
`formats/judgments.py`, and answers to the questionnaire.

Rows come in the order of their answers, some thousand at a time, up to the last answer there was
when it began: nothing is locked or held meanwhile.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from itertools import chain
from typing import Any, TextIO

import sqlalchemy as sa

from jurybox.errors import unknown_name
from jurybox.formats import Input
from jurybox.formats.long_tables import (
    Block,
    check_form,
    encode_json,
    write_lines,
    write_table,
)
from jurybox.serve.essays import ADJUDICATOR
from jurybox.serve.model import Project, Purpose, Task
from jurybox.serve.store.database import Database
from jurybox.serve.store.projects import read_in
from jurybox.serve.store.tables import (
    answers,
    assignments,
    case_secrets,
    cases,
    decisions,
    raters,
)

ROWS_AT_ONCE = 5000
COLUMNS = ("case", "rater", "label", "gold", "seconds", "started", "submitted", "status")
#: columns that only some tasks fill
OF_TASK: dict[Task, tuple[str, ...]] = {
    Task.TRAINED: ("correction", "alternatives", "confidence", "context"),
    Task.CHOICE: ("first", "second", "shown"),
}
NAMES = ("number", "own")
#: what adjudicators decided: no part of it, as one more rater, alone, or instead of the judgments
DECISIONS = ("no", "yes", "only", "instead")
#: columns of the questionnaire's answers, one to a line
SURVEY = ("rater", "question", "text", "answer")
#: what exports call raters without a name of their own, or with one that they chose
OURS = re.compile(rf"R\d+|{ADJUDICATOR}|.* \(R\d+\)", re.DOTALL)
LISTS = ("gold", "alternatives")


def columns_of(task: Task, decided: str = "no") -> tuple[str, ...]:
    """The columns of a task's judgments, in the order in which they are written.

    >>> columns_of(Task.CHOICE)[:6]
    ('case', 'rater', 'label', 'first', 'second', 'shown')
    """
    more = () if decided == "no" else ("comment",)
    return (*COLUMNS[:3], *OF_TASK.get(task, ()), *COLUMNS[3:], *more)


def blocks(
    database: Database, project: int, *, gold: bool, flagged: bool, names: str, decided: str = "no"
) -> Iterator[Block]:
    """Judgments, and behind them decisions, if asked (`DECISIONS`)."""
    if names not in NAMES:
        raise unknown_name("names", names, NAMES)
    if decided not in DECISIONS:
        raise unknown_name("decisions", decided, DECISIONS)
    with database.reading() as connection:
        task = read_in(connection, project).task
        last = connection.execute(sa.select(sa.func.max(answers.c.id))).scalar() or 0
        decision = connection.execute(sa.select(sa.func.max(decisions.c.id))).scalar() or 0
    purposes = [str(Purpose.WORK), *([str(Purpose.GOLD)] if gold else [])]
    wanted = _JUDGMENTS.where(assignments.c.purpose.in_(purposes))
    if not flagged:
        wanted = wanted.where(~raters.c.flagged)
    columns = columns_of(task, decided)
    values = {"project": project, "last": decision}
    made = _read(database, _DECISIONS, values, columns, _decided_record)
    if decided == "only":
        return made
    if decided == "instead":  # a decision that is made meanwhile replaces nothing
        those = sa.select(decisions.c.case_id).where(
            decisions.c.project_id == project, decisions.c.id <= decision, decisions.c.label != ""
        )
        wanted = wanted.where(answers.c.case_id.not_in(those))
    record = partial(_record, names=names)
    judged = _read(database, wanted, {"project": project, "last": last}, columns, record)
    return judged if decided == "no" else chain(judged, made)


def _read(
    database: Database,
    wanted: sa.Select[Any],
    values: dict[str, int],
    columns: Sequence[str],
    record: Callable[[Any], dict[str, str]],
) -> Iterator[Block]:
    after, line = 0, 1
    while True:
        with database.reading() as connection:
            rows = connection.execute(wanted, {**values, "after": after}).all()
        if not rows:
            return
        records = list(map(record, rows))
        cells: dict[str, Sequence[str]] = {
            column: [one.get(column, "") for one in records] for column in columns
        }
        yield Block(range(line, line + len(rows)), cells)
        after, line = rows[-1].id, line + len(rows)


def _record(row: Any, names: str) -> dict[str, str]:
    known = json.loads(row.gold) if row.purpose == Purpose.GOLD else []
    marks = (("flagged", row.flagged), ("repeat", row.round == 2), ("late", row.late))
    return {
        "case": row.name,
        "rater": rater_name(row, names),
        "label": row.label,
        "correction": row.correction,
        "alternatives": row.alternatives,
        "confidence": "" if row.confidence is None else f"{row.confidence:g}",
        "context": row.context,
        "first": row.first,
        "second": row.second,
        "shown": row.second if row.swapped else row.first,
        "gold": encode_json(known) if len(known) > 1 else "".join(known),
        "seconds": f"{row.seconds:.3f}",
        "started": _moment(row.handed),
        "submitted": _moment(row.submitted),
        "status": " ".join(mark for mark, holds in marks if holds),
    }


def _decided_record(row: Any) -> dict[str, str]:
    return {
        "case": row.name,
        "rater": ADJUDICATOR,
        "label": row.label,
        "correction": row.correction,
        "alternatives": row.alternatives,
        "first": row.first,
        "second": row.second,
        "submitted": _moment(row.decided),
        "status": "adjudicated",
        "comment": row.comment,
    }


def rater_name(row: Any, names: str) -> str:
    """What exports call a rater: R1, R2 …, or with `own` their own name if they have one."""
    number = f"R{row.number}"
    if names == "number":
        return number
    if row.prolific_pid and not OURS.fullmatch(row.prolific_pid):
        return str(row.prolific_pid)
    own = row.prolific_pid or row.pseudonym
    # two people may call themselves the same, and addresses can be given any participant
    return f"{own} ({number})" if own else number


def survey(database: Database, project: int, names: str) -> Iterator[Sequence[str]]:
    """What raters say of themselves: a row of `SURVEY` for each answer."""
    if names not in NAMES:
        raise unknown_name("names", names, NAMES)
    with database.reading() as connection:
        asked = read_in(connection, project).settings.questionnaire
        rows = connection.execute(_SURVEYED, {"project": project}).all()
    texts = {question.key: question.text for question in asked}
    for row in rows:
        for key, answer in json.loads(row.survey).items():
            yield rater_name(row, names), key, texts.get(key, ""), answer


def write_survey(rows: Iterable[Sequence[str]], out: TextIO, form: str) -> None:
    """The questionnaire's answers as a table or as objects."""
    check_form(form)
    if form == "jsonl":
        write_lines([encode_json(dict(zip(SURVEY, row, strict=True))) for row in rows], out)
    else:
        write_table(SURVEY, rows, out, form)


def _moment(seconds: float) -> str:
    """A time as ISO 8601 in UTC, to the second.

    >>> _moment(0)
    '1970-01-01T00:00:00Z'
    """
    return datetime.fromtimestamp(int(seconds), UTC).isoformat().replace("+00:00", "Z")


def write(found: Iterable[Block], columns: Sequence[str], out: TextIO, form: str) -> int:
    """Blocks as a table or as objects; gives the number of rows."""
    check_form(form)
    counted = _Counted(found)
    if form == "jsonl":
        for block in counted:
            lines = [encode_json(_object(columns, row)) for row in _rows(block, columns)]
            write_lines(lines, out)
    else:
        write_table(columns, chain.from_iterable(_rows(b, columns) for b in counted), out, form)
    return counted.rows


def _rows(block: Block, columns: Sequence[str]) -> Iterator[Sequence[str]]:
    return zip(*(block.cells[column] for column in columns), strict=True)


class _Counted:
    """Blocks on their way, counted."""

    def __init__(self, found: Iterable[Block]) -> None:
        self._found = found
        self.rows = 0

    def __iter__(self) -> Iterator[Block]:
        for block in self._found:
            self.rows += len(block.lines)
            yield block


def _object(columns: Sequence[str], row: Sequence[str]) -> dict[str, Any]:
    record: dict[str, Any] = {c: cell for c, cell in zip(columns, row, strict=True) if cell}
    for column in LISTS:
        if record.get(column, "").startswith("["):
            record[column] = json.loads(record[column])
    for column in ("seconds", "confidence"):
        if column in record:
            record[column] = float(record[column])
    return record


def as_input(
    database: Database, project: Project, gold: bool, flagged: bool, decided: str = "no"
) -> Input:
    found = blocks(
        database, project.id, gold=gold, flagged=flagged, names="number", decided=decided
    )
    text = io.StringIO()
    write(found, columns_of(project.task, decided), text, "csv")
    return Input.from_text(text.getvalue(), f"{database.name} {project.name}")


_SURVEYED = (
    sa.select(*(raters.c[name] for name in ("number", "pseudonym", "prolific_pid", "survey")))
    .where(raters.c.project_id == sa.bindparam("project"), raters.c.survey.is_not(None))
    .order_by(raters.c.number)
)
_JUDGMENTS = (
    sa.select(
        answers.c.id,
        *(answers.c[name] for name in ("label", "correction", "alternatives", "confidence")),
        *(answers.c[name] for name in ("context", "seconds", "submitted", "late")),
        *(assignments.c[name] for name in ("round", "purpose", "swapped", "handed")),
        *(cases.c[name] for name in ("name", "first", "second")),
        *(raters.c[name] for name in ("number", "pseudonym", "prolific_pid", "flagged")),
        case_secrets.c.gold,
    )
    .join(assignments, assignments.c.id == answers.c.assignment_id)
    .join(cases, cases.c.id == answers.c.case_id)
    .join(raters, raters.c.id == answers.c.rater_id)
    .join(case_secrets, case_secrets.c.case_id == answers.c.case_id)
    .where(
        answers.c.project_id == sa.bindparam("project"),
        answers.c.id > sa.bindparam("after"),
        answers.c.id <= sa.bindparam("last"),
    )
    .order_by(answers.c.id)
    .limit(ROWS_AT_ONCE)
)
_DECISIONS = (
    sa.select(
        *(decisions.c[name] for name in ("id", "label", "correction", "alternatives")),
        *(decisions.c[name] for name in ("comment", "decided")),
        *(cases.c[name] for name in ("name", "first", "second")),
    )
    .join(cases, cases.c.id == decisions.c.case_id)
    .where(
        decisions.c.project_id == sa.bindparam("project"),
        decisions.c.id > sa.bindparam("after"),
        decisions.c.id <= sa.bindparam("last"),
        decisions.c.label != "",  # what was looked at and left undecided is no judgment
    )
    .order_by(decisions.c.id)
    .limit(ROWS_AT_ONCE)
)
