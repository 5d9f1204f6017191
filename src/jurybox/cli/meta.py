"""`jurybox meta`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from jurybox.cli._certainty_options import add_resampling, resampling_arguments
from jurybox.cli._options import add_files, add_output, as_inputs, check_output, deliver
from jurybox.cli._panel_options import GOLD, system_arguments
from jurybox.cli._progress import progress_line
from jurybox.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jurybox.api.results import ScoreResult
    from jurybox.formats import Input

USAGE = "jurybox meta [SCORES ...] --human FILE [FILE ...] [--system NAME=FILE ... --gold FILE ...]"

HELP = """\
Which metric orders systems as people do? Pearson, Spearman, Kendall and pairwise accuracy, with
intervals and tests.

People's side is rankings of systems' outputs, sentence by sentence, or a score for each system.
Rankings become expected wins: how likely a system is to win against another one.

examples:
  jurybox meta sample/scores.csv --human sample/rankings.csv
  jurybox meta --system AMU=AMU.txt CAMB=CAMB.txt UFC=UFC.txt --gold gold.m2 \\
    --metrics m2 gleu --human judgments.xml
  jurybox meta m2.json gleu.json --human judgments.xml --metrics m2:f0.5 m2:recall gleu
  jurybox meta m2.json --human people.csv --without INPUT
  jurybox meta sentence-scores.csv --human judgments_sent.xml"""


def configure(parser: ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument(
        "scores",
        nargs="*",
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
    group = parser.add_argument_group("systems that are yet to be scored")
    add_files(
        group,
        "--system",
        "a system's corrected sentences, and what people's side calls it",
        metavar="NAME=FILE",
    )
    add_files(group, "--gold", f"{GOLD}; systems are scored by what --metrics names, or by m2")
    group = parser.add_argument_group("what to compare")
    add_files(
        group,
        "--metrics",
        "look at these metrics only: m2, errant, gleu, one of a plug-in or of a table; precision "
        "and recall of a result are looked at if named, as m2:recall",
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
    systems = system_arguments(options)
    _check_given(options)
    tables = [*options.scores, *options.human]
    options.files_read = [*tables, *systems.values(), *(options.gold or ())]
    check_output(options)
    from jurybox.api.meta import meta

    as_inputs(options.files_read)  # standard input stands for one of all these files
    files = as_inputs(tables)
    given, human = files[: len(options.scores)], files[len(options.scores) :]
    scored = _score(systems, options, given) if systems else []
    result = meta(
        [*given, *scored],
        human,
        metrics=options.metrics or (),
        without=options.without or (),
        without_judges=options.without_judges or (),
        lower_is_better=options.lower_is_better or (),
        orders=options.orders,
        **resampling_arguments(options),
    )
    deliver(result, options)


def _check_given(options: Namespace) -> None:
    if bool(options.system) != bool(options.gold):
        missing = "--gold" if options.system else "--system"
        raise UsageError(f"{missing} is missing: --system and --gold score systems together")
    if not options.scores and not options.system:
        raise UsageError("scores are missing: name files of them, or give --system and --gold")


def _score(
    systems: dict[str, str], options: Namespace, given: Sequence[Input]
) -> list[ScoreResult]:
    """The systems by every metric that is named and has no scores yet."""
    from jurybox.api.meta_inputs import gather_scores
    from jurybox.api.options import METRICS
    from jurybox.api.score import score
    from jurybox.plugins import find

    for file in given:
        file.keep()  # they are read again
    there = {_metric_of(name) for name in gather_scores(given).names} if given else set()
    named = dict.fromkeys(map(_metric_of, options.metrics or ["m2"]))
    wanted = [name for name in named if name not in there]
    ours = [name for name in wanted if name in METRICS or find("metric", name, METRICS)]
    if not ours:
        raise UsageError(
            "--system and --gold: there is nothing to score by; name a metric with --metrics that "
            f"SCORES do not hold (one of: {', '.join(METRICS)}, or that of a plug-in)"
        )
    with progress_line("matching") as progress:
        return [score(systems, options.gold, metric=name, progress=progress) for name in ours]


def _metric_of(name: str) -> str:
    """The metric that a score is by: m2 of m2:recall."""
    return name.partition(":")[0]
