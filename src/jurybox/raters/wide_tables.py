"""Tables with a row per case and a column per rater, or a column per label, made long.

They are read only where that is asked for. The cells of `--input-format wide` are labels. Those of
`--input-format counts` say how many raters gave each label, as published agreement data often do
(Fleiss 1971): who gave which label is not known, so nothing can be said of pairs of raters.
"""

from __future__ import annotations

import csv
import io
from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from jurybox.errors import Column, FormatError, UsageError, name_line
from jurybox.formats import Input, as_inputs
from jurybox.formats._io import BadLines
from jurybox.formats.tables.long_tables import (
    DELIMITERS,
    Lines,
    Records,
    explain_no_table,
    explain_width,
    wrong_separator,
)
from jurybox.model import JudgmentTable

#: columns that go along with every judgment of their row: they are nobody's labels
BESIDE = ("gold", "batch")


class WideRow(NamedTuple):
    """A case, the cells of its columns by title, and what goes along with them."""

    line: int
    case: str
    cells: dict[str, str]
    beside: tuple[str, ...]  # in the order of `WideTable.beside`


class WideTable:
    """A table whose first column names the cases, row by row."""

    def __init__(self, source: Input) -> None:
        self._bad = BadLines(source.name)
        lines = Lines(source)
        number, first = lines.skip_blank() or (1, "")
        if complaint := explain_no_table(first):
            raise self.complain(number, *complaint)
        self._delimiter = DELIMITERS["tsv" if "\t" in first else "csv"]
        self._records = iter(Records(lines, self._delimiter, self._bad))
        number, titles = next(self._records, (1, []))
        self._bad.raise_first()
        self.titles = [title.strip() for title in titles]
        self._bad.titles = self.titles
        if complaint := wrong_separator(self.titles, least=2):
            raise self.complain(number, *complaint)
        for place, title in enumerate(self.titles):
            if title in self.titles[:place]:
                message = f"two columns are called '{title}'; rename one"
                raise self.complain(number, message, self._bad.column(place + 1))
        self.columns = [title for title in self.titles[1:] if title.lower() not in BESIDE]
        self.beside = [title for title in self.titles[1:] if title.lower() in BESIDE]

    @property
    def name(self) -> str:
        return self._bad.name

    def complain(self, line: int, message: str, column: Column | str | None = None) -> FormatError:
        """An error about a line; a column can be given by its title."""
        if isinstance(column, str):
            column = self._bad.column(self.titles.index(column) + 1)
        return FormatError(message, path=self._bad.name, line=line, column=column)

    def rows(self) -> Iterator[WideRow]:
        """Row by row; what is malformed is raised at the end."""
        for line, row in self._records:
            if not any(map(str.strip, row)):
                continue
            if len(row) != len(self.titles):
                message, place = explain_width(row, len(self.titles), self._delimiter)
                self._bad.add(line, message, self._bad.column(place))
                continue
            if not row[0].strip():
                message = "empty; the first column names the case: fill it in"
                self._bad.add(line, message, self._bad.column(1))
            cells = {t: cell.strip() for t, cell in zip(self.titles, row, strict=True)}
            beside = tuple(cells[title] for title in self.beside)
            yield WideRow(line, row[0].strip(), {t: cells[t] for t in self.columns}, beside)
        self._bad.raise_first()

    def lengthened(
        self, judgments: Iterable[tuple[int, str, Sequence[str]]], name: str = ""
    ) -> Input:
        """The same as a long table; a judgment has a line, the title of its column and its cells.

        Its cells are case, rater, label, and what is beside them.
        """
        out = io.StringIO()
        write = csv.writer(out, lineterminator="\n")
        write.writerow(("case", "rater", "label", *map(str.lower, self.beside)))
        places = {title: number for number, title in enumerate(self.titles, 1)}
        lines, columns = array("I", [0, 1]), array("I", [0, 0])
        for line, title, cells in judgments:
            write.writerow(cells)
            lines.append(line)
            columns.append(places[title])
        return MadeLong(out.getvalue(), name or self._bad.name, self._bad, lines, columns)


