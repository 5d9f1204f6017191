"""Measures: pure functions of `Counts`, and the registry that lists them.

Definitions are those of Chodorow et al. (2012), sections 3.1 and 3.3, and of the papers they name;
every docstring gives its own. "Error" is the positive class: tp are errors the system reported,
fp correct usage it reported, fn errors it passed over, tn correct usage it left alone. N is the
sum of the four.

Counts may be fractions, as weighted counts are (Madnani et al. 2011). Where a measure is not
defined it returns `undefined`, nan by default, and `why_undefined` says the reason.
The official scorers call an empty precision, recall or F 1: pass `undefined=1` (see
`precision_recall_f`).
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf, nan, sqrt
from typing import TYPE_CHECKING, NamedTuple

from jurybox.errors import UsageError
from jurybox.metrics.options import check_beta

if TYPE_CHECKING:
    from jurybox.model import Counts

#: weighted counts are sums of shares: two cases may come to 1.9999999999999998
HAIR = 1e-9
NEARLY_TWO = 2 - HAIR


def precision(counts: Counts, *, undefined: float = nan) -> float:
    """The share of what the system reported that is an error in the truth.

    P = tp / (tp + fp); Chodorow et al. 2012, Figure 2. Undefined when the system reported
    nothing (tp + fp = 0); MaxMatch and ERRANT call that 1.

    >>> from jurybox.model import Counts
    >>> precision(Counts(tp=12, fp=18, fn=28, tn=42))
    0.4
    >>> precision(Counts(fn=1994), undefined=1)
    1
    """
    return _ratio(counts.tp, counts.tp + counts.fp, undefined)


def recall(counts: Counts, *, undefined: float = nan) -> float:
    """The share of the errors in the truth that the system reported.

    R = tp / (tp + fn); Chodorow et al. 2012, Figure 2. Undefined when the truth has no errors
    (tp + fn = 0); MaxMatch and ERRANT call that 1.

    >>> from jurybox.model import Counts
    >>> recall(Counts(tp=12, fp=18, fn=28, tn=42))
    0.3
    """
    return _ratio(counts.tp, counts.tp + counts.fn, undefined)


def f_beta(counts: Counts, *, beta: float = 0.5, undefined: float = nan) -> float:
    """Weighted harmonic mean of precision and recall (van Rijsbergen 1979, chapter 7).

    F = (1 + beta²) P R / (beta² P + R); beta below 1 favours precision. Nothing right is 0 even
    where precision or recall has no value, since F = (1 + beta²) tp / ((1 + beta²) tp +
    beta² fn + fp) has one there; undefined only when there is nothing to find and nothing was
    reported (tp + fp + fn = 0). MaxMatch and ERRANT call that 1.

    >>> from jurybox.model import Counts
    >>> f_beta(Counts(tp=2, fp=1, fn=2), beta=0.5)
    0.625
    >>> f_beta(Counts(fn=1994))
    0.0
    """
    check_beta(beta)
    if counts.tp + counts.fp + counts.fn == 0:
        return undefined
    if counts.tp == 0:
        return 0.0
    # By way of P and R, as the official scorers print it: the last digit of a rounded F can
    # hang on the order of the divisions.
    p, r = precision(counts), recall(counts)
    return (1 + beta**2) * p * r / (beta**2 * p + r)


def precision_recall_f(counts: Counts, *, beta: float = 0.5) -> tuple[float, float, float]:
    """Precision, recall and F as MaxMatch and ERRANT print them: empty is 1, nothing right is F 0.

    >>> from jurybox.model import Counts
    >>> precision_recall_f(Counts(tp=0, fp=0, fn=1994))
    (1.0, 0.0, 0.0)
    >>> precision_recall_f(Counts())
    (1.0, 1.0, 1.0)
    """
    return (
        precision(counts, undefined=1.0),
        recall(counts, undefined=1.0),
        f_beta(counts, beta=beta, undefined=1.0),
    )


def accuracy(counts: Counts, *, undefined: float = nan) -> float:
    """The share of cases on which system and truth agree.

    A = (tp + tn) / N; Chodorow et al. 2012, Figure 2. Undefined without cases.

    >>> from jurybox.model import Counts
    >>> accuracy(Counts(tp=12, fp=18, fn=28, tn=42))
    0.54
    """
    return _ratio(counts.tp + counts.tn, total(counts), undefined)


def true_negative_rate(counts: Counts, *, undefined: float = nan) -> float:
    """The share of correct usage that the system left alone.

    TNR = tn / (tn + fp); Chodorow et al. 2012, Figure 2. Undefined when every case is an error
    in the truth (tn + fp = 0).

    >>> from jurybox.model import Counts
    >>> true_negative_rate(Counts(tp=12, fp=18, fn=28, tn=42))
    0.7
    """
    return _ratio(counts.tn, counts.tn + counts.fp, undefined)


def prevalence(counts: Counts, *, undefined: float = nan) -> float:
    """The share of cases that are errors in the truth; at chance, precision equals it.

    Prevalence = (tp + fn) / N; Chodorow et al. 2012, section 3.3. Undefined without cases.

    >>> from jurybox.model import Counts
    >>> prevalence(Counts(tp=12, fp=18, fn=28, tn=42))
    0.4
    """
    return _ratio(counts.tp + counts.fn, total(counts), undefined)


def bias(counts: Counts, *, undefined: float = nan) -> float:
    """The share of cases that the system reports as errors; at chance, recall equals it.

    Bias = (tp + fp) / N; Chodorow et al. 2012, section 3.3. Undefined without cases.

    >>> from jurybox.model import Counts
    >>> bias(Counts(tp=12, fp=18, fn=28, tn=42))
    0.3
    """
    return _ratio(counts.tp + counts.fp, total(counts), undefined)


def chance_accuracy(counts: Counts, *, undefined: float = nan) -> float:
    """E(A): the accuracy of a system of the same bias that labels cases independently of the truth.

    E(A) = prevalence · bias + (1 - prevalence)(1 - bias); Chodorow et al. 2012, section 3.3.
    Undefined without cases.

    >>> from jurybox.model import Counts
    >>> chance_accuracy(Counts(tp=12, fp=18, fn=28, tn=42))
    0.54
    """
    n = total(counts)
    both_error = (counts.tp + counts.fn) * (counts.tp + counts.fp)
    both_ok = (counts.tn + counts.fp) * (counts.tn + counts.fn)
    return _ratio(both_error + both_ok, n * n, undefined)


def always_ok_accuracy(counts: Counts, *, undefined: float = nan) -> float:
    """The accuracy of a baseline that never reports an error, on the same cases.

    (tn + fp) / N = 1 - prevalence; Chodorow et al. 2012, section 3.3. Undefined without cases.

    >>> from jurybox.model import Counts
    >>> always_ok_accuracy(Counts(tp=12, fp=18, fn=28, tn=42))
    0.6
    """
    return _ratio(counts.tn + counts.fp, total(counts), undefined)


def cohen_kappa(counts: Counts, *, undefined: float = nan) -> float:
    """Agreement of system and truth beyond chance (Cohen 1960).

    kappa = (A - E(A)) / (1 - E(A)); Chodorow et al. 2012, Figure 6. Undefined when both give
    every case the same one label: then E(A) is 1 and nothing is left to explain.

    >>> from jurybox.model import Counts
    >>> round(cohen_kappa(Counts(tp=12, fp=18, fn=28, tn=142)), 4)
    0.2069
    >>> cohen_kappa(Counts(tp=12, fp=18, fn=28, tn=42))
    0.0
    """
    # The same fraction times N²/2: no difference of nearly equal numbers when A is near E(A) or 1.
    agreement = 2 * _determinant(counts)
    room = (counts.tp + counts.fp) * (counts.tn + counts.fp)
    room += (counts.tp + counts.fn) * (counts.tn + counts.fn)
    return _ratio(agreement, room, undefined)


def matthews_correlation(counts: Counts, *, undefined: float = nan) -> float:
    """Correlation of the system's labels with the true labels (Matthews 1975).

    MCC = (tp tn - fp fn) / √((tp + fp)(tp + fn)(tn + fp)(tn + fn)). Undefined when system or
    truth uses only one of the two labels.

    >>> from jurybox.model import Counts
    >>> round(matthews_correlation(Counts(tp=12, fp=18, fn=28, tn=142)), 4)
    0.21
    """
    # two roots: the product of four large margins would not fit a float
    reported = sqrt((counts.tp + counts.fp) * (counts.tn + counts.fn))
    true = sqrt((counts.tp + counts.fn) * (counts.tn + counts.fp))
    return _ratio(_determinant(counts), reported * true, undefined)


def informedness(counts: Counts, *, undefined: float = nan) -> float:
    """How informed the system's labels are about the truth, against guessing (Powers 2003).

    Informedness = R + TNR - 1, Youden's J. Undefined when the truth has only errors or only
    correct usage.

    >>> from jurybox.model import Counts
    >>> round(informedness(Counts(tp=12, fp=18, fn=28, tn=142)), 4)
    0.1875
    """
    errors, ok = counts.tp + counts.fn, counts.tn + counts.fp
    return _ratio(_determinant(counts), errors * ok, undefined)


def markedness(counts: Counts, *, undefined: float = nan) -> float:
    """How far the truth follows from the system's labels: informedness with roles exchanged.

    Markedness = P + tn / (tn + fn) - 1 (Powers 2003). Undefined when the system reports every
    case or none.

    >>> from jurybox.model import Counts
    >>> round(markedness(Counts(tp=12, fp=18, fn=28, tn=142)), 4)
    0.2353
    """
    reported, passed = counts.tp + counts.fp, counts.tn + counts.fn
    return _ratio(_determinant(counts), reported * passed, undefined)


def krippendorff_alpha(counts: Counts, *, undefined: float = nan) -> float:
    """Reliability of two raters, here system and truth, without missing labels (Krippendorff 2004).

    alpha = 1 - D_o / D_e = 1 - (2N - 1)(fp + fn) / (n_error n_ok), where n_error = 2 tp + fp + fn
    and n_ok = 2 tn + fp + fn count the labels of both. Unlike the other measures it depends on
    how many cases there are: give counts, not shares of 1. Undefined when both give every case
    the same one label, and for fewer than two cases.

    >>> from jurybox.model import Counts
    >>> round(krippendorff_alpha(Counts(tp=1, fp=3, fn=1, tn=5)), 6)
    0.095238
    """
    n = total(counts)
    disagreements = counts.fp + counts.fn
    error_labels = 2 * counts.tp + disagreements
    ok_labels = 2 * counts.tn + disagreements
    if n < NEARLY_TWO or error_labels == 0 or ok_labels == 0:
        return undefined
    return 1 - (2 * n - 1) * disagreements / (error_labels * ok_labels)


def total(counts: Counts) -> float:
    """N, the number (or weight) of all cases.

    >>> from jurybox.model import Counts
    >>> total(Counts(tp=12, fp=18, fn=28, tn=42))
    100
    """
    return counts.tp + counts.fp + counts.fn + counts.tn


def _ratio(numerator: float, denominator: float, undefined: float) -> float:
    return numerator / denominator if denominator else undefined


def _determinant(counts: Counts) -> float:
    """Above 0 where system and truth agree more than chance; the chance-corrected share it."""
    return counts.tp * counts.tn - counts.fp * counts.fn


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
    #: whose cases decide how sure it is, where that is more than what it needs to be defined
    rests_on: tuple[Need, ...] = ()

    def value(self, counts: Counts, *, beta: float = 0.5) -> float:
        """The measure of these counts, nan where undefined."""
        return self.function(counts, beta=beta) if self.takes_beta else self.function(counts)

    def why_undefined(self, counts: Counts) -> str:
        """The reason there is no value, or '' where there is one.

        >>> from jurybox.model import Counts
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
        rests_on=(_TRUE_ERRORS, _REPORTED),
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
        rests_on=(_TRUE_ERRORS, _TRUE_OK, _REPORTED, _PASSED),
    ),
    Measure(
        "krippendorff_alpha",
        krippendorff_alpha,
        "Krippendorff's alpha",
        "Krippendorff 2004",
        (_TWO_CASES, _SOME_ERROR, _SOME_OK),
        low=-1,
        rests_on=(_TRUE_ERRORS, _TRUE_OK, _REPORTED, _PASSED),
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

    >>> from jurybox.model import Counts
    >>> precision, recall, f, *_ = all_measures(Counts(fp=2, tn=6))
    >>> precision.value, recall.value, f.title
    (0.0, nan, 'F0.5')
    >>> recall.reason
    'there are no errors in the truth (tp + fn = 0)'
    """
    check_beta(beta)
    for name in ("tp", "fp", "fn", "tn"):
        count = getattr(counts, name)
        if not 0 <= count < inf:
            raise UsageError(f"{name} must be a number from 0 up, not {count}")
    values = []
    for measure in MEASURES.values():
        title = f"{measure.title}{beta:g}" if measure.takes_beta else measure.title
        reason = measure.why_undefined(counts)
        if measure.needs_tn and not tn_known:
            reason = "needs true negatives, which are not given"
        value = nan if reason else measure.value(counts, beta=beta)
        values.append(MeasureValue(measure.name, title, value, reason))
    return values
