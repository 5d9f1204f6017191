"""What `cost` gives back: the cost table of Tetreault et al. (2010), for JSON, CSV and people."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from math import isnan, nan
from typing import Any, NamedTuple

from jurybox.api.read_as import note_format
from jurybox.api.results import GivenFile, TabularResult, describe_inputs, envelope, number_or_none
from jurybox.report.tables import Cell, Column, Table

#: digits of money that people are shown
DIGITS = 4


class CostRow(NamedTuple):
    """What some judgments cost; None or nan where it is not known."""

    name: str
    cases: int
    judgments: int
    raters: int
    pay: Decimal | None = None  # for one judgment; the mean where it differs
    paid: Decimal | None = None  # to raters
    fees: Decimal | None = None
    hours: float = nan  # from the first judgment to the last
    worked: float = nan  # hours of work of all raters together

    @property
    def judgments_per_case(self) -> float:
        return self.judgments / self.cases if self.cases else nan

    @property
    def total(self) -> Decimal | None:
        """What was paid, fees included."""
        return None if self.paid is None or self.fees is None else self.paid + self.fees

    @property
    def judgments_per_hour(self) -> float:
        """Per hour of elapsed time."""
        return self.judgments / self.hours if self.hours > 0 else nan

    @property
    def pay_per_hour(self) -> float:
        """What raters earned in an hour of work."""
        return float(self.paid) / self.worked if self.paid is not None and self.worked > 0 else nan

    def to_dict(self) -> dict[str, Any]:
        """Plain values; money as numbers."""
        return {
            "name": self.name,
            "cases": self.cases,
            "judgments_per_case": number_or_none(self.judgments_per_case),
            "judgments": self.judgments,
            "raters": self.raters,
            "pay": _plain(self.pay),
            "paid": _plain(self.paid),
            "fees": _plain(self.fees),
            "total": _plain(self.total),
            "hours": number_or_none(self.hours),
            "judgments_per_hour": number_or_none(self.judgments_per_hour),
            "worked": number_or_none(self.worked),
            "pay_per_hour": number_or_none(self.pay_per_hour),
        }


def _plain(amount: Decimal | None) -> float | None:
    return None if amount is None else float(amount)


@dataclass(frozen=True)
class CostResult(TabularResult):
    """All judgments, batches of them, and what more would cost."""

    whole: CostRow
    batches: tuple[CostRow, ...]
    more: CostRow | None
    currency: str
    untimed: int  # judgments without a time of work
    format: str
    options: dict[str, Any]
    signature: str
    inputs: tuple[GivenFile, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def total(self) -> Decimal | None:
        """What all judgments cost, fees included; None where pay is not known."""
        return self.whole.total

    def to_dict(self) -> dict[str, Any]:
        """Every number, in the form of the JSON Schema jurybox.cost/1."""
        record = envelope("cost", self.signature, describe_inputs(self.inputs)) | {
            "options": self.options,
            "format": self.format,
            "currency": self.currency,
            "untimed": self.untimed,
            **{name: value for name, value in self.whole.to_dict().items() if name != "name"},
            "batches": [one.to_dict() for one in self.batches],
        }
        if self.more is not None:
            record["more"] = self.more.to_dict()
        return record | {"warnings": list(self.warnings)}

    def records(self) -> list[dict[str, Any]]:
        """A row for all, for every batch, and for what more would cost."""
        rows = [("all", self.whole), *(("batch", one) for one in self.batches)]
        rows += [] if self.more is None else [("more", self.more)]
        return [{"what": what, **one.to_dict(), "currency": self.currency} for what, one in rows]

    # --- tables ---

    def tables(self) -> list[Table]:
        """The table of the paper: money and time in a row."""
        rows = [*self.batches, self.whole]
        rows += [] if self.more is None else [self.more]
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
        shown = [self._cells(one) for one in rows]
        kept = [k for k in range(len(columns)) if any(row[k] is not None for row in shown)]
        table = Table(
            tuple(columns[k] for k in kept),
            tuple(tuple(row[k] for k in kept) for row in shown),
            notes=(*self._notes(), f"signature: {self.signature}"),
        )
        return [table]

    def _cells(self, one: CostRow) -> list[Cell]:
        wage = None if isnan(one.pay_per_hour) else Decimal(str(round(one.pay_per_hour, 2)))
        is_more = self.more is not None and one is self.more
        return [
            one.name,
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
        from jurybox.raters.cost import show_money

        if amount is None:
            return None
        return show_money(round(amount, DIGITS), self.currency)

    def _notes(self) -> list[str]:
        notes = note_format(self.format)
        if self.whole.paid is None:
            notes.append("what was paid is not told: --pay says it")
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
