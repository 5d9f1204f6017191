"""Shell completion: what may follow, according to the parsers, and asked for by real shells."""

from __future__ import annotations

import argparse
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Collection
from pathlib import Path

import pytest

from calling import Call
from jurybox.cli._app import CALLS, COMMANDS, TASKS, build_parser
from jurybox.cli.completion import SCRIPTS, complete
from jurybox.cli.flags import OneOf
from jurybox.cli.output import FORMS
from startup import processor_seconds

SCRIPT = Path(sys.executable).with_name("jurybox")


def words(*typed: str) -> list[str]:
    return [candidate.word for candidate in complete(typed)]


# --- what may follow ---


def test_the_first_word_is_a_command() -> None:
    assert words("") == [*COMMANDS, "--help", "--version"]
    assert words("c") == ["compare", "ceiling", "cases", "cost", "convert", "completion"]
    assert words("help", "sh") == ["show"]


@pytest.mark.parametrize("command", CALLS)
def test_every_option_of_every_command_is_offered(command: str) -> None:
    actions = build_parser(command)[0]._actions  # argparse has no other way to list them
    assert words(*command.split(), "-") == [name for one in actions for name in one.option_strings]


def test_a_subcommand_is_offered_once() -> None:
    assert words("cases", "") == ["derive", "balance"]
    assert words("cases", "derive", "") == []
    assert words("sample", "") == [*TASKS["sample"]]
    assert words("sample", "draw", "--bl") == ["--blind"]


def test_values_are_offered_behind_their_option_only() -> None:
    assert words("score", "out.txt", "--metric", "") == ["m2", "errant", "gleu"]
    assert words("score", "out.txt", "--metric", "m2", "") == []
    assert words("score", "out.txt", "--gold", "") == []
    assert words("cases", "derive", "--construction", "article", "miss") == [
        "missing-preposition",
        "missing-article",
        "missing-comma",
    ]


def test_values_are_offered_behind_an_equals_sign() -> None:
    assert words("score", "--metric=e") == ["--metric=errant"]
    assert words("score", "--metric", "=", "e") == ["errant"]  # as bash cuts it
    assert words("score", "--metric", "=") == ["m2", "errant", "gleu"]


def test_nothing_is_offered_after_a_command_that_does_not_exist() -> None:
    assert words("scroe", "--") == []


def test_the_values_offered_are_those_the_library_takes() -> None:
    from jurybox.counting import systems as inputs
    from jurybox.detect.selection.figures import FIGURES as SELECTION_FIGURES
    from jurybox.jury import cases
    from jurybox.jury import evaluate as evaluate_options
    from jurybox.jury.cases.constructions import CONSTRUCTIONS
    from jurybox.jury.evaluate import FIGURES
    from jurybox.metaeval import UNITS as META_UNITS
    from jurybox.metrics import options
    from jurybox.metrics.measures import MEASURES
    from jurybox.metrics.options import RULES
    from jurybox.raters.agree.figures import FIGURES as AGREE_FIGURES
    from jurybox.sample.options import TIES as SAMPLE_TIES
    from jurybox.shared_options import TAGGERS, Unit

    known = {
        "--metric": options.METRICS,
        "--level": options.LEVELS,
        "--choice": RULES,
        "--hyp-format": inputs.HYPOTHESIS_FORMATS,
        "--error-rule": cases.ERROR_RULES,
        "--tagger": TAGGERS,
        "--construction": CONSTRUCTIONS,
        "--ties": evaluate_options.TIES,
        "--missing": evaluate_options.MISSING,
        "--bin-by": evaluate_options.BIN_BY,
        "--choose": MEASURES,
        "--plot": FIGURES,
    }
    own: dict[tuple[str, str], Collection[str]] = {("agree", "--plot"): AGREE_FIGURES}
    own |= {(f"sample {task}", "--ties"): SAMPLE_TIES for task in ("estimate", "simulate")}
    own |= {
        ("detect selection", "--plot"): SELECTION_FIGURES,
        ("detect run", "--construction"): tuple(
            f"{kind}preposition" for kind in ("", "extraneous-", "wrong-", "missing-")
        ),
    }
    met = set()
    for command in CALLS:
        for action in build_parser(command)[0]._actions:
            flag = max(action.option_strings, key=len, default="")
            if flag in known and offered(action):
                taken = own.get((command, flag), known[flag])
                assert {*offered(action)} - {"none"} == {*taken}, (command, flag)
                met.add(flag)
            elif flag == "--format" and command != "convert":
                assert offered(action) == FORMS
            elif flag == "--ci-unit":
                units = {"evaluate": evaluate_options.UNITS, "metaeval": META_UNITS}
                assert offered(action) == units.get(command, Unit.notes()["ci_unit"].values)
    assert met == {*known}


def offered(action: argparse.Action) -> tuple[str, ...]:
    return action.type.values if isinstance(action.type, OneOf) else ()


