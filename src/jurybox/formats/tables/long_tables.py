r"""Long tables, one row per case, judgment or decision: CSV, TSV or JSONL, read and written.

A first line that begins with "{" means JSONL; else the first line is the header, and a tab in it
means TSV. Columns are found by their titles in any order, or by the titles a user maps them to.

Rows come in blocks of columns, so that what reads them can work on many cells at once: for ten
million judgments a Python loop over rows would take longer than everything else. Large files go
through pyarrow where it is installed (`arrow_tables`). Small ones, and the rest of any file from
where something is odd, go through the csv and json modules, which know the line of everything.
"""

from __future__ import annotations

import csv
import json
import math
import re
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, islice
from typing import Any, Literal

import numpy as np

from jurybox.errors import (
    LIST_AT_MOST,
    Column,
    InputError,
    UsageError,
    near_name,
    plural,
    unknown_name,
    warn,
)
from jurybox.formats._io import BOM, BadLines, Input, Source, as_input, is_text
from jurybox.formats.given_values import as_word_map
from jurybox.formats.tables.arrow_tables import (
    BYTES,
    encode,
    gathered,
    has_arrow,
    holds_cells,
    is_plain_text,
    parse_csv,
    parse_objects,
)
from jurybox.formats.tables.coded import Block, Coded, words_of

Form = Literal["csv", "tsv", "jsonl"]
FORMS: tuple[Form, ...] = ("csv", "tsv", "jsonl")
DELIMITERS: dict[str, str] = {"csv": ",", "tsv": "\t"}
#: rows written, or parsed, at a time
ROWS_AT_ONCE = 1024
#: JSON with characters as they are; made once, since json.dumps makes one every time
encode_json = json.JSONEncoder(ensure_ascii=False).encode
# both separators: a table of one column does not show which one it has
_NEEDS_QUOTES = re.compile(r'[,\t"\r\n]')
#: what tables are separated by that we do not guess at: text is full of all of them
OTHER_SEPARATORS = (";", "|", "^", "~", " ")
#: words of a header that is separated by blanks
OURS = {"case", "label"}
_JSON_LIST = re.compile(r"\s*\[\s*(?:$|[{\[])")  # no title of a column begins like that


# --- writing ---


def write_table(titles: Sequence[str], rows: Iterable[Sequence[str]], out: Any, form: str) -> None:
    """CSV or TSV: a header, then one line per row, cells quoted where they need it.

    >>> import sys
    >>> write_table(["case", "written"], [["c1", "at"], ["c2", "in, or at"]], sys.stdout, "csv")
    case,written
    c1,at
    c2,"in, or at"
    """
    delimiter = DELIMITERS[form]
    other = "\t" if delimiter == "," else ","
    out.write(delimiter.join(titles) + "\n")
    rows = iter(rows)
    number = 0
    while batch := list(islice(rows, ROWS_AT_ONCE)):
        lines = list(map(delimiter.join, batch))
        text = "\n".join(lines)
        # No cell needs quotes if the text holds no sign but those that join it. They are counted
        # sign by sign: ten times as fast as one search for any of them.
        is_plain = (
            text.count(delimiter) == sum(map(len, batch)) - len(batch)
            and text.count("\n") == len(batch) - 1
            and not ('"' in text or "\r" in text or other in text)
        )
        if not is_plain:
            lines = [delimiter.join(map(_quoted, row)) for row in batch]
        write_lines(lines, out, number)
        number += len(batch)


def write_objects(records: Iterable[Any], out: Any, before: int = 0) -> None:
    """JSONL: one object per line; `before` lines were written already."""
    lines = map(encode_json, records)
    while batch := list(islice(lines, ROWS_AT_ONCE)):
        write_lines(batch, out, before)
        before += len(batch)


def _quoted(cell: str) -> str:
    if not _NEEDS_QUOTES.search(cell):
        return cell
    if "\r\n" in cell:
        raise InputError(f"{cell!r} holds CR LF, which a table cannot keep; write JSONL")
    return '"' + cell.replace('"', '""') + '"'


