"""Long tables whose labels are free."""

from __future__ import annotations

import pytest
from exported import column, corrections, quietly, read_text, rows

from jurybox.errors import FormatError, UnknownNameError, UsageError


def test_labels_and_cases_come_back_spelled_as_they_were_read() -> None:
    text = "case,rater,label\n007,Ann, Yes \n1e5,Ann,No\nÅ b,Bob,sí\n"
    assert rows(read_text(text)) == [
        ("007", "Ann", "Yes"),
        ("1e5", "Ann", "No"),
        ("Å b", "Bob", "sí"),
    ]


def test_our_own_labels_are_the_same_in_upper_and_lower_case() -> None:
    found = read_text("case,rater,label\n1,a,OK\n2,a,ok\n3,a,Error\n")
    assert [label for _, _, label in rows(found)] == ["OK", "OK", "Error"]


def test_other_labels_that_differ_in_case_only_are_told() -> None:
    found = read_text("case,rater,label\n1,a,Yes\n2,a,yes\n")
    assert found.table.labels == ["Yes", "yes"]
    assert any("--relabel yes=Yes would make them one" in note for note in found.notes)
    assert read_text(
        "case,rater,label\n1,a,Yes\n2,a,yes\n", labels={"yes": "Yes"}
    ).table.labels == ["Yes"]


def test_a_label_that_is_mapped_but_never_met_is_told() -> None:
    found = read_text(
        "case,rater,label\n1,a,Maybe\n2,a,No\n", labels={"Mabye": "ok", "no": "error"}
    )
    assert found.notes == (
        "--relabel Mabye=ok: nothing is labelled 'Mabye'; did you mean 'Maybe'?",
    )


def test_titles_that_mean_the_same_are_read_and_told() -> None:
    found = read_text("item,worker,response,gold\n1,a,x,y\n")
    assert rows(found) == [("1", "a", "x")]
    assert found.cases.cases[0].gold == ("y",)
    assert found.notes == (
        "batch.csv: 'item' is read as case",
        "batch.csv: 'worker' is read as rater",
        "batch.csv: 'response' is read as label",
    )


def test_jsonl_with_lists_and_times_is_read() -> None:
    text = '{"case": 1, "rater": "a", "label": "x", "gold": ["x", "y"], "started": '
    text += '"2018-01-24T09:48:10-08:00", "correction": "at", "alternatives": ["on", "-NONE-"]}\n'
    found = read_text(text, "j.jsonl", extra=("started",))
    assert found.cases.cases[0].gold == ("x", "y")
    assert corrections(found) == [("at", "on", "")]
    assert column(found, "started") == [1516816090]


def test_contradicting_gold_is_an_error_with_its_line() -> None:
    text = "case,rater,label,gold\n1,a,x,x\n1,b,x,y\n"
    with pytest.raises(
        FormatError,
        match=r"batch.csv:3, column 4 \(gold\): gold is y, but for case '1' it was x before",
    ):
        read_text(text)


def test_a_second_judgment_is_left_out_or_kept_and_nobody_is_named() -> None:
    text = "case,rater,label,seconds\n1,W55,x,1\n1,W66,x,2\n1,W55,y,3\n"
    found = read_text(text, extra=("seconds",))
    assert rows(found) == [("1", "W55", "x"), ("1", "W66", "x")]
    assert column(found, "seconds") == [1, 2]
    assert (found.repeats.same, found.repeats.different) == (0, 1)
    assert "first: batch.csv:4, judged in line 2" in found.notes[-1]
    assert "W55" not in "".join(found.notes)
    kept = read_text(text, extra=("seconds",), repeats="keep")
    assert (len(kept.table), column(kept, "seconds")) == (3, [1, 2, 3])


def test_too_many_labels_suggest_that_another_column_is_meant() -> None:
    text = "case,rater,label\n" + "".join(f"{n},a,text {n}\n" for n in range(300))
    message = r"batch.csv:257, column 3 \(label\): 'text 255' .*round.*--columns label="
    with pytest.raises(FormatError, match=message):
        read_text(text)


def test_numbers_that_are_none_name_line_and_field() -> None:
    message = r"batch.csv:2, column 4 \(seconds\): seconds 'soon' is not a finite number"
    with pytest.raises(FormatError, match=message):
        read_text("case,rater,label,seconds\n1,a,x,soon\n", extra=("seconds",))


def test_unknown_options_are_refused() -> None:
    with pytest.raises(UnknownNameError, match=r"unknown column 'second_s'"):
        read_text("case,rater,label\n1,a,x\n", extra=("second_s",))
    with pytest.raises(UsageError, match=r"repeats must be 'first' or 'keep'"):
        read_text("case,rater,label\n1,a,x\n", repeats="last")
    with pytest.raises(UsageError, match=r"no judgments given"):
        quietly([])


def test_kinds_of_raters_are_kept_and_checked() -> None:
    found = read_text("case,rater,label,kind\n1,a,x,human\n1,m,x,Model\n")
    assert found.table.kinds == ["human", "model"]
    message = r"batch.csv:2, column 4 \(kind\): kind 'robot' is neither human nor model"
    with pytest.raises(FormatError, match=message):
        read_text("case,rater,label,kind\n1,a,x,robot\n")


def test_facts_about_cases_are_kept() -> None:
    text = "case,rater,label,sentence,start,end,written\n1,a,x,He sat .,1,2,sat\n"
    case = read_text(text).cases.cases[0]
    assert (case.sentence, case.start, case.end, case.written) == ("He sat .", 1, 2, "sat")
    with pytest.raises(
        FormatError,
        match=r"batch.csv:2, column 4 \(start\): start '2' and end '1' must be two numbers",
    ):
        read_text("case,rater,label,start,end\n1,a,x,2,1\n")


@pytest.mark.parametrize(
    ("cell", "right"),
    [
        ("[sic]", ("[sic]",)),
        ("[0.5]", ("0.5",)),
        ('"[0.50, 1]"', ("0.50", "1")),
        ('"[{""a"": 1}]"', ('[{"a": 1}]',)),
        ("[[[[", ("[[[[",)),
        ("[]", ()),
    ],
)
def test_a_gold_cell_that_begins_with_a_bracket_is_a_list_or_a_label(
    cell: str, right: tuple[str, ...]
) -> None:
    found = read_text(f"case,rater,label,gold\n1,a,x,{cell}\n")
    assert found.cases.cases[0].gold == right


def test_titles_of_published_crowd_files_are_understood() -> None:
    text = "!amt_annotation_ids\t!amt_worker_ids\torig_id\tresponse\tgold\n7\tA1\t25\t0\t1\n"
    found = read_text(text)
    assert rows(found) == [("25", "A1", "0")]
    assert found.cases.cases[0].gold == ("1",)


def test_an_answer_that_follows_unknown_is_the_rater_s_first_answer() -> None:
    text = "case,rater,label,seconds\n1,a,Unknown,1\n1,a,x,2\n1,a,y,3\n2,a,x,4\n2,a,unknown,5\n"
    found = read_text(text, extra=("seconds",))
    assert rows(found) == [("1", "a", "x"), ("2", "a", "x")]
    assert column(found, "seconds") == [2, 4]
