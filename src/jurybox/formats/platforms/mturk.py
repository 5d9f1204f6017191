"""Batch results of Amazon Mechanical Turk.

One row is one assignment: HITId is the case, WorkerId the rater, an `Answer.` column the label.
Three shapes of answers: a column with the answer; a column for every choice with true and false
(`Answer.Q1.Yes`, `Answer.Q1.No`: `--columns label=Answer.Q1`); a JSON list of all answers in
`Answer.taskAnswers`, whose names are mapped like columns (`label=Q1`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from jurybox.errors import near_name
from jurybox.formats._io import BadLines, Input
from jurybox.formats.platforms._columns import (
    BESIDE_LABELS,
    REMARKS,
    SHOWN,
    Cells,
    Chooser,
    open_table,
    table_export,
)
from jurybox.formats.platforms._export import ExportRequest, Raw
from jurybox.formats.platforms._objects import as_label
from jurybox.formats.tables.coded import Block
from jurybox.formats.tables.long_tables import listed

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
    found, titles = chooser.found, chooser.titles
    inside: dict[str, str] = {}
    choices: list[str] = []
    further: Sequence[str] = ()
    in_json = TASK_ANSWERS in answers and found.get("label") not in titles
    if in_json:
        columns = {field: name for field, name in found.items() if name in titles}
        # the name of an answer inside the JSON list, however the user wrote it
        inside = {
            field: name.removeprefix(f"{TASK_ANSWERS}.").removeprefix(ANSWER)
            for field, name in found.items()
            if name not in titles
        }
        columns["answers"] = TASK_ANSWERS
        further = (*BESIDE_LABELS, "label")
    else:
        group = _group_choices(answers, chooser)
        chooser.check(group and [found["label"]])
        columns = dict(found)
        if group:
            del columns["label"]
            choices = [title.removeprefix(f"{found['label']}.") for title in group]
            columns |= {f"choice {place}": title for place, title in enumerate(group)}
    table = open_table(given, columns | {f: t for f, t in FURTHER.items() if t in titles})

    def finish(block: Block, cells: Cells) -> None:
        if in_json:
            cells |= _read_task_answers(block, inside, chooser, table.bad)
        elif choices:
            table.bad.columns["label"] = table.bad.columns["choice 0"]
            marks = [block.cells[f"choice {place}"] for place in range(len(choices))]
            cells["label"] = [
                as_label([c for c, mark in zip(choices, row, strict=True) if _is_true(mark)])
                for row in zip(*marks, strict=True)
            ]
        if "batch" in cells:
            cells["batch"] = list(map(_batch_id, cells["batch"]))
        # rejected by MTurk's word, or by the requester's in the column Reject
        empty = [""] * len(block.lines)
        statuses, refused = cells.get("status", empty), cells.get("refused", empty)
        rejected = {word for word in set(statuses) if word.strip().lower() == "rejected"}
        cells["leave"] = [
            "rejected" if mark.strip() or status in rejected else ""
            for status, mark in zip(statuses, refused, strict=True)
        ]

    return table_export(table, found, finish, further=further)


def _group_choices(answers: Mapping[str, str], chooser: Chooser) -> list[str]:
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


def _read_task_answers(
    block: Block, names: dict[str, str], chooser: Chooser, bad: BadLines
) -> dict[str, Sequence[str]]:
    """The answers in JSON lists, by field; `names` are those of answers, by field."""
    bad.columns["label"] = bad.columns["answers"]
    answers = [
        _parse_answers(line, cell, bad)
        for line, cell in zip(block.lines, block.cells["answers"], strict=True)
    ]
    met = list(dict.fromkeys(name for answer in answers for name in answer))
    if "label" not in names:
        _choose_name(names, met, bad)
        if names["label"]:
            chooser.found["label"] = names["label"]
    name = names["label"]
    if met and name not in met:
        raise chooser.given.error(
            f"'{TASK_ANSWERS}' holds no answer '{name}'{near_name(name, met)}; its answers "
            f"are: {listed(met)}",
            1,
            bad.columns["answers"],
        )
    return {field: [answer.get(name, "") for answer in answers] for field, name in names.items()}


def _parse_answers(line: int, cell: str, bad: BadLines) -> dict[str, str]:
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
    bad.add(
        line,
        f"not the JSON that MTurk writes ({what}); was the file cut off, or changed by a "
        "spreadsheet? Download it again",
        "answers",
    )
    return {}


def _choose_name(names: dict[str, str], met: Sequence[str], bad: BadLines) -> None:
    """Say which answer is the label, and which go along with it."""
    for field, known in BESIDE_LABELS.items():
        for name in met:
            if len(met) > 1 and name.lower() in known and field not in names:
                names[field] = name
    left = [name for name in met if name not in names.values() and name.lower() not in REMARKS]
    if len(left) > 1:
        bad.add(
            1,
            f"'{TASK_ANSWERS}' holds {len(left)} answers: {listed(left)}; choose one with "
            f"--columns label={left[0]}",
            "answers",
        )
    if len(left) != 1:
        bad.raise_first()
    names["label"] = left[0] if left else ""


def _is_true(cell: str) -> bool:
    return cell.strip().lower() in ("true", "on", "1")


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


@lru_cache(maxsize=4096)  # a file repeats few of them
def _batch_id(given: str) -> str:
    """`BatchId:2818806;OriginalHitTemplateId:92;` to 2818806."""
    found = [part for part in given.split(";") if part.startswith("BatchId:")]
    return found[-1].removeprefix("BatchId:") if found else given
