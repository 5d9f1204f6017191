"""The registry of measures: what a table, a card and the command line need to know of each.

It says what every measure needs, so that where one is not defined the reason can be given.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf, nan
from typing import NamedTuple

from jurybox.errors import UsageError
from jurybox.measures.formulas import (
    HAIR,
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
    prevalence,
    recall,
    true_negative_rate,
)
from jurybox.model import Counts


class Need(NamedTuple):
    """A sum of counts that must not be empty (or below `at_least`), and what it means if it is."""

    parts: tuple[str, ...]
    otherwise: str
    at_least: float = 0  # whole; shares of cases may add up to a hair less

    def is_met(self, counts: Counts) -> bool:
        amount = self._amount(counts)
        return amount >= self.at_least - HAIR if self.at_least else amount > 0

    def reason(self, counts: Counts) -> str:
        return f"{self.otherwise} ({' + '.join(self.parts)} = {self._amount(counts):g})"

    def _amount(self, counts: Counts) -> float:
        amount: float = sum(getattr(counts, part) for part in self.parts)
        return amount


_CASES = Need(("tp", "fp", "fn", "tn"), "there are no cases")
_TWO_CASES = Need(
    ("tp", "fp", "fn", "tn"),
    "there are fewer than two cases; if these are shares of 1, give the counts",
    at_least=2,
)
_TRUE_ERRORS = Need(("tp", "fn"), "there are no errors in the truth")
_TRUE_OK = Need(("fp", "tn"), "every case is an error in the truth")
_REPORTED = Need(("tp", "fp"), "the system reported nothing")
_PASSED = Need(("fn", "tn"), "the system reported every case")
_SOME_ERROR = Need(("tp", "fp", "fn"), "the truth has no errors and the system reported none")
_SOME_OK = Need(("fp", "fn", "tn"), "system and truth both call every case an error")


class Measure(NamedTuple):
    """One entry of the registry: what a table, a card and the command line need to know."""

    name: str
    function: Callable[..., float]
    title: str
    citation: str
    needs: tuple[Need, ...]
    needs_tn: bool = True
    low: float = 0
    high: float = 1
    takes_beta: bool = False

    def value(self, counts: Counts, *, beta: float = 0.5) -> float:
        """The measure of these counts, nan where undefined."""
        return self.function(counts, beta=beta) if self.takes_beta else self.function(counts)

    def why_undefined(self, counts: Counts) -> str:
        """The reason there is no value, or '' where there is one.

        >>> MEASURES["recall"].why_undefined(Counts(fp=2))
        'there are no errors in the truth (tp + fn = 0)'
        """
        return next((need.reason(counts) for need in self.needs if not need.is_met(counts)), "")


_CHODOROW = "Chodorow et al. 2012"
_POWERS = "Powers 2003"

_ALL = (
    Measure("precision", precision, "Precision", _CHODOROW, (_REPORTED,), needs_tn=False),
    Measure("recall", recall, "Recall", _CHODOROW, (_TRUE_ERRORS,), needs_tn=False),
    Measure(
        "f_beta",
        f_beta,
        "F",
        "van Rijsbergen 1979",
        (_SOME_ERROR,),
        needs_tn=False,
        takes_beta=True,
    ),
    Measure("accuracy", accuracy, "Accuracy", _CHODOROW, (_CASES,)),
    Measure(
        "always_ok_accuracy", always_ok_accuracy, "Accuracy of always OK", _CHODOROW, (_CASES,)
    ),
    Measure("chance_accuracy", chance_accuracy, "Chance accuracy E(A)", _CHODOROW, (_CASES,)),
    Measure("true_negative_rate", true_negative_rate, "True negative rate", _CHODOROW, (_TRUE_OK,)),
    Measure("prevalence", prevalence, "Prevalence", _CHODOROW, (_CASES,)),
    Measure("bias", bias, "Bias", _CHODOROW, (_CASES,)),
    Measure(
        "cohen_kappa",
        cohen_kappa,
        "Cohen's kappa",
        "Cohen 1960",
        (_CASES, _SOME_ERROR, _SOME_OK),
        low=-1,
    ),
    Measure(
        "krippendorff_alpha",
        krippendorff_alpha,
        "Krippendorff's alpha",
        "Krippendorff 2004",
        (_TWO_CASES, _SOME_ERROR, _SOME_OK),
        low=-1,
    ),
    Measure(
        "matthews_correlation",
        matthews_correlation,
        "Matthews correlation",
        "Matthews 1975",
        (_TRUE_ERRORS, _TRUE_OK, _REPORTED, _PASSED),
        low=-1,
    ),
    Measure(
        "informedness", informedness, "Informedness", _POWERS, (_TRUE_ERRORS, _TRUE_OK), low=-1
    ),
    Measure("markedness", markedness, "Markedness", _POWERS, (_REPORTED, _PASSED), low=-1),
)

#: every measure of the four counts, in the order in which a table shows them
MEASURES: dict[str, Measure] = {measure.name: measure for measure in _ALL}


class MeasureValue(NamedTuple):
    """What one measure says about some counts: a value, or nan and the reason why not."""

    name: str
    title: str
    value: float
    reason: str = ""


def all_measures(counts: Counts, *, beta: float = 0.5, tn_known: bool = True) -> list[MeasureValue]:
    """Every measure of the registry for these counts, with the reason where there is no value.

    `tn_known=False` says that nobody counted true negatives, as in edit-based scoring: what needs
    them is then undefined instead of computed from tn = 0.

    >>> precision, recall, f, *_ = all_measures(Counts(fp=2, tn=6))
    >>> precision.value, recall.value, f.title
    (0.0, nan, 'F0.5')
    >>> recall.reason
    'there are no errors in the truth (tp + fn = 0)'
    """
    check_beta(beta)
    _check_counts(counts)
    return [_evaluate(measure, counts, beta, tn_known) for measure in MEASURES.values()]


def _evaluate(measure: Measure, counts: Counts, beta: float, tn_known: bool) -> MeasureValue:
    title = f"{measure.title}{beta:g}" if measure.takes_beta else measure.title
    if measure.needs_tn and not tn_known:
        return MeasureValue(measure.name, title, nan, "needs true negatives, which are not given")
    reason = measure.why_undefined(counts)
    value = nan if reason else measure.value(counts, beta=beta)
    return MeasureValue(measure.name, title, value, reason)


def _check_counts(counts: Counts) -> None:
    for name in ("tp", "fp", "fn", "tn"):
        count = getattr(counts, name)
        if not 0 <= count < inf:
            raise UsageError(f"{name} must be a number from 0 up, not {count}")
