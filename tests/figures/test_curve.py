"""One curve: told apart without colour, gaps and extrapolation seen, nonsense refused."""

from __future__ import annotations

from math import isfinite, nan

import numpy as np
import pytest
from matplotlib.collections import FillBetweenPolyCollection

from bryant_ng_2015 import TABLE_5
from jurybox.errors import InputError
from jurybox.figures import Curve
from made_figures import (
    GAPS,
    NINE,
    PAPER,
    categories,
    curves_figure,
    drawn,
    lines_of,
    texts_of,
    with_band,
    xs,
    ys,
)


def test_the_scores_of_the_paper_are_what_is_drawn() -> None:
    shown = [
        [f"{y:.2f}" for y in ys(line)]
        for line in lines_of(drawn("paper"))
        if line.get_linestyle() != "None"
    ]
    assert shown == [[f"{score:.2f}" for score in row] for row in TABLE_5.values()]


def test_curves_can_be_told_apart_without_colour() -> None:
    figure = drawn("twelve systems")
    by_marker = {
        str(line.get_marker()): line.get_markeredgecolor()
        for line in lines_of(figure)
        if line.get_linestyle() == "None"
    }
    assert len(by_marker) == 13
    looks = [
        (str(line.get_color()), line.is_dashed(), line.get_linewidth())
        for line in lines_of(figure)
        if line.get_linestyle() != "None"
    ]
    assert len(set(looks)) == len(looks) == 13


def test_the_human_curve_is_black_and_thicker_than_all_others() -> None:
    widths = {
        str(line.get_color()): line.get_linewidth()
        for line in lines_of(drawn("paper"))
        if line.get_linestyle() != "None"
    }
    human = widths.pop("#000000")
    assert all(human > width for width in widths.values())
    assert len(widths) == 3


def test_where_all_curves_are_human_none_stands_out() -> None:
    curves = [c._replace(human=True) for c in categories(3)]
    assert "#000000" not in {line.get_color() for line in lines_of(curves_figure(curves))}


def test_the_band_is_the_given_spread() -> None:
    figure = curves_figure([with_band(PAPER[0], 0.03)])
    (band,) = figure.axes[0].findobj(FillBetweenPolyCollection)
    assert isinstance(band, FillBetweenPolyCollection)
    vertices = np.asarray(band.get_paths()[0].vertices).tolist()
    corners = {(round(x), round(y, 2)) for x, y in vertices}
    wanted = {
        (size, round(100 * (score + side), 2))
        for size, score in zip(NINE, PAPER[0].scores, strict=True)
        for side in (-0.03, 0.03)
    }
    assert wanted <= corners


def test_extrapolated_points_are_open_dashed_and_said_to_be_so() -> None:
    figure = drawn("extrapolated")
    assert "human 72.5 → 78.0" in texts_of(figure)
    assert "at 9 → 20 (extrapolated)" in texts_of(figure)
    assert "Dashed lines and open markers: extrapolated." in texts_of(figure)
    hollow = [line for line in lines_of(figure) if line.get_markerfacecolor() == "white"]
    assert list(map(xs, hollow)) == [list(range(10, 21))] * 4
    dashed = [line for line in lines_of(figure) if line.is_dashed()]
    assert list(map(xs, dashed)) == [list(range(9, 21))] * 4


def test_measured_points_say_nothing_of_extrapolation() -> None:
    assert "extrapolated" not in " ".join(texts_of(drawn("paper")))


def test_undefined_scores_are_gaps_and_isolated_points_keep_their_marker_and_spread() -> None:
    figure = curves_figure([with_band(GAPS[0], 0.05)])
    line, markers, *bars = lines_of(figure)
    assert list(map(isfinite, ys(line))) == list(map(isfinite, GAPS[0].scores))
    assert xs(markers) == [2, 3, 5, 8]
    assert [[round(y) for y in ys(bar)] for bar in bars] == [[55, 65], [61, 71]]


def test_a_curve_without_any_defined_score_is_named_in_the_small_print() -> None:
    assert "Undefined and not drawn: CUUI." in texts_of(drawn("gaps"))


@pytest.mark.parametrize(
    "curve",
    [
        Curve("A", (1, 2), (0.1,)),
        Curve("A", (1, 2), (0.1, 0.2), low=(0.1,), high=(0.1, 0.2)),
        Curve("A", (1, 2), (0.1, 0.2), low=(0.1, 0.1)),
        Curve("A", (2, 1), (0.1, 0.2)),
        Curve("A", (1, 2), (0.1, 0.2), uncertain=3),
        Curve("A", (1, 2), (nan, nan)),
    ],
)
def test_a_curve_that_cannot_be_drawn_is_an_error(curve: Curve) -> None:
    with pytest.raises(InputError, match="curve"):
        curves_figure([curve])
