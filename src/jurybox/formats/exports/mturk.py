"""Batch results of Amazon Mechanical Turk.

One row is one assignment: HITId is the case, WorkerId the rater, an `Answer.` column the label.
Three shapes of answers: a column with the answer; a column for every choice with true and false
(`Answer.Q1.Yes`, `Answer.Q1.No`: map `label=Answer.Q1`); a JSON list of all answers in
`Answer.taskAnswers`, whose names are mapped like columns (`label=Q1`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from jurybox.errors import FormatError, near_name
from jurybox.formats._io import Input
from jurybox.formats._table_faults import listed
from jurybox.formats.exports._columns import (
    BESIDE_LABELS,
    REMARKS,
    SHOWN,
    Chooser,
    gathered,
    open_table,
    ordered,
    peek_header,
    with_column,
)
from jurybox.formats.exports._export import Raw, Request, SeveralBadLines
from jurybox.formats.exports._objects import as_label
from jurybox.formats.exports._times import Money, Times, notes_on_times
from jurybox.formats.long_tables import Block, LongTable

TITLE = "MTurk batch results"
ANSWER, INPUT = "Answer.", "Input."
TASK_ANSWERS = "Answer.taskAnswers"
TRUE = ("true", "on", "1")


def read(given: Input, request: Request) -> Raw:
    r"""The judgments of a batch file.

    >>> text = "HITId,AssignmentId,WorkerId,Reward,Answer.Q1\nh1,a1,w1,$0.05,Yes\n"
    >>> found = read(Input.from_text(text), Request())
    >>> next(found.blocks).cells["reward"], found.currency
    (['0.05'], ['USD'])
    """
    titles = peek_header(given).titles
    chooser = Chooser(given, titles, request)
    chooser.need("case", "HITId")
    chooser.need("rater", "WorkerId")
    chooser.take("seconds", "WorkTimeInSeconds")
    chooser.take("reward", "Reward")
    chooser.take("started", "AcceptTime")
    chooser.take("submitted", "SubmitTime")
    chooser.take("status", "AssignmentStatus")
    chooser.take("batch", "RequesterAnnotation")
    inputs = {title: title.removeprefix(INPUT) for title in titles if title.startswith(INPUT)}
    chooser.take_named(SHOWN, inputs, alone="sentence")
    answers = {title: title.removeprefix(ANSWER) for title in titles if title.startswith(ANSWER)}
    bad = SeveralBadLines(given.name)
    reading = _Reading(given, chooser, bad)
    if TASK_ANSWERS in answers and chooser.found.get("label") not in titles:
        return reading.with_task_answers()
    return reading.with_columns(_grouped(answers, chooser))


def _grouped(answers: Mapping[str, str], chooser: Chooser) -> list[str]:
    """The columns of choices that make up the label; none where one column holds it."""
    label = chooser.found.get("label", "")
    group = [title for title in answers if label and title.startswith(f"{label}.")]
    if label in answers or (label and not group):
        group = []
    elif not label:
        stems = {title.rpartition(".")[0] for title in answers}
        if len(answers) > 1 and len(stems) == 1 and stems != {ANSWER.rstrip(".")}:
            chooser.found["label"] = stems.pop()
            group = list(answers)
    chooser.choose_label(answers)
    return group


class _Reading:
    def __init__(self, given: Input, chooser: Chooser, bad: SeveralBadLines) -> None:
        self._given = given
        self._chooser = chooser
        self._bad = bad
        self._notes: list[str] = []
        self._currency: list[str] = []
        self._times = {"started": Times(), "submitted": Times()}

    def with_columns(self, group: Sequence[str]) -> Raw:
        """Answers in columns of their own."""
        self._chooser.check(group and [self._chooser.found["label"]])
        columns = dict(self._chooser.found)
        if group:
            del columns["label"]
            columns |= {f"choice {place}": title for place, title in enumerate(group)}
        table = self._open(columns)
        stem = self._chooser.found["label"]
        choices = [title.removeprefix(f"{stem}.") for title in group]
        return self._raw(self._column_blocks(table, choices))

    def with_task_answers(self) -> Raw:
        """Answers in a JSON list."""
        wanted = dict(self._chooser.found)
        titles = set(peek_header(self._given).titles)
        inside = {field: name for field, name in wanted.items() if name not in titles}
        columns = {field: name for field, name in wanted.items() if field not in inside}
        table = self._open({**columns, "answers": TASK_ANSWERS})
        blocks = self._task_blocks(table, {f: _short(n) for f, n in inside.items()})
        return self._raw(blocks, *BESIDE_LABELS, "label")

    def _open(self, columns: dict[str, str]) -> LongTable:
        titles = peek_header(self._given).titles
        for field, title in (("assignment", "AssignmentId"), ("refused", "Reject")):
            if title in titles:
                columns[field] = title
        return open_table(self._given, columns, self._bad)

    def _raw(self, blocks: Iterator[Block], *further: str) -> Raw:
        found = self._chooser.found
        fields = ordered([*found, *further])
        return Raw(fields, self._tidied(blocks), self._bad, self._notes, found, self._currency)

    def _column_blocks(self, table: LongTable, choices: Sequence[str]) -> Iterator[Block]:
        for block in gathered(table.blocks()):
            if not choices:
                yield block
                continue
            columns = [block.cells[f"choice {place}"] for place in range(len(choices))]
            self._bad.columns["label"] = self._bad.columns["choice 0"]
            rows = zip(*columns, strict=True)
            yield with_column(block, "label", [_chosen(choices, row) for row in rows])

    def _task_blocks(self, table: LongTable, wanted: dict[str, str]) -> Iterator[Block]:
        names = dict(wanted)
        for block in gathered(table.blocks()):
            self._bad.columns["label"] = self._bad.columns["answers"]
            answers = [
                self._parse(line, cell)
                for line, cell in zip(block.lines, block.cells["answers"], strict=True)
            ]
            if "label" not in names:
                self._choose_name(names, answers)
            columns = {
                field: [answer.get(name, "") for answer in answers] for field, name in names.items()
            }
            if not any(columns["label"]) and any(answers):
                self._complain_of_name(names["label"], answers)
            yield block._replace(cells={**block.cells, **columns})

    def _parse(self, line: int, cell: str) -> dict[str, str]:
        """Answers by name; a list holds the answers of one page each."""
        if not cell.strip():
            return {}
        try:
            pages = json.loads(cell)
            pages = pages if isinstance(pages, list) else [pages]
            return {str(name): _plain(value) for page in pages for name, value in page.items()}
        except json.JSONDecodeError as error:
            what = f"{error.msg} at character {error.colno}"
        except (AttributeError, ValueError, RecursionError):
            what = "no list of objects"
        self._bad.add(
            line,
            f"not the JSON that MTurk writes ({what}); was the file cut off, or changed by a "
            "spreadsheet? Download it again",
            "answers",
        )
        return {}

    def _choose_name(self, names: dict[str, str], answers: list[dict[str, str]]) -> None:
        met = list(dict.fromkeys(name for answer in answers for name in answer))
        for field, known in BESIDE_LABELS.items():
            for name in met:
                if len(met) > 1 and name.lower() in known and field not in names:
                    names[field] = name
        left = [name for name in met if name not in names.values() and name.lower() not in REMARKS]
        if len(left) > 1:
            self._bad.add(
                1,
                f"'{TASK_ANSWERS}' holds {len(left)} answers: {listed(left)}; choose one with "
                f"--map label={left[0]}",
                "answers",
            )
            self._bad.raise_first()
        if left:
            names["label"] = left[0]
            self._chooser.found["label"] = left[0]
        else:
            self._bad.raise_first()
            names["label"] = ""

    def _complain_of_name(self, name: str, answers: list[dict[str, str]]) -> None:
        met = list(dict.fromkeys(name for answer in answers for name in answer))
        if name not in met:
            raise FormatError(
                f"'{TASK_ANSWERS}' holds no answer '{name}'{near_name(name, met)}; its answers "
                f"are: {listed(met)}",
                path=self._given.name,
                line=1,
                column=self._bad.columns["answers"],
            )

    def _tidied(self, blocks: Iterator[Block]) -> Iterator[Block]:
        money, batches = Money(self._currency), _Batches()
        for block in blocks:
            cells: dict[str, Sequence[str]] = dict(block.cells)
            for field, known in (("reward", money), ("batch", batches)):
                if field in cells:
                    cells[field] = list(map(known.__getitem__, cells[field]))
            for field, times in self._times.items():
                if field in cells:
                    cells[field] = times.read(cells[field], block.lines)
            cells["leave"] = _reasons(cells)
            yield Block(block.lines, cells)
        self._notes += notes_on_times(self._times, self._bad)


def _short(name: str) -> str:
    """The name of an answer inside the JSON list, however the user wrote it."""
    for before in (f"{TASK_ANSWERS}.", ANSWER):
        name = name.removeprefix(before)
    return name


def _plain(value: Any) -> str:
    """What was answered: forms of buttons, boxes and texts, as one cell."""
    if isinstance(value, dict):
        value = _chosen_of(value)
    return as_label(value)


def _chosen_of(form: dict[str, Any]) -> Any:
    if set(form) == {"on"}:  # a single box
        return "on" if form["on"] else "off"
    if set(form) == {"label"} or set(form) == {"labels"}:
        return next(iter(form.values()))
    if form and all(isinstance(each, bool) for each in form.values()):
        return [name for name, is_chosen in form.items() if is_chosen]
    return form


def _chosen(choices: Sequence[str], row: Sequence[str]) -> str:
    return as_label(
        [c for c, cell in zip(choices, row, strict=True) if cell.strip().lower() in TRUE]
    )


def _reasons(cells: Mapping[str, Sequence[str]]) -> Sequence[str]:
    """Rejected by MTurk's word, or by the requester's in the column Reject."""
    rows = len(cells["case"])
    status = cells.get("status", [""] * rows)
    refused = cells.get("refused", [""] * rows)
    if "rejected" not in {word.strip().lower() for word in set(status)} and not any(refused):
        return [""] * rows
    return [
        "rejected" if word.strip().lower() == "rejected" or mark.strip() else ""
        for word, mark in zip(status, refused, strict=True)
    ]


class _Batches(dict[str, str]):
    """`BatchId:2818806;OriginalHitTemplateId:92;` to 2818806."""

    def __missing__(self, given: str) -> str:
        found = given
        for part in given.split(";"):
            if part.startswith("BatchId:"):
                found = part.removeprefix("BatchId:")
        self[given] = found
        return found
