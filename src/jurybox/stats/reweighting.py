"""A new system on judgments that were drawn for an old one.

The sample was drawn at rates that depend on what the *old* system said. Weights undo this: a case
of a stratum of N cases of which n were judged stands for N / n cases (Horvitz and Thompson 1952).
Weighted means are taken within what the new system flags and within what it does not (Hájek 1971);
if it is known how many cases it flags in the whole corpus, as it is where it was run on all of it,
these numbers are used instead of estimated ones.

Nothing new is judged, so the estimate is less sure than a sample drawn for the new system: most of
what it flags may lie in a part that was sampled thinly. The effective number of cases says how many
equally weighted ones would be as sure (Kish 1965). Where a stratum was not judged at all, or no
judged case is flagged by the new system, there is no estimate.
"""

from __future__ import annotations

from math import nan
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.stats.proportions import FloatArray, wilson_bounds
from jurybox.stats.resample import Interval

NONE_FLAGGED = "the new system flags none of the judged cases: nothing is known of its precision"
NO_ERROR = "no judged case is an error: there is no recall"
#: with fewer effective cases than this an estimate is little more than a guess
FEW = 10


class JudgedCases(NamedTuple):
    """The judged cases of all strata, as columns."""

    stratum: NDArray[np.int64]
    error: FloatArray  # share of judges who call the case an error
    flagged: NDArray[np.bool_]  # by the new system


class Reweighted(NamedTuple):
    """An estimate, its standard error by linearisation, and how many cases it rests on."""

    value: float
    standard_error: float
    interval: Interval
    effective: float  # equally weighted cases that would be as sure
    cases: int  # judged cases it is made of


class Retest(NamedTuple):
    """What the old sample says about the new system."""

    flagged: float  # share of all cases
    hits: Reweighted
    false_positives: Reweighted
    misses: Reweighted
    precision: Reweighted
    recall: Reweighted


def retest(
    judged: JudgedCases,
    sizes: NDArray[np.int64],
    *,
    flagged: int | None = None,
    finite: bool = False,
    level: float = 0.95,
) -> Retest:
    """Hits to recall of a new system; `sizes` are those of the strata, all of which were judged.

    `flagged` is how many cases of the corpus the new system flags, where that is known.

    Here the new system flags just what the old one did, and the estimate is the old one:

    >>> stratum = np.repeat([0, 1], [5, 10])
    >>> error = np.array([1, 1, 1, 1, 0] + [1] + [0] * 9, dtype=float)
    >>> cases = JudgedCases(stratum, error, stratum == 0)
    >>> found = retest(cases, np.array([100, 900]), flagged=100)
    >>> round(found.precision.value, 3), round(found.recall.value, 3)
    (0.8, 0.471)
    >>> round(found.precision.effective)
    4
    """
    total = int(sizes.sum())
    sampled = np.bincount(judged.stratum, minlength=len(sizes))
    weight = (sizes / sampled)[judged.stratum]
    y, d = judged.error, judged.flagged.astype(np.float64)
    in_flagged, in_passed = float(weight @ d), float(weight @ (1 - d))
    known = in_flagged if flagged is None else float(flagged)
    precision = float(weight @ (y * d)) / in_flagged if in_flagged else nan
    passed_rate = float(weight @ (y * (1 - d))) / in_passed if in_passed else 0.0
    hits = known * (precision if known else 0.0) / total
    misses = (total - known) * passed_rate / total

    about = _Uncertainty(judged, sizes, sampled, weight, finite, level)
    # what each case adds to an estimate: its linearised value (Särndal et al. 1992, section 5.5)
    if flagged is None:
        of_hits, of_misses = (y * d - hits) / total, (y * (1 - d) - misses) / total
        of_false = ((1 - y) * d - (in_flagged / total - hits)) / total
    else:
        of_hits = _within(known, in_flagged) * d * (y - precision) / total
        of_misses = _within(total - known, in_passed) * (1 - d) * (y - passed_rate) / total
        of_false = -of_hits
    errors = hits + misses
    recall = hits / errors if errors else nan
    of_recall = ((1 - recall) * of_hits - recall * of_misses) / errors if errors else of_hits * nan
    of_precision = d * (y - precision) / in_flagged if in_flagged else d * nan
    share = known / total
    flags, passes, everything = judged.flagged, ~judged.flagged, judged.error >= 0
    within = flagged is not None
    return Retest(
        flagged=share,
        hits=about.tell(hits, of_hits, flags if within else everything, share if within else 1.0),
        false_positives=about.tell(
            share - hits, of_false, flags if within else everything, share if within else 1.0
        ),
        misses=about.tell(
            misses, of_misses, passes if within else everything, 1 - share if within else 1.0
        ),
        precision=about.tell(precision, of_precision, flags, 1.0, NONE_FLAGGED),
        recall=about.tell(recall, of_recall, y > 0, 1.0, NO_ERROR),
    )


def _within(known: float, estimated: float) -> float:
    return known / estimated if estimated else 0.0


class _Uncertainty(NamedTuple):
    """Standard errors and intervals of estimates that are sums over judged cases."""

    judged: JudgedCases
    sizes: NDArray[np.int64]
    sampled: NDArray[np.int64]
    weight: FloatArray
    finite: bool
    level: float

    def tell(
        self,
        value: float,
        adds: FloatArray,
        among: NDArray[np.bool_],
        top: float,
        reason: str = "",
    ) -> Reweighted:
        """`value` is at most `top`; `among` are the cases that it is a share of."""
        cases = int(np.count_nonzero(among))
        if np.isnan(value):
            return Reweighted(nan, nan, Interval(nan, nan, self.level, reason), 0.0, cases)
        weights = self.weight[among]
        kish = float(weights.sum() ** 2 / (weights**2).sum()) if cases else 0.0
        variance = self._variance(adds)
        share = value / top if top else 0.0
        n = kish
        if variance > 0 and 0 < share < 1:
            n = share * (1 - share) * top**2 / variance
        if not n or not top:
            return Reweighted(value, 0.0, Interval(value, value, self.level), n, cases)
        low, high = wilson_bounds(share, n, self.level)
        interval = Interval(top * float(low), top * float(high), self.level)
        # weights that differ cannot make cases surer than they are
        return Reweighted(value, float(np.sqrt(variance)), interval, float(min(n, kish)), cases)

    def _variance(self, adds: FloatArray) -> float:
        """Of Σ N mean over strata, each sampled on its own."""
        variance = 0.0
        for number, (size, n) in enumerate(zip(self.sizes, self.sampled, strict=True)):
            if n < 2 or (self.finite and n == size):
                continue
            spread = float(np.var(adds[self.judged.stratum == number], ddof=1))
            variance += float(size) ** 2 * spread / n * (1 - n / size if self.finite else 1)
        return variance
