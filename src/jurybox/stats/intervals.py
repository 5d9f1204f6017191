"""Confidence intervals of bounded measures, from a value and its standard error.

A percentile bootstrap interval is too narrow where few units (sentences, documents, cases, raters)
were seen: it forgets that the standard error is an estimate itself. `bounded_interval` therefore

- takes t-quantiles with one degree of freedom less than there are units, and
- has the form of Wilson's (1927) interval of a share, on the effective number of observations: the
  number of coin tosses that would have the same standard error (Franco et al. 2019 compare such
  intervals for clustered samples). For a share among independent cases this is Wilson's interval.

It stays within the range of the measure, and has a width where all that was seen is alike. The
study docs/studies/coverage.md measures how often it covers the truth.
"""

from __future__ import annotations

from functools import lru_cache
from math import atan, cos, inf, nan, pi, sin, sqrt, tan
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from jurybox.errors import UsageError

FloatArray = NDArray[np.float64]
#: from here on a series about the normal quantile is exact to 10 digits, and faster
MANY_DEGREES = 2000
#: from here on the series with one term more is exact to 3 digits
SERIES_DEGREES = 8
#: so few observations say nothing: the interval is the whole range
LEAST_OBSERVATIONS = 1e-6
#: a spread is seen among two units at least; shares of units are rounded
FEWEST_UNITS = 1.5


class Ends(NamedTuple):
    """The lower and upper end of an interval, or of many."""

    low: FloatArray
    high: FloatArray


def bounded_interval(
    value: ArrayLike,
    standard_error: ArrayLike,
    *,
    units: int,
    evidence: ArrayLike | None = None,
    bounds: tuple[float, float] = (0.0, 1.0),
    level: float = 0.95,
) -> Ends:
    """The interval of a measure between `bounds`; arrays give many at once.

    `standard_error` estimates the spread over samples of this size: of the jackknife, or of
    the bootstrap times √(units / (units - 1)). Where the value is at a bound, the standard error
    is no estimate, and `evidence` counts: the number of units that the value rests on.

    >>> [round(float(end), 3) for end in bounded_interval(0.8, 0.04, units=100)]
    [0.71, 0.867]
    >>> [round(float(end), 3) for end in bounded_interval(1, 0, units=100, evidence=8)]
    [0.67, 1.0]
    >>> [round(float(end), 3) for end in bounded_interval(0.4, 0.1, units=30, bounds=(-1, 1))]
    [0.181, 0.582]
    """
    lowest, highest = bounds
    range_ = highest - lowest
    share = (np.asarray(value, dtype=np.float64) - lowest) / range_
    error = np.asarray(standard_error, dtype=np.float64) / range_
    alike = units if evidence is None else np.asarray(evidence, dtype=np.float64)
    at_bound = (share <= 0) | (share >= 1)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        effective = np.where(at_bound, alike, share * (1 - share) / error**2)
    ends = wilson_ends(share, effective, t_quantile(level, units - 1))
    return Ends(lowest + range_ * ends.low, lowest + range_ * ends.high)


def wilson_ends(share: ArrayLike, effective: ArrayLike, t: ArrayLike) -> Ends:
    """Wilson's (1927) interval of shares of so many effective observations, at the quantile t.

    >>> [round(float(end), 3) for end in wilson_ends(0.8, 100, 1.96)]
    [0.711, 0.867]
    """
    p = np.asarray(share, dtype=np.float64)
    t2 = np.asarray(t) ** 2 / np.maximum(effective, LEAST_OBSERVATIONS)
    centre = (p + t2 / 2) / (1 + t2)
    reach = np.sqrt(t2 * (np.maximum(0.0, p * (1 - p)) + t2 / 4)) / (1 + t2)
    low = np.where(p <= 0, 0.0, np.maximum(0.0, centre - reach))
    high = np.where(p >= 1, 1.0, np.minimum(1.0, centre + reach))
    return Ends(low, high)


