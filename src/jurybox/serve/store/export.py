"""Exports: judgments in blocks of columns with the names of `formats/tables/judgments.py`,
corrected essays, and answers to the questionnaire.

Rows come in the order of their answers, some thousand at a time, up to the last answer there was
at the beginning: nothing is locked meanwhile.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from itertools import chain, islice
from typing import Any, TextIO

import sqlalchemy as sa

from jurybox.errors import unknown_name
from jurybox.formats import Input
from jurybox.formats.tables.coded import Block
from jurybox.formats.tables.judgments import FLAGGED, STATUS
from jurybox.formats.tables.long_tables import check_form, encode_json, write_lines, write_table
from jurybox.serve.essays import ADJUDICATOR, AnnotatedEssay, paragraphs_of, read_edits
from jurybox.serve.model import EssayCorrection, Project, Purpose
from jurybox.serve.settings import Task
from jurybox.serve.store.database import StorePart
from jurybox.serve.store.projects import read_in, refuse_other_tasks, state_of
from jurybox.serve.store.tables import (
    answers,
    assignments,
    case_secrets,
    cases,
    columns,
    matches,
    raters,
)
from jurybox.serve.store.tables import decisions as decided
from jurybox.serve.wording import SPOILED

ROWS_AT_ONCE, LABELS_AT_ONCE, ESSAYS_AT_ONCE = 5000, 20_000, 100
COLUMNS = ("case", "rater", "label", "batch", "gold", "seconds", "started", "submitted", "status")
#: of a choice: both words, and which of them is the writer's
PAIR = ("first", "second", "written")
#: columns that only some tasks fill
OF_TASK: dict[Task, tuple[str, ...]] = {
    Task.TRAINED: ("correction", "alternatives", "confidence", "context"),
    Task.CHOICE: (*PAIR, "shown"),
}
NAMES = ("number", "own")
#: what adjudicators decided: no part of it, as one more rater, alone, or instead of the judgments
DECISIONS = ("no", "yes", "only", "instead")
#: columns of the questionnaire's answers, one to a line
SURVEY = ("rater", "question", "text", "answer")
#: what exports call raters without a name of their own, or with one that they chose
OURS = re.compile(rf"R\d+|{ADJUDICATOR}|.* \(R\d+\)", re.DOTALL)
LISTS = ("gold", "alternatives")


class ExportStore(StorePart):
    def judgments(
        self,
        project: int,
        *,
        gold: bool = True,
        flagged: bool = True,
        names: str = "number",
        decisions: str = "no",
    ) -> Iterator[Block]:
        """All judgments in blocks of columns with the names of `formats/tables/judgments.py`.

        Without gold cases, or without raters who are flagged, if asked. Raters are R1, R2 …; with
        `names="own"` their pseudonyms or Prolific ids where they have one. Practice is left out.
        Repeats (status "repeat") come after the first judgment.

        `decisions` of adjudicators repeat what raters said, so they are left out unless asked for:
        "yes" adds them as the rater ADJ, "only" gives nothing else, and with "instead" they replace
        all judgments of the cases that are decided.
        """
        _check_names(names)
        if decisions not in DECISIONS:
            raise unknown_name("decisions", decisions, DECISIONS)
        with self.database.reading() as connection:
            task = read_in(connection, project).task
            # who is flagged now: all rows of an export say the same of a rater
            last, flagged_now = state_of(connection, project)
            decision = connection.execute(sa.select(sa.func.max(decided.c.id))).scalar() or 0
        untrusted = frozenset(flagged_now)
        purposes = [str(Purpose.WORK), *([str(Purpose.GOLD)] if gold else [])]
        wanted = _JUDGMENTS.where(assignments.c.purpose.in_(purposes))
        if not flagged:
            wanted = wanted.where(raters.c.id.not_in(untrusted))
        columns = columns_of(task, decisions)
        values = {"project": project, "last": decision}
        made = self._blocks(_DECISIONS, values, columns, _decision_record)
        if decisions == "only":
            return made
        if decisions == "instead":  # a decision that is made meanwhile replaces nothing
            those = sa.select(decided.c.case_id).where(
                decided.c.project_id == project, decided.c.id <= decision, decided.c.label != ""
            )
            wanted = wanted.where(answers.c.case_id.not_in(those))
        record = partial(_record, names=names, untrusted=untrusted)
        judged = self._blocks(wanted, {"project": project, "last": last}, columns, record)
        return judged if decisions == "no" else chain(judged, made)

    def _blocks(
        self,
        wanted: sa.Select[Any],
        values: dict[str, int],
        columns: Sequence[str],
        record: Callable[[Any], dict[str, str]],
    ) -> Iterator[Block]:
        line = 1
        for rows in self._pages(wanted, **values):
            records = list(map(record, rows))
            cells: dict[str, Sequence[str]] = {
                column: [one.get(column, "") for one in records] for column in columns
            }
            yield Block(range(line, line + len(rows)), cells)
            line += len(rows)

    def _pages(self, wanted: sa.Select[Any], **values: int) -> Iterator[Sequence[Any]]:
        """All rows of a statement, some thousand at a time; nothing is locked meanwhile."""
        after = 0
        while True:
            with self.database.reading() as connection:
                rows = connection.execute(wanted, {**values, "after": after}).all()
            if not rows:
                return
            yield rows
            after = rows[-1].id

    def export(self, project: int, out: TextIO, form: str = "csv", **which: Any) -> int:
        """Write judgments as csv, tsv or jsonl, streamed; how many there were.

        `which` is what `judgments` takes: gold, flagged, names, decisions.
        """
        blocks = self.judgments(project, **which)
        columns = columns_of(self._project(project).task, which.get("decisions", "no"))
        return write(blocks, columns, out, form)

    def judgments_input(self, project: int, **which: Any) -> Input:
        """The export in memory, for everything that reads files of judgments.

        It has the bytes of the CSV export, so every number is the one that the file gives.
        """
        text, named = io.StringIO(), self._project(project).name
        self.export(project, text, **which)
        return Input.from_text(text.getvalue(), f"{self.database.name} {named}")

    def labels_input(self, project: int) -> Input:
        """Case, rater, label and status of all judgments but gold, for readers of judgments.

        It gives the numbers of the export without gold, and is read much faster: the dashboard asks
        again and again. A choice has its words where it is known which one is the writer's.
        """
        held, text = self._project(project), io.StringIO()
        words, named = PAIR if held.task == Task.CHOICE else (), held.name
        titles = ("case", "rater", "label", "status", *words)
        write_table(titles, self._labels(project, words), text, "csv")
        return Input.from_text(text.getvalue(), f"{self.database.name} {named}")

    def _labels(self, project: int, words: Sequence[str]) -> Iterator[tuple[str, ...]]:
        with self.database.reading() as connection:
            flagged = frozenset(state_of(connection, project)[1])
        wanted = _LABELS.add_columns(*(cases.c[name] for name in words))
        for rows in self._pages(wanted, project=project):
            for _, case, rater, number, label, *pair in rows:
                known = pair if all(pair) else [""] * len(pair)
                yield case, f"R{number}", label, FLAGGED if rater in flagged else "", *known

    def export_questionnaire(
        self, project: int, out: TextIO, form: str = "csv", *, names: str = "number"
    ) -> None:
        """Write what raters say of themselves as csv, tsv or jsonl: an answer per line."""
        _check_names(names)
        check_form(form)
        asked = self._project(project).settings.questionnaire
        with self.database.reading() as connection:
            rows = connection.execute(_SURVEYED, {"project": project}).all()
        texts = {question.key: question.text for question in asked}
        lines = (
            (rater_name(row, names), key, texts.get(key, ""), answer)
            for row in rows
            for key, answer in json.loads(row.survey).items()
        )
        if form == "jsonl":
            write_lines([encode_json(dict(zip(SURVEY, line, strict=True))) for line in lines], out)
        else:
            write_table(SURVEY, lines, out, form)

    def annotated_essays(
        self, project: int, *, flagged: bool = True, names: str = "number", decisions: bool = False
    ) -> Iterator[AnnotatedEssay]:
        """All essays with the corrections of their annotators, in the order of the file, streamed.

        Without raters who are flagged, if asked; `decisions` brings in the annotator ADJ. Essays
        that nobody has finished have no `edits`. Practice is left out.
        """
        _check_names(names)
        refuse_other_tasks(self._project(project))
        return self._annotated(project, flagged=flagged, names=names, decisions=decisions)

    def _annotated(
        self, project: int, *, flagged: bool, names: str, decisions: bool
    ) -> Iterator[AnnotatedEssay]:
        wanted = _CORRECTIONS if flagged else _CORRECTIONS.where(~raters.c.flagged)
        for essays in self._pages(_ESSAYS, project=project):
            span = {"project": project, "first": essays[0].id, "last": essays[-1].id}
            with self.database.reading() as connection:
                rows = connection.execute(wanted, span).all()
                decided = connection.execute(_DECIDED_ESSAYS, span).all() if decisions else []
            edits: dict[int, dict[str, tuple[EssayCorrection, ...]]] = {}
            for row in rows:
                # as M2 can hold it; nobody can call themselves an adjudicator
                name = rater_name(row, names).replace("|", "/")
                name = f"{name} (R{row.number})" if name == ADJUDICATOR else name
                edits.setdefault(row.case_id, {})[name] = read_edits(row.edits)
            for row in decided:
                edits.setdefault(row.case_id, {})[ADJUDICATOR] = read_edits(row.edits)
            for essay in essays:
                text = paragraphs_of(essay.sentence)
                yield AnnotatedEssay(essay.id, essay.name, text, edits.get(essay.id, {}))

    def _project(self, project: int) -> Project:
        with self.database.reading() as connection:
            return read_in(connection, project)


def _check_names(names: str) -> None:
    if names not in NAMES:
        raise unknown_name("names", names, NAMES)


def columns_of(task: Task, decided: str = "no") -> tuple[str, ...]:
    """The columns of a task's judgments, in the order in which they are written.

    >>> columns_of(Task.CHOICE)[:7]
    ('case', 'rater', 'label', 'first', 'second', 'written', 'shown')
    """
    more = () if decided == "no" else ("comment",)
    return (*COLUMNS[:3], *OF_TASK.get(task, ()), *COLUMNS[3:], *more)


def _record(row: Any, names: str, untrusted: frozenset[int]) -> dict[str, str]:
    known = json.loads(row.gold) if row.purpose == Purpose.GOLD else []
    holding = (row.rater_id in untrusted, row.round == 2, row.late)
    marks = zip(STATUS, holding, strict=True)
    return {
        **_common(row),
        "rater": rater_name(row, names),
        "confidence": "" if row.confidence is None else f"{row.confidence:g}",
        "context": row.context,
        "shown": row.second if row.swapped else row.first,
        "gold": encode_json(known) if len(known) > 1 else "".join(known),
        "seconds": f"{row.seconds:.3f}",
        "started": _moment(row.handed),
        "submitted": _moment(row.submitted),
        "status": " ".join(mark for mark, holds in marks if holds),
    }


def _decision_record(row: Any) -> dict[str, str]:
    return {
        **_common(row),
        "rater": ADJUDICATOR,
        # trained raters' task: adjudicators found the context spoiled, and say no more
        "context": "spoiled" if row.label == SPOILED.value else "",
        "submitted": _moment(row.decided),
        "status": "adjudicated",
        "comment": row.comment,
    }


def _common(row: Any) -> dict[str, str]:
    same = ("label", "correction", "alternatives", "first", "second", "written", "batch")
    return {"case": row.name, **{name: getattr(row, name) for name in same}}


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


def _moment(seconds: float) -> str:
    """A time as ISO 8601 in UTC, to the second.

    >>> _moment(0)
    '1970-01-01T00:00:00Z'
    """
    return datetime.fromtimestamp(int(seconds), UTC).isoformat().replace("+00:00", "Z")


def write(found: Iterable[Block], columns: Sequence[str], out: TextIO, form: str) -> int:
    """Write blocks as a table or as objects, streamed; gives the number of rows."""
    check_form(form)
    count = 0

    def rows() -> Iterator[Sequence[str]]:
        nonlocal count
        for block in found:
            count += len(block.lines)
            yield from zip(*(block.cells[column] for column in columns), strict=True)

    if form == "jsonl":
        objects = (encode_json(_object(columns, row)) for row in rows())
        while lines := list(islice(objects, ROWS_AT_ONCE)):
            write_lines(lines, out)
    else:
        write_table(columns, rows(), out, form)
    return count


def _object(columns: Sequence[str], row: Sequence[str]) -> dict[str, Any]:
    record: dict[str, Any] = {c: cell for c, cell in zip(columns, row, strict=True) if cell}
    for column in LISTS:
        if record.get(column, "").startswith("["):
            record[column] = json.loads(record[column])
    for column in ("seconds", "confidence"):
        if column in record:
            record[column] = float(record[column])
    return record


# --- SQL ---

_OF_PROJECT = matches(answers, project_id="project")
_AFTER = answers.c.id > sa.bindparam("after")
_NAMES = columns(raters, "number pseudonym prolific_pid")
_SURVEYED = (
    sa.select(*_NAMES, raters.c.survey)
    .where(*matches(raters, project_id="project"), raters.c.survey.is_not(None))
    .order_by(raters.c.number)
)
_JUDGMENTS = (
    sa.select(
        *columns(answers, "id label correction alternatives confidence context"),
        *columns(answers, "seconds submitted late"),
        *columns(assignments, "round purpose swapped handed"),
        *columns(cases, "name first second written"),
        *_NAMES,
        raters.c.id.label("rater_id"),
        *columns(case_secrets, "gold batch"),
    )
    .join(assignments, assignments.c.id == answers.c.assignment_id)
    .join(cases, cases.c.id == answers.c.case_id)
    .join(raters, raters.c.id == answers.c.rater_id)
    .join(case_secrets, case_secrets.c.case_id == answers.c.case_id)
    .where(*_OF_PROJECT, _AFTER, answers.c.id <= sa.bindparam("last"))
    .order_by(answers.c.id)
    .limit(ROWS_AT_ONCE)
)
#: what was looked at and left undecided is no judgment
_IS_DECIDED = (*matches(decided, project_id="project"), decided.c.label != "")
_DECISIONS = (
    sa.select(
        *columns(decided, "id label correction alternatives comment decided"),
        *columns(cases, "name first second written"),
        case_secrets.c.batch,
    )
    .join(cases, cases.c.id == decided.c.case_id)
    .join(case_secrets, case_secrets.c.case_id == decided.c.case_id)
    .where(*_IS_DECIDED, decided.c.id > sa.bindparam("after"), decided.c.id <= sa.bindparam("last"))
    .order_by(decided.c.id)
    .limit(ROWS_AT_ONCE)
)
_LABELS = (
    sa.select(answers.c.id, cases.c.name, answers.c.rater_id, raters.c.number, answers.c.label)
    .join(cases, cases.c.id == answers.c.case_id)
    .join(raters, raters.c.id == answers.c.rater_id)
    .where(*_OF_PROJECT, _AFTER, cases.c.counts == 1)  # work: gold and practice are not counted
    .order_by(answers.c.id)
    .limit(LABELS_AT_ONCE)
)
_ESSAYS = (
    sa.select(*columns(cases, "id name sentence"))
    .where(
        *matches(cases, project_id="project"),
        cases.c.purpose == str(Purpose.WORK),
        cases.c.id > sa.bindparam("after"),
    )
    .order_by(cases.c.id)
    .limit(ESSAYS_AT_ONCE)
)
_CORRECTIONS = (
    sa.select(answers.c.case_id, answers.c.edits, *_NAMES)
    .join(raters, raters.c.id == answers.c.rater_id)
    .where(*_OF_PROJECT, answers.c.case_id.between(sa.bindparam("first"), sa.bindparam("last")))
    .order_by(answers.c.case_id, raters.c.number)
)
_DECIDED_ESSAYS = (
    sa.select(decided.c.case_id, decided.c.edits)
    .where(*_IS_DECIDED, decided.c.case_id.between(sa.bindparam("first"), sa.bindparam("last")))
    .order_by(decided.c.case_id)
)
