"""Raters whom a server flagged: out of every number, counted, and what they would change."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.errors import InputError, JuryboxWarning, UsageError
from jurybox.formats import Input
from jurybox.jury.evaluate import evaluate
from jurybox.raters.aggregate import aggregate
from jurybox.raters.agree import agree
from jurybox.raters.cost import cost
from jurybox.raters.flagged import FlaggedChange, FlaggedRaters
from jurybox.raters.screen import screen
from jurybox.records import plain, restore
from saved_results import check_restored, check_schema

HEADER = "case,rater,label,status\n"
#: two raters who agree on two of three cases, and a third who contradicts them
ROWS = (
    "c1,R1,error,\nc1,R2,error,late\nc1,R3,ok,flagged late\n"
    "c2,R1,ok,\nc2,R2,ok,\nc2,R3,error,flagged\n"
    "c3,R1,error,\nc3,R2,ok,repeat\nc3,R3,unknown,flagged\n"
)

pytestmark = pytest.mark.filterwarnings("ignore::jurybox.errors.JuryboxWarning")


def table(rows: str) -> Input:
    return Input.from_text(HEADER + rows)


def without(rows: str) -> str:
    return "".join(f"{row}\n" for row in rows.splitlines() if "flagged" not in row)


def test_alpha_by_hand_without_and_with_the_flagged_rater() -> None:
    """Krippendorff 2011. Without: D_o = 2/6, D_e = 2·3·3/(6·5); with: n = 8, 4 of each label."""
    result = agree(table(ROWS))
    assert result.alpha() == pytest.approx(1 - (2 / 6) / (18 / 30))
    assert result.flagged is not None
    assert result.flagged[:4] == (1, 3, 9, False)
    (change,) = result.flagged.changes
    # two cases of three judgments disagree in 4 of 6 ordered pairs, weighed by 1/2; c3 in both
    observed = (4 / 2 + 4 / 2 + 2) / 8
    assert (change.measure, change.without) == ("alpha", result.alpha())
    assert change.with_flagged == pytest.approx(1 - observed / (2 * 4 * 4 / (8 * 7)))
    assert result.flagged.sentence() in result.warnings


def test_what_only_flagged_raters_say_is_no_label_and_no_answer_of_others() -> None:
    """A label that nobody else gave would change Gwet's AC1, which counts labels."""
    rows = f"{ROWS}c1,R4,perhaps,flagged\n"
    result = agree(table(rows))
    assert result.labels == {"error": 3, "ok": 3}
    assert result.sizes.left_out.no_answer == 0
    assert result.ac1 == agree(table(without(rows))).ac1


def test_a_flag_in_one_row_flags_the_rater_and_other_words_flag_nobody() -> None:
    once = ROWS.replace("R3,error,flagged", "R3,error,").replace("R3,unknown,flagged", "R3,ok,")
    result = agree(table(once))
    assert result.flagged is not None
    assert result.flagged.judgments == 3
    assert agree(table(ROWS.replace("flagged", "flagged by hand"))).flagged is None
    assert agree(table(without(ROWS))).flagged is None


ROW = st.tuples(st.integers(0, 5), st.integers(0, 4), st.sampled_from(["error", "ok", "unknown"]))


@given(st.lists(ROW, min_size=1, max_size=25, unique_by=lambda row: row[:2]))
def test_numbers_are_those_of_the_file_without_flagged_rows(
    rows: list[tuple[int, int, str]],
) -> None:
    """Raters 3 and 4 are flagged."""
    trusted = [row for row in rows if row[1] < 3 and row[2] != "unknown"]
    if not trusted:
        return
    text = "".join(
        f"c{case},R{rater},{label},{'flagged' if rater >= 3 else ''}\n"
        for case, rater, label in rows
    )
    found, other = agree(table(text)), agree(table(without(text)))
    same = {"flagged": None, "warnings": (), "inputs": (), "signature": ""}
    assert str(replace(found, **same)) == str(replace(other, **same))  # type: ignore[arg-type]


def test_nobody_but_flagged_raters_is_an_error_that_names_the_option() -> None:
    rows = "c1,R3,ok,flagged\n"
    with pytest.raises(InputError, match="all judgments are by flagged raters"):
        agree(table(rows))
    decisions = Input.from_text("case,label\nc1,ok\n")
    with pytest.raises(InputError, match="--with-flagged"):
        evaluate(None, table(rows), {"mine": decisions})


