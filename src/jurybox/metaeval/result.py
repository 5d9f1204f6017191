"""What `metaeval` gives back: how far metrics order systems as people do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NamedTuple

from jurybox.errors import plural
from jurybox.metaeval import MetaevalOptions
from jurybox.records import NOT_EMPTY, WHEN_SET, Count, Limits, plain
from jurybox.results import (
    Inputs,
    Interval,
    NamedParts,
    Signature,
    TabularResult,
    Warnings,
    by,
    show_interval,
)
from jurybox.tables import Cell, Column, Table

TITLES = {
    "pearson": "Pearson",
    "spearman": "Spearman",
    "kendall": "Kendall",
    "pairwise_accuracy": "pairwise accuracy",
}


P = Annotated[float | None, Limits(minimum=0, maximum=1)]


class MetricScore(NamedTuple):
    """A system's score by a metric."""

    metric: str
    score: float


class RankedSystem(NamedTuple):
    """A system: what people say of it, and the scores of metrics that know it."""

    name: Annotated[str, "Its name, as people's side has it."]
    human: Annotated[float, "Expected wins, or people's score."]
    interval: Annotated[Interval | None, "Interval of expected wins; null where there is none."]
    scores: Annotated[tuple[MetricScore, ...], "Its scores by metrics that score systems."]


class MeasureAgreement(NamedTuple):
    """One measure of how far a metric agrees with people."""

    measure: Annotated[str, Limits(enum=list(TITLES))]
    value: Annotated[float, "Its value; null where it is not defined."]
    interval: Interval
    p_value: Annotated[P, "Two-sided p-value of a random order; null where there is none."]


class MetricAgreement(NamedTuple):
    """How far a metric agrees with people."""

    metric: Annotated[str, "Its name."]
    level: Annotated[Literal["system", "sentence"], "What it scores."]
    systems: Annotated[Count, "Systems compared."]
    measures: Annotated[tuple[MeasureAgreement, ...], NOT_EMPTY]
    right: Annotated[
        int | None,
        "Decided pairs it puts in people's order; null for metrics of systems.",
        Limits(minimum=0),
    ] = None
    wrong: Annotated[int | None, "Decided pairs in the opposite order.", Limits(minimum=0)] = None
    tied: Annotated[
        int | None,
        "Decided pairs that tie for the metric. Pairs that tie for people do not count.",
        Limits(minimum=0),
    ] = None

    def by(self, measure: str) -> MeasureAgreement:
        """What a measure says: `agreement.by("pearson").value`."""
        return {one.measure: one for one in self.measures}[measure]


class MetricPair(NamedTuple):
    """Two metrics' Pearson correlations with people, and Williams' test of their difference."""

    first: Annotated[str, "A metric."]
    second: Annotated[str, "The other one."]
    pearson_first: Annotated[float, "Pearson's r of the first with people."]
    pearson_second: Annotated[float, "Pearson's r of the second with people."]
    between: Annotated[float, "Pearson's r between the two."]
    t: Annotated[float, "Williams' t."]
    p_value: Annotated[float, "Two-sided p-value.", Limits(minimum=0, maximum=1)]


class RankingFacts(NamedTuple):
    """Rankings and the pairs they are taken apart into."""

    rankings: Count
    sentences: Annotated[Count, "Sentences ranked."]
    judges: Count
    decided: Annotated[Count, "Pairs of systems with a winner."]
    ties: Annotated[Count, "Pairs that tie; left out."]


class IntervalMethod(NamedTuple):
    """How intervals were made."""

    method: Annotated[str, "The kind of interval: over systems, or over sentences."]
    level: Annotated[
        float, "Level of the intervals.", Limits(exclusiveMinimum=0, exclusiveMaximum=1)
    ]
    unit: Annotated[Literal["sentence", "system"], "What other samples would be samples of."]
    seed: Annotated[int, "Seed of the random numbers."]
    resamples: Annotated[
        int | None,
        "Number of resamples; not over systems, whose intervals need none.",
        Limits(minimum=1),
        WHEN_SET,
    ] = None


