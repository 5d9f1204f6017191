"""`agree`: how far raters agree, all together, in pairs, and as crowds with experts.

Tetreault and Chodorow 2008; Tetreault, Filatova and Chodorow 2010; Krippendorff 2011.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

from jurybox.errors import UsageError
from jurybox.formats.given_values import as_words
from jurybox.options import Opt, Options, verb
from jurybox.shared_options import (
    CONFIDENCE,
    READING,
    Columns,
    GivenRatings,
    InputFormat,
    KnownAnswers,
    Level,
    Relabel,
    Seed,
    ShowRaters,
    SpoiledCases,
    WithFlagged,
    WithRejected,
)

if TYPE_CHECKING:
    from jurybox.raters.agree.result import AgreeResult

SCALES = ("nominal", "ordinal", "interval")


def names_of_experts(given: Any, flag: str) -> tuple[str, ...]:
    """One name or several, each once."""
    names = as_words(given, "experts")
    if len(set(names)) < len(names):
        raise UsageError(f"{flag}: an expert is named twice")
    return names


class CrowdOptions(Options, group="crowds"):
    """How crowds are drawn, and whom they are held against."""

    experts: Annotated[
        Sequence[str],
        Opt(
            "raters whose labels crowds are held against, each of them and the mean over them; "
            "with --db, ADJ is what adjudicators decided",
            "NAME",
            flag="--expert",
            take=names_of_experts,
        ),
    ] = ()
    crowd_curve: Annotated[bool, Opt("show crowds of every size, also where there are many")] = (
        False
    )
    ties: Annotated[
        str,
        Opt("majorities that are tied: random, drop, or a label that all of them get", "RULE"),
    ] = "random"
    draws: Annotated[
        int, Opt("how often crowds are drawn for kappa and its band", "N", least=1)
    ] = 100
    max_crowd: Annotated[
        int | None,
        Opt(
            "the largest crowd; the most judgments a case has unless given, but at most 50",
            "N",
            least=1,
        ),
    ] = None

    def check(self) -> None:
        super().check()
        if self.ties == "first":
            raise UsageError("--ties first: a crowd's ties get random, drop or a label")


class ModelsShown(Options, group=READING):
    """Whether models are compared with people."""

    show_models: Annotated[
        bool,
        Opt("show what raters of kind model would change; they are never counted among people"),
    ] = False


class Counting(Options, group="counting"):
    """What is counted, and what is listed."""

    scale: Annotated[
        str | None,
        Opt(
            "what labels are: nominal, ordinal or interval; unless given, three or more numbers "
            "are ordinal and all else is nominal",
            "SCALE",
            values=SCALES,
            noun="scale",
        ),
    ] = None
    by_batch: Annotated[bool, Opt("batch by batch (column batch)")] = False
    pairs: Annotated[bool, Opt("list every two raters, however many")] = False
    accuracy: Annotated[
        float | None,
        Opt(
            "choice tasks: the accuracy of a system, to be corrected by how often its word is "
            "equal or better",
            "A",
            least=0,
            most=1,
        ),
    ] = None


class Certainty(Options, group=CONFIDENCE):
    """Whether there are intervals."""

    ci: Annotated[bool, Opt("intervals over cases")] = False


class AgreeOptions(
    CrowdOptions,
    Columns,
    Relabel,
    InputFormat,
    WithRejected,
    ShowRaters,
    ModelsShown,
    WithFlagged,
    SpoiledCases,
    KnownAnswers,
    Counting,
    Certainty,
    Level,
    Seed,
):
    """Everything that changes a number, and what is shown of them."""

    ci_level: Annotated[
        float, Opt("level of intervals, and of the bands of crowds", "L", above=0, below=1)
    ] = 0.95


class Agree(AgreeOptions, GivenRatings):
    """What `agree` is called with."""


@verb(Agree)
def agree(call: Agree) -> AgreeResult:
    """How far raters agree, and how many of them agree with an expert as well as another expert.

    `judgments` are files of any format, (case, rater, label) tuples, or a table with its `cases`.
    Crowds are held against `experts`, raters by name, and against known answers: `gold`, or the
    column of that name. Options are those of `jurybox agree`.

    >>> said = [("c1", "Ann", "ok"), ("c1", "Bob", "ok")]
    >>> said += [("c2", "Ann", "error"), ("c2", "Bob", "ok")]
    >>> result = agree(said, gold={"c1": "ok", "c2": "error"})
    >>> result.observed, result.alpha(), result.pairs[0].kappa
    (0.5, 0.0, 0.0)
    >>> [(point.n, point.agreement) for point in result.curve()]
    [(1, 0.75), (2, 0.75)]
    """
    from jurybox.raters.agree.measuring import measure_agreement

    return measure_agreement(call)
