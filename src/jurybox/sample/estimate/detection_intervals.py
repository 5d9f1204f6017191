"""Every interval for what a sample says about a system: hits to F, by every method.

Tetreault and Chodorow (2008, section 6) take the normal interval of each sample, and the sizes of
the two parts as known. It fails where errors are few: without a miss among the sampled cases it
claims to know that there is none in the corpus. And it is too short for text of this kind, of which
another corpus would have parts of other sizes. So each number has several intervals, and one that
is recommended:

    hits, false positives, misses   paper, wald, wilson, exact (about text: corrected), bootstrap
    precision                       paper, wald, wilson, exact, bootstrap
    recall, F                       paper, delta, score, corrected, bootstrap
    error rate                      paper, wald, score, corrected, bootstrap

All but the paper's are about what the parts were taken for (`sample.options`). Exact where errors
of one stratum come in whole numbers (`exact_share`), Wilson's where they do not; score intervals
(`score_bounds`) for what needs both samples or the share of flagged cases, corrected where errors
are whole. The study of sampling in the documentation shows why.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import nan

import numpy as np

from jurybox.sample.estimate.exact_share import exact_interval
from jurybox.sample.estimate.sampled_parts import CountedShares, PartSample, ratio, resample_parts
from jurybox.sample.estimate.score_bounds import OneShare, TwoShares, case_ratio, score_bounds
from jurybox.sample.options import About
from jurybox.stats.proportions import Bounds, FloatArray, normal_quantile, wilson_bounds

MEASURES = ("hits", "false_positives", "misses", "precision", "recall", "f", "error_rate")
#: those that need a sample of what the system calls ok
OF_BOTH = ("misses", "recall", "f", "error_rate")
#: those that are no share of one sample
COMBINED = ("recall", "f", "error_rate")
#: those that are one share of a sample, and a known share of the corpus if that is asked about
OF_ALL_CASES = ("hits", "false_positives", "misses")
#: what a method is called for the combined ones
OF_COMBINED = {
    **{"recommended": "corrected", "exact": "corrected"},
    **{"wilson": "score", "wald": "delta"},
}

#: measure -> method -> ends; measure -> value
Found = dict[str, dict[str, Bounds]]
Values = dict[str, FloatArray]
#: what settles exact intervals: the weight at the lower end, for what is flagged and what is not
Weights = tuple[FloatArray, FloatArray]


def measure_values(
    flagged: FloatArray,
    passed: FloatArray,
    weight: FloatArray | float,
    rest: FloatArray | float,
    beta: float,
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
        "precision": np.where(np.asarray(weight) > 0, flagged, nan),
        "recall": ratio(hits, hits + misses),
        "f": ratio((1 + square) * hits, weight + square * (hits + misses)),
        "error_rate": hits + misses,
    }


def standard_errors(
    flagged: PartSample, passed: PartSample, beta: float, *, as_in_paper: bool = False
) -> Values:
    """Of all measures; of ratios by the delta method.

    A measure is a ratio of two means of case values (`score_bounds`), and varies as the mean
    of (value above - measure · value below) does, divided by the mean below. `as_in_paper`, the
    sizes of the parts are known.
    """
    parts = (flagged, passed)
    values = measure_values(flagged.share, passed.share, flagged.weight, passed.weight, beta)
    found: Values = {}
    for name in MEASURES:
        above, below = case_ratio(name, beta)
        variance = mean = np.zeros_like(flagged.share)
        for part, kinds in zip(parts, ((0, 1), (2, 3)), strict=True):
            error, other = (above[kind] - values[name] * below[kind] for kind in kinds)
            own = part.share * error + (1 - part.share) * other
            of_share = part.papers_variance if as_in_paper else part.variance
            # a part without cases has no variance, and one that is not asked about none that counts
            within = np.where(error == other, 0.0, (error - other) ** 2 * of_share)
            variance = variance + part.weight**2 * within
            if not as_in_paper:
                variance = variance + part.weight * own**2 / part.cases
            mean = mean + part.weight * (
                part.share * below[kinds[0]] + (1 - part.share) * below[kinds[1]]
            )
        found[name] = ratio(np.sqrt(variance), mean)
    return found


def find_bounds(
    flagged: PartSample,
    passed: PartSample,
    *,
    level: float = 0.95,
    beta: float = 0.5,
    weights: Weights | None = None,
) -> Found:
    """The ends of all intervals but those of the bootstrap, about what the parts were taken for.

    Without `weights` exact intervals are Clopper and Pearson's.
    """
    found = plain_bounds(flagged, passed, level=level, beta=beta)
    for name, methods in settled_bounds(flagged, passed, weights, level=level, beta=beta).items():
        found[name] |= methods
    return found


def plain_bounds(
    flagged: PartSample, passed: PartSample, *, level: float = 0.95, beta: float = 0.5
) -> Found:
    """Intervals that nothing settles by chance."""
    values = measure_values(flagged.share, passed.share, flagged.weight, passed.weight, beta)
    errors = standard_errors(flagged, passed, beta)
    papers = standard_errors(flagged, passed, beta, as_in_paper=True)
    z = normal_quantile(level)
    possible = keep_possible(flagged, passed, beta)
    found: Found = {}
    for name in MEASURES:
        half, of_paper = z * errors[name], z * papers[name]
        found[name] = {
            "paper": Bounds(values[name] - of_paper, values[name] + of_paper),
            _called("wald", name): possible(name, Bounds(values[name] - half, values[name] + half)),
        }
    of_flagged, of_passed = (_wilson(part, level) for part in (flagged, passed))
    for name, ends in _of_shares(flagged, passed, of_flagged, of_passed).items():
        found[name]["wilson"] = possible(name, ends)
    shares = TwoShares(_plain(flagged), _plain(passed), flagged.cases)
    for name, ends in score_bounds(shares, _scored(shares), beta=beta, level=level).items():
        found[name]["score" if name in COMBINED else "wilson"] = possible(name, ends)
    return found


def settled_bounds(
    flagged: PartSample,
    passed: PartSample,
    weights: Weights | None,
    *,
    level: float = 0.95,
    beta: float = 0.5,
) -> Found:
    """Exact and corrected intervals, where errors of one stratum come in whole numbers."""
    possible = keep_possible(flagged, passed, beta)
    found: Found = {name: {} for name in MEASURES}
    of_flagged, of_passed = (None, None) if weights is None else weights
    shares = TwoShares(
        _corrected(flagged, of_flagged), _corrected(passed, of_passed), flagged.cases
    )
    # where the sizes of the parts are chance, precision alone is a share of one stratum
    known = shares.sizes_known
    exact = (
        _exact(flagged, of_flagged, level),
        _exact(passed, of_passed, level) if known else None,
    )
    for name, ends in _of_shares(flagged, passed, *exact).items():
        if known or name == "precision":
            found[name]["exact"] = possible(name, ends)
    # samples of several strata are skewed in another way, and so are not corrected
    whole = [part.counts is not None or not np.any(part.weight) for part in (flagged, passed)]
    measures = [
        name
        for name in _scored(shares)
        if all(fine or not needed for fine, needed in zip(whole, _NEEDS[name], strict=True))
    ]
    if measures:
        for name, ends in score_bounds(shares, measures, beta=beta, level=level).items():
            found[name]["corrected"] = possible(name, ends)
    return found


def keep_possible(
    flagged: PartSample, passed: PartSample, beta: float
) -> Callable[[str, Bounds], Bounds]:
    """What cuts an interval of a measure to what the corpus can hold, if that is asked about.

    Errors that were judged are there, and so are cases that are none: fewer hits than were found
    are not possible, nor more than are left. Recall and F rise with hits and fall with misses.
    """
    if flagged.limits is None and passed.limits is None:
        return lambda _, ends: ends
    hits, misses = (
        dict(zip(("few", "many"), part.limits or (part.share, part.share), strict=True))
        for part in (flagged, passed)
    )
    values = {
        (some, others): measure_values(hit, missed, flagged.weight, passed.weight, beta)
        for some, hit in hits.items()
        for others, missed in misses.items()
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


def bootstrap_bounds(
    flagged: PartSample,
    passed: PartSample,
    strata: Sequence[Sequence[CountedShares]],
    rng: np.random.Generator,
    resamples: int,
    *,
    about: About,
    level: float = 0.95,
    beta: float = 0.5,
) -> dict[str, Bounds]:
    """The middle of resampled values; undefined ones are left out."""
    again, others = resample_parts(strata, rng, resamples, about=about)
    values = measure_values(again.share, others.share, again.weight, others.weight, beta)
    possible = keep_possible(flagged, passed, beta)
    found: dict[str, Bounds] = {}
    for name in MEASURES:
        undefined = np.asarray(np.isnan(values[name]).all(axis=1))
        kept = np.where(undefined[:, None], 0.0, values[name])
        ends = np.nanquantile(kept, [(1 - level) / 2, (1 + level) / 2], axis=1)
        found[name] = possible(name, Bounds(*np.where(undefined, nan, ends)))
    return found


def choose_method(name: str, asked: str, found: Mapping[str, object]) -> str:
    """The method meant for a measure, of those that it has.

    >>> choose_method("recall", "wald", {"delta": 0, "score": 0})
    'delta'
    >>> choose_method("recall", "recommended", {"delta": 0, "score": 0})
    'score'
    """
    if asked == "paper":
        return asked
    if name in COMBINED:
        called = _called(asked, name)
        return called if called != "corrected" or called in found else "score"
    if asked in ("recommended", "exact"):
        return next(one for one in ("exact", "corrected", "wilson") if one in found)
    return asked


def _called(method: str, name: str) -> str:
    if name not in COMBINED or (name == "error_rate" and method == "wald"):
        return method
    return OF_COMBINED.get(method, method)


def _scored(shares: TwoShares) -> tuple[str, ...]:
    """Measures that only a score interval gives: with sizes by chance, shares of all cases too."""
    return COMBINED if shares.sizes_known else (*OF_ALL_CASES, *COMBINED)


def _plain(part: PartSample) -> OneShare:
    return OneShare(part.share, part.n, part.weight)


#: whether a measure needs the share of errors in what is flagged, and in what is called ok
_NEEDS = {
    **dict.fromkeys(("hits", "false_positives"), (True, False)),
    **dict.fromkeys(COMBINED, (True, True)),
    "misses": (False, True),
}


def _corrected(part: PartSample, weight: FloatArray | None) -> OneShare:
    share = _plain(part)._replace(skew=part.skew)
    if part.counts is None or weight is None:
        return share
    moved = 0.5 - weight
    # as for exact intervals: no error at all is not moved towards even fewer
    moved = np.where(part.share == 0, np.maximum(moved, 0), moved)
    moved = np.where(part.share == 1, np.minimum(moved, 0), moved)
    # of a part that was looked at as a whole nothing is settled by chance
    judged_all = np.equal(part.counts.n, part.counts.size)
    step = np.where(judged_all, 0.0, 1 / np.maximum(part.counts.n, 1))
    return share._replace(step=step, moved=moved)


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
        weight, (low, high) = flagged.weight, of_flagged
        there = np.asarray(weight) > 0  # there is no precision where nothing is flagged
        found["hits"] = Bounds(weight * low, weight * high)
        found["false_positives"] = Bounds(weight * (1 - high), weight * (1 - low))
        found["precision"] = Bounds(np.where(there, low, nan), np.where(there, high, nan))
    if of_passed is not None:
        found["misses"] = Bounds(passed.weight * of_passed.low, passed.weight * of_passed.high)
    return found


def _wilson(part: PartSample, level: float) -> Bounds:
    known = np.isinf(part.n)  # looked at as a whole
    ends = wilson_bounds(part.share, np.where(known, 1.0, part.n), level)
    return Bounds(*(np.where(known, part.share, end) for end in ends))
