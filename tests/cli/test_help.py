"""Help: every command explains itself with examples that are real command lines."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from pathlib import Path

import pytest

import jurybox
from jurybox.cli import run
from jurybox.cli._app import CALLS, COMMANDS, GROUPS, HELP, TASKS, build_parser, split_call
from startup import processor_seconds

SAMPLE = Path(jurybox.__file__).parent / "data" / "sample"


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
    for line in help_text.splitlines():
        assert len(line) <= 80, line


def test_no_arguments_show_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert "jurybox demo" in shown(capsys)


@pytest.mark.parametrize("command", [*CALLS, *TASKS])
def test_every_commands_help_has_examples(capsys: pytest.CaptureFixture[str], command: str) -> None:
    help_text = shown(capsys, *command.split(), "--help")
    assert "examples:" in help_text
    assert f"\n  jurybox {command}" in help_text


def examples_in(help_text: str) -> list[list[str]]:
    """The command lines among the examples of a help text, without the first word."""
    examples = help_text.partition("examples:")[2].replace("\\\n", " ")
    lines = re.findall(r"^  jurybox (.+)$", examples, re.MULTILINE)
    return [shlex.split(line) for line in lines]


@pytest.mark.parametrize("command", [*CALLS, *TASKS])
def test_every_example_is_a_command_line_that_can_be_parsed(command: str) -> None:
    examples = examples_in(build_parser(command)[1].HELP)
    assert examples
    for example in examples:
        called, arguments = split_call(example)
        assert f"{called} ".startswith(f"{command} ")
        build_parser(called)[0].parse_intermixed_args(arguments)  # raises for unknown options


def test_the_examples_of_the_first_page_can_be_parsed() -> None:
    for example in examples_in(HELP):
        called, arguments = split_call(example)
        build_parser(called)[0].parse_intermixed_args(arguments)


def as_a_shell_would(words: list[str]) -> list[str]:
    """The words with `sample/A*.m2` spelled out."""
    found = ((word, sorted(Path().glob(word)) if "*" in word else []) for word in words)
    return [name for word, files in found for name in (map(str, files) if files else [word])]


def runnable(help_text: str) -> list[list[str]]:
    """Examples that need nothing but the sample, or nothing at all."""
    return [
        words
        for words in examples_in(help_text)
        if any("sample" in word for word in words[1:])
        or words[0] in ("measures", "completion", "demo")
        or words[:2] == ["data", "list"]
        or words[:3] == ["detect", "info", "lm"]
        or "--part" in words
        or (words[0] == "db" and "study" not in " ".join(words))
    ]


#: commands without an example for the sample: from the network; about somebody in a database
FROM_ELSEWHERE = {"data get", "serve password"}


@pytest.mark.parametrize("command", sorted({*CALLS, *TASKS} - FROM_ELSEWHERE))
def test_the_first_example_of_every_command_runs_on_the_sample_alone(command: str) -> None:
    help_text = build_parser(command)[1].HELP
    assert examples_in(help_text)[0] in runnable(help_text)


@pytest.mark.parametrize(
    ("command", "example"),
    [
        pytest.param(line.split()[0], line.split(), id=line)
        for line in dict.fromkeys(
            " ".join(words)
            for command in (*CALLS, *TASKS, "")
            for words in runnable(build_parser(command)[1].HELP if command else HELP)
        )
    ],
)
@pytest.mark.slow
def test_examples_on_the_sample_run_as_they_stand(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    example: list[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    if command != "demo":
        shutil.copytree(SAMPLE, tmp_path / "sample")  # as `jurybox demo --copy-to sample` does
    if example[0] == "detect" and "lm" in example[2:]:  # a model that another example trains
        assert run(["detect", "train", "lm", "--text", "sample/training.txt", "-o", "lm"]) == 0
    if example[0] == "run":  # a study that another example writes
        assert run(["init", "sample-study"]) == 0
    if example[0] == "db":
        _make_study()
    capsys.readouterr()
    assert run(as_a_shell_would(example)) == 0
    assert "warning" not in capsys.readouterr().err


def _make_study() -> None:
    """A server's database with a rater in it, and a dump of it."""
    from jurybox.serve.store import open_store

    assert run(["serve", "new", "prepositions", "--cases", "sample/cases.jsonl"]) == 0
    with open_store("jurybox.db") as store:
        store.join(store.project("prepositions").id)
    assert run(["db", "dump", "-o", "backup.jsonl.gz"]) == 0


