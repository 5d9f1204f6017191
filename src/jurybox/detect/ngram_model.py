"""The n-gram language model: sorted arrays, and the scores of many sentences at once.

The probability of a word is that of the longest n-gram of the model which ends in it; for every
longer context that the model knows, its back-off weight is added (Katz 1987; the ARPA format).
All words of all sentences take each step together: one binary search of packed keys per order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.detect.ngram_counts import NOWHERE
from jurybox.detect.ngram_estimate import Discounts, Order
from jurybox.detect.ngram_scores import Scores, joined_scores
from jurybox.detect.ngram_text import END, START, UNKNOWN, Ids, Vocabulary, encode_query

Rows = NDArray[np.int64]

#: sentences scored together: enough to keep numpy busy, few enough for little memory
BATCH = 20_000


class About(NamedTuple):
    """Where a model comes from, as far as it is known."""

    made_from: str  # "text" or "arpa"
    sha256: tuple[str, ...]  # of the files it was made from
    sentences: int | None = None
    words: int | None = None
    prune: tuple[int, ...] = ()  # n-grams seen at most so often are left out, by order
    discounts: tuple[Discounts, ...] = ()
    fallback_discounts: Discounts | None = None  # what was offered
    versions: tuple[tuple[str, str], ...] = ()  # of the packages that made it


@dataclass(frozen=True)
class NgramModel:
    """An n-gram model with back-off.

    >>> from jurybox.detect.ngram_training import train_lm_on
    >>> model = train_lm_on(["a cat sat", "a dog sat"], order=2, fallback_discounts=(0.5, 1, 1.5))
    >>> scores = model.score(["a cat sat", "a zebra sat"])
    >>> bool(scores.totals[0] > scores.totals[1]), scores.unknown_words
    (True, 1)
    >>> scores.of(0).round(2).tolist()
    [-0.23, -0.48, -0.2, -0.23]
    """

    vocabulary: Vocabulary
    orders: tuple[Order, ...]
    about: About = field(default=About("text", ()))

    @property
    def order(self) -> int:
        """How many words the longest n-gram has."""
        return len(self.orders)

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many n-grams there are of each order."""
        return tuple(order.size for order in self.orders)

    def score(self, sentences: Iterable[str | Sequence[str]]) -> Scores:
        """Log10 probabilities of every word and sentence end; strings are split at white space."""
        return joined_scores([self._score_batch(batch) for batch in _batches(sentences)])

    def _score_batch(self, sentences: Sequence[str | Sequence[str]]) -> Scores:
        ids, lengths = encode_query(sentences, self.vocabulary)
        asked = np.flatnonzero(ids != START)
        log10 = word_scores(self.orders, len(self.vocabulary), ids)[asked]
        bounds = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths + 1)])
        return Scores(log10, ids[asked] == UNKNOWN, bounds)


def word_scores(orders: Sequence[Order], vocabulary: int, ids: Ids) -> NDArray[np.float64]:
    """Log10 probability of the word at every position of sentences between marks, end to end."""
    rows = rows_of_ngrams(orders, vocabulary, ids)
    found = orders[0].log10[ids].astype(np.float64)
    for length in range(1, len(orders)):
        # the context of `length` words before a position, and the n-gram of it and the word there
        context, whole = rows[length - 1][:-1], rows[length]
        known = whole != NOWHERE
        backed_off = (context != NOWHERE) & ~known
        ends = found[length:]
        ends[backed_off] += orders[length - 1].backoff[context[backed_off]]
        ends[known] = orders[length].log10[whole[known]]
    return found


def rows_of_ngrams(orders: Sequence[Order], vocabulary: int, ids: Ids) -> list[Rows]:
    """For every order the row of the n-gram that begins at each position, or NOWHERE.

    No n-gram goes on after the end of a sentence.
    """
    rows = [ids.astype(np.int64)]
    for above, order in enumerate(orders[1:], 1):
        shorter = rows[-1][:-1]
        found = np.full(len(shorter), NOWHERE)
        known = np.flatnonzero((shorter != NOWHERE) & (ids[above - 1 : -1] != END))
        found[known] = find_rows(order.keys, shorter[known] * vocabulary + ids[above:][known])
        rows.append(found)
    return rows


def find_rows(keys: NDArray[np.int64], wanted: NDArray[np.int64]) -> Rows:
    """The row of each wanted key in sorted keys, or NOWHERE.

    >>> find_rows(np.array([2, 5, 9]), np.array([9, 3, 2])).tolist()
    [2, -1, 0]
    """
    if not len(keys):
        return np.full(len(wanted), NOWHERE)
    # neighbours in the array are looked up one after the other, which spares most of the waiting
    distinct, back = np.unique(wanted, return_inverse=True)
    places = np.minimum(np.searchsorted(keys, distinct), len(keys) - 1)
    places[keys[places] != distinct] = NOWHERE
    return places[back]


def _batches(
    sentences: Iterable[str | Sequence[str]],
) -> Iterator[Sequence[str | Sequence[str]]]:
    waiting = iter(sentences)
    while batch := list(islice(waiting, BATCH)):
        yield batch
