"""All cheapest alignments of two token sequences at once, bit-parallel.

MaxMatch (Dahlmeier and Ng 2012) looks for edits in the union of *all* minimal-cost Levenshtein
alignments, under insertion/deletion/substitution costs 1/1/1 and under 1/1/2. Only the arcs on
cheapest paths matter, never the distances, so a row of the dynamic programme is a handful of
Python integers used as bit vectors (Hyyrö 2003 for 1/1/1, Hyyrö 2004 for 1/1/2, which is the
longest common subsequence), and the way back from the end keeps whole rows of arcs as masks.

Vertices are (source position i, hypothesis position j). `Rows` holds for every source position i
the arcs that *end* there, with bit j for the hypothesis position at which the arc starts:

    insert     (i, j)     -> (i, j + 1)
    delete     (i - 1, j) -> (i, j)
    diagonal   (i - 1, j) -> (i, j + 1)     a keep where the tokens are equal, else a substitution
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Rows(NamedTuple):
    """Arcs of all cheapest alignments: for every source position a mask per kind of arc."""

    insert: list[int]
    delete: list[int]
    diagonal: list[int]


def shared_ends(source: Sequence[str], hypothesis: Sequence[str]) -> tuple[int, int]:
    """How many tokens every cheapest alignment keeps at the beginning and at the end.

    A common beginning can be cut off where the last token cut off does not occur in the rest of
    either side: any alignment that does not keep it then costs strictly more. (Adding to one side
    a token the other side lacks never makes the two more similar, so leaving the diagonal before
    the cut costs at least one edit that nothing pays back.) The end is the mirror image.

    >>> shared_ends("a b c d".split(), "a b x d".split())
    (2, 1)
    >>> shared_ends("a a b".split(), "a b".split())  # which `a` was deleted? both are possible
    (0, 1)
    """
    limit = min(len(source), len(hypothesis))
    head = 0
    while head < limit and source[head] == hypothesis[head]:
        head += 1
    while head and (source[head - 1] in source[head:] or source[head - 1] in hypothesis[head:]):
        head -= 1
    limit -= head
    tail = 0
    while tail < limit and source[-1 - tail] == hypothesis[-1 - tail]:
        tail += 1
    while tail and (
        source[-tail] in source[head : len(source) - tail]
        or source[-tail] in hypothesis[head : len(hypothesis) - tail]
    ):
        tail -= 1
    return head, tail


def occurrences(source: Sequence[str], hypothesis: Sequence[str]) -> list[int]:
    """For every source token the hypothesis positions that hold the same token, as a mask."""
    positions: dict[str, int] = {}
    for j, token in enumerate(hypothesis):
        positions[token] = positions.get(token, 0) | 1 << j
    return [positions.get(token, 0) for token in source]


def unit_cost_rows(equal: Sequence[int], width: int) -> Rows:
    """Arcs of all cheapest alignments with insertion, deletion and substitution costing 1."""
    full = (1 << width) - 1
    rises, falls = full, 0  # D(i, j + 1) - D(i, j) is +1 / -1
    rising: list[int] = [rises]
    deletable: list[int] = []
    diagonals: list[int] = []
    for same in equal:
        flat = ((((same & rises) + rises) ^ rises) | same | falls) & full  # diagonal costs 0
        up = falls | (full & ~(flat | rises))  # D(i, j + 1) - D(i - 1, j + 1) is +1
        down = flat & rises
        deletable.append(up << 1 | 1)
        diagonals.append(same | (full & ~flat))
        up = (up << 1 | 1) & full
        down = (down << 1) & full
        rises, falls = down | (full & ~(flat | up)), up & flat
        rising.append(rises)
    return _trace_back(width, rising, deletable, diagonals)


def double_cost_rows(equal: Sequence[int], width: int) -> Rows:
    """Arcs of all cheapest alignments with substitution costing 2 (longest common subsequence)."""
    full = (1 << width) - 1
    stays = full  # bit j: the common subsequence does not grow from j to j + 1
    staying: list[int] = [stays]
    deletable: list[int] = []
    diagonals: list[int] = []
    for same in equal:
        before = stays
        taken = before & same
        stays = ((before + taken) | (before - taken)) & full
        # Where the row i is one longer than the row i - 1: from each bit that turned 0 up to the
        # next bit that turned 1 (or the end), which is what one subtraction gives.
        longer = (stays & ~before) - (before & ~stays)
        if longer < 0:
            longer += 1 << width
        deletable.append(~(longer << 1) & (full << 1 | 1))
        diagonals.append(same | (before & ~longer))
        staying.append(stays)
    return _trace_back(width, staying, deletable, diagonals)


def _trace_back(
    width: int, insertable: Sequence[int], deletable: Sequence[int], diagonals: Sequence[int]
) -> Rows:
    """Keep the arcs that lie on a path to the end vertex, row by row from the last."""
    height = len(diagonals)
    rows = Rows([0] * (height + 1), [0] * (height + 1), [0] * (height + 1))
    reached = 1 << width
    for i in range(height, -1, -1):
        free = insertable[i]
        spread = reached >> 1 & free
        while spread & ~reached:
            reached |= spread
            spread = reached >> 1 & free
        rows.insert[i] = spread
        if i:
            rows.delete[i] = delete = reached & deletable[i - 1]
            rows.diagonal[i] = diagonal = reached >> 1 & diagonals[i - 1]
            reached = delete | diagonal
    return rows
