"""`jurybox ceiling`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from jurybox.cli._options import (
    add_figure,
    add_metric,
    add_output,
    add_panel,
    add_resampling,
    add_systems,
    check_form,
    check_targets,
    metric_arguments,
    panel_arguments,
    progress_line,
    resampling_arguments,
    show,
    system_arguments,
)
from jurybox.errors import UsageError

USAGE = "jurybox ceiling --gold A1.m2 A2.m2 [...] [--system NAME=FILE ...] [options]"

HELP = """\
How far is a system from a person? Score people against people, and systems beside them.

A bare F0.5 says little where people reach 0.46 against one other person and 0.73 against nine.
Each annotator's text is scored against the other annotators, a system against the same number of
them; the ratio is how near the system comes (Bryant and Ng 2015).

examples:
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
        "--by", metavar="WHAT", help="type: people against people on one error type at a time"
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
    parser.add_argument(
        "--ci",
        action="store_true",
        help="bootstrap intervals over sentences or documents (see --ci-unit)",
    )
    add_panel(parser)
    add_systems(parser)
    add_metric(parser, jobs=None)
    add_resampling(parser)
    add_output(parser)
    add_figure(parser, "draw scores (with --by type: types) against the number of annotators")
    parser.set_defaults(defaults=parser.parse_args([]))


def _check_certainty(options: Namespace) -> None:
    """Options that would do nothing are a mistake worth naming."""
    idle = [] if options.ci else ["resamples", "ci_unit"]
    idle += [] if options.ci or options.extrapolate is not None else ["ci_level"]
    given = [name for name in idle if getattr(options, name) != getattr(options.defaults, name)]
    if given:
        listed = ", ".join(f"--{name.replace('_', '-')}" for name in given)
        raise UsageError(f"{listed}: only with --ci, which makes intervals")


def run(options: Namespace) -> None:
    """Score people and systems, print, draw."""
    from jurybox.api.ceiling import ceiling
    from jurybox.report.figures import check_figure_path, save_figure

    check_form(options)
    _check_certainty(options)
    figures = options.figure or []
    check_targets(options, options.output, *figures)
    for path in figures:
        check_figure_path(path)
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
    for path in figures:
        save_figure(result.figure(), path)
    show(result, options)
