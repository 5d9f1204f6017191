r"""Long tables, one row per case, judgment or decision: CSV, TSV or JSONL, auto-detected.

A first line that begins with "{" means JSONL; else the first line is the header, and a tab in it
means TSV. Columns are found by their titles in any order, or by the titles a user maps them to.

Rows come in blocks of columns, so that what reads them can work on thousands of cells at once: for
ten million judgments a Python loop over rows would take longer than everything else. A block
without quotes is split at its commas; one with quotes goes through the csv module; only where that
fails, or cells hold line breaks, are its records read one by one, each with its line.
"""

from __future__ import annotations

import math
import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, compress
from typing import Any, NamedTuple

from jurybox.errors import Column, UsageError, near_name, plural, unknown_name
from jurybox.formats._io import Source, as_input
from jurybox.formats.given_values import as_word_map
from jurybox.formats.tables._lines import (
    DELIMITERS,
    FORMS,
    ROWS_AT_ONCE,
    BadCells,
    Form,
    Lines,
    NotJsonError,
    Records,
    TextPiece,
    as_text,
    check_form,
    encode_json,
    find_stray,
    is_plain,
    is_text,
    parse_at_once,
    parse_object,
    read_pieces,
    split_quoted,
    write_lines,
    write_objects,
    write_table,
)
from jurybox.formats.tables.memory_tables import MemoryTable

#: what tables are separated by that we do not guess at: text is full of all of them
OTHER_SEPARATORS = (";", "|", "^", "~", " ")
#: words of a header that is separated by blanks
OURS = {"case", "label"}
LIST_AT_MOST = 12
_JSON_LIST = re.compile(r"\s*\[\s*(?:$|[{\[])")  # no title of a column begins like that


def explain_no_table(first: str) -> tuple[str, Column | None] | None:
    """What is wrong with a first line that begins no table and no JSONL."""
    if not first:
        return "holds no table; the first line names the columns, as 'case,label'", None
    if stray := find_stray_title(first):
        return stray
    if "\r" in first and '"' not in first:
        column = Column(1, character=first.index("\r") + 1)
        return "lines end with CR alone; convert the line ends to LF", column
    if _JSON_LIST.match(first):
        return "a JSON list; write one object per line (JSONL)", Column(first.index("[") + 1)
    return None


def find_stray_title(header: str) -> tuple[str, Column] | None:
    """What to say of a byte in a header that is not UTF-8, and where it stands."""
    stray = find_stray(header)
    if stray is None:
        return None
    delimiter = DELIMITERS["tsv" if "\t" in header else "csv"]
    number = header[: stray.character].count(delimiter) + 1
    return stray.message, Column(number, character=stray.character)


def wrong_separator(titles: Sequence[str], least: int = 3) -> tuple[str, Column] | None:
    """What to say of a header that is separated by something else, and where that stands first.

    A sign that would make fewer than `least` columns is taken for text.

    >>> wrong_separator(["case;rater;label"])[1]
    Column(number=1, title='', character=5, last=0)
    """
    if len(titles) != 1:
        return None
    for sign in OTHER_SEPARATORS:
        words = titles[0].split(sign)
        if len(words) >= least and (sign != " " or set(titles[0].lower().split()) >= OURS):
            name = "a blank" if sign == " " else f"'{sign}'"
            message = (
                f"columns are separated by {name}; separate them by commas or tabs (the titles "
                f"are: {listed(words)})"
            )
            return message, Column(1, character=len(words[0]) + 1)
    return None


def explain_no_columns(
    fields: Sequence[str], titles: Sequence[str], *, can_map: bool = True
) -> str:
    """What to say of columns that are not there.

    >>> explain_no_columns(["score"], ["system", "F"], can_map=False)
    "no column 'score'; the columns are: system, F; rename one"
    """
    several = len(fields) > 1
    names = ", ".join(f"'{field}'" for field in fields)
    message = (
        f"no column{'s' if several else ''} {names}; the columns are: {listed(titles)}; "
        f"rename {'some' if several else 'one'}"
    )
    if not can_map:
        return message
    pairs = ",".join(f"{field}=COLUMN" for field in fields)
    return f"{message}, or say which {'hold them' if several else 'holds it'} with --columns {pairs}"


def listed(titles: Sequence[str]) -> str:
    """Some titles, for a message."""
    return ", ".join(titles[:LIST_AT_MOST]) + (", …" if len(titles) > LIST_AT_MOST else "")


