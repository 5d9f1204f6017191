"""What `plan_sample` gives back: the ways to evaluate a system side by side, and a figure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from jurybox.records import NOT_EMPTY, Count, Key, Limits, Share, computed, plain
from jurybox.results import Inputs, NamedParts, Signature, TabularResult, Warnings, by
from jurybox.sample.options import About
from jurybox.tables import Column, Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: what methods are called in tables
TITLES = {
    "standard": "standard: every case",
    "at-random": "standard: some, at random",
    "neyman": "sampling: Neyman",
    "two-to-one": "sampling: two to one",
    "verification": "verification",
}
#: of the CSV
COLUMNS = (
    *("name", "error", "ok", "cases", "judgments", "hours", "money"),
    *("precision_within", "precision_low", "precision_high"),
    *("recall_within", "recall_low", "recall_high", "reusable"),
)
#: half the way from 0 to 1: an interval that is wider holds every share
WIDEST = 0.5
NOTHING = "> 0.5"
#: whether the judgments serve for other systems too (Tetreault and Chodorow 2008, Table 7)
REUSABLE = ("standard", "at-random")


class Expected(NamedTuple):
    """What is expected of the corpus."""

    flagged: Annotated[
        int, Key("error"), "Cases that the system calls an error.", Limits(minimum=1)
    ]
    passed: Annotated[int, Key("ok"), "Cases that it calls ok.", Limits(minimum=1)]
    precision: Annotated[Share, "Share of errors among the cases called an error."]
    miss_rate: Annotated[Share, "Share of errors among the cases called ok."]

    @property
    def size(self) -> int:
        return self.flagged + self.passed

    @property
    def hits(self) -> float:
        """As a share of all cases."""
        return self.flagged * self.precision / self.size

    @property
    def misses(self) -> float:
        """As a share of all cases."""
        return self.passed * self.miss_rate / self.size

    @computed
    def error_rate(self) -> Share:
        """Share of errors among all cases."""
        return self.hits + self.misses

    @computed
    def recall(self) -> Share:
        """Share of all errors that the system finds."""
        return self.hits / self.error_rate


class Wish(NamedTuple):
    """How sure it should be; null is no wish."""

    precision: Annotated[
        float | None, Key("precision_within"), "Wished half-width of the interval of precision."
    ] = None
    recall: Annotated[
        float | None, Key("recall_within"), "Wished half-width of the interval of recall."
    ] = None
    level: Annotated[Share, "Level of the intervals."] = 0.95
    about: Annotated[
        About,
        "What intervals are about: text of this kind, of which the corpus is a random draw, or "
        "this corpus, these very cases.",
    ] = "text"
    budget: Annotated[Decimal | None, "What may be spent; null: not given."] = None


class Method(NamedTuple):
    """One way to evaluate."""

    name: Annotated[
        str,
        "standard: every case; at-random: some cases, whatever the system says; neyman and "
        "two-to-one: both parts, each at its own rate; verification: only what the system calls "
        "an error.",
        Limits(enum=list(TITLES)),
    ]
    error: Annotated[Count, "Cases to judge among those called an error."]
    ok: Annotated[Count, "Cases to judge among those called ok."]
    judgments: Annotated[Count, "Judgments on all of them."]
    hours: Annotated[float, "Hours of work of all raters together."]
    money: Annotated[Decimal | None, "What the judgments cost; null where no pay is given."]
    precision_within: Annotated[
        float | None,
        "Expected half-width of the interval of precision; null where nothing can be said.",
    ]
    precision_low: Annotated[float | None, "Lower end of that interval."]
    precision_high: Annotated[float | None, "Upper end of that interval."]
    recall_within: Annotated[
        float | None,
        "Expected half-width of the interval of recall; null where nothing can be said.",
    ]
    recall_low: Annotated[float | None, "Lower end of that interval."]
    recall_high: Annotated[float | None, "Upper end of that interval."]

    @computed
    def cases(self) -> Count:
        """Both together."""
        return self.error + self.ok

    @computed
    def reusable(self) -> bool:
        """Whether the judgments serve for other systems as well."""
        return self.name in REUSABLE


class PlanPoint(NamedTuple):
    """How sure one is at a number of cases, by Neyman allocation and by the two-to-one rule."""

    cases: Annotated[Count, "Cases of both parts."]
    judgments: Annotated[Count, "Judgments on them."]
    money: Annotated[Decimal | None, "What they cost; null where no pay is given."]
    precision_within: Annotated[
        float, "Expected half-width of the interval of precision, by Neyman allocation."
    ]
    recall_within: Annotated[float, "The same of recall; null where nothing can be said."]
    ratio_precision_within: Annotated[
        float, "Expected half-width of the interval of precision, by the two-to-one rule."
    ]
    ratio_recall_within: Annotated[float, "The same of recall; null where nothing can be said."]


class Prices(NamedTuple):
    """What judgments cost."""

    pay: Annotated[Decimal | None, "Cost of one judgment; null: not given."]
    currency: Annotated[str, "Sign or code of the currency; empty where none is named."]
    per_hour: Annotated[float, "Judgments that one person makes in an hour."]
    per_case: Annotated[int, "Judgments on each case.", Limits(minimum=1)]

    def money(self, cases: int) -> Decimal | None:
        """What judging so many cases costs."""
        return None if self.pay is None else self.pay * cases * self.per_case


@dataclass(frozen=True, repr=False)
class SamplePlan(TabularResult, NamedParts[str, Method]):
    """How many cases to judge, how sure that makes precision and recall, and what it costs."""

    command = "sample-plan"

    expected: Expected
    wish: Wish
    prices: Prices
    methods: Annotated[tuple[Method, ...], "The ways to evaluate, side by side.", NOT_EMPTY]
    curve: Annotated[
        tuple[PlanPoint, ...], "How sure one is at several numbers of cases.", NOT_EMPTY
    ]
    signature: Signature
    inputs: Inputs = ()
    warnings: Warnings = ()

    def method(self, name: str) -> Method:
        """A method by its name: standard, at-random, neyman, two-to-one, verification."""
        return self[name]

    noun = "method"

    def parts(self) -> Mapping[str, Method]:
        return by("name", self.methods)

    def records(self) -> list[dict[str, Any]]:
        """One row per method."""
        rows = [plain(one) for one in self.methods]
        return [{name: row[name] for name in COLUMNS} for row in rows]

    def tables(self) -> list[Table]:
        """The methods side by side."""
        spent = [] if self.prices.pay is None else [Column(self._money, digits=2)]
        columns = (
            *(Column("method", text=True), *map(Column, ("error", "ok", "judgments"))),
            *(Column("hours", digits=1), *spent, Column("P ±"), Column("R ±")),
            Column("for other systems", text=True),
        )
        rows = tuple(
            (
                TITLES[one.name],
                *(one.error, one.ok, one.judgments, one.hours),
                *([] if one.money is None else [float(one.money)]),
                *(_readable(one.precision_within), _readable(one.recall_within)),
                "yes" if one.reusable else "no",
            )
            for one in self.methods
        )
        return [Table(columns, rows, title="Plan", notes=tuple(self._notes()))]

    @property
    def _money(self) -> str:
        return f"money ({self.prices.currency})" if self.prices.currency else "money"

    def _notes(self) -> list[str]:
        one, wish, prices = self.expected, self.wish, self.prices
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
        each = "1 judgment" if prices.per_case == 1 else f"{prices.per_case} judgments"
        notes += [
            f"{each} a case, {prices.per_hour:g} judgments an hour",
            "± is about this corpus, these very cases (--about text: text of this kind)"
            if wish.about == "corpus"
            else "± is about text of this kind (--about corpus: these very cases)",
        ]
        halves = [half for m in self.methods for half in (m.precision_within, m.recall_within)]
        if NOTHING in map(_readable, halves):
            notes.append(f"{NOTHING}: too few cases to tell anything")
        return [*notes, f"signature: {self.signature}"]

    def figure(self) -> Figure:
        """Half-widths of precision and recall against what is spent."""
        from jurybox.figures import Curve, draw_curves

        spent = "judgments"
        sizes = tuple(point.judgments for point in self.curve)
        if self.prices.pay is not None:
            whole = tuple(round(point.money or 0) for point in self.curve)
            if len(set(whole)) == len(whole):
                spent, sizes = self._money, whole
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


def show_half(half: float | None) -> str:
    """A half-width in a sentence.

    >>> show_half(0.0213), show_half(3975.0)
    ('± 0.0213', 'anything')
    """
    return f"± {half:.4f}" if half is not None and half <= WIDEST else "anything"


def _readable(half: float | None) -> float | str | None:
    """For a table: an interval of a share that is wider than all shares says nothing."""
    return NOTHING if half is not None and half > WIDEST else half
