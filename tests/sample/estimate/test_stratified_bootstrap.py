"""The stratified bootstrap has the spread that theory gives a stratified mean."""

from __future__ import annotations

import numpy as np
import pytest

from jurybox.sample.estimate.sampled_parts import CountedShares, resample_parts, size_alone
from jurybox.sample.options import About
from jurybox.stats.proportions import FloatArray
from reference_sampling import Stratum, estimate_share

TWO = [
    CountedShares(900, np.array([0.0, 1.0]), np.array([[9, 36]])),
    CountedShares(100, np.array([0.0, 1.0]), np.array([[36, 9]])),
]


def resample(strata: list[CountedShares], resamples: int, about: About = "text") -> FloatArray:
    return resample_parts([strata], np.random.default_rng(1), resamples, about=about)[0].share


@pytest.mark.parametrize("about", ["corpus", "text"])
def test_its_standard_error_is_that_of_the_reference_value(about: About) -> None:
    shares = resample(TWO, 40_000, about)
    strata = [Stratum(900, 45, 36), Stratum(100, 45, 9)]
    known = estimate_share(strata, finite=about == "corpus").standard_error
    if about == "text":
        # n - 1 cases are drawn, which makes the variance unbiased; and sizes of strata are chance:
        # shares .8 and .2, weights .9 and .1, 1,000 cases
        known = np.sqrt(known**2 * 45 / 44 + 0.9 * 0.1 * (0.8 - 0.2) ** 2 / 1000)
    assert shares.mean() == pytest.approx(0.74, abs=0.002)
    assert shares.std() == pytest.approx(known, rel=0.02)


def test_about_text_the_sizes_of_parts_are_drawn_anew_and_about_the_corpus_they_are_known() -> None:
    parts = [[TWO[0]], [size_alone(100)]]
    text, corpus = (
        resample_parts(parts, np.random.default_rng(1), 20_000, about=about)[1].weight
        for about in ("text", "corpus")
    )
    assert text.mean() == pytest.approx(0.1, rel=0.01)
    assert text.std() == pytest.approx(np.sqrt(0.1 * 0.9 / 1000), rel=0.03)
    assert corpus.std() < 1e-12


def test_graded_shares_are_resampled_by_value() -> None:
    graded = CountedShares(1000, np.array([0.0, 0.5, 1.0]), np.array([[10, 20, 10]]))
    shares = resample([graded], 20_000)
    assert shares.std() == pytest.approx(np.sqrt(0.125 / 39), rel=0.03)


def test_a_sample_without_errors_gives_resamples_without_errors() -> None:
    none = CountedShares(1000, np.array([0.0, 1.0]), np.array([[40, 0]]))
    assert not resample([none], 100).any()


def test_samples_are_resampled_one_by_one() -> None:
    many = CountedShares(1000, np.array([0.0, 1.0]), np.array([[40, 0], [0, 40], [20, 20]]))
    shares = resample([many], 2000)
    assert shares.mean(axis=1) == pytest.approx([0, 1, 0.5], abs=0.01)
