"""`simulate_sample`: which intervals of a sample can be trusted, tried out on judged data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

from jurybox.errors import UsageError
from jurybox.formats import Source
from jurybox.metrics.options import check_beta
from jurybox.options import Opt, Options, argument, verb
from jurybox.records import HIDDEN
from jurybox.sample.options import TIES, TRUTHS, AboutOption, Truth
from jurybox.shared_options import (
    Beta,
    Columns,
    CountModels,
    Level,
    Meanings,
    Resamples,
    Seed,
    Watched,
    systems_option,
)

if TYPE_CHECKING:
    from jurybox.jury.cases.result import DerivedCases
    from jurybox.jury.evaluate.inputs import GivenJudgments, GivenSystems
    from jurybox.model import CaseSet
    from jurybox.sample.simulate.result import SampleSimulation

    #: one number of cases or several
    SampleSize = Any
else:  # what options hold of them
    SampleSize = Sequence[int]


def as_numbers(given: Any, flag: str) -> tuple[int, ...]:
    """One number of cases or several."""
    numbers = (given,) if isinstance(given, int) else tuple(given)
    if not numbers or min(numbers) < 1:
        raise UsageError(f"{flag}: say how many cases are drawn, as {flag} 50 100")
    return numbers


def read_numbers(given: Sequence[str], flag: str) -> tuple[int, ...]:
    """The words of a command line as numbers."""
    try:
        return tuple(map(int, given))
    except ValueError:
        told = f"{flag} {' '.join(given)}: write whole numbers, as {flag} 50 100"
        raise UsageError(told) from None


def sizes_option(whence: str) -> Opt:
    """An option for one number of cases or several."""
    what = f"how many cases are drawn from {whence}; several numbers, and all pairs are tried"
    return Opt(what, "N", many=True, take=as_numbers, read=read_numbers)


class SampleSizes(Options, group="drawing"):
    """How many cases are drawn, and how often."""

    error: Annotated[SampleSize, sizes_option("what the system flags")]
    ok: Annotated[SampleSize, sizes_option("what it calls ok")]
    draws: Annotated[int, Opt("samples drawn in every setting", "N", least=1)] = 4000


class SimulateOptions(SampleSizes, Truth, AboutOption, CountModels, Beta, Level, Resamples, Seed):
    """Everything that changes a number."""

    truth: Annotated[
        str,
        Opt(
            "what is true of a case: the majority of its judges, or the share of them who call it "
            "an error (graded)",
            "WHAT",
            values=TRUTHS,
            noun="truth",
        ),
    ] = "majority"
    ties: Annotated[
        str,
        Opt(
            "cases with as many judges for error as for ok: ok, error or drop",
            "RULE",
            values=TIES,
            noun="way to settle ties",
        ),
    ] = "ok"
    resamples: Annotated[
        int, Opt("resamples of the bootstrap for every sample; 0 leaves it out", "N", least=0)
    ] = 500

    def check(self) -> None:
        super().check()
        check_beta(self.beta)


class SimulateSample(SimulateOptions, Columns, Meanings, Watched):
    """What `simulate_sample` is called with."""

    cases: Annotated[
        Source | CaseSet | None,
        Opt("the cases: CSV, TSV or JSONL with 'case'", "CASES", positional=True),
    ] = argument(kw_only=False, default=None)
    judgments: Annotated[
        GivenJudgments | None,
        Opt("judgments: CSV, TSV or JSONL with case,rater,label", "FILE", many=True),
    ] = argument(kw_only=False, default=None)
    systems: Annotated[
        GivenSystems | None, systems_option("a system's decisions, and what to call it")
    ] = argument(kw_only=False, default=None)
    derived: Annotated[DerivedCases | None, HIDDEN] = None


@verb(SimulateSample)
def simulate_sample(call: SimulateSample) -> SampleSimulation:
    r"""Draw samples of judged cases again and again, and see how often intervals hold the truth.

    Inputs are those of `evaluate`; `error` and `ok` are how many cases to draw from what a system
    flags and from what it calls ok, every pair of them a setting. About text of this kind a corpus
    is drawn anew for every sample. Options are those of `jurybox sample simulate`.

    >>> from jurybox.formats import Input
    >>> judged = "".join(f"{k},Ann,{'error' if k < 9 else 'ok'}\n" for k in range(90))
    >>> decided = "".join(f"{k},{'error' if 4 < k < 24 else 'ok'}\n" for k in range(90))
    >>> found = simulate_sample(
    ...     None,
    ...     Input.from_text(f"case,rater,label\n{judged}"),
    ...     {"mine": Input.from_text(f"case,label\n{decided}")},
    ...     error=10,
    ...     ok=20,
    ...     draws=500,
    ...     resamples=0,
    ... )
    >>> [one.method for one in found.settings[0].of("recall")]
    ['paper', 'delta', 'score', 'corrected']
    """
    from jurybox.sample.simulate.simulation import simulate_intervals

    return simulate_intervals(call)
