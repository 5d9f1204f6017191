"""The jury of `evaluate` as arrays: who counts on which cases, their votes, the truth they make.

And what systems decide about the same cases.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from math import nan
from textwrap import shorten
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.counting.histogram import group_cases
from jurybox.errors import InputError, UsageError, plural, warn
from jurybox.jury.cases.duplicates import repeats
from jurybox.jury.cases.naming import sentence_of
from jurybox.jury.evaluate import EvaluateOptions
from jurybox.jury.evaluate.inputs import Evidence
from jurybox.jury.evaluate.result import Judges
from jurybox.jury.kinds import KindVotes, vote_by_kind
from jurybox.jury.votes import (
    BoolArray,
    FloatArray,
    LabelArray,
    Votes,
    centred_prior,
    check_judgments,
    count_votes,
    error_share,
    judgment_blocks,
    keep_judgments,
    majority,
    subsample_judges,
)
from jurybox.jury.weighted import answers_against, settle_missing
from jurybox.model import LABEL_BITS, Case, CaseSet, DecisionTable, JudgmentTable
from jurybox.raters.spoiled import spoiled_cases


@dataclass(frozen=True)
class Jury:
    """Votes and truth on every case of the case set; gold cases have none.

    A row is a case, or a kind of cases (`by_kinds`), of which there are `sizes`.
    """

    case_set: CaseSet
    judgments: JudgmentTable  # only those that count
    votes: Votes
    gold: BoolArray
    trivial: BoolArray
    truth: LabelArray
    p: FloatArray  # smoothed if that was asked for
    plain_p: FloatArray
    sizes: NDArray[np.int64]
    ties: int
    judges: Judges
    kinds: Sequence[KindVotes]
    duplicates: int
    repeated: Sequence[str]  # sentences that stand in the text before, word by word

    @property
    def n(self) -> int:
        """Cases that can be evaluated: all but gold ones."""
        return self.count(~self.gold)

    @property
    def judged(self) -> int:
        return self.count(self.votes.deciding > 0)

    def count(self, chosen: BoolArray) -> int:
        """How many cases the chosen rows stand for."""
        return int(self.sizes[chosen].sum())


class CleanEvidence(NamedTuple):
    """Evidence without cases whose context is spoiled, and what that leaves out."""

    evidence: Evidence
    cases: int = 0
    judgments: int = 0


def set_spoiled_aside(evidence: Evidence, options: EvaluateOptions) -> CleanEvidence:
    """Without cases whose context a rater flags; gold cases are left out anyway."""
    cases, table = evidence.case_set.cases, evidence.judgments
    kept = ~spoiled_cases(
        table,
        evidence.extra or {},
        len(cases),
        with_flagged=options.with_flagged,
        count_models=options.count_models,
    )
    kept |= np.fromiter((bool(case.gold) for case in cases), dtype=bool, count=len(cases))
    number = (np.cumsum(kept) - 1).astype(np.uint32)
    before = len(table)
    table = keep_judgments(table, kept[np.asarray(table.case)], in_place=evidence.own_judgments)
    table = replace(table, case=array("I", number[np.asarray(table.case)].tobytes()))
    kept_list = kept.tolist()
    decisions = {name: one.only(kept_list) for name, one in evidence.decisions.items()}
    clean = CaseSet(tuple(compress(cases, kept_list)), evidence.case_set.description)
    found = CleanEvidence(
        replace(evidence, case_set=clean, judgments=table, decisions=decisions, extra=None),
        len(cases) - len(clean),
        before - len(table),
    )
    if not len(table):
        raise InputError(
            f"{evidence.said_in}: --spoiled drop leaves no judgment: somebody flags every judged "
            "case; --spoiled keep counts them"
        )
    if found.cases:
        warn(
            f"{plural(found.cases, 'case')} with a spoiled context left out (--spoiled drop), with "
            f"{plural(found.judgments, 'judgment')}"
        )
    return found


def call_jury(
    evidence: Evidence,
    *,
    ties: str,
    smooth: float | None,
    count_models: bool,
    judges: int | None,
    rng: np.random.Generator,
) -> Jury:
    """Leave out what does not count, count votes, and take the majority."""
    known, n = evidence.case_set, len(evidence.case_set)
    # of bare cases nothing is known that would have to be looked at case by case
    cases: Sequence[Case] = () if known.is_bare else known.cases
    gold: BoolArray = np.zeros(n, dtype=bool)
    gold[list(known.gold)] = True
    trivial: BoolArray = np.zeros(n, dtype=bool)
    trivial[[place for place, case in enumerate(cases) if case.trivial]] = True
    trivial &= ~gold
    given = len(evidence.judgments)
    judgments, counted = _judgments_that_count(
        evidence.judgments, gold, trivial, count_models, in_place=evidence.own_judgments
    )
    if judges is not None:
        before = len(judgments)
        judgments = subsample_judges(judgments, n, judges, rng)
        counted = counted._replace(drawn_out=before - len(judgments))
    votes = count_votes(judgments, n)
    deciding = votes.deciding[votes.deciding > 0]
    if not len(deciding):
        raise _no_truth(evidence, given, counted, votes)
    counted = counted._replace(
        raters=len(judgments.raters),
        judgments=len(judgments),
        unknown=int(votes.unknowns.sum()),
        per_case=(int(deciding.min()), float(np.median(deciding)), int(deciding.max())),
    )
    sizes = np.ones(n, dtype=np.int64)
    jury = make_jury(
        evidence,
        judgments,
        votes,
        counted,
        sizes,
        ties=ties,
        smooth=smooth,
        trivial=trivial,
        rng=rng,
    )
    jury = replace(
        jury,
        gold=gold,
        kinds=vote_by_kind(judgments, known) if cases or judgments.correction is not None else [],
        duplicates=sum(repeats(case for case in cases if not case.gold)),
        repeated=_repeated_sentences(cases),
    )
    warn_of(jury)
    return jury


def make_jury(
    evidence: Evidence,
    judgments: JudgmentTable,
    votes: Votes,
    judges: Judges,
    sizes: NDArray[np.int64],
    *,
    ties: str,
    smooth: float | None,
    trivial: BoolArray | None = None,
    rng: np.random.Generator | None = None,
) -> Jury:
    """The truth that votes make; a row is a case, or a kind of which there are `sizes`."""
    none: BoolArray = np.zeros(len(sizes), dtype=bool)
    trivial = none if trivial is None else trivial
    settled = majority(votes, ties, rng=rng, trivial=trivial)
    tied = (votes.errors == votes.oks) & (votes.deciding > 0) & ~trivial
    plain_p = error_share(votes, trivial=trivial)
    p = plain_p
    if smooth is not None:
        if not 0 < smooth < np.inf:
            raise UsageError(f"--smooth must be above 0 (how many judges it weighs), not {smooth}")
        p = error_share(votes, trivial=trivial, prior=centred_prior(votes, smooth, sizes))
    return Jury(
        case_set=evidence.case_set,
        judgments=judgments,
        votes=votes,
        gold=none,
        trivial=trivial,
        truth=settled.truth,
        p=p,
        plain_p=plain_p,
        sizes=sizes,
        ties=int(sizes[tied].sum()),
        judges=judges,
        kinds=[],
        duplicates=0,
        repeated=(),
    )


def _no_truth(evidence: Evidence, number: int, counted: Judges, votes: Votes) -> InputError:
    """Why there is no truth, and what would make one."""
    why = [
        f"{number} {what}"
        for number, what in (
            (int(votes.unknowns.sum()), "unknown"),
            (counted.on_gold, "on gold cases"),
            (counted.on_trivial, "on trivial cases"),
            (counted.model_judgments_left_out, "by models"),
        )
        if number
    ]
    remedy = "give judgments that say error or ok on cases that are neither gold nor trivial"
    if counted.model_judgments_left_out:
        remedy = "count models with --count-models, or give judgments of people"
    found = f"{plural(number, 'judgment')}{': ' if why else ''}{', '.join(why)}"
    return InputError(
        f"{evidence.said_in}: nobody judged any case that can be evaluated ({found}); {remedy}"
    )


def _judgments_that_count(
    table: JudgmentTable, gold: BoolArray, trivial: BoolArray, count_models: bool, in_place: bool
) -> tuple[JudgmentTable, Judges]:
    """Without gold and trivial cases, and without models unless they are wanted."""
    kinds = table.kinds or ["human"] * len(table.raters)
    is_model: BoolArray = np.array([kind == "model" for kind in kinds], dtype=bool)
    left_out = is_model & (not count_models)
    check_judgments(table, len(gold))
    times = np.bincount(np.asarray(table.answer) >> np.uint32(LABEL_BITS), minlength=len(is_model))
    if not (left_out.any() or gold.any() or trivial.any()) and times.all():
        return table, Judges(models=int(is_model.sum()))
    kept: BoolArray = np.ones(len(table), dtype=bool)
    met: BoolArray = np.zeros(len(table.raters), dtype=bool)
    on_gold = on_trivial = of_models = start = 0
    for block in judgment_blocks(table, len(gold)):
        model = left_out[block.rater]
        of_gold, of_trivial = gold[block.case] & ~model, trivial[block.case] & ~model
        on_gold += int(of_gold.sum())
        on_trivial += int(of_trivial.sum())
        of_models += int(model.sum())
        keep = ~(model | of_gold | of_trivial)
        kept[start : start + len(keep)] = keep
        met[block.rater[keep]] = True
        start += len(keep)
    judges = Judges(
        on_gold=on_gold,
        on_trivial=on_trivial,
        models=int((is_model & met).sum()),
        models_left_out=int(left_out.sum()),
        model_judgments_left_out=of_models,
    )
    if kept.all() and met.all():
        return table, judges
    return keep_judgments(table, kept, in_place=in_place), judges


def _repeated_sentences(cases: Sequence[Case]) -> list[str]:
    """Sentences with the words of one before, distinguished by document and by what ids say."""
    sentences = dict.fromkeys(
        (case.sentence, case.document, sentence_of(case.id, case.start, case.end))
        for case in cases
        if case.sentence and not case.gold
    )
    met: set[str] = set()
    again = []
    for text, _, _ in sentences:
        if text in met:
            again.append(text)
        met.add(text)
    return again


def warn_of(jury: Jury) -> None:
    judges = jury.judges
    unjudged = jury.n - jury.judged - jury.count(jury.trivial)
    if unjudged:
        warn(f"not counted: {unjudged} of {jury.n} cases, which no judgment decides")
    if judges.models_left_out:
        warn(
            f"raters that are models are left out: {judges.models_left_out}, with "
            f"{judges.model_judgments_left_out} judgments (--count-models counts them)"
        )
    if judges.models:
        warn(f"{judges.models} of {judges.raters} raters are models, counted like people")
    if judges.on_trivial:
        warn(
            "judgments on trivial cases, which a rule decided, are not counted: "
            f"{judges.on_trivial}"
        )
    if jury.duplicates:
        warn(
            "the same place of the same sentence is listed again as another case: "
            f"{jury.duplicates} times; every one is counted"
        )
    if jury.repeated:
        warn(
            f"sentences that stand in the text before, word by word: {len(jury.repeated)} (first: "
            f"'{shorten(jury.repeated[0], 60, placeholder=' …')}'); every one is counted"
        )


# --- decisions ---


class Settled(NamedTuple):
    """A system's decisions with gold cases taken out and missing ones settled."""

    name: str
    table: DecisionTable
    decided: LabelArray
    missing: int
    scores: FloatArray | None
    answers: NDArray[np.int64]  # [raters, 3, labels]: what raters say by what it decides


