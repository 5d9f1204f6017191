"""Scores on every case make a sample surer, and never biased."""

from __future__ import annotations

import numpy as np
import pytest

from jurybox.stats.prediction_powered import ScoredStratum, assist_part


def test_the_estimate_is_the_mean_score_put_right_by_the_sample() -> None:
    # scores are .1 too high on the sample, with slope 1 by construction
    error = np.array([0.0, 1.0] * 10)
    found = assist_part([ScoredStratum(100, error, error + 0.1)], 0.5, 100, finite=False)
    assert found.slope == pytest.approx(1.0)
    assert found.part.share[0] == pytest.approx(0.4)


def test_scores_that_do_not_vary_change_nothing() -> None:
    error = np.array([0.0, 1.0, 0.0, 0.0] * 5)
    found = assist_part([ScoredStratum(100, error, np.full(20, 0.3))], 0.3, 100, finite=False)
    assert found.slope == 0.0
    assert found.gain == pytest.approx(1.0)
    assert found.part.share[0] == pytest.approx(0.25)


def test_a_handful_of_cases_is_too_few_for_a_slope() -> None:
    error = np.array([0.0, 1.0, 1.0])
    found = assist_part([ScoredStratum(100, error, error)], 0.9, 100, finite=False)
    assert found.slope == 0.0


def test_over_many_draws_it_is_unbiased_and_surer_than_without_scores() -> None:
    rng = np.random.default_rng(1)
    error = (rng.random(5000) < 0.2).astype(float)
    score = np.clip(0.5 * error + 0.1 + rng.normal(0, 0.15, 5000), 0, 1)
    plain, helped = [], []
    for _ in range(800):
        drawn = rng.choice(5000, 120, replace=False)
        stratum = ScoredStratum(5000, error[drawn], score[drawn])
        helped.append(assist_part([stratum], score.mean(), 5000, finite=True).part.share[0])
        plain.append(error[drawn].mean())
    assert np.mean(helped) == pytest.approx(error.mean(), abs=0.004)
    assert np.var(helped) < 0.5 * np.var(plain)
