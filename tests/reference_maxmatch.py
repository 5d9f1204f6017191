"""MaxMatch, slow and to the letter: the specification as a program, for tests only.

Every rule stands here in the order in which the specification (spec/scoring.md, section 1, after
Dahlmeier and Ng 2012) states it, and without any short cut: the whole lattice, every fused arc,
every copy, relaxation until nothing changes. It agrees with the official scorer on all counts that
were measured; the fast implementation in `jurybox.metrics` must agree with it on every input.

    align -> fuse -> weigh (claim) -> walk -> count
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import inf
from typing import NamedTuple

Vertex = tuple[int, int]  # source position, hypothesis position
Arc = tuple[Vertex, Vertex]
Edit = tuple[int, int, str]  # start, end, replacement
Gold = tuple[int, int, tuple[str, ...]]  # start, end, alternatives

COPY = 0.001  # what every copy of an arc pays


def maxmatch(
    source: Sequence[str],
    hypothesis: Sequence[str],
    gold: Sequence[Gold],
    *,
    max_unchanged_words: int = 2,
) -> tuple[int, int, int]:
    """Correct, proposed and gold edits of one sentence against one annotator."""
    edits = extract(source, hypothesis, gold, max_unchanged_words=max_unchanged_words)
    correct, available = 0, 0
    for edit in edits:
        # Only forwards, and on after a match: an edit equal to two gold edits counts twice.
        for position in range(available, len(gold)):
            if equals(edit, gold[position]):
                correct += 1
                available = position + 1
    return correct, len(edits), len(gold)


def extract(
    source: Sequence[str],
    hypothesis: Sequence[str],
    gold: Sequence[Gold] = (),
    *,
    max_unchanged_words: int = 2,
) -> list[Edit]:
    """The edits on the best path, in order."""
    lattice = build(source, hypothesis, max_unchanged_words)
    weight = weigh(lattice, hypothesis, gold)
    path = walk(lattice.arcs, weight, (len(source), len(hypothesis)))
    return [as_edit(arc, hypothesis) for arc in path if not lattice.is_keep(arc)]


def as_edit(arc: Arc, hypothesis: Sequence[str]) -> Edit:
    """What an arc says: this source span becomes this text."""
    (i, j), (end, stop) = arc
    return i, end, " ".join(hypothesis[j:stop])


def equals(edit: Edit, gold: Gold) -> bool:
    """Whether an edit is a gold edit; nothing equals an insertion of nothing."""
    start, end, text = edit
    return (start, end) == gold[:2] and text in gold[2] and not (start == end and text == "")


# -- Edit lattice: all cheapest alignments


def alignment_arcs(source: Sequence[str], hypothesis: Sequence[str], substitution: int) -> set[Arc]:
    """The arcs of all minimal-cost alignments: those on some cheapest path through the grid."""
    height, width = len(source), len(hypothesis)
    grid = [(i, j) for i in range(height + 1) for j in range(width + 1)]

    def steps(i: int, j: int) -> Iterator[tuple[Vertex, int]]:
        if i < height and j < width:
            yield (i + 1, j + 1), 0 if source[i] == hypothesis[j] else substitution
        if i < height:
            yield (i + 1, j), 1
        if j < width:
            yield (i, j + 1), 1

    from_start: dict[Vertex, float] = {(0, 0): 0}
    for u in grid:
        for v, cost in steps(*u):
            from_start[v] = min(from_start.get(v, inf), from_start[u] + cost)
    to_end: dict[Vertex, float] = {(height, width): 0}
    for u in reversed(grid):
        for v, cost in steps(*u):
            to_end[u] = min(to_end.get(u, inf), cost + to_end[v])
    cheapest = to_end[0, 0]

    def is_on_a_cheapest_path(u: Vertex, v: Vertex, cost: int) -> bool:
        return from_start[u] + cost + to_end[v] == cheapest

    return {(u, v) for u in grid for v, cost in steps(*u) if is_on_a_cheapest_path(u, v, cost)}


# -- Transitive arcs, and rule (a): copies


class Lattice(NamedTuple):
    """`arcs` is the arc list with its copies: primitive arcs sorted, then as they were recorded."""

    arcs: list[Arc]
    cost: dict[Arc, int]
    kept: dict[Arc, int]

    def is_keep(self, arc: Arc) -> bool:
        return self.cost[arc] == self.kept[arc] == 1


def build(source: Sequence[str], hypothesis: Sequence[str], max_unchanged_words: int) -> Lattice:
    """All arcs: the primitive ones of both cost settings, and what fuses vertex by vertex."""
    arcs = sorted([*alignment_arcs(source, hypothesis, 1), *alignment_arcs(source, hypothesis, 2)])
    cost = dict.fromkeys(arcs, 1)
    kept = {arc: int(keeps_a_token(arc, source, hypothesis)) for arc in arcs}
    for k in sorted({vertex for arc in arcs for vertex in arc}):
        starts = sorted(u for u, v in cost if v == k)
        ends = sorted(v for u, v in cost if u == k)
        for i in starts:
            for j in ends:
                total = cost[i, k] + cost[k, j]
                unchanged = kept[i, k] + kept[k, j]
                if unchanged <= max_unchanged_words and total < cost.get((i, j), inf):
                    cost[i, j] = total
                    kept[i, j] = unchanged
                    arcs.append((i, j))
    arcs = [arc for arc in arcs if not 1 < cost[arc] == kept[arc]]
    return Lattice(arcs, cost, kept)


def keeps_a_token(arc: Arc, source: Sequence[str], hypothesis: Sequence[str]) -> bool:
    (i, j), end = arc
    return end == (i + 1, j + 1) and source[i] == hypothesis[j]


# -- Weights for one annotator, and rule (b): insertions at one source offset


def weigh(lattice: Lattice, hypothesis: Sequence[str], gold: Sequence[Gold]) -> dict[Arc, float]:
    """The weight of every arc: a match beats everything, every other edit pays for its copies."""
    weight = {arc: float(lattice.cost[arc]) for arc in lattice.arcs}
    match = float(-len(lattice.arcs))
    insertions: dict[int, list[Arc]] = {}
    for arc in lattice.arcs:
        (i, _), (end, _) = arc
        if lattice.is_keep(arc):
            # A gold edit may replace a token by itself: the arc matches, though it is no edit.
            if any(equals(as_edit(arc, hypothesis), edit) for edit in gold):
                weight[arc] = match
            continue
        if i == end:
            insertions.setdefault(i, []).append(arc)
        elif any(equals(as_edit(arc, hypothesis), edit) for edit in gold):
            weight[arc] = match
        else:
            weight[arc] += COPY
    for offset, arcs in insertions.items():
        there = [edit for edit in gold if edit[0] == edit[1] == offset]
        claim(sorted(arcs), there, weight, match, hypothesis)
    return weight


def claim(
    arcs: Sequence[Arc],
    gold: Sequence[Gold],
    weight: dict[Arc, float],
    match: float,
    hypothesis: Sequence[str],
) -> None:
    """Insertions at one source offset claim gold edits in order, working from both ends."""

    def first_equal(arc: Arc, positions: Iterable[int]) -> int | None:
        edit = as_edit(arc, hypothesis)
        return next((position for position in positions if equals(edit, gold[position])), None)

    left, right = 0, len(arcs) - 1
    low, high = 0, len(gold) - 1  # the gold edits still available
    from_left = True
    while left <= right:
        if from_left:
            arc = arcs[left]
            left += 1
            position = first_equal(arc, range(low, high + 1))
        else:
            arc = arcs[right]
            right -= 1
            position = first_equal(arc, range(high, low - 1, -1))
        if position is None:
            weight[arc] += COPY
            from_left = not from_left
            continue
        weight[arc] = match
        if from_left:
            low = position + 1
            while left <= right and arcs[left][0] != arc[1]:
                weight[arcs[left]] += COPY
                left += 1
        else:
            high = position - 1
            while left <= right and arcs[right][1] != arc[0]:
                weight[arcs[right]] += COPY
                right -= 1


# -- The best path, and rule (c): ties


def walk(arcs: Sequence[Arc], weight: dict[Arc, float], end: Vertex) -> list[Arc]:
    """The path that is left when relaxing in list order changes nothing any more."""
    start = (0, 0)
    distance: dict[Vertex, float] = {start: 0.0}
    via: dict[Vertex, Vertex] = {}
    changed = True
    while changed:
        changed = False
        for u, v in arcs:
            reached = distance.get(u, inf) + weight[u, v]
            if reached < distance.get(v, inf):
                distance[v] = reached
                via[v] = u
                changed = True
    path: list[Arc] = []
    while end != start:
        path.append((via[end], end))
        end = via[end]
    return path[::-1]
