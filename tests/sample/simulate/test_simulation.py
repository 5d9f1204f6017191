"""Coverage of intervals over simulated draws; small settings only, the study has the large ones."""

from __future__ import annotations

import numpy as np
import pytest

from jurybox.sample.options import ABOUT, About
from jurybox.sample.simulate import SimulateOptions
from jurybox.sample.simulate.result import IntervalCoverage
from jurybox.sample.simulate.simulation import KnownPart, Setting, know_part, simulate
from jurybox.stats.proportions import binomial_test

YES_OR_NO = np.array([0.0, 1.0])
#: prepositions of the ten-annotator essays that CAMB flags, and those it does not
FLAGGED = KnownPart(YES_OR_NO, np.array([122, 85]))
PASSED = KnownPart(YES_OR_NO, np.array([2662, 127]))


def options(about: About, draws: int) -> SimulateOptions:
    return SimulateOptions(error=1, ok=1, about=about, draws=draws, resamples=0)


def run(
    setting: Setting, about: About = "corpus", draws: int = 4000
) -> dict[tuple[str, str], IntervalCoverage]:
    found = simulate(FLAGGED, PASSED, setting, np.random.default_rng(7), options(about, draws))
    return {(one.measure, one.method): one for one in found}


@pytest.mark.parametrize("draws", [500, pytest.param(4000, marks=pytest.mark.slow)])
def test_the_interval_of_the_paper_fails_where_misses_are_rare_and_the_recommended_does_not(
    draws: int,
) -> None:
    found = run(Setting(50, 100), draws=draws)
    assert found["recall", "delta"].coverage < 0.935
    assert found["recall", "corrected"].p_two_sided is not None
    assert found["recall", "corrected"].p_two_sided > 0.01
    assert found["precision", "exact"].p_two_sided is not None
    assert found["precision", "exact"].p_two_sided > 0.01


def test_truth_of_each_measure_is_that_of_the_whole_corpus() -> None:
    found = run(Setting(20, 20), draws=10)
    assert found["precision", "wald"].truth == pytest.approx(85 / 207)
    assert found["recall", "delta"].truth == pytest.approx(85 / 212)
    assert found["misses", "wald"].truth == pytest.approx(127 / 2996)


def test_a_part_that_is_drawn_as_a_whole_is_known_and_not_tested() -> None:
    found = run(Setting(207, 100), draws=50)
    one = found["precision", "exact"]
    assert one.coverage == 1.0
    assert one.p_two_sided is None
    assert one.width == pytest.approx(0.0, abs=1e-9)


@pytest.mark.slow
def test_intervals_about_all_text_are_wider_than_those_about_the_corpus() -> None:
    corpus, endless = (
        run(Setting(150, 100), draws=20),
        run(Setting(150, 100), "text", draws=20),
    )
    assert corpus["precision", "wald"].width < 0.6 * endless["precision", "wald"].width


def test_shares_of_several_judges_are_drawn_by_value() -> None:
    graded = know_part(np.repeat([0.0, 0.5, 1.0], [60, 20, 20]))
    for about in ABOUT:
        rng = np.random.default_rng(1)
        found = simulate(graded, PASSED, Setting(40, 100), rng, options(about, 1000))
        methods = {one.method: one.coverage for one in found if one.measure == "precision"}
        assert "exact" not in methods
        assert 0.93 < methods["wilson"] < 0.97


def test_binomial_test_against_values_that_can_be_added_by_hand() -> None:
    # 0 of 3 at one half: 1/8 on one side; as unlikely on the other: 3 of 3
    assert binomial_test(0, 3, 0.5) == pytest.approx((0.25, 0.125))
    assert binomial_test(3800, 4000, 0.95).two_sided == pytest.approx(1.0)
    assert binomial_test(3760, 4000, 0.95).two_sided < 0.01