def write_lines(lines: Sequence[str], out: Any, before: int = 0) -> None:
    """Lines, all of them whole characters; `before` rows were written already."""
    text = "\n".join(lines)
    if not is_text(text):
        row = next(i for i, line in enumerate(lines, before + 1) if not is_text(line))
        message = "holds half a character (U+D800 to U+DFFF); decode the text as UTF-8"
        raise InputError(f"row {row} {message}")
    out.write(f"{text}\n")


def check_form(form: str) -> None:
    if form not in FORMS:
        raise unknown_name("form", form, FORMS)


# --- the text, line by line ---

#: bytes of a block that is read line by line: few enough that all cells stay in the cache
PIECE = 1 << 15
#: files from this size on go through pyarrow, so many bytes at a time
LARGE, AT_ONCE = 1 << 22, 1 << 24
#: bytes that are not UTF-8, as Python keeps them in text (PEP 383)
_STRAY = re.compile("[\udc80-\udcff]")
_UTF16 = ("\udcff\udcfe", "\udcfe\udcff")


def find_stray(text: str) -> tuple[str, int] | None:
    r"""What to say of the first byte of a line that is not UTF-8, and its place in it, from 1.

    >>> find_stray("S\udced")[0].partition(";")[0]
    'byte 0xed is not UTF-8'
    """
    found = _STRAY.search(text)
    if found is None:
        return None
    encoding = "UTF-16" if text.startswith(_UTF16) else "LATIN1"
    mixed = "" if encoding == "UTF-16" else ", or only this line if the others are UTF-8"
    message = (
        f"byte 0x{ord(found[0]) - 0xDC00:02x} is not UTF-8; convert the file, for example with "
        f"iconv -f {encoding} -t UTF-8{mixed}"
    )
    return message, found.start() + 1


class Lines:
    r"""The lines of a source as `Input.lines` understands it, one by one or many at once.

    >>> lines = Lines(Input.from_text("a\r\n\nb\n"))
    >>> next(lines), lines.take(1), lines.number, lines.take(1)
    ((1, 'a'), b'\nb\n', 3, b'')
    """

    def __init__(self, given: Input) -> None:
        self._given = given
        self._chunks = self._read()
        self._texts: list[str] = []  # of the chunk that was begun
        self._next = 0
        self.number = 0  # of lines taken so far
        self.is_utf8 = True  # whether that is so of all lines near the last one

    def _read(self) -> Iterator[bytes]:
        chunks = self._given.whole_lines()
        first = next(chunks, b"")
        if not first:
            raise self._given.refuse_empty()
        yield from _cut(first.removeprefix(BOM))
        yield from chain.from_iterable(map(_cut, chunks))

    def __iter__(self) -> Iterator[tuple[int, str]]:
        return self

    def __next__(self) -> tuple[int, str]:
        while self._next == len(self._texts):
            whole = next(self._chunks).replace(b"\r\n", b"\n").removesuffix(b"\n")
            text = whole.decode(errors="surrogateescape")
            self.is_utf8 = whole.isascii() or is_text(text)
            self._texts, self._next = text.split("\n"), 0
        self._next += 1
        self.number += 1
        return self.number, self._texts[self._next - 1]

    def skip_blank(self) -> tuple[int, str] | None:
        """The first line that is not blank, which is then the next to be taken."""
        for line in self:
            if line[1].strip():
                self._next -= 1
                self.number -= 1
                return line
        return None

    def take(self, size: int) -> bytes:
        """The whole lines that come next, so many bytes or more; nothing where there is no line."""
        texts, self._texts, self._next = self._texts[self._next :], [], 0
        parts = ["".join(f"{text}\n" for text in texts).encode(errors="surrogateescape")]
        held = len(parts[0])
        while held < size and (chunk := next(self._chunks, b"")):
            parts.append(chunk)
            held += len(chunk)
        data = b"".join(parts)
        self.number += count_lines(data)
        return data

    def put_back(self, data: bytes) -> None:
        """Lines that were taken are the next ones again."""
        self.number -= count_lines(data)
        self._chunks = chain(_cut(data), self._chunks)


def _cut(data: bytes) -> Iterator[bytes]:
    start = 0
    while start < len(data):
        end = data.find(b"\n", start + PIECE) + 1 or len(data)
        yield data[start:end]
        start = end


