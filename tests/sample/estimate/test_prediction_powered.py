"""Scores on every case make a sample surer, and never biased."""

from __future__ import annotations

import numpy as np
import pytest

from jurybox.sample.estimate.sampled_parts import ScoredStratum, assist_part


def test_the_estimate_is_the_mean_score_put_right_by_the_sample() -> None:
    # scores are .1 too high on the sample, with slope 1 by construction
    error = np.array([0.0, 1.0] * 10)
    found = assist_part([ScoredStratum(100, error, error + 0.1)], 0.5, 100, about="text")
    assert found.slope == pytest.approx(1.0)
    assert found.part.share[0] == pytest.approx(0.4)


def test_scores_that_do_not_vary_change_nothing() -> None:
    error = np.array([0.0, 1.0, 0.0, 0.0] * 5)
    found = assist_part([ScoredStratum(100, error, np.full(20, 0.3))], 0.3, 100, about="text")
    assert found.slope == 0.0
    assert found.gain == pytest.approx(1.0)
    assert found.part.share[0] == pytest.approx(0.25)


@pytest.mark.parametrize("errors", [2, 38])
def test_a_handful_of_errors_or_of_others_is_too_few_for_a_slope(errors: int) -> None:
    error = np.repeat([1.0, 0.0], [errors, 40 - errors])
    found = assist_part([ScoredStratum(100, error, error)], 0.9, 100, about="text")
    assert found.slope == 0.0
    assert found.part.share[0] == pytest.approx(errors / 40)


def test_judged_cases_that_are_all_alike_leave_the_doubt_that_they_leave_without_scores() -> None:
    score = np.linspace(0, 0.4, 20)
    found = assist_part([ScoredStratum(100, np.zeros(20), score)], 0.2, 100, about="text")
    assert (found.slope, found.gain, found.part.share[0]) == (0.0, 1.0, 0.0)
    assert found.part.n[0] == pytest.approx(20)
    assert found.part.counts is not None  # for the exact interval


def test_scores_that_were_right_about_all_judged_cases_are_no_certainty() -> None:
    error = np.array([0.0, 1.0] * 10)
    corpus, text = (
        assist_part([ScoredStratum(1000, error, error)], 0.5, 1000, about=about)
        for about in ("corpus", "text")
    )
    assert corpus.slope == text.slope == pytest.approx(1.0)
    # half a case of 20 may be off: .025 (1 - .025) / 20, 980 of 1,000 unseen; against .5 (1 - .5)
    off = 0.025 * 0.975 / 20 * 0.98
    assert corpus.part.n[0] == pytest.approx(0.25 / off)
    # no score makes the 1,000 cases more than a sample of their kind
    assert text.part.n[0] == pytest.approx(0.25 / (off + 0.25 / 1000))


def test_over_many_draws_it_is_unbiased_and_surer_than_without_scores() -> None:
    rng = np.random.default_rng(1)
    error = (rng.random(5000) < 0.2).astype(float)
    score = np.clip(0.5 * error + 0.1 + rng.normal(0, 0.15, 5000), 0, 1)
    plain, helped = [], []
    for _ in range(800):
        drawn = rng.choice(5000, 120, replace=False)
        stratum = ScoredStratum(5000, error[drawn], score[drawn])
        helped.append(assist_part([stratum], score.mean(), 5000, about="corpus").part.share[0])
        plain.append(error[drawn].mean())
    assert np.mean(helped) == pytest.approx(error.mean(), abs=0.004)
    assert np.var(helped) < 0.5 * np.var(plain)
