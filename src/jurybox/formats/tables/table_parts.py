"""Large tables cut into parts that are read like tables: lines of text, row groups of Parquet."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import chain
from typing import Any, BinaryIO, cast

from jurybox.errors import FormatError
from jurybox.formats._io import COLUMN_MAGIC, URLS, Input
from jurybox.formats.file_parts import Cut, FilePart, can_be_cut

#: bytes of a part of text, about; rows of a part of Parquet, at least
PART, PART_ROWS = 1 << 24, 1 << 20


class LinesPart(FilePart):
    """Some lines of a table, below its header; `shift` is what the number of a line lacks."""

    def __init__(self, source: Input, cut: Cut, end: int, header: bytes) -> None:
        super().__init__(source, cut, end)
        self._header = header
        self.shift = cut.lines - bool(header)

    def _open(self, stack: ExitStack) -> BinaryIO:
        rest = super()._open(stack)
        if not self._header:
            return rest
        return cast("BinaryIO", io.BufferedReader(_Joined([io.BytesIO(self._header), rest])))

    def lines(self, bad: Any = None) -> Iterator[tuple[int, str]]:
        return Input.lines(self, bad)


class _Joined(io.RawIOBase):
    """Files one behind the other."""

    def __init__(self, files: Sequence[BinaryIO]) -> None:
        self._files = list(files)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while self._files:
            data = self._files[0].read(len(buffer))
            if data:
                buffer[: len(data)] = data
                return len(data)
            self._files.pop(0)
        return 0


class RowGroups(Input):
    """Some row groups of a Parquet file."""

    def __init__(self, source: Input, groups: Sequence[int], shift: int) -> None:
        is_url = source.path.startswith(URLS)
        super().__init__(source.path if is_url else os.path.abspath(source.path))  # noqa: PTH100  see _io.py
        self.name = source.name
        self._groups = list(groups)
        self.shift = shift

    def _open(self, stack: ExitStack) -> BinaryIO:
        from jurybox.formats.tables.arrow_tables import ArrowFile, TableText

        groups = self._groups

        class SomeRows(ArrowFile):
            def _open(self, pyarrow: Any) -> Any:
                from pyarrow import parquet

                super()._open(pyarrow)
                file = parquet.ParquetFile(self._stored)
                titles = file.schema_arrow.names

                def read(places: Sequence[int], rows: int) -> Iterator[Any]:
                    names = [titles[place] for place in places]
                    for batch in file.iter_batches(rows, row_groups=groups, columns=names):
                        yield pyarrow.Table.from_batches([batch]).select(names)

                return read

        stored = stack.enter_context(self._open_stored())
        return cast("BinaryIO", TableText(SomeRows(stored, self.name)))


def cut_table(source: Input) -> list[Input]:
    """The parts of a table; one, where it is small or must be read from its beginning."""
    if type(source) is Input and source.rewindable:
        with source._own_errors(), source._open_stored() as stored:
            start = stored.peek(8)
        if start.startswith(COLUMN_MAGIC[0]):
            return _cut_parquet(source)
        if can_be_cut(source) and os.path.getsize(source.path) > 2 * PART:  # noqa: PTH202  see _io.py
            return _cut_lines(source)
    return [elsewhere(source)]


def elsewhere(source: Input) -> Input:
    """A file under a path that does not depend on where one is; the name stays."""
    if type(source) is not Input or not os.path.isfile(source.path):  # noqa: PTH113  see _io.py
        return source.keep()
    moved = Input(os.path.abspath(source.path))  # noqa: PTH100  see _io.py
    moved.name = source.name
    return moved


def _cut_parquet(source: Input) -> list[Input]:
    from jurybox.formats.tables.arrow_tables import need_arrow

    need_arrow(source.name)
    from pyarrow import ArrowException, parquet

    try:
        with source._own_errors(), source._open_stored() as stored:
            file = parquet.ParquetFile(stored)
            rows = [file.metadata.row_group(n).num_rows for n in range(file.num_row_groups)]
    except ArrowException:
        return [elsewhere(source)]  # whoever reads it says what is wrong
    parts: list[Input] = []
    first = before = held = 0
    for number, size in enumerate(rows):
        held += size
        if held >= PART_ROWS or number == len(rows) - 1:
            parts.append(RowGroups(source, range(first, number + 1), before))
            first, before, held = number + 1, before + held, 0
    return parts or [elsewhere(source)]


def _cut_lines(source: Input) -> list[Input]:
    """Parts of about `PART` bytes; a cell in quotes may hold a line end, so quotes are not cut."""
    header = b""
    cuts: list[Cut] = []
    offset = lines = 0
    is_json = source.head(512).lstrip().startswith("{")
    for piece in source.whole_lines():
        if not is_json and b'"' in piece:
            return [elsewhere(source)]
        if not cuts:
            first = piece[: piece.find(b"\n") + 1 or len(piece)]
            if not first.strip():
                return [elsewhere(source)]
            header = b"" if is_json else first
            cuts.append(Cut(0, 0))
        elif offset - cuts[-1].start >= PART:
            cuts.append(Cut(offset, lines))
        offset += len(piece)
        lines += piece.count(b"\n")
    ends = [*(cut.start for cut in cuts[1:]), offset]
    return [
        LinesPart(source, cut, end, header if cut.start else b"")
        for cut, end in zip(cuts, ends, strict=True)
    ]


@contextmanager
def right_lines(source: Input) -> Iterator[None]:
    """What is wrong with a line of a part is said of the line of the whole file."""
    try:
        yield
    except FormatError as error:
        if error.line is None or not (shift := getattr(source, "shift", 0)):
            raise
        place = {"path": error.path, "column": error.column, "more": error.more}
        raise FormatError(error.message, line=error.line + shift, **place) from None  # type: ignore[arg-type]  # as they were


def all_parts(sources: Sequence[Input]) -> list[Input]:
    """The parts of all tables, in order."""
    return list(chain.from_iterable(map(cut_table, sources)))
