"""The application: its commands, and how errors and warnings reach the user."""

from __future__ import annotations

import os
import re
import sys
import warnings
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any, NamedTuple, NoReturn

from jurybox._version import __version__
from jurybox.cli.flags import HelpText, OneOf, add_flags, options_from
from jurybox.errors import JuryboxError, JuryboxNote, JuryboxWarning, UsageError, near_name
from jurybox.options import Options

BAD_INPUT, WRONG_USAGE = 1, 2
#: by Ctrl-C (SIGINT) and by SIGTERM, as shells count: 128 and the number of the signal
INTERRUPTED, TERMINATED = 130, 143

#: purpose -> command -> what it does, in a line of 80 columns
GROUPS = {
    "first steps": {
        "demo": "a full evaluation of three systems on the bundled sample",
        "init": "a study of your own, described in one file with comments",
        "run": "everything that a study's file describes, and its report",
        "report": "one HTML page with everything, to show around",
    },
    "score corrections": {
        "score": "systems against a panel or references: the official numbers",
        "compare": "is the difference between systems more than chance?",
        "metaeval": "does a metric rank systems as people do?",
        "ceiling": "how far is a system from a person? people against people",
        "annotators": "who corrected what, and how far do people agree?",
        "show": "one sentence with everybody's corrections side by side",
    },
    "put detectors before a jury": {
        "cases": "places that people judge: out of a panel, as a balanced set",
        "evaluate": "count by the majority and by how many people agree",
        "sample": "precision and recall from a sample: plan, draw, estimate",
        "detect": "reference detectors of preposition errors: train, run, mine",
    },
    "raters and crowds": {
        "serve": "a web server on which people judge cases or correct essays",
        "db": "the server's database: back up, restore, forget a rater",
        "agree": "kappa and alpha; how many raters are as good as an expert?",
        "screen": "raters who should perhaps not count, and what changes",
        "aggregate": "one label per case out of many judgments",
        "cost": "what judgments cost in money and time, and what more would",
    },
    "files and numbers": {
        "convert": "edits between formats; judgments out of platforms' exports",
        "data": "public test sets: where they are, how to cite them; download them",
        "measures": "every measure for counts out of someone's paper",
        "completion": "let the TAB key complete commands, options and file names",
    },
}

COMMANDS = {name: does for group in GROUPS.values() for name, does in group.items()}
#: commands whose tasks have options of their own
TASKS = {
    "cases": ("derive", "balance"),
    "sample": ("plan", "draw", "estimate", "simulate"),
    "detect": ("train", "run", "info", "selection", "mine"),
    "serve": ("new", "password"),
    "data": ("list", "get"),
    "db": ("dump", "load", "verify", "forget"),
}
#: commands with tasks that do something without one, too
ALONE = frozenset(("serve",))
#: modules below jurybox.cli, imported when they are called: of all commands that are not in the
#: module of their name, or with their tasks in one below tasks
MODULES = {"init": "study.init", "run": "study.run", "serve new": "tasks.serve_new"}
#: everything with options: commands, and the tasks of those that have some
CALLS = tuple(
    call
    for name in COMMANDS
    for call in (
        *([name] if name in ALONE or name not in TASKS else []),
        *(f"{name} {task}" for task in TASKS.get(name, ())),
    )
)

HELP = """\
usage: jurybox COMMAND [OPTIONS]

Put a grammar checker before a jury: score, compare and understand grammatical
error detection and correction.

{commands}

examples:
  jurybox demo --copy-to sample
  jurybox score sample/bold.txt --gold sample/A*.m2
  jurybox compare old.txt new.txt --gold conll14.m2
  jurybox ceiling --gold A1.m2 A2.m2 A3.m2 --system mine=output.txt
  jurybox evaluate cases.csv --judgments judgments.csv --system mine=mine.csv

jurybox COMMAND --help tells more; jurybox --version the version;
jurybox --plugins what other packages bring."""


class Terminated(KeyboardInterrupt):
    """Asked to end by SIGTERM: ends like Ctrl-C, so that nothing half-written is left."""


class NoTask(Options):
    """The options of a command that does nothing without a task."""


class Command(NamedTuple):
    """A command or a task: what its module has, or its entry in the `TASKS` of one."""

    USAGE: str  # the line after "usage:"
    HELP: str  # a line on what it does, more if need be, and examples
    Call: type[Options] = NoTask
    run: Callable[[Any], int | None] = lambda _: None


class Parser(ArgumentParser):
    """Complains by raising, and suggests the option that was probably meant."""

    def error(self, message: str) -> NoReturn:
        hint = ""
        if message.startswith("unrecognized arguments: --"):
            given = message.split()[2].split("=", maxsplit=1)[0]
            hint = near_name(given, self._option_string_actions)
        elif message.startswith("the following arguments are required") and "--" not in message:
            hint = "; name them first, for an option like --gold takes all files that follow it."
            if message.endswith(": TASK"):
                tasks = TASKS[self.prog.removeprefix("jurybox ")]
                hint = f"; name one: {', '.join(tasks)}."
        raise UsageError(f"{message}{hint or '.'} See {self.prog} --help")


