"""Large islands: the best path without listing arcs, or with as few of them as possible.

A hypothesis that repeats a phrase, or rewrites everything, has a lattice of thousands of vertices
and millions of fused arcs: this is where the official scorer runs for hours. But a handful of
automaton states per vertex (outside an edit; inside one, having kept 0, 1, 2 … tokens) give the
best weight in time linear in the lattice, if every fused arc is taken to have been recorded once.
`decide_large` does that in whole numbers, and is sure of its answer if the path is real and if
all paths of that weight count the same. Where they tie, `prune` keeps the arcs of the vertices
that a best path can touch, and the official order decides among them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from jurybox.metrics.maxmatch.bestpath import BEST, FAR, Result
from jurybox.metrics.maxmatch.lattice import UNIT, Pair, Shape, Steps


class PathCounts(NamedTuple):
    """What a path has counted: edits, and for the matched ones, in order, which gold they equal."""

    edits: int
    matched: tuple[frozenset[int], ...]


class PathDecision(NamedTuple):
    """A result all best paths of an island share, and the edits of one of them."""

    result: Result
    path: list[Pair]


class State:
    """The best way into each vertex in one state of the automaton.

    `origin` is the vertex at which the current edit began (outside: the last vertex that was
    outside). `result` is what the way has counted so far, or None if equally good ways differ.
    """

    __slots__ = ("origin", "result", "weight")

    def __init__(self, vertices: int) -> None:
        self.weight = [FAR] * vertices
        self.origin = [-1] * vertices
        self.result: list[PathCounts | None] = [None] * vertices

    def offer(self, v: int, weight: int, origin: int, result: PathCounts | None) -> None:
        best = self.weight[v]
        if weight < best:
            self.weight[v] = weight
            self.origin[v] = origin
            self.result[v] = result
        elif weight == best and self.result[v] != result:
            self.result[v] = None


def decide_large(
    steps: Steps, near: Mapping[Pair, set[int]], claimed: Mapping[Pair, int]
) -> PathDecision | None:
    """The result that all best paths of an island share, or None where they differ.

    `near` holds the arcs that equal gold edits, `claimed` those that claim one, with the copies
    they pay for.
    """
    weights = {pair: BEST + copies for pair, copies in claimed.items()}
    for pair in near.keys() - claimed.keys():
        # An arc that equals a gold edit but claims none weighs like any other, and yet counts: if
        # it can be on a best path, the way over its steps and the way over the arc differ.
        arc = steps.arc(*pair)
        if arc is not None:
            weights[pair] = arc.cost * UNIT + arc.copies
    arcs = {pair: steps.arc(*pair) for pair in near}
    claims = {
        pair: frozenset(near[pair]) for pair, arc in arcs.items() if arc and arc.cost > arc.kept
    }
    outside = _sweep(steps.arcs, weights, claims, len(steps.vertices), steps.unchanged)
    counted = outside.result[-1]
    if counted is None:
        return None
    # The path is real if its fused arcs exist and were recorded once, as assumed.
    v, weight = len(steps.vertices) - 1, 0
    path: list[Pair] = []
    while v:
        u = outside.origin[v]
        arc = steps.arc(u, v)
        if arc is None:
            return None
        if arc.cost > arc.kept:
            path.append((u, v))
            weight += weights.get((u, v), arc.cost * UNIT + arc.copies)
        else:
            weight += weights.get((u, v), UNIT)
        v = u
    return (
        PathDecision(Result(counted.edits, list(counted.matched)), path[::-1])
        if weight == outside.weight[-1]
        else None
    )


def _sweep(
    arcs: list[tuple[int, int, int, bool]],
    matches: Mapping[Pair, int],
    claims: Mapping[Pair, frozenset[int]],
    vertices: int,
    unchanged: int,
) -> State:
    """The best way to each vertex outside edits; a fused arc weighs its cost and one copy."""
    outside = State(vertices)
    outside.offer(0, 0, -1, PathCounts(0, ()))
    # Inside an edit: after its first step, having kept or changed a token; after two or more
    # steps, having kept 0, 1, 2 … tokens.
    changed_one, kept_one = State(vertices), State(vertices)
    inside = [State(vertices) for _ in range(unchanged + 1)]
    jumps: dict[int, list[int]] = {}
    for u, v in matches:
        jumps.setdefault(u, []).append(v)

    def leave(u: int) -> None:
        """Everything into u has been seen: end edits here, then take the matches that begin."""
        for state in inside:
            if state.weight[u] < FAR:
                so_far = state.result[u]
                result = so_far and PathCounts(so_far.edits + 1, so_far.matched)
                outside.offer(u, state.weight[u] + 1, state.origin[u], result)
        so_far = outside.result[u]
        for v in jumps.get(u, ()):
            result = so_far
            if so_far is not None and (u, v) in claims:  # else a kept token: it counts nothing
                result = PathCounts(so_far.edits + 1, (*so_far.matched, claims[u, v]))
            outside.offer(v, outside.weight[u] + matches[u, v], u, result)

    current = -1
    for u, v, copies, keeps in arcs:
        while current < u:
            current += 1
            leave(current)
        weight, so_far = outside.weight[u], outside.result[u]
        if keeps:
            outside.offer(v, weight + UNIT, u, so_far)
            if unchanged:
                kept_one.offer(v, weight + UNIT, u, so_far)
        else:
            result = so_far and PathCounts(so_far.edits + 1, so_far.matched)
            outside.offer(v, weight + UNIT + copies, u, result)
            changed_one.offer(v, weight + UNIT, u, so_far)
        for kept, state in ((0, changed_one), (1, kept_one), *enumerate(inside)):
            if state.weight[u] < FAR and kept + keeps <= unchanged:
                inside[kept + keeps].offer(
                    v, state.weight[u] + UNIT, state.origin[u], state.result[u]
                )
    leave(vertices - 1)
    return outside


def prune(steps: Steps, claimed: Mapping[Pair, int]) -> Shape:
    """The arcs among which all best paths are, given the arcs that match."""
    matches = {pair: BEST + copies for pair, copies in claimed.items()}
    vertices = len(steps.vertices)
    last = vertices - 1
    claims: dict[Pair, frozenset[int]] = dict.fromkeys(matches, frozenset())
    to_vertex = _sweep(steps.arcs, matches, claims, vertices, steps.unchanged).weight
    # Fused arcs read the same backwards, so the way to the exit is the way in of the mirror image.
    mirror = _sweep(
        sorted((last - v, last - u, copies, keeps) for u, v, copies, keeps in steps.arcs),
        {(last - v, last - u): weight for (u, v), weight in matches.items()},
        {(last - v, last - u): numbers for (u, v), numbers in claims.items()},
        vertices,
        steps.unchanged,
    ).weight
    limit = to_vertex[last]
    while True:
        starts = frozenset(k for k in range(vertices) if to_vertex[k] + mirror[last - k] <= limit)
        shape = _fuse(steps, starts)
        if _least_weight(shape, matches, vertices) <= limit:
            return shape
        limit += 1  # some arc was recorded more than once or refused: a thousandth more


@lru_cache(maxsize=4)  # the annotators of one sentence often ask for the same
def _fuse(steps: Steps, starts: frozenset[int]) -> Shape:
    return steps.fuse(starts)


def _least_weight(shape: Shape, matches: Mapping[Pair, int], vertices: int) -> int:
    least = [FAR] * vertices
    least[0] = 0
    for (u, v), weight in zip(shape.arcs, shape.exact, strict=True):
        least[v] = min(least[v], least[u] + matches.get((u, v), weight))
    return least[-1]
