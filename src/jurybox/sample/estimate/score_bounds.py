"""Score intervals of what no single sample gives, as recall, F and error rate: Wilson's for two.

Wilson (1927) asks of every share whether the errors in a sample speak against it, with the spread
that *this* share would have, not the one that was found. Miettinen and Nurminen (1985) ask the same
of a ratio of two shares. Recall is hits / (hits + misses): a value v is right where
(1 - v) hits = v misses, that is, where the mean of 1 - v for every hit and -v for every miss is 0.
Of all shares for which it is, the most likely ones (`most_likely`) say how far the mean may
stray. A sample with few misses, or none, then still gives a width.

About this corpus, the mean strays because of the samples alone. About text of this kind the corpus
is a draw of N cases too, and the variance is that of two-phase sampling (Cochran 1977, section
12.2): with weights W of the parts, means m and variances s² of case values within them, and n
judged cases of each part,

    Σ W² s² / n + Σ W m² / N.

Where all cases are judged this is Wilson's interval of a plain sample: recall then is a share of
the errors.

Two things make such an interval hold the truth more, or less, often than it says, and both can be
corrected. Few errors are skewed: the quantiles of a skewed distribution are those of Cornish and
Fisher (1938; for scores Gart and Nam 1988). And errors come in whole numbers: each sample is moved
by up to half an error, by the same random weight that settles its exact interval
(`exact_share`), so that all numbers of errors together have no gaps.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.sample.estimate.sampled_parts import ratio
from jurybox.stats.proportions import Bounds, FloatArray, find_root, normal_quantile

# --- the most likely shares of errors for which a measure would have a given value ---
#
# A measure is a mean of case values divided by another: recall is hits by errors, so each hit adds
# 1 above, each hit and each miss 1 below. A measure is v where the mean of (value above - v · value
# below) over all cases is 0. A score interval asks this of every v, and needs the shares that make
# what was found most likely among those that give 0.
#
# About this corpus, the sizes of its two parts are known, and two shares are looked for: that of
# errors among flagged cases, and that among the others. About text of this kind the corpus is
# itself a draw, so a third one is looked for: the share of flagged cases. Then the four kinds of
# cases (hit, false positive, miss, rest) have shares q, of which N cases show the two sums and n
# judged cases of either part how each sum divides. Its logarithm of the likelihood, with r = N - n
# cases of a part that were not judged, x judged errors and y others, adds for each part
#
#     r log(q_error + q_other) + x log q_error + y log q_other,
#
# which has one top. With one multiplier for the condition, the shares of either part follow from a
# quadratic equation, and the multiplier is the root of the
# condition.

#: halvings: most likely shares to ten digits
HALVINGS = 34
#: keeps shares from the ends, where the likelihood has no slope
_EDGE = 1e-12
#: added to counts: where none was found, some may still be
_TRACE = 1e-6
#: a part that was looked at as a whole is as sure as so many cases
SURE = 1e12
#: a part in which there is no case has no judged one
_FEW = 1e-9
#: what a hit, a false positive, a miss and another case add
CaseValues = tuple[float, float, float, float]


class OneShare(NamedTuple):
    """A share of errors, its part's weight in the corpus, and how sure it is.

    `n` is how many cases of a sample from text without end would be as sure. To correct for
    skewness (None: not corrected), `skew` times p (1 - p) (1 - 2p) is the third moment of the
    share; to correct for whole numbers, `step` is the distance of two shares, and `moved` by how
    much of it this one is moved.
    """

    share: FloatArray
    n: FloatArray
    weight: FloatArray | float
    skew: FloatArray | float | None = None
    step: FloatArray | float = 0.0
    moved: FloatArray | float = 0.0

    @property
    def inside(self) -> FloatArray:
        return np.clip(self.off_the_steps, 0, 1)

    @property
    def off_the_steps(self) -> FloatArray:
        return self.share + self.moved * self.step


class TwoShares(NamedTuple):
    """Shares of errors in what is flagged and in what is called ok.

    `cases` is how many cases of text show what is flagged; without end where that is known.
    """

    flagged: OneShare
    passed: OneShare
    cases: FloatArray | NDArray[np.int64] | float = inf

    @property
    def sizes_known(self) -> bool:
        return bool(np.all(np.isinf(self.cases)))


class PartValues(NamedTuple):
    """What an error and another case of a part add to the mean that is asked about."""

    error: FloatArray
    other: FloatArray


#: a part's share of all cases, and its share of errors
LikelyPart = tuple[FloatArray | float, FloatArray]


def most_likely(
    shares: TwoShares, flagged: PartValues, passed: PartValues
) -> tuple[LikelyPart, LikelyPart]:
    """Of all shares that give a mean of 0, those that make what was found most likely."""
    if shares.sizes_known:
        return _with_known_sizes(shares, flagged, passed)
    return _with_sizes_by_chance(shares, flagged, passed)


def _with_known_sizes(
    shares: TwoShares, flagged: PartValues, passed: PartValues
) -> tuple[LikelyPart, LikelyPart]:
    """A · flagged share - b · passed share = c; the slope falls from one end to the other."""
    one, other = shares.flagged, shares.passed
    of_flagged, of_passed = one.inside, other.inside
    exact_a = one.weight * (flagged.error - flagged.other)
    b = other.weight * (passed.other - passed.error)
    c = -(one.weight * flagged.other + other.weight * passed.other)
    # a part without weight has any share; precision and false positives ask one part alone
    a = np.where(np.abs(exact_a) < _EDGE, _EDGE, exact_a)
    slope_of_flagged = b / a
    # shares of what is called ok that leave one between 0 and 1 for what is flagged
    away = np.where(np.abs(b) < _EDGE, _EDGE, b)
    ends = np.clip(np.stack([-c / away, (exact_a - c) / away]), 0, 1)
    low, high = ends.min(axis=0), ends.max(axis=0)
    for _ in range(HALVINGS):
        at = (low + high) / 2
        there = _inside((c + b * at) / a)
        inner = _inside(at)
        slope = slope_of_flagged * one.n * (of_flagged - there) / (there * (1 - there))
        slope += other.n * (of_passed - inner) / (inner * (1 - inner))
        rising = slope > 0
        low, high = np.where(rising, at, low), np.where(rising, high, at)
    at = (low + high) / 2
    return (one.weight, np.clip((c + b * at) / a, 0, 1)), (other.weight, at)


def _with_sizes_by_chance(
    shares: TwoShares, flagged: PartValues, passed: PartValues
) -> tuple[LikelyPart, LikelyPart]:
    """The mean falls as the multiplier rises; its range keeps all four shares positive."""
    values = np.stack(np.broadcast_arrays(*flagged, *passed))
    parts = [_CaseCounts.of(one, shares.cases) for one in (shares.flagged, shares.passed)]
    cases = parts[0].size + parts[1].size

    def mean(multiplier: FloatArray) -> FloatArray:
        total: FloatArray = np.zeros_like(multiplier)
        for part, value in zip(parts, (flagged, passed), strict=True):
            weight, share = part.at(cases, multiplier, value)
            total = total + weight * (value.other + share * (value.error - value.other))
        return total

    # without a multiplier, shares are as they were found; where one of them would be without end
    # is the end of the range, towards which steps get ever smaller
    found = mean(np.zeros_like(values[0] * cases))
    end = np.where(
        found > 0,
        cases / np.maximum(-values.min(axis=0), _EDGE),
        -cases / np.maximum(values.max(axis=0), _EDGE),
    )
    # in a large corpus, steps that matter are a tiny part of the range
    steps = find_root(
        lambda step: mean(-end * np.expm1(-step)),
        np.zeros_like(end),
        np.full_like(end, -log(_EDGE)),
        within=1e-14,
    )
    at = -end * np.expm1(-steps)
    return parts[0].at(cases, at, flagged), parts[1].at(cases, at, passed)


class _CaseCounts(NamedTuple):
    """A part: cases in the corpus, and judged errors and others."""

    size: FloatArray
    errors: FloatArray
    others: FloatArray

    @classmethod
    def of(cls, one: OneShare, cases: FloatArray | NDArray[np.int64] | float) -> _CaseCounts:
        share, n = one.inside, np.where(np.asarray(one.weight) > 0, one.n, 0.0)
        size = np.asarray(one.weight * cases, dtype=np.float64)
        return cls(size + 2 * _TRACE, n * share + _TRACE, n * (1 - share) + _TRACE)

    def at(self, cases: FloatArray, multiplier: FloatArray, value: PartValues) -> LikelyPart:
        """The part's share of all cases and of errors, for a multiplier: a quadratic equation."""
        x, y = self.errors, self.others
        unseen = self.size - x - y
        a, b = cases + multiplier * value.error, cases + multiplier * value.other
        gap = unseen * (a - b) - (x * b - y * a)
        both = 4 * x * y * a * b
        root = np.sqrt(gap**2 + both)
        # the same number in two ways, of which one loses its digits
        rest = np.where(gap > 0, gap + root, both / (root + np.abs(gap)))
        total = unseen * (a + b) + x * b + y * a
        less = np.where(total > 0, 1.0, total - root)
        weight = np.where(total > 0, (total + root) / (2 * a * b), 2 * unseen * self.size / less)
        return weight, 2 * x * b / (2 * x * b + rest)


