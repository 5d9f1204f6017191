"""`plan_sample`: how many cases to judge, how sure that makes precision and recall, what it costs.

The ways compared are those of Tetreault and Chodorow (2008, section 6.4): standard (every case is
annotated), sampling (both parts, each at a rate of its own) and verification (only what the system
flags).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from jurybox.errors import UsageError
from jurybox.options import Opt, Options, argument, verb
from jurybox.sample.options import AboutOption, DecisionReading
from jurybox.shared_options import Level

if TYPE_CHECKING:
    from decimal import Decimal

    from jurybox.sample.plan.result import SamplePlan
    from jurybox.sample.reading import GivenDecisions

    Money = str | Decimal | float
else:
    Money = Any


class Expectation(Options, group="expected"):
    """What is expected of the corpus."""

    precision: Annotated[
        float, Opt("share of errors among the cases called an error, as .8", "P", above=0, below=1)
    ]
    error_rate: Annotated[
        float, Opt("share of errors among all cases, as .1", "E", above=0, below=1)
    ]


class Wished(AboutOption, Level, group="wished"):
    """How sure it should be, or what may be spent."""

    precision_within: Annotated[
        float | None, Opt("half-width of the interval of precision, as .03", "H", above=0, below=1)
    ] = None
    recall_within: Annotated[
        float | None, Opt("half-width of the interval of recall, as .05", "H", above=0, below=1)
    ] = None
    budget: Annotated[
        Money | None,
        Opt(
            "what may be spent, as $200: without a wish, the best it can buy; needs --pay", "AMOUNT"
        ),
    ] = None


class PriceOptions(Options, group="prices"):
    """What judgments cost, and how fast people are."""

    pay: Annotated[
        Money | None,
        Opt("what one judgment costs, fees included, as $0.05 or '0.05 EUR'", "AMOUNT"),
    ] = None
    per_hour: Annotated[
        float,  # 500 in 4 hours (Tetreault and Chodorow 2008, section 6)
        Opt(
            "judgments one person makes in an hour", "N", above=0, default="125.0, as in the paper"
        ),
    ] = 125.0
    per_case: Annotated[int, Opt("judgments on each case", "N", least=1)] = 1


class PlanSample(Expectation, Wished, PriceOptions, DecisionReading):
    """What `plan_sample` is called with."""

    decisions: Annotated[
        GivenDecisions | None,
        Opt(
            "the system's decisions, to be counted: CSV, TSV or JSONL with case,label",
            "DECISIONS",
            positional=True,
        ),
    ] = argument(kw_only=False, default=None)
    error: int | None = None
    ok: int | None = None

    def check(self) -> None:
        super().check()
        if self.decisions is not None and (self.error is not None or self.ok is not None):
            raise UsageError("the decisions tell how large the parts are; leave --size out")


@verb(PlanSample)
def plan_sample(call: PlanSample) -> SamplePlan:
    """How many cases to draw from what a system calls an error and from what it calls ok.

    The parts are counted in `decisions`, or `error` and `ok` say how large they are. `precision`
    and `error_rate` are what is expected. `precision_within` and `recall_within` are wished
    half-widths of intervals; without them, `budget` says what may be spent, at `pay` for each
    judgment and `per_case` judgments on each case. `about` is what intervals are about: "text" of
    this kind, or this "corpus".

    >>> plan = plan_sample(
    ...     error=1000, ok=9000, precision=0.8, error_rate=0.35,
    ...     precision_within=0.03, recall_within=0.02,
    ... )
    >>> plan.method("neyman").error, plan.method("neyman").ok
    (683, 1247)
    """
    from jurybox.sample.plan.planning import plan

    return plan(call)
