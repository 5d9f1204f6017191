"""Columns as their distinct words and numbers: ten million cells are a thousand raters.

A column of a block of rows is a list of cells, or `Coded`: its words, and for every row the place
of its word. What is done to a column is done to its words, once each, by these functions, which
take both kinds. A list gives the same, word by word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import compress
from typing import Any, NamedTuple, overload

import numpy as np


class Coded(Sequence[str]):
    """A column of cells: `words[codes[row]]`; every word stands in some row.

    >>> import numpy as np
    >>> column = Coded(["ok", "error"], np.array([0, 1, 0], dtype=np.int32))
    >>> column[1], list(column), list(column[1:]), column == ["ok", "error", "ok"]
    ('error', ['ok', 'error', 'ok'], ['error', 'ok'], True)
    """

    __hash__ = None  # type: ignore[assignment]  # equal to lists, which have none
    __slots__ = ("codes", "words")

    def __init__(self, words: Sequence[str], codes: np.ndarray) -> None:
        self.words, self.codes = words, codes

    @classmethod
    def of(cls, column: Sequence[str]) -> Coded:
        """A column of any kind; words in order of first appearance."""
        if isinstance(column, Coded):
            return column
        places: dict[str, int] = {word: place for place, word in enumerate(dict.fromkeys(column))}
        return cls(list(places), _from(map(places.__getitem__, column), "int32", len(column)))

    @classmethod
    def tidy(cls, words: Sequence[str], codes: np.ndarray) -> Coded:
        """Without words that stand nowhere, the others in order of first appearance.

        >>> import numpy as np
        >>> column = Coded.tidy(["a", "b", "c"], np.array([2, 0, 2]))
        >>> column.words, column.codes.tolist()
        (['c', 'a'], [0, 1, 0])
        """
        met = np.maximum.accumulate(codes)
        if (
            len(met)
            and met[0] == 0
            and met[-1] == len(words) - 1
            and np.diff(met).max(initial=0) < 2
        ):
            return cls(words, codes)  # so it is
        first = np.full(len(words), len(codes))
        first[codes[::-1]] = np.arange(len(codes))[::-1]  # the first is written last, and stays
        order = np.argsort(first, kind="stable")[: np.count_nonzero(first < len(codes))]
        places = np.zeros(len(words), np.int32)
        places[order] = np.arange(len(order))
        return cls([words[place] for place in order.tolist()], places[codes])

    def __len__(self) -> int:
        return len(self.codes)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> Coded: ...

    def __getitem__(self, place: int | slice) -> str | Coded:
        if isinstance(place, slice):
            return Coded.tidy(self.words, self.codes[place])
        return self.words[int(self.codes[place])]

    def __iter__(self) -> Iterator[str]:
        return map(self.words.__getitem__, self.codes.tolist())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Coded | list) and list(self) == list(other)

    def __repr__(self) -> str:
        return repr(list(self))


class Block(NamedTuple):
    """Some rows: the line each begins in, and their cells by field; an absent field has none."""

    lines: Sequence[int]
    cells: dict[str, Sequence[str]]


def words_of(column: Sequence[str]) -> Sequence[str]:
    """Every word of a column at least once: all that matters for `any`, `all` and `set`."""
    return column.words if isinstance(column, Coded) else column


def converted(column: Sequence[str], convert: Callable[[str], str]) -> Sequence[str]:
    """A column with other words.

    >>> converted([" a", "b "], str.strip)
    ['a', 'b']
    """
    if isinstance(column, Coded):
        return Coded(list(map(convert, column.words)), column.codes)
    return list(map(convert, column))


def numbered(
    column: Sequence[str], number: Callable[[str], Any], kind: str = "uint32"
) -> np.ndarray:
    """What `number` says of every cell, as an array of this kind.

    >>> numbered(["a", "bb", "a"], len).tolist()
    [1, 2, 1]
    """
    words = words_of(column)
    numbers = _from(map(number, words), kind, len(words))
    return numbers[column.codes] if isinstance(column, Coded) else numbers


def _from(numbers: Iterable[Any], kind: str, length: int) -> np.ndarray:
    return np.fromiter(numbers, kind, length)


def pair_up(left: np.ndarray, right: np.ndarray) -> tuple[list[int], np.ndarray]:
    """The first row of every pair of numbers, in order, and for every row the place of its pair.

    >>> import numpy as np
    >>> rows, codes = pair_up(np.array([7, 0, 7]), np.array([1, 1, 1]))
    >>> rows, codes.tolist()
    ([0, 1], [0, 1, 0])
    """
    keys = left.astype(np.uint64) << np.uint64(32) | right.astype(np.uint64)
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    order = np.argsort(first)
    return first[order].tolist(), np.argsort(order)[inverse]


def only(block: Block, keep: Sequence[bool] | np.ndarray) -> Block:
    """Some rows of a block."""
    cells = {field: _kept(column, keep) for field, column in block.cells.items()}
    return Block(list(compress(block.lines, keep)), cells)


def _kept(column: Sequence[str], keep: Sequence[bool] | np.ndarray) -> Sequence[str]:
    if not isinstance(column, Coded):
        return list(compress(column, keep))
    return Coded.tidy(column.words, column.codes[np.asarray(keep, bool)])
