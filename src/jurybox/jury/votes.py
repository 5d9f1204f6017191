"""What people said about each case: votes, the share that call it an error, the majority.

Judgments are looked at once, in blocks, and leave three whole numbers per case: how many call it
an error, how many call it ok, how many do not know (`Votes`). Everything that is said about graded
truth (Madnani et al. 2011) is a function of these.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import replace
from itertools import compress
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.counting.histogram import count_labels
from jurybox.errors import InputError, LengthError, UsageError
from jurybox.model import LABEL_BITS, LABELS, JudgmentTable

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
#: how many judges; [cases]
VoteArray = NDArray[np.int32]
#: 1 error, 0 ok, -1 undecided or missing; [cases]
LabelArray = NDArray[np.int8]
#: how many cases each row stands for, where rows are kinds of cases; None: one
Sizes = NDArray[np.int64] | None

ERROR, OK, UNKNOWN = range(len(LABELS))
#: ways to settle a case that as many judges call an error as call ok
TIES = ("ok", "error", "drop", "random")
#: judgments looked at together: some 30 MB of temporary arrays
JUDGMENTS_AT_ONCE = 1_000_000


class Votes(NamedTuple):
    """How many judges gave each case each label; arrays of whole numbers [cases]."""

    errors: VoteArray
    oks: VoteArray
    unknowns: VoteArray

    @property
    def deciding(self) -> VoteArray:
        """How many judges said error or ok."""
        return self.errors + self.oks


class Majority(NamedTuple):
    """What most judges say: 1 error, 0 ok, -1 undecided; how many cases were tied or unjudged."""

    truth: LabelArray
    ties: int
    unjudged: int


class JudgmentBlock(NamedTuple):
    """Some consecutive judgments as columns."""

    case: NDArray[np.int64]
    rater: NDArray[np.int64]
    label: LabelArray
    correction: NDArray[np.int64] | None


def judgment_blocks(judgments: JudgmentTable, cases: int) -> Iterator[JudgmentBlock]:
    """The judgments as columns of numpy arrays, block by block, checked."""
    check_judgments(judgments, cases)
    case, answer = np.asarray(judgments.case), np.asarray(judgments.answer)
    correction = None if judgments.correction is None else np.asarray(judgments.correction)
    for part in _parts(len(case)):
        yield JudgmentBlock(
            case[part].astype(np.int64),
            (answer[part] >> LABEL_BITS).astype(np.int64),
            (answer[part] & ((1 << LABEL_BITS) - 1)).astype(np.int8),
            None if correction is None else correction[part].astype(np.int64),
        )


def check_judgments(judgments: JudgmentTable, cases: int) -> None:
    """Refuse judgments about other cases, or with other labels than error, ok and unknown."""
    last = int(np.asarray(judgments.case).max(initial=0))
    if len(judgments) and last >= cases:
        raise InputError(
            f"a judgment is about case number {last}, but there are {cases} cases, counted from "
            "0; were the judgments read for another case set?"
        )
    label = int(np.asarray(judgments.answer).astype(np.uint8).max(initial=0))
    if label > UNKNOWN:
        name = judgments.labels[label]
        raise InputError(
            f"label '{name}' is none of {', '.join(LABELS)}; say what it means with "
            f"--relabel {name}=error, ={', ='.join(LABELS[1:])}"
        )


def keep_judgments(
    judgments: JudgmentTable, keep: BoolArray, *, in_place: bool = False
) -> JudgmentTable:
    """Only the judgments to keep, and only the raters who gave one of them.

    `in_place` changes the table that was given, and needs next to no more memory: for a table
    that nobody else looks at.

    >>> table = JudgmentTable()
    >>> for rater in ("Ann", "Bob", "Cem"):
    ...     table.append(0, rater, "ok")
    >>> kept = keep_judgments(table, np.array([False, True, True]))
    >>> kept.raters, [answer >> LABEL_BITS for answer in kept.answer], len(table)
    (['Bob', 'Cem'], [0, 1], 3)
    """
    check_lengths(judgments=np.asarray(judgments.case), keep=keep)
    met: BoolArray = np.zeros(len(judgments.raters), dtype=bool)
    answers = np.asarray(judgments.answer)
    for part in _parts(len(keep)):
        met[answers[part][keep[part]] >> LABEL_BITS] = True
    del answers  # a column that somebody looks into cannot be made shorter
    numbers = (np.cumsum(met) - 1).astype(np.uint32)
    table = judgments
    if not in_place:
        correction = None if judgments.correction is None else judgments.correction[:]
        case, answer = judgments.case[:], judgments.answer[:]
        table = replace(judgments, case=case, answer=answer, correction=correction)
    _keep_rows(table.case, keep)
    _keep_rows(table.answer, keep, numbers)
    if table.correction is not None:
        _keep_rows(table.correction, keep)
    table.raters = list(compress(table.raters, met.tolist()))
    if table.kinds is not None:
        table.kinds = list(compress(table.kinds, met.tolist()))
    if table.flagged is not None:
        table.flagged = list(compress(table.flagged, met.tolist()))
    return table


def subsample_judges(
    judgments: JudgmentTable, cases: int, per_case: int, rng: np.random.Generator
) -> JudgmentTable:
    """At most `per_case` deciding judgments of every case, chosen at random.

    Judgments that decide nothing (unknown) take nobody's place and stay. A case with fewer keeps
    what it has. Everybody stays among the raters.

    >>> table = JudgmentTable()
    >>> for rater in ("Ann", "Bob", "Cem"):
    ...     table.append(0, rater, "error")
    >>> len(subsample_judges(table, 1, 2, np.random.default_rng(0)))
    2
    """
    if per_case < 1:
        raise UsageError(f"every case keeps at least 1 judge, not {per_case}")
    case = np.asarray(judgments.case)
    deciding = np.concatenate(
        [*(b.label < UNKNOWN for b in judgment_blocks(judgments, cases)), np.zeros(0, bool)]
    )
    rows = np.flatnonzero(deciding)
    rows = rows[rng.permutation(len(rows))]
    rows = rows[np.argsort(case[rows], kind="stable")]
    begins = np.searchsorted(case[rows], case[rows])
    drawn = rows[np.arange(len(rows)) - begins < per_case]
    rows = np.sort(np.concatenate([drawn, np.flatnonzero(~deciding)]))

    def chosen(column: array[int]) -> array[int]:
        return array(column.typecode, np.asarray(column)[rows].tobytes())

    given = judgments.correction
    return JudgmentTable(
        judgments.raters,
        judgments.labels,
        chosen(judgments.case),
        chosen(judgments.answer),
        judgments.corrections,
        None if given is None else chosen(given),
        judgments.kinds,
    )


def _keep_rows(
    column: array[int], keep: BoolArray, numbers: NDArray[np.uint32] | None = None
) -> None:
    """Move the rows to keep up, part by part; an answer gets its rater's new number."""
    values = np.asarray(column)
    filled = 0
    for part in _parts(len(keep)):
        kept = values[part][keep[part]]
        if numbers is not None:
            label = kept & ((1 << LABEL_BITS) - 1)
            kept = numbers[kept >> LABEL_BITS] << LABEL_BITS | label
        values[filled : filled + len(kept)] = kept
        filled += len(kept)
    del values  # a column that somebody looks into cannot be made shorter
    del column[filled:]


