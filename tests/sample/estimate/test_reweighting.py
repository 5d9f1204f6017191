"""A new system on judgments drawn for an old one."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from jurybox.sample.estimate.reweighting import NONE_PASSED, ONE_CASE, JudgedCases, Retest
from jurybox.sample.estimate.reweighting import retest as retest_with
from jurybox.sample.options import About

SIZES = np.array([100, 900])


def retest(
    judged: JudgedCases,
    sizes: NDArray[np.int64],
    *,
    flagged: int | None = None,
    about: About = "text",
    alike: NDArray[np.int64] | None = None,
) -> Retest:
    rng = np.random.default_rng(11)
    return retest_with(judged, sizes, rng, flagged=flagged, about=about, alike=alike)


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
    assert found.precision.estimate == pytest.approx(25 / 175)
    assert found.hits.estimate == pytest.approx(0.025)
    assert found.misses.estimate == pytest.approx((25 + 150) / 1000)
    assert found.recall.estimate == pytest.approx(25 / 200)
    assert found.precision.effective == pytest.approx(175**2 / (25**2 + 150**2))


def test_the_number_of_flagged_cases_is_used_where_it_is_known() -> None:
    judged = sample(
        [True] + [False] * 3 + [True] + [False] * 5, [1.0, 1, 0, 0, 0, 1, 0, 0, 0, 0], 4
    )
    found = retest(judged, SIZES, flagged=100)
    assert found.flagged == 0.1
    assert found.hits.estimate == pytest.approx(0.1 * 25 / 175)
    assert found.hits.estimate + found.false_positives.estimate == pytest.approx(0.1)
    assert found.hits.high <= 0.1


def test_a_system_that_flags_no_judged_case_has_no_precision() -> None:
    found = retest(sample([False] * 4, [1.0, 0, 0, 0], 2), SIZES)
    assert np.isnan(found.precision.estimate)
    assert "none of the judged cases" in found.precision.reason
    assert found.recall.estimate == 0.0


def test_without_errors_there_is_no_recall() -> None:
    found = retest(sample([True, False, True, False], [0.0] * 4, 2), SIZES)
    assert np.isnan(found.recall.estimate)
    assert found.precision.estimate == 0.0
    assert found.precision.high > 0.3  # four cases are no certainty


def test_no_miss_among_few_judged_cases_leaves_doubt_about_recall() -> None:
    # the new system flags what the old one does; 10 of 100 judged, 20 of 900, no miss among them
    flags = [True] * 10 + [False] * 20
    found = retest(sample(flags, [1.0] * 8 + [0.0] * 22, 10), SIZES, flagged=100)
    assert found.recall.estimate == 1.0
    assert found.recall.high == 1.0
    assert found.recall.low < 0.5
    assert found.misses.high > 0.1


def test_a_single_judged_case_of_a_stratum_leaves_no_interval() -> None:
    found = retest(sample([True, False, True, False], [1.0, 0, 1, 0], 1), SIZES, flagged=300)
    assert found.precision.estimate == 1.0
    assert np.isnan(found.precision.low)
    assert found.recall.reason == ONE_CASE


def test_a_system_that_flags_every_judged_case_leaves_its_misses_unknown() -> None:
    found = retest(sample([True] * 4, [1.0, 0, 1, 0], 2), SIZES, flagged=300)
    assert np.isnan(found.misses.estimate)
    assert np.isnan(found.recall.estimate)
    assert found.recall.reason == NONE_PASSED


def test_what_no_judged_case_shows_is_not_taken_for_nothing() -> None:
    # 60 of 100,000 cases that the old system passed were judged, and the new one flags none of
    # them; but it flags 500 more than there are among those that the old one flagged
    flags = [True] * 40 + [False] * 60
    found = retest(
        sample(flags, [1.0] * 36 + [0.0] * 64, 40), np.array([500, 100_000]), flagged=1000
    )
    assert found.precision.estimate == 0.9
    assert found.precision.low < 0.55  # half of what it flags may be no error
    assert found.precision.high > 0.9


def test_of_these_very_cases_nothing_is_possible_that_was_judged_otherwise() -> None:
    # 90 of 100 judged: 60 hits and 30 false positives are there, whatever the other 10 are
    flags = [True] * 90 + [False] * 400
    judged = sample(flags, [1.0] * 60 + [0.0] * 30 + [1.0] * 100 + [0.0] * 300, 90)
    found = retest(judged, np.array([100, 500]), flagged=100, about="corpus")
    assert found.hits.low >= 60 / 600
    assert found.hits.high <= 70 / 600
    assert found.misses.low >= 100 / 600
    assert found.misses.high <= 200 / 600
    everything = retest(
        sample([True, False, False], [1.0, 1.0, 0.0], 1),
        np.array([1, 2]),
        flagged=1,
        about="corpus",
    )
    assert (everything.recall.low, everything.recall.high) == (0.5, 0.5)


def test_the_same_random_numbers_give_the_same_interval() -> None:
    judged = sample([True] * 10 + [False] * 20, [1.0] * 8 + [0.0] * 22, 10)
    assert retest(judged, SIZES, flagged=100) == retest(judged, SIZES, flagged=100)


class Corpus(NamedTuple):
    """Strata: how many cases, how many drawn, errors; how often errors and others are flagged."""

    strata: tuple[tuple[int, int, float, float, float], ...]
    labels: tuple[int, ...]


COMMON_MISSES = Corpus(((200, 80, 0.6, 0.5, 0.1), (1800, 250, 0.15, 0.5, 0.1)), (0, 1))
RARE_MISSES = Corpus(((300, 60, 0.6, 0.8, 0.5), (3700, 120, 0.02, 0.3, 0.01)), (0, 1))
HUGE_REST = Corpus(((1000, 100, 0.7, 0.8, 0.5), (100_000, 200, 0.02, 0.2, 0.003)), (0, 1))
UNEVEN_STRATA = Corpus(
    (
        *((200, 40, 0.5, 0.7, 0.3), (100, 60, 0.8, 0.9, 0.6), (5000, 100, 0.01, 0.2, 0.005)),
        *((1000, 100, 0.04, 0.3, 0.02), (200, 50, 0.2, 0.5, 0.1)),
    ),
    (0, 0, 1, 1, 1),
)


@pytest.mark.parametrize(
    ("draws", "least"), [(15, 0.7), pytest.param(600, 0.925, marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("corpus", [COMMON_MISSES, RARE_MISSES, HUGE_REST, UNEVEN_STRATA])
def test_intervals_hold_the_truth_over_many_draws(corpus: Corpus, draws: int, least: float) -> None:
    rng = np.random.default_rng(3)
    sizes = np.array([one[0] for one in corpus.strata])
    stratum = np.repeat(np.arange(len(sizes)), sizes)
    shares = np.array([one[2:] for one in corpus.strata])[stratum]
    error = (rng.random(len(stratum)) < shares[:, 0]).astype(float)
    new = rng.random(len(stratum)) < np.where(error > 0, shares[:, 1], shares[:, 2])
    truth = error[new].mean(), error[new].sum() / error.sum()
    held = np.zeros(2)
    for _ in range(draws):
        cases = np.concatenate(
            [
                rng.choice(np.flatnonzero(stratum == k), one[1], replace=False)
                for k, one in enumerate(corpus.strata)
            ]
        )
        judged = JudgedCases(stratum[cases], error[cases], new[cases])
        alike = np.array(corpus.labels)
        found = retest_with(judged, sizes, rng, alike=alike, flagged=int(new.sum()), about="corpus")
        for place, one in enumerate((found.precision, found.recall)):
            held[place] += one.low <= truth[place] <= one.high
    assert (held / draws > least).all(), held / draws
