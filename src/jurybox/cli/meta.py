"""`jurybox meta`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from jurybox.cli._certainty_options import add_resampling, resampling_arguments
from jurybox.cli._options import add_files, add_output, as_inputs, check_output, deliver

USAGE = "jurybox meta SCORES [SCORES ...] --human FILE [FILE ...] [options]"

HELP = """\
Which metric orders systems as people do? Pearson, Spearman, Kendall and pairwise accuracy, with
intervals and tests.

People's side is rankings of systems' outputs, sentence by sentence, or a score for each system.
Rankings become expected wins: how likely a system is to win against another one.

examples:
  jurybox meta sample/scores.csv --human sample/rankings.csv
  jurybox meta scores.csv --human judgments.xml
  jurybox meta m2.json gleu.json --human judgments.xml --metrics m2:f0.5 m2:recall gleu
  jurybox meta m2.json --human people.csv --without INPUT
  jurybox meta sentence-scores.csv --human judgments_sent.xml"""


def configure(parser: ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument(
        "scores",
        nargs="+",
        metavar="SCORES",
        help="tables with system,metric,score (and sentence, for scores of sentences), or what "
        "jurybox score --format json wrote",
    )
    group = parser.add_argument_group("people")
    group.add_argument(
        "--human",
        nargs="+",
        action="extend",
        required=True,
        metavar="FILE",
        help="rankings: tables with sentence,judge,system,rank or XML of Appraise; or a table "
        "with system,score",
    )
    add_files(group, "--without-judges", "leave out the rankings of these judges", metavar="JUDGE")
    group = parser.add_argument_group("what to compare")
    add_files(
        group,
        "--metrics",
        "look at these metrics only; precision and recall of a result are looked at if named, as "
        "m2:recall",
        metavar="METRIC",
    )
    add_files(group, "--without", "leave out these systems", metavar="SYSTEM")
    add_files(group, "--lower-is-better", "metrics whose lower scores are better", metavar="METRIC")
    certainty = add_resampling(parser, units=("sentence", "system"))
    certainty.add_argument(
        "--orders",
        type=int,
        default=10_000,
        metavar="N",
        help="random orders of systems behind a p-value, where there are more than seven systems "
        "(default: 10000)",
    )
    add_output(parser)


def run(options: Namespace) -> None:
    """Compare and print."""
    options.files_read = [*options.scores, *options.human]
    check_output(options)
    from jurybox.api.meta import meta

    files = as_inputs(options.files_read)
    result = meta(
        files[: len(options.scores)],
        files[len(options.scores) :],
        metrics=options.metrics or (),
        without=options.without or (),
        without_judges=options.without_judges or (),
        lower_is_better=options.lower_is_better or (),
        orders=options.orders,
        **resampling_arguments(options),
    )
    deliver(result, options)
