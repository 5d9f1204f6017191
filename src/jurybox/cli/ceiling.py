"""`jurybox ceiling`."""

from __future__ import annotations

from typing import Annotated

from jurybox.ceiling import Ceiling, ceiling
from jurybox.cli._progress import progress_line
from jurybox.cli.output import (
    FigureOutput,
    check_files,
    deliver,
    figure_file,
    panel_files,
    refuse_idle,
)
from jurybox.options import Opt
from jurybox.shared_options import PanelJobs, split_documents

USAGE = "jurybox ceiling --gold A1.m2 A2.m2 [...] [--system NAME=FILE ...] [options]"

HELP = """\
How far is a system from a person? Score people against people, and systems beside them.

A bare F0.5 says little where people reach 0.46 against one other person and 0.73 against nine.
Each annotator's text is scored against the other annotators, a system against the same number of
them; the ratio is the system's share of human performance (Bryant and Ng 2015). The source text,
left as it is, is scored too.

examples:
  jurybox ceiling --gold sample/A*.m2 --system bold=sample/bold.txt
  jurybox ceiling --gold sample/A*.m2 --system bold=sample/bold.txt --sizes all
  jurybox ceiling --gold A1.m2 A2.m2 A3.m2 --system mine=output.txt
  jurybox ceiling --gold A*.m2 --system AMU=amu.txt CAMB=camb.txt --sizes all --figure curve.svg
  jurybox ceiling --gold A*.m2 --system CAMB=camb.txt --pairwise --ci
  jurybox ceiling --gold A*.m2 --sizes all --by type --figure types.pdf
  jurybox ceiling --gold A*.m2 --system mine=out.txt --documents essays.sgml 1-10
  jurybox ceiling --gold A*.m2 --system mine=out.txt --sizes all --extrapolate 20"""


class Call(Ceiling, FigureOutput):
    ci: Annotated[bool, Opt("bootstrap intervals for every score and ratio")] = False
    jobs: PanelJobs = None
    figure: Annotated[
        tuple[str, ...],
        figure_file("draw scores (with --by type: types) against the number of annotators"),
    ] = ()

    def check(self) -> None:
        super().check()
        if not self.ci:  # an extrapolated curve has a level of its own
            idle = ["resamples", "ci_unit", *(["ci_level"] if self.extrapolate is None else [])]
            refuse_idle(self, idle, "--ci, which makes intervals")


def run(call: Call) -> None:
    call = split_documents(call)
    check_files(call, panel_files(call))
    with progress_line("matching") as progress:
        result = ceiling.of(call.replace(progress=progress))
    deliver(result, call, figure=result.figure)
