"""One hypothesis against many subsets of the annotators, from counts that are matched once.

Which annotators a score has as references is a choice of rows of a counts table, so all subsets of
a panel (Bryant and Ng 2015 need 1,022 of ten annotators) are scored from the same table. A table
may have sentences without rows: they do not count. A subset none of whose members looked at a
sentence does not count it either; one that counts no sentence at all has no score (nan).

Edit scores make the running choice for all subsets in step; GLEU averages references. Resampled
scores keep the choice (or average the references) of the sentences as they are: then a resample is
a product of weights and counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from jurybox.errors import InputError
from jurybox.metrics import choice, gleu
from jurybox.metrics.options import check_beta
from jurybox.model import EDIT_COLUMNS, CountsTable
from jurybox.stats.running_choice import RATINGS, FloatArray, IntArray
from jurybox.stats.statistic import (
    EditScore,
    GleuScore,
    Statistic,
    WeightArray,
    gleu_arrays,
    precision_recall_f_arrays,
)


@dataclass(frozen=True, slots=True)
class SubsetScores:
    """The scores [names, subsets], and on how many sentences each subset has a reference.

    A subset is `empty` if neither hypothesis nor references have an edit in these sentences: its
    scores are 1 by convention and say nothing.
    """

    names: tuple[str, ...]
    scores: FloatArray
    sentences: IntArray
    empty: BoolArray


def score_subsets(table: CountsTable, members: BoolArray, statistic: Statistic) -> SubsetScores:
    """The scores of one hypothesis against every subset: members [subsets, annotators].

    Below annotator 1 wants another correction than the hypothesis; together with annotator 0 they
    let it choose.

    >>> table = CountsTable(annotators=["0", "1"])
    >>> table.append([(0, (1, 0, 0)), (1, (0, 1, 1))])
    >>> table.append([(0, (1, 0, 1)), (1, (1, 0, 0))])
    >>> members = np.array([[True, False], [False, True], [True, True]])
    >>> score_subsets(table, members, EditScore()).scores[2].round(4).tolist()
    [0.9091, 0.5, 1.0]
    """
    check_members(table, members)
    sentences = np.zeros(len(members), dtype=np.intp)  # in which a subset has somebody who looked
    for group in group_sentences(table):
        sentences += group.sentences.size * members[:, group.present].any(axis=1)
    empty: BoolArray = np.zeros(len(members), dtype=bool)
    if isinstance(statistic, GleuScore):
        drawn = statistic.references == "draws"
        gleu_scores = (
            drawn_gleu(table, members, statistic.draws) if drawn else expected_gleu(table, members)
        )
        scores = gleu_scores[np.newaxis]
    else:
        edit_score = _edit_score(statistic)
        totals = walk_subsets(table, members, edit_score).totals
        scores = precision_recall_f_arrays(totals, edit_score.beta)
        empty = np.logical_not(np.logical_or.reduce(totals, axis=0))
    scores = np.where(sentences > 0, scores, np.nan)
    return SubsetScores(statistic.names, scores, sentences, empty)


def resample_subsets(
    table: CountsTable, members: BoolArray, statistic: Statistic, weights: WeightArray
) -> FloatArray:
    """The last score (F, or GLEU) of every subset in every resample: [subsets, resamples].

    Annotators are chosen as in the sentences as they are; GLEU takes the average of its references.
    nan where a resample has no sentence that counts.
    """
    check_members(table, members)
    scores = _resample(table, members, statistic, weights)
    drawn = np.zeros(scores.shape)
    for group in group_sentences(table):
        seen = members[:, group.present].any(axis=1)
        drawn[seen] += weights[:, group.sentences].sum(axis=1)
    return np.where(drawn > 0, scores, np.nan)


def _resample(
    table: CountsTable, members: BoolArray, statistic: Statistic, weights: WeightArray
) -> FloatArray:
    if isinstance(statistic, GleuScore):
        return expected_gleu(table, members, weights)
    edit_score = _edit_score(statistic)
    scores = np.empty((len(members), len(weights)))
    times = weights.T.astype(np.float64)
    at_once = max(1, CELLS // max(1, len(table)))
    for start in range(0, len(members), at_once):
        part = slice(start, start + at_once)
        walked = walk_subsets(table, members[part], edit_score, keep=True)
        counts = walked.chosen_counts()
        totals = np.stack([column @ times for column in counts])
        scores[part] = precision_recall_f_arrays(totals, edit_score.beta)[2]
    return scores


def check_members(table: CountsTable, members: BoolArray) -> None:
    """Raise where members do not belong to the table, or a subset is empty."""
    if members.ndim != 2 or members.shape[1] != len(table.annotators):
        raise InputError(
            f"subsets of {members.shape[-1]} annotators do not fit a table of "
            f"{len(table.annotators)}"
        )
    if not members.any(axis=1).all():
        raise InputError("a subset of annotators is empty; there must be somebody to refer to")


def _edit_score(statistic: Statistic) -> EditScore:
    if not isinstance(statistic, EditScore):
        raise InputError(f"{type(statistic).__name__} cannot be scored for subsets of annotators")
    return statistic


BoolArray = NDArray[np.bool_]

#: cells of the largest temporary array, 8 bytes each
CELLS = 4_000_000


@dataclass(frozen=True, slots=True)
class Group:
    """Sentences that the same annotators looked at: one row per annotator, in their order."""

    sentences: IntArray
    present: IntArray  # annotators
    rows: IntArray  # [sentences, present]


def group_sentences(table: CountsTable) -> Iterator[Group]:
    """The sentences of a table by who looked at them; those nobody looked at are left out."""
    starts = np.array(table.starts, dtype=np.intp)
    annotator = np.array(table.annotator, dtype=np.intp)
    looked = np.zeros((len(table), len(table.annotators)), dtype=bool)
    sentence = np.repeat(np.arange(len(table)), np.diff(starts))
    looked[sentence, annotator] = True
    row_of = np.zeros(looked.shape, dtype=np.intp)
    row_of[sentence, annotator] = np.arange(len(annotator))
    patterns, group = np.unique(looked, axis=0, return_inverse=True)
    for number, pattern in enumerate(patterns):
        present = np.flatnonzero(pattern)
        if present.size:
            sentences = np.flatnonzero(group.ravel() == number)
            yield Group(sentences, present, row_of[np.ix_(sentences, present)])


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
    beta2 = check_beta(statistic.beta)
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
    beta2 = check_beta(statistic.beta)
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


def expected_gleu(
    table: CountsTable, members: BoolArray, weights: WeightArray | None = None
) -> FloatArray:
    """GLEU of the average statistics of every subset's references: [subsets], or with resamples."""
    times = np.ones((1, len(table))) if weights is None else weights.astype(np.float64)
    values = {name: np.array(table.values[name], dtype=np.float64) for name in gleu.COLUMNS}
    totals = {name: np.zeros((len(members), len(times))) for name in gleu.COLUMNS}
    for group in group_sentences(table):
        drawn = members[:, group.present]
        references = drawn.sum(axis=1, keepdims=True)
        share = drawn / np.maximum(1, references)
        here = times[:, group.sentences]
        for name in gleu.COLUMNS:
            totals[name] += share @ (here @ values[name][group.rows]).T
    scores = gleu_arrays(totals)
    return scores[:, 0] if weights is None else scores


