"""Toloka results."""

from __future__ import annotations

import pytest
from exported import column, corrections, read_file, read_text, rows

from jurybox.errors import FormatError


def test_results_give_judgments_corrections_and_gold() -> None:
    found = read_file("toloka.tsv")
    assert found.format == "toloka"
    assert rows(found) == [("s1", "w31", "bad"), ("s2", "w31", "ok"), ("s1", "w33", "ok")]
    assert corrections(found) == [("at",), (), ()]
    assert [case.gold for case in found.cases.cases] == [(), ("ok",)]
    assert found.cases.cases[0].sentence == "She is good in chess ."
    assert found.left_out == {"rejected": 1}


def test_time_and_pay_of_a_page_are_divided_among_its_tasks() -> None:
    found = read_file("toloka.tsv", extra=("seconds", "reward"))
    assert column(found, "seconds") == [10, 10, 30]
    assert column(found, "reward") == [0.01, 0.01, 0.02]


def test_one_input_names_the_case_where_nothing_else_does() -> None:
    text = "INPUT:text\tOUTPUT:ok\tASSIGNMENT:worker_id\nHe sat .\tyes\tw1\n"
    found = read_text(text)
    assert rows(found) == [("He sat .", "w1", "yes")]


def test_several_inputs_without_an_id_are_asked_about() -> None:
    text = "INPUT:a\tINPUT:b\tOUTPUT:ok\tASSIGNMENT:worker_id\nx\ty\tyes\tw1\n"
    with pytest.raises(
        FormatError, match=r"no column names the cases; the inputs are: INPUT:a, INP"
    ):
        read_text(text)


def test_a_task_that_comes_twice_in_an_assignment_is_an_error() -> None:
    head = "INPUT:id\tOUTPUT:ok\tASSIGNMENT:assignment_id\tASSIGNMENT:worker_id\n"
    assert len(read_text(head + "1\tyes\tA\tw\n2\tyes\tA\tw\n").table) == 2
    message = (
        r"batch.csv:3, column 3 \(ASSIGNMENT:assignment_id\): the same assignment as in line 2"
    )
    with pytest.raises(FormatError, match=message):
        read_text(head + "1\tyes\tA\tw\n1\tno\tA\tw\n")
