"""Kinds of cases with how many cases are of each: what scores, bins and resamples need of them.

Ten judges and a few systems can say only so many different things about a case: a million cases
fall into a few thousand kinds. A kind is a row of whole numbers: how many raters gave each label,
and what each system decided. How many cases are of each kind is a *histogram*. Histograms of parts
of the cases are added, in any order, and give that of all cases bit for bit; what is made of it
cannot depend on the order of rows, files or machines, for kinds stand in one fixed order.

A case must be in one part with all of its judgments. So rows are dealt into `BUCKETS` by a hash of
the case's name (`hash_words`), which is the same on every machine. `count_bucket` makes the
histogram of one bucket, or of all cases where they are in memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from jurybox.errors import LengthError
from jurybox.formats.tables._columns import BLOCK, MIX, SPREAD, find_again

#: cases are dealt into so many buckets, whatever the files; sums of fractions are added in their
#: order
BUCKETS = 256
#: whole numbers beyond this may not fit 8 bytes
LARGEST_KEY = 2**62
#: up to so many possible kinds are counted in a table; more are sorted
LARGEST_TABLE = 2**22
#: decisions of so many systems fit one byte
SYSTEMS_AT_ONCE = 4
#: the other odd number of MurmurHash3 (Appleby 2011)
MIX_LAST = 0xC4CEB9FE1A85EC53

Hashes = NDArray[np.uint64]


# --- groups ---


class Groups(NamedTuple):
    """Groups of like cases, in the order of their values."""

    of_case: NDArray[np.intp]  # the group of every case
    example: NDArray[np.intp]  # the first case of every group
    sizes: NDArray[np.int64]


def group_cases(
    columns: Iterable[NDArray[np.generic]], sizes: NDArray[np.int64] | None = None
) -> Groups:
    """Group the cases that have the same value in every column; a row may stand for many cases.

    >>> groups = group_cases([np.array([1, 0, 1]), np.array([0.5, 0.5, 0.5])])
    >>> groups.of_case.tolist(), groups.example.tolist(), groups.sizes.tolist()
    ([1, 0, 1], [1, 0], [1, 2])
    >>> group_cases([np.array([1, 0, 1])], np.array([5, 7, 3])).sizes.tolist()
    [7, 8]
    """
    key: NDArray[np.int64] | None = None
    span = 1
    for column in columns:
        codes, kinds = _numbered(column)
        if key is None:
            key, span = codes, kinds
            continue
        if span * kinds > LARGEST_KEY:
            key, span = _ranked(key)
        key = key * kinds + codes
        span *= kinds
    if key is None:
        raise ValueError("cases are grouped by at least one column")
    if span > max(LARGEST_TABLE, 4 * len(key)):
        key, span = _ranked(key)
    number = np.bincount(key, minlength=span)
    met = number > 0
    first = np.empty(span, dtype=np.intp)
    first[key[::-1]] = np.arange(len(key) - 1, -1, -1)  # the first is written last, and stays
    if sizes is not None:
        number = np.bincount(key, sizes, minlength=span).astype(np.int64)  # exact up to 2 ** 53
    return Groups((np.cumsum(met) - 1)[key], first[met], number[met])


def _numbered(column: NDArray[np.generic]) -> tuple[NDArray[np.int64], int]:
    """The column as numbers from 0 that keep its order, and how many there can be."""
    if not len(column):
        return column.astype(np.int64), 1
    if column.dtype.kind in "biu":
        low, high = int(column.min()), int(column.max())
        if high - low < LARGEST_TABLE:
            codes = column.astype(np.int64)
            codes -= low
            return codes, high - low + 1
    return _ranked(column)


def _ranked(column: NDArray[np.generic]) -> tuple[NDArray[np.int64], int]:
    distinct, inverse = np.unique(column, return_inverse=True)
    return inverse.astype(np.int64), max(1, len(distinct))


# --- the histogram ---


@dataclass(frozen=True, eq=False)
class Histogram:
    """Kinds of cases as rows of whole numbers, each once and in order, and how many cases are such.

    >>> morning = Histogram.of([[2, 0], [1, 1], [2, 0]])
    >>> both = morning + Histogram.of([[0, 2], [1, 1]])
    >>> both.kinds.tolist(), both.sizes.tolist(), both.cases
    ([[0, 2], [1, 1], [2, 0]], [1, 2, 2], 5)
    """

    kinds: NDArray[np.int32]  # [kinds, columns]
    sizes: NDArray[np.int64]  # [kinds]

    @classmethod
    def of(cls, rows: ArrayLike, sizes: NDArray[np.int64] | None = None) -> Histogram:
        """The histogram of cases [cases, columns]; a row may stand for many cases."""
        table = np.asarray(rows, dtype=np.int32)
        groups = group_cases(np.ascontiguousarray(table.T), sizes)
        return cls(table[groups.example], groups.sizes)

    @property
    def cases(self) -> int:
        return int(self.sizes.sum())

    def to_bytes(self) -> bytes:
        """Equal for equal histograms; others are in an order that the order of cases leaves."""
        return self.kinds.tobytes() + self.sizes.tobytes()

    def __add__(self, other: Histogram) -> Histogram:
        if self.kinds.shape[1] != other.kinds.shape[1]:
            raise LengthError(
                f"histograms of {self.kinds.shape[1]} and {other.kinds.shape[1]} columns cannot be "
                "added; count the same labels and systems"
            )
        return Histogram.of(
            np.concatenate([self.kinds, other.kinds]), np.concatenate([self.sizes, other.sizes])
        )

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Histogram)
            and np.array_equal(self.kinds, other.kinds)
            and np.array_equal(self.sizes, other.sizes)
        )

    __hash__ = None  # type: ignore[assignment]  # arrays are no keys


def weighted_ends(values: NDArray[np.integer], sizes: NDArray[np.int64]) -> tuple[int, float, int]:
    """The least, the median and the largest value of cases, so many of which have each value.

    >>> weighted_ends(np.array([5, 2, 3]), np.array([1, 2, 1]))
    (2, 2.5, 5)
    """
    order = np.argsort(values)
    ranks = np.cumsum(sizes[order])
    middle = [(ranks[-1] - 1) // 2, ranks[-1] // 2]
    low, high = values[order[np.searchsorted(ranks, middle, side="right")]].tolist()
    return int(values.min()), (low + high) / 2, int(values.max())


# --- judgments of some cases ---


class BucketRows(NamedTuple):
    """Judgments of some cases, with all that were made on each of them; numbers from 0.

    `order` says which came first where a rater judged a case twice (number of the file, then the
    row); None: the rows stand in this order.
    """

    case: NDArray[np.integer]
    rater: NDArray[np.integer]
    label: NDArray[np.integer]
    order: NDArray[np.integer] | None = None


class BucketCounts(NamedTuple):
    """What judgments of some cases add up to; those of other cases are added with `add_counts`."""

    cases: Histogram  # columns: raters who gave each label, then each system's decision
    raters: NDArray[np.int64]  # [raters, labels]: how often each gave each label
    against: NDArray[np.int64]  # [systems, raters, 3, labels]: by decision, see `count_raters`
    repeats: int = 0  # judgments left out, by a rater who had judged the case before
    same: int = 0  # of these, with the label of the first


def count_bucket(
    rows: BucketRows,
    *,
    cases: int,
    raters: int,
    labels: int,
    decisions: Sequence[NDArray[np.integer]] = (),
) -> BucketCounts:
    """The histogram of some cases; of a rater's judgments on a case the first counts.

    `decisions` are what each system decides on every case [cases].

    Two raters on two cases; rater 1 changes their mind about case 0.

    >>> case, rater, label = np.array([[0, 0, 1, 1, 0], [0, 1, 0, 1, 1], [0, 0, 1, 1, 1]])
    >>> rows = BucketRows(case, rater, label)
    >>> found = count_bucket(rows, cases=2, raters=2, labels=2, decisions=[np.array([1, 0])])
    >>> found.cases.kinds.tolist(), found.raters.tolist(), found.repeats, found.same
    ([[0, 2, 0], [2, 0, 1]], [[1, 1], [1, 1]], 1, 0)
    """
    again = find_again(rows.case, rows.rater, rows.order)
    kept = np.ones(len(rows.case), dtype=bool)
    kept[again.rows] = False
    case, rater, label = (column[kept] for column in rows[:3])
    counted = count_labels(case, label, cases, labels)
    by_rater = count_labels(rater, label, raters, labels).astype(np.int64)
    against = count_raters(case, rater, label, (raters, labels), decisions)
    same = int(np.count_nonzero(rows.label[again.rows] == rows.label[again.first]))
    histogram = Histogram.of(np.column_stack([counted, *decisions]))
    return BucketCounts(histogram, by_rater, against, len(again.rows), same)


def add_counts(parts: Iterable[BucketCounts]) -> BucketCounts:
    """The counts of all parts together, each with cases of its own.

    >>> rater = np.array([[1, 0]])
    >>> one = BucketCounts(Histogram.of([[1, 0]]), rater, np.zeros((0, 1, 3, 2), int), repeats=1)
    >>> both = add_counts([one, one])
    >>> both.cases.sizes.tolist(), both.raters.tolist(), both.repeats
    ([2], [[2, 0]], 2)
    """
    together = [reduce(add, column) for column in zip(*parts, strict=True)]
    return BucketCounts(*together)


def count_labels(
    of: NDArray[np.integer], label: NDArray[np.integer], number: int, labels: int
) -> NDArray[np.int32]:
    """How often each case (or rater) has each label: [number, labels], a block of rows at a time.

    >>> count_labels(np.array([0, 1, 0]), np.array([1, 0, 1]), 2, 2).tolist()
    [[0, 2], [1, 0]]
    """
    counts = np.zeros(number * labels, dtype=np.int32)
    # a block of rows costs as much as the table that it is counted into
    step = max(BLOCK, 2 * len(counts))
    for start in range(0, len(of), step):
        place = of[start : start + step].astype(np.int64)
        place *= labels
        place += label[start : start + step]
        counts += np.bincount(place, minlength=len(counts)).astype(np.int32)
    return counts.reshape(number, labels)


def count_raters(
    case: NDArray[np.integer],
    rater: NDArray[np.integer],
    label: NDArray[np.integer],
    shape: tuple[int, int],
    decisions: Sequence[NDArray[np.integer]],
) -> NDArray[np.int64]:
    """How often each rater gave each label to cases that each system left open, passed, reported.

    [systems, raters, 3, labels] where `shape` is raters and labels; decisions are -1, 0 and 1
    [cases].

    >>> case, rater, label = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 1]])
    >>> count_raters(case, rater, label, (2, 2), [np.array([1, -1])])[0].tolist()
    [[[1, 0], [0, 0], [0, 1]], [[0, 0], [0, 0], [0, 1]]]
    """
    raters, labels = shape
    found = []
    for start in range(0, len(decisions), SYSTEMS_AT_ONCE):
        some = decisions[start : start + SYSTEMS_AT_ONCE]
        code = np.zeros(len(some[0]), dtype=np.uint8)
        for decided in some:
            code *= np.uint8(3)
            code += (decided + 1).astype(np.uint8)
        width = 3 ** len(some)
        cells = np.zeros(raters * width * labels, dtype=np.int64)
        step = max(BLOCK, len(cells))
        for at in range(0, len(case), step):
            part = slice(at, at + step)
            place = rater[part].astype(np.int64)
            place *= width
            place += code[case[part]]
            place *= labels
            place += label[part]
            cells += np.bincount(place, minlength=len(cells))
        table = cells.reshape(raters, *[3] * len(some), labels)
        for system in range(len(some)):
            others = tuple(1 + other for other in range(len(some)) if other != system)
            found.append(table.sum(axis=others))
    return np.array(found, dtype=np.int64).reshape(len(decisions), raters, 3, labels)


# --- a hash of names ---


def hash_words(words: Sequence[str], seed: int = 0) -> Hashes:
    """64 bits for each word, the same on every machine and in every version.

    >>> [f"{number:016x}" for number in hash_words(["c1", "c2", "Zwölf Boxkämpfer"])]
    ['188d2e4848c832bd', 'cf1d0e1be60fe1de', 'fa1206e74f6c73e6']
    >>> hash_words(["c1"]) == hash_words(["c1"], seed=1)
    array([False])
    """
    if not len(words):
        return np.zeros(0, dtype=np.uint64)
    # no byte of UTF-8 is 255
    joined = b"\xff".join(word.encode("utf-8", "surrogatepass") for word in words)
    text = np.frombuffer(joined + b"\xff", dtype=np.uint8)
    ends = np.flatnonzero(text == 0xFF)
    starts = np.concatenate([[0], ends[:-1] + 1])
    return hash_bytes(text, starts, ends - starts, seed)


def hash_bytes(
    text: NDArray[np.uint8], starts: NDArray[np.integer], lengths: NDArray[np.integer], seed: int
) -> Hashes:
    """The same for words that are parts of one text, as Arrow holds them.

    Eight bytes at a time, of all words that are so long.
    """
    eights = _eights(text)
    mixed = np.full(len(starts), (seed * SPREAD + 1) & (2**64 - 1), dtype=np.uint64)
    mixed ^= lengths.astype(np.uint64)
    longest = int(lengths.max(initial=0))
    open_words = np.arange(len(starts))
    for done in range(0, longest, 8):
        open_words = open_words[lengths[open_words] > done]
        part = eights[starts[open_words] + done]
        left = np.minimum(lengths[open_words] - done, 8).astype(np.uint64)
        part &= np.uint64(2**64 - 1) >> (np.uint64(64) - np.uint64(8) * left)
        own = (mixed[open_words] ^ part) * np.uint64(SPREAD)
        mixed[open_words] = own ^ (own >> np.uint64(29))
    mixed ^= mixed >> np.uint64(33)
    mixed *= np.uint64(MIX)
    mixed ^= mixed >> np.uint64(33)
    mixed *= np.uint64(MIX_LAST)
    mixed ^= mixed >> np.uint64(33)
    return mixed


def _eights(text: NDArray[np.uint8]) -> Hashes:
    """The eight bytes that begin at each place, the first one lowest; zeros behind the end."""
    padded = np.concatenate([text, np.zeros(8, dtype=np.uint8)])
    return np.ndarray(len(text) + 1, dtype="<u8", buffer=padded.data, strides=(1,))


def buckets_of(hashes: Hashes) -> NDArray[np.uint8]:
    """The bucket of each case: from 0 to below `BUCKETS`."""
    return (hashes >> np.uint64(56)).astype(np.uint8)


class FixedOrder(NamedTuple):
    """Cases in an order that does not depend on theirs: by bucket, hash, and name."""

    places: NDArray[np.intp]
    ends: NDArray[np.intp]  # [BUCKETS]: where each bucket ends in this order


def fixed_order(words: Sequence[str]) -> FixedOrder:
    """The order in which fractions are added over cases of these names.

    >>> words = ["c1", "c2", "c3"]
    >>> one, other = fixed_order(words), fixed_order(words[::-1])
    >>> [words[k] for k in one.places] == [words[::-1][k] for k in other.places]
    True
    """
    hashes = hash_words(words)
    order = np.argsort(hashes)
    ordered = hashes[order]
    for start in np.flatnonzero(ordered[1:] == ordered[:-1]).tolist():  # next to never
        same = slice(start, start + int(np.searchsorted(ordered[start:], ordered[start], "right")))
        order[same] = sorted(order[same].tolist(), key=words.__getitem__)
    sizes = np.bincount(buckets_of(hashes), minlength=BUCKETS)
    return FixedOrder(order, np.cumsum(sizes))
