"""What a project costs: held against `jurybox cost` on the exported file."""

from __future__ import annotations

import io
from decimal import Decimal
from typing import Any

import pytest

from jurybox.errors import UsageError
from jurybox.formats import Input
from jurybox.raters.cost import cost
from jurybox.serve.dashboard import dashboard_of
from jurybox.serve.dashboard.costs import Worked, costs_of, worked
from jurybox.serve.model import Progress
from jurybox.serve.pay import read_fee, read_pay
from jurybox.serve.settings import Settings
from jurybox.serve.store import Store
from serve.watched_studies import EVERYTHING, NOW, judge_some, make_study

PROGRESS = Progress(cases=100, full=0, judgments=40, wanted=200)


def settings(**given: Any) -> Settings:
    return Settings("study", per_case=2, **given)


@pytest.mark.filterwarnings("ignore:.*all of them count:jurybox.errors.JuryboxWarning")
# whether the gold rule flags one of the raters is left to chance
@pytest.mark.filterwarnings("ignore:.*flagged rater:jurybox.errors.JuryboxWarning")
def test_cost_so_far_is_that_of_jurybox_cost_on_the_download(store: Store) -> None:
    """Gold and cases shown again are in the file, and were paid."""
    project = make_study(store, 20, pay="$0.05", fee="20%", **EVERYTHING)
    judge_some(store, project, 50)
    out = io.StringIO()
    store.export(project.id, out, "csv")
    said = cost([Input.from_text(out.getvalue(), "judgments.csv")], pay="$0.05", fee="20%")
    board = dashboard_of(store, project, now=NOW)
    assert board.costs is not None
    assert board.costs.so_far.judgments == said.whole.judgments
    assert board.costs.so_far.total == said.total
    assert said.whole.pay_per_hour is not None
    assert board.costs.earned == f"${said.whole.pay_per_hour:.2f}"


def test_all_judgments_in_all_cost_their_gold_and_repeats_too() -> None:
    given = settings(pay="$0.10", fee="25%", gold_rate=0.1, repeat_share=0.1)
    found = costs_of(given, PROGRESS, Worked(50, 0.0, 0), has_gold=True)
    assert found is not None
    assert found.expected is not None
    assert found.expected.judgments == 50 + 200  # 160 are four fifths of what is still to come
    assert found.expected.total == Decimal("31.25")
    assert found.expected.shown == "$31.25"


def test_a_gold_rate_without_gold_cases_costs_nothing() -> None:
    given = settings(pay="$0.10", gold_rate=0.5)
    found = costs_of(given, PROGRESS, Worked(40, 0.0, 0), has_gold=False)
    assert found is not None
    assert found.expected is not None
    assert found.expected.judgments == 200


def test_hours_are_paid_by_the_time_that_judgments_took() -> None:
    done = Worked(answers=40, hours=2.0, timed=40)
    found = costs_of(settings(pay="12 EUR/hour", fee="50%"), PROGRESS, done, has_gold=False)
    assert found is not None
    assert found.so_far.total == Decimal("36.00")
    assert found.expected is not None
    assert found.expected.total == Decimal("180.00")
    assert found.expected.shown == "180.00 EUR"
    assert found.earned == "12.00 EUR"


def test_what_hours_will_cost_is_not_known_before_somebody_worked() -> None:
    none = Progress(cases=100, full=0, judgments=0, wanted=200)
    found = costs_of(settings(pay="$12/h"), none, Worked(0, 0.0, 0), has_gold=False)
    assert found is not None
    assert (found.so_far.total, found.expected, found.earned) == (Decimal("0.00"), None, "")
    assert found.to_dict()["reason"]


def test_without_pay_there_is_no_cost() -> None:
    assert costs_of(settings(), PROGRESS, Worked(40, 1.0, 40), has_gold=False) is None


def test_answers_whose_time_is_not_known_yet_take_as_long_as_the_others(lite: Store) -> None:
    project = make_study(lite, 20)
    judge_some(lite, project, 20)
    times = lite.rater_progress(project.id)
    done = worked(30, times)
    assert (done.answers, done.timed) == (30, 20)
    assert done.hours == pytest.approx(20 * 9 / 3600)
    assert done.hours / done.timed == pytest.approx(9 / 3600)


@pytest.mark.parametrize(
    ("text", "amount", "currency", "is_hourly"),
    [
        ("$0.02", "0.02", "$", False),
        ("0,05 €", "0.05", "€", False),
        ("$12/hour", "12", "$", True),
        ("12.50 EUR per hour", "12.50", "EUR", True),
        ("£9 / H", "9", "£", True),
        ("$10 an hour", "10", "$", True),
        ("0.5", "0.5", "", False),
    ],
)
def test_pay_is_read_as_people_write_it(
    text: str, amount: str, currency: str, is_hourly: bool
) -> None:
    assert read_pay(text) == (Decimal(amount), currency, is_hourly)


@pytest.mark.parametrize("text", ["", "much", "-1", "$1/day", "$ /hour", "1.2.3"])
def test_what_is_no_pay_is_told_with_an_example(text: str) -> None:
    with pytest.raises(UsageError, match=r"as \$0\.02 or 0\.02 EUR"):
        read_pay(text)


@pytest.mark.parametrize("text", ["20", "-5%", "much", "nan"])
def test_what_is_no_fee_is_told_with_an_example(text: str) -> None:
    with pytest.raises(UsageError, match=r"as 20% or 0\.2"):
        read_fee(text)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"pay": "much"}, "--pay much"),
        ({"pay": "$1", "fee": "much"}, "--fee much"),
        ({"fee": "20%"}, "--pay"),
        ({"precise_within": 0.0}, "--precise-within"),
        ({"precise_within": 1.0}, "--precise-within"),
    ],
)
def test_settings_that_cannot_be_counted_with_are_refused(
    given: dict[str, Any], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        settings(**given)