def count_lines(data: bytes) -> int:
    return data.count(b"\n") + (not data.endswith(b"\n") and bool(data))


def read_large(
    lines: Lines, parse: Callable[[bytes, int], Any], held: int
) -> Iterator[tuple[range, dict[str, Any]]]:
    """Lines as Arrow columns, with their numbers, as far as `parse` understands them.

    `parse` is given whole lines and how many they are; where it gives nothing, or too little is
    left to be worth it, those lines and all behind them are still to be taken.
    """
    number = lines.number
    data = lines.take(LARGE)
    if len(data) < LARGE or not has_arrow():
        lines.put_back(data)
        return

    def tables(data: bytes, before: int) -> Iterator[Any]:
        while data:
            table = parse(data, lines.number - before)
            if table is None:
                lines.put_back(data)
                return
            yield table
            before = lines.number
            data = lines.take(AT_ONCE)

    for rows, columns in gathered(tables(data, number), held):
        yield range(number + 1, number + rows + 1), columns
        number += rows


def read_lines(given: Input, bad: BadLines) -> Iterator[tuple[int, str]]:
    """(number, text) of every line; those with bytes that are not UTF-8 go to `bad`.

    For JSON, where a column is a character.
    """
    lines = Lines(given)
    for number, text in lines:
        stray = None if lines.is_utf8 else find_stray(text)
        if stray is None:
            yield number, text
        else:
            bad.add(number, stray[0], Column(stray[1]))


class Records:
    """Records of CSV with quotes, and the line each begins in; broken ones go to `bad`."""

    def __init__(self, lines: Lines, delimiter: str, bad: BadLines) -> None:
        self._lines = lines
        self._delimiter = delimiter
        self._bad = bad
        self._fed: list[tuple[int, str]] = []  # the lines of a record
        self._reader = csv.reader(self._feed(), delimiter=delimiter, strict=True)

    def _feed(self) -> Iterator[str]:
        for line in self._lines:
            self._fed.append(line)
            yield f"{line[1]}\n"

    def __iter__(self) -> Iterator[tuple[int, list[str]]]:
        while True:
            self._fed.clear()
            try:
                cells = next(self._reader)
            except StopIteration:
                return
            except csv.Error as error:
                line, number, character = find_broken_quotes(self._fed, self._delimiter)
                self._bad.add(line, _explain(str(error)), self._bad.column(number, character))
                continue
            if not self._fed or not (len(cells) > 1 or "".join(cells).strip()):
                continue
            if self._lines.is_utf8 or not self._complain_of_stray(cells):
                yield self._fed[0][0], cells

    def _complain_of_stray(self, cells: Sequence[str]) -> bool:
        """Whether a byte is not UTF-8."""
        for line, text in self._fed:
            if stray := find_stray(text):
                number = next(n for n, cell in enumerate(cells, 1) if _STRAY.search(cell))
                message, character = stray
                self._bad.add(line, message, self._bad.column(number, character))
                return True
        return False


def find_broken_quotes(
    lines: Sequence[tuple[int, str]], delimiter: str = ","
) -> tuple[int, int, int]:
    """Where the quotes of a record go wrong: line, column and character.

    That is the quote that is never closed, what follows a closing quote, or a lone CR.

    >>> find_broken_quotes([(7, '1,"a, b",c'), (8, '2,"d')])
    (8, 2, 3)
    """
    state, opened = "begin", (lines[0][0] if lines else 1, 1, 1)
    for line, text in lines:
        column = 1 if state != "quoted" else opened[1]
        for character, sign in enumerate(text, 1):
            here = (line, column, character)
            if state == "quoted":
                state = "closing" if sign == '"' else state
            elif sign == delimiter:
                state, column = "begin", column + 1
            elif sign == '"' and state in ("begin", "closing"):
                opened = here if state == "begin" else opened
                state = "quoted"
            elif state == "closing" or sign == "\r":
                return here
            else:
                state = "plain"
        state = state if state == "quoted" else "begin"
    return opened


def _explain(error: str) -> str:
    if "field limit" in error or "unexpected end" in error:
        return 'a quote that opens here is not closed; is the file cut off, or a " in it not ""?'
    if "new-line" in error:
        return "a carriage return inside a cell; put the cell into quotes"
    return f'quotes are not right here ({error}); quote whole cells and write " in them as ""'


