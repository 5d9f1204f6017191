"""How sure a score is: how intervals are made, what they rest on, and resampling."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, cast

from jurybox.engine import Progress, expect
from jurybox.errors import InputError
from jurybox.metrics.options import METRICS, MetricOptions
from jurybox.options import Options
from jurybox.records import WHEN_SET, Limits
from jurybox.streams import stream

if TYPE_CHECKING:
    from jurybox.model import CountsTable
    from jurybox.stats.resample import Resampled
    from jurybox.stats.running_choice import FloatArray
    from jurybox.stats.statistic import Statistic, SwapArray, WeightArray

#: characters of a line below a table
LINE = 110
METHOD = "bootstrap standard error, t-quantile, Wilson form"
#: what was measured where sentences of real essays were taken as independent
ALIKE = (
    "Sentences of one essay are alike: on real essays, 95 % intervals over sentences held in 82 to "
    "96 % of simulations"
)
#: from so many documents on their intervals hold (docs/studies/coverage.md)
ENOUGH_DOCUMENTS = 10
#: scores that rest on fewer units than these have intervals that may not hold
FEW_UNITS = {"sentence": 15, "case": 31, "document": 6}


class Bootstrap(NamedTuple):
    """How intervals were made."""

    resamples: Annotated[int, "How often units were drawn.", Limits(minimum=1)] = 1000
    level: Annotated[float, "Level of the intervals.", Limits(exclusiveMinimum=0)] = 0.95
    unit: Annotated[str, "What was drawn: sentence or document."] = "auto"
    seed: Annotated[int, "Seed of the random numbers.", Limits(minimum=0)] = 1
    cautions: Annotated[
        tuple[str, ...], "Why intervals may not hold what they promise; empty if they do."
    ] = ()
    method: Annotated[str, "The statistical method."] = METHOD

    def sign(self, signature: str) -> str:
        """Put how resampling was done in front of the version."""
        head, _, version = signature.rpartition("|v:")
        how = f"ci:bootstrap-{self.resamples}-{self.unit}|seed:{self.seed}"
        return f"{head}|{how}|v:{version}"

    def settled(self, documents: Sequence[object] | None, of: str = "sentence") -> Bootstrap:
        """Choose the unit to resample, by the documents of all sentences or cases, if known.

        >>> Bootstrap().settled([1, 1, 2]).unit, Bootstrap().settled(list(range(10))).unit
        ('sentence', 'document')
        """
        unit, caution = settle_unit(self.unit, documents, of)
        return self._replace(unit=unit, cautions=(*self.cautions, *filter(None, [caution])))


class ScoringOptions(MetricOptions):
    """Everything that changes a score, as results hold it."""

    ci: Annotated[Bootstrap | None, "How intervals were made, where they were.", WHEN_SET] = None

    # all was checked before the work; a plug-in's result is read without the plug-in
    check = Options.check


def settle_unit(unit: str, documents: Sequence[object] | None, of: str) -> tuple[str, str]:
    """What is resampled, documents or what they consist of, and a caution where that may mislead.

    >>> settle_unit("auto", None, "sentence")[0], settle_unit("auto", range(12), "case")[0]
    ('sentence', 'document')
    """
    number = len(set(documents)) if documents is not None else 0
    if unit == "auto":
        unit = "document" if number >= ENOUGH_DOCUMENTS else of
        if documents is None:
            where = "the column 'document'" if of == "case" else "--documents FILE"
            return unit, (
                f"The {of}s are resampled as if independent. {ALIKE}. Give {where}, or say "
                f"--ci-unit {of} if they are independent."
            )
    if unit == of and number > 1:
        few = f", of which there are only {number}" if number < ENOUGH_DOCUMENTS else ""
        return unit, f"The {of}s are resampled, not the documents{few}. {ALIKE}."
    if unit == "document" and number < ENOUGH_DOCUMENTS:
        return unit, (
            f"There are only {number} documents: intervals over fewer than {ENOUGH_DOCUMENTS} may "
            "be too narrow."
        )
    return unit, ""


def caution_lines(cautions: Iterable[str]) -> list[str]:
    """Cautions as lines below a table."""
    from textwrap import wrap  # start-up: only where there is a caution

    return [line for caution in cautions for line in wrap(caution, LINE)]


def few_units(unit: str, evidence: Mapping[str, float]) -> str:
    """A caution about scores that rest on few units; `evidence` says on how many, by score.

    >>> few_units("sentence", {"Precision of A": 8.0, "Recall of A": 40.0})
    'Precision of A rests on 8 sentences: intervals that rest on fewer than 15 may not hold.'
    """
    least = FEW_UNITS.get(unit, 0)
    few = [
        f"{name} rests on {number:.0f} {unit}s"
        for name, number in evidence.items()
        if number < least
    ]
    if not few:
        return ""
    more = f"; and {len(few) - 3} more" if len(few) > 3 else ""
    return f"{'; '.join(few[:3])}{more}: intervals that rest on fewer than {least} may not hold."


def statistic_for(options: MetricOptions) -> Statistic:
    """The function of counts that is resampled."""
    from jurybox.stats.statistic import EditScore, GleuScore

    if options.metric not in METRICS:
        from jurybox.stats.plugin_metric import plugin_score

        return plugin_score(options.metric)
    if options.metric == "gleu":
        return GleuScore("expected" if options.expected_statistics else "draws")
    return EditScore(metric=options.metric, rule=options.choice, beta=options.beta)


class _ReportingStatistic:
    """A statistic that reports to the progress how many resamples it has scored."""

    def __init__(self, statistic: Statistic, progress: Progress) -> None:
        self._statistic = statistic
        self._progress = progress

    def __getattr__(self, name: str) -> Any:
        return getattr(self._statistic, name)

    def bootstrap(self, tables: Sequence[CountsTable], weights: WeightArray) -> FloatArray:
        return self._report(self._statistic.bootstrap(tables, weights))

    def randomise(self, a: CountsTable, b: CountsTable, swaps: SwapArray) -> FloatArray:
        return self._report(self._statistic.randomise(a, b, swaps))

    def _report(self, scores: FloatArray) -> FloatArray:
        self._progress(scores.shape[-1], "resamples")
        return scores


def watched_statistic(
    options: MetricOptions, how: Bootstrap, progress: Progress | None, times: int = 1
) -> Statistic:
    """The statistic to resample by, `times` over; the progress is told how many follow."""
    statistic = statistic_for(options)
    if progress is None:
        return statistic
    progress(0)
    if expect(progress, how.resamples * times, "resamples"):
        return cast("Statistic", _ReportingStatistic(statistic, progress))
    return statistic


def resample(tables: Sequence[CountsTable], statistic: Statistic, how: Bootstrap) -> Resampled:
    """Bootstrap all systems on the same resamples."""
    from jurybox.stats.resample import bootstrap

    return bootstrap(
        tables,
        statistic,
        rng=stream(how.seed, "bootstrap"),
        resamples=how.resamples,
        documents=documents_for(tables, how),
    )


def documents_for(tables: Sequence[CountsTable], how: Bootstrap) -> list[str] | None:
    """The documents to resample by, or None to resample sentences."""
    if how.unit != "document":
        return None
    documents = tables[0].documents
    if documents is None:
        raise InputError(
            "--ci-unit document needs to know the documents: give --documents FILE (one document "
            "id per sentence, or the SGML file), or a gold file that has them"
        )
    return documents
