"""Metrics that score sentences before the pairs that people decided, one sentence at a time.

Each pair of systems that a ranking decides is right, wrong or tied by the metric's scores of that
sentence (Grundkiewicz et al. 2015; Kobayashi et al. 2024). The counts can be added up, so a
resample of sentences is a product of weights and counts. With n = right + wrong + tied:

    accuracy = right / n      Kendall's tau = (right - wrong) / n
"""

from __future__ import annotations

from math import nan

import numpy as np

from jurybox.metaeval.expected_wins import Wins
from jurybox.stats.running_choice import FloatArray

#: what is said of the pairs
MEASURES = ("pairwise_accuracy", "kendall")


def judge_pairs(wins: Wins, scores: FloatArray) -> FloatArray:
    """Right, wrong and tied pairs [sentences, 3], for scores [sentences, systems].

    A system without a score on a sentence (nan) has no pairs there.

    >>> from jurybox.formats.tables.rankings import Ranking
    >>> from jurybox.metaeval.expected_wins import count_wins
    >>> wins = count_wins([Ranking("1", "Ann", {"A": 1, "B": 2, "C": 3})])
    >>> judge_pairs(wins, np.array([[0.5, 0.9, 0.5]])).tolist()
    [[1.0, 1.0, 1.0]]
    """
    counts = np.empty((len(scores), 3))
    for row, (won, here) in enumerate(zip(wins.wins, scores, strict=True)):
        difference = here[:, np.newaxis] - here
        counts[row] = [won[difference > 0].sum(), won[difference < 0].sum(), 0]
        counts[row, 2] = won[difference == 0].sum()
    return counts


def share_of_pairs(name: str, counts: FloatArray) -> FloatArray:
    """Accuracy or Kendall's tau of counts [..., 3]; undefined (nan) where no pair is decided.

    >>> share_of_pairs("kendall", np.array([[3.0, 1.0, 0.0], [1.0, 0.0, 3.0]])).tolist()
    [0.5, 0.25]
    """
    right, wrong, tied = np.moveaxis(counts, -1, 0)
    total = right + wrong + tied
    found = np.full(np.shape(total), nan)
    above = right if name == "pairwise_accuracy" else right - wrong
    np.divide(above, total, out=found, where=total > 0)
    return found
