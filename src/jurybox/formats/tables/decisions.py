r"""Decisions of one system: CSV, TSV and JSONL with the columns `case` and `label`.

Optional: `score` (larger means more of an error) and `suggestion` (what the system would put there;
`-NONE-` deletes, an empty cell is no suggestion). With a threshold, scores make the labels.

`read` holds the decisions on known cases. `DecisionStream` gives them as they come, for corpora
that nobody holds in memory: with the same labels, thresholds and complaints, but no list of cases
to check them against; whoever reads the blocks has to look for ids that come twice.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from math import isfinite, isnan, nan
from typing import Any, NamedTuple, TextIO

import numpy as np

from jurybox.errors import InputError, UsageError, name_line, name_place, plural, warn
from jurybox.formats._io import Source, as_inputs
from jurybox.formats.tables._columns import NO_NAME, KnownNames
from jurybox.formats.tables._labels import LabelNumbers
from jurybox.formats.tables.cases import check_id
from jurybox.formats.tables.coded import Block, numbered, only
from jurybox.formats.tables.long_tables import (
    LineIndex,
    LongTable,
    check_form,
    note_unused,
    read_numbers,
    write_objects,
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
    sources: Source | Sequence[Source],
    cases: CaseSet,
    *,
    name: str,
    columns: Mapping[str, str] | None = None,
    labels: Mapping[str, str] | None = None,
    threshold: float | None = None,
    missing: str = "report",
    other_names: Mapping[str, str] | None = None,
    unknown_case: str = "error",
) -> ReadDecisions:
    r"""The decisions of system `name` on `cases`, in their order, from one file or several.

    With `threshold` a case is an error where its score is at least as large, whatever its label.
    Cases without a decision are left open (-1), counted and noted; with `missing="refuse"` they are
    an error. Two decisions on one case are always errors. Decisions on unknown cases are errors
    too, or with `unknown_case="skip"` left out and noted. `other_names` are further names of cases.

    >>> from jurybox.formats import Input
    >>> from jurybox.model import Case
    >>> source = Input.from_text("case,label,score\nc2,ok,.2\nc1,error,.9\n")
    >>> found = read(source, CaseSet((Case("c1"), Case("c2"), Case("c3"))), name="mine")
    >>> list(found.table.label), found.missing, found.first_missing
    ([1, 0, -1], 1, 'c3')
    """
    if missing not in ("report", "refuse"):
        raise UsageError(f"missing must be 'report' or 'refuse', not '{missing}'")
    reading = _DecisionReading(cases, skips_unknown=unknown_case == "skip")
    reading.know(other_names or {})
    notes: list[str] = []
    given = as_inputs(sources, "decisions", COLUMNS[:2])
    for number, source in enumerate(given, 1):
        file = _DecisionFile(source, COLUMNS, columns, labels, threshold)
        for block in file.table.blocks():
            reading.take(block, file)
        reading.finish_file(file, is_last=number == len(given))
        notes += filter(None, [note_unused(file.table)])
    found, table = reading.table(name), file.table
    if reading.unknown:
        count = plural(reading.unknown, "decision")
        notes.append(f"{table.name}: {count} on cases that are not evaluated: left out")
    warn(*notes)
    open_cases = found.label.count(MISSING)
    if not open_cases:
        return ReadDecisions(found, notes=tuple(notes))
    first = cases.ids[found.label.index(MISSING)]
    note = (
        f"{table.name}: {open_cases} of {len(cases)} cases have no decision of {name} "
        f"(first: '{first}')"
    )
    if missing == "refuse":
        raise InputError(f"{note}; decide on them, or say with --missing what they count as")
    return ReadDecisions(found, open_cases, first, (*notes, note))


class _DecisionFile:
    """The labels and scores of a file, block by block, and what is wrong with them."""

    def __init__(
        self,
        source: Source,
        fields: Sequence[str],
        columns: Mapping[str, str] | None,
        labels: Mapping[str, str] | None,
        threshold: float | None,
        *,
        needs_scores: bool = False,
    ) -> None:
        if threshold is not None and isnan(threshold):
            raise UsageError("the threshold is not a number")
        self.needs_scores = needs_scores or threshold is not None
        required = ["case", *(["label"] if threshold is None else [])]
        required += ["score"] if self.needs_scores else []
        self.table = LongTable(source, fields, required=required, columns=columns, schema=SCHEMA)
        self.threshold = threshold
        self._labels = LabelNumbers(labels, VOCABULARY)

    def decide(
        self, block: Block, *, read_scores: bool, why: str
    ) -> tuple[np.ndarray, array[float] | None]:
        """Labels as places in `VOCABULARY`, or behind it; `why` says where scores are needed."""
        bad, empty = self.table.bad, [""] * len(block.lines)
        scores = None
        if read_scores:
            scores = read_numbers(block, "score", bad)
        elif self.needs_scores:
            scores = array("d", [nan]) * len(empty)
        if self.needs_scores and scores is not None and any(map(isnan, scores)):
            cells = block.cells.get("score", empty)
            for line in (line for line, c in zip(block.lines, cells, strict=True) if not c.strip()):
                bad.add(line, f"no score; {why} every decision needs one")
        if self.threshold is None or scores is None:
            return self._labels.numbers(block.cells.get("label", empty), block.lines), scores
        return (~(np.asarray(scores) >= self.threshold)).astype(np.uint32), scores

    def finish(self, rows: int, nothing: str) -> None:
        """Raise what is wrong; `nothing` is said of a file without any decision."""
        bad = self.table.bad
        if self._labels.outside:
            raise self._labels.refuse(self.table.name, more=bad.count)
        if not rows and not bad.count:
            bad.add(None, f"{nothing}; write one per line below the header 'case,label'")
        bad.raise_first()


class _DecisionReading:
    """The labels, scores and suggestions of a system, case by case."""

    def __init__(self, cases: CaseSet, skips_unknown: bool) -> None:
        self._ids = KnownNames(cases.ids)
        self._label = np.full(len(cases), MISSING, np.int8)
        self._row = np.full(len(cases), NO_NAME, np.uint32)  # where the decision was read
        self._score: np.ndarray | None = None
        self._suggestion: list[str | None] | None = None
        self._lines = LineIndex()
        self._rows = 0
        self._skips_unknown = skips_unknown
        self.unknown = 0  # decisions on other cases, left out

    def know(self, other_names: Mapping[str, str]) -> None:
        places = {name: self._ids[case] for name, case in other_names.items()}
        for name, place in places.items():
            if place != NO_NAME:
                self._ids.setdefault(name, place)

    def take(self, block: Block, file: _DecisionFile) -> None:
        table, bad = file.table, file.table.bad
        names = block.cells.get("case", [""] * len(block.lines))
        places = self._ids.numbers(names)
        if self._skips_unknown and "case" in block.cells:
            known = places != NO_NAME
            known |= numbered(names, lambda cell: not cell.strip(), "bool")
            self.unknown += len(known) - int(known.sum())
            block, places = only(block, known), places[known]
            names = block.cells["case"]
            if not block.lines:
                return
        self._lines.add(table.name, block.lines)
        rows = np.arange(self._rows, self._rows + len(places), dtype=np.uint32)
        self._rows += len(places)
        if not self._put(places, rows):
            self._put_one_by_one(places, rows, names, table)
        labels, scores = file.decide(
            block, read_scores="score" in block.cells, why="with a threshold"
        )
        if not bad.count:
            self._keep(places, labels, scores, block.cells.get("suggestion"))

    def _put(self, places: np.ndarray, rows: np.ndarray) -> bool:
        """Remember the rows of cases if every case is known, and decided for the first time."""
        if (places == NO_NAME).any() or (self._row[places] != NO_NAME).any():
            return False
        self._row[places] = rows
        if (self._row[places] == rows).all():
            return True
        self._row[places] = NO_NAME  # some case is decided twice
        return False

    def _put_one_by_one(
        self, places: np.ndarray, rows: np.ndarray, names: Sequence[str], table: LongTable
    ) -> None:
        bad = table.bad
        for place, row, given in zip(places.tolist(), rows.tolist(), names, strict=True):
            line = self._lines.place(row)[1]
            if place == NO_NAME and not given.strip():
                bad.add(line, "no case; every decision needs one, in the column 'case'")
            elif place == NO_NAME:
                message = ""  # only counted: looking for close names takes time
                if not bad.count:
                    near, count = self._ids.near(given), len(self._ids)
                    message = f"there is no case '{given.strip()}' among the {count} cases{near}"
                bad.add(line, message)
            elif self._row[place] != NO_NAME:
                file, before = self._lines.place(int(self._row[place]))
                is_here = file == table.name
                where = name_line(file, before) if is_here else name_place(file, before)
                bad.add(line, f"case '{given}' is decided before, in {where}; keep one decision")
            else:
                self._row[place] = row

    def _keep(
        self,
        places: np.ndarray,
        labels: np.ndarray,
        scores: Sequence[float] | None,
        suggestions: Sequence[str] | None,
    ) -> None:
        numbers = np.array([*NUMBERS, MISSING], np.int8)  # what is no label is none
        self._label[places] = numbers[np.minimum(labels, len(VOCABULARY))]
        if scores is not None:
            if self._score is None:
                self._score = np.full(len(self._label), nan)
            self._score[places] = scores
        if suggestions is not None:
            if self._suggestion is None:
                self._suggestion = [None] * len(self._label)
            for place, word in zip(places.tolist(), suggestions, strict=True):
                if written := word.strip():
                    self._suggestion[place] = "" if written == NOTHING else word

    def finish_file(self, file: _DecisionFile, *, is_last: bool) -> None:
        what = f": all {self.unknown} are on other cases" if self.unknown else ""
        rows = self._rows if is_last else 1  # one of several files may say nothing of these cases
        file.finish(rows, f"holds no decision on these cases{what}")

    def table(self, name: str) -> DecisionTable:
        score = None if self._score is None else array("d", self._score.tobytes())
        return DecisionTable(name, array("b", self._label.tobytes()), score, self._suggestion)


def write(table: DecisionTable, cases: CaseSet, out: TextIO, form: str = "csv") -> None:
    """One line per decision; cases without one are left out."""
    check_form(form)
    if len(table) != len(cases):
        raise InputError(f"{len(table)} decisions for {len(cases)} cases; they must be parallel")
    for case in cases.ids:
        check_id(case, "case")
    titles = ["case", "label"]
    titles += ["score"] if table.score is not None else []
    titles += ["suggestion"] if table.suggestion is not None else []
    rows = _rows(table, cases)
    if form != "jsonl":
        cells = (
            ["" if c is None else c if isinstance(c, str) else repr(c) for c in r] for r in rows
        )
        write_table(titles, cells, out, form)
        return
    named = (zip(titles, row, strict=True) for row in rows)
    write_objects(({title: cell for title, cell in row if cell is not None} for row in named), out)


def _rows(table: DecisionTable, cases: CaseSet) -> Iterator[list[Any]]:
    ids = cases.ids
    for place, number in enumerate(table.label):
        if number == MISSING:
            continue
        row: list[Any] = [ids[place], VOCABULARY[NUMBERS.index(number)]]
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


#: what else a decision file may tell of a case
GROUPS = ("construction", "document")
#: bytes of columns in a block of decisions that are not held
STREAMED = 1 << 22


class DecisionBlock(NamedTuple):
    """Some decisions; a label is a place in `VOCABULARY`: 0 error, 1 ok."""

    lines: Sequence[int]
    cases: list[str]
    labels: list[int]
    scores: array[float] | None  # where they are needed
    groups: dict[str, Sequence[str]]  # cells of the columns in `GROUPS` that the file has


class DecisionStream:
    r"""The decisions of one system, read once.

    Malformed rows are complained about at the end, all of them together, so nothing that was made
    of the blocks may be used before the last one has come.

    >>> from jurybox.formats import Input
    >>> stream = DecisionStream(Input.from_text("case,label\nc1,ok\nc2,error\n"))
    >>> [(block.cases, block.labels) for block in stream.blocks()]
    [(['c1', 'c2'], [1, 0])]
    """

    def __init__(
        self,
        source: Source,
        *,
        columns: Mapping[str, str] | None = None,
        labels: Mapping[str, str] | None = None,
        threshold: float | None = None,
        need_scores: bool = False,
    ) -> None:
        fields = (*COLUMNS, *GROUPS)
        self._file = _DecisionFile(
            source, fields, columns, labels, threshold, needs_scores=need_scores
        )
        self._file.table.held = STREAMED
        self.rows = 0

    @property
    def name(self) -> str:
        return self._file.table.name

    @property
    def note(self) -> str:
        """Which columns were not looked at; known when all blocks were read."""
        return note_unused(self._file.table)

    def blocks(self) -> Iterator[DecisionBlock]:
        file = self._file
        for block in file.table.blocks():
            self.rows += len(block.lines)
            cases = list(map(str.strip, block.cells.get("case", [""] * len(block.lines))))
            if not all(cases):
                line = block.lines[cases.index("")]
                message = "no case; every decision needs one, in the column 'case'"
                file.table.bad.add(line, message)
            has_scores = file.needs_scores and "score" in block.cells
            labels, scores = file.decide(block, read_scores=has_scores, why="here")
            groups = {field: block.cells[field] for field in GROUPS if field in block.cells}
            yield DecisionBlock(block.lines, cases, labels.tolist(), scores, groups)
        file.finish(self.rows, "holds no decision")
