"""Draws from a corpus of which everything is known: how often intervals hold the truth.

A sample of a stratum without replacement is a draw from the (multivariate) hypergeometric
distribution: how many of its cases have each share of judges is all that matters, so no case is
drawn one by one. Samples that are alike get the same intervals and are looked at once; the weights
that settle exact intervals are drawn for each of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import nan
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.errors import InputError
from jurybox.stats.binomial_test import BinomialTest, binomial_test
from jurybox.stats.detection_intervals import (
    MEASURES,
    Found,
    Weights,
    corrected_of_parts,
    exact_of_parts,
    find_bounds,
    keep_possible,
    measure_values,
    percentile_bounds,
)
from jurybox.stats.proportions import Bounds, FloatArray
from jurybox.stats.sampled_parts import PartSample, SampledStratum, no_part, take_part
from jurybox.stats.stratified_bootstrap import JudgedStratum, resample_part

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


class Coverage(NamedTuple):
    """How an interval does: over all draws in which the measure is defined.

    `below` and `above` are the shares of draws whose interval lies wholly below or above the truth.
    """

    measure: str
    method: str
    truth: float
    draws: int
    covered: int
    below: float
    above: float
    width: float  # mean
    test: BinomialTest | None  # None where the sample knows: the part was looked at as a whole

    @property
    def coverage(self) -> float:
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
    draws: int = 4000,
    resamples: int = 0,
    level: float = 0.95,
    beta: float = 0.5,
    finite: bool = True,
) -> list[Coverage]:
    """Coverage and width of every interval for one setting.

    With `finite`, intervals are those about the corpus that the draws are from; without, those of
    the paper, as if text had no end. `resamples` is for the bootstrap; none without.

    >>> flagged = KnownPart(np.array([0.0, 1.0]), np.array([122, 85]))
    >>> passed = KnownPart(np.array([0.0, 1.0]), np.array([2662, 127]))
    >>> rng = np.random.default_rng(1)
    >>> found = simulate(flagged, passed, Setting(50, 100), rng, draws=2000)
    >>> {one.method: round(one.coverage, 2) for one in found if one.measure == "recall"}
    {'delta': 0.93, 'score': 0.96, 'corrected': 0.96}
    """
    _check(flagged, passed, setting)
    counts = (
        _draw(flagged, setting.error, rng, draws),
        _draw(passed, setting.ok, rng, draws),
    )
    together = np.concatenate(counts, axis=1)
    alike, which = np.unique(together, axis=0, return_inverse=True)
    which = which.ravel()
    split = counts[0].shape[1]
    first = JudgedStratum(flagged.size, flagged.values, alike[:, :split])
    second = JudgedStratum(passed.size, passed.values, alike[:, split:])
    total = flagged.size + passed.size
    parts = [_part(one, total, finite) for one in (first, second)]
    found = _each(find_bounds(*parts, level=level, beta=beta), which)
    found = _settled(found, parts, which, rng, beta=beta, level=level)
    if resamples:
        again = _resampled(
            parts, (first, second), rng, resamples, level=level, beta=beta, finite=finite
        )
        for name, ends in again.items():
            found[name]["bootstrap"] = Bounds(ends.low[which], ends.high[which])
    truths = measure_values(
        np.array([flagged.share]),
        np.array([passed.share]),
        flagged.size / total,
        passed.size / total,
        beta,
    )
    sure = _known(flagged, passed, setting) if finite else frozenset[str]()
    return [
        _cover(name, method, float(truths[name][0]), ends, level=level, known=name in sure)
        for name, methods in found.items()
        for method, ends in methods.items()
    ]


def _check(flagged: KnownPart, passed: KnownPart, setting: Setting) -> None:
    for part, n, flag, what in (
        (flagged, setting.error, "--error", "flags"),
        (passed, setting.ok, "--ok", "calls ok"),
    ):
        if not 1 <= n <= part.size:
            raise InputError(f"{flag} {n}: the system {what} {part.size} cases; draw 1 to that")


def _draw(part: KnownPart, n: int, rng: np.random.Generator, draws: int) -> NDArray[np.int64]:
    """How many of n drawn cases have each share: [draws, values]."""
    return rng.multivariate_hypergeometric(part.counts, n, size=draws, method="marginals")


def _part(one: JudgedStratum, total: int, finite: bool) -> PartSample:
    if not one.size:
        return no_part(len(one.counts))
    errors, squares = one.counts @ one.values, one.counts @ one.values**2
    n = int(one.counts[0].sum())
    return take_part([SampledStratum(one.size, n, errors, squares)], total, finite=finite)


def _each(found: Mapping[str, Mapping[str, Bounds]], which: NDArray[np.intp]) -> Found:
    """The intervals of every draw out of those of draws that differ."""
    return {
        name: {method: Bounds(ends.low[which], ends.high[which]) for method, ends in one.items()}
        for name, one in found.items()
    }


def _settled(
    found: Found,
    parts: list[PartSample],
    which: NDArray[np.intp],
    rng: np.random.Generator,
    *,
    beta: float,
    level: float,
) -> Found:
    """Exact and corrected intervals with weights of their own for every draw."""
    flagged, passed = (
        part._replace(
            share=part.share[which],
            variance=part.variance[which],
            n=part.n[which],
            skew=part.skew[which],
            counts=None
            if part.counts is None
            else part.counts._replace(errors=part.counts.errors[which]),
            limits=None if part.limits is None else (part.limits[0][which], part.limits[1][which]),
        )
        for part in parts
    )
    weights = Weights(rng.random(len(which)), rng.random(len(which)))
    for name, ends in exact_of_parts(flagged, passed, weights, level).items():
        found[name]["exact"] = ends
    for name, ends in corrected_of_parts(flagged, passed, weights, beta, level).items():
        found[name]["corrected"] = ends
    return found


def _resampled(
    parts: list[PartSample],
    strata: tuple[JudgedStratum, JudgedStratum],
    rng: np.random.Generator,
    resamples: int,
    *,
    level: float,
    beta: float,
    finite: bool,
) -> dict[str, Bounds]:
    flagged, passed = (
        resample_part([one], rng, resamples, finite=finite)
        if one.size
        else np.zeros((len(one.counts), resamples))
        for one in strata
    )
    values = measure_values(flagged, passed, parts[0].weight, parts[1].weight, beta)
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
) -> Coverage:
    defined = ~(np.isnan(ends.low) | np.isnan(ends.high)) & (not np.isnan(truth))
    low, high = ends.low[defined], ends.high[defined]
    draws = len(low)
    if not draws:
        return Coverage(name, method, truth, 0, 0, nan, nan, nan, None)
    below, above = high < truth - SAME, low > truth + SAME
    covered = int(draws - below.sum() - above.sum())
    test = None if known else binomial_test(covered, draws, level)
    width = max(0.0, float((high - low).mean()))  # rounding may leave less than nothing
    return Coverage(
        name, method, truth, draws, covered, float(below.mean()), float(above.mean()), width, test
    )