def drawn_gleu(table: CountsTable, members: BoolArray, draws: int) -> FloatArray:
    """The official GLEU of every subset: the mean over draws of one reference per sentence.

    Draw d gives sentence s the reference int(u[d, s]·k) of the k that the subset has there.
    """
    n = len(members[0])
    scores = np.zeros(len(members))
    if members.sum(axis=1).max() == 1:
        draws = 1
    groups = list(group_sentences(table))
    largest = int(members.sum(axis=1).max())
    at_once = max(1, min(draws, CELLS // (largest * n), 16 * CELLS // max(1, len(table))))
    for start in range(0, draws, at_once):
        random = _random_numbers(len(table), start, min(start + at_once, draws))
        scores += _gleu_of_draws(table, members, groups, random)
    return scores / draws


@lru_cache(maxsize=1)
def _random_numbers(sentences: int, first: int, end: int) -> FloatArray:
    """The numbers of the official draws [draws, sentences]."""
    return np.stack(list(gleu.random_numbers(range(first, end), sentences)))


def _gleu_of_draws(
    table: CountsTable, members: BoolArray, groups: list[Group], random: FloatArray
) -> FloatArray:
    """The sum over some draws of every subset's score."""
    draws = len(random)
    values = {name: np.array(table.values[name], dtype=np.float64) for name in gleu.COLUMNS}
    scores = np.zeros(len(members))
    sizes = members.sum(axis=1)
    for size in np.unique(sizes):
        subsets = np.flatnonzero(sizes == size)
        at_once = max(1, CELLS // (draws * len(gleu.COLUMNS)))
        for start in range(0, len(subsets), at_once):
            part = subsets[start : start + at_once]
            totals = {name: np.zeros((len(part), draws)) for name in gleu.COLUMNS}
            for group in groups:
                _add_group(totals, group, members[part], random, values)
            scores[part] = gleu_arrays(totals).sum(axis=1)
    return scores


def _add_group(
    totals: dict[str, FloatArray],
    group: Group,
    members: BoolArray,
    random: FloatArray,
    values: dict[str, FloatArray],
) -> None:
    """Add what the sentences of a group give to every subset in every draw."""
    drawn = members[:, group.present]
    references = drawn.sum(axis=1)
    here = random[:, group.sentences]
    wanted = {name: values[name][group.rows] for name in gleu.DRAWN_COLUMNS}  # [sentences, present]
    for count in np.unique(references[references > 0]):
        subsets = np.flatnonzero(references == count)
        for name in gleu.COLUMNS:
            if name not in gleu.DRAWN_COLUMNS:  # the hypothesis's own: the same for all references
                totals[name][subsets] += values[name][group.rows[:, 0]].sum()
        listed = np.nonzero(drawn[subsets])[1].reshape(len(subsets), count)  # members in order
        reference = (here * count).astype(np.intp)
        if len(subsets) <= count:  # few sets: take what each draws
            rows = np.arange(len(group.sentences))
            for subset, among in zip(subsets, listed, strict=True):
                taken = among[reference]
                for name, table in wanted.items():
                    totals[name][subset] += table[rows, taken].sum(axis=1)
            continue
        for place in range(count):
            chosen = (reference == place).astype(np.float64)
            for name, table in wanted.items():
                totals[name][subsets] += (chosen @ table).T[listed[:, place]]
