"""The best path through one island for one annotator, to the letter of the official order.

Arcs that equal a gold edit weigh minus the number of arcs, so that one more match beats everything
else; insertions at one source position claim gold edits in order, from both ends. Path costs are
floating-point sums and arcs are relaxed in list order until nothing changes, replacing only on a
strictly smaller sum: where exact costs tie, this order is what decides.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from jurybox.edits.lattice import STEP, Island, Pair, Shape

INFINITY = float("inf")
COUNT_BITS = 32
UNSURE = -1


class Gold(NamedTuple):
    """A gold edit as matching sees it: a source span and the texts any of which is right."""

    start: int
    end: int
    texts: tuple[str, ...]


def gold_arcs(
    island: Island, hypothesis: Sequence[str], gold: Sequence[Gold]
) -> dict[Pair, set[int]]:
    """The arcs of an island that equal a gold edit, with the numbers of those gold edits."""
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
                if v is None or v == u:
                    continue
                at = island.hypothesis + j
                if " ".join(hypothesis[at : at + length]) != text:
                    continue
                if shape is None:
                    known = steps.arc(u, v)
                    exists = known is not None and known.cost > known.kept
                else:
                    arc = shape.number.get((u, v))
                    exists = arc is not None and shape.is_edit[arc] == 1
                if exists:
                    found.setdefault((u, v), set()).add(g)
    return found


def match_weights(island: Island, near: Mapping[Pair, set[int]], bonus: int) -> dict[Pair, float]:
    """The weights of the arcs that match; insertions that claim no gold edit are not among them."""
    vertices = island.steps.vertices
    weights: dict[Pair, float] = {}
    rows: set[int] = set()
    for u, v in near:
        if vertices[u][0] == vertices[v][0]:
            rows.add(vertices[u][0])
        else:
            weights[u, v] = float(bonus)
    for row in rows:
        weights.update(_claims(island.steps.insertions(row), near, bonus))
    return weights


def _claims(arcs: Sequence[Pair], near: Mapping[Pair, set[int]], bonus: int) -> dict[Pair, float]:
    """Insertions at one source position claim gold edits in order, from both ends in turn.

    An end that finds an equal gold edit keeps its turn and steps past every arc that cannot
    follow (left) or precede (right) the claimed one. Arcs passed by pay for one copy, which
    matters only for further copies of a claimed arc: all others have paid for theirs already.
    """
    claimed: dict[Pair, float] = {}

    def pay(arc: Pair) -> None:
        if arc in claimed:
            claimed[arc] += STEP

    left, right = 0, len(arcs) - 1
    # Gold edits are told by their numbers, which are in file order.
    first, last = -1, max(max(numbers) for numbers in near.values()) + 1
    from_left = True
    while left <= right:
        arc = arcs[left if from_left else right]
        left, right = (left + 1, right) if from_left else (left, right - 1)
        open_gold = [g for g in near.get(arc, ()) if first < g < last]
        if not open_gold:
            pay(arc)
            from_left = not from_left
            continue
        claimed[arc] = float(bonus)
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


def best_path(
    shape: Shape, weight: Sequence[float], entry: float, near: Collection[Pair], vertices: int
) -> tuple[float, int, list[Pair]]:
    """Distance of the exit, edits on the best path, and those of them that equal gold edits.

    One sweep in sorted order finds the same distances as relaxing in list order. It also finds
    the same edits unless float sums tie exactly between paths that count differently.
    """
    distance = [INFINITY] * vertices
    distance[0] = entry
    # What a path has counted, as one number: its edits, and a bit for every arc of `near`.
    counted = [0] * vertices
    gain = shape.is_edit
    equal: list[Pair] = []
    if near:
        equal = sorted(pair for pair in near if pair in shape.number)
        gain = gain[:]
        for n, pair in enumerate(equal):
            gain[shape.number[pair]] += 1 << (COUNT_BITS + n)
    for (u, v), heavy, more in zip(shape.arcs, weight, gain, strict=True):
        reached = distance[u] + heavy
        if reached > distance[v]:
            continue
        so_far = counted[u]
        if so_far != UNSURE:
            so_far += more
        if reached < distance[v]:
            distance[v] = reached
            counted[v] = so_far
        elif counted[v] != so_far:
            counted[v] = UNSURE
    if counted[-1] == UNSURE:
        path, _ = relax(shape, weight, entry, vertices)
        return distance[-1], len(path), [pair for pair in path if pair in near]
    edits = counted[-1] & ((1 << COUNT_BITS) - 1)
    bits = counted[-1] >> COUNT_BITS
    return distance[-1], edits, [pair for n, pair in enumerate(equal) if bits >> n & 1]


def relax(
    shape: Shape, weight: Sequence[float], entry: float, vertices: int
) -> tuple[list[Pair], float]:
    """The edits on the path that relaxation in list order leaves, and the distance of the exit."""
    distance = [INFINITY] * vertices
    via = [-1] * vertices
    distance[0] = entry
    listed = [(u, v, weight[shape.number[u, v]]) for u, v in shape.order]
    changed = True
    while changed:
        changed = False
        for u, v, heavy in listed:
            if distance[u] + heavy < distance[v]:
                distance[v] = distance[u] + heavy
                via[v] = u
                changed = True
    edits: list[Pair] = []
    v = vertices - 1
    while v:
        pair = (via[v], v)
        if shape.is_edit[shape.number[pair]]:
            edits.append(pair)
        v = via[v]
    edits.reverse()
    return edits, distance[-1]
