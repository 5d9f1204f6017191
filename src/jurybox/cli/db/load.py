"""`jurybox db load`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from jurybox.cli._progress import progress_line
from jurybox.cli.stored import DATABASE, add_database

USAGE = "jurybox db load FILE [--db URL]"

HELP = """\
Load a dump into a new database: everything in it, or nothing.

The file is checked before the database is touched, and what was loaded is read back and compared.
A dump of an older jurybox is upgraded. Links and sessions work on as before.

examples:
  jurybox db load backup.jsonl.gz --db restored.db
  jurybox db load backup.jsonl.gz --db postgresql://jurybox@localhost/study"""


def configure(parser: ArgumentParser) -> None:
    """The options of the task."""
    parser.add_argument("file", metavar="FILE", help="what jurybox db dump wrote")
    add_database(parser)


def run(options: Namespace) -> None:
    """Load the file, and say what was in it."""
    from jurybox.serve.store.dumps import load_file  # says what to install, if need be

    url = options.db or DATABASE
    with progress_line("loading") as line:
        contents = load_file(options.file, url, line)
    print(f"{options.file}: loaded and compared: {contents.summary()}")
