"""Rare n-grams left out of a model, for a smaller one.

An n-gram occurs at most as often as its beginning and its end. Where no order has a lower limit
than the one before it, these stay whenever the n-gram stays. What the weights need for that was
done in the estimate.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from jurybox.detect.ngram_counts import NOWHERE
from jurybox.detect.ngram_estimate import Order


def leave_out_rare(
    orders: Sequence[Order],
    times: Sequence[NDArray[np.int32]],
    limits: Sequence[int],
    vocabulary: int,
) -> tuple[Order, ...]:
    """The n-grams that occur more often than the limit of their order; all words stay.

    >>> zeros = np.zeros(3, np.float32)
    >>> words = Order(np.arange(3), zeros, zeros)
    >>> pairs = Order(np.array([1, 5, 7]), zeros, zeros)
    >>> often = [np.array([0, 9, 9], np.int32), np.array([2, 1, 3], np.int32)]
    >>> leave_out_rare([words, pairs], often, [0, 1], 3)[1].keys.tolist()
    [1, 7]
    """
    kept = [orders[0]]
    new_row = np.arange(orders[0].size)
    for order, seen, limit in zip(orders[1:], times[1:], limits[1:], strict=True):
        stays = np.flatnonzero(seen > limit)
        contexts, words = np.divmod(order.keys[stays], vocabulary)
        keys = new_row[contexts] * vocabulary + words
        kept.append(Order(keys, order.log10[stays], order.backoff[stays]))
        new_row = np.full(order.size, NOWHERE)
        new_row[stays] = np.arange(len(stays))
    return tuple(kept)
