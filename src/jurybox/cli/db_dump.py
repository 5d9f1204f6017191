"""`jurybox db dump`."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from jurybox.cli._progress import progress_line
from jurybox.cli._serve_options import DATABASE, add_database, check_there

USAGE = "jurybox db dump FILE [--db URL]"

HELP = """\
Write a whole database into one file: projects, cases, judgments, raters, users.

The file holds what was true at one moment; the server may run, and raters may judge, meanwhile. It
is read again before it takes its place. It has to be kept private, for it holds the names that
raters gave, passwords (hashed), and the key that signs links and sessions. Only its owner may read
it. Encrypt it where it leaves the machine; - is standard output.

examples:
  jurybox db dump backup.jsonl.gz
  jurybox db dump backup.jsonl.gz --db study.db
  jurybox db dump backup.jsonl.gz --db postgresql://jurybox@localhost/study"""

WARNING = (
    "Keep it private: names of raters, passwords (hashed) and the key of all sessions are in it."
)


def configure(parser: ArgumentParser) -> None:
    """The options of the task."""
    parser.add_argument(
        "file", metavar="FILE", help="where to; gzipped if it ends in .gz, - is standard output"
    )
    add_database(parser)


def run(options: Namespace) -> None:
    """Write the file, and say what is in it."""
    from jurybox.formats import writing
    from jurybox.serve.store.database import (
        connect,
        named_errors,
    )  # says what to install, if need be
    from jurybox.serve.store.dump import count_rows, write_dump
    from jurybox.serve.store.loading import dump_to_file

    url = options.db or DATABASE
    check_there(url)
    database = connect(url)
    to_pipe = options.file == "-"
    try:
        with progress_line("dumping") as line, named_errors(database.name):
            if line:
                line.expect(count_rows(database), "rows")
            if to_pipe:
                with writing("-") as out:
                    contents = write_dump(database, out, line)
            else:
                contents = dump_to_file(database, options.file, line)
    finally:
        database.close()
    print(
        f"{options.file}: {contents.summary()}",
        WARNING,
        sep="\n",
        file=sys.stderr if to_pipe else sys.stdout,
    )
