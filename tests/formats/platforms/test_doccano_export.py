"""doccano JSONL and its zip with one file per user."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from exported import FOLDER, quietly, read_file, read_text, rows

from jurybox.errors import FormatError

BOTH = [("1", "ann", "wrong"), ("2", "ann", "fine"), ("1", "bob", "fine"), ("2", "bob", "fine")]


def test_the_file_name_is_the_rater() -> None:
    found = read_file("ann.jsonl")
    assert (found.format, rows(found)) == ("doccano", BOTH[:2])
    assert found.left_out == {"without an answer": 1}
    assert found.cases.cases[0].sentence == "She is good in chess ."


def test_several_files_and_a_zip_of_them_are_the_same(tmp_path: Path) -> None:
    files = [FOLDER / "ann.jsonl", FOLDER / "bob.jsonl"]
    packed = tmp_path / "project.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        for file in files:
            archive.write(file, f"project/{file.name}")
        archive.writestr("__MACOSX/._ann.jsonl", "rubbish")
    assert rows(quietly(files)) == rows(quietly(packed)) == BOTH


def test_marked_spans_of_several_users_become_cases(tmp_path: Path) -> None:
    (tmp_path / "ann.jsonl").write_text('{"id": 1, "text": "He go .", "label": [[3, 5, "SVA"]]}\n')
    (tmp_path / "bob.jsonl").write_text('{"id": 1, "text": "He go .", "label": []}\n')
    found = quietly([tmp_path / "ann.jsonl", tmp_path / "bob.jsonl"])
    assert rows(found) == [("1:3-5", "ann", "SVA"), ("1:3-5", "bob", "ok")]


def test_old_exports_name_the_user_of_every_annotation() -> None:
    assert rows(read_file("doccano_old.jsonl")) == [("1", "3", "wrong"), ("1", "4", "fine")]


def test_bad_lines_are_counted_and_the_first_three_shown() -> None:
    text = '{"id": 1, "text": "a", "label": ["x"]}\n' + '{"id": 1, "text"\n' * 5
    with pytest.raises(FormatError) as caught:
        read_text(text, "ann.jsonl")
    message = str(caught.value)
    assert message.startswith("ann.jsonl:2, column 17: not JSON")
    assert "\n  ann.jsonl:3, column 17: " in message
    assert "\n  ann.jsonl:4, column 17: " in message
    assert "ann.jsonl:5" not in message
    assert "(and 2 more bad lines in this file)" in message


def test_a_span_outside_its_text_is_an_error() -> None:
    with pytest.raises(FormatError, match=r"span 3-50 ends outside the text of 7 characters"):
        read_text('{"id": 1, "text": "He go .", "label": [[3, 50, "SVA"]]}', "ann.jsonl")


def test_a_broken_zip_is_an_error_that_names_it(tmp_path: Path) -> None:
    packed = tmp_path / "project.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.write(FOLDER / "ann.jsonl", "ann.jsonl")
    packed.write_bytes(packed.read_bytes()[:-30])
    with pytest.raises(FormatError, match=r"project.zip: the zip is broken or cut off"):
        quietly(packed)


def test_texts_without_a_mark_and_without_an_id_are_told() -> None:
    lines = ['{"text": "He go .", "label": [[3, 5, "SVA"]]}', '{"text": "Fine .", "label": []}']
    found = read_text("\n".join(lines))
    assert any("1 text without any mark" in note for note in found.notes)
    assert any("2 texts without 'id'" in note for note in found.notes)
