"""`jurybox cost`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from jurybox.cli._judgment_options import (
    add_judgments,
    add_reading,
    check_judgments,
    reading_arguments,
)
from jurybox.cli._options import add_output, deliver
from jurybox.cli._progress import progress_line, watched

USAGE = "jurybox cost JUDGMENTS [...] [options]"

HELP = """\
What judgments cost in money and time, and what more of them would cost.

Pay and times are taken from the export of a marketplace; --pay is for files that do not tell.

examples:
  jurybox cost sample/judgments.csv --pay 0.05
  jurybox cost batch.csv --fee 20% --min-fee 0.01
  jurybox cost judgments.csv --pay '$0.02' --fee 10% --min-fee '$0.005' --more 1000
  jurybox cost judgments.csv --pay '0.05 EUR' --by-batch"""


def configure(parser: ArgumentParser) -> None:
    """The options of the command."""
    add_judgments(parser)
    group = parser.add_argument_group("money")
    group.add_argument(
        "--pay",
        metavar="AMOUNT",
        help="what one judgment was paid, as $0.02 or '0.02 EUR' (default: the rewards in the "
        "files)",
    )
    group.add_argument(
        "--fee",
        default="0",
        metavar="SHARE",
        help="what the marketplace takes on top, as a share of the pay: 20%% or 0.2 (default: 0)",
    )
    group.add_argument(
        "--min-fee",
        default="0",
        metavar="AMOUNT",
        help="the least it takes for a judgment (default: 0)",
    )
    group.add_argument(
        "--currency",
        metavar="SIGN",
        help="how money is shown, as $ or EUR (default: as it is written)",
    )
    group.add_argument(
        "--more", type=int, metavar="N", help="also what N more judgments would cost"
    )
    group.add_argument("--by-batch", action="store_true", help="a row for every batch")
    add_reading(parser, names=False)
    add_output(parser)


def run(options: Namespace) -> None:
    """Add up and print."""
    check_judgments(options)
    from jurybox.api.cost import cost

    with progress_line("reading") as progress:
        result = cost(
            watched(options.judgments, progress),
            pay=options.pay,
            fee=options.fee,
            min_fee=options.min_fee,
            currency=options.currency,
            more=options.more,
            by_batch=options.by_batch,
            progress=progress,
            **reading_arguments(options),
        )
    deliver(result, options)
