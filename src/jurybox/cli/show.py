"""`jurybox show`."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

from jurybox.cli.output import Output, check_files, deliver, panel_files
from jurybox.formats import writing
from jurybox.shared_options import split_documents
from jurybox.show import Show, show

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


class Call(Show, Output): ...


def run(call: Call) -> None:
    from jurybox.show.result import WIDTH

    call = split_documents(call)
    check_files(call, panel_files(call))
    result = show.of(call)
    if call.format != "text":
        deliver(result, call)
        return
    width, colours = WIDTH, False
    if call.output == "-" and sys.stdout is not None and sys.stdout.isatty():
        # what goes to a file does not depend on the window
        with suppress(OSError, ValueError):
            width = os.get_terminal_size(sys.stdout.fileno()).columns
        # whether a terminal may be sent colours (no-color.org)
        colours = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    with writing(call.output) as out:
        out.write(f"{result.to_text(width=width, colour=colours)}\n")
