"""`plan_sample`: how many cases to judge, how sure that makes precision and recall, what it costs.

The ways compared are those of Tetreault and Chodorow (2008, section 6.4): standard (every case is
annotated), sampling (both parts, each at a rate of its own) and verification (only what the system
flags).
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from jurybox.api.sample_plan_result import CurvePoint, Method, SamplePlan, show_half
from jurybox.api.sample_reading import DecisionFile, GivenDecisions, read_strata
from jurybox.api.score import collecting_warnings
from jurybox.errors import InputError, JuryboxWarning, UsageError
from jurybox.formats import Input
from jurybox.signature import signature

if TYPE_CHECKING:
    from jurybox.stats.planning import Allocation, Certainty, Expected, Wish

#: judgments in an hour: 500 in 4 hours (Tetreault and Chodorow 2008, section 6)
PER_HOUR = 125.0
#: budgets at which the figure shows how sure one can be
POINTS = 24
Money = str | Decimal | float


@dataclass(frozen=True)
class _Prices:
    """What a judgment costs, and how fast people are."""

    pay: Decimal | None
    currency: str
    per_hour: float
    per_case: int  # judgments

    def money(self, cases: int) -> Decimal | None:
        return None if self.pay is None else self.pay * cases * self.per_case

    def hours(self, cases: int) -> float:
        return cases * self.per_case / self.per_hour


def plan_sample(
    decisions: GivenDecisions | None = None,
    *,
    error: int | None = None,
    ok: int | None = None,
    precision: float,
    error_rate: float,
    precision_within: float | None = None,
    recall_within: float | None = None,
    budget: Money | None = None,
    pay: Money | None = None,
    per_hour: float = PER_HOUR,
    per_case: int = 1,
    ci_level: float = 0.95,
    threshold: float | None = None,
    columns: Mapping[str, str] | None = None,
    labels: Mapping[str, str] | None = None,
) -> SamplePlan:
    """How many cases to draw from what a system calls an error and from what it calls ok.

    The parts are counted in `decisions`, or `error` and `ok` say how large they are. `precision`
    and `error_rate` are what is expected. `precision_within` and `recall_within` are wished
    half-widths of intervals; without them, `budget` says what may be spent, at `pay` for each
    judgment and `per_case` judgments on each case.

    >>> plan = plan_sample(
    ...     error=1000, ok=9000, precision=0.8, error_rate=0.35,
    ...     precision_within=0.03, recall_within=0.02,
    ... )
    >>> plan.method("neyman").error, plan.method("neyman").ok
    (407, 720)
    """
    from jurybox.stats.planning import Wish, expect

    prices = _prices(pay, per_hour, per_case)
    wish = Wish(precision_within, recall_within, ci_level)
    inputs: tuple[Input, ...] = ()
    with collecting_warnings() as messages:
        if decisions is None:
            sizes = _given_sizes(error, ok)
        elif error is not None or ok is not None:
            raise UsageError("the decisions tell how large the parts are; leave --size out")
        else:
            read = DecisionFile.of(decisions, columns=columns, labels=labels, threshold=threshold)
            sizes = _count(read)
            inputs = () if read.in_memory else (read.source,)
        expected = expect(*sizes, precision=precision, error_rate=error_rate)
        affordable = _affordable(budget, prices)
        if precision_within is None and recall_within is None:
            if affordable is None:
                raise UsageError(
                    "say how sure it should be, with --precision-within or --recall-within, or "
                    "what may be spent, with --budget and --pay"
                )
            methods = _methods_for_budget(expected, affordable, wish, prices)
        else:
            methods = _methods_for_wish(expected, wish, prices)
            _compare_with_budget(methods, expected, affordable, wish)
        _warn_of_few(methods, expected)
    return SamplePlan(
        expected=expected,
        wish=wish,
        methods=tuple(methods),
        curve=_curve(expected, methods, wish, prices),
        pay=prices.pay,
        currency=prices.currency,
        per_hour=per_hour,
        per_case=per_case,
        budget=None if budget is None else _amount("--budget", budget)[0],
        signature=signature(
            "sample",
            task="plan",
            error=sizes[0],
            ok=sizes[1],
            precision=precision,
            rate=error_rate,
            pwithin=precision_within,
            rwithin=recall_within,
            budget=None if budget is None else f"{_amount('--budget', budget)[0]:f}",
            pay=None if prices.pay is None else f"{prices.pay:f}",
            hourly=per_hour,
            judgments=per_case,
            level=ci_level,
            threshold=threshold,
        ),
        inputs=inputs,
        warnings=tuple(messages),
    )


def _prices(pay: Money | None, per_hour: float, per_case: int) -> _Prices:
    if not per_hour > 0:
        raise UsageError(f"--per-hour: judgments in an hour, more than 0, not {per_hour:g}")
    if per_case < 1:
        raise UsageError(f"--per-case: judgments on each case, from 1 up, not {per_case}")
    amount, currency = (None, "") if pay is None else _amount("--pay", pay)
    return _Prices(amount, currency, per_hour, per_case)


def _amount(flag: str, given: Money) -> tuple[Decimal, str]:
    """An amount and its currency, '' where none is named."""
    from jurybox.raters.cost import parse_money

    try:
        amount, currency = parse_money(str(given))
    except InputError as error:
        raise UsageError(f"{flag}: {error}") from None
    if not amount:
        raise UsageError(f"{flag} must be more than 0")
    return amount, currency


def _given_sizes(error: int | None, ok: int | None) -> tuple[int, int]:
    if error is None or ok is None:
        raise UsageError(
            "say how large the parts are, with --size error=N ok=M, or name the decisions"
        )
    return error, ok


def _count(decisions: DecisionFile) -> tuple[int, int]:
    """How many cases the system calls an error, and how many ok."""
    import numpy as np

    from jurybox.stats.drawing import StratifiedReservoir

    nothing = StratifiedReservoir(np.random.default_rng(0), most=0)
    flagged, passed = read_strata(decisions, (), nothing)
    return flagged.size, passed.size


def _affordable(budget: Money | None, prices: _Prices) -> int | None:
    """How many cases the budget is enough for."""
    if budget is None:
        return None
    amount, currency = _amount("--budget", budget)
    if prices.pay is None:
        raise UsageError("--budget needs --pay: what one judgment costs")
    if currency and prices.currency and currency != prices.currency:
        raise UsageError(f"--budget is in {currency}, --pay in {prices.currency}; use one of them")
    cases = int(amount / (prices.pay * prices.per_case))
    if cases < 2:
        raise UsageError(f"--budget {amount:f} is enough for {cases} cases; it takes two at least")
    return cases


def _methods_for_wish(expected: Expected, wish: Wish, prices: _Prices) -> list[Method]:
    from jurybox.stats import planning

    some = planning.plan_at_random(expected, wish)
    neyman = planning.plan_neyman(expected, wish)
    methods = [_all(expected, prices), _some(expected, some, wish, prices)]
    if wish.recall is None:
        _warn("no --recall-within: verification is enough, and says nothing about recall")
    else:
        ratio = planning.plan_ratio(expected, wish)
        methods += [
            _sampling("neyman", expected, neyman, wish, prices),
            _sampling("two-to-one", expected, ratio, wish, prices),
        ]
    alone = planning.Allocation(neyman.flagged, 0)
    return [*methods, _sampling("verification", expected, alone, wish, prices)]


def _methods_for_budget(
    expected: Expected, cases: int, wish: Wish, prices: _Prices
) -> list[Method]:
    from jurybox.stats import planning

    alone = planning.spend(expected, cases, for_recall=False)
    return [
        _all(expected, prices),
        _some(expected, min(cases, expected.size), wish, prices),
        _sampling("neyman", expected, planning.spend(expected, cases), wish, prices),
        _sampling("two-to-one", expected, planning.spend_ratio(expected, cases), wish, prices),
        _sampling("verification", expected, alone, wish, prices),
    ]


def _all(expected: Expected, prices: _Prices) -> Method:
    from jurybox.stats.planning import Allocation, Certainty

    whole = Allocation(expected.flagged, expected.passed)
    return _method("standard", whole, Certainty(0.0, 0.0), prices)


def _some(expected: Expected, cases: int, wish: Wish, prices: _Prices) -> Method:
    """Annotating a part of the corpus, whatever the system says."""
    from jurybox.stats.planning import Allocation, at_random

    flagged = round(cases * expected.flagged / expected.size)
    drawn = Allocation(flagged, cases - flagged)
    return _method("at-random", drawn, at_random(expected, cases, wish.level), prices)


def _sampling(
    name: str, expected: Expected, drawn: Allocation, wish: Wish, prices: _Prices
) -> Method:
    from jurybox.stats.planning import certainty

    return _method(name, drawn, certainty(expected, drawn, wish.level), prices)


def _method(name: str, drawn: Allocation, found: Certainty, prices: _Prices) -> Method:
    return Method(
        name=name,
        error=drawn.flagged,
        ok=drawn.passed,
        judgments=drawn.cases * prices.per_case,
        hours=prices.hours(drawn.cases),
        money=prices.money(drawn.cases),
        precision_within=found.precision,
        recall_within=found.recall,
    )


def _curve(
    expected: Expected, methods: list[Method], wish: Wish, prices: _Prices
) -> tuple[CurvePoint, ...]:
    """How sure one can be, from a tenth of the planned cases to three times as many."""
    from jurybox.stats import planning

    planned = next(m.cases for m in methods if m.name in ("neyman", "verification"))
    most = min(3 * planned, expected.size)
    least = min(max(planned // 10, 4), most)
    numbers = sorted({round(least + (most - least) * k / (POINTS - 1)) for k in range(POINTS)})
    points = []
    for cases in numbers:
        best = planning.certainty(expected, planning.spend(expected, cases), wish.level)
        ratio = planning.certainty(expected, planning.spend_ratio(expected, cases), wish.level)
        points.append(
            CurvePoint(
                cases,
                cases * prices.per_case,
                prices.money(cases),
                *(best.precision, best.recall, ratio.precision, ratio.recall),
            )
        )
    return tuple(points)


def _compare_with_budget(
    methods: list[Method], expected: Expected, affordable: int | None, wish: Wish
) -> None:
    from jurybox.stats import planning

    cheapest = min(
        (m for m in methods if wish.recall is None or m.name != "verification"),
        key=lambda m: m.cases,
    )
    if affordable is None or cheapest.cases <= affordable:
        return
    drawn = planning.spend(expected, affordable, for_recall=wish.recall is not None)
    found = planning.certainty(expected, drawn, wish.level)
    recall = f", recall {show_half(found.recall)}" if wish.recall is not None else ""
    _warn(
        f"--budget is enough for {affordable} cases, and what is wished takes {cheapest.cases}; "
        f"with {drawn.flagged} of error and {drawn.passed} of ok it gives precision "
        f"{show_half(found.precision)}{recall}"
    )


def _warn_of_few(methods: list[Method], expected: Expected) -> None:
    """Where the normal approximation is a rough guess, and where a part is judged as a whole."""
    from jurybox.stats.planning import FEW

    plan = next((m for m in methods if m.name == "neyman"), methods[-1])
    awaited = {
        "hits": plan.error * expected.precision,
        "false positives": plan.error * (1 - expected.precision),
        **({"misses": plan.ok * expected.miss_rate} if plan.ok else {}),
    }
    few = [f"{number:.1f} {what}" for what, number in awaited.items() if number < FEW]
    if few:
        listed = " and ".join([", ".join(few[:-1]), few[-1]] if few[1:] else few)
        _warn(
            f"only {listed} are expected in the sample: intervals will be wider than planned; "
            "jurybox sample simulate shows by how much"
        )
    for part, drawn, size in (
        ("error", plan.error, expected.flagged),
        ("ok", plan.ok, expected.passed),
    ):
        if drawn == size:
            _warn(f"the wish takes every one of the {size} cases of part '{part}'")


def _warn(message: str) -> None:
    warnings.warn(message, JuryboxWarning, stacklevel=3)
