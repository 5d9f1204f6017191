"""What a sample says about one part of a corpus: its share of errors, and how sure that is.

Below: the same with the help of scores, and resampled (stratified bootstrap).

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
from math import inf, nan
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.sample.options import About
from jurybox.stats.proportions import FloatArray

#: cases: one number, or one for each sample where corpora differ
Cases = int | NDArray[np.int64]
#: a spread of shares below this is none: what is left of sums of thirds
ROUNDING = 1e-12
#: with fewer errors than this among the sampled cases, or fewer others, the slope of judgments on
#: scores rests on too few of them to be trusted: scores are left out
ENOUGH = 10
#: numbers drawn at a time, 8 bytes each
DRAWN_AT_ONCE = 4_000_000


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


def take_part(strata: Sequence[SampledStratum], of_all: Cases, *, about: About) -> PartSample:
    """Strata of a part together; each must hold cases and have been sampled."""
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
    if len(strata) == 1:
        one = strata[0]
        alike = np.abs(one.errors - one.squares) < ROUNDING * np.maximum(one.sampled, 1)
        if (alike & (one.errors % 1 == 0)).all():
            counts = WholeCounts(one.errors, one.sampled, one.size if finite else inf)
    sure = _as_sure_as(strata, weights, share, about)
    skew = 1 / sure**2  # of several strata nearly so
    if finite and len(strata) == 1:
        n, cases = strata[0].sampled, strata[0].size
        left = (cases - n) * (cases - 2 * n) / np.maximum((cases - 1) * (cases - 2), 1)
        skew = np.where(np.less(cases, 3), skew, left / np.maximum(n, 1) ** 2)
    return PartSample(
        size / of_all,
        *(share, variance, sure, skew, papers),
        *(inf if finite else of_all, counts, share_limits(strata) if finite else None),
    )


def share_limits(strata: Sequence[SampledStratum]) -> tuple[FloatArray, FloatArray]:
    """The smallest and the largest share of errors: what was judged is there, whatever the rest is.

    >>> errors = np.array([36.0])
    >>> strata = [SampledStratum(100, 90, errors, errors)]
    >>> [round(float(end[0]), 3) for end in share_limits(strata)]
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


def ratio(above: FloatArray, below: FloatArray) -> FloatArray:
    """One by the other; nan where there is nothing to divide by."""
    return np.divide(above, below, out=np.full_like(above, nan), where=below > 0)


def _added(terms: Iterable[FloatArray]) -> FloatArray:
    total: FloatArray = np.sum(list(terms), axis=0)
    return total


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
    show than around what they hide, and the fewer cases, the less; that is made up for.
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
            # a share drawn in by one case has the variance n / (n + 1)² p (1 - p), and its own
            # p (1 - p) falls short by it on average
            spread = spread / (1 - np.asarray(one.sampled / (one.sampled + 1) ** 2) * unseen)
        variance = variance + weight**2 * spread
        if about == "text":
            apart = weight * (drawn - middle) ** 2
            variance = variance + apart / np.maximum(sum(each.size for each in strata), 1)
    within = middle * (1 - middle)
    return np.divide(within, variance, out=np.full_like(share, inf), where=variance > 0)


def _less(one: SampledStratum, weight: FloatArray) -> FloatArray:
    """How much less shares spread, where judges differ, than errors that are there or not.

    A few cases that one judge of five doubts do not show that no case is doubted by all. So half a
    case that all judges call an error is added, divided among the strata by their size.
    """
    plain, spread = one.share * (1 - one.share) * one.sampled, _spread(one) * one.sampled
    half = weight / 2
    differ = (plain > 0) & (spread > 0)
    return np.divide(spread + half, plain + half, out=np.ones_like(plain), where=differ)


