"""`jurybox db verify`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from jurybox.cli._progress import progress_line
from jurybox.formats import Input

USAGE = "jurybox db verify FILE"

HELP = """\
Read a dump to its end: is it whole, and as it was written?

Every row is compared with the checksums at the end of the file. No database is needed. What is
wrong is named with its line, and the exit code is 1.

examples:
  jurybox db verify backup.jsonl.gz"""


def configure(parser: ArgumentParser) -> None:
    """The options of the task."""
    parser.add_argument("file", metavar="FILE", help="what jurybox db dump wrote")


def run(options: Namespace) -> None:
    """Read it, and say what is in it."""
    from jurybox.serve.store.dumps import check_dump  # says what to install, if need be

    with progress_line("checking") as line:
        contents = check_dump(Input(options.file), line)
    print(f"{options.file}: as it was written: {contents.summary()}")
