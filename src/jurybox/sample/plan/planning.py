"""How many cases to judge: sample sizes for a wished certainty, and certainty for a sample size.

A corpus has two parts, what a system calls an error and what it calls ok. Precision is the share of
errors in the first, so it depends on the first sample alone; recall depends on both. With
h = W₁p₁ hits and m = W₂p₂ misses as shares of all cases, recall is h / (h + m), and by the delta
method its variance is (m² W₁² v₁ + h² W₂² v₂) / (h + m)⁴, where v = (1/n - 1/N) S² is the variance
of a share in a sample of n of N cases without replacement, S² = p (1 - p) N / (N - 1) (Cochran
1977, chapters 2 and 5). About this corpus, a part that is judged as a whole leaves no doubt, so
every wish can be met. About text of this kind, the corpus is itself a draw: its own variance comes
to that of the samples, as if all of it were judged. It is p₁ (1 - p₁) / N₁ for precision and, for
recall r, r (1 - r) by the number of errors. What a corpus of this size leaves unknown, no plan can
make up for. No plan asks for more cases than there are.

These are expectations by the normal approximation. Where only a handful of misses is expected in
the sample, intervals will be wider than planned.
"""

from __future__ import annotations

from bisect import bisect_left
from decimal import Decimal
from math import ceil, floor, inf, isfinite, sqrt
from typing import NamedTuple

from jurybox.errors import InputError, UsageError, collecting_warnings, warn
from jurybox.formats import Input
from jurybox.options import signature
from jurybox.raters.cost.pay import parse_money
from jurybox.sample.draw.drawing import StratifiedReservoir
from jurybox.sample.options import About
from jurybox.sample.plan import Money, PlanSample
from jurybox.sample.plan.result import (
    Expected,
    Method,
    PlanPoint,
    Prices,
    SamplePlan,
    Wish,
    show_half,
)
from jurybox.sample.reading import DecisionFile, read_strata
from jurybox.stats.proportions import normal_quantile
from jurybox.streams import stream

#: budgets at which the figure shows how sure one can be
POINTS = 24
#: half-width and interval where nothing can be said
_OPEN = (None, None, None)
#: fewer misses, hits or false positives in the sample than this make the plan a rough guess
FEW = 10
#: from the part that the system calls ok, twice as many (Tetreault and Chodorow 2008, section 6.3)
PAPERS_RATIO = 2
#: what is left of rounding when a wish is just met
SLACK = 1e-12


def plan(call: PlanSample) -> SamplePlan:
    """Count the parts, then plan for the wish or for the budget."""
    pay, currency = _amount("--pay", call.pay)
    prices = Prices(pay, currency, call.per_hour, call.per_case)
    budget, budget_currency = _amount("--budget", call.budget)
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
        if wish.precision is not None or wish.recall is not None:
            methods = planner.for_wish()
            planner.warn_of_small_corpus()
            if affordable is not None:
                planner.compare_with_budget(methods, affordable)
        elif affordable is not None:
            methods = planner.for_budget(affordable)
        else:
            raise UsageError(
                "say how sure it should be, with --precision-within or --recall-within, or what "
                "may be spent, with --budget and --pay"
            )
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


