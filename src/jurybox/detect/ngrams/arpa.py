r"""ARPA files: the text format that SRILM, KenLM and others share.

A header with the number of n-grams of each order, then a section per order, then `\end\`. A line
has the log10 probability, the words, and, but for the highest order, the log10 back-off weight,
which may be left out where it is 0. N-grams may come in any order; the beginning of each must be an
n-gram itself, or no context could ever lead to it.
"""

from __future__ import annotations

import os
import re
from array import array
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import NamedTuple, TextIO

import numpy as np
from numpy.typing import NDArray

from jurybox.detect.ngrams.model import (
    LOG10_WITHOUT_UNKNOWN,
    MARKS,
    NOWHERE,
    STUPID_BACKOFF,
    UNKNOWN,
    About,
    NgramModel,
    Order,
    Vocabulary,
    find_rows,
    unusable_word,
)
from jurybox.errors import FormatError, UsageError, warn
from jurybox.formats import Input, Source, as_input, writing
from jurybox.formats._io import BOM

#: n-grams written at once
BLOCK = 100_000
SIZE = re.compile(rb"ngram\s+(\d{1,2})\s*=\s*(\d{1,10})$")


def write_arpa(model: NgramModel, path: str | os.PathLike[str]) -> None:
    """Write a model; .gz and .xz compress, `-` is standard output."""
    if model.about.smoothing == STUPID_BACKOFF:
        raise UsageError(
            "an ARPA file cannot hold a model with stupid back-off: it has no weight for contexts "
            "that were never seen; train the model with --lm-smoothing kneser-ney"
        )
    with writing(path) as out:
        write(model, out)


def write(model: NgramModel, out: TextIO) -> None:
    """Write a model to an open file."""
    out.write("\\data\\\n")
    out.writelines(f"ngram {number}={size}\n" for number, size in enumerate(model.sizes, 1))
    words = [word.decode() for word in model.vocabulary.words]
    for number in range(1, model.order + 1):
        out.write(f"\n\\{number}-grams:\n")
        for start in range(0, model.orders[number - 1].size, BLOCK):
            out.writelines(_lines(model, number, slice(start, start + BLOCK), words))
    out.write("\n\\end\\\n")


def _lines(model: NgramModel, number: int, block: slice, words: Sequence[str]) -> Iterator[str]:
    order = model.orders[number - 1]
    columns = ngram_words(model, number, block)
    ngrams = map(" ".join, zip(*([words[i] for i in column] for column in columns), strict=True))
    # numpy prints the shortest number that is read back as the same four bytes
    log10 = map(str, order.log10[block])
    if number == model.order:
        return map("%s\t%s\n".__mod__, zip(log10, ngrams, strict=True))
    backoff = map(str, order.backoff[block])
    return map("%s\t%s\t%s\n".__mod__, zip(log10, ngrams, backoff, strict=True))


def ngram_words(model: NgramModel, number: int, block: slice) -> list[list[int]]:
    """The ids of the words of n-grams: first words, second words, and so on."""
    rows: NDArray[np.int64] | slice = block
    columns: list[list[int]] = []
    for order in reversed(model.orders[:number]):
        rows, last = np.divmod(order.keys[rows], len(model.vocabulary))
        columns.append(last.tolist())
    return columns[::-1]


def read_arpa(source: Source) -> NgramModel:
    """Read a model; compression is auto-detected."""
    given = as_input(source)
    lines = _Lines(given)
    sizes = _read_header(lines)
    vocabulary, words = _read_words(lines, sizes)
    orders = [words]
    for number in range(2, len(sizes) + 1):
        title = f"\\{number}-grams:"
        lines.expect(
            title.encode(),
            f"expected '{title}' here: the header says that the section before has "
            f"{sizes[number - 2]:,} n-grams",
        )
        section = _read_entries(lines, number, sizes, vocabulary.ids)
        orders.append(_as_order(section, orders, len(vocabulary), given.name))
    lines.expect(b"\\end\\", "expected '\\end\\' here: the file is cut off or damaged")
    lines.expect_no_more()
    return NgramModel(vocabulary, tuple(orders), About("arpa", (given.sha256,)))


class _Lines:
    """The lines of a file one by one, with the number of the last one."""

    def __init__(self, source: Input) -> None:
        self.name = source.name
        self.number = 0
        self._lines = (
            line
            for piece in source.whole_lines()
            for line in piece.removesuffix(b"\n").split(b"\n")
        )

    def next(self) -> bytes:
        """The next line; an error where the file ends."""
        self.number += 1
        line = next(self._lines, None)
        if line is None:
            raise self.wrong("the file ends here: it is cut off; copy or write it again")
        return line.removeprefix(BOM) if self.number == 1 else line

    def next_filled(self) -> bytes:
        while not (line := self.next().strip()):
            pass
        return line

    def expect(self, wanted: bytes, otherwise: str) -> None:
        if self.next_filled() != wanted:
            raise self.wrong(otherwise)

    def expect_no_more(self) -> None:
        """Read to the end of the file, which a pipe needs for its digest."""
        for line in self._lines:
            self.number += 1
            if line.strip():
                raise self.wrong("there is more after '\\end\\'; are these two files in one?")

    def wrong(self, message: str, line: int | None = None) -> FormatError:
        return FormatError(message, path=self.name, line=line or self.number)


