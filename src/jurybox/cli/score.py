"""`jurybox score`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Any

from jurybox.cli._certainty_options import (
    RESAMPLING,
    add_resampling,
    refuse_without_intervals,
    resampling_arguments,
)
from jurybox.cli._metric_options import add_matching, matching_arguments
from jurybox.cli._options import OneOf, add_output, as_inputs, check_output, deliver
from jurybox.cli._progress import progress_line
from jurybox.errors import UsageError
from jurybox.formats import counts

USAGE = "jurybox score HYP [HYP ...] --gold FILE [FILE ...] [options]"

HELP = """\
Score systems against a panel or references: the official numbers, at once.

examples:
  jurybox score sample/bold.txt --gold sample/A*.m2
  jurybox score sample/cautious.txt sample/bold.txt --gold sample/A*.m2 --ci
  jurybox score output.txt --gold conll14.m2
  jurybox score A.txt B.txt --gold A1.m2 A2.m2 A3.m2 --ci --by type
  jurybox score system.m2 --gold reference.m2 --metric errant --level span
  jurybox score output.txt --source src.txt --refs ref0.txt ref1.txt --metric gleu
  jurybox score old.txt new.txt --gold conll14.m2 --save-counts counts.json"""


def configure(parser: ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument(
        "hypotheses",
        nargs="+",
        metavar="HYP",
        help="a system's corrected sentences, one per line (or M2, SGML, JSONL); - is standard "
        "input; a file written with --save-counts is scored again without matching",
    )
    parser.add_argument(
        "--by", metavar="WHAT", type=OneOf("type"), help="type: one row per error type as well"
    )
    parser.add_argument(
        "--graded",
        action="store_true",
        help="also weigh every edit by the share of annotators who made it (m2)",
    )
    parser.add_argument(
        "-v",
        "--verbose",
        action="store_true",
        help="show every sentence: edits found, gold of the chosen annotator, what matched",
    )
    parser.add_argument(
        "--save-counts",
        metavar="FILE",
        help="keep the counts per sentence and annotator, for compare",
    )
    add_matching(parser)
    add_resampling(parser, ci="bootstrap intervals for every score")
    add_output(parser)
    parser.set_defaults(defaults=parser.parse_args(["-"]))


def refuse_with_counts(options: Namespace, matching: dict[str, Any]) -> None:
    """Saved counts are what they are: options that would need matching again are refused."""
    given = [f"--{name.replace('_', '-')}" for name in matching]
    given += [f"--{name}" for name in ("gold", "by", "graded", "verbose") if getattr(options, name)]
    if given:
        raise UsageError(
            f"saved counts are scored as they were made: leave out {', '.join(given)}, or give "
            "the hypotheses themselves"
        )


def run(options: Namespace) -> None:
    """Score and print."""
    check_output(options, options.save_counts)
    matching = matching_arguments(options, options.defaults)
    certainty = {"ci": options.ci, **resampling_arguments(options)}
    if not options.ci:
        refuse_without_intervals(options, options.defaults, RESAMPLING)
    files = as_inputs(options.hypotheses)
    if any(counts.is_counts(file) for file in files):
        from jurybox.api.saved import score_counts

        refuse_with_counts(options, matching)
        result = score_counts(files, **certainty)
    else:
        from jurybox.api.score import score

        with progress_line("matching") as progress:
            result = score(
                files,
                options.gold,
                by=options.by,
                graded=options.graded,
                details=options.verbose,
                progress=progress,
                **certainty,
                **matching,
            )
    details = [f"{s.name}\n\n" + "\n\n".join(map(str, s.details)) for s in result.systems]

    def save() -> None:
        from jurybox.api.saved import save_counts

        save_counts(result, options.save_counts)

    deliver(
        result,
        options,
        save=save if options.save_counts is not None else None,
        extra="\n\n".join(details) if options.verbose else "",
    )
