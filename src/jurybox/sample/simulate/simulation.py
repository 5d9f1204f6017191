"""Draws from a corpus of which everything is known: how often intervals hold the truth.

A sample of a stratum without replacement is a draw from the (multivariate) hypergeometric
distribution: how many of its cases have each share of judges is all that matters, so no case is
drawn one by one. About this corpus, every sample is drawn from it. About text of this kind, what is
known stands for the text: a corpus of the same size is drawn from it anew for every sample (with
replacement, a multinomial draw), and the sample from that corpus. Samples that are alike get the
same intervals and are looked at once; the weights that settle exact intervals are drawn for each of
them.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import inf, nan
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.errors import InputError
from jurybox.records import Count, Share, computed
from jurybox.sample.estimate.detection_intervals import (
    MEASURES,
    Found,
    Weights,
    keep_possible,
    measure_values,
    percentile_bounds,
    plain_bounds,
    settled_bounds,
)
from jurybox.sample.estimate.sampled_parts import PartSample, SampledStratum, WholeCounts, take_part
from jurybox.sample.estimate.stratified_bootstrap import JudgedStratum, resample_parts
from jurybox.sample.options import About
from jurybox.stats.proportions import Bounds, FloatArray, binomial_test

#: ends of intervals and the truth are the same number reached in two ways
SAME = 1e-9


class KnownPart(NamedTuple):
    """All cases of a part: how many have each share of judges who call them errors."""

    values: FloatArray
    counts: NDArray[np.int64]

    @property
    def size(self) -> int:
        return int(self.counts.sum())

    @property
    def share(self) -> float:
        return float(self.values @ self.counts / self.size) if self.size else 0.0


class Setting(NamedTuple):
    """How many cases are drawn from what a system flags, and from what it calls ok."""

    error: int
    ok: int


class IntervalCoverage(NamedTuple):
    """How an interval does: over all draws in which the measure is defined."""

    measure: Annotated[str, "What is estimated."]
    method: Annotated[str, "How the interval was made."]
    truth: Annotated[Share, "The true number."]
    draws: Annotated[Count, "Samples in which the measure is defined."]
    covered: Annotated[Count, "Intervals that hold the truth."]
    below: Annotated[Share, "Share of intervals wholly below the truth."]
    above: Annotated[Share, "Share of intervals wholly above the truth."]
    width: Annotated[float, "Mean width."]
    p_two_sided: Annotated[
        float | None,
        "p of the binomial test that coverage is the level; null where the sample leaves no doubt, "
        "as the part was looked at as a whole.",
    ] = None
    p_too_low: Annotated[float | None, "p of the test that it is not below the level."] = None
    recommended: Annotated[bool, "Whether this is the recommended interval of the measure."] = False

    @computed
    def coverage(self) -> Share:
        """Share of intervals that hold the truth; null where none is defined."""
        return self.covered / self.draws if self.draws else nan


def know_part(shares: FloatArray) -> KnownPart:
    """A part out of the share of every case.

    >>> know_part(np.array([0, 1, 1, 0.5]))
    KnownPart(values=array([0. , 0.5, 1. ]), counts=array([1, 1, 2]))
    """
    values, counts = np.unique(shares, return_counts=True)
    if len(values) and set(values.tolist()) <= {0.0, 1.0}:
        values = np.array([0.0, 1.0])
        counts = np.array([np.count_nonzero(shares == value) for value in values])
    return KnownPart(values.astype(np.float64), counts.astype(np.int64))


def simulate(
    flagged: KnownPart,
    passed: KnownPart,
    setting: Setting,
    rng: np.random.Generator,
    *,
    about: About,
    draws: int = 4000,
    resamples: int = 0,
    level: float = 0.95,
    beta: float = 0.5,
) -> list[IntervalCoverage]:
    """Coverage and width of every interval for one setting.

    `resamples` is for the bootstrap; none without.

    >>> flagged = KnownPart(np.array([0.0, 1.0]), np.array([122, 85]))
    >>> passed = KnownPart(np.array([0.0, 1.0]), np.array([2662, 127]))
    >>> rng = np.random.default_rng(1)
    >>> found = simulate(flagged, passed, Setting(50, 100), rng, draws=2000, about="corpus")
    >>> {one.method: round(one.coverage, 2) for one in found if one.measure == "recall"}
    {'paper': 0.93, 'delta': 0.92, 'score': 0.96, 'corrected': 0.95}
    """
    _check(flagged, passed, setting, about)
    corpora = _corpora(flagged, passed, rng, draws, about)
    counts = [
        _draw(corpus, n, rng)
        for corpus, n in zip(corpora, (setting.error, setting.ok), strict=True)
    ]
    sizes = [corpus.sum(axis=1, keepdims=True) for corpus in corpora]
    alike, which = np.unique(np.concatenate([*counts, *sizes], 1), axis=0, return_inverse=True)
    which = which.ravel()
    first, both = counts[0].shape[1], counts[0].shape[1] + counts[1].shape[1]
    strata = (
        JudgedStratum(alike[:, both], flagged.values, alike[:, :first]),
        JudgedStratum(alike[:, both + 1], passed.values, alike[:, first:both]),
    )
    parts = [_part(one, alike[:, both:].sum(axis=1), about) for one in strata]
    found = _each(plain_bounds(*parts, level=level, beta=beta), which)
    settled = settled_bounds(
        _picked(parts[0], which),
        _picked(parts[1], which),
        Weights(rng.random(draws), rng.random(draws)),
        level=level,
        beta=beta,
    )
    for name, methods in settled.items():
        found[name] |= methods
    if resamples:
        again = _resampled(parts, strata, rng, resamples, level=level, beta=beta, about=about)
        for name, ends in again.items():
            found[name]["bootstrap"] = Bounds(ends.low[which], ends.high[which])
    total = flagged.size + passed.size
    truths = measure_values(
        np.array([flagged.share]),
        np.array([passed.share]),
        flagged.size / total,
        passed.size / total,
        beta,
    )
    sure = _known(flagged, passed, setting) if about == "corpus" else frozenset[str]()
    return [
        _cover(name, method, float(truths[name][0]), ends, level=level, known=name in sure)
        for name, methods in found.items()
        for method, ends in methods.items()
    ]


def _check(flagged: KnownPart, passed: KnownPart, setting: Setting, about: About) -> None:
    """About text of this kind, more than a part holds means all of it, in whatever corpus."""
    for part, n, flag, what in (
        (flagged, setting.error, "--error", "flags"),
        (passed, setting.ok, "--ok", "calls ok"),
    ):
        if not 1 <= n <= (part.size if about == "corpus" else inf):
            raise InputError(f"{flag} {n}: the system {what} {part.size} cases; draw 1 to that")


def _corpora(
    flagged: KnownPart, passed: KnownPart, rng: np.random.Generator, draws: int, about: About
) -> list[NDArray[np.int64]]:
    """How many cases of either part have each share, in the corpus of every draw."""
    counts = np.concatenate([flagged.counts, passed.counts])
    drawn = np.broadcast_to(counts, (draws, len(counts)))
    if about == "text":
        drawn = rng.multinomial(counts.sum(), counts / counts.sum(), size=draws)
    split = len(flagged.counts)
    return [drawn[:, :split], drawn[:, split:]]


def _draw(corpora: NDArray[np.int64], n: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """How many of n drawn cases have each share: [draws, values]; all, where there are fewer."""
    left, wanted = corpora.sum(axis=1), np.minimum(n, corpora.sum(axis=1))
    drawn = np.zeros_like(corpora)
    for value in range(corpora.shape[1]):
        left = left - corpora[:, value]
        drawn[:, value] = rng.hypergeometric(corpora[:, value], left, wanted)
        wanted = wanted - drawn[:, value]
    return drawn


def _part(one: JudgedStratum, total: NDArray[np.int64], about: About) -> PartSample:
    errors, squares = one.counts @ one.values, one.counts @ one.values**2
    sampled = one.counts.sum(axis=1)
    return take_part([SampledStratum(one.size, sampled, errors, squares)], total, about=about)


def _each(found: Mapping[str, Mapping[str, Bounds]], which: NDArray[np.intp]) -> Found:
    """The intervals of every draw out of those of draws that differ."""
    return {
        name: {method: Bounds(ends.low[which], ends.high[which]) for method, ends in one.items()}
        for name, one in found.items()
    }


def _picked(part: PartSample, which: NDArray[np.intp]) -> PartSample:
    """The samples `which` of a part."""

    def pick(field: object) -> object:
        if isinstance(field, np.ndarray):
            return field[which] if field.ndim else field
        if isinstance(field, tuple):
            parts = map(pick, field)
            return type(field)._make(parts) if isinstance(field, WholeCounts) else tuple(parts)
        return field

    return PartSample._make(map(pick, part))


def _resampled(
    parts: list[PartSample],
    strata: tuple[JudgedStratum, JudgedStratum],
    rng: np.random.Generator,
    resamples: int,
    *,
    level: float,
    beta: float,
    about: About,
) -> dict[str, Bounds]:
    flagged, passed = resample_parts([[one] for one in strata], rng, resamples, about=about)
    values = measure_values(flagged.share, passed.share, flagged.weight, passed.weight, beta)
    possible = keep_possible(parts[0], parts[1], beta)
    return {name: possible(name, percentile_bounds(values[name], level)) for name in MEASURES}


def _known(flagged: KnownPart, passed: KnownPart, setting: Setting) -> frozenset[str]:
    """Measures that the sample knows: a part that was drawn as a whole leaves no doubt."""
    known: set[str] = set()
    if setting.error == flagged.size:
        known |= {"hits", "false_positives", "precision"}
    if setting.ok == passed.size:
        known.add("misses")
    return frozenset(MEASURES if len(known) == 4 else known)


def _cover(
    name: str, method: str, truth: float, ends: Bounds, *, level: float, known: bool
) -> IntervalCoverage:
    defined = ~(np.isnan(ends.low) | np.isnan(ends.high)) & (not np.isnan(truth))
    low, high = ends.low[defined], ends.high[defined]
    draws = len(low)
    if not draws:
        return IntervalCoverage(name, method, truth, 0, 0, nan, nan, nan)
    below, above = high < truth - SAME, low > truth + SAME
    covered = int(draws - below.sum() - above.sum())
    test = (None, None) if known else binomial_test(covered, draws, level)
    width = max(0.0, float((high - low).mean()))  # rounding may leave less than nothing
    return IntervalCoverage(
        name, method, truth, draws, covered, float(below.mean()), float(above.mean()), width, *test
    )
