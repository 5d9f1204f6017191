"""`jurybox data get`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from jurybox.cli._options import FORMS, add_form, check_form, show
from jurybox.cli._progress import progress_line

USAGE = "jurybox data get NAME [-o FOLDER] [--from COPY] [options]"

HELP = """\
Load a public test set from its owners, or take a copy that you have, and check every byte.

All of its files appear in the folder, or none. A file that is not what it should be is refused.
Where the network does not allow loading, load the archive elsewhere and name it with --from.

examples:
  jurybox data get conll14
  jurybox data get conll14-10 -o annotators
  jurybox data get bea19-dev --from wi+locness_v2.1.bea19.tar.gz
  jurybox data get jfleg-dev --from jfleg/dev"""


def configure(parser: ArgumentParser) -> None:
    """The options of the task."""
    parser.add_argument("name", metavar="NAME", help="the set; jurybox data list tells which")
    parser.add_argument(
        "--from",
        dest="copy",
        metavar="COPY",
        help="a file, an archive or a folder that holds it already; nothing is loaded then",
    )
    group = parser.add_argument_group("output")
    group.add_argument(
        "-o",
        "--output",
        metavar="FOLDER",
        help="the folder of the files (default: one that is called like the set)",
    )
    add_form(group, FORMS, "form of the summary: text, json, csv, markdown or latex")


def run(options: Namespace) -> None:
    """Load or copy, check, and print what is there now."""
    from jurybox.api.data_sets import get_data

    check_form(options)
    with progress_line("loading") as line:
        result = get_data(options.name, options.output, copy=options.copy, watch=line)
    show(result, Namespace(format=options.format, output="-"))
