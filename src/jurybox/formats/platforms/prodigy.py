"""Prodigy JSONL.

`_input_hash` is the case, `_annotator_id` (or `_session_id`) the rater. Where options were offered
the accepted one is the label, else the answer itself: accept or reject. Ignored tasks are skipped
ones. Spans become cases of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from jurybox.errors import Column, plural
from jurybox.formats._io import Input
from jurybox.formats.platforms._export import (
    ABOUT_TEXT,
    CASE_FIELDS,
    ExportRequest,
    ExportRow,
    KeyFaultError,
    Raw,
    ordered,
    under,
)
from jurybox.formats.platforms._objects import (
    Marked,
    ObjectReading,
    as_label,
    note_unmarked,
    read_span,
    span_rows,
)
from jurybox.formats.tables.long_tables import as_text, listed

TITLE = "Prodigy JSONL"
RATERS = ("_annotator_id", "_session_id")
ANSWERS = ("accept", "reject", "ignore")
FIELDS = ordered(("case", "rater", "label", "gold", "submitted", *CASE_FIELDS))


def read(given: Input, request: ExportRequest) -> Raw:
    """The judgments of an annotated dataset, as db-out writes it."""
    keys = {"case": "_input_hash", "rater": RATERS[0], "label": "answer"}
    keys["assignment"] = "_task_hash"
    return _AnswerReading(given, request).raw(FIELDS, keys, unit="answer to one task")


class _AnswerReading(ObjectReading):
    def __init__(self, given: Input, request: ExportRequest) -> None:
        super().__init__(given.name, request, ("rater", "label"), {"case": ("_input_hash",)})
        self._given = given
        self._keeps_ignored = "ignore" in {word.strip().lower() for word in request.labels}
        self._asked: dict[str, int] = {}  # labels that tasks asked about, and their first lines

    def rows(self) -> Iterator[ExportRow]:
        yield from self.rows_of(self._given, self._task_rows)
        self.check_keys(self._given.name)
        # accept and reject say nothing where several questions were asked about one text
        if len(self._asked) > 1 and "case" not in self._map:
            raise self._given.error(
                f"tasks ask about several labels: {listed(list(self._asked))}; make every "
                "question a case of its own with --columns case=_task_hash",
                list(self._asked.values())[1],
                Column(title="label"),
            )
        self._notes += note_unmarked(self._spans)
        yield from span_rows(self._spans)
        if self._nameless:
            self._notes.append(
                f"{plural(self._nameless, 'task')} without {' or '.join(RATERS)}: the rater is "
                f"called after the file, '{self._given.stem}'"
            )

    def _task_rows(self, line: int, task: dict[str, Any], _: int) -> Iterator[ExportRow]:
        answer = task.get("answer")
        if answer not in ANSWERS:
            raise KeyFaultError(
                "answer", f"is none of {', '.join(ANSWERS)}; export the dataset with db-out"
            )
        cells = self._facts(task)
        cells["rater"] = self._rater(task)
        if "_task_hash" in task and "_timestamp" in task:  # else it may be an answer given again
            words = (as_text(task["_task_hash"]), cells["rater"], as_text(task["_timestamp"]))
            cells["assignment"] = "\t".join(words)
        if answer == "ignore" and not self._keeps_ignored:
            yield ExportRow(line, {**cells, "leave": "ignored"})
        elif "label" in self._map:
            yield ExportRow(line, {**cells, "label": as_label(task.get(self._map["label"]))})
        elif "options" in task or isinstance(task.get("accept"), list):
            leave = "rejected" if answer == "reject" else ""
            label = as_label(task.get("accept", [])) if answer == "accept" else as_text(answer)
            yield ExportRow(line, {**cells, "label": label, "leave": leave, "key": "accept"})
        elif isinstance(task.get("spans"), list) and "label" not in task and answer == "accept":
            self._mark(line, task, cells)
        else:
            if "label" in task:
                self._asked.setdefault(as_text(task["label"]), line)
            yield ExportRow(line, {**cells, "label": as_text(answer)})

    def _mark(self, line: int, task: dict[str, Any], cells: dict[str, str]) -> None:
        text = cells.get("sentence", "")
        spans = {}
        for place, each in enumerate(task["spans"]):
            with under(f"spans[{place}]"):
                if not isinstance(each, dict):
                    raise ValueError("a span is no object; export the dataset with db-out")
                # characters, half-open; only token_end is inclusive
                span, label = read_span(each.get("start"), each.get("end"), each.get("label"), text)
            spans[span] = label
        more = ("submitted", "batch", *ABOUT_TEXT)
        kept = {field: cell for field, cell in cells.items() if field in more}
        self._spans.append(Marked(line, cells["case"], text, cells["rater"], spans, kept))

    def _facts(self, task: dict[str, Any]) -> dict[str, str]:
        facts = self.read_facts(task)
        if "case" not in facts:
            key = self._map.get("case", "_input_hash")
            raise KeyFaultError(
                key,
                f"no key '{key}', which names the case; its keys are: {listed(list(task))}; say "
                "which one it is with --columns case=KEY",
            )
        if type(task.get("_timestamp")) in (int, float):
            with suppress(OverflowError, ValueError, OSError):
                moment = datetime.fromtimestamp(task["_timestamp"], UTC)
                facts["submitted"] = moment.isoformat().replace("+00:00", "Z")
        return facts

    def _rater(self, task: dict[str, Any]) -> str:
        keys = (self._map["rater"],) if "rater" in self._map else RATERS
        found = next((as_text(task[key]) for key in keys if task.get(key) is not None), "")
        if not found and "rater" not in self._map:
            self._nameless += 1
            return self._given.stem
        return found
