"""The text of long tables: pieces of whole lines, lines one by one, records of CSV."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple

from jurybox.errors import FormatError
from jurybox.formats._io import BOM, STDIN, BadLines, Input, decode_one_by_one
from jurybox.formats._long_writing import DELIMITERS, ROWS_AT_ONCE

# few enough that all cells stay in the processor's cache
PIECE = 1 << 15
_ALL_BUT = {
    sign: bytes(set(range(256)) - set(f"{sign}\n".encode())) for sign in DELIMITERS.values()
}


class Piece(NamedTuple):
    """Whole lines in one string, without the last line end, and their numbers."""

    numbers: Sequence[int]
    text: str


class Lines:
    """The lines of a file, taken piece by piece or one by one."""

    def __init__(self, pieces: Iterator[Piece]) -> None:
        self._pieces = pieces
        self._numbers: Sequence[int] = ()  # of the piece whose lines are being taken
        self._texts: list[str] = []
        self._next = 0

    @property
    def at_end_of_piece(self) -> bool:
        return self._next == len(self._texts)

    def next_piece(self) -> Piece | None:
        """What is left of the current piece, or the next one."""
        if self.at_end_of_piece:
            return next(self._pieces, None)
        rest = Piece(self._numbers[self._next :], "\n".join(self._texts[self._next :]))
        self._next = len(self._texts)
        return rest

    def put_back(self, piece: Piece) -> None:
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


def read_pieces(given: Input, bad: BadLines) -> Iterator[Piece]:
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
            yield Piece(numbers, text)
    if not number:
        hint = "; was '-' given twice, or nothing piped in?" if given.name == STDIN else ""
        raise FormatError(f"is empty{hint}", path=given.name)


def _cut(chunk: bytes) -> Iterator[bytes]:
    start = 0
    while start < len(chunk):
        end = chunk.find(b"\n", start + PIECE) + 1 or len(chunk)
        yield chunk[start:end]
        start = end


class Records:
    """Records of CSV with quotes, and the line each begins in; broken ones go to `bad`."""

    def __init__(self, lines: Lines, delimiter: str, bad: BadLines) -> None:
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