def test_every_offered_value_is_named_in_the_help() -> None:
    for command in CALLS:
        for action in build_parser(command)[0]._actions:
            for value in offered(action) if "--choose" not in action.option_strings else ():
                kind = value.partition("-")[0]  # "extraneous-, wrong- or missing-preposition"
                told = value in (action.help or "") or f"{kind}-" in (action.help or "")
                assert told, (command, action.option_strings, value)


# --- the command ---


@pytest.mark.parametrize("shell", SCRIPTS)
def test_a_script_is_printed(call: Call, shell: str) -> None:
    code, out, err = call("completion", shell)
    assert (code, err) == (0, "")
    assert f"completion {shell} --words" in out


def test_an_unknown_shell_is_told_the_near_one(call: Call) -> None:
    code, out, err = call("completion", "bsh")
    assert (code, out) == (2, "")
    assert "bash" in err


def test_an_answer_comes_before_the_user_wonders() -> None:
    asked = [str(SCRIPT), "completion", "bash", "--words=jurybox\nevaluate\n--"]
    assert processor_seconds(asked) < 0.3


# --- real shells ---


def need(shell: str) -> str:
    found = shutil.which(shell)
    if found is None:
        pytest.skip(f"{shell} is not installed here")
    return found


def environment() -> dict[str, str]:
    path = f"{SCRIPT.parent}{os.pathsep}{os.environ.get('PATH', '')}"
    return {"PATH": path, "HOME": str(Path.cwd()), "TERM": "xterm", "LC_ALL": "C.UTF-8"}


def typed_into(command: list[str], lines: list[str], until: str, folder: Path) -> str:
    """What a terminal shows when lines are typed into an interactive shell."""
    pid, terminal = pty.fork()
    if pid == 0:  # the shell's side
        os.chdir(folder)
        os.execve(command[0], command, environment())
    shown = ""
    try:
        for line in lines:
            os.write(terminal, line.encode())
            shown = read_until(terminal, until if line is lines[-1] else "ready>")
    finally:
        os.kill(pid, 9)
        os.waitpid(pid, 0)
        os.close(terminal)
    return shown


def read_until(terminal: int, sign: str, seconds: float = 20.0) -> str:
    shown = ""
    end = time.monotonic() + seconds
    while sign not in shown and time.monotonic() < end:
        if select.select([terminal], [], [], 0.2)[0]:
            try:
                shown += os.read(terminal, 4096).decode(errors="replace")
            except OSError:
                break
            shown = CONTROL.sub("", shown)
    return shown


#: colours, and letters typed over
CONTROL = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|.\x08")


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("jurybox ann\t", "jurybox annotators "),
        ("jurybox score out.txt --max\t", "--max-unchanged-words "),
        ("jurybox score out.txt --metric err\t", "--metric errant "),
        ("jurybox score out.txt --metric=err\t", "--metric=errant "),
        ("jurybox cases de\t", "jurybox cases derive "),
        ("jurybox score my_o\t", "jurybox score my_output.txt "),
        ("jurybox ceiling --system mine=my_o\t", "--system mine=my_output.txt "),
    ],
)
@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_tab_completes_in_a_real_shell(
    shell: str, typed: str, completed: str, tmp_path: Path
) -> None:
    (tmp_path / "my_output.txt").touch()
    if shell == "bash":
        command = [need("bash"), "--norc", "--noprofile", "-i"]
        begin = ["PS1='rea''dy>'; eval \"$(jurybox completion bash)\"\n"]
    else:
        command = [need("zsh"), "-f", "-i"]
        begin = [
            "unsetopt zle_bracketed_paste; PS1='rea''dy>'; autoload -U compinit; compinit -u -D; "
            'eval "$(jurybox completion zsh)"\n'
        ]
    shown = typed_into(command, [*begin, typed], completed, tmp_path)
    assert completed in shown


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("jurybox ann", ["annotators"]),
        ("jurybox score out.txt --max", ["--max-unchanged-words"]),
        ("jurybox score out.txt --metric ", ["errant", "gleu", "m2"]),
        ("jurybox score out.txt --metric=e", ["--metric=errant"]),
        ("jurybox cases ", ["derive"]),
        ("jurybox score my_o", ["my_output.txt"]),
        ("jurybox ceiling --gold my_o", ["my_output.txt"]),
    ],
)
def test_fish_completes(typed: str, completed: list[str], tmp_path: Path) -> None:
    (tmp_path / "my_output.txt").touch()
    asked = f"jurybox completion fish | source; complete -C '{typed}'"
    done = subprocess.run(
        [need("fish"), "--no-config", "-c", asked],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
        env=environment() | {"HOME": str(tmp_path)},
    )
    assert sorted(line.split("\t")[0] for line in done.stdout.splitlines()) == completed
