"""`measure`: every measure for four counts, as out of someone's paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any

from jurybox.api.results import TabularResult, envelope, number_or_none
from jurybox.errors import UsageError
from jurybox.measures import MeasureValue, all_measures
from jurybox.model import Counts
from jurybox.report.tables import Cell, Column, Table
from jurybox.signature import signature

LARGEST = 1e15  # beyond this whole numbers are no longer exact


@dataclass(frozen=True, slots=True)
class MeasureResult(TabularResult):
    """All measures of one table of counts; undefined ones say why."""

    counts: Counts
    tn_known: bool
    beta: float
    signature: str
    values: tuple[MeasureValue, ...]

    def to_dict(self) -> dict[str, Any]:
        """All numbers, in the form the JSON Schema jurybox.measures/1 describes."""
        counts = {"tp": self.counts.tp, "fp": self.counts.fp, "fn": self.counts.fn}
        return envelope("measures", self.signature, []) | {
            "beta": self.beta,
            "counts": counts | {"tn": self.counts.tn if self.tn_known else None},
            "measures": {value.name: number_or_none(value.value) for value in self.values},
            "undefined": {value.name: value.reason for value in self.values if value.reason},
        }

    def records(self) -> list[dict[str, Any]]:
        """One row per measure."""
        return [
            {"measure": v.name, "value": number_or_none(v.value), "reason": v.reason}
            for v in self.values
        ]

    def tables(self) -> list[Table]:
        """One row per measure."""
        columns = (Column("measure", text=True), Column("value"), Column("", text=True))
        rows: tuple[Sequence[Cell], ...] = tuple(
            (v.title, v.value, v.reason if isnan(v.value) else "") for v in self.values
        )
        shown = f"TP {self.counts.tp:g}, FP {self.counts.fp:g}, FN {self.counts.fn:g}"
        shown += f", TN {self.counts.tn:g}" if self.tn_known else " (TN not given)"
        return [Table(columns, rows, title=shown, notes=(f"signature: {self.signature}",))]


def measure(
    tp: float, fp: float, fn: float, tn: float | None = None, *, beta: float = 0.5
) -> MeasureResult:
    """Every measure jurybox knows, for counts (whole, weighted or shares).

    >>> round(measure(12, 18, 28, 42).to_dict()["measures"]["accuracy"], 2)
    0.54
    """
    counts = Counts(tp, fp, fn, tn or 0)
    if tp + fp + fn + (tn or 0) > LARGEST:
        raise UsageError(f"counts above {LARGEST:g} in all cannot be computed with; use shares")
    values = all_measures(counts, beta=beta, tn_known=tn is not None)
    return MeasureResult(
        counts, tn is not None, beta, signature("measures", beta=beta), tuple(values)
    )
