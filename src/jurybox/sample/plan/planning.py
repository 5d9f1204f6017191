"""How `plan_sample` plans: sizes of the parts, every method, a curve, and warnings."""

from __future__ import annotations

import warnings
from decimal import Decimal
from math import ceil, isfinite

from jurybox.errors import InputError, JuryboxWarning, UsageError, collecting_warnings
from jurybox.formats import Input
from jurybox.raters.cost.pay import parse_money
from jurybox.sample.draw.drawing import StratifiedReservoir
from jurybox.sample.plan import Money, PlanSample
from jurybox.sample.plan.result import Method, PlanPoint, Prices, SamplePlan, show_half
from jurybox.sample.plan.sizes import (
    FEW,
    Allocation,
    Certainty,
    Expected,
    Wish,
    at_random,
    certainty,
    expect,
    plan_at_random,
    plan_neyman,
    plan_ratio,
    spend,
    spend_ratio,
)
from jurybox.sample.reading import DecisionFile, read_strata
from jurybox.signature import signature
from jurybox.streams import stream

#: budgets at which the figure shows how sure one can be
POINTS = 24
#: half-width and interval where nothing can be said
_OPEN = (None, None, None)


def plan(call: PlanSample) -> SamplePlan:
    """Count the parts, then plan for the wish or for the budget."""
    pay, currency = (None, "") if call.pay is None else _amount("--pay", call.pay)
    prices = Prices(pay, currency, call.per_hour, call.per_case)
    budget, budget_currency = (
        (None, "") if call.budget is None else _amount("--budget", call.budget)
    )
    wish = Wish(call.precision_within, call.recall_within, call.ci_level, call.about, budget)
    inputs: tuple[Input, ...] = ()
    with collecting_warnings() as messages:
        if call.decisions is not None:
            read = DecisionFile.of(
                call.decisions, columns=call.columns, labels=call.relabel, threshold=call.threshold
            )
            nothing = StratifiedReservoir(stream(0, "nothing"), most=0)
            error, ok = (one.size for one in read_strata(read, (), nothing))
            inputs = () if read.in_memory else (read.source,)
        elif call.error is None or call.ok is None:
            raise UsageError(
                "say how large the parts are, with --size error=N ok=M, or name the decisions"
            )
        else:
            error, ok = call.error, call.ok
        expected = expect(error, ok, precision=call.precision, error_rate=call.error_rate)
        affordable = None
        if budget is not None:
            affordable = _affordable(budget, budget_currency, prices)
        planner = _Planner(expected, wish, prices)
        if wish.precision is None and wish.recall is None:
            if affordable is None:
                raise UsageError(
                    "say how sure it should be, with --precision-within or --recall-within, or "
                    "what may be spent, with --budget and --pay"
                )
            methods = planner.for_budget(affordable)
        else:
            methods = planner.for_wish()
            planner.warn_of_small_corpus()
            if affordable is not None:
                planner.compare_with_budget(methods, affordable)
        _warn_of_few(methods, expected)
    return SamplePlan(
        expected=expected,
        wish=wish,
        prices=prices,
        methods=tuple(methods),
        curve=planner.curve(methods),
        signature=signature(
            "sample",
            task="plan",
            error=error,
            ok=ok,
            precision=call.precision,
            rate=call.error_rate,
            pwithin=call.precision_within,
            rwithin=call.recall_within,
            budget=None if budget is None else f"{budget:f}",
            pay=None if pay is None else f"{pay:f}",
            hourly=call.per_hour,
            judgments=call.per_case,
            level=call.ci_level,
            about=call.about,
            threshold=call.threshold,
        ),
        inputs=inputs,
        warnings=tuple(messages),
    )


def _amount(flag: str, given: Money) -> tuple[Decimal, str]:
    """An amount and its currency, '' where none is named."""
    try:
        amount, currency = parse_money(str(given))
    except InputError as error:
        raise UsageError(f"{flag}: {error}") from None
    if not amount:
        raise UsageError(f"{flag} must be more than 0")
    return amount, currency


def _affordable(budget: Decimal, currency: str, prices: Prices) -> int:
    """How many cases the budget is enough for."""
    if prices.pay is None:
        raise UsageError("--budget needs --pay: what one judgment costs")
    if currency and prices.currency and currency != prices.currency:
        raise UsageError(f"--budget is in {currency}, --pay in {prices.currency}; use one of them")
    cases = int(budget / (prices.pay * prices.per_case))
    if cases < 2:
        raise UsageError(f"--budget {budget:f} is enough for {cases} cases; it takes two at least")
    return cases


