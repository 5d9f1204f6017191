"""Cases that are alike, counted once.

Ten judges and a system can say only so many different things about a case: a million cases fall
into a few hundred groups. What is done with groups and their sizes costs next to nothing, and the
order of the cases cannot matter.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

#: whole numbers beyond this may not fit 8 bytes
LARGEST_KEY = 2**62


class Groups(NamedTuple):
    """Groups of like cases, in the order of their values."""

    of_case: NDArray[np.intp]  # the group of every case
    example: NDArray[np.intp]  # one case of every group
    sizes: NDArray[np.int64]


def group_cases(columns: Iterable[NDArray[np.generic]]) -> Groups:
    """Group the cases that have the same value in every column.

    >>> groups = group_cases([np.array([1, 0, 1]), np.array([0.5, 0.5, 0.5])])
    >>> groups.of_case.tolist(), groups.example.tolist(), groups.sizes.tolist()
    ([1, 0, 1], [1, 0], [1, 2])
    """
    key: NDArray[np.int64] | None = None
    span = 1
    for column in columns:
        codes, kinds = _numbered(column)
        if key is None:
            key, span = codes, kinds
            continue
        if span * kinds > LARGEST_KEY:
            key, span = _numbered(key)
        key = key * kinds + codes
        span *= kinds
    if key is None:
        raise ValueError("cases are grouped by at least one column")
    _, example, of_case, sizes = np.unique(
        key, return_index=True, return_inverse=True, return_counts=True
    )
    return Groups(of_case, example, sizes)


def _numbered(column: NDArray[np.generic]) -> tuple[NDArray[np.int64], int]:
    """The column as numbers from 0 that keep its order, and how many there can be."""
    if not len(column):
        return column.astype(np.int64), 1
    if column.dtype.kind in "bi" and column.dtype.itemsize == 1:
        codes = column.astype(np.int64)
        codes -= codes.min()
        return codes, int(codes.max()) + 1
    distinct, inverse = np.unique(column, return_inverse=True)
    return inverse.astype(np.int64), len(distinct)
