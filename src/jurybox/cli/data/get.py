"""`jurybox data get`."""

from __future__ import annotations

from typing import Annotated

from jurybox.cli._progress import progress_line
from jurybox.cli.output import FORMS, Output, show
from jurybox.options import Opt, Options

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


class FolderOutput(Options, group="output"):
    """The folder of the files, and the form of the summary."""

    output: Annotated[
        str | None,
        Opt(
            "the folder of the files",
            "FOLDER",
            short="-o",
            default="one that is called like the set",
        ),
    ] = None
    format: Annotated[
        str,
        Opt(
            "form of the summary: text, json, csv, markdown or latex",
            "FORM",
            values=FORMS,
            noun="format",
        ),
    ] = "text"


class Call(FolderOutput):
    """The options of the task."""

    name: Annotated[str, Opt("the set; jurybox data list tells which", "NAME", positional=True)]
    copy: Annotated[
        str | None,
        Opt(
            "a file, an archive or a folder that holds it already; nothing is loaded then",
            "COPY",
            flag="--from",
        ),
    ] = None


def run(call: Call) -> None:
    """Load or copy, check, and print what is there now."""
    from jurybox.data import get_data

    with progress_line("loading") as line:
        result = get_data(call.name, call.output, copy=call.copy, watch=line)
    show(result, Output(format=call.format))
