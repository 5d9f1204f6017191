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
from jurybox.formats.platforms._columns import (
    BESIDE_LABELS,
    REMARKS,
    SHOWN,
    Cells,
    Chooser,
    gathered,
    open_table,
    tidied,
)
from jurybox.formats.platforms._export import ExportRequest, Raw, SeveralBadLines, ordered
from jurybox.formats.platforms._objects import as_label
from jurybox.formats.tables.long_tables import Block, listed

TITLE = "MTurk batch results"
ANSWER, INPUT = "Answer.", "Input."
TASK_ANSWERS = "Answer.taskAnswers"
#: our fields -> MTurk's columns
COLUMNS = {
    "case": "HITId",
    "rater": "WorkerId",
    "seconds": "WorkTimeInSeconds",
    "reward": "Reward",
    "started": "AcceptTime",
    "submitted": "SubmitTime",
    "status": "AssignmentStatus",
    "batch": "RequesterAnnotation",
}
#: columns for those who read the blocks only: ids, and what the requester has crossed
FURTHER = {"assignment": "AssignmentId", "refused": "Reject"}
TRUE = ("true", "on", "1")


def read(given: Input, request: ExportRequest) -> Raw:
    r"""The judgments of a batch file.

    >>> text = "HITId,AssignmentId,WorkerId,Reward,Answer.Q1\nh1,a1,w1,$0.05,Yes\n"
    >>> found = read(Input.from_text(text), ExportRequest())
    >>> next(found.blocks).cells["reward"], found.currency
    (['0.05'], ['USD'])
    """
    chooser = Chooser(given, request)
    chooser.take_all(COLUMNS, needed=("case", "rater"))
    chooser.take_named(SHOWN, chooser.starting(INPUT), alone="sentence")
    answers = chooser.starting(ANSWER)
    reading = _BatchReading(given, chooser)
    if TASK_ANSWERS in answers and chooser.found.get("label") not in chooser.titles:
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


class _BatchReading:
    def __init__(self, given: Input, chooser: Chooser) -> None:
        self._given = given
        self._chooser = chooser
        self._bad = SeveralBadLines(given.name)

    def with_columns(self, group: Sequence[str]) -> Raw:
        """Answers in columns of their own."""
        self._chooser.check(group and [self._chooser.found["label"]])
        columns = dict(self._chooser.found)
        if group:
            del columns["label"]
            columns |= {f"choice {place}": title for place, title in enumerate(group)}
        stem = self._chooser.found["label"]
        choices = [title.removeprefix(f"{stem}.") for title in group]
        return self._raw(self._column_blocks(self._open(columns), choices))

    def with_task_answers(self) -> Raw:
        """Answers in a JSON list."""
        titles = self._chooser.titles
        columns = {field: name for field, name in self._chooser.found.items() if name in titles}
        # the name of an answer inside the JSON list, however the user wrote it
        inside = {
            field: name.removeprefix(f"{TASK_ANSWERS}.").removeprefix(ANSWER)
            for field, name in self._chooser.found.items()
            if name not in titles
        }
        blocks = self._task_blocks(self._open({**columns, "answers": TASK_ANSWERS}), inside)
        return self._raw(blocks, *BESIDE_LABELS, "label")

    def _open(self, columns: dict[str, str]) -> Iterator[Block]:
        columns |= {f: title for f, title in FURTHER.items() if title in self._chooser.titles}
        return gathered(open_table(self._given, columns, self._bad).blocks())

    def _raw(self, blocks: Iterator[Block], *further: str) -> Raw:
        found = self._chooser.found
        raw = Raw(ordered([*found, *further]), iter(()), self._bad, [], found)
        batches = _Batches()

        def finish(block: Block, cells: Cells) -> None:
            if "batch" in cells:
                cells["batch"] = list(map(batches.__getitem__, cells["batch"]))
            # rejected by MTurk's word, or by the requester's in the column Reject
            empty = [""] * len(block.lines)
            statuses, marks = cells.get("status", empty), cells.get("refused", empty)
            rejected = {word for word in set(statuses) if word.strip().lower() == "rejected"}
            cells["leave"] = [
                "rejected" if mark.strip() or status in rejected else ""
                for status, mark in zip(statuses, marks, strict=True)
            ]

        raw.blocks = tidied(blocks, raw, finish)
        return raw

    def _column_blocks(self, blocks: Iterator[Block], choices: Sequence[str]) -> Iterator[Block]:
        for block in blocks:
            if not choices:
                yield block
                continue
            columns = [block.cells[f"choice {place}"] for place in range(len(choices))]
            self._bad.columns["label"] = self._bad.columns["choice 0"]
            labels = [
                as_label(
                    [
                        c
                        for c, cell in zip(choices, row, strict=True)
                        if cell.strip().lower() in TRUE
                    ]
                )
                for row in zip(*columns, strict=True)
            ]
            yield block._replace(cells={**block.cells, "label": labels})

    def _task_blocks(self, blocks: Iterator[Block], names: dict[str, str]) -> Iterator[Block]:
        for block in blocks:
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
            met = list(dict.fromkeys(name for answer in answers for name in answer))
            if not any(columns["label"]) and met and names["label"] not in met:
                name = names["label"]
                raise FormatError(
                    f"'{TASK_ANSWERS}' holds no answer '{name}'{near_name(name, met)}; its answers "
                    f"are: {listed(met)}",
                    path=self._given.name,
                    line=1,
                    column=self._bad.columns["answers"],
                )
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
                f"--columns label={left[0]}",
                "answers",
            )
            self._bad.raise_first()
        if left:
            names["label"] = left[0]
            self._chooser.found["label"] = left[0]
        else:
            self._bad.raise_first()
            names["label"] = ""


def _plain(value: Any) -> str:
    """What was answered: forms of buttons, boxes and texts, as one cell."""
    if isinstance(value, dict):
        if set(value) == {"on"}:  # a single box
            value = "on" if value["on"] else "off"
        elif set(value) == {"label"} or set(value) == {"labels"}:
            value = next(iter(value.values()))
        elif value and all(isinstance(each, bool) for each in value.values()):
            value = [name for name, is_chosen in value.items() if is_chosen]
    return as_label(value)


class _Batches(dict[str, str]):
    """`BatchId:2818806;OriginalHitTemplateId:92;` to 2818806."""

    def __missing__(self, given: str) -> str:
        found = given
        for part in given.split(";"):
            if part.startswith("BatchId:"):
                found = part.removeprefix("BatchId:")
        self[given] = found
        return found
