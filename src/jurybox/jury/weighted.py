"""Counts of a system's decisions against the truth, plain or graded, case by case and in sum.

Writer, annotator, system (Chodorow et al. 2012, Figure 4): a case that the system reports is a tp
where it is an error and an fp where it is not; one that it passes over is an fn or a tn. Where the
truth is graded, a reported case adds p to tp and 1 - p to fp, any other p to fn and 1 - p to tn
(Madnani et al. 2011, equations 1 to 3). With p in {0, 1} that is the plain count.

A decision is 1 (error), 0 (ok) or -1 (missing); a plain truth likewise; a graded one is p, or nan.
A case without decision or without truth adds nothing.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import nan
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from jurybox.counting.histogram import count_raters
from jurybox.errors import UsageError, unknown_name
from jurybox.jury.votes import (
    ERROR,
    OK,
    UNKNOWN,
    BoolArray,
    FloatArray,
    LabelArray,
    Sizes,
    check_judgments,
    check_lengths,
)
from jurybox.metrics.measures import MEASURES, MeasureValue, total
from jurybox.model import LABEL_BITS, LABELS, Counts, JudgmentTable
from jurybox.records import FLAT, Count, Limits, Share, computed

#: what to do with a case that a system did not decide, and what it then counts as
MISSING_POLICIES = {"skip": -1, "ok": 0, "error": 1}

#: key in JSON -> measure, of bins and of raters as the truth
MAIN_MEASURES = {
    "precision": "precision",
    "recall": "recall",
    "f_beta": "f_beta",
    "kappa": "cohen_kappa",
}
Undefined = Annotated[Mapping[str, str], "Why a number is null."]

#: a plain truth (1, 0, -1) or a graded one (p, nan)
TruthArray = LabelArray | FloatArray


def settle_missing(label: array[int] | LabelArray, missing: str = "skip") -> LabelArray:
    """A system's labels as an array; those it did not give become ok, an error, or stay out.

    >>> settle_missing(array("b", [1, -1, 0]), missing="ok")
    array([1, 0, 0], dtype=int8)
    """
    if missing not in MISSING_POLICIES:
        known = ", ".join(MISSING_POLICIES)
        raise UsageError(f"missing decisions are settled by one of {known}, not '{missing}'")
    decided: LabelArray = np.array(label, dtype=np.int8)
    decided[decided < 0] = MISSING_POLICIES[missing]
    return decided


def detection_counts(decided: LabelArray, truth: LabelArray, sizes: Sizes = None) -> Counts:
    """tp, fp, fn, tn against a plain truth; a whole number each.

    `sizes` are how many cases each row stands for.

    >>> detection_counts(np.array([1, 1, 0, 0, 1]), np.array([1, 0, 1, 0, -1]))
    Counts(tp=1, fp=1, fn=1, tn=1)
    """
    check_lengths(decided=decided, truth=truth)
    known = (decided >= 0) & (truth >= 0)
    outcome = count_places(outcomes(decided[known], truth[known]), 4, sizes, known)
    return Counts(*outcome.tolist())


def count_places(
    place: NDArray[np.integer], number: int, sizes: Sizes, kept: BoolArray
) -> NDArray[np.int64]:
    """How many cases are at each of so many places; `place` is that of the rows that are kept.

    >>> rows = np.array([True, False, True])
    >>> count_places(np.array([1, 1]), 2, np.array([5, 7, 2]), rows).tolist()
    [0, 7]
    """
    if sizes is None:
        return np.bincount(place, minlength=number)
    return np.bincount(place, sizes[kept], minlength=number).astype(np.int64)


def outcomes(decided: NDArray[np.integer], truth: NDArray[np.integer]) -> NDArray[np.integer]:
    """The outcome of every case as a place in (tp, fp, fn, tn); labels 1 and 0 only.

    >>> outcomes(np.array([1, 1, 0, 0]), np.array([1, 0, 1, 0])).tolist()
    [0, 1, 2, 3]
    """
    place: NDArray[np.integer] = 3 - 2 * decided - truth
    return place


def weighted_counts(decided: LabelArray, p: FloatArray, sizes: Sizes = None) -> Counts:
    """Weighted tp, fp, fn, tn against a graded truth (Madnani et al. 2011).

    tp = Σ c p, fp = Σ c (1 - p), fn = Σ (1 - c) p, tn = Σ (1 - c)(1 - p), where c is 1 for a case
    that the system reports. Their sum is the number of cases with decision and p. Never undefined;
    without cases all are 0.

    >>> weighted_counts(np.array([1, 0]), np.array([0.75, 0.25]))
    Counts(tp=0.75, fp=0.25, fn=0.25, tn=0.75)
    """
    check_lengths(decided=decided, p=p)
    known = ~np.isnan(p)
    parts = []
    for label in (1, 0):
        chosen = known & (decided == label)
        own = None if sizes is None else sizes[chosen]
        parts += [add_up(p[chosen], own), add_up(1 - p[chosen], own)]
    return Counts(*parts)


def add_up(values: FloatArray, sizes: Sizes = None) -> float:
    """The sum over cases, those of one value at once: the order of cases changes no bit.

    >>> add_up(np.array([0.1, 0.5, 0.1])), add_up(np.array([0.1, 0.5]), np.array([2, 1]))
    (0.7, 0.7)
    """
    if sizes is None:
        distinct, number = np.unique(values, return_counts=True)
    else:
        distinct, place = np.unique(values, return_inverse=True)
        number = np.bincount(place, sizes, len(distinct)).astype(np.int64)
    return float((distinct * number).sum())


def contributions(decided: LabelArray, truth: TruthArray) -> FloatArray:
    """What every case adds to tp, fp, fn and tn: [4, cases]; the sums are the counts.

    Resampling cases is then a product of weights and contributions. A case without decision or
    truth adds nothing.

    >>> contributions(np.array([1, 0, 0]), np.array([0.75, 0.25, np.nan])).tolist()
    [[0.75, 0.0, 0.0], [0.25, 0.0, 0.0], [0.0, 0.25, 0.0], [0.0, 0.75, 0.0]]
    """
    n = check_lengths(decided=decided, truth=truth)
    known = ~np.isnan(truth) & (truth >= 0)
    parts: FloatArray = np.zeros((4, n))
    for row, label in ((0, 1), (2, 0)):
        chosen = known & (decided == label)
        parts[row, chosen] = truth[chosen]
        parts[row + 1, chosen] = 1 - truth[chosen]
    return parts


def measure_counts(name: str, counts: Counts, *, beta: float = 0.5) -> MeasureValue:
    """One measure of some counts: its value, or nan and the reason.

    >>> measure_counts("recall", Counts(fp=1, tn=3)).reason
    'there are no errors in the truth (tp + fn = 0)'
    """
    if name not in MEASURES:
        raise unknown_name("measure", name, MEASURES)
    measure = MEASURES[name]
    title = f"{measure.title}{beta:g}" if measure.takes_beta else measure.title
    reason = measure.why_undefined(counts)
    value = nan if reason else measure.value(counts, beta=beta)
    return MeasureValue(name, title, value, reason)


@dataclass(frozen=True)
class MainMeasures:
    """The counts of some cases, and the measures that follow from them; nan where undefined.

    F alone is a field of its own: its beta is not known here.
    """

    #: key in JSON -> measure, of all that can be undefined
    keys: ClassVar[Mapping[str, str]] = MAIN_MEASURES

    counts: Annotated[Counts, FLAT]
    f_beta: Annotated[Share, "F with the beta of the options; null where undefined."]

    @computed
    def n(self) -> Annotated[Count, "Cases counted."]:
        return int(total(self.counts))

    @computed
    def precision(self) -> Annotated[Share, "Precision; null where undefined."]:
        return MEASURES["precision"].value(self.counts)

    @computed
    def recall(self) -> Annotated[Share, "Recall; null where undefined."]:
        return MEASURES["recall"].value(self.counts)

    @computed
    def kappa(
        self,
    ) -> Annotated[float, "Cohen's kappa; null where undefined.", Limits(minimum=-1, maximum=1)]:
        return MEASURES["cohen_kappa"].value(self.counts)

    @computed
    def undefined(self) -> Undefined:
        reasons = {
            key: MEASURES[name].why_undefined(self.counts) for key, name in self.keys.items()
        }
        return {key: reason for key, reason in reasons.items() if reason}


def f_of(counts: Counts, beta: float) -> float:
    """F with this beta; nan where undefined."""
    return MEASURES["f_beta"].value(counts, beta=beta)


@dataclass(frozen=True)
class RaterAsTruth(MainMeasures):
    """One rater alone as the truth."""

    name: str
    unknown: Annotated[Count, "Cases the rater did not decide."]


def score_against_each(
    judgments: JudgmentTable, decided: LabelArray, *, beta: float = 0.5
) -> tuple[RaterAsTruth, ...]:
    """Count a system's decisions against every rater alone, on the cases that rater judged.

    How much one judge would have misled: in Table 4 of Tetreault and Chodorow (2008) the same
    system has precision .78 and recall .26 against one rater, .68 and .21 against the other.

    Raters in the order of the table; one who judged nothing has empty counts. A case without
    decision is not counted.

    >>> table = JudgmentTable()
    >>> for case, rater, label in ((0, "Ann", "error"), (1, "Ann", "ok"), (0, "Bob", "ok")):
    ...     table.append(case, rater, label)
    >>> for found in score_against_each(table, np.array([1, 0])):
    ...     print(found.name, found.counts)
    Ann Counts(tp=1, fp=0, fn=0, tn=1)
    Bob Counts(tp=0, fp=1, fn=0, tn=0)
    """
    return raters_as_truth(judgments.raters, answers_against(judgments, [decided])[0], beta=beta)


def answers_against(judgments: JudgmentTable, systems: Sequence[LabelArray]) -> NDArray[np.int64]:
    """How often each rater said what by what each system decided: [systems, raters, 3, labels]."""
    check_judgments(judgments, len(systems[0]) if systems else 0)
    answer = np.asarray(judgments.answer)
    return count_raters(
        np.asarray(judgments.case),
        answer >> np.uint32(LABEL_BITS),
        answer.astype(np.uint8),  # the lowest bits
        (len(judgments.raters), len(LABELS)),
        systems,
    )


def raters_as_truth(
    names: Sequence[str], answers: NDArray[np.int64], *, beta: float = 0.5
) -> tuple[RaterAsTruth, ...]:
    """One system against every rater; `answers` [raters, 3, labels] are of `answers_against`."""
    passed, reported = answers[:, 1], answers[:, 2]
    cells = [reported[:, ERROR], reported[:, OK], passed[:, ERROR], passed[:, OK]]
    unknowns = passed[:, UNKNOWN] + reported[:, UNKNOWN]
    rows = np.stack(cells, axis=1).tolist()
    return tuple(
        RaterAsTruth(counts, f_of(counts, beta), name, unknown)
        for name, row, unknown in zip(names, rows, unknowns.tolist(), strict=True)
        for counts in [Counts(*row)]
    )