def test_evaluate_says_both_numbers_of_every_system() -> None:
    decisions = {
        name: Input.from_text(f"case,label\nc1,{first}\nc2,ok\nc3,ok\n")
        for name, first in (("bold", "error"), ("shy", "ok"))
    }
    with pytest.warns(JuryboxWarning, match="bold: precision .*; shy: "):
        result = evaluate(None, table(ROWS), decisions)
    assert result.flagged is not None
    bold = {one.measure: one for one in result.flagged.changes if one.system == "bold"}
    # c1: 2 of 2, with R3 2 of 3 call it an error
    assert bold["precision"].without == 1.0
    assert bold["precision"].with_flagged == pytest.approx(2 / 3)


def test_aggregate_leaves_them_out_and_says_accuracy_both_ways() -> None:
    """R1 and R2 call c1 an error, c2 ok, and are tied on c3: ok. All three are errors."""
    gold = dict.fromkeys(("c1", "c2", "c3"), "error")
    rows = f"{ROWS}c1,R4,ok,flagged\nc1,R5,ok,flagged\n"
    result = aggregate(table(rows), gold=gold, ties="ok")
    trusted = aggregate(table(without(rows)), gold=gold, ties="ok")
    assert result.cases == trusted.cases
    assert (result.raters, result.judgments, result.no_answer) == (2, 6, 0)
    assert result.flagged is not None
    assert result.flagged[:4] == (3, 5, 11, False)
    # with R3, R4 and R5 most call c1 ok
    assert result.flagged.changes == (FlaggedChange("accuracy", 1 / 3, 0.0),)
    assert result.flagged.sentence() in result.warnings
    assert "5 judgments by 3 flagged raters, left out" in str(result)
    check_schema(result, "aggregate")
    check_restored(result)

    counted = aggregate(table(rows), gold=gold, ties="ok", with_flagged=True)
    assert counted.rows == aggregate(table(rows.replace("flagged", "")), ties="ok").rows
    assert counted.flagged == result.flagged._replace(counted=True)
    assert "flagged:yes" in counted.signature
    assert "flagged" not in result.signature
    check_restored(counted)


def test_aggregate_labels_no_case_that_only_flagged_raters_judged() -> None:
    result = aggregate(table(f"{ROWS}c4,R3,ok,flagged\n"))
    assert result.labels["c4"] is None
    assert result["c4"].judgments == 0


def test_aggregate_needs_somebody_who_answers_and_an_expert_who_is_not_flagged() -> None:
    with pytest.raises(InputError, match="all answers are by flagged raters; --with-flagged"):
        aggregate(table("c1,R1,unknown,\nc1,R3,ok,flagged\n"))
    with pytest.raises(UsageError, match="--expert R3: this rater is flagged"):
        aggregate(table(ROWS), expert="R3")
    assert aggregate(table(ROWS), expert="R3", with_flagged=True).raters == 2


def test_screen_and_cost_count_them_and_say_so() -> None:
    everybody = ROWS.replace("flagged", "")
    flagged = "1 flagged rater (gold rule, or an admin): 3 of 9 judgments are counted: "
    screened = screen(table(ROWS))
    assert screened.warnings == (f"{flagged}they are screened like everybody else",)
    assert screened.raters == screen(table(everybody)).raters
    paid = cost(table(ROWS), pay="$0.05")
    assert paid.warnings == (f"{flagged}they were paid",)
    assert paid.whole == cost(table(everybody), pay="$0.05").whole


def test_what_is_undefined_one_way_says_why_in_words_and_json() -> None:
    """Only one of the trusted raters judged c1: no two judgments can be compared."""
    result = agree(table("c1,R1,error,\nc1,R3,ok,flagged\nc2,R3,ok,flagged\nc2,R4,ok,flagged\n"))
    assert result.flagged is not None
    (change,) = result.flagged.changes
    assert change.without is None
    assert change.undefined["without"] == "no case was judged by two raters"
    assert change.with_flagged == pytest.approx(1 - (2 / 4) / (2 * 1 * 3 / (4 * 3)))
    assert result.flagged.sentence().endswith(
        "(alpha 0.0000 instead of undefined (no case was judged by two raters))"
    )
    assert result.to_dict()["flagged"]["changes"][0]["undefined"] == {
        "without": "no case was judged by two raters"
    }
    check_schema(result, "agree")
    check_restored(result)


def test_what_is_undefined_both_ways_is_no_change_to_speak_of() -> None:
    result = agree(table("c1,R1,error,\nc2,R3,ok,flagged\n"))
    assert result.flagged is not None
    (change,) = result.flagged.changes
    assert (change.without, change.with_flagged) == (None, None)
    assert result.flagged.sentence().endswith("--with-flagged counts them")


def test_json_and_back() -> None:
    change = FlaggedChange("alpha", 0.5, None, "mine", {"with": "one label"})
    found = FlaggedRaters(2, 5, 9, True, (change,))
    assert restore(FlaggedRaters, plain(found)) == found
