"""`jurybox cost`."""

from __future__ import annotations

from jurybox.cli._progress import progress_line
from jurybox.cli.output import Output, check_files, deliver, watched, words
from jurybox.raters.cost import Cost, cost

USAGE = "jurybox cost JUDGMENTS [...] [options]"

HELP = """\
What judgments cost in money and time, and what more of them would cost.

Pay and times are taken from the export of a marketplace; --pay is for files that do not tell.

examples:
  jurybox cost sample/judgments.csv --pay 0.05
  jurybox cost batch.csv --fee 20% --min-fee 0.01
  jurybox cost judgments.csv --pay '$0.02' --fee 10% --min-fee '$0.005' --more 1000
  jurybox cost judgments.csv --pay '0.05 EUR' --by-batch"""


class Call(Cost, Output): ...


def run(call: Call) -> None:
    files = words(call.judgments)
    check_files(call, files)
    with progress_line("reading") as progress:
        read = watched(files, progress)
        result = cost.of(call.replace(judgments=read, progress=progress))
    deliver(result, call)
