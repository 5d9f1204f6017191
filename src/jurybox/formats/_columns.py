"""Columns of numbers that grow row by row to millions, in hardly more memory than they end in.

An `array` that grows is moved now and then, and what it leaves behind is seldom given back: two
columns that grow side by side come to twice their size. Here full chunks are put away in memory
of their own, and each is given back to the system as soon as it stands in the whole column.
"""

from __future__ import annotations

from array import array
from mmap import mmap
from typing import Generic, TypeVar

Number = TypeVar("Number", int, float)

#: rows of a chunk: 4 MB of whole numbers
CHUNK = 1 << 20


class GrowingColumn(Generic[Number]):
    """Numbers of one type code, added at the end, and made one array once all are there.

    >>> column: GrowingColumn[int] = GrowingColumn("I")
    >>> column.extend(array("I", [5, 6]))
    >>> column.extend_by_same(0, 2)
    >>> len(column), column.whole()
    (4, array('I', [5, 6, 0, 0]))
    """

    def __init__(self, typecode: str) -> None:
        self._open: array[Number] = array(typecode)
        self._full: list[mmap] = []
        self._put_away = 0

    def __len__(self) -> int:
        return self._put_away + len(self._open)

    def extend(self, numbers: array[Number]) -> None:
        """Add some rows: a block, far fewer than a chunk."""
        self._open.extend(numbers)
        if len(self._open) >= CHUNK:
            self._put_chunk_away()

    def extend_by_same(self, number: Number, rows: int) -> None:
        """Add the same number for many rows."""
        one = array(self._open.typecode, [number])
        while rows > 0:
            self.extend(one * min(rows, CHUNK))
            rows -= CHUNK

    def _put_chunk_away(self) -> None:
        chunk = mmap(-1, len(self._open) * self._open.itemsize)
        chunk.write(self._open)
        self._full.append(chunk)
        self._put_away += len(self._open)
        del self._open[:]

    def whole(self) -> array[Number]:
        """All rows; the column is empty afterwards."""
        last, self._open = self._open, array(self._open.typecode)
        if not self._full:
            return last
        whole: array[Number] = array(last.typecode)
        for chunk in self._full:
            whole.frombytes(chunk)
            chunk.close()
        self._full, self._put_away = [], 0
        whole.extend(last)
        return whole