class _Planner:
    """Methods under the same expectations, wishes and prices."""

    def __init__(self, expected: Expected, wish: Wish, prices: Prices) -> None:
        self._expected, self._wish, self._prices = expected, wish, prices
        self._all = Allocation(expected.flagged, expected.passed)

    def for_wish(self) -> list[Method]:
        expected, wish = self._expected, self._wish
        some = plan_at_random(expected, wish)
        neyman = plan_neyman(expected, wish)
        methods = [self._sampling("standard", self._all), self._some(some)]
        if wish.recall is None:
            _warn("no --recall-within: verification is enough, and says nothing about recall")
        else:
            methods += [
                self._sampling("neyman", neyman),
                self._sampling("two-to-one", plan_ratio(expected, wish)),
            ]
        return [*methods, self._sampling("verification", Allocation(neyman.flagged, 0))]

    def for_budget(self, cases: int) -> list[Method]:
        expected = self._expected
        return [
            self._sampling("standard", self._all),
            self._some(min(cases, expected.size)),
            self._sampling("neyman", spend(expected, cases)),
            self._sampling("two-to-one", spend_ratio(expected, cases)),
            self._sampling("verification", spend(expected, cases, for_recall=False)),
        ]

    def _some(self, cases: int) -> Method:
        """Annotating a part of the corpus, whatever the system says."""
        flagged = round(cases * self._expected.flagged / self._expected.size)
        found = at_random(self._expected, cases, self._wish.level, self._wish.about)
        return self._method("at-random", Allocation(flagged, cases - flagged), found)

    def _sampling(self, name: str, drawn: Allocation) -> Method:
        return self._method(name, drawn, self._certainty(drawn))

    def _certainty(self, drawn: Allocation) -> Certainty:
        return certainty(self._expected, drawn, self._wish.level, self._wish.about)

    def _method(self, name: str, drawn: Allocation, found: Certainty) -> Method:
        values = (self._expected.precision, self._expected.recall)
        precision, recall = (
            (half, max(value - half, 0.0), min(value + half, 1.0)) if isfinite(half) else _OPEN
            for value, half in zip(values, found, strict=True)
        )
        return Method(
            name=name,
            error=drawn.flagged,
            ok=drawn.passed,
            judgments=drawn.cases * self._prices.per_case,
            hours=drawn.cases * self._prices.per_case / self._prices.per_hour,
            money=self._prices.money(drawn.cases),
            precision_within=precision[0],
            precision_low=precision[1],
            precision_high=precision[2],
            recall_within=recall[0],
            recall_low=recall[1],
            recall_high=recall[2],
        )

    def curve(self, methods: list[Method]) -> tuple[PlanPoint, ...]:
        """How sure one can be, from a tenth of the planned cases to three times as many."""
        planned = next(m.cases for m in methods if m.name in ("neyman", "verification"))
        most = min(3 * planned, self._expected.size)
        least = min(max(planned // 10, 4), most)
        numbers = sorted({round(least + (most - least) * k / (POINTS - 1)) for k in range(POINTS)})
        return tuple(
            PlanPoint(
                cases,
                cases * self._prices.per_case,
                self._prices.money(cases),
                *self._certainty(spend(self._expected, cases)),
                *self._certainty(spend_ratio(self._expected, cases)),
            )
            for cases in numbers
        )

    def compare_with_budget(self, methods: list[Method], affordable: int) -> None:
        """Where the wish costs more than the budget: what the budget can buy."""
        for_recall = self._wish.recall is not None
        cheapest = min(m.cases for m in methods if not for_recall or m.name != "verification")
        if cheapest <= affordable:
            return
        drawn = spend(self._expected, affordable, for_recall=for_recall)
        found = self._certainty(drawn)
        recall = f", recall {show_half(found.recall)}" if for_recall else ""
        _warn(
            f"--budget is enough for {affordable} cases, and what is wished takes {cheapest}; "
            f"with {drawn.flagged} of error and {drawn.passed} of ok it gives precision "
            f"{show_half(found.precision)}{recall}"
        )

    def warn_of_small_corpus(self) -> None:
        """Where not even judging every case makes a wish about text of this kind come true."""
        size, best = self._expected.size, self._certainty(self._all)
        for name in ("precision", "recall"):
            asked, half = getattr(self._wish, name), getattr(best, name)
            if asked is not None and half > asked:
                _warn(
                    f"judging all {size} cases leaves {name} {show_half(half)} about text of this "
                    f"kind; {name} ± {asked:g} takes a corpus of about "
                    f"{ceil(size * (half / asked) ** 2)} cases, or ask about this one with "
                    "--about corpus"
                )


def _warn_of_few(methods: list[Method], expected: Expected) -> None:
    """Where the normal approximation is a rough guess, and where a part is judged as a whole."""
    chosen = next((m for m in methods if m.name == "neyman"), methods[-1])
    awaited = {
        "hits": chosen.error * expected.precision,
        "false positives": chosen.error * (1 - expected.precision),
        **({"misses": chosen.ok * expected.miss_rate} if chosen.ok else {}),
    }
    few = [f"{number:.1f} {what}" for what, number in awaited.items() if number < FEW]
    if few:
        listed = " and ".join([", ".join(few[:-1]), few[-1]] if few[1:] else few)
        _warn(
            f"only {listed} are expected in the sample: intervals will be wider than planned; "
            "jurybox sample simulate shows by how much"
        )
    for part, drawn, size in (
        ("error", chosen.error, expected.flagged),
        ("ok", chosen.ok, expected.passed),
    ):
        if drawn == size:
            _warn(f"the wish takes every one of the {size} cases of part '{part}'")


def _warn(message: str) -> None:
    warnings.warn(message, JuryboxWarning, stacklevel=3)
