"""Files of counted n-grams: lines of an n-gram, a tab and its count, as the Web 1T corpus has them.

Brants and Franz (2006): folders 1gms (with the file vocab), 2gms, 3gms and so on, in which words
are separated by blanks. n-grams below a count are left out there, 40 for all but single words.
Files are larger than any memory: they pass by in pieces.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.errors import FormatError, InputError, UsageError
from jurybox.formats import File, Input
from jurybox.formats._io import BOM, BadLines, decode_one_by_one, is_whole_number

TAB, LINE_END, BLANK = 9, 10, 32
DIGITS = 18  # of a number that fits into eight bytes, as everywhere
#: the number of words, and words by count: no n-grams, or the same as in another file
_NOT_COUNTED = ("total", "vocab_cs")
_FOLDER = re.compile(r"([1-9])gms")


def counts_files(given: Sequence[str | os.PathLike[str]], order: int) -> list[str]:
    """The files of n-grams that paths stand for: a file, a folder of files, or a whole corpus.

    Of a corpus, n-grams of up to `order` words are taken.
    """
    files = [file for path in given for file in _files_of(os.fspath(path), order)]
    met: set[str] = set()
    for file in files:
        place = os.path.realpath(file)
        if place in met:
            raise UsageError(f"{file} is named twice in --counts, and would count twice")
        met.add(place)
    return files


def counts_inputs(given: Sequence[File], order: int) -> tuple[Input, ...]:
    """The same, opened; sources that are open already are taken as they are."""
    paths = counts_files([one for one in given if not isinstance(one, Input)], order)
    return (*(one for one in given if isinstance(one, Input)), *map(Input, paths))


def _files_of(path: str, order: int) -> list[str]:
    folder = Path(path)
    if not folder.is_dir():
        return [path]
    names = [f"{number}gms" for number in range(1, order + 1)]
    present = [folder / name for name in names if (folder / name).is_dir()]
    if present and len(present) < order:
        lacking = next(name for name in names if not (folder / name).is_dir())
        raise InputError(f"{path}: has no folder {lacking}; all of {', '.join(names)} are needed")
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
            f"{path}: holds no files of n-grams; name files, or a folder with {', '.join(names)}"
        )
    return files


def order_of_folder(file: str) -> int | None:
    """How many words the n-grams of a file have, by its folder; None: any number.

    >>> order_of_folder("web1t/3gms/3gm-0000.gz"), order_of_folder("counts.tsv")
    (3, None)
    """
    found = _FOLDER.fullmatch(Path(file).parent.name)
    return found and int(found[1])


class CountedLines(NamedTuple):
    """Some thousand lines of a file as columns."""

    ngrams: list[str]
    counts: NDArray[np.int64]
    lengths: NDArray[np.int64]  # how many words each has
    first: int  # the number of the first line


def read_counted(source: Input, *, lower: bool = False) -> Iterator[CountedLines]:
    r"""The lines of a file, some thousands at once; with `lower` in small letters.

    >>> [piece] = read_counted(Input.from_text("a cat\t9\nthe\t3\n"))
    >>> piece.ngrams, piece.counts.tolist(), piece.lengths.tolist(), piece.first
    (['a cat', 'the'], [9, 3], [2, 1], 1)
    """
    lines = offset = 0
    for stored in source.whole_lines():
        piece = stored if offset else stored.removeprefix(BOM)
        piece = piece.replace(b"\r\n", b"\n")
        if not piece.endswith(b"\n"):
            piece += b"\n"
        if (read := _read(piece, lines + 1, lower)) is None:
            _complain(piece, source.name, lines, offset)
        else:
            yield read
        lines += piece.count(b"\n")
        offset += len(stored)
    if not offset:
        raise FormatError("is empty", path=source.name)


def _read(piece: bytes, first: int, lower: bool) -> CountedLines | None:
    """None if any line is not as it should be: to find it is left to others."""
    signs = np.frombuffer(piece, np.uint8)
    is_tab = signs == TAB
    ends = signs[is_tab | (signs == LINE_END)]
    if len(ends) % 2 or (ends[0::2] != TAB).any() or (ends[1::2] != LINE_END).any():
        return None
    try:
        text = piece.decode()
    except UnicodeDecodeError:
        return None
    cells = (text.lower() if lower else text).replace("\n", "\t").split("\t")
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
    return CountedLines(ngrams, counts, np.diff(blanks, prepend=0) + 1, first)


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
