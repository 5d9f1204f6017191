"""Intervals of bounded measures: Wilson's where cases are independent, never outside the range."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.errors import UsageError
from jurybox.stats.intervals import MANY_DEGREES, bounded_interval, t_p_value, t_quantile


@pytest.mark.parametrize(
    ("level", "freedom", "value"),
    [
        (0.95, 1, 12.706),
        (0.95, 2, 4.303),
        (0.95, 4, 2.776),
        (0.95, 9, 2.262),
        (0.99, 9, 3.250),
        (0.90, 10, 1.812),
        (0.95, 30, 2.042),
        (0.95, 49, 2.010),
        (0.95, 120, 1.980),
    ],
)
def test_quantiles_of_t_are_those_of_printed_tables(
    level: float, freedom: int, value: float
) -> None:
    assert t_quantile(level, freedom) == pytest.approx(value, abs=5.1e-4)


def test_t_comes_to_the_normal_distribution() -> None:
    assert t_quantile(0.95, 10_000) == pytest.approx(NormalDist().inv_cdf(0.975), abs=5e-4)


def test_the_series_for_many_degrees_joins_the_closed_form() -> None:
    below, above = t_quantile(0.95, MANY_DEGREES - 1), t_quantile(0.95, MANY_DEGREES)
    assert 0 < below - above < 1e-6


def test_rounding_makes_no_p_value_negative() -> None:
    assert t_p_value(100.0, 18) == 0.0  # 1 less a sum that rounding puts above 1


def test_a_level_outside_0_and_1_is_refused() -> None:
    with pytest.raises(UsageError, match="level"):
        t_quantile(1.0, 5)


def test_for_independent_cases_it_is_wilsons_interval() -> None:
    # 15 of 50, z = 1.96: Wilson's [0.1910, 0.4375] (Newcombe 1998, method 3, by hand)
    share, n = 0.3, 50
    low, high = bounded_interval(share, sqrt(share * (1 - share) / n), units=10**7)
    assert low == pytest.approx(0.1910, abs=5e-5)
    assert high == pytest.approx(0.4375, abs=5e-5)


@given(
    st.floats(0, 1),
    st.floats(0, 0.5),
    st.integers(2, 5000),
    st.sampled_from([(0.0, 1.0), (-1.0, 1.0)]),
)
def test_it_holds_the_value_and_stays_in_range(
    place: float, error: float, units: int, bounds: tuple[float, float]
) -> None:
    value = bounds[0] + place * (bounds[1] - bounds[0])
    low, high = bounded_interval(value, error, units=units, bounds=bounds)
    assert bounds[0] <= low <= value + 1e-9
    assert value - 1e-9 <= high <= bounds[1]


def test_a_value_at_its_bound_has_a_width_by_how_much_was_seen() -> None:
    few, many = (bounded_interval(1.0, 0.0, units=100, evidence=n) for n in (5, 50))
    assert few.high == many.high == 1
    assert few.low < many.low < 1


def test_fewer_units_make_it_wider() -> None:
    lows = [bounded_interval(0.5, 0.05, units=n).low for n in (3, 5, 10, 30, 1000)]
    assert np.all(np.diff(lows) > 0)


def test_many_at_once_are_as_one_by_one() -> None:
    values, errors = np.array([0.2, 1.0, 0.0]), np.array([0.1, 0.0, 0.0])
    low, high = bounded_interval(values, errors, units=20)
    for i, (value, error) in enumerate(zip(values, errors, strict=True)):
        assert (low[i], high[i]) == bounded_interval(value, error, units=20)
