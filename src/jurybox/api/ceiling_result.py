"""What `ceiling` gives back: sizes, pairs, types, extrapolated curves; for JSON and CSV."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING, Any, NamedTuple

from jurybox.api.options import title_of_score
from jurybox.api.results import (
    GivenFile,
    TabularResult,
    describe_inputs,
    envelope,
    interval_record,
    number_or_none,
)
from jurybox.errors import InputError
from jurybox.report.tables import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from jurybox.stats.ceiling import Ratio, Spread
    from jurybox.stats.extrapolate import Extrapolation
    from jurybox.stats.resample import Interval

HUMAN = "human"
#: a type of which more comparisons than this are empty says little
MOSTLY = 0.5


class SystemAtSize(NamedTuple):
    """A system against sets of so many annotators."""

    score: Spread
    ratio: Ratio
    interval: Interval | None
    ratio_interval: Interval | None


class SizeResult(NamedTuple):
    """People and systems against sets of so many annotators.

    `references` is how many of a set looked at a sentence on average: `annotators`, unless somebody
    skipped some.
    """

    annotators: int
    subsets: int
    combinations: int
    references: float
    human: Spread
    interval: Interval | None
    systems: Mapping[str, SystemAtSize]

    @property
    def reason(self) -> str:
        """Why there is no human score, or nothing to divide by."""
        if isnan(self.human.mean):
            return "no person looked at a sentence that others looked at too"
        return "" if self.human.mean else "people score 0: there is nothing to divide by"


class PairScore(NamedTuple):
    """A system against one annotator alone; GLEU has `f` (its score) only."""

    system: str
    annotator: str
    precision: float | None
    recall: float | None
    f: float | None


class TypeSize(NamedTuple):
    """People against sets of so many annotators, on one error type.

    `empty` is the share of comparisons in which neither the person nor the references chosen have
    an edit of the type; they score 1 by convention and say nothing.
    """

    annotators: int
    human: Spread
    empty: float


class TypeCurve(NamedTuple):
    """One error type: how many edits all annotators made, and how far people agree on it."""

    type: str
    edits: int
    sizes: tuple[TypeSize, ...]


class Curve(NamedTuple):
    """Scores for more annotators than there are; the ratio to people for systems."""

    name: str
    scores: Extrapolation
    ratios: Extrapolation | None


@dataclass(frozen=True)
class CeilingResult(TabularResult):
    """How people score against each other, and systems beside them."""

    metric: str
    beta: float
    signature: str
    options: Mapping[str, Any]
    annotators: tuple[str, ...]
    sentences: int
    documents: int | None
    sizes: tuple[SizeResult, ...]
    pairs: tuple[PairScore, ...] = ()
    types: tuple[TypeCurve, ...] = ()
    curves: tuple[Curve, ...] = ()
    inputs: tuple[GivenFile, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def human(self) -> float:
        """The human score at the largest number of reference annotators: the ceiling."""
        return self.sizes[-1].human.mean

    @property
    def systems(self) -> tuple[str, ...]:
        return tuple(self.sizes[-1].systems)

    def score(self, system: str) -> float:
        """A system's score at the largest number of reference annotators."""
        return self._system(system).score.mean

    def ratio(self, system: str) -> float:
        """A system's score over the human one at the largest number of reference annotators."""
        return self._system(system).ratio.value

    def score_title(self) -> str:
        """What the score is called."""
        return title_of_score(self.metric, self.beta)

    def types_by_score(self) -> list[TypeCurve]:
        """The error types, those people agree on most first; those hardly used at the end."""

        def score(kind: TypeCurve) -> tuple[bool, float]:
            last = kind.sizes[-1]
            mean = -1.0 if isnan(last.human.mean) else last.human.mean
            return last.empty <= MOSTLY, mean

        return sorted(self.types, key=score, reverse=True)

    def _system(self, name: str) -> SystemAtSize:
        if name not in self.sizes[-1].systems:
            raise InputError(f"there is no system '{name}' (one of: {', '.join(self.systems)})")
        return self.sizes[-1].systems[name]

    def to_dict(self) -> dict[str, Any]:
        """All numbers, in the form the JSON Schema jurybox.ceiling/1 describes."""
        record = envelope("ceiling", self.signature, describe_inputs(self.inputs))
        record |= {"metric": self.metric, "options": dict(self.options)}
        record |= {"annotators": list(self.annotators), "sentences": self.sentences}
        record["documents"] = self.documents
        record["sizes"] = [_size_record(size) for size in self.sizes]
        if self.pairs:
            record["pairwise"] = [pair._asdict() for pair in self.pairs]
        if self.types:
            record["types"] = [_type_record(curve) for curve in self.types]
        if self.curves:
            record["extrapolation"] = {
                "fitted_on": list(self.curves[0].scores.fitted_on),
                "level": self.curves[0].scores.level,
                "curves": {curve.name: _curve_record(curve) for curve in self.curves},
            }
        record["warnings"] = list(self.warnings)
        return record

    def records(self) -> list[dict[str, Any]]:
        """One flat row per size and hypothesis, then pairs, types and extrapolated points."""
        rows: list[dict[str, Any]] = []
        for size in self.sizes:
            base = {"part": "sizes", "annotators": size.annotators}
            base |= {"subsets": size.subsets, "combinations": size.combinations}
            base["references"] = number_or_none(size.references)
            rows.append(
                base
                | {"name": HUMAN, "score": number_or_none(size.human.mean)}
                | _spread_cells(size.human)
                | _interval_cells("score", size.interval)
            )
            for name, system in size.systems.items():
                rows.append(
                    base
                    | {"name": name, "score": number_or_none(system.score.mean)}
                    | {"ratio": number_or_none(system.ratio.value)}
                    | {"ratio_standard_error": number_or_none(system.ratio.standard_error)}
                    | _spread_cells(system.score)
                    | _interval_cells("score", system.interval)
                    | _interval_cells("ratio", system.ratio_interval)
                )
        for pair in self.pairs:
            row = {"part": "pairwise", "annotators": 1, "name": pair.system}
            row |= {"annotator": pair.annotator, "score": pair.f}
            rows.append(row | {"precision": pair.precision, "recall": pair.recall})
        for kind in self.types:
            for at in kind.sizes:
                row = {"part": "types", "annotators": at.annotators, "name": HUMAN}
                row |= {"type": kind.type, "edits": kind.edits}
                row["score"] = number_or_none(at.human.mean)
                row["empty"] = number_or_none(at.empty)
                rows.append(row | _spread_cells(at.human))
        rows += self._extrapolated_records()
        columns = dict.fromkeys(name for row in rows for name in row)
        return [dict.fromkeys(columns) | row | {"signature": self.signature} for row in rows]

    def _extrapolated_records(self) -> Iterator[dict[str, Any]]:
        for curve in self.curves:
            for place, size in enumerate(curve.scores.sizes):
                row = {"part": "extrapolated", "annotators": size, "name": curve.name}
                row["score"] = number_or_none(curve.scores.scores[place])
                row["score_low"] = number_or_none(curve.scores.low[place])
                row["score_high"] = number_or_none(curve.scores.high[place])
                if curve.ratios is not None:
                    row["ratio"] = number_or_none(curve.ratios.scores[place])
                    row["ratio_low"] = number_or_none(curve.ratios.low[place])
                    row["ratio_high"] = number_or_none(curve.ratios.high[place])
                yield row

    def tables(self) -> list[Table]:
        """Scores and ratios; spread and intervals; then what was asked for besides."""
        from jurybox.api.ceiling_tables import CeilingTables

        return CeilingTables(self).all()

    def figure(self) -> Figure:
        """Scores against the number of annotators (Figures 1 and 3), or types (Figure 2)."""
        from jurybox.api.ceiling_figure import draw

        return draw(self)


