"""`evaluate` on input that is nearly right: what it says, and what it still counts."""

from __future__ import annotations

import json
from collections.abc import Callable
from math import inf, nan

import pytest

from jurybox.errors import InputError, JuryboxWarning, UsageError
from jurybox.formats import Input
from jurybox.jury.evaluate import evaluate
from jurybox.jury.evaluate.result import EvaluateResult
from jurybox.model import Case, CaseSet, JudgmentTable


def lines(*rows: str, name: str = "some.csv") -> Input:
    return Input.from_text("".join(f"{row}\n" for row in rows), name=name)


CASES = ("case", "c1", "c2")
JUDGED = ("case,rater,label", "c1,Ann,error", "c1,Bob,ok", "c2,Ann,ok", "c2,Bob,unknown")
DECIDED = ("case,label,Score", "c1,error,.9", "c2,ok,.1")


def evaluated(
    cases: tuple[str, ...] = CASES,
    judged: tuple[str, ...] = JUDGED,
    decided: tuple[str, ...] = DECIDED,
    **options: object,
) -> EvaluateResult:
    return evaluate(
        lines(*cases, name="cases.csv"),
        lines(*judged, name="said.csv"),
        {"mine": lines(*decided, name="mine.csv")},
        **options,  # type: ignore[arg-type]  # options of many kinds
    )


# --- columns that are mapped ---


def test_a_mapped_title_that_no_file_has_is_an_error_with_the_near_one() -> None:
    with pytest.raises(InputError) as error:
        evaluated(columns={"suggestion": "Scorre"})
    assert str(error.value) == (
        "--columns suggestion=Scorre: no file has a column 'Scorre'; did you mean 'Score'? "
        "(mine.csv has case, label, Score)"
    )


def test_a_mapped_title_of_one_system_does_not_bother_the_other() -> None:
    result = evaluate(
        lines(*CASES),
        lines(*JUDGED),
        {"a": lines("case,label,p", "c1,error,.9", "c2,ok,.2"), "b": lines(*DECIDED)},
        columns={"score": "p"},
    )
    assert result["a"].curves


def test_a_mapped_title_is_looked_for_where_judgments_are_in_memory_too() -> None:
    table = JudgmentTable()
    table.append(0, "Ann", "error")
    with pytest.raises(InputError, match="--columns label=Lable: no file has a column 'Lable'"):
        evaluate(
            CaseSet((Case("c1"),)), table, {"mine": lines(*DECIDED[:2])}, columns={"label": "Lable"}
        )


def test_a_mapped_key_that_only_late_lines_of_jsonl_have_is_found() -> None:
    rows = [json.dumps({"case": f"c{i}", "label": "ok"}) for i in range(40)]
    rows.append(json.dumps({"case": "c40", "label": "ok", "wert": 0.25}))
    cases = CaseSet(tuple(Case(f"c{i}") for i in range(41)))
    table = JudgmentTable()
    for place in range(41):
        table.append(place, "Ann", "error" if place % 2 else "ok")
    result = evaluate(cases, table, {"mine": lines(*rows)}, columns={"score": "wert"})
    assert result["mine"].curves["plain"].unscored == 40


# --- scores ---


def test_a_score_column_without_a_number_is_no_scores() -> None:
    empty = ("case,label,score", "c1,error,", "c2,ok,")
    assert evaluated(decided=empty)["mine"].curves == {}
    with pytest.raises(UsageError, match="--develop chooses a threshold: it needs decisions with"):
        evaluated(decided=empty, develop=0.5)


def test_areas_say_that_no_judged_case_has_a_score() -> None:
    decided = ("case,label,score", "c1,error,", "c2,ok,", "c3,ok,.5")
    with pytest.warns(JuryboxWarning, match="not counted: 1 of 3 cases"):
        found = evaluated(cases=(*CASES, "c3"), decided=decided)
    for kind in ("plain", "weighted"):
        undefined = found.to_dict()["systems"][0]["curves"][kind]["undefined"]
        areas = ("auc", "auk", "average_precision")
        assert undefined == dict.fromkeys(areas, "no case has both a score and a judgment")


# --- options ---


@pytest.mark.parametrize("edges", [[nan, 1], [0.5, inf], [-inf, 1]])
def test_edges_that_are_no_numbers_are_refused(edges: list[float]) -> None:
    with pytest.raises(UsageError, match=r"edges of bins are numbers, as .5,.75,.9,1, not"):
        evaluated(bins=edges)


@pytest.mark.parametrize("beta", [1e200, 1e155, inf, nan, -1])
def test_a_beta_whose_square_is_no_number_is_refused(beta: float) -> None:
    with pytest.raises(UsageError, match="beta must lie between"):
        evaluated(beta=beta)


# --- judges ---


def test_unknown_judgments_are_counted_as_such_when_judges_are_drawn() -> None:
    judges = evaluated(judges=1).judges
    assert (judges.judgments, judges.unknown, judges.drawn_out) == (3, 1, 1)


@pytest.mark.parametrize(
    ("judged", "cases", "why"),
    [
        (("case,rater,label", "c1,Ann,unknown"), CASES, r"1 judgment: 1 unknown\); give judgments"),
        (JUDGED, ("case,gold", "c1,ok", "c2,ok"), r"4 judgments: 4 on gold cases\); give"),
        (
            ("case,rater,label,kind", "c1,GPT,ok,model"),
            CASES,
            r"1 judgment: 1 by models\); count models with --count-models",
        ),
    ],
)
def test_no_truth_names_the_file_the_reason_and_the_way_out(
    judged: tuple[str, ...], cases: tuple[str, ...], why: str
) -> None:
    with pytest.raises(InputError, match=rf"said\.csv: nobody judged any case .*\({why}"):
        evaluated(cases=cases, judged=judged)


