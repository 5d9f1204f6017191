"""MaxMatch (Dahlmeier and Ng 2012): the system edits that agree best with one annotator.

Among all ways to cut the difference between source and hypothesis into edits, take the one that
matches the most gold edits; then the fewest single steps outside matched edits; then the fewest
edits. What is left over the official scorer decides by the number of times an arc was found and
by floating-point sums in a fixed order; users compare digits, so this module ends with the same
edits: align.py aligns, lattice.py cuts the lattice into islands, bestpath.py finds the best path
in each, prune.py makes large islands small.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from jurybox.edits.bestpath import Gold, best_path, gold_arcs, match_weights
from jurybox.edits.lattice import Island, Lattice, Pair, build_lattice
from jurybox.edits.prune import UNIT, Result, decide, prune
from jurybox.model import Edit

UNCHANGED = 2  # max_unchanged_words of the official scorer


def as_gold(edits: Iterable[Edit]) -> list[Gold]:
    """Read edits the way MaxMatch does: alternatives split, types forgotten."""
    return [Gold(e.start, e.end, e.alternatives) for e in edits]


def count_matches(
    source: Sequence[str],
    hypothesis: Sequence[str],
    gold: Sequence[Gold],
    *,
    unchanged: int = UNCHANGED,
) -> tuple[int, int, int]:
    """Correct, proposed and gold edits of one sentence against one annotator.

    >>> gold = [Gold(3, 4, ("on",)), Gold(4, 4, ("the", "a"))]
    >>> count_matches("The cat sat at mat .".split(), "A cat sat on the mat .".split(), gold)
    (2, 3, 2)
    """
    return count_in_lattice(build_lattice(source, hypothesis, unchanged), hypothesis, gold)


def count_in_lattice(
    lattice: Lattice, hypothesis: Sequence[str], gold: Sequence[Gold]
) -> tuple[int, int, int]:
    """The counts for a lattice that is already there: it does not depend on the annotator."""
    result = None if lattice.is_small else _decide(lattice, hypothesis, gold)
    if result is None:
        result = _search(lattice, hypothesis, gold)
    return _count_in_order(result.matched), result.edits, len(gold)


def _decide(lattice: Lattice, hypothesis: Sequence[str], gold: Sequence[Gold]) -> Result | None:
    """The result in exact arithmetic, if nothing ties: no need to count arcs or add floats."""
    bonus = -lattice.steps() - 1  # more than any path can save
    total = Result(0, ())
    for island in lattice.islands:
        near = gold_arcs(island, hypothesis, gold)
        claimed = match_weights(island, near, bonus)
        here = decide(island.steps, near, {p: round(w * UNIT) for p, w in claimed.items()})
        if here is None:
            return None
        total = Result(total.edits + here.edits, total.matched + here.matched)
    return total


def _search(lattice: Lattice, hypothesis: Sequence[str], gold: Sequence[Gold]) -> Result:
    """The result to the letter: floating-point sums from the start of the sentence."""
    bonus = -lattice.arcs()
    distance, at = 0.0, 0
    total, matched = 0, []
    for island in lattice.islands:
        for _ in range(island.source - at):  # one addition per kept token, as the sums are floats
            distance += 1.0
        at = island.source + island.steps.vertices[-1][0]
        near = gold_arcs(island, hypothesis, gold)
        entry = distance
        shape = island.shape
        if shape is not None and not near and entry in shape.solutions:
            distance, edits = shape.solutions[entry]
            total += edits
            continue
        distance, path = _best_path(island, near, bonus, entry)
        total += len(path)
        matched += [frozenset(near[pair]) for pair in path if pair in near]
        if shape is not None and not near:
            shape.solutions[entry] = distance, len(path)
    return Result(total, tuple(matched))


def _best_path(
    island: Island, near: dict[Pair, set[int]], bonus: int, entry: float
) -> tuple[float, list[Pair]]:
    """Exit distance and edits of an island."""
    matches = match_weights(island, near, bonus)
    shape = island.shape
    if shape is None:
        shape = prune(island.steps, {p: round(w * UNIT) for p, w in matches.items()})
    weight = shape.weight
    if matches:
        weight = weight[:]
        for pair, match_weight in matches.items():
            if pair in shape.number:
                weight[shape.number[pair]] = match_weight
    return best_path(shape, weight, entry, len(island.steps.vertices))


def _count_in_order(matched: Iterable[frozenset[int]]) -> int:
    """How many gold edits are matched, going through them in file order and only forwards.

    The scan for one edit does not stop at its first match, so an edit equal to two identical gold
    edits counts twice: that is how the official scorer counts.
    """
    correct, available = 0, -1
    for numbers in matched:
        for g in sorted(numbers):
            if g > available:
                correct += 1
                available = g
    return correct