# --- model-assisted estimates: scores on every case make a sample of judgments surer ---
#
# Where a detector has scored every case of the corpus, the mean of its scores is known, and only
# how far it is off needs to be judged: a part's error rate is λ times the mean score of all of its
# cases, plus the mean of (judgment - λ score) over the sampled ones. This is the difference
# estimator of survey sampling (Särndal, Swensson and Wretman 1992, chapter 6), known as
# prediction-powered inference (Angelopoulos et al. 2023). For a given λ it is unbiased whatever the
# scores are worth; λ is chosen so that worthless scores do no harm (Angelopoulos, Duchi and Zrnic
# 2023): the slope of judgments on scores, between 0 and 1 where scores are chances of an error. It
# comes from the same sample, so the estimate is nearly unbiased, the more so the larger the sample.
# Where scores do not help, as where all judged cases are alike, the part is what it is without
# them.
#
# Scores tell about the cases of this corpus that were not judged. About text of this kind, the
# corpus itself is a draw, and no score makes it larger: to the variance about this corpus comes
# that of a plain sample of as many cases as the part has, all judged (two-phase sampling, Cochran
# 1977, section 12.2).


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
    strata: Sequence[ScoredStratum], mean_score: float, of_all: int, *, about: About
) -> AssistedPart:
    """A part of the corpus, of which the mean score of all cases is known."""
    size = sum(one.size for one in strata)
    plainly = [
        SampledStratum(
            *(one.size, len(one.error)),
            *(np.array([values.sum()]) for values in (one.error, one.error**2)),
        )
        for one in strata
    ]
    without = take_part(plainly, of_all, about=about)
    slope = _slope(strata, size)
    if not slope:
        return AssistedPart(without, 0.0, 1.0)
    of_corpus = 0.0
    if about == "text":
        mean = sum(one.size / size * float(one.error.mean()) for one in strata)
        squares = sum(one.size / size * float((one.error**2).mean()) for one in strata)
        of_corpus = max(squares - mean**2, 0.0) / size
    plain = of_corpus + sum(
        _mean_variance(one, one.error) * (one.size / size) ** 2 for one in strata
    )
    share = slope * mean_score
    variance, possible_variance = of_corpus, of_corpus
    for one in strata:
        weight, off = one.size / size, one.error - slope * one.score
        share += weight * float(off.mean())
        found, n = _mean_variance(one, off), len(one.error)
        # half a case off at least: that no judged case is off does not mean that none is
        least = 0.5 / n * (1 - 0.5 / n) / n * (1 - n / one.size)
        variance += weight**2 * found
        possible_variance += weight**2 * max(found, least)
    share = min(1.0, max(0.0, share))
    least = 0.5 / sum(len(one.error) for one in strata)  # half an error: none is not certainty
    possible = min(1 - least, max(least, share))
    spread = possible * (1 - possible)
    sure = np.array([spread / possible_variance if possible_variance > 0 else inf])
    part = without._replace(
        share=np.array([share]),
        variance=np.array([variance]),
        n=sure,
        skew=1 / sure**2,
        counts=None,
    )
    return AssistedPart(part, slope, plain / variance if variance > 0 else inf)


def _slope(strata: Sequence[ScoredStratum], size: int) -> float:
    """The λ that makes the variance smallest; 0 where scores do not vary or errors are few."""
    together, own = 0.0, 0.0
    for one in strata:
        n = len(one.error)
        if n < 2:
            continue
        factor = (one.size / size) ** 2 / n * (1 - n / one.size)
        spread = np.cov(one.error, one.score)
        together += factor * float(spread[0, 1])
        own += factor * float(spread[1, 1])
    errors = sum(float(one.error.sum()) for one in strata)
    others = sum(len(one.error) for one in strata) - errors
    if own <= 0 or min(errors, others) < ENOUGH:
        return 0.0
    return together / own


def _mean_variance(one: ScoredStratum, values: FloatArray) -> float:
    """Of the mean over the stratum, about this corpus."""
    n = len(values)
    if n < 2:
        return 0.25
    return float(np.var(values, ddof=1)) / n * (1 - n / one.size)