# --- documents, duplicates ---


def test_gold_cases_need_no_document() -> None:
    cases = ("case,document,gold", "c1, x ,", "c2,y,", "c3,,ok")
    judged = (*JUDGED, "c3,Ann,ok")
    decided = (*DECIDED, "c3,ok,.1")
    found = evaluated(cases, judged, decided, ci=True, ci_unit="document", resamples=20)
    assert found["mine"].intervals["plain"]["accuracy"].undefined_resamples == 0


def test_white_space_around_a_document_makes_no_other_document() -> None:
    cases = ("case,document", "c1, x", "c2,x ")
    found = evaluated(cases, ci=True, ci_unit="document", resamples=20)
    assert "one document alone" in found["mine"].intervals["plain"]["accuracy"].reason


Rows = tuple[str, ...]


@pytest.mark.parametrize(
    ("rows", "duplicates", "sentences"),
    [
        # without a span the words tell the place
        (("c1,sat at mat,,,at,,", "c2,sat at mat,,,mat,,"), 0, 0),
        (("c1,sat at mat,,,at,,", "c2,sat at mat,,,at,,"), 1, 0),
        (("c1,sat at mat,1,2,at,,", "c2,sat at mat,1,2,at,,"), 1, 0),
        # a gold case is not counted, so it is no duplicate
        (("c1,sat at mat,1,2,at,,", "c2,sat at mat,1,2,at,,", "c3,sat at mat,1,2,at,,ok"), 1, 0),
        # the same words in two documents, or under two names of sentences
        (("c1,sat at mat,1,2,at,x,", "c2,sat at mat,2,3,mat,y,"), 0, 1),
        (("c1,sat at mat,1,2,at,x,", "c2,sat at mat,2,3,mat,x,"), 0, 0),
        (("S1:1-2,sat at mat,1,2,at,,", "S2:1-2,sat at mat,1,2,at,,"), 1, 1),
        (("S1:1-2,sat at mat,1,2,at,,", "S1:2-3,sat at mat,2,3,mat,,"), 0, 0),
    ],
)
@pytest.mark.filterwarnings("ignore::jurybox.errors.JuryboxWarning")
def test_duplicate_cases_and_duplicate_sentences_are_counted(
    rows: Rows, duplicates: int, sentences: int
) -> None:
    ids = [row.split(",")[0] for row in rows]
    found = evaluated(
        ("case,sentence,start,end,written,document,gold", *rows),
        ("case,rater,label", *(f"{one},Ann,ok" for one in ids)),
        ("case,label", *(f"{one},ok" for one in ids)),
    )
    assert (found.cases.duplicates, found.cases.duplicate_sentences) == (duplicates, sentences)
    told = any("stand in the text before" in message for message in found.warnings)
    assert told == bool(sentences)


# --- what is undefined has a reason ---


def nulls(record: object) -> list[str]:
    """The names of null fields for which the object has no reason."""
    if isinstance(record, list):
        return [name for one in record for name in nulls(one)]
    if not isinstance(record, dict):
        return []
    found = []
    undefined = record.get("undefined", {})
    for name, value in record.items():
        if value is None and name not in undefined and "reason" not in record:
            found.append(name)
        elif name not in ("options", "points", "calibration"):
            found += nulls(value)
    return found


def all_alike() -> EvaluateResult:
    """Nobody calls anything an error, and the system reports nothing."""
    judged = ("case,rater,label", "c1,Ann,ok", "c2,Ann,ok")
    return evaluated(judged=judged, decided=("case,label", "c1,ok", "c2,ok"))


def only_ties() -> EvaluateResult:
    judged = ("case,rater,label", "c1,Ann,ok", "c1,Bob,error")
    return evaluated(("case", "c1"), judged, ("case,label", "c1,ok"), ties="drop")


@pytest.mark.parametrize("made", [all_alike, only_ties])
@pytest.mark.filterwarnings("ignore::jurybox.errors.JuryboxWarning")
def test_nothing_is_null_without_a_reason(made: Callable[[], EvaluateResult]) -> None:
    record = made().to_dict()
    for one in record["systems"]:  # measures have their reasons beside them
        for kind in ("measures", "correction_measures", "weighted_measures"):
            one.pop(kind)
        one.pop("weighted_correction_measures")
    assert nulls(record) == []


def test_no_threshold_says_why() -> None:
    cases = ("case", *(f"c{i}" for i in range(8)))
    judged = ("case,rater,label", *(f"c{i},Ann,ok" for i in range(8)))
    decided = ("case,label,score", *(f"c{i},ok,.{i}" for i in range(8)))
    best = evaluated(cases, judged, decided, develop=0.5, choose="accuracy")
    record = best.to_dict()["systems"][0]["threshold"]["plain"]
    assert record["threshold"] is None
    assert record["reason"] == "reporting nothing is best on the development part"
    none = evaluated(cases, judged, decided, develop=0.5, choose="recall")
    record = none.to_dict()["systems"][0]["threshold"]["plain"]
    assert record["threshold"] is None
    assert record["reason"] == "there are no errors in the truth (tp + fn = 0)"
