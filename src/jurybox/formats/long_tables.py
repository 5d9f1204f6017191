r"""Long tables, one row per case, judgment or decision: CSV, TSV and JSONL, told by content.

A first line that begins with "{" means JSONL; else the first line is the header, and a tab in it
means TSV. Columns are found by their titles in any order, or by the titles a user maps them to.

Rows come in blocks of columns, so that what reads them can work on thousands of cells at once: for
ten million judgments a Python loop over rows would take longer than everything else. A block
without quotes is split at its commas; one with quotes goes through the csv module; only where that
fails, or cells hold line breaks, are its records read one by one, each with its line.
"""

from __future__ import annotations

import json
import math
import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from operator import methodcaller
from typing import Any, NamedTuple

from jurybox.errors import UsageError, near_name, unknown_name
from jurybox.formats._io import BadLines, Source, as_input
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
from jurybox.formats._pieces import Lines, Piece, Records, is_plain, read_pieces, split_quoted

__all__ = [
    "DELIMITERS",
    "FORMS",
    "ROWS_AT_ONCE",
    "Block",
    "Form",
    "LineIndex",
    "LongTable",
    "check_form",
    "encode_json",
    "is_text",
    "note_unused",
    "parse_object",
    "read_numbers",
    "write_lines",
    "write_table",
]

