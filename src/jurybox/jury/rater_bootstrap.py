"""Other raters: how far counts would move if other people of the same kind had judged the cases.

Raters are drawn with replacement, as many as there are, each with all of their judgments; p and the
majority are taken again, and the counts with them. Cases on which everybody says the same are one
group. Where each of many raters judged a few cases, groups do not help, and votes are added case by
case.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import nan
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.errors import InputError
from jurybox.jury.bootstrap import check_resamples, in_parts
from jurybox.jury.grouping import group_cases
from jurybox.jury.votes import (
    ERROR,
    OK,
    BoolArray,
    FloatArray,
    LabelArray,
    VoteArray,
    check_lengths,
    check_ties,
    judgment_blocks,
)
from jurybox.model import JudgmentTable

#: judgments as a table of raters × cases, a byte each, are tried up to this size
DENSE_CELLS = 50_000_000


class RaterResamples(NamedTuple):
    """Counts of all systems over resamples of raters: [systems, R, 4], plain and weighted."""

    plain: FloatArray
    weighted: FloatArray
    raters: int


def resample_raters(
    judgments: JudgmentTable,
    systems: Sequence[LabelArray],
    rng: np.random.Generator,
    resamples: int = 1000,
    *,
    trivial: BoolArray | None = None,
    keep: BoolArray | None = None,
    ties: str = "ok",
    raters: Sequence[int] | None = None,
) -> RaterResamples:
    """Counts of all systems when the raters are drawn anew, each with all of their judgments.

    A rater drawn twice counts twice; a case of which no judge was drawn has no truth in that
    resample and adds nothing. Cases not in `keep` never count, trivial ones are always ok. Under
    ties settled at random a tied case is half an error.

    >>> table = JudgmentTable()
    >>> for rater, label in (("Ann", "error"), ("Bob", "ok")):
    ...     table.append(0, rater, label)
    >>> drawn = resample_raters(table, [np.array([1])], np.random.default_rng(1), 4)
    >>> drawn.weighted[0, :, 0].tolist()
    [0.5, 1.0, 0.0, 1.0]
    """
    check_resamples(resamples)
    check_ties(ties)
    if not systems:
        raise InputError("there is no system to resample; give at least one")
    cases = check_lengths(**{f"system {i + 1}": labels for i, labels in enumerate(systems)})
    chosen = np.arange(len(judgments.raters)) if raters is None else np.asarray(raters, np.intp)
    if not len(chosen):
        raise InputError("there are no raters to resample")
    always_ok: BoolArray = np.zeros(cases, bool) if trivial is None else trivial
    counted = always_ok if keep is None else always_ok & keep
    alike = _CasesAlike if cases * len(chosen) <= DENSE_CELLS else _EveryCase
    crowd = alike(judgments, chosen, systems, counted, keep)
    plain = np.empty((len(systems), resamples, 4))
    weighted = np.empty_like(plain)
    start = 0
    for part in in_parts(resamples, crowd.width):
        drawn = rng.multinomial(len(chosen), np.full(len(chosen), 1 / len(chosen)), size=part)
        errors, judges = crowd.add_votes(drawn)
        rows = slice(start, start + part)
        weighted[:, rows] = crowd.count(_share(errors, judges))
        plain[:, rows] = crowd.count(_settled(errors, judges, ties))
        start += part
    return RaterResamples(plain, weighted, len(chosen))


def _share(errors: FloatArray, judges: FloatArray) -> FloatArray:
    share: FloatArray = np.full(errors.shape, np.nan)
    return np.divide(errors, judges, out=share, where=judges > 0)


def _settled(errors: FloatArray, judges: FloatArray, ties: str) -> FloatArray:
    lead = 2 * errors - judges
    tied = {"ok": 0.0, "error": 1.0, "drop": nan, "random": 0.5}[ties]
    truth = np.where(lead > 0, 1.0, np.where(lead == 0, tied, 0.0))
    return np.where(judges > 0, truth, nan)


class _Crowd:
    """Kinds of cases, or cases, that votes are added for; `count` makes counts of a truth."""

    def __init__(
        self, systems: Sequence[LabelArray], trivial: BoolArray, sizes: NDArray[np.int64]
    ) -> None:
        self.systems = systems
        self.trivial = trivial
        self.sizes = sizes
        self.width = len(sizes)

    def count(self, truth: FloatArray) -> FloatArray:
        """Counts [systems, resamples, 4] of a truth [resamples, width]."""
        truth = np.where(self.trivial, 0.0, truth)
        known = ~np.isnan(truth)
        truth = np.where(known, truth, 0.0)
        errors, oks = truth, known - truth
        counts = [
            (part @ (self.sizes * (labels == label)))
            for labels in self.systems
            for label in (1, 0)
            for part in (errors, oks)
        ]
        return np.stack(counts, axis=-1).reshape(len(truth), -1, 4).transpose(1, 0, 2)


class _CasesAlike(_Crowd):
    """Cases on which every rater says the same and every system decides the same are one kind."""

    def __init__(
        self,
        judgments: JudgmentTable,
        raters: NDArray[np.intp],
        systems: Sequence[LabelArray],
        trivial: BoolArray,
        keep: BoolArray | None,
    ) -> None:
        cases = len(systems[0])
        answers = np.full((len(judgments.raters), cases), -1, dtype=np.int8)
        for block in judgment_blocks(judgments, cases):
            answers[block.rater, block.case] = block.label
        answers = answers[raters]
        if keep is not None:
            answers[:, ~keep] = -1
        groups = group_cases([*systems, trivial, *answers])
        example = groups.example
        super().__init__([labels[example] for labels in systems], trivial[example], groups.sizes)
        self.errors = (answers[:, example] == ERROR).astype(np.float64)
        self.oks = (answers[:, example] == OK).astype(np.float64)

    def add_votes(self, drawn: NDArray[np.int64]) -> tuple[FloatArray, FloatArray]:
        errors = drawn @ self.errors
        return errors, errors + drawn @ self.oks


class _EveryCase(_Crowd):
    """Crowds in which each of many raters judged a few cases: votes are added case by case."""

    def __init__(
        self,
        judgments: JudgmentTable,
        raters: NDArray[np.intp],
        systems: Sequence[LabelArray],
        trivial: BoolArray,
        keep: BoolArray | None,
    ) -> None:
        cases = len(systems[0])
        super().__init__(systems, trivial, np.ones(cases, dtype=np.int64))
        self.judgments = judgments
        self.raters = raters
        self.keep: BoolArray = np.ones(cases, dtype=bool) if keep is None else keep

    def add_votes(self, drawn: NDArray[np.int64]) -> tuple[FloatArray, FloatArray]:
        errors = np.zeros((len(drawn), self.width))
        judges = np.zeros_like(errors)
        times: VoteArray = np.zeros((len(drawn), len(self.judgments.raters)), dtype=np.int32)
        times[:, self.raters] = drawn
        for block in judgment_blocks(self.judgments, self.width):
            deciding = (block.label <= OK) & self.keep[block.case]
            case, rater = block.case[deciding], block.rater[deciding]
            wrong = block.label[deciding] == ERROR
            for row, weights in enumerate(times):
                weight = weights[rater]
                judges[row] += np.bincount(case, weights=weight, minlength=self.width)
                errors[row] += np.bincount(case[wrong], weights=weight[wrong], minlength=self.width)
        return errors, judges
