"""Exports are auto-detected from their content."""

from __future__ import annotations

import gzip
import io
import sys
import zipfile
from pathlib import Path

import pytest
from exported import FOLDER, quietly, read_text, rows

from jurybox.errors import FormatError, UnknownNameError, UsageError
from jurybox.formats import Input
from jurybox.formats.platforms import EXPORTS, detect

EXPECTED = {
    "mturk.csv": "mturk",
    "mturk_task_answers.csv": "mturk",
    "mturk_choices.csv": "mturk",
    "crowdflower_full.csv": "crowdflower",
    "crowdflower_aggregated.csv": "crowdflower",
    "toloka.tsv": "toloka",
    "label_studio.json": "label_studio",
    "label_studio_old.json": "label_studio",
    "ann.jsonl": "doccano",
    "bob.jsonl": "doccano",
    "doccano_spans.jsonl": "doccano",
    "doccano_old.jsonl": "doccano",
    "prodigy.jsonl": "prodigy",
    "prodigy_options.jsonl": "prodigy",
    "gug.tsv": "gug",
}


def test_every_format_has_a_file_and_every_file_is_told() -> None:
    found = {path.name: detect(path) for path in FOLDER.iterdir()}
    assert found == EXPECTED
    assert {*EXPECTED.values(), "long"} == set(EXPORTS)


@pytest.mark.parametrize(
    "text",
    [
        "He go home .\n",
        "S He go home .\nA 1 2|||SVA|||goes|||REQUIRED|||-NONE-|||0\n",
        '{"tokens": ["a"], "annotations": [{"annotator": "0", "edits": []}]}\n',
        '{"text": "He go .", "annotations": [{"annotator": "0", "edits": []}]}\n',
        '{"schema": "jurybox.caseset/1", "description": {}}\n{"case": "1"}\n',
        "case,label\nc1,ok\n",
        "case,sentence\nc1,He sat .\n",
        "<DOC nid='1'>\n",
        '["a", "b"]',
    ],
)
def test_edits_texts_cases_and_decisions_are_no_exports(text: str) -> None:
    assert detect(Input.from_text(text)) is None


@pytest.mark.parametrize(
    "text",
    [
        "case,rater,label\n",
        "rater\tlabel\titem\n",
        '{"case": "1", "rater": "a", "label": "ok"}\n',
        '{"schema": "jurybox.judgments/1"}\n',
    ],
)
def test_long_tables_are_told_by_their_titles(text: str) -> None:
    assert detect(Input.from_text(text)) == "long"


def test_compressed_files_and_byte_order_marks_change_nothing(tmp_path: Path) -> None:
    data = b"\xef\xbb\xbf" + (FOLDER / "mturk.csv").read_bytes().replace(b"\n", b"\r\n")
    packed = tmp_path / "batch.csv.gz"
    packed.write_bytes(gzip.compress(data))
    assert rows(quietly(packed)) == rows(quietly(FOLDER / "mturk.csv"))


def test_a_zip_with_one_report_is_read_like_the_report(tmp_path: Path) -> None:
    packed = tmp_path / "f123.csv.zip"
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(FOLDER / "crowdflower_full.csv", "f123.csv")
    assert detect(packed) == "crowdflower"
    assert rows(quietly(packed)) == rows(quietly(FOLDER / "crowdflower_full.csv"))


@pytest.mark.parametrize("name", sorted(set(EXPECTED) - {"mturk_task_answers.csv"}))
def test_standard_input_is_read_like_a_file(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = quietly(FOLDER / name)
    with (FOLDER / name).open("rb") as stream:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(stream))
        found = quietly("-")
    assert [row[::2] for row in rows(found)] == [row[::2] for row in rows(expected)]
    assert found.left_out == expected.left_out


def test_a_task_that_is_longer_than_what_is_looked_at_is_still_told() -> None:
    text = '[{"id": 1, "annotations": [], "data": {"text": "' + "a" * 100_000 + '"}}]'
    assert detect(Input.from_text(text)) == "label_studio"


def test_an_unknown_table_is_an_error_that_says_what_to_map() -> None:
    with pytest.raises(FormatError, match=r"--columns case=unit,rater=who,label=said") as caught:
        read_text("unit,who,said\n1,a,yes\n")
    assert "unrecognised columns unit, who, said" in str(caught.value)
    mapped = read_text(
        "unit,who,said\n1,a,yes\n", columns={"case": "unit", "rater": "who"} | {"label": "said"}
    )
    assert rows(mapped) == [("1", "a", "yes")]


def test_one_column_that_is_mapped_is_enough_where_the_others_are_called_so() -> None:
    text = "thing,rater,label\n1,a,yes\n"
    assert rows(read_text(text, columns={"case": "thing"})) == [("1", "a", "yes")]
    with pytest.raises(FormatError, match=r"say which ones .* --columns case=thing, or --input"):
        read_text(text)
    with pytest.raises(FormatError, match=r"no column 'rater'; .* --columns rater=COLUMN"):
        read_text("thing,label\n1,yes\n", columns={"case": "thing"})


@pytest.mark.parametrize("text", ["", "\n \n"])
def test_an_empty_file_is_called_empty(text: str) -> None:
    with pytest.raises(FormatError, match=r"batch.csv: is empty"):
        read_text(text)


def test_a_web_page_is_told_from_an_export() -> None:
    with pytest.raises(FormatError, match=r"is a web page, not an export; log in"):
        read_text("<!DOCTYPE html>\n<html><body>Please sign in</body></html>\n")


def test_files_of_different_formats_are_not_mixed() -> None:
    with pytest.raises(UsageError, match=r"different formats \(gug, mturk\)"):
        quietly([FOLDER / "mturk.csv", FOLDER / "gug.tsv"])


def test_a_format_that_is_given_is_not_guessed() -> None:
    text = "HITId,WorkerId,Answer.Q1,case,rater,label\nh,w,yes,c,r,no\n"
    assert rows(read_text(text)) == [("h", "w", "yes")]
    assert rows(read_text(text, format="long")) == [("c", "r", "no")]
    with pytest.raises(UnknownNameError, match=r"unknown format 'mturks'; did you mean 'mturk'"):
        read_text(text, format="mturks")


def test_columns_that_are_called_alike_are_suggested_whatever_their_place() -> None:
    with pytest.raises(
        FormatError, match=r"--columns case=unit,rater=worker,label=said, or"
    ) as caught:
        read_text("said,when,unit,worker\n1,yes,7,a\n")
    assert "--input-format counts" in str(caught.value)
