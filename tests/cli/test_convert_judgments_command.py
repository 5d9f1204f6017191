"""`jurybox convert` for judgments: from an export to what other commands read, and what it says
of exports that are malformed.
"""

from __future__ import annotations

import csv
import io
import json
import sys
from pathlib import Path

import pytest

import calling
from calling import Call

EXPORTS = Path(__file__).resolve().parent.parent / "data" / "exports"
HEADER = "HITId,AssignmentId,WorkerId,AssignmentStatus,Input.sentence,Answer.Q1"
BATCH = f"""{HEADER}
h1,a1,AWORKER1,Approved,He go .,No
h1,a2,AWORKER2,Approved,He go .,Yes
h2,a3,AWORKER1,Approved,She ran .,Yes
"""


def batch(folder: Path, text: str = BATCH, name: str = "batch.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def refused(call: Call, *arguments: object) -> str:
    """What a conversion complains of; nothing of a person is in it, and no file is left."""
    err = calling.refused(call, "convert", *arguments)
    assert "AWORKER" not in err
    assert not Path(str(arguments[1])).exists()
    return err


# --- from an export to a result ---


def test_a_batch_can_be_evaluated_right_after_its_conversion(call: Call, tmp_path: Path) -> None:
    judgments, cases = tmp_path / "judgments.csv", tmp_path / "cases.jsonl"
    code, out, err = call(
        *("convert", batch(tmp_path), judgments),
        *("--relabel", "Yes=ok,No=error", "--cases", cases, "--pseudonymise"),
    )
    assert (code, out) == (0, "")
    assert err == (
        f"wrote 3 judgments by 2 raters on 2 cases to {judgments} (csv), the cases to {cases}; "
        "read as MTurk batch results\n"
    )
    assert judgments.read_text("utf-8").splitlines() == [
        "case,rater,label,status",
        "h1,R1,error,Approved",
        "h1,R2,ok,Approved",
        "h2,R1,ok,Approved",
    ]
    decisions = batch(tmp_path, "case,label\nh1,error\nh2,ok\n", "mine.csv")
    code, out, err = call(
        *("evaluate", cases, "--judgments", judgments, "--system", f"mine={decisions}"),
        *("--format", "json"),
    )
    assert (code, err) == (0, "")
    assert json.loads(out)["systems"][0]["name"] == "mine"


def test_the_real_batch_goes_through_to_an_evaluation(
    call: Call, data_dir: Path, tmp_path: Path
) -> None:
    judgments, cases = tmp_path / "j.csv", tmp_path / "cases.csv"
    code, _, err = call(
        *("convert", data_dir / "mturk" / "confirmation_batch.csv", judgments),
        *("--relabel", "Yes=ok,No=error", "--cases", cases),
    )
    assert code == 0
    assert "wrote 3264 judgments by 96 raters on 1088 cases" in err
    assert "not written: Input.Correction" in err
    with cases.open(encoding="utf-8", newline="") as file:
        ids = [row["case"] for row in csv.DictReader(file)]
    system = batch(tmp_path, "case,label\n" + "".join(f"{one},error\n" for one in ids), "s.csv")
    code, out, err = call("evaluate", cases, "--judgments", judgments, "--system", f"s={system}")
    assert code == 0
    assert "not used" not in err
    assert "96, 3264 judgments" in out


def test_scores_of_gug_become_judgments_on_sentences(
    call: Call, data_dir: Path, tmp_path: Path
) -> None:
    target, cases = tmp_path / "gug.jsonl.gz", tmp_path / "cases.jsonl"
    source = data_dir / "gug" / "gug_annotations.tsv"
    code, _, err = call("convert", source, target, "--cases", cases, "--relabel", "4=ok,3=ok")
    assert code == 0
    assert "wrote 18224 judgments by 6 raters on 3129 cases" in err
    code, out, _ = call("convert", target, "-", "--to", "csv")
    assert code == 0
    assert {row["label"] for row in csv.DictReader(io.StringIO(out))} == {"ok", "2", "1", "0"}


def test_standard_input_goes_to_standard_output(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with batch(tmp_path).open(encoding="utf-8") as given:
        monkeypatch.setattr(sys, "stdin", given)
        code, out, err = call("convert", "-", "-", "--to", "tsv", "--format", "json")
    assert code == 0
    assert out.splitlines()[1] == "h1\tAWORKER1\tNo\tApproved"
    told, _, record = err.partition("\n")
    assert "raters keep the ids of workers; --pseudonymise" in told
    assert json.loads(record)["judgments"]["judgments"] == 3


@pytest.mark.parametrize("path", sorted(EXPORTS.iterdir()), ids=lambda path: path.name)
def test_every_export_is_told_by_its_content(call: Call, tmp_path: Path, path: Path) -> None:
    more = ("--columns", "label=grammar") if path.name == "mturk_task_answers.csv" else ()
    code, out, err = call("convert", path, tmp_path / "j.csv", "--format", "json", *more)
    assert code == 0, err
    assert path.stem.startswith(json.loads(out)["judgments"]["read_as"]) or path.stem in {
        "ann",
        "bob",
    }


def test_labels_may_hold_commas(call: Call, tmp_path: Path) -> None:
    text = BATCH.replace(",No\n", ',"No, never"\n')
    target = tmp_path / "j.csv"
    code, _, _ = call("convert", batch(tmp_path, text), target, "--relabel", "No, never=0,Yes=1")
    assert code == 0
    assert [line.split(",")[2] for line in target.read_text("utf-8").splitlines()[1:]] == [
        *("0", "1", "1")
    ]


# --- malformed exports ---

BAD = {
    "a column taken out": (
        BATCH.replace("WorkerId", "Somebody"),
        "1, columns 1 to 6",
        "no column 'WorkerId'",
    ),
    "no answers": (
        BATCH.replace("Answer.Q1", "Q1"),
        "1, columns 1 to 6",
        "no column holds answers",
    ),
    "semicolons": (
        BATCH.replace(",", ";"),
        "1, column 1, character 6",
        "columns are separated by ';'",
    ),
    "cut off within a row": (
        BATCH[:-20],
        "4, column 5 (Input.sentence)",
        "is the line, or the file, cut off here?",
    ),
    "cut off within quotes": (
        f'{BATCH}h3,a4,AWORKER2,Approved,"She',
        "5, column 5 (Input.sentence), character 25",
        "is the file cut off",
    ),
    "HTML for an answer": (
        BATCH.replace(",No", ",<b>No</b>"),
        "2, column 6 (Answer.Q1)",
        "the answer holds HTML",
    ),
    "one assignment twice": (
        f"{BATCH}h2,a1,AWORKER2,Approved,She ran .,No\n",
        "5, column 2 (AssignmentId)",
        "the same assignment as in line 2",
    ),
    "nobody": (BATCH.replace("AWORKER2", ""), "3, column 3 (WorkerId)", "empty; every"),
}


@pytest.mark.parametrize("what", BAD)
def test_a_malformed_export_is_refused_with_its_place_and_a_way_out(
    call: Call, tmp_path: Path, what: str
) -> None:
    text, place, message = BAD[what]
    path = batch(tmp_path, text)
    err = refused(call, path, tmp_path / "j.csv")
    assert err.startswith(f"jurybox: {path}:{place}: ")
    assert message in err


def test_other_encodings_are_refused_with_a_way_to_convert_them(call: Call, tmp_path: Path) -> None:
    mixed = tmp_path / "mixed.csv"
    mixed.write_bytes(BATCH.encode().replace(b"ran .", b"sat in caf\xe9 ."))
    err = refused(call, mixed, tmp_path / "j.csv")
    assert f"{mixed}:4, column 5 (Input.sentence), character 39: byte 0xe9 " in err
    assert "iconv -f LATIN1 -t UTF-8" in err
    wide = tmp_path / "wide.csv"
    wide.write_bytes(BATCH.encode("utf-16"))
    assert "iconv -f UTF-16 -t UTF-8" in refused(call, wide, tmp_path / "j.csv")


def test_a_rater_who_judges_again_is_counted_and_not_named(call: Call, tmp_path: Path) -> None:
    text = f"{BATCH}h1,a4,AWORKER1,Approved,He go .,Yes\n"
    code, _, err = call("convert", batch(tmp_path, text), tmp_path / "j.csv")
    assert code == 0
    assert "1 judgment by a rater on a case they had judged before" in err
    assert "0 with the same label, 1 with another" in err
    assert "AWORKER" not in err


# --- options ---


def test_a_file_behind_pseudonymise_is_not_taken_for_its_key(call: Call, tmp_path: Path) -> None:
    path = batch(tmp_path)
    for arguments in ((path, "--pseudonymise", "out.csv"), ("--pseudonymise", path, "out.csv")):
        code, _, err = call("convert", *arguments)
        assert code == 2
        assert "for its key; name the files before it" in err


def test_cases_do_not_overwrite_what_is_read_or_written(call: Call, tmp_path: Path) -> None:
    path, target = batch(tmp_path), tmp_path / "j.csv"
    for taken in (path, target):
        assert "is in use already" in refused(call, path, target, "--cases", taken)
    assert path.read_text("utf-8") == BATCH


@pytest.mark.parametrize("given", ["Yes", "=ok", "Yes=", "Yes=ok,No"])
def test_labels_that_are_no_pairs_are_refused(call: Call, tmp_path: Path, given: str) -> None:
    err = refused(call, batch(tmp_path), tmp_path / "j.csv", "--relabel", given)
    assert "write pairs, as --relabel Yes=ok,No=error" in err
