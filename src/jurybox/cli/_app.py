"""The application: its commands, and how errors and warnings reach the user."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from inspect import cleandoc
from typing import Any, NamedTuple

from cyclopts import App, CycloptsError

from jurybox._version import __version__
from jurybox.errors import JuryboxError, JuryboxWarning, UsageError

BAD_INPUT, WRONG_USAGE, INTERRUPTED = 1, 2, 130


class Command(NamedTuple):
    """Where a command lives (it is imported when it is called) and what its help says first."""

    place: str
    help: str


COMMANDS = {
    "score": Command(
        "jurybox.cli.score:score_command",
        """Score systems against a panel or references: the official numbers, at once.

        Examples of use:

            jurybox score output.txt --gold conll14.m2
            jurybox score A.txt B.txt --gold A1.m2 A2.m2 A3.m2 --ci --by type
            jurybox score system.m2 --gold reference.m2 --metric errant --level span
            jurybox score output.txt --source src.txt --refs ref0.txt ref1.txt --metric gleu
            jurybox score output.txt --gold conll14.m2 --save-counts counts.json
        """,
    ),
    "compare": Command(
        "jurybox.cli.compare:compare_command",
        """Compare systems on the same sentences: is the difference more than chance?

        Paired bootstrap and approximate randomisation, the difference with its interval,
        p-values (Holm-corrected for more than two systems), the smallest difference this test
        set could show, and the sentences that decide.

        Examples of use:

            jurybox compare old.txt new.txt --gold conll14.m2
            jurybox compare A.txt B.txt C.txt --gold conll14.m2 --all-pairs --format markdown
            jurybox compare counts.json --ci-unit document
            jurybox compare released.txt candidate.txt --gold test.m2 --fail-if-worse
        """,
    ),
    "convert": Command(
        "jurybox.cli.convert:convert_command",
        """Convert edits between M2, JSONL, NUCLE SGML and parallel text.

        Examples of use:

            jurybox convert gold.m2 gold.jsonl
            jurybox convert A1.m2 A2.m2 A3.m2 panel.m2
            jurybox convert source.txt gold.m2 --corrected first.txt second.txt
            jurybox convert gold.m2 corrected.txt --annotator 0
            jurybox convert essays.sgml essays.m2 --tokens tokenised.m2
        """,
    ),
    "measures": Command(
        "jurybox.cli.measures:measures_command",
        """Give every measure for counts out of someone's paper.

        Counts may be whole numbers, weighted counts or shares. Without --tn the measures that
        need true negatives are left undefined.

        Examples of use:

            jurybox measures --tp 12 --fp 18 --fn 28 --tn 42
            jurybox measures --tp 772 --fp 1172 --fn 1793 --format json
        """,
    ),
    "demo": Command(
        "jurybox.cli.demo:demo_command",
        """Score and compare three systems on the bundled sample.

        Examples of use:

            jurybox demo
            jurybox demo --copy-to sample
        """,
    ),
}

HELP = """Put a grammar checker before a jury: score, compare and understand grammatical error
detection and correction.

First steps:

    jurybox demo
    jurybox score my_output.txt --gold conll14.m2
    jurybox compare old.txt new.txt --gold conll14.m2
"""


def build_app() -> App:
    """The application with all commands, none of them loaded yet."""
    app = App(name="jurybox", help=HELP, version=__version__, help_format="plaintext")
    for name, command in COMMANDS.items():
        app.command(command.place, name=name, help=cleandoc(command.help))
    return app


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code."""
    with _plain_warnings():
        try:
            result = build_app()(
                list(arguments),
                exit_on_error=False,
                print_error=False,
                result_action="return_value",
            )
            sys.stdout.flush()
            return result if isinstance(result, int) else 0
        except CycloptsError as error:
            message = " ".join(str(error).split())
            _complain(f"{message} Try: jurybox {_command(arguments)}--help")
            return WRONG_USAGE
        except UsageError as error:
            _complain(str(error))
            return WRONG_USAGE
        except JuryboxError as error:
            _complain(str(error))
            return BAD_INPUT
        except BrokenPipeError:
            # The reader of our output has left (`| head`); that is no error of ours.
            sys.stderr.close()
            return 0
        except KeyboardInterrupt:
            _complain("interrupted")
            return INTERRUPTED


def _command(arguments: Sequence[str]) -> str:
    return f"{arguments[0]} " if arguments and arguments[0] in COMMANDS else ""


def _complain(message: str) -> None:
    print(f"jurybox: {message}", file=sys.stderr)


@contextmanager
def _plain_warnings() -> Iterator[None]:
    """Show our own warnings as one line each, every one of them, without Python's decoration."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", JuryboxWarning)
        python_way = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
            if issubclass(category, JuryboxWarning):
                print(f"jurybox: warning: {message}", file=sys.stderr)
            else:
                python_way(message, category, *place, **more)

        warnings.showwarning = show
        yield
