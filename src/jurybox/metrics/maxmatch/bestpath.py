"""The best path through one island for one annotator, to the letter of the official order.

Arcs that equal a gold edit weigh minus the number of arcs, so that one more match beats everything
else; insertions at one source position claim gold edits in order, from both ends. Path costs are
floating-point sums and arcs are relaxed in list order until nothing changes, replacing only on a
strictly smaller sum: where exact costs tie, this order is what decides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from jurybox.metrics.maxmatch.lattice import Island, Pair, Shape, Vertex

INFINITY = float("inf")
#: what a path has counted is one number: its edits, then how often each kind of match, a field each
COUNT_BITS = 16
COUNT_MASK = (1 << COUNT_BITS) - 1
UNSURE = -1
UNCLAIMED = -1
BEST = -(1 << 40)  # a match in exact arithmetic: it beats everything else
FAR = 1 << 60
REMEMBERED = 64  # decisions per shape; a large file must not fill the memory


class Gold(NamedTuple):
    """A gold edit as matching sees it: a source span and the texts any of which is right."""

    start: int
    end: int
    texts: tuple[str, ...]


def gold_arcs(
    island: Island, hypothesis: Sequence[str], gold: Sequence[Gold]
) -> dict[Pair, set[int]]:
    """The arcs of an island that equal a gold edit, with the numbers of those gold edits.

    A kept token equals a gold edit that replaces it by itself. Its arc then weighs like a match,
    but it is no edit, and so it counts neither as proposed nor as correct.
    """
    steps, shape = island.steps, island.shape
    found: dict[Pair, set[int]] = {}
    for g, (start, end, texts) in enumerate(gold):
        row = end - island.source
        if row not in steps.rows:
            continue
        for u in steps.rows.get(start - island.source, ()):
            j = steps.vertices[u][1]
            for text in texts:
                length = text.count(" ") + 1 if text else 0
                v = steps.number.get((row, j + length))
                if v is None or v == u:  # u itself: an insertion of nothing, which nothing matches
                    continue
                at = island.hypothesis + j
                if " ".join(hypothesis[at : at + length]) != text:
                    continue
                if (steps.arc(u, v) is not None) if shape is None else (u, v) in shape.number:
                    found.setdefault((u, v), set()).add(g)
    return found


def claim_arcs(island: Island, near: Mapping[Pair, set[int]]) -> dict[Pair, int]:
    """The arcs that match a gold edit, with the copies they pay for all the same.

    That is every arc that equals one, except insertions: those at one source position share the
    gold edits there, and some come away empty-handed.
    """
    vertices = island.steps.vertices
    claimed: dict[Pair, int] = {}
    rows: set[int] = set()
    for u, v in near:
        if vertices[u][0] == vertices[v][0]:
            rows.add(vertices[u][0])
        else:
            claimed[u, v] = 0
    for row in rows:
        claimed.update(_claim_insertions(island.steps.insertions(row), near))
    return claimed


def _claim_insertions(arcs: Sequence[Pair], near: Mapping[Pair, set[int]]) -> dict[Pair, int]:
    """Insertions at one source position claim gold edits in order, from both ends in turn.

    An end that finds an equal gold edit keeps its turn and steps past every arc that cannot
    follow (left) or precede (right) the claimed one. Arcs passed by pay for one copy, which
    matters only for further copies of a claimed arc: all others have paid for theirs already.
    """
    claimed: dict[Pair, int] = {}

    def pay(arc: Pair) -> None:
        if arc in claimed:
            claimed[arc] += 1

    left, right = 0, len(arcs) - 1
    # Gold edits are identified by their numbers, which are in file order.
    first, last = -1, max(max(numbers) for numbers in near.values()) + 1
    from_left = True
    while left <= right:
        arc = arcs[left if from_left else right]
        left, right = (left + 1, right) if from_left else (left, right - 1)
        open_gold = [g for g in near.get(arc, ()) if first < g < last]
        if not open_gold:
            from_left = not from_left
            continue
        claimed[arc] = 0
        if from_left:
            first = min(open_gold)
            while left <= right and arcs[left][0] != arc[1]:
                pay(arcs[left])
                left += 1
        else:
            last = max(open_gold)
            while left <= right and arcs[right][1] != arc[0]:
                pay(arcs[right])
                right -= 1
    return claimed


class Result(NamedTuple):
    """What a path counts: its edits, and for the matched ones, in order, which gold they equal."""

    edits: int
    matched: list[frozenset[int]]


def decide(
    island: Island, near: Mapping[Pair, set[int]], claimed: Mapping[Pair, int]
) -> Result | None:
    """The result that all best paths of an island share in exact arithmetic, if they share one.

    What is decided depends on the shape and on the arcs that match, not on words or sums before
    the island, so it is remembered.
    """
    shape = island.shape
    assert shape is not None
    kinds: list[frozenset[int]] = []  # arcs that equal the same gold edits count the same
    key: tuple[tuple[Pair, int, int], ...] = ()
    if near:
        marked = []
        for pair in sorted(near):
            kind = frozenset(near[pair])
            if kind not in kinds:
                kinds.append(kind)
            marked.append((pair, kinds.index(kind), claimed.get(pair, UNCLAIMED)))
        key = tuple(marked)
    if key not in shape.decisions:
        if len(shape.decisions) > REMEMBERED:
            shape.decisions.clear()
        shape.decisions[key] = _decide(shape, key, island.steps.vertices)
    decision = shape.decisions[key]
    if decision is None:
        return None
    edits, matched = decision
    return Result(edits, [kinds[kind] for kind in matched])


def _decide(
    shape: Shape, key: Sequence[tuple[Pair, int, int]], vertices: Sequence[Vertex]
) -> tuple[int, list[int]] | None:
    """Edits on the best path and the kinds of its matches in order; None where paths differ."""
    weight, gain = shape.exact, shape.is_edit
    if key:
        weight, gain = weight[:], gain[:]
        for pair, kind, copies in key:
            arc = shape.number[pair]
            if shape.is_edit[arc]:
                gain[arc] += 1 << (COUNT_BITS * (kind + 1))
            if copies != UNCLAIMED:
                weight[arc] = BEST + copies
    counted = sweep(shape, weight, gain, len(vertices))
    if counted == UNSURE:
        return None
    # A kind of match has one source span, and spans on a path are in order; only insertions at
    # one position can follow each other either way.
    spans = {kind: (vertices[u][0], vertices[v][0]) for (u, v), kind, _ in key}
    matched: list[int] = []
    for kind in sorted(spans, key=spans.__getitem__):
        times = counted >> (COUNT_BITS * (kind + 1)) & COUNT_MASK
        if times and matched and spans[matched[-1]] == spans[kind]:
            return None
        matched += [kind] * times
    return counted & COUNT_MASK, matched


def sweep(shape: Shape, weight: Sequence[int], gain: Sequence[int], vertices: int) -> int:
    """What the best path counts, if every arc adds `gain` and all best paths count the same.

    Arcs come sorted by their end, so one pass finds the least weight of every vertex.
    """
    least = [FAR] * vertices
    least[0] = 0
    counted = [0] * vertices
    for (u, v), heavy, more in zip(shape.arcs, weight, gain, strict=True):
        reached = least[u] + heavy
        if reached > least[v]:
            continue
        so_far = counted[u]
        if so_far != UNSURE:
            so_far += more
        if reached < least[v]:
            least[v] = reached
            counted[v] = so_far
        elif counted[v] != so_far:
            counted[v] = UNSURE
    return counted[-1]


def relax(arcs: Sequence[tuple[int, int, float]], vertices: int, entry: float = 0.0) -> list[int]:
    """The predecessor of every vertex when relaxing arcs in list order changes nothing any more.

    Sums are floats, and only a strictly smaller one replaces another, so where exact weights tie
    the order of the list and the last bits decide: as the official scorer does it.
    """
    distance = [INFINITY] * vertices
    via = [-1] * vertices
    distance[0] = entry
    changed = True
    while changed:
        changed = False
        for u, v, heavy in arcs:
            if distance[u] + heavy < distance[v]:
                distance[v] = distance[u] + heavy
                via[v] = u
                changed = True
    return via
