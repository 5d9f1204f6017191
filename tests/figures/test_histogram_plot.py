"""Histograms: bars as high as their counts, where their values are; counts only where they fit."""

from __future__ import annotations

from itertools import pairwise
from math import nan

import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from jurybox.errors import InputError, LengthError
from jurybox.figures import draw_histogram
from jurybox.figures._histogram import Bar, fitting_labels, value_ticks
from made_case_figures import COUNTS, SIZES, TWENTY, drawn_cases


def bars_of(figure: Figure) -> list[Rectangle]:
    return [patch for patch in figure.axes[0].patches if isinstance(patch, Rectangle)]


def counts_written(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.axes[0].texts]


def test_bars_stand_at_their_values_and_are_as_high_as_their_counts() -> None:
    bars = bars_of(drawn_cases("histogram"))
    assert [round(bar.get_x() + bar.get_width() / 2, 6) for bar in bars] == TWENTY
    assert [bar.get_height() for bar in bars] == COUNTS
    assert counts_written(drawn_cases("histogram")) == list(map(str, COUNTS))


def test_edges_are_where_bars_begin_and_end() -> None:
    bars = bars_of(drawn_cases("histogram of bins"))
    spans = [(round(bar.get_x(), 6), round(bar.get_x() + bar.get_width(), 6)) for bar in bars]
    assert spans == [(0.5, 0.75), (0.75, 0.9), (0.9, 1.0)]
    assert [bar.get_height() for bar in bars] == SIZES


def test_large_counts_are_readable_and_a_count_of_none_is_said() -> None:
    figure = drawn_cases("histogram of ten")
    assert counts_written(figure) == ["10", "0", "512", "2,044", "11,987", "104,960"]
    numbers = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert "100,000" in numbers


def test_the_highest_bar_keeps_its_count_in_a_crowd() -> None:
    assert "125,000" in counts_written(drawn_cases("histogram of many"))
    assert len(counts_written(drawn_cases("histogram of many"))) < 50


@given(st.lists(st.tuples(st.floats(1, 30), st.floats(0, 130), st.floats(1, 40)), min_size=1))
def test_no_count_stands_in_a_bar_or_on_another_count(
    bars: list[tuple[float, float, float]],
) -> None:
    boxes, left = [], 0.0
    for width, top, _ in bars:
        boxes.append(Bar(left, left + width, top))
        left += width
    kept = fitting_labels(boxes, [wide for _, _, wide in bars])
    assert max(range(len(boxes)), key=lambda k: boxes[k].top) in kept
    spans = {}
    for k in kept:
        middle = (boxes[k].left + boxes[k].right) / 2
        spans[k] = (middle - bars[k][2] / 2, middle + bars[k][2] / 2, boxes[k].top)
    for k, (first, last, level) in spans.items():
        for j, box in enumerate(boxes):
            beside = j == k or box.right <= first or last <= box.left
            assert beside or box.top <= level
        for j, (start, end, other) in spans.items():
            beside = j == k or end <= first or last <= start
            assert beside or abs(other - level) >= 8


@given(st.lists(st.floats(0, 1), min_size=1, unique=True), st.floats(100, 500))
def test_numbers_along_the_axis_never_touch_and_stay_among_the_values(
    values: list[float], unit: float
) -> None:
    places = sorted(values)
    ticks = value_ticks(places, unit)
    assert all(places[0] - 1e-6 <= tick <= places[-1] + 1e-6 for tick in ticks)
    assert all((b - a) * unit > 8 for a, b in pairwise(ticks))


@pytest.mark.parametrize(
    ("places", "counts", "message"),
    [
        ([], [], "a count at least"),
        ([0.5, 1.0], [1, 2, 3], "3 counts need as many values, or one edge more, not 2"),
        ([1.0, 0.5], [1, 2], "grow"),
        ([0.5, nan], [1, 2], "grow"),
        ([0.5, 1.0], [1, -2], "negative"),
    ],
)
def test_a_histogram_that_cannot_be_drawn_is_an_error(
    places: list[float], counts: list[int], message: str
) -> None:
    with pytest.raises((InputError, LengthError), match=message):
        draw_histogram(places, counts, title="", x_label="agreement")
