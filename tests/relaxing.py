"""One island alone, solved by relaxing its arcs in list order: what decisions are held against."""

from __future__ import annotations

from collections.abc import Sequence

from jurybox.metrics.maxmatch.bestpath import relax
from jurybox.metrics.maxmatch.lattice import Pair, Shape


def relax_island(
    shape: Shape, weight: Sequence[float], entry: float, vertices: int
) -> tuple[list[Pair], float]:
    """The edits on the path that is left, and the distance of the exit."""
    arcs = [(u, v, weight[shape.number[u, v]]) for u, v in shape.order]
    via = relax(arcs, vertices, entry)
    path: list[Pair] = []
    v = vertices - 1
    while v:
        path.append((via[v], v))
        v = via[v]
    path.reverse()
    distance = entry
    for pair in path:
        distance += weight[shape.number[pair]]
    return [pair for pair in path if shape.is_edit[shape.number[pair]]], distance
