"""`jurybox annotators`."""

from __future__ import annotations

from typing import Annotated

from jurybox.annotators import Annotators, annotators
from jurybox.cli._progress import progress_line
from jurybox.cli.output import FigureOutput, check_files, deliver, figure_file, panel_files
from jurybox.errors import UsageError
from jurybox.metrics.options import MetricOptions
from jurybox.shared_options import PanelJobs, split_documents

USAGE = "jurybox annotators --gold FILE [FILE ...] [options]"

HELP = """\
Describe a panel of annotators: who corrected what, and how far people agree.

Edits by annotator and type; everybody's text scored against everybody else's edits; how many
annotators make the same edit, or edit the same place with other boundaries; how many different
texts a sentence gets; whether they agree on which sentences are correct (kappa, alpha).

Read agreement with care. A sentence can often be corrected in several equally good ways, and
agreement statistics see only that people differ: low values are the rule in this field and do not
mean that the annotators are bad (Bryant and Ng 2015). `jurybox ceiling` uses the differences
instead: it shows what a person scores.

examples:
  jurybox annotators --gold sample/A*.m2 --documents sample/documents.txt
  jurybox annotators --gold A1.m2 A2.m2 A3.m2
  jurybox annotators --gold A*.m2 --documents essays.sgml --figure heat.svg
  jurybox annotators --gold A*.m2 --coverage who-saw-what.csv --no-pairwise
  jurybox annotators --gold A*.m2 --metric errant --format json -o annotators.json"""


class Call(Annotators, FigureOutput):
    jobs: PanelJobs = None
    figure: Annotated[
        tuple[str, ...],
        figure_file("draw the matrix of annotators against each other as a heat map"),
    ] = ()

    def check(self) -> None:
        super().check()
        idle = self.flags_given(("figure", "jobs", *MetricOptions.__options__))
        if idle and not self.pairwise:
            raise UsageError(
                f"{', '.join(idle)}: only for scores of annotators against each other, which "
                "--no-pairwise leaves out"
            )


def run(call: Call) -> None:
    call = split_documents(call)
    check_files(call, panel_files(call))
    with progress_line("matching") as progress:
        result = annotators.of(call.replace(progress=progress))
    deliver(result, call, figure=result.figure)
