"""Confidence intervals of agreement over cases, without random numbers.

Every interval here is made in the same three steps (`jackknife_interval`).

1. The *jackknife* (Tukey 1958): the value is computed anew without half of each case in turn. That
   gives its standard error and its bias, which is removed from the centre of the interval. (Whole
   cases overstate the spread where labels are rare, and infinitely small parts understate it
   where cases are few.)
2. The interval has *Wilson's form* on the effective number of observations, as all intervals of
   bounded values here (`stats.intervals`). Its range goes from the lowest value that raters with
   these label frequencies can reach up to 1. Where a sample shows hardly any variation, the
   jackknife says nothing: a few *pseudo-observations*, half at either end of the range, are
   added to the spread. How much an observation is worth follows from a simple model
   (`model_units`): with probability kappa all raters give a case the same label, otherwise each
   label is independent. For two raters this is the common-correlation model (Bloch and
   Kraemer 1989).
3. With two raters a case is worth a coin toss or less, whose variance Wilson's form knows: the
   quantile is the normal one. With more raters, the effective number is an estimate, and the
   quantile is that of Student's t. In the Edgeworth expansion of t (Hall 1992) it is the skewness
   of cases, beyond the one that Wilson's form knows, that costs coverage, and hardly the kurtosis.
   So the *degrees of freedom* are the cases divided by a cost that grows with this skewness, as
   fast as simulations needed.

Shares (accuracy, choices) go the same way, between 0 and 1.

The study docs/studies/coverage.md measures how often these intervals cover the truth.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf, nan
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from jurybox.counting.histogram import group_cases
from jurybox.raters.agreement import (
    HEAD,
    Agreement,
    CaseSums,
    Coefficients,
    FloatArray,
    Sizes,
    contributions,
)
from jurybox.stats.intervals import t_quantile, t_quantiles, wilson_ends

#: the part of a case that the jackknife leaves out
LEFT_OUT = 0.5
#: pseudo-observations; 2 / r times as many for kappa and alpha of r raters and labels without
#: distances; for shares half, divided by the mean number of trials of a case
PSEUDO_OBSERVATIONS = 2.0
#: degrees of freedom are never fewer, unless cases are
LEAST_FREEDOM = 4.0
#: cases per degree of freedom; more by skewness, or its square where chance is not taken away
FREEDOM_COST, SKEWNESS_COST, SQUARED_COST = 0.75, 2.5, 1.5
#: the model's kappa is at most this: at 1 nothing varies
HIGHEST_KAPPA = 0.95
#: if labels other than the most common one make up fewer cases or judgments, intervals say little
FEW_CASES, FEW_JUDGMENTS = 5, 20
#: intervals of many raters were tested with so many cases and more (docs/studies/coverage.md)
TESTED_CASES = 30
#: cells of a temporary array: 16 MB in double precision
CELLS_AT_ONCE = 2_000_000
ONE_CASE = "one case alone shows no variation"


class Interval(NamedTuple):
    """A value with its interval over cases; nan and a reason where there is none."""

    value: float
    low: float
    high: float
    standard_error: float
    level: float = 0.95
    reason: str = ""


class JackknifeEnds(NamedTuple):
    """The ends of intervals and the standard errors of their values."""

    low: FloatArray
    high: FloatArray
    standard_error: FloatArray


def jackknife_interval(
    value: ArrayLike,
    left_out: FloatArray,
    sizes: FloatArray,
    *,
    lowest: ArrayLike = 0.0,
    units: ArrayLike,
    pseudo: ArrayLike = PSEUDO_OBSERVATIONS,
    estimated: ArrayLike = True,
    corrected: bool = False,
    level: float = 0.95,
) -> JackknifeEnds:
    """The interval of a value between `lowest` and 1; leading axes give many at once.

    `left_out` [..., kinds] is the value without `LEFT_OUT` of a case of each kind, nan where that
    has none; `sizes` [..., kinds] is how many cases are of each kind. `units` is how many
    independent observations, each at one end of the range, the cases are worth in a model, and
    `estimated` says whether it is the sample that tells how far that is off. `corrected` says
    whether the value takes away the agreement by chance.

    >>> left_out = np.array([79.5 / 99.5, 80 / 99.5])  # 80 of 100 cases agree
    >>> sizes = np.array([80.0, 20.0])
    >>> ends = jackknife_interval(0.8, left_out, sizes, units=100, estimated=False)
    >>> [round(float(end), 3) for end in ends]  # Wilson's interval, but for n - 1
    [0.711, 0.867, 0.04]
    """
    found = np.asarray(value, dtype=np.float64)
    n = sizes.sum(axis=-1)
    without = np.where(np.isnan(left_out), found[..., np.newaxis], left_out)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = (sizes * without).sum(axis=-1) / n
        rest = n - LEFT_OUT
        centre = np.minimum(found + rest * (found - mean) / LEFT_OUT**2, 1.0)
        bottom = np.minimum(np.minimum(np.asarray(lowest, dtype=np.float64), found), centre)
        room = 1 - bottom
        effects = (rest / LEFT_OUT)[..., np.newaxis] * (mean[..., np.newaxis] - without)
        variance = (sizes * effects**2).sum(axis=-1) / (n - 1)
        # from here on everything is a share of the range
        share = (centre - bottom) / room
        effects = effects / room[..., np.newaxis]
        spread = variance / room**2
        m, pseudo = np.asarray(units, dtype=np.float64), np.asarray(pseudo, dtype=np.float64)
        shrunk = (m * share + pseudo / 2) / (m + pseudo)
        pooled = m * (spread * m / n + (share - shrunk) ** 2)
        pooled = (pooled + pseudo * ((1 - shrunk) ** 2 + shrunk**2) / 2) / (m + pseudo)
        effective = m * shrunk * (1 - shrunk) / pooled
        # skewness beyond the one that Wilson's form knows; a plain share has none
        known = np.sqrt(spread) * (1 - 2 * shrunk) / (shrunk * (1 - shrunk))
        skewness = np.abs((sizes * effects**3).sum(axis=-1) / n / spread**1.5 - known)
        cost = SKEWNESS_COST * skewness if corrected else SQUARED_COST * skewness**2
        freedom = np.where(spread > 1e-12, (n - 1) / (FREEDOM_COST + cost), n - 1)
    freedom = np.maximum(freedom, np.clip(n - 1, 1, LEAST_FREEDOM))
    t = t_quantiles(level, np.where(estimated, freedom, inf))
    ends = wilson_ends(share, effective, t)
    return JackknifeEnds(
        np.minimum(bottom + room * ends.low, found) + 0.0,  # no negative zero
        np.maximum(bottom + room * ends.high, found) + 0.0,
        np.sqrt(variance / n),
    )


def model_units(
    shares: FloatArray,
    weights: FloatArray,
    observed: ArrayLike,
    lowest: ArrayLike,
    *,
    raters: ArrayLike = 2.0,
    corrected: bool = True,
) -> FloatArray:
    """How many independent observations one case is worth, in the model of this module.

    `shares` [..., labels] are how often labels are given, `weights` [..., labels, labels] how much
    of an agreement two labels are; `observed` and `lowest` are agreements. `corrected` says
    whether the coefficient takes away the agreement by chance.

    Two raters who say "error" in half of the cases: one observation a case, as a coin.

    >>> float(model_units(np.array([0.5, 0.5]), np.eye(2), 0.7, 0.0).round(6))
    1.0
    """
    weighted = np.einsum("...jk,...k->...j", weights, shares)
    chance = (shares * weighted).sum(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        kappa = np.clip((observed - chance) / (1 - chance), 0.0, HIGHEST_KAPPA)
        agreed = chance + kappa * (1 - chance)
        # parts of the variance of a case of independent labels (Hoeffding 1948)
        own = weighted - chance[..., np.newaxis]
        linear = (shares * own**2).sum(axis=-1)
        both = np.einsum("...j,...jk,...k->...", shares, weights**2, shares)
        rest = both - chance**2 - 2 * linear
        taken = 1 - kappa if corrected else np.zeros_like(kappa)
        alike = (1 - agreed)[..., np.newaxis] - 2 * taken[..., np.newaxis] * own
        unanimous = (shares * alike**2).sum(axis=-1)
        r = np.asarray(raters, dtype=np.float64)
        mixed = 2 * rest / (r * (r - 1)) + 4 * (1 - taken) ** 2 * linear / r
        variance = kappa * unanimous + (1 - kappa) * (mixed + (agreed - chance) ** 2)
        units = (agreed - np.minimum(lowest, agreed - 1e-3)) * (1 - agreed) / variance
    return np.where(np.isfinite(units) & (units > 0), units, 1.0)


class CaseKinds(NamedTuple):
    """Cases with the same counts of labels as one kind."""

    counts: FloatArray  # [kinds, labels]
    sizes: FloatArray  # how many cases are of each kind

    @property
    def pairable(self) -> int:
        """Cases with two judgments or more."""
        return int(self.sizes[self.counts.sum(axis=1) >= 2].sum())

    @property
    def mean_judgments(self) -> float:
        """Judgments of a case with two or more, on average."""
        judged = self.counts.sum(axis=1) * self.sizes
        return float(judged[self.counts.sum(axis=1) >= 2].sum() / self.pairable)

    @property
    def shares(self) -> FloatArray:
        """How often each label is given: [labels]."""
        given = self.sizes @ self.counts
        return np.asarray(given / given.sum())


def kinds_of(counts: NDArray[np.integer], sizes: Sizes = None) -> CaseKinds:
    """The kinds of cases with counts [cases, labels], each row for so many cases.

    >>> kinds_of(np.array([[2, 0], [1, 1], [2, 0]])).sizes.tolist()
    [1.0, 2.0]
    """
    groups = group_cases(np.ascontiguousarray(counts.T), sizes)
    return CaseKinds(counts[groups.example].astype(np.float64), groups.sizes.astype(np.float64))


def coefficient_interval(
    cases: CaseKinds,
    found: Agreement,
    coefficient: Callable[[CaseSums], Coefficients],
    *,
    weights: FloatArray | None = None,
    corrected: bool = True,
    level: float = 0.95,
) -> Interval:
    """The interval of a coefficient of many raters, whose value on these cases is `found`.

    `coefficient` takes sums of contributions. `weights` [labels, labels] are how much of an
    agreement two labels are, if some are nearer than others. `corrected`: for agreement by chance.

    >>> from jurybox.raters.agreement import fleiss_kappa, fleiss_of
    >>> counts = np.array([[3, 0]] * 40 + [[1, 2]] * 20 + [[0, 3]] * 20)
    >>> found = coefficient_interval(kinds_of(counts), fleiss_kappa(counts), fleiss_of)
    >>> round(found.value, 3), round(found.low, 3), round(found.high, 3)
    (0.657, 0.518, 0.77)
    """
    t_quantile(level, 1)  # refuses a level that is none
    if found.reason:
        return Interval(found.value, nan, nan, nan, level, found.reason)
    if cases.pairable < 2:
        return Interval(found.value, nan, nan, nan, level, ONE_CASE)
    ends = coefficient_ends(
        found.value,
        cases.counts,
        cases.sizes,
        coefficient,
        weights=weights,
        corrected=corrected,
        level=level,
    )
    low, high, error = (float(end) for end in ends)
    return Interval(found.value, low, high, error, level)


def coefficient_ends(
    value: ArrayLike,
    counts: FloatArray,
    sizes: FloatArray,
    coefficient: Callable[[CaseSums], Coefficients],
    *,
    weights: FloatArray | None = None,
    corrected: bool = True,
    level: float = 0.95,
) -> JackknifeEnds:
    """The intervals of a coefficient of many raters on many samples of the same kinds of cases.

    `counts` [kinds, labels] are judgments of a case of each kind, `sizes` [..., kinds] how many
    cases of each kind a sample has, and `value` [...] is its coefficient. `weights` are
    [..., labels, labels].
    """
    judged = counts.sum(axis=1)
    pairable = sizes[..., judged >= 2].sum(axis=-1)
    raters = (sizes * np.where(judged >= 2, judged, 0.0)).sum(axis=-1) / pairable
    given = sizes @ counts
    shares = given / given.sum(axis=-1, keepdims=True)
    w = np.eye(counts.shape[1]) if weights is None else weights
    at, left_out = _leave_out(counts, sizes, coefficient, with_pairs=weights is not None)
    if corrected:
        # no more disagreement than different cases' labels have (analysis of variance), and two
        # raters disagree only where one gives another label than the most common
        chance = np.einsum("...j,...jk,...k->...", shares, w, shares)
        differing = (1 - chance) * raters / (raters - 1)
        if weights is None:
            differing = np.minimum(differing, 2 * (1 - shares.max(axis=-1)))
    else:
        labels = np.maximum(2, np.count_nonzero(shares, axis=-1))
        differing = raters / (raters - 1) * (1 - 1 / np.minimum(labels, raters))
    units = model_units(shares, w, at.observed, 1 - differing, raters=raters, corrected=corrected)
    with np.errstate(divide="ignore", invalid="ignore"):
        lowest = (1 - differing - at.expected) / (1 - at.expected)
    pseudo = PSEUDO_OBSERVATIONS
    if corrected and weights is None:
        # where labels are rare the model makes less of a case than it is worth
        pseudo = pseudo * 2 / raters * np.cbrt(np.minimum(1.0, units))
    return jackknife_interval(
        value,
        left_out,
        sizes,
        lowest=np.maximum(-1.0, lowest),
        units=pairable * units,
        pseudo=pseudo,
        estimated=raters > 2,
        corrected=corrected,
        level=level,
    )


def _leave_out(
    counts: FloatArray,
    sizes: FloatArray,
    coefficient: Callable[[CaseSums], Coefficients],
    *,
    with_pairs: bool,
) -> tuple[Coefficients, FloatArray]:
    """The coefficient of all cases, and its value without `LEFT_OUT` of a case of each kind.

    A block of kinds at a time: pairs of labels are many.
    """
    kinds, labels = counts.shape
    samples = max(1, sizes.size // kinds)
    width = HEAD + 2 * labels + (labels**2 if with_pairs else 0)
    block = max(1, CELLS_AT_ONCE // (width * samples))
    parts = [slice(start, start + block) for start in range(0, kinds, block)]
    rows = (contributions(counts[part], with_pairs=with_pairs) for part in parts)
    total = np.asarray(sum(sizes[..., part] @ row for part, row in zip(parts, rows, strict=True)))
    left_out = []
    for part in parts:
        row = contributions(counts[part], with_pairs=with_pairs)
        less = total[..., np.newaxis, :] - LEFT_OUT * row
        left_out.append(coefficient(CaseSums(less, labels)).value)
    return coefficient(CaseSums(total, labels)), np.concatenate(left_out, axis=-1)


def share_interval(
    hits: ArrayLike,
    trials: ArrayLike,
    *,
    cases: ArrayLike = 1.0,
    level: float = 0.95,
    reason: str = "",
) -> Interval:
    """The interval of a share over cases, each with some hits among its trials.

    `cases` are how many such cases there are. Trials of one case need not be independent. Hits and
    trials of several [shares, cases] give the interval of the mean of their shares.

    >>> found = share_interval([1, 0], [1, 1], cases=[26, 60])
    >>> round(found.value, 3), round(found.low, 3), round(found.high, 3)
    (0.302, 0.215, 0.407)
    """
    t_quantile(level, 1)  # refuses a level that is none
    found, tried, times = np.broadcast_arrays(
        *(np.asarray(part, dtype=np.float64) for part in (hits, trials, cases))
    )
    found, tried, times = np.atleast_2d(found), np.atleast_2d(tried), np.atleast_2d(times)[0]
    kept = (tried > 0).any(axis=0) & (times > 0)
    found, tried, times = found[:, kept], tried[:, kept], times[kept]
    n = int(times.sum())
    right, total = found @ times, tried @ times
    if not total.all():
        return Interval(nan, nan, nan, nan, level, reason)
    value = float((right / total).mean())
    if n == 1:
        return Interval(value, nan, nan, nan, level, reason or ONE_CASE)
    with np.errstate(divide="ignore", invalid="ignore"):
        less = (right - LEFT_OUT * found.T) / (total - LEFT_OUT * tried.T)
    ends = jackknife_interval(
        value,
        less.mean(axis=1),
        times,
        units=n,
        pseudo=PSEUDO_OBSERVATIONS / 2 * n / float(total.mean()),
        estimated=not bool(((tried == 1) & np.isin(found, (0, 1))).all()),
        level=level,
    )
    low, high, error = (float(end) for end in ends)
    return Interval(value, low, high, error, level, reason)


def cohen_ends(tables: FloatArray, weights: FloatArray, *, level: float) -> JackknifeEnds:
    """The intervals of (weighted) kappa of two raters, of many tables at once.

    `tables` is [..., labels, labels].

    >>> ends = cohen_ends(np.array([[[0.0, 10], [0, 90]]]), np.eye(2), level=0.95)
    >>> [round(float(end[0]), 2) for end in ends]
    [-0.02, 0.33, 0.0]
    """
    n = tables.sum(axis=(-1, -2))
    rows, columns = tables.sum(axis=-1), tables.sum(axis=-2)
    by_row, by_column = columns @ weights.T, rows @ weights  # what a case of a cell meets by chance
    agreed = (weights * tables).sum(axis=(-1, -2))
    chance = (rows * by_row).sum(axis=-1)
    meets = by_row[..., :, np.newaxis] + by_column[..., np.newaxis, :] - LEFT_OUT * weights
    less = chance[..., np.newaxis, np.newaxis] - LEFT_OUT * meets
    with np.errstate(divide="ignore", invalid="ignore"):
        value = (n * agreed - chance) / (n * n - chance)
        others = (n - LEFT_OUT)[..., np.newaxis, np.newaxis]
        above = others * (agreed[..., np.newaxis, np.newaxis] - LEFT_OUT * weights) - less
        below = others * others - less
        left_out = np.where(below > 1e-9 * others * others, above / below, np.nan)
        expected = chance / (n * n)
        lowest = 1 - 2 * (1 - expected)
        if (weights == np.eye(len(weights))).all():
            # what the label frequencies leave no way around; a rater who gave one label only in
            # these cases may give others too
            used = (rows + columns > 0).astype(np.float64)
            more = PSEUDO_OBSERVATIONS * used / used.sum(axis=-1, keepdims=True)
            cases = (n + PSEUDO_OBSERVATIONS)[..., np.newaxis]
            p, q = (rows + more) / cases, (columns + more) / cases
            kept, met = np.maximum(0.0, p + q - 1).sum(axis=-1), (p * q).sum(axis=-1)
            lowest = np.maximum(lowest, expected + (1 - expected) * (kept - met) / (1 - met))
        shares = (rows + columns) / (2 * n)[..., np.newaxis]
        units = n * model_units(shares, weights, agreed / n, lowest)
        kinds = (*n.shape, -1)
        ends = jackknife_interval(
            np.nan_to_num(value),
            left_out.reshape(kinds),
            tables.reshape(kinds),
            lowest=np.nan_to_num((lowest - expected) / (1 - expected)),
            units=units,
            estimated=False,
            level=level,
        )
    one = n < 2  # which shows no variation
    return ends._replace(low=np.where(one, -1.0, ends.low), high=np.where(one, 1.0, ends.high))


def caution_on(cases: CaseKinds, labels: Sequence[str]) -> str:
    """What to say about intervals of few cases, or of few rare labels; empty where they hold.

    >>> caution_on(kinds_of(np.array([[2, 0]] * 98 + [[1, 1], [0, 2]])), ["ok", "error"])
    "only 3 of 200 judgments give another label than 'ok': kappa and alpha have wide intervals"
    """
    if cases.pairable < TESTED_CASES:
        return (
            f"only {cases.pairable} cases have two judgments or more: intervals of agreement are "
            f"tested from {TESTED_CASES} cases on and may miss the true value more often here"
        )
    given = cases.sizes @ cases.counts
    common = int(given.argmax())
    judgments = float(given.sum())
    other = judgments - float(given[common])
    if not other or other >= max(FEW_JUDGMENTS, FEW_CASES * cases.mean_judgments):
        return ""
    return (
        f"only {other:.0f} of {judgments:.0f} judgments give another label than "
        f"'{labels[common]}': kappa and alpha have wide intervals"
    )
