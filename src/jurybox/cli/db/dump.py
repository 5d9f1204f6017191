"""`jurybox db dump`."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from jurybox.cli._progress import progress_line
from jurybox.cli.stored import DATABASE, add_database, check_there
from jurybox.formats import writing
from jurybox.formats._io import is_pipe

USAGE = "jurybox db dump -o FILE [--db URL]"

HELP = """\
Write a whole database into one file: projects, cases, judgments, raters, users.

The file holds what was true at one moment; the server may run, and raters may judge, meanwhile. It
is read again before it takes its place. It has to be kept private, for it holds the names that
raters gave, passwords (hashed), and the key that signs links and sessions. Only its owner may read
it. Encrypt it where it leaves the machine.

examples:
  jurybox db dump -o backup.jsonl.gz
  jurybox db dump --db study.db -o backup.jsonl.gz
  jurybox db dump --db postgresql://jurybox@localhost/study -o backup.jsonl.gz"""

WARNING = (
    "Keep it private: names of raters, passwords (hashed) and the key of all sessions are in it."
)


def configure(parser: ArgumentParser) -> None:
    """The options of the task."""
    add_database(parser)
    parser.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="FILE",
        help="where to; gzipped if it ends in .gz, - is standard output",
    )


def run(options: Namespace) -> None:
    """Write the file, and say what is in it."""
    from jurybox.serve.store.database import connect, named_errors  # says what to install
    from jurybox.serve.store.dumps import dump_to_file, write_dump

    url = options.db or DATABASE
    check_there(url)
    to_pipe = options.output == "-" or is_pipe(options.output)
    database = connect(url)
    try:
        with progress_line("dumping") as line:
            if to_pipe:
                with writing(options.output) as out, named_errors(database.name):
                    contents = write_dump(database, out, line)
            else:
                contents = dump_to_file(database, options.output, line)
    finally:
        database.close()
    told = sys.stderr if to_pipe else sys.stdout
    print(f"{options.output}: {contents.summary()}", WARNING, sep="\n", file=told)
