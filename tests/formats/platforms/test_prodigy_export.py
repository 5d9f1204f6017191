"""Prodigy JSONL."""

from __future__ import annotations

import json
from typing import Any

import pytest
from exported import column, read_file, read_text, rows

from jurybox.errors import FormatError


def task(**keys: Any) -> str:
    return json.dumps({"text": "He go .", "_input_hash": 5, "_task_hash": 9, **keys}) + "\n"


def test_answers_give_judgments_by_input_and_annotator() -> None:
    found = read_file("prodigy.jsonl", extra=("submitted",))
    assert found.format == "prodigy"
    assert rows(found) == [("-1834", "study-ann", "accept"), ("-1834", "study-bob", "reject")]
    assert found.left_out == {"ignored": 1}
    assert column(found, "submitted") == [1525168800, 1525168860]
    assert found.cases.cases[0].sentence == "She is good in chess ."


def test_ignored_tasks_are_kept_when_a_label_is_given_for_them() -> None:
    labels = {"accept": "error", "reject": "ok", "ignore": "unknown"}
    found = read_file("prodigy.jsonl", labels=labels)
    assert [label for _, _, label in rows(found)] == ["error", "ok", "unknown"]
    assert found.left_out == {}


def test_the_accepted_option_is_the_label() -> None:
    found = read_file("prodigy_options.jsonl")
    assert rows(found) == [("5", "ann", "bad"), ("5", "bob", '["good", "bad"]')]
    assert found.left_out == {"rejected": 1}


def test_several_questions_about_a_text_are_not_mixed() -> None:
    text = task(label="SVA", answer="accept", _session_id="ann")
    text += task(label="PREP", answer="reject", _session_id="ann", _task_hash=10)
    with pytest.raises(
        FormatError, match=r"several labels: SVA, PREP; .* --columns case=_task_hash"
    ):
        read_text(text, "p.jsonl")
    found = read_text(text, "p.jsonl", columns={"case": "_task_hash"})
    assert rows(found) == [("9", "ann", "accept"), ("10", "ann", "reject")]


def test_spans_count_characters_and_not_inclusive_tokens() -> None:
    span = {"start": 3, "end": 5, "token_start": 1, "token_end": 1, "label": "SVA"}
    text = task(spans=[span], answer="accept", _annotator_id="ann")
    text += task(spans=[], answer="accept", _annotator_id="bob")
    found = read_text(text, "p.jsonl")
    assert rows(found) == [("5:3-5", "ann", "SVA"), ("5:3-5", "bob", "ok")]
    assert found.cases.cases[0][2:5] == (1, 2, "go")


def test_a_file_without_annotators_is_one_rater_called_after_it() -> None:
    found = read_text(task(answer="accept", label="X", _annotator_id=None), "p.jsonl")
    assert [rater for _, rater, _ in rows(found)] == ["p"]
    assert any("1 task without _annotator_id or _session_id" in note for note in found.notes)


def test_an_unknown_answer_is_an_error_with_its_line() -> None:
    text = task(answer="accept", _session_id="a") + task(answer="maybe", _session_id="a")
    with pytest.raises(FormatError, match=r"p.jsonl:2, key answer: is none of accept, reject"):
        read_text(text, "p.jsonl")
