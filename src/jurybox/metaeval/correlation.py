"""How far a metric orders systems as people do.

Every measure takes scores by the metric and by people, [..., systems], and gives one number for
each of the leading places, so that a thousand resamples are one call. nan where it is not defined:
fewer than two systems, or all of them equal on one side.

- `pearson` and `spearman` (Spearman 1904), the latter on ranks, equal scores sharing theirs;
- `kendall`, tau-b (Kendall 1945), which allows for ties on both sides;
- `pairwise_accuracy` (Kocmi et al. 2021): the share of pairs of systems in the right order.

`williams` asks whether two metrics differ in Pearson's correlation (Williams 1959; Graham and
Baldwin 2014), `permutation_p` how often systems in random order would correlate as well.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from math import isnan, nan, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.stats.intervals import t_p_value
from jurybox.stats.running_choice import FloatArray

#: up to so many systems all orders are looked at: 5,040 of 7
ALL_ORDERS = 7
#: values nearer than this are the same one, reached by another way of adding
SAME = 1e-12

Measure = Callable[[FloatArray, FloatArray], FloatArray]


def pearson(metric: FloatArray, human: FloatArray) -> FloatArray:
    """Pearson's r = cov(x, y) / (sd(x) sd(y)).

    Undefined where all systems have the same score on one side.

    >>> round(float(pearson(np.array([1.0, 2, 3, 4]), np.array([2.0, 1, 4, 3]))), 4)
    0.6
    """
    x = metric - metric.mean(axis=-1, keepdims=True)
    y = human - human.mean(axis=-1, keepdims=True)
    above = (x * y).sum(axis=-1)
    spread_x, spread_y = np.sqrt((x * x).sum(axis=-1)), np.sqrt((y * y).sum(axis=-1))
    # equal scores leave rounding errors behind, which must not be taken for a spread
    flat = (spread_x <= SAME * _size(metric)) | (spread_y <= SAME * _size(human))
    found = divide(above, spread_x * spread_y, where=~flat & ~np.isnan(above))
    return np.clip(found, -1.0, 1.0)


def divide(above: FloatArray, below: FloatArray, *, where: NDArray[np.bool_]) -> FloatArray:
    """The quotient; nan where it is not defined."""
    found: FloatArray = np.full(np.shape(above), nan)
    np.divide(above, below, out=found, where=where)
    return found


def _size(scores: FloatArray) -> FloatArray:
    size: FloatArray = np.abs(scores).max(axis=-1) * np.sqrt(scores.shape[-1])
    return size


def spearman(metric: FloatArray, human: FloatArray) -> FloatArray:
    """Spearman's rho: Pearson's r of ranks, equal scores sharing the mean of theirs.

    Undefined where all systems have the same score on one side.

    >>> round(float(spearman(np.array([1.0, 2, 30]), np.array([1.0, 5, 4]))), 4)
    0.5
    """
    return pearson(average_ranks(metric), average_ranks(human))


def average_ranks(scores: FloatArray) -> FloatArray:
    """Ranks from 1 up, the lowest score first; equal scores share the mean of theirs.

    >>> average_ranks(np.array([5.0, 1.0, 5.0])).tolist()
    [2.5, 1.0, 2.5]
    """
    signs = _signs(scores)
    below, equal = (signs > 0).sum(axis=-1), (signs == 0).sum(axis=-1)
    ranks: FloatArray = np.where(np.isnan(scores), nan, below + (equal + 1) / 2)
    return ranks


def kendall(metric: FloatArray, human: FloatArray) -> FloatArray:
    """Kendall's tau-b = (C - D) / sqrt((P - T_x)(P - T_y)).

    C and D are pairs of systems in the same and in opposite order, P all pairs, T_x and T_y those
    that tie on a side. Undefined where all systems have the same score on one side.

    >>> round(float(kendall(np.array([1.0, 2, 3, 4]), np.array([2.0, 1, 4, 3]))), 4)
    0.3333
    """
    x, y = _signs(metric), _signs(human)
    above = (x * y).sum(axis=(-2, -1))
    below = np.sqrt((x * x).sum(axis=(-2, -1)) * (y * y).sum(axis=(-2, -1)))
    return divide(above, below, where=below > 0)


def pairwise_accuracy(metric: FloatArray, human: FloatArray) -> FloatArray:
    """The share of pairs of systems that the metric puts in people's order.

    accuracy = (pairs in the same order) / (pairs that people decide). Pairs that tie for people
    have no right order and are left out; a pair that ties for the metric is not right. Undefined
    where people decide no pair.

    >>> round(float(pairwise_accuracy(np.array([1.0, 2, 2]), np.array([1.0, 3, 2]))), 4)
    0.6667
    """
    x, y = _signs(metric), _signs(human)
    decided = (y * y).sum(axis=(-2, -1))
    right = (x * y > 0).sum(axis=(-2, -1))
    return divide(right, decided, where=decided > 0)


def _signs(scores: FloatArray) -> FloatArray:
    """1 where the first of two systems is better, -1 where the second is: [..., first, second]."""
    return np.sign(scores[..., :, np.newaxis] - scores[..., np.newaxis, :])


#: name -> measure, in the order in which they are shown
MEASURES: dict[str, Measure] = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall": kendall,
    "pairwise_accuracy": pairwise_accuracy,
}
#: those that random orders put at 0, and that have a p-value
CORRELATIONS = ("pearson", "spearman", "kendall")


def permutation_p(
    metric: FloatArray,
    human: FloatArray,
    name: str,
    *,
    rng: np.random.Generator,
    orders: int = 10_000,
) -> float:
    """The two-sided p-value: how often systems in random order correlate as strongly.

    Up to seven systems all orders are looked at; of more systems `orders` are drawn, and the one
    observed counts as one of them (Phipson and Smyth 2010).

    >>> up = np.array([1.0, 2.0, 3.0, 4.0])
    >>> round(permutation_p(up, up, "kendall", rng=np.random.default_rng(1)), 4)
    0.0833
    """
    measure = MEASURES[name]
    observed = float(measure(metric, human))
    n = len(metric)
    if isnan(observed):
        return nan
    exact = n <= ALL_ORDERS
    if exact:
        drawn = np.array(list(permutations(range(n))))
    else:
        drawn = rng.permuted(np.tile(np.arange(n), (orders, 1)), axis=1)
    as_strong = int((np.abs(measure(metric, human[drawn])) >= abs(observed) - SAME).sum())
    return as_strong / len(drawn) if exact else (as_strong + 1) / (orders + 1)


class Williams(NamedTuple):
    """Two metrics' Pearson correlations with people and with each other, Williams' t and its p.

    p is two-sided; t and p are nan with fewer than four systems, or without a spread.
    """

    first: float
    second: float
    between: float
    t: float
    p_value: float


def williams(one: FloatArray, other: FloatArray, human: FloatArray) -> Williams:
    """Whether two metrics differ in how they correlate with the same human scores.

    >>> one, other = np.array([1.0, 2.0, 3.0, 4.0, 6.0]), np.array([2.0, 1.0, 4.0, 3.0, 9.0])
    >>> found = williams(one, other, np.array([1.0, 2.0, 3.0, 5.0, 5.0]))
    >>> round(found.first, 4), round(found.second, 4), round(found.p_value, 4)
    (0.93, 0.6821, 0.0754)
    """
    first, second = float(pearson(one, human)), float(pearson(other, human))
    between = float(pearson(one, other))
    t = williams_t(first, second, between, len(human))
    p_value = nan if isnan(t) else t_p_value(t, len(human) - 3)
    return Williams(first, second, between, t, p_value)


def williams_t(first: float, second: float, between: float, systems: int) -> float:
    """Williams' t with systems - 3 degrees of freedom; nan where there is none.

    >>> round(williams_t(0.4, 0.5, 0.1, 103), 4)
    -0.8913
    """
    n = systems
    if n < 4 or isnan(first + second + between):
        return nan
    k = 1 - first**2 - second**2 - between**2 + 2 * first * second * between
    below = 2 * k * (n - 1) / (n - 3) + ((first + second) ** 2 / 4) * (1 - between) ** 3
    return (first - second) * sqrt((n - 1) * (1 + between) / below) if below > SAME else nan
