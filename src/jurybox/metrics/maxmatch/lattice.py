"""The edit lattice of MaxMatch, cut into islands that can be solved one by one.

Dahlmeier and Ng (2012): vertices are (source position, hypothesis position), primitive arcs are
the single steps of all cheapest alignments. Arcs may be fused into longer ones as long as they keep
no more than `max_unchanged_words` tokens. An arc costs as many steps as it has, and pays a
thousandth more for every time it was found; how often that was, and in which order, decides ties.

No fused arc crosses a stretch in which every alignment keeps more than twice `max_unchanged_words`
tokens, so a sentence falls apart into islands of edits in a sea of kept tokens. An island's arcs
depend on its shape only, not on its words; a few hundred shapes cover a test set, so they are
remembered.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Hashable, Iterable, Sequence
from typing import Any, NamedTuple

from jurybox.metrics.maxmatch.align import (
    Rows,
    double_cost_rows,
    occurrences,
    shared_ends,
    unit_cost_rows,
)

STEP = 0.001  # what one copy of an arc pays on top of its cost
UNIT = 1000  # steps in a cost of one: weights in whole numbers, for exact sums and comparisons

Vertex = tuple[int, int]
Pair = tuple[int, int]  # an arc by the numbers of its first and last vertex
#: Islands with more vertices are pruned before their arcs are fused (see prune.py): the number
#: of arcs grows with the square of the vertices, and few of them can be on a best path.
LARGE = 64


# --- one island: single steps, and the arcs they are fused into ---


class Arc(NamedTuple):
    """What is known of an arc: single steps, tokens kept, times it was recorded."""

    cost: int
    kept: int
    copies: int


#: What is known of an arc as one number, for speed: kept tokens, copies and cost, a field each.
COPIES, COST = 32, 36
KEPT = (1 << COPIES) - 1
MOST_COPIES = (1 << (COST - COPIES)) - 1
ONE_STEP_MORE = (1 << COST) + (1 << COPIES)
WITHOUT_COPIES = ~(MOST_COPIES << COPIES)


class Steps:
    """The primitive arcs of one island, relative to its first vertex.

    `vertices` are sorted, so every arc leads from a lower number to a higher one; the first is
    the island's entry, the last its exit. `arcs` are sorted too: from, to, copies, keeps a token.
    """

    __slots__ = ("arcs", "number", "rows", "unchanged", "vertices")

    def __init__(self, arcs: Iterable[tuple[Vertex, Vertex, int, bool]], unchanged: int) -> None:
        ordered = sorted(arcs)
        self.vertices: list[Vertex] = sorted({v for arc in ordered for v in arc[:2]})
        self.number: dict[Vertex, int] = {v: k for k, v in enumerate(self.vertices)}
        self.rows: dict[int, list[int]] = {}  # source position -> its vertices
        for k, (i, _) in enumerate(self.vertices):
            self.rows.setdefault(i, []).append(k)
        self.arcs: list[tuple[int, int, int, bool]] = [
            (self.number[u], self.number[v], copies, keeps) for u, v, copies, keeps in ordered
        ]
        self.unchanged = unchanged

    def fuse(self, starts: Collection[int]) -> Shape:
        """All arcs that begin at one of `starts`.

        The specification fuses vertex by vertex in sorted order. When k has its turn, everything
        into k is final and nothing but primitive arcs leaves it; so the arcs into v are those
        into its (at most three) predecessors, one step longer, the cheapest and first found.
        """
        steps_into: list[list[tuple[int, int, bool]]] = [[] for _ in self.vertices]
        for u, v, copies, keeps in self.arcs:
            steps_into[v].append((u, copies, keeps))
        known: list[dict[int, int]] = []
        for steps in steps_into:
            into: dict[int, int] = {}
            for p, _, keeps in steps:
                longer = ONE_STEP_MORE + keeps
                room = self.unchanged - keeps
                if not into:
                    into = {
                        u: (arc & WITHOUT_COPIES) + longer
                        for u, arc in known[p].items()
                        if arc & KEPT <= room
                    }
                    continue
                for u, arc in known[p].items():
                    if arc & KEPT <= room:
                        new = (arc & WITHOUT_COPIES) + longer
                        old = into.get(u)
                        if old is None:
                            into[u] = new
                        elif new >> COST < old >> COST:  # recorded once more
                            into[u] = new + (old & ~WITHOUT_COPIES)
            for p, copies, keeps in steps:
                if p in starts:
                    into[p] = (1 << COST) + (copies << COPIES) + keeps
            known.append(into)
        return Shape(self, starts, known)

    def record(self, starts: Collection[int]) -> list[Pair]:
        """The arc list of the specification: primitive arcs sorted, then fused arcs as recorded.

        An arc stands in it as often as it was found, and found cheaper.
        """
        steps_from: list[list[tuple[int, bool]]] = [[] for _ in self.vertices]
        known: list[dict[int, tuple[int, int]]] = [{} for _ in self.vertices]  # cost, kept
        order: list[Pair] = []
        for u, v, copies, keeps in self.arcs:
            steps_from[u].append((v, keeps))
            if u in starts:
                known[v][u] = (1, int(keeps))
                order += [(u, v)] * copies
        for into, steps in zip(known, steps_from, strict=True):
            for u in sorted(into):
                cost, kept = into[u]
                for v, keeps in steps:
                    old = known[v].get(u)
                    if kept + keeps <= self.unchanged and (old is None or cost + 1 < old[0]):
                        known[v][u] = (cost + 1, kept + keeps)
                        order.append((u, v))
        return order

    def arc(self, u: int, v: int) -> Arc | None:
        """The arc from u to v if there is one: `fuse` for one pair, in its rectangle only."""
        last = self.vertices[v][1]
        known = {u: Arc(0, 0, 0)}
        for p, q, copies, keeps in self.arcs[bisect_left(self.arcs, (u,)) :]:
            if p >= v:
                break
            if p in known and q <= v and self.vertices[q][1] <= last:
                cost, kept, _ = known[p]
                old = known.get(q)
                if p == u:
                    known[q] = Arc(1, int(keeps), copies)
                elif kept + keeps <= self.unchanged and (old is None or cost + 1 < old.cost):
                    recorded = old.copies + 1 if old else 1
                    known[q] = Arc(cost + 1, kept + keeps, recorded)
        found = known.get(v)
        return None if found is None or 1 < found.cost == found.kept else found

    def insertions(self, row: int) -> list[Pair]:
        """All insertion arcs at one source position, copies and all, sorted by start and end.

        Only insertions lead from one vertex of a row to another, so the arcs are the stretches
        of unbroken runs; a fused one is recorded once.
        """
        copies = {
            (u, v): n
            for u, v, n, _ in self.arcs
            if self.vertices[u][0] == row == self.vertices[v][0]
        }
        pairs: list[Pair] = []
        vertices = self.rows.get(row, [])
        for position, u in enumerate(vertices):
            previous = u
            for v in vertices[position + 1 :]:
                if (previous, v) not in copies:
                    break
                pairs += [(u, v)] * (copies[u, v] if previous == u else 1)
                previous = v
        return pairs


class Shape:
    """Arcs of one island as the search for the best path wants them.

    Arcs are numbered by end, then start, so that all ways into a vertex come before all ways out.
    `exact[a]` is what an arc weighs unless it matches, in thousandths; `is_edit[a]` is 0 for a kept
    token.
    """

    __slots__ = (
        "_order",
        "_starts",
        "_steps",
        "arcs",
        "decisions",
        "exact",
        "is_edit",
        "number",
    )

    def __init__(
        self, steps: Steps, starts: Collection[int], known: Sequence[dict[int, int]]
    ) -> None:
        self._steps, self._starts = steps, starts
        self._order: list[Pair] | None = None
        self.arcs: list[Pair] = []
        self.exact: list[int] = []
        self.is_edit: list[int] = []
        for v, into in enumerate(known):
            for u, arc in into.items():
                cost = arc >> COST
                if cost > arc & KEPT:
                    self.is_edit.append(1)
                    self.exact.append(cost * UNIT + (arc >> COPIES & MOST_COPIES))
                elif cost == 1:
                    self.is_edit.append(0)
                    self.exact.append(UNIT)
                else:
                    continue  # longer than one step and only keeps tokens: dropped
                self.arcs.append((u, v))
        self.number: dict[Pair, int] = {pair: arc for arc, pair in enumerate(self.arcs)}
        #: what was decided before, by the arcs that equal gold edits (see bestpath.decide)
        self.decisions: dict[tuple[tuple[Pair, int, int], ...], tuple[int, list[int]] | None] = {}

    @property
    def order(self) -> list[Pair]:
        """The arc list of the specification, copies and all, without what was dropped."""
        if self._order is None:
            record = self._steps.record(self._starts)
            self._order = [pair for pair in record if pair in self.number]
        return self._order

    def weights(self) -> list[float]:
        """What every arc weighs unless it matches: a step for each copy, one addition at a time."""
        weights: list[float] = []
        for exact, is_edit in zip(self.exact, self.is_edit, strict=True):
            cost, copies = divmod(exact, UNIT)
            weight = float(cost)
            for _ in range(copies if is_edit else 0):
                weight += STEP
            weights.append(weight)
        return weights

    def primitives(self) -> int:
        """How many arcs at the beginning of `order` are primitive."""
        return sum(copies for u, _, copies, _ in self._steps.arcs if u in self._starts)


def count_arcs(steps: Steps) -> int:
    """The number of arcs of an island with copies, without listing them: all starts at once."""
    import numpy as np

    far = np.iinfo(np.int32).max // 2
    into: dict[int, list[tuple[int, int, bool]]] = {}
    for u, v, copies, keeps in steps.arcs:
        into.setdefault(v, []).append((u, copies, keeps))
    costs = {0: np.full(0, far, np.int32)}  # per vertex: cost of the arc from each start
    kepts = {0: np.zeros(0, np.int32)}
    total = 0
    for v in range(1, len(steps.vertices)):
        cost = np.full(v, far, np.int32)
        kept = np.zeros(v, np.int32)
        times = np.zeros(v, np.int16)
        for p, _, keeps in into[v]:  # in sorted order: diagonal, deletion, insertion
            longer, keeping = costs[p] + 1, kepts[p] + keeps
            better = (keeping <= steps.unchanged) & (longer < cost[:p])
            cost[:p][better] = longer[better]
            kept[:p][better] = keeping[better]
            times[:p] += better
        for p, copies, keeps in into[v]:
            cost[p], kept[p], times[p] = 1, keeps, copies
        only_keeps = (cost > 1) & (cost == kept)
        total += int(times[~only_keeps].sum())
        costs[v], kepts[v] = cost, kept
        row = steps.vertices[v][0]
        if row > steps.vertices[v - 1][0]:
            for done in steps.rows.get(row - 2, ()):  # no step leads from there to here
                del costs[done], kepts[done]
    return total


# --- a sentence: its islands ---


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
                len(island.shape.order) if island.shape else count_arcs(island.steps)
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