def explain_width(cells: Sequence[str], width: int, delimiter: str) -> tuple[str, int]:
    """What is wrong with a row that is too short or too long, and its first such column."""
    found = len(cells)
    what = f"{plural(found, 'cell')} where the header has {width}"
    if found > width:
        return f"{what}; put a cell that holds the separator into quotes", width + 1
    others = [sign for sign in (*DELIMITERS.values(), *OTHER_SEPARATORS[:-1]) if sign != delimiter]
    if found == 1 and (sign := next((s for s in others if cells[0].count(s) == width - 1), "")):
        name, right = ("'tab'" if each == "\t" else f"'{each}'" for each in (sign, delimiter))
        return f"{what}; is this line separated by {name}? The header has {right}", 2
    hint = "is the line, or the file, cut off here? A cell that holds a line break needs quotes"
    return f"{what}; {hint}", found + 1


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
        name_before, before = self._blocks[-1] if self._blocks else ("", ())
        if (
            isinstance(kept, range)
            and isinstance(before, range)
            and (name, kept.start) == (name_before, before.stop)
        ):
            self._blocks[-1] = (name, range(before.start, kept.stop))
        else:
            self._starts.append(self._rows)
            self._blocks.append((name, kept))
        self._rows += len(lines)

    def place(self, row: int) -> tuple[str, int]:
        """File and line."""
        block = bisect_right(self._starts, row) - 1
        name, lines = self._blocks[block]
        return name, lines[row - self._starts[block]]


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
    "only",
    "parse_object",
    "read_numbers",
    "write_lines",
    "write_objects",
    "write_table",
    "wrong_separator",
]


class Block(NamedTuple):
    """Some rows: the line each begins in, and their cells by field; an absent field has none."""

    lines: Sequence[int]
    cells: dict[str, Sequence[str]]


def only(block: Block, keep: Sequence[bool]) -> Block:
    """Some rows of a block."""
    cells: dict[str, Sequence[str]] = {
        field: list(compress(column, keep)) for field, column in block.cells.items()
    }
    return Block(list(compress(block.lines, keep)), cells)


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
        can_map: bool = True,  # whether the user could have named other columns, by --columns
    ) -> None:
        self.input = as_input(source)
        self.bad = BadCells(self.input.name)
        self.form: Form = "csv"
        self.head: dict[str, Any] = {}  # the first object of a JSONL file, if it names a schema
        self.unused: list[str] = []  # titles nobody asked for; complete when all blocks were read
        self._fields = tuple(fields)
        self._required = tuple(required)
        self._columns = as_word_map(columns, "columns")
        self._schema = schema
        self._can_map = can_map
        for field in self._columns:
            if field not in self._fields:
                message = str(unknown_name("column", field, self._fields))
                raise UsageError(f"--columns {field}={self._columns[field]}: {message}")

    @property
    def name(self) -> str:
        return self.input.name

    @property
    def mapped(self) -> bool:
        """Whether somebody said which columns are meant."""
        return bool(self._columns)

    def blocks(self) -> Iterator[Block]:
        """All rows, in the order of the file."""
        if isinstance(self.input, MemoryTable):
            places = self._find_columns(1, self.input.titles)
            for numbers, columns in self.input.blocks(list(places.values())):
                yield Block(numbers, dict(zip(places, columns, strict=True)))
            return
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
        self.bad.raise_first()  # a table without its header cannot be read
        places = self._find_columns(number, [title.strip() for title in titles])
        width = len(titles)
        while piece := lines.next_piece():
            numbers, columns = self._split(piece, lines, width)
            if numbers:
                yield Block(numbers, {field: columns[place] for field, place in places.items()})

    def _split(self, piece: TextPiece, lines: Lines, width: int) -> _Columns:
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
                title = self._columns[field]
                message = (
                    f"no column '{title}' (--columns {field}={title}){near_name(title, titles)}; "
                    f"the columns are: {listed(titles)}"
                )
                wrong.append((message, whole))
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

    def _objects(self, lines: Lines) -> Iterator[Block]:
        met: dict[str, None] = {}
        keys: dict[str, str] = {}
        is_first = True
        while piece := lines.next_piece():
            numbers, records = self._parse(piece)
            # an object that says what the file is instead of holding a row
            if (
                is_first
                and records
                and "schema" in records[0]
                and "case" not in self._find_keys(records[0])
            ):
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
                message = f"no line has the key '{key}' (--columns {field}={key}){hint}"
                self.bad.add(None, f"{message}; the keys are: {listed(list(met))}")

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

    def _parse(self, piece: TextPiece) -> tuple[Sequence[int], list[dict[str, Any]]]:
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
