"""What every reader of an export gives, and what a user may ask of it.

A reader turns a platform's file into blocks of columns with our names (`FIELDS`). Two further
columns are for those who read the blocks only: `assignment`, which must not come twice, and
`leave`, the reason why a row does not count ("" where it does).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from jurybox.errors import FormatError, UsageError, unknown_name
from jurybox.formats._io import BadLines
from jurybox.formats.long_tables import ROWS_AT_ONCE, Block

CASE_FIELDS = ("sentence", "start", "end", "written", "construction", "document")
NUMBERS = ("seconds", "confidence", "trust", "reward")
TIMES = ("started", "submitted")
WORDS = ("batch", "context", "first", "second", "shown", "status")
FIELDS = (
    *("case", "rater", "label", "correction", "alternatives", "gold", "kind"),
    *NUMBERS,
    *TIMES,
    *WORDS,
    *CASE_FIELDS,
)
SHOWN = 3


class Request(NamedTuple):
    """What a user asks of an export.

    `columns` maps our fields to titles or keys of the file, `labels` their labels to others;
    `rejected` keeps rows that do not count otherwise.
    """

    columns: Mapping[str, str] = {}
    labels: Mapping[str, str] = {}
    rejected: bool = False

    def check(self) -> None:
        """Fields that do not exist are mistakes: nothing would be read for them."""
        for name, title in self.columns.items():
            if name not in FIELDS:
                message = str(unknown_name("column", name, FIELDS))
                raise UsageError(f"--map {name}={title}: {message}")


@dataclass(slots=True)
class Raw:
    """An export as it is read: its notes and complaints are complete when its blocks are."""

    fields: tuple[str, ...]
    blocks: Iterator[Block]
    bad: BadLines
    notes: list[str]
    titles: Mapping[str, str]  # our field -> what the file calls it, for messages
    currency: list[str] = field(default_factory=list)  # filled while blocks are read


class SeveralBadLines(BadLines):
    """Malformed lines of an export: the first three are reported, the others are counted.

    >>> bad = SeveralBadLines("batch.csv")
    >>> for line in (3, 5, 8, 9): bad.add(line, "no case")
    >>> bad.raise_first()
    Traceback (most recent call last):
    jurybox.errors.FormatError: batch.csv:3: no case
      batch.csv:5: no case
      batch.csv:8: no case (and 1 more bad line in this file)
    """

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._shown: list[tuple[int | None, str]] = []

    def add(self, line: int | None, message: str) -> None:
        super().add(line, message)
        if len(self._shown) < SHOWN and message:
            self._shown.append((line, message))

    def raise_first(self) -> None:
        """Raise the first complaints, if there were any."""
        if not self.count:
            return
        if not self._shown:
            super().raise_first()
        places = [self.name if line is None else f"{self.name}:{line}" for line, _ in self._shown]
        messages = [message for _, message in self._shown]
        further = zip(places[1:], messages[1:], strict=True)
        text = "\n  ".join([messages[0], *(f"{place}: {each}" for place, each in further)])
        more = self.count - len(self._shown)
        raise FormatError(text, path=self.name, line=self._shown[0][0], more=more)


class Row(NamedTuple):
    """One judgment of a format that is no table: the line it stands in, and its cells."""

    line: int
    cells: Mapping[str, str]


def blocks_of(rows: Iterable[Row], fields: Sequence[str]) -> Iterator[Block]:
    """Rows as blocks of columns; a cell that a row lacks is empty.

    >>> [block.cells for block in blocks_of([Row(1, {"case": "c1"})], ("case", "rater"))]
    [{'case': ['c1'], 'rater': ['']}]
    """
    rows = iter(rows)
    while batch := list(islice(rows, ROWS_AT_ONCE)):
        cells: dict[str, Sequence[str]] = {
            name: [row.cells.get(name, "") for row in batch] for name in fields
        }
        yield Block([row.line for row in batch], cells)


def plural(count: int, noun: str) -> str:
    """A number with its noun.

    >>> plural(1, "row"), plural(2, "row")
    ('1 row', '2 rows')
    """
    return f"{count} {noun}{'s' if count != 1 else ''}"
