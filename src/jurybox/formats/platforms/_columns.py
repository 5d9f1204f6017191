"""What exports in tables share: which column is the answer or the case, times and money.

What a user maps goes first; what is not mapped is taken where only one column can be meant, and
else asked for, with the columns there are.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from jurybox.errors import Column, FormatError, near_name
from jurybox.formats._io import BOM, Input
from jurybox.formats.platforms._export import ExportRequest, Raw, SeveralBadLines
from jurybox.formats.platforms._times import Money, Times, notes_on_times
from jurybox.formats.tables.long_tables import (
    DELIMITERS,
    ROWS_AT_ONCE,
    Block,
    LongTable,
    find_stray_title,
    listed,
    wrong_separator,
)

#: the cells of a block, by field
Cells: TypeAlias = dict[str, Sequence[str]]
#: names of answers that go along with a label
BESIDE_LABELS = {
    "correction": ("correction", "corrected", "suggestion"),
    "alternatives": ("alternatives",),
    "confidence": ("confidence", "certainty"),
}
#: never the label, whatever else there is
REMARKS = ("comment", "comments", "feedback", "remark", "remarks")
#: names of what was shown
SHOWN = {
    "sentence": ("sentence", "text", "original", "source"),
    "written": ("written", "target"),
    "construction": ("construction",),
    "document": ("document",),
    "gold": ("gold",),
}


class Header(NamedTuple):
    """The titles of a table, and how they are separated: "," or a tab."""

    titles: tuple[str, ...]
    delimiter: str


def read_header(head: str) -> Header:
    r"""The header of a table, from its first characters.

    >>> read_header("HITId\tAnswer.Q1\n1\tYes\n")
    Header(titles=('HITId', 'Answer.Q1'), delimiter='\t')
    """
    lines = head.lstrip("\r\n").split("\n")
    delimiter = DELIMITERS["tsv" if "\t" in lines[0] else "csv"]
    try:
        titles = next(csv.reader((f"{line}\n" for line in lines), delimiter=delimiter), [])
    except csv.Error:
        titles = []
    return Header(tuple(title.strip() for title in titles), delimiter)


def peek_header(given: Input) -> Header:
    """The header of a file; one that is not UTF-8 is an error."""
    head = given.peek().removeprefix(BOM).decode("utf-8", errors="surrogateescape")
    first = head.lstrip("\r\n").partition("\n")[0]
    if complaint := find_stray_title(first):
        line = head.partition(first)[0].count("\n") + 1
        message, column = complaint
        raise FormatError(message, path=given.name, line=line, column=column)
    return read_header(head)


def refuse_separator(given: Input, titles: Sequence[str]) -> None:
    """Refuse tables with semicolons or bars instead of guessing: text is full of both."""
    if complaint := wrong_separator(titles):
        message, column = complaint
        raise FormatError(message, path=given.name, line=1, column=column)


class Chooser:
    """Our fields to titles of one file."""

    def __init__(self, given: Input, request: ExportRequest) -> None:
        self.titles = peek_header(given).titles
        refuse_separator(given, self.titles)
        self._name = given.name
        self.found: dict[str, str] = dict(request.columns)

    def starting(self, before: str) -> dict[str, str]:
        """The titles that begin so -> what follows."""
        return {t: t.removeprefix(before) for t in self.titles if t.startswith(before)}

    def refuse(self, message: str, column: Column | None = None) -> FormatError:
        """The error for a header; without a column it is about all of them."""
        column = column or Column(1, last=len(self.titles))
        return FormatError(message, path=self._name, line=1, column=column)

    @property
    def taken(self) -> set[str]:
        return set(self.found.values())

    def take(self, field: str, *titles: str) -> None:
        """The first of these titles that the file has."""
        for title in titles:
            if field not in self.found and title in self.titles and title not in self.taken:
                self.found[field] = title

    def take_all(self, columns: Mapping[str, str], needed: Sequence[str] = ()) -> None:
        """The columns that a platform has (field -> title); that a needed one lacks is an error."""
        for field, title in columns.items():
            self.take(field, title)
            if field in needed and field not in self.found:
                raise self.refuse(
                    f"no column '{title}', which names the {field}; the columns are: "
                    f"{listed(self.titles)}; say which one it is with --columns {field}=COLUMN"
                )

    def take_named(
        self, names: Mapping[str, Sequence[str]], columns: Mapping[str, str], *, alone: str = ""
    ) -> None:
        """Fields by the short names of columns (title -> short name).

        A single column that is left serves the field `alone`.
        """
        for field, known in names.items():
            for name in known:
                self.take(field, *(t for t, short in columns.items() if short.lower() == name))
        left = [title for title in columns if title not in self.taken]
        if alone and len(columns) == 1 and left:
            self.take(alone, left[0])

    def choose_label(self, answers: Mapping[str, str]) -> str:
        """The title of the answer that is the label."""
        if "label" not in self.found:
            self.take_named(BESIDE_LABELS, answers if len(answers) > 1 else {})
            left = [
                title
                for title, short in answers.items()
                if title not in self.taken and short.lower() not in REMARKS
            ]
            if not left:
                raise self.refuse(
                    f"no column holds answers; the columns are: {listed(self.titles)}; say which "
                    "one does with --columns label=COLUMN"
                )
            if len(left) > 1:
                raise self.several_answers(left)
            self.found["label"] = left[0]
        else:
            self.take_named(BESIDE_LABELS, answers)
        return self.found["label"]

    def several_answers(self, left: Sequence[str]) -> FormatError:
        """The error for a file in which several columns may be the label."""
        return self.refuse(
            f"{len(left)} columns may be the answer: {listed(left)}; choose one with "
            f"--columns label={left[0]}",
            Column(self.titles.index(left[0]) + 1, left[0]),
        )

    def check(self, further: Iterable[str] = ()) -> None:
        """Mapped titles that the file does not have are mistakes."""
        known = {*self.titles, *further}
        for field, title in self.found.items():
            if title not in known:
                raise self.refuse(
                    f"no column '{title}' (--columns {field}={title}){near_name(title, known)}; "
                    f"the columns are: {listed(self.titles)}"
                )


def open_table(given: Input, columns: Mapping[str, str], bad: SeveralBadLines) -> LongTable:
    """The table with these columns (any field name -> title), complaining to `bad`."""
    if given.peek().removeprefix(BOM).lstrip().startswith(b"{"):
        raise FormatError(
            "is JSONL, where a table with a header is expected; leave --input-format out",
            path=given.name,
            line=1,
            column=Column(1),
        )
    table = LongTable(given, tuple(columns), required=tuple(columns), columns=columns)
    table.bad = bad
    return table


def gathered(blocks: Iterable[Block]) -> Iterator[Block]:
    """Blocks of a thousand rows or more: rows of exports are wide, and blocks of them short.

    >>> blocks = [Block([n], {"case": [str(n)]}) for n in (1, 2)]
    >>> list(gathered(blocks))
    [Block(lines=[1, 2], cells={'case': ['1', '2']})]
    """
    lines: list[int] = []
    cells: dict[str, list[str]] = {}
    for block in blocks:
        if lines and (len(lines) >= ROWS_AT_ONCE or cells.keys() != block.cells.keys()):
            yield Block(lines, dict(cells))
            lines, cells = [], {}
        lines.extend(block.lines)
        for field, column in block.cells.items():
            cells.setdefault(field, []).extend(column)
    if lines:
        yield Block(lines, dict(cells))


def tidied(
    blocks: Iterable[Block], raw: Raw, finish: Callable[[Block, Cells], None]
) -> Iterator[Block]:
    """Blocks with times in UTC and money as plain numbers; `finish` completes the cells of each."""
    times = {"started": Times(), "submitted": Times()}
    money = Money(raw.currency)
    for block in blocks:
        cells: Cells = dict(block.cells)
        if "reward" in cells:
            cells["reward"] = list(map(money.__getitem__, cells["reward"]))
        for field, known in times.items():
            if field in cells:
                cells[field] = known.read(cells[field], block.lines)
        finish(block, cells)
        yield Block(block.lines, cells)
    raw.notes += notes_on_times(times, raw.bad)
