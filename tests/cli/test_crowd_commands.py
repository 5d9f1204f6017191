"""`jurybox screen`, `aggregate` and `cost` on the command line, on real files."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

import jurybox as jb
from calling import Call

SAMPLE = Path(jb.__file__).parent / "data" / "sample" / "judgments.csv"


def ok(outcome: tuple[int, str, str]) -> str:
    code, out, err = outcome
    assert code == 0, err
    return out


# --- aggregate ---


def test_snow_by_majority_and_by_dawid_skene(call: Call, data_dir: Path) -> None:
    file = data_dir / "snow" / "rte.csv"
    found = json.loads(ok(call("aggregate", file, "--format", "json")))
    assert found["method"] == "majority"
    assert found["accuracy"] == 0.896875
    assert found["ties"]["policy"] == "random"
    assert len(found["ties"]["cases"]) == 65
    assert set(found["labels"].values()) == {"0", "1"}
    to_0 = json.loads(ok(call("aggregate", file, "--ties", "0", "--format", "json")))
    assert to_0["accuracy"] == 0.91875
    method = ("--method", "dawid-skene", "--format", "json")
    assert json.loads(ok(call("aggregate", file, *method)))["accuracy"] == 742 / 800
    smoothed = json.loads(ok(call("aggregate", file, *method, "--smoothing", "1")))
    assert smoothed["accuracy"] == 744 / 800


def test_labels_of_a_marketplace_file_keep_their_spelling(call: Call, data_dir: Path) -> None:
    file = data_dir / "mturk" / "confirmation_batch.csv"
    rows = list(csv.DictReader(io.StringIO(ok(call("aggregate", file, "--format", "csv")))))
    assert len(rows) == 1088
    assert rows[0]["case"] == "341H3G5YF07HIBRHOOSNWUMF5FEZ0X"
    assert {row["label"] for row in rows} == {"Yes", "No"}
    renamed = ok(call("aggregate", file, "--relabel", "Yes=ok,No=error", "--format", "json"))
    assert set(json.loads(renamed)["labels"].values()) == {"ok", "error"}


def test_gug_binarised_against_its_expert(call: Call, data_dir: Path) -> None:
    file = data_dir / "gug" / "gug_annotations.tsv"
    merged = ("--relabel", "1=bad,2=bad,3=bad,4=good,0=unknown", "--expert", "expert")
    found = json.loads(ok(call("aggregate", file, *merged, "--format", "json")))
    assert found["raters"] == 5
    assert found["label_names"] == ["bad", "good"]
    assert found["gold"]["source"] == "expert expert"
    assert 0.7 < found["accuracy"] < 1


def test_a_file_of_labels_is_written_as_csv(call: Call, tmp_path: Path) -> None:
    target = tmp_path / "labels.csv"
    ok(call("aggregate", SAMPLE, "--format", "csv", "-o", target))
    assert target.read_text(encoding="utf-8").startswith("case,label,confidence,judgments,tied\n")


def test_gold_from_a_file(call: Call, tmp_path: Path) -> None:
    judgments, gold = tmp_path / "j.csv", tmp_path / "g.csv"
    judgments.write_text("case,rater,label\nc1,A,x\nc1,B,x\nc2,A,y\nc2,B,x\n", encoding="utf-8")
    gold.write_text("case,gold\nc1,x\nc2,y\n", encoding="utf-8")
    found = json.loads(ok(call("aggregate", judgments, "--gold", gold, "--format", "json")))
    assert found["accuracy"] == 0.75
    assert [given["path"] for given in found["inputs"]] == [str(judgments), str(gold)]


# --- screen ---


def test_the_careless_raters_of_the_sample_are_dropped(call: Call) -> None:
    assert json.loads(ok(call("screen", SAMPLE, "--format", "json")))["dropped"] == ["R04", "R09"]


def test_judgments_without_them_are_written(call: Call, tmp_path: Path) -> None:
    target = tmp_path / "kept.csv"
    ok(call("screen", SAMPLE, "--save-judgments", target))
    with target.open(encoding="utf-8", newline="") as file:
        raters = {row["rater"] for row in csv.DictReader(file)}
    assert raters == {f"R{n:02}" for n in range(1, 13)} - {"R04", "R09"}


def test_no_worker_id_is_printed_and_pseudonyms_are_written(
    call: Call, data_dir: Path, tmp_path: Path
) -> None:
    file, target = data_dir / "mturk" / "confirmation_batch.csv", tmp_path / "kept.jsonl"
    with file.open(encoding="utf-8", newline="") as opened:
        ids = {row["WorkerId"] for row in csv.DictReader(opened)}
    code, out, err = call("screen", file, "--save-judgments", target, "--pseudonymise")
    assert code == 0
    for text in (out, err, target.read_text(encoding="utf-8")):
        assert not any(one in text for one in ids)
    shown = ok(call("screen", file, "--show-raters", "--format", "json"))
    assert {one["rater"] for one in json.loads(shown)["raters"]} == ids


def test_nothing_is_written_over_what_is_read(call: Call, tmp_path: Path) -> None:
    copy = tmp_path / "judgments.csv"
    copy.write_bytes(SAMPLE.read_bytes())
    code, _, err = call("screen", copy, "--save-judgments", copy)
    assert (code, copy.read_bytes()) == (2, SAMPLE.read_bytes())
    assert "in use already" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--keep-flags",), "--save-judgments"),
        (("--save-judgments", "kept.xls"), "does not tell its format"),
        (("--save-judgments", "-"), "in use already"),
        (("--drop", "lazy"), "lazy"),
        (("--gold", "a.csv", "--expert", "R01"), "give one of them"),
        (("--expert", "R01", "R02"), "name one"),
        (("--pseudonymise", str(SAMPLE)), "name the files before it"),
        (("--relabel", "nonsense"), "--relabel nonsense: write pairs"),
        (("--relabel", "a=b,a=c"), "given twice"),
        (("--columns", "case"), "write pairs"),
    ],
)
def test_wrong_usage_of_screen_exits_with_2(
    call: Call, arguments: tuple[str, ...], message: str
) -> None:
    code, _, err = call("screen", SAMPLE, *arguments)
    assert code == 2
    assert message in err


# --- cost ---


def test_cost_of_a_real_batch(call: Call, data_dir: Path) -> None:
    file = data_dir / "mturk" / "confirmation_batch.csv"
    found = json.loads(ok(call("cost", file, "--fee", "20%", "--more", "100", "--format", "json")))
    assert (found["cases"], found["judgments"], found["raters"]) == (1088, 3264, 96)
    assert (found["paid"], found["fees"], found["total"]) == (163.2, 32.64, 195.84)
    assert (found["currency"], found["more"]["total"]) == ("USD", 6.0)


def test_the_bill_of_the_2010_paper(call: Call, tmp_path: Path) -> None:
    file = tmp_path / "j.csv"
    rows = [f"c{case},w{rater},ok" for case in range(194) for rater in range(10)]
    file.write_text("\n".join(["case,rater,label", *rows]), encoding="utf-8")
    out = ok(call("cost", file, "--pay", "$0.02", "--fee", "10%", "--min-fee", "$0.005"))
    assert "$38.80" in out
    assert "$48.50" in out


def test_wrong_money_exits_with_2(call: Call) -> None:
    code, _, err = call("cost", SAMPLE, "--pay", "cheap")
    assert code == 2
    assert "--pay" in err


@pytest.mark.parametrize("command", ["screen", "aggregate", "cost"])
@pytest.mark.parametrize("form", ["text", "json", "csv", "markdown", "latex"])
def test_every_form_is_printed(call: Call, command: str, form: str) -> None:
    assert ok(call(command, SAMPLE, "--format", form)).strip()
