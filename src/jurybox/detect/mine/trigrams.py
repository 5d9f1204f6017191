"""Prepositions between two words: the trigrams of a text that is to be screened.

Madnani et al. (2011, section 2.1) take every trigram of their essays with a preposition in the
middle ("marry with her") and look up how often it occurs elsewhere, and how often the two words
occur without the preposition ("marry her"). Here are the trigrams, and which n-grams are to be
looked up for them. Capitals do not count: a sentence may begin with any word.

An n-gram is one number: the ids of its words as digits, the preposition of a trigram first, so that
what is left of a trigram without its first digit is its bigram. Id 0 is any word that is not asked
for, and what lies between two sentences.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import tee
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.jury.cases.constructions import (
    CONSTRUCTIONS,
    PREPOSITIONS,
    find_places,
    is_punctuation,
)
from jurybox.jury.cases.infinitives import Tagger

Keys = NDArray[np.int64]

#: the first words of every list, with ids from 1
ORDERED_PREPOSITIONS = tuple(sorted(PREPOSITIONS))


class Wanted(NamedTuple):
    """The n-grams whose counts are asked for; every order is sorted and has nothing twice."""

    words: tuple[str, ...]  # in small letters, by id; the first is no word
    bigrams: Keys
    trigrams: Keys

    @property
    def size(self) -> int:
        return len(self.words)

    def bigram_rows(self) -> Keys:
        """For every trigram the row of its bigram, the one without the preposition."""
        return np.searchsorted(self.bigrams, self.trigrams % self.size**2)

    def trigram(self, row: int) -> tuple[str, str, str]:
        """The words of a trigram."""
        rest, after = divmod(int(self.trigrams[row]), self.size)
        middle, before = divmod(rest, self.size)
        return self.words[before], self.words[middle], self.words[after]

    def bigram(self, row: int) -> tuple[str, str]:
        """The words of a bigram."""
        before, after = divmod(int(self.bigrams[row]), self.size)
        return self.words[before], self.words[after]


class Trigrams(NamedTuple):
    """The trigrams of a text: one place each in three parallel columns, in order of the text."""

    wanted: Wanted
    rows: Keys  # which trigram
    sentences: NDArray[np.int32]  # from 0
    places: NDArray[np.int32]  # of the preposition, from 0
    screened: int  # sentences, also those without any


def find_trigrams(sentences: Iterable[Sequence[str]], tagger: Tagger) -> Trigrams:
    """Every preposition of a text that has a word on both sides; `to` before a verb is none.

    >>> from jurybox.jury.cases.infinitives import choose_tagger
    >>> text = ["They marry With her .".split(), "In May I want to go .".split()]
    >>> found = find_trigrams(text, choose_tagger("words"))
    >>> [found.wanted.trigram(row) for row in found.rows], found.places.tolist(), found.screened
    ([('marry', 'with', 'her')], [2], 2)
    """
    numbers: defaultdict[str, int] = defaultdict()
    numbers.default_factory = numbers.__len__
    for word in ("", *ORDERED_PREPOSITIONS):
        numbers[word]
    ids, where = array("q"), array("i")
    screened = 0
    construction = CONSTRUCTIONS["preposition"]
    given, looked_at = tee(sentences)
    for tokens, infinitives in zip(given, tagger.find(looked_at), strict=True):
        for place in find_places(construction, tokens, infinitives):
            around = tokens[place.start - 1 : place.end + 1] if place.start else ()
            if len(around) == 3 and not is_punctuation(around[0]) | is_punctuation(around[2]):
                ids.extend([numbers[word.lower()] for word in around])
                where.extend((screened, place.start))
        screened += 1
    return _pack(tuple(numbers), ids, where, screened)


def _pack(words: tuple[str, ...], ids: array[int], where: array[int], screened: int) -> Trigrams:
    before, middle, after = np.array(ids, np.int64).reshape(-1, 3).T
    keys = pack_trigrams(before, middle, after, len(words))
    trigrams, rows = np.unique(keys, return_inverse=True)
    bigrams = np.unique(trigrams % len(words) ** 2)
    sentences, places = np.array(where, np.int32).reshape(-1, 2).T
    return Trigrams(Wanted(words, bigrams, trigrams), rows, sentences, places, screened)


def pack_trigrams(before: Keys, middle: Keys, after: Keys, size: int) -> Keys:
    """The numbers of trigrams.

    >>> pack_trigrams(np.array([7]), np.array([2]), np.array([9]), 10).tolist()
    [279]
    """
    return (middle * size + before) * size + after
