r"""Long tables, one row per case, judgment or decision: CSV, TSV and JSONL, told by content.

A first line that begins with "{" means JSONL; else the first line is the header, and a tab in it
means TSV. Columns are found by their titles in any order, or by the titles a user maps them to.

Rows come in blocks of columns, so that what reads them can work on thousands of cells at once: for
ten million judgments a Python loop over rows would take longer than everything else. A block
without quotes is split at its commas; one with quotes goes through the csv module; only where that
fails, or cells hold line breaks, are its records read one by one, each with its line.
"""

from __future__ import annotations

import csv
import json
import math
import re
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from operator import methodcaller
from typing import Any, Literal, NamedTuple

from jurybox.errors import FormatError, InputError, UsageError, near_name, unknown_name
from jurybox.formats._io import (
    BOM,
    STDIN,
    BadLines,
    Input,
    Source,
    as_input,
    decode_one_by_one,
)

Form = Literal["csv", "tsv", "jsonl"]
FORMS: tuple[Form, ...] = ("csv", "tsv", "jsonl")
DELIMITERS: dict[str, str] = {"csv": ",", "tsv": "\t"}
_ALL_BUT = {
    sign: bytes(set(range(256)) - set(f"{sign}\n".encode())) for sign in DELIMITERS.values()
}
# few enough that all cells stay in the processor's cache
PIECE = 1 << 15
ROWS_AT_ONCE = 1024
_DECODER = json.JSONDecoder()
_ODD = re.compile(r'"\s+:|\\u')  # blanks behind a key; a character that may be half of one
#: JSON with characters as they are; made once, since json.dumps makes one every time
encode_json = json.JSONEncoder(ensure_ascii=False).encode


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
        lines = _Lines(_read_pieces(self.input, self.bad))
        first = lines.skip_blank()
        if first is None:
            self.bad.add(None, "holds no table; the first line names the columns, as 'case,label'")
            self.bad.raise_first()
        elif "\r" in first and '"' not in first:
            self.bad.add(1, "lines end with CR alone; convert the line ends to LF")
            self.bad.raise_first()
        elif first.lstrip().startswith("{"):
            self.form = "jsonl"
            yield from self._objects(lines)
        else:
            self.form = "tsv" if "\t" in first else "csv"
            yield from self._cells(lines)

    def _cells(self, lines: _Lines) -> Iterator[Block]:
        header = _Records(lines, DELIMITERS[self.form], self.bad)
        number, titles = next(iter(header), (1, []))
        if not titles:
            self.bad.raise_first()
        places = self._find_columns(number, [title.strip() for title in titles])
        width = len(titles)
        while piece := lines.next_piece():
            numbers, columns = self._split(piece, lines, width)
            if numbers:
                yield Block(numbers, {field: columns[place] for field, place in places.items()})

    def _split(self, piece: _Piece, lines: _Lines, width: int) -> _Columns:
        """The columns of a piece, and the line each row begins in."""
        delimiter = DELIMITERS[self.form]
        if '"' in piece.text or "\r" in piece.text:
            if columns := _split_quoted(piece.text.split("\n"), delimiter, width):
                return piece.numbers, columns
        elif _is_plain(piece, delimiter, width):
            cells = piece.text.replace("\n", delimiter).split(delimiter)
            return piece.numbers, [cells[place::width] for place in range(width)]
        lines.put_back(piece)
        return self._split_one_by_one(lines, width)

    def _split_one_by_one(self, lines: _Lines, width: int) -> _Columns:
        """The same with cells that hold line breaks, blank lines and rows that are wrong.

        A record that is open at the end of the piece goes on in the next one, which then is
        read in the same way.
        """
        numbers: list[int] = []
        rows: list[list[str]] = []
        for number, cells in _Records(lines, DELIMITERS[self.form], self.bad):
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
        bad_before = self.bad.count  # lines after the header that are not UTF-8
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
                self.bad.add(number, f"two columns are called '{titles[found[0]]}'; rename one")
            elif found:
                places[field] = found[0]
            elif field in self._columns or field in self._required:
                self.bad.add(number, self._no_column(field, titles))
        if self.bad.count > bad_before:
            self.bad.raise_first()
        taken = set(places.values())
        self.unused = [t for i, t in enumerate(titles) if i not in taken and t]
        return places

    def _no_column(self, field: str, titles: list[str]) -> str:
        if titles and titles[0].startswith("["):
            return "a JSON list; write one object per line (JSONL)"
        if len(titles) == 1 and ";" in titles[0]:
            return "columns are separated by ';'; separate them by commas or tabs"
        shown = ", ".join(titles[:12]) + (", …" if len(titles) > 12 else "")
        title = self._columns.get(field)
        if title is not None:
            return (
                f"no column '{title}' (--map {field}={title}){near_name(title, titles)}; "
                f"the columns are: {shown}"
            )
        return (
            f"no column '{field}'; the columns are: {shown}; rename one, or say which holds it "
            f"with --map {field}=COLUMN"
        )

    def _objects(self, lines: _Lines) -> Iterator[Block]:
        keys = {field: self._columns.get(field, field) for field in self._fields}
        met: dict[str, None] = {}
        is_first = True
        while piece := lines.next_piece():
            numbers, records = self._parse(piece)
            if is_first and records and "schema" in records[0] and keys["case"] not in records[0]:
                self._take_head(numbers[0], records[0])
                numbers, records = numbers[1:], records[1:]
            is_first = False
            if not records:
                continue
            met.update(dict.fromkeys(chain.from_iterable(records)))
            cells: dict[str, Sequence[str]] = {}
            for field, key in keys.items():
                if key in met:
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

    def _parse(self, piece: _Piece) -> tuple[Sequence[int], list[dict[str, Any]]]:
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


