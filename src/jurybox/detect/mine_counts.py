"""How often the n-grams that are asked for occur in a text.

The text passes by in blocks and is never held: only what is asked for is counted, so memory depends
on what is asked for and not on how much text there is.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from itertools import repeat
from typing import NamedTuple

import numpy as np

from jurybox.detect.mine_trigrams import ORDERED_PREPOSITIONS, Keys, Wanted, pack_trigrams
from jurybox.errors import InputError

#: words that are looked up at once
BLOCK = 1 << 20


class NgramCounts(NamedTuple):
    """Counts of what was wanted, in its order, and what they are counts of."""

    prepositions: Keys  # in the order of ORDERED_PREPOSITIONS
    bigrams: Keys
    trigrams: Keys
    words: int  # how many words were counted
    least: int = 1  # the smallest count that is kept: what is rarer is missing


def count_in_text(sentences: Iterable[Sequence[str]], wanted: Wanted) -> NgramCounts:
    """Count in tokenised sentences; capitals do not count.

    >>> from jurybox.cases.infinitives import choose_tagger
    >>> from jurybox.detect.mine_trigrams import find_trigrams
    >>> wanted = find_trigrams([["marry", "with", "her"]], choose_tagger("words")).wanted
    >>> counts = count_in_text(["Marry her with joy".split(), "marry with her".split()], wanted)
    >>> counts.bigrams.tolist(), counts.trigrams.tolist(), counts.words
    ([1], [1], 7)
    """
    tally = _Tally(wanted)
    number_of = {word: number for number, word in enumerate(wanted.words) if number}.get
    block = array("q", [0])
    for tokens in sentences:
        block.extend(map(number_of, map(str.lower, tokens), repeat(0)))
        block.append(0)
        tally.words += len(tokens)
        if len(block) > BLOCK:
            tally.add(np.array(block, np.int64))
            block = array("q", [0])
    tally.add(np.array(block, np.int64))
    if not tally.words:
        raise InputError("there is no word to count in --counts-text")
    return NgramCounts(tally.prepositions, tally.bigrams, tally.trigrams, tally.words)


class _Tally:
    """Counts that grow block by block."""

    def __init__(self, wanted: Wanted) -> None:
        self._wanted = wanted
        self.prepositions: Keys = np.zeros(len(ORDERED_PREPOSITIONS), np.int64)
        self.bigrams: Keys = np.zeros(len(wanted.bigrams), np.int64)
        self.trigrams: Keys = np.zeros(len(wanted.trigrams), np.int64)
        self.words = 0

    def add(self, ids: Keys) -> None:
        """Sentences end to end, 0 between them."""
        size, last = self._wanted.size, len(ORDERED_PREPOSITIONS)
        is_preposition = (ids > 0) & (ids <= last)
        self.prepositions += np.bincount(ids[is_preposition] - 1, minlength=last)
        known = np.flatnonzero((ids[:-1] > 0) & (ids[1:] > 0))
        _add_found(self.bigrams, self._wanted.bigrams, ids[known] * size + ids[known + 1])
        middle = np.flatnonzero(is_preposition)
        keys = pack_trigrams(ids[middle - 1], ids[middle], ids[middle + 1], size)
        _add_found(self.trigrams, self._wanted.trigrams, keys)


def _add_found(counts: Keys, wanted: Keys, keys: Keys) -> None:
    rows = np.searchsorted(wanted, keys)
    rows[rows == len(wanted)] = 0
    counts += np.bincount(rows[wanted[rows] == keys], minlength=len(wanted))
