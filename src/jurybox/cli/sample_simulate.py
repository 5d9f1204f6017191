"""`jurybox sample simulate`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from jurybox.cli._certainty_options import add_ci_level, add_resamples, add_seed
from jurybox.cli._judgment_options import add_with_models
from jurybox.cli._label_options import add_labels, label_arguments
from jurybox.cli._options import (
    add_beta,
    add_figure,
    add_files,
    add_output,
    check_output,
    check_read_once,
    deliver,
)
from jurybox.cli._progress import progress_line
from jurybox.cli._sample_options import add_truth
from jurybox.errors import UsageError

USAGE = "jurybox sample simulate CASES --judgments FILE --system NAME=FILE --error N --ok M"

HELP = """\
Which intervals can be trusted: samples are drawn again and again from cases that are all judged.

The truth is known, so it can be counted how often each interval holds it, and how wide it is. Use
data like yours, and numbers of cases that you can afford.

examples:
  jurybox sample simulate sample/cases.jsonl --judgments sample/judgments.csv \\
    --system bold=sample/bold.csv --error 5 --ok 10 --draws 500
  jurybox sample simulate cases.jsonl --judgments j.csv --system a=a.csv --error 50 --ok 100 400
  jurybox sample simulate cases.csv --judgments j.csv --system a=a.csv --error 50 --ok 50 200 \\
    --figure coverage.svg"""

#: options that are keyword arguments of the verb by the same name
_SAME = (
    *("error", "ok", "draws", "truth", "ties", "with_models"),
    *("beta", "ci_level", "resamples", "seed"),
)


def configure(parser: ArgumentParser) -> None:
    """The options of the task."""
    parser.add_argument("cases", metavar="CASES", help="the cases: CSV, TSV or JSONL with 'case'")
    add_files(parser, "--judgments", "judgments: CSV, TSV or JSONL with case,rater,label")
    add_files(parser, "--system", "a system's decisions, and what to call it", metavar="NAME=FILE")
    group = parser.add_argument_group("drawing")
    for flag, what in (("--error", "what the system flags"), ("--ok", "what it calls ok")):
        group.add_argument(
            flag,
            type=int,
            nargs="+",
            action="extend",
            metavar="N",
            required=True,
            help=f"how many cases are drawn from {what}; several numbers, and all pairs are tried",
        )
    group.add_argument(
        "--draws",
        type=int,
        default=4000,
        metavar="N",
        help="samples drawn in every setting (default: 4000)",
    )
    add_seed(group)
    _add_reading(parser)
    _add_intervals(parser)
    add_figure(add_output(parser), "draw coverage against sample size")


def _add_reading(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("reading")
    add_labels(group)
    add_truth(
        group,
        "majority",
        truth="what is true of a case: the majority of its judges, or the share of them who call "
        "it an error (graded)",
        ties="cases with as many judges for error as for ok",
    )
    add_with_models(group)


def _add_intervals(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("intervals")
    group.add_argument(
        "--as-in-paper",
        action="store_true",
        help="intervals about text of this kind instead of these very cases, as estimate gives "
        "them without --finite",
    )
    add_ci_level(group)
    add_beta(group)
    what = "resamples of the bootstrap for every sample; 0 leaves it out"
    add_resamples(group, what, default=500)


def run(options: Namespace) -> None:
    """Simulate, print, draw."""
    from jurybox.cli._panel_options import system_arguments

    if not options.judgments:
        raise UsageError("the judgments are missing: name their files with --judgments")
    if not options.system:
        raise UsageError("there is no system to sample: name one with --system NAME=DECISIONS")
    systems = system_arguments(options)
    read = [options.cases, *options.judgments, *systems.values()]
    check_read_once(read)
    options.files_read = read
    check_output(options)
    from jurybox.api.sample_simulate import simulate_sample

    with progress_line("drawing") as progress:
        result = simulate_sample(
            options.cases,
            options.judgments,
            systems,
            **label_arguments(options),
            finite=not options.as_in_paper,
            progress=progress,
            **{name: getattr(options, name) for name in _SAME},
        )
    deliver(result, options, figure=result.figure)
