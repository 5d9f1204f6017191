"""`jurybox report`."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from typing import Any

from jurybox.cli._certainty_options import add_resampling
from jurybox.cli._label_options import add_labels, label_arguments
from jurybox.cli._metric_options import add_metric, metric_arguments
from jurybox.cli._options import OneOf, add_files, check_read_once, check_targets, given_arguments
from jurybox.cli._panel_options import (
    add_panel,
    add_systems,
    named_files,
    panel_arguments,
    system_arguments,
)
from jurybox.cli._progress import progress_line
from jurybox.cli.cases import CONSTRUCTIONS
from jurybox.errors import UsageError

USAGE = "jurybox report [RESULT.json ...] [--gold A1.m2 ... --system NAME=FILE ...] [-o FILE]"

HELP = """\
One HTML page to show around: headline numbers, tables, figures, every sentence.

Give it results that other commands wrote with --format json, or the inputs themselves: then
everything is worked out. With --gold the page has a browser of all sentences. The page is a single
file that asks the network for nothing.

examples:
  jurybox report --gold sample/A*.m2 --system bold=sample/bold.txt cautious=sample/cautious.txt
  jurybox report --cases cases.jsonl --judgments crowd.csv --detector mine=decisions.csv
  jurybox report score.json ceiling.json -o results.html
  jurybox report score.json --gold A*.m2 --system mine=output.txt --title "Release 2"
"""


def configure(parser: ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument(
        "results",
        nargs="*",
        metavar="RESULT",
        help="results of other commands, written with --format json",
    )
    add_panel(parser)
    add_systems(parser)
    _add_jury(parser)
    add_metric(parser, jobs=None)
    add_resampling(parser)
    group = parser.add_argument_group("page")
    group.add_argument(
        "-o",
        "--output",
        default="report.html",
        metavar="FILE",
        help="where the page goes (default: report.html)",
    )
    group.add_argument("--title", metavar="TEXT", help="the title of the page")
    parser.set_defaults(defaults=parser.parse_args([]))


def _add_jury(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("detectors before a jury")
    group.add_argument("--cases", metavar="FILE", help="the cases: CSV, TSV or JSONL with 'case'")
    add_files(group, "--judgments", "judgments: CSV, TSV or JSONL with case,rater,label")
    add_files(
        group,
        "--detector",
        "a system's decisions (CSV, TSV or JSONL with case,label), and what to call it",
        metavar="NAME=FILE",
    )
    add_labels(group)
    add_files(
        group,
        "--construction",
        "which cases to make of the panel: token, preposition, article, comma, "
        "missing-preposition, missing-article, missing-comma, type=NAME, or none (default: token)",
        metavar="NAME",
        values=OneOf(*CONSTRUCTIONS, "none"),
    )


def run(options: Namespace) -> None:
    """Make the page, write it, and say in a few lines what it says."""
    from jurybox.api.report import make_report

    panel = _panel_arguments(options)
    wanted = options.construction or ["token"]
    decisions = named_files(options.detector, "--detector")
    judged = [options.cases or "", *(options.judgments or ()), *decisions.values()]
    options.files_read = [*options.results, *(options.gold or ()), *judged]
    check_read_once(options.files_read)
    check_targets(options, options.output)
    with progress_line("making the report") as progress:
        made = make_report(
            options.results,
            systems=system_arguments(options),
            cases=options.cases,
            judgments=options.judgments,
            decisions=decisions,
            construction=None if wanted == ["none"] else wanted,
            **label_arguments(options),
            title=options.title or "",
            progress=progress,
            **panel,
            **{"jobs": None, **metric_arguments(options, options.defaults)},
            **given_arguments(
                ("resamples", "ci_level", "ci_unit", "seed"), options, options.defaults
            ),
            **given_arguments(("hyp_format", "tokenize"), options, options.defaults),
        )
    made.save(options.output)
    told = sys.stderr if options.output == "-" else sys.stdout
    print("\n".join(made.summary()), file=told)
    if options.output != "-":
        print(f"\nwritten to {options.output}: open it in a browser")


def _panel_arguments(options: Namespace) -> dict[str, Any]:
    """The panel, where there is one; a part of it cannot be scored."""
    if not options.gold:
        if options.system:
            raise UsageError("--system needs a panel to be held against: name it with --gold")
        return {}
    given = panel_arguments(options)
    if given.pop("select") is not None:
        raise UsageError("report takes all documents: give --documents the file alone")
    return {name: value for name, value in given.items() if value is not None}
