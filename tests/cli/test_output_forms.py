"""`--format` and `-o`: the same numbers in every form, in files that appear whole."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import jurybox
from jurybox.cli import run

SAMPLE = Path(jurybox.__file__).parent / "data" / "sample" / "tiny"
GOLD = SAMPLE / "gold.m2"
BOLD, REWRITER = SAMPLE / "bold.txt", SAMPLE / "rewriter.txt"
FORMS = ("text", "json", "csv", "markdown", "latex")
COMMANDS: dict[str, list[object]] = {
    "score": ["score", BOLD, REWRITER, "--gold", GOLD],
    "score by type": ["score", BOLD, "--gold", GOLD, "--by", "type"],
    "score with intervals": ["score", BOLD, "--gold", GOLD, "--ci", "--resamples", "50"],
    "score gleu": ["score", BOLD, "--gold", GOLD, "--metric", "gleu"],
    "compare": ["compare", BOLD, REWRITER, "--gold", GOLD, "--resamples", "50"],
    "measures": ["measures", "--tp", "12", "--fp", "18", "--fn", "28", "--tn", "42"],
}

Call = Callable[..., str]


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Call:
    def jurybox_call(*arguments: object) -> str:
        capsys.readouterr()
        assert run([str(argument) for argument in arguments]) == 0
        out, err = capsys.readouterr()
        assert err == ""
        return out

    return jurybox_call


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_gets_what_standard_output_would_get(
    call: Call, tmp_path: Path, command: str, form: str
) -> None:
    target = tmp_path / "result"
    shown = call(*COMMANDS[command], "--format", form)
    assert shown.endswith("\n")
    assert call(*COMMANDS[command], "--format", form, "-o", target) == ""
    assert target.read_text(encoding="utf-8") == shown
    assert call(*COMMANDS[command], "--format", form, "--output", "-") == shown


def test_text_is_the_form_without_format(call: Call) -> None:
    assert call(*COMMANDS["score"]) == call(*COMMANDS["score"], "--format", "text")


@pytest.mark.parametrize("form", ["text", "markdown", "latex"])
def test_every_form_for_people_has_numbers_and_signature(call: Call, form: str) -> None:
    shown = call(*COMMANDS["score"], "--format", form).replace(r"\|", "|")
    made = json.loads(call(*COMMANDS["score"], "--format", "json"))
    for system in made["systems"]:
        assert system["name"] in shown
        assert f"{system['f']:.4f}" in shown
    assert made["signature"] in shown


def csv_rows(shown: str) -> list[dict[str, str]]:
    """The rows of one CSV table; a row longer or shorter than the header is an error."""
    rows = list(csv.reader(io.StringIO(shown)))
    return [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]


@pytest.mark.parametrize("command", ["score", "score with intervals", "score gleu"])
def test_csv_rows_are_the_numbers_of_the_json_at_full_precision(call: Call, command: str) -> None:
    rows = csv_rows(call(*COMMANDS[command], "--format", "csv"))
    made = json.loads(call(*COMMANDS[command], "--format", "json"))
    assert [row["name"] for row in rows] == [system["name"] for system in made["systems"]]
    for row, system in zip(rows, made["systems"], strict=True):
        for name, value in system.items():
            if name != "intervals":
                assert row[name] == str(value)
        for name, interval in system.get("intervals", {}).items():
            assert row[f"{name}_low"] == str(interval["low"])
            assert row[f"{name}_high"] == str(interval["high"])
        assert row["signature"] == made["signature"]


def test_csv_of_a_comparison_is_its_pairs(call: Call) -> None:
    rows = csv_rows(call(*COMMANDS["compare"], "--format", "csv"))
    (pair,) = json.loads(call(*COMMANDS["compare"], "--format", "json"))["pairs"]
    assert len(rows) == 1
    for name in ("first", "second", "difference", "low", "high", "p_bootstrap", "p_randomisation"):
        assert rows[0][name] == str(pair[name])


def test_csv_of_measures_is_one_row_per_measure(call: Call) -> None:
    rows = csv_rows(call(*COMMANDS["measures"], "--format", "csv"))
    measures = json.loads(call(*COMMANDS["measures"], "--format", "json"))["measures"]
    assert {row["measure"]: float(row["value"]) for row in rows} == measures


def test_csv_by_type_says_which_system_every_row_belongs_to(call: Call) -> None:
    command = ["score", BOLD, REWRITER, "--gold", GOLD, "--by", "type"]
    rows = csv_rows(call(*command, "--format", "csv"))
    for system in json.loads(call(*command, "--format", "json"))["systems"]:
        of_system = {row["type"]: row for row in rows if row["name"] == system["name"]}
        for kind in system["by_type"]:
            row = of_system[kind["type"] or "(none)"]
            assert [row[name] for name in ("tp", "fp", "fn")] == [
                str(kind[name]) for name in ("tp", "fp", "fn")
            ]


def test_csv_takes_in_systems_that_have_no_types_at_all(call: Call, tmp_path: Path) -> None:
    gold, untouched, changed = (tmp_path / name for name in ("g.m2", "a", "b"))
    gold.write_text("S a b\n\nS c\n", encoding="utf-8")
    untouched.write_text("a b\nc\n", encoding="utf-8")
    changed.write_text("a x\nc\n", encoding="utf-8")
    shown = call("score", untouched, changed, "--gold", gold, "--by", "type", "--format", "csv")
    assert {row["name"] for row in csv_rows(shown)} == {"a", "b"}


def test_csv_takes_in_a_pair_that_alone_has_no_interval(call: Call, tmp_path: Path) -> None:
    copy = tmp_path / "copy.txt"
    copy.write_bytes(BOLD.read_bytes())
    shown = call("compare", BOLD, REWRITER, copy, "--gold", GOLD, "--format", "csv")
    first, second = csv_rows(shown)
    assert (first["second"], second["second"]) == ("rewriter.txt", "copy.txt")
    assert second["reason"] == "no sentence differs"
    assert first["reason"] == ""


def test_markdown_tables_have_as_many_cells_in_every_row(call: Call) -> None:
    for command in COMMANDS.values():
        shown = call(*command, "--format", "markdown")
        for block in re.findall(r"(?:^\|.*\|$\n?)+", shown, re.MULTILINE):
            cells = {len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}
            assert len(cells) == 1


def test_names_are_escaped_in_markdown_and_latex(call: Call, tmp_path: Path) -> None:
    odd = tmp_path / "a_b|50%&c.txt"
    odd.write_bytes(BOLD.read_bytes())
    latex = call("score", odd, "--gold", GOLD, "--format", "latex")
    assert r"a\_b|50\%\&c.txt & 23 & 5 & 0 &" in latex
    markdown = call("score", odd, "--gold", GOLD, "--format", "markdown")
    assert r"| a_b\|50%&c.txt | 23 |" in markdown
    (row,) = csv_rows(call("score", odd, "--gold", GOLD, "--format", "csv"))
    assert row["name"] == "a_b|50%&c.txt"


def test_latex_has_one_booktabs_tabular_per_table(call: Call) -> None:
    shown = call(*COMMANDS["score by type"], "--format", "latex")
    for part in (r"\begin{tabular}", r"\toprule", r"\midrule", r"\bottomrule", r"\end{tabular}"):
        assert shown.count(part) == 2


@pytest.mark.parametrize("ending", [".gz", ".xz"])
def test_a_result_can_be_compressed(call: Call, tmp_path: Path, ending: str) -> None:
    import gzip
    import lzma

    target = tmp_path / f"result.json{ending}"
    call(*COMMANDS["score"], "--format", "json", "-o", target)
    unpack = gzip.decompress if ending == ".gz" else lzma.decompress
    assert json.loads(unpack(target.read_bytes()))["command"] == "score"


def test_names_that_are_not_ascii_are_readable_in_the_json(call: Call, tmp_path: Path) -> None:
    system = tmp_path / "système-日本.txt"
    system.write_bytes(BOLD.read_bytes())
    shown = call("score", system, "--gold", GOLD, "--format", "json")
    assert "système-日本.txt" in shown


def test_a_failing_command_leaves_an_old_result_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "result.json"
    target.write_text("precious\n", encoding="utf-8")
    arguments = ["score", str(GOLD), "--gold", str(GOLD), "--format", "json", "-o", str(target)]
    assert run(arguments) == 1
    assert capsys.readouterr().out == ""
    assert target.read_text(encoding="utf-8") == "precious\n"
    assert [path.name for path in tmp_path.iterdir()] == ["result.json"]


def test_a_result_is_not_written_over_a_file_it_was_made_from(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold = tmp_path / "gold.m2"
    gold.write_bytes(GOLD.read_bytes())
    for option in ("-o", "--save-counts"):
        assert run(["score", str(BOLD), "--gold", str(gold), option, str(gold)]) in (1, 2)
        out, err = capsys.readouterr()
        assert out == ""
        assert str(gold) in err
        assert gold.read_bytes() == GOLD.read_bytes()
