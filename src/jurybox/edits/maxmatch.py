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
from typing import NamedTuple

from jurybox.edits.bestpath import Gold, best_path, gold_arcs, match_weights, relax
from jurybox.edits.lattice import Island, Lattice, Pair, Shape, build_lattice
from jurybox.edits.prune import UNIT, Decision, decide, prune
from jurybox.model import Edit, Sentence

UNCHANGED = 2  # max_unchanged_words of the official scorer
HUGE = 2000  # vertices beyond which only the counts are the official ones, not every boundary


class FoundEdit(NamedTuple):
    """An edit found in a hypothesis, and the numbers of the gold edits it counts for."""

    start: int
    end: int
    replacement: str
    correct: tuple[int, ...] = ()


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
    decisions = None if lattice.is_small else _decide(lattice, hypothesis, gold)
    if decisions is None:
        edits, matched = _search(lattice, hypothesis, gold)
    else:
        edits = sum(decision.result.edits for decision in decisions)
        matched = [numbers for decision in decisions for numbers in decision.result.matched]
    return sum(map(len, _in_order(matched))), edits, len(gold)


def find_edits(
    source: Sequence[str],
    hypothesis: Sequence[str],
    gold: Sequence[Gold] = (),
    *,
    unchanged: int = UNCHANGED,
) -> list[FoundEdit]:
    """The edits themselves, as the official scorer's best path has them.

    Without gold these are the fewest edits of the cheapest alignment.

    >>> find_edits("The cat sat at mat .".split(), "The cat sat on mat".split())
    [FoundEdit(start=3, end=6, replacement='on mat', correct=())]
    >>> find_edits("The cat sat at mat .".split(), "The cat sat on mat".split(), unchanged=0)
    [FoundEdit(start=3, end=4, replacement='on', correct=()), \
FoundEdit(start=5, end=6, replacement='', correct=())]
    """
    return edits_in_lattice(build_lattice(source, hypothesis, unchanged), hypothesis, gold)


def edits_in_lattice(
    lattice: Lattice, hypothesis: Sequence[str], gold: Sequence[Gold] = ()
) -> list[FoundEdit]:
    """The edits for a lattice that is already there.

    Where several best paths count the same, the official order picks one, which is worth its
    while up to some size; beyond it any of them is taken.
    """
    huge = sum(len(island.steps.vertices) for island in lattice.islands) > HUGE
    decisions = _decide(lattice, hypothesis, gold) if huge else None
    if decisions is None:
        paths = _search_paths(lattice, hypothesis, gold)
    else:
        paths = [decision.path for decision in decisions]
    found: list[FoundEdit] = []
    equal: list[frozenset[int]] = []
    for island, path in zip(lattice.islands, paths, strict=True):
        near = gold_arcs(island, hypothesis, gold)
        for u, v in path:
            i, j = island.steps.vertices[u]
            end, stop = island.steps.vertices[v]
            text = " ".join(hypothesis[island.hypothesis + j : island.hypothesis + stop])
            found.append(FoundEdit(island.source + i, island.source + end, text))
            equal.append(frozenset(near.get((u, v), ())))
    return [
        edit._replace(correct=numbers)
        for edit, numbers in zip(found, _in_order(equal), strict=True)
    ]


def _decide(
    lattice: Lattice, hypothesis: Sequence[str], gold: Sequence[Gold]
) -> list[Decision] | None:
    """The answers in exact arithmetic, if nothing ties: no need to count arcs or add floats."""
    bonus = -lattice.steps() - 1  # more than any path can save
    decisions: list[Decision] = []
    for island in lattice.islands:
        near = gold_arcs(island, hypothesis, gold)
        claimed = match_weights(island, near, bonus) if near else {}
        decision = decide(island.steps, near, {p: round(w * UNIT) for p, w in claimed.items()})
        if decision is None:
            return None
        decisions.append(decision)
    return decisions


def _search(
    lattice: Lattice, hypothesis: Sequence[str], gold: Sequence[Gold]
) -> tuple[int, list[frozenset[int]]]:
    """Edits and matches to the letter: floating-point sums from the start of the sentence."""
    distance, at = 0.0, 0
    total = 0
    matched: list[frozenset[int]] = []
    for island in lattice.islands:
        for _ in range(island.source - at):  # one addition per kept token, as the sums are floats
            distance += 1.0
        at = island.source + island.steps.vertices[-1][0]
        near = gold_arcs(island, hypothesis, gold)
        shape = island.shape
        known = None if near or shape is None else shape.solutions.get(distance)
        if known is not None:
            distance, edits = known
            total += edits
            continue
        entry = distance
        shape, weight = _weigh(island, near, lattice)
        distance, edits, equal = best_path(shape, weight, entry, near, len(island.steps.vertices))
        total += edits
        matched += [frozenset(near[pair]) for pair in equal]
        if not near:
            shape.solutions[entry] = distance, edits
    return total, matched


