"""Which line of which file a row of a long table came from."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Sequence


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
