"""Label Studio JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest
from exported import column, corrections, read_file, read_text, rows

from jurybox.errors import FormatError


def choice(label: str, name: str = "q") -> dict[str, Any]:
    return {"from_name": name, "to_name": "t", "type": "choices", "value": {"choices": [label]}}


def project(*annotations: dict[str, Any], **task: Any) -> str:
    return json.dumps([{"id": 1, "data": {"text": "He go ."}, "annotations": annotations, **task}])


def test_annotations_give_judgments_corrections_gold_and_models() -> None:
    found = read_file("label_studio.json", extra=("seconds", "confidence", "submitted"))
    assert found.format == "label_studio"
    assert rows(found) == [
        ("11", "ann@example.org", "wrong"),
        ("11", "5", "fine"),
        ("11", "gec-2", "wrong"),
    ]
    assert found.table.kinds == ["human", "human", "model"]
    assert corrections(found) == [("at", "at playing"), (), ()]
    assert column(found, "seconds")[:2] == [8.5, 3]
    assert column(found, "confidence")[2] == 0.75
    assert column(found, "submitted")[0] == 1682935200
    assert [(case.id, case.gold) for case in found.cases.cases] == [("11", ("wrong",)), ("12", ())]


def test_cancelled_ground_truth_and_empty_tasks_are_counted() -> None:
    found = read_file("label_studio.json")
    assert found.left_out == {"skipped": 1}
    notes = "\n".join(found.notes)
    assert "1 annotation marked as ground truth" in notes
    assert "1 prediction read as judgments by models" in notes
    assert "1 task without a judgment" in notes


def test_old_completions_with_spans_make_every_marked_place_a_case() -> None:
    found = read_file("label_studio_old.json")
    assert rows(found) == [("0:3-5", "1", "SVA"), ("0:3-5", "2", "ok")]
    case = found.cases.cases[0]
    assert (case.sentence, case.start, case.end, case.written) == ("He go home .", 1, 2, "go")


def test_marked_ground_truth_is_the_gold_of_every_place() -> None:
    def mark(start: int, end: int) -> dict[str, Any]:
        value = {"start": start, "end": end, "labels": ["X"]}
        return {"from_name": "e", "to_name": "t", "type": "labels", "value": value}

    text = project(
        {"completed_by": 1, "result": [mark(0, 2)]},
        {"completed_by": 2, "ground_truth": True, "result": [mark(3, 5)]},
    )
    found = read_text(text)
    assert [(case.id, case.gold) for case in found.cases.cases] == [
        ("1:0-2", ("ok",)),
        ("1:3-5", ("X",)),
    ]
    assert rows(found) == [("1:0-2", "1", "X"), ("1:3-5", "1", "ok")]


def test_several_controls_are_named_with_the_option_that_chooses() -> None:
    text = project({"completed_by": 1, "result": [choice("a", "p"), choice("b", "q")]})
    with pytest.raises(FormatError, match=r"2 controls may be the answer: p, q; choose one with"):
        read_text(text)
    assert rows(read_text(text, columns={"label": "q"})) == [("1", "1", "b")]


@pytest.mark.parametrize(
    ("value", "label"),
    [
        ({"selected": "left"}, "left"),
        ({"rating": 4}, "4"),
        ({"number": 2.5}, "2.5"),
        ({"choices": ["a", "b"]}, '["a", "b"]'),
    ],
)
def test_every_kind_of_control_gives_its_answer(value: dict[str, Any], label: str) -> None:
    result = {"from_name": "q", "to_name": "t", "type": "any", "value": value}
    assert rows(read_text(project({"completed_by": 1, "result": [result]}))) == [("1", "1", label)]


def test_an_annotation_without_an_answer_is_counted_wherever_it_stands() -> None:
    text = project({"completed_by": 1, "result": []}, {"completed_by": 2, "result": [choice("a")]})
    found = read_text(text)
    assert (rows(found), found.left_out) == ([("1", "2", "a")], {"without an answer": 1})


def test_cases_are_named_by_a_key_of_the_data_if_that_is_mapped() -> None:
    text = project({"completed_by": 1, "result": [choice("a")]}, data={"text": "x", "item": "i7"})
    assert rows(read_text(text, columns={"case": "data.item"})) == [("i7", "1", "a")]
    with pytest.raises(FormatError, match=r"nothing has the key 'itme' .* mean 'item'"):
        read_text(text, columns={"case": "itme"})


def test_a_task_without_the_key_that_names_cases_is_an_error_with_its_line() -> None:
    one = project({"completed_by": 1, "result": [choice("a")]}, data={"item": "i7"})
    text = f"{one[:-1]},\n{project({'completed_by': 1, 'result': [choice('a')]})[1:]}"
    with pytest.raises(FormatError, match=r"p.json:2, key item: empty; every judgment needs"):
        read_text(text, "p.json", columns={"case": "item"})


def test_a_control_that_is_mapped_but_missing_is_an_error_with_the_near_one() -> None:
    text = project({"completed_by": 1, "result": [choice("a", "grammar")]})
    with pytest.raises(FormatError, match=r"no control is called 'gramar' .* mean 'grammar'"):
        read_text(text, columns={"label": "gramar"})


def test_any_key_of_the_data_can_serve_a_field() -> None:
    data = {"text": "x", "left": "at", "right": "on", "part": 2}
    text = project({"completed_by": 1, "result": [choice("a")]}, data=data)
    mapped = {"first": "left", "second": "data.right", "batch": "part"}
    found = read_text(text, columns=mapped, extra=("first", "second", "batch"))
    assert [column(found, field) for field in mapped] == [["at"], ["on"], ["2"]]


def test_annotations_by_nobody_are_called_after_the_file_and_told() -> None:
    text = project({"result": [choice("a")]}, {"result": [choice("b")]})
    found = read_text(text, "p.json")
    assert rows(found) == [("1", "p", "a"), ("1", "p-2", "b")]
    assert any("2 annotations by nobody named" in note for note in found.notes)


def test_numbers_of_thousands_of_digits_are_refused() -> None:
    with pytest.raises(FormatError, match=r"p.json:1, column 2: not JSON: .* too long"):
        read_text('[{"id": ' + "9" * 5000 + ', "data": {}, "annotations": []}]', "p.json")


def test_a_file_that_is_cut_off_names_line_and_column() -> None:
    text = '[{"id": 1, "data": {"text": "a"}, "annotations": []},\n {"id": 2, "data"'
    with pytest.raises(FormatError, match=r"p.json:2, column \d+: not JSON: .* cut off"):
        read_text(text, "p.json")
    with pytest.raises(
        FormatError, match=r"p.json:1, column \d+: not JSON: .*the file seems to be"
    ):
        read_text(text.split("\n", maxsplit=1)[0], "p.json")


def test_the_minimal_json_is_told_what_to_export_instead() -> None:
    text = '[{"id": 1, "text": "a", "q": "b", "annotator": 1, "annotation_id": 3}]'
    message = r"p.json:1, key annotation_id: is Label Studio's JSON_MIN"
    with pytest.raises(FormatError, match=message):
        read_text(text, "p.json")
