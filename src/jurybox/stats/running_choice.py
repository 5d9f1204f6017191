"""The running choice of annotators (metrics/choice.py), made for thousands of resamples at once.

Under `running` the candidate of a sentence depends on the totals of the sentences before it, so a
resample cannot be scored by a weighted sum: it has to be walked through, sentence by sentence.
Here all *walks* (systems × resamples) take one step together, each over the sentence that is its
next, and a step is a handful of vector operations. Formulas, their floating point and their ties
are those of `jurybox.metrics.choice`, to the last bit.

Candidates that can never win are left out beforehand: one that another candidate equals or beats
in all three counts loses against it whatever the totals are, under both metrics and all their
ties. Most sentences then have one candidate left and nothing to choose.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jurybox.model import EDIT_COLUMNS, CountsTable

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]

#: how many steps of walks are laid out at a time: 8 bytes each, a few copies of them
LAID_OUT = 2_000_000
#: a scaled F this near to half a unit is rounded by Python, which sees all of its digits
NEAR_HALF = 1e-6


@dataclass(frozen=True, slots=True)
class Pool:
    """The candidates of many sentences end to end.

    `counts` is [tp/fp/fn, candidates]. Sentence i has the candidates `first[i]` to
    `first[i] + size[i]`, in the table's order.
    """

    first: IntArray
    size: IntArray
    counts: FloatArray


@dataclass(frozen=True, slots=True)
class Rating:
    """How a metric rates totals [tp/fp/fn, walks]: F, then what breaks its ties; more is better.

    The same as the function of that name in `edits.choice`, split so that ties, which are rare,
    are looked at only where there are some.
    """

    f: Callable[[FloatArray, float], FloatArray]
    ties: Callable[[FloatArray, float], tuple[FloatArray, ...]]


def _m2_cost(totals: FloatArray, beta2: float) -> FloatArray:
    tp, fp, fn = totals
    cost: FloatArray = (tp + fp) + beta2 * (tp + fn)
    return cost


def _m2_f(totals: FloatArray, beta2: float) -> FloatArray:
    cost = _m2_cost(totals, beta2)
    f: FloatArray = np.ones_like(cost)
    np.divide((1 + beta2) * totals[0], cost, out=f, where=cost != 0)
    return f


def _m2_ties(totals: FloatArray, beta2: float) -> tuple[FloatArray, ...]:
    return totals[0], -_m2_cost(totals, beta2)


def _errant_f(totals: FloatArray, beta2: float) -> FloatArray:
    tp, fp, fn = totals
    p = np.divide(tp, tp + fp, out=np.ones_like(tp), where=fp != 0)
    r = np.divide(tp, tp + fn, out=np.ones_like(tp), where=fn != 0)
    f = np.divide((1 + beta2) * p * r, beta2 * p + r, out=np.zeros_like(tp), where=p + r != 0)
    return round_to_four_places(f)


def _errant_ties(totals: FloatArray, _beta2: float) -> tuple[FloatArray, ...]:
    return totals[0], -totals[1], -totals[2]


def round_to_four_places(f: FloatArray) -> FloatArray:
    """`round(f, 4)` of every element, as Python rounds; numpy's own rounds an inexact f·10⁴.

    >>> f = np.array([0.00035])
    >>> np.round(f, 4).tolist(), round_to_four_places(f).tolist(), round(0.00035, 4)
    ([0.0004], [0.0003], 0.0003)
    """
    scaled = f * 1e4
    whole = np.rint(scaled)
    rounded: FloatArray = whole / 1e4
    doubtful = np.flatnonzero(np.abs(scaled - whole) > 0.5 - NEAR_HALF)
    if doubtful.size:
        rounded[doubtful] = [round(x, 4) for x in f[doubtful].tolist()]
    return rounded


RATINGS = {"m2": Rating(_m2_f, _m2_ties), "errant": Rating(_errant_f, _errant_ties)}


def pool_candidates(tables: Sequence[CountsTable], *, metric: str, beta2: float) -> Pool:
    """All tables' sentences in a row, hopeless candidates left out.

    After each table's sentences stands an empty one, for walks that have come to their end.
    """
    pools = [_pool_one(table, metric, beta2) for table in tables]
    shift = np.cumsum([0] + [pool.counts.shape[1] for pool in pools])
    return Pool(
        first=np.concatenate([p.first + s for p, s in zip(pools, shift[:-1], strict=True)]),
        size=np.concatenate([pool.size for pool in pools]),
        # contiguous, or every `take` in `walk` would copy the whole of it first
        counts=np.ascontiguousarray(np.concatenate([pool.counts for pool in pools], axis=1)),
    )


def _pool_one(table: CountsTable, metric: str, beta2: float) -> Pool:
    counts = np.array([table.values[column] for column in EDIT_COLUMNS], dtype=np.float64)
    starts = np.array(table.starts, dtype=np.intp)
    sizes = starts[1:] - starts[:-1]
    sentence = np.repeat(np.arange(len(table)), sizes)
    tp, fp, fn = counts
    safe = _f_follows_edits(counts, metric, beta2)
    merits = np.stack([tp, -fp, -fn] if safe else [tp, -(tp + fp), -(tp + fn)])
    kept = ~_hopeless(merits, sentence, int(sizes.max(initial=1)))
    size = np.append(np.bincount(sentence[kept], minlength=len(table)), 1)
    return Pool(
        first=np.cumsum(size) - size,
        size=size,
        counts=np.concatenate([counts[:, kept], np.zeros((3, 1))], axis=1),
    )


def _f_follows_edits(counts: FloatArray, metric: str, beta2: float) -> bool:
    """Whether F never falls with more tp, fewer fp or fewer fn, in floating point too.

    In real numbers it never does unless a count is negative (a gold file with a doubled line can
    make fp so). One division rounds in order if what it divides is exact, so m2 needs a beta² of
    few binary digits (0.5, 1 and 2 have). errant rounds to four places, far above such errors.
    Where the answer is no, candidates are compared by correct, proposed and gold: each enters
    F's one division once, so rounding cannot turn their order.
    """
    return bool((counts >= 0).all()) and (metric == "errant" or (beta2 * 2**20).is_integer())


def _hopeless(merits: FloatArray, sentence: IntArray, most: int) -> NDArray[np.bool_]:
    """Which candidates another one of the same sentence equals or beats in every merit.

    Of equal candidates the first stays. Candidates are compared with the one `gap` places on, for
    all gaps there are.
    """
    hopeless = np.zeros(merits.shape[1], dtype=bool)
    for gap in range(1, most):
        same = sentence[:-gap] == sentence[gap:]
        earlier, later = merits[:, :-gap], merits[:, gap:]
        hopeless[gap:] |= same & (earlier >= later).all(axis=0)
        hopeless[:-gap] |= same & (later >= earlier).all(axis=0) & (later > earlier).any(axis=0)
    return hopeless


def walk(
    pool: Pool, steps: Iterable[IntArray], walks: int, *, metric: str, beta2: float
) -> FloatArray:
    """The totals [tp/fp/fn, walks] after all steps; a step names each walk's next sentence."""
    rating = RATINGS[metric]
    totals = np.zeros((3, walks))
    for sentence in steps:
        row = pool.first.take(sentence)
        choosing = np.flatnonzero(pool.size.take(sentence) > 1)
        if choosing.size:
            before = totals.take(choosing, axis=1)
            row[choosing] = _choose(pool, sentence[choosing], before, rating, beta2)
        totals += pool.counts.take(row, axis=1)
    return totals


