"""Axes of fractions: nothing outside, nothing blown up, zero seen where it matters."""

from __future__ import annotations

from math import nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.figures._page import fraction_scale


@given(st.lists(st.floats(-1, 1), min_size=1))
def test_every_value_is_on_the_axis_and_the_axis_is_not_much_longer(values: list[float]) -> None:
    scale = fraction_scale(values)
    assert scale.low <= min(values) + 1e-9
    assert scale.high >= max(values) - 1e-9
    assert -1 <= scale.low < scale.high <= 1.05
    assert 2 <= len(scale.ticks) <= 8


@pytest.mark.parametrize("values", [[0.955, 0.957], [0.4, 0.41], [0.001]])
def test_a_difference_of_next_to_nothing_does_not_fill_the_plot(values: list[float]) -> None:
    scale = fraction_scale(values)
    assert scale.low == 0 or scale.high - scale.low >= 0.2


def test_undefined_values_need_no_room() -> None:
    assert fraction_scale([nan, 0.2, 0.5]) == fraction_scale([0.2, 0.5])
