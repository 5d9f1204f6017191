"""The text of long tables: pieces of whole lines, lines one by one, records of CSV."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple

from jurybox.errors import Column, FormatError
from jurybox.formats._bad_cells import BadCells
from jurybox.formats._io import BOM, Input
from jurybox.formats._long_writing import DELIMITERS, ROWS_AT_ONCE
from jurybox.formats._pipes import STDIN

# few enough that all cells stay in the processor's cache
PIECE = 1 << 15
_ALL_BUT = {
    sign: bytes(set(range(256)) - set(f"{sign}\n".encode())) for sign in DELIMITERS.values()
}
#: bytes that are not UTF-8, as Python keeps them in text (PEP 383)
_STRAY = re.compile("[\udc80-\udcff]")
_UTF16 = ("\udcff\udcfe", "\udcfe\udcff")


class Piece(NamedTuple):
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

    def __init__(self, pieces: Iterator[Piece]) -> None:
        self._pieces = pieces
        self._numbers: Sequence[int] = ()  # of the piece whose lines are being taken
        self._texts: list[str] = []
        self._next = 0
        self.is_utf8 = True  # of the piece whose lines are being taken

    @property
    def at_end_of_piece(self) -> bool:
        return self._next == len(self._texts)

    def next_piece(self) -> Piece | None:
        """What is left of the current piece, or the next one."""
        if self.at_end_of_piece:
            return next(self._pieces, None)
        rest = Piece(
            self._numbers[self._next :], "\n".join(self._texts[self._next :]), self.is_utf8
        )
        self._next = len(self._texts)
        return rest

    def put_back(self, piece: Piece) -> None:
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


def read_pieces(given: Input) -> Iterator[Piece]:
    """The text of a source as `Input.lines` understands it, a few thousand lines at a time."""
    number = 0
    for stored in chain.from_iterable(map(_cut, given.whole_lines())):
        chunk = stored if number else stored.removeprefix(BOM)
        lines = chunk.count(b"\n") + (not chunk.endswith(b"\n"))
        numbers = range(number + 1, number + lines + 1)
        number += lines
        yield _decoded(numbers, chunk.replace(b"\r\n", b"\n").removesuffix(b"\n"))
    if not number:
        hint = "; was '-' given twice, or nothing piped in?" if given.name == STDIN else ""
        raise FormatError(f"is empty{hint}", path=given.name)


def _decoded(numbers: Sequence[int], chunk: bytes) -> Piece:
    try:
        return Piece(numbers, chunk.decode())
    except UnicodeDecodeError:
        return Piece(numbers, chunk.decode(errors="surrogateescape"), is_utf8=False)


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
                self._complain_of_quotes(str(error))
                continue
            if not self._fed or not (len(cells) > 1 or "".join(cells).strip()):
                continue
            if self._lines.is_utf8 or not self._complain_of_stray(cells):
                yield self._fed[0][0], cells

    def _complain_of_quotes(self, error: str) -> None:
        line, number, character = find_broken_quotes(self._fed, self._delimiter)
        self._bad.add(line, _explain(error), self._bad.column(number, character))

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


def is_plain(piece: Piece, delimiter: str, width: int) -> bool:
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
