"""Score intervals of recall, F and error rate."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jurybox.stats.proportions import wilson_interval
from jurybox.stats.score_bounds import (
    OneShare,
    TwoShares,
    error_rate_bounds,
    f_bounds,
    recall_bounds,
)


def share(p: float, n: float, weight: float) -> OneShare:
    return OneShare(np.array([p]), np.array([float(n)]), weight)


def ends(bounds: tuple[np.ndarray, np.ndarray]) -> tuple[float, float]:
    return float(bounds[0][0]), float(bounds[1][0])


def test_the_example_of_the_paper_has_the_interval_of_the_delta_method_but_for_rounding() -> None:
    two = TwoShares(share(0.8, 750, 0.1), share(0.3, 1500, 0.9))
    assert [round(end, 3) for end in ends(recall_bounds(two))] == [0.214, 0.244]


def test_a_sample_without_misses_leaves_doubt_about_recall() -> None:
    low, high = ends(recall_bounds(TwoShares(share(0.8, 750, 0.1), share(0.0, 100, 0.9))))
    assert high == 1.0
    assert 0.6 < low < 0.9


def test_without_any_error_recall_may_be_anything() -> None:
    assert ends(recall_bounds(TwoShares(share(0, 50, 0.1), share(0, 50, 0.9)))) == (0.0, 1.0)


def test_where_hits_are_known_recall_is_as_sure_as_the_misses() -> None:
    """With hits known, the bounds of recall are those of Wilson's interval of the misses."""
    two = TwoShares(share(0.5, inf, 0.1), share(0.1, 100, 0.9))
    low, high = wilson_interval(10, 100)
    hits = 0.05
    expected = (hits / (hits + 0.9 * float(high)), hits / (hits + 0.9 * float(low)))
    assert ends(recall_bounds(two)) == pytest.approx(expected, abs=1e-6)


def test_the_error_rate_of_one_part_has_wilsons_interval() -> None:
    two = TwoShares(share(0.3, 100, 1.0), share(0.0, inf, 0.0))
    expected = tuple(map(float, wilson_interval(30, 100)))
    assert ends(error_rate_bounds(two)) == pytest.approx(expected, abs=1e-6)


def test_f_without_weight_for_recall_is_precision() -> None:
    two = TwoShares(share(0.3, 100, 0.2), share(0.1, 100, 0.8))
    expected = tuple(map(float, wilson_interval(30, 100)))
    assert ends(f_bounds(two, 1e-4)) == pytest.approx(expected, abs=1e-3)


#: hits and misses of 20, the weight of what is flagged, and how far either share is moved
TWENTIES = (
    *(st.integers(0, 20), st.integers(0, 20), st.floats(0.01, 0.99)),
    *(st.floats(-0.5, 0.5), st.floats(-0.5, 0.5)),
)


@settings(max_examples=4, deadline=None)
@given(*TWENTIES)
def test_intervals_lie_between_0_and_1_and_hold_the_estimate(
    hits: int, misses: int, weight: float, moved: float, moved_too: float
) -> None:
    check_intervals(hits, misses, weight, moved, moved_too)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(*TWENTIES)
def test_more_intervals_lie_between_0_and_1_and_hold_the_estimate(
    hits: int, misses: int, weight: float, moved: float, moved_too: float
) -> None:
    check_intervals(hits, misses, weight, moved, moved_too)


def check_intervals(hits: int, misses: int, weight: float, moved: float, moved_too: float) -> None:
    step = 1 / 20
    two = TwoShares(
        share(hits / 20, 20, weight)._replace(skew=step**2, step=step, moved=np.array([moved])),
        share(misses / 20, 20, 1 - weight)._replace(
            skew=step**2, step=step, moved=np.array([moved_too])
        ),
    )
    found = weight * hits / 20, (1 - weight) * misses / 20
    low, high = ends(recall_bounds(two))
    assert 0 <= low <= high <= 1
    if sum(found):
        assert low - 1e-6 <= found[0] / sum(found) <= high + 1e-6
    low, high = ends(error_rate_bounds(two))
    assert -1e-9 <= low <= high <= 1 + 1e-9
    assert low - 1e-6 <= sum(found) <= high + 1e-6
