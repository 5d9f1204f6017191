"""People's rankings of systems, taken apart into pairs: scores of systems, and of metrics.

A ranking of k outputs is taken apart into its pairs. Ties decide nothing and are left out. Pairs
can be added up, so a resample of sentences is a product of weights and counts per sentence.

The score of a system is how likely it is to win against a system drawn at random, its expected
wins (Bojar et al. 2013):

    EW(i) = mean over j != i of  wins(i, j) / (wins(i, j) + wins(j, i))

The mean is over the systems that i was decided against at least once.

A metric that scores sentences is right, wrong or tied about each decided pair, by its scores of
that sentence (Grundkiewicz et al. 2015; Kobayashi et al. 2024). With n = right + wrong + tied:

    accuracy = right / n      Kendall's tau = (right - wrong) / n
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jurybox.errors import InputError
from jurybox.formats.tables.rankings import Ranking
from jurybox.metaeval.correlation import divide
from jurybox.stats.running_choice import FloatArray
from jurybox.stats.statistic import WeightArray

#: digits that are kept of a score: what is the same by another way of adding must tie
DIGITS = 12
#: cells of wins [sentences, systems, systems] that are held
CELLS = 200_000_000
#: what is measured of a metric that scores sentences
PAIR_MEASURES = ("pairwise_accuracy", "kendall")


@dataclass(frozen=True, slots=True)
class Wins:
    """Who won against whom: wins [sentences, systems, systems], and how many pairs tied."""

    sentences: tuple[str, ...]
    systems: tuple[str, ...]
    wins: NDArray[np.float32]
    ties: int

    @property
    def decided(self) -> int:
        """How many pairs have a winner."""
        return int(self.wins.sum(dtype=np.float64))


def count_wins(rankings: Sequence[Ranking]) -> Wins:
    """The pairs of all rankings, added up by sentence.

    >>> found = count_wins([Ranking("1", "Ann", {"A": 1, "B": 2, "C": 2})])
    >>> found.wins[0].astype(int).tolist(), found.decided, found.ties
    ([[0, 1, 1], [0, 0, 0], [0, 0, 0]], 2, 1)
    """
    sentences = tuple(dict.fromkeys(ranking.sentence for ranking in rankings))
    systems = tuple(sorted({system for ranking in rankings for system in ranking.ranks}))
    if len(sentences) * len(systems) ** 2 > CELLS:
        raise InputError(
            f"{len(systems)} systems on {len(sentences)} sentences are more than can be compared "
            "pair by pair; rank fewer systems at a time"
        )
    row = {name: place for place, name in enumerate(sentences)}
    number = {name: place for place, name in enumerate(systems)}
    wins: NDArray[np.float32] = np.zeros((len(sentences), len(systems), len(systems)), np.float32)
    ties = 0
    for ranking in rankings:
        places = [number[system] for system in ranking.ranks]
        ranks = np.array(list(ranking.ranks.values()), dtype=np.float64)
        better = ranks[:, np.newaxis] < ranks
        wins[row[ranking.sentence]][np.ix_(places, places)] += better
        ties += len(places) * (len(places) - 1) // 2 - int(better.sum())
    return Wins(sentences, systems, wins, ties)


def expected_wins(wins: Wins, weights: WeightArray | None = None) -> FloatArray:
    """The score of every system: [systems], or [resamples, systems] with weights of sentences.

    nan where a system was decided against nobody.

    >>> ranked = [Ranking("1", "Ann", {"A": 1, "B": 2}), Ranking("2", "Ann", {"A": 2, "B": 1}),
    ...           Ranking("3", "Ann", {"A": 1, "B": 2, "C": 3})]
    >>> expected_wins(count_wins(ranked)).round(4).tolist()
    [0.8333, 0.6667, 0.0]
    """
    n, systems = len(wins.sentences), len(wins.systems)
    times = np.ones((1, n), dtype=np.float32) if weights is None else weights.astype(np.float32)
    totals = (times @ wins.wins.reshape(n, -1)).reshape(-1, systems, systems).astype(np.float64)
    played = totals + totals.swapaxes(1, 2)
    shares = np.divide(totals, played, out=np.zeros(totals.shape), where=played > 0)
    opponents = (played > 0).sum(axis=2)
    scores = divide(shares.sum(axis=2), opponents, where=opponents > 0).round(DIGITS)
    return scores[0] if weights is None else scores


def judge_pairs(wins: Wins, scores: FloatArray) -> FloatArray:
    """Right, wrong and tied pairs [sentences, 3], for scores [sentences, systems].

    A system without a score on a sentence (nan) has no pairs there.

    >>> wins = count_wins([Ranking("1", "Ann", {"A": 1, "B": 2, "C": 3})])
    >>> judge_pairs(wins, np.array([[0.5, 0.9, 0.5]])).tolist()
    [[1.0, 1.0, 1.0]]
    """
    counts = np.empty((len(scores), 3))
    for row, (won, here) in enumerate(zip(wins.wins, scores, strict=True)):
        difference = here[:, np.newaxis] - here
        sides = (difference > 0, difference < 0, difference == 0)
        counts[row] = [won[side].sum() for side in sides]
    return counts


def share_of_pairs(name: str, counts: FloatArray) -> FloatArray:
    """Accuracy or Kendall's tau of counts [..., 3]; undefined (nan) where no pair is decided.

    >>> share_of_pairs("kendall", np.array([[3.0, 1.0, 0.0], [1.0, 0.0, 3.0]])).tolist()
    [0.5, 0.25]
    """
    right, wrong, tied = np.moveaxis(counts, -1, 0)
    total = right + wrong + tied
    above = right if name == "pairwise_accuracy" else right - wrong
    return divide(above, total, where=total > 0)
