"""MTurk batch results."""

from __future__ import annotations

import pytest
from exported import column, corrections, read_file, read_text, rows

from jurybox.errors import FormatError, UsageError

HEAD = "HITId,AssignmentId,WorkerId,AssignmentStatus,Answer.Q1\n"


def test_a_batch_gives_judgments_with_time_pay_batch_and_status() -> None:
    found = read_file(
        "mturk.csv", extra=("seconds", "reward", "started", "submitted", "batch", "status")
    )
    assert found.format == "mturk"
    assert rows(found) == [
        ("3HITA", "AWORKER1", "No"),
        ("3HITA", "AWORKER2", "Yes"),
        ("3HITB", "AWORKER1", "Yes"),
    ]
    assert column(found, "seconds") == [21, 12, 30]
    assert column(found, "reward") == [0.05, 0.05, 0.05]
    assert found.currency == "USD"
    assert column(found, "batch") == ["311", "311", "312"]
    assert column(found, "status") == ["Approved", "Submitted", "Submitted"]
    # 24 January 2018, 9:48:10 in the west of the United States: 8 hours behind; in July 7
    assert column(found, "started")[0] == 1516816090
    assert column(found, "submitted")[2] == 1530722920


def test_what_was_shown_becomes_the_sentence_and_markup_in_it_is_told() -> None:
    found = read_file("mturk.csv")
    sentences = [case.sentence for case in found.cases.cases]
    assert sentences == ["She is good <b>in</b> chess .", 'We met , "at" last , on Monday .']
    told = "1 sentence with HTML (first: line 2, column 16 (Input.sentence))"
    assert any(told in note for note in found.notes)


def test_rejected_and_unanswered_assignments_are_left_out_and_counted() -> None:
    found = read_file("mturk.csv")
    assert found.left_out == {"rejected": 1, "without an answer": 1}
    assert any("1 row left out: rejected; --with-rejected keeps them" in n for n in found.notes)
    kept = read_file("mturk.csv", rejected=True)
    assert ("3HITA", "AWORKER3", "Yes") in rows(kept)
    assert kept.left_out == {"without an answer": 1}


def test_a_mark_in_the_column_reject_rejects_too() -> None:
    text = "HITId,AssignmentId,WorkerId,Answer.Q1,Approve,Reject\nh,a1,w1,Yes,x,\nh,a2,w2,No,,x\n"
    found = read_text(text)
    assert rows(found) == [("h", "w1", "Yes")]
    assert found.left_out == {"rejected": 1}


def test_mapped_columns_and_labels_go_before_what_is_usual() -> None:
    found = read_file(
        "mturk.csv",
        columns={"case": "Input.case", "label": "Answer.Q1Answer"},
        labels={"yes": "ok", "No": "error"},
    )
    assert rows(found) == [
        ("c1", "AWORKER1", "error"),
        ("c1", "AWORKER2", "ok"),
        ("c2", "AWORKER1", "ok"),
    ]


def test_several_answers_are_named_with_the_option_that_chooses() -> None:
    text = "HITId,AssignmentId,WorkerId,Answer.Q1,Answer.Q2\nh,a,w,Yes,No\n"
    message = r"batch.csv:1, column 4 \(Answer.Q1\): 2 columns may be the answer: Answer.Q1, "
    with pytest.raises(FormatError, match=message):
        read_text(text)
    assert rows(read_text(text, columns={"label": "Answer.Q2"})) == [("h", "w", "No")]


def test_a_correction_beside_the_answer_is_not_taken_for_an_answer() -> None:
    text = "HITId,AssignmentId,WorkerId,Answer.Q1,Answer.correction\nh,a,w,Yes,at\n"
    found = read_text(text)
    assert (rows(found), corrections(found)) == ([("h", "w", "Yes")], [("at",)])


def test_task_answers_in_json_are_mapped_like_columns() -> None:
    with pytest.raises(
        FormatError, match=r"holds 2 answers: grammar, sure; choose one with --columns"
    ):
        read_file("mturk_task_answers.csv")
    for name in ("grammar", "Answer.grammar", "Answer.taskAnswers.grammar"):
        found = read_file("mturk_task_answers.csv", columns={"label": name})
        assert [label for _, _, label in rows(found)] == ["wrong", "fine", "fine"]
    sure = read_file(
        "mturk_task_answers.csv", columns={"label": "sure", "correction": "correction"}
    )
    assert [label for _, _, label in rows(sure)] == ["on", "off", "on"]
    assert corrections(sure) == [("at",), (), ()]


def test_a_wrong_name_of_a_task_answer_is_an_error_with_the_near_one() -> None:
    with pytest.raises(FormatError, match=r"no answer 'gramar'; did you mean 'grammar'\?"):
        read_file("mturk_task_answers.csv", columns={"label": "gramar"})


def test_broken_json_in_task_answers_names_line_column_and_character() -> None:
    text = 'HITId,AssignmentId,WorkerId,Answer.taskAnswers\nh,a,w,"[{""q"": ""Yes"""\n'
    with pytest.raises(
        FormatError, match=r"batch.csv:2, column 4 \(Answer.taskAnswers\): not the JSON"
    ):
        read_text(text)


def test_one_column_per_choice_gives_the_choice_that_is_true() -> None:
    expected = [("3HITA", "AWORKER1", "wrong"), ("3HITA", "AWORKER2", "fine")]
    assert rows(read_file("mturk_choices.csv")) == expected
    assert rows(read_file("mturk_choices.csv", columns={"label": "Answer.grammar"})) == expected


def test_an_assignment_that_comes_twice_is_an_error_that_names_both_lines() -> None:
    text = HEAD + "h1,a1,w1,Submitted,Yes\nh2,a2,w1,Submitted,No\nh1,a1,w1,Submitted,Yes\n"
    message = r"batch.csv:4, column 2 \(AssignmentId\): the same assignment as in line 2"
    with pytest.raises(FormatError, match=message):
        read_text(text)


def test_a_column_that_is_mapped_but_missing_is_an_error_with_the_near_one() -> None:
    with pytest.raises(FormatError, match=r"no column 'Answer.Q2' \(--columns label=Answer.Q2\)"):
        read_text(HEAD + "h,a,w,Submitted,Yes\n", columns={"label": "Answer.Q2"})
    with pytest.raises(UsageError, match=r"--columns lable=Answer.Q1: unknown column 'lable'"):
        read_text(HEAD, columns={"lable": "Answer.Q1"})


def test_times_in_unknown_zones_are_left_out_and_told() -> None:
    text = "HITId,WorkerId,AcceptTime,Answer.Q1\nh,w,Wed Jan 24 09:48:10 XYZ 2018,Yes\n"
    found = read_text(text, extra=("started",))
    assert str(column(found, "started")) == "[nan]"
    assert any("1 times in 'AcceptTime' are not understood" in note for note in found.notes)