def _choose(
    pool: Pool, sentence: IntArray, before: FloatArray, rating: Rating, beta2: float
) -> IntArray:
    """For walks at a sentence with two or more candidates: the one that counts."""
    first, size = pool.first.take(sentence), pool.size.take(sentence)
    best = first.copy()
    best_f = rating.f(before + pool.counts.take(best, axis=1), beta2)
    place = 1
    still = np.arange(len(first))  # walks whose sentence has a candidate at this place
    while still.size:
        candidate = first[still] + place
        f = rating.f(before.take(still, axis=1) + pool.counts.take(candidate, axis=1), beta2)
        better = f > best_f[still]
        tied = np.flatnonzero(f == best_f[still])
        if tied.size:
            who = still[tied]
            better[tied] = _wins_tie(
                rating.ties(before[:, who] + pool.counts[:, candidate[tied]], beta2),
                rating.ties(before[:, who] + pool.counts[:, best[who]], beta2),
            )
        winners = still[better]
        best[winners] = candidate[better]
        best_f[winners] = f[better]
        place += 1
        still = still[size[still] > place]
    return best


def _wins_tie(new: tuple[FloatArray, ...], old: tuple[FloatArray, ...]) -> NDArray[np.bool_]:
    wins = np.zeros(new[0].shape, dtype=bool)
    tied = ~wins
    for one, other in zip(new, old, strict=True):
        wins |= tied & (one > other)
        tied &= one == other
    return wins


def bootstrap_steps(weights: NDArray[np.integer], systems: int) -> Iterator[IntArray]:
    """The walks of every system over every resample: sentences in order, w copies in a row.

    Sentence i of system s is i + s·(n + 1) in the pool. Walks are laid out a block of sentences
    at a time; those with fewer copies in the block wait at the empty sentence n.
    """
    resamples, n = weights.shape
    offsets = (np.arange(systems) * (n + 1))[:, np.newaxis]
    block = max(1, LAID_OUT // resamples)
    for start in range(0, n, block):
        for sentence in _copies_in_order(weights[:, start : start + block], start, waiting=n):
            yield (offsets + sentence).ravel()


def _copies_in_order(weights: NDArray[np.integer], start: int, waiting: int) -> NDArray[np.intp]:
    """[steps, resamples]: the sentences each resample meets, one copy after another.

    >>> _copies_in_order(np.array([[1, 0, 2], [0, 1, 1]]), start=10, waiting=99).T
    array([[10, 12, 12],
           [11, 12, 99]])
    """
    resamples, n = weights.shape
    lengths = weights.sum(axis=1, dtype=np.intp)
    sentences = np.tile(np.arange(start, start + n), resamples)
    laid_out = np.full((resamples, int(lengths.max())), waiting)
    laid_out[np.arange(laid_out.shape[1]) < lengths[:, np.newaxis]] = np.repeat(
        sentences, weights.ravel()
    )
    return np.ascontiguousarray(laid_out.T)


def swap_steps(swaps: NDArray[np.bool_]) -> Iterator[IntArray]:
    """The walks of two systems that swap their rows where `swaps` [resamples, n] says so."""
    n = swaps.shape[1]
    for sentence, swapped_here in enumerate(np.ascontiguousarray(swaps.T)):
        swapped = swapped_here * (n + 1)
        yield np.concatenate([sentence + swapped, sentence + (n + 1) - swapped])
