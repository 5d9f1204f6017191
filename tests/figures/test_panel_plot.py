"""More curves than one plot can hold: a panel each."""

from __future__ import annotations

import re

from made_figures import PAPER, categories, drawn, extended, texts_of, ys


def test_many_curves_get_a_panel_each_people_and_then_the_best_first() -> None:
    figure = drawn("long names in panels")
    assert len(figure.axes) == 14
    people, *types = texts_of(figure)[-14:]
    assert people.endswith("72.5 → 78.0")
    assert re.findall(r"Type\d+", " ".join(types)) == [c.name for c in categories(13)]


def test_the_human_curve_is_in_the_panel_of_every_system() -> None:
    human = [100 * score for score in extended(PAPER[0]).scores]
    for axes in drawn("long names in panels").axes:
        assert human in list(map(ys, axes.get_lines()))
