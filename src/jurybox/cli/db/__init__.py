"""`jurybox db`: tasks with options of their own, each in its own file."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from jurybox.cli.flags import OneOf
from jurybox.errors import UsageError

USAGE = "jurybox db TASK [--db URL] [options]"

HELP = """\
Back up and restore the database of the annotation server, or move it elsewhere; forget raters.

A dump is one file for both kinds of databases: what was dumped from SQLite can be loaded into
PostgreSQL, and the other way round. The server may run meanwhile.

tasks:
  dump    a database to a file
  load    a file to a new database
  verify  is a file whole, and as it was written?
  forget  a rater who asks for it

examples:
  jurybox db dump -o backup.jsonl.gz
  jurybox db verify backup.jsonl.gz
  jurybox db load backup.jsonl.gz --db restored.db

jurybox db TASK --help tells more."""

#: task -> what it does; each is a module jurybox.cli.db.<task>
TASKS = {
    "dump": "a database to a file",
    "load": "a file to a new database",
    "verify": "is a file whole, and as it was written?",
    "forget": "a rater who asks for it",
}


def configure(parser: ArgumentParser) -> None:
    """Only the task: its options are those of its own module."""
    parser.add_argument("task", metavar="TASK", type=OneOf(*TASKS), help=", ".join(TASKS))


def run(options: Namespace) -> None:
    """Not reached: a task that exists is run by its own module, another one is refused before."""
    raise UsageError(f"jurybox db cannot '{options.task}'; one of: {', '.join(TASKS)}")