def settle_all(
    decisions: Mapping[str, DecisionTable], jury: Jury, missing: str
) -> tuple[Settled, ...]:
    """All systems' decisions, with what raters say of the cases that each decides."""
    settled = [settle(name, table, jury, missing) for name, table in decisions.items()]
    answers = answers_against(jury.judgments, [one.decided for one in settled])
    return tuple(one._replace(answers=own) for one, own in zip(settled, answers, strict=True))


def note_missing(name: str, number: int, cases: int, first: str, missing: str) -> None:
    """Say on how many cases a system decides nothing."""
    fate = "are not counted" if missing == "skip" else f"count as {missing}"
    warn(
        f"{name}: no decision on {number} of {cases} cases (first: '{first}'); they {fate} "
        f"(--missing {missing})"
    )


def settle(name: str, table: DecisionTable, jury: Jury, missing: str) -> Settled:
    """Decisions as an array; missing ones are counted and reported."""
    label: LabelArray = np.array(table.label, dtype=np.int8)
    gaps = (label < 0) & ~jury.gold
    number = int(gaps.sum())
    if number:
        first = jury.case_set.cases[int(np.flatnonzero(gaps)[0])].id
        note_missing(name, number, jury.n, first, missing)
    decided = settle_missing(label, missing)
    decided[jury.gold] = -1
    scores: FloatArray | None = None
    if table.score is not None:
        scores = np.array(table.score, dtype=np.float64)
        scores[jury.gold] = nan
        if np.isnan(scores).all():
            scores = None  # a column without a number is no scores
    return Settled(name, table, decided, number, scores, np.zeros((0, 3, 3), dtype=np.int64))


def by_kinds(jury: Jury, systems: Sequence[Settled]) -> tuple[Jury, tuple[Settled, ...]]:
    """The same with kinds of cases as rows: cases with the same votes, truth and decisions."""
    columns: list[NDArray[np.generic]] = [*jury.votes, jury.truth, jury.gold, jury.trivial]
    _, example, sizes = group_cases([*columns, *(one.decided for one in systems)], jury.sizes)
    rows = {
        name: getattr(jury, name)[example] for name in ("gold", "trivial", "truth", "p", "plain_p")
    }
    votes = Votes(*(column[example] for column in jury.votes))
    kinds = tuple(one._replace(decided=one.decided[example]) for one in systems)
    return replace(jury, votes=votes, sizes=sizes, **rows), kinds
