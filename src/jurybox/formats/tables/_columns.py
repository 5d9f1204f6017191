"""Columns of millions of rows: growing numbers, names to numbers, and repeated judgments.

`GrowingColumn` takes hardly more memory than it ends in. An `array` that grows is moved now and
then, and what it leaves behind is seldom given back: two columns that grow side by side come to
twice their size. Here full chunks are put away in memory of their own, and each is given back to
the system as soon as it stands in the whole column.

`Numbering` and `KnownNames` are dictionaries with `__missing__`, so that
`map(numbers.__getitem__, column)` runs without a Python call for names met before. White space
around a name does not count.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from mmap import mmap
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from jurybox.errors import InputError, near_name
from jurybox.formats.tables.coded import Coded, numbered
from jurybox.model import LABEL_BITS, LABELS

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

    def extend(self, numbers: array[Number] | np.ndarray) -> None:
        """Add some rows, of the same type."""
        if len(numbers) >= CHUNK:
            self._put(self._open)
            del self._open[:]
            self._put(numbers)
            return
        self._open.frombytes(numbers.tobytes())
        if len(self._open) >= CHUNK:
            self._put(self._open)
            del self._open[:]

    def _put(self, numbers: array[Number] | np.ndarray) -> None:
        if len(numbers):
            chunk = mmap(-1, len(numbers) * self._open.itemsize)
            data: Any = numbers
            chunk.write(data)
            self._full.append(chunk)
            self._put_away += len(numbers)

    def extend_by_same(self, number: Number, rows: int) -> None:
        """Add the same number for many rows."""
        one = array(self._open.typecode, [number])
        while rows > 0:
            self.extend(one * min(rows, CHUNK))
            rows -= CHUNK

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


#: the number of an empty name, and of one that is not known
NO_NAME = 0xFFFFFFFF
#: close names are looked for among so many at most
CANDIDATES = 2000


class Numbering(dict[str, int]):
    """Numbers in order of first appearance, shifted to the left by `shift` bits.

    >>> numbers = Numbering("case")
    >>> [numbers[name] for name in ("b", "a", " b", "")] == [0, 1, 0, NO_NAME], numbers.names
    (True, ['b', 'a'])
    """

    def __init__(self, noun: str, shift: int = 0) -> None:
        super().__init__()
        self.names: list[str] = []
        self._noun = noun
        self._shift = shift

    def numbers(self, column: Sequence[str]) -> np.ndarray:
        """The numbers of a column."""
        if isinstance(column, Coded):
            self._meet(column.words)
        return numbered(column, self.__getitem__)

    def _meet(self, words: Sequence[str]) -> None:
        """Number new names all at once, where each is given once, without white space around it."""
        new = [word for word in words if word not in self] if self else words
        start, step = len(self.names), 1 << self._shift
        is_clean = all(new) and list(map(str.strip, new)) == list(new)
        if not is_clean or (start + len(new)) * step > NO_NAME:
            return  # one by one
        before = len(self)
        self.update(zip(new, range(start * step, (start + len(new)) * step, step), strict=True))
        if len(self) == before + len(new):
            self.names += new
        else:
            for word in set(new):
                del self[word]

    def __missing__(self, given: str) -> int:
        name = given.strip()
        if not name:
            return NO_NAME
        if name != given:
            return self[name]
        number = len(self.names) << self._shift
        if number | ((1 << self._shift) - 1) >= NO_NAME:
            raise InputError(f"more than {len(self.names)} {self._noun}s cannot be told apart")
        self.names.append(name)
        self[name] = number
        return number


class KnownNames(dict[str, int]):
    """Numbers of names that are known beforehand; any other name is `NO_NAME`."""

    def __init__(self, names: Iterable[str]) -> None:
        super().__init__((name, place) for place, name in enumerate(names))

    def __missing__(self, given: str) -> int:
        return self.get(given.strip(), NO_NAME)

    def numbers(self, column: Sequence[str]) -> np.ndarray:
        """The numbers of a column."""
        return numbered(column, self.__getitem__)

    def near(self, given: str) -> str:
        """A hint at the name that was probably meant.

        Comparing with a million names would take a minute, so names that begin or end alike go
        first.
        """
        wanted = given.strip()
        size = max(1, min(6, len(wanted) - 2))
        start, end = wanted[:size].lower(), wanted[-size:].lower()
        alike = (n for n in self if n.lower().startswith(start) or n.lower().endswith(end))
        return near_name(wanted, list(islice(alike, CANDIDATES)) or list(islice(self, CANDIDATES)))


#: rows looked at together: few enough to stay in the processor's cache
BLOCK = 1 << 16
#: odd numbers that spread bits evenly: the golden ratio, and one of MurmurHash3 (Appleby 2011)
SPREAD, MIX = 0x9E3779B97F4A7C15, 0xFF51AFD7ED558CCD


class Again(NamedTuple):
    """Rows whose case and rater an earlier row has, in order, and the first such row of each."""

    rows: NDArray[np.intp]
    first: NDArray[np.intp]


def find_again(
    case: NDArray[np.integer],
    rater: NDArray[np.integer],
    order: NDArray[np.integer] | None = None,
) -> Again:
    """Judgments by raters who had judged the case before.

    `order` says which came first; None: the rows stand in this order. Few judge a case twice. So
    rows are sorted by 32 bits of a hash alone, in little memory; only rows whose hash is met twice
    are looked at.

    >>> case, rater = np.array([7, 7, 7]), np.array([1, 2, 1])
    >>> find_again(case, rater)
    Again(rows=array([2]), first=array([0]))
    >>> find_again(case, rater, np.array([5, 2, 1]))
    Again(rows=array([0]), first=array([2]))
    """
    none = np.zeros(0, dtype=np.intp)
    if not len(case):
        return Again(none, none)
    blocks = list(_blocks(len(case)))
    ordered = np.concatenate([_mixed(case[block], rater[block]) for block in blocks])
    ordered.sort()
    met = ordered[1:][ordered[1:] == ordered[:-1]]
    if not len(met):
        return Again(none, none)
    shift = np.uint32(max(5, 32 - len(case).bit_length()))
    twice = np.zeros(1 << (32 - int(shift)), dtype=bool)
    twice[met >> shift] = True
    del ordered, met
    chosen = np.concatenate(
        [
            np.flatnonzero(twice[_mixed(case[block], rater[block]) >> shift]) + block.start
            for block in blocks
        ]
    )
    case, rater = case[chosen], rater[chosen]
    sorting = np.lexsort([rater, case] if order is None else [order[chosen], rater, case])
    case, rater = case[sorting], rater[sorting]
    begins = np.concatenate([[True], (case[1:] != case[:-1]) | (rater[1:] != rater[:-1])])
    first = sorting[np.flatnonzero(begins)[np.cumsum(begins) - 1]]
    again, first = chosen[sorting[~begins]], chosen[first[~begins]]
    by_row = np.argsort(again)
    return Again(again[by_row], first[by_row])


def _mixed(case: NDArray[np.integer], rater: NDArray[np.integer]) -> NDArray[np.uint32]:
    """32 bits that depend on all bits of case and rater."""
    mixed = case.astype(np.uint64)
    mixed *= np.uint64(MIX)
    mixed += rater.astype(np.uint64)
    mixed *= np.uint64(SPREAD)
    mixed >>= np.uint64(32)
    return mixed.astype(np.uint32)


class Repeated(NamedTuple):
    """Rows that repeat an earlier one, in order, and the earlier row of each."""

    rows: np.ndarray
    first: np.ndarray
    same: int  # how many of them have the same label as the earlier one


def find_repeats(case: array[int], answer: array[int]) -> Repeated:
    """Rows whose case and rater were met in an earlier row.

    >>> found = find_repeats(array("I", [7, 7, 7]), array("I", [256, 512, 257]))
    >>> found.rows.tolist(), found.first.tolist(), found.same
    ([2], [0], 0)
    """
    answers = np.asarray(answer)
    again = find_again(np.asarray(case), answers >> np.uint32(LABEL_BITS))
    same = np.count_nonzero(answers[again.rows] == answers[again.first])
    return Repeated(*again, int(same))


def _blocks(rows: int) -> Iterator[slice]:
    return (slice(start, min(start + BLOCK, rows)) for start in range(0, rows, BLOCK))


def all_but_first_answers(found: Repeated, answer: array[int], labels: Sequence[str]) -> np.ndarray:
    """The rows of repeated judgments but each rater's first answer; unknown is none.

    >>> again = find_repeats(array("I", [7, 7, 7]), array("I", [0, 1, 1]))
    >>> all_but_first_answers(again, array("I", [0, 1, 1]), ["unknown", "ok"]).tolist()
    [0, 2]
    """
    silent = {number for number, name in enumerate(labels) if name.lower() == LABELS[-1]}
    if not silent:
        return found.rows
    mask = (1 << LABEL_BITS) - 1
    kept: dict[int, int] = {}  # the rater's first judgment -> the one that counts
    dropped = []
    for row, first in zip(found.rows.tolist(), found.first.tolist(), strict=True):
        before = kept.get(first, first)
        answers_late = answer[before] & mask in silent and answer[row] & mask not in silent
        if answers_late:
            kept[first] = row
        dropped.append(before if answers_late else row)
    return np.sort(np.array(dropped))


def leave_out(column: array[int] | array[float], rows: np.ndarray) -> None:
    """Take rows, given in order, out of a column: the others move up, block by block.

    >>> import numpy as np
    >>> column = array("I", [4, 5, 6, 7])
    >>> leave_out(column, np.array([1, 2]))
    >>> column
    array('I', [4, 7])
    """
    values = np.frombuffer(column, np.dtype(column.typecode))
    filled = 0
    for block in _blocks(len(values)):
        low, high = np.searchsorted(rows, (block.start, block.stop)).tolist()
        kept = np.delete(values[block], rows[low:high] - block.start)
        values[filled : filled + len(kept)] = kept
        filled += len(kept)
    del values  # an array that somebody looks into cannot be made shorter
    del column[filled:]
