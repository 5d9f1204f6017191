"""Accuracy of the text before and after correction: Chodorow et al. (2012), section 3.4."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import jurybox as jb
from jurybox.formats import Input
from jurybox.jury.evaluate.result import EvaluateResult
from jurybox.jury.was import TextAccuracy

TITLE = "Accuracy of the text before and after correction"
CASES = Input.from_text("case\nc1\nc2\nc3\nc4\n")
JUDGMENTS = Input.from_text("""\
case,rater,label,correction
c1,Ann,error,in
c1,Bob,error,at
c1,Cem,ok,
c2,Ann,ok,
c2,Bob,ok,
c2,Cem,error,to
c3,Ann,ok,
c3,Bob,ok,
c3,Cem,ok,
c4,Ann,error,on
c4,Bob,error,on
c4,Cem,error,on
""")


def evaluated(decisions: str, **options: Any) -> EvaluateResult:
    text = Input.from_text(f"case,label,suggestion\n{decisions}")
    return jb.evaluate(CASES, JUDGMENTS, {"mine": text}, **options)


def test_four_cases_worked_by_hand() -> None:
    """c1 is fixed (*in* is as good as *at*), c4 too; c2 was right and is broken."""
    found = evaluated("c1,error,in\nc2,error,of\nc3,ok,\nc4,error,on\n")["mine"].text_accuracy
    assert found["plain"] == TextAccuracy(n=4, errors=2, fixed=2, broken=1)
    assert (found["plain"].before, found["plain"].after) == (0.5, 0.75)
    # one of the three judges of c1 wants "in", one says that it was right; so does c2's majority
    assert found["weighted"] == pytest.approx(TextAccuracy(4, 2, 1 / 3 + 1, 1 / 3 + 2 / 3))
    assert found["weighted"].after == pytest.approx((2 + 4 / 3 - 1) / 4)


def test_an_error_that_becomes_another_one_changes_nothing() -> None:
    found = evaluated("c1,ok,\nc2,ok,\nc3,ok,\nc4,error,under\n")["mine"].text_accuracy["plain"]
    assert (found.before, found.after, found.fixed, found.broken) == (0.5, 0.5, 0, 0)


def test_a_silent_system_keeps_the_accuracy_of_always_ok() -> None:
    mine = evaluated("c1,ok,\nc2,ok,\nc3,ok,\nc4,ok,\n")["mine"]
    assert mine.text_accuracy["plain"].before == mine.plain.value("always_ok_accuracy")
    assert mine.text_accuracy["plain"].change == 0


def test_smoothing_does_not_move_it_as_it_does_not_move_correction() -> None:
    said = "c1,error,in\nc2,error,of\nc3,ok,\nc4,error,on\n"
    assert evaluated(said)["mine"].text_accuracy == evaluated(said, smooth=2)["mine"].text_accuracy


def test_what_cannot_be_compared_counts_as_wrong_and_is_reported() -> None:
    result = evaluated("c1,error,\nc2,ok,\nc3,ok,\nc4,error,on\n")
    found = result["mine"].text_accuracy["plain"]
    assert (found.fixed, found.uncomparable, found.after) == (1, 1, 0.75)
    table = next(one for one in result.tables() if one.title == TITLE)
    assert any("1 of the errors that it changes cannot be compared" in note for note in table.notes)


def test_table_json_and_csv_have_it_and_only_where_correction_can_be_measured() -> None:
    result = evaluated("c1,error,in\nc2,error,of\nc3,ok,\nc4,error,on\n")
    table = next(one for one in result.tables() if one.title == TITLE)
    assert table.rows[0] == ("mine", "majority", 4, 2, 2, 1, 0.5, 0.75, 0.25)
    saved = result.to_dict()["systems"][0]["text_accuracy"]
    assert saved["plain"]["after"] == 0.75
    rows = {row["what"]: row for row in result.records()}
    assert rows["plain text accuracy"]["change"] == 0.25
    labels = {"mine": Input.from_text("case,label\nc1,error\nc2,ok\nc3,ok\nc4,ok\n")}
    assert jb.evaluate(CASES, JUDGMENTS, labels)["mine"].text_accuracy == {}


def test_for_commas_finding_an_error_is_correcting_it_section_3_2() -> None:
    cases = Input.from_text("case,construction\nc1,comma\nc2,comma\nc3,missing-comma\n")
    said = Input.from_text("case,rater,label\nc1,A,error\nc2,A,ok\nc3,A,error\n")
    mine = Input.from_text("case,label\nc1,error\nc2,error\nc3,ok\n")
    found = jb.evaluate(cases, said, {"mine": mine})["mine"]
    assert found.text_accuracy["plain"] == TextAccuracy(n=3, errors=2, fixed=1, broken=1)
    assert found.text_accuracy["plain"].after == pytest.approx(found.plain.value("accuracy"))


def test_on_ten_annotators_every_system_breaks_more_prepositions_than_it_fixes(
    data_dir: Path,
) -> None:
    """Of 2,996 prepositions 92.9 % are right before correction, and fewer after it."""
    systems = {name: data_dir / "systems" / name for name in ("AMU", "CAMB", "CUUI")}
    panel = sorted((data_dir / "conll14-10").glob("A*.m2"))
    result = jb.evaluate(derived=jb.derive_cases(panel, "preposition", systems, tagger="words"))
    counted = {name: result[name].text_accuracy["plain"] for name in systems}
    assert {name: (one.fixed, one.broken) for name, one in counted.items()} == {
        "AMU": (23, 29),
        "CAMB": (62, 122),
        "CUUI": (29, 74),
    }
    assert [round(one.before, 4) for one in counted.values()] == [0.9292] * 3
    assert [round(one.after, 4) for one in counted.values()] == [0.9272, 0.9092, 0.9142]
