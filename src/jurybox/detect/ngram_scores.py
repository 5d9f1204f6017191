"""What a language model says of sentences: a logarithm for every word, and perplexity."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import nan
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Scores:
    """Probabilities of all words, sentence after sentence; the last word of each is its end.

    >>> scores = Scores(np.array([-1.0, -2.0, -3.0]), np.array([False, True, False]),
    ...                 np.array([0, 2, 3]))
    >>> scores.totals.tolist(), scores.of(0).tolist()
    ([-3.0, -3.0], [-1.0, -2.0])
    >>> scores.perplexity(), scores.perplexity(unknown=False), scores.unknown_words
    (100.0, 100.0, 1)
    """

    log10: NDArray[np.float64]
    unknown: NDArray[np.bool_]
    bounds: NDArray[np.int64]  # where each sentence begins, and the number of words

    def __len__(self) -> int:
        """Sentences."""
        return len(self.bounds) - 1

    @property
    def words(self) -> int:
        """Words and ends of sentences."""
        return len(self.log10)

    @property
    def unknown_words(self) -> int:
        return int(self.unknown.sum())

    @property
    def totals(self) -> NDArray[np.float64]:
        """Log10 of the probability of each sentence, its end included."""
        if not len(self):
            return np.empty(0)
        found: NDArray[np.float64] = np.add.reduceat(self.log10, self.bounds[:-1])
        return found

    def of(self, sentence: int) -> NDArray[np.float64]:
        """Log10 of the probability of each word of a sentence, numbered from 0, and of its end."""
        return self.log10[self.bounds[sentence] : self.bounds[sentence + 1]]

    def perplexity(self, *, unknown: bool = True) -> float:
        """10 to the mean of the negative logarithms, with or without unknown words.

        Not a number where no word is left.
        """
        counted = self.log10 if unknown else self.log10[~self.unknown]
        return float(10 ** -counted.mean()) if len(counted) else nan


class SentenceScorer(Protocol):
    """What scores sentences: our model, or KenLM with one."""

    def score(self, sentences: Iterable[str | Sequence[str]]) -> Scores: ...


def joined_scores(parts: Sequence[Scores]) -> Scores:
    """Scores of sentences one after the other."""
    if not parts:
        return Scores(np.empty(0), np.empty(0, np.bool_), np.zeros(1, np.int64))
    lengths = np.concatenate([np.diff(part.bounds) for part in parts])
    return Scores(
        np.concatenate([part.log10 for part in parts]),
        np.concatenate([part.unknown for part in parts]),
        np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)]),
    )
