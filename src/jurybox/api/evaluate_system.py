"""One system before the jury: counts, measures, bins, raters one by one, curves."""

from __future__ import annotations

from math import nan
from typing import NamedTuple

import numpy as np

from jurybox.api.evaluate_inputs import warn
from jurybox.api.evaluate_jury import Jury
from jurybox.api.evaluation import (
    CORRECTION_MEASURES,
    Corrected,
    EightCell,
    Scored,
    SystemEvaluation,
    Traced,
    score_counts,
)
from jurybox.cases.bins import Binning, count_contentious, score_bins
from jurybox.cases.calibration import brier_score, calibrate
from jurybox.cases.curves import (
    ChosenThreshold,
    choose_threshold,
    kappa_area,
    roc_area,
    trace_curve,
)
from jurybox.cases.single_raters import score_against_each
from jurybox.cases.votes import BoolArray, FloatArray, LabelArray
from jurybox.cases.was import (
    Comparison,
    CorrectionCounts,
    add_corrections,
    average_judges,
    compare_corrections,
    compare_with_majority,
    correction_contributions,
    eight_cells,
)
from jurybox.cases.weighted import (
    detection_counts,
    measure_counts,
    settle_missing,
    weighted_counts,
)
from jurybox.model import Counts, DecisionTable

#: constructions that are there or not, for which the eight cells of Figure 3 make sense
BINARY = {"comma": True, "missing-comma": False}
MOST_POINTS = 200
NOTHING_COMPARED = "no suggestion could be compared with a correction"


class Settled(NamedTuple):
    """A system's decisions with gold cases taken out and missing ones settled."""

    name: str
    table: DecisionTable
    decided: LabelArray
    missing: int
    scores: FloatArray | None


def settle(name: str, table: DecisionTable, jury: Jury, missing: str) -> Settled:
    """Decisions as an array; missing ones are counted and reported."""
    label: LabelArray = np.array(table.label, dtype=np.int8)
    gaps = (label < 0) & ~jury.gold
    number = int(gaps.sum())
    if number:
        first = jury.case_set.cases[int(np.flatnonzero(gaps)[0])].id
        fate = "are not counted" if missing == "skip" else f"count as {missing}"
        warn(
            f"{name}: no decision on {number} of {jury.n} cases (first: '{first}'); they {fate} "
            f"(--missing {missing})"
        )
    decided = settle_missing(label, missing).decided
    decided[jury.gold] = -1
    scores: FloatArray | None = None
    if table.score is not None:
        scores = np.array(table.score, dtype=np.float64)
        scores[jury.gold] = nan
        if np.isnan(scores).all():
            scores = None  # a column without a number is no scores
    return Settled(name, table, decided, number, scores)


def evaluate_system(
    system: Settled,
    jury: Jury,
    binning: Binning,
    *,
    beta: float,
    choose: str,
    development: BoolArray | None,
) -> SystemEvaluation:
    """All numbers of one system but those that need resampling."""
    decided, name = system.decided, system.name
    plain = score_counts(detection_counts(decided, jury.truth), beta)
    weighted = score_counts(weighted_counts(decided, jury.p), beta)
    if not plain.n:
        warn(f"{name}: no case has both a decision and a truth; nothing can be measured")
    without: tuple[Scored | None, Scored | None] = (None, None)
    if jury.trivial.any():
        rest = np.where(jury.trivial, np.int8(-1), decided)
        without = (
            score_counts(detection_counts(rest, jury.truth), beta),
            score_counts(weighted_counts(rest, jury.p), beta),
        )
    each = compare_corrections(jury.judgments, decided, system.table.suggestion)
    correction, weighted_correction = _correct(system, jury, each, beta)
    raters = score_against_each(jury.judgments, decided)
    scored = system.scores is not None
    return SystemEvaluation(
        name=name,
        missing=system.missing,
        plain=plain,
        weighted=weighted,
        correction=correction,
        weighted_correction=weighted_correction,
        suggests=system.table.suggestion is not None and jury.judgments.correction is not None,
        bins=score_bins(binning, decided, jury.truth),
        raters=raters,
        per_judge=average_judges((rater.counts for rater in raters), each),
        contentious=count_contentious(decided, jury.votes),
        beta=beta,
        plain_without_trivial=without[0],
        weighted_without_trivial=without[1],
        cells=_cells(decided, jury),
        curves=_curves(system.scores, jury) if system.scores is not None else {},
        brier=brier_score(system.scores, jury.p) if system.scores is not None else None,
        calibration=calibrate(system.scores, jury.p) if system.scores is not None else None,
        thresholds=_thresholds(system, jury, development, choose, beta) if scored else {},
    )


def _correct(
    system: Settled, jury: Jury, each: Comparison, beta: float
) -> tuple[Corrected, Corrected]:
    decided, suggestions = system.decided, system.table.suggestion
    votes = jury.votes
    agreed = compare_with_majority(jury.judgments, decided, suggestions, jury.truth)
    plain = add_corrections(correction_contributions(decided, jury.truth, None, agreed))
    weighted = add_corrections(correction_contributions(decided, jury.plain_p, votes, each))
    return _corrected(plain, beta), _corrected(weighted, beta)


def _corrected(counts: CorrectionCounts, beta: float) -> Corrected:
    """Measures of correction; where nothing could be compared there is none."""
    found = []
    nothing = counts.uncomparable > 0 and counts.tp + counts.xyz == 0
    for name in CORRECTION_MEASURES:
        value = measure_counts(name, Counts(counts.tp, counts.fp, counts.fn), beta=beta)
        if nothing:
            value = value._replace(value=nan, reason=NOTHING_COMPARED)
        found.append(value)
    return Corrected(counts, tuple(found))


def _cells(decided: LabelArray, jury: Jury) -> tuple[EightCell, ...]:
    constructions = {case.construction for case in jury.case_set.cases}
    if not constructions <= BINARY.keys():
        return ()
    present: BoolArray = np.array([BINARY[c.construction] for c in jury.case_set.cases])
    plain = eight_cells(decided, jury.truth, present)
    weighted = eight_cells(decided, jury.p, present)
    return tuple(EightCell(a, b) for a, b in zip(plain, weighted, strict=True))


def _curves(scores: FloatArray, jury: Jury) -> dict[str, Traced]:
    traced = {}
    for kind, truth in (("plain", jury.truth), ("weighted", jury.p)):
        known = ~jury.gold
        curve = trace_curve(scores[known], truth[known])
        traced[kind] = Traced(curve.thin(MOST_POINTS), roc_area(curve), kappa_area(curve))
    return traced


def _thresholds(
    system: Settled, jury: Jury, development: BoolArray | None, choose: str, beta: float
) -> dict[str, ChosenThreshold]:
    if development is None or system.scores is None:
        return {}
    known = ~np.isnan(jury.p) & ~jury.gold
    scores, part = system.scores[known], development[known]
    return {
        kind: choose_threshold(scores, truth[known], part, choose, beta=beta)
        for kind, truth in (("plain", jury.truth), ("weighted", jury.p))
    }
