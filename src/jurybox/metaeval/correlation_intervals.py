"""Confidence intervals of correlations over a handful of systems.

Pearson's r has Fisher's interval: z = artanh(r) is nearly normal with the standard error
1 / √(n - 3) for n systems (Fisher 1921).

Spearman's rho and Kendall's tau have *test inversion* intervals: a value is in the interval if a
test at 2.5 % on either side would not reject it. The test draws the scores of n systems from a
bivariate normal distribution, many times, and looks how often the rank correlation is as high, or
as low, as the observed one. Ranks do not depend on the scale of scores, so this holds for all
scores that are normal on some scale. With few systems the intervals hold in more than 95 %, because
a rank correlation has few possible values: tau of five systems has eleven. Standard errors for z of
rank correlations (Fieller, Hartley and Pearson 1957; Bonett and Wright 2000) fail there: five
systems in the very order of people have tau 1 and an infinite z.

Without ties pairwise accuracy is (tau + 1) / 2, and so are its ends.

Percentiles of resampled systems hold in 85 to 90 % where these hold in 95 (the study
docs/studies/coverage.md). Intervals over sentences: `sentence_intervals`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import asin, atanh, nan, pi, sqrt, tanh
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from jurybox.stats.intervals import t_quantile
from jurybox.stats.proportions import normal_quantile
from jurybox.stats.running_choice import FloatArray
from jurybox.streams import stream

#: systems that an interval needs
LEAST_SYSTEMS = {"pearson": 4, "spearman": 4, "kendall": 5}
#: the rank correlation of normal scores whose Pearson correlation is r
OF_NORMAL: dict[str, Callable[[float], float]] = {
    "spearman": lambda r: 6 / pi * asin(r / 2),
    "kendall": lambda r: 2 / pi * asin(r),
}
#: Fisher's z of the correlations at which scores are drawn; those below 0 are mirrored
Z_GRID = np.arange(0.0, 6.01, 0.2)
#: data sets at each of them, and numbers drawn at most
DATA_SETS, NUMBERS = 20_000, 240_000
FEWEST_DATA_SETS = 4_000
#: values nearer than this are the same
SAME = 1e-9


class CorrelationEnds(NamedTuple):
    """The ends of an interval; nan and a reason where there is none."""

    low: float
    high: float
    reason: str = ""


def correlation_interval(
    name: str, value: float, systems: int, level: float = 0.95
) -> CorrelationEnds:
    """The interval of a correlation, or of pairwise accuracy, over other systems.

    >>> [round(end, 2) for end in correlation_interval("pearson", 0.8, 12)[:2]]
    [0.42, 0.94]
    >>> [round(end, 1) for end in correlation_interval("kendall", 1.0, 5)[:2]]
    [0.2, 1.0]
    >>> correlation_interval("kendall", 0.3, 4).reason
    'an interval over systems needs 5 of them'
    """
    if name == "pairwise_accuracy":
        found = correlation_interval("kendall", 2 * value - 1, systems, level)
        if found.reason:
            return found
        return CorrelationEnds((found.low + 1) / 2, (found.high + 1) / 2)
    t_quantile(level, 1)  # refuses what is no level
    if systems < (least := LEAST_SYSTEMS[name]):
        return CorrelationEnds(nan, nan, f"an interval over systems needs {least} of them")
    if name == "pearson":
        if abs(value) >= 1:
            return CorrelationEnds(value, value, "scores lie on a line")
        reach = normal_quantile(level) / sqrt(systems - 3)
        return CorrelationEnds(tanh(atanh(value) - reach), tanh(atanh(value) + reach))
    low = _lowest(name, value, systems, (1 - level) / 2)
    high = -_lowest(name, -value, systems, (1 - level) / 2)
    return CorrelationEnds(min(value, low), max(value, high))


def _lowest(name: str, value: float, systems: int, tail: float) -> float:
    """The rank correlation with which a sample has this value or more with probability `tail`.

    Between correlations of the grid the probability is interpolated as a normal quantile, in which
    it is nearly a line.
    """
    if value <= -1 + SAME:
        return -1.0
    drawn = draw_rank_correlations(systems)[name]
    at_least = [_share(one, value) for one in drawn]
    mirrored = [1 - _share(one, -value + 2 * SAME) for one in drawn]  # of -r: at most -value
    chances = np.array(mirrored[:0:-1] + at_least)
    z = np.concatenate([-Z_GRID[:0:-1], Z_GRID])
    quantiles = np.maximum.accumulate([NormalDist().inv_cdf(chance) for chance in chances])
    at = float(np.interp(NormalDist().inv_cdf(tail), quantiles, z))
    return OF_NORMAL[name](tanh(at))


def _share(ordered: FloatArray, value: float) -> float:
    """The share of drawn values that are this or more; never 0 or 1, of which nothing is sure."""
    fewer = int(np.searchsorted(ordered, value - SAME))
    return (len(ordered) - fewer + 0.5) / (len(ordered) + 1)


@lru_cache(maxsize=8)
def draw_rank_correlations(systems: int) -> dict[str, list[FloatArray]]:
    """Rank correlations of normal scores of so many systems, in order, at every point of the grid.

    The same random numbers at every point, and in every call.
    """
    size = max(FEWEST_DATA_SETS, min(DATA_SETS, NUMBERS // systems))
    rng = stream(1, "normal scores of systems", systems)
    metric, other = np.sort(rng.normal(size=(size, systems))), rng.normal(size=(size, systems))
    found: dict[str, list[FloatArray]] = {name: [] for name in OF_NORMAL}
    pairs = systems * (systems - 1) / 2
    places = np.arange(systems)
    for r in np.tanh(Z_GRID):
        human = r * metric + sqrt(1 - r * r) * other
        # systems are in the metric's order: pairs that people put in the same one
        same = np.zeros(size)
        for gap in range(1, systems):
            same += np.count_nonzero(human[:, gap:] > human[:, :-gap], axis=1)
        found["kendall"].append(np.sort(2 * same / pairs - 1))
        ranks = human.argsort(axis=1).argsort(axis=1)
        apart = ((ranks - places) ** 2).sum(axis=1)
        found["spearman"].append(np.sort(1 - 6 * apart / (systems**3 - systems)))
    return found
