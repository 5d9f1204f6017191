"""The measures of `metrics.measures` for many counts at once: resamples, thresholds, raters.

Counts are arrays [..., 4], the last axis tp, fp, fn, tn. Definitions and papers are in
`metrics.measures`; here are the same formulas in the same order of operations, so that both give
the same number to the last bit. Undefined is nan.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from jurybox.errors import InputError, unknown_name
from jurybox.metrics.measures import MEASURES, NEARLY_TWO
from jurybox.metrics.options import check_beta
from jurybox.model import Counts

FloatArray = NDArray[np.float64]


class _Columns(NamedTuple):
    tp: FloatArray
    fp: FloatArray
    fn: FloatArray
    tn: FloatArray

    @property
    def total(self) -> FloatArray:
        return self.tp + self.fp + self.fn + self.tn

    @property
    def determinant(self) -> FloatArray:
        return self.tp * self.tn - self.fp * self.fn


def measure_array(name: str, counts: ArrayLike, *, beta: float = 0.5) -> FloatArray:
    """One measure of many counts: [..., 4] gives [...], nan where undefined.

    >>> measure_array("recall", [[12, 18, 28, 42], [0, 2, 0, 6]]).tolist()
    [0.3, nan]
    """
    if name not in MEASURES:
        raise unknown_name("measure", name, MEASURES)
    check_beta(beta)
    cells = np.asarray(counts, dtype=np.float64)
    if not cells.ndim or cells.shape[-1] != 4:
        raise InputError(f"counts must be [..., 4] (tp, fp, fn, tn), not {list(cells.shape)}")
    columns = _Columns(*(cells[..., i] for i in range(4)))
    if MEASURES[name].takes_beta:
        return _f_beta(columns, beta)
    return _FORMULAS[name](columns)


def measure_arrays(names: Sequence[str], counts: ArrayLike, *, beta: float = 0.5) -> FloatArray:
    """Several measures of the same counts: [names, ...]."""
    return np.stack([measure_array(name, counts, beta=beta) for name in names])


def as_counts(cells: ArrayLike) -> Counts:
    """Four numbers as `Counts`, whole where they are whole numbers of an integer array.

    >>> as_counts(np.array([1, 2, 3, 4]))
    Counts(tp=1, fp=2, fn=3, tn=4)
    """
    return Counts(*np.asarray(cells).tolist())


def _ratio(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    result: FloatArray = np.full(np.shape(denominator), np.nan)
    return np.divide(numerator, denominator, out=result, where=denominator != 0)


def _precision(c: _Columns) -> FloatArray:
    return _ratio(c.tp, c.tp + c.fp)


def _recall(c: _Columns) -> FloatArray:
    return _ratio(c.tp, c.tp + c.fn)


def _f_beta(c: _Columns, beta: float) -> FloatArray:
    # P or R without a value leaves tp = 0; what is put in its place has no part in the result.
    p, r = np.nan_to_num(_precision(c)), np.nan_to_num(_recall(c))
    f = _ratio((1 + beta**2) * p * r, beta**2 * p + r)
    f = np.where(c.tp == 0, 0.0, f)
    return np.where(c.tp + c.fp + c.fn == 0, np.nan, f)


def _krippendorff_alpha(c: _Columns) -> FloatArray:
    disagreements = c.fp + c.fn
    error_labels, ok_labels = 2 * c.tp + disagreements, 2 * c.tn + disagreements
    alpha = 1 - _ratio((2 * c.total - 1) * disagreements, error_labels * ok_labels)
    return np.where(c.total < NEARLY_TWO, np.nan, alpha)


_FORMULAS: dict[str, Callable[[_Columns], FloatArray]] = {
    "precision": _precision,
    "recall": _recall,
    "accuracy": lambda c: _ratio(c.tp + c.tn, c.total),
    "always_ok_accuracy": lambda c: _ratio(c.tn + c.fp, c.total),
    "chance_accuracy": lambda c: _ratio(
        (c.tp + c.fn) * (c.tp + c.fp) + (c.tn + c.fp) * (c.tn + c.fn), c.total * c.total
    ),
    "true_negative_rate": lambda c: _ratio(c.tn, c.tn + c.fp),
    "prevalence": lambda c: _ratio(c.tp + c.fn, c.total),
    "bias": lambda c: _ratio(c.tp + c.fp, c.total),
    "cohen_kappa": lambda c: _ratio(
        2 * c.determinant, (c.tp + c.fp) * (c.tn + c.fp) + (c.tp + c.fn) * (c.tn + c.fn)
    ),
    "krippendorff_alpha": _krippendorff_alpha,
    "matthews_correlation": lambda c: _ratio(
        c.determinant,
        np.sqrt((c.tp + c.fp) * (c.tn + c.fn)) * np.sqrt((c.tp + c.fn) * (c.tn + c.fp)),
    ),
    "informedness": lambda c: _ratio(c.determinant, (c.tp + c.fn) * (c.tn + c.fp)),
    "markedness": lambda c: _ratio(c.determinant, (c.tp + c.fp) * (c.tn + c.fn)),
}
