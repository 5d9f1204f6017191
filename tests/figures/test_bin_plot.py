"""Scores by bin: what is given is what is drawn, gaps are gaps, sizes stand under their bins."""

from __future__ import annotations

from math import isfinite, isnan
from typing import Any

import pytest
from matplotlib.axes import Axes

from jurybox.errors import InputError, LengthError
from jurybox.figures import BinScores, draw_bins
from made_case_figures import (
    BINS,
    LONG_BINS,
    PRECISION,
    RECALL,
    SIZES,
    draw_one_measure,
    drawn_cases,
)
from made_figures import lines_of, texts_of, xs, ys

GIVEN: dict[str, Any] = {"title": "", "score": "kappa", "sizes": SIZES}


def joined(axes: Axes) -> list[list[float]]:
    """The scores of the lines that join dots."""
    return [ys(line) for line in axes.get_lines() if len(xs(line)) == 3]


def test_precision_and_recall_are_drawn_in_panels_of_one_scale() -> None:
    precision, recall = drawn_cases("precision and recall").axes
    assert joined(precision) == list(PRECISION.values())
    assert joined(recall) == list(RECALL.values())
    assert precision.get_ylim() == recall.get_ylim() == (0, 1)


def test_bins_stand_with_their_sizes_and_names_with_their_last_values() -> None:
    texts = texts_of(drawn_cases("precision and recall"))
    assert texts.count("75–90%") == texts.count("n=114") == 2
    assert {"LM 0.96", "PERC 0.82", "LM 0.42", "PERC 0.61"} <= set(texts)


def test_an_undefined_value_is_a_gap_and_the_last_value_says_its_bin() -> None:
    figure = drawn_cases("kappa by bin")
    _, perc = joined(figure.axes[0])
    assert list(map(isnan, perc)) == [False, False, True]
    assert "PERC 0.41 in 75–90%" in texts_of(figure)


def test_error_bars_reach_as_far_as_given_even_below_zero() -> None:
    figure = drawn_cases("kappa by bin")
    bars = [ys(line) for line in lines_of(figure) if len(xs(line)) == 2]
    assert [-0.1, 0.3] in bars
    assert [-0.3, 0.1] in bars
    assert figure.axes[0].get_ylim()[0] <= -0.3


def test_dots_of_one_bin_do_not_hide_each_other() -> None:
    for name in ("kappa by bin", "twenty systems by bin", "twenty bins"):
        dots = [
            xs(line)[0]
            for line in lines_of(drawn_cases(name))
            if line.get_linestyle() == "None" and all(map(isfinite, ys(line)))
        ]
        assert len(set(dots)) == len(dots)


def test_a_bin_of_few_cases_has_an_open_marker_and_the_small_print_says_so() -> None:
    figure = drawn_cases("kappa by bin")
    hollow = [ys(line) for line in lines_of(figure) if line.get_markerfacecolor() == "white"]
    assert hollow == [[-0.08]]
    assert "Open markers: fewer than 30 cases." in texts_of(figure)
    assert "Open" not in " ".join(texts_of(drawn_cases("precision and recall")))


def test_systems_with_cases_of_their_own_have_sizes_of_their_own() -> None:
    texts = texts_of(drawn_cases("kappa by bin"))
    assert {"n=93", "n=21", "n=1,140", "n=0"} <= set(texts)
    assert "n=1,000 / 29" in " ".join(texts_of(drawn_cases("twenty bins")))


def test_what_is_undefined_everywhere_is_named_in_the_small_print() -> None:
    figure = drawn_cases("three measures")
    assert "precision of none, kappa of LM, kappa of PERC" in " ".join(texts_of(figure))
    assert [t.get_text() for t in figure.axes[2].texts] == ["undefined"]


def test_long_names_of_bins_are_broken_or_turned_and_lose_nothing() -> None:
    for figure in ("names of bins in rows", "long names by bin"):
        texts = " ".join(texts_of(drawn_cases(figure)))
        assert all(name in texts for name in LONG_BINS)


def test_a_system_keeps_its_looks_from_panel_to_panel() -> None:
    panels = [
        BinScores("precision", {"LM": [None], "PERC": [0.5]}),
        BinScores("recall", {"LM": [0.1], "PERC": [0.5]}),
    ]
    figure = draw_bins(["LM", "PERC"], ["all"], panels, title="", sizes=[99])
    first, second = (
        {(str(line.get_marker()), str(line.get_markeredgecolor())) for line in axes.get_lines()
         if line.get_linestyle() == "None"}
        for axes in figure.axes
    )  # fmt: skip
    assert len(first) == 1
    assert first < second


@pytest.mark.parametrize(
    ("names", "bins", "values", "more", "message"),
    [
        ([], BINS, {}, {}, "a system and a bin"),
        (["A", "A"], BINS, {"A": [0.1] * 3}, {}, "same name"),
        (["A"], BINS, {"A": [0.1]}, {}, "kappa of 'A': 1 for 3 bins"),
        (["A"], BINS, {"B": [0.1] * 3}, {}, "kappa of 'A': not given"),
        (["A"], BINS, {"A": [0.1] * 3}, {"sizes": [1, 2]}, "sizes of 'A': 2 for 3 bins"),
        (["A"], BINS, {"A": [0.1] * 3}, {"sizes": {"B": SIZES}}, "sizes of 'A': not given"),
        (["A"], BINS, {"A": [0.1] * 3}, {"low": {"A": [0.0] * 3}}, "both low and high"),
        (["A"], BINS, {"A": [None] * 3}, {}, "no value is defined"),
    ],
)
def test_bins_that_cannot_be_drawn_are_an_error(
    names: list[str], bins: list[str], values: Any, more: dict[str, Any], message: str
) -> None:
    with pytest.raises((InputError, LengthError), match=message):
        draw_one_measure(names, bins, values, **{**GIVEN, **more})