def find_command(name: str) -> Command:
    """A command, or a task as `sample draw`."""
    if name not in COMMANDS and name not in CALLS:
        hint = near_name(name, COMMANDS)
        raise UsageError(f"there is no command '{name}'{hint or '.'} See jurybox --help")
    first, _, task = name.partition(" ")
    usual = f"tasks.{first}" if first in TASKS else first
    found = vars(import_module(f"jurybox.cli.{MODULES.get(name, usual)}"))
    if task and name not in MODULES:
        command: Command = found["TASKS"][task]
        return command
    return Command(**{part: found[part] for part in Command._fields if part in found})


def build_parser(name: str) -> tuple[Parser, Command]:
    """The parser of one command, or of a task as `sample draw`, and what it parses for."""
    command = find_command(name)
    parser = Parser(
        prog=f"jurybox {name}",
        usage=command.USAGE,
        description=command.HELP,
        formatter_class=HelpText,
        allow_abbrev=False,
    )
    parser._positionals.title = "arguments"
    # argparse takes -1 and -.5 for numbers, but -1e-3 for an option
    parser._negative_number_matcher = re.compile(r"-(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$")
    if command.Call is NoTask:
        tasks = TASKS[name]
        parser.add_argument("task", metavar="TASK", type=OneOf(*tasks), help=", ".join(tasks))
    add_flags(parser, command.Call)
    return parser, command


def split_call(arguments: Sequence[str]) -> tuple[str, list[str]]:
    """What is called, with its task if it has some, and the arguments that are left.

    >>> split_call(["sample", "draw", "d.csv"]), split_call(["score", "out.txt"])
    (('sample draw', ['d.csv']), ('score', ['out.txt']))
    """
    name, *rest = arguments
    if name not in TASKS or not rest or rest[0].startswith("-"):
        return name, rest
    task = rest[0]
    if task not in TASKS[name]:
        known = ", ".join(TASKS[name])
        hint = near_name(task, TASKS[name])
        raise UsageError(f"jurybox {name} cannot '{task}'{hint} (one of: {known})")
    return f"{name} {task}", rest[1:]


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code."""
    with _plain_warnings():
        try:
            code = _dispatch(list(arguments))
            if sys.stdout is not None:
                sys.stdout.flush()
            return code
        except UsageError as error:
            _complain(str(error))
            return WRONG_USAGE
        except JuryboxError as error:
            _complain(str(error))
            return BAD_INPUT
        except BrokenPipeError:
            ignore_output()
            return 0
        except OSError as error:
            _complain(f"cannot write the result ({error.strerror or error})")
            return BAD_INPUT
        except KeyboardInterrupt as stop:
            _complain("interrupted")
            return TERMINATED if isinstance(stop, Terminated) else INTERRUPTED


def ignore_output() -> None:
    """The reader of our output has left (`| head`): no error of ours.

    Python must not try to flush what nobody reads.
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _dispatch(arguments: list[str]) -> int:
    if arguments[:1] == ["help"]:
        arguments = [*arguments[1:3], "--help"]
    if not arguments or arguments[0] in ("-h", "--help"):
        width = max(map(len, COMMANDS)) + 2
        groups = (
            [f"{purpose}:", *(f"  {name.ljust(width)}{does}" for name, does in group.items())]
            for purpose, group in GROUPS.items()
        )
        print(HELP.format(commands="\n\n".join(map("\n".join, groups))))
        return 0
    name = arguments[0]
    if name == "--version":
        print(f"jurybox {__version__}")
        return 0
    if name == "--plugins":
        from jurybox.plugins import listed

        print("\n".join(listed()) or "no installed package brings a metric, format or detector")
        return 0
    call, rest = split_call(arguments)
    parser, command = build_parser(call)
    try:
        options = parser.parse_intermixed_args(rest)
    except SystemExit:  # --help has been printed
        return 0
    if command.Call is NoTask:
        raise UsageError(
            f"jurybox {call} cannot '{options.task}'; one of: {', '.join(TASKS[call])}"
        )
    return run_parsed(command, options)


def run_parsed(command: Command, options: Namespace) -> int:
    """Run a command with the options of a command line; gives the exit code."""
    return command.run(options_from(options, command.Call)) or 0


def _complain(message: str) -> None:
    print(f"jurybox: {message}", file=sys.stderr)


@contextmanager
def _plain_warnings() -> Iterator[None]:
    """Show our own warnings as one line each, each of them once, without Python's decoration."""
    seen: set[str] = set()
    with warnings.catch_warnings():
        warnings.simplefilter("always", JuryboxWarning)
        python_way = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
            if not issubclass(category, JuryboxWarning):
                python_way(message, category, *place, **more)
            elif str(message) not in seen:
                seen.add(str(message))
                kind = "note" if issubclass(category, JuryboxNote) else "warning"
                print(f"jurybox: {kind}: {message}", file=sys.stderr)

        warnings.showwarning = show
        yield
