"""`jurybox data`: public test sets."""

from __future__ import annotations

from typing import Annotated

from jurybox.cli._app import Command
from jurybox.cli._progress import progress_line
from jurybox.cli.output import Output, SummaryForm, check_files, show
from jurybox.options import Opt, Options

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


class ListedSets(Output):
    names: Annotated[
        tuple[str, ...], Opt("sets; without any all of them", "NAME", positional=True, many=True)
    ] = ()


def list_sets(call: ListedSets) -> None:
    from jurybox.data import list_data

    check_files(call, [])
    show(list_data(*call.names), call)


class SetFolder(Options, group="output"):
    output: Annotated[
        str | None,
        Opt(
            "the folder of the files",
            "FOLDER",
            short="-o",
            default="one that is called like the set",
        ),
    ] = None


class WantedSet(SetFolder, SummaryForm):
    name: Annotated[str, Opt("the set; jurybox data list tells which", "NAME", positional=True)]
    copy: Annotated[
        str | None,
        Opt(
            "a file, an archive or a folder that holds it already; nothing is loaded then",
            "COPY",
            flag="--from",
        ),
    ] = None


def get_set(call: WantedSet) -> None:
    from jurybox.data import get_data

    with progress_line("loading") as line:
        result = get_data(call.name, call.output, copy=call.copy, watch=line)
    show(result, Output(format=call.format))


TASKS = {
    "list": Command(
        "jurybox data list [NAME ...] [options]",
        """\
The public test sets that jurybox knows: what they hold, licence, citation, address, checksums.

Nothing of them comes with jurybox; jurybox data get loads them from their owners.

examples:
  jurybox data list
  jurybox data list bea19-dev
  jurybox data list --format json""",
        ListedSets,
        list_sets,
    ),
    "get": Command(
        "jurybox data get NAME [-o FOLDER] [--from COPY] [options]",
        """\
Load a public test set from its owners, or take a copy that you have, and check every byte.

All of its files appear in the folder, or none. A file that is not what it should be is refused.
Where the network does not allow loading, load the archive elsewhere and name it with --from.

examples:
  jurybox data get conll14
  jurybox data get conll14-10 -o annotators
  jurybox data get bea19-dev --from wi+locness_v2.1.bea19.tar.gz
  jurybox data get jfleg-dev --from jfleg/dev""",
        WantedSet,
        get_set,
    ),
}
