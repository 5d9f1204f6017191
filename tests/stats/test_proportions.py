"""Intervals of proportions: reference values, and what must hold for any counts."""

from __future__ import annotations

from math import isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.errors import InputError, UsageError
from jurybox.stats.proportions import (
    normal_quantile,
    wilson_bounds,
    wilson_interval,
)


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_intervals_of_the_reference_values(
    hits: int, n: int, low: float, high: float
) -> None:
    assert wilson_interval(hits, n) == pytest.approx((low, high), abs=5e-5)


def test_arrays_give_what_numbers_give_one_by_one() -> None:
    hits, n = [81, 15, 0, 1], [263, 148, 20, 29]
    one_by_one = [wilson_interval(h, m) for h, m in zip(hits, n, strict=True)]
    low, high = wilson_interval(hits, n)
    assert low.tolist() == [float(one.low) for one in one_by_one]
    assert high.tolist() == [float(one.high) for one in one_by_one]


def test_nothing_drawn_has_no_interval() -> None:
    assert all(isnan(end) for end in wilson_interval(0, 0))


@given(st.integers(0, 300), st.integers(1, 300), st.floats(0.5, 0.999))
def test_wilson_stays_between_0_and_1_holds_the_share_and_mirrors(
    hits: int, n: int, level: float
) -> None:
    hits = min(hits, n)
    low, high = map(float, wilson_interval(hits, n, level))
    assert 0 <= low <= hits / n <= high <= 1
    assert low < high
    mirrored = wilson_interval(n - hits, n, level)
    assert mirrored == pytest.approx((1 - high, 1 - low), abs=1e-12)


@given(st.integers(1, 60), st.data())
def test_wilson_ends_are_the_shares_whose_own_normal_interval_just_reaches_the_hits(
    n: int, data: st.DataObject
) -> None:
    p = data.draw(st.integers(0, n)) / n
    z = normal_quantile(0.95)
    for end in map(float, wilson_interval(p * n, n)):
        if 0 < end < 1:
            assert abs(p - end) == pytest.approx(z * (end * (1 - end) / n) ** 0.5, abs=1e-9)


def test_an_endless_sample_leaves_no_doubt() -> None:
    assert wilson_bounds(0.3, np.inf) == pytest.approx((0.3, 0.3))


@pytest.mark.parametrize(("hits", "n"), [(3, 2), (-1, 2), (1, -2), (0, float("inf"))])
def test_hits_that_cannot_be_are_refused(hits: float, n: float) -> None:
    with pytest.raises(InputError, match="hits must be from 0"):
        wilson_interval(hits, n)


@pytest.mark.parametrize("level", [0, 1, 95])
def test_a_level_that_is_no_share_is_refused(level: float) -> None:
    with pytest.raises(UsageError, match="level"):
        wilson_interval(1, 2, level)