class MadeLong(Input):
    """A long table in memory, and where each of its lines stands in the file it was made of."""

    def __init__(
        self, text: str, name: str, own: BadLines, lines: array[int], columns: array[int]
    ) -> None:
        super().__init__(name)
        self._data = text.encode()
        self._own, self._lines, self._columns = own, lines, columns

    def own_error(self, error: FormatError, line: int) -> FormatError:
        """The error with file, line and column of the table that this one was made of."""
        title = "" if error.column is None else error.column.title
        own_titles = [own.lower() for own in self._own.titles]
        if title == "label":
            number = self._columns[line]
        else:
            number = own_titles.index(title) + 1 if title in BESIDE else 1
        # further complaints name lines of the long table: they are only counted
        message, *further = error.message.split("\n")
        return FormatError(
            message,
            path=self._own.name,
            line=self._lines[line],
            column=self._own.column(number),
            more=error.more + len(further),
        )


def with_own_line(error: FormatError, sources: Iterable[Input]) -> FormatError:
    """An error about a table that was made long, with the line of the file instead."""
    for each in sources:
        if isinstance(each, MadeLong) and each.name == error.path and error.line is not None:
            return each.own_error(error, error.line)
    return error


def lengthen(source: Input) -> Input:
    r"""The same judgments, one a line; an empty cell is none. The first column names the cases.

    >>> table = lengthen(Input.from_text("unit,Ann,Bob,gold\n1,ok,,ok\n2,ok,error,\n"))
    >>> [line for _, line in table.lines()]
    ['case,rater,label,gold', '1,Ann,ok,ok', '2,Ann,ok,', '2,Bob,error,']
    """
    table = WideTable(source)
    if not table.columns:
        raise table.complain(
            1,
            "a wide table has a column for the case and one for each rater; add the raters",
            Column(1, last=len(table.titles)),
        )
    judgments = (
        (row.line, rater, (row.case, rater, label, *row.beside))
        for row in table.rows()
        for rater, label in row.cells.items()
        if label
    )
    # lines in messages from here on are not those of the file: `with_own_line`
    return table.lengthened(judgments, f"{source.name} (made long)")


# --- how many raters gave each label ---


def lengthen_counts(given: Any) -> list[Input]:
    r"""A row per case, a column per label, cells that count raters; the first column names cases.

    >>> [table] = lengthen_counts(Input.from_text("case,ok,error\n1,2,0\n2,1,1\n"))
    >>> [line for _, line in table.lines()]
    ['case,rater,label', '1,1,ok', '1,2,ok', '2,1,ok', '2,2,error']
    """
    if isinstance(given, JudgmentTable):
        raise UsageError("--input-format counts: only a file or a table with titles holds counts")
    found = []
    for source in as_inputs(given, "judgments"):
        table = WideTable(source)
        if len(table.columns) < 2:
            raise table.complain(
                1,
                "a table of counts has a column for the case and one for each label; add the "
                "labels",
                Column(1, last=len(table.titles)),
            )
        found.append(table.lengthened(_counted(table)))
    return found


def _counted(table: WideTable) -> Iterator[tuple[int, str, Sequence[str]]]:
    lines: dict[str, int] = {}
    for row in table.rows():
        if lines.setdefault(row.case, row.line) != row.line:
            before = name_line(table.name, lines[row.case])
            message = f"case '{row.case}' is also in {before}; add the two rows up"
            raise table.complain(row.line, message, table.titles[0])
        rater = 0
        for label, cell in row.cells.items():
            if cell and not cell.isdecimal():
                message = f"'{cell[:40]}' is no number of raters; write it as 3"
                raise table.complain(row.line, message, label)
            for _ in range(int(cell or 0)):
                rater += 1
                yield row.line, label, (row.case, str(rater), label, *row.beside)
