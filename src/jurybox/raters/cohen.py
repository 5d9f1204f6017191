"""Cohen's kappa of two raters with its standard error and interval, weighted or not.

Weighted kappa (Cohen 1968) forgives near misses on ordered labels. The standard error is that of
Fleiss, Cohen and Everitt (1969), for large samples; the interval is that of `raters.intervals`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import nan
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from jurybox.errors import InputError, UsageError
from jurybox.raters.agreement import CodeArray, FloatArray, cohen_kappa
from jurybox.raters.intervals import cohen_ends
from jurybox.stats.intervals import t_quantile

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

    kappa = (A - E) / (1 - E) with A = Σ w p_jk and E = Σ w p_j q_k. The standard error is that of
    Fleiss, Cohen and Everitt (1969); the interval is that of `raters.intervals`, which also has a
    width where both raters agree throughout.
    Undefined where Cohen's kappa is, and where all cases are on one label. Weights go by `numbers`
    where labels stand for some (`agreement_weights`).

    >>> found = estimate_kappa([[0, 4, 1], [0, 8, 0], [0, 1, 5]])
    >>> [round(number, 4) for number in (found.value, found.standard_error, found.low, found.high)]
    [0.4842, 0.138, 0.1845, 0.7266]
    """
    plain = cohen_kappa(table)  # refuses what is no table, and says why there is no value
    t_quantile(level, 1)  # refuses a level that is none
    cells = np.asarray(table, dtype=np.float64)
    w = agreement_weights(len(cells), weights, numbers)
    if plain.reason:
        judged = int(cells.sum())
        return Kappa(nan, plain.observed, plain.expected, judged, level=level, reason=plain.reason)
    found = estimate_kappas(cells[np.newaxis], w, level=level)
    value, observed, expected, n, error, low, high = (float(column[0]) for column in found)
    return Kappa(value, observed, expected, int(n), error, low, high, level)


class Kappas(NamedTuple):
    """Kappa of many tables: [tables] each; nan where it is undefined."""

    value: FloatArray
    observed: FloatArray
    expected: FloatArray
    n: FloatArray
    standard_error: FloatArray
    low: FloatArray
    high: FloatArray


def estimate_kappas(tables: FloatArray, weights: FloatArray, *, level: float = 0.95) -> Kappas:
    """What `estimate_kappa` gives, of many tables [tables, labels, labels] at once.

    >>> estimate_kappas(np.array([[[20.0, 20], [10, 50]]]), np.eye(2)).value.round(6).tolist()
    [0.347826]
    """
    n = tables.sum(axis=(-1, -2))
    value = kappas_of(tables, weights)
    with np.errstate(divide="ignore", invalid="ignore"):
        p = tables / n[:, np.newaxis, np.newaxis]
        rows, columns = p.sum(axis=-1), p.sum(axis=-2)
        observed = (weights * p).sum(axis=(-1, -2))
        expected = np.einsum("tj,jk,tk->t", rows, weights, columns)
        # Fleiss, Cohen and Everitt 1969, equation 13; unweighted kappa is a special case
        mean = (columns @ weights.T)[:, :, np.newaxis] + (rows @ weights)[:, np.newaxis, :]
        apart = weights - mean * (1 - value)[:, np.newaxis, np.newaxis]
        variance = (p * apart**2).sum(axis=(-1, -2)) - (value - expected * (1 - value)) ** 2
        error = np.sqrt(np.maximum(0.0, variance) / n) / (1 - expected)
    ends = cohen_ends(tables, weights, level=level)
    low, high = np.minimum(ends.low, value), np.maximum(ends.high, value)
    return Kappas(value, observed, expected, n, error, low, high)


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


def confusion_table(first: CodeArray, second: CodeArray, labels: int) -> CodeArray:
    """The table of two raters' labels [cases], without cases that one of them did not judge.

    >>> confusion_table(np.array([0, 1, 1, -1]), np.array([0, 0, 1, 1]), 2).tolist()
    [[1, 0], [1, 1]]
    """
    both = (first >= 0) & (second >= 0)
    places = first[both] * labels + second[both]
    return np.bincount(places, minlength=labels * labels).reshape(labels, labels)
