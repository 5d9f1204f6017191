"""The exact binomial test: whether so many successes are what a chance would give."""

from __future__ import annotations

from math import lgamma, log
from typing import NamedTuple

import numpy as np

#: chances that differ by less than this part of them are the same
SAME = 1e-7


class BinomialTest(NamedTuple):
    """p of the two-sided test, and of the one that asks only whether there are too few."""

    two_sided: float
    too_few: float


def binomial_test(successes: int, n: int, chance: float) -> BinomialTest:
    """How likely numbers of successes are that are as unlikely as this one, or as few.

    The two-sided p adds the chances of all numbers that are no likelier than the one found.

    >>> [round(p, 4) for p in binomial_test(3, 10, 0.5)]
    [0.3437, 0.1719]
    """
    k = np.arange(n + 1)
    factorials = np.array([lgamma(i + 1) for i in range(n + 1)])
    logs = factorials[n] - factorials[k] - factorials[n - k]
    logs = logs + k * log(chance) + (n - k) * log(1 - chance)
    chances = np.exp(logs)
    likely = chances[successes] * (1 + SAME)
    return BinomialTest(
        min(1.0, float(chances[chances <= likely].sum())),
        min(1.0, float(chances[: successes + 1].sum())),
    )
