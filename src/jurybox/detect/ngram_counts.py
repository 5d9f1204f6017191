"""Every n-gram of a text, counted: sorted arrays of packed keys, one order after the other.

An n-gram is known by its beginning: `key = (row of its first n-1 words) * vocabulary + last word`.
So a key fits into eight bytes whatever the order, an order is one sorted array, and to find an
n-gram is one binary search per word. All positions of the text are sorted at once, order by order;
nothing is ever a Python object per n-gram.

Counts are those of Kneser and Ney (1995) as Chen and Goodman (1998, section 3) and Heafield et al.
(2013, section 3.2) use them: for the highest order how often the n-gram occurs; below it, how many
different words precede it. Nothing precedes `<s>`, so an n-gram that begins with it keeps how often
it occurs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.detect.ngram_text import END, START, UNKNOWN, Ids

NOWHERE = -1


class OrderCounts(NamedTuple):
    """The n-grams of one order, sorted by key; a row is an n-gram."""

    keys: NDArray[np.int64]
    counts: NDArray[np.int32]  # adjusted, see above
    times: NDArray[np.int32]  # how often the n-gram occurs
    suffixes: NDArray[np.int32]  # row, one order below, of the n-gram without its first word


class _Seen(NamedTuple):
    """The n-grams of one order, and which of them begins at each position of the text."""

    keys: NDArray[np.int64]
    times: NDArray[np.int32]
    places: NDArray[np.int64]  # one position where it occurs
    row_at: Ids  # NOWHERE where a sentence ends too early


def count_ngrams(ids: Ids, vocabulary: int, order: int) -> Iterator[OrderCounts]:
    """Counts of orders 1 to `order`; `ids` are sentences between marks, end to end.

    >>> ids = np.array([START, 3, 4, END, START, 3, 3, END], np.int32)
    >>> [counts.counts.tolist() for counts in count_ngrams(ids, 5, 2)]
    [[0, 0, 2, 2, 1], [2, 1, 1, 1, 1]]
    """
    seen = _words(ids, vocabulary)
    suffixes = np.zeros(vocabulary, np.int32)
    for above in range(2, order + 1):
        longer = _extend(seen, ids, vocabulary, above)
        # all occurrences of an n-gram end alike: any of its places tells the row of its suffix
        next_suffixes = seen.row_at[longer.places + 1]
        counts = np.bincount(next_suffixes, minlength=len(seen.keys)).astype(np.int32)
        begins = ids[seen.places] == START
        counts[begins] = seen.times[begins]
        if above == 2:
            counts[[UNKNOWN, START]] = 0  # nothing predicts them
        yield OrderCounts(seen.keys, counts, seen.times, suffixes)
        seen, suffixes = longer, next_suffixes
    yield OrderCounts(seen.keys, seen.times, seen.times, suffixes)


def _words(ids: Ids, vocabulary: int) -> _Seen:
    places = np.zeros(vocabulary, np.int64)
    places[ids] = np.arange(len(ids))
    times = np.bincount(ids, minlength=vocabulary).astype(np.int32)
    return _Seen(np.arange(vocabulary), times, places, ids)


def _extend(shorter: _Seen, ids: Ids, vocabulary: int, order: int) -> _Seen:
    """The n-grams of the next order: those before, each with the word after it."""
    rows, last = shorter.row_at[: 1 - order], ids[order - 2 : -1]
    positions = np.flatnonzero((rows != NOWHERE) & (last != END))
    keys = rows[positions].astype(np.int64)
    keys *= vocabulary
    keys += ids[positions + (order - 1)]
    ranking = np.argsort(keys)
    keys = keys[ranking]
    is_new = np.ones(len(keys), np.bool_)
    np.not_equal(keys[1:], keys[:-1], out=is_new[1:])
    firsts = np.flatnonzero(is_new)
    row_at = np.full(len(ids), NOWHERE, np.int32)
    row_at[positions[ranking]] = np.cumsum(is_new, dtype=np.int32) - 1
    times = np.diff(firsts, append=len(keys)).astype(np.int32)
    return _Seen(keys[firsts], times, positions[ranking[firsts]], row_at)
