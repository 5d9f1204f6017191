"""Results by kind of error: extraneous, wrong choice, missing (Madnani et al. 2011, section 2)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import jurybox
from jurybox.formats import Input
from jurybox.jury.cases import derive_cases
from jurybox.jury.evaluate import evaluate
from jurybox.jury.evaluate.result import EvaluateResult, KindEvaluation
from jurybox.jury.kinds import decide_kind, vote_by_kind
from jurybox.model import Case, Counts, JudgmentTable
from jurybox.saved_results import read_result

SAMPLE = Path(jurybox.__file__).parent / "data" / "sample"
PANEL = sorted(SAMPLE.glob("A*.m2"))

#: "They came to outside" has an extraneous preposition, "They arrived to the town" a wrong one
CASES = """\
case,sentence,start,end,written,construction
c1,They came to outside,2,3,to,preposition
c2,They arrived to the town,2,3,to,preposition
c3,They like in the town,2,3,in,preposition
c4,They wait you,2,2,,missing-preposition
"""
JUDGMENTS = """\
case,rater,label,correction
c1,Ann,error,-NONE-
c1,Bob,error,-NONE-
c1,Cem,error,from
c2,Ann,error,in
c2,Bob,error,in
c2,Cem,ok,
c3,Ann,ok,
c3,Bob,ok,
c3,Cem,error,
c4,Ann,error,for
c4,Bob,error,for
c4,Cem,error,for
"""


def judged(decisions: str, **options: object) -> EvaluateResult:
    given = {"mine": Input.from_text(decisions)}
    cases, judgments = Input.from_text(CASES), Input.from_text(JUDGMENTS)
    return evaluate(cases, judgments, given, **options)  # type: ignore[arg-type]  # any


def kinds_of(result: EvaluateResult, system: str = "mine") -> dict[str, KindEvaluation]:
    return {one.kind: one for one in result[system].kinds}


def test_each_kind_is_a_question_of_its_own_worked_by_hand() -> None:
    """Madnani et al. 2011, section 2: "came to outside" against "arrived to the town"."""
    result = judged(
        "case,label,suggestion\nc1,error,-NONE-\nc2,error,-NONE-\nc3,ok,\nc4,error,for\n"
    )
    kinds = kinds_of(result)
    # c2 is a wrong choice for judges and extraneous for the system: a false positive of one kind,
    # a miss of the other
    assert kinds["extraneous"].plain.counts == Counts(1, 1, 0, 1)
    assert kinds["wrong"].plain.counts == Counts(0, 0, 1, 2)
    assert kinds["missing"].plain.counts == Counts(1, 0, 0, 0)
    # extraneous: p is 2/3 at c1, 0 at c2, and 0 at c3, where the third judge tells no kind
    assert kinds["extraneous"].weighted.counts.tp == pytest.approx(2 / 3)
    assert kinds["wrong"].weighted.counts.fn == pytest.approx(1 / 3 + 2 / 3)
    assert kinds["wrong"].unknown == 1
    assert kinds["missing"].n == 1


def test_a_report_without_a_suggestion_counts_for_every_kind() -> None:
    """Recall by kind is right for a detector that only detects; precision is a lower bound."""
    result = judged("case,label\nc1,error\nc2,error\nc3,ok\nc4,ok\n")
    kinds = kinds_of(result)
    assert kinds["extraneous"].plain.counts == Counts(1, 1, 0, 1)
    assert kinds["wrong"].plain.counts == Counts(1, 1, 0, 1)
    assert [kinds[kind].unclear for kind in ("extraneous", "wrong", "missing")] == [2, 2, 0]
    assert "precision is a lower bound" in str(result)


def test_kinds_come_back_from_json_and_stand_in_every_form() -> None:
    result = judged("case,label,suggestion\nc1,error,-NONE-\nc2,ok,\nc3,ok,\nc4,ok,\n")
    again = read_result(result.to_json())
    assert isinstance(again, EvaluateResult)
    assert again["mine"].kinds == result["mine"].kinds
    assert [row["name"] for row in result.records() if row["what"] == "kind"] == [
        *("extraneous", "wrong", "missing")
    ]
    assert "By kind of error" in str(result)


def test_without_corrections_no_kind_is_known() -> None:
    judgments = "case,rater,label\nc1,Ann,error\nc2,Ann,ok\nc3,Ann,ok\n"
    cases = Input.from_text("".join(CASES.splitlines(keepends=True)[:-1]))
    given = {"mine": Input.from_text("case,label,suggestion\nc1,error,in\nc2,ok,\nc3,ok,\n")}
    result = evaluate(cases, Input.from_text(judgments), given)
    assert result["mine"].kinds == ()
    assert "By kind of error" not in str(result)


def test_one_kind_alone_has_the_numbers_of_detection_and_no_table() -> None:
    """The paper's task: extraneous or not, without corrections (section 2.1)."""
    cases = CASES.replace(",preposition", ",extraneous-preposition").splitlines(keepends=True)
    judgments = "case,rater,label\nc1,Ann,error\nc2,Ann,ok\nc3,Ann,ok\n"
    given = {"LM": Input.from_text("case,label\nc1,error\nc2,error\nc3,ok\n")}
    result = evaluate(Input.from_text("".join(cases[:-1])), Input.from_text(judgments), given)
    (only,) = result["LM"].kinds
    assert (only.kind, only.unclear) == ("extraneous", 0)
    assert only.plain == result["LM"].plain
    assert "By kind of error" not in str(result)


@pytest.mark.parametrize("kind", ["extraneous", "wrong"])
def test_a_row_is_what_the_construction_of_that_kind_gives(kind: str) -> None:
    """Deriving all prepositions and looking at a kind, or deriving that kind alone: the same."""
    systems = {"bold": SAMPLE / "bold.txt"}
    everything = evaluate(derived=derive_cases(PANEL, systems=systems, tagger="words"))
    alone = evaluate(
        derived=derive_cases(PANEL, f"{kind}-preposition", systems=systems, tagger="words")
    )
    row = kinds_of(everything, "bold")[kind]
    assert row.plain == alone["bold"].plain
    assert row.weighted.counts.tp == pytest.approx(alone["bold"].weighted.counts.tp)
    assert alone.error_rate > 0


def test_options_of_counting_reach_the_kinds() -> None:
    decisions = "case,label,suggestion\nc1,error,-NONE-\nc2,ok,\nc3,ok,\nc4,ok,\n"
    tied = JUDGMENTS.replace("c1,Cem,error,from\n", "c1,Cem,error,from\nc1,Dan,error,from\n")
    for ties, counts in (("ok", (0, 1, 0, 2)), ("error", (1, 0, 0, 2)), ("drop", (0, 0, 0, 2))):
        result = evaluate(
            Input.from_text(CASES),
            Input.from_text(tied),
            {"mine": Input.from_text(decisions)},
            ties=ties,
        )
        assert kinds_of(result)["extraneous"].plain.counts == Counts(*counts)
    smoothed = judged(decisions, smooth=2.0)
    assert kinds_of(smoothed)["extraneous"].weighted.counts.tp < 2 / 3


def test_equally_good_corrections_may_be_of_both_kinds() -> None:
    table = JudgmentTable()
    table.append(0, "Ann", "error", ("", "in"))
    by_kind = vote_by_kind(table, [Case("c1", "a to b", 1, 2, "to")])
    assert {one.kind: int(one.votes.errors[0]) for one in by_kind} == {"extraneous": 1, "wrong": 1}
    decided, unclear = decide_kind(by_kind[0], np.array([1], np.int8), [None])
    assert (decided.tolist(), unclear) == ([1], 1)
