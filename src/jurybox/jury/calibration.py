"""Scores as probabilities: Brier score and calibration against the share of judges.

A score between 0 and 1 can be read as the share of judges who would call the case an error. These
functions ask how far that is so.
"""

from __future__ import annotations

from array import array
from math import nan
from typing import Annotated, NamedTuple

import numpy as np

from jurybox.errors import UsageError
from jurybox.jury.votes import FloatArray, check_lengths
from jurybox.records import WHEN_SET, Count, Key, Reason, Share, computed

NO_SKILL = "no skill: p is the same on every case"


class Brier(NamedTuple):
    """Mean squared distance of scores from p."""

    value: Annotated[float, "The Brier score; null where undefined."]
    constant: Annotated[float, "That of always saying the mean of p."]
    n: Annotated[Count, "Cases with a score and a judgment."]
    reason: Annotated[str, "Why there is no score, or no skill.", WHEN_SET] = ""

    @computed
    def skill(
        self,
    ) -> Annotated[float, "1 - value / constant: 1 is perfect, 0 as good as the mean of p."]:
        return 1 - self.value / self.constant if self.constant else nan


class CalibrationBin(NamedTuple):
    """Cases whose score lies between two edges."""

    low: Annotated[Share, Key("from"), "Lower edge."]
    high: Annotated[Share, Key("to"), "Upper edge."]
    n: Annotated[Count, "Cases."]
    mean_score: Annotated[Share, "Their mean score; null where there are none."]
    mean_p: Annotated[Share, "Their mean p; null where there are none."]


class Calibration(NamedTuple):
    """Mean score against mean p, by score."""

    bins: tuple[CalibrationBin, ...]
    error: Annotated[Share, "Mean distance of the two over all cases; null where undefined."]
    reason: Reason = ""


def brier_score(scores: array[float] | FloatArray, p: FloatArray) -> Brier:
    """Mean squared distance of scores from the share of judges (Brier 1950).

    Brier = Σ (s - p)² / n over the cases with both. 0 is perfect. `constant` is that of always
    saying the mean of p. With p in {0, 1} it is the score as Brier defined it. Undefined without
    such cases, and where a score is not between 0 and 1.

    >>> brier_score(np.array([0.75, 0.5]), np.array([0.25, 0.5]))
    Brier(value=0.125, constant=0.015625, n=2, reason='')
    """
    said, share, reason = _both(scores, p)
    if reason:
        return Brier(nan, nan, len(said), reason)
    value = float(((said - share) ** 2).mean())
    constant = float(((share - share.mean()) ** 2).mean())
    return Brier(value, constant, len(said), "" if constant else NO_SKILL)


def calibrate(scores: array[float] | FloatArray, p: FloatArray, bins: int = 10) -> Calibration:
    """Mean p of the cases that have about the same score, in bins of equal width.

    A bin holds its lower edge; the last also 1. Empty bins have no means (nan). The error is
    Σ n_b |mean score - mean p| / n, undefined as the Brier score is.

    >>> found = calibrate(np.array([0.2, 0.4, 0.9]), np.array([0.1, 0.3, 1.0]), bins=2)
    >>> [(b.n, round(b.mean_score, 2), round(b.mean_p, 2)) for b in found.bins]
    [(2, 0.3, 0.2), (1, 0.9, 1.0)]
    >>> round(found.error, 4)
    0.1
    """
    if bins < 1:
        raise UsageError(f"calibration needs at least 1 bin, not {bins}")
    said, share, reason = _both(scores, p)
    if reason:
        return Calibration((), nan, reason)
    edges = np.arange(bins + 1) / bins
    place = np.searchsorted(edges[1:-1], said, side="right")
    n = np.bincount(place, minlength=bins)
    sums = [np.bincount(place, weights=part, minlength=bins) for part in (said, share)]
    means = [np.divide(s, n, out=np.full(bins, nan), where=n > 0) for s in sums]
    error = float(np.abs(sums[0] - sums[1]).sum() / len(said))
    columns = (edges[:-1], edges[1:], n, *means)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return Calibration(tuple(CalibrationBin(*row) for row in rows), error)


def _both(scores: array[float] | FloatArray, p: FloatArray) -> tuple[FloatArray, FloatArray, str]:
    """Scores and p of the cases that have both, and why they cannot be compared, if so."""
    given: FloatArray = np.asarray(scores, dtype=np.float64)
    check_lengths(scores=given, p=p)
    known = ~np.isnan(given) & ~np.isnan(p)
    said, share = given[known], p[known]
    if not len(said):
        return said, share, "no case has both a score and a judgment"
    outside = int(np.count_nonzero((said < 0) | (said > 1)))
    if outside:
        reason = f"{outside} scores are not between 0 and 1, so they are no probabilities"
        return said, share, reason
    return said, share, ""
