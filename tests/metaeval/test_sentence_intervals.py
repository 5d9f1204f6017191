"""Intervals of correlations over other sentences: known answers, bounds, and coverage."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from jurybox.metaeval.correlation import MEASURES, kendall, pearson
from jurybox.metaeval.intervals import correlation_over_sentences, sentence_ends

NAMES = ("pearson", "spearman", "kendall", "pairwise_accuracy")


def noisy(
    rng: np.random.Generator, r: float, noise: float, shape: tuple[int, int], resamples: int = 200
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Scores by a metric, true and seen scores by people, and resampled ones."""
    metric = rng.normal(size=shape)
    true = r * metric + sqrt(1 - r * r) * rng.normal(size=shape)
    seen = true + noise * rng.normal(size=shape)
    again = seen[:, np.newaxis] + noise * rng.normal(size=(shape[0], resamples, shape[1]))
    return metric, true, seen, again


@pytest.mark.parametrize("name", NAMES)
def test_without_noise_the_interval_is_the_value(name: str) -> None:
    metric, human = np.array([1.0, 2, 3, 4, 5]), np.array([2.0, 1, 3, 5, 4])
    drawn = np.tile(human, (20, 1))
    found = correlation_over_sentences(name, metric, human, drawn, sentences=50, level=0.95)
    value = float(MEASURES[name](metric, human))
    assert (found.low, found.high) == pytest.approx((value, value))


@pytest.mark.parametrize("name", NAMES)
def test_noise_that_hides_everything_leaves_the_whole_range(name: str) -> None:
    metric, _, seen, again = noisy(np.random.default_rng(4), 0.5, 50.0, (20, 6))
    low, high = sentence_ends(MEASURES[name], metric, seen, again)
    lowest = 0 if name == "pairwise_accuracy" else -1
    assert np.median(high - low) == pytest.approx(1 - lowest, abs=0.15)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["pearson", "spearman", "kendall"])
@pytest.mark.parametrize("r", [0.5, 0.9, 1.0])
def test_intervals_over_sentences_hold(name: str, r: float) -> None:
    metric, true, seen, again = noisy(np.random.default_rng(5), r, 0.3, (300, 10))
    low, high = sentence_ends(MEASURES[name], metric, seen, again)
    truth = MEASURES[name](metric, true)
    assert ((low <= truth + 1e-9) & (truth <= high + 1e-9)).mean() > 0.91


def test_percentiles_do_not_reach_a_complete_agreement_and_these_do() -> None:
    """The metric is people's true score; percentiles of noisy resamples never reach 1."""
    metric, _, seen, again = noisy(np.random.default_rng(2), 1.0, 0.3, (100, 12))
    assert (np.quantile(pearson(metric[:, np.newaxis], again), 0.975, axis=1) < 1).all()
    assert (sentence_ends(pearson, metric, seen, again)[1] > 1 - 1e-9).mean() > 0.9


def test_one_and_many_data_sets_have_the_same_intervals() -> None:
    metric, _, seen, again = noisy(np.random.default_rng(6), 0.8, 0.2, (3, 7))
    many = sentence_ends(kendall, metric, seen, again)
    for i in range(3):
        one = sentence_ends(kendall, metric[i], seen[i], again[i])
        assert [float(end) for end in one] == pytest.approx([float(end[i]) for end in many])


def test_a_level_is_kept_and_more_of_it_is_wider() -> None:
    metric, _, seen, again = noisy(np.random.default_rng(7), 0.8, 0.3, (1, 9), resamples=500)
    wide, narrow = (
        correlation_over_sentences(
            "pearson", metric[0], seen[0], again[0], sentences=100, level=level
        )
        for level in (0.99, 0.8)
    )
    assert wide.low < narrow.low < narrow.high < wide.high
    assert (wide.level, narrow.level) == (0.99, 0.8)


def test_resamples_without_a_score_are_left_out() -> None:
    metric, _, seen, again = noisy(np.random.default_rng(8), 0.8, 0.3, (1, 6))
    gaps = np.vstack([again[0], np.full((3, 6), np.nan)])
    found = [
        correlation_over_sentences("kendall", metric[0], seen[0], drawn, sentences=9, level=0.95)
        for drawn in (again[0], gaps)
    ]
    assert found[0] == found[1]


def test_two_systems_have_an_interval() -> None:
    metric, human = np.array([0.0, 1.0]), np.array([0.2, 0.8])
    rng = np.random.default_rng(9)
    sure = human + 0.01 * rng.normal(size=(100, 2))
    unsure = human + rng.normal(size=(100, 2))
    ends = [sentence_ends(kendall, metric, human, drawn) for drawn in (sure, unsure)]
    assert [float(end) for end in ends[0]] == [1, 1]
    assert [float(end) for end in ends[1]] == [-1, 1]
