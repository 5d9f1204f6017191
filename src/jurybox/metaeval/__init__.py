"""`metaeval`: which metric orders systems as people do?

Human scores out of rankings are expected wins (Grundkiewicz et al. 2015). Metrics that score whole
systems are correlated with them over systems. Metrics that score sentences are held against the
pairs that people decided, sentence by sentence (Kobayashi et al. 2024).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from jurybox.formats.given_values import as_words
from jurybox.options import Opt, Options, argument, verb
from jurybox.shared_options import CONFIDENCE, Level, Resamples, Seed

if TYPE_CHECKING:
    from jurybox.metaeval.inputs import Human, Scores
    from jurybox.metaeval.result import MetaevalResult

UNITS = ("sentence", "system")


class LeftOutJudges(Options, group="people"):
    """Whose rankings count."""

    without_judges: Annotated[
        Sequence[str],
        Opt("leave out the rankings of these judges", "JUDGE", many=True, take=as_words),
    ] = ()


class ComparedMetrics(Options, group="what to compare"):
    """Which metrics and systems are compared."""

    metrics: Annotated[
        Sequence[str],
        "The metrics asked for; empty: all.",
        Opt(
            "look at these metrics only: m2, errant, gleu, one of a plug-in or of a table; "
            "precision and recall of a result are looked at if named, as m2:recall",
            "METRIC",
            many=True,
            take=as_words,
        ),
    ] = ()
    without: Annotated[
        Sequence[str], Opt("leave out these systems", "SYSTEM", many=True, take=as_words)
    ] = ()
    lower_is_better: Annotated[
        Sequence[str],
        Opt("metrics whose lower scores are better", "METRIC", many=True, take=as_words),
    ] = ()


class Orders(Options, group=CONFIDENCE):
    """How often systems are put in a random order."""

    orders: Annotated[
        int,
        Opt(
            "random orders of systems behind a p-value, where there are more than seven systems",
            "N",
            least=1,
        ),
    ] = 10_000


class MetaevalOptions(LeftOutJudges, ComparedMetrics, Orders):
    """What changes a number, but for how intervals are made."""


class UnitOfMeta(Options, group=CONFIDENCE):
    """What other samples would be samples of."""

    ci_unit: Annotated[
        str, Opt("what is resampled: sentence or system", "UNIT", values=UNITS, noun="unit")
    ] = "sentence"


class GivenScores(Options):
    """Scores by metrics."""

    scores: Annotated[
        Scores | Sequence[Scores],
        Opt(
            "tables with system,metric,score (and sentence, for scores of sentences), or what "
            "jurybox score --format json wrote",
            "SCORES",
            positional=True,
            many=True,
        ),
    ] = argument(kw_only=False)


class HumanScores(GivenScores, group="people"):
    """And by people."""

    human: Annotated[
        Human | Sequence[Human],
        Opt(
            "rankings: tables with sentence,judge,system,rank or XML of Appraise; or a table with "
            "system,score",
            "FILE",
            many=True,
        ),
    ] = argument(kw_only=False)


class Metaeval(HumanScores, MetaevalOptions, Resamples, Level, UnitOfMeta, Seed):
    """What `metaeval` is called with."""


@verb(Metaeval)
def metaeval(call: Metaeval) -> MetaevalResult:
    """How far metrics order systems as people do.

    `scores` are tables (system, metric, score; with a column sentence: scores of sentences),
    results of `score`, or {metric: {system: score}}; `human` is files of rankings (Appraise XML, or
    sentence, judge, system, rank), a file of scores, {system: score}, or `Ranking`s. Options are
    those of `jurybox metaeval`.

    >>> by_metric = {"m2": {"AMU": 0.35, "CAMB": 0.37, "IPN": 0.07, "UFC": 0.08}}
    >>> found = metaeval(by_metric, {"AMU": 0.63, "CAMB": 0.56, "IPN": 0.30, "UFC": 0.51})
    >>> agreement = found.of("m2")
    >>> round(agreement.by("pearson").value, 4), round(agreement.by("pairwise_accuracy").value, 4)
    (0.7756, 0.8333)
    """
    from jurybox.metaeval.evaluating import compare_with_people

    return compare_with_people(call)