def split_at_once(data: bytes, delimiter: str, width: int) -> list[Sequence[str]]:
    """The columns if every line is one whole record of the right width; else nothing."""
    if not is_plain_text(data):
        return []
    texts = data.decode().replace("\r\n", "\n").removesuffix("\n").split("\n")
    if width == 1 and not all(map(str.strip, texts)):
        return []  # a line of blanks is no row
    try:
        rows = list(csv.reader(texts, delimiter=delimiter, strict=True))
    except csv.Error:
        return []
    if len(rows) != len(texts) or set(map(len, rows)) != {width}:
        return []
    return list(map(list, zip(*rows, strict=True)))


# --- JSON ---

HALF_A_CHARACTER = "half a character (\\ud800 to \\udfff alone); write the text as UTF-8"
_DECODER = json.JSONDecoder()
#: blanks behind a key; what may be half a character; a stray byte
_ODD = re.compile('"\\s+:|\\\\u|[\udc80-\udcff]')
_HALF = re.compile(r"\\u[dD][89a-fA-F]")


class NotJsonError(ValueError):
    """What is wrong with a line of JSONL; `column` is where, `message` what."""

    def __init__(self, message: str, column: Column) -> None:
        self.message, self.column = message, column
        super().__init__(f"{message} ({column})")


def parse_object(text: str) -> dict[str, Any]:
    """One line of JSONL; NotJsonError (a ValueError) says what is wrong with it."""
    try:
        record: dict[str, Any]
        record, end = _DECODER.raw_decode(text)
        # as many ends of keys as keys: nothing is nested, and no key was given twice
        is_flat = end == len(text) and type(record) is dict and text.count('":') == len(record)
        if is_flat and not _ODD.search(text):
            return record
    except (ValueError, RecursionError):
        pass
    return _parse_carefully(text)


def _parse_carefully(text: str) -> dict[str, Any]:
    if stray := find_stray(text):
        raise NotJsonError(stray[0], Column(stray[1]))
    try:
        record = json.loads(text, object_pairs_hook=_distinct)
    except json.JSONDecodeError as error:
        is_cut = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated")
        cut = " (was the file cut off?)" if is_cut else ""
        message = f"not JSON: {error.msg}{cut}; one object a line"
        raise NotJsonError(message, Column(error.colno)) from None
    except RecursionError:
        raise NotJsonError(
            "the JSON is nested too deep; one flat object a line", Column(1)
        ) from None
    except NotJsonError:
        raise
    except ValueError:
        raise NotJsonError(
            "a number of thousands of digits; put it into quotes", Column(1)
        ) from None
    if not isinstance(record, dict):
        raise NotJsonError('not a JSON object; write {"case": …} on every line', Column(1))
    if (half := find_half(text)) and not is_text(encode_json(record)):
        raise NotJsonError(HALF_A_CHARACTER, Column(half))
    return record


def as_text(value: Any) -> str:
    """A JSON value as the cell of a CSV file would hold it.

    >>> as_text("a"), as_text(3), as_text(None), as_text(["x"]), as_text(True)
    ('a', '3', '', '["x"]', 'true')
    """
    if isinstance(value, str):
        return value
    if type(value) is int:
        return str(value)
    return "" if value is None else encode_json(value)


def find_half(text: str) -> int:
    """The place, from 1, of the first character that may be half of one; 0 if there is none."""
    found = _HALF.search(text)
    return found.start() + 1 if found else 0


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record: dict[str, Any] = {}
    for key, value in pairs:
        if key in record:
            raise NotJsonError("the key is given twice in one object; keep one", Column(title=key))
        record[key] = value
    return record


# --- what is wrong with a header or a row ---


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
    message, character = stray
    delimiter = DELIMITERS["tsv" if "\t" in header else "csv"]
    return message, Column(header[:character].count(delimiter) + 1, character=character)


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
    return (
        f"{message}, or say which {'hold them' if several else 'holds it'} with --columns {pairs}"
    )


def listed(titles: Sequence[str]) -> str:
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