# --- stratified bootstrap: shares of errors in samples that are drawn again from themselves ---
#
# Each stratum is resampled on its own. As many cases as were sampled, less one, are drawn with
# replacement, which makes the spread of resampled means unbiased (Rao and Wu 1988). About this
# corpus, resampled means are drawn towards the one that was found by √(1 - n/N). About text of this
# kind, the sizes of all strata are drawn anew from a multinomial distribution: another corpus has
# others. A sample without errors gives resamples without errors: the bootstrap knows nothing of
# what it has not seen.


class CountedShares(NamedTuple):
    """Samples of a stratum: how many cases have each share of judges; counts [samples, values]."""

    size: Cases
    values: FloatArray
    counts: NDArray[np.int64]


class ResampledPart(NamedTuple):
    """A part's weight in the corpus and its share of errors: [samples, resamples]."""

    weight: FloatArray
    share: FloatArray


def size_alone(size: Cases, samples: int = 1) -> CountedShares:
    """A stratum of which only the size is known."""
    return CountedShares(size, np.zeros(2), np.tile([1, 0], (samples, 1)))


def resample_parts(
    parts: Sequence[Sequence[CountedShares]],
    rng: np.random.Generator,
    resamples: int,
    *,
    about: About,
) -> list[ResampledPart]:
    """Resampled weights and shares of errors of all parts of the corpus."""
    strata = [one for part in parts for one in part]
    samples = len(strata[0].counts)
    sizes = np.stack([np.broadcast_to(one.size, samples) for one in strata], axis=1)
    total = sizes.sum(axis=1)
    drawn = np.broadcast_to(sizes[:, None, :], (samples, resamples, len(strata)))
    if about == "text":
        chances = (sizes / total[:, None])[:, None, :]
        drawn = rng.multinomial(np.broadcast_to(total[:, None], (samples, resamples)), chances)
    found, at = [], 0
    for part in parts:
        errors, cases = np.zeros((samples, resamples)), np.zeros((samples, resamples))
        for one in part:
            errors += drawn[:, :, at] * _resample(one, rng, resamples, about == "corpus")
            cases += drawn[:, :, at]
            at += 1
        share = np.divide(errors, cases, out=np.zeros_like(errors), where=cases > 0)
        found.append(ResampledPart(cases / total[:, None], share))
    return found


def _resample(
    one: CountedShares, rng: np.random.Generator, resamples: int, finite: bool
) -> FloatArray:
    n = one.counts.sum(axis=1)
    chances = one.counts / np.maximum(n, 1)[:, None]
    mean = chances @ one.values
    drawn = np.maximum(n - 1, 1)
    rows = max(1, DRAWN_AT_ONCE // (resamples * len(one.values)))
    parts = (slice(at, at + rows) for at in range(0, len(n), rows))
    means = np.concatenate(
        [_means(one.values, chances[part], drawn[part], rng, resamples) for part in parts]
    )
    if not finite:
        return means
    unseen: FloatArray = np.sqrt(1 - n / np.maximum(one.size, 1))
    moved: FloatArray = mean[:, None] + unseen[:, None] * (means - mean[:, None])
    return moved


def _means(
    values: FloatArray,
    chances: FloatArray,
    drawn: NDArray[np.int64],
    rng: np.random.Generator,
    resamples: int,
) -> FloatArray:
    shape = (len(drawn), resamples)
    if len(values) == 2:  # quicker than the same by the multinomial distribution
        second = rng.binomial(drawn[:, None], chances[:, 1:], size=shape) / drawn[:, None]
        between: FloatArray = values[0] + (values[1] - values[0]) * second
        return between
    counts = rng.multinomial(np.broadcast_to(drawn[:, None], shape), chances[:, None, :])
    means: FloatArray = counts @ values / drawn[:, None]
    return means
