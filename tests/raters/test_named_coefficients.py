"""Coefficients of many raters: other scales and AC1 by definition, batches, intervals."""

from __future__ import annotations

from itertools import permutations
from math import isnan
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from jurybox.errors import InputError, UsageError
from jurybox.raters.agreement import (
    MISSING,
    count_labels,
    fleiss_kappa,
    gwet_ac1,
    krippendorff_alpha,
    observed_agreement,
)
from jurybox.raters.intervals import ONE_CASE, caution_on, kinds_of
from jurybox.raters.named_coefficients import (
    COEFFICIENTS,
    agree_by_batch,
    agree_together,
    estimate_agreement,
    estimate_samples,
)
from jurybox.raters.ratings import CodeArray, label_counts, ratings_from_codes, select
from made_ratings import LABELS, code_tables, random_ratings

NUMBERS = [1.0, 2.0, 4.0]


def slow_alpha(codes: CodeArray, scale: str) -> float:
    """Krippendorff's definition, pair by pair."""
    cases = [[c for c in row if c != MISSING] for row in codes.tolist()]
    cases = [case for case in cases if len(case) > 1]
    pooled = [c for case in cases for c in case]
    n_k = [pooled.count(k) for k in range(LABELS)]

    def squared(a: int, b: int) -> float:
        if a == b:
            return 0.0
        if scale == "ordinal":
            low, high = sorted((a, b))
            return (sum(n_k[low : high + 1]) - (n_k[a] + n_k[b]) / 2) ** 2
        x, y = NUMBERS[a], NUMBERS[b]
        return ((x - y) / (x + y)) ** 2 if scale == "ratio" else (x - y) ** 2

    seen = sum(
        squared(a, b) / (len(case) - 1) for case in cases for a, b in permutations(case, 2)
    ) / len(pooled)
    chance = sum(squared(a, b) for a, b in permutations(pooled, 2))
    return 1 - seen / (chance / (len(pooled) * (len(pooled) - 1)))


@pytest.mark.parametrize("scale", ["ordinal", "interval", "ratio"])
@given(codes=code_tables)
def test_alpha_on_other_scales_is_krippendorffs_definition(scale: str, codes: CodeArray) -> None:
    counts = count_labels(codes, LABELS)
    found = krippendorff_alpha(counts, scale=scale, numbers=NUMBERS)
    nominal = krippendorff_alpha(counts)
    assert found.reason == nominal.reason
    assume(not nominal.reason)
    assert found.value == pytest.approx(slow_alpha(codes, scale), abs=1e-9)
    assert found.value == pytest.approx((found.observed - found.expected) / (1 - found.expected))


def test_two_labels_have_the_same_alpha_on_every_scale_but_ratio_needs_no_zero() -> None:
    counts = [[3, 0], [1, 2], [0, 3], [2, 2]]
    scales = ("nominal", "ordinal", "interval", "ratio")
    found = [krippendorff_alpha(counts, scale=s, numbers=[1, 3]).value for s in scales]
    assert found == pytest.approx([found[0]] * 4)


def test_scales_without_fitting_numbers_are_refused() -> None:
    with pytest.raises(UsageError, match="nominal, ordinal, interval, ratio"):
        krippendorff_alpha([[1, 1]], scale="cardinal")
    with pytest.raises(UsageError, match="needs the number that each label stands for"):
        krippendorff_alpha([[1, 1]], scale="interval")
    with pytest.raises(InputError, match="one number for each of the 2 labels"):
        krippendorff_alpha([[1, 1]], scale="interval", numbers=[1])
    with pytest.raises(InputError, match="from 0 up"):
        krippendorff_alpha([[1, 1]], scale="ratio", numbers=[-1, 1])


def test_labels_that_stand_for_one_number_cannot_differ_and_have_no_alpha() -> None:
    found = krippendorff_alpha([[1, 1], [2, 0]], scale="interval", numbers=[5, 5])
    assert isnan(found.value)
    assert found.reason == "all judgments stand for the same number"


@given(code_tables)
def test_ac1_has_fleiss_observed_agreement_and_gwets_chance(codes: CodeArray) -> None:
    counts = count_labels(codes, LABELS)
    found, fleiss = gwet_ac1(counts), fleiss_kappa(counts)
    assume(not fleiss.reason)
    assert not found.reason
    judged = counts[counts.any(axis=1)]
    shares = (judged / judged.sum(axis=1, keepdims=True)).mean(axis=0)
    given = np.count_nonzero(shares)
    chance = sum(share * (1 - share) for share in shares) / (given - 1)
    assert found.observed == pytest.approx(fleiss.observed)
    assert found.value == pytest.approx((found.observed - chance) / (1 - chance))


