"""How often the n-grams that are asked for occur in a text.

The text passes by in blocks and is never held: only what is asked for is counted, so memory depends
on what is asked for and not on how much text there is.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat
from pathlib import Path
from typing import NamedTuple

import numpy as np

from jurybox.detect.mine.trigrams import ORDERED_PREPOSITIONS, Keys, Wanted, pack_trigrams
from jurybox.errors import FormatError, InputError, UsageError
from jurybox.formats import Input, Source, as_input
from jurybox.formats._io import BOM, BadLines, decode_one_by_one, is_whole_number

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

    >>> from jurybox.jury.cases.infinitives import choose_tagger
    >>> from jurybox.detect.mine.trigrams import find_trigrams
    >>> wanted = find_trigrams([["marry", "with", "her"]], choose_tagger("words")).wanted
    >>> counts = count_in_text(["Marry her with joy".split(), "marry with her".split()], wanted)
    >>> counts.bigrams.tolist(), counts.trigrams.tolist(), counts.words
    ([1], [1], 7)
    """
    tally = _TextCounts(wanted)
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


class _TextCounts:
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
#: no n-grams, or the same as in another file: indexes, the number of words, words by count
_BESIDE = ("total", "vocab_cs")
_INDEX = ".idx"


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
    files = [file for one in present or [folder] for file in sorted(one.iterdir()) if _counts(file)]
    if not files:
        raise InputError(
            f"{path}: holds no files of n-grams; name files, or a folder with {', '.join(FOLDERS)}"
        )
    return [str(file) for file in files]


def _counts(file: Path) -> bool:
    beside = file.name.startswith((".", *_BESIDE)) or _INDEX in file.suffixes
    return file.is_file() and not beside


def count_in_files(sources: Iterable[Source], wanted: Wanted) -> NgramCounts:
    r"""Look up n-grams in files of any orders; single words tell how common each preposition is.

    >>> from jurybox.jury.cases.infinitives import choose_tagger
    >>> from jurybox.detect.mine.trigrams import find_trigrams
    >>> wanted = find_trigrams([["marry", "with", "her"]], choose_tagger("words")).wanted
    >>> lines = "with\t50\nher\t30\nmarry her\t9\nMarry her\t3\nmarry with her\t2\n"
    >>> counts = count_in_files([Input.from_text(lines)], wanted)
    >>> counts.bigrams.tolist(), counts.trigrams.tolist(), counts.words, counts.least
    ([12], [2], 80, 2)
    """
    lookup = _Lookup(wanted)
    names = []
    for source in map(as_input, sources):
        names.append(source.name)
        for lines in _pieces(source):
            lookup.add(lines)
    if lacking := [order for order, lines in zip(ORDERS, lookup.lines, strict=True) if not lines]:
        raise InputError(
            f"{', '.join(names[:3])}: no {' and no '.join(lacking)} there; --counts needs "
            "1-grams (the file vocab), 2-grams and 3-grams"
        )
    return lookup.finish()


class _CountedLines(NamedTuple):
    """Lines of a file, as columns."""

    ngrams: list[str]  # in small letters
    counts: Keys
    words: Keys  # how many each n-gram has


class _Lookup:
    """What is asked for, by its text, and the counts so far."""

    def __init__(self, wanted: Wanted) -> None:
        bigrams = (" ".join(wanted.bigram(row)) for row in range(len(wanted.bigrams)))
        trigrams = (" ".join(wanted.trigram(row)) for row in range(len(wanted.trigrams)))
        asked = (*ORDERED_PREPOSITIONS, *bigrams, *trigrams)
        self._rows = {text: row for row, text in enumerate(asked)}
        self._counts: Keys = np.zeros(len(asked), np.int64)
        self._cuts = np.cumsum([len(ORDERED_PREPOSITIONS), len(wanted.bigrams)])
        self._words = self._least = 0
        self.lines = [0, 0, 0]  # of each order

    def add(self, lines: _CountedLines) -> None:
        ngrams, counts, words = lines
        rows = np.array(list(map(self._rows.get, ngrams, repeat(-1))), np.int64)
        found = rows >= 0
        np.add.at(self._counts, rows[found], counts[found])
        for place in range(len(ORDERS)):
            self.lines[place] += int(np.count_nonzero(words == place + 1))
        self._words += int(counts[words == 1].sum())
        if (triples := counts[words == 3]).size:
            least = int(triples.min())
            self._least = min(self._least or least, least)

    def finish(self) -> NgramCounts:
        prepositions, bigrams, trigrams = np.split(self._counts, self._cuts)
        return NgramCounts(prepositions, bigrams, trigrams, self._words, self._least)


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
    return _CountedLines(ngrams, counts, np.diff(blanks, prepend=0) + 1)


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
