"""What `simulate_sample` gives back: how often intervals held the truth, and how wide they were."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING, Any, NamedTuple

from jurybox.api.results import GivenFile, TabularResult, describe_inputs, envelope, number_or_none
from jurybox.api.sample_estimated import TITLES
from jurybox.errors import UsageError
from jurybox.report.tables import Column, Table, signed

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from jurybox.stats.simulation import Coverage

#: what a binomial test must reach for coverage to be called wrong
ALPHA = 0.01


class SimulatedSystem(NamedTuple):
    """What is known of a system: the truth that samples are drawn from."""

    name: str
    cases: int
    flagged: int
    hits: float
    misses: float

    @property
    def precision(self) -> float:
        return self.hits / self.flagged

    @property
    def recall(self) -> float:
        errors = self.hits + self.misses
        return self.hits / errors if errors else float("nan")

    def to_dict(self) -> dict[str, Any]:
        truths = {"precision": self.precision, "recall": number_or_none(self.recall)}
        return {**self._asdict(), **truths}


class SimulatedSetting(NamedTuple):
    """One system, one number of cases from either part, and every interval."""

    system: str
    error: int
    ok: int
    expected_misses: float
    intervals: tuple[Coverage, ...]
    recommended: dict[str, str]  # measure -> method

    def of(self, measure: str) -> tuple[Coverage, ...]:
        """All intervals of one measure."""
        return tuple(one for one in self.intervals if one.measure == measure)

    def to_dict(self) -> dict[str, Any]:
        return {
            "system": self.system,
            "error": self.error,
            "ok": self.ok,
            "expected_misses": self.expected_misses,
            "intervals": [
                coverage_record(one, self.recommended[one.measure] == one.method)
                for one in self.intervals
            ],
        }


def coverage_record(one: Coverage, recommended: bool) -> dict[str, Any]:
    """How an interval did, for JSON."""
    numbers = ("truth", "coverage", "below", "above", "width")
    return {
        "measure": one.measure,
        "method": one.method,
        "recommended": recommended,
        "draws": one.draws,
        "covered": one.covered,
        **{name: number_or_none(getattr(one, name)) for name in numbers},
        "p_two_sided": None if one.test is None else one.test.two_sided,
        "p_too_low": None if one.test is None else one.test.too_few,
    }


@dataclass(frozen=True)
class SampleSimulation(TabularResult):
    """Coverage and width of every interval, for every setting."""

    systems: tuple[SimulatedSystem, ...]
    settings: tuple[SimulatedSetting, ...]
    options: dict[str, Any]
    signature: str
    inputs: tuple[GivenFile, ...] = ()
    warnings: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Every number, in the form of the JSON Schema jurybox.sample-simulate/1."""
        return envelope("sample-simulate", self.signature, describe_inputs(self.inputs)) | {
            "options": self.options,
            "systems": [one.to_dict() for one in self.systems],
            "settings": [one.to_dict() for one in self.settings],
            "warnings": list(self.warnings),
        }

    def records(self) -> list[dict[str, Any]]:
        """A row for every setting, measure and method."""
        rows = []
        for setting in self.settings:
            record = setting.to_dict()
            intervals = record.pop("intervals")
            rows += [{**record, **one} for one in intervals]
        return rows

    def tables(self) -> list[Table]:
        """The systems, then precision and recall, then what else was estimated."""
        tables = [self._systems()]
        tables += [self._coverage(name) for name in ("recall", "precision", "misses", "f")]
        return signed(tables, self.signature)

    def _systems(self) -> Table:
        columns = (
            Column("system", text=True),
            *(Column("cases"), Column("flagged")),
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
                if method in found:
                    cells += [marked(found[method]), found[method].width]
                else:
                    cells += [None, None]
            rows.append(cells)
        title = f"{self._title(measure)}: how often {self.options['ci_level']:.0%} intervals hold"
        recommended = dict.fromkeys(one.recommended[measure] for one in self.settings)
        notes = (
            f"recommended: {', '.join(recommended)}; {self.options['draws']} draws each",
            f"- too rarely, + too often: a two-sided binomial test rejects it at {ALPHA:.0%}",
        )
        return Table(tuple(columns), tuple(rows), title, notes)

    def _title(self, measure: str) -> str:
        return f"F{self.options['beta']:g}" if measure == "f" else TITLES[measure].capitalize()

    def figure(self, measure: str = "recall") -> Figure:
        """Coverage of the paper's and of the recommended interval, by how many cases are judged."""
        from jurybox.report.figures import Curve, draw_curves

        if len({one.ok for one in self.settings}) < 2:
            raise UsageError("--figure shows coverage by sample size: give several, as --ok 50 100")
        least = {one.name: self._first_error(one.name) for one in self.systems}
        curves = []
        for system in self.systems:
            for method in self._drawn(measure):
                points = [
                    (setting.ok, one.coverage)
                    for setting in self.settings
                    for one in setting.of(measure)
                    if (setting.system, setting.error) == (system.name, least[system.name])
                    and one.method == method
                ]
                points.sort()
                sizes, scores = zip(*points, strict=True)
                curves.append(Curve(f"{system.name}, {method}", sizes, scores))
        drawn = ", ".join(f"{name} {number}" for name, number in least.items())
        return draw_curves(
            curves,
            title=f"{self._title(measure)}: how often intervals hold the truth",
            score=f"coverage of {self.options['ci_level']:.0%} intervals, in %",
            size_label="cases judged of what the system calls ok",
            note=f"Judged of what it flags: {drawn}.\n{self.signature}",
        )

    def _first_error(self, system: str) -> int:
        return min(one.error for one in self.settings if one.system == system)

    def _drawn(self, measure: str) -> list[str]:
        methods = self.methods(measure)
        recommended = self.settings[0].recommended[measure]
        return list(dict.fromkeys([methods[0], recommended]))


def marked(one: Coverage) -> str | None:
    """Coverage in per cent, with a mark where it is not what was promised."""
    if isnan(one.coverage):
        return None
    mark = ""
    if one.test is not None and one.test.two_sided < ALPHA:
        mark = " -" if one.test.too_few < 0.5 else " +"
    return f"{100 * one.coverage:.1f}{mark}"