def test_ac1_of_unanimous_raters_is_1_however_many_labels_they_chose_from() -> None:
    """E = Σ π (1 - π) / (q - 1) is 0 where one π is 1 (Gwet 2008); irrCAC gives 1 as well."""
    for labels in (None, 2, 5):
        assert gwet_ac1([[3, 0], [2, 0]], labels=labels)[:3] == (1.0, 1.0, 0.0)


def test_ac1_is_undefined_where_raters_had_no_choice_or_no_case_in_common() -> None:
    assert gwet_ac1([[3], [2]], labels=1).reason == "all judgments are the same label"
    assert gwet_ac1([[1, 0], [1, 0]]).reason == "no case was judged by two raters"


def test_ac1_of_unanimous_raters_has_the_same_value_with_an_interval_and_in_batches() -> None:
    found = estimate_agreement(np.array([[2, 0]] * 5))["ac1"]
    assert found.value == 1.0
    assert found.low < 1.0 == found.high
    ratings = ratings_from_codes(np.zeros((4, 2), dtype=np.int64), 1)
    by_batch = agree_by_batch(ratings, np.array([0, 0, 0, 0, 1, 1, 1, 1]), ["May", "June"], "ac1")
    assert (by_batch.values.tolist(), by_batch.pooled) == ([1.0, 1.0], 1.0)


def test_ac1_refuses_fewer_labels_than_were_given() -> None:
    with pytest.raises(InputError, match="2 labels were given"):
        gwet_ac1([[1, 1]], labels=1)


def test_observed_agreement_without_pairs_says_so() -> None:
    assert observed_agreement([[1, 0], [0, 1]]).reason == "no case was judged by two raters"


@given(code_tables.filter(lambda codes: codes.shape[1] > 1).map(np.abs))  # no gaps
def test_alpha_of_complete_judgments_is_fleiss_kappa_moved_by_one_over_n(codes: CodeArray) -> None:
    """1 - alpha = (1 - kappa) (n - 1) / n for n judgments (Krippendorff 2004)."""
    counts = count_labels(codes, LABELS)
    kappa, alpha = fleiss_kappa(counts), krippendorff_alpha(counts)
    assume(not kappa.reason)
    assert 1 - alpha.value == pytest.approx((1 - kappa.value) * (codes.size - 1) / codes.size)


# --- intervals over cases ---


def test_standard_errors_are_the_spread_over_other_cases() -> None:
    ratings, _ = random_ratings(3, 400, 5, labels=3)
    counts = label_counts(ratings)
    found = estimate_agreement(counts, names=COEFFICIENTS, numbers=NUMBERS)
    rng = np.random.default_rng(2)
    judged = counts[counts.any(axis=1)]
    drawn = [judged[rng.integers(0, len(judged), len(judged))] for _ in range(600)]
    for name in COEFFICIENTS:
        slow = np.array([agree_together(each, name, numbers=NUMBERS).value for each in drawn])
        one = found[name]
        assert one.value == agree_together(counts, name, numbers=NUMBERS).value
        assert one.standard_error == pytest.approx(slow.std(), rel=0.12)
        assert one.low == pytest.approx(one.value - 1.96 * slow.std(), abs=0.012)
        assert one.high == pytest.approx(one.value + 1.96 * slow.std(), abs=0.012)


def test_unanimous_cases_have_no_kappa_but_an_observed_agreement_with_an_interval() -> None:
    found = estimate_agreement(np.array([[3, 0]] * 9))
    assert isnan(found["alpha_nominal"].low)
    assert found["alpha_nominal"].reason == "all judgments are the same label"
    observed = found["observed"]
    # Wilson's form at 9 of 9, with t of 8 degrees of freedom: 9 / (9 + t²) of the way from 1/4, the
    # least that three raters with two labels can agree
    assert (observed.value, observed.high) == (1, 1)
    assert observed.low == pytest.approx(1 / 4 + 3 / 4 * 9 / (9 + 2.306**2), abs=1e-4)


def test_one_odd_case_leaves_an_interval_that_says_how_little_is_known() -> None:
    found = estimate_agreement(np.array([[2, 0]] * 29 + [[0, 2]]))["fleiss_kappa"]
    assert (found.value, found.high) == (1, 1)
    assert found.low < 0.4


def test_one_case_alone_has_no_interval() -> None:
    found = estimate_agreement(np.array([[1, 1], [1, 0]]))
    assert found["fleiss_kappa"].reason == found["observed"].reason == ONE_CASE
    assert isnan(found["fleiss_kappa"].low)


def test_cases_that_nobody_judged_and_labels_that_nobody_gave_change_no_interval() -> None:
    counts = np.array([[2, 0], [1, 1], [0, 2]] * 5)
    padded = np.pad(counts, ((0, 500), (0, 1)))
    one, other = (estimate_agreement(each) for each in (counts, padded))
    assert one.keys() == other.keys()
    for name, interval in one.items():
        assert other[name][:4] == pytest.approx(interval[:4])
    with pytest.raises(InputError, match="nobody judged"):
        estimate_agreement(np.zeros((3, 2), dtype=np.int64))


