r"""Rankings: how a judge orders several systems' outputs for one sentence.

A table in CSV, TSV or JSONL, one row per system, with the columns `sentence`, `system` and `rank`
(1 is best, equal ranks are ties), and optionally `judge` and `item`:

    sentence,judge,system,rank
    12,Ann,AMU,1
    12,Ann,CAMB,2

The rows of one sentence, judge and item are one ranking. `item` keeps apart what a judge ranked
twice. XML of Appraise is told by its first character and read by `rankings_xml`.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from math import isnan
from typing import NamedTuple

from jurybox.errors import JuryboxWarning
from jurybox.formats._bad_cells import BadCells
from jurybox.formats._io import BOM, Input, Source, as_input
from jurybox.formats.long_tables import Block, LongTable, note_unused, read_numbers

COLUMNS = ("sentence", "judge", "item", "system", "rank")


class Ranking(NamedTuple):
    """What one judge says of some systems on one sentence: a rank for each, the lowest is best."""

    sentence: str
    judge: str
    ranks: Mapping[str, float]


def read(source: Source) -> list[Ranking]:
    r"""All rankings of a file, in the order in which they begin.

    >>> from jurybox.formats import Input
    >>> table = "sentence,judge,system,rank\n7,Ann,AMU,1\n7,Ann,CAMB,2\n7,Bob,AMU,1\n"
    >>> read(Input.from_text(table))[0]
    Ranking(sentence='7', judge='Ann', ranks={'AMU': 1.0, 'CAMB': 2.0})
    """
    given = as_input(source)
    if is_xml(given):
        from jurybox.formats import rankings_xml

        return rankings_xml.read(given)
    table = LongTable(given, COLUMNS, required=("sentence", "system", "rank"), can_map=False)
    reading = _Reading(table.bad)
    for block in table.blocks():
        reading.take(block)
    if not reading.rankings and not table.bad.count:
        message = "holds no ranking; write one row per system below 'sentence,judge,system,rank'"
        table.bad.add(None, message)
    table.bad.raise_first()
    if note := note_unused(table):
        warnings.warn(note, JuryboxWarning, stacklevel=2)
    return [Ranking(key[0], key[1], ranks) for key, ranks in reading.rankings.items()]


def is_xml(given: Input) -> bool:
    """Whether a file begins like XML, which no table of ours does."""
    return given.peek(512).removeprefix(BOM).lstrip().startswith(b"<")


def holds_rankings(given: Input) -> bool:
    r"""Whether a file holds rankings, not scores: XML, or a table with a column `rank`.

    >>> from jurybox.formats import Input
    >>> holds_rankings(Input.from_text("sentence,system,rank\n")), is_xml(Input.from_text(" <r/>"))
    (True, True)
    """
    if is_xml(given):
        return True
    head = given.peek().removeprefix(BOM).decode("utf-8", errors="replace").lstrip()
    first = head.partition("\n")[0].lower()
    if first.startswith("{"):
        return '"rank"' in first
    return "rank" in [title.strip('" \r') for title in first.replace("\t", ",").split(",")]


class _Reading:
    """Rows to rankings."""

    def __init__(self, bad: BadCells) -> None:
        self._bad = bad
        self.rankings: dict[tuple[str, str, str], dict[str, float]] = {}

    def take(self, block: Block) -> None:
        """Add the rows of a block; what is wrong with them goes to `bad`."""
        empty = [""] * len(block.lines)
        cells = {name: block.cells.get(name, empty) for name in COLUMNS}
        ranks = read_numbers(Block(block.lines, dict(cells)), "rank", self._bad)
        keys = zip(cells["sentence"], cells["judge"], cells["item"], strict=True)
        rows = zip(block.lines, keys, cells["system"], cells["rank"], ranks, strict=True)
        for line, (sentence, judge, item), system, written, rank in rows:
            key = (sentence.strip(), judge.strip(), item.strip())
            self._add(line, key, system.strip(), written, rank)

    def _add(
        self, line: int, key: tuple[str, str, str], system: str, written: str, rank: float
    ) -> None:
        if not key[0] or not system:
            name = "system" if key[0] else "sentence"
            self._bad.add(line, f"no {name}; every row names one", name)
            return
        if isnan(rank):
            if not written.strip():  # what is written and no number was told before
                self._bad.add(line, "no rank; leave the row out if nobody ranked it", "rank")
            return
        ranks = self.rankings.setdefault(key, {})
        if system in ranks:
            whose = f"'{key[1]}' ranks" if key[1] else "there is a rank for"
            self._bad.add(
                line,
                f"{whose} '{system}' twice in sentence '{key[0]}'; a column 'item' keeps apart "
                "what was ranked twice",
            )
            return
        ranks[system] = rank
