"""Malformed exports: errors with file, line and column, and a way out; never anybody's id."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from exported import quietly, read_text

from jurybox.errors import FormatError, InputError
from jurybox.formats import Input

HEAD = "HITId,AssignmentId,WorkerId,Answer.Q1\n"
WRONG_BYTE = r"batch.csv:3, column 4 \(Answer.Q1\), character 6: byte 0xed is not UTF-8; .*iconv"
SECRET = "A1PERSON"


def complaint(text: str, **options: Any) -> str:
    with pytest.raises(FormatError) as caught:
        read_text(text, **options)
    assert SECRET not in str(caught.value)
    return str(caught.value)


def test_a_missing_column_is_named_with_those_there_are() -> None:
    message = complaint("HITId,AssignmentId,Answer.Q1\nh,a,Yes\n")
    assert message.startswith(
        "batch.csv:1, columns 1 to 3: no column 'WorkerId', which names the rater"
    )
    assert message.endswith("--columns rater=COLUMN")


@pytest.mark.parametrize("sign", [";", "|"])
def test_a_wrong_delimiter_is_told(sign: str) -> None:
    text = (HEAD + f"h,a,{SECRET},Yes\n").replace(",", sign)
    for options in ({}, {"format": "mturk"}):
        assert complaint(text, **options).startswith(
            f"batch.csv:1, column 1, character 6: columns are separated by '{sign}'"
        )


def test_an_unclosed_quote_names_the_line_it_opens_in() -> None:
    text = HEAD + f'h,a,{SECRET},Yes\nh,b,{SECRET},"No\nh,c,x,Yes\n'
    assert complaint(text).startswith(
        "batch.csv:3, column 4 (Answer.Q1), character 14: a quote that opens here is not closed"
    )


def test_a_file_that_ends_within_a_row_is_an_error() -> None:
    text = HEAD + f"h,a,{SECRET},Yes\nh,b,{SECRET}"
    assert complaint(text).startswith(
        "batch.csv:3, column 4 (Answer.Q1): 3 cells where the header has 4"
    )


def test_ragged_rows_are_counted_and_three_are_shown() -> None:
    text = HEAD + f"h,a,{SECRET},Yes\n" + f"h,{SECRET}\n" * 5
    message = complaint(text)
    assert [
        f"batch.csv:{line}, column 3 (WorkerId): 2 cells" in message for line in (3, 4, 5, 6)
    ] == [
        *([True] * 3),
        False,
    ]
    assert message.endswith("(and 2 more bad lines in this file)")


def test_html_in_an_answer_names_line_column_and_the_ways_out() -> None:
    text = HEAD + f"h,a,{SECRET},Yes\nh,b,x,<p>Yes&nbsp;</p>\n"
    message = complaint(text)
    assert message.startswith(
        "batch.csv:3, column 4 (Answer.Q1): the answer holds HTML: <p>Yes&nbsp;"
    )
    assert "--relabel" in message
    found = read_text(text, labels={"<p>Yes&nbsp;</p>": "Yes"})
    assert (len(found.table), found.table.labels) == (2, ["Yes"])


def test_bytes_of_another_encoding_name_line_column_and_remedy(tmp_path: Path) -> None:
    path = tmp_path / "batch.csv"
    path.write_bytes(HEAD.encode() + "h,a,w,Sí\n".encode() + "h,b,,í\n".encode("latin-1"))
    with pytest.raises(FormatError, match=WRONG_BYTE):
        quietly(path)


def test_empty_cells_for_case_and_rater_name_line_and_column() -> None:
    no_case = complaint(HEAD + f",a,{SECRET},Yes\n")
    assert no_case.startswith("batch.csv:2, column 1 (HITId): empty")
    assert complaint(HEAD + "h,a,,Yes\n").startswith("batch.csv:2, column 3 (WorkerId): empty")


def test_a_file_without_judgments_says_so() -> None:
    assert "holds no judgment; was another file meant?" in complaint(HEAD)
    message = complaint(HEAD + f"h,a,{SECRET},\n")
    assert "holds no judgment: all 1 rows are left out (without an answer)" in message


def test_an_assignment_given_twice_does_not_name_the_worker() -> None:
    message = complaint(HEAD + f"h,a,{SECRET},Yes\nh,a,{SECRET},Yes\n")
    assert "batch.csv:3, column 2 (AssignmentId): the same assignment as in line 2" in message


def test_half_a_character_is_refused_with_its_line() -> None:
    text = '{"text": "a", "_input_hash": 1, "answer": "accept", "_session_id": "s\\ud800"}\n'
    with pytest.raises(FormatError, match=r"batch.csv:1, column 70: half a character"):
        read_text(text)
    with pytest.raises(FormatError, match=r"batch.csv:2, column 20: half a character"):
        read_text('[{"data": {}, "annotations": []},\n{"data": {"text": "\\udfff"}}]')


def test_a_fault_in_the_first_of_two_files_is_told_of_that_file() -> None:
    files = [
        Input.from_text(f"case,rater,label,seconds\n1,{who},ok,{seconds}\n", name=f"{who}.csv")
        for who, seconds in (("ann", "soon"), ("bob", "3"))
    ]
    with pytest.raises(FormatError, match=r"^ann.csv:2, column 4 \(seconds\): "):
        quietly(files, extra=("seconds",))


@pytest.mark.parametrize("label", ["<b>", "again"])
def test_a_fault_in_the_first_users_file_is_told_of_that_file(label: str) -> None:
    """Blocks are made of one user's texts, and the place of a copy is kept with its file."""
    line = f'{{"id": 1, "text": "He go .", "label": ["{label}"]}}\n'
    good = '{"id": 1, "text": "He go .", "label": ["ok"]}\n'
    text = line if label == "<b>" else line * 2
    files = [Input.from_text(text, name="ann.jsonl"), Input.from_text(good, name="bob.jsonl")]
    with pytest.raises(FormatError, match=r"^ann.jsonl:[12], key (label|id): "):
        quietly(files)


def test_times_that_are_none_are_told_with_line_and_column() -> None:
    text = "HITId,AcceptTime,WorkerId,Answer.Q1\nh,,w,Yes\nh,soon,v,Yes\n"
    notes = read_text(text).notes
    assert any("as 'soon' (first: line 3, column 2 (AcceptTime))" in note for note in notes)


def test_a_missing_file_is_our_own_error() -> None:
    with pytest.raises(InputError, match=r"nowhere.csv: no such file"):
        quietly("nowhere.csv")