class _Piece(NamedTuple):
    """Whole lines in one string, without the last line end, and their numbers."""

    numbers: Sequence[int]
    text: str


_Columns = tuple[Sequence[int], Sequence[Sequence[str]]]


class _Lines:
    """The lines of a file, taken piece by piece or one by one."""

    def __init__(self, pieces: Iterator[_Piece]) -> None:
        self._pieces = pieces
        self._numbers: Sequence[int] = ()  # of the piece whose lines are being taken
        self._texts: list[str] = []
        self._next = 0

    @property
    def at_end_of_piece(self) -> bool:
        return self._next == len(self._texts)

    def next_piece(self) -> _Piece | None:
        """What is left of the current piece, or the next one."""
        if self.at_end_of_piece:
            return next(self._pieces, None)
        rest = _Piece(self._numbers[self._next :], "\n".join(self._texts[self._next :]))
        self._next = len(self._texts)
        return rest

    def put_back(self, piece: _Piece) -> None:
        self._numbers, self._texts, self._next = piece.numbers, piece.text.split("\n"), 0

    def next_line(self) -> tuple[int, str] | None:
        if self.at_end_of_piece:
            piece = next(self._pieces, None)
            if piece is None:
                return None
            self.put_back(piece)
        self._next += 1
        return self._numbers[self._next - 1], self._texts[self._next - 1]

    def skip_blank(self) -> str | None:
        """The first line that is not blank, which is then the next to be taken."""
        while line := self.next_line():
            if line[1].strip():
                self._next -= 1
                return line[1]
        return None


def _read_pieces(given: Input, bad: BadLines) -> Iterator[_Piece]:
    """The text of a source as `Input.lines` understands it, a few thousand lines at a time."""
    number = offset = 0
    for stored in chain.from_iterable(map(_cut, given.whole_lines())):
        chunk = stored.removeprefix(BOM) if not offset else stored
        offset += len(stored) - len(chunk)
        lines = chunk.count(b"\n") + (not chunk.endswith(b"\n"))
        numbers: Sequence[int] = range(number + 1, number + lines + 1)
        try:
            text = chunk.replace(b"\r\n", b"\n").removesuffix(b"\n").decode()
        except UnicodeDecodeError:
            found = list(zip(numbers, decode_one_by_one(chunk, number, offset, bad), strict=True))
            numbers = [each for each, line in found if line is not None]
            text = "\n".join(line for _, line in found if line is not None)
        offset += len(chunk)
        number += lines
        if numbers:
            yield _Piece(numbers, text)
    if not number:
        hint = "; was '-' given twice, or nothing piped in?" if given.name == STDIN else ""
        raise FormatError(f"is empty{hint}", path=given.name)


def _cut(chunk: bytes) -> Iterator[bytes]:
    start = 0
    while start < len(chunk):
        end = chunk.find(b"\n", start + PIECE) + 1 or len(chunk)
        yield chunk[start:end]
        start = end