def _parts(rows: int) -> Iterator[slice]:
    return (slice(at, at + JUDGMENTS_AT_ONCE) for at in range(0, rows, JUDGMENTS_AT_ONCE))


def count_votes(judgments: JudgmentTable, cases: int) -> Votes:
    """How many judges call each case an error, ok, or do not know.

    >>> table = JudgmentTable()
    >>> for rater, label in (("Ann", "error"), ("Bob", "ok"), ("Cem", "error")):
    ...     table.append(0, rater, label)
    >>> votes = count_votes(table, 2)
    >>> votes.errors, votes.oks
    (array([2, 0], dtype=int32), array([1, 0], dtype=int32))
    """
    check_judgments(judgments, cases)
    label = np.asarray(judgments.answer).astype(np.uint8)  # the lowest bits
    counts = count_labels(np.asarray(judgments.case), label, cases, len(LABELS))
    return Votes(*np.ascontiguousarray(counts.T))


def error_share(
    votes: Votes, *, trivial: BoolArray | None = None, prior: tuple[float, float] | None = None
) -> FloatArray:
    """The graded truth p of each case: the share of judges who call it an error.

    p = errors / (errors + oks); Madnani et al. 2011, section 4.1. Who does not know is left out.
    Undefined (nan) where nobody decided; 0 where the case is `trivial`, by rule. With few judges p
    is noisy: `prior` (a, b) of a Beta distribution gives its posterior mean instead,
    (errors + a) / (errors + oks + a + b). It smooths what was judged and invents nothing else.

    >>> error_share(Votes(np.array([4, 0]), np.array([1, 0]), np.array([0, 2]))).tolist()
    [0.8, nan]
    >>> error_share(Votes(np.array([4]), np.array([1]), np.array([0])), prior=(0.5, 4.5)).tolist()
    [0.45]
    """
    judged = votes.deciding
    p: FloatArray = np.full(len(judged), np.nan)
    a, b = (0.0, 0.0) if prior is None else _checked_prior(prior)
    np.divide(votes.errors + a, judged + (a + b), out=p, where=judged > 0)
    if trivial is not None:
        p[trivial] = 0.0
    return p


