"""Brier score and calibration of scores against the share of judges."""

from __future__ import annotations

from math import nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.errors import LengthError, UsageError
from jurybox.jury.calibration import brier_score, calibrate

unit = st.floats(0, 1)
rows = st.lists(st.tuples(unit, unit), min_size=1, max_size=20)


def test_brier_of_forecasts_of_single_events_is_his() -> None:
    # Brier 1950: mean squared distance of the forecast from 1 or 0
    found = brier_score(np.array([0.7, 0.9, 0.8, 0.4]), np.array([0.0, 1, 1, 0]))
    assert found.value == pytest.approx((0.49 + 0.01 + 0.04 + 0.16) / 4)
    assert found.constant == 0.25
    assert found.skill == pytest.approx(1 - 0.175 / 0.25)


def test_cases_without_score_or_judgment_are_left_out() -> None:
    found = brier_score(np.array([0.5, nan, 0.5]), np.array([1.0, 0, nan]))
    assert (found.value, found.n) == (0.25, 1)


def test_scores_that_are_no_probabilities_have_a_reason_instead_of_a_value() -> None:
    found = brier_score(np.array([0.5, 1.5, -2.0]), np.array([1.0, 0, 0]))
    assert np.isnan(found.value)
    assert found.reason.startswith("2 scores are not between 0 and 1")
    assert calibrate(np.array([0.5, 1.5]), np.ones(2)).reason.startswith("1 scores")
    nothing = brier_score(np.array([nan]), np.array([0.5]))
    assert nothing.reason == "no case has both a score and a judgment"


def test_constant_truth_has_no_skill_to_show() -> None:
    assert np.isnan(brier_score(np.array([0.5, 0.5]), np.array([1.0, 1.0])).skill)


def test_overconfident_scores_show_in_the_bins() -> None:
    found = calibrate(np.array([0.95, 0.9, 0.1, 1.0]), np.array([0.7, 0.6, 0.2, 0.8]), bins=10)
    last = found.bins[-1]
    assert last.n == 3
    assert last.mean_score == pytest.approx(0.95)
    assert last.mean_p == pytest.approx(0.7)
    assert np.isnan(found.bins[5].mean_p)
    assert found.bins[1].n == 1, "a score on an edge is in the bin that begins there"
    assert found.error == pytest.approx((3 * 0.25 + 0.1) / 4)


@given(pairs=rows)
def test_bins_hold_every_case_and_their_means_are_those_of_all(
    pairs: list[tuple[float, float]],
) -> None:
    scores, p = (np.array(column) for column in zip(*pairs, strict=True))
    bins = calibrate(scores, p, bins=7).bins
    filled = [part for part in bins if part.n]
    assert sum(part.n for part in bins) == len(pairs)
    assert sum(part.n * part.mean_p for part in filled) == pytest.approx(p.sum())
    assert all(part.low <= part.mean_score <= part.high + 1e-12 for part in filled)


@given(pairs=rows)
def test_saying_p_is_perfect_and_the_mean_is_the_constant(
    pairs: list[tuple[float, float]],
) -> None:
    p = np.array([share for _, share in pairs])
    assert brier_score(p, p).value == 0
    assert calibrate(p, p).error == pytest.approx(0, abs=1e-12)
    mean = brier_score(np.full(len(p), p.mean()), p)
    assert mean.value == pytest.approx(mean.constant)


def test_bad_requests_are_refused() -> None:
    with pytest.raises(UsageError, match="at least 1 bin"):
        calibrate(np.ones(1), np.ones(1), bins=0)
    with pytest.raises(LengthError, match="scores has 2 cases, p has 1"):
        brier_score(np.ones(2), np.ones(1))
