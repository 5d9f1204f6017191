"""Times and money of the platforms."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.errors import Column
from jurybox.formats.platforms._columns import ZONES, Money, Times, read_time

moments = st.datetimes(datetime(1990, 1, 1), datetime(2090, 1, 1)).map(
    lambda moment: moment.replace(microsecond=0, tzinfo=UTC)
)


@given(moments, st.sampled_from(sorted(ZONES)))
def test_the_same_moment_is_read_in_every_zone(moment: datetime, zone: str) -> None:
    there = moment + timedelta(hours=ZONES[zone])
    assert read_time(there.strftime(f"%a %b %d %H:%M:%S {zone} %Y")) == moment


@given(moments)
def test_times_with_slashes_are_utc(moment: datetime) -> None:
    text = f"{moment.month}/{moment.day}/{moment.year} {moment:%H:%M:%S}"
    assert read_time(text) == moment


@pytest.mark.parametrize("text", ["Wed Xxx 24 09:48:10 PST 2018", "2/30/2016 10:00:00", "soon"])
def test_what_is_no_time_becomes_empty_and_is_told(text: str) -> None:
    times = Times()
    assert times.read(["", text, text], [2, 3, 4]) == ["", "", ""]
    assert times.note(Column(5, "AcceptTime")) == (
        f"2 times in 'AcceptTime' are not understood and left out, as '{text}' (first: line 3, "
        "column 5 (AcceptTime))"
    )


@pytest.mark.parametrize(
    ("text", "number", "currency"),
    [
        ("$0.05", "0.05", ["USD"]),
        ("0.05", "0.05", []),
        ("US$ .5", ".5", ["USD"]),
        ("0,05 €", "0.05", ["EUR"]),
        ("CHF 2", "2", ["CHF"]),
        ("five", "five", []),
        ("-1", "-1", []),
    ],
)
def test_money_is_a_number_and_a_currency(text: str, number: str, currency: list[str]) -> None:
    money = Money()
    assert (money[text], money.currencies) == (number, currency)


def test_cents_are_no_currency() -> None:
    money = Money()
    assert money["5 cents"] == "5 cents"  # refused by whoever reads the number, with its line
    assert money.currencies == []
