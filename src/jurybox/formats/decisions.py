"""Decisions of one system: CSV, TSV and JSONL with the columns `case` and `label`.

Optional: `score` (larger means more of an error) and `suggestion` (what the system would put there;
`-NONE-` deletes, an empty cell is no suggestion). With a threshold, scores make the labels.
"""

from __future__ import annotations

import warnings
from array import array
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from math import isfinite, isnan, nan
from typing import Any, NamedTuple, TextIO

from jurybox.errors import InputError, JuryboxWarning, UsageError
from jurybox.formats._io import Source
from jurybox.formats._labels import LabelNumbers
from jurybox.formats._names import NO_NAME, KnownNames
from jurybox.formats.cases import check_id
from jurybox.formats.long_tables import (
    ROWS_AT_ONCE,
    Block,
    LineIndex,
    LongTable,
    check_form,
    encode_json,
    note_unused,
    read_numbers,
    write_lines,
    write_table,
)
from jurybox.model import NOTHING, CaseSet, DecisionTable

SCHEMA = "jurybox.decisions/1"
COLUMNS = ("case", "label", "score", "suggestion")
VOCABULARY = ("error", "ok")
#: a label's number in the vocabulary -> its number in a DecisionTable
NUMBERS = (1, 0)
MISSING = -1


class ReadDecisions(NamedTuple):
    """Decisions, and on how many cases there is none."""

    table: DecisionTable
    missing: int = 0
    first_missing: str = ""  # the id of the first case without a decision
    notes: tuple[str, ...] = ()


def read(
    source: Source,
    cases: CaseSet,
    *,
    name: str,
    columns: Mapping[str, str] | None = None,
    labels: Mapping[str, str] | None = None,
    threshold: float | None = None,
    missing: str = "report",
) -> ReadDecisions:
    r"""The decisions of system `name` on `cases`, in their order.

    With `threshold` a case is an error where its score is at least as large, whatever its label.
    Cases without a decision are left open (-1), counted and noted; with `missing="refuse"` they are
    an error. Decisions on unknown cases, and two on one case, are always errors.

    >>> from jurybox.formats import Input
    >>> from jurybox.model import Case
    >>> source = Input.from_text("case,label,score\nc2,ok,.2\nc1,error,.9\n")
    >>> found = read(source, CaseSet((Case("c1"), Case("c2"), Case("c3"))), name="mine")
    >>> list(found.table.label), found.missing, found.first_missing
    ([1, 0, -1], 1, 'c3')
    """
    if missing not in ("report", "refuse"):
        raise UsageError(f"missing must be 'report' or 'refuse', not '{missing}'")
    if threshold is not None and isnan(threshold):
        raise UsageError("the threshold is not a number")
    required = ("case", "label") if threshold is None else ("case", "score")
    table = LongTable(source, COLUMNS, required=required, columns=columns, schema=SCHEMA)
    reading = _Reading(table, cases, LabelNumbers(labels, VOCABULARY), threshold)
    for block in table.blocks():
        reading.take(block)
    found = reading.finish(name)
    notes = [note for note in [note_unused(table)] if note]
    for note in notes:
        warnings.warn(note, JuryboxWarning, stacklevel=2)
    open_cases = found.label.count(MISSING)
    if not open_cases:
        return ReadDecisions(found, notes=tuple(notes))
    first = cases.cases[found.label.index(MISSING)].id
    note = (
        f"{table.name}: {open_cases} of {len(cases)} cases have no decision of {name} "
        f"(first: '{first}')"
    )
    if missing == "refuse":
        raise InputError(f"{note}; decide on them, or say with --missing what they count as")
    return ReadDecisions(found, open_cases, first, (*notes, note))


