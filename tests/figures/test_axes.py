"""Axes: ratios can be seen, and no room is wasted."""

from __future__ import annotations

from jurybox.figures import Curve
from jurybox.figures._curves import read_curves, scale_for
from made_figures import PAPER, drawn, with_band


def test_systems_that_are_compared_as_ratios_start_at_zero() -> None:
    assert drawn("paper").axes[0].get_ylim() == (0, 80)


def test_an_axis_is_not_mostly_empty_when_all_scores_are_high() -> None:
    high = [c._replace(scores=tuple(0.6 + s / 5 for s in c.scores)) for c in PAPER]
    scale = scale_for(read_curves(high)[0])
    assert scale.low >= 60
    assert scale.high <= 80


def test_a_band_below_zero_does_not_stretch_the_axis() -> None:
    rare = with_band(Curve("rare", (1, 2), (0.02, 0.4)), 0.1)
    assert scale_for(read_curves([rare])[0]).low == 0
