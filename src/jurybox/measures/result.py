"""What `measure` gives back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isclose, isnan
from typing import Annotated, Any, NamedTuple

from jurybox.measures import MeasuredCounts
from jurybox.metrics.measures import MEASURES, MeasureValue, all_measures
from jurybox.model import Counts
from jurybox.options import signature
from jurybox.records import Limits, plain
from jurybox.results import Inputs, NamedParts, Signature, TabularResult, by
from jurybox.tables import Cell, Column, Table, signed

Amount = Annotated[float, Limits(minimum=0)]


class GivenCounts(NamedTuple):
    """Counts as they were given."""

    tp: Annotated[Amount, "True positives."]
    fp: Annotated[Amount, "False positives."]
    fn: Annotated[Amount, "False negatives."]
    tn: Annotated[float | None, "True negatives; null where they are unknown.", Limits(minimum=0)]


@dataclass(frozen=True, repr=False)
class MeasureResult(TabularResult, NamedParts[str, MeasureValue]):
    """All measures of one table of counts; undefined ones say why."""

    command = "measures"

    beta: Annotated[
        float, "Weight of recall against precision in F.", Limits(minimum=0.001, maximum=1000)
    ]
    counts: Annotated[GivenCounts, "The counts as given."]
    measures: Annotated[
        Mapping[str, float],
        "Value of every measure, null where it is undefined. Later versions may add measures.",
        Limits(required=list(MEASURES)),
    ]
    undefined: Annotated[Mapping[str, str], "Why measures are undefined, by their names."]
    signature: Signature
    inputs: Inputs = ()

    noun = "measure"

    @property
    def values(self) -> tuple[MeasureValue, ...]:
        """Every measure with its title, its value and why it has none."""
        return tuple(
            MeasureValue(name, title_of(name, self.beta), value, self.undefined.get(name, ""))
            for name, value in self.measures.items()
        )

    def parts(self) -> Mapping[str, MeasureValue]:
        return by("name", self.values)

    def records(self) -> list[dict[str, Any]]:
        """One row per measure."""
        return [
            {"measure": one.name, "value": plain(one.value), "reason": one.reason}
            for one in self.values
        ]

    def tables(self) -> list[Table]:
        """One row per measure, then what accuracy and kappa come from."""
        columns = (Column("measure", text=True), Column("value"), Column("", text=True))
        rows: tuple[Sequence[Cell], ...] = tuple(
            (one.title, one.value, one.reason if isnan(one.value) else "") for one in self.values
        )
        tp, fp, fn, tn = self.counts
        shown = f"TP {tp:g}, FP {fp:g}, FN {fn:g}"
        shown += " (TN not given)" if tn is None else f", TN {tn:g}"
        tables = [Table(columns, rows, title=shown)]
        if tn is not None and tp + fp + fn + tn:
            tables.append(self._contingency_table(tn))
        return signed(tables, self.signature)

    def _contingency_table(self, tn: float) -> Table:
        """Counts with proportions and margins (Figures 5 to 10 of Chodorow et al. 2012)."""
        tp, fp, fn, _ = self.counts
        n = tp + fp + fn + tn

        def cell(name: str, count: float) -> str:
            share = "" if isclose(n, 1) else f" ({count / n:.4f})"
            return f"{name} {count:g}{share}"

        margin = (f"{(tp + fn) / n:.4f} (prevalence)", f"{(fp + tn) / n:.4f}", "")
        rows = (
            ("error (+)", cell("TP", tp), cell("FP", fp), f"{(tp + fp) / n:.4f} (bias)"),
            ("no error (-)", cell("FN", fn), cell("TN", tn), f"{(fn + tn) / n:.4f}"),
            ("marginal proportion", *margin),
        )
        titles = ("system", "truth: error (+)", "truth: no error (-)", "marginal proportion")
        a, chance, kappa = (
            f"{self.measures[name]:z.4f}" for name in ("accuracy", "chance_accuracy", "cohen_kappa")
        )
        note = f"kappa = (A - E(A)) / (1 - E(A)) = ({a} - {chance}) / (1 - {chance}) = {kappa}"
        notes = () if "cohen_kappa" in self.undefined else (note,)
        columns = tuple(Column(title, text=True) for title in titles)
        return Table(columns, rows, title="Contingency table", notes=notes)


def title_of(name: str, beta: float) -> str:
    """What a measure is called; one that is not known by its own name.

    >>> title_of("f_beta", 0.5), title_of("recall", 0.5)
    ('F0.5', 'Recall')
    """
    if name not in MEASURES:
        return name
    measure = MEASURES[name]
    return f"{measure.title}{beta:g}" if measure.takes_beta else measure.title


def measure_counts(call: MeasuredCounts) -> MeasureResult:
    """Every measure of four counts."""
    counts = GivenCounts(call.tp, call.fp, call.fn, call.tn)
    values = all_measures(
        Counts(call.tp, call.fp, call.fn, call.tn or 0),
        beta=call.beta,
        tn_known=call.tn is not None,
    )
    return MeasureResult(
        beta=call.beta,
        counts=counts,
        measures={one.name: one.value for one in values},
        undefined={one.name: one.reason for one in values if one.reason},
        signature=signature("measures", beta=call.beta),
    )
