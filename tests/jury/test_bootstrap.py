"""Resampled cases: groups change no distribution, documents stay whole, undefined is counted."""

from __future__ import annotations

from math import comb, isnan, nan, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jurybox.errors import InputError, LengthError, UsageError
from jurybox.jury import bootstrap
from jurybox.jury.bootstrap import (
    CaseResamples,
    evidence_of,
    paired_difference,
    resample_cases,
    resample_measures,
    spread_of,
    summarise_resamples,
)
from jurybox.jury.weighted import contributions
from made_cases import labels_of, spread_out


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


# --- distributions ---


def test_number_of_tp_in_resamples_is_binomial() -> None:
    decided, truth = spread_out(2, 1, 1, 1)
    drawn = resample_cases(contributions(decided, truth), rng(), 20_000)
    seen = np.bincount(drawn[:, 0].astype(int), minlength=6) / 20_000
    expected = [comb(5, k) * 0.4**k * 0.6 ** (5 - k) for k in range(6)]
    assert seen == pytest.approx(expected, abs=0.012)


def test_interval_of_precision_has_the_width_of_the_formula() -> None:
    decided, truth = spread_out(300, 100, 200, 400)
    parts = contributions(decided, truth)
    drawn = resample_measures([parts], ["precision"], rng(), 4000)
    found = spread_of(drawn, 0, "precision")
    assert found.value == 0.75
    assert found.standard_error == pytest.approx(sqrt(0.75 * 0.25 / 400), rel=0.05)
    assert found.low == pytest.approx(0.75 - 1.96 * found.standard_error, abs=0.004)
    assert found.high == pytest.approx(0.75 + 1.96 * found.standard_error, abs=0.004)


def test_documents_are_drawn_whole() -> None:
    parts = np.array([[1.0, 2, 4, 8]])
    drawn = resample_cases(parts, rng(), 200, documents=["a", "a", "b", "b"])
    assert set(drawn.ravel().tolist()) == {6.0, 15.0, 24.0}


def test_documents_of_one_kind_each_are_less_sure_than_their_cases_look() -> None:
    # ten documents, each all right or all wrong
    decided = np.ones(200, np.int8)
    truth = np.repeat([1, 0] * 5, 20).astype(np.int8)
    parts, documents = contributions(decided, truth), np.repeat(np.arange(10), 20).tolist()
    by_case = resample_measures([parts], ["precision"], rng(), 500)
    by_document = resample_measures([parts], ["precision"], rng(), 500, documents=documents)
    assert (by_document.unit, by_document.units) == ("document", 10)
    errors = [spread_of(d, 0, "precision").standard_error for d in (by_case, by_document)]
    assert errors[1] > 3 * errors[0]


@given(order=st.permutations(range(6)), resamples=st.integers(1, 5), at_once=st.integers(1, 9))
def test_order_of_cases_and_size_of_parts_change_nothing(
    order: list[int], resamples: int, at_once: int
) -> None:
    parts = contributions(labels_of([1, 1, 0, 0, 1, 0]), np.array([0.5, 0.2, 0.5, 0, 0.5, 0]))
    expected = resample_cases(parts, rng(), resamples)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bootstrap, "CELLS_AT_ONCE", at_once)
        assert resample_cases(parts[:, order], rng(), resamples) == pytest.approx(expected)


@given(seed=st.integers(0, 50))
def test_every_resample_has_as_many_cases_as_there_are(seed: int) -> None:
    decided, truth = spread_out(3, 2, 4, 9)
    drawn = resample_cases(contributions(decided, truth), rng(seed), 20)
    assert (drawn.sum(axis=1) == 18).all()


# --- comparing systems ---


def test_equal_systems_differ_by_nothing_in_every_resample() -> None:
    decided, truth = spread_out(5, 4, 3, 8)
    parts = contributions(decided, truth)
    drawn = resample_measures([parts, parts], ["recall"], rng(), 50)
    found = paired_difference(drawn, 0, 1, "recall")
    assert (found.spread.low, found.spread.high, found.p) == (0.0, 0.0, 1.0)


def test_a_clearly_better_system_has_a_small_p() -> None:
    truth = np.repeat([1, 0], 100).astype(np.int8)
    good, bad = truth.copy(), truth.copy()
    bad[:60] = 0
    systems = [contributions(decided, truth) for decided in (good, bad)]
    drawn = resample_measures(systems, ["recall", "cohen_kappa"], rng(), 99)
    for name in ("recall", "cohen_kappa"):
        found, turned = (paired_difference(drawn, *pair, name) for pair in ((0, 1), (1, 0)))
        assert 0 <= found.p == turned.p < 1e-9
        assert turned.spread.high < 0


