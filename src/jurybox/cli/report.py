"""`jurybox report`."""

from __future__ import annotations

import sys
from typing import Annotated

from jurybox.cli._progress import progress_line
from jurybox.cli.output import check_files, panel_files, words
from jurybox.errors import UsageError
from jurybox.options import Opt, Options
from jurybox.report import MakeReport, make_report
from jurybox.shared_options import PanelJobs, split_documents

USAGE = "jurybox report [RESULT.json ...] [--gold A1.m2 ... --system NAME=FILE ...] [-o FILE]"

HELP = """\
One HTML page to show around: headline numbers, tables, figures, every sentence.

Give it results that other commands wrote with --format json, or the inputs themselves: then
everything is worked out. With --gold the page has a browser of all sentences. The page is a single
file that asks the network for nothing.

examples:
  jurybox report --gold sample/A*.m2 --system bold=sample/bold.txt cautious=sample/cautious.txt
  jurybox report --cases cases.jsonl --judgments crowd.csv --detector mine=decisions.csv
  jurybox report score.json ceiling.json -o results.html
  jurybox report score.json --gold A*.m2 --system mine=output.txt --title "Release 2"
"""


class PageOutput(Options, group="page"):
    """Where the page goes."""

    output: Annotated[str, Opt("where the page goes", "FILE", short="-o")] = "report.html"


class Call(MakeReport, PageOutput):
    jobs: PanelJobs = None

    def check(self) -> None:
        super().check()
        if self.systems and not self.gold:
            raise UsageError("--system needs a panel to be held against: name it with --gold")


def run(call: Call) -> None:
    call = split_documents(call)
    judged = [call.cases, *words(call.judgments), *(call.decisions or {}).values()]
    check_files(call, [*words(call.results), *panel_files(call), *judged])
    with progress_line("making the report") as progress:
        made = make_report.of(call.replace(progress=progress))
    made.save(call.output)
    summary = sys.stderr if call.output == "-" else sys.stdout
    print("\n".join(made.summary()), file=summary)
    if call.output != "-":
        print(f"\nwritten to {call.output}: open it in a browser")
