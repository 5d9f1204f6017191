"""Model-assisted estimates: scores on every case make a sample of judgments surer.

Where a detector has scored every case of the corpus, the mean of its scores is known, and only how
far it is off needs to be judged: a part's error rate is λ times the mean score of all of its cases,
plus the mean of (judgment - λ score) over the sampled ones. This is the difference estimator of
survey sampling (Särndal, Swensson and Wretman 1992, chapter 6), known as prediction-powered
inference (Angelopoulos et al. 2023). For a given λ it is unbiased whatever the scores are worth; λ
is chosen so that worthless scores do no harm (Angelopoulos, Duchi and Zrnic 2023): the slope of
judgments on scores, between 0 and 1 where scores are chances of an error. It comes from the same
sample, so the estimate is nearly unbiased, the more so the larger the sample. Where scores do not
help, as where all judged cases are alike, the part is what it is without them.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import NamedTuple

import numpy as np

from jurybox.stats.proportions import FloatArray
from jurybox.stats.sampled_parts import PartSample, SampledStratum, share_limits, take_part

#: with fewer errors than this among the sampled cases, or fewer others, the slope rests on too few
#: of them to be trusted: scores are left out
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

    Scores that were right about all judged cases have no variance, but are not taken for certain:

    >>> error = np.array([0.0, 1.0] * 10)
    >>> found = assist_part([ScoredStratum(1000, error, error)], 0.45, 1000, finite=False)
    >>> float(found.part.share[0]), float(found.part.variance[0]), round(float(found.part.n[0]))
    (0.45, 0.0, 203)
    """
    size = sum(one.size for one in strata)
    slope = _slope(strata, size, finite)
    if not slope:
        return AssistedPart(_without_scores(strata, of_all, finite), 0.0, 1.0)
    plain = sum(_variance(one, one.error, finite) * (one.size / size) ** 2 for one in strata)
    share = slope * mean_score
    variance, possible_variance = 0.0, 0.0
    for one in strata:
        weight, off = one.size / size, one.error - slope * one.score
        share += weight * float(off.mean())
        found = _variance(one, off, finite)
        variance += weight**2 * found
        possible_variance += weight**2 * max(found, _least_variance(one, finite))
    share = min(1.0, max(0.0, share))
    least = 0.5 / sum(len(one.error) for one in strata)  # half an error: none is not certainty
    possible = min(1 - least, max(least, share))
    n = possible * (1 - possible) / possible_variance if possible_variance > 0 else inf
    sure = np.array([n])
    part = PartSample(
        size / of_all,
        np.array([share]),
        np.array([variance]),
        sure,
        1 / sure**2,
        limits=share_limits([_plain(one) for one in strata]) if finite else None,
    )
    return AssistedPart(part, slope, plain / variance if variance > 0 else inf)


def _without_scores(strata: Sequence[ScoredStratum], of_all: int, finite: bool) -> PartSample:
    return take_part([_plain(one) for one in strata], of_all, finite=finite)


def _plain(one: ScoredStratum) -> SampledStratum:
    errors, squares = one.error.sum(), (one.error**2).sum()
    return SampledStratum(one.size, len(one.error), np.array([errors]), np.array([squares]))


def _least_variance(one: ScoredStratum, finite: bool) -> float:
    """With half a case off: that no judged case is off does not mean that none is."""
    n = len(one.error)
    least = 0.5 / n
    return least * (1 - least) / n * (1 - n / one.size if finite else 1.0)


def _slope(strata: Sequence[ScoredStratum], size: int, finite: bool) -> float:
    """The λ that makes the variance smallest; 0 where scores do not vary or errors are few."""
    together, own = 0.0, 0.0
    for one in strata:
        n = len(one.error)
        if n < 2:
            continue
        factor = (one.size / size) ** 2 / n * (1 - n / one.size if finite else 1)
        spread = np.cov(one.error, one.score)
        together += factor * float(spread[0, 1])
        own += factor * float(spread[1, 1])
    errors = sum(float(one.error.sum()) for one in strata)
    others = sum(len(one.error) for one in strata) - errors
    if own <= 0 or min(errors, others) < ENOUGH:
        return 0.0
    return together / own


def _variance(one: ScoredStratum, values: FloatArray, finite: bool) -> float:
    n = len(values)
    if n < 2:
        return 0.25
    left = 1 - n / one.size if finite else 1.0
    return float(np.var(values, ddof=1)) / n * left