def test_every_command_stands_in_one_group() -> None:
    assert sorted(name for group in GROUPS.values() for name in group) == sorted(COMMANDS)


@pytest.mark.parametrize("asked", ["cases --help", "cases derive --help", "help cases"])
def test_help_of_a_subcommand_is_found_however_it_is_asked_for(
    capsys: pytest.CaptureFixture[str], asked: str
) -> None:
    help_text = shown(capsys, *asked.split())
    assert "jurybox cases derive sample/A*.m2" in help_text
    assert "--construction" in help_text


def test_a_mistyped_command_gets_a_hint(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["scroe"]) == 2
    assert "did you mean 'score'?" in capsys.readouterr().err


#: commands whose output has one form: a page, a script, links, a folder of files
ONE_FORM = {"demo", "report", "completion", "serve", "serve new", "serve password", "init", "run"}
ONE_FORM |= {"db dump", "db load", "db verify", "db forget"}


@pytest.mark.parametrize("command", sorted({*CALLS} - ONE_FORM))
def test_options_for_the_result_are_called_the_same_everywhere(command: str) -> None:
    names = {name for one in build_parser(command)[0]._actions for name in one.option_strings}
    assert {"--format", "-o", "--output"} <= names
    assert "--seed" in names or "--resamples" not in names


def test_one_flag_means_one_thing_in_all_commands() -> None:
    """Where two commands have an option of a name, it takes the same kind of value."""
    meant: dict[str, tuple[object, ...]] = {}
    apart = {"--documents", "--judgments", "--decisions", "--construction"}
    apart |= {"--output"}  # a model is a folder
    apart |= {"--by"}  # a draw may be divided by several things
    apart |= {"--error", "--ok"}  # one draw has one number of each, a simulation tries several
    for command in CALLS:
        for one in build_parser(command)[0]._actions:
            for name in {*one.option_strings} - apart - {"-o"}:
                kind = (one.metavar, one.nargs)
                assert meant.setdefault(name, kind) == kind, (command, name)


def test_help_comes_at_once() -> None:
    assert processor_seconds([sys.executable, "-m", "jurybox", "--help"]) < 0.3


@pytest.mark.parametrize(
    "option",
    """--gold --metric --source --refs --beta --choice --max-unchanged-words --level --types
    --edit-size --ignore-case-whitespace --expected-statistics --tokenize --hyp-format
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


@pytest.fixture
def demo(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> str:
    """What the demo says, in a folder of its own that holds the copied sample afterwards."""
    monkeypatch.chdir(tmp_path)
    return shown(capsys, "demo", "--copy-to", "sample")


def test_the_demo_writes_a_report_and_copies_the_sample(demo: str, tmp_path: Path) -> None:
    assert "demo/report.html" in demo
    assert (tmp_path / "demo" / "report.html").stat().st_size > 10_000
    for file in ("A1.m2", "bold.txt", "source.txt", "judgments.csv"):
        assert (tmp_path / "sample" / file).read_bytes() == (SAMPLE / file).read_bytes()


@pytest.mark.slow
def test_what_the_demo_suggests_works(demo: str, capsys: pytest.CaptureFixture[str]) -> None:
    suggested = re.findall(r"^ +jurybox (.+)$", demo, re.MULTILINE)
    assert suggested
    for line in suggested:
        shown(capsys, *as_a_shell_would(shlex.split(line)))
