"""Other raters: how far counts would move if other people of the same kind had judged the cases.

Raters are drawn with replacement, as many as there are, each with all of their judgments; p and the
majority are taken again, and the counts with them. Cases on which everybody says the same are one
group. Where each of many raters judged a few cases, groups do not help, and votes are added case by
case.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.counting.histogram import group_cases
from jurybox.errors import InputError
from jurybox.jury.bootstrap import check_resamples, in_parts
from jurybox.jury.votes import (
    ERROR,
    OK,
    BoolArray,
    FloatArray,
    LabelArray,
    check_lengths,
    check_ties,
    judgment_blocks,
    plain_truth,
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
    ties: str = "ok",
) -> RaterResamples:
    """Counts of all systems when the raters are drawn anew, each with all of their judgments.

    A rater drawn twice counts twice; a case of which no judge was drawn has no truth in that
    resample and adds nothing. Trivial cases are always ok. Under ties settled at random a tied case
    is half an error.

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
    raters = len(judgments.raters)
    if not raters:
        raise InputError("there are no raters to resample")
    always_ok: BoolArray = np.zeros(cases, bool) if trivial is None else trivial
    if cases * raters <= DENSE_CELLS:  # cases that raters and systems all treat alike are one
        answers = np.full((raters, cases), -1, dtype=np.int8)
        for block in judgment_blocks(judgments, cases):
            answers[block.rater, block.case] = block.label
        _, example, sizes = group_cases([*systems, always_ok, *answers])
        systems, always_ok = [labels[example] for labels in systems], always_ok[example]
        says = [(answers[:, example] == label).astype(np.float64) for label in (ERROR, OK)]
    else:
        sizes = np.ones(cases, dtype=np.int64)
    plain: list[FloatArray] = []
    weighted: list[FloatArray] = []
    for part in in_parts(resamples, len(sizes)):
        drawn = rng.multinomial(raters, np.full(raters, 1 / raters), size=part)
        if cases * raters <= DENSE_CELLS:
            errors, oks = (drawn @ label for label in says)
        else:
            errors, oks = _votes_case_by_case(judgments, drawn, cases)
        judges = errors + oks
        share: FloatArray = np.full(errors.shape, np.nan)
        np.divide(errors, judges, out=share, where=judges > 0)
        for truth, counts in ((share, weighted), (plain_truth(errors, judges, ties), plain)):
            counts.append(_count(np.where(always_ok, 0.0, truth), systems, sizes))
    return RaterResamples(np.concatenate(plain, axis=1), np.concatenate(weighted, axis=1), raters)


def _votes_case_by_case(
    judgments: JudgmentTable, drawn: NDArray[np.int64], cases: int
) -> tuple[FloatArray, FloatArray]:
    """Votes for error and for ok [resamples, cases], of raters who stand as often as drawn."""
    errors = np.zeros((len(drawn), cases))
    oks = np.zeros_like(errors)
    for block in judgment_blocks(judgments, cases):
        for label, votes in ((ERROR, errors), (OK, oks)):
            chosen = block.label == label
            case, rater = block.case[chosen], block.rater[chosen]
            for row, times in enumerate(drawn):
                votes[row] += np.bincount(case, weights=times[rater], minlength=cases)
    return errors, oks


def _count(
    truth: FloatArray, systems: Sequence[LabelArray], sizes: NDArray[np.int64]
) -> FloatArray:
    """Counts [systems, resamples, 4] of a truth [resamples, groups of cases]."""
    known = ~np.isnan(truth)
    errors = np.where(known, truth, 0.0)
    counts = [
        part @ (sizes * (labels == label))
        for labels in systems
        for label in (1, 0)
        for part in (errors, known - errors)
    ]
    return np.stack(counts, axis=-1).reshape(len(truth), -1, 4).transpose(1, 0, 2)
