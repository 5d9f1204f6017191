"""What several tasks of `jurybox detect` share on the command line."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from typing import Annotated

from jurybox.cli.output import FORMS, Output, Printable, show
from jurybox.detect.options import TAGGING
from jurybox.options import Opt, Options


class SummaryForm(Options, group="output"):
    """What the summary looks like, where `-o` is something else."""

    format: Annotated[
        str,
        Opt(
            "form of the summary: text, json, csv, markdown or latex",
            "FORM",
            values=FORMS,
            noun="format",
        ),
    ] = "text"


class NoCache(Options, group=TAGGING):
    """Whether tagged text is forgotten."""

    no_cache: Annotated[bool, Opt("keep no tagged text")] = False


def print_summary(result: Printable, form: str, written: bool) -> None:
    """Print a result; to standard error where something was `written` to standard output."""
    with redirect_stdout(sys.stderr if written else sys.stdout):
        show(result, Output(format=form))
