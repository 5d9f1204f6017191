"""What every reader of an export gives, and what a user may ask of it.

A reader turns a platform's file into blocks of columns with our names (`FIELDS`). Three further
columns are for those who read the blocks only: `assignment`, which must not come twice, `leave`,
the reason why a row does not count ("" where it does), and `key`, where JSON holds the label.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from jurybox.errors import UsageError, unknown_name
from jurybox.formats._bad_cells import BadCells
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
    bad: BadCells
    notes: list[str]
    titles: Mapping[str, str]  # our field -> what the file calls it, for messages
    currency: list[str] = field(default_factory=list)  # filled while blocks are read
    unit: str = "assignment"  # what must not come twice


class SeveralBadLines(BadCells):
    """Malformed lines of an export: the first three are reported, the others are counted.

    >>> bad = SeveralBadLines("batch.csv")
    >>> for line in (3, 5, 8, 9): bad.add(line, "no case")
    >>> bad.raise_first()
    Traceback (most recent call last):
    jurybox.errors.FormatError: batch.csv:3: no case
      batch.csv:5: no case
      batch.csv:8: no case (and 1 more bad line in this file)
    """

    shown = 3

    def add_fault(self, line: int, error: ValueError) -> None:
        """What is wrong with an object, under its key where that is known."""
        self.add(line, str(error), error.key if isinstance(error, KeyFaultError) else None)


class KeyFaultError(ValueError):
    """What is wrong with an object of JSON, and under which key, as `annotations[0].result`."""

    def __init__(self, key: str, message: str) -> None:
        self.key = key
        super().__init__(message)


@contextmanager
def under(key: str) -> Iterator[None]:
    """Faults that are found in here are told under this key.

    >>> try:
    ...     with under("annotations[0]"), under("result"):
    ...         raise ValueError("no list")
    ... except KeyFaultError as error:
    ...     print(error.key, error)
    annotations[0].result no list
    """
    try:
        yield
    except KeyFaultError as error:
        raise KeyFaultError(f"{key}.{error.key}", str(error)) from None
    except ValueError as error:
        raise KeyFaultError(key, str(error)) from None


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