class _Reading:
    """Blocks of columns to a table of decisions."""

    def __init__(
        self, table: LongTable, cases: CaseSet, labels: LabelNumbers, threshold: float | None
    ) -> None:
        self._table = table
        self._ids = KnownNames(case.id for case in cases.cases)
        self._labels = labels
        self._threshold = threshold
        self._label = array("b", [MISSING]) * len(cases)
        self._row = array("I", [NO_NAME]) * len(cases)  # where the decision was read
        self._score: array[float] | None = None
        self._suggestion: list[str | None] | None = None
        self._lines = LineIndex()
        self._rows = 0

    def take(self, block: Block) -> None:
        """Add the decisions of a block; what is wrong with them goes to `bad`."""
        bad = self._table.bad
        empty = [""] * len(block.lines)
        cells = {"case": empty, **block.cells}
        places = list(map(self._ids.__getitem__, cells["case"]))
        self._lines.add(self._table.name, block.lines)
        for place, line, given in zip(places, block.lines, cells["case"], strict=True):
            if place == NO_NAME:
                bad.add(line, self._no_case(given.strip(), first=not bad.count))
            elif self._row[place] != NO_NAME:
                before = self._lines.place(self._row[place])[1]
                message = f"case '{given}' is decided before, in line {before}; keep one decision"
                bad.add(line, message)
            else:
                self._row[place] = self._rows
            self._rows += 1
        scores = read_numbers(block, "score", bad) if "score" in cells else None
        if self._threshold is None:
            numbers = self._read_labels(block, cells.get("label", empty))
        else:
            scores = scores or array("d", [nan]) * len(empty)
            numbers = [int(score >= self._threshold) for score in scores]
            self._need_scores(block, scores)
        if not bad.count:
            self._keep(places, numbers, scores, cells.get("suggestion"))

    def _no_case(self, given: str, *, first: bool) -> str:
        if not given:
            return "no case; every decision needs one, in the column 'case'"
        if not first:
            return ""  # only counted: looking for close names takes time
        return f"there is no case '{given}' among the {len(self._ids)} cases{self._ids.near(given)}"

    def _read_labels(self, block: Block, column: Sequence[str]) -> list[int]:
        numbers = self._labels.numbers(column, block.lines)
        return [NUMBERS[number] if number < len(VOCABULARY) else MISSING for number in numbers]

    def _need_scores(self, block: Block, scores: array[float]) -> None:
        if not any(map(isnan, scores)):
            return
        cells = block.cells.get("score", [""] * len(block.lines))
        for line, cell in zip(block.lines, cells, strict=True):
            if not cell.strip():
                self._table.bad.add(line, "no score; with a threshold every decision needs one")

    def _keep(
        self,
        places: Sequence[int],
        numbers: Sequence[int],
        scores: Sequence[float] | None,
        suggestions: Sequence[str] | None,
    ) -> None:
        for place, number in zip(places, numbers, strict=True):
            self._label[place] = number
        if scores is not None:
            if self._score is None:
                self._score = array("d", [nan]) * len(self._label)
            for place, score in zip(places, scores, strict=True):
                self._score[place] = score
        if suggestions is not None:
            if self._suggestion is None:
                self._suggestion = [None] * len(self._label)
            for place, word in zip(places, suggestions, strict=True):
                if said := word.strip():
                    self._suggestion[place] = "" if said == NOTHING else word

    def finish(self, name: str) -> DecisionTable:
        """The decisions, or the error that says what is wrong with them."""
        bad = self._table.bad
        if self._labels.outside:
            raise self._labels.refuse(self._table.name, more=bad.count)
        if not self._rows and not bad.count:
            bad.add(None, "holds no decision; write one per line below the header 'case,label'")
        bad.raise_first()
        return DecisionTable(name, self._label, self._score, self._suggestion)


def write(table: DecisionTable, cases: CaseSet, out: TextIO, form: str = "csv") -> None:
    """One line per decision; cases without one are left out."""
    check_form(form)
    if len(table) != len(cases):
        raise InputError(f"{len(table)} decisions for {len(cases)} cases; they must be parallel")
    for case in cases.cases:
        check_id(case.id, "case")
    titles = ["case", "label"]
    titles += ["score"] if table.score is not None else []
    titles += ["suggestion"] if table.suggestion is not None else []
    rows = _rows(table, cases)
    if form != "jsonl":
        write_table(titles, (list(map(_cell, row)) for row in rows), out, form)
        return
    lines = (
        encode_json({t: c for t, c in zip(titles, row, strict=True) if c is not None})
        for row in rows
    )
    number = 0
    while batch := list(islice(lines, ROWS_AT_ONCE)):
        write_lines(batch, out, number)
        number += len(batch)


def _rows(table: DecisionTable, cases: CaseSet) -> Iterator[list[Any]]:
    for place, number in enumerate(table.label):
        if number == MISSING:
            continue
        row: list[Any] = [cases.cases[place].id, VOCABULARY[NUMBERS.index(number)]]
        if table.score is not None:
            score = table.score[place]
            if not isfinite(score) and not isnan(score):
                raise InputError(f"the score {score} of case '{row[0]}' is not finite")
            row.append(None if isnan(score) else score)
        if table.suggestion is not None:
            word = table.suggestion[place]
            if word == NOTHING or (word and not word.strip()):
                raise InputError(
                    f"the suggestion {word!r} for case '{row[0]}' cannot be written: {NOTHING} "
                    "deletes, and a blank cell is none"
                )
            row.append(NOTHING if word == "" else word)
        yield row


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return repr(value) if isinstance(value, float) else str(value)
