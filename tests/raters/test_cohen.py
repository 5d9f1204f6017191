"""Kappa of two raters: weights, standard error against simulation, intervals, undefined."""

from __future__ import annotations

from math import isnan

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from jurybox.errors import UsageError
from jurybox.raters.agreement import cohen_kappa
from jurybox.raters.cohen import (
    WEIGHTS,
    agreement_weights,
    confusion_table,
    estimate_kappa,
    estimate_kappas,
    kappas_of,
)
from jurybox.raters.named_coefficients import tables_by_batch

tables = st.lists(st.lists(st.integers(0, 12), min_size=3, max_size=3), min_size=3, max_size=3).map(
    np.array
)


@given(tables, st.sampled_from(WEIGHTS))
def test_weighted_kappa_is_one_less_the_ratio_of_weighted_disagreements(
    table: np.ndarray, weights: str
) -> None:
    """Cohen 1968: kappa = 1 - Σ v o / Σ v e with v = 1 - w."""
    apart = 1 - agreement_weights(3, weights)
    n = table.sum()
    assume(n)
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / n
    assume((apart * expected).sum() > 1e-9)
    value = 1 - (apart * table).sum() / (apart * expected).sum()
    assert estimate_kappa(table, weights=weights).value == pytest.approx(value, abs=1e-9)


@given(tables, st.sampled_from(WEIGHTS))
def test_many_tables_at_once_have_the_kappas_of_each(table: np.ndarray, weights: str) -> None:
    both = np.stack([table, table.T]).astype(float)
    found = kappas_of(both, agreement_weights(3, weights))
    one = estimate_kappa(table, weights=weights).value
    assert found == pytest.approx([one, one], abs=1e-9, nan_ok=True)


def test_two_labels_have_the_same_kappa_with_any_weights() -> None:
    found = {round(estimate_kappa([[20, 5], [10, 15]], weights=w).value, 12) for w in WEIGHTS}
    assert found == {0.4}


@pytest.mark.parametrize("weights", WEIGHTS)
def test_standard_error_is_the_spread_of_kappa_over_simulated_samples(weights: str) -> None:
    table = np.array([[120, 40, 10], [30, 150, 30], [5, 25, 90]])
    rng = np.random.default_rng(0)
    n = int(table.sum())
    drawn = rng.multinomial(n, table.ravel() / n, size=4000).reshape(-1, 3, 3)
    spread = kappas_of(drawn.astype(float), agreement_weights(3, weights)).std()
    found = estimate_kappa(table, weights=weights)
    assert found.standard_error == pytest.approx(spread, rel=0.05)
    # with 500 cases the interval is nearly value ± 1.96 standard errors
    assert found.low == pytest.approx(found.value - 1.96 * spread, abs=0.01)
    assert found.high == pytest.approx(found.value + 1.96 * spread, abs=0.01)


def test_perfect_agreement_has_no_standard_error_but_an_interval_that_narrows_with_cases() -> None:
    few, many = (estimate_kappa([[2 * k, 0], [0, 3 * k]]) for k in (2, 40))
    assert (few.value, few.high) == (many.value, many.high) == (1.0, 1.0)
    assert few.standard_error == pytest.approx(0, abs=1e-9)
    assert few.low < 0.5
    assert 0.9 < many.low < 1


def test_a_rater_with_one_label_leaves_kappa_at_0_with_an_interval_that_has_a_width() -> None:
    found = estimate_kappa([[0, 10], [0, 90]])
    assert found.value == found.standard_error == 0
    # if the rater called 1 case in 50 an error, and always rightly, kappa would be .3
    assert found.low < -0.01
    assert found.high > 0.3


@given(tables, st.sampled_from(WEIGHTS))
def test_the_interval_holds_the_value_and_stays_within_the_range(
    table: np.ndarray, weights: str
) -> None:
    found = estimate_kappa(table, weights=weights)
    assume(not found.reason)
    assert min(-1, found.value) <= found.low <= found.value <= found.high <= 1


@given(tables)
def test_labels_that_nobody_gave_and_their_order_change_no_interval(table: np.ndarray) -> None:
    one = estimate_kappa(table)
    assume(not one.reason)
    order = [2, 0, 1]
    padded = np.pad(table[np.ix_(order, order)], (0, 2))
    other = estimate_kappa(padded)
    assert (other.low, other.high) == pytest.approx((one.low, one.high))


def test_many_tables_at_once_have_the_intervals_of_each() -> None:
    two = np.array([[[20.0, 5], [10, 15]], [[1, 2], [0, 40]]])
    found = estimate_kappas(two, np.eye(2), level=0.9)
    for place, table in enumerate(two):
        alone = estimate_kappa(table, level=0.9)
        assert (found.low[place], found.high[place]) == pytest.approx((alone.low, alone.high))


def test_unanimous_raters_have_no_kappa_and_no_interval_but_a_reason() -> None:
    found = estimate_kappa([[0, 0], [0, 7]])
    assert isnan(found.value)
    assert isnan(found.low)
    assert found.reason == cohen_kappa([[0, 0], [0, 7]]).reason != ""


def test_unknown_weights_and_levels_are_refused() -> None:
    with pytest.raises(UsageError, match="none, linear, quadratic"):
        estimate_kappa([[1, 2], [3, 4]], weights="cubic")
    with pytest.raises(UsageError, match="between 0 and 1"):
        estimate_kappa([[1, 2], [3, 4]], level=95)


def test_tables_of_batches_add_up_to_the_pooled_table() -> None:
    rng = np.random.default_rng(3)
    first, second = rng.integers(-1, 3, 200), rng.integers(-1, 3, 200)
    batch = rng.integers(0, 4, 200)
    parts = tables_by_batch(first, second, 3, batch, 4)
    assert (parts.sum(axis=0) == confusion_table(first, second, 3)).all()
    one = batch == 2
    assert (parts[2] == confusion_table(first[one], second[one], 3)).all()


def test_weights_go_by_numbers_where_labels_stand_for_some() -> None:
    # by hand: squared distances of 1, 2, 5; seen 1 + 9 of 4 cases, by chance from the margins
    table = [[1, 1, 0], [0, 0, 1], [0, 0, 1]]
    seen = (1 + 9) / 4
    rows, columns = [2, 1, 1], [1, 1, 2]
    numbers = [1, 2, 5]
    chance = sum(
        r * c * (x - y) ** 2
        for r, x in zip(rows, numbers, strict=True)
        for c, y in zip(columns, numbers, strict=True)
    )
    found = estimate_kappa(table, weights="quadratic", numbers=numbers)
    assert found.value == pytest.approx(1 - seen / (chance / 16))
    assert found.value != pytest.approx(estimate_kappa(table, weights="quadratic").value)
