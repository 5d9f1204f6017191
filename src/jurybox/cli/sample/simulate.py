"""`jurybox sample simulate`."""

from __future__ import annotations

from typing import Annotated

from jurybox.cli._progress import progress_line
from jurybox.cli.output import FigureOutput, check_files, deliver, words
from jurybox.errors import UsageError
from jurybox.options import Opt
from jurybox.sample.simulate import SimulateSample, simulate_sample

USAGE = "jurybox sample simulate CASES --judgments FILE --system NAME=FILE --error N --ok M"

HELP = """\
Which intervals can be trusted: samples are drawn again and again from cases that are all judged.

The truth is known, so it can be counted how often each interval holds it, and how wide it is. Use
data like yours, and numbers of cases that you can afford. For intervals about text of this kind the
corpus is drawn anew for every sample; with --about corpus samples are drawn from these very cases.

examples:
  jurybox sample simulate sample/cases.jsonl --judgments sample/judgments.csv \\
    --system bold=sample/bold.csv --error 5 --ok 10 --draws 500
  jurybox sample simulate cases.jsonl --judgments j.csv --system a=a.csv --error 50 --ok 100 400
  jurybox sample simulate cases.csv --judgments j.csv --system a=a.csv --error 50 --ok 50 200 \\
    --figure coverage.svg"""


class Call(SimulateSample, FigureOutput):
    """The options of the task."""

    figure: Annotated[
        tuple[str, ...],
        Opt("draw coverage against sample size, as .svg, .png or .pdf", "FILE", many=True),
    ] = ()


def run(call: Call) -> None:
    """Simulate, print, draw."""
    if not call.judgments:
        raise UsageError("the judgments are missing: name their files with --judgments")
    if not isinstance(call.systems, dict):
        raise UsageError("there is no system to sample: name one with --system NAME=DECISIONS")
    check_files(call, [str(call.cases), *words(call.judgments), *call.systems.values()])
    with progress_line("drawing") as progress:
        result = simulate_sample.of(call.replace(progress=progress))
    deliver(result, call, figure=result.figure)