def _size_record(size: SizeResult) -> dict[str, Any]:
    record: dict[str, Any] = {"annotators": size.annotators, "subsets": size.subsets}
    record |= {"combinations": size.combinations, "references": number_or_none(size.references)}
    record["human"] = number_or_none(size.human.mean)
    if size.reason:
        record["reason"] = size.reason
    record["human_spread"] = _spread_cells(size.human)
    if size.interval is not None:
        record["human_interval"] = interval_record(size.interval)
    record["systems"] = {name: _system_record(system) for name, system in size.systems.items()}
    return record


def _system_record(system: SystemAtSize) -> dict[str, Any]:
    record: dict[str, Any] = {"score": number_or_none(system.score.mean)}
    record["ratio"] = number_or_none(system.ratio.value)
    record["ratio_standard_error"] = number_or_none(system.ratio.standard_error)
    record["spread"] = _spread_cells(system.score)
    if system.interval is not None and system.ratio_interval is not None:
        record["interval"] = interval_record(system.interval)
        record["ratio_interval"] = interval_record(system.ratio_interval)
    return record


def _spread_cells(spread: Spread) -> dict[str, Any]:
    names = ("sd", "low", "high", "standard_error", "undefined")
    return {name: number_or_none(getattr(spread, name)) for name in names}


def _interval_cells(name: str, interval: Interval | None) -> dict[str, Any]:
    if interval is None:
        return {}
    low, high = number_or_none(interval.low), number_or_none(interval.high)
    return {f"{name}_low": low, f"{name}_high": high}


def _type_record(curve: TypeCurve) -> dict[str, Any]:
    sizes = [
        {
            "annotators": at.annotators,
            "subsets": at.human.subsets,
            "human": number_or_none(at.human.mean),
            "empty": number_or_none(at.empty),
            "spread": _spread_cells(at.human),
        }
        for at in curve.sizes
    ]
    return {"type": curve.type, "edits": curve.edits, "sizes": sizes}


def _curve_record(curve: Curve) -> dict[str, Any]:
    points = []
    for place, size in enumerate(curve.scores.sizes):
        point: dict[str, Any] = {"annotators": size}
        for name, made in (("score", curve.scores), ("ratio", curve.ratios)):
            if made is not None:
                point[name] = number_or_none(made.scores[place])
                point[f"{name}_low"] = number_or_none(made.low[place])
                point[f"{name}_high"] = number_or_none(made.high[place])
        points.append(point)
    record: dict[str, Any] = {"limit": number_or_none(curve.scores.limit), "points": points}
    if curve.scores.reason:
        record["reason"] = curve.scores.reason
    if curve.ratios is not None:
        record["ratio_limit"] = number_or_none(curve.ratios.limit)
        if curve.ratios.reason:
            record["ratio_reason"] = curve.ratios.reason
    return record
