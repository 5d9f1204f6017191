"""MaxMatch, slow and to the letter: the specification as a program, for tests only.

Every rule stands here in the order in which the specification states it, without any short cut:
the whole lattice, every fused arc, every copy, relaxation until nothing changes. The fast
implementation in `jurybox.edits.maxmatch` must agree with it on every input.
"""

from __future__ import annotations

from collections.abc import Sequence

Vertex = tuple[int, int]
Arc = tuple[Vertex, Vertex]
Gold = tuple[int, int, tuple[str, ...]]  # start, end, alternatives


def alignment_arcs(source: Sequence[str], hypothesis: Sequence[str], substitution: int) -> set[Arc]:
    """The arcs of all minimal-cost alignments: those on some cheapest path through the grid."""
    n, m = len(source), len(hypothesis)

    def steps(i: int, j: int) -> list[tuple[Vertex, int]]:
        out: list[tuple[Vertex, int]] = []
        if i < n and j < m:
            out.append(((i + 1, j + 1), 0 if source[i] == hypothesis[j] else substitution))
        if i < n:
            out.append(((i + 1, j), 1))
        if j < m:
            out.append(((i, j + 1), 1))
        return out

    grid = [(i, j) for i in range(n + 1) for j in range(m + 1)]
    forward: dict[Vertex, int] = {(0, 0): 0}
    for u in grid:
        for v, cost in steps(*u):
            forward[v] = min(forward.get(v, forward[u] + cost), forward[u] + cost)
    backward: dict[Vertex, int] = {(n, m): 0}
    for u in reversed(grid):
        for v, cost in steps(*u):
            backward[u] = min(backward.get(u, backward[v] + cost), backward[v] + cost)
    best = forward[n, m]
    return {
        (u, v) for u in grid for v, cost in steps(*u) if forward[u] + cost + backward[v] == best
    }


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
        for position in range(available, len(gold)):
            if equals(edit, gold[position]):
                correct += 1
                available = position + 1
    return correct, len(edits), len(gold)


def equals(edit: tuple[int, int, str], gold: Gold) -> bool:
    return edit[:2] == gold[:2] and edit[2] in gold[2] and not (
        edit[0] == edit[1] and edit[2] == ""
    )


def extract(
    source: Sequence[str],
    hypothesis: Sequence[str],
    gold: Sequence[Gold],
    *,
    max_unchanged_words: int = 2,
) -> list[tuple[int, int, str]]:
    plain = alignment_arcs(source, hypothesis, 1)
    double = alignment_arcs(source, hypothesis, 2)
    arcs: list[Arc] = sorted([*plain, *double])
    cost: dict[Arc, int] = dict.fromkeys(arcs, 1)

    def keeps(arc: Arc) -> bool:
        (i, j), (k, l) = arc
        return k == i + 1 and l == j + 1 and source[i] == hypothesis[j]

    kept: dict[Arc, int] = {arc: int(keeps(arc)) for arc in arcs}
    vertices = sorted({v for arc in arcs for v in arc})
    for k in vertices:
        into = sorted(u for u, v in cost if v == k)
        out = sorted(v for u, v in cost if u == k)
        for i in into:
            for j in out:
                total = cost[i, k] + cost[k, j]
                unchanged = kept[i, k] + kept[k, j]
                if unchanged <= max_unchanged_words and total < cost.get((i, j), 10**9):
                    cost[i, j] = total
                    kept[i, j] = unchanged
                    arcs.append((i, j))
    only_keeps = {a for a in cost if cost[a] > 1 and kept[a] == cost[a]}
    arcs = [a for a in arcs if a not in only_keeps]

    def as_edit(arc: Arc) -> tuple[int, int, str]:
        (i, j), (k, l) = arc
        return i, k, " ".join(hypothesis[j:l])

    is_keep = {a: cost[a] == 1 and kept[a] == 1 for a in cost}
    weight: dict[Arc, float] = {a: float(cost[a]) for a in arcs}
    match = float(-len(arcs))
    for arc in arcs:
        (i, _), (k, _) = arc
        if is_keep[arc] or i == k:
            continue
        if any(equals(as_edit(arc), g) for g in gold):
            weight[arc] = match
        else:
            weight[arc] += 0.001
    for offset in range(len(source) + 1):
        claim(
            [a for a in sorted(arcs) if a[0][0] == a[1][0] == offset],
            [g for g in gold if g[0] == g[1] == offset],
            weight, match, as_edit,
        )

    start, end = (0, 0), (len(source), len(hypothesis))
    distance: dict[Vertex, float] = {start: 0.0}
    via: dict[Vertex, Vertex] = {}
    changed = True
    while changed:
        changed = False
        for u, v in arcs:
            if u in distance and distance[u] + weight[u, v] < distance.get(v, float("inf")):
                distance[v] = distance[u] + weight[u, v]
                via[v] = u
                changed = True
    path: list[Arc] = []
    v = end
    while v != start:
        path.append((via[v], v))
        v = via[v]
    return [as_edit(a) for a in reversed(path) if not is_keep[a]]


def claim(arcs, gold, weight, match, as_edit) -> None:
    """Insertions at one source offset claim gold edits in order, from both ends (rule b)."""
    left, right = 0, len(arcs) - 1
    first, last = 0, len(gold) - 1  # gold edits still available
    from_left = True
    while left <= right:
        if from_left:
            arc = arcs[left]
            left += 1
            for position in range(first, last + 1):
                if equals(as_edit(arc), gold[position]):
                    weight[arc] = match
                    first = position + 1
                    while left <= right and arcs[left][0] != arc[1]:
                        weight[arcs[left]] += 0.001
                        left += 1
                    break
            else:
                weight[arc] += 0.001
                from_left = False
        else:
            arc = arcs[right]
            right -= 1
            for position in range(last, first - 1, -1):
                if equals(as_edit(arc), gold[position]):
                    weight[arc] = match
                    last = position - 1
                    while left <= right and arcs[right][1] != arc[0]:
                        weight[arcs[right]] += 0.001
                        right -= 1
                    break
            else:
                weight[arc] += 0.001
                from_left = True
