"""What a sample says about one part of a corpus: its share of errors, and how sure that is.

A part is what a system flags, or what it calls ok; it may fall into strata that were sampled at
rates of their own. Numbers are arrays [samples]: an estimate has one, a simulation thousands.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import NamedTuple

import numpy as np

from jurybox.stats.proportions import FloatArray
from jurybox.stats.sampling import ROUNDING, Stratum


class SampledStratum(NamedTuple):
    """Samples of a stratum: sums of the shares of judges who call its cases errors."""

    size: int
    sampled: int
    errors: FloatArray
    squares: FloatArray  # sums of the squared shares; the same sums where a case is one or not


class WholeCounts(NamedTuple):
    """Errors in whole numbers among `n` cases of one stratum, for exact intervals."""

    errors: FloatArray
    n: int
    size: float  # without end where the question is about all text of the kind


class PartSample(NamedTuple):
    """A part's weight in the corpus, its share of errors, and how sure it is.

    `variance` is that of the share, as found; `n` how many cases of a plain sample from text
    without end would be as sure, for intervals that ask about other shares than the one found;
    `skew` times p (1 - p) (1 - 2p) is the third moment of the share. `limits` are the smallest and
    the largest share that the corpus can have after what was judged, if it is what is asked about.
    """

    weight: float
    share: FloatArray
    variance: FloatArray
    n: FloatArray
    skew: FloatArray
    counts: WholeCounts | None = None
    limits: tuple[FloatArray, FloatArray] | None = None


def as_arrays(stratum: Stratum) -> SampledStratum:
    """One sample as arrays."""
    squares = stratum.errors if stratum.squares is None else stratum.squares
    return SampledStratum(
        stratum.size, stratum.sampled, np.array([stratum.errors]), np.array([squares])
    )


def take_part(strata: Sequence[SampledStratum], of_all: int, *, finite: bool) -> PartSample:
    """Strata of a part together; each must hold cases and have been sampled.

    The variance is the paper's, or with `finite` the unbiased one of samples without replacement
    (Cochran 1977, section 5A), as in `stats.sampling`.

    >>> part = take_part(
    ...     [as_arrays(Stratum(900, 45, 36)), as_arrays(Stratum(100, 45, 9))], 1000, finite=True
    ... )
    >>> round(float(part.share[0]), 4), round(float(part.variance[0]) ** 0.5, 6)
    (0.74, 0.053087)
    """
    size = sum(one.size for one in strata)
    weights = [one.size / size for one in strata]
    share = sum(
        (w * one.errors / one.sampled for w, one in zip(weights, strata, strict=True)),
        np.zeros_like(strata[0].errors),
    )
    variance = np.zeros_like(share)
    for weight, one in zip(weights, strata, strict=True):
        variance = variance + weight**2 * _variance(one, finite)
    counts = None
    if len(strata) == 1 and _are_whole(strata[0]):
        counts = WholeCounts(strata[0].errors, strata[0].sampled, size if finite else inf)
    sure = _as_sure_as(strata, weights, share, finite)
    skew = _skew(strata, sure, finite)
    limits = share_limits(strata) if finite else None
    return PartSample(size / of_all, share, variance, sure, skew, counts, limits)


def share_limits(strata: Sequence[SampledStratum]) -> tuple[FloatArray, FloatArray]:
    """The smallest and the largest share of errors: what was judged is there, whatever the rest is.

    >>> [round(float(end[0]), 3) for end in share_limits([as_arrays(Stratum(100, 90, 36))])]
    [0.36, 0.46]
    """
    size = sum(one.size for one in strata)
    errors = sum((one.errors for one in strata), np.zeros_like(strata[0].errors))
    others = sum(one.sampled for one in strata) - errors
    return errors / size, 1 - others / size


def no_part(samples: int) -> PartSample:
    """A part that holds no case: nothing to be unsure about."""
    none = np.zeros(samples)
    return PartSample(0.0, none, none, np.full(samples, inf), none)


def _are_whole(one: SampledStratum) -> bool:
    alike = np.abs(one.errors - one.squares) < ROUNDING * max(one.sampled, 1)
    return bool((alike & (one.errors % 1 == 0)).all())


def _spread(one: SampledStratum) -> FloatArray:
    """Of the shares within a stratum: p (1 - p) where a case is an error or not."""
    spread = one.squares / one.sampled - (one.errors / one.sampled) ** 2
    return np.where(spread < ROUNDING, 0.0, spread)


def _variance(one: SampledStratum, finite: bool) -> FloatArray:
    if not finite:
        return _spread(one) / one.sampled
    if one.sampled == one.size:
        return np.zeros_like(one.errors)
    if one.sampled == 1:
        return np.full_like(one.errors, np.nan)
    return (1 - one.sampled / one.size) * _spread(one) / (one.sampled - 1)


def _as_sure_as(
    strata: Sequence[SampledStratum], weights: Sequence[float], share: FloatArray, finite: bool
) -> FloatArray:
    """Cases of a plain sample with the same variance at this share.

    A stratum without errors is given the chance of one: each share is drawn towards that of the
    whole part by one case, and half an error and half another case are divided among the strata by
    their size. Without the latter a large stratum that shows no error looks as if it had none, and
    its doubt is lost beside that of small ones. Shares that strata show vary less around what they
    show than around what they hide, and the fewer cases, the less: `_understated` makes up for it.
    For a single stratum none of it changes anything.
    """
    possible = np.clip(share, ROUNDING, 1 - ROUNDING)
    middle, variance = np.zeros_like(share), np.zeros_like(share)
    for weight, one in zip(weights, strata, strict=True):
        drawn = (one.errors + possible + weight / 2) / (one.sampled + 1 + weight)
        unseen = (one.size - one.sampled) / max(one.size - 1, 1) if finite else 1.0
        middle = middle + weight * drawn
        spread = drawn * (1 - drawn) * _less(one) * unseen / one.sampled
        if len(strata) > 1:
            spread = spread / (1 - _understated(one.sampled) * unseen)
        variance = variance + weight**2 * spread
    within = middle * (1 - middle)
    return np.divide(within, variance, out=np.full_like(share, inf), where=variance > 0)


def _understated(n: int) -> float:
    """By how much p (1 - p) falls short on average, p being a share drawn in by one case.

    Such a share has the variance n / (n + 1)² p (1 - p), and its own p (1 - p) is smaller by it.
    """
    return n / (n + 1) ** 2


def _skew(strata: Sequence[SampledStratum], sure: FloatArray, finite: bool) -> FloatArray:
    """The third moment of a share by p (1 - p) (1 - 2p); of several strata nearly so."""
    one = strata[0]
    if len(strata) > 1 or not finite or one.size < 3:
        return 1 / sure**2
    left = (one.size - one.sampled) * (one.size - 2 * one.sampled)
    return np.full_like(sure, left / (one.size - 1) / (one.size - 2) / one.sampled**2)


def _less(one: SampledStratum) -> FloatArray:
    """How much less shares spread, where judges differ, than errors that are there or not."""
    own = one.errors / one.sampled
    plain, spread = own * (1 - own), _spread(one)
    return np.divide(spread, plain, out=np.ones_like(plain), where=(plain > 0) & (spread > 0))