def _read_header(lines: _Lines) -> list[int]:
    r"""How many n-grams each order has; reads up to `\1-grams:`."""
    lines.expect(b"\\data\\", "is not an ARPA file: it does not begin with '\\data\\'")
    sizes: list[int] = []
    while (line := lines.next_filled()) != b"\\1-grams:":
        size = SIZE.match(line)
        if size is None or int(size[1]) != len(sizes) + 1:
            raise lines.wrong(f"expected 'ngram {len(sizes) + 1}=…' or '\\1-grams:' here")
        sizes.append(int(size[2]))
    if not sizes:
        raise lines.wrong("the header names no order: 'ngram 1=…' is missing")
    return sizes


class _Section(NamedTuple):
    """The n-grams of an order as they stand in the file."""

    ids: NDArray[np.int32]  # a row per n-gram, a column per word
    log10: NDArray[np.float32]
    backoff: NDArray[np.float32]
    line: int  # of the first n-gram


def _read_words(lines: _Lines, sizes: Sequence[int]) -> tuple[Vocabulary, Order]:
    given: defaultdict[bytes, int] = defaultdict()
    given.default_factory = given.__len__
    found = _read_entries(lines, 1, sizes, given)
    if len(given) < len(found.ids):
        _, first = np.unique(found.ids, return_index=True)
        repeated = int(np.setdiff1d(np.arange(len(found.ids)), first)[0])
        raise lines.wrong("this word was given before", found.line + repeated)
    if wrong := unusable_word(given):
        raise lines.wrong(f"{wrong[1]}; write the file again as UTF-8", found.line + wrong[0])
    for mark in MARKS[1:]:
        if mark not in given:
            raise lines.wrong(f"the 1-grams have no '{mark.decode()}'; sentences need it")
    vocabulary = Vocabulary.of(given)
    if MARKS[UNKNOWN] not in given:
        warn(f"{lines.name}: has no '<unk>'; unknown words get log10 {LOG10_WITHOUT_UNKNOWN:g}")
    places = np.fromiter((vocabulary.ids[word] for word in given), np.int64, count=len(given))
    log10 = np.full(len(vocabulary), LOG10_WITHOUT_UNKNOWN, np.float32)
    backoff = np.zeros(len(vocabulary), np.float32)
    log10[places], backoff[places] = found.log10, found.backoff
    return vocabulary, Order(np.arange(len(vocabulary)), log10, backoff)


def _read_entries(
    lines: _Lines, number: int, sizes: Sequence[int], ids: dict[bytes, int]
) -> _Section:
    words, log10, backoff = array("i"), array("d"), array("d")
    bare = number + 1
    full = bare + 1 if number < len(sizes) else None  # the highest order has no weights
    first = lines.number + 1
    for _ in repeat(None, sizes[number - 1]):
        fields = lines.next().split()
        try:
            if len(fields) == full:
                backoff.append(float(fields.pop()))
            elif len(fields) == bare:
                backoff.append(0.0)
            elif not fields or fields[0].startswith(b"\\"):
                raise lines.wrong(
                    f"the {number}-grams end here, before there are {sizes[number - 1]:,} of them "
                    "as the header says: the file is cut off or damaged"
                )
            else:
                raise lines.wrong(
                    f"expected a number and {number} words here, not {len(fields)} fields"
                )
            log10.append(float(fields[0]))
            words.extend(map(ids.__getitem__, fields[1:]))
        except KeyError as error:
            word = error.args[0].decode(errors="replace")
            raise lines.wrong(f"'{word}' is not among the 1-grams") from None
        except ValueError:
            raise lines.wrong(
                f"expected a number, {number} words"
                + (" and perhaps a number here" if full else " and no more here")
            ) from None
    section = _Section(
        np.array(words, np.int32).reshape(-1, number),
        np.array(log10, np.float32),
        np.array(backoff, np.float32),
        first,
    )
    usable = (section.log10 <= 0) & np.isfinite(section.log10) & np.isfinite(section.backoff)
    if not usable.all():
        line = first + int(np.argmin(usable))
        raise lines.wrong(
            "a log10 probability must be a number of at most 0, a weight finite", line
        )
    return section


def _as_order(section: _Section, orders: Sequence[Order], vocabulary: int, name: str) -> Order:
    """The same n-grams with packed keys, sorted."""
    rows = section.ids[:, 0].astype(np.int64)
    for column, order in enumerate(orders[1:], 1):
        rows = find_rows(order.keys, rows * vocabulary + section.ids[:, column])
        if (rows == NOWHERE).any():
            raise FormatError(
                f"the first {column + 1} words are not among the {column + 1}-grams",
                path=name,
                line=section.line + int(np.argmin(rows)),
            )
    keys = rows * vocabulary + section.ids[:, -1]
    ranking = np.argsort(keys, kind="stable")
    keys = keys[ranking]
    repeated = np.flatnonzero(keys[1:] == keys[:-1])
    if len(repeated):
        line = section.line + int(ranking[repeated + 1].min())
        raise FormatError("this n-gram was given before", path=name, line=line)
    return Order(keys, section.log10[ranking], section.backoff[ranking])