# --- tables in blocks of columns ---


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
        block = bisect_right(self._starts, row) - 1
        name, lines = self._blocks[block]
        return name, lines[row - self._starts[block]]


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
        self.bad = BadLines(self.input.name)
        self.held = BYTES  # of columns of a large file in one block, about
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
        with self.input.as_table() as stored:
            if stored is not None:
                places = self._find_columns(1, stored.titles)
                for numbers, columns in stored.blocks(list(places.values()), self.held):
                    if len(numbers):
                        yield Block(numbers, dict(zip(places, columns, strict=True)))
                return
        lines = Lines(self.input)
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
        delimiter = DELIMITERS[self.form]
        number, titles = next(iter(Records(lines, delimiter, self.bad)), (1, []))
        self.bad.raise_first()  # a table without its header cannot be read
        places = self._find_columns(number, [title.strip() for title in titles])
        width, wanted = len(titles), sorted(set(places.values()))

        def parse(data: bytes, count: int) -> Any:
            return parse_csv(data, count, delimiter, width, wanted)

        for numbers, table in read_large(lines, parse, self.held):
            columns = {place: encode(table.pop(str(place)), as_text) for place in wanted}
            yield Block(numbers, {field: columns[place] for field, place in places.items()})
        while data := lines.take(PIECE):
            cells = split_at_once(data, delimiter, width)
            if not cells:
                lines.put_back(data)
                break
            numbers = range(lines.number - len(cells[0]) + 1, lines.number + 1)
            yield Block(numbers, {field: cells[place] for field, place in places.items()})
        yield from self._one_by_one(lines, width, places)

    def _one_by_one(self, lines: Lines, width: int, places: Mapping[str, int]) -> Iterator[Block]:
        """The rows of a table with cells that hold line breaks, blank lines, or mistakes."""
        delimiter = DELIMITERS[self.form]
        rows: list[tuple[int, list[str]]] = []

        def block() -> Block:
            columns = list(map(list, zip(*(cells for _, cells in rows), strict=True)))
            cells: dict[str, Sequence[str]] = {f: columns[place] for f, place in places.items()}
            return Block([number for number, _ in rows], cells)

        for number, cells in Records(lines, delimiter, self.bad):
            if len(cells) == width:
                rows.append((number, cells))
            else:
                message, place = explain_width(cells, width, delimiter)
                self.bad.add(number, message, self.bad.column(place))
            if len(rows) == ROWS_AT_ONCE:
                yield block()
                rows.clear()
        if rows:
            yield block()

    def _matches(self, field: str, names: Sequence[str]) -> list[int]:
        """The places of the titles or keys that a field may mean; capitals do not matter."""
        if field in self._columns:
            return [i for i, name in enumerate(names) if name == self._columns[field]]
        same = [i for i, name in enumerate(names) if name.lower() == field]
        return [i for i in same if names[i] not in self._columns.values()]

    def _find_columns(self, number: int, titles: list[str]) -> dict[str, int]:
        """Field -> place of its column."""
        places: dict[str, int] = {}
        wrong: list[tuple[str, Column]] = []  # all in one line: it is one bad line
        whole = Column(1, last=len(titles))
        missing: list[str] = []
        for field in self._fields:
            found = self._matches(field, titles)
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
        numbers, records = self._parse(lines)
        assert numbers is not None  # there is a first line
        # an object that says what the file is instead of holding a row
        if records and "schema" in records[0] and "case" not in self._find_keys(records[0]):
            self.head = records[0]
            if self.head["schema"] != self._schema:
                name = as_text(self.head["schema"])
                message = f"the file is {name}, not {self._schema}; was another file meant?"
                self.bad.add(numbers[0], message)
                self.bad.raise_first()
            numbers, records = numbers[1:], records[1:]
        tries_large = True
        while numbers is not None:
            if records:
                keys = self._meet(met, chain.from_iterable(records))
                yield Block(numbers, {field: _texts(records, key) for field, key in keys.items()})
                if tries_large:
                    yield from self._objects_at_once(lines, records[0], met)
                    tries_large = False
            numbers, records = self._parse(lines)
        taken = set(self._find_keys(met).values())
        self.unused = [key for key in met if key not in taken]
        for field, key in self._columns.items():
            if met and key not in met:
                hint = near_name(key, met)
                message = f"no line has the key '{key}' (--columns {field}={key}){hint}"
                self.bad.add(None, f"{message}; the keys are: {listed(list(met))}")

    def _meet(self, met: dict[str, None], names: Iterable[str]) -> dict[str, str]:
        """Field -> its key, now that these are met too."""
        met.update(dict.fromkeys(names))
        keys = self._find_keys(met)
        self.bad.columns = {field: Column(title=key) for field, key in keys.items()}
        return keys

    def _objects_at_once(
        self, lines: Lines, example: dict[str, Any], met: dict[str, None]
    ) -> Iterator[Block]:
        """The same through pyarrow, as far as it understands them as we do."""
        types = {key: example[key] for key in self._find_keys(example).values()}

        def parse(data: bytes, count: int) -> Any:
            table = parse_objects(data, count, types)
            if table is None:
                return None
            names = {*self._find_keys({**met, **dict.fromkeys(table.column_names)}).values()}
            chosen = table.select([name for name in table.column_names if name in names])
            if not all(map(holds_cells, chosen.columns)):
                return None
            met.update(dict.fromkeys(table.column_names))
            return chosen

        for numbers, table in read_large(lines, parse, self.held):
            cells: dict[str, Sequence[str]] = {}
            for field, key in self._meet(met, ()).items():
                has_it = key in table
                cells[field] = encode(table.pop(key), as_text) if has_it else [""] * len(numbers)
            yield Block(numbers, cells)

    def _find_keys(self, met: Mapping[str, Any]) -> dict[str, str]:
        """Field -> the key that holds it."""
        names = list(met)
        keys: dict[str, str] = {}
        for field in self._fields:
            found = [names[place] for place in self._matches(field, names)]
            if len(found) > 1:
                self.bad.add(None, f"two keys mean '{field}': {' and '.join(found)}; rename one")
                self.bad.raise_first()
            if found:
                keys[field] = found[0]
        return keys

    def _parse(self, lines: Lines) -> tuple[list[int] | None, list[dict[str, Any]]]:
        """The next objects and their lines; None if there are no more lines."""
        numbers: list[int] = []
        records: list[dict[str, Any]] = []
        number = None
        for number, text in islice(lines, ROWS_AT_ONCE):
            if not text or text.isspace():
                continue
            try:
                records.append(parse_object(text))
                numbers.append(number)
            except NotJsonError as error:
                self.bad.add(number, error.message, error.column)
        return (None if number is None else numbers), records

    def finish(self, found: object, nothing: str) -> None:
        """Raise what is wrong; `nothing` is said of a table in which nothing was found.

        Columns that were not looked at are a warning.
        """
        if not found and not self.bad.count:
            self.bad.add(None, nothing)
        self.bad.raise_first()
        if note := note_unused(self):
            warn(note)


