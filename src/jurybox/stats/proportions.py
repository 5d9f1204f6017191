"""Intervals and the exact test for a proportion: hits among cases that were drawn at random.

All functions take numbers or arrays, and hits need not be whole: the shares of judges who call a
case an error add up to hits as well.
"""

from __future__ import annotations

from collections.abc import Callable
from math import lgamma, log
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from jurybox.errors import InputError, UsageError

FloatArray = NDArray[np.float64]


class Bounds(NamedTuple):
    """The ends of intervals, arrays or numbers as the counts were; nan where nothing was drawn."""

    low: FloatArray
    high: FloatArray


def normal_quantile(level: float) -> float:
    """How many standard errors to each side hold `level` of a normal distribution.

    >>> round(normal_quantile(0.95), 4)
    1.96
    """
    if not 0 < level < 1:
        raise UsageError(f"the level of an interval must be between 0 and 1, not {level}")
    return NormalDist().inv_cdf((1 + level) / 2)


def wilson_interval(hits: ArrayLike, n: ArrayLike, level: float = 0.95) -> Bounds:
    """All proportions that the hits do not speak against (Wilson 1927).

    With z for the level: (p + z²/2n ± z √(p (1 - p)/n + z²/4n²)) / (1 + z²/n). It stays between 0
    and 1, and has a width without hits too.

    >>> [round(float(end), 4) for end in wilson_interval(81, 263)]
    [0.2553, 0.3662]
    >>> wilson_interval([0, 1], [20, 29]).high.round(4)
    array([0.1611, 0.1718])
    """
    p, cases = _shares(hits, n)
    return wilson_bounds(p, cases, level)


def wilson_bounds(p: ArrayLike, n: ArrayLike, level: float = 0.95) -> Bounds:
    """The same of a proportion that is as sure as one of n cases would be, n not being whole.

    >>> [round(float(end), 4) for end in wilson_bounds(0.5, 12.5)]
    [0.2576, 0.7424]
    """
    share, cases = np.asarray(p, dtype=np.float64), np.asarray(n, dtype=np.float64)
    z = normal_quantile(level)
    weight = z**2 / cases
    middle = share + weight / 2
    half = z * np.sqrt(share * (1 - share) / cases + weight / (4 * cases))
    # at the ends the two terms are equal, but for their rounding
    low = np.where(share == 0, 0.0, (middle - half) / (1 + weight))
    high = np.where(share == 1, 1.0, (middle + half) / (1 + weight))
    none = np.isnan(cases)
    # [()] makes numbers of arrays without dimension
    return Bounds(np.where(none, np.nan, low)[()], np.where(none, np.nan, high)[()])


def _shares(hits: ArrayLike, n: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """The proportions, and n with nan for nothing drawn."""
    found, cases = np.broadcast_arrays(
        np.asarray(hits, dtype=np.float64), np.asarray(n, dtype=np.float64)
    )
    if not ((found >= 0) & (found <= cases) & np.isfinite(cases)).all():
        raise InputError("hits must be from 0 to the number of cases they were found in")
    drawn = np.where(cases > 0, cases, np.nan)
    return found / drawn, drawn


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


# --- where a function crosses 0, for thousands of functions at once ---

#: as many as halvings would need, and some
MOST_STEPS = 60


def find_root(
    function: Callable[[FloatArray], FloatArray],
    low: FloatArray,
    high: FloatArray,
    within: float = 1e-10,
) -> FloatArray:
    """Chandrupatla's method (1997): inverse quadratic interpolation where that is safe, or halving.

    A root is found when its range is `within` of what it was. Where the function has the same sign
    at both ends, the end at which it is nearer to 0.

    >>> find_root(lambda x: x**3 - np.array([1.0, 8.0]), np.zeros(2), np.full(2, 5.0)).round(9)
    array([1., 2.])
    """
    b, a = low.astype(np.float64), high.astype(np.float64)
    f_b, f_a = function(b), function(a)
    outside = np.sign(f_a) * np.sign(f_b) > 0
    nearer = np.where(np.abs(f_a) < np.abs(f_b), a, b)
    close = within * np.abs(a - b)
    c, f_c = a, f_a
    step = np.full_like(a, 0.5)
    for _ in range(MOST_STEPS):
        x = a + step * (b - a)
        f_x = function(x)
        same = np.sign(f_x) == np.sign(f_a)
        c, f_c = np.where(same, a, b), np.where(same, f_a, f_b)
        b, f_b = np.where(same, b, a), np.where(same, f_b, f_a)
        a, f_a = x, f_x
        width = np.abs(b - a)
        if ((width <= 2 * close) | (f_a == 0) | outside).all():
            break
        with np.errstate(all="ignore"):
            xi, phi = (a - b) / (c - b), (f_a - f_b) / (f_c - f_b)
            fits = (phi**2 < xi) & ((1 - phi) ** 2 < 1 - xi)
            guess = f_a / (f_b - f_a) * f_c / (f_b - f_c) + (c - a) / (b - a) * f_a / (
                f_c - f_a
            ) * f_b / (f_c - f_b)
            least = np.minimum(close / np.maximum(width, 1e-300), 0.5)
        step = np.where(fits & np.isfinite(guess), np.clip(guess, least, 1 - least), 0.5)
    found = np.where(np.abs(f_a) < np.abs(f_b), a, b)
    return np.where(outside, nearer, found)
