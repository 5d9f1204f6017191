r"""Long tables, one row per case, judgment or decision: CSV, TSV and JSONL, told by content.

A first line that begins with "{" means JSONL; else the first line is the header, and a tab in it
means TSV. Columns are found by their titles in any order, or by the titles a user maps them to.

Rows come in blocks of columns, so that what reads them can work on thousands of cells at once: for
ten million judgments a Python loop over rows would take longer than everything else. A block
without quotes is split at its commas; one with quotes goes through the csv module; only where that
fails, or cells hold line breaks, are its records read one by one, each with its line.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from jurybox.errors import Column, UsageError, near_name, unknown_name
from jurybox.formats._bad_cells import BadCells
from jurybox.formats._io import Source, as_input
from jurybox.formats._json_lines import NotJsonError, as_text, parse_at_once, parse_object
from jurybox.formats._line_index import LineIndex
from jurybox.formats._long_writing import (
    DELIMITERS,
    FORMS,
    ROWS_AT_ONCE,
    Form,
    check_form,
    encode_json,
    is_text,
    write_lines,
    write_table,
)
from jurybox.formats._pieces import (
    Lines,
    Piece,
    Records,
    is_plain,
    read_pieces,
    split_quoted,
)
from jurybox.formats._table_faults import (
    explain_no_columns,
    explain_no_table,
    explain_width,
    listed,
    wrong_separator,
)

__all__ = [
    "DELIMITERS",
    "FORMS",
    "ROWS_AT_ONCE",
    "Block",
    "Form",
    "LineIndex",
    "LongTable",
    "NotJsonError",
    "check_form",
    "encode_json",
    "is_text",
    "note_unused",
    "parse_object",
    "read_numbers",
    "write_lines",
    "write_table",
    "wrong_separator",
]


class Block(NamedTuple):
    """Some rows: the line each begins in, and their cells by field; an absent field has none."""

    lines: Sequence[int]
    cells: dict[str, Sequence[str]]


class LongTable:
    r"""A table whose columns are known by name, read once, block by block.

    `fields` are our names for columns; `columns` maps some of them to the titles of the file.
    Malformed rows go to `bad` and are left out: whoever reads the blocks raises them at the end.

    >>> from jurybox.formats import Input
    >>> source = Input.from_text("HITId,answer\nc1,ok\nc2,error\n")
    >>> table = LongTable(source, ("case", "label"), columns={"case": "HITId", "label": "answer"})
    >>> [block.cells for block in table.blocks()]
    [{'case': ['c1', 'c2'], 'label': ['ok', 'error']}]
    """

    def __init__(
        self,
        source: Source,
        fields: Sequence[str],
        *,
        required: Sequence[str] = ("case",),
        columns: Mapping[str, str] | None = None,
        schema: str = "",
        can_map: bool = True,  # whether the user could have named other columns, by --map
    ) -> None:
        self.input = as_input(source)
        self.bad = BadCells(self.input.name)
        self.form: Form = "csv"
        self.head: dict[str, Any] = {}  # the first object of a JSONL file, if it names a schema
        self.unused: list[str] = []  # titles nobody asked for; complete when all blocks were read
        self._fields = tuple(fields)
        self._required = tuple(required)
        self._columns = dict(columns or {})
        self._schema = schema
        self._can_map = can_map
        for field in self._columns:
            if field not in self._fields:
                message = str(unknown_name("column", field, self._fields))
                raise UsageError(f"--map {field}={self._columns[field]}: {message}")

    @property
    def name(self) -> str:
        return self.input.name

    @property
    def mapped(self) -> bool:
        """Whether somebody said which columns are meant."""
        return bool(self._columns)

    def blocks(self) -> Iterator[Block]:
        """All rows, in the order of the file."""
        lines = Lines(read_pieces(self.input))
        number, first = lines.skip_blank() or (1, "")
        if complaint := explain_no_table(first):
            self.bad.add(number if first else None, *complaint)
            self.bad.raise_first()
        elif first.lstrip().startswith("{"):
            self.form = "jsonl"
            yield from self._objects(lines)
        else:
            self.form = "tsv" if "\t" in first else "csv"
            yield from self._cells(lines)

    def _cells(self, lines: Lines) -> Iterator[Block]:
        header = Records(lines, DELIMITERS[self.form], self.bad)
        number, titles = next(iter(header), (1, []))
        self.bad.raise_first()  # nothing can be told of a table without its header
        places = self._find_columns(number, [title.strip() for title in titles])
        width = len(titles)
        while piece := lines.next_piece():
            numbers, columns = self._split(piece, lines, width)
            if numbers:
                yield Block(numbers, {field: columns[place] for field, place in places.items()})

    def _split(self, piece: Piece, lines: Lines, width: int) -> _Columns:
        """The columns of a piece, and the line each row begins in."""
        delimiter = DELIMITERS[self.form]
        if not piece.is_utf8:
            pass  # record by record, to say which columns
        elif '"' in piece.text or "\r" in piece.text:
            if columns := split_quoted(piece.text.split("\n"), delimiter, width):
                return piece.numbers, columns
        elif is_plain(piece, delimiter, width):
            cells = piece.text.replace("\n", delimiter).split(delimiter)
            return piece.numbers, [cells[place::width] for place in range(width)]
        lines.put_back(piece)
        return self._split_one_by_one(lines, width)

    def _split_one_by_one(self, lines: Lines, width: int) -> _Columns:
        """The same with cells that hold line breaks, blank lines and rows that are wrong.

        A record that is open at the end of the piece goes on in the next one, which then is
        read in the same way.
        """
        numbers: list[int] = []
        rows: list[list[str]] = []
        for number, cells in Records(lines, DELIMITERS[self.form], self.bad):
            if len(cells) == width:
                numbers.append(number)
                rows.append(cells)
            else:
                message, place = explain_width(cells, width, DELIMITERS[self.form])
                self.bad.add(number, message, self.bad.column(place))
            if lines.at_end_of_piece:
                break
        return numbers, list(zip(*rows, strict=True))

    def _find_columns(self, number: int, titles: list[str]) -> dict[str, int]:
        """Field -> place of its column."""
        mapped = set(self._columns.values())
        places: dict[str, int] = {}
        wrong: list[tuple[str, Column]] = []  # all in one line: it is one bad line
        whole = Column(1, last=len(titles))
        missing: list[str] = []
        for field in self._fields:
            if field in self._columns:
                found = [i for i, title in enumerate(titles) if title == self._columns[field]]
            else:
                found = [
                    i
                    for i, title in enumerate(titles)
                    if title.lower() == field and title not in mapped
                ]
            if len(found) > 1:
                message = f"two columns are called '{titles[found[0]]}'; rename one"
                wrong.append((message, Column(found[1] + 1, titles[found[1]])))
            elif found:
                places[field] = found[0]
            elif field in self._columns:
                wrong.append((self._no_mapped_column(field, titles), whole))
            elif field in self._required:
                missing.append(field)
        if missing:
            message = explain_no_columns(missing, titles, can_map=self._can_map)
            wrong.append(wrong_separator(titles, least=2) or (message, whole))
        if wrong:
            self.bad.add(number, *wrong[0])
            self.bad.raise_first()
        self.bad.know(titles, places)
        taken = set(places.values())
        self.unused = [t for i, t in enumerate(titles) if i not in taken and t]
        return places

    def _no_mapped_column(self, field: str, titles: list[str]) -> str:
        title = self._columns[field]
        return (
            f"no column '{title}' (--map {field}={title}){near_name(title, titles)}; "
            f"the columns are: {listed(titles)}"
        )

    def _objects(self, lines: Lines) -> Iterator[Block]:
        met: dict[str, None] = {}
        keys: dict[str, str] = {}
        is_first = True
        while piece := lines.next_piece():
            numbers, records = self._parse(piece)
            if is_first and records and self._is_head(records[0]):
                self._take_head(numbers[0], records[0])
                numbers, records = numbers[1:], records[1:]
            is_first = False
            if not records:
                continue
            before = len(met)
            met.update(dict.fromkeys(chain.from_iterable(records)))
            if len(met) > before:
                keys = self._find_keys(met)
                self.bad.columns = {field: Column(title=key) for field, key in keys.items()}
            cells: dict[str, Sequence[str]] = {}
            for field, key in keys.items():
                values: list[Any] = [record.get(key) for record in records]
                if set(map(type, values)) != {str}:
                    values = list(map(as_text, values))
                cells[field] = values
            yield Block(numbers, cells)
        taken = set(keys.values())
        self.unused = [key for key in met if key not in taken]
        for field, key in self._columns.items():
            if met and key not in met:
                hint = near_name(key, met)
                message = f"no line has the key '{key}' (--map {field}={key}){hint}"
                self.bad.add(None, f"{message}; the keys are: {listed(list(met))}")

    def _is_head(self, record: dict[str, Any]) -> bool:
        """Whether an object says what the file is instead of holding a row."""
        return "schema" in record and "case" not in self._find_keys(record)

    def _find_keys(self, met: Mapping[str, Any]) -> dict[str, str]:
        """Field -> the key that holds it; as with titles of columns, capitals do not matter."""
        mapped = set(self._columns.values())
        keys: dict[str, str] = {}
        for field in self._fields:
            if field in self._columns:
                found = [key for key in met if key == self._columns[field]]
            else:
                found = [key for key in met if key.lower() == field and key not in mapped]
            if len(found) > 1:
                self.bad.add(None, f"two keys mean '{field}': {' and '.join(found)}; rename one")
                self.bad.raise_first()
            if found:
                keys[field] = found[0]
        return keys

    def _parse(self, piece: Piece) -> tuple[Sequence[int], list[dict[str, Any]]]:
        texts = piece.text.split("\n")
        if piece.is_utf8 and (records := parse_at_once(piece.text, texts)):
            return piece.numbers, records
        good: list[tuple[int, dict[str, Any]]] = []
        for number, text in zip(piece.numbers, texts, strict=True):
            if not text or text.isspace():
                continue
            try:
                good.append((number, parse_object(text)))
            except NotJsonError as error:
                self.bad.add(number, error.message, error.column)
        return [number for number, _ in good], [record for _, record in good]

    def _take_head(self, number: int, record: dict[str, Any]) -> None:
        if record["schema"] != self._schema:
            found = as_text(record["schema"])
            message = f"the file is {found}, not {self._schema}; was another file meant?"
            self.bad.add(number, message)
            self.bad.raise_first()
        self.head = record


_Columns = tuple[Sequence[int], Sequence[Sequence[str]]]


def read_numbers(block: Block, field: str, bad: BadCells) -> array[float]:
    """A column of finite numbers; nan for an empty cell."""
    cells = block.cells[field]
    joined = "".join(cells)
    if "_" not in joined and joined.isascii():  # float() takes 1_0 and digits of any script
        try:
            values = array("d", map(float, cells))
        except ValueError:
            pass  # one by one, to say which line it is
        else:
            if all(map(math.isfinite, values)):
                return values
    by_row = zip(block.lines, cells, strict=True)
    return array("d", (_number(cell, field, line, bad) for line, cell in by_row))


def _number(cell: str, field: str, line: int, bad: BadCells) -> float:
    text = cell.strip()
    if not text:
        return math.nan
    value = math.nan
    if "_" not in text and text.isascii():
        try:
            value = float(text)
        except ValueError:
            value = math.nan
    if not math.isfinite(value):
        message = f"{field} '{text[:40]}' is not a finite number; write it as 0.25 or 1e-3"
        bad.add(line, message, field)
    return value


def note_unused(table: LongTable, ours: Sequence[str] = ()) -> str:
    """Which columns were not looked at; nothing where columns were mapped on purpose.

    Columns of `ours` are there for other commands: they are no sign of a misspelt title.
    """
    unused = [title for title in table.unused if title.lower() not in ours]
    if not unused or table.mapped:
        return ""
    shown = ", ".join(unused[:8]) + (", …" if len(unused) > 8 else "")
    noun = "column" if table.form != "jsonl" else "key"
    if len(unused) == 1:
        return f"{table.name}: the {noun} {shown} is not used"
    return f"{table.name}: the {noun}s {shown} are not used"
