"""What `estimate_sample` gives back: every number with its intervals; for JSON and CSV."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from jurybox.api.results import GivenFile, TabularResult, describe_inputs, envelope, number_or_none
from jurybox.errors import unknown_name
from jurybox.report.tables import Table

if TYPE_CHECKING:
    from jurybox.api.sample_votes import RaterNumbers
    from jurybox.raters.agreement import Agreement
    from jurybox.stats.resample import Interval

#: as they are listed, and what they are called in tables
TITLES = {
    "hits": "hits",
    "false_positives": "false positives",
    "misses": "misses",
    "precision": "precision",
    "recall": "recall",
    "f": "F",
    "error_rate": "error rate",
}
#: measures that are shares of all cases, and so numbers of cases as well
SHARES_OF_ALL = ("hits", "false_positives", "misses", "error_rate")
AGREEMENTS = ("observed", "fleiss", "alpha")


class Estimated(NamedTuple):
    """A number with the interval that was asked for, or the reason why there is none."""

    estimate: float
    low: float
    high: float
    method: str
    standard_error: float
    reason: str = ""

    def to_dict(self) -> dict[str, Any]:
        return {
            "estimate": number_or_none(self.estimate),
            "low": number_or_none(self.low),
            "high": number_or_none(self.high),
            "method": self.method or None,
            "standard_error": number_or_none(self.standard_error),
            **({"reason": self.reason} if self.reason else {}),
        }


class StratumCounts(NamedTuple):
    """A stratum: cases in the corpus, drawn, judged, and errors among the judged."""

    name: str
    label: str
    size: int
    drawn: int
    judged: int
    errors: float


class RetestedMeasure(NamedTuple):
    """An estimate for another system than the sample was drawn for."""

    estimate: float
    low: float
    high: float
    standard_error: float
    effective: float
    cases: int
    reason: str = ""

    def to_dict(self) -> dict[str, Any]:
        return {
            **{name: number_or_none(getattr(self, name)) for name in self._fields[:5]},
            "cases": self.cases,
            **({"reason": self.reason} if self.reason else {}),
        }


class RetestedSystem(NamedTuple):
    """Another system on the same judgments."""

    name: str
    flagged: float  # share of all cases
    known: bool  # whether that share is known, or estimated from the sample
    measures: dict[str, RetestedMeasure]

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "flagged": self.flagged,
            "flagged_known": self.known,
            **{name: one.to_dict() for name, one in self.measures.items()},
        }


class AssistedNumbers(NamedTuple):
    """The same numbers with the help of scores on every case."""

    measures: dict[str, Estimated]
    slopes: dict[str, float]  # error or ok -> weight of the scores
    gains: dict[str, float]  # error or ok -> how many times as many judgments this is worth

    def to_dict(self) -> dict[str, Any]:
        return {
            **{name: one.to_dict() for name, one in self.measures.items()},
            "slopes": self.slopes,
            "gains": {name: number_or_none(gain) for name, gain in self.gains.items()},
        }


@dataclass(frozen=True)
class SampleEstimateResult(TabularResult):
    """What a judged sample says about a system on the whole corpus.

    `methods` holds every interval of every measure, the one that was asked for among them.
    """

    strata: tuple[StratumCounts, ...]
    measures: dict[str, Estimated]
    methods: dict[str, dict[str, Interval]]
    design_effects: dict[str, float]
    options: dict[str, Any]
    signature: str
    raters: RaterNumbers | None = None
    retested: tuple[RetestedSystem, ...] = ()
    assisted: AssistedNumbers | None = None
    inputs: tuple[GivenFile, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """Cases of the corpus."""
        return sum(one.size for one in self.strata)

    def __getitem__(self, name: str) -> Estimated:
        if name not in self.measures:
            raise unknown_name("measure", name, self.measures)
        return self.measures[name]

    def to_dict(self) -> dict[str, Any]:
        """Every number, in the form of the JSON Schema jurybox.sample-estimate/1."""
        record = envelope("sample-estimate", self.signature, describe_inputs(self.inputs)) | {
            "options": self.options,
            "cases": self.size,
            "strata": [one._asdict() for one in self.strata],
            **{name: one.to_dict() for name, one in self.measures.items()},
            "counts": {name: self._count(name) for name in SHARES_OF_ALL},
            "methods": {
                name: {method: _interval(ends) for method, ends in found.items()}
                for name, found in self.methods.items()
            },
            "design_effects": {k: number_or_none(v) for k, v in self.design_effects.items()},
        }
        if self.raters is not None:
            record["raters"] = raters_record(self.raters)
        if self.retested:
            record["retested"] = [one.to_dict() for one in self.retested]
        if self.assisted is not None:
            record["assisted"] = self.assisted.to_dict()
        return record | {"warnings": list(self.warnings)}

    def _count(self, name: str) -> dict[str, float | None]:
        one = self.measures[name]
        return {
            end: number_or_none(getattr(one, end) * self.size)
            for end in ("estimate", "low", "high")
        }

    def records(self) -> list[dict[str, Any]]:
        """A row for every measure and method; for re-tests and scores, one for every measure."""
        rows: list[dict[str, Any]] = []
        for name, found in self.methods.items():
            one = self.measures[name]
            if not found:
                rows.append({"measure": name, **one.to_dict(), "asked_for": True})
            for method, ends in found.items():
                rows.append(
                    {
                        "measure": name,
                        "estimate": number_or_none(one.estimate),
                        "low": number_or_none(ends.low),
                        "high": number_or_none(ends.high),
                        "method": method,
                        "asked_for": method == one.method,
                    }
                )
        for system in self.retested:
            for name, tested in system.measures.items():
                rows.append(
                    {
                        "system": system.name,
                        "measure": name,
                        **tested.to_dict(),
                        "method": "reweighted",
                    }
                )
        if self.assisted is not None:
            for name, helped in self.assisted.measures.items():
                rows.append({"measure": name, **helped.to_dict(), "with_scores": True})
        return rows

    def tables(self) -> list[Table]:
        """What people read first comes first."""
        from jurybox.api.sample_tables import estimate_tables

        return estimate_tables(self)


def raters_record(raters: RaterNumbers) -> dict[str, Any]:
    """Who judged, and how far they agree, for JSON."""
    return {
        **{name: getattr(raters, name) for name in ("raters", "judgments", "unknown", "shared")},
        **{name: _agreement(getattr(raters, name)) for name in AGREEMENTS},
    }


def _agreement(one: Agreement) -> dict[str, Any]:
    reason = {"reason": one.reason} if one.reason else {}
    return {"value": number_or_none(one.value), **reason}


def _interval(ends: Interval) -> dict[str, Any]:
    return {
        "low": number_or_none(ends.low),
        "high": number_or_none(ends.high),
        **({"reason": ends.reason} if ends.reason else {}),
    }
