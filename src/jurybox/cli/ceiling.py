"""`jurybox ceiling`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from jurybox.cli._certainty_options import (
    add_resampling,
    refuse_without_intervals,
    resampling_arguments,
)
from jurybox.cli._metric_options import add_metric, metric_arguments
from jurybox.cli._options import OneOf, add_figure, add_output, check_output, deliver
from jurybox.cli._panel_options import add_panel, add_systems, panel_arguments, system_arguments
from jurybox.cli._progress import progress_line

USAGE = "jurybox ceiling --gold A1.m2 A2.m2 [...] [--system NAME=FILE ...] [options]"

HELP = """\
How far is a system from a person? Score people against people, and systems beside them.

A bare F0.5 says little where people reach 0.46 against one other person and 0.73 against nine.
Each annotator's text is scored against the other annotators, a system against the same number of
them; the ratio is how near the system comes (Bryant and Ng 2015).

examples:
  jurybox ceiling --gold sample/A*.m2 --system bold=sample/bold.txt
  jurybox ceiling --gold sample/A*.m2 --system bold=sample/bold.txt --sizes all
  jurybox ceiling --gold A1.m2 A2.m2 A3.m2 --system mine=output.txt
  jurybox ceiling --gold A*.m2 --system AMU=amu.txt CAMB=camb.txt --sizes all --figure curve.svg
  jurybox ceiling --gold A*.m2 --system CAMB=camb.txt --pairwise --ci
  jurybox ceiling --gold A*.m2 --sizes all --by type --figure types.pdf
  jurybox ceiling --gold A*.m2 --system mine=out.txt --documents essays.sgml 1-10
  jurybox ceiling --gold A*.m2 --system mine=out.txt --sizes all --extrapolate 20"""


def configure(parser: ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument(
        "--sizes",
        default="loo",
        metavar="WHICH",
        type=OneOf("loo", "all"),
        help="numbers of reference annotators: loo (all but one), all, or a list as 1,3,9 or 1-6 "
        "(default: loo)",
    )
    parser.add_argument(
        "--max-subsets",
        type=int,
        default=500,
        metavar="N",
        help="score every combination of annotators if a size has up to N, and N drawn at random, "
        "with a standard error, if it has more (default: 500)",
    )
    parser.add_argument(
        "--by",
        metavar="WHAT",
        type=OneOf("type"),
        help="type: people against people on one error type at a time",
    )
    parser.add_argument(
        "--pairwise",
        action="store_true",
        help="every system against every annotator alone as well",
    )
    parser.add_argument(
        "--extrapolate",
        type=int,
        metavar="N",
        help="how scores would grow up to N annotators, by a curve fitted on --sizes",
    )
    add_panel(parser)
    add_systems(parser)
    add_metric(parser, jobs=None)
    add_resampling(parser, ci="bootstrap intervals for every score and ratio")
    output = add_output(parser)
    add_figure(output, "draw scores (with --by type: types) against the number of annotators")
    parser.set_defaults(defaults=parser.parse_args([]))


def _check_certainty(options: Namespace) -> None:
    """An extrapolated curve has a level of its own; all else is for --ci."""
    idle = [] if options.ci else ["resamples", "ci_unit"]
    idle += [] if options.ci or options.extrapolate is not None else ["ci_level"]
    refuse_without_intervals(options, options.defaults, idle)


def run(options: Namespace) -> None:
    """Score people and systems, print, draw."""
    from jurybox.api.ceiling import ceiling

    check_output(options)
    _check_certainty(options)
    with progress_line("matching") as progress:
        result = ceiling(
            systems=system_arguments(options) or None,
            sizes=options.sizes,
            max_subsets=options.max_subsets,
            by=options.by,
            pairwise=options.pairwise,
            extrapolate=options.extrapolate,
            ci=options.ci,
            tokenize=options.tokenize,
            hyp_format=options.hyp_format,
            progress=progress,
            **panel_arguments(options),
            **{"jobs": None, **metric_arguments(options, options.defaults)},
            **resampling_arguments(options),
        )
    deliver(result, options, figure=result.figure)
