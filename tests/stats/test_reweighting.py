"""A new system on judgments drawn for an old one."""

from __future__ import annotations

import numpy as np
import pytest

from jurybox.stats.reweighting import JudgedCases, retest

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


def test_intervals_hold_the_truth_over_many_draws() -> None:
    """Corpus of 1,000: old and new system flag different halves of the same errors."""
    rng = np.random.default_rng(3)
    error = np.zeros(2000)
    error[:200] = rng.random(200) < 0.6
    error[200:] = rng.random(1800) < 0.15
    new = rng.random(2000) < np.where(error > 0, 0.5, 0.1)
    truth = error[new].mean(), error[new].sum() / error.sum()
    held = np.zeros(2)
    draws = 1500
    for _ in range(draws):
        first = rng.choice(200, 80, replace=False)
        second = 200 + rng.choice(1800, 250, replace=False)
        cases = np.concatenate([first, second])
        judged = JudgedCases((cases >= 200).astype(np.int64), error[cases], new[cases])
        found = retest(judged, np.array([200, 1800]), flagged=int(new.sum()), finite=True)
        for place, one in enumerate((found.precision, found.recall)):
            held[place] += one.interval.low <= truth[place] <= one.interval.high
    assert (held / draws > 0.93).all()
    assert (held / draws < 0.975).all()
