"""A file cut at line ends, so that several processes or machines read it at once."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import BinaryIO, NamedTuple, cast

from jurybox.formats._io import BOM, GZIP_MAGIC, XZ_MAGIC, BadLines, Input

#: what may stand behind the S of a sentence of M2
_AFTER_S = frozenset(b" \r\n")


class Cut(NamedTuple):
    """Where a part of a file begins: its first byte, and the lines before it."""

    start: int
    lines: int


class FilePart(Input):
    """The lines of a file from one cut to another; they keep their numbers.

    The path is absolute, for whoever reads the part may be elsewhere; the name stays as it was.
    """

    def __init__(self, source: Input, cut: Cut, end: int) -> None:
        super().__init__(os.path.abspath(source.path))  # noqa: PTH100  pathlib is not loaded, see _io.py
        self.name = source.name
        self.cut, self.end = cut, end

    def lines(self, bad: BadLines | None = None) -> Iterator[tuple[int, str]]:
        for number, text in super().lines(bad):
            yield number + self.cut.lines, text

    def _open(self, stack: ExitStack) -> BinaryIO:
        file = stack.enter_context(io.FileIO(self.path))
        file.seek(self.cut.start)
        return cast("BinaryIO", io.BufferedReader(_UpTo(file, self.end - self.cut.start)))


class _UpTo(io.RawIOBase):
    """The next bytes of a file, and no more."""

    def __init__(self, file: io.FileIO, size: int) -> None:
        self._file, self._left = file, size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]  # any buffer
        got = self._file.readinto(memoryview(buffer)[: self._left]) or 0
        self._left -= got
        return got


def can_be_cut(source: Input) -> bool:
    """Whether a source is a file as it is stored, neither compressed nor a pipe nor in memory."""
    if type(source) is not Input or source._data is not None:
        return False
    if not os.path.isfile(source.path):  # noqa: PTH113  see above
        return False
    with source._own_errors(), source._open_stored() as stored:
        return not stored.peek(8).startswith((GZIP_MAGIC, XZ_MAGIC))


def cut_sentences(source: Input, every: int, *, is_m2: bool) -> tuple[list[Cut], int] | None:
    """Cuts before every so many sentences, and how many sentences there are.

    A sentence is a line, or in M2 a line that begins with S and those behind it. None where a cut
    would come before a byte order mark, which only stands at the beginning of a file.
    """
    import numpy as np

    cuts: list[Cut] = []
    sentences = lines = offset = 0
    for piece in source.whole_lines():
        signs = np.frombuffer(piece, dtype=np.uint8)
        ends = np.flatnonzero(signs == ord("\n"))
        begins = np.concatenate([[0], ends + 1])
        if begins[-1] == len(signs):
            begins = begins[:-1]
        chosen = np.arange(len(begins))
        if is_m2:
            skip = len(BOM) if not offset and piece.startswith(BOM) else 0
            first = begins + np.where(begins == 0, skip, 0)
            first = np.minimum(first, len(signs) - 1)
            after = signs[np.minimum(first + 1, len(signs) - 1)]
            ended = first + 1 >= len(signs)
            is_s = (signs[first] == ord("S")) & (ended | np.isin(after, list(_AFTER_S)))
            chosen = np.flatnonzero(is_s)
        wanted = chosen[(-sentences) % every :: every]
        for place in wanted.tolist():
            start = int(begins[place])
            if offset + start and piece.startswith(BOM, start):
                return None
            cuts.append(Cut(offset + start, lines + place))
        sentences += len(chosen)
        lines += len(begins)
        offset += len(piece)
    if cuts:
        cuts[0] = Cut(0, 0)  # what stands before the first sentence belongs to it
    return cuts, sentences


def parts_between(source: Input, cuts: Sequence[Cut]) -> list[FilePart]:
    """The parts of a file from cut to cut, and to the end of the file."""
    size = os.path.getsize(source.path)  # noqa: PTH202  see above
    ends = [*(cut.start for cut in cuts[1:]), size]
    return [FilePart(source, cut, end) for cut, end in zip(cuts, ends, strict=True)]
