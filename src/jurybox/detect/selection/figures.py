"""The figures of the selection experiment: confusion, calibration, learning curve."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from jurybox.detect.selection.result import PUBLISHED_ACCURACY, SelectionResult
from jurybox.errors import InputError, unknown_name
from jurybox.figures import Curve, XYCurve, draw_curves, draw_heat_map, draw_xy

if TYPE_CHECKING:
    from matplotlib.figure import Figure

THOUSAND = 1000


def draw(result: SelectionResult, kind: str | None = None) -> Figure:
    """One figure; by default confusion of one model, and the learning curve of several."""
    chosen = kind or ("confusion" if len(result.models) == 1 else "curve")
    check_kind(chosen)
    return _DRAWN[chosen](result)


def check_kind(kind: str) -> None:
    """Refuse a figure that does not exist, before any work."""
    if kind not in FIGURES:
        raise unknown_name("figure (--plot)", kind, FIGURES)


def _draw_confusion(result: SelectionResult) -> Figure:
    """Of every preposition that was written, what was chosen; the most frequent first."""
    model = result.models[0]
    names = [one.preposition for one in model.by_preposition]
    places = [model.prepositions.index(name) for name in names]
    rows, totals = list(model.confusion.values()), model.written
    return draw_heat_map(
        names,
        names,
        [
            [rows[row][column] / totals[row] if totals[row] else None for column in places]
            for row in places
        ],
        title=f"What {model.name} chooses where writers wrote a preposition",
        score="% of what was written",
        row_label="written",
        column_label="chosen",
        note=result.signature,
    )


def _draw_calibration(result: SelectionResult) -> Figure:

    curves = [
        XYCurve(
            one.name,
            [part.predicted for part in one.bins if part.n],
            [part.right for part in one.bins if part.n],
            f"error {one.calibration_error:.3f}",
        )
        for one in result.models
    ]
    return draw_xy(
        curves,
        title="How sure, and how often right",
        x_label="probability of the choice",
        y_label="share of right choices",
        note=f"On a line from corner to corner both are the same. {result.signature}",
    )


def _draw_curve(result: SelectionResult) -> Figure:
    """Accuracy against events learnt from, by kind of model, beside the published points."""
    kinds: dict[str, dict[int, float]] = {}
    for one in result.models:
        if one.events is not None:
            points = kinds.setdefault(one.kind, {})
            size = max(1, round(one.events / THOUSAND))
            if size in points:
                raise InputError(
                    f"two models of kind {one.kind} learnt from {size} thousand events: a curve "
                    "has one model for each number; name the models of one curve"
                )
            points[size] = one.accuracy
    if not kinds:
        raise InputError("no model tells how many events it learnt from: there is no curve to draw")
    curves = [
        Curve(kind, tuple(sorted(points)), tuple(points[size] for size in sorted(points)))
        for kind, points in kinds.items()
    ]
    sizes = tuple(events // THOUSAND for events in PUBLISHED_ACCURACY)
    curves.append(Curve("published 2008", sizes, tuple(PUBLISHED_ACCURACY.values()), human=True))
    return draw_curves(
        curves,
        title="Selection: accuracy by the number of events learnt from",
        score="accuracy, %",
        size_label="thousands of events",
        note="Published: Tetreault and Chodorow 2008, maximum entropy, on Encarta and Reuters. "
        f"{result.signature}",
    )


_DRAWN: dict[str, Callable[[SelectionResult], Figure]] = {
    "confusion": _draw_confusion,
    "curve": _draw_curve,
    "calibration": _draw_calibration,
}
FIGURES = tuple(_DRAWN)
