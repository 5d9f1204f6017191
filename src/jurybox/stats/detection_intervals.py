"""Every interval for what a sample says about a system: hits to F, by every method.

Tetreault and Chodorow (2008, section 6) take the normal interval of each sample. It fails where
errors are few: without a miss among the sampled cases it claims to know that there is none in the
corpus. So each number has several intervals, and one that is recommended:

    hits, false positives, misses, precision   wald, wilson, exact, bootstrap
    recall, F                                  delta, score, corrected, bootstrap
    error rate                                 wald, score, corrected, bootstrap

Exact where errors of one stratum come in whole numbers (`stats.exact_share`), Wilson's where they
do not; score intervals (`stats.score_bounds`) for recall, F and the error rate, corrected where
errors are whole. The study of sampling in the documentation shows why.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import nan
from typing import NamedTuple

import numpy as np

from jurybox.errors import unknown_name
from jurybox.stats.exact_share import exact_interval
from jurybox.stats.proportions import Bounds, FloatArray, normal_quantile, wilson_bounds
from jurybox.stats.sampled_parts import PartSample
from jurybox.stats.score_bounds import (
    OneShare,
    TwoShares,
    error_rate_bounds,
    f_bounds,
    recall_bounds,
)

MEASURES = (*("hits", "false_positives", "misses", "precision", "recall", "f", "error_rate"),)
#: those that need a sample of what the system calls ok
OF_BOTH = ("misses", "recall", "f", "error_rate")
#: those that are no share of one sample
COMBINED = ("recall", "f", "error_rate")
METHODS = ("recommended", "wald", "wilson", "exact", "bootstrap")
#: what a method is called for those
OF_COMBINED = {
    **{"recommended": "corrected", "exact": "corrected"},
    **{"wilson": "score", "wald": "delta"},
}

#: measure -> method -> ends; measure -> value
Found = dict[str, dict[str, Bounds]]
Values = dict[str, FloatArray]


class Weights(NamedTuple):
    """What settles exact intervals: the weight at the lower end, for either part."""

    flagged: FloatArray
    passed: FloatArray


def measure_values(
    flagged: FloatArray, passed: FloatArray, weight: float, rest: float, beta: float
) -> Values:
    """All measures of shares of errors in what is flagged and in what is not; nan: undefined.

    >>> found = measure_values(np.array([0.8]), np.array([0.3]), 0.1, 0.9, 1.0)
    >>> {name: round(float(value[0]), 3) for name, value in found.items()}
    {'hits': 0.08, 'false_positives': 0.02, 'misses': 0.27, 'precision': 0.8, 'recall': 0.229, \
'f': 0.356, 'error_rate': 0.35}
    """
    hits, misses = weight * flagged, rest * passed
    square = beta**2
    return {
        "hits": hits,
        "false_positives": weight * (1 - flagged),
        "misses": misses,
        "precision": flagged if weight else np.full_like(flagged, nan),
        "recall": _ratio(hits, hits + misses),
        "f": _ratio((1 + square) * hits, weight + square * (hits + misses)),
        "error_rate": hits + misses,
    }


def standard_errors(flagged: PartSample, passed: PartSample, beta: float) -> Values:
    """Of all measures; of recall and F by the delta method."""
    of_hits = flagged.weight**2 * flagged.variance
    of_misses = passed.weight**2 * passed.variance
    hits, misses = flagged.weight * flagged.share, passed.weight * passed.share
    square = beta**2
    errors = hits + misses
    below = flagged.weight + square * errors
    by_hits = (1 + square) * _ratio(below - square * hits, below**2)
    by_misses = (1 + square) * square * _ratio(hits, below**2)
    return {
        "hits": np.sqrt(of_hits),
        "false_positives": np.sqrt(of_hits),
        "misses": np.sqrt(of_misses),
        "precision": np.sqrt(flagged.variance),
        "recall": _ratio(np.sqrt(misses**2 * of_hits + hits**2 * of_misses), errors**2),
        "f": np.sqrt(by_hits**2 * of_hits + by_misses**2 * of_misses),
        "error_rate": np.sqrt(of_hits + of_misses),
    }


def find_bounds(
    flagged: PartSample,
    passed: PartSample,
    *,
    level: float = 0.95,
    beta: float = 0.5,
    weights: Weights | None = None,
) -> Found:
    """The ends of all intervals but those of the bootstrap.

    Without `weights` exact intervals are Clopper and Pearson's.
    """
    values = measure_values(flagged.share, passed.share, flagged.weight, passed.weight, beta)
    errors = standard_errors(flagged, passed, beta)
    z = normal_quantile(level)
    possible = keep_possible(flagged, passed, beta)
    found: Found = {}
    for name in MEASURES:
        half = z * errors[name]
        found[name] = {_called("wald", name): Bounds(values[name] - half, values[name] + half)}
    of_flagged, of_passed = (_wilson(part.share, part.n, level) for part in (flagged, passed))
    for name, ends in _of_shares(flagged, passed, of_flagged, of_passed).items():
        found[name]["wilson"] = ends
    for name, ends in exact_of_parts(flagged, passed, weights, level).items():
        found[name]["exact"] = ends
    plain = TwoShares(*(OneShare(part.share, part.n, part.weight) for part in (flagged, passed)))
    for name, ends in _combined(plain, beta, level).items():
        found[name]["score"] = ends
    for name, ends in corrected_of_parts(flagged, passed, weights, beta, level).items():
        found[name]["corrected"] = ends
    return {
        name: {method: possible(name, ends) for method, ends in methods.items()}
        for name, methods in found.items()
    }


def keep_possible(
    flagged: PartSample, passed: PartSample, beta: float
) -> Callable[[str, Bounds], Bounds]:
    """What cuts an interval of a measure to what the corpus can hold, if that is asked about.

    Errors that were judged are there, and so are cases that are none: fewer hits than were found
    are not possible, nor more than are left. Recall and F rise with hits and fall with misses.
    """
    if flagged.limits is None and passed.limits is None:
        return lambda _, ends: ends
    (few_hits, many_hits), (few_misses, many_misses) = (
        part.limits or (part.share, part.share) for part in (flagged, passed)
    )
    values = {
        (hits, misses): measure_values(*shares, flagged.weight, passed.weight, beta)
        for (hits, misses), shares in {
            ("few", "few"): (few_hits, few_misses),
            ("few", "many"): (few_hits, many_misses),
            ("many", "few"): (many_hits, few_misses),
            ("many", "many"): (many_hits, many_misses),
        }.items()
    }

    def cut(name: str, ends: Bounds) -> Bounds:
        at_least, at_most = _EXTREMES.get(name, (("few", "few"), ("many", "many")))
        least, most = values[at_least][name], values[at_most][name]
        # without any error there is no recall, and nothing to cut it to
        low = np.where(np.isnan(least), ends.low, np.clip(ends.low, least, most))
        high = np.where(np.isnan(most), ends.high, np.clip(ends.high, least, most))
        return Bounds(low, high)

    return cut


#: hits and misses at which a measure is smallest and largest, where that is not few and many
_EXTREMES = {
    "false_positives": (("many", "few"), ("few", "few")),
    "recall": (("few", "many"), ("many", "few")),
    "f": (("few", "many"), ("many", "few")),
}


def percentile_bounds(values: FloatArray, level: float) -> Bounds:
    """The middle of resampled values [samples, resamples]; undefined ones are left out."""
    undefined = np.asarray(np.isnan(values).all(axis=1))
    kept = np.where(undefined[:, None], 0.0, values)
    low, high = np.nanquantile(kept, [(1 - level) / 2, (1 + level) / 2], axis=1)
    return Bounds(np.where(undefined, nan, low), np.where(undefined, nan, high))


def choose_method(name: str, asked: str, found: Mapping[str, object]) -> str:
    """The method meant for a measure, of those that it has.

    >>> choose_method("recall", "wald", {"delta": 0, "score": 0})
    'delta'
    >>> choose_method("recall", "recommended", {"delta": 0, "score": 0})
    'score'
    """
    if asked not in METHODS:
        raise unknown_name("method (--method)", asked, METHODS)
    if name in COMBINED:
        called = _called(asked, name)
        return called if called != "corrected" or called in found else "score"
    if asked in ("recommended", "exact"):
        return "exact" if "exact" in found else "wilson"
    return asked


def _called(method: str, name: str) -> str:
    if name not in COMBINED or (name == "error_rate" and method == "wald"):
        return method
    return OF_COMBINED.get(method, method)


def _combined(shares: TwoShares, beta: float, level: float) -> dict[str, Bounds]:
    return {
        "recall": recall_bounds(shares, level),
        "f": f_bounds(shares, beta, level),
        "error_rate": error_rate_bounds(shares, level),
    }


def corrected_of_parts(
    flagged: PartSample, passed: PartSample, weights: Weights | None, beta: float, level: float
) -> dict[str, Bounds]:
    """Score intervals of what needs both parts, corrected for skewness and whole numbers.

    There are none where errors are not whole, or where a part has several strata: the skewness of
    such samples is another one.
    """
    if any(part.weight and part.counts is None for part in (flagged, passed)):
        return {}
    shares = TwoShares(
        _corrected(flagged, None if weights is None else weights.flagged),
        _corrected(passed, None if weights is None else weights.passed),
    )
    possible = keep_possible(flagged, passed, beta)
    return {name: possible(name, ends) for name, ends in _combined(shares, beta, level).items()}


def _corrected(part: PartSample, weight: FloatArray | None) -> OneShare:
    share = OneShare(part.share, part.n, part.weight, part.skew)
    if part.counts is None or part.counts.n == part.counts.size or weight is None:
        return share
    moved = 0.5 - weight
    # as for exact intervals: no error at all is not moved towards even fewer
    moved = np.where(part.share == 0, np.maximum(moved, 0), moved)
    moved = np.where(part.share == 1, np.minimum(moved, 0), moved)
    return share._replace(step=1 / part.counts.n, moved=moved)


def exact_of_parts(
    flagged: PartSample, passed: PartSample, weights: Weights | None, level: float
) -> dict[str, Bounds]:
    """Exact intervals of what is a share of one stratum, where errors are whole."""
    of_flagged = _exact(flagged, None if weights is None else weights.flagged, level)
    of_passed = _exact(passed, None if weights is None else weights.passed, level)
    return _of_shares(flagged, passed, of_flagged, of_passed)


def _exact(part: PartSample, weight: FloatArray | None, level: float) -> Bounds | None:
    if part.counts is None:
        return None
    errors, n, size = part.counts
    at = (np.ones(1), np.ones(1)) if weight is None else (weight, 1 - weight)
    return exact_interval(errors, n, size=size, weights=at, level=level)


def _of_shares(
    flagged: PartSample, passed: PartSample, of_flagged: Bounds | None, of_passed: Bounds | None
) -> dict[str, Bounds]:
    """Intervals of all that is a share of one part, out of those of the parts."""
    found: dict[str, Bounds] = {}
    if of_flagged is not None:
        others = Bounds(1 - of_flagged.high, 1 - of_flagged.low)
        found["hits"] = _times(flagged.weight, of_flagged)
        found["false_positives"] = _times(flagged.weight, others)
        found["precision"] = of_flagged
    if of_passed is not None:
        found["misses"] = _times(passed.weight, of_passed)
    return found


def _wilson(share: FloatArray, n: FloatArray, level: float) -> Bounds:
    known = np.isinf(n)  # looked at as a whole
    low, high = wilson_bounds(share, np.where(known, 1.0, n), level)
    return Bounds(np.where(known, share, low), np.where(known, share, high))


def _times(weight: float, ends: Bounds) -> Bounds:
    return Bounds(weight * ends.low, weight * ends.high)


def _ratio(above: FloatArray, below: FloatArray) -> FloatArray:
    return np.divide(above, below, out=np.full_like(above, nan), where=below > 0)
