"""Curves of very many points: thinned without visible change; nonsense refused."""

from __future__ import annotations

from math import isfinite, nan
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.backends.backend_agg import FigureCanvasAgg

from jurybox.errors import InputError, LengthError
from jurybox.figures import XYCurve, XYMark, _xy_plot, draw_xy
from jurybox.figures._xy_plot import COLUMN, thin
from made_case_figures import roc_curves

WORDS: dict[str, Any] = {"title": "", "x_label": "x", "y_label": "y"}


@given(
    st.lists(st.tuples(st.floats(0, 1), st.one_of(st.floats(-1, 1), st.just(nan)))),
    st.floats(0.2, 100),
)
def test_thinning_keeps_ends_and_heights_of_every_stretch_and_every_gap(
    points: list[tuple[float, float]], unit: float
) -> None:
    points = [(0.0, 0.0), *points]
    x = np.array([x if isfinite(y) else nan for x, y in points])
    y = np.array([y for _, y in points])
    kept = list(zip(*thin(x, y, unit), strict=True))

    def stretches(pairs: list[tuple[float, float]]) -> list[list[float]]:
        """First, lowest, highest and last of points that follow each other in one column."""
        found: list[tuple[float, list[float]]] = []
        for x, y in pairs:
            column = np.floor(x * (unit / COLUMN)) if isfinite(y) else np.inf
            if not found or found[-1][0] != column:
                found.append((column, []))
            found[-1][1].append(y)
        return [[ys[0], min(ys), max(ys), ys[-1]] for _, ys in found]

    before, after = stretches(list(zip(x, y, strict=True))), stretches(kept)
    np.testing.assert_array_equal(before, after)
    assert len(kept) <= 4 * len(before)


def widened(ink: Any) -> Any:
    """What is inked, and the dots beside it."""
    steps = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1)]
    return np.any([np.roll(ink, step, axis=(0, 1)) for step in steps], axis=0)


def test_a_hundred_thousand_points_become_few_and_no_line_moves_by_more_than_a_dot(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    curve = roc_curves(100_000)[0]

    def picture() -> tuple[int, Any]:
        figure = draw_xy([curve], **WORDS)
        figure.set_dpi(200)
        canvas: Any = FigureCanvasAgg(figure)
        canvas.draw()
        drawn = len(figure.axes[0].get_lines()[0].get_path())
        return drawn, np.asarray(canvas.buffer_rgba()).min(axis=2) < 128

    few, thinned = picture()
    monkeypatch.setattr(_xy_plot, "thin", lambda x, y, _: (x, y))
    many, whole = picture()
    assert many == 100_001
    assert few < 8000
    assert whole.sum() > 1000
    assert not (thinned & ~widened(whole)).any()
    assert not (whole & ~widened(thinned)).any()


@pytest.mark.parametrize(
    ("curves", "marks", "message"),
    [
        ([], [], "no curve to draw"),
        ([XYCurve("A", [0.1], [None])], [], "no curve to draw"),
        ([XYCurve("A", [0.1], [0.1, 0.2])], [], "curve 'A': 1 values of x but 2 of y"),
        ([XYCurve("A", [0.1], [0.1])] * 2, [], "same name"),
        ([XYCurve("A", [0.1], [0.1])], [XYMark("B", 0.1, 0.1)], "curve 'B', which is not there"),
        (
            [XYCurve("A", [0.1], [0.1])],
            [XYMark("A", 0.1, 0.1, meaning) for meaning in "abc"],
            "2 meanings",
        ),
    ],
)
def test_curves_that_cannot_be_drawn_are_an_error(
    curves: list[XYCurve], marks: list[XYMark], message: str
) -> None:
    with pytest.raises((InputError, LengthError), match=message):
        draw_xy(curves, marks=marks, **WORDS)
