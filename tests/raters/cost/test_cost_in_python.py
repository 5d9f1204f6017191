"""`cost`: the paper's numbers, the export's own fields, and nothing invented."""

from __future__ import annotations

from decimal import Decimal
from math import isnan
from pathlib import Path

import pytest

import jurybox as jb
from jurybox.errors import InputError, JuryboxWarning, UsageError
from jurybox.formats import Input
from jurybox.raters.cost import cost
from jurybox.raters.inputs import Said
from saved_results import check_restored

SAMPLE = Path(jb.__file__).parent / "data" / "sample" / "judgments.csv"
TIMED = [
    "case,rater,label,reward,seconds,started,submitted,batch",
    "c1,Ann,ok,$0.05,30,2020-01-01T10:00:00Z,2020-01-01T10:01:00Z,B1",
    "c1,Bob,ok,$0.05,60,2020-01-01T10:30:00Z,2020-01-01T10:31:00Z,B1",
    "c2,Ann,error,$0.10,90,2020-01-01T11:58:00Z,2020-01-01T12:00:00Z,B2",
]


def grid(cases: int, raters: int) -> list[Said]:
    return [(f"c{case}", f"R{rater}", "ok") for case in range(cases) for rater in range(raters)]


def test_tetreault_2010_pays_1940_judgments_with_48_50() -> None:
    result = cost(grid(194, 10), pay="$0.02", fee="10%", min_fee="$0.005")
    assert (result.whole.paid, result.total) == (Decimal("38.8"), Decimal("48.5"))
    assert "$38.80" in str(result)
    assert "$48.50" in str(result)
    assert result.currency == "$"


def test_an_export_tells_pay_and_times_itself() -> None:
    result = cost(Input.from_lines(TIMED), fee=0.2, by_batch=True)
    whole = result.whole
    assert (whole.cases, whole.judgments, whole.raters) == (2, 3, 2)
    assert (whole.paid, whole.fees, whole.total) == (
        Decimal("0.2"),
        Decimal("0.04"),
        Decimal("0.24"),
    )
    assert whole.hours == 2
    assert whole.judgments_per_hour == 1.5
    assert whole.worked == pytest.approx(0.05)
    assert whole.pay_per_hour == pytest.approx(4)
    assert result.currency == "USD"
    assert [(one.name, one.judgments, one.paid) for one in result.batches] == [
        ("B1", 2, Decimal("0.1")),
        ("B2", 1, Decimal("0.1")),
    ]


def test_more_judgments_cost_in_proportion() -> None:
    more = cost(Input.from_lines(TIMED), fee="20%", more=30).more
    assert more is not None
    assert (more.judgments, more.total) == (30, Decimal("2.4"))
    assert more.hours == pytest.approx(20)


def test_without_seconds_the_work_is_the_time_between_start_and_end() -> None:
    lines = [",".join(c for i, c in enumerate(line.split(",")) if i != 4) for line in TIMED]
    assert cost(Input.from_lines(lines)).whole.worked == pytest.approx(4 / 60)


def test_unknown_answers_and_repeated_ones_were_paid_too() -> None:
    lines = ["case,rater,label,reward", "c1,Ann,unknown,1", "c1,Bob,ok,1", "c1,Bob,ok,1"]
    with pytest.warns(JuryboxWarning, match="all of them count"):
        result = cost(Input.from_lines(lines))
    assert (result.whole.judgments, result.whole.paid) == (3, Decimal(3))
    assert result.currency == ""


def test_where_pay_is_not_told_time_still_is() -> None:
    with pytest.warns(JuryboxWarning, match="--pay"):
        result = cost(SAMPLE)
    assert result.total is None
    assert result.whole.worked > 0
    assert "paid" not in str(result).splitlines()[0]
    assert result.to_dict()["total"] is None


def test_the_marketplace_file_of_a_real_batch(data_dir: Path) -> None:
    result = cost(data_dir / "mturk" / "confirmation_batch.csv", fee="20%")
    whole = result.whole
    assert (whole.cases, whole.judgments, whole.raters) == (1088, 3264, 96)
    assert (whole.paid, whole.total) == (Decimal("163.2"), Decimal("195.84"))
    assert whole.judgments_per_case == 3
    assert 3 < whole.hours < 4


def test_a_sign_can_be_chosen_and_nothing_is_converted() -> None:
    given = Input.from_lines(TIMED)
    assert "$0.20" in str(cost(given, currency="$"))
    with pytest.warns(JuryboxWarning, match="nothing is converted"):
        assert cost(given, currency="EUR").total == Decimal("0.2")


def test_money_in_two_currencies_is_not_added_up() -> None:
    lines = ["case,rater,label,reward", "c1,Ann,ok,$1", "c1,Bob,ok,1 EUR"]
    with pytest.raises(InputError, match="several currencies"):
        cost(Input.from_lines(lines))
    with pytest.raises(UsageError, match="different currencies"):
        cost(grid(1, 2), pay="$1", min_fee="1 EUR")


def test_a_missing_reward_is_not_taken_for_nothing() -> None:
    lines = ["case,rater,label,reward", "c1,Ann,ok,$1", "c1,Bob,ok,"]
    with pytest.raises(InputError, match="1 of 2 judgments do not tell their reward"):
        cost(Input.from_lines(lines))


def test_batches_that_are_not_there_are_an_error() -> None:
    with pytest.raises(InputError, match="--columns batch"):
        cost(grid(2, 2), pay="1", by_batch=True)


def test_a_mean_pay_is_shown_in_few_digits() -> None:
    lines = ["case,rater,label,reward", "c1,A,ok,$1", "c1,B,ok,$1", "c1,C,ok,$0"]
    assert "0.6667 USD" in str(cost(Input.from_lines(lines)))


@pytest.mark.parametrize(
    "options",
    [
        {"fee": "20"},
        {"fee": "much"},
        {"fee": "-5%"},
        {"fee": "nan"},
        {"pay": "cheap"},
        {"pay": -1},
        {"more": 0},
    ],
)
def test_options_that_make_no_sense_are_refused_before_the_work(options: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        cost("no such file", **options)  # type: ignore[arg-type]  # options of all kinds


@pytest.mark.parametrize("options", [{}, {"fee": "20%", "more": 7, "by_batch": True}])
def test_a_saved_result_comes_back(options: dict[str, object]) -> None:
    result = cost(Input.from_lines(TIMED), **options)  # type: ignore[arg-type]  # see above
    check_restored(result)
    assert not isnan(result.whole.hours)
