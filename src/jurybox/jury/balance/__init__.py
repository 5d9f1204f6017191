"""`balance_cases`: a set with as many correct uses as confirmed errors (Madnani et al. 2011)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from jurybox.options import Opt, Options, argument, verb
from jurybox.shared_options import CountModels, DuplicateCases, Meanings, Seed, WithFlagged

if TYPE_CHECKING:
    from jurybox.formats import Source
    from jurybox.jury.balance.result import BalancedCases
    from jurybox.model import CaseSet


class JudgedPools(Options):
    """Cases, and what is known of them."""

    cases: Annotated[
        Source | CaseSet | Sequence[Source],
        Opt("case files, as jurybox detect mine and cases derive write them", "CASES", many=True),
    ] = argument(kw_only=False)
    judgments: Annotated[
        Source | Sequence[Source] | None,
        Opt(
            "judgments on them (CSV, TSV or JSONL with case,rater,label); a case with an answer in "
            "its column 'gold' needs none",
            "FILE",
            many=True,
        ),
    ] = argument(kw_only=False, default=None)
    correct: Annotated[
        Source | Sequence[Source] | None,
        Opt(
            "further case files to draw correct uses from; unless judgments or gold say otherwise "
            "their cases count as correct",
            "CASES",
            many=True,
        ),
    ] = None


class SetSize(DuplicateCases, Seed, group="the set"):
    """What is drawn."""

    errors: Annotated[
        int | None,
        Opt(
            "at most so many confirmed errors, and as many correct uses",
            "N",
            least=1,
            default="as many as there are of both",
        ),
    ] = None
    agreement: Annotated[
        float,
        Opt(
            "a case is confirmed if this share of its raters agree, and more than half of them",
            "SHARE",
            least=0.5,
            most=1,
        ),
    ] = 0.5
    one_per_sentence: Annotated[bool, Opt("at most one case of a sentence, errors first")] = False
    gold_cases: Annotated[
        int,
        Opt(
            "so many of the cases keep their answer as gold, for quality control; they do not "
            "count in evaluate",
            "N",
            least=0,
        ),
    ] = 0
    seed: Annotated[
        int, Opt("seed of the draw: the same seed draws the same cases", "N", least=0)
    ] = 1


class BalanceCases(JudgedPools, Meanings, CountModels, WithFlagged, SetSize):
    """What `balance_cases` is called with."""


@verb(BalanceCases)
def balance_cases(call: BalanceCases) -> BalancedCases:
    r"""As many confirmed errors as correct uses, drawn at random and shuffled, as cases to judge.

    A case is an error or a correct use if its gold answer says so, or most of its raters do. Cases
    of `correct` are correct uses unless somebody says otherwise.

    >>> from jurybox.formats import Input
    >>> cases = Input.from_text("case,gold\nc1,error\nc2,ok\nc3,ok\n")
    >>> balanced = balance_cases(cases)
    >>> balanced.errors.drawn, balanced.correct.drawn, len(balanced.case_set)
    (1, 1, 2)
    """
    from jurybox.jury.balance.building import build

    return build(call)
