"""The stratified bootstrap has the spread that theory gives a stratified mean."""

from __future__ import annotations

import numpy as np
import pytest

from jurybox.stats.sampling import Stratum, estimate_share
from jurybox.stats.stratified_bootstrap import JudgedStratum, resample_part

TWO = [
    JudgedStratum(900, np.array([0.0, 1.0]), np.array([[9, 36]])),
    JudgedStratum(100, np.array([0.0, 1.0]), np.array([[36, 9]])),
]


@pytest.mark.parametrize("finite", [True, False])
def test_its_standard_error_is_that_of_the_reference_value(finite: bool) -> None:
    shares = resample_part(TWO, np.random.default_rng(1), 40_000, finite=finite)
    strata = [Stratum(900, 45, 36), Stratum(100, 45, 9)]
    known = estimate_share(strata, finite=finite).standard_error
    if not finite:  # n - 1 cases are drawn, which makes the variance unbiased
        known *= np.sqrt(45 / 44)
    assert shares.mean() == pytest.approx(0.74, abs=0.002)
    assert shares.std() == pytest.approx(known, rel=0.02)


def test_graded_shares_are_resampled_by_value() -> None:
    graded = JudgedStratum(1000, np.array([0.0, 0.5, 1.0]), np.array([[10, 20, 10]]))
    shares = resample_part([graded], np.random.default_rng(1), 20_000, finite=False)
    assert shares.std() == pytest.approx(np.sqrt(0.125 / 39), rel=0.03)


def test_a_sample_without_errors_gives_resamples_without_errors() -> None:
    none = JudgedStratum(1000, np.array([0.0, 1.0]), np.array([[40, 0]]))
    assert not resample_part([none], np.random.default_rng(1), 100, finite=False).any()


def test_samples_are_resampled_one_by_one() -> None:
    many = JudgedStratum(1000, np.array([0.0, 1.0]), np.array([[40, 0], [0, 40], [20, 20]]))
    shares = resample_part([many], np.random.default_rng(1), 2000, finite=False)
    assert shares.mean(axis=1) == pytest.approx([0, 1, 0.5], abs=0.01)