class _Records:
    """Records of CSV with quotes, and the line each begins in; broken ones go to `bad`."""

    def __init__(self, lines: _Lines, delimiter: str, bad: BadLines) -> None:
        self._lines = lines
        self._bad = bad
        self._begun: int | None = None
        self._reader = csv.reader(self._feed(), delimiter=delimiter, strict=True)

    def _feed(self) -> Iterator[str]:
        while line := self._lines.next_line():
            if self._begun is None:
                self._begun = line[0]
            yield f"{line[1]}\n"

    def __iter__(self) -> Iterator[tuple[int, list[str]]]:
        while True:
            self._begun = None
            try:
                cells = next(self._reader)
            except StopIteration:
                return
            except csv.Error as error:
                self._bad.add(self._begun, _explain(str(error)))
                continue
            if self._begun is not None and (len(cells) > 1 or "".join(cells).strip()):
                yield self._begun, cells


def _is_plain(piece: _Piece, delimiter: str, width: int) -> bool:
    """Whether every line has the right number of cells and none is blank.

    All other signs deleted, the text must be the same signs line after line.
    """
    if width == 1 and not all(map(str.strip, piece.text.split("\n"))):
        return False
    signs = piece.text.encode().translate(None, _ALL_BUT[delimiter])
    of_a_line = delimiter.encode() * (width - 1)
    return signs == b"\n".join([of_a_line] * len(piece.numbers))


def _split_quoted(texts: Sequence[str], delimiter: str, width: int) -> list[list[str]]:
    """The columns if every line is one whole record of the right width; else nothing."""
    reader = csv.reader(texts, delimiter=delimiter, strict=True)
    cells: list[str] = []
    try:
        while rows := list(islice(reader, ROWS_AT_ONCE)):
            if set(map(len, rows)) != {width}:
                return []
            cells.extend(chain.from_iterable(rows))
    except csv.Error:
        return []
    if len(cells) != len(texts) * width:
        return []
    return [cells[place::width] for place in range(width)]


def _explain(error: str) -> str:
    if "field limit" in error or "unexpected end" in error:
        return 'a quote that opens here is not closed; write " inside a cell as ""'
    if "new-line" in error:
        return "a carriage return inside a cell; put the cell into quotes"
    return f'quotes are not right here ({error}); quote whole cells and write " in them as ""'


def _wrong_width(found: int, width: int) -> str:
    cells = f"{found} cell{'s' if found != 1 else ''}"
    return f"{cells} where the header has {width}; put a cell that holds the separator into quotes"


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


def is_text(text: str) -> bool:
    """Whether text can be written as UTF-8: it holds no half character."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


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
        self._starts.append(self._rows)
        self._blocks.append((name, kept))
        self._rows += len(lines)

    def place(self, row: int) -> tuple[str, int]:
        """File and line."""
        from bisect import bisect_right

        block = bisect_right(self._starts, row) - 1
        name, lines = self._blocks[block]
        return name, lines[row - self._starts[block]]


def write_table(titles: Sequence[str], rows: Iterable[Sequence[str]], out: Any, form: str) -> None:
    """CSV or TSV: a header, then one line per row, cells quoted where they need it."""
    delimiter = DELIMITERS[form]
    out.write(delimiter.join(titles) + "\n")
    rows = iter(rows)
    number = 0
    while batch := [delimiter.join(map(_quoted, row)) for row in islice(rows, ROWS_AT_ONCE)]:
        write_lines(batch, out, number)
        number += len(batch)


def write_lines(lines: Sequence[str], out: Any, before: int = 0) -> None:
    """Lines, all of them whole characters; `before` rows were written already."""
    text = "\n".join(lines)
    if not is_text(text):
        row = next(i for i, line in enumerate(lines, before + 1) if not is_text(line))
        message = "holds half a character (U+D800 to U+DFFF); decode the text as UTF-8"
        raise InputError(f"row {row} {message}")
    out.write(f"{text}\n")


def check_form(form: str, forms: Sequence[str] = FORMS) -> None:
    if form not in forms:
        raise unknown_name("form", form, forms)


def _quoted(cell: str) -> str:
    # both separators: a table of one column does not show which one it has
    if not any(sign in cell for sign in ',\t"\r\n'):
        return cell
    if "\r\n" in cell:
        raise InputError(f"{cell!r} holds CR LF, which a table cannot keep; write JSONL")
    return '"' + cell.replace('"', '""') + '"'


def note_unused(table: LongTable) -> str:
    """Which columns were not looked at; nothing where columns were mapped on purpose."""
    if not table.unused or table.mapped:
        return ""
    shown = ", ".join(table.unused[:8]) + (", …" if len(table.unused) > 8 else "")
    noun = "column" if table.form != "jsonl" else "key"
    if len(table.unused) == 1:
        return f"{table.name}: the {noun} {shown} is not used"
    return f"{table.name}: the {noun}s {shown} are not used"
