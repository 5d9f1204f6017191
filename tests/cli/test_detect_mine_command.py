"""`jurybox detect mine`: files in, files out, clear refusals."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import jurybox
from calling import Call, refused
from jurybox.formats.tables import cases

SAMPLE = Path(jurybox.__file__).parent / "data" / "sample"
SCREEN = ("detect", "mine", "--text", SAMPLE / "source.txt", "--tokenised")
LINES = ("of\t1050508", "to\t618385", "sea\t30781796", "near the\t2194", "enter the\t526")


@pytest.fixture(autouse=True)
def counts_in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write("counts.tsv", *LINES, "near of the\t1")
    write("known.txt", *["We live near the sea . The end of it ."] * 100)


def write(name: str, *lines: str) -> None:
    Path(name).write_text("".join(f"{line}\n" for line in lines), "utf-8")


def test_trigrams_are_printed_with_their_counts(call: Call) -> None:
    code, out, err = call(*SCREEN, "--counts", "counts.tsv")
    assert (code, err) == (0, "")
    assert out.splitlines()[2].split() == [
        *("1", "near", "of", "the", "1", "2194", "71.0", "5.58", "1", "1")
    ]
    assert "signature: jurybox detect|task:mine|counts:files|" in out


def test_csv_and_json_have_every_digit(call: Call) -> None:
    _, out, _ = call(*SCREEN, "--counts", "counts.tsv", "--format", "csv")
    near, enter = csv.DictReader(out.splitlines())
    assert (near["trigram"], enter["trigram"]) == ("near of the", "enter to the")
    _, out, _ = call(*SCREEN, "--counts", "counts.tsv", "--format", "json")
    record = json.loads(out)
    assert record["trigrams"][0]["score"] == float(near["score"])
    assert [Path(one["path"]).name for one in record["inputs"]] == ["source.txt", "counts.tsv"]


def test_cases_and_scores_are_written_together(call: Call) -> None:
    code, out, _ = call(
        *(*SCREEN, "--counts", "counts.tsv", "-o", "cases.csv", "--decisions", "scores.jsonl")
    )
    assert code == 0
    assert cases.read("cases.csv").cases[0].id == "S1:10-11"
    assert '"suggestion": "-NONE-"' in Path("scores.jsonl").read_text("utf-8")
    assert "cases: cases.csv" in out


def test_cases_on_standard_output_are_alone_there(call: Call) -> None:
    _, out, err = call(*SCREEN, "--counts", "counts.tsv", "-o", "-")
    assert [json.loads(line).get("case") for line in out.splitlines()[:2]] == [None, "S1:10-11"]
    assert err.startswith("Trigrams rarer than expected")


def test_a_panel_is_screened_with_counts_of_a_text(call: Call) -> None:
    code, out, _ = call(
        *("detect", "mine", "--m2", *sorted(SAMPLE.glob("A*.m2")), "--counts-text", "known.txt"),
        *("--counts-tokenised", "--documents", SAMPLE / "documents.txt", "--format", "json"),
    )
    assert code == 0
    assert json.loads(out)["trigrams"][0]["cases"] == ["essay-1:1:10-11"]


def test_a_folder_of_counts_is_taken_apart(call: Call, tmp_path: Path) -> None:
    for number, line in enumerate((*LINES, "near of the\t1")):
        place = tmp_path / "web1t" / f"{line.count(' ') + 1}gms" / f"part-{number}"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f"{line}\n", "utf-8")
    _, whole, _ = call(*SCREEN, "--counts", "counts.tsv")
    assert call(*SCREEN, "--counts", "web1t") == (0, whole, "")


def test_wrong_usage_is_told_before_any_file_is_read(call: Call) -> None:
    missing = ("--counts", "missing.tsv")
    told = {
        ("--counts-text", "known.txt", *missing): "--counts-text or --counts, and not both",
        (*missing, "-o", "cases.txt"): "does not tell its format",
        (*missing, "--format", "pdf"): "unknown format (--format) 'pdf'",
        (*missing, "-o", "a.csv", "--decisions", "a.csv"): "a.csv is in use already",
        (
            *missing,
            "--tagger",
            "spacey",
        ): "unknown tagger (--tagger) 'spacey'; did you mean 'spacy'?",
        (): "--counts-text or --counts",
    }
    for arguments, complaint in told.items():
        assert complaint in refused(call, *SCREEN, *arguments, code=2)


def test_a_result_is_not_written_over_what_is_read(call: Call) -> None:
    Path("counts.tsv").rename("counts.csv")
    arguments = ("--counts", "counts.csv", "-o", "counts.csv")
    assert "counts.csv is in use already" in refused(call, *SCREEN, *arguments, code=2)


def test_bad_counts_are_named_with_their_line_and_nothing_is_written(call: Call) -> None:
    write("counts.tsv", *LINES, "near of the 1")
    told = refused(call, *SCREEN, "--counts", "counts.tsv", "-o", "cases.csv", code=1)
    assert "counts.tsv:6: 'near of the 1' is no n-gram, a tab and a count" in told
    assert not Path("cases.csv").exists()


def test_a_file_that_is_not_there_is_named(call: Call) -> None:
    assert "missing.tsv: no such file" in refused(call, *SCREEN, "--counts", "missing.tsv", code=1)
