"""Score intervals of recall, F and error rate, which no single sample gives: Wilson's for two.

Wilson (1927) asks of every share whether the errors in a sample speak against it, with the spread
that *this* share would have, not the one that was found. Miettinen and Nurminen (1985) ask the same
of a ratio of two shares. Recall is hits / (hits + misses): a value v is right where
(1 - v) hits = v misses, that is, where a weighted difference of two shares is 0. Of all pairs of
shares for which it is, the most likely one says how far the difference may stray. A sample with few
misses, or none, then still gives a width.

F is the same with other weights: F = (1 + β²) hits / (flagged + β² (hits + misses)), of which the
share of flagged cases is known. The error rate is hits + misses.

Two things make such an interval hold the truth more, or less, often than it says, and both can be
corrected. Few errors are skewed: the quantiles of a skewed distribution are those of Cornish and
Fisher (1938; for scores Gart and Nam 1988). And errors come in whole numbers: each sample is moved
by up to half an error, by the same random weight that settles its exact interval
(`stats.exact_share`), so that all numbers of errors together have no gaps.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from jurybox.stats.proportions import Bounds, FloatArray, normal_quantile

#: halvings: ends of an interval to ten digits, most likely shares to as many
HALVINGS = 34
#: a part that was looked at as a whole is as sure as so many cases
SURE = 1e12
#: keeps shares from the ends, where the likelihood has no slope
_EDGE = 1e-12


class OneShare(NamedTuple):
    """A share of errors, its part's weight in the corpus, and how sure it is.

    `n` is how many cases of a sample from text without end would be as sure. To correct for
    skewness, `skew` times p (1 - p) (1 - 2p) is the third moment of the share; to correct for whole
    numbers, `step` is the distance of two shares, and `moved` by how much of it this one is moved.
    """

    share: FloatArray
    n: FloatArray
    weight: float
    skew: FloatArray | float = 0.0
    step: FloatArray | float = 0.0
    moved: FloatArray | float = 0.0

    @property
    def inside(self) -> FloatArray:
        return np.clip(self.off_the_steps, 0, 1)

    @property
    def off_the_steps(self) -> FloatArray:
        return self.share + self.moved * self.step

    def variance_at(self, share: FloatArray) -> FloatArray:
        """Of the share, moved at random, where `share` is the true one."""
        variance: FloatArray = share * (1 - share) / self.n + np.square(self.step) / 12
        return variance

    def third_moment_at(self, share: FloatArray) -> FloatArray:
        return share * (1 - share) * (1 - 2 * share) * self.skew


class TwoShares(NamedTuple):
    """Shares of errors in what is flagged and in what is called ok."""

    flagged: OneShare
    passed: OneShare

    @property
    def hits(self) -> FloatArray:
        return self.flagged.weight * self.flagged.share

    @property
    def misses(self) -> FloatArray:
        return self.passed.weight * self.passed.share


class _Contrast(NamedTuple):
    """a · flagged share - b · passed share = c where the value that is asked about is right."""

    a: FloatArray
    b: FloatArray
    c: FloatArray


def recall_bounds(shares: TwoShares, level: float = 0.95) -> Bounds:
    """The score interval of hits / (hits + misses); from 0 to 1 where there is neither.

    >>> one = np.ones(1)
    >>> two = TwoShares(OneShare(0.8 * one, 750 * one, 0.1), OneShare(0.3 * one, 1500 * one, 0.9))
    >>> [round(float(end[0]), 4) for end in recall_bounds(two)]
    [0.214, 0.244]
    """

    def contrast(value: FloatArray) -> _Contrast:
        return _Contrast(
            (1 - value) * shares.flagged.weight,
            value * shares.passed.weight,
            np.zeros_like(value),
        )

    return _bounds(shares, contrast, _ratio(shares.hits, shares.hits + shares.misses), level)


def f_bounds(shares: TwoShares, beta: float = 0.5, level: float = 0.95) -> Bounds:
    """The score interval of F.

    >>> one = np.ones(1)
    >>> two = TwoShares(OneShare(0.8 * one, 750 * one, 0.1), OneShare(0.3 * one, 1500 * one, 0.9))
    >>> [round(float(end[0]), 4) for end in f_bounds(two, 1)]
    [0.3363, 0.3754]
    """
    square = beta**2

    def contrast(value: FloatArray) -> _Contrast:
        return _Contrast(
            (1 + square - value * square) * shares.flagged.weight,
            value * square * shares.passed.weight,
            value * shares.flagged.weight,
        )

    below = shares.flagged.weight + square * (shares.hits + shares.misses)
    found = _ratio((1 + square) * shares.hits, below)
    return _bounds(shares, contrast, found, level)


def error_rate_bounds(shares: TwoShares, level: float = 0.95) -> Bounds:
    """The score interval of hits + misses.

    >>> one = np.ones(1)
    >>> two = TwoShares(OneShare(0.8 * one, 45 * one, 0.9), OneShare(0 * one, 45 * one, 0.1))
    >>> [round(float(end[0]), 3) for end in error_rate_bounds(two)]
    [0.596, 0.802]
    """

    def contrast(value: FloatArray) -> _Contrast:
        ones = np.ones_like(value)
        return _Contrast(ones * shares.flagged.weight, -ones * shares.passed.weight, value)

    return _bounds(shares, contrast, shares.hits + shares.misses, level)


def _ratio(above: FloatArray, below: FloatArray) -> FloatArray:
    return np.divide(above, below, out=np.full_like(above, np.nan), where=below > 0)


def _bounds(
    shares: TwoShares,
    contrast: Callable[[FloatArray], _Contrast],
    found: FloatArray,
    level: float,
) -> Bounds:
    """The values whose score is within the quantile of what was found; scores fall with values."""
    z = normal_quantile(level)
    shares = TwoShares(*(one._replace(n=np.minimum(one.n, SURE)) for one in shares))
    zeros, ones = np.zeros_like(found), np.ones_like(found)
    unknown = np.isnan(found)
    # both ends at once: for a single sample most of the time goes into calls of numpy
    low, high = _cross(
        shares,
        contrast,
        np.stack([zeros, np.where(unknown, 1.0, found)]),
        np.stack([np.where(unknown, 0.0, found), ones]),
        np.array([z, -z]).reshape(2, *(1,) * found.ndim),
    )
    return Bounds(
        np.where(unknown | (found == 0), 0.0, low), np.where(unknown | (found == 1), 1.0, high)
    )


def _cross(
    shares: TwoShares,
    contrast: Callable[[FloatArray], _Contrast],
    low: FloatArray,
    high: FloatArray,
    target: FloatArray,
) -> FloatArray:
    """Where the score falls below the target."""
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        above = _score(shares, contrast(middle), target) > target
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    return (low + high) / 2


def _score(shares: TwoShares, at: _Contrast, z: FloatArray) -> FloatArray:
    """How many standard deviations the contrast that was found is from none; less its skewness."""
    flagged, passed = _most_likely(shares, at)
    one, other = shares
    variance = at.a**2 * one.variance_at(flagged) + at.b**2 * other.variance_at(passed)
    third = at.a**3 * one.third_moment_at(flagged) - at.b**3 * other.third_moment_at(passed)
    spread = np.sqrt(np.maximum(variance, 1e-300))
    contrast = at.a * one.off_the_steps - at.b * other.off_the_steps - at.c
    skewness = np.divide(third, spread**3, out=np.zeros_like(third), where=variance > 1e-30)
    score: FloatArray = contrast / spread - skewness * (z**2 - 1) / 6
    return score


def _most_likely(shares: TwoShares, at: _Contrast) -> tuple[FloatArray, FloatArray]:
    """Of all shares whose contrast is none, those that make what was found most likely.

    The logarithm of the likelihood has one top; its slope falls from one end to the other.
    """
    one, other = shares
    of_flagged, of_passed = one.inside, other.inside
    a = np.maximum(at.a, _EDGE)
    slope_of_flagged = at.b / a
    # shares of what is called ok that leave one between 0 and 1 for what is flagged
    away = np.where(np.abs(at.b) < _EDGE, _EDGE, at.b)
    ends = np.clip(np.stack([-at.c / away, (at.a - at.c) / away]), 0, 1)
    low, high = ends.min(axis=0), ends.max(axis=0)
    for _ in range(HALVINGS):
        passed = (low + high) / 2
        flagged = _inside((at.c + at.b * passed) / a)
        inner = _inside(passed)
        slope = slope_of_flagged * one.n * (of_flagged - flagged) / (flagged * (1 - flagged))
        slope += other.n * (of_passed - inner) / (inner * (1 - inner))
        rising = slope > 0
        low, high = np.where(rising, passed, low), np.where(rising, high, passed)
    passed = (low + high) / 2
    flagged = np.clip((at.c + at.b * passed) / a, 0, 1)
    return flagged, passed


def _inside(share: FloatArray) -> FloatArray:
    inside: FloatArray = np.minimum(np.maximum(share, _EDGE), 1 - _EDGE)  # clip, but quicker
    return inside
