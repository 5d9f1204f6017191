"""`jurybox measures`."""

from __future__ import annotations

from jurybox.cli.output import Output, check_files, deliver
from jurybox.measures import MeasuredCounts, measure

USAGE = "jurybox measures --tp N --fp N --fn N [--tn N] [options]"

HELP = """\
Give every measure for counts out of someone's paper.

Counts may be whole numbers, weighted counts or shares. Without --tn the measures that need true
negatives are left undefined. With it there is a contingency table, with prevalence, bias and how
kappa follows (Chodorow et al. 2012, Figures 5 to 10).

examples:
  jurybox measures --tp 12 --fp 18 --fn 28 --tn 42
  jurybox measures --tp 772 --fp 1172 --fn 1793 --format json"""


class Call(MeasuredCounts, Output): ...


def run(call: Call) -> None:
    check_files(call, [])
    deliver(measure.of(call), call)