def test_resamples_without_a_value_are_left_out_and_counted() -> None:
    # one report among ten cases: in (9/10)^10 = 35 % of resamples nothing is reported
    decided, truth = spread_out(1, 0, 3, 6)
    drawn = resample_measures([contributions(decided, truth)], ["precision"], rng(), 2000)
    found = spread_of(drawn, 0, "precision")
    assert found.undefined_resamples / 2000 == pytest.approx(0.9**10, abs=0.04)
    assert (found.low, found.high) == (0, 1)  # one case shows nothing


def test_undefined_value_and_single_units_have_a_reason_and_no_interval() -> None:
    decided, truth = spread_out(0, 0, 3, 6)
    parts = contributions(decided, truth)
    drawn = resample_measures([parts, parts], ["precision"], rng(), 10)
    assert spread_of(drawn, 0, "precision").reason == "the value itself is undefined"
    assert np.isnan(paired_difference(drawn, 0, 1, "precision").p)
    one = resample_measures([parts], ["recall"], rng(), 10, documents=["a"] * 9)
    assert spread_of(one, 0, "recall").reason == (
        "one document alone shows no variation; resample cases instead"
    )
    assert (
        summarise_resamples(1.0, np.array([nan]), evidence=5).reason
        == "undefined in every resample"
    )


@given(st.integers(0, 999), st.sampled_from([0.8, 0.95]))
@settings(max_examples=25)
def test_a_difference_is_significant_exactly_where_its_interval_leaves_out_0(
    seed: int, level: float
) -> None:
    drawn_from = np.random.default_rng(seed)
    truth = drawn_from.integers(0, 2, 40).astype(np.int8)
    systems = [
        contributions(np.where(drawn_from.random(40) < skill, truth, 1 - truth), truth)
        for skill in (0.8, 0.65)
    ]
    drawn = resample_measures(systems, ["f_beta"], drawn_from, 100)
    found = paired_difference(drawn, 0, 1, "f_beta", level=level)
    outside = found.spread.low > 0 or found.spread.high < 0
    assert outside == (found.p < 1 - level)


def test_what_a_measure_rests_on_is_the_rarest_thing_it_needs() -> None:
    # 2 hits, 1 false alarm, 3 misses, 4 right refusals
    parts = contributions(*spread_out(2, 1, 3, 4))
    found = evidence_of(["precision", "recall", "f_beta", "accuracy"], parts)
    assert found.tolist() == [3, 5, 3, 10]
    heavy = np.zeros((4, 3))
    heavy[0] = (1.0, 0.5, 0.5)  # weighted: 4 / 1.5
    assert evidence_of(["recall"], heavy)[0] == pytest.approx(4 / 1.5)


# --- what is refused ---


def test_bad_requests_are_refused() -> None:
    parts = contributions(*spread_out(1, 1, 1, 1))
    with pytest.raises(UsageError, match="at least 1 resample"):
        resample_cases(parts, rng(), 0)
    with pytest.raises(InputError, match="no cases"):
        resample_cases(np.zeros((4, 0)), rng(), 1)
    with pytest.raises(LengthError, match="4 cases but 1 document names"):
        resample_cases(parts, rng(), 1, documents=["a"])
    with pytest.raises(LengthError, match="same cases, not on 4, 2"):
        resample_measures([parts, parts[:, :2]], ["recall"], rng(), 1)
    with pytest.raises(InputError, match="no system"):
        resample_measures([], ["recall"], rng(), 1)
    with pytest.raises(UsageError, match="between 0 and 1"):
        summarise_resamples(1.0, np.ones(3), evidence=5, level=95)
    drawn = CaseResamples(
        ("recall",), np.ones((1, 1)), np.ones((1, 1, 2)), "case", 4, np.ones((1, 1))
    )
    with pytest.raises(InputError, match="did you mean 'recall'"):
        spread_of(drawn, 0, "recal")


def test_a_difference_without_spread_has_no_interval() -> None:
    # the first system is right wherever it reports, the second wrong wherever it does
    right = np.array([[1.0, 1, 1, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 1]])
    wrong = np.array([[0.0, 0, 0, 0], [0, 0, 0, 1], [1, 1, 1, 0], [0, 0, 0, 0]])
    drawn = resample_measures([right, wrong], ["precision"], np.random.default_rng(1), 50)
    found = paired_difference(drawn._replace(evidence=np.full((1, 2), 3.0)), 0, 1, "precision")
    assert found.spread.value == 1
    assert isnan(found.p)
    assert isnan(found.spread.low)
    assert "same in every resample" in found.spread.reason
