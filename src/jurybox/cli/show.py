"""`jurybox show`."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace

from jurybox.cli._options import add_output, check_output, deliver
from jurybox.cli._panel_options import add_panel, add_systems, panel_arguments, system_arguments
from jurybox.formats import writing

USAGE = "jurybox show SENTENCE --gold FILE [FILE ...] [--system NAME=FILE ...] [options]"

HELP = """\
Show one sentence with the corrections of all annotators and systems side by side.

SENTENCE is a number from 1, words that occur in it, or DOCUMENT:NUMBER where documents are known.
Changed words stand in [brackets] (in a terminal: in colour), [] is where something was deleted.

examples:
  jurybox show 4 --gold sample/A*.m2 --system bold=sample/bold.txt
  jurybox show 4 --gold A1.m2 A2.m2 A3.m2
  jurybox show in the nutshell , I --gold A1.m2 A2.m2 --system CAMB=camb.txt AMU=amu.txt
  jurybox show 25:7 --gold A1.m2 A2.m2 --documents essays.sgml
  jurybox show 4 --gold gold.m2 --format latex -o table.tex"""


def configure(parser: ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument(
        "sentence",
        nargs="+",
        metavar="SENTENCE",
        help="its number, words that occur in it, or DOCUMENT:NUMBER",
    )
    add_panel(parser)
    add_systems(parser)
    add_output(parser)


def run(options: Namespace) -> None:
    """Find the sentence and print it."""
    from jurybox.api.show import show

    check_output(options)
    result = show(
        " ".join(options.sentence),
        systems=system_arguments(options),
        hyp_format=options.hyp_format,
        tokenize=options.tokenize,
        **panel_arguments(options),
    )
    if options.format != "text":
        deliver(result, options)
        return
    terminal = options.output == "-" and sys.stdout is not None and sys.stdout.isatty()
    text = result.to_text(width=_width(terminal), colour=terminal and _colours())
    with writing(options.output) as out:
        out.write(f"{text}\n")


def _colours() -> bool:
    """Whether a terminal may be sent colours (no-color.org)."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _width(terminal: bool) -> int:
    """Columns of the terminal; what goes to a file does not depend on the window."""
    from jurybox.api.shown import WIDTH

    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns if terminal else WIDTH
    except (OSError, ValueError):
        return WIDTH
