"""The figures of `evaluate`: by agreement bin (Madnani et al. 2011), and over thresholds."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import isnan, nan
from typing import TYPE_CHECKING, Any

from jurybox.errors import InputError, unknown_name
from jurybox.figures import (
    BinScores,
    XYCurve,
    XYMark,
    draw_bins,
    draw_histogram,
    draw_xy,
)
from jurybox.jury.bins import Bin
from jurybox.jury.evaluate import FIGURES
from jurybox.jury.evaluate.result import BinPair, EvaluateResult, OtherCorpus, SystemEvaluation
from jurybox.jury.evaluate.tables import TRUTHS
from jurybox.jury.stability import KINDS
from jurybox.jury.weighted import MAIN_MEASURES

if TYPE_CHECKING:
    from matplotlib.figure import Figure


#: with more systems than this, only F1 is drawn against bias
FEW_SYSTEMS = 4


def draw(result: EvaluateResult, kind: str) -> Figure:
    """One figure; its kind is one of `FIGURES`."""
    if kind not in FIGURES:
        raise unknown_name("figure (--plot)", kind, FIGURES)
    return _DRAWN[kind](result)


def _draw_histogram(result: EvaluateResult) -> Figure:
    bars = result.histogram
    values = [bar.low for bar in bars]
    if any(bar.low != bar.high for bar in bars):
        values.append(bars[-1].high)
    return draw_histogram(
        values,
        [bar.n for bar in bars],
        title="How far raters agree",
        x_label="agreement: share of the majority label",
        note=result.signature,
    )


def _draw_precision_recall(result: EvaluateResult) -> Figure:
    return draw_bins(
        **_bins(result),
        panels=[_panel(result, "precision"), _panel(result, "recall")],
        title=f"Precision and recall by {_binned_by(result)}",
    )


def _draw_kappa(result: EvaluateResult) -> Figure:
    if result.other_corpus is not None:
        return _draw_two_corpora(result, result.other_corpus)
    panels = [_panel(result, "kappa")]
    return draw_bins(**_bins(result), panels=panels, title=f"Kappa by {_binned_by(result)}")


def _draw_two_corpora(result: EvaluateResult, other: OtherCorpus) -> Figure:
    """The kappa-agreement plot of systems on different cases (Madnani et al. 2011, section 4.2)."""
    places = [
        {f"{pair[side]} ({corpus.name})": (side, pair.bins) for pair in other.pairs}
        for side, corpus in enumerate((result.corpus, other.corpus))
    ]
    found = {name: place for one in places for name, place in one.items()}

    def by_name(value: Callable[[BinPair, int], float]) -> dict[str, list[float]]:
        return {name: [value(one, side) for one in bins] for name, (side, bins) in found.items()}

    def end(one: BinPair, side: int, name: str) -> float:
        return nan if one.intervals[side] is None else float(getattr(one.intervals[side], name))

    bars = []
    if any(any(one.intervals) for pair in other.pairs for one in pair.bins):
        bars = [by_name(partial(end, name=name)) for name in ("low", "high")]
    cautions = ", ".join(dict.fromkeys(one.kind for one in other.cautions))
    return draw_bins(
        **{
            **_bins(result),
            "names": list(found),
            "sizes": {name: [b.n[side] for b in bins] for name, (side, bins) in found.items()},
            "note": (f"Cautions, see the table: {cautions}. " if cautions else "")
            + str(result.signature),
        },
        panels=[BinScores("kappa", by_name(lambda one, side: one.kappa[side]), *bars)],
        title=f"Kappa by {_binned_by(result)}: {result.corpus.name} and {other.corpus.name}",
    )


def _bins(result: EvaluateResult) -> dict[str, Any]:
    """What the figures by bin have in common."""
    return {
        "names": [system.name for system in result.systems],
        "bins": [f"{100 * one.low:g}–{100 * one.high:g}%" for one in result.systems[0].bins],
        "sizes": {system.name: [one.n for one in system.bins] for system in result.systems},
        "note": result.signature,
        "bin_label": _binned_by(result),
    }


def _panel(result: EvaluateResult, measure: str) -> BinScores:
    def by_system(value: Callable[[Bin], float]) -> dict[str, list[float | None]]:
        return {
            system.name: [None if isnan(value(one)) else value(one) for one in system.bins]
            for system in result.systems
        }

    values = by_system(lambda one: float(getattr(one, measure)))
    if not all(one.intervals for system in result.systems for one in system.bins):
        return BinScores(measure, values)
    low = by_system(lambda one: one.intervals[measure].low)
    high = by_system(lambda one: one.intervals[measure].high)
    return BinScores(measure, values, low, high)


def _binned_by(result: EvaluateResult) -> str:
    by_agreement = result.options.bin_by == "agreement"
    return "agreement of the raters" if by_agreement else "share of raters who say error"


def _with_scores(result: EvaluateResult) -> list[SystemEvaluation]:
    found = [system for system in result.systems if system.curves]
    if not found:
        raise InputError("there is no curve to draw: no decisions have scores (column 'score')")
    return found


def _over_false_positives(
    result: EvaluateResult, area: str, measure: str, title: str, y_label: str
) -> Figure:
    """A measure over the false positive rate, the area below, and where each system stands."""
    curves, marks = [], []
    for system in _with_scores(result):
        curve, plain = system.curves["plain"], system.plain
        noted = "" if area in curve.undefined else f"area {getattr(curve, area):.2f}"
        heights = [getattr(point, measure) for point in curve.points]
        curves.append(XYCurve(system.name, [point.fpr for point in curve.points], heights, noted))
        rate = 1 - plain.value("true_negative_rate")
        marks.append(XYMark(system.name, rate, plain.value(MAIN_MEASURES[measure])))
    return draw_xy(
        curves,
        title=title,
        x_label="false positive rate",
        y_label=y_label,
        diagonal=area == "auc",
        note=result.signature,
        marks=marks,
    )


def _draw_precision_recall_curve(result: EvaluateResult) -> Figure:
    """Precision against recall, by majority and weighted (Chodorow et al. 2012, section 3.3)."""
    systems = _with_scores(result)
    kinds = KINDS if len(systems) < FEW_SYSTEMS else KINDS[:1]
    curves, marks = [], []
    for system in systems:
        for kind in kinds:
            curve, scored = system.curves[kind], system.scored(kind)
            name = f"{system.name}, {TRUTHS[kind]}" if len(kinds) > 1 else system.name
            missing = "average_precision" in curve.undefined
            noted = "" if missing else f"(AP {curve.average_precision:.2f})"
            recall, precision = zip(*((p.recall, p.precision) for p in curve.points), strict=True)
            curves.append(XYCurve(name, recall, precision, noted))
            marks.append(XYMark(name, scored.value("recall"), scored.value("precision")))
    over = "over all thresholds" if len(kinds) > 1 else "by the majority"
    return draw_xy(
        curves,
        title=f"Precision against recall, {over}",
        x_label="recall",
        y_label="precision",
        note=f"AP: average precision; chance gives the share of errors. {result.signature}",
        marks=marks,
    )


def _draw_thresholds(result: EvaluateResult) -> Figure:
    systems = _with_scores(result)
    shown = {"P": "precision", "R": "recall", "F1": "f1"}
    if len(systems) > FEW_SYSTEMS:
        shown = {"F1": "f1"}
    curves = []
    for system in systems:
        points = system.curves["plain"].points
        bias = [point.bias for point in points]
        for name, measure in shown.items():
            heights = [getattr(point, measure) for point in points]
            curves.append(XYCurve(f"{system.name} {name}", bias, heights))
    return draw_xy(
        curves,
        title="Precision, recall and F by flag rate",
        x_label="bias: share of cases reported",
        y_label="score",
        note=result.signature,
    )


_DRAWN: dict[str, Callable[[EvaluateResult], Figure]] = {
    "precision-recall": _draw_precision_recall,
    "kappa": _draw_kappa,
    "histogram": _draw_histogram,
    "pr-curve": _draw_precision_recall_curve,
    "roc": lambda result: _over_false_positives(
        result, "auc", "recall", "ROC against the majority", "true positive rate"
    ),
    "thresholds": _draw_thresholds,
    "auk": lambda result: _over_false_positives(
        result, "auk", "kappa", "Kappa against the majority, over all thresholds", "kappa"
    ),
}
