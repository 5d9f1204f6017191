"""What `simulate_sample` gives back: how often intervals held the truth, and how wide they were."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isnan, nan
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from jurybox.errors import UsageError
from jurybox.records import NOT_EMPTY, Count, Limits, Share, computed, plain
from jurybox.results import Inputs, NamedParts, Signature, TabularResult, Warnings, by
from jurybox.sample.estimate.result import TITLES
from jurybox.sample.simulate import SimulateOptions
from jurybox.tables import Column, Table, signed

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: what a binomial test must reach for coverage to be called wrong
ALPHA = 0.01
#: of the CSV, after those of the setting
COLUMNS = (
    *("measure", "method", "recommended", "draws", "covered", "truth", "coverage"),
    *("below", "above", "width", "p_two_sided", "p_too_low"),
)


class IntervalCoverage(NamedTuple):
    """How an interval does: over all draws in which the measure is defined."""

    measure: Annotated[str, "What is estimated."]
    method: Annotated[str, "How the interval was made."]
    truth: Annotated[Share, "The true number."]
    draws: Annotated[Count, "Samples in which the measure is defined."]
    covered: Annotated[Count, "Intervals that hold the truth."]
    below: Annotated[Share, "Share of intervals wholly below the truth."]
    above: Annotated[Share, "Share of intervals wholly above the truth."]
    width: Annotated[float, "Mean width."]
    p_two_sided: Annotated[
        float | None,
        "p of the binomial test that coverage is the level; null where the sample leaves no doubt, "
        "as the part was looked at as a whole.",
    ] = None
    p_too_low: Annotated[float | None, "p of the test that it is not below the level."] = None
    recommended: Annotated[bool, "Whether this is the recommended interval of the measure."] = False

    @computed
    def coverage(self) -> Share:
        """Share of intervals that hold the truth; null where none is defined."""
        return self.covered / self.draws if self.draws else nan


class SimulatedSystem(NamedTuple):
    """What is known of a system: the truth that samples are drawn from."""

    name: str
    cases: Annotated[int, "Judged cases that it decided about.", Limits(minimum=1)]
    flagged: Annotated[int, "Those that it flags.", Limits(minimum=1)]
    hits: Annotated[float, "Errors among them."]
    misses: Annotated[float, "Errors among the others."]

    @computed
    def precision(self) -> Share:
        """The true precision."""
        return self.hits / self.flagged

    @computed
    def recall(self) -> Share:
        """The true recall; null without errors."""
        errors = self.hits + self.misses
        return self.hits / errors if errors else nan


class SimulatedSetting(NamedTuple):
    """One system, one number of cases from either part, and every interval."""

    system: Annotated[str, "The name of the system."]
    error: Annotated[int, "Cases drawn from what it flags.", Limits(minimum=1)]
    ok: Annotated[int, "Cases drawn from what it calls ok.", Limits(minimum=1)]
    expected_misses: Annotated[float, "Misses to be expected in the sample."]
    intervals: Annotated[tuple[IntervalCoverage, ...], "Every measure and method.", NOT_EMPTY]

    @property
    def recommended(self) -> dict[str, str]:
        """The recommended method of every measure."""
        return {one.measure: one.method for one in self.intervals if one.recommended}

    def of(self, measure: str) -> tuple[IntervalCoverage, ...]:
        """All intervals of one measure."""
        return tuple(one for one in self.intervals if one.measure == measure)


@dataclass(frozen=True, repr=False)
class SampleSimulation(TabularResult, NamedParts[str, SimulatedSystem]):
    """How often intervals of samples hold the truth, on cases that are all judged."""

    command = "sample-simulate"

    options: SimulateOptions
    systems: Annotated[
        tuple[SimulatedSystem, ...], "Every system, with its true numbers.", NOT_EMPTY
    ]
    settings: Annotated[
        tuple[SimulatedSetting, ...], "Every system with every pair of sample sizes.", NOT_EMPTY
    ]
    signature: Signature
    inputs: Inputs = ()
    warnings: Warnings = ()

    noun = "system"

    def parts(self) -> Mapping[str, SimulatedSystem]:
        return by("name", self.systems)

    def records(self) -> list[dict[str, Any]]:
        """A row for every setting, measure and method."""
        rows = []
        for setting in self.settings:
            record = plain(setting)
            intervals = record.pop("intervals")
            rows += [{**record, **{name: one[name] for name in COLUMNS}} for one in intervals]
        return rows

    def tables(self) -> list[Table]:
        """The systems, then precision and recall, then what else was estimated."""
        tables = [self._systems()]
        tables += [self._coverage(name) for name in ("recall", "precision", "misses", "f")]
        return signed(tables, self.signature)

    def _systems(self) -> Table:
        columns = (
            *(Column("system", text=True), Column("cases"), Column("flagged")),
            *(Column("hits", digits=1), Column("misses", digits=1)),
            *(Column("precision", digits=3), Column("recall", digits=3)),
        )
        rows = [
            (one.name, one.cases, one.flagged, one.hits, one.misses, one.precision, one.recall)
            for one in self.systems
        ]
        return Table(columns, tuple(rows), "The truth that samples are drawn from")

    def methods(self, measure: str) -> list[str]:
        """The methods of a measure, in order."""
        return list(dict.fromkeys(one.method for each in self.settings for one in each.of(measure)))

    def _coverage(self, measure: str) -> Table:
        """A column for every method: coverage and mean width."""
        methods = self.methods(measure)
        columns = [Column("system", text=True), Column("error"), Column("ok")]
        columns.append(Column("misses expected", digits=1))
        for method in methods:
            columns += [Column(method, text=True), Column("width", digits=3)]
        rows = []
        for setting in self.settings:
            found = {one.method: one for one in setting.of(measure)}
            cells: list[Any] = [setting.system, setting.error, setting.ok, setting.expected_misses]
            for method in methods:
                one = found.get(method)
                cells += [None, None] if one is None else [marked(one), one.width]
            rows.append(cells)
        title = f"{self._title(measure)}: how often {self.options.ci_level:.0%} intervals hold"
        recommended = dict.fromkeys(one.recommended[measure] for one in self.settings)
        notes = (
            f"recommended: {', '.join(recommended)}; {self.options.draws} draws each",
            f"- too rarely, + too often: a two-sided binomial test rejects it at {ALPHA:.0%}",
        )
        return Table(tuple(columns), tuple(rows), title, notes)

    def _title(self, measure: str) -> str:
        return f"F{self.options.beta:g}" if measure == "f" else TITLES[measure].capitalize()

    def figure(self, measure: str = "recall") -> Figure:
        """Coverage of the paper's and of the recommended interval, by how many cases are judged."""
        from jurybox.figures import Curve, draw_curves

        if len({one.ok for one in self.settings}) < 2:
            raise UsageError("--figure shows coverage by sample size: give several, as --ok 50 100")
        least = {
            system.name: min(one.error for one in self.settings if one.system == system.name)
            for system in self.systems
        }
        methods = dict.fromkeys([self.methods(measure)[0], self.settings[0].recommended[measure]])
        curves = []
        for system in self.systems:
            for method in methods:
                points = sorted(
                    (setting.ok, one.coverage)
                    for setting in self.settings
                    for one in setting.of(measure)
                    if (setting.system, setting.error) == (system.name, least[system.name])
                    and one.method == method
                )
                sizes, scores = zip(*points, strict=True)
                curves.append(Curve(f"{system.name}, {method}", sizes, scores))
        drawn = ", ".join(f"{name} {number}" for name, number in least.items())
        return draw_curves(
            curves,
            title=f"{self._title(measure)}: how often intervals hold the truth",
            score=f"coverage of {self.options.ci_level:.0%} intervals, in %",
            size_label="cases judged of what the system calls ok",
            note=f"Judged of what it flags: {drawn}.\n{self.signature}",
        )


def marked(one: IntervalCoverage) -> str | None:
    """Coverage in per cent, with a mark where it is not what was promised."""
    if isnan(one.coverage):
        return None
    mark = ""
    if one.p_two_sided is not None and one.p_two_sided < ALPHA:
        mark = " -" if (one.p_too_low or 0.0) < 0.5 else " +"
    return f"{100 * one.coverage:.1f}{mark}"
