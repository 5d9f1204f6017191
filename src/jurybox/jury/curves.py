"""Curves over all thresholds of a score: what a system would do if it were bolder or shyer.

A case is reported if its score is at or above the threshold, so every distinct score is one point,
and reporting nothing is one more (Chodorow et al. 2012, section 3.3). A point is four counts;
precision, recall, F, bias, kappa and the two rates of the ROC are read off them. The truth may be
plain (1, 0, -1) or graded (p, nan): counts are then weighted.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, isfinite, nan
from typing import Annotated, NamedTuple

import numpy as np

from jurybox.errors import UsageError
from jurybox.jury.bootstrap import number_documents
from jurybox.jury.measure_arrays import as_counts, measure_array
from jurybox.jury.votes import BoolArray, FloatArray, LabelArray, check_lengths
from jurybox.jury.weighted import TruthArray, Undefined, contributions, measure_counts
from jurybox.metrics.measures import MeasureValue
from jurybox.model import Counts
from jurybox.records import FLAT, NOT_EMPTY, Count, Limits, Reason, Share

NO_VALUE = "no threshold has a value on the development part"
REPORT_NOTHING = "reporting nothing is best on the development part"
NOTHING_SCORED = "no case has both a score and a judgment"


class Area(NamedTuple):
    """An area under a curve, or nan and the reason why there is none."""

    value: float
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Curve:
    """Counts [points, 4] (tp, fp, fn, tn) at every threshold, from the highest down.

    The first threshold is infinite: nothing is reported. The last is the lowest score: everything
    is. Cases without a score, and scored ones without a truth, are in no count.
    """

    thresholds: FloatArray
    counts: FloatArray
    unscored: int = 0
    unjudged: int = 0

    def __len__(self) -> int:
        return len(self.thresholds)

    def measure(self, name: str, *, beta: float = 0.5) -> FloatArray:
        """A measure at every threshold, nan where undefined."""
        return measure_array(name, self.counts, beta=beta)

    @property
    def true_positive_rate(self) -> FloatArray:
        """The share of errors that are reported, tp / (tp + fn): recall."""
        return measure_array("recall", self.counts)

    @property
    def false_positive_rate(self) -> FloatArray:
        """The share of ok cases that are reported, fp / (fp + tn); nan if there are none."""
        return 1 - measure_array("true_negative_rate", self.counts)

    def at(self, threshold: float) -> Counts:
        """The counts if cases with a score at or above the threshold are reported.

        >>> trace_curve(np.array([3.0, 1]), np.array([1, 0])).at(2)
        Counts(tp=1.0, fp=0.0, fn=0.0, tn=1.0)
        """
        reported = int(np.count_nonzero(self.thresholds >= threshold))
        return as_counts(self.counts[max(0, reported - 1)])

    def thin(self, most: int) -> Curve:
        """The curve with at most so many points, evenly spread over its points, ends kept."""
        if most < 2:
            raise UsageError(f"a curve needs at least 2 points, not {most}")
        if len(self) <= most:
            return self
        chosen = np.linspace(0, len(self) - 1, most).round().astype(np.intp)
        return Curve(self.thresholds[chosen], self.counts[chosen], self.unscored, self.unjudged)


class Best(NamedTuple):
    """The threshold at which a measure is largest; infinite if reporting nothing is best."""

    threshold: float
    counts: Counts
    measure: MeasureValue


class PartOfCases(NamedTuple):
    """What a threshold gives on some of the cases."""

    counts: Annotated[Counts, FLAT]
    value: Annotated[float, "The measure that the threshold is chosen by."]
    reason: Reason = ""


class ChosenThreshold(NamedTuple):
    """A threshold chosen on a development part."""

    threshold: Annotated[
        float | None, "The threshold; null: reporting nothing is best, or there is none."
    ]
    development: Annotated[PartOfCases, "What it gives on the development part."]
    rest: Annotated[PartOfCases, "What it gives on the rest."]
    reason: Reason = ""


class CurvePoint(NamedTuple):
    """One threshold."""

    threshold: Annotated[
        float | None,
        "A case is reported if its score is this or more; null: nothing is reported.",
    ]
    tp: float
    fp: float
    fn: float
    tn: float
    precision: Share
    recall: Share
    f1: Share
    bias: Annotated[Share, "Share of cases reported."]
    kappa: float
    tpr: Annotated[Share, "True positive rate."]
    fpr: Annotated[Share, "False positive rate."]


class CurveSummary(NamedTuple):
    """A curve over all thresholds of the score, and the areas under it."""

    auc: Annotated[Share, "Area under the ROC curve."]
    auk: Annotated[
        float,
        "Area under kappa against the false positive rate.",
        Limits(minimum=-1, maximum=1),
    ]
    average_precision: Annotated[
        Share, "Mean precision, each threshold weighted by the recall it adds."
    ]
    undefined: Undefined
    unscored: Annotated[Count, "Cases without a score."]
    unjudged: Annotated[Count, "Cases with a score that have no truth; they are in no count."]
    points: Annotated[
        tuple[CurvePoint, ...],
        "At most 200 points, from the highest threshold down.",
        NOT_EMPTY,
    ]


def summarise_curve(curve: Curve, points: int = 200) -> CurveSummary:
    """The areas under a whole curve, and so many of its points."""
    areas = {
        "auc": roc_area(curve),
        "auk": kappa_area(curve),
        "average_precision": average_precision(curve),
    }
    thin = curve.thin(points)
    shown = ("precision", "recall", "f_beta", "bias", "cohen_kappa", "recall")
    measures = (thin.measure(name, beta=1) for name in shown)
    columns = (thin.thresholds, *thin.counts.T, *measures, thin.false_positive_rate)
    return CurveSummary(
        areas["auc"].value,
        areas["auk"].value,
        areas["average_precision"].value,
        {name: area.reason for name, area in areas.items() if area.reason},
        curve.unscored,
        curve.unjudged,
        tuple(
            CurvePoint(threshold if isfinite(threshold) else None, *numbers)
            for threshold, *numbers in zip(*(one.tolist() for one in columns), strict=True)
        ),
    )


def trace_curve(scores: array[float] | FloatArray, truth: TruthArray) -> Curve:
    """Count at every distinct score, highest first; a larger score is more of an error.

    >>> curve = trace_curve(np.array([0.9, 0.1, 0.9, 0.4]), np.array([1, 0, 0, 1]))
    >>> curve.thresholds.tolist(), curve.counts[:, 0].tolist(), curve.counts[:, 1].tolist()
    ([inf, 0.9, 0.4, 0.1], [0.0, 1.0, 2.0, 2.0], [0.0, 1.0, 1.0, 2.0])
    """
    given: FloatArray = np.asarray(scores, dtype=np.float64)
    check_lengths(scores=given, truth=truth)
    scored = ~np.isnan(given)
    judged = ~np.isnan(truth) & (truth >= 0)
    known = scored & judged
    order = np.argsort(-given[known], kind="stable")
    ordered, share = given[known][order], truth[known][order].astype(np.float64)
    del order
    last = np.append(ordered[1:] != ordered[:-1], True)[: len(ordered)]
    tp, fp = (np.append(0.0, np.cumsum(part)[last]) for part in (share, 1 - share))
    return Curve(
        np.append(inf, ordered[last]),
        np.stack([tp, fp, tp[-1] - tp, fp[-1] - fp], axis=1),
        unscored=int(np.count_nonzero(~scored)),
        unjudged=int(np.count_nonzero(scored & ~judged)),
    )


def roc_area(curve: Curve) -> Area:
    """The area under the ROC curve, AUC (Bradley 1997), by the trapezoid rule.

    AUC = Σ (x_i - x_{i-1})(y_i + y_{i-1}) / 2, where x is the false and y the true positive rate.
    It equals the probability that an error has a higher score than an ok case, ties counting half.
    With a graded truth every pair of cases i, j has weight p_i (1 - p_j), a case with itself too.
    Undefined where the truth of the scored cases has only errors or none.

    >>> roc_area(trace_curve(np.array([4.0, 3, 2, 1]), np.array([1, 0, 1, 0])))
    Area(value=0.75, reason='')
    """
    return _area(curve, curve.true_positive_rate)


def kappa_area(curve: Curve) -> Area:
    """AUK: the area under Cohen's kappa against the false positive rate (Kaymak et al. 2010).

    AUK = Σ (x_i - x_{i-1})(k_i + k_{i-1}) / 2, where x is the false positive rate and k kappa. It
    takes the skew of the data into account, which AUC does not: chance is 0, and the most that can
    be had depends on the prevalence. Undefined where the truth has only errors or none.

    >>> round(kappa_area(trace_curve(np.array([4.0, 3, 2, 1]), np.array([1, 0, 1, 0]))).value, 4)
    0.25
    """
    return _area(curve, curve.measure("cohen_kappa"))


def average_precision(curve: Curve) -> Area:
    """The step-wise area under precision against recall, AP = Σ (r_i - r_{i-1}) p_i.

    r is recall and p precision at the thresholds from the highest down. Chance gives the
    prevalence. Points are not joined by straight lines, which would flatter (Davis and Goadrich
    2006). Undefined where the truth of the scored cases has no errors.

    >>> round(average_precision(trace_curve(np.arange(4.0), np.array([0, 1, 0, 1]))).value, 4)
    0.8333
    """
    reason = measure_counts("recall", as_counts(curve.counts[0])).reason
    if not curve.counts[0].any():
        reason = NOTHING_SCORED
    if reason:
        return Area(nan, reason)
    return Area(float((np.diff(curve.true_positive_rate) * curve.measure("precision")[1:]).sum()))


def _area(curve: Curve, height: FloatArray) -> Area:
    reason = measure_counts("informedness", as_counts(curve.counts[0])).reason
    if not curve.counts[0].any():
        reason = NOTHING_SCORED
    if reason:
        return Area(nan, reason)
    width = np.diff(curve.false_positive_rate)
    return Area(float((width * (height[1:] + height[:-1]) / 2).sum()))


def best_threshold(curve: Curve, name: str = "f_beta", *, beta: float = 0.5) -> Best:
    """The threshold with the largest value of a measure; of several the highest.

    Undefined values do not count; if there is no other, the threshold is nan.

    >>> best_threshold(trace_curve(np.array([4.0, 3, 2, 1]), np.array([1, 0, 1, 0]))).threshold
    4.0
    """
    values = curve.measure(name, beta=beta)
    place, threshold = -1, nan
    if not np.isnan(values).all():
        place = int(np.nanargmax(values))
        threshold = float(curve.thresholds[place])
    counts = as_counts(curve.counts[place])
    return Best(threshold, counts, measure_counts(name, counts, beta=beta))


def choose_threshold(
    scores: array[float] | FloatArray,
    truth: TruthArray,
    development: BoolArray,
    name: str = "f_beta",
    *,
    beta: float = 0.5,
) -> ChosenThreshold:
    """Choose the best threshold on a development part and report it on the rest.

    A threshold chosen and reported on the same cases flatters the system.

    >>> scores, truth = np.array([4.0, 3, 2, 1]), np.array([1, 0, 1, 1])
    >>> chosen = choose_threshold(scores, truth, np.array([True, True, False, False]))
    >>> chosen.threshold, chosen.development.counts, chosen.rest.counts
    (4.0, Counts(tp=1.0, fp=0.0, fn=0.0, tn=1.0), Counts(tp=0.0, fp=0.0, fn=2.0, tn=0.0))
    """
    given: FloatArray = np.asarray(scores, dtype=np.float64)
    check_lengths(scores=given, truth=truth, development=development)
    if development.all() or not development.any():
        which = "all" if development.any() else "none"
        raise UsageError(f"{which} of the cases are in the development part; split them")
    found = best_threshold(trace_curve(given[development], truth[development]), name, beta=beta)
    held_out = ~development & ~np.isnan(given)
    decided: LabelArray = (given[held_out] >= found.threshold).astype(np.int8)
    rest = as_counts(contributions(decided, truth[held_out]).sum(axis=1))
    value = measure_counts(name, rest, beta=beta)
    reason = REPORT_NOTHING if np.isinf(found.threshold) else ""
    if np.isnan(found.threshold):
        value = value._replace(value=nan, reason=NO_VALUE)
        reason = found.measure.reason or NO_VALUE
    return ChosenThreshold(
        found.threshold if isfinite(found.threshold) else None,
        PartOfCases(found.counts, found.measure.value, found.measure.reason),
        PartOfCases(rest, value.value, value.reason),
        reason,
    )


def split_development(
    cases: int,
    rng: np.random.Generator,
    share: float = 0.5,
    *,
    documents: Sequence[object] | None = None,
) -> BoolArray:
    """Choose a development part at random: about `share` of the cases, or of the documents.

    With documents all cases of one are on the same side, since they share a writer. Neither side is
    empty.

    >>> split_development(4, np.random.default_rng(0), documents=["a", "a", "b", "b"]).tolist()
    [True, True, False, False]
    """
    if not 0 < share < 1:
        raise UsageError(f"the share of the development part lies between 0 and 1, not {share}")
    codes = np.arange(cases) if documents is None else number_documents(documents, cases)
    units = int(codes.max(initial=-1)) + 1
    if units < 2:
        unit = "case" if documents is None else "document"
        raise UsageError(f"a development part needs at least 2 {unit}s, not {units}")
    size = min(max(1, round(share * units)), units - 1)
    chosen: BoolArray = np.zeros(units, dtype=bool)
    chosen[rng.permutation(units)[:size]] = True
    return chosen[codes]
