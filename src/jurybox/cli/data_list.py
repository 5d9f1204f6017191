"""`jurybox data list`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from jurybox.cli._options import add_output, check_output, show

USAGE = "jurybox data list [NAME ...] [options]"

HELP = """\
The public test sets that jurybox knows: what they hold, licence, citation, address, checksums.

Nothing of them comes with jurybox; jurybox data get loads them from their owners.

examples:
  jurybox data list
  jurybox data list bea19-dev
  jurybox data list --format json"""


def configure(parser: ArgumentParser) -> None:
    """The options of the task."""
    parser.add_argument("names", nargs="*", metavar="NAME", help="sets; without any all of them")
    add_output(parser)


def run(options: Namespace) -> None:
    """Look up, and print."""
    from jurybox.api.data_sets import list_data

    options.files_read = []
    check_output(options)
    show(list_data(*options.names), options)
