"""Help: every command explains itself with examples that are real command lines."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

import jurybox
from jurybox.cli import run
from jurybox.cli._app import COMMANDS, build_parser

SAMPLE = Path(jurybox.__file__).parent / "sample"


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run(arguments) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_help_names_every_command_and_the_first_steps(
    capsys: pytest.CaptureFixture[str], flag: str
) -> None:
    help_text = shown(capsys, flag)
    for command in COMMANDS:
        assert re.search(rf"\b{command}\b", help_text)
    assert "jurybox score my_output.txt --gold conll14.m2" in help_text


def test_no_arguments_show_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert "jurybox demo" in shown(capsys)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_commands_help_has_examples(capsys: pytest.CaptureFixture[str], command: str) -> None:
    help_text = shown(capsys, command, "--help")
    assert "examples:" in help_text
    assert f"\n  jurybox {command}" in help_text


@pytest.mark.parametrize("command", COMMANDS)
def test_every_example_is_a_command_line_that_can_be_parsed(command: str) -> None:
    parser, module = build_parser(command)
    examples = [line.split() for line in module.HELP.splitlines() if line.startswith("  jurybox")]
    assert examples
    for name, called, *arguments in examples:
        assert (name, called) == ("jurybox", command)
        parser.parse_intermixed_args(arguments)  # raises where an option does not exist


@pytest.mark.parametrize(
    "option",
    """--gold --metric --source --refs --beta --choice --max-unchanged-words --level --types
    --single --multi --ignore-case-whitespace --expected-statistics --tokenize --hyp-format
    --documents --jobs --ci --resamples --ci-level --ci-unit --seed --by --verbose --save-counts
    --format --output""".split(),  # noqa: SIM905  a list of its own lines would fill a page
)
def test_every_promised_option_of_score_is_explained(
    capsys: pytest.CaptureFixture[str], option: str
) -> None:
    explained = re.search(rf"{option}(?![\w-])[^\n]*\n?\s+\w", shown(capsys, "score", "--help"))
    assert explained is not None


def test_the_version_is_the_packages(capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(capsys, "--version") == f"jurybox {jurybox.__version__}\n"


def test_the_demo_scores_and_compares_the_sample(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    target = tmp_path / "sample"
    out = shown(capsys, "demo", "--copy-to", str(target))
    for name in ("cautious", "bold", "rewriter"):
        assert name in out
    assert "signature: jurybox m2|" in out
    for file in ("gold.m2", "bold.txt", "source.txt"):
        assert (target / file).read_bytes() == (SAMPLE / file).read_bytes()


def test_what_the_demo_suggests_works(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    suggested = [
        shlex.split(line)[1:]
        for line in shown(capsys, "demo").splitlines()
        if line.startswith("    jurybox ")
    ]
    assert len(suggested) >= 2
    for arguments in suggested:
        shown(capsys, *arguments)


def test_the_demo_does_not_contradict_its_own_table(capsys: pytest.CaptureFixture[str]) -> None:
    out = shown(capsys, "demo")
    verdicts = re.findall(r"(?:not told apart|\w+ (?:worse|better))$", out, re.MULTILINE)
    assert len(verdicts) == 3
    if set(verdicts) != {"not told apart"}:
        assert "cannot tell these systems apart" not in " ".join(out.split())
