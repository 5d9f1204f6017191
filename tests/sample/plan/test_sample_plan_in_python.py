"""`plan_sample`: methods side by side, prices, budgets, and what is said of them."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest

from jurybox.errors import InputError, JuryboxWarning, UnknownNameError, UsageError
from jurybox.sample.plan import plan_sample
from jurybox.sample.plan.result import SamplePlan

#: the corpus of Tetreault and Chodorow 2008, Figure 1
PAPER: dict[str, Any] = {"error": 1000, "ok": 9000, "precision": 0.8, "error_rate": 0.35}


def planned(**more: Any) -> SamplePlan:
    return plan_sample(**{**PAPER, "precision_within": 0.03, "recall_within": 0.02, **more})


def test_five_methods_stand_side_by_side() -> None:
    plan = planned(about="corpus")
    shown = {one.name: (one.error, one.ok) for one in plan.methods}
    assert shown == {
        "standard": (1000, 9000),
        "at-random": (406, 3652),
        "neyman": (407, 720),
        "two-to-one": (407, 814),
        "verification": (407, 0),
    }
    assert plan.method("verification").recall_within is None
    with pytest.raises(UnknownNameError, match="did you mean 'neyman'"):
        plan.method("neiman")


def test_a_plan_is_about_text_of_this_kind_unless_the_corpus_is_asked_about() -> None:
    text, corpus = planned(), planned(about="corpus")
    # .8 (1 - .8) (1.96 / .03)² flagged cases, however many there are
    assert text.method("verification").error == 683
    assert "± is about text of this kind" in str(text)
    assert "± is about this corpus, these very cases" in str(corpus)
    assert (text.to_dict()["wish"]["about"], corpus.to_dict()["wish"]["about"]) == (
        "text",
        "corpus",
    )
    # every case judged: what the corpus leaves unknown of text, and nothing of itself
    assert text.method("standard").recall_within == pytest.approx(0.01391, abs=1e-5)
    assert corpus.method("standard").recall_within == 0.0
    with pytest.raises(UnknownNameError, match="question"):
        planned(about="corpora")


@pytest.mark.filterwarnings("ignore:the wish takes every one")
def test_a_corpus_that_is_too_small_for_a_wish_about_text_is_told_with_the_size_it_takes() -> None:
    # 1.96² · (8/35) (27/35) / .005² errors, .35 of all cases
    with pytest.warns(
        JuryboxWarning, match=r"leaves recall ± 0\.0139 .* corpus of about 7741\d cases"
    ):
        plan_sample(**PAPER, recall_within=0.005)


def test_the_papers_eighty_hours_for_ten_thousand_cases() -> None:
    """500 prepositions in 4 hours; at a tenth of errors, 80 hours to find 1,000."""
    plan = plan_sample(error=500, ok=9500, precision=0.8, error_rate=0.1, recall_within=0.05)
    assert plan.method("standard").hours == 80.0
    drawn = plan_sample(
        error=2000, ok=20_000, precision=0.8, error_rate=0.6, budget=750, pay=1
    ).method("two-to-one")
    assert (drawn.error, drawn.ok, drawn.hours) == (250, 500, 6.0)  # section 6.2: roughly 6 hours


def test_more_judgments_on_each_case_cost_more_and_change_no_number_of_cases() -> None:
    one, three = planned(pay="$0.05"), planned(pay="$0.05", per_case=3)
    for name in ("standard", "neyman", "two-to-one", "verification"):
        first, second = one.method(name), three.method(name)
        assert second.cases == first.cases
        assert second.judgments == 3 * first.judgments
        assert second.hours == pytest.approx(3 * first.hours)
        assert first.money is not None
        assert second.money == 3 * first.money
    assert one.method("neyman").money == Decimal("96.50")
    assert one.prices.currency == "$"


def test_a_budget_buys_as_many_cases_as_it_can() -> None:
    plan = plan_sample(**PAPER, budget="$50", pay="$0.05", per_case=3)
    for name in ("at-random", "neyman", "two-to-one", "verification"):
        assert plan.method(name).cases == 333
    halves = [plan.method(name).recall_within for name in ("neyman", "two-to-one", "at-random")]
    assert halves[0] == min(half for half in halves if half is not None)
    assert halves.count(halves[0]) == 1


def test_a_budget_that_wishes_exceed_is_told_with_what_it_gives() -> None:
    with pytest.warns(JuryboxWarning, match=r"--budget is enough for 400 cases, .* takes 1930"):
        planned(budget=20, pay=0.05)


def test_a_wish_for_precision_alone_is_verification() -> None:
    with pytest.warns(JuryboxWarning, match="says nothing about recall"):
        plan = plan_sample(**PAPER, precision_within=0.03)
    assert [one.name for one in plan.methods] == ["standard", "at-random", "verification"]


def test_a_wish_that_takes_a_whole_part_is_told() -> None:
    with pytest.warns(JuryboxWarning, match="every one of the 1000 cases of part 'error'"):
        plan = plan_sample(**PAPER, precision_within=0.0001, recall_within=0.05, about="corpus")
    assert plan.method("neyman").error == 1000


def test_few_expected_misses_are_told() -> None:
    with pytest.warns(JuryboxWarning, match=r"only \d\.\d misses are expected in the sample"):
        plan_sample(error=100, ok=9900, precision=0.5, error_rate=0.006, recall_within=0.3)


def test_parts_are_counted_in_decisions() -> None:
    decided = {f"c{k}": "error" if k % 10 == 0 else "ok" for k in range(10_000)}
    plan = plan_sample(decided, precision=0.8, error_rate=0.35, recall_within=0.04)
    assert (plan.expected.flagged, plan.expected.passed) == (1000, 9000)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"error": None}, "--size error=N ok=M"),
        (
            {"recall_within": None, "precision_within": None},
            "--precision-within or --recall-within",
        ),
        ({"budget": 20}, "--budget needs --pay"),
        ({"budget": "$20", "pay": "0.05 EUR"}, r"--budget is in \$, --pay in EUR"),
        ({"budget": 0.01, "pay": 0.05}, "is enough for 0 cases"),
        ({"pay": "much"}, "--pay: 'much' is no amount"),
        ({"pay": 0}, "--pay must be more than 0"),
        ({"per_hour": 0}, "--per-hour"),
        ({"per_case": 0}, "--per-case"),
        ({"ci_level": 95}, "level"),
        ({"recall_within": 2}, "--recall-within must lie between 0 and 1"),
        ({"precision": 0.1, "error_rate": 0.001}, "expect a lower precision or a higher error"),
        ({"decisions": {"c1": "ok"}}, "leave --size out"),
    ],
)
def test_what_makes_no_sense_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        planned(**given)


def test_decisions_without_errors_cannot_be_planned_for() -> None:
    with pytest.raises(InputError, match="the part 'error' has 0 cases"):
        plan_sample({"c1": "ok"}, precision=0.5, error_rate=0.5, recall_within=0.1)


def test_a_plan_comes_back_out_of_its_json() -> None:
    budget: SamplePlan = plan_sample(**PAPER, budget="50 EUR", pay="0.05 EUR")
    for plan in (planned(), planned(pay="$0.05", per_case=2), budget):
        again = SamplePlan.from_dict(json.loads(plan.to_json()), file="plan.json")
        assert again == plan
        assert again.to_json() == plan.to_json()
        assert str(again) == str(plan)


def test_intervals_narrow_as_more_is_spent_and_the_figure_shows_it() -> None:
    plan = planned(pay=0.05)
    for name in ("precision_within", "recall_within", "ratio_recall_within"):
        values = [getattr(point, name) for point in plan.curve]
        assert values == sorted(values, reverse=True)
    words = {text.get_text() for text in plan.figure().texts}
    assert {"money", "half-width of the interval, in points of 100"} <= words
    assert "judgments" in {text.get_text() for text in planned().figure().texts}


@pytest.mark.filterwarnings("ignore::jurybox.errors.JuryboxWarning")
def test_a_half_width_beyond_all_shares_is_not_printed_as_a_number() -> None:
    plan = plan_sample(
        error=1000, ok=900_000, precision=0.8, error_rate=0.00095, budget="$1", pay="$0.05"
    )
    assert (plan.method("neyman").recall_within or 0) > 3
    (table,) = plan.tables()
    columns = [column.title for column in table.columns]
    recalls = [row[columns.index("R ±")] for row in table.rows]
    assert recalls == [pytest.approx(0.01656, abs=1e-5), "> 0.5", "> 0.5", "> 0.5", None]
    assert any(note.startswith("> 0.5: too few cases") for note in table.notes)


def test_all_that_is_rare_in_a_sample_is_told_in_one_warning() -> None:
    few = r"only 0\.8 hits, 0\.2 false positives and 0\.6 misses are expected"
    with pytest.warns(JuryboxWarning, match=few) as told:
        plan_sample(error=1000, ok=9000, precision=0.8, error_rate=0.35, recall_within=0.5)
    assert len(told) == 1
