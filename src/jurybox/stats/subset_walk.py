"""The choice of an annotator, sentence by sentence, for many subsets of them at once.

Edit scores choose an annotator sentence by sentence (edits/choice.py). All subsets take a step
together: their running totals are a vector, a sentence's candidates are rated for all of them at
once, and a candidate is open to the subsets that hold one of its annotators. Formulas, floating
point and ties are those of `jurybox.edits.choice`, to the last bit.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from jurybox.edits import choice
from jurybox.model import EDIT_COLUMNS, CountsTable
from jurybox.stats.running_choice import RATINGS, FloatArray, IntArray
from jurybox.stats.statistic import EditScore
from jurybox.stats.subset_groups import BoolArray

BitArray = NDArray[np.uint64]

#: subsets that take their steps together; what they need at a time stays in the processor's cache
SUBSETS_AT_ONCE = 4096
#: annotators per word of a bit mask
WORD = 63


@dataclass(frozen=True, slots=True)
class Candidates:
    """What can be chosen in each sentence: counts [tp/fp/fn, candidates] and who holds them.

    Those of sentence i are `starts[i]` to `starts[i + 1]`, the one that wins ties first; equal
    counts of several annotators are one candidate.
    """

    starts: IntArray
    counts: FloatArray
    holders: BitArray  # [candidates, words]


@dataclass(frozen=True, slots=True)
class Walked:
    """The totals [tp/fp/fn, subsets] and, where kept, the candidate chosen in every sentence."""

    totals: FloatArray
    candidates: Candidates
    chosen: IntArray | None = None  # [sentences, subsets]; -1: nobody looked at it

    def chosen_counts(self) -> FloatArray:
        """The counts [tp/fp/fn, subsets, sentences] of the chosen candidates."""
        assert self.chosen is not None
        counts = np.append(self.candidates.counts, np.zeros((3, 1)), axis=1)
        return counts[:, self.chosen.T]


def walk_subsets(
    table: CountsTable, members: BoolArray, statistic: EditScore, *, keep: bool = False
) -> Walked:
    """Choose for every subset, sentence by sentence, and add up."""
    beta2 = choice.check_beta(statistic.beta)
    choice.check_columns(table)
    taking_part: BoolArray = np.logical_or.reduce(members, axis=0)
    candidates = merge_candidates(table, taking_part, metric=statistic.metric, beta2=beta2)
    bits, everybody = as_bits(members), as_bits(taking_part[np.newaxis])[0]
    totals = np.empty((3, len(members)))
    chosen = np.full((len(table), len(members)), -1) if keep else None
    for start in range(0, len(members), SUBSETS_AT_ONCE):
        part = slice(start, start + SUBSETS_AT_ONCE)
        kept = None if chosen is None else chosen[:, part]
        totals[:, part] = _walk(candidates, bits[part], statistic, everybody, chosen=kept)
    return Walked(totals, candidates, chosen)


def merge_candidates(
    table: CountsTable, taking_part: BoolArray, *, metric: str, beta2: float
) -> Candidates:
    """The candidates of all sentences, in the order in which they win ties.

    The totals before a sentence are the same for all of its candidates, so what breaks a tie is
    decided by their own counts: more tp, then the smaller denominator of F (m2) or fewer fp, then
    fn (errant), then the annotator who comes first.
    """
    starts = np.array(table.starts, dtype=np.intp)
    annotator = np.array(table.annotator, dtype=np.intp)
    sentence = np.repeat(np.arange(len(table)), np.diff(starts))
    rows = np.flatnonzero(taking_part[annotator])
    annotator, sentence = annotator[rows], sentence[rows]
    tp, fp, fn = counts = np.array(
        [np.array(table.values[column], dtype=np.float64)[rows] for column in EDIT_COLUMNS]
    ).reshape(3, -1)
    ties = [(tp + fp) + beta2 * (tp + fn)] if metric == "m2" else [fn, fp]
    order = np.lexsort([annotator, *ties, -tp, sentence])
    annotator, sentence, counts = annotator[order], sentence[order], counts[:, order]
    new = np.ones(len(order), dtype=bool)
    new[1:] = (sentence[1:] != sentence[:-1]) | (counts[:, 1:] != counts[:, :-1]).any(axis=0)
    first = np.flatnonzero(new)
    holders = as_bits(np.eye(len(taking_part), dtype=bool))[annotator]
    if len(first):
        holders = np.bitwise_or.reduceat(holders, first, axis=0)
    sizes = np.bincount(sentence[first], minlength=len(table))
    return Candidates(np.append(0, np.cumsum(sizes)), counts[:, first], holders)


def as_bits(members: BoolArray) -> BitArray:
    """Rows of booleans as rows of bit masks.

    >>> as_bits(np.array([[True, False, True]]))
    array([[5]], dtype=uint64)
    """
    words = -(-members.shape[1] // WORD)
    bits: BitArray = np.zeros((len(members), words), dtype=np.uint64)
    for place, column in enumerate(members.T):
        word, shift = divmod(place, WORD)
        bits[:, word] |= column.astype(np.uint64) << np.uint64(shift)
    return bits


def _walk(
    candidates: Candidates,
    bits: BitArray,
    statistic: EditScore,
    everybody: BitArray,
    *,
    chosen: IntArray | None,
) -> FloatArray:
    """The totals of subsets after all sentences; `chosen` is filled where it is given."""
    rate = _rater(statistic)
    counts = np.concatenate([candidates.counts, rate.terms(candidates.counts)])
    running = statistic.rule == "running"
    walks = len(bits)
    totals = np.zeros((len(counts), walks))
    nothing = np.zeros((len(counts), walks))
    words = [np.ascontiguousarray(bits[:, word]) for word in range(bits.shape[1])]
    holders = candidates.holders
    alone = np.diff(candidates.starts) == 1
    complete = _held_by_everybody(candidates, everybody)
    starts = candidates.starts.tolist()
    for sentence, (first, end) in enumerate(pairwise(starts)):
        if alone[sentence] and complete[sentence]:  # all subsets add the same
            totals += counts[:, first:end]
            if chosen is not None:
                chosen[sentence] = first
            continue
        if end == first:
            continue
        closed = (words[0] & holders[first:end, :1]) == 0
        for number, word in enumerate(words[1:], start=1):
            closed &= (word & holders[first:end, number : number + 1]) == 0
        f = rate.f(totals if running else nothing, counts[:, first:end])
        np.putmask(f, closed, -1.0)
        best = f.argmax(axis=0)
        added = counts[:, first:end].take(best, axis=1)
        best += first
        if not complete[sentence]:
            unseen = np.logical_and.reduce(closed, axis=0)
            added[:, unseen] = 0
            best[unseen] = -1
        totals += added
        if chosen is not None:
            chosen[sentence] = best
    return totals[: len(EDIT_COLUMNS)]


def _held_by_everybody(candidates: Candidates, everybody: BitArray) -> BoolArray:
    """In which sentences every annotator who takes part holds a candidate."""
    complete: BoolArray = np.zeros(len(candidates.starts) - 1, dtype=bool)
    some = np.flatnonzero(np.diff(candidates.starts))
    if some.size:
        held = np.bitwise_or.reduceat(candidates.holders, candidates.starts[some], axis=0)
        complete[some] = np.logical_and.reduce(held == everybody, axis=1)
    return complete


class _Rater(Protocol):
    """F of totals plus a candidate, for all subsets and all candidates of a sentence."""

    def terms(self, counts: FloatArray) -> FloatArray:
        """Further columns to add up beside tp, fp and fn, which make F quick to compute."""

    def f(self, totals: FloatArray, counts: FloatArray) -> FloatArray:
        """F [candidates, subsets] for totals [columns, subsets], counts [columns, candidates]."""


def _rater(statistic: EditScore) -> _Rater:
    beta2 = choice.check_beta(statistic.beta)
    exact = (beta2 * 2**20).is_integer()
    return _ExactM2(beta2) if statistic.metric == "m2" and exact else _AnyRating(statistic)


@dataclass(frozen=True, slots=True)
class _AnyRating:
    """F as the metric defines it."""

    statistic: EditScore

    def terms(self, counts: FloatArray) -> FloatArray:
        return counts[:0]

    def f(self, totals: FloatArray, counts: FloatArray) -> FloatArray:
        together = totals[:, np.newaxis] + counts[:, :, np.newaxis]
        shape = together.shape[1:]
        rate = RATINGS[self.statistic.metric].f
        return rate(together.reshape(len(EDIT_COLUMNS), -1), self.statistic.beta**2).reshape(shape)


@dataclass(frozen=True, slots=True)
class _ExactM2:
    """MaxMatch's F where beta² has few binary digits: both sides of its division are then sums
    without rounding error, so numerator and denominator can be added up by themselves.
    """

    beta2: float

    def terms(self, counts: FloatArray) -> FloatArray:
        tp, fp, fn = counts
        return np.stack([(1 + self.beta2) * tp, (tp + fp) + self.beta2 * (tp + fn)])

    def f(self, totals: FloatArray, counts: FloatArray) -> FloatArray:
        above = totals[3] + counts[3, :, np.newaxis]
        below = totals[4] + counts[4, :, np.newaxis]
        if not totals[4].all() and not below.all():  # nothing proposed, nothing wanted: F is 1
            above, below = np.where(below == 0, 1, above), np.where(below == 0, 1, below)
        f: FloatArray = np.divide(above, below, out=above)
        return f