def _inside(share: FloatArray) -> FloatArray:
    inside: FloatArray = np.minimum(np.maximum(share, _EDGE), 1 - _EDGE)  # clip, but quicker
    return inside


def case_ratio(measure: str, beta: float = 0.5) -> tuple[CaseValues, CaseValues]:
    """A measure as a ratio of two means over all cases.

    It is what each hit, false positive, miss and other case adds above and below the line.

    >>> case_ratio("recall")
    ((1, 0, 0, 0), (1, 0, 1, 0))
    """
    hits, errors, everything = (1, 0, 0, 0), (1, 0, 1, 0), (1, 1, 1, 1)
    square = beta**2
    ratios: dict[str, tuple[CaseValues, CaseValues]] = {
        "hits": (hits, everything),
        "false_positives": ((0, 1, 0, 0), everything),
        "misses": ((0, 0, 1, 0), everything),
        "precision": (hits, (1, 1, 0, 0)),
        "recall": (hits, errors),
        "f": ((1 + square, 0, 0, 0), (1 + square, 1, square, 0)),
        "error_rate": (errors, everything),
    }
    return ratios[measure]


def score_bounds(
    shares: TwoShares, measures: Sequence[str], *, beta: float = 0.5, level: float = 0.95
) -> dict[str, Bounds]:
    """The score intervals of measures; from 0 to 1 where a measure is undefined."""
    z = normal_quantile(level)
    shares = shares._replace(
        flagged=shares.flagged._replace(n=np.minimum(shares.flagged.n, SURE)),
        passed=shares.passed._replace(n=np.minimum(shares.passed.n, SURE)),
    )
    # what cases of each kind add above and below the line: [kinds, measures, 1, 1]
    adds = np.array([case_ratio(name, beta) for name in measures], dtype=np.float64)
    above, below = (adds[:, line].T[:, :, None, None] for line in (0, 1))
    kinds = np.stack(
        np.broadcast_arrays(
            *(part.weight * share for part in shares[:2] for share in (part.share, 1 - part.share))
        )
    )[:, None, :]
    # [measures, samples]
    found = ratio(*((line[:, :, 0] * kinds).sum(axis=0) for line in (above, below)))
    unknown = np.isnan(found)
    # all measures and both ends at once: for a single sample most time goes into calls of numpy
    low = np.stack([np.zeros_like(found), np.where(unknown, 1.0, found)], axis=1)
    high = np.stack([np.where(unknown, 0.0, found), np.ones_like(found)], axis=1)
    target = np.array([z, -z]).reshape(1, 2, 1)

    def distance(value: FloatArray) -> FloatArray:
        hit, false, miss, rest = above - value * below
        score = _score(shares, (PartValues(hit, false), PartValues(miss, rest)), target)
        away: FloatArray = score - target
        return away

    ends = find_root(distance, low, high)
    lows = np.where(unknown | (found == 0), 0.0, ends[:, 0])
    highs = np.where(unknown | (found == 1), 1.0, ends[:, 1])
    return {name: Bounds(lows[at], highs[at]) for at, name in enumerate(measures)}


