"""The edit lattice of MaxMatch, cut into islands that can be solved one by one.

Dahlmeier and Ng (2012): vertices are (source position, hypothesis position), primitive arcs are
the single steps of all cheapest alignments. No fused arc crosses a stretch in which every
alignment keeps more than twice `max_unchanged_words` tokens, so a sentence falls apart into
islands of edits in a sea of kept tokens. An island's arcs depend on its shape only, not on its
words; a few hundred shapes cover a test set, so they are remembered.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

from jurybox.metrics.maxmatch.align import (
    Rows,
    double_cost_rows,
    occurrences,
    shared_ends,
    unit_cost_rows,
)
from jurybox.metrics.maxmatch.steps import Pair, Shape, Steps, Vertex, count_arcs

#: Islands with more vertices are pruned before their arcs are fused (see prune.py): the number
#: of arcs grows with the square of the vertices, and few of them can be on a best path.
LARGE = 64


class Island(NamedTuple):
    """Steps, their arcs unless the island is large, and where its first vertex lies."""

    source: int
    hypothesis: int
    steps: Steps
    shape: Shape | None


class Lattice:
    """The islands of one sentence; all tokens between them are kept by every alignment."""

    __slots__ = ("_arcs", "between", "islands")

    def __init__(self, islands: Sequence[Island], between: int) -> None:
        self.islands = islands
        self.between = between  # kept tokens outside islands
        self._arcs: int | None = None

    def arcs(self) -> int:
        """How many arcs the sentence has, with copies: what one match weighs."""
        if self._arcs is None:
            self._arcs = 2 * self.between + sum(
                island.shape.copies if island.shape else count_arcs(island.steps)
                for island in self.islands
            )
        return self._arcs


def build_lattice(source: Sequence[str], hypothesis: Sequence[str], unchanged: int) -> Lattice:
    """Align two token sequences and cut the lattice into islands.

    >>> lattice = build_lattice("a b c d e f g h".split(), "a x c d e f g h i".split(), 1)
    >>> [(island.source, island.hypothesis) for island in lattice.islands]
    [(0, 0), (7, 7)]
    """
    if source == hypothesis:
        return Lattice((), len(source))
    head, tail = shared_ends(source, hypothesis)
    end = len(source) - tail
    other = hypothesis[head : len(hypothesis) - tail]
    same = occurrences(source[head:end], other)
    inside = 0
    islands: list[Island] = []
    left, right = min(unchanged, head), min(unchanged, tail)
    for i, j, kept, steps, shape in _islands(tuple(same), len(other), left, right, unchanged):
        islands.append(Island(head + i, head + j, steps, shape))
        inside += kept
    return Lattice(islands, len(source) - inside)


class Memory:
    """Results by key, forgotten all at once when they have grown too large together."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.forget()

    def forget(self) -> None:
        self.size = 0
        self.results: dict[Hashable, Any] = {}

    def keep(self, key: Hashable, result: Any, size: int) -> None:
        if self.size + size > self.limit:
            self.forget()
        self.size += size
        self.results[key] = result


#: Islands that were met before. The limit is a number of arcs, at some 300 bytes each: systems
#: that rewrite freely hardly ever make the same island twice, and must not fill the memory.
REMEMBERED = Memory(limit=150_000)


def _islands(
    same: tuple[int, ...], width: int, before: int, after: int, unchanged: int
) -> list[tuple[int, int, int, Steps, Shape | None]]:
    """The islands of an alignment, from memory or made anew."""
    key = (same, width, before, after, unchanged)
    islands = REMEMBERED.results.get(key)
    if islands is None:
        islands = _find_islands(same, width, before, after, unchanged)
        if all(shape is not None for *_, shape in islands):
            REMEMBERED.keep(key, islands, len(same) + width)
    known: list[tuple[int, int, int, Steps, Shape | None]] = islands
    return known


