"""Trigrams that are rarer than they should be: candidates of extraneous prepositions.

Madnani et al. (2011, section 2.1) inspect trigrams "a p b" that the Web 1T corpus does not have, or
has much less often than the count of "a b" leads one to expect. How the expected count is made they
do not say. Here it is made as if p could stand between any two words:

    expected = count(a b) × share of p among all words
    score    = log2((expected + m/2) / (count(a p b) + m/2))

The share makes prepositions comparable: where a common one as of is missing between two words, that
says much; where a rare one as beyond is missing, little. m is the smallest count that the source of
the counts keeps (1 for text, 40 for Web 1T). What is missing has a count below m and is taken for
half of m, so that an expectation that is small beside m cannot make a large score.
"""

from __future__ import annotations

from heapq import nsmallest
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.detect.mine_counts import NgramCounts
from jurybox.detect.mine_trigrams import Trigrams
from jurybox.errors import InputError


class RareTrigram(NamedTuple):
    """A trigram, what counts say about it, and where it stands in the screened text."""

    words: tuple[str, str, str]
    seen: int  # how often it occurs in what was counted
    bigram_seen: int  # the same for the two words without the preposition
    expected: float
    score: float
    occurrences: int  # in the screened text
    places: tuple[tuple[int, int], ...]  # the first of them: sentence and token, from 0


class Ranking(NamedTuple):
    """The rarest trigrams, and how many were rarer than expected."""

    trigrams: tuple[RareTrigram, ...]
    rarer: int


def score_trigrams(
    expected: NDArray[np.float64], counts: NDArray[np.int64], least: int = 1
) -> NDArray[np.float64]:
    """How many times a count would have to double to be what is expected.

    >>> score_trigrams(np.array([15.5, 15.5, 15.5]), np.array([0, 1, 63])).round(2).tolist()
    [5.0, 3.42, -1.99]
    >>> score_trigrams(np.array([15.5]), np.array([0]), least=40).round(2).tolist()
    [0.83]
    """
    half = least / 2
    scores: NDArray[np.float64] = np.log2((expected + half) / (counts + half))
    return scores


def rank_trigrams(
    found: Trigrams, counts: NgramCounts, *, min_count: int, top: int, per_trigram: int
) -> Ranking:
    """The trigrams with the highest scores, ties in order of their words.

    Only those count that are rarer than expected, with a bigram seen at least `min_count` times.
    """
    wanted = found.wanted
    bigrams = counts.bigrams[wanted.bigram_rows()]
    middles = wanted.trigrams // wanted.size**2
    expected = bigrams * (counts.prepositions[middles - 1] / counts.words)
    scores = score_trigrams(expected, counts.trigrams, counts.least)
    rarer = np.flatnonzero((bigrams >= min_count) & (scores > 0))
    if not len(rarer):
        raise InputError(
            "no trigram is rarer than its bigram leads one to expect; count more text, or ask for "
            f"less than --min-count {min_count}"
        )
    chosen = nsmallest(top, rarer.tolist(), key=lambda row: (-scores[row], wanted.trigram(row)))
    occurrences = np.bincount(found.rows, minlength=len(wanted.trigrams))
    places = _first_places(found, chosen, per_trigram)
    return Ranking(
        tuple(
            RareTrigram(
                words=wanted.trigram(row),
                seen=int(counts.trigrams[row]),
                bigram_seen=int(bigrams[row]),
                expected=float(expected[row]),
                score=float(scores[row]),
                occurrences=int(occurrences[row]),
                places=tuple(places[row]),
            )
            for row in chosen
        ),
        len(rarer),
    )


def _first_places(
    found: Trigrams, rows: list[int], at_most: int
) -> dict[int, list[tuple[int, int]]]:
    places: dict[int, list[tuple[int, int]]] = {row: [] for row in rows}
    is_chosen = np.zeros(len(found.wanted.trigrams), np.bool_)
    is_chosen[rows] = True
    for one in np.flatnonzero(is_chosen[found.rows]).tolist():
        met = places[int(found.rows[one])]
        if len(met) < at_most:
            met.append((int(found.sentences[one]), int(found.places[one])))
    return places
