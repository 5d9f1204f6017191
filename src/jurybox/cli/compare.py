"""`jurybox compare`."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from jurybox.cli._certainty_options import add_resampling, resampling_arguments
from jurybox.cli._metric_options import add_matching, matching_arguments
from jurybox.cli._options import add_output, as_inputs, check_output, deliver
from jurybox.cli._progress import progress_line

GATE_CLOSED = 3

USAGE = "jurybox compare HYP HYP [HYP ...] --gold FILE [FILE ...] [options]"

HELP = """\
Compare systems on the same sentences: is the difference more than chance?

Paired bootstrap and approximate randomisation, the difference with its interval, p-values
(Holm-corrected for more than two systems), the smallest difference this test set could show,
and the sentences that decide.

examples:
  jurybox compare sample/cautious.txt sample/bold.txt --gold sample/A*.m2
  jurybox compare old.txt new.txt --gold conll14.m2
  jurybox compare A.txt B.txt C.txt --gold conll14.m2 --all-pairs --format markdown
  jurybox compare counts.json --ci-unit document
  jurybox compare released.txt candidate.txt --gold test.m2 --fail-if-worse"""


def configure(parser: ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument(
        "hypotheses",
        nargs="+",
        metavar="HYP",
        help="two or more systems' output, or files written with score --save-counts",
    )
    parser.add_argument(
        "--baseline",
        metavar="NAME",
        help="the system the others are compared with (default: the first)",
    )
    parser.add_argument(
        "--all-pairs",
        action="store_true",
        help="compare each with each instead of all with the first",
    )
    parser.add_argument(
        "--top",
        type=int,
        default=5,
        metavar="N",
        help="how many deciding sentences to show on each side (default: 5)",
    )
    parser.add_argument(
        "--fail-if-worse",
        action="store_true",
        help="exit with code 3 if a system is significantly worse than what it is compared with",
    )
    parser.add_argument(
        "--alpha",
        type=float,
        default=0.05,
        metavar="A",
        help="level of significance for --fail-if-worse and the verdict (default: 0.05)",
    )
    add_matching(parser)
    add_resampling(parser)
    add_output(parser)
    parser.set_defaults(defaults=parser.parse_args(["-"]))


def run(options: Namespace) -> int:
    """Compare, print, and close the gate if asked to."""
    from jurybox.api.compare import compare

    check_output(options)
    matching = matching_arguments(options, options.defaults)
    with progress_line("matching") as progress:
        result = compare(
            as_inputs(options.hypotheses),
            options.gold,
            baseline=options.baseline,
            all_pairs=options.all_pairs,
            alpha=options.alpha,
            top=options.top,
            progress=progress,
            **resampling_arguments(options),
            **matching,
        )
    deliver(result, options)
    worse = result.worse() if options.fail_if_worse else []
    for pair in worse:
        print(
            f"jurybox: {pair.second} is worse than {pair.first} by {-pair.difference:.4f} "
            f"(p = {pair.p_randomisation_holm:.4f})",
            file=sys.stderr,
        )
    return GATE_CLOSED if worse else 0
