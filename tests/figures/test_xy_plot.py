"""Curves over thresholds: told apart without colour, marks and chance explained."""

from __future__ import annotations

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from made_case_figures import drawn_cases, roc_curves
from made_figures import lines_of, texts_of, xs, ys


def curves_of(figure: Figure) -> list[Line2D]:
    return [line for line in lines_of(figure) if line.get_linestyle() != "None"]


def marks_of(figure: Figure) -> list[Line2D]:
    return [line for line in lines_of(figure) if line.get_linestyle() == "None"]


def dashes(line: Line2D) -> str:
    """How its dashes look: matplotlib keeps them in a private place only."""
    return str(line._unscaled_dash_pattern)  # type: ignore[attr-defined]  # not public


def test_a_roc_plot_is_square_with_chance_and_areas_named() -> None:
    figure = drawn_cases("roc")
    box = figure.axes[0].get_window_extent()
    assert abs(box.width - box.height) < 1e-6
    assert [0.0, 1.0] in list(map(ys, curves_of(figure)))
    assert {"LM area 0.87", "PERC area 0.76", "chance"} <= set(texts_of(figure))


def test_a_short_curve_is_drawn_through_its_points() -> None:
    first = curves_of(drawn_cases("twelve curves"))[0]
    assert (xs(first), ys(first)) == ([0, 1], [0, 1 / 12])


def test_curves_can_be_told_apart_without_colour_and_twelve_with_it() -> None:
    lines = curves_of(drawn_cases("twelve curves"))
    assert len({dashes(line) for line in lines[:6]}) == 6
    assert len({(str(line.get_color()), dashes(line)) for line in lines}) == 12


def test_marks_are_where_the_decisions_are_and_the_small_print_says_what_they_mean() -> None:
    figure = drawn_cases("roc")
    lm = roc_curves(400)[0]
    assert (xs(marks_of(figure)[0]), ys(marks_of(figure)[0])) == ([lm.x[60]], [lm.y[60]])
    faces = [line.get_markerfacecolor() == "white" for line in marks_of(figure)]
    assert faces == [False, False, False, True]
    texts = texts_of(figure)
    assert "Filled markers: decisions as given." in texts
    assert "Open markers: best kappa on the development part." in texts


def test_a_mark_that_is_undefined_is_told_of() -> None:
    texts = texts_of(drawn_cases("precision against recall"))
    assert "Undefined and not marked: decisions as given (PERC)." in texts


def test_points_between_gaps_are_seen_and_undefined_curves_named() -> None:
    figure = drawn_cases("points and gaps")
    assert [xs(line) for line in marks_of(figure)] == [[0.1, 0.3, 0.5], [0.5]]
    assert "Undefined and not drawn: C." in texts_of(figure)


def test_names_stand_where_lines_end_if_these_end_apart_else_in_the_given_order() -> None:
    def from_the_top(name: str, labels: tuple[str, ...]) -> list[str]:
        found = [t for t in drawn_cases(name).texts if t.get_text().startswith(labels)]
        return [t.get_text() for t in sorted(found, key=lambda t: -float(t.get_position()[1]))]

    beside = ("precision", "recall", "F1")
    _, *names = from_the_top("against bias", beside)  # the first is the label of the axis
    assert names == ["recall", "F1", "precision"]
    assert from_the_top("kappa curves", ("LM", "PERC", "baseline")) == [
        "LM AUK 0.21",
        "PERC AUK 0.21",
        "baseline AUK 0.21",
    ]


def test_where_kappa_can_be_negative_there_is_a_rule_at_zero() -> None:
    rules = [ys(line) for line in curves_of(drawn_cases("kappa curves"))]
    assert [0.0, 0.0] in rules