@given(code_tables, st.randoms(use_true_random=False))
def test_order_of_cases_and_labels_changes_no_interval(codes: CodeArray, random: Random) -> None:
    counts = count_labels(codes, LABELS)
    assume(counts.any())
    cases, labels = list(range(len(counts))), list(range(LABELS))
    random.shuffle(cases)
    random.shuffle(labels)
    one, other = (estimate_agreement(each) for each in (counts, counts[np.ix_(cases, labels)]))
    for name, interval in one.items():
        assert other[name][:4] == pytest.approx(interval[:4], abs=1e-7, nan_ok=True)
        if not interval.reason:
            assert interval.low <= interval.value <= interval.high


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_many_samples_at_once_have_the_intervals_of_each(name: str) -> None:
    """With gaps, kinds of cases that a sample lacks, and labels that it lacks."""
    rng = np.random.default_rng(5)
    kinds = rng.integers(0, 3, (12, LABELS))
    kinds = kinds[kinds.sum(axis=1) >= 2]
    sizes = rng.multinomial(9, np.full(len(kinds), 1 / len(kinds)), size=20)
    sizes[0] = 0
    sizes[0, 0] = 9
    found = estimate_samples(kinds, sizes.astype(float), name, numbers=NUMBERS)
    for place, of_kind in enumerate(sizes):
        counts = np.repeat(kinds, of_kind, axis=0)
        one = estimate_agreement(counts, names=[name], numbers=NUMBERS)[name]
        ends = (found.value[place], found.low[place], found.high[place])
        assert ends == pytest.approx((one.value, one.low, one.high), nan_ok=True)


@pytest.mark.parametrize(("cases", "lowest"), [(30, 0.75), (100, 0.92), (500, 0.98)])
def test_ac1_where_all_labels_are_the_same_reaches_down_from_1(cases: int, lowest: float) -> None:
    """The more cases, the nearer to 1: about as for a share of so many coin tosses."""
    found = estimate_agreement(np.array([[5, 0]] * cases), names=["ac1"])["ac1"]
    assert (found.value, found.high) == (1, 1)
    assert lowest < found.low < 1 - 1 / cases


def test_few_judgments_with_another_label_are_a_reason_for_caution() -> None:
    labels = ["ok", "error"]
    assert caution_on(kinds_of(np.array([[3, 0]] * 80 + [[2, 1]] * 19)), labels) == (
        "only 19 of 297 judgments give another label than 'ok': kappa and alpha have wide intervals"
    )
    assert not caution_on(kinds_of(np.array([[3, 0]] * 80 + [[2, 1]] * 20)), labels)
    # ten raters: as many as five cases have judgments
    assert caution_on(kinds_of(np.array([[10, 0]] * 80 + [[9, 1]] * 49)), labels)
    assert not caution_on(kinds_of(np.array([[10, 0]] * 80 + [[9, 1]] * 50)), labels)
    assert not caution_on(kinds_of(np.array([[3, 0]] * 30)), labels)


def test_fewer_cases_than_the_study_tried_are_a_reason_for_caution() -> None:
    counts = np.array([[2, 0], [0, 2]] * 14 + [[1, 0]] * 100)
    caution = caution_on(kinds_of(counts), ["ok", "error"])
    assert caution.startswith("only 28 cases have two judgments or more: intervals of agreement")
    assert not caution_on(kinds_of(np.array([[2, 0], [0, 2]] * 15)), ["ok", "error"])


# --- batches ---


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_each_batch_has_the_value_of_its_own_judgments(name: str) -> None:
    ratings, _ = random_ratings(4, 90, 6, labels=3)
    batch = np.random.default_rng(0).integers(0, 3, len(ratings))
    found = agree_by_batch(ratings, batch, ["a", "b", "c"], name, numbers=NUMBERS)
    for number in range(3):
        part = label_counts(select(ratings, batch == number))
        alone = agree_together(part, name, numbers=NUMBERS)
        assert found.values[number] == pytest.approx(alone.value)
        assert found.cases[number] == np.count_nonzero(part.sum(axis=1) > 1)
    whole = agree_together(label_counts(ratings), name, numbers=NUMBERS)
    assert found.pooled == pytest.approx(whole.value)


def test_a_batch_of_one_label_has_no_kappa() -> None:
    ratings = ratings_from_codes(np.array([[0, 0], [0, 1], [1, 1]]), 2)
    found = agree_by_batch(ratings, np.minimum(ratings.case, 1), ["x", "y"])
    assert isnan(found.values[0])
    assert not isnan(found.values[1])
