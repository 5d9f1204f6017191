"""Estimates from samples of parts of a corpus: known answers, properties, simulation."""

from __future__ import annotations

from math import isnan, nan, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.errors import InputError
from jurybox.stats.proportions import wilson_interval
from reference_sampling import (
    NO_ERRORS,
    NO_WIDTH,
    NOT_FLAGGED,
    ONE_CASE,
    SampledDetection,
    SampleEstimate,
    Stratum,
    estimate_detection,
    estimate_share,
)

#: Tetreault and Chodorow 2008, Figure 1: 10,000 cases, a tenth of them flagged
FIGURE_1 = [Stratum(1000, 750, 600, flagged=True), Stratum(9000, 1500, 450)]


def ends(estimate: SampleEstimate) -> tuple[float, float]:
    return estimate.wald.low, estimate.wald.high


def test_figure_1_and_table_5_of_tetreault_and_chodorow_2008() -> None:
    found = estimate_detection(FIGURE_1)
    assert found.hits.value == pytest.approx(0.08)
    assert found.false_positives.value == pytest.approx(0.02)
    assert found.misses.value == pytest.approx(0.27)
    assert found.precision.value == pytest.approx(0.80)
    assert found.recall.value == pytest.approx(0.23, abs=0.005)


def test_intervals_of_tetreault_and_chodorow_2008_section_6_3() -> None:
    found = estimate_detection(FIGURE_1)
    assert ends(found.hits) == pytest.approx((0.077, 0.083), abs=5e-4)
    assert ends(found.precision) == pytest.approx((0.77, 0.83), abs=5e-3)
    assert ends(found.recall) == pytest.approx((0.214, 0.244), abs=5e-4)


def test_stratified_estimate_of_the_reference_values() -> None:
    found = estimate_share([Stratum(900, 45, 36), Stratum(100, 45, 9)], finite=True)
    assert found.value == pytest.approx(0.740)
    assert found.standard_error == pytest.approx(0.053087, abs=5e-7)


def test_one_part_has_the_wilson_interval_of_its_sample_times_its_weight() -> None:
    found = estimate_detection(FIGURE_1)
    low, high = wilson_interval(450, 1500)
    wilson = found.misses.wilson
    assert (wilson.low, wilson.high) == pytest.approx((0.9 * low, 0.9 * high))
    low, high = wilson_interval(600, 750)
    assert (found.precision.wilson.low, found.precision.wilson.high) == pytest.approx((low, high))


def test_recalls_delta_interval_is_what_resampling_gives() -> None:
    rng = np.random.default_rng(8)
    hits = rng.binomial(750, 0.8, 200_000) / 750 * 0.1
    misses = rng.binomial(1500, 0.3, 200_000) / 1500 * 0.9
    drawn = hits / (hits + misses)
    recall = estimate_detection(FIGURE_1).recall
    assert recall.standard_error == pytest.approx(drawn.std(), rel=0.02)
    assert ends(recall) == pytest.approx(np.quantile(drawn, (0.025, 0.975)), abs=1e-3)


def test_samples_without_replacement_spread_as_the_finite_correction_says() -> None:
    rng = np.random.default_rng(5)
    corpus = [(np.arange(60) < 24, 40), (np.arange(30) < 6, 10)]
    values, errors = [], []
    for _ in range(4000):
        drawn = [Stratum(len(part), n, int(rng.permutation(part)[:n].sum())) for part, n in corpus]
        found = estimate_share(drawn, finite=True)
        values.append(found.value)
        errors.append(found.standard_error**2)
    assert np.mean(values) == pytest.approx(30 / 90, abs=0.003)
    assert np.mean(errors) == pytest.approx(np.var(values), rel=0.08)


def strata(*, flagged: bool) -> st.SearchStrategy[Stratum]:
    def fill(numbers: tuple[int, int, int]) -> Stratum:
        errors, rest, unseen = numbers
        return Stratum(errors + rest + unseen, errors + rest, errors, flagged)

    counts = st.tuples(st.integers(0, 40), st.integers(0, 40), st.integers(0, 400))
    return counts.filter(lambda numbers: numbers[0] + numbers[1] > 1).map(fill)


@given(
    st.lists(strata(flagged=True), min_size=1, max_size=3),
    st.lists(strata(flagged=False), min_size=1, max_size=3),
    st.booleans(),
)
def test_shares_add_up_and_intervals_hold_their_value(
    flagged: list[Stratum], passed: list[Stratum], finite: bool
) -> None:
    found = estimate_detection([*passed, *flagged], finite=finite)
    weight = sum(one.size for one in flagged) / sum(one.size for one in [*flagged, *passed])
    assert found.hits.value + found.false_positives.value == pytest.approx(weight)
    assert estimate_share([*flagged, *passed], finite=finite).value == pytest.approx(
        found.hits.value + found.misses.value
    )
    for estimate in estimates(found):
        if not isnan(estimate.value):
            for interval in (estimate.wald, estimate.wilson):
                assert interval.low - 1e-9 <= estimate.value <= interval.high + 1e-9
            assert -1e-9 <= estimate.wilson.low <= estimate.wilson.high <= 1 + 1e-9


