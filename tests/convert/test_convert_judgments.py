"""`jb.convert` for judgments: exports of annotation platforms to tables, Label Studio, doccano."""

from __future__ import annotations

import csv
import json
import warnings
from pathlib import Path
from typing import Any

import pytest

import jurybox as jb
from jurybox.convert.result import ConvertResult, JudgmentsWritten
from jurybox.errors import UsageError
from jurybox.formats.platforms import read_judgments_of
from jurybox.raters.agree import agree
from saved_results import complaints

EXPORTS = Path(__file__).resolve().parent.parent / "data" / "exports"
LONG = "case,rater,label\nc1,Ann,ok\nc1,Bob,error\nc2,Ann,ok\n"


def quietly(sources: Any, target: Path, **options: Any) -> ConvertResult:
    """A conversion whose warnings are looked at elsewhere."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", jb.JuryboxWarning)
        return jb.convert(sources, target, **options)


def told(done: ConvertResult) -> JudgmentsWritten:
    assert done.judgments is not None
    return done.judgments


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_a_batch_becomes_a_table_and_the_result_says_how_much_of_it(tmp_path: Path) -> None:
    target = tmp_path / "judgments.csv"
    done = quietly(EXPORTS / "mturk.csv", target, relabel={"Yes": "ok", "No": "error"})
    found = told(done)
    assert (found.read_as, found.judgments, found.raters, found.cases) == ("mturk", 3, 2, 2)
    assert found.left_out == {"rejected": 1, "without an answer": 1}
    assert [row["label"] for row in rows(target)] == ["error", "ok", "ok"]
    assert (done.sentences, done.edits, done.annotators) == (0, 0, ())


def test_what_was_left_out_is_warned_of_and_is_in_the_result(tmp_path: Path) -> None:
    with pytest.warns(jb.JuryboxWarning) as caught:
        done = jb.convert(EXPORTS / "mturk.csv", tmp_path / "j.csv")
    messages = [str(each.message) for each in caught]
    assert list(told(done).notes) == messages
    assert any("1 row left out: rejected" in message for message in messages)
    assert any("not written: Input.case, Answer.comment" in message for message in messages)


def test_rejected_rows_are_kept_when_asked_for(tmp_path: Path) -> None:
    done = quietly(EXPORTS / "mturk.csv", tmp_path / "j.csv", with_rejected=True)
    assert told(done).judgments == 4
    assert "rejected" not in told(done).left_out


def test_pseudonyms_replace_ids_and_a_key_gives_the_same_ones_again(tmp_path: Path) -> None:
    first, other, third = (tmp_path / f"{number}.csv" for number in range(3))
    quietly(EXPORTS / "mturk.csv", first, pseudonymise=True)
    assert [row["rater"] for row in rows(first)] == ["R1", "R2", "R1"]
    quietly(EXPORTS / "mturk.csv", other, pseudonymise="a key")
    quietly(EXPORTS / "mturk.csv", third, pseudonymise="a key")
    assert other.read_bytes() == third.read_bytes()
    assert "AWORKER" not in first.read_text("utf-8") + other.read_text("utf-8")


@pytest.mark.parametrize("ending", ["json", "zip"])
def test_pseudonyms_replace_ids_for_other_platforms_too(tmp_path: Path, ending: str) -> None:
    packed, back = tmp_path / f"p.{ending}", tmp_path / "back.csv"
    quietly(EXPORTS / "mturk.csv", packed, pseudonymise=True)
    quietly(packed, back)
    assert {row["rater"] for row in rows(back)} == {"R1", "R2"}


@pytest.mark.parametrize("name", ["csv", "tsv", "jsonl", "json", "zip", "csv.gz", "jsonl.xz"])
def test_judgments_come_back_from_every_format_they_are_written_in(
    tmp_path: Path, name: str
) -> None:
    there, back = tmp_path / f"there.{name}", tmp_path / "back.csv"
    quietly(jb.Input.from_text(LONG), there)
    quietly(there, back)
    found = {(row["case"], row["rater"], row["label"]) for row in rows(back)}
    assert found == {("c1", "Ann", "ok"), ("c1", "Bob", "error"), ("c2", "Ann", "ok")}


@pytest.mark.parametrize("ending", ["csv", "json", "zip"])
def test_a_judgment_given_twice_is_written_and_counted(tmp_path: Path, ending: str) -> None:
    text = f"{LONG}c1,Ann,error\nc2,Ann,ok\n"
    with pytest.warns(jb.JuryboxWarning, match=r"2 judgments by a rater .* all are written"):
        done = jb.convert(jb.Input.from_text(text, "j.csv"), tmp_path / f"out.{ending}")
    found = told(done)
    assert (found.judgments, found.repeated_same, found.repeated_different) == (5, 1, 1)
    assert not any("Ann" in note for note in found.notes)
    assert any("first: j.csv:5, judged in line 2" in note for note in found.notes)


def test_more_labels_than_an_evaluation_can_tell_apart_are_written_on(tmp_path: Path) -> None:
    text = "case,rater,label\n" + "".join(f"c,r{n},label {n}\n" for n in range(400))
    found = told(quietly(jb.Input.from_text(text + "c,r0,label 256\n"), tmp_path / "j.tsv"))
    assert (found.judgments, found.repeated_same, found.repeated_different) == (401, 0, 1)


def test_several_files_are_one_table(tmp_path: Path) -> None:
    done = quietly([EXPORTS / "ann.jsonl", EXPORTS / "bob.jsonl"], tmp_path / "j.csv")
    assert (told(done).read_as, told(done).raters, told(done).judgments) == ("doccano", 2, 4)
    assert [one.name for one in done.inputs] == [
        str(EXPORTS / name) for name in ("ann.jsonl", "bob.jsonl")
    ]


def test_cases_are_written_beside_the_judgments_or_neither_is(tmp_path: Path) -> None:
    target, cases = tmp_path / "j.csv", tmp_path / "cases.jsonl"
    quietly(EXPORTS / "mturk.csv", target, cases=cases)
    lines = [json.loads(line) for line in cases.read_text("utf-8").splitlines()]
    assert [line["case"] for line in lines[1:]] == ["3HITA", "3HITB"]
    target.unlink()
    cases.unlink()
    twice = jb.Input.from_text("case,rater,label,start,end\nc1,Ann,ok,3,1\n")
    with pytest.raises(jb.JuryboxError, match="start '3' and end '1'"):
        jb.convert(twice, target, cases=cases)
    assert list(tmp_path.iterdir()) == []


def test_a_table_of_other_columns_is_read_when_they_are_mapped(tmp_path: Path) -> None:
    table = jb.Input.from_text("id,who,verdict\n1,ann,fine\n", "t.csv")
    message = r"t\.csv:1, columns 1 to 3: .*--columns case=id,rater=who,label=verdict"
    with pytest.raises(jb.JuryboxError, match=message):
        jb.convert(table, tmp_path / "j.csv")
    columns = {"case": "id", "rater": "who", "label": "verdict"}
    done = jb.convert(table, tmp_path / "j.jsonl", columns=columns)
    assert (told(done).judgments, done.format) == (1, "jsonl")


def test_lines_of_doccano_are_not_taken_for_our_edits(tmp_path: Path) -> None:
    line = '{"id": 1, "text": "He go .", "label": ["wrong"]}\n'
    done = jb.convert(jb.Input.from_text(line, "ann.jsonl"), tmp_path / "j.jsonl")
    assert told(done).read_as == "doccano"
    edits = '{"text": "He go .", "annotations": [{"annotator": "A", "edits": []}]}\n'
    assert jb.convert(jb.Input.from_text(edits), tmp_path / "e.jsonl").judgments is None


def test_options_of_the_other_kind_are_refused(tmp_path: Path) -> None:
    judgments = jb.Input.from_text(LONG, "j.csv")
    edits = jb.Input.from_text("S a b\nA 0 1|||X|||c|||REQUIRED|||-NONE-|||0\n", "e.m2")
    with pytest.raises(UsageError, match="--annotator, --tokenize are about edits"):
        jb.convert(judgments, tmp_path / "x.csv", annotators=["A"], tokenize=True)
    with pytest.raises(UsageError, match="--relabel, --cases are about judgments"):
        jb.convert(edits, tmp_path / "x.m2", relabel={"a": "b"}, cases=tmp_path / "c.csv")
    with pytest.raises(UsageError, match="hold judgments, which cannot be written so"):
        jb.convert(judgments, tmp_path / "x.m2")
    with pytest.raises(UsageError, match="hold edits, which cannot be written so"):
        jb.convert(edits, tmp_path / "x.csv")
    assert list(tmp_path.iterdir()) == []


def test_the_summary_is_what_the_schema_says(tmp_path: Path) -> None:
    done = quietly(EXPORTS / "mturk.csv", tmp_path / "j.csv", cases=tmp_path / "c.jsonl")
    record = json.loads(json.dumps(done.to_dict()))
    assert complaints(record, "convert") == []
    for field in tuple(record["judgments"]):
        less = record | {"judgments": {k: v for k, v in record["judgments"].items() if k != field}}
        assert complaints(less, "convert"), field
    more = record | {"judgments": record["judgments"] | {"surprise": 1}}
    assert complaints(more, "convert")


@pytest.mark.parametrize("path", ["mturk/confirmation_batch.csv", "gug/gug_annotations.tsv"])
def test_agreement_of_what_was_converted_is_that_of_the_export(
    data_dir: Path, tmp_path: Path, path: str
) -> None:
    quietly(data_dir / path, tmp_path / "j.csv", pseudonymise=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", jb.JuryboxWarning)
        exported, converted = (
            agree(each).to_dict() for each in (data_dir / path, tmp_path / "j.csv")
        )
    for field in ("cases", "raters", "judgments", "observed", "krippendorff_alpha", "ac1"):
        assert converted[field] == exported[field], field


@pytest.mark.parametrize(
    ("path", "counts"),
    [
        ("mturk/confirmation_batch.csv", (3264, 96, 1088)),
        ("gug/gug_annotations.tsv", (18224, 6, 3129)),
        ("snow/rte.csv", (8000, 164, 800)),
    ],
)
def test_real_exports_are_the_same_judgments_after_their_conversion(
    data_dir: Path, tmp_path: Path, path: str, counts: tuple[int, int, int]
) -> None:
    target = tmp_path / "j.csv"
    found = told(quietly(data_dir / path, target))
    assert (found.judgments, found.raters, found.cases) == counts
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", jb.JuryboxWarning)
        before, after = (read_judgments_of(each).table for each in (data_dir / path, target))
    assert list(after.case) == list(before.case)
    assert (after.answer, after.raters, after.labels) == (
        before.answer,
        before.raters,
        before.labels,
    )