def _checked_prior(prior: tuple[float, float]) -> tuple[float, float]:
    if not all(0 < part < np.inf for part in prior):
        raise UsageError(f"the two numbers of a Beta prior must be above 0, not {prior}")
    return prior


def centred_prior(votes: Votes, strength: float = 2.0, sizes: Sizes = None) -> tuple[float, float]:
    """A Beta prior whose mean is the share of error judgments and that weighs `strength` judges.

    A flat prior (1, 1) draws every p towards one half: where errors are rare it doubles the error
    rate. This one draws p towards what judges say on the whole.

    >>> centred_prior(Votes(np.array([1, 0]), np.array([4, 5]), np.array([0, 0])))
    (0.2, 1.8)
    """
    number = np.ones(len(votes.errors), dtype=np.int64) if sizes is None else sizes
    errors, oks = int(votes.errors @ number), int(votes.oks @ number)
    if not errors or not oks:
        raise InputError("all judgments are the same label; there is nothing to smooth towards")
    a = strength * errors / (errors + oks)
    return _checked_prior((a, strength - a))


def majority(
    votes: Votes,
    ties: str = "ok",
    *,
    rng: np.random.Generator | None = None,
    trivial: BoolArray | None = None,
) -> Majority:
    """What most judges who decided say of each case, ties settled by a named policy.

    A tied case is `ok` or an `error`, is dropped (-1), or is settled by a coin (`random`, with
    `rng`). -1 also where nobody decided; 0 where the case is `trivial`. The policy matters: on the
    RTE data of Snow et al. (2008), 65 ties of 800 move the accuracy from .897 to .919.

    >>> votes = Votes(np.array([2, 1, 0, 0]), np.array([1, 1, 3, 0]), np.zeros(4))
    >>> majority(votes, ties="drop")
    Majority(truth=array([ 1, -1,  0, -1], dtype=int8), ties=1, unjudged=1)
    """
    check_ties(ties)
    lead = votes.errors - votes.oks
    truth: LabelArray = (lead > 0).astype(np.int8)
    judged = votes.deciding > 0
    tied = (lead == 0) & judged
    if trivial is not None:
        judged = judged | trivial
        tied &= ~trivial
        truth[trivial] = 0
    number = int(np.count_nonzero(tied))
    if ties == "random":
        if rng is None:
            raise UsageError("ties settled at random need a random number generator: give rng")
        truth[tied] = rng.integers(0, 2, size=number, dtype=np.int8)
    else:
        truth[tied] = {"ok": 0, "error": 1, "drop": -1}[ties]
    truth[~judged] = -1
    return Majority(truth, number, len(judged) - int(np.count_nonzero(judged)))


def plain_truth(errors: NDArray[np.number], judges: NDArray[np.number], ties: str) -> FloatArray:
    """The majority of so many votes: 1 error, 0 ok; nan where nobody judged or ties are dropped.

    A tie settled at random is half an error: what it is on average.
    """
    tied = {"ok": 0.0, "error": 1.0, "drop": np.nan, "random": 0.5}[ties]
    lead = 2 * errors - judges
    truth = np.where(lead > 0, 1.0, np.where(lead == 0, tied, 0.0))
    return np.where(judges > 0, truth, np.nan)


def check_ties(ties: str) -> None:
    """Refuse a tie policy that does not exist.

    >>> check_ties("none")
    Traceback (most recent call last):
    jurybox.errors.UsageError: ties must be settled by one of ok, error, drop, random, not 'none'
    """
    if ties not in TIES:
        raise UsageError(f"ties must be settled by one of {', '.join(TIES)}, not '{ties}'")


def check_lengths(**arrays: NDArray[np.generic]) -> int:
    """How many cases all these arrays have, or an error that names the two that differ."""
    (first, array), *others = arrays.items()
    for name, other in others:
        if len(other) != len(array):
            raise LengthError(f"{first} has {len(array)} cases, {name} has {len(other)}")
    return len(array)
