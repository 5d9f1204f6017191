"""How probable each label is as the majority of N judgments drawn from a case's own.

N judgments of a case are drawn without replacement; the label that most of them give wins. With
r_k judgments for label k, the number of draws in which k wins with m votes is C(r_k, m) times the
coefficient of x^(N - m) in the product over the other labels j of

    Σ_{c < m} C(r_j, c) x^c  +  y C(r_j, m) x^m,

where y is what a tie with j is worth to k. It is 0 where tied labels do not win. Settled at random,
a tie with t others is worth 1 / (t + 1), the integral of y^t from 0 to 1; a Gauss–Legendre rule
gives it exactly, for the product is a polynomial in y. So the chances are exact for any number of
labels, up to rounding.

Which labels they are does not matter, only how often they were given: cases that are the same when
their counts are sorted are worked out once, by rank.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jurybox.errors import InputError, UsageError
from jurybox.jury.grouping import group_cases
from jurybox.raters.majority import Ties
from jurybox.raters.ratings import CodeArray, FloatArray

#: ways to draw must be numbers that double precision can hold
MOST_WAYS = 1e290


class RankedChances(NamedTuple):
    """Chances to win by rank; ranks go from the label that was given most often down."""

    chances: FloatArray  # [kinds of cases, size of the crowd less 1, ranks]
    kind: CodeArray  # [cases]
    label: CodeArray  # [cases, ranks]: which label has this rank


def rank_chances(counts: CodeArray, largest: int, ties: Ties) -> RankedChances:
    """The chances of labels to win outright, or by lot if ties are settled at random.

    `counts` is [cases, labels]. What is missing to 1 is the chance of a tie that is settled
    otherwise. A crowd larger than a case's judgments has nan.
    """
    if ties.policy == "first":
        raise UsageError("a crowd's ties can be settled by random, drop or a label, not by first")
    order = np.argsort(-counts, axis=1, kind="stable")
    ranks = max(1, int((counts > 0).sum(axis=1).max(initial=0)))
    ordered = np.take_along_axis(counts, order, axis=1)[:, :ranks]
    groups = group_cases(np.ascontiguousarray(ordered.T))
    rows = ordered[groups.example]
    total = rows.sum(axis=1)
    ways = choose(total, largest)
    if not ways.max(initial=1.0) < MOST_WAYS:
        raise InputError(
            f"there are too many ways to draw {largest} of {total.max()} judgments; ask for "
            "smaller crowds"
        )
    columns = [_ways_to_win(rows, rank, largest, ties) for rank in range(ranks)]
    won = np.stack(columns, axis=2)
    chances = np.full(won.shape, np.nan)
    possible = np.broadcast_to((ways > 0)[:, 1:, np.newaxis], won.shape)
    np.divide(won, ways[:, 1:, np.newaxis], out=chances, where=possible)
    return RankedChances(chances, groups.of_case, order[:, :ranks])


def winning_chances(counts: CodeArray, largest: int, ties: Ties) -> FloatArray:
    """The chance of each label to win among 1 to `largest` judgments: [cases, largest, labels].

    `counts` is [cases, labels]. Cases with fewer judgments than are drawn have nan. What is missing
    to 1 under the policy `drop` is the chance that the case is left without a label.

    >>> counts = np.array([[2, 1]])
    >>> winning_chances(counts, 3, Ties("random")).round(4).tolist()
    [[[0.6667, 0.3333], [0.6667, 0.3333], [1.0, 0.0]]]
    >>> winning_chances(counts, 2, Ties("drop")).round(4).tolist()
    [[[0.6667, 0.3333], [0.3333, 0.0]]]
    """
    ranked = rank_chances(counts, largest, ties)
    by_rank = ranked.chances[ranked.kind]
    chances = np.zeros((*by_rank.shape[:2], counts.shape[1]))
    np.put_along_axis(chances, ranked.label[:, np.newaxis], by_rank, axis=2)
    chances[np.isnan(by_rank).any(axis=2)] = np.nan
    if ties.policy == "label":
        chances[:, :, ties.label] += 1 - chances.sum(axis=2)
    return chances


def _ways_to_win(rows: CodeArray, label: int, largest: int, ties: Ties) -> FloatArray:
    """In how many draws of 1 to `largest` judgments the label wins: [rows, largest]."""
    own = choose(rows[:, label], largest)
    others = [j for j in range(rows.shape[1]) if j != label]
    worth, weights = np.zeros(1), np.ones(1)
    if ties.policy == "random":
        nodes, weights = np.polynomial.legendre.leggauss(len(others) // 2 + 1)
        worth, weights = (nodes + 1) / 2, weights / 2
    ways = np.zeros((len(rows), largest + 1))
    for votes in range(1, min(largest, int(rows[:, label].max(initial=0))) + 1):
        room = largest - votes  # judgments that can go to others
        product = np.zeros((len(rows), room + 1, len(weights)))
        product[:, 0] = 1.0
        for other in others:
            chosen = choose(rows[:, other], votes)
            product = _times(product, chosen, int(rows[:, other].max()), votes, worth)
        ways[:, votes:] += own[:, votes, np.newaxis] * (product @ weights)
    return ways[:, 1:]


def _times(
    product: FloatArray, chosen: FloatArray, most: int, votes: int, worth: FloatArray
) -> FloatArray:
    """The product times another label's polynomial, cut off where it is not needed."""
    length = product.shape[1]
    result = np.zeros_like(product)
    for taken in range(min(most, votes, length - 1) + 1):
        part = product[:, : length - taken] * chosen[:, taken, np.newaxis, np.newaxis]
        result[:, taken:] += part * worth if taken == votes else part
    return result


def choose(sizes: CodeArray, largest: int) -> FloatArray:
    """Binomial coefficients: ways to take 0 to `largest` of each size, [sizes, largest + 1].

    >>> choose(np.array([3, 1]), 2).tolist()
    [[1.0, 3.0, 3.0], [1.0, 1.0, 0.0]]
    """
    ways = np.ones((len(sizes), largest + 1))
    for taken in range(1, largest + 1):
        # each is a whole number: rounding undoes what dividing blurred
        left = np.maximum(sizes - taken + 1, 0)
        with np.errstate(over="ignore", invalid="ignore"):  # too many: the caller refuses
            ways[:, taken] = np.rint(ways[:, taken - 1] * left / taken)
    return ways