def _amount(flag: str, given: Money | None) -> tuple[Decimal | None, str]:
    """An amount and its currency, '' where none is named; None where nothing is given."""
    if given is None:
        return None, ""
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
        neyman = plan_neyman(expected, wish)
        methods = [
            self._sampling("standard", self._all),
            self._at_random(plan_at_random(expected, wish)),
        ]
        if wish.recall is None:
            warn("no --recall-within: verification is enough, and says nothing about recall")
        else:
            methods.append(self._sampling("neyman", neyman))
            methods.append(self._sampling("two-to-one", plan_ratio(expected, wish)))
        return [*methods, self._sampling("verification", Allocation(neyman.flagged, 0))]

    def for_budget(self, cases: int) -> list[Method]:
        expected = self._expected
        return [
            self._sampling("standard", self._all),
            self._at_random(min(cases, expected.size)),
            self._sampling("neyman", spend(expected, cases)),
            self._sampling("two-to-one", spend_ratio(expected, cases)),
            self._sampling("verification", spend(expected, cases, for_recall=False)),
        ]

    def _at_random(self, cases: int) -> Method:
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
        judgments = drawn.cases * self._prices.per_case
        hours, money = judgments / self._prices.per_hour, self._prices.money(drawn.cases)
        return Method(
            name, drawn.flagged, drawn.passed, judgments, hours, money, *precision, *recall
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
        if cheapest > affordable:
            drawn = spend(self._expected, affordable, for_recall=for_recall)
            found = self._certainty(drawn)
            recall = f", recall {show_half(found.recall)}" if for_recall else ""
            warn(
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
                warn(
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
        warn(
            f"only {listed} are expected in the sample: intervals will be wider than planned; "
            "jurybox sample simulate shows by how much"
        )
    for part, drawn, size in (
        ("error", chosen.error, expected.flagged),
        ("ok", chosen.ok, expected.passed),
    ):
        if drawn == size:
            warn(f"the wish takes every one of the {size} cases of part '{part}'")


# --- sizes and half-widths ---


class Allocation(NamedTuple):
    """How many cases to draw from each part."""

    flagged: int
    passed: int

    @property
    def cases(self) -> int:
        return self.flagged + self.passed


class Certainty(NamedTuple):
    """Half-widths of intervals; inf where nothing can be said."""

    precision: float
    recall: float


def expect(flagged: int, passed: int, *, precision: float, error_rate: float) -> Expected:
    """What the parts hold, given the share of errors among the flagged and among all cases.

    >>> expect(1000, 9000, precision=0.8, error_rate=0.35).miss_rate
    0.3
    """
    for name, size in (("error", flagged), ("ok", passed)):
        if size < 1:
            raise InputError(f"the part '{name}' has {size} cases; there is nothing to sample")
    errors, hits = error_rate * (flagged + passed), precision * flagged
    misses = errors - hits
    if misses < 0:
        raise UsageError(
            f"--precision {precision:g} makes {hits:.0f} of the {flagged} flagged cases errors, "
            f"more than the {errors:.0f} errors of --error-rate {error_rate:g}; expect a lower "
            "precision or a higher error rate"
        )
    if misses > passed:
        raise UsageError(
            f"--error-rate {error_rate:g} and --precision {precision:g} leave {misses:.0f} errors "
            f"to the {passed} cases called ok; expect a lower error rate or a higher precision"
        )
    return Expected(flagged, passed, precision, misses / passed)


def certainty(
    expected: Expected, drawn: Allocation, level: float = 0.95, about: About = "text"
) -> Certainty:
    """Expected half-widths for a sample.

    Figure 1 of the paper, about text of its kind and about its corpus:

    >>> corpus = expect(1000, 9000, precision=0.8, error_rate=0.35)
    >>> found = certainty(corpus, Allocation(750, 1500))
    >>> round(found.precision, 4), round(found.recall, 4)
    (0.0286, 0.0189)
    >>> found = certainty(corpus, Allocation(750, 1500), about="corpus")
    >>> round(found.precision, 4), round(found.recall, 4)
    (0.0143, 0.0128)
    """

    def sampling(weight: float, size: int, n: int) -> float:
        """The variance of a sample; where nothing was drawn it is unknown, whatever it weighs."""
        return weight * (1 / n - 1 / size) if n else inf

    z = normal_quantile(level)
    spread = _spread(expected.flagged, expected.precision, about)
    ours, theirs = _weights(expected, about)
    flagged, passed = (expected.flagged, drawn.flagged), (expected.passed, drawn.passed)
    of_corpus = left_unknown(expected, about)
    return Certainty(
        z * sqrt(sampling(spread, *flagged) + of_corpus.precision),
        z * sqrt(sampling(ours, *flagged) + sampling(theirs, *passed) + of_corpus.recall),
    )


def left_unknown(expected: Expected, about: About) -> Certainty:
    """Variances of precision and recall where every case of the corpus is judged."""
    if about == "corpus":
        return Certainty(0.0, 0.0)
    p, r = expected.precision, expected.recall
    errors = expected.error_rate * expected.size
    return Certainty(p * (1 - p) / expected.flagged, r * (1 - r) / errors)


def at_random(
    expected: Expected, cases: int, level: float = 0.95, about: About = "text"
) -> Certainty:
    """Half-widths if as many cases are drawn from all alike, as in exhaustive annotation.

    The flagged cases among them are a sample of those flagged; the errors among them a sample of
    all errors, whose share of hits is recall.
    """
    z = normal_quantile(level)
    share = cases / expected.size
    rest = max(1 - share, 0.0) if about == "corpus" else 1.0
    flagged, errors = share * expected.flagged, share * expected.error_rate * expected.size
    p, r = expected.precision, expected.recall
    return Certainty(
        z * sqrt(rest * p * (1 - p) / flagged) if flagged else inf,
        z * sqrt(rest * r * (1 - r) / errors) if errors else inf,
    )


def plan_neyman(expected: Expected, wish: Wish) -> Allocation:
    """The fewest cases that meet the wishes (Neyman 1934).

    For recall alone, parts are sampled in proportion to what they add to its doubt; a wish for
    precision may ask for more of the flagged, which then spares some of the others.

    >>> corpus = expect(1000, 9000, precision=0.8, error_rate=0.35)
    >>> plan_neyman(corpus, Wish(precision=0.03, recall=0.02))
    Allocation(flagged=683, passed=1247)
    >>> plan_neyman(corpus, Wish(precision=0.03, recall=0.02, about="corpus"))
    Allocation(flagged=407, passed=720)
    """
    z = normal_quantile(wish.level)
    least = 1
    of_corpus = left_unknown(expected, wish.about)
    if wish.precision is not None:
        spread = _spread(expected.flagged, expected.precision, wish.about)
        allowed = (wish.precision / z) ** 2 - of_corpus.precision + spread / expected.flagged
        least = _needed(spread, allowed, expected.flagged)
    if wish.recall is None:
        return Allocation(least, 0)
    ours, theirs = _weights(expected, wish.about)
    target = (wish.recall / z) ** 2 - of_corpus.recall
    if target <= 0:
        return Allocation(expected.flagged, expected.passed)
    allowed = target + ours / expected.flagged + theirs / expected.passed
    flagged = ceil(sqrt(ours) * (sqrt(ours) + sqrt(theirs)) / allowed - SLACK)
    flagged = min(max(flagged, least, 1), expected.flagged)
    passed = _needed(theirs, allowed - ours / flagged, expected.passed)
    # as many of the others as there are may not be enough: then more of the flagged
    flagged = max(flagged, _needed(ours, allowed - theirs / passed, expected.flagged))
    return Allocation(flagged, passed)


def plan_ratio(expected: Expected, wish: Wish, ratio: float = PAPERS_RATIO) -> Allocation:
    """The fewest cases that meet the wishes with `ratio` times as many of those called ok.

    A part that has fewer is judged as a whole.

    >>> corpus = expect(1000, 9000, precision=0.8, error_rate=0.35)
    >>> plan_ratio(corpus, Wish(precision=0.03, recall=0.02, about="corpus"))
    Allocation(flagged=407, passed=814)
    """

    def drawn(number: int) -> Allocation:
        return Allocation(min(number, expected.flagged), min(ceil(number * ratio), expected.passed))

    def is_met(number: int) -> bool:
        return meets(certainty(expected, drawn(number), wish.level, wish.about), wish)

    most = max(expected.flagged, ceil(expected.passed / ratio))
    return drawn(1 + bisect_left(range(1, most), True, key=is_met))


def spend(expected: Expected, cases: int, *, for_recall: bool = True) -> Allocation:
    """So many cases, shared out such that recall is as sure as it can be.

    >>> spend(expect(1000, 9000, precision=0.8, error_rate=0.35), 750)
    Allocation(flagged=185, passed=565)
    """
    cases = min(cases, expected.size)
    if not for_recall:
        return Allocation(min(cases, expected.flagged), 0)
    # what the corpus leaves unknown is the same for all samples
    ours, theirs = (sqrt(weight) for weight in _weights(expected, "corpus"))
    exact = cases * ours / (ours + theirs) if ours + theirs else cases / 2
    around = [_within(expected, cases, number) for number in (floor(exact), ceil(exact))]
    return min(around, key=lambda drawn: certainty(expected, drawn).recall)


def spend_ratio(expected: Expected, cases: int, ratio: float = PAPERS_RATIO) -> Allocation:
    """So many cases, `ratio` times as many of those called ok, as far as the parts go.

    >>> spend_ratio(expect(1000, 9000, precision=0.8, error_rate=0.35), 750)
    Allocation(flagged=250, passed=500)
    """
    cases = min(cases, expected.size)
    return _within(expected, cases, round(cases / (1 + ratio)))


def _within(expected: Expected, cases: int, flagged: int) -> Allocation:
    """Such a share of the cases, or the nearest that the parts can give; one of each at least."""
    least, most = max(cases - expected.passed, 1), min(cases - 1, expected.flagged)
    flagged = max(min(flagged, most), least)
    return Allocation(flagged, cases - flagged)


def plan_at_random(expected: Expected, wish: Wish) -> int:
    """How many cases, drawn from all alike, meet the wishes.

    >>> corpus = expect(1000, 9000, precision=0.8, error_rate=0.35)
    >>> plan_at_random(corpus, Wish(precision=0.03, recall=0.02, about="corpus"))
    4058
    """
    return 1 + bisect_left(
        range(1, expected.size),
        True,
        key=lambda cases: meets(at_random(expected, cases, wish.level, wish.about), wish),
    )


def meets(found: Certainty, wish: Wish) -> bool:
    """Whether every wish is met."""
    return all(
        asked is None or half <= asked + SLACK
        for half, asked in ((found.precision, wish.precision), (found.recall, wish.recall))
    )


def _spread(size: int, share: float, about: About) -> float:
    """S² of a part: how far its cases differ; in text of this kind, on average over corpora."""
    if about == "text":
        return share * (1 - share)
    return share * (1 - share) * size / (size - 1) if size > 1 else 0.0


def _weights(expected: Expected, about: About) -> tuple[float, float]:
    """What (1/n - 1/N) of each part is multiplied by in the variance of recall."""
    h, m = expected.hits, expected.misses
    ours = (m * expected.flagged / expected.size) ** 2 / (h + m) ** 4
    theirs = (h * expected.passed / expected.size) ** 2 / (h + m) ** 4
    return (
        ours * _spread(expected.flagged, expected.precision, about),
        theirs * _spread(expected.passed, expected.miss_rate, about),
    )


def _needed(weight: float, allowed: float, size: int) -> int:
    """How many of a part, if weight / n may be as large as `allowed`."""
    if allowed <= weight / size:  # only all of it leaves as little
        return size
    return min(max(ceil(weight / allowed - SLACK), 1), size)
