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

SAMPLE = Path(jurybox.__file__).parent / "sample"
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


@pytest.mark.parametrize("command", ["score", "score with intervals", "score gleu"])
def test_csv_rows_are_the_numbers_of_the_json_at_full_precision(call: Call, command: str) -> None:
    rows = list(csv.DictReader(io.StringIO(call(*COMMANDS[command], "--format", "csv"))))
    systems = json.loads(call(*COMMANDS[command], "--format", "json"))["systems"]
    assert [row["system"] for row in rows] == [system["name"] for system in systems]
    for row, system in zip(rows, systems, strict=True):
        if "gleu" in command:
            assert float(row["GLEU"]) == pytest.approx(100 * system["score"])
        else:
            assert float(row["F0.5"]) == system["f"]
            assert int(row["TP"]) == system["tp"]


def test_every_csv_row_has_the_columns_of_its_header(call: Call) -> None:
    for command in COMMANDS.values():
        for block in call(*command, "--format", "csv").strip("\n").split("\n\n"):
            rows = list(csv.reader(io.StringIO(block)))
            assert len({len(row) for row in rows}) == 1
            assert len(rows) > 1


def test_csv_by_type_says_which_system_every_row_belongs_to(call: Call) -> None:
    shown = call("score", BOLD, REWRITER, "--gold", GOLD, "--by", "type", "--format", "csv")
    with_types = [block for block in shown.split("\n\n") if "SVA" in block]
    assert "bold.txt" in with_types[0]
    assert "rewriter.txt" in with_types[-1]


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
    rows = list(csv.reader(io.StringIO(call("score", odd, "--gold", GOLD, "--format", "csv"))))
    assert rows[1][0] == "a_b|50%&c.txt"


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
