"""What a sample says about one part of a corpus: its share of errors, and how sure that is.

A part is what a system flags, or what it calls ok; it may fall into strata that were sampled at
rates of their own. Numbers are arrays [samples]: an estimate has one, a simulation thousands.

About this corpus, the variance of a part's share is that of samples without replacement (Cochran
1977, section 5A). About text of this kind the sizes of the strata within a part are chance as well:
with weights w of the strata, shares p and variances v of these, and N cases in the part, it is
Σ w² v + Σ w (p - mean)² / N (Cochran 1977, section 12.2). How large the part itself is, is chance
too; `detection_intervals` sees to that.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.sample.options import About
from jurybox.stats.proportions import FloatArray

#: cases: one number, or one for each sample where corpora differ
Cases = int | NDArray[np.int64]
#: a spread of shares below this is none: what is left of sums of thirds
ROUNDING = 1e-12


class Stratum(NamedTuple):
    """A part of a corpus, and what was found in a random sample of it.

    `errors` is the sum over the sampled cases of the share of judges who call each an error: a
    count where a case is one or not. Where shares are between 0 and 1, `squares` is the sum of
    their squares, from which their spread follows.
    """

    size: int  # cases in the corpus
    sampled: int
    errors: float
    flagged: bool = False  # whether the system calls these cases errors
    squares: float | None = None
    name: str = ""

    @property
    def share(self) -> float:
        """The share of errors among the sampled cases."""
        return self.errors / self.sampled


class SampledStratum(NamedTuple):
    """Samples of a stratum: sums of the shares of judges who call its cases errors."""

    size: Cases
    sampled: Cases
    errors: FloatArray
    squares: FloatArray  # sums of the squared shares; the same sums where a case is one or not

    @property
    def share(self) -> FloatArray:
        """Of errors among the sampled cases; 0 where there are none."""
        return self.errors / np.maximum(self.sampled, 1)


class WholeCounts(NamedTuple):
    """Errors in whole numbers among `n` cases of one stratum, for exact intervals."""

    errors: FloatArray
    n: Cases
    size: Cases | float  # without end where the question is about text of this kind


class PartSample(NamedTuple):
    """A part's weight in the corpus, its share of errors, and how sure it is.

    `variance` is that of the share, as found; `n` how many cases of a plain sample from text
    without end would be as sure, for intervals that ask about other shares than the one found;
    `skew` times p (1 - p) (1 - 2p) is the third moment of the share. `papers_variance` takes the
    sizes of strata as known and samples as drawn with replacement, whatever is asked about.
    `cases` is the size of the corpus where it is a draw from text of its kind, else without end;
    `limits` are the smallest and the largest share that the corpus can have after what was judged,
    if it is what is asked about.
    """

    weight: FloatArray | float
    share: FloatArray
    variance: FloatArray
    n: FloatArray
    skew: FloatArray
    papers_variance: FloatArray
    cases: Cases | float = inf
    counts: WholeCounts | None = None
    limits: tuple[FloatArray, FloatArray] | None = None


def as_arrays(stratum: Stratum) -> SampledStratum:
    """One sample as arrays."""
    squares = stratum.errors if stratum.squares is None else stratum.squares
    return SampledStratum(
        stratum.size, stratum.sampled, np.array([stratum.errors]), np.array([squares])
    )


def take_part(strata: Sequence[SampledStratum], of_all: Cases, *, about: About) -> PartSample:
    """Strata of a part together; each must hold cases and have been sampled.

    >>> part = take_part(
    ...     [as_arrays(Stratum(900, 45, 36)), as_arrays(Stratum(100, 45, 9))], 1000, about="corpus"
    ... )
    >>> round(float(part.share[0]), 4), round(float(part.variance[0]) ** 0.5, 6)
    (0.74, 0.053087)
    """
    finite = about == "corpus"
    size = np.asarray(sum(one.size for one in strata))
    weights = [one.size / np.maximum(size, 1) for one in strata]
    share = _added(w * one.share for w, one in zip(weights, strata, strict=True))
    variance, papers = (
        _added(w**2 * _variance(one, exact) for w, one in zip(weights, strata, strict=True))
        for exact in (finite, False)
    )
    if not finite:
        apart = _added(w * (s.share - share) ** 2 for w, s in zip(weights, strata, strict=True))
        variance = variance + apart / np.maximum(size, 1)
    counts = None
    if len(strata) == 1 and _are_whole(strata[0]):
        counts = WholeCounts(strata[0].errors, strata[0].sampled, strata[0].size if finite else inf)
    sure = _as_sure_as(strata, weights, share, about)
    return PartSample(
        size / of_all,
        share,
        variance,
        sure,
        _skew(strata, sure, finite),
        papers,
        inf if finite else of_all,
        counts,
        share_limits(strata) if finite else None,
    )


def share_limits(strata: Sequence[SampledStratum]) -> tuple[FloatArray, FloatArray]:
    """The smallest and the largest share of errors: what was judged is there, whatever the rest is.

    >>> [round(float(end[0]), 3) for end in share_limits([as_arrays(Stratum(100, 90, 36))])]
    [0.36, 0.46]
    """
    size = np.maximum(sum(one.size for one in strata), 1)
    errors = _added(one.errors for one in strata)
    others = sum(one.sampled for one in strata) - errors
    return errors / size, 1 - others / size


def unjudged_part(weight: float, of_all: int, *, about: About) -> PartSample:
    """A part of which nothing is known but its size; all that needs its share is left open."""
    none = np.zeros(1)
    n = np.array([inf if about == "corpus" else weight * of_all])
    return PartSample(weight, none, none, n, none, none, inf if about == "corpus" else of_all)


def _added(terms: Iterable[FloatArray]) -> FloatArray:
    total: FloatArray = np.sum(list(terms), axis=0)
    return total


def _are_whole(one: SampledStratum) -> bool:
    alike = np.abs(one.errors - one.squares) < ROUNDING * np.maximum(one.sampled, 1)
    return bool((alike & (one.errors % 1 == 0)).all())


def _spread(one: SampledStratum) -> FloatArray:
    """Of the shares within a stratum: p (1 - p) where a case is an error or not."""
    spread = one.squares / np.maximum(one.sampled, 1) - one.share**2
    return np.where(spread < ROUNDING, 0.0, spread)


def _variance(one: SampledStratum, finite: bool) -> FloatArray:
    n = np.maximum(one.sampled, 1)
    if not finite:
        return _spread(one) / n
    lone: FloatArray = np.where(n == 1, np.nan, _spread(one) / np.maximum(n - 1, 1))
    return np.where(one.sampled == one.size, 0.0, (1 - n / np.maximum(one.size, 1)) * lone)


def _as_sure_as(
    strata: Sequence[SampledStratum], weights: Sequence[FloatArray], share: FloatArray, about: About
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
    shares = [
        (one.errors + possible + weight / 2) / (one.sampled + 1 + weight)
        for weight, one in zip(weights, strata, strict=True)
    ]
    middle = _added(weight * drawn for weight, drawn in zip(weights, shares, strict=True))
    variance = np.zeros_like(share)
    for weight, one, drawn in zip(weights, strata, shares, strict=True):
        unseen: FloatArray | float = 1.0
        if about == "corpus":
            unseen = (one.size - one.sampled) / np.maximum(one.size - 1, 1)
        spread = drawn * (1 - drawn) * _less(one, weight) * unseen / np.maximum(one.sampled, 1)
        if len(strata) > 1:
            spread = spread / (1 - _understated(one.sampled) * unseen)
        variance = variance + weight**2 * spread
        if about == "text":
            apart = weight * (drawn - middle) ** 2
            variance = variance + apart / np.maximum(sum(each.size for each in strata), 1)
    within = middle * (1 - middle)
    return np.divide(within, variance, out=np.full_like(share, inf), where=variance > 0)


def _understated(n: Cases) -> FloatArray:
    """By how much p (1 - p) falls short on average, p being a share drawn in by one case.

    Such a share has the variance n / (n + 1)² p (1 - p), and its own p (1 - p) is smaller by it.
    """
    return np.asarray(n / (n + 1) ** 2)


def _skew(strata: Sequence[SampledStratum], sure: FloatArray, finite: bool) -> FloatArray:
    """The third moment of a share by p (1 - p) (1 - 2p); of several strata nearly so."""
    if len(strata) > 1 or not finite:
        return 1 / sure**2
    n, size = strata[0].sampled, strata[0].size
    left = (size - n) * (size - 2 * n) / np.maximum((size - 1) * (size - 2), 1)
    return np.where(np.less(size, 3), 1 / sure**2, left / np.maximum(n, 1) ** 2)


def _less(one: SampledStratum, weight: FloatArray) -> FloatArray:
    """How much less shares spread, where judges differ, than errors that are there or not.

    A few cases that one judge of five doubts do not show that no case is doubted by all. So half a
    case that all judges call an error is added, divided among the strata by their size.
    """
    plain, spread = one.share * (1 - one.share) * one.sampled, _spread(one) * one.sampled
    half = weight / 2
    differ = (plain > 0) & (spread > 0)
    return np.divide(spread + half, plain + half, out=np.ones_like(plain), where=differ)