def _texts(records: Sequence[Mapping[str, Any]], key: str) -> list[str]:
    values = [record.get(key) for record in records]
    return [value if type(value) is str else as_text(value) for value in values]


def read_numbers(block: Block, field: str, bad: BadLines) -> array[float]:
    """A column of finite numbers; nan for an empty cell."""
    cells = block.cells[field]
    words = words_of(cells)
    values = array("d", map(_read_number, words))
    if not all(map(math.isfinite, values)):
        wrong = {word for word, value in zip(words, values, strict=True) if math.isinf(value)}
        for line, cell in zip(block.lines, cells, strict=True) if wrong else ():
            if cell in wrong:
                message = f"{field} '{cell.strip()[:40]}' is not a finite number; write it as 0.25"
                bad.add(line, f"{message} or 1e-3", field)
    if isinstance(cells, Coded):
        return array("d", np.asarray(values)[cells.codes].tobytes())
    return values


def _read_number(cell: str) -> float:
    """The number in a cell; nan where it is empty, infinite where it is none."""
    text = cell.strip()
    if not text:
        return math.nan
    value = math.nan
    if "_" not in text and text.isascii():  # float() takes 1_0 and digits of any script
        with suppress(ValueError):
            value = float(text)
    return value if math.isfinite(value) else math.inf


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
