"""The precision-recall curve: Chodorow et al. (2012), sections 3.3 and 3.4."""

from __future__ import annotations

from importlib.resources import files
from math import isnan

import pytest

import jurybox as jb
from jurybox.errors import InputError
from jurybox.formats import Input
from jurybox.jury.evaluate import FIGURES
from jurybox.jury.evaluate.result import EvaluateResult
from jurybox.report.contents import JURY_FIGURES

SAMPLE = files("jurybox") / "data" / "sample"
CASES = Input.from_text("case\nc1\nc2\nc3\nc4\n")
#: two of three raters call c1 an error, one c2, none c3, all c4
JUDGMENTS = Input.from_text(
    "case,rater,label\n"
    + "".join(
        f"c{case},{rater},{'error' if rater in said else 'ok'}\n"
        for case, said in enumerate(("AB", "A", "", "ABC"), 1)
        for rater in "ABC"
    )
)
MINE = "case,label,score\nc1,ok,.5\nc2,error,.7\nc3,ok,.1\nc4,error,.9\n"


def sample_result() -> EvaluateResult:
    systems = {name: f"{SAMPLE}/{name}.csv" for name in ("bold", "cautious", "rewriter")}
    return jb.evaluate(f"{SAMPLE}/cases.jsonl", f"{SAMPLE}/judgments.csv", systems)


def texts(result: EvaluateResult) -> list[str]:
    return [text.get_text() for text in result.figure("pr-curve").texts]


def test_points_of_four_cases_are_those_worked_by_hand_majority_and_weighted() -> None:
    result = jb.evaluate(CASES, JUDGMENTS, {"mine": Input.from_text(MINE)})
    points = {
        kind: [(one.threshold, one.precision, one.recall, one.bias) for one in curve.points[1:]]
        for kind, curve in result["mine"].curves.items()
    }
    # errors by the majority are c1 and c4; shares of the raters are 2/3, 1/3, 0 and 1
    assert points["plain"] == [
        pytest.approx((0.9, 1, 1 / 2, 1 / 4)),
        pytest.approx((0.7, 1 / 2, 1 / 2, 1 / 2)),
        pytest.approx((0.5, 2 / 3, 1, 3 / 4)),
        pytest.approx((0.1, 1 / 2, 1, 1)),
    ]
    assert points["weighted"] == [
        pytest.approx((0.9, 1, 1 / 2, 1 / 4)),
        pytest.approx((0.7, 2 / 3, 2 / 3, 1 / 2)),
        pytest.approx((0.5, 2 / 3, 1, 3 / 4)),
        pytest.approx((0.1, 1 / 2, 1, 1)),
    ]
    assert result["mine"].curves["plain"].average_precision == pytest.approx(1 / 2 + 1 / 3)
    assert result["mine"].curves["weighted"].average_precision == pytest.approx(
        1 / 2 + (1 / 6) * (2 / 3) + (1 / 3) * (2 / 3)
    )


def test_the_table_has_the_points_that_reach_some_recalls_with_their_bias() -> None:
    result = jb.evaluate(CASES, JUDGMENTS, {"mine": Input.from_text(MINE)})
    table = next(one for one in result.tables() if one.title == "Precision-recall curve")
    assert [column.title for column in table.columns][2:6] == ["threshold", "bias", "P", "R"]
    rows = [tuple(row[1:6]) for row in table.rows]
    assert rows == [
        ("majority", 0.9, 0.25, 1.0, 0.5),
        ("majority", 0.5, 0.75, pytest.approx(2 / 3), 1.0),
        ("weighted", 0.9, 0.25, 1.0, 0.5),
        ("weighted", 0.5, 0.75, pytest.approx(2 / 3), 1.0),
    ]


def test_the_figure_draws_both_truths_with_average_precision_and_marks_the_decisions() -> None:
    drawn = texts(sample_result())
    assert {"precision", "recall"} < set(drawn)
    assert "cautious, majority (AP 0.85)" in drawn
    assert "cautious, weighted (AP 0.61)" in drawn
    assert any("decisions as given" in text for text in drawn)


def test_with_many_systems_only_the_majority_is_drawn() -> None:
    systems = {f"s{number}": Input.from_text(MINE) for number in range(4)}
    drawn = texts(jb.evaluate(CASES, JUDGMENTS, systems))
    assert "s3 (AP 0.83)" in drawn
    assert "by the majority" in drawn[0]


def test_without_scores_there_is_no_curve_to_draw_and_no_table() -> None:
    labels = "case,label\nc1,ok\nc2,error\nc3,ok\nc4,error\n"
    result = jb.evaluate(CASES, JUDGMENTS, {"mine": Input.from_text(labels)})
    assert "Precision-recall curve" not in [table.title for table in result.tables()]
    with pytest.raises(InputError, match="no decisions have scores"):
        result.figure("pr-curve")


def test_without_errors_average_precision_says_why_there_is_none() -> None:
    silent = Input.from_text("case,rater,label\n" + "".join(f"c{k},A,ok\n" for k in range(1, 5)))
    curve = jb.evaluate(CASES, silent, {"mine": Input.from_text(MINE)})["mine"].curves["plain"]
    assert isnan(curve.average_precision)
    assert curve.undefined["average_precision"]


def test_the_report_has_every_figure_of_an_evaluation() -> None:
    assert set(JURY_FIGURES) == set(FIGURES)
    assert JURY_FIGURES["pr-curve"][0] == "thresholds"
