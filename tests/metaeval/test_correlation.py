"""Correlations of systems: against scipy, by hand, and what must always hold."""

from __future__ import annotations

from math import isnan, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.metaeval.correlation import (
    MEASURES,
    kendall,
    pairwise_accuracy,
    pearson,
    permutation_p,
    spearman,
    williams,
    williams_t,
)
from jurybox.stats.intervals import t_p_value
from jurybox.stats.running_choice import FloatArray

stats = pytest.importorskip("scipy.stats", reason="the other implementation")

pairs = st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=2, max_size=9).map(
    lambda both: np.array(both, dtype=np.float64).T
)


def varies(both: FloatArray) -> bool:
    return bool(np.ptp(both[0]) and np.ptp(both[1]))


@given(pairs)
def test_measures_are_scipys_where_scores_differ_and_undefined_where_they_do_not(
    both: FloatArray,
) -> None:
    theirs = {pearson: stats.pearsonr, spearman: stats.spearmanr, kendall: stats.kendalltau}
    for ours, other in theirs.items():
        value = float(ours(*both))
        assert value == pytest.approx(other(*both)[0]) if varies(both) else isnan(value)


@given(pairs, st.floats(0.1, 9), st.integers(-5, 5))
def test_the_scale_of_a_metric_changes_nothing(both: FloatArray, scale: float, shift: int) -> None:
    for measure in MEASURES.values():
        moved = float(measure(scale * both[0] + shift, both[1]))
        assert moved == pytest.approx(float(measure(*both)), abs=1e-9, nan_ok=True)


@given(pairs)
def test_many_resamples_at_once_give_what_each_gives_alone(both: FloatArray) -> None:
    many = np.stack([both[0], both[0][::-1], np.zeros(len(both[0]))])
    for measure in MEASURES.values():
        alone = [float(measure(one, both[1])) for one in many]
        assert measure(many, np.broadcast_to(both[1], many.shape)).tolist() == pytest.approx(
            alone, nan_ok=True
        )


def test_accuracy_leaves_out_peoples_ties_and_counts_the_metrics_as_not_right() -> None:
    metric, human = np.array([1.0, 2, 2, 5]), np.array([1.0, 3, 2, 2])
    # decided: all but the last two; right: 1<2, 1<3, 1<4; a tie 2=3; wrong 2<4 where people say 2>4
    assert float(pairwise_accuracy(metric, human)) == 3 / 5
    assert isnan(float(pairwise_accuracy(metric, np.ones(4))))


def test_equal_scores_with_rounding_errors_have_no_correlation() -> None:
    nearly = np.array([0.1 + 0.2, 0.3, 0.3])
    assert isnan(float(pearson(nearly, np.array([1.0, 2, 3]))))


@pytest.mark.parametrize("freedom", range(1, 12))
def test_students_t_is_scipys(freedom: int) -> None:
    for t in (0.0, 0.3, 1.7, 40.0):
        assert t_p_value(t, freedom) == pytest.approx(2 * stats.t.sf(t, freedom), abs=1e-12)


def test_williams_t_is_that_of_a_published_example() -> None:
    # Steiger (1980) as worked in the manual of R's psych: t = -.89, p = .37 with n = 103
    assert williams_t(0.4, 0.5, 0.1, 103) == pytest.approx(-0.8913, abs=5e-5)
    assert t_p_value(0.8913, 100) == pytest.approx(0.375, abs=5e-4)


def test_williams_says_nothing_of_three_systems_or_of_one_metric_twice() -> None:
    up = np.array([1.0, 2, 4])
    assert isnan(williams(up, up[::-1], np.array([1.0, 3, 2])).t)
    four = np.array([1.0, 2, 4, 9])
    same = williams(four, four, np.array([1.0, 3, 2, 4]))
    assert isnan(same.t)


def test_all_orders_of_few_systems_give_the_exact_p() -> None:
    up = np.arange(4.0)
    found = permutation_p(up, up, "pearson", rng=np.random.default_rng(1))
    assert found == 2 / 24
    none = permutation_p(up, np.ones(4), "pearson", rng=np.random.default_rng(1))
    assert isnan(none)


def test_random_orders_come_near_the_p_of_the_t_distribution() -> None:
    rng = np.random.default_rng(5)
    x, y = rng.normal(size=(2, 12))
    found = permutation_p(x, y, "pearson", rng=np.random.default_rng(1), orders=20_000)
    assert found == pytest.approx(stats.pearsonr(x, y)[1], abs=0.02)
    assert permutation_p(x, x, "pearson", rng=rng, orders=99) == 0.01  # never 0


def test_undefined_scores_stay_undefined() -> None:
    for measure in MEASURES.values():
        assert isnan(float(measure(np.array([1.0, 2, 3]), np.array([1.0, nan, 3]))))
