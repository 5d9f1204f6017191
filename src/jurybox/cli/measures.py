"""`jurybox measures`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from jurybox.cli._options import add_beta, add_output, check_output, deliver

USAGE = "jurybox measures --tp N --fp N --fn N [--tn N] [options]"

HELP = """\
Give every measure for counts out of someone's paper.

Counts may be whole numbers, weighted counts or shares. Without --tn the measures that need true
negatives are left undefined.

examples:
  jurybox measures --tp 12 --fp 18 --fn 28 --tn 42
  jurybox measures --tp 772 --fp 1172 --fn 1793 --format json"""


def configure(parser: ArgumentParser) -> None:
    """The options of the command."""
    for flag, text in (
        ("--tp", "true positives: errors that were found"),
        ("--fp", "false positives: false alarms"),
        ("--fn", "false negatives: misses"),
    ):
        parser.add_argument(flag, type=float, required=True, metavar="N", help=text)
    parser.add_argument(
        "--tn", type=float, metavar="N", help="true negatives: places rightly left alone"
    )
    add_beta(parser)
    add_output(parser)


def run(options: Namespace) -> None:
    """Measure and print."""
    from jurybox.api.measure import measure

    check_output(options)
    result = measure(options.tp, options.fp, options.fn, options.tn, beta=options.beta)
    deliver(result, options)
