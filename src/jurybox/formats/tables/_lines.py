"""Lines of long tables, read and written: CSV, TSV and JSONL.

Text comes in pieces of whole lines; a piece, a line or a record of CSV can be taken from it.
`BadCells` collects what is wrong with a line, with its column or key.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from operator import methodcaller
from typing import Any, Literal, NamedTuple

from jurybox.errors import Column, FormatError, InputError, name_place, unknown_name
from jurybox.formats._io import BOM, STDIN, BadLines, Input

Form = Literal["csv", "tsv", "jsonl"]
FORMS: tuple[Form, ...] = ("csv", "tsv", "jsonl")
DELIMITERS: dict[str, str] = {"csv": ",", "tsv": "\t"}
#: rows written, or parsed, at a time
ROWS_AT_ONCE = 1024
#: JSON with characters as they are; made once, since json.dumps makes one every time
encode_json = json.JSONEncoder(ensure_ascii=False).encode
# both separators: a table of one column does not show which one it has
_NEEDS_QUOTES = re.compile(r'[,\t"\r\n]')


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


def is_text(text: str) -> bool:
    """Whether text can be written as UTF-8: it holds no half character."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def check_form(form: str, forms: Sequence[str] = FORMS) -> None:
    if form not in forms:
        raise unknown_name("form", form, forms)


class _Complaint(NamedTuple):
    path: str
    line: int | None
    column: Column | None
    message: str

    def __str__(self) -> str:
        return f"{name_place(self.path, self.line, self.column)}: {self.message}"


class BadCells(BadLines):
    """The same as BadLines, with columns: a Column, or the field of ours that it serves.

    Whoever reads the header says which columns there are. `shown` complaints are reported, the
    others are counted.

    >>> bad = BadCells("batch.csv")
    >>> bad.know(["HITId", "Answer.Q1"], {"case": 0, "label": 1})
    >>> bad.add(3, "empty", "label"); bad.add(4, "empty", "label")
    >>> bad.raise_first()
    Traceback (most recent call last):
    jurybox.errors.FormatError: batch.csv:3, column 2 (Answer.Q1): empty (and 1 more bad line in \
this file)
    """

    shown = 1

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.titles: Sequence[str] = ()
        self.columns: dict[str, Column] = {}  # our field -> the column, or the key, that serves it
        self._complaints: list[_Complaint] = []

    def know(self, titles: Sequence[str], places: dict[str, int]) -> None:
        """The titles of the table, and the places of our fields among them, from 0."""
        self.titles = titles
        self.columns = {field: self.column(place + 1) for field, place in places.items()}

    def column(self, number: int, character: int = 0) -> Column:
        """A column by its number from 1, with its title if it has one."""
        title = self.titles[number - 1] if number <= len(self.titles) else ""
        return Column(number, title, character)

    def add(self, line: int | None, message: str, column: Column | str | None = None) -> None:
        super().add(line, message)
        if len(self._complaints) == self.shown or not message:
            return
        if isinstance(column, str):
            column = self.columns.get(column, Column(title=column))
        self._complaints.append(_Complaint(self.name, line, column, message))

    def raise_first(self) -> None:
        """Raise the first complaints, if there were any."""
        if not self._complaints:
            super().raise_first()
            return
        first, *further = self._complaints
        raise FormatError(
            "\n  ".join([first.message, *map(str, further)]),
            path=first.path,
            line=first.line,
            column=first.column,
            more=self.count - len(self._complaints),
        )


# few enough that all cells stay in the processor's cache
PIECE = 1 << 15
_ALL_BUT = {
    sign: bytes(set(range(256)) - set(f"{sign}\n".encode())) for sign in DELIMITERS.values()
}
#: bytes that are not UTF-8, as Python keeps them in text (PEP 383)
_STRAY = re.compile("[\udc80-\udcff]")
_UTF16 = ("\udcff\udcfe", "\udcfe\udcff")


class TextPiece(NamedTuple):
    """Whole lines in one string, without the last line end, and their numbers.

    Where `is_utf8` is false, some line holds a stray byte: `find_stray` tells which.
    """

    numbers: Sequence[int]
    text: str
    is_utf8: bool = True


class Stray(NamedTuple):
    """A byte of another encoding: its place in the line, from 1, and what to say of it."""

    character: int
    message: str


