"""A plain second way to the estimates of a sample, one number at a time: for comparison.

Tetreault and Chodorow (2008, section 6): a system labels a corpus; what it calls an error and what
it calls ok are sampled at rates of their own, so that a rater sees more errors for the same work;
and what the rater finds is weighed by how large each part is. Here the corpus may fall into any
number of parts (strata), as by score or by document, each wholly called an error or wholly ok.

Only counts are needed: how large a part is, how many cases were sampled, how many of them are
errors. The latter need not be whole: where several people judge a case, it adds the share of them
who call it an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, isnan, nan, sqrt
from typing import NamedTuple

import numpy as np

from jurybox.errors import InputError
from jurybox.sample.estimate.sampled_parts import ROUNDING, SampledStratum
from jurybox.stats.proportions import normal_quantile, wilson_bounds
from jurybox.stats.resample import Interval

NOT_FLAGGED = "the system calls nothing an error: there is no precision"
ONE_CASE = "one sampled case does not show how cases differ"
NO_WIDTH = "all sampled cases are alike, or all cases were sampled"
NO_ERRORS = "no error was found in the samples: there is no recall"


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


def as_arrays(stratum: Stratum) -> SampledStratum:
    """One sample as arrays."""
    squares = stratum.errors if stratum.squares is None else stratum.squares
    return SampledStratum(
        stratum.size, stratum.sampled, np.array([stratum.errors]), np.array([squares])
    )


@dataclass(frozen=True, slots=True)
class SampleEstimate:
    """A share estimated from samples, its standard error, and two intervals.

    `wald` is the value ± z standard errors; for recall, whose standard error is that of the delta
    method, this is the delta interval. `wilson` asks which shares would give such samples; for
    samples from several parts, of as many cases as would be as sure if drawn from all of them
    alike. Both are nan, with a reason, where there is none.
    """

    value: float
    standard_error: float
    wald: Interval
    wilson: Interval
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SampledDetection:
    """What a system finds: hits, false positives and misses as shares of all cases."""

    hits: SampleEstimate
    false_positives: SampleEstimate
    misses: SampleEstimate
    precision: SampleEstimate
    recall: SampleEstimate


class _Part(NamedTuple):
    """Strata taken together: their weight in the corpus, their share of errors, its variance."""

    weight: float
    share: float
    variance: float
    n: float  # cases of a sample from all of them alike that would be as sure at a share of 0 or 1
    reason: str = ""


def estimate_share(
    strata: Sequence[Stratum], *, finite: bool = False, level: float = 0.95
) -> SampleEstimate:
    """The share of errors in the whole corpus: Σ W p, where W is a stratum's part of the corpus.

    Its variance is Σ W² v with v = p (1 - p) / n, as in the paper. With `finite` it is that of a
    sample without replacement from a corpus that is no larger than it is, unbiased:
    v = (1 - n/N) p (1 - p) / (n - 1) (Cochran 1977, section 5A). A part that was looked at as a
    whole then adds no doubt.

    >>> found = estimate_share([Stratum(900, 45, 36), Stratum(100, 45, 9)], finite=True)
    >>> round(found.value, 4), round(found.standard_error, 6)
    (0.74, 0.053087)
    """
    _check(strata)
    return _scaled(_taken_together(strata, finite, of_all=_total(strata)), level)


def estimate_detection(
    strata: Sequence[Stratum], *, finite: bool = False, level: float = 0.95
) -> SampledDetection:
    """Hits, false positives and misses as shares of all cases; precision and recall.

    hits = Σ W p over what the system flags, misses = Σ W p over what it calls ok, precision =
    hits / (hits + false positives), whose denominator is known, and recall = hits / (hits + misses)
    with the variance (misses² var(hits) + hits² var(misses)) / (hits + misses)⁴ of the delta
    method. `finite` as in `estimate_share`. Give every part of the corpus, also one from which
    nothing was sampled: without a sample of what the system calls ok, recall is not known.

    Figure 1 of the paper: 10,000 cases, a tenth of them flagged.

    >>> flagged, passed = Stratum(1000, 750, 600, flagged=True), Stratum(9000, 1500, 450)
    >>> found = estimate_detection([flagged, passed])
    >>> round(found.hits.value, 3), round(found.misses.value, 3), round(found.precision.value, 3)
    (0.08, 0.27, 0.8)
    >>> recall = found.recall
    >>> round(recall.value, 3), round(recall.wald.low, 3), round(recall.wald.high, 3)
    (0.229, 0.214, 0.244)
    """
    _check(strata)
    total = _total(strata)
    flagged = _taken_together([one for one in strata if one.flagged], finite, of_all=total)
    passed = _taken_together([one for one in strata if not one.flagged], finite, of_all=total)
    alone = flagged._replace(weight=1.0)
    if not flagged.weight:
        alone = alone._replace(reason=NOT_FLAGGED)
    return SampledDetection(
        hits=_scaled(flagged, level),
        false_positives=_scaled(flagged._replace(share=1 - flagged.share), level),
        misses=_scaled(passed, level),
        precision=_scaled(alone, level),
        recall=_recall(flagged, passed, level),
    )


def _check(strata: Sequence[Stratum]) -> None:
    if not strata or not _total(strata):
        raise InputError("there is no case in any part of the corpus")
    for number, one in enumerate(strata, 1):
        name = one.name or f"part {number}"
        if not 0 <= one.sampled <= one.size:
            raise InputError(f"{name}: {one.sampled} cases sampled of {one.size}")
        if not 0 <= one.errors <= one.sampled:
            raise InputError(f"{name}: {one.errors} errors among {one.sampled} sampled cases")
        # rounding of sums: a share of one third, three times, is not quite 1
        least = one.errors**2 / max(one.sampled, 1) * (1 - 1e-9)
        if one.squares is not None and not least <= one.squares <= one.errors * (1 + 1e-9):
            raise InputError(
                f"{name}: shares that add up to {one.errors} have squares that add up to "
                f"{least:.6g} at least and {one.errors:.6g} at most, not {one.squares}"
            )


def _total(strata: Sequence[Stratum]) -> int:
    return sum(one.size for one in strata)


def _taken_together(strata: Sequence[Stratum], finite: bool, *, of_all: int) -> _Part:
    strata = [one for one in strata if one.size]
    size = _total(strata)
    if not size:
        return _Part(0.0, 0.0, 0.0, inf)
    for one in strata:
        if not one.sampled:
            which = one.name or ("flagged cases" if one.flagged else "cases called ok")
            reason = f"nothing was sampled from a part of the corpus ({which})"
            return _Part(size / of_all, nan, nan, nan, reason)
    weights = [one.size / size for one in strata]
    share = sum(one.size * one.share for one in strata) / size
    variance = sum(
        weight**2 * _variance(one, finite) for weight, one in zip(weights, strata, strict=True)
    )
    spread = sum(
        weight**2 * (1 - one.sampled / one.size if finite else 1) / one.sampled
        for weight, one in zip(weights, strata, strict=True)
    )
    return _Part(size / of_all, share, variance, 1 / spread if spread else inf)


def _variance(one: Stratum, finite: bool) -> float:
    """Of a stratum's share of errors."""
    n, p = one.sampled, one.share
    squares = one.errors if one.squares is None else one.squares
    spread = squares / n - p**2  # p (1 - p) where a case is an error or not
    if spread < ROUNDING:
        spread = 0.0
    if not finite:
        return spread / n
    if n == one.size:
        return 0.0
    return (1 - n / one.size) * spread / (n - 1) if n > 1 else nan


