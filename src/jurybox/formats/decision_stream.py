r"""Decisions as they come, block by block, for corpora that nobody holds in memory.

The files are those of `decisions.py`, with the same labels, thresholds and complaints. There is no
list of cases to check them against; whoever reads the blocks has to look for ids that come twice.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from math import isnan, nan
from typing import NamedTuple

from jurybox.errors import UsageError
from jurybox.formats._io import Source
from jurybox.formats._labels import LabelNumbers
from jurybox.formats.decisions import COLUMNS, SCHEMA, VOCABULARY
from jurybox.formats.long_tables import Block, LongTable, note_unused, read_numbers

#: what else a decision file may tell of a case
GROUPS = ("construction", "document")


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
        if threshold is not None and isnan(threshold):
            raise UsageError("the threshold is not a number")
        required = ["case", *(["label"] if threshold is None else [])]
        if need_scores or threshold is not None:
            required.append("score")
        self._table = LongTable(
            source, (*COLUMNS, *GROUPS), required=required, columns=columns, schema=SCHEMA
        )
        self._labels = LabelNumbers(labels, VOCABULARY)
        self._threshold = threshold
        self._needs_scores = need_scores or threshold is not None
        self.rows = 0

    @property
    def name(self) -> str:
        return self._table.name

    @property
    def note(self) -> str:
        """Which columns were not looked at; known when all blocks were read."""
        return note_unused(self._table)

    def blocks(self) -> Iterator[DecisionBlock]:
        """All decisions, in the order of the file."""
        for block in self._table.blocks():
            self.rows += len(block.lines)
            yield self._read(block)
        bad = self._table.bad
        if self._labels.outside:
            raise self._labels.refuse(self._table.name, more=bad.count)
        if not self.rows and not bad.count:
            bad.add(None, "holds no decision; write one per line below the header 'case,label'")
        bad.raise_first()

    def _read(self, block: Block) -> DecisionBlock:
        bad = self._table.bad
        empty = [""] * len(block.lines)
        cases = list(map(str.strip, block.cells.get("case", empty)))
        if not all(cases):
            line = block.lines[cases.index("")]
            bad.add(line, "no case; every decision needs one, in the column 'case'")
        scores = None
        if self._needs_scores:
            if "score" in block.cells:
                scores = read_numbers(block, "score", bad)
            else:
                scores = array("d", [nan]) * len(empty)
            self._check_scores(block, scores)
        if self._threshold is None or scores is None:
            labels = self._labels.numbers(block.cells.get("label", empty), block.lines)
        else:
            labels = [int(not score >= self._threshold) for score in scores]
        groups = {field: block.cells[field] for field in GROUPS if field in block.cells}
        return DecisionBlock(block.lines, cases, labels, scores, groups)

    def _check_scores(self, block: Block, scores: array[float]) -> None:
        if any(map(isnan, scores)):
            cells = block.cells.get("score", [""] * len(block.lines))
            for line, cell in zip(block.lines, cells, strict=True):
                if not cell.strip():
                    self._table.bad.add(line, "no score; here every decision needs one")
