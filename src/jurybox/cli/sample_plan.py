"""`jurybox sample plan`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from jurybox.cli._certainty_options import add_ci_level
from jurybox.cli._options import add_figure, add_files, add_output, check_output, deliver
from jurybox.cli._progress import progress_line, watched
from jurybox.cli._sample_options import add_decision_reading, decision_reading, read_numbers_of
from jurybox.errors import unknown_name

USAGE = (
    "jurybox sample plan [DECISIONS | --size error=N ok=M] --precision P --error-rate E [options]"
)

HELP = """\
How many cases to judge for a wished certainty or a budget, and what that costs.

Parts are sampled by Neyman allocation, which takes the fewest cases, and by the rule of Tetreault
and Chodorow (2008): two of those called ok for each called an error. Beside them stand the standard
way (every case) and verification (only what is called an error, which says nothing about recall).

examples:
  jurybox sample plan sample/bold.csv --precision .5 --error-rate .3 --recall-within .12
  jurybox sample plan --size error=1000 ok=9000 --precision .8 --error-rate .35 --recall-within .02
  jurybox sample plan decisions.csv --precision .8 --error-rate .1 --budget 200 --pay 0.05
  jurybox sample plan decisions.csv --precision .8 --error-rate .1 --recall-within .05 --per-case 3
  jurybox sample plan d.csv --precision .8 --error-rate .1 --recall-within .05 --figure width.svg"""

#: options that are keyword arguments of the verb by the same name
_SAME = (
    *("precision", "error_rate", "precision_within", "recall_within", "budget", "pay"),
    *("per_hour", "per_case", "ci_level"),
)


def configure(parser: ArgumentParser) -> None:
    """The options of the task."""
    parser.add_argument(
        "decisions",
        nargs="?",
        metavar="DECISIONS",
        help="the system's decisions, to be counted: CSV, TSV or JSONL with case,label",
    )
    add_files(
        parser,
        "--size",
        "how many cases the system calls an error and ok, without a file: error=1000 ok=9000",
        metavar="PART=N",
    )
    group = parser.add_argument_group("expected")
    group.add_argument(
        "--precision",
        type=float,
        required=True,
        metavar="P",
        help="share of errors among the cases called an error, as .8",
    )
    group.add_argument(
        "--error-rate",
        type=float,
        required=True,
        metavar="E",
        help="share of errors among all cases, as .1",
    )
    _add_wishes(parser)
    _add_prices(parser)
    add_decision_reading(parser)
    output = add_output(parser)
    add_figure(output, "draw how wide intervals are against what is spent")


def _add_wishes(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("wished")
    group.add_argument(
        "--precision-within",
        type=float,
        metavar="H",
        help="half-width of the interval of precision, as .03",
    )
    group.add_argument(
        "--recall-within",
        type=float,
        metavar="H",
        help="half-width of the interval of recall, as .05",
    )
    group.add_argument(
        "--budget",
        metavar="AMOUNT",
        help="what may be spent, as $200: without a wish, the best it can buy; needs --pay",
    )
    add_ci_level(group)


def _add_prices(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("prices")
    group.add_argument(
        "--pay",
        metavar="AMOUNT",
        help="what one judgment costs, fees included, as $0.05 or '0.05 EUR'",
    )
    group.add_argument(
        "--per-hour",
        type=float,
        default=125.0,
        metavar="N",
        help="judgments one person makes in an hour (default: 125.0, as in the paper)",
    )
    group.add_argument(
        "--per-case",
        type=int,
        default=1,
        metavar="N",
        help="judgments on each case (default: 1)",
    )


def run(options: Namespace) -> None:
    """Plan and print."""
    from jurybox.api.sample_plan import plan_sample

    options.files_read = [options.decisions] if options.decisions else []
    check_output(options)
    sizes = read_numbers_of("--size", options.size)
    for name in sizes:
        if name not in ("error", "ok"):
            raise unknown_name("part (--size)", name, ("error", "ok"))
    with progress_line("reading") as progress:
        given = watched(options.files_read, progress)
        result = plan_sample(
            given[0] if given else None,
            error=sizes.get("error"),
            ok=sizes.get("ok"),
            **decision_reading(options),
            **{name: getattr(options, name) for name in _SAME},
        )
    deliver(result, options, figure=result.figure)
