"""Cohen's kappa of two raters with what it leaves uncertain: standard error, interval, weights.

Weighted kappa (Cohen 1968) forgives near misses on ordered labels. The standard error is that of
Fleiss, Cohen and Everitt (1969), for large samples; `resample_kappa` needs no such assumption.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import nan, sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from jurybox.cases.bootstrap import Spread, summarise_resamples
from jurybox.errors import InputError, UsageError
from jurybox.raters.agreement import CodeArray, FloatArray, cohen_kappa

WEIGHTS = ("none", "linear", "quadratic")


class Kappa(NamedTuple):
    """Kappa of two raters over n cases; nan with a reason where it is undefined."""

    value: float
    observed: float
    expected: float
    n: int
    standard_error: float = nan
    low: float = nan
    high: float = nan
    level: float = 0.95
    reason: str = ""


def agreement_weights(
    labels: int, weights: str = "none", numbers: Sequence[float] | None = None
) -> FloatArray:
    """How much of an agreement two labels are: 1 on the diagonal, 0 for the farthest.

    Labels lie in the order of the table, equally far apart, unless they stand for `numbers`.

    >>> agreement_weights(3, "linear").tolist()
    [[1.0, 0.5, 0.0], [0.5, 1.0, 0.5], [0.0, 0.5, 1.0]]
    >>> agreement_weights(3, "linear", [1, 2, 5]).tolist()
    [[1.0, 0.75, 0.0], [0.75, 1.0, 0.25], [0.0, 0.25, 1.0]]
    """
    places = label_places(labels, None if weights == "none" else numbers)
    span = float(np.ptp(places)) if labels else 0.0
    return closeness(places[:, np.newaxis], places, span, weights)


def label_places(labels: int, numbers: Sequence[float] | None = None) -> FloatArray:
    """Where labels lie on their scale: at their numbers, or one step from each other.

    >>> label_places(3).tolist()
    [0.0, 1.0, 2.0]
    """
    if numbers is None:
        return np.arange(labels, dtype=np.float64)
    places = np.asarray(numbers, dtype=np.float64)
    if places.shape != (labels,) or not np.isfinite(places).all():
        raise InputError(f"weights need one number for each of the {labels} labels")
    return places


def closeness(first: FloatArray, second: FloatArray, span: float, weights: str) -> FloatArray:
    """How much of an agreement labels at these places are; `span` apart they are none.

    >>> closeness(np.array([0.0]), np.array([1.0]), 2.0, "quadratic").tolist()
    [0.75]
    """
    if weights not in WEIGHTS:
        raise UsageError(f"weights must be one of {', '.join(WEIGHTS)}, not '{weights}'")
    steps = np.abs(first - second)
    if weights == "none" or not span:
        return np.asarray(steps == 0, dtype=np.float64)
    return np.asarray(1 - (steps / span if weights == "linear" else (steps / span) ** 2))


def estimate_kappa(
    table: ArrayLike,
    *,
    weights: str = "none",
    numbers: Sequence[float] | None = None,
    level: float = 0.95,
) -> Kappa:
    """Cohen's kappa of a table [labels, labels], weighted or not, with standard error and interval.

    kappa = (A - E) / (1 - E) with A = Σ w p_jk and E = Σ w p_j q_k. The interval is
    kappa ± z · standard error, cut at 1. Undefined where Cohen's kappa is, and where all cases are
    on one label. Weights go by `numbers` where labels stand for some (`agreement_weights`).

    >>> found = estimate_kappa([[0, 4, 1], [0, 8, 0], [0, 1, 5]])
    >>> [round(number, 4) for number in (found.value, found.standard_error, found.low, found.high)]
    [0.4842, 0.138, 0.2137, 0.7547]
    """
    plain = cohen_kappa(table)  # refuses what is no table, and says why there is no value
    cells = np.asarray(table, dtype=np.float64)
    n = int(cells.sum())
    w = agreement_weights(len(cells), weights, numbers)
    if plain.reason:
        return Kappa(nan, plain.observed, plain.expected, n, level=level, reason=plain.reason)
    p = cells / cells.sum()
    rows, columns = p.sum(axis=1), p.sum(axis=0)
    observed, expected = float((w * p).sum()), float(rows @ w @ columns)
    value = plain.value if weights == "none" else (observed - expected) / (1 - expected)
    error = _standard_error(p, w, value, expected, n)
    reach = _quantile(level) * error
    return Kappa(value, observed, expected, n, error, value - reach, min(1.0, value + reach), level)


def _standard_error(p: FloatArray, w: FloatArray, kappa: float, expected: float, n: int) -> float:
    """Fleiss, Cohen and Everitt 1969, equation 13; of unweighted kappa it is a special case."""
    mean_row, mean_column = w @ p.sum(axis=0), p.sum(axis=1) @ w
    apart = w - (mean_row[:, np.newaxis] + mean_column) * (1 - kappa)
    variance = (p * apart**2).sum() - (kappa - expected * (1 - kappa)) ** 2
    return sqrt(max(0.0, float(variance)) / n) / (1 - expected)


def _quantile(level: float) -> float:
    if not 0 < level < 1:
        raise UsageError(f"the level of an interval lies between 0 and 1, as 0.95, not {level}")
    return NormalDist().inv_cdf((1 + level) / 2)


def kappas_of(tables: FloatArray, weights: FloatArray | None = None) -> FloatArray:
    """Kappa of many tables at once [..., labels, labels]; nan where it is undefined.

    >>> kappas_of(np.array([[[20, 20], [10, 50]], [[7, 0], [0, 0]]])).round(6).tolist()
    [0.347826, nan]
    """
    n = tables.sum(axis=(-1, -2))
    w = np.eye(tables.shape[-1]) if weights is None else weights
    agreed = (tables * w).sum(axis=(-1, -2))
    rows, columns = tables.sum(axis=-1), tables.sum(axis=-2)
    chance = np.einsum("...j,jk,...k->...", rows, w, columns)
    room = n * n - chance
    out = np.full(n.shape, np.nan)
    # one cell alone on the diagonal leaves no room; sums of whole numbers are exact
    np.divide(n * agreed - chance, room, out=out, where=room > 1e-9 * np.maximum(n * n, 1))
    return out


def resample_kappa(
    table: ArrayLike,
    rng: np.random.Generator,
    resamples: int = 1000,
    *,
    weights: str = "none",
    level: float = 0.95,
) -> Spread:
    """Kappa with its percentile interval over resamples of the cases.

    Cases in the same cell of the table are alike, so a resample is one multinomial draw.

    >>> spread = resample_kappa([[20, 5], [10, 15]], np.random.default_rng(1))
    >>> round(spread.value, 2), spread.low < 0.4 < spread.high
    (0.4, True)
    """
    cells = np.asarray(table, dtype=np.int64)
    found = estimate_kappa(cells, weights=weights, level=level)
    n = int(cells.sum())
    if not n:
        return Spread(nan, nan, nan, nan, level, 0, found.reason)
    drawn = rng.multinomial(n, cells.ravel() / n, size=resamples).reshape(-1, *cells.shape)
    scores = kappas_of(drawn.astype(np.float64), agreement_weights(len(cells), weights))
    only_one = "one case alone shows no variation" if n == 1 else ""
    return summarise_resamples(found.value, scores, level=level, only_one=only_one)


def confusion_table(first: CodeArray, second: CodeArray, labels: int) -> CodeArray:
    """The table of two raters' labels [cases], without cases that one of them did not judge.

    >>> confusion_table(np.array([0, 1, 1, -1]), np.array([0, 0, 1, 1]), 2).tolist()
    [[1, 0], [1, 1]]
    """
    both = (first >= 0) & (second >= 0)
    places = first[both] * labels + second[both]
    return np.bincount(places, minlength=labels * labels).reshape(labels, labels)
