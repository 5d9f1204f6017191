"""Exact intervals of a share: against a slow, obviously right inversion, and their coverage."""

from __future__ import annotations

from math import ceil, comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.errors import InputError, UsageError
from jurybox.sample.estimate.exact_share import LEAST_WEIGHT, exact_interval


def chance(x: int, n: int, size: int, errors: int) -> float:
    return comb(errors, x) * comb(size - errors, n - x) / comb(size, n)


def slow_lower(x: int, n: int, size: int, weight: float) -> float:
    """Try every number of errors in the corpus, from below."""
    weight = max(weight, LEAST_WEIGHT) if x == n else weight
    for errors in range(x, ceil(x * size / n) + 1):
        above = sum(chance(k, n, size, errors) for k in range(x + 1, min(n, errors) + 1))
        if above + weight * chance(x, n, size, errors) > 0.025 * (1 - 1e-9):
            return errors / size
    return max(x, ceil(x * size / n)) / size


@st.composite
def samples(draw: st.DrawFn) -> tuple[int, int, int, float]:
    size = draw(st.integers(2, 40))
    n = draw(st.integers(1, size - 1))
    return draw(st.integers(0, n)), n, size, draw(st.sampled_from([0.0, 0.02, 0.4, 1.0]))


@given(samples())
def test_both_ends_are_those_of_trying_every_number_of_errors(
    sample: tuple[int, int, int, float],
) -> None:
    x, n, size, weight = sample
    low, high = exact_interval(x, n, size=size, weights=(weight, weight))
    assert low == pytest.approx(slow_lower(x, n, size, weight) if x else 0.0)
    assert high == pytest.approx(1 - (slow_lower(n - x, n, size, weight) if n - x else 0.0))


def test_clopper_and_pearson_for_text_without_end() -> None:
    # 4 of 20: .0573 to .4366, in every table of binomial limits
    low, high = exact_interval(4, 20)
    assert (round(float(low), 4), round(float(high), 4)) == (0.0573, 0.4366)


def test_a_large_corpus_is_like_text_without_end() -> None:
    endless = exact_interval([0, 3, 30], 100)
    corpus = exact_interval([0, 3, 30], 100, size=10_000_000)
    assert np.allclose(endless, corpus, atol=1e-4)


@pytest.mark.parametrize("size", [1e9, 1e12, 9e15])
def test_a_huge_corpus_gives_what_text_without_end_gives(size: float) -> None:
    """Logarithms of its factorials have no digits left after subtraction."""
    for errors, n in (([0, 3, 97, 100], 100), ([30, 1970], 2000), ([20_000], 50_000)):
        endless, corpus = exact_interval(errors, n), exact_interval(errors, n, size=size)
        assert np.allclose(endless, corpus, rtol=1e-6, atol=2e-7 if size == 1e9 else 1e-9)


def test_a_corpus_that_was_looked_at_as_a_whole_leaves_no_doubt() -> None:
    assert exact_interval(3, 10, size=10) == pytest.approx((0.3, 0.3))


def test_no_error_is_never_surer_than_by_the_rule_of_three() -> None:
    _, high = exact_interval(0, 300, weights=(0.99, 0.01))
    assert float(high) == pytest.approx(3 / 300, rel=0.01)


@pytest.mark.parametrize(("errors", "size", "n"), [(31, 60, 30), (85, 207, 50), (127, 2789, 100)])
def test_with_weights_by_chance_an_interval_holds_the_truth_exactly_as_often_as_it_says(
    errors: int, size: int, n: int
) -> None:
    """Over all numbers of errors in the sample and a fine grid of weights: no simulation."""
    grid = (np.arange(200) + 0.5) / 200
    covered = 0.0
    for x in range(max(0, n - size + errors), min(n, errors) + 1):
        likely = chance(x, n, size, errors)
        if likely < 1e-9:
            continue
        low, high = exact_interval(np.full(200, x), n, size=size, weights=(grid, 1 - grid))
        inside = (low <= errors / size + 1e-12) & (errors / size <= high + 1e-12)
        covered += likely * float(inside.mean())
    assert covered == pytest.approx(0.95, abs=0.001)


def test_errors_that_are_not_whole_are_refused() -> None:
    with pytest.raises(InputError, match="whole numbers"):
        exact_interval(2.5, 10)
    with pytest.raises(InputError, match="whole numbers"):
        exact_interval(11, 10)
    with pytest.raises(UsageError, match="level"):
        exact_interval(1, 10, level=95)