class RecordedMeta(MetaevalOptions):
    """What was asked for, and how intervals were made."""

    ci: IntervalMethod


@dataclass(frozen=True, repr=False)
class MetaevalResult(TabularResult, NamedParts[str, MetricAgreement]):
    """Metrics before people who ranked systems."""

    command = "metaeval"

    options: Annotated[RecordedMeta, "What was asked for."]
    ranked: Annotated[
        RankingFacts | None,
        "What the rankings are; null where people's scores are given as they are.",
    ]
    systems: Annotated[
        tuple[RankedSystem, ...], "The systems compared, best for people first.", NOT_EMPTY
    ]
    metrics: Annotated[tuple[MetricAgreement, ...], "Every metric.", NOT_EMPTY]
    pairs: Annotated[tuple[MetricPair, ...], "Every two metrics that score the same systems."]
    signature: Signature
    inputs: Inputs = ()
    warnings: Warnings = ()

    def of(self, metric: str) -> MetricAgreement:
        """What is known of a metric."""
        return self[metric]

    noun = "metric"

    def parts(self) -> Mapping[str, MetricAgreement]:
        return by("metric", self.metrics)

    def records(self) -> list[dict[str, Any]]:
        """One row for every metric and measure."""
        return [
            {
                "metric": metric.metric,
                "level": metric.level,
                "systems": metric.systems,
                "measure": one.measure,
                "value": plain(one.value),
                "low": plain(one.interval.low),
                "high": plain(one.interval.high),
                "p_value": plain(one.p_value),
                "signature": self.signature,
            }
            for metric in self.metrics
            for one in metric.measures
        ]

    def tables(self) -> list[Table]:
        """The metrics; Williams' test where there are several; the systems."""
        tables = [self._agreement_table()]
        if self.pairs:
            columns = (
                *(Column("metric", text=True), Column("other", text=True)),
                *map(Column, ("r", "r of the other", "r between", "t", "p")),
            )
            title = "Do two metrics differ? Williams' test of Pearson"
            tables.append(Table(columns, self.pairs, title=title))
        return [*tables, self._system_table()]

    @property
    def _interval_column(self) -> Column:
        return Column(f"{100 * self.options.ci.level:g} % interval", text=True)

    def _agreement_table(self) -> Table:
        columns = (
            *(Column(title, text=True) for title in ("metric", "level", "measure")),
            *(Column("value"), self._interval_column, Column("p")),
        )
        rows = tuple(
            (
                *(metric.metric, metric.level, TITLES[one.measure], one.value),
                *(show_interval(one.interval), one.p_value),
            )
            for metric in self.metrics
            for one in metric.measures
        )
        notes = []
        if self.ranked is not None:
            rankings, sentences, judges, decided, ties = self.ranked
            notes.append(
                f"people: {plural(rankings, 'ranking')} of {plural(sentences, 'sentence')} by "
                f"{plural(judges, 'judge')}; {plural(decided, 'pair')} decided, "
                f"{plural(ties, 'tie')} left out"
            )
        count = len(self.systems)
        if self.options.ci.unit == "system":
            drawn = f"other systems than these {count}; with few systems they are wide"
        else:
            drawn = f"other sentences, the same {count} systems; other systems may differ more"
        notes += [f"intervals: {drawn}", f"signature: {self.signature}"]
        return Table(columns, rows, notes=tuple(notes))

    def _system_table(self) -> Table:
        named = list(dict.fromkeys(s.metric for system in self.systems for s in system.scores))
        with_intervals = any(system.interval is not None for system in self.systems)
        columns = [
            *(Column("system", text=True), Column("expected wins" if self.ranked else "people")),
            *([self._interval_column] if with_intervals else []),
            *map(Column, named),
        ]
        rows: list[tuple[Cell, ...]] = []
        for system in self.systems:
            shown = [show_interval(system.interval)] if with_intervals else []
            scores = dict(system.scores)
            rows.append((system.name, system.human, *shown, *map(scores.get, named)))
        return Table(tuple(columns), tuple(rows), title="Systems, best for people first")
