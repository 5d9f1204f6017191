"""A new system on judgments drawn for an old one."""

from __future__ import annotations

import numpy as np
import pytest

from jurybox.stats.reweighting import NONE_PASSED, ONE_CASE, JudgedCases, retest
from jurybox.stats.score_bounds import OneShare, TwoShares, recall_bounds

SIZES = np.array([100, 900])


def sample(flags: list[bool], errors: list[float], flagged_of_old: int) -> JudgedCases:
    stratum = np.array([0] * flagged_of_old + [1] * (len(flags) - flagged_of_old))
    return JudgedCases(stratum, np.array(errors), np.array(flags))


def test_weights_undo_the_rates_of_the_draw() -> None:
    # old: 4 of 100 judged (each stands for 25), 6 of 900 (each for 150); new flags one of each
    judged = sample(
        [True] + [False] * 3 + [True] + [False] * 5, [1.0, 1, 0, 0, 0, 1, 0, 0, 0, 0], 4
    )
    found = retest(judged, SIZES)
    assert found.flagged == pytest.approx((25 + 150) / 1000)
    assert found.precision.value == pytest.approx(25 / 175)
    assert found.hits.value == pytest.approx(0.025)
    assert found.misses.value == pytest.approx((25 + 150) / 1000)
    assert found.recall.value == pytest.approx(25 / 200)
    assert found.precision.effective == pytest.approx(175**2 / (25**2 + 150**2))


def test_the_number_of_flagged_cases_is_used_where_it_is_known() -> None:
    judged = sample(
        [True] + [False] * 3 + [True] + [False] * 5, [1.0, 1, 0, 0, 0, 1, 0, 0, 0, 0], 4
    )
    found = retest(judged, SIZES, flagged=100)
    assert found.flagged == 0.1
    assert found.hits.value == pytest.approx(0.1 * 25 / 175)
    assert found.hits.value + found.false_positives.value == pytest.approx(0.1)
    assert found.hits.interval.high <= 0.1


def test_a_system_that_flags_no_judged_case_has_no_precision() -> None:
    found = retest(sample([False] * 4, [1.0, 0, 0, 0], 2), SIZES)
    assert np.isnan(found.precision.value)
    assert "none of the judged cases" in found.precision.interval.reason
    assert found.recall.value == 0.0


def test_without_errors_there_is_no_recall() -> None:
    found = retest(sample([True, False, True, False], [0.0] * 4, 2), SIZES)
    assert np.isnan(found.recall.value)
    assert found.precision.value == 0.0
    assert found.precision.interval.high > 0.3  # four cases are no certainty


def test_no_miss_among_few_judged_cases_leaves_doubt_about_recall() -> None:
    # the new system flags what the old one does; 10 of 100 judged, 20 of 900, no miss among them
    flags = [True] * 10 + [False] * 20
    found = retest(sample(flags, [1.0] * 8 + [0.0] * 22, 10), SIZES, flagged=100)
    one = np.ones(1)
    two = TwoShares(OneShare(0.8 * one, 10 * one, 0.1), OneShare(0 * one, 20 * one, 0.9))
    low, high = recall_bounds(two)
    assert found.recall.value == 1.0
    assert found.recall.interval.low == pytest.approx(low[0], abs=1e-6)
    assert found.recall.interval.high == pytest.approx(high[0], abs=1e-6)
    assert found.recall.interval.low < 0.5
    assert found.misses.interval.high > 0.1


def test_a_single_judged_case_of_a_stratum_leaves_no_interval() -> None:
    found = retest(sample([True, False, True, False], [1.0, 0, 1, 0], 1), SIZES, flagged=300)
    assert found.precision.value == 1.0
    assert np.isnan(found.precision.interval.low)
    assert found.recall.interval.reason == ONE_CASE


def test_a_system_that_flags_every_judged_case_leaves_its_misses_unknown() -> None:
    found = retest(sample([True] * 4, [1.0, 0, 1, 0], 2), SIZES, flagged=300)
    assert np.isnan(found.misses.value)
    assert np.isnan(found.recall.value)
    assert found.recall.interval.reason == NONE_PASSED


@pytest.mark.parametrize(
    ("draws", "least"), [(15, 0.8), pytest.param(600, 0.925, marks=pytest.mark.slow)]
)
def test_intervals_hold_the_truth_over_many_draws(draws: int, least: float) -> None:
    """Corpus of 1,000: old and new system flag different halves of the same errors."""
    rng = np.random.default_rng(3)
    error = np.zeros(2000)
    error[:200] = rng.random(200) < 0.6
    error[200:] = rng.random(1800) < 0.15
    new = rng.random(2000) < np.where(error > 0, 0.5, 0.1)
    truth = error[new].mean(), error[new].sum() / error.sum()
    held = np.zeros(2)
    for _ in range(draws):
        first = rng.choice(200, 80, replace=False)
        second = 200 + rng.choice(1800, 250, replace=False)
        cases = np.concatenate([first, second])
        judged = JudgedCases((cases >= 200).astype(np.int64), error[cases], new[cases])
        found = retest(judged, np.array([200, 1800]), flagged=int(new.sum()), finite=True)
        for place, one in enumerate((found.precision, found.recall)):
            held[place] += one.interval.low <= truth[place] <= one.interval.high
    assert (held / draws > least).all()
    assert draws < 100 or (held / draws < 0.98).all()
