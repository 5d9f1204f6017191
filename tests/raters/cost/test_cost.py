"""Costs: fees, pays that differ, projections, amounts as people write them."""

from __future__ import annotations

from decimal import Decimal
from math import isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.errors import InputError, UsageError
from jurybox.raters.cost.costs import cost_of_pays, project
from jurybox.raters.cost.pay import Fee, parse_money, show_money, total_of

amounts = st.decimals(0, 10_000, places=3)


def test_a_share_above_the_least_fee_is_what_is_taken() -> None:
    fee = Fee(share=Decimal("0.2"), least=Decimal("0.01"))
    found = cost_of_pays({Decimal("0.02"): 10, Decimal("1.00"): 3}, 13, fee=fee)
    assert found.fees == Decimal("0.10") + Decimal("0.60")
    assert found.total == Decimal("3.90")
    assert found.pay == Decimal("3.20") / 13


def test_cents_are_not_blurred_by_binary_fractions() -> None:
    assert cost_of_pays({Decimal("0.1"): 3}, 1).paid == Decimal("0.3")


def test_time_that_is_not_known_gives_no_pace() -> None:
    found = cost_of_pays({Decimal("0.05"): 30}, 10)
    assert isnan(found.judgments_per_hour)
    assert isnan(found.pay_per_hour)
    assert cost_of_pays({Decimal("0.05"): 30}, 10, worked=0.25).pay_per_hour == 6.0


@given(amounts, st.integers(1, 500), st.integers(0, 500))
def test_more_judgments_cost_in_proportion(pay: Decimal, so_far: int, more: int) -> None:
    before = cost_of_pays({pay: so_far}, 7, fee=Fee(Decimal("0.1")), hours=2.0)
    after = project(before, more)
    assert after.total is not None
    assert float(after.total) == pytest.approx(float(pay * more) * 1.1)
    assert before.total == total_of(so_far, pay, Fee(Decimal("0.1")))
    assert after.hours == pytest.approx(2 * more / so_far)


def test_a_projection_from_nothing_is_refused() -> None:
    with pytest.raises(InputError, match="no pay and no pace"):
        project(cost_of_pays({Decimal("0.05"): 0}, 0), 10)
    with pytest.raises(UsageError, match="from 0 up, not -1"):
        project(cost_of_pays({Decimal("0.05"): 1}, 1), -1)


@pytest.mark.parametrize(
    ("text", "amount", "currency"),
    [
        ("$0.05", "0.05", "$"),
        ("0,05 €", "0.05", "€"),
        ("1,234.50 USD", "1234.50", "USD"),
        ("£1,000", "1000", "£"),
        (".5", ".5", ""),
        ("CHF 2", "2", "CHF"),
    ],
)
def test_amounts_are_read_as_people_write_them(text: str, amount: str, currency: str) -> None:
    assert parse_money(text) == (Decimal(amount), currency)


@pytest.mark.parametrize("text", ["", "free", "$", "-1", "1.2.3", "$5€", "1e5"])
def test_what_is_no_amount_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="is no amount of money"):
        parse_money(text)


@given(amounts.filter(lambda amount: amount == round(amount, 2)), st.sampled_from(["$", "EUR"]))
def test_amounts_that_are_shown_can_be_read_again(amount: Decimal, currency: str) -> None:
    assert parse_money(show_money(amount, currency)) == (amount, currency)


def test_costs_below_nothing_are_refused() -> None:
    with pytest.raises(UsageError, match="from 0 up"):
        cost_of_pays({Decimal("0.05"): -1}, 1)
    with pytest.raises(UsageError, match="below 0"):
        Fee(share=Decimal("-0.1"))