def _score(shares: TwoShares, values: tuple[PartValues, PartValues], z: FloatArray) -> FloatArray:
    """How many standard deviations the mean that was found is from 0; less its skewness."""
    likely = most_likely(shares, *values)
    mean, variance, third = (np.zeros_like(values[0].error) for _ in range(3))
    cases = shares.cases
    for one, adds, (weight, share) in zip(shares[:2], values, likely, strict=True):
        gap = adds.error - adds.other
        spread = share * (1 - share)
        mean += one.weight * (adds.other + gap * one.off_the_steps)
        variance += (gap * one.weight * one.step) ** 2 / 12
        if one.skew is not None:
            third += (gap * one.weight) ** 3 * spread * (1 - 2 * share) * one.skew
        if shares.sizes_known:
            variance += (gap * one.weight) ** 2 * spread / one.n
            continue
        # a part in which there is no case: as if the next one were judged
        each = np.where(np.asarray(one.weight) > 0, one.weight / np.maximum(one.n, _FEW), 1 / cases)
        within, own = gap**2 * spread * each, adds.other + gap * share
        variance += weight * (within + own**2 / cases)
        if one.skew is not None:
            # the larger a part happens to be, the more its sample strays: twice as fast if n is
            # chosen, just as fast if all of it is judged
            faster = 2 - np.clip(1 / (each * cases), 0, 1)
            third += weight * own * (own**2 / cases + 3 * faster * within) / cases
    deviation = np.sqrt(np.maximum(variance, 1e-300))
    skewness = np.divide(third, deviation**3, out=np.zeros_like(third), where=variance > 1e-30)
    score: FloatArray = mean / deviation - skewness * (z**2 - 1) / 6
    return score
