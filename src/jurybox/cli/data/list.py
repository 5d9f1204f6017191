"""`jurybox data list`."""

from __future__ import annotations

from typing import Annotated

from jurybox.cli.output import Output, check_files, show
from jurybox.options import Opt

USAGE = "jurybox data list [NAME ...] [options]"

HELP = """\
The public test sets that jurybox knows: what they hold, licence, citation, address, checksums.

Nothing of them comes with jurybox; jurybox data get loads them from their owners.

examples:
  jurybox data list
  jurybox data list bea19-dev
  jurybox data list --format json"""


class Call(Output):
    """The options of the task."""

    names: Annotated[
        tuple[str, ...], Opt("sets; without any all of them", "NAME", positional=True, many=True)
    ] = ()


def run(call: Call) -> None:
    """Look up, and print."""
    from jurybox.data import list_data

    check_files(call, [])
    show(list_data(*call.names), call)
