"""`jurybox sample plan`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated

from jurybox.cli._progress import progress_line, watched
from jurybox.cli.output import FigureOutput, check_files, deliver
from jurybox.errors import unknown_name
from jurybox.options import Opt
from jurybox.sample.options import numbers_by_name
from jurybox.sample.plan import PlanSample, plan_sample

USAGE = (
    "jurybox sample plan [DECISIONS | --size error=N ok=M] --precision P --error-rate E [options]"
)

HELP = """\
How many cases to judge for a wished certainty or a budget, and what that costs.

Parts are sampled by Neyman allocation, which takes the fewest cases, and by the rule of Tetreault
and Chodorow (2008): two of those called ok for each called an error. Beside them stand the standard
way (every case) and verification (only what is called an error, which says nothing about recall).

examples:
  jurybox sample plan sample/bold.csv --precision .5 --error-rate .3 --recall-within .12 \\
    --about corpus
  jurybox sample plan --size error=1000 ok=9000 --precision .8 --error-rate .35 --recall-within .02
  jurybox sample plan decisions.csv --precision .8 --error-rate .1 --budget 200 --pay 0.05
  jurybox sample plan decisions.csv --precision .8 --error-rate .1 --recall-within .05 --per-case 3
  jurybox sample plan d.csv --precision .8 --error-rate .1 --recall-within .05 --figure width.svg"""

PARTS = ("error", "ok")


class Call(PlanSample, FigureOutput):
    """The options of the task."""

    size: Annotated[
        Mapping[str, int],
        Opt(
            "how many cases the system calls an error and ok, without a file: error=1000 ok=9000",
            "PART=N",
            many=True,
            read=numbers_by_name,
        ),
    ] = MappingProxyType({})
    figure: Annotated[
        tuple[str, ...],
        Opt(
            "draw how wide intervals are against what is spent, as .svg, .png or .pdf",
            "FILE",
            many=True,
        ),
    ] = ()


def run(call: Call) -> None:
    """Plan and print."""
    files = [] if call.decisions is None else [str(call.decisions)]
    check_files(call, files)
    for name in call.size:
        if name not in PARTS:
            raise unknown_name("part (--size)", name, PARTS)
    with progress_line("reading") as progress:
        given = watched(files, progress)
        result = plan_sample.of(call.replace(decisions=given[0] if given else None, **call.size))
    deliver(result, call, figure=result.figure)