_DECODER = json.JSONDecoder()
_JSON_LIST = re.compile(r"\s*\[\s*(?:$|[{\[])")  # no title of a column begins like that
_ODD = re.compile(r'"\s+:|\\u')  # blanks behind a key; a character that may be half of one


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
    ) -> None:
        self.input = as_input(source)
        self.bad = BadLines(self.input.name)
        self.form: Form = "csv"
        self.head: dict[str, Any] = {}  # the first object of a JSONL file, if it names a schema
        self.unused: list[str] = []  # titles nobody asked for; complete when all blocks were read
        self._fields = tuple(fields)
        self._required = tuple(required)
        self._columns = dict(columns or {})
        self._schema = schema
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
        lines = Lines(read_pieces(self.input, self.bad))
        first = lines.skip_blank()
        if first is None:
            self.bad.add(None, "holds no table; the first line names the columns, as 'case,label'")
            self.bad.raise_first()
        elif "\r" in first and '"' not in first:
            self.bad.add(1, "lines end with CR alone; convert the line ends to LF")
            self.bad.raise_first()
        elif _JSON_LIST.match(first):
            self.bad.add(1, "a JSON list; write one object per line (JSONL)")
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
        if not titles:
            self.bad.raise_first()
        places = self._find_columns(number, [title.strip() for title in titles])
        width = len(titles)
        while piece := lines.next_piece():
            numbers, columns = self._split(piece, lines, width)
            if numbers:
                yield Block(numbers, {field: columns[place] for field, place in places.items()})

    def _split(self, piece: Piece, lines: Lines, width: int) -> _Columns:
        """The columns of a piece, and the line each row begins in."""
        delimiter = DELIMITERS[self.form]
        if '"' in piece.text or "\r" in piece.text:
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
                self.bad.add(number, _wrong_width(len(cells), width))
            if lines.at_end_of_piece:
                break
        return numbers, list(zip(*rows, strict=True))

    def _find_columns(self, number: int, titles: list[str]) -> dict[str, int]:
        """Field -> place of its column."""
        mapped = set(self._columns.values())
        places: dict[str, int] = {}
        wrong: list[str] = []  # all in one line: it is one bad line
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
                wrong.append(f"two columns are called '{titles[found[0]]}'; rename one")
            elif found:
                places[field] = found[0]
            elif field in self._columns:
                wrong.append(self._no_mapped_column(field, titles))
            elif field in self._required:
                missing.append(field)
        if missing:
            wrong.append(_no_columns(missing, titles))
        if wrong:
            self.bad.add(number, wrong[0])
            self.bad.raise_first()
        taken = set(places.values())
        self.unused = [t for i, t in enumerate(titles) if i not in taken and t]
        return places

    def _no_mapped_column(self, field: str, titles: list[str]) -> str:
        title = self._columns[field]
        return (
            f"no column '{title}' (--map {field}={title}){near_name(title, titles)}; "
            f"the columns are: {_listed(titles)}"
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
            cells: dict[str, Sequence[str]] = {}
            for field, key in keys.items():
                values: list[Any] = [record.get(key) for record in records]
                if set(map(type, values)) != {str}:
                    values = list(map(_as_text, values))
                cells[field] = values
            yield Block(numbers, cells)
        taken = set(keys.values())
        self.unused = [key for key in met if key not in taken]
        for field, key in self._columns.items():
            if met and key not in met:
                hint = near_name(key, met)
                self.bad.add(None, f"no line has the key '{key}' (--map {field}={key}){hint}")

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
        try:
            found = list(map(_DECODER.raw_decode, texts))
            ends = [end for _, end in found]
            records: list[dict[str, Any]] = [record for record, _ in found]
            are_whole = ends == list(map(len, texts)) and set(map(type, records)) == {dict}
            # as many ends of keys as keys: nothing is nested, and no key was given twice
            ends_of_keys = list(map(methodcaller("count", '":'), texts))
            are_flat = ends_of_keys == list(map(len, records)) and not _ODD.search(piece.text)
            if are_whole and are_flat:
                return piece.numbers, records
        except (ValueError, TypeError, RecursionError):
            pass  # one by one, to say which line it is
        good: list[tuple[int, dict[str, Any]]] = []
        for number, text in zip(piece.numbers, texts, strict=True):
            if not text or text.isspace():
                continue
            try:
                good.append((number, parse_object(text)))
            except ValueError as error:
                self.bad.add(number, str(error))
        return [number for number, _ in good], [record for _, record in good]

    def _take_head(self, number: int, record: dict[str, Any]) -> None:
        if record["schema"] != self._schema:
            found = _as_text(record["schema"])
            message = f"the file is {found}, not {self._schema}; was another file meant?"
            self.bad.add(number, message)
            self.bad.raise_first()
        self.head = record


_Columns = tuple[Sequence[int], Sequence[Sequence[str]]]


def _no_columns(fields: Sequence[str], titles: list[str]) -> str:
    if len(titles) == 1 and ";" in titles[0]:
        return "columns are separated by ';'; separate them by commas or tabs"
    pairs = ",".join(f"{field}=COLUMN" for field in fields)
    listed = _listed(titles)
    if len(fields) == 1:
        return (
            f"no column '{fields[0]}'; the columns are: {listed}; rename one, or say which holds "
            f"it with --map {pairs}"
        )
    names = ", ".join(f"'{field}'" for field in fields)
    return (
        f"no columns {names}; the columns are: {listed}; rename some, or say which hold them with "
        f"--map {pairs}"
    )


def _listed(titles: Sequence[str]) -> str:
    return ", ".join(titles[:12]) + (", …" if len(titles) > 12 else "")


def _wrong_width(found: int, width: int) -> str:
    cells = f"{found} cell{'s' if found != 1 else ''}"
    if found < width:
        hint = "is the line, or the file, cut off here? A cell that holds a line break needs quotes"
    else:
        hint = "put a cell that holds the separator into quotes"
    return f"{cells} where the header has {width}; {hint}"


def parse_object(text: str) -> dict[str, Any]:
    """One line of JSONL; ValueError says what is wrong with it."""
    try:
        record = json.loads(text, object_pairs_hook=_distinct)
    except json.JSONDecodeError as error:
        raise ValueError(
            f"not JSON: {error.msg} at column {error.colno}; one object a line"
        ) from None
    except RecursionError:
        raise ValueError("the JSON is nested too deep; one flat object a line") from None
    if not isinstance(record, dict):
        raise ValueError('not a JSON object; write {"case": …} on every line')
    if "\\u" in text and not is_text(encode_json(record)):
        raise ValueError("half a character (\\ud800 to \\udfff alone); write the text as UTF-8")
    return record


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        raise ValueError("a key is given twice in one object; keep one")
    return record


def _as_text(value: Any) -> str:
    """A JSON value as the cell of a CSV file would hold it."""
    if isinstance(value, str):
        return value
    if type(value) is int:
        return str(value)
    return "" if value is None else encode_json(value)


def read_numbers(block: Block, field: str, bad: BadLines) -> array[float]:
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


def _number(cell: str, field: str, line: int, bad: BadLines) -> float:
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
        bad.add(line, f"{field} '{text}' is not a finite number; write it as 0.25 or 1e-3")
    return value


class LineIndex:
    """Which line of which file a row came from, in little memory: lines mostly count on.

    >>> index = LineIndex()
    >>> index.add("a.csv", [2, 3, 4]); index.add("b.csv", [2, 5])
    >>> index.place(1), index.place(4)
    (('a.csv', 3), ('b.csv', 5))
    """

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._blocks: list[tuple[str, Sequence[int]]] = []
        self._rows = 0

    def add(self, name: str, lines: Sequence[int]) -> None:
        """The rows that follow begin in these lines."""
        count_on = lines[-1] - lines[0] + 1 == len(lines)
        kept = range(lines[0], lines[-1] + 1) if count_on else array("I", lines)
        if not self._goes_on(name, kept):
            self._starts.append(self._rows)
            self._blocks.append((name, kept))
        self._rows += len(lines)

    def _goes_on(self, name: str, lines: Sequence[int]) -> bool:
        """Whether the lines go on from the last ones; they are then one with them."""
        if not self._blocks or not isinstance(lines, range):
            return False
        name_before, before = self._blocks[-1]
        if name != name_before or not isinstance(before, range) or before.stop != lines.start:
            return False
        self._blocks[-1] = (name, range(before.start, lines.stop))
        return True

    def place(self, row: int) -> tuple[str, int]:
        """File and line."""
        block = bisect_right(self._starts, row) - 1
        name, lines = self._blocks[block]
        return name, lines[row - self._starts[block]]


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