def resampled_interval(
    value: float,
    scores: FloatArray,
    *,
    evidence: float,
    bounds: tuple[float, float] | None = (0.0, 1.0),
    level: float = 0.95,
) -> tuple[float, float, float]:
    """Low end, high end and standard error of a value, from the same measure of resamples.

    `evidence` is the number of units that the value rests on: the degrees of freedom are one less,
    and so is what the spread of resamples is divided by. Without `bounds` the interval is
    symmetric. With evidence of one unit or less nothing is known: the interval is the whole range.

    >>> low, high, error = resampled_interval(0.5, np.array([0.4, 0.6, 0.5]), evidence=9)
    >>> round(low, 3), round(high, 3), round(error, 3)
    (0.28, 0.72, 0.1)
    """
    error = float(np.std(scores, ddof=1)) if len(scores) > 1 else nan
    lowest, highest = bounds or (-inf, inf)
    if evidence < FEWEST_UNITS:
        t_quantile(level, 1)  # refuses what is no level
        return lowest, highest, error
    freedom = max(1, round(evidence) - 1)
    corrected = error * sqrt(evidence / (evidence - 1))
    if bounds is None:
        reach = t_quantile(level, freedom) * corrected
        return value - reach, value + reach, error
    ends = bounded_interval(
        value, corrected, units=freedom + 1, evidence=evidence, bounds=bounds, level=level
    )
    return float(ends.low), float(ends.high), error


def effective_units(weights: FloatArray, number: NDArray[np.int64] | float = 1.0) -> float:
    """How many equally heavy units would say as much as these weights [units] (Kish 1965).

    `number` is how many units have each weight.

    >>> effective_units(np.array([1.0, 1.0, 0.0])), effective_units(np.array([3.0, 1.0]))
    (2.0, 1.6)
    """
    squares = float((weights**2 * number).sum())
    return float((weights * number).sum()) ** 2 / squares if squares else 0.0


def t_p_value(t: float, freedom: int) -> float:
    """The probability that a Student variable is at least as far from 0 as t.

    >>> round(t_p_value(2.2622, 9), 4)
    0.05
    """
    if freedom >= MANY_DEGREES:
        return 2 * NormalDist().cdf(-abs(t) * (1 - 1 / (4 * freedom)))
    return max(0.0, 1 - _t_probability(atan(abs(t) / sqrt(freedom)), freedom))


@lru_cache(maxsize=256)
def t_quantile(level: float, freedom: int) -> float:
    """The t between which and −t a Student variable lies with probability `level`.

    By halving, from the closed form for whole degrees of freedom (Abramowitz and Stegun 1964,
    26.7.3 and 26.7.4); from 2,000 degrees on by the series about the normal quantile (26.7.5).

    >>> round(t_quantile(0.95, 9), 4), round(t_quantile(0.95, 100_000), 4)
    (2.2622, 1.96)
    """
    if not 0 < level < 1:
        raise UsageError(f"the level of an interval lies between 0 and 1, as 0.95, not {level}")
    if freedom >= MANY_DEGREES:
        z = NormalDist().inv_cdf((1 + level) / 2)
        return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
    low, high = 0.0, pi / 2
    while low < (middle := (low + high) / 2) < high:
        if _t_probability(middle, freedom) < level:
            low = middle
        else:
            high = middle
    return tan(middle) * sqrt(freedom)


def t_quantiles(level: float, freedom: ArrayLike) -> FloatArray:
    """The t-quantiles of many degrees of freedom; fractions count from 8 degrees on.

    By the series about the normal quantile (Abramowitz and Stegun 1964, 26.7.5); fewer exactly.

    >>> t_quantiles(0.95, [8, 20.5, 1000]).round(4).tolist()
    [2.3056, 2.0827, 1.9623]
    """
    v = np.asarray(freedom, dtype=np.float64)
    few = {one: t_quantile(level, one) for one in range(1, SERIES_DEGREES)}
    z = NormalDist().inv_cdf((1 + level) / 2)
    first, second = (z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    found = np.asarray(z + first / v + second / v**2 + third / v**3)
    for one, t in few.items():
        found = np.where(v.round() == one, t, found)
    return found


def _t_probability(angle: float, freedom: int) -> float:
    """The probability of |t| < √freedom·tan(angle)."""
    odd = freedom % 2
    term = cos(angle) if odd else 1.0
    total = 0.0
    for i in range(2 + odd, freedom + 1, 2):
        total += term
        term *= (i - 1) / i * cos(angle) ** 2
    return 2 / pi * (angle + sin(angle) * total) if odd else sin(angle) * total
