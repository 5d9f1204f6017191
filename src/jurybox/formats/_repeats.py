"""Judgments that a rater gave twice on one case, found among millions."""

from __future__ import annotations

from array import array
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from jurybox.model import LABEL_BITS

if TYPE_CHECKING:
    import numpy as np

AT_ONCE = 1 << 20


class Repeated(NamedTuple):
    """Rows that repeat an earlier one, in order, and the earlier row of each."""

    rows: np.ndarray
    first: np.ndarray
    same: int  # how many of them have the same label as the earlier one


def find_repeats(case: array[int], answer: array[int]) -> Repeated:
    """Rows whose case and rater were met in an earlier row.

    Sorted a part of the cases at a time: sorting all keys at once would double the memory that
    the judgments take.
    """
    import numpy as np

    rows: list[np.ndarray] = [np.empty(0, np.int64)]
    first: list[np.ndarray] = [np.empty(0, np.int64)]
    cases, answers = np.asarray(case), np.asarray(answer)
    if len(case):
        parts = -(-len(case) // AT_ONCE)
        edges = np.linspace(0, int(cases.max()) + 1, parts + 1).astype(np.int64)
        for low, high in pairwise(edges.tolist()):
            part = np.flatnonzero((cases >= low) & (cases < high))
            keys = cases[part].astype(np.uint64) << 32 | (answers[part] >> LABEL_BITS)
            ordered = np.sort(keys)
            if (ordered[1:] == ordered[:-1]).any():
                again, before = _repeats_of(keys)
                rows.append(part[again])
                first.append(part[before])
    found, origin = np.concatenate(rows), np.concatenate(first)
    order = np.argsort(found)
    found, origin = found[order], origin[order]
    return Repeated(found, origin, int((answers[found] == answers[origin]).sum()))


def _repeats_of(keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    import numpy as np

    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    begins = np.concatenate([[True], ordered[1:] != ordered[:-1]])
    first = order[np.flatnonzero(begins)[np.cumsum(begins) - 1]]
    return order[~begins], first[~begins]


def leave_out(column: array[int] | array[float], rows: np.ndarray) -> None:
    """Take rows out of a column, in place."""
    import numpy as np

    kept = np.delete(np.frombuffer(column, np.dtype(column.typecode)), rows)
    del column[:]
    column.frombytes(kept.tobytes())