def _search_paths(
    lattice: Lattice, hypothesis: Sequence[str], gold: Sequence[Gold]
) -> list[list[Pair]]:
    """The same, but the edits themselves: always by relaxing in list order."""
    distance, at = 0.0, 0
    paths: list[list[Pair]] = []
    for island in lattice.islands:
        for _ in range(island.source - at):
            distance += 1.0
        at = island.source + island.steps.vertices[-1][0]
        shape, weight = _weigh(island, gold_arcs(island, hypothesis, gold), lattice)
        path, distance = relax(shape, weight, distance, len(island.steps.vertices))
        paths.append(path)
    return paths


def _weigh(
    island: Island, near: dict[Pair, set[int]], lattice: Lattice
) -> tuple[Shape, list[float]]:
    """The arcs of an island and their weights for one annotator."""
    matches = match_weights(island, near, -lattice.arcs()) if near else {}
    shape = island.shape
    if shape is None:
        shape = prune(island.steps, {p: round(w * UNIT) for p, w in matches.items()})
    if not matches:
        return shape, shape.weight
    weight = shape.weight[:]
    for pair, match_weight in matches.items():
        if pair in shape.number:
            weight[shape.number[pair]] = match_weight
    return shape, weight


def _in_order(equal: Iterable[frozenset[int]]) -> list[tuple[int, ...]]:
    """For each edit the gold edits it counts for: gold is scanned in file order, only forwards.

    The scan for one edit does not stop at its first match, so an edit equal to two identical gold
    edits counts twice: that is how the official scorer counts.
    """
    counted: list[tuple[int, ...]] = []
    available = -1
    for numbers in equal:
        ahead = tuple(g for g in sorted(numbers) if g > available)
        if ahead:
            available = ahead[-1]
        counted.append(ahead)
    return counted


class SentenceCount(NamedTuple):
    """Counts of one sentence against one annotator, and the edits if they were asked for."""

    tp: int
    fp: int
    fn: int
    edits: tuple[FoundEdit, ...] = ()


def count_sentence(
    sentence: Sentence,
    hypothesis: tuple[str, ...],
    *,
    unchanged: int = UNCHANGED,
    ignore_case_whitespace: bool = False,
    keep_edits: bool = False,
) -> list[SentenceCount]:
    """The counts of one sentence, one for each of its candidate annotations.

    `ignore_case_whitespace` drops from the hypothesis, not from the gold, the edits that change
    only case or white space.
    """
    lattice = build_lattice(sentence.tokens, hypothesis, unchanged)
    counts: list[SentenceCount] = []
    for annotation in sentence.annotations:
        gold = as_gold(annotation.edits)
        if not keep_edits and not ignore_case_whitespace:
            correct, proposed, wanted = count_in_lattice(lattice, hypothesis, gold)
            counts.append(SentenceCount(correct, proposed - correct, wanted - correct))
            continue
        edits = edits_in_lattice(lattice, hypothesis, gold)
        if ignore_case_whitespace:
            edits = [e for e in edits if not _changes_only_case_or_space(e, sentence.tokens)]
        correct = sum(len(e.correct) for e in edits)
        counts.append(
            SentenceCount(correct, len(edits) - correct, len(gold) - correct, tuple(edits))
        )
    return counts


def _changes_only_case_or_space(edit: FoundEdit, tokens: Sequence[str]) -> bool:
    before = "".join(tokens[edit.start : edit.end]).lower()
    return before == "".join(edit.replacement.split()).lower()


def count_by_type(
    annotation_edits: Sequence[Edit], edits: Iterable[FoundEdit]
) -> dict[str, tuple[int, int, int]]:
    """True positives, false positives and misses per gold type.

    MaxMatch finds edits without types, so a wrong edit is put down to the type of the first gold
    edit it overlaps or touches, and to '' where there is none: rows add up to the totals.
    """
    table: dict[str, list[int]] = {}

    def row(name: str) -> list[int]:
        return table.setdefault(name, [0, 0, 0])

    matched: set[int] = set()
    for found in edits:
        if found.correct:
            matched.update(found.correct)
            extra = 1 - len(found.correct)  # one edit that equals two gold edits is proposed once
            row(annotation_edits[found.correct[0]].type)[1] += extra
            for number in found.correct:
                row(annotation_edits[number].type)[0] += 1
            continue
        near = (e for e in annotation_edits if e.start <= found.end and found.start <= e.end)
        blamed = next(near, None)
        row("" if blamed is None else blamed.type)[1] += 1
    for number, edit in enumerate(annotation_edits):
        if number not in matched:
            row(edit.type)[2] += 1
    return {name: (tp, fp, fn) for name, (tp, fp, fn) in table.items()}