def estimates(found: SampledDetection) -> list[SampleEstimate]:
    return [found.hits, found.false_positives, found.misses, found.precision, found.recall]


@given(strata(flagged=False))
def test_a_part_split_in_two_alike_halves_gives_the_same_estimate(one: Stratum) -> None:
    whole = Stratum(2 * one.size, 2 * one.sampled, 2 * one.errors)
    halves, undivided = estimate_share([one, one]), estimate_share([whole])
    assert halves.value == pytest.approx(undivided.value)
    assert halves.standard_error == pytest.approx(undivided.standard_error)
    assert halves.wilson.high == pytest.approx(undivided.wilson.high)


@given(st.lists(st.integers(0, 4), min_size=2, max_size=30))
def test_graded_cases_spread_as_their_shares_do(votes: list[int]) -> None:
    shares = np.array(votes) / 4
    given_ = Stratum(1000, len(shares), float(shares.sum()), squares=float((shares**2).sum()))
    found = estimate_share([given_])
    assert found.value == pytest.approx(shares.mean())
    assert found.standard_error == pytest.approx(shares.std() / sqrt(len(shares)), abs=1e-6)


def test_graded_shares_of_0_and_1_are_counts() -> None:
    counted = estimate_share([Stratum(900, 45, 36)], finite=True)
    assert estimate_share([Stratum(900, 45, 36.0, squares=36.0)], finite=True) == counted


def test_a_corpus_looked_at_as_a_whole_leaves_no_doubt_only_with_the_finite_correction() -> None:
    looked_at = [Stratum(10, 10, 4, flagged=True), Stratum(50, 50, 5)]
    exact = estimate_detection(looked_at, finite=True).recall
    assert (exact.value, exact.standard_error) == pytest.approx((4 / 9, 0))
    assert (exact.wilson.low, exact.wilson.high) == pytest.approx((4 / 9, 4 / 9))
    assert exact.wald.reason == NO_WIDTH
    assert estimate_detection(looked_at).recall.standard_error > 0.05


def test_verification_of_the_flagged_part_gives_precision_and_no_recall() -> None:
    found = estimate_detection([Stratum(1000, 750, 600, flagged=True), Stratum(9000, 0, 0)])
    assert found.precision.value == pytest.approx(0.8)
    assert found.hits.value == pytest.approx(0.08)
    assert isnan(found.recall.value)
    assert isnan(found.misses.value)
    expected = "nothing was sampled from a part of the corpus (cases called ok)"
    assert found.recall.reason == found.misses.reason == found.recall.wald.reason == expected


def test_without_a_hit_or_a_miss_only_wilson_shows_how_unsure_recall_is() -> None:
    no_hit = estimate_detection([Stratum(100, 20, 0, flagged=True), Stratum(900, 90, 9)]).recall
    more = 0.1 * float(wilson_interval(0, 20).high)
    assert (no_hit.value, no_hit.wald.high, no_hit.wald.reason) == (0, 0, NO_WIDTH)
    assert no_hit.wilson.high == pytest.approx(more / (more + 0.09))
    no_miss = estimate_detection([Stratum(100, 20, 10, flagged=True), Stratum(900, 90, 0)]).recall
    more = 0.9 * float(wilson_interval(0, 90).high)
    assert (no_miss.value, no_miss.wilson.high) == (1, 1)
    assert no_miss.wilson.low == pytest.approx(0.05 / (0.05 + more))


def test_what_cannot_be_estimated_is_nan_with_the_reason() -> None:
    nothing_flagged = estimate_detection([Stratum(90, 9, 3)])
    assert (nothing_flagged.hits.value, nothing_flagged.recall.value) == (0, 0)
    assert nothing_flagged.precision.reason == NOT_FLAGGED
    no_error = estimate_detection([Stratum(9, 3, 0, flagged=True), Stratum(90, 9, 0)])
    assert no_error.recall.reason == NO_ERRORS
    one = estimate_share([Stratum(9, 1, 1), Stratum(9, 3, 2)], finite=True)
    assert one.value == pytest.approx((1 + 2 / 3) / 2)
    assert isnan(one.standard_error)
    assert one.wald.reason == one.wilson.reason == ONE_CASE


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (Stratum(10, 11, 3), "part 2: 11 cases sampled of 10"),
        (Stratum(10, 5, 6, name="essays"), "essays: 6 errors among 5 sampled cases"),
        (Stratum(10, 5, nan), "nan errors among 5"),
        (Stratum(10, 4, 2.0, squares=0.5), "at least and 2 at most, not 0.5"),
        (Stratum(10, 4, 2.0, squares=2.5), "at least and 2 at most, not 2.5"),
    ],
)
def test_counts_that_cannot_be_are_refused_with_the_part(wrong: Stratum, message: str) -> None:
    with pytest.raises(InputError, match=message):
        estimate_detection([Stratum(10, 5, 3), wrong])


@pytest.mark.parametrize("none", [[], [Stratum(0, 0, 0)]])
def test_a_corpus_without_cases_is_refused(none: list[Stratum]) -> None:
    with pytest.raises(InputError, match="no case"):
        estimate_share(none)
