"""Ids that come twice among tens of millions, in bounded memory."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

#: hashes held at most, 8 bytes each; a file of no more rows is checked as a whole
MOST = 1 << 22


class RepeatWatch:
    """Whether some id was met twice, told by hashes of 64 bits.

    All hashes are kept until there are `most` of them; then only those whose last bit is 0, then
    the last two bits, and so on. The ids whose hashes are kept are followed through the whole
    file. So a file with a few more rows than ids is found out for certain up to `most` rows, and
    beyond where one of the repeated ids is among those that are followed.

    >>> watch = RepeatWatch()
    >>> watch.add(["a", "b", "c"]); watch.found
    False
    >>> watch.add(["d", "b"]); watch.found
    True
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._repeated: int | None = None
        self._mask = np.int64(0)
        self._kept: list[NDArray[np.int64]] = []
        self._held = 0

    @property
    def is_whole(self) -> bool:
        """Whether every id is followed."""
        return not self._mask

    def add(self, ids: Sequence[str]) -> None:
        """Look at further ids."""
        if self._repeated is not None:
            return
        hashes = np.fromiter(map(hash, ids), np.int64, len(ids))
        if self._mask:
            hashes = hashes[(hashes & self._mask) == 0]
        self._kept.append(hashes)
        self._held += len(hashes)
        while self._held > self._most and self._repeated is None:
            self._thin_out()

    def _thin_out(self) -> None:
        """Look for repeats, then follow half of the ids only."""
        if self.found:
            return
        self._mask = np.int64(self._mask * 2 + 1)
        kept = np.concatenate(self._kept)
        self._kept = [kept[(kept & self._mask) == 0]]
        self._held = len(self._kept[0])

    @property
    def found(self) -> bool:
        """Whether some id was met twice, as far as ids are followed."""
        return self.repeated is not None

    @property
    def repeated(self) -> int | None:
        """The hash of an id that was met twice."""
        if self._repeated is None and self._kept:
            ordered = np.sort(np.concatenate(self._kept))
            places = np.flatnonzero(ordered[1:] == ordered[:-1])
            self._repeated = int(ordered[places[0]]) if len(places) else None
        return self._repeated
