"""What `cost` gives back: the cost table of Tetreault et al. (2010), for JSON, CSV and people."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from math import isnan, nan
from typing import Annotated, Any

from jurybox.raters.cost import FROM_0, Terms
from jurybox.raters.cost.pay import show_money
from jurybox.raters.inputs import note_format
from jurybox.records import FLAT, WHEN_SET, Count, computed, plain
from jurybox.results import Inputs, Signature, TabularResult, Warnings
from jurybox.tables import Cell, Column, Table

#: digits of money that people are shown
DIGITS = 4
#: the columns of the CSV
COLUMNS = (
    *("what", "name", "cases", "judgments_per_case", "judgments", "raters", "pay", "paid", "fees"),
    *("total", "hours", "judgments_per_hour", "worked", "pay_per_hour"),
)
ALL = "all"


@dataclass(frozen=True)
class CostRow:
    """What some judgments cost; None or nan where it is not known."""

    cases: Annotated[Count, "Cases judged."]
    judgments: Count
    raters: Annotated[Count, "Raters; 0 for judgments yet to come."]
    pay: Annotated[
        Decimal | None,
        "Pay for one judgment; the mean where it differs; null where it is unknown.",
        FROM_0,
    ] = None
    paid: Annotated[Decimal | None, "Paid to raters.", FROM_0] = None
    fees: Annotated[Decimal | None, "Taken by the marketplace.", FROM_0] = None
    hours: Annotated[float, "Hours from the first judgment to the last."] = nan
    worked: Annotated[float, "Hours of work of all raters together."] = nan

    @computed
    def judgments_per_case(self) -> float:
        """Judgments per case."""
        return self.judgments / self.cases if self.cases else nan

    @computed
    def total(self) -> Annotated[Decimal | None, FROM_0]:
        """What was paid, fees included."""
        return None if self.paid is None or self.fees is None else self.paid + self.fees

    @computed
    def judgments_per_hour(self) -> float:
        """Judgments per hour of elapsed time."""
        return self.judgments / self.hours if self.hours > 0 else nan

    @computed
    def pay_per_hour(self) -> float:
        """What raters earned in an hour of work."""
        return float(self.paid) / self.worked if self.paid is not None and self.worked > 0 else nan


@dataclass(frozen=True)
class NamedCost(CostRow):
    """What a batch cost, or what more judgments would cost."""

    name: Annotated[str, "The batch, or what is projected."] = ""


@dataclass(frozen=True, repr=False)
class CostResult(TabularResult):
    """What judgments cost in money and time."""

    command = "cost"

    options: Terms
    format: Annotated[str, "The format the judgments were read as; memory for judgments in memory."]
    currency: Annotated[str, "Sign or code of the currency; empty where none is named."]
    untimed: Annotated[Count, "Judgments without a time of work, where others have one."]
    whole: Annotated[CostRow, FLAT]
    batches: Annotated[tuple[NamedCost, ...], "A row for every batch, if asked for."]
    signature: Signature
    more: Annotated[NamedCost | None, "What more judgments would cost.", WHEN_SET] = None
    inputs: Inputs = ()
    warnings: Warnings = ()

    @property
    def total(self) -> Decimal | None:
        """What all judgments cost, fees included; None where pay is not known."""
        return self.whole.total

    def records(self) -> list[dict[str, Any]]:
        """A row for all, for every batch, and for what more would cost."""
        rows = [{"what": ALL, "name": ALL, **plain(self.whole)}]
        rows += [{"what": "batch", **plain(one)} for one in self.batches]
        rows += [] if self.more is None else [{"what": "more", **plain(self.more)}]
        return [{name: row[name] for name in COLUMNS} | {"currency": self.currency} for row in rows]

    # --- tables ---

    def tables(self) -> list[Table]:
        """The table of the paper: money and time in a row."""
        shown = [self._cells(one.name, one) for one in self.batches]
        shown.append(self._cells(ALL, self.whole))
        shown += [] if self.more is None else [self._cells(self.more.name, self.more)]
        columns = (
            Column("", text=True),
            Column("cases"),
            Column("judgments per case", digits=2),
            Column("judgments"),
            Column("pay"),
            Column("paid"),
            Column("fees"),
            Column("total"),
            Column("raters"),
            Column("elapsed"),
            Column("judgments per hour", digits=1),
            Column("hours of work", digits=2),
            Column("pay per hour"),
        )
        kept = [k for k in range(len(columns)) if any(row[k] is not None for row in shown)]
        table = Table(
            tuple(columns[k] for k in kept),
            tuple(tuple(row[k] for k in kept) for row in shown),
            notes=(*self._notes(), f"signature: {self.signature}"),
        )
        return [table]

    def _cells(self, name: str, one: CostRow) -> list[Cell]:
        wage = None if isnan(one.pay_per_hour) else Decimal(str(round(one.pay_per_hour, 2)))
        is_more = self.more is not None and one is self.more
        return [
            name,
            None if is_more else one.cases,
            None if is_more else one.judgments_per_case,
            one.judgments,
            self._money(one.pay),
            self._money(one.paid),
            self._money(one.fees),
            self._money(one.total),
            None if is_more else one.raters,
            None if isnan(one.hours) else show_hours(one.hours),
            None if isnan(one.judgments_per_hour) else one.judgments_per_hour,
            None if isnan(one.worked) else one.worked,
            self._money(wage),
        ]

    def _money(self, amount: Decimal | None) -> str | None:
        return None if amount is None else show_money(round(amount, DIGITS), self.currency)

    def _notes(self) -> list[str]:
        notes = note_format(self.format)
        if self.whole.paid is None:
            notes.append("pay unknown; set --pay")
        elif not self.whole.fees:
            notes.append("no fee of the marketplace: --fee 20% adds one")
        if self.untimed and not isnan(self.whole.worked):
            notes.append(f"hours of work: without {self.untimed} judgments that have no time")
        return notes


def show_hours(hours: float) -> str:
    """A time as people say it.

    >>> show_hours(0.5), show_hours(7.25), show_hours(60)
    ('30 min', '7.2 h', '2.5 days')
    """
    if hours < 1:
        return f"{60 * hours:.0f} min"
    return f"{hours:.1f} h" if hours < 48 else f"{hours / 24:.1f} days"