def _find_islands(
    same: tuple[int, ...], width: int, before: int, after: int, unchanged: int
) -> list[tuple[int, int, int, Steps, Shape | None]]:
    """The islands of an alignment: where each begins, its source tokens, its steps and arcs.

    All that matters of the words is which are the same; `before` and `after` are the kept tokens
    around the alignment that an edit may reach into.
    """
    plain = unit_cost_rows(same, width)
    double = double_cost_rows(same, width)
    islands: list[tuple[int, int, int, Steps, Shape | None]] = []
    for low, high in _cores(plain, double, same, 2 * unchanged + 1):
        shift = plain.diagonal[low].bit_length() if low else 0  # where the island is entered
        rows = [(plain.insert[low] >> shift, double.insert[low] >> shift, 0, 0, 0, 0, 0)]
        for i in range(low + 1, high + 1):
            diagonal, diagonal_2 = plain.diagonal[i], double.diagonal[i]
            rows.append(
                (
                    plain.insert[i] >> shift,
                    double.insert[i] >> shift,
                    plain.delete[i] >> shift,
                    double.delete[i] >> shift,
                    diagonal >> shift,
                    diagonal_2 >> shift,
                    (same[i - 1] & (diagonal | diagonal_2)) >> shift,
                )
            )
        left = min(unchanged, before + low)
        right = min(unchanged, len(same) - high + after)
        steps, shape = _island(left, right, tuple(rows), unchanged)
        islands.append((low - left, shift - left, left + high - low + right, steps, shape))
    return islands


#: one row of an island: insert, delete and diagonal masks under both costs, and what is a keep
Masks = tuple[int, int, int, int, int, int, int]


def _island(
    left: int, right: int, rows: tuple[Masks, ...], unchanged: int
) -> tuple[Steps, Shape | None]:
    key = (left, right, rows, unchanged)
    known: tuple[Steps, Shape] | None = REMEMBERED.results.get(key)
    if known is not None:
        return known
    steps = Steps(_primitive_arcs(left, right, rows), unchanged)
    if len(steps.vertices) > LARGE:
        return steps, None
    shape = steps.fuse(range(len(steps.vertices)))
    REMEMBERED.keep(key, (steps, shape), len(shape.arcs))
    return steps, shape


def _cores(plain: Rows, double: Rows, same: Sequence[int], gap: int) -> list[Pair]:
    """First and last row of every island, at least `gap` surely kept tokens apart."""
    cores: list[Pair] = []
    for i, diagonal in enumerate(plain.diagonal):
        certain_keep = i == 0 or (
            diagonal & same[i - 1]
            and diagonal == double.diagonal[i]
            and not diagonal & (diagonal - 1)
            and not plain.delete[i]
            and not double.delete[i]
        )
        if certain_keep and not plain.insert[i] and not double.insert[i]:
            continue
        low = i if certain_keep else i - 1
        if cores and low - cores[-1][1] < gap:
            cores[-1] = (cores[-1][0], i)
        else:
            cores.append((low, i))
    return cores


def _primitive_arcs(
    left: int, right: int, rows: Sequence[Masks]
) -> list[tuple[Vertex, Vertex, int, bool]]:
    """All single steps of an island with `left` and `right` kept tokens around its core."""
    arcs: list[tuple[Vertex, Vertex, int, bool]] = [
        ((k, k), (k + 1, k + 1), 2, True) for k in range(left)
    ]
    last = (left, left)
    for i, (insert, insert_2, delete, delete_2, diagonal, diagonal_2, keep) in enumerate(
        rows, left
    ):
        for here, there, down, across in (
            (insert, insert_2, 0, 1),
            (delete, delete_2, 1, 0),
            (diagonal, diagonal_2, 1, 1),
        ):
            both = here | there
            while both:
                bit = both & -both
                both ^= bit
                j = left + bit.bit_length() - 1
                end = (i, j + across)
                copies = 2 if here & there & bit else 1
                arcs.append(((i - down, j), end, copies, bool(down and across and keep & bit)))
                last = max(last, end)
    i, j = last
    arcs += [((i + k, j + k), (i + k + 1, j + k + 1), 2, True) for k in range(right)]
    return arcs
