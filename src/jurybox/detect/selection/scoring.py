"""What a detector chooses where a writer wrote a preposition, and how right that is.

The selection experiment of Tetreault and Chodorow (2008, section 3.2): among the 34 prepositions,
never "nothing", and scored by comparison with what was written. Count, then score: of every choice
four numbers are kept, and everything else is made of them.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.detect.linear_model import Scores, probabilities
from jurybox.detect.prepositions import NONE
from jurybox.stats.proportions import binomial_test, normal_quantile

ClassArray = NDArray[np.int8]
Counted = NDArray[np.int64]


class Picks(NamedTuple):
    """Of every event: what was chosen, and where the writer's word came among all 34."""

    choice: ClassArray
    rank: ClassArray  # of what was written; 0: it was chosen
    chance: NDArray[np.float32]  # probability of the choice
    written_chance: NDArray[np.float32]


def pick(odds: Scores, written: ClassArray) -> Picks:
    """The likeliest preposition at every place; of equal ones the first in the alphabet.

    >>> odds = np.full((2, NONE + 1), -20, np.float32)
    >>> odds[:, :2], odds[:, NONE] = np.log([3, 1]), 9
    >>> picks = pick(odds, np.array([0, 1], np.int8))
    >>> picks.choice.tolist(), picks.rank.tolist(), picks.written_chance.round(2).tolist()
    ([0, 0], [0, 1], [0.75, 0.25])
    """
    among = odds[:, :NONE]
    rows = np.arange(len(among))
    own = among[rows, written][:, np.newaxis]
    ahead = (among > own) | ((among == own) & (np.arange(NONE) < written[:, np.newaxis]))
    choice = among.argmax(axis=1) if len(among) else np.empty(0, np.int64)
    chances = probabilities(among) if len(among) else np.empty((0, NONE))
    return Picks(
        choice.astype(np.int8),
        ahead.sum(axis=1).astype(np.int8),
        chances[rows, choice].astype(np.float32),
        chances[rows, written].astype(np.float32),
    )


def join_picks(parts: list[Picks]) -> Picks:
    """Those of one batch after another."""
    return Picks(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def confusion(written: ClassArray, choice: ClassArray) -> Counted:
    """How often each preposition (rows: what was written) was taken for each (columns).

    >>> confusion(np.array([0, 0, 1], np.int8), np.array([0, 1, 1], np.int8))[:2, :2].tolist()
    [[1, 1], [0, 1]]
    """
    places = written.astype(np.int64) * NONE + choice
    return np.bincount(places, minlength=NONE * NONE).reshape(NONE, NONE)


def log_loss(picks: Picks) -> float:
    """The mean surprise at what was written, in nats, among the 34."""
    least = np.finfo(np.float32).tiny  # what underflows is not impossible
    return float(-np.log(np.maximum(picks.written_chance, least), dtype=np.float64).mean())


class Paired(NamedTuple):
    """Two models on the same events: where only one of them is right, and what that shows.

    `p` is of McNemar's test, exact. The interval of the difference of accuracies is the adjusted
    one of Bonett and Price (2012).
    """

    only_first: int
    only_second: int
    difference: float
    low: float
    high: float
    p: float


def compare_right(
    first: NDArray[np.bool_], second: NDArray[np.bool_], level: float = 0.95
) -> Paired:
    """How far two models differ in what they get right.

    >>> first, second = np.arange(100) < 60, np.arange(100) < 50
    >>> found = compare_right(first, second)
    >>> found.only_first, found.difference, round(found.low, 4), round(found.p, 5)
    (10, 0.1, 0.0343, 0.00195)
    """
    n = len(first)
    one, other = int((first & ~second).sum()), int((second & ~first).sum())
    p_one, p_other = (one + 1) / (n + 2), (other + 1) / (n + 2)
    middle = p_one - p_other
    half = normal_quantile(level) * sqrt((p_one + p_other - middle**2) / (n + 2))
    p = binomial_test(min(one, other), one + other, 0.5).two_sided if one + other else 1.0
    low, high = max(middle - half, -1.0), min(middle + half, 1.0)
    return Paired(one, other, (one - other) / n, low, high, p)
