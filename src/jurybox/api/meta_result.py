"""What `meta` gives back: how far metrics order systems as people do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isnan
from typing import Any, NamedTuple

from jurybox.api.results import (
    GivenFile,
    TabularResult,
    describe_inputs,
    envelope,
    interval_record,
    number_or_none,
    show_interval,
)
from jurybox.errors import plural
from jurybox.report.tables import Cell, Column, Table
from jurybox.stats.resample import Interval

TITLES = {
    "pearson": "Pearson",
    "spearman": "Spearman",
    "kendall": "Kendall",
    "pairwise_accuracy": "pairwise accuracy",
}


class RankedSystem(NamedTuple):
    """A system: what people say of it, and the scores of metrics that know it."""

    name: str
    human: float
    interval: Interval | None  # None where people's scores are given as they are
    scores: Mapping[str, float]

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "human": number_or_none(self.human),
            "interval": None if self.interval is None else interval_record(self.interval),
            "scores": [{"metric": name, "score": score} for name, score in self.scores.items()],
        }


class Agreement(NamedTuple):
    """One measure of how far a metric agrees with people; p is two-sided, None where none is."""

    measure: str
    value: float
    interval: Interval
    p_value: float | None

    def to_dict(self) -> dict[str, Any]:
        p_value = None if self.p_value is None else number_or_none(self.p_value)
        return {
            "measure": self.measure,
            "value": number_or_none(self.value),
            "interval": interval_record(self.interval),
            "p_value": p_value,
        }


class MetricAgreement(NamedTuple):
    """All measures of one metric; `right`, `wrong` and `tied` pairs where sentences are scored."""

    metric: str
    level: str  # system or sentence
    systems: int
    measures: tuple[Agreement, ...]
    right: int | None = None
    wrong: int | None = None
    tied: int | None = None  # for the metric; pairs that tie for people do not count

    def by(self, measure: str) -> Agreement:
        """What a measure says: `agreement.by("pearson").value`."""
        return {one.measure: one for one in self.measures}[measure]

    def to_dict(self) -> dict[str, Any]:
        record = {"metric": self.metric, "level": self.level, "systems": self.systems}
        record |= {"right": self.right, "wrong": self.wrong, "tied": self.tied}
        return record | {"measures": [one.to_dict() for one in self.measures]}


class MetricPair(NamedTuple):
    """Two metrics' Pearson correlations with people, and Williams' test of their difference."""

    first: str
    second: str
    pearson_first: float
    pearson_second: float
    between: float
    t: float
    p_value: float

    def to_dict(self) -> dict[str, Any]:
        named = {name: value for name, value in self._asdict().items() if isinstance(value, str)}
        numbers = {name: value for name, value in self._asdict().items() if name not in named}
        return {**named, **{name: number_or_none(value) for name, value in numbers.items()}}


class RankingFacts(NamedTuple):
    """What the rankings are: how many, by whom, and the pairs they are taken apart into."""

    rankings: int
    sentences: int
    judges: int
    decided: int
    ties: int


@dataclass(frozen=True)
class MetaResult(TabularResult):
    """Metrics before people who ranked systems."""

    systems: tuple[RankedSystem, ...]  # best for people first
    metrics: tuple[MetricAgreement, ...]
    pairs: tuple[MetricPair, ...]
    ranked: RankingFacts | None  # None where people's scores are given as they are
    options: Mapping[str, Any]
    signature: str
    inputs: tuple[GivenFile, ...] = ()
    warnings: tuple[str, ...] = field(default=())

    def of(self, metric: str) -> MetricAgreement:
        """What is known of a metric."""
        return {one.metric: one for one in self.metrics}[metric]

    def to_dict(self) -> dict[str, Any]:
        """Every number, in the form of the JSON Schema jurybox.meta/1."""
        return {
            **envelope("meta", self.signature, describe_inputs(self.inputs)),
            "options": dict(self.options),
            "ranked": None if self.ranked is None else self.ranked._asdict(),
            "systems": [one.to_dict() for one in self.systems],
            "metrics": [one.to_dict() for one in self.metrics],
            "pairs": [one.to_dict() for one in self.pairs],
            "warnings": list(self.warnings),
        }

    def records(self) -> list[dict[str, Any]]:
        """One row for every metric and measure."""
        return [
            {
                "metric": metric.metric,
                "level": metric.level,
                "systems": metric.systems,
                "measure": one.measure,
                "value": number_or_none(one.value),
                "low": number_or_none(one.interval.low),
                "high": number_or_none(one.interval.high),
                "p_value": one.to_dict()["p_value"],
                "signature": self.signature,
            }
            for metric in self.metrics
            for one in metric.measures
        ]

    # --- tables ---

    def tables(self) -> list[Table]:
        """The metrics; Williams' test where there are several; the systems."""
        tables = [self._agreement_table()]
        if self.pairs:
            tables.append(self._pair_table())
        return [*tables, self._system_table()]

    def _level_title(self) -> str:
        return f"{100 * self.options['ci']['level']:g} % interval"

    def _agreement_table(self) -> Table:
        columns = (
            Column("metric", text=True),
            Column("level", text=True),
            Column("measure", text=True),
            Column("value"),
            Column(self._level_title(), text=True),
            Column("p"),
        )
        rows = tuple(
            (
                metric.metric,
                metric.level,
                TITLES[one.measure],
                None if isnan(one.value) else one.value,
                show_interval(one.interval),
                None if one.p_value is None or isnan(one.p_value) else one.p_value,
            )
            for metric in self.metrics
            for one in metric.measures
        )
        notes = [*self._counted(), self._drawn(), f"signature: {self.signature}"]
        return Table(columns, rows, notes=tuple(notes))

    def _counted(self) -> list[str]:
        if self.ranked is None:
            return []
        one = self.ranked
        return [
            f"people: {plural(one.rankings, 'ranking')} of {plural(one.sentences, 'sentence')} by "
            f"{plural(one.judges, 'judge')}; {plural(one.decided, 'pair')} decided, "
            f"{plural(one.ties, 'tie')} left out"
        ]

    def _drawn(self) -> str:
        count = len(self.systems)
        if self.options["ci"]["unit"] == "system":
            return f"intervals: other systems than these {count}; with few systems they are wide"
        return (
            f"intervals: other sentences, the same {count} systems; other systems may differ more"
        )

    def _pair_table(self) -> Table:
        columns = (
            Column("metric", text=True),
            Column("other", text=True),
            Column("r"),
            Column("r of the other"),
            Column("r between"),
            Column("t"),
            Column("p"),
        )
        rows = tuple(
            (pair.first, pair.second, *(None if isnan(value) else value for value in pair[2:]))
            for pair in self.pairs
        )
        return Table(columns, rows, title="Do two metrics differ? Williams' test of Pearson")

    def _system_table(self) -> Table:
        named = list(dict.fromkeys(name for system in self.systems for name in system.scores))
        with_intervals = any(system.interval is not None for system in self.systems)
        human = "people" if self.ranked is None else "expected wins"
        columns = [Column("system", text=True), Column(human)]
        if with_intervals:
            columns.append(Column(self._level_title(), text=True))
        columns += [Column(name) for name in named]
        rows: list[tuple[Cell, ...]] = []
        for system in self.systems:
            row: list[Cell] = [system.name, system.human]
            if with_intervals:
                row.append(show_interval(system.interval))
            rows.append((*row, *(system.scores.get(name) for name in named)))
        return Table(tuple(columns), tuple(rows), title="Systems, best for people first")