def _scaled(part: _Part, level: float) -> SampleEstimate:
    """The part's share of errors, times its weight."""
    if part.reason:
        return _unknown(part.reason, level)
    value, error = part.weight * part.share, part.weight * sqrt(part.variance)
    low, high = _wilson(part, level)
    return SampleEstimate(
        value,
        error,
        _wald(value, error, level),
        Interval(part.weight * low, part.weight * high, level, ONE_CASE if isnan(error) else ""),
    )


def _wald(value: float, error: float, level: float) -> Interval:
    half = normal_quantile(level) * error
    reason = ONE_CASE if isnan(error) else "" if error else NO_WIDTH
    return Interval(value - half, value + half, level, reason)


def _wilson(part: _Part, level: float) -> tuple[float, float]:
    """For the share: as many cases as give this variance (at 0 and 1: `part.n`)."""
    n = part.n
    if part.variance > 0:
        n = part.share * (1 - part.share) / part.variance
    elif isnan(part.variance):
        n = nan
    low, high = wilson_bounds(part.share, n, level)
    return float(low), float(high)


def _recall(flagged: _Part, passed: _Part, level: float) -> SampleEstimate:
    if reason := flagged.reason or passed.reason:
        return _unknown(reason, level)
    hits, misses = flagged.weight * flagged.share, passed.weight * passed.share
    if not hits + misses:
        return _unknown(NO_ERRORS, level)
    value = hits / (hits + misses)
    of_hits, of_misses = flagged.weight**2 * flagged.variance, passed.weight**2 * passed.variance
    error = sqrt(misses**2 * of_hits + hits**2 * of_misses) / (hits + misses) ** 2
    low, high = _wilson(_Part(1.0, value, error**2, inf), level)
    if not hits:  # the delta method sees no doubt here, but the next sample may hold a hit
        more = flagged.weight * _wilson(flagged, level)[1]
        low, high = 0.0, more / (more + misses)
    elif not misses:
        more = passed.weight * _wilson(passed, level)[1]
        low, high = hits / (hits + more), 1.0
    return SampleEstimate(
        value,
        error,
        _wald(value, error, level),
        Interval(low, high, level, ONE_CASE if isnan(error) else ""),
    )


def _unknown(reason: str, level: float) -> SampleEstimate:
    none = Interval(nan, nan, level, reason)
    return SampleEstimate(nan, nan, none, none, reason)
