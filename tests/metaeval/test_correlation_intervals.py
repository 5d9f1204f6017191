"""Intervals of correlations over few systems: by hand, at the ends, and how often they hold."""

from __future__ import annotations

from math import atanh, isnan, pi, sin, sqrt, tanh

import numpy as np
import pytest

from jurybox.errors import UsageError
from jurybox.metaeval.correlation import MEASURES, kendall, pearson
from jurybox.metaeval.intervals import correlation_interval


def test_pearson_by_hand() -> None:
    found = correlation_interval("pearson", 0.6, 28)
    assert found.low == pytest.approx(tanh(atanh(0.6) - 1.959964 / 5))
    assert found.high == pytest.approx(tanh(atanh(0.6) + 1.959964 / 5))


@pytest.mark.parametrize("name", ["spearman", "kendall"])
def test_a_perfect_order_of_few_systems_is_no_certainty(name: str) -> None:
    few, many = (correlation_interval(name, 1.0, systems) for systems in (6, 40))
    assert few.high == many.high == 1
    assert few.low < 0.7
    assert 0.9 < many.low < 1


def test_pairwise_accuracy_has_the_ends_of_tau() -> None:
    tau = correlation_interval("kendall", 0.4, 9)
    found = correlation_interval("pairwise_accuracy", 0.7, 9)
    assert (found.low, found.high) == pytest.approx(((tau.low + 1) / 2, (tau.high + 1) / 2))


def test_too_few_systems_have_no_interval() -> None:
    for name, few in (("pearson", 3), ("spearman", 3), ("kendall", 4), ("pairwise_accuracy", 4)):
        assert isnan(correlation_interval(name, 0.5, few).low)
        assert not isnan(correlation_interval(name, 0.5, few + 1).low)


@pytest.mark.parametrize("systems", [5, pytest.param(12, marks=pytest.mark.slow)])
def test_intervals_of_five_and_of_twelve_systems_hold(systems: int) -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=(2000, systems))
    y = 0.8 * x + 0.6 * rng.normal(size=(2000, systems))
    truths = {"pearson": 0.8, "kendall": 2 / np.pi * np.arcsin(0.8)}
    for name, measure in (("pearson", pearson), ("kendall", kendall)):
        ends = [correlation_interval(name, float(value), systems)[:2] for value in measure(x, y)]
        low, high = np.array(ends).T
        assert ((low <= truths[name]) & (truths[name] <= high)).mean() > 0.93


@pytest.mark.parametrize("name", ["spearman", "kendall"])
@pytest.mark.parametrize("systems", [5, 12])
def test_rank_intervals_are_those_of_a_test(name: str, systems: int) -> None:
    """At its lower end a correlation is seen as high as observed in 2.5 % of new samples."""
    rng = np.random.default_rng(3)
    value = 0.6 if name == "kendall" else 0.7
    low = correlation_interval(name, value, systems).low
    r = sin(pi / 2 * low) if name == "kendall" else 2 * sin(pi / 6 * low)
    x = rng.normal(size=(20_000, systems))
    y = r * x + sqrt(1 - r * r) * rng.normal(size=x.shape)
    assert (MEASURES[name](x, y) >= value - 1e-9).mean() == pytest.approx(0.025, abs=0.005)


@pytest.mark.parametrize("name", ["spearman", "kendall"])
def test_rank_intervals_are_mirrored_with_the_order(name: str) -> None:
    one, other = (correlation_interval(name, value, 9) for value in (0.5, -0.5))
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low))


def test_no_level_is_refused() -> None:
    with pytest.raises(UsageError):
        correlation_interval("kendall", 0.5, 9, level=1.2)
