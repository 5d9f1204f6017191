"""`jurybox data`: tasks with options of their own, each in a file beside this one."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from jurybox.cli.flags import OneOf
from jurybox.errors import UsageError

USAGE = "jurybox data list|get [options]"

HELP = """\
The public test sets that people use: where they are, under which licence, how to cite them.

tasks:
  list  what there is, or everything about one set
  get   load one, or take a copy that you have, and check every byte

examples:
  jurybox data list
  jurybox data list conll14
  jurybox data get conll14-10 -o annotators
  jurybox data get bea19-dev --from wi+locness_v2.1.bea19.tar.gz

jurybox data TASK --help tells more."""

#: task -> what it does; each is a module jurybox.cli.data.<task>
TASKS = {
    "list": "what there is, or everything about one set",
    "get": "load one, or take a copy that you have, and check every byte",
}


def configure(parser: ArgumentParser) -> None:
    """Only the task: its options are those of its own module."""
    parser.add_argument("task", metavar="TASK", type=OneOf(*TASKS), help=", ".join(TASKS))


def run(options: Namespace) -> None:
    """Not reached: a task that exists is run by its own module, another one is refused before."""
    raise UsageError(f"jurybox data cannot '{options.task}'; one of: {', '.join(TASKS)}")
