"""The figures of `evaluate`: by agreement bin (Madnani et al. 2011), and over thresholds."""

from __future__ import annotations

from collections.abc import Callable
from math import isnan
from typing import TYPE_CHECKING

from jurybox.api.evaluation import EvaluateResult, SystemEvaluation, Traced
from jurybox.errors import InputError, unknown_name

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from jurybox.cases.curves import Area
    from jurybox.report.figures import BinScores

#: with more systems than this, only F1 is drawn against bias
FEW_SYSTEMS = 4


def draw(result: EvaluateResult, kind: str) -> Figure:
    """One figure; its kind is one of `FIGURES`."""
    check_kind(kind)
    return _DRAWN[kind](result)


def check_kind(kind: str) -> None:
    """Refuse a figure that does not exist, before any work."""
    if kind not in FIGURES:
        raise unknown_name("figure (--draw)", kind, FIGURES)


def _draw_histogram(result: EvaluateResult) -> Figure:
    from jurybox.report.figures import draw_histogram

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
    from jurybox.report.figures import draw_bin_panels

    panels = [_panel(result, "precision", "precision"), _panel(result, "recall", "recall")]
    return draw_bin_panels(
        [system.name for system in result.systems],
        _bin_names(result),
        panels,
        title=f"Precision and recall by {_binned_by(result)}",
        sizes=_sizes(result),
        note=result.signature,
        bin_label=_binned_by(result),
    )


def _draw_kappa(result: EvaluateResult) -> Figure:
    from jurybox.report.figures import draw_bins

    panel = _panel(result, "cohen_kappa", "kappa")
    return draw_bins(
        [system.name for system in result.systems],
        _bin_names(result),
        panel.values,
        title=f"Kappa by {_binned_by(result)}",
        score="kappa",
        low=panel.low,
        high=panel.high,
        sizes=_sizes(result),
        note=result.signature,
        bin_label=_binned_by(result),
    )


def _panel(result: EvaluateResult, measure: str, title: str) -> BinScores:
    from jurybox.report.figures import BinScores

    values = {
        system.name: [_known(one.measure(measure).value) for one in system.bins]
        for system in result.systems
    }
    if not all(system.bin_intervals for system in result.systems):
        return BinScores(title, values)
    low, high = (
        {
            system.name: [_known(getattr(one[title], end)) for one in system.bin_intervals]
            for system in result.systems
        }
        for end in ("low", "high")
    )
    return BinScores(title, values, low, high)


def _known(value: float) -> float | None:
    return None if isnan(value) else value


def _binned_by(result: EvaluateResult) -> str:
    by_agreement = result.options["bin_by"] == "agreement"
    return "agreement of the raters" if by_agreement else "share of raters who say error"


def _bin_names(result: EvaluateResult) -> list[str]:
    return [f"{100 * one.low:g}–{100 * one.high:g}%" for one in result.systems[0].bins]


def _sizes(result: EvaluateResult) -> dict[str, list[int]]:
    return {system.name: [one.n for one in system.bins] for system in result.systems}


def _with_scores(result: EvaluateResult) -> list[SystemEvaluation]:
    found = [system for system in result.systems if system.curves]
    if not found:
        raise InputError("there is no curve to draw: no decisions have scores (column 'score')")
    return found


def _draw_roc(result: EvaluateResult) -> Figure:
    return _over_false_positives(
        result,
        "recall",
        area=lambda traced: traced.auc,
        title="ROC against the majority",
        y_label="true positive rate",
        diagonal=True,
    )


def _draw_auk(result: EvaluateResult) -> Figure:
    return _over_false_positives(
        result,
        "cohen_kappa",
        area=lambda traced: traced.auk,
        title="Kappa against the majority, over all thresholds",
        y_label="kappa",
    )


def _over_false_positives(
    result: EvaluateResult,
    measure: str,
    *,
    area: Callable[[Traced], Area],
    title: str,
    y_label: str,
    diagonal: bool = False,
) -> Figure:
    """A measure over the false positive rate, the area below, and where each system stands."""
    from jurybox.report.figures import XYCurve, XYMark, draw_xy

    curves, marks = [], []
    for system in _with_scores(result):
        traced, plain = system.curves["plain"], system.plain
        told = "" if area(traced).reason else f"area {area(traced).value:.2f}"
        curve = traced.curve
        curves.append(XYCurve(system.name, curve.false_positive_rate, curve.measure(measure), told))
        rate = 1 - plain.value("true_negative_rate")
        marks.append(XYMark(system.name, rate, plain.value(measure)))
    return draw_xy(
        curves,
        title=title,
        x_label="false positive rate",
        y_label=y_label,
        diagonal=diagonal,
        note=result.signature,
        marks=marks,
    )


def _draw_thresholds(result: EvaluateResult) -> Figure:
    from jurybox.report.figures import XYCurve, draw_xy

    systems = _with_scores(result)
    curves = []
    for system in systems:
        curve = system.curves["plain"].curve
        bias = curve.measure("bias")
        shown = {"F1": curve.measure("f_beta", beta=1)}
        if len(systems) <= FEW_SYSTEMS:
            shown = {
                "P": curve.measure("precision"),
                "R": curve.measure("recall"),
                **shown,
            }
        curves += [XYCurve(f"{system.name} {name}", bias, y) for name, y in shown.items()]
    return draw_xy(
        curves,
        title="Bolder and shyer: measures against the share of cases reported",
        x_label="bias: share of cases reported",
        y_label="score",
        note=result.signature,
    )


_DRAWN: dict[str, Callable[[EvaluateResult], Figure]] = {
    "precision-recall": _draw_precision_recall,
    "kappa": _draw_kappa,
    "histogram": _draw_histogram,
    "roc": _draw_roc,
    "thresholds": _draw_thresholds,
    "auk": _draw_auk,
}
FIGURES = tuple(_DRAWN)
