"""The trigrams of a text that is to be screened, and how often they occur elsewhere.

Madnani et al. (2011, section 2.1) take every trigram of their essays with a preposition in the
middle ("marry with her") and look up how often it occurs elsewhere, and how often the two words
occur without the preposition ("marry her"). Capitals do not count: a sentence may begin with any
word.

An n-gram is one number: the ids of its words as digits, the preposition of a trigram first, so that
what is left of a trigram without its first digit is its bigram. Id 0 is any word that is not asked
for, and what lies between two sentences.

The text that is counted passes by in blocks and is never held: only what is asked for is counted,
so memory depends on what is asked for and not on how much text there is.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import repeat, tee
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.detect.ngrams.count_files import read_counted
from jurybox.errors import InputError
from jurybox.formats import Source, as_input
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
#: words that are looked up at once
BLOCK = 1 << 20


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
    """Every preposition of a text that has a word on both sides; `to` before a verb is none."""
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
    words = tuple(numbers)
    before, middle, after = np.array(ids, np.int64).reshape(-1, 3).T
    keys = pack_trigrams(before, middle, after, len(words))
    trigrams, rows = np.unique(keys, return_inverse=True)
    bigrams = np.unique(trigrams % len(words) ** 2)
    numbers_of_sentences, places = np.array(where, np.int32).reshape(-1, 2).T
    wanted = Wanted(words, bigrams, trigrams)
    return Trigrams(wanted, rows, numbers_of_sentences, places, screened)


def pack_trigrams(before: Keys, middle: Keys, after: Keys, size: int) -> Keys:
    """The numbers of trigrams.

    >>> pack_trigrams(np.array([7]), np.array([2]), np.array([9]), 10).tolist()
    [279]
    """
    return (middle * size + before) * size + after


# --- counts of n-grams in text ---


class NgramCounts(NamedTuple):
    """Counts of what was wanted, in its order, and what they are counts of."""

    prepositions: Keys  # in the order of ORDERED_PREPOSITIONS
    bigrams: Keys
    trigrams: Keys
    words: int  # how many words were counted
    least: int = 1  # the smallest count that is kept: what is rarer is missing


def count_in_text(sentences: Iterable[Sequence[str]], wanted: Wanted) -> NgramCounts:
    """Count in tokenised sentences; capitals do not count."""
    prepositions, bigrams, trigrams = (
        np.zeros(len(ngrams), np.int64)
        for ngrams in (ORDERED_PREPOSITIONS, wanted.bigrams, wanted.trigrams)
    )
    size, last = wanted.size, len(ORDERED_PREPOSITIONS)

    def count(block: array[int]) -> None:
        """Sentences end to end, 0 between them."""
        ids = np.array(block, np.int64)
        is_preposition = (ids > 0) & (ids <= last)
        np.add(prepositions, np.bincount(ids[is_preposition], minlength=last + 1)[1:], prepositions)
        known = np.flatnonzero((ids[:-1] > 0) & (ids[1:] > 0))
        _add_found(bigrams, wanted.bigrams, ids[known] * size + ids[known + 1])
        middle = np.flatnonzero(is_preposition)
        keys = pack_trigrams(ids[middle - 1], ids[middle], ids[middle + 1], size)
        _add_found(trigrams, wanted.trigrams, keys)

    number_of = {word: number for number, word in enumerate(wanted.words) if number}.get
    block = array("q", [0])
    words = 0
    for tokens in sentences:
        block.extend(map(number_of, map(str.lower, tokens), repeat(0)))
        block.append(0)
        words += len(tokens)
        if len(block) > BLOCK:
            count(block)
            block = array("q", [0])
    count(block)
    if not words:
        raise InputError("there is no word to count in --counts-text")
    return NgramCounts(prepositions, bigrams, trigrams, words)


def _add_found(counts: Keys, wanted: Keys, keys: Keys) -> None:
    rows = np.searchsorted(wanted, keys)
    rows[rows == len(wanted)] = 0
    counts += np.bincount(rows[wanted[rows] == keys], minlength=len(wanted))


# --- Counted n-grams in files of lines `n-gram<TAB>count`, as the Web 1T corpus has them ---
#
# Only n-grams that are asked for are kept. Capitals do not count, so the counts of "Marry her" and
# "marry her" are added up.

ORDERS = ("1-grams", "2-grams", "3-grams")


def count_in_files(sources: Iterable[Source], wanted: Wanted) -> NgramCounts:
    """Look up n-grams in files of any orders; single words tell how common each preposition is."""
    asked = [
        *ORDERED_PREPOSITIONS,
        *(" ".join(wanted.bigram(row)) for row in range(len(wanted.bigrams))),
        *(" ".join(wanted.trigram(row)) for row in range(len(wanted.trigrams))),
    ]
    row_of = {text: row for row, text in enumerate(asked)}.get
    found: Keys = np.zeros(len(asked), np.int64)
    lines = np.zeros(len(ORDERS), np.int64)
    names, words, least = [], 0, 0
    for source in map(as_input, sources):
        names.append(source.name)
        for ngrams, counts, lengths, _ in read_counted(source, lower=True):
            rows = np.array(list(map(row_of, ngrams, repeat(-1))), np.int64)
            np.add.at(found, rows[rows >= 0], counts[rows >= 0])
            lines += [np.count_nonzero(lengths == order) for order in (1, 2, 3)]
            words += int(counts[lengths == 1].sum())
            if (triples := counts[lengths == 3]).size:
                least = min(least or int(triples.min()), int(triples.min()))
    if lacking := [order for order, many in zip(ORDERS, lines, strict=True) if not many]:
        raise InputError(
            f"{', '.join(names[:3])}: no {' and no '.join(lacking)} there; --counts needs "
            "1-grams (the file vocab), 2-grams and 3-grams"
        )
    cuts = np.cumsum([len(ORDERED_PREPOSITIONS), len(wanted.bigrams)])
    prepositions, bigrams, trigrams = np.split(found, cuts)
    return NgramCounts(prepositions, bigrams, trigrams, words, least)
