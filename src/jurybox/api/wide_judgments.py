"""Tables with a row per case and a column per rater, made long.

They are read only where that is asked for (`--input-format wide`): a table of numbers can as well
hold how many raters gave each label.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from jurybox.errors import FormatError
from jurybox.formats import Input

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
        self._name = source.name
        numbered = list(source.lines())
        self._numbers = [number for number, _ in numbered]
        lines = [text for _, text in numbered]
        self._rows = csv.reader(lines, delimiter="\t" if lines and "\t" in lines[0] else ",")
        self._titles = [title.strip() for title in next(self._rows, [])]
        if len(set(self._titles)) < len(self._titles):
            raise self.complain(1, "two columns have the same title")
        self.columns = [title for title in self._titles[1:] if title.lower() not in BESIDE]
        self.beside = [title for title in self._titles[1:] if title.lower() in BESIDE]

    def complain(self, line: int, message: str) -> FormatError:
        return FormatError(message, path=self._name, line=line)

    def rows(self) -> Iterator[WideRow]:
        for row in self._rows:
            if not any(map(str.strip, row)):
                continue
            line = self._numbers[self._rows.line_num - 1]
            if len(row) != len(self._titles):
                raise self.complain(line, f"{len(row)} cells, but {len(self._titles)} titles")
            cells = {t: cell.strip() for t, cell in zip(self._titles, row, strict=True)}
            beside = tuple(cells[title] for title in self.beside)
            yield WideRow(line, row[0].strip(), {t: cells[t] for t in self.columns}, beside)

    def lengthened(self, judgments: Iterator[Sequence[str]], name: str = "") -> Input:
        """The same as a long table; `judgments` are case, rater, label and what is beside."""
        out = io.StringIO()
        write = csv.writer(out, lineterminator="\n")
        write.writerow(("case", "rater", "label", *map(str.lower, self.beside)))
        write.writerows(judgments)
        return Input.from_text(out.getvalue(), name or self._name)


def lengthen(source: Input) -> Input:
    r"""The same judgments, one a line; an empty cell is none. The first column names the cases.

    >>> table = lengthen(Input.from_text("unit,Ann,Bob,gold\n1,ok,,ok\n2,ok,error,\n"))
    >>> [line for _, line in table.lines()]
    ['case,rater,label,gold', '1,Ann,ok,ok', '2,Ann,ok,', '2,Bob,error,']
    """
    table = WideTable(source)
    if not table.columns:
        raise table.complain(1, "a wide table has a column for the case and one for each rater")
    judgments = (
        (row.case, rater, label, *row.beside)
        for row in table.rows()
        for rater, label in row.cells.items()
        if label
    )
    # lines that are told from here on are not those of the file
    return table.lengthened(judgments, f"{source.name} (made long)")
