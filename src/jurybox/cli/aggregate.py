"""`jurybox aggregate`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from jurybox.cli._certainty_options import add_seed
from jurybox.cli._judgment_options import (
    add_gold,
    add_judgments,
    add_reading,
    check_judgments,
    gold_arguments,
    reading_arguments,
)
from jurybox.cli._options import OneOf, add_output, deliver
from jurybox.cli._progress import progress_line, watched

USAGE = "jurybox aggregate JUDGMENTS [...] [options]"

HELP = """\
One label per case out of many judgments, and how sure it is.

examples:
  jurybox aggregate sample/judgments.csv
  jurybox aggregate judgments.csv --method dawid-skene --format csv -o labels.csv
  jurybox aggregate judgments.csv --ties ok
  jurybox aggregate batch.csv --map label=Answer.Q1 --method gold-weighted --gold known.csv"""

METHODS = ("majority", "gold-weighted", "dawid-skene", "glad", "mace", "one-coin-dawid-skene")


def configure(parser: ArgumentParser) -> None:
    """The options of the command."""
    add_judgments(parser)
    group = parser.add_argument_group("labels")
    group.add_argument(
        "--method",
        default="majority",
        metavar="METHOD",
        type=OneOf(*METHODS),
        help="majority, gold-weighted (votes by accuracy on known answers), dawid-skene (raters' "
        "habits estimated along), or, with crowd-kit, glad, mace, one-coin-dawid-skene "
        "(default: majority)",
    )
    group.add_argument(
        "--ties",
        default="random",
        metavar="RULE",
        help="who gets as many votes: random, drop (no label), first (of the labels in order), or "
        "a label that every tied case gets (default: random)",
    )
    group.add_argument(
        "--smoothing",
        type=float,
        default=0.0,
        metavar="N",
        help="dawid-skene: add N to every count of a rater's habits (default: 0.0)",
    )
    add_seed(group, "gives the same labels")
    add_gold(add_reading(parser))
    add_output(parser)


def run(options: Namespace) -> None:
    """Label and print."""
    check_judgments(options)
    gold = gold_arguments(options)
    from jurybox.api.aggregate import aggregate

    with progress_line("reading") as progress:
        result = aggregate(
            watched(options.judgments, progress),
            method=options.method,
            ties=options.ties,
            smoothing=options.smoothing,
            seed=options.seed,
            **gold,
            progress=progress,
            **reading_arguments(options),
        )
    deliver(result, options)
