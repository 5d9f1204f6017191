"""Model-assisted estimates: scores on every case make a sample of judgments surer.

Where a detector has scored every case of the corpus, the mean of its scores is known, and only how
far it is off needs to be judged: a part's error rate is λ times the mean score of all of its cases,
plus the mean of (judgment - λ score) over the sampled ones. This is the difference estimator of
survey sampling (Särndal, Swensson and Wretman 1992, chapter 6), known as prediction-powered
inference (Angelopoulos et al. 2023). It is unbiased whatever the scores are worth; λ is chosen so
that worthless scores do no harm (Angelopoulos, Duchi and Zrnic 2023): the slope of judgments on
scores, between 0 and 1 where scores are chances of an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import NamedTuple

import numpy as np

from jurybox.stats.proportions import FloatArray
from jurybox.stats.sampled_parts import PartSample

#: with fewer sampled cases than this, the slope is not to be trusted and scores are left out
ENOUGH = 10


class ScoredStratum(NamedTuple):
    """Judgments and scores of the sampled cases of a stratum."""

    size: int
    error: FloatArray
    score: FloatArray


class AssistedPart(NamedTuple):
    """A part's share of errors with the help of scores; how much surer than without them."""

    part: PartSample
    slope: float
    gain: float  # variance without scores, by that with them


def assist_part(
    strata: Sequence[ScoredStratum], mean_score: float, of_all: int, *, finite: bool
) -> AssistedPart:
    """A part of the corpus, of which the mean score of all cases is known.

    Scores that are always right leave no doubt, however few cases were judged:

    >>> error = np.array([0.0, 1.0] * 10)
    >>> found = assist_part([ScoredStratum(1000, error, error)], 0.45, 1000, finite=False)
    >>> float(found.part.share[0]), float(found.part.variance[0])
    (0.45, 0.0)
    """
    size = sum(one.size for one in strata)
    plain = sum(_variance(one, one.error, finite) * (one.size / size) ** 2 for one in strata)
    slope = _slope(strata, size, finite)
    share = slope * mean_score
    variance = 0.0
    for one in strata:
        weight, off = one.size / size, one.error - slope * one.score
        share += weight * float(off.mean())
        variance += weight**2 * _variance(one, off, finite)
    share = min(1.0, max(0.0, share))
    least = 0.5 / sum(len(one.error) for one in strata)  # half an error: none is not certainty
    possible = min(1 - least, max(least, share))
    n = possible * (1 - possible) / variance if variance > 0 else inf
    sure = np.array([n])
    part = PartSample(size / of_all, np.array([share]), np.array([variance]), sure, 1 / sure**2)
    return AssistedPart(part, slope, plain / variance if variance > 0 else inf)


def _slope(strata: Sequence[ScoredStratum], size: int, finite: bool) -> float:
    """The λ that makes the variance smallest; 0 where scores do not vary or cases are few."""
    together, own = 0.0, 0.0
    for one in strata:
        n = len(one.error)
        if n < 2:
            continue
        factor = (one.size / size) ** 2 / n * (1 - n / one.size if finite else 1)
        spread = np.cov(one.error, one.score)
        together += factor * float(spread[0, 1])
        own += factor * float(spread[1, 1])
    if own <= 0 or sum(len(one.error) for one in strata) < ENOUGH:
        return 0.0
    return together / own


def _variance(one: ScoredStratum, values: FloatArray, finite: bool) -> float:
    n = len(values)
    if n < 2:
        return 0.25
    left = 1 - n / one.size if finite else 1.0
    return float(np.var(values, ddof=1)) / n * left
