"""`evaluate`: a detector before a jury, judged by how many people call a thing an error.

Tetreault and Chodorow 2008; Madnani et al. 2011; Chodorow et al. 2012.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import TYPE_CHECKING, Annotated, Any

from jurybox.errors import UsageError
from jurybox.formats.given_values import as_numbers
from jurybox.metrics.measures import MEASURES
from jurybox.metrics.options import check_beta
from jurybox.options import Opt, Options, argument, verb
from jurybox.records import HIDDEN
from jurybox.shared_options import (
    Columns,
    CountModels,
    EngineName,
    Meanings,
    Resampling,
    Seed,
    SpoiledCases,
    Watched,
    WithFlagged,
    WithIntervals,
    systems_option,
)

if TYPE_CHECKING:
    from jurybox.formats import Source
    from jurybox.jury.cases.result import DerivedCases
    from jurybox.jury.evaluate.inputs import GivenJudgments, GivenSystems
    from jurybox.jury.evaluate.result import EvaluateResult
    from jurybox.model import CaseSet
    from jurybox.sample.inputs import GivenKeys

TIES = ("ok", "error", "drop", "random")
MISSING = ("skip", "ok", "error")
#: what cases are binned by, as users write it -> as `jurybox.jury.bins` calls it
BIN_BY = {"agreement": "agreement", "error-share": "error share"}
UNITS = ("auto", "case", "document", "rater")
#: what can be drawn; `figures.py` draws it
FIGURES = ("precision-recall", "kappa", "histogram", "pr-curve", "roc", "thresholds", "auk")


def as_edges(given: Any, flag: str) -> tuple[float, ...]:
    """Edges of bins, as numbers."""
    return as_numbers(given, flag.removeprefix("--"))


def read_edges(given: str, flag: str) -> tuple[float, ...]:
    """`.5,.75,1` as numbers."""
    try:
        return tuple(float(edge) for edge in given.split(","))
    except ValueError:
        raise UsageError(f"{flag} {given}: write the edges as .5,.75,.9,1") from None


class JudgedCases(Options):
    """Cases, judgments and decisions."""

    cases: Annotated[
        Source | CaseSet | None,
        Opt(
            "the cases: CSV, TSV or JSONL with 'case'; with --db, those of the project unless "
            "given",
            "CASES",
            positional=True,
        ),
    ] = argument(kw_only=False, default=None)
    judgments: Annotated[
        GivenJudgments | None,
        Opt("judgments: CSV, TSV or JSONL with case,rater,label", "FILE", many=True),
    ] = argument(kw_only=False, default=None)
    systems: Annotated[
        GivenSystems | None,
        systems_option(
            "a system's decisions (CSV, TSV or JSONL with case,label and perhaps score, "
            "suggestion), and what to call it"
        ),
    ] = argument(kw_only=False, default=None)


class DecisionReading(Options, group="reading"):
    """How decisions are read."""

    threshold: Annotated[
        float | None,
        Opt("a case is reported if its score is T or more, whatever its label", "T"),
    ] = None
    missing: Annotated[
        str,
        Opt(
            "cases without a decision: skip, or count them as ok or error",
            "WHAT",
            values=MISSING,
            noun="way to settle missing decisions",
        ),
    ] = "skip"


class OtherCases(Options, group="reading"):
    """What is said about cases that are not given."""

    other_cases: Annotated[
        str,
        Opt(
            "judgments and decisions on cases that are not among CASES, as a balanced set leaves "
            "some out: error, or skip them (their number is reported)",
            "WHAT",
            values=("error", "skip"),
            noun="way to treat other cases",
        ),
    ] = "error"


class JudgesPerCase(Options, group="reading"):
    """How many judgments of a case count."""

    judges: Annotated[
        int | None,
        Opt(
            "at most N judgments per case, drawn at random, as on a corpus that has fewer",
            "N",
            least=1,
        ),
    ] = None


class Counting(Options, group="counting"):
    """How cases are counted and binned."""

    ties: Annotated[
        str,
        Opt(
            "cases with as many raters for error as for ok, in plain counts: ok, error, drop or "
            "random",
            "RULE",
            values=TIES,
            noun="way to settle ties",
        ),
    ] = "ok"
    beta: Annotated[float, Opt("weight of recall against precision in F", "B")] = 0.5
    smooth: Annotated[
        float | None,
        Opt("draw the share of each case towards that of all cases, by so many judges", "STRENGTH"),
    ] = None
    bins: Annotated[
        Sequence[float] | None,
        Opt(
            "edges of the bins",
            "EDGES",
            take=as_edges,
            read=read_edges,
            default=".5,.75,.9,1; by error share 0,.1,.25,.5,.75,.9,1",
        ),
    ] = None
    bin_by: Annotated[
        str,
        Opt("agreement or error-share", "WHAT", values=tuple(BIN_BY), noun="way to bin cases"),
    ] = "agreement"
    develop: Annotated[
        float | None,
        Opt(
            "choose the best threshold on this share of the cases (whole documents, if known) and "
            "report it on the rest; needs scores",
            "SHARE",
            above=0,
            below=1,
        ),
    ] = None
    choose: Annotated[
        str,
        Opt(
            "the measure the threshold is chosen by",
            "MEASURE",
            values=tuple(MEASURES),
            noun="measure",
        ),
    ] = "f_beta"

    def check(self) -> None:
        super().check()
        check_beta(self.beta)


class OtherCorpusFile(Options, group="counting"):
    """The result of another corpus."""

    compare_with: Annotated[
        Any,
        Opt(
            "a result of evaluate --format json on another corpus: kappa by bin side by side",
            "RESULT",
        ),
    ] = None


class CaseUnit(Options, group="confidence intervals and significance"):
    """What is resampled, and whether judgments are changed."""

    ci_unit: Annotated[
        str,
        Opt(
            "what is resampled: auto, case, document or rater",
            "UNIT",
            values=UNITS,
            noun="unit",
            default="auto; documents where they are known and 10 or more",
        ),
    ] = "auto"
    ci: Annotated[bool, Opt("bootstrap intervals, and differences between systems"), HIDDEN] = False


class StabilityOption(Options, group="confidence intervals and significance"):
    """Whether judgments are changed."""

    stability: Annotated[
        bool, Opt("how far numbers move when judgments are flipped or raters drawn anew")
    ] = False


class EvaluateOptions(
    DecisionReading,
    CountModels,
    WithFlagged,
    SpoiledCases,
    JudgesPerCase,
    Counting,
    StabilityOption,
    Seed,
):
    """Everything that changes a number, but for how intervals are made."""

    def check(self) -> None:
        super().check()
        if self.threshold is not None and isnan(self.threshold):
            raise UsageError("--threshold is not a number")


class Evaluate(
    JudgedCases,
    Columns,
    Meanings,
    OtherCases,
    EvaluateOptions,
    OtherCorpusFile,
    CaseUnit,
    WithIntervals,
    Resampling,
    EngineName,
    Watched,
):
    """What `evaluate` is called with."""

    derived: DerivedCases | None = None
    keys: GivenKeys | None = None

    def check(self) -> None:
        super().check()
        if self.ci and self.ci_unit == "rater" and self.smooth is not None:
            raise UsageError(
                "--smooth and --ci-unit rater: raters are drawn with the shares as they are; leave "
                "out one of them"
            )


@verb(Evaluate)
def evaluate(call: Evaluate) -> EvaluateResult:
    r"""Systems' decisions against judgments of people, plain (the majority) and weighted.

    `cases`, `judgments` and each system's decisions are files, or tables in memory; `derived` is
    what `derive_cases` gives. Without `cases` the cases are those that were judged. `compare_with`
    is the result of another corpus. `keys` of a drawn sample say which cases the blind ids of
    judgments stand for. Options are those of `jurybox evaluate`.

    >>> from jurybox.formats import Input
    >>> cases = Input.from_text("case\nc1\nc2\n")
    >>> judgments = Input.from_text(
    ...     "case,rater,label\nc1,Ann,error\nc1,Bob,error\nc1,Cem,ok\nc2,Ann,ok\nc2,Bob,ok\n"
    ... )
    >>> decisions = Input.from_text("case,label\nc1,error\nc2,ok\n")
    >>> result = evaluate(cases, judgments, {"mine": decisions})
    >>> result["mine"].plain.counts
    Counts(tp=1, fp=0, fn=0, tn=1)
    >>> round(result["mine"].weighted.value("precision"), 3)
    0.667
    """
    from jurybox.jury.evaluate.evaluation import evaluate_systems

    return evaluate_systems(call)
