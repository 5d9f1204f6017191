"""`aggregate`: one label per case out of many judgments."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Annotated

from jurybox.errors import UsageError
from jurybox.options import Opt, Options, verb
from jurybox.shared_options import ExpertAnswers, GivenRatings, JudgmentReading, WithFlagged

if TYPE_CHECKING:
    from jurybox.raters.aggregate.result import AggregateResult

OWN = ("majority", "gold-weighted", "dawid-skene")
#: methods of the crowd-kit package (extra `crowd`) -> its class
CROWDKIT = {"glad": "GLAD", "mace": "MACE", "one-coin-dawid-skene": "OneCoinDawidSkene"}
METHODS = (*OWN, *CROWDKIT)


class Method(Options, group="labels"):
    """How cases get their labels."""

    method: Annotated[
        str,
        Opt(
            "majority, gold-weighted (votes by accuracy on known answers), dawid-skene (raters' "
            "habits estimated along), or, with crowd-kit, glad, mace, one-coin-dawid-skene",
            "METHOD",
            values=METHODS,
            noun="method",
        ),
    ] = "majority"
    ties: Annotated[
        str,
        Opt(
            "who gets as many votes: random, drop (no label), first (of the labels in order), or "
            "a label that every tied case gets",
            "RULE",
        ),
    ] = "random"
    smoothing: Annotated[
        float, Opt("dawid-skene: add N to every count of a rater's habits", "N", least=0)
    ] = 0.0
    seed: Annotated[
        int, Opt("seed of the random numbers: the same seed gives the same labels", "N", least=0)
    ] = 1

    def check(self) -> None:
        super().check()
        if self.smoothing == inf:
            raise UsageError("--smoothing must be a finite number, not inf")
        if self.smoothing and self.method != "dawid-skene":
            raise UsageError("--smoothing is for --method dawid-skene only")
        if self.method in CROWDKIT and self.ties != "random":
            raise UsageError(f"--ties {self.ties}: {self.method} settles ties in its own way")


class AggregateOptions(Method, JudgmentReading, WithFlagged, ExpertAnswers):
    """Everything that changes a label."""


class Aggregation(AggregateOptions, GivenRatings):
    """What `aggregate` is called with."""


@verb(Aggregation)
def aggregate(call: Aggregation) -> AggregateResult:
    """One label per case, how sure it is, and how right where answers are known.

    `judgments` are files, or (case, rater, label) in memory. `ties` is random, drop, first, or a
    label that every tied case gets. Options are those of `jurybox aggregate`.

    >>> said = [("c1", "Ann", "ok"), ("c1", "Bob", "ok"), ("c1", "Cem", "error")]
    >>> result = aggregate(said, gold={"c1": "ok"})
    >>> result.labels, round(result["c1"].confidence, 2), result.accuracy
    ({'c1': 'ok'}, 0.67, 1.0)
    """
    from jurybox.raters.aggregate.labelling import label_judgments

    return label_judgments(call)