def find_stray(text: str) -> Stray | None:
    r"""The first byte of a line that is not UTF-8.

    >>> find_stray("S\udced").message.partition(";")[0]
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
    return Stray(found.start() + 1, message)


class Lines:
    """The lines of a file, taken piece by piece or one by one."""

    def __init__(self, pieces: Iterator[TextPiece]) -> None:
        self._pieces = pieces
        self._numbers: Sequence[int] = ()  # of the piece whose lines are being taken
        self._texts: list[str] = []
        self._next = 0
        self.is_utf8 = True  # of the piece whose lines are being taken

    @property
    def at_end_of_piece(self) -> bool:
        return self._next == len(self._texts)

    def next_piece(self) -> TextPiece | None:
        """What is left of the current piece, or the next one."""
        if self.at_end_of_piece:
            return next(self._pieces, None)
        rest = TextPiece(
            self._numbers[self._next :], "\n".join(self._texts[self._next :]), self.is_utf8
        )
        self._next = len(self._texts)
        return rest

    def put_back(self, piece: TextPiece) -> None:
        self._numbers, self._texts, self._next = piece.numbers, piece.text.split("\n"), 0
        self.is_utf8 = piece.is_utf8

    def next_line(self) -> tuple[int, str] | None:
        if self.at_end_of_piece:
            piece = next(self._pieces, None)
            if piece is None:
                return None
            self.put_back(piece)
        self._next += 1
        return self._numbers[self._next - 1], self._texts[self._next - 1]

    def skip_blank(self) -> tuple[int, str] | None:
        """The first line that is not blank, which is then the next to be taken."""
        while line := self.next_line():
            if line[1].strip():
                self._next -= 1
                return line
        return None


def read_pieces(given: Input) -> Iterator[TextPiece]:
    """The text of a source as `Input.lines` understands it, a few thousand lines at a time."""
    number = 0
    for stored in chain.from_iterable(map(_cut, given.whole_lines())):
        chunk = stored if number else stored.removeprefix(BOM)
        lines = chunk.count(b"\n") + (not chunk.endswith(b"\n"))
        numbers = range(number + 1, number + lines + 1)
        number += lines
        whole = chunk.replace(b"\r\n", b"\n").removesuffix(b"\n")
        try:
            yield TextPiece(numbers, whole.decode())
        except UnicodeDecodeError:
            yield TextPiece(numbers, whole.decode(errors="surrogateescape"), is_utf8=False)
    if not number:
        hint = "; was '-' given twice, or nothing piped in?" if given.name == STDIN else ""
        raise FormatError(f"is empty{hint}", path=given.name)


def read_lines(given: Input, bad: BadCells) -> Iterator[tuple[int, str]]:
    """(number, text) of every line; those with bytes that are not UTF-8 go to `bad`.

    For JSON, where a column is a character.
    """
    for piece in read_pieces(given):
        for number, text in zip(piece.numbers, piece.text.split("\n"), strict=True):
            stray = None if piece.is_utf8 else find_stray(text)
            if stray is None:
                yield number, text
            else:
                bad.add(number, stray.message, Column(stray.character))


def _cut(chunk: bytes) -> Iterator[bytes]:
    start = 0
    while start < len(chunk):
        end = chunk.find(b"\n", start + PIECE) + 1 or len(chunk)
        yield chunk[start:end]
        start = end


class Records:
    """Records of CSV with quotes, and the line each begins in; broken ones go to `bad`."""

    def __init__(self, lines: Lines, delimiter: str, bad: BadCells) -> None:
        self._lines = lines
        self._delimiter = delimiter
        self._bad = bad
        self._fed: list[tuple[int, str]] = []  # the lines of a record
        self._reader = csv.reader(self._feed(), delimiter=delimiter, strict=True)

    def _feed(self) -> Iterator[str]:
        while line := self._lines.next_line():
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
                self._bad.add(line, stray.message, self._bad.column(number, stray.character))
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


def is_plain(piece: TextPiece, delimiter: str, width: int) -> bool:
    """Whether every line has the right number of cells and none is blank.

    All other signs deleted, the text must be the same signs line after line.
    """
    if width == 1 and not all(map(str.strip, piece.text.split("\n"))):
        return False
    signs = piece.text.encode().translate(None, _ALL_BUT[delimiter])
    of_a_line = delimiter.encode() * (width - 1)
    return signs == b"\n".join([of_a_line] * len(piece.numbers))


def split_quoted(texts: Sequence[str], delimiter: str, width: int) -> list[list[str]]:
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
        return 'a quote that opens here is not closed; is the file cut off, or a " in it not ""?'
    if "new-line" in error:
        return "a carriage return inside a cell; put the cell into quotes"
    return f'quotes are not right here ({error}); quote whole cells and write " in them as ""'


HALF_A_CHARACTER = "half a character (\\ud800 to \\udfff alone); write the text as UTF-8"
_DECODER = json.JSONDecoder()
_ODD = re.compile(r'"\s+:|\\u')  # blanks behind a key; a character that may be half of one
_HALF = re.compile(r"\\u[dD][89a-fA-F]")


class NotJsonError(ValueError):
    """What is wrong with a line of JSONL; `column` is where, `message` what."""

    def __init__(self, message: str, column: Column) -> None:
        self.message, self.column = message, column
        super().__init__(f"{message} ({column})")


def parse_object(text: str) -> dict[str, Any]:
    """One line of JSONL; NotJsonError (a ValueError) says what is wrong with it."""
    if stray := find_stray(text):
        raise NotJsonError(stray.message, Column(stray.character))
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


def parse_at_once(text: str, texts: Sequence[str]) -> list[dict[str, Any]]:
    """The objects if every line is a flat one; else nothing, and each line must be looked at."""
    try:
        found = list(map(_DECODER.raw_decode, texts))
        ends = [end for _, end in found]
        records: list[dict[str, Any]] = [record for record, _ in found]
        are_whole = ends == list(map(len, texts)) and set(map(type, records)) == {dict}
        # as many ends of keys as keys: nothing is nested, and no key was given twice
        ends_of_keys = list(map(methodcaller("count", '":'), texts))
        are_flat = ends_of_keys == list(map(len, records)) and not _ODD.search(text)
    except (ValueError, TypeError, RecursionError):
        return []
    return records if are_whole and are_flat else []


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
