"""Coefficients of many raters: other scales and AC1 by definition, batches, resampled cases."""

from __future__ import annotations

from itertools import permutations
from math import isnan

import numpy as np
import pytest
from hypothesis import assume, given, settings
from made_ratings import LABELS, code_tables, random_ratings

from jurybox.errors import InputError, UsageError
from jurybox.raters import resample as module
from jurybox.raters.agreement import (
    MISSING,
    count_labels,
    fleiss_kappa,
    gwet_ac1,
    krippendorff_alpha,
    observed_agreement,
)
from jurybox.raters.ratings import CodeArray, label_counts, ratings_from_codes, select
from jurybox.raters.resample import (
    COEFFICIENTS,
    agree_by_batch,
    agree_together,
    resample_agreement,
)

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
@settings(deadline=None)
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


@settings(deadline=None)
@given(code_tables)
def test_ac1_has_fleiss_observed_agreement_and_gwets_chance(codes: CodeArray) -> None:
    counts = count_labels(codes, LABELS)
    found, fleiss = gwet_ac1(counts), fleiss_kappa(counts)
    assert found.reason == fleiss.reason
    assume(not found.reason)
    judged = counts[counts.any(axis=1)]
    shares = (judged / judged.sum(axis=1, keepdims=True)).mean(axis=0)
    given = np.count_nonzero(shares)
    chance = sum(share * (1 - share) for share in shares) / (given - 1)
    assert found.observed == pytest.approx(fleiss.observed)
    assert found.value == pytest.approx((found.observed - chance) / (1 - chance))


def test_ac1_of_unanimous_raters_needs_to_know_that_another_label_was_possible() -> None:
    assert gwet_ac1([[3, 0], [2, 0]]).reason == "all judgments are the same label"
    assert gwet_ac1([[3, 0], [2, 0]], labels=2).value == 1
    with pytest.raises(InputError, match="2 labels were given"):
        gwet_ac1([[1, 1]], labels=1)


def test_observed_agreement_without_pairs_says_so() -> None:
    assert observed_agreement([[1, 0], [0, 1]]).reason == "no case was judged by two raters"


@settings(deadline=None)
@given(code_tables.filter(lambda codes: codes.shape[1] > 1).map(np.abs))  # no gaps
def test_alpha_of_complete_judgments_is_fleiss_kappa_moved_by_one_over_n(codes: CodeArray) -> None:
    """1 - alpha = (1 - kappa) (n - 1) / n for n judgments (Krippendorff 2004)."""
    counts = count_labels(codes, LABELS)
    kappa, alpha = fleiss_kappa(counts), krippendorff_alpha(counts)
    assume(not kappa.reason)
    assert 1 - alpha.value == pytest.approx((1 - kappa.value) * (codes.size - 1) / codes.size)


# --- resampled cases ---


@pytest.mark.parametrize("grouped", [True, False])
def test_resampled_values_are_those_of_the_resampled_judgments(
    grouped: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Spread and mean over resamples are those of drawing cases and starting again."""
    ratings, _ = random_ratings(3, 120, 5, labels=3)
    counts = label_counts(ratings)
    if not grouped:
        monkeypatch.setattr(module, "group_cases", _each_alone)
    found = resample_agreement(
        counts, np.random.default_rng(1), 1500, names=COEFFICIENTS, numbers=NUMBERS
    )
    rng = np.random.default_rng(2)
    judged = counts[counts.any(axis=1)]
    drawn = [judged[rng.integers(0, len(judged), len(judged))] for _ in range(400)]
    for name in COEFFICIENTS:
        slow = np.array([agree_together(each, name, numbers=NUMBERS).value for each in drawn])
        spread = found[name]
        assert spread.value == agree_together(counts, name, numbers=NUMBERS).value
        assert spread.standard_error == pytest.approx(slow.std(), rel=0.15)
        assert spread.low == pytest.approx(np.quantile(slow, 0.025), abs=0.02)
        assert spread.high == pytest.approx(np.quantile(slow, 0.975), abs=0.02)


def _each_alone(columns: np.ndarray) -> object:
    from jurybox.cases.grouping import Groups

    cases = columns.shape[1]
    return Groups(np.arange(cases), np.arange(cases), np.ones(cases, dtype=np.int64))


def test_unanimous_cases_have_no_interval_but_a_reason() -> None:
    found = resample_agreement(np.array([[3, 0]] * 9), np.random.default_rng(0), 50)
    assert isnan(found["alpha_nominal"].low)
    assert found["alpha_nominal"].reason == "all judgments are the same label"
    assert found["observed"].value == 1
    assert found["observed"].reason == "every resample gives the same value"


def test_resamples_without_another_label_are_left_out_and_counted() -> None:
    counts = np.array([[2, 0]] * 4 + [[0, 2]])
    found = resample_agreement(counts, np.random.default_rng(0), 2000)["fleiss_kappa"]
    # no resample holds the odd case with probability (4/5)^5, and none but it with (1/5)^5
    assert found.undefined / 2000 == pytest.approx(0.8**5 + 0.2**5, abs=0.04)


def test_cases_that_nobody_judged_are_not_drawn() -> None:
    counts = np.array([[2, 0], [1, 1], [0, 2]] * 5)
    padded = np.concatenate([counts, np.zeros((500, 2), dtype=np.int64)])
    one, other = (
        resample_agreement(each, np.random.default_rng(0), 100) for each in (counts, padded)
    )
    assert one == other
    with pytest.raises(InputError, match="nobody judged"):
        resample_agreement(np.zeros((3, 2), dtype=np.int64), np.random.default_rng(0))


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
