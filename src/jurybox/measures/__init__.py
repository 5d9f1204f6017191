"""Measures: pure functions of `Counts`, and the registry that lists them.

Definitions are those of Chodorow et al. (2012), sections 3.1 and 3.3, and of the papers they name;
every docstring gives its own. "Error" is the positive class: tp are errors the system reported,
fp correct usage it reported, fn errors it passed over, tn correct usage it left alone. N is the
sum of the four.

Counts may be fractions, as weighted counts are (Madnani et al. 2011). Where a measure is not
defined it returns `undefined`, nan unless told otherwise, and `why_undefined` says the reason.
The official scorers call an empty precision, recall or F 1: pass `undefined=1` (see
`precision_recall_f`).
"""

from __future__ import annotations

from jurybox.measures.formulas import (
    LARGEST_BETA,
    NEARLY_TWO,
    accuracy,
    always_ok_accuracy,
    bias,
    chance_accuracy,
    check_beta,
    cohen_kappa,
    f_beta,
    informedness,
    krippendorff_alpha,
    markedness,
    matthews_correlation,
    precision,
    precision_recall_f,
    prevalence,
    recall,
    total,
    true_negative_rate,
)
from jurybox.measures.registry import (
    MEASURES,
    Measure,
    MeasureValue,
    Need,
    all_measures,
)

__all__ = [
    "LARGEST_BETA",
    "MEASURES",
    "NEARLY_TWO",
    "Measure",
    "MeasureValue",
    "Need",
    "accuracy",
    "all_measures",
    "always_ok_accuracy",
    "bias",
    "chance_accuracy",
    "check_beta",
    "cohen_kappa",
    "f_beta",
    "informedness",
    "krippendorff_alpha",
    "markedness",
    "matthews_correlation",
    "precision",
    "precision_recall_f",
    "prevalence",
    "recall",
    "total",
    "true_negative_rate",
]
