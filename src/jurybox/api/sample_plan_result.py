"""What `plan_sample` gives back: the ways to evaluate a system side by side, and a figure."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

from jurybox.api.results import GivenFile, TabularResult, describe_inputs, envelope
from jurybox.errors import unknown_name
from jurybox.report.tables import Cell, Column, Table
from jurybox.stats.planning import Expected, Wish

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COMMAND = "sample-plan"
#: what methods are called in tables
TITLES = {
    "standard": "standard: every case",
    "at-random": "standard: some, at random",
    "neyman": "sampling: Neyman",
    "two-to-one": "sampling: two to one",
    "verification": "verification",
}
#: half the way from 0 to 1: an interval that is wider holds every share
WIDEST = 0.5
NOTHING = "> 0.5"
#: whether the judgments serve for other systems too (Tetreault and Chodorow 2008, Table 7)
REUSABLE = ("standard", "at-random")


class Method(NamedTuple):
    """A way to evaluate: cases of each part, what they cost, how sure they make the numbers."""

    name: str
    error: int
    ok: int
    judgments: int
    hours: float
    money: Decimal | None
    precision_within: float  # half-width of the interval; inf where nothing can be said
    recall_within: float

    @property
    def cases(self) -> int:
        return self.error + self.ok


class CurvePoint(NamedTuple):
    """How sure one is at a number of cases, by Neyman allocation and by the two-to-one rule."""

    cases: int
    judgments: int
    money: Decimal | None
    precision_within: float
    recall_within: float
    ratio_precision_within: float
    ratio_recall_within: float


@dataclass(frozen=True)
class SamplePlan(TabularResult):
    """How many cases to judge, by every method, under the same expectations."""

    expected: Expected
    wish: Wish
    methods: tuple[Method, ...]
    curve: tuple[CurvePoint, ...]
    pay: Decimal | None
    currency: str
    per_hour: float
    per_case: int
    budget: Decimal | None
    signature: str
    inputs: tuple[GivenFile, ...] = ()
    warnings: tuple[str, ...] = ()

    def method(self, name: str) -> Method:
        """A method by its name: standard, at-random, neyman, two-to-one, verification."""
        for one in self.methods:
            if one.name == name:
                return one
        raise unknown_name("method", name, [one.name for one in self.methods])

    def to_dict(self) -> dict[str, Any]:
        """Plain values, in the form of the JSON Schema jurybox.sample-plan/1."""
        expected, wish = self.expected, self.wish
        return {
            **envelope(COMMAND, self.signature, describe_inputs(self.inputs)),
            "expected": {
                "error": expected.flagged,
                "ok": expected.passed,
                "precision": expected.precision,
                "recall": expected.recall,
                "error_rate": expected.error_rate,
                "miss_rate": expected.miss_rate,
            },
            "wish": {
                "precision_within": wish.precision,
                "recall_within": wish.recall,
                "level": wish.level,
                "budget": _plain(self.budget),
            },
            "prices": {
                "pay": _plain(self.pay),
                "currency": self.currency,
                "per_hour": self.per_hour,
                "per_case": self.per_case,
            },
            "methods": self.records(),
            "curve": [
                {name: _plain(value) for name, value in point._asdict().items()}
                for point in self.curve
            ],
            "warnings": list(self.warnings),
        }

    def records(self) -> list[dict[str, Any]]:
        """One row per method."""
        return [self._record(one) for one in self.methods]

    def _record(self, one: Method) -> dict[str, Any]:
        low, high = _interval(self.expected.precision, one.precision_within)
        recall_low, recall_high = _interval(self.expected.recall, one.recall_within)
        return {
            "name": one.name,
            "error": one.error,
            "ok": one.ok,
            "cases": one.cases,
            "judgments": one.judgments,
            "hours": one.hours,
            "money": _plain(one.money),
            "precision_within": _plain(one.precision_within),
            "precision_low": low,
            "precision_high": high,
            "recall_within": _plain(one.recall_within),
            "recall_low": recall_low,
            "recall_high": recall_high,
            "reusable": one.name in REUSABLE,
        }

    def tables(self) -> list[Table]:
        """The methods side by side."""
        money = self.pay is not None
        columns = (
            Column("method", text=True),
            *map(Column, ("error", "ok", "judgments")),
            Column("hours", digits=1),
            *([Column(f"money ({self.currency})" if self.currency else "money", digits=2)] * money),
            Column("P ±"),
            Column("R ±"),
            Column("for other systems", text=True),
        )
        rows = tuple(self._row(one) for one in self.methods)
        return [Table(columns, rows, title="Plan", notes=tuple(self._notes()))]

    def _row(self, one: Method) -> tuple[Cell, ...]:
        spent = [] if one.money is None else [float(one.money)]
        return (
            TITLES[one.name],
            *(one.error, one.ok, one.judgments, one.hours, *spent),
            *(_readable(one.precision_within), _readable(one.recall_within)),
            "yes" if one.name in REUSABLE else "no",
        )

    def _notes(self) -> list[str]:
        one, wish = self.expected, self.wish
        notes = [
            f"{one.size} cases: {one.flagged} error, {one.passed} ok",
            f"expected: precision {one.precision:.4f}, recall {one.recall:.4f}, "
            f"error rate {one.error_rate:.4f} ({one.miss_rate:.4f} among those called ok)",
        ]
        wishes = [
            f"{name} ± {half:g}"
            for name, half in (("precision", wish.precision), ("recall", wish.recall))
            if half is not None
        ]
        if wishes:
            notes.append(f"wished: {', '.join(wishes)} at level {wish.level:g}")
        each = "1 judgment" if self.per_case == 1 else f"{self.per_case} judgments"
        notes.append(f"{each} a case, {self.per_hour:g} judgments an hour")
        notes.append("± is about these very cases, as jurybox sample estimate --finite gives it")
        halves = [half for one in self.methods for half in one[-2:]]
        if any(_says_nothing(half) for half in halves):
            notes.append(f"{NOTHING}: too few cases to tell anything")
        return [*notes, f"signature: {self.signature}"]

    def figure(self) -> Figure:
        """Half-widths of precision and recall against what is spent."""
        from jurybox.report.figures import Curve, draw_curves

        spent = "judgments"
        sizes = tuple(point.judgments for point in self.curve)
        if self.pay is not None:
            whole = tuple(round(point.money or 0) for point in self.curve)
            if len(set(whole)) == len(whole):
                spent = f"money ({self.currency})" if self.currency else "money"
                sizes = whole
        names = {
            "recall, Neyman": "recall_within",
            "recall, two to one": "ratio_recall_within",
            "precision, Neyman": "precision_within",
            "precision, two to one": "ratio_precision_within",
        }
        curves = [
            Curve(name, sizes, tuple(getattr(point, field) for point in self.curve))
            for name, field in names.items()
        ]
        return draw_curves(
            curves,
            title="How sure a budget makes precision and recall",
            score="half-width of the interval, in points of 100",
            size_label=spent,
            note=f"Level {self.wish.level:g}, normal approximation.",
        )


def show_half(half: float) -> str:
    """A half-width in a sentence.

    >>> show_half(0.0213), show_half(3975.0)
    ('± 0.0213', 'anything')
    """
    return f"± {half:.4f}" if half <= WIDEST else "anything"


def _readable(half: float) -> float | str | None:
    """For a table: an interval of a share that is wider than all shares says nothing."""
    return NOTHING if _says_nothing(half) else _plain(half)


def _says_nothing(half: float) -> bool:
    return isfinite(half) and half > WIDEST


def _plain(value: Decimal | float | None) -> float | None:
    """For JSON, which has no infinity: unknown is null."""
    if value is None or isinstance(value, int):
        return value
    return float(value) if isfinite(value) else None


def _interval(value: float, half: float) -> tuple[float | None, float | None]:
    if not isfinite(half):
        return None, None
    return max(value - half, 0.0), min(value + half, 1.0)
