"""Interpolated modified Kneser–Ney: from counts to probabilities and back-off weights.

Chen and Goodman (1998), *An empirical study of smoothing techniques for language modeling*,
section 3; with Heafield et al. (2013), *Scalable modified Kneser-Ney language model estimation*,
section 3 for what the former leaves open:

- discounts of an order come from how many of its n-grams have count 1, 2, 3 and 4:
  D(k) = k - (k + 1) t(1) t(k + 1) / ((t(1) + 2 t(2)) t(k)), for k = 1, 2, and 3 or more;
- p(w | h) = (a(h w) - D(a(h w))) / sum of a(h x) + b(h) p(w | h without its first word), where b(h)
  is the sum of the discounts over the same denominator;
- single words are interpolated with the same chance for every word: the vocabulary without
  `<s>`, which nothing predicts, and with `<unk>`, which has a count of 0 and so gets that alone;
- an n-gram that will be left out because it is rare gives its whole count to b(h): its probability
  then is what backing off gives, and the probabilities after h still add up to 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.detect.ngram_counts import OrderCounts
from jurybox.detect.ngram_text import START
from jurybox.errors import InputError

Floats = NDArray[np.float64]


class Discounts(NamedTuple):
    """What is taken from n-grams of count 1, 2, and 3 or more."""

    one: float
    two: float
    more: float


class Order(NamedTuple):
    """The n-grams of one order, sorted by key, as `ngram_counts` packs them."""

    keys: NDArray[np.int64]
    log10: NDArray[np.float32]  # of the probability of the last word after the others
    backoff: NDArray[np.float32]  # log10 of the weight of shorter contexts; 0 where none

    @property
    def size(self) -> int:
        return len(self.keys)


class Estimate(NamedTuple):
    """All orders, and the discounts of each."""

    orders: tuple[Order, ...]
    discounts: tuple[Discounts, ...]


#: used where the text is too small for its own, if the user agrees
FALLBACK = Discounts(0.5, 1.0, 1.5)


def discounts_of(counts: NDArray[np.integer]) -> Discounts | None:
    """The discounts that counts ask for; None if they are too few to tell.

    >>> discounts = discounts_of(np.repeat([1, 2, 3, 4], [50, 20, 10, 5]))
    >>> [round(discount, 4) for discount in discounts]
    [0.5556, 1.1667, 1.8889]
    >>> discounts_of(np.array([1, 1, 2])) is None
    True
    """
    _, *many = np.bincount(np.minimum(counts, 5), minlength=6)[:5].tolist()
    if not all(many):
        return None
    ratio = many[0] / (many[0] + 2 * many[1])
    found = [k - (k + 1) * ratio * many[k] / many[k - 1] for k in (1, 2, 3)]
    usable = all(0 < discount <= k for k, discount in enumerate(found, 1))
    return Discounts(*found) if usable else None


def estimate(
    counted: Iterable[OrderCounts],
    vocabulary: int,
    fallback: Discounts | None = None,
    prune: Sequence[int] = (),
) -> Estimate:
    """Probabilities and back-off weights of all orders, from the lowest to the highest.

    `prune` says for each order up to how many occurrences an n-gram will be left out; the rows
    are all here still.

    >>> from jurybox.detect.ngram_counts import count_ngrams
    >>> ids = np.array([1, 3, 4, 2, 1, 3, 3, 2], np.int32)
    >>> found = estimate(count_ngrams(ids, 5, 2), 5, FALLBACK)
    >>> [round(float(p), 4) for p in 10 ** found.orders[0].log10]
    [0.125, 1.0, 0.325, 0.325, 0.225]
    """
    orders: list[Order] = []
    discounts: list[Discounts] = []
    lower: Floats = np.empty(0)
    for number, counts in enumerate(counted, 1):
        used = discounts_of(counts.counts) or _agreed(fallback, number)
        taken = np.array([0.0, *used])[np.minimum(counts.counts, 3)]
        if prune and prune[number - 1]:
            taken = np.where(counts.times <= prune[number - 1], counts.counts, taken)
        if number == 1:
            lower = _word_probabilities(counts, taken, vocabulary)
        else:
            lower, weights = _probabilities(counts, taken, vocabulary, lower)
            orders[-1] = orders[-1]._replace(backoff=_log10(weights))
        orders.append(Order(counts.keys, _log10(lower), np.zeros(len(lower), np.float32)))
        discounts.append(used)
    return Estimate(tuple(orders), tuple(discounts))


def _agreed(fallback: Discounts | None, number: int) -> Discounts:
    if fallback is None:
        raise InputError(
            f"the text is too small: its {number}-grams are too few to tell how many unseen ones "
            "to expect; give more text, a lower order, or fallback_discounts=(0.5, 1, 1.5)"
        )
    return fallback


def _word_probabilities(counts: OrderCounts, taken: Floats, vocabulary: int) -> Floats:
    total = counts.counts.sum()
    everywhere = taken.sum() / total / (vocabulary - 1)
    found: Floats = (counts.counts - taken) / total + everywhere
    found[START] = 1.0  # as ARPA files have it; it is never asked for
    return found


def _probabilities(
    counts: OrderCounts, taken: Floats, vocabulary: int, lower: Floats
) -> tuple[Floats, Floats]:
    """Probabilities, and the weights of the contexts, which are the rows one order below."""
    contexts = counts.keys // vocabulary
    totals = np.bincount(contexts, counts.counts, minlength=len(lower))
    weights = np.ones(len(lower))
    np.divide(
        np.bincount(contexts, taken, minlength=len(lower)), totals, out=weights, where=totals > 0
    )
    found = counts.counts - taken
    found /= totals[contexts]
    found += weights[contexts] * lower[counts.suffixes]
    return found, weights


def _log10(values: Floats) -> NDArray[np.float32]:
    # a sum that should be 1 may miss it by the last bit; no logarithm is above 0
    return np.minimum(np.log10(values), 0.0).astype(np.float32)
