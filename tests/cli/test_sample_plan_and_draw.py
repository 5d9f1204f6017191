"""`jurybox sample plan` and `jurybox sample draw`: files in, files out, clear refusals."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import calling
import jurybox
from calling import Call
from jurybox.formats.tables.sample_key import read as read_key

SAMPLE = Path(jurybox.__file__).parent / "data" / "sample"
BOLD, CASES = SAMPLE / "bold.csv", SAMPLE / "cases.jsonl"
PAPER = ("--size", "error=1000", "ok=9000", "--precision", ".8", "--error-rate", ".35")


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def refused(call: Call, *arguments: object, code: int) -> str:
    return calling.refused(call, "sample", *arguments, code=code)


# --- plan ---


def test_a_plan_for_wishes_is_printed_with_all_methods(call: Call) -> None:
    code, out, err = call("sample", "plan", *PAPER, "--recall-within", ".02", "--pay", "$0.05")
    assert (code, err) == (0, "")
    for method in ("standard: every case", "sampling: Neyman", "two to one", "verification"):
        assert method in out
    assert "money ($)" in out
    assert out.count("signature: ") == 1


def test_a_plan_counts_the_parts_of_a_decision_file_and_draws_a_figure(
    call: Call, tmp_path: Path
) -> None:
    code, out, _ = call(
        *("sample", "plan", BOLD, "--precision", ".5", "--error-rate", ".3"),
        *("--recall-within", ".12", "--figure", "width.svg", "--format", "json"),
    )
    assert code == 0
    record = json.loads(out)
    assert (record["expected"]["error"], record["expected"]["ok"]) == (43, 107)
    assert (tmp_path / "width.svg").read_text("utf-8").startswith("<?xml")


def test_a_plan_that_cannot_be_is_refused(call: Call) -> None:
    assert "say how sure" in refused(call, "plan", *PAPER, code=2)
    assert "unknown part (--size) 'eror'; did you mean 'error'?" in refused(
        call, "plan", "--size", "eror=3", "ok=5", "--precision", ".5", "--error-rate", ".5", code=2
    )
    assert "write a name and a number" in refused(
        call, "plan", "--size", "error=3.5", "--precision", ".5", "--error-rate", ".5", code=2
    )


# --- draw ---


def test_a_draw_writes_a_blind_file_and_a_key_that_belong_together(
    call: Call, tmp_path: Path
) -> None:
    code, out, err = call(
        "sample", "draw", BOLD, "--error", "10", "--ok", "20", "--cases", CASES, "--seed", "5"
    )
    assert (code, err) == (0, "")
    key = read_key(tmp_path / "key.jsonl")
    with (tmp_path / "blind.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["case"] for row in rows] == [one.id for one in key.drawn]
    assert {*rows[0]} == {"case", "sentence", "start", "end", "written", "before", "after"}
    assert key.seed == 5
    assert key.decisions is not None
    assert key.decisions.path == str(BOLD)
    assert "for raters: blind.csv" in out
    labels = {
        row["case"]: row["label"] for row in csv.DictReader(BOLD.read_text("utf-8").splitlines())
    }
    assert all(labels[one.case] == one.stratum for one in key.drawn)


def test_the_blind_file_can_be_judged_cases_for_other_commands(call: Call, tmp_path: Path) -> None:
    from jurybox.formats.tables import cases as case_files

    drawing = ("sample", "draw", BOLD, "--error", "4", "--ok", "4", "--cases", CASES)
    assert call(*drawing, "--blind", "b.jsonl")[0] == 0
    assert len(case_files.read(tmp_path / "b.jsonl").cases) == 8


def test_a_second_draw_keeps_the_first_and_repeats_nothing(call: Call, tmp_path: Path) -> None:
    drawing = ("sample", "draw", BOLD, "--error", "20", "--ok", "50")
    assert call(*drawing)[0] == 0
    before = (tmp_path / "key.jsonl").read_bytes()
    assert "is there already" in refused(call, *drawing[1:], code=1)
    assert (tmp_path / "key.jsonl").read_bytes() == before
    code, out, _ = call(*drawing, "--after", "key.jsonl", "--blind", "2.csv", "--key", "2.jsonl")
    assert code == 0
    assert "before" in out
    first, second = read_key(tmp_path / "key.jsonl"), read_key(tmp_path / "2.jsonl")
    assert not {one.case for one in first.drawn} & {one.case for one in second.drawn}


def test_strata_and_their_own_numbers_are_understood(call: Call, tmp_path: Path) -> None:
    code, _, err = call(
        *("sample", "draw", BOLD, "--error", "10", "--ok", "20", "--cases", CASES),
        *("--by", "construction", "--stratum", "error/article=8", "ok/missing-article=3"),
    )
    assert (code, err) == (0, "")
    sampled = {one.name: one.sampled for one in read_key(tmp_path / "key.jsonl").strata}
    assert sampled["error/article"] == 8
    assert sum(n for name, n in sampled.items() if name.startswith("error")) == 18


def test_nothing_is_written_where_something_is_wrong(call: Call, tmp_path: Path) -> None:
    assert "--error 44:" in refused(call, "draw", BOLD, "--error", "44", "--ok", "1", code=1)
    assert "unknown stratum" in refused(
        call, "draw", BOLD, "--error", "1", "--ok", "1", "--stratum", "okay=3", code=1
    )
    assert "does not tell its format" in refused(
        call, "draw", BOLD, "--error", "1", "--ok", "1", "--blind", "blind.doc", code=2
    )
    assert "in use already" in refused(
        call,
        "draw",
        BOLD,
        "--error",
        "1",
        "--ok",
        "1",
        "--key",
        "x.csv",
        "--blind",
        "x.csv",
        code=2,
    )
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_task_is_told_the_near_one(call: Call) -> None:
    assert "jurybox sample cannot 'drwa'; did you mean 'draw'?" in refused(call, "drwa", code=2)
