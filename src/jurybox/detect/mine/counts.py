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

import os
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat, tee
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.errors import FormatError, InputError, UsageError
from jurybox.formats import Input, Source, as_input
from jurybox.formats._io import BOM, BadLines, decode_one_by_one, is_whole_number
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
    """Count in tokenised sentences; capitals do not count.

    >>> from jurybox.jury.cases.infinitives import choose_tagger
    >>> wanted = find_trigrams([["marry", "with", "her"]], choose_tagger("words")).wanted
    >>> counts = count_in_text(["Marry her with joy".split(), "marry with her".split()], wanted)
    >>> counts.bigrams.tolist(), counts.trigrams.tolist(), counts.words
    ([1], [1], 7)
    """
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
# Brants and Franz (2006): folders 1gms (with the file vocab), 2gms and 3gms, in which words are
# separated by blanks. n-grams below a count are left out there, 40 for all but single words. Files
# are larger than any memory: they pass by in pieces, and only n-grams that are asked for are kept.
# Capitals do not count, so the counts of "Marry her" and "marry her" are added up.

TAB, LINE_END, BLANK = 9, 10, 32
DIGITS = 18  # of a number that fits into eight bytes, as everywhere
ORDERS = ("1-grams", "2-grams", "3-grams")
FOLDERS = ("1gms", "2gms", "3gms")
#: the number of words, and words by count: no n-grams, or the same as in another file
_NOT_COUNTED = ("total", "vocab_cs")


def counts_files(given: Sequence[str | os.PathLike[str]]) -> list[str]:
    """The files of n-grams that paths stand for: a file, a folder of files, or a whole corpus.

    Of a corpus, only single words, pairs and triples are taken.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as corpus:
    ...     for name in ("1gms/vocab", "1gms/vocab_cs", "2gms/2gm-0000", "3gms/3gm-0000"):
    ...         file = Path(corpus, name)
    ...         file.parent.mkdir(exist_ok=True)
    ...         _ = file.write_text("a 1")
    ...     [Path(file).name for file in counts_files([corpus])]
    ['vocab', '2gm-0000', '3gm-0000']
    """
    files = [file for path in given for file in _files_of(os.fspath(path))]
    met: set[str] = set()
    for file in files:
        place = os.path.realpath(file)
        if place in met:
            raise UsageError(f"{file} is named twice in --counts, and would count twice")
        met.add(place)
    return files


def _files_of(path: str) -> list[str]:
    folder = Path(path)
    if not folder.is_dir():
        return [path]
    here = [folder / name for name in FOLDERS]
    present = [one for one in here if one.is_dir()]
    if present and len(present) < len(here):
        lacking = next(one.name for one in here if one not in present)
        raise InputError(f"{path}: has no folder {lacking}; all of {', '.join(FOLDERS)} are needed")
    files = [
        str(file)
        for one in present or [folder]
        for file in sorted(one.iterdir())
        if file.is_file()
        and not file.name.startswith((".", *_NOT_COUNTED))
        and ".idx" not in file.suffixes
    ]
    if not files:
        raise InputError(
            f"{path}: holds no files of n-grams; name files, or a folder with {', '.join(FOLDERS)}"
        )
    return files


def count_in_files(sources: Iterable[Source], wanted: Wanted) -> NgramCounts:
    r"""Look up n-grams in files of any orders; single words tell how common each preposition is.

    >>> from jurybox.jury.cases.infinitives import choose_tagger
    >>> wanted = find_trigrams([["marry", "with", "her"]], choose_tagger("words")).wanted
    >>> lines = "with\t50\nher\t30\nmarry her\t9\nMarry her\t3\nmarry with her\t2\n"
    >>> counts = count_in_files([Input.from_text(lines)], wanted)
    >>> counts.bigrams.tolist(), counts.trigrams.tolist(), counts.words, counts.least
    ([12], [2], 80, 2)
    """
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
        for ngrams, counts, lengths in _pieces(source):
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


#: lines of a file as columns: n-grams in small letters, counts, how many words each has
_CountedLines = tuple[list[str], Keys, Keys]


def _pieces(source: Input) -> Iterator[_CountedLines]:
    """The lines of a file, some thousands at once."""
    lines = offset = 0
    for stored in source.whole_lines():
        piece = stored if offset else stored.removeprefix(BOM)
        piece = piece.replace(b"\r\n", b"\n")
        if not piece.endswith(b"\n"):
            piece += b"\n"
        if (read := _read(piece)) is None:
            _complain(piece, source.name, lines, offset)
        else:
            yield read
        lines += piece.count(b"\n")
        offset += len(stored)
    if not offset:
        raise FormatError("is empty", path=source.name)


def _read(piece: bytes) -> _CountedLines | None:
    """None if any line is not as it should be: to find it is left to others."""
    signs = np.frombuffer(piece, np.uint8)
    is_tab = signs == TAB
    ends = signs[is_tab | (signs == LINE_END)]
    if len(ends) % 2 or (ends[0::2] != TAB).any() or (ends[1::2] != LINE_END).any():
        return None
    try:
        cells = piece.decode().lower().replace("\n", "\t").split("\t")
    except UnicodeDecodeError:
        return None
    ngrams, numbers = cells[0:-1:2], cells[1::2]
    digits = "".join(numbers)
    lengths = list(map(len, numbers))
    if (
        not all(ngrams)
        or not (digits.isdecimal() and digits.isascii())
        or not 0 < min(lengths) <= max(lengths) <= DIGITS
    ):
        return None
    counts = np.array(list(map(int, numbers)), np.int64)
    if not counts.all():
        return None
    blanks = np.cumsum(signs == BLANK)[is_tab]
    return ngrams, counts, np.diff(blanks, prepend=0) + 1


def _complain(piece: bytes, name: str, before: int, offset: int) -> None:
    """Name the first line that is no n-gram with its count."""
    bad = BadLines(name)
    for number, line in enumerate(decode_one_by_one(piece, before, offset, bad), before + 1):
        if line is None:
            continue
        ngram, tab, count = line.partition("\t")
        if not tab or not ngram or not is_whole_number(count) or not int(count):
            shown = line if len(line) <= 40 else f"{line[:39]}…"
            bad.add(number, f"'{shown}' is no n-gram, a tab and a count; see docs/detect-mine.md")
    bad.raise_first()
