"""`jurybox agree`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from jurybox.cli._certainty_options import (
    add_ci_level,
    add_resamples,
    add_seed,
    refuse_without_intervals,
)
from jurybox.cli._judgment_options import (
    add_gold_tables,
    add_reading,
    check_judgments,
    reading_arguments,
)
from jurybox.cli._options import OneOf, add_figure, add_files, add_output, deliver
from jurybox.cli._progress import progress_line, watched
from jurybox.cli._serve_options import (
    ADJUDICATOR,
    add_judgments_or_stored,
    check_stored,
    opened,
    stored_judgments,
)
from jurybox.errors import UsageError

USAGE = "jurybox agree JUDGMENTS [...] | --db URL --project NAME [--expert NAME ...] [options]"

HELP = """\
How far do raters agree, and how many of them are as good as an expert?

Kappa and alpha of all raters, of every two, and batch by batch; crowds of 1, 2, 3 … raters against
experts or known answers (Tetreault et al. 2010). Any labels will do. Files of MTurk, Figure Eight,
Toloka, Label Studio, doccano, Prodigy and GUG are read as they are, and so are tables with
case,rater,label. Known answers are in a column gold, in a file (--gold), or an expert's (--expert).

examples:
  jurybox agree sample/judgments.csv
  jurybox agree sample/judgments.csv --expert R01 R02 --ci
  jurybox agree batch.csv --labels Yes=ok,No=error --format json
  jurybox agree judgments.csv --by-batch --labels 2=ok,e=ok --spoiled drop
  jurybox agree judgments.csv --crowd-curve --figure crowd.svg
  jurybox agree ratings.csv --input-format wide --scale interval
  jurybox agree table.csv --input-format counts
  jurybox agree --db study.db --project prepositions
  jurybox agree --db study.db --project prepositions --expert ADJ"""

#: options that are keyword arguments of the verb by the same name
_SAME = (
    *("gold", "scale", "spoiled", "by_batch", "pairs", "crowd_curve", "ties", "draws", "largest"),
    *("accuracy", "ci", "resamples", "ci_level", "seed"),
)


def configure(parser: ArgumentParser) -> None:
    """The options of the command."""
    add_judgments_or_stored(parser)
    _add_references(parser)
    group = add_reading(parser, models=False)
    group.add_argument(
        "--with-models",
        action="store_true",
        help="show what raters of kind model would change; they are never counted among people",
    )
    group.add_argument(
        "--spoiled",
        default="keep",
        metavar="WHAT",
        type=OneOf("keep", "drop"),
        help="cases that a rater flags in the column context: keep or drop (default: keep)",
    )
    _add_counting(parser)
    _add_certainty(parser)
    output = add_output(parser)
    add_figure(output, "draw a figure (see --draw)")
    output.add_argument(
        "--draw",
        default="crowd",
        metavar="WHAT",
        type=OneOf("crowd", "pairs"),
        help="what to draw: crowd, kappa of crowds of N; pairs, kappa of every two raters "
        "(default: crowd)",
    )


def _add_references(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("crowds")
    add_files(
        group,
        "--expert",
        f"a rater whose labels crowds are held against; with --db, {ADJUDICATOR} is what "
        "adjudicators decided",
        metavar="NAME",
    )
    add_gold_tables(group)
    group.add_argument(
        "--crowd-curve",
        action="store_true",
        help="show crowds of every size, also where there are many",
    )
    group.add_argument(
        "--ties",
        default="random",
        metavar="RULE",
        help="majorities that are tied: random, drop, or a label that all of them get "
        "(default: random)",
    )
    group.add_argument(
        "--draws",
        type=int,
        default=100,
        metavar="N",
        help="how often crowds are drawn for kappa and its band (default: 100)",
    )
    group.add_argument(
        "--largest",
        type=int,
        metavar="N",
        help="the largest crowd; the most judgments a case has unless given, but at most 50",
    )


def _add_counting(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("counting")
    group.add_argument(
        "--scale",
        metavar="SCALE",
        type=OneOf("nominal", "ordinal", "interval"),
        help="what labels are: nominal, ordinal or interval; unless given, three or more numbers "
        "are ordinal and all else is nominal",
    )
    group.add_argument("--by-batch", action="store_true", help="batch by batch (column batch)")
    group.add_argument("--pairs", action="store_true", help="list every two raters, however many")
    group.add_argument(
        "--accuracy",
        type=float,
        metavar="A",
        help="choice tasks: the accuracy of a system, to be corrected by how often its word is "
        "equal or better",
    )


def _add_certainty(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("certainty")
    group.add_argument("--ci", action="store_true", help="bootstrap intervals over cases")
    add_resamples(group, "bootstrap resamples")
    add_ci_level(group, "level of intervals, and of the bands of crowds")
    add_seed(group)


def _check(options: Namespace) -> None:
    """Complain before the work about what could not be done after it."""
    from jurybox.api.agree_figures import check_kind

    check_stored(options, options.judgments, "their files")
    check_judgments(options)
    check_kind(options.draw)
    if options.draw != "crowd" and not options.figure:
        raise UsageError(f"--draw {options.draw}: name the file to draw to with --figure")
    if not options.ci:
        refuse_without_intervals(options, Namespace(resamples=1000), ["resamples"])


def run(options: Namespace) -> None:
    """Measure agreement, print, draw."""
    _check(options)
    from jurybox.api.agree import agree

    with progress_line("measuring agreement") as progress:
        files = watched(options.judgments, progress)
        if options.db is not None:
            with opened(options) as (store, project):
                # decisions are no rater's judgments, unless they are asked for by name
                decisions = "yes" if ADJUDICATOR in (options.expert or ()) else "no"
                files = [stored_judgments(store, project, decisions=decisions)]
        result = agree(
            files,
            experts=options.expert or (),
            progress=progress,
            **reading_arguments(options),
            **{name: getattr(options, name) for name in _SAME},
        )
    deliver(result, options, figure=lambda: result.figure(options.draw))
