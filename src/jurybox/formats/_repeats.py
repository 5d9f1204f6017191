"""Judgments that a rater gave twice on one case, found among millions."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from jurybox.model import LABEL_BITS, LABELS

if TYPE_CHECKING:
    import numpy as np

#: rows whose keys are sorted together, some 25 MB of temporary arrays
AT_ONCE = 1 << 20
#: rows looked at together: few enough to stay in the processor's cache
BLOCK = 1 << 16
#: odd numbers that spread cases and raters evenly (Knuth, volume 3, section 6.4)
CASE_FACTOR, RATER_FACTOR = 0x9E3779B1, 0x85EBCA77


class Repeated(NamedTuple):
    """Rows that repeat an earlier one, in order, and the earlier row of each."""

    rows: np.ndarray
    first: np.ndarray
    same: int  # how many of them have the same label as the earlier one


def find_repeats(case: array[int], answer: array[int]) -> Repeated:
    """Rows whose case and rater were met in an earlier row.

    Rows are dealt into parts by case and rater, so that all judgments of a rater on a case are in
    one part, however unevenly cases were judged; then sorted a part at a time. Sorting all of them
    at once would take three times the memory that the judgments themselves take.

    >>> found = find_repeats(array("I", [7, 7, 7]), array("I", [256, 512, 257]))
    >>> found.rows.tolist(), found.first.tolist(), found.same
    ([2], [0], 0)
    """
    import numpy as np

    rows: list[np.ndarray] = [np.empty(0, np.int64)]
    first: list[np.ndarray] = [np.empty(0, np.int64)]
    cases, answers = np.asarray(case), np.asarray(answer)
    bits = (max(len(cases) - 1, 0) // AT_ONCE).bit_length()
    for number in range(1 << bits):
        part = _rows_of_part(cases, answers, number, bits)
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


def _rows_of_part(cases: np.ndarray, answers: np.ndarray, number: int, bits: int) -> np.ndarray:
    """The rows of one of 2 ** bits parts, in order."""
    import numpy as np

    if not bits:
        return np.arange(len(cases))
    found = []
    for block in _blocks(len(cases)):
        # products of 32 bits run over, and the highest bits depend on all of a case and a rater
        mixed = cases[block] * np.uint32(CASE_FACTOR)
        mixed += (answers[block] >> LABEL_BITS) * np.uint32(RATER_FACTOR)
        mixed >>= np.uint32(32 - bits)
        found.append(np.flatnonzero(mixed == number) + block.start)
    return np.concatenate(found)


def _blocks(rows: int) -> Iterator[slice]:
    return (slice(start, min(start + BLOCK, rows)) for start in range(0, rows, BLOCK))


def _repeats_of(keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    import numpy as np

    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    begins = np.concatenate([[True], ordered[1:] != ordered[:-1]])
    first = order[np.flatnonzero(begins)[np.cumsum(begins) - 1]]
    return order[~begins], first[~begins]


def all_but_first_answers(found: Repeated, answer: array[int], labels: Sequence[str]) -> np.ndarray:
    """The rows of repeated judgments but each rater's first answer; unknown is none.

    >>> again = find_repeats(array("I", [7, 7, 7]), array("I", [0, 1, 1]))
    >>> all_but_first_answers(again, array("I", [0, 1, 1]), ["unknown", "ok"]).tolist()
    [0, 2]
    """
    import numpy as np

    silent = {number for number, name in enumerate(labels) if name.lower() == LABELS[-1]}
    if not silent:
        return found.rows
    mask = (1 << LABEL_BITS) - 1
    kept: dict[int, int] = {}  # the rater's first judgment -> the one that counts
    dropped = []
    for row, first in zip(found.rows.tolist(), found.first.tolist(), strict=True):
        before = kept.get(first, first)
        answers_late = answer[before] & mask in silent and answer[row] & mask not in silent
        if answers_late:
            kept[first] = row
        dropped.append(before if answers_late else row)
    return np.sort(np.array(dropped))


def leave_out(column: array[int] | array[float], rows: np.ndarray) -> None:
    """Take rows, given in order, out of a column: the others move up, block by block.

    >>> import numpy as np
    >>> column = array("I", [4, 5, 6, 7])
    >>> leave_out(column, np.array([1, 2]))
    >>> column
    array('I', [4, 7])
    """
    import numpy as np

    values = np.frombuffer(column, np.dtype(column.typecode))
    filled = 0
    for block in _blocks(len(values)):
        low, high = np.searchsorted(rows, (block.start, block.stop)).tolist()
        kept = np.delete(values[block], rows[low:high] - block.start)
        values[filled : filled + len(kept)] = kept
        filled += len(kept)
    del values  # an array that somebody looks into cannot be made shorter
    del column[filled:]
