"""`jurybox metaeval`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

from jurybox.cli._progress import progress_line
from jurybox.cli.output import Output, as_inputs, check_files, deliver, words
from jurybox.errors import UsageError
from jurybox.metaeval import GivenScores, Metaeval, metaeval
from jurybox.options import Opt, Options
from jurybox.shared_options import GOLD_EDITS, systems_option

if TYPE_CHECKING:
    from jurybox.formats import Input
    from jurybox.score.result import ScoreResult

USAGE = (
    "jurybox metaeval [SCORES ...] --human FILE [FILE ...] [--system NAME=FILE ... --gold FILE ...]"
)

HELP = """\
Which metric orders systems as people do? Pearson, Spearman, Kendall and pairwise accuracy, with
intervals and tests.

People's side is rankings of systems' outputs, sentence by sentence, or a score for each system.
Rankings become expected wins: how likely a system is to win against another one.

examples:
  jurybox metaeval sample/scores.csv --human sample/rankings.csv
  jurybox metaeval --system AMU=AMU.txt CAMB=CAMB.txt UFC=UFC.txt --gold gold.m2 \\
    --metrics m2 gleu --human judgments.xml
  jurybox metaeval m2.json gleu.json --human judgments.xml --metrics m2:f0.5 m2:recall gleu
  jurybox metaeval m2.json --human people.csv --without INPUT
  jurybox metaeval sentence-scores.csv --human judgments_sent.xml"""


class UnscoredSystems(Options, group="systems that are yet to be scored"):
    systems: Annotated[
        Mapping[str, str],
        systems_option("a system's corrected sentences, and what people's side calls it"),
    ] = {}
    gold: Annotated[
        Sequence[str],
        Opt(
            f"{GOLD_EDITS}; systems are scored by what --metrics names, or by m2", "FILE", many=True
        ),
    ] = ()


class Call(Metaeval, UnscoredSystems, Output):
    scores: Annotated[Sequence[str], GivenScores.notes()["scores"]] = ()

    def check(self) -> None:
        super().check()
        if bool(self.systems) != bool(self.gold):
            missing = "--gold" if self.systems else "--system"
            raise UsageError(f"{missing} is missing: --system and --gold score systems together")
        if not self.scores and not self.systems:
            raise UsageError("scores are missing: name files of them, or give --system and --gold")


def run(call: Call) -> None:
    tables = [*call.scores, *words(call.human)]
    check_files(call, [*tables, *call.systems.values(), *call.gold])
    files = as_inputs(tables)
    given, human = files[: len(call.scores)], files[len(call.scores) :]
    scored = _score(call, given) if call.systems else []
    options = {
        name: value for name, value in call.only(Metaeval) if name not in ("scores", "human")
    }
    deliver(metaeval([*given, *scored], human, **options), call)


def _score(call: Call, given: Sequence[Input]) -> list[ScoreResult]:
    """The systems by every metric that is named and has no scores yet."""
    from jurybox.metaeval.inputs import gather_scores
    from jurybox.metrics.options import METRICS
    from jurybox.plugins import find
    from jurybox.score import score

    for file in given:
        file.keep()  # they are read again
    # the metric that a score is by: m2 of m2:recall
    there = {name.partition(":")[0] for name in gather_scores(given).names} if given else set()
    named = dict.fromkeys(name.partition(":")[0] for name in call.metrics or ["m2"])
    wanted = [name for name in named if name not in there]
    ours = [name for name in wanted if name in METRICS or find("metric", name, METRICS)]
    if not ours:
        raise UsageError(
            "--system and --gold: there is nothing to score by; name a metric with --metrics that "
            f"SCORES do not hold (one of: {', '.join(METRICS)}, or that of a plug-in)"
        )
    with progress_line("matching") as progress:
        return [score(call.systems, call.gold, metric=name, progress=progress) for name in ours]
