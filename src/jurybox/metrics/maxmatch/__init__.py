"""MaxMatch (Dahlmeier and Ng 2012): the system edits that agree best with one annotator.

Among all ways to cut the difference between source and hypothesis into edits, take the one that
matches the most gold edits; then the fewest single steps outside matched edits; then the fewest
edits. What is left over the official scorer decides by the number of times an arc was found and
by floating-point sums in a fixed order; users compare digits, so this module ends with the same
edits: align.py aligns, lattice.py cuts the lattice into islands, steps.py fuses their arcs,
bestpath.py finds the best path in each, prune.py makes large islands small.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import NamedTuple

from jurybox.metrics.maxmatch.bestpath import Gold, claim_arcs, decide, gold_arcs, relax
from jurybox.metrics.maxmatch.lattice import STEP, Island, Lattice, Pair, Shape, build_lattice
from jurybox.metrics.maxmatch.prune import decide_large, prune
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
    edits = 0
    matched: list[frozenset[int]] = []
    for island in lattice.islands:
        near = gold_arcs(island, hypothesis, gold)
        claimed = claim_arcs(island, near) if near else {}
        if island.shape is None:
            decision = decide_large(island.steps, near, claimed)
            result = None if decision is None else decision.result
        else:
            result = decide(island, near, claimed)
        if result is None:  # a tie: the last bits of the sums decide, from the first word on
            found = _as_edits(_search(lattice, hypothesis, gold), hypothesis)
            return sum(len(e.correct) for e in found), len(found), len(gold)
        edits += result.edits
        matched += result.matched
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


def smallest_edits(source: Sequence[str], hypothesis: Sequence[str]) -> tuple[Edit, ...]:
    """The smallest edits of the cheapest alignment, without types.

    >>> [edit[:3] for edit in smallest_edits("sat at mat".split(), "sat on the mat".split())]
    [(1, 2, 'on the')]
    """
    if tuple(source) == tuple(hypothesis):
        return ()
    found = find_edits(tuple(source), tuple(hypothesis), unchanged=0)
    return tuple(Edit(edit.start, edit.end, edit.replacement) for edit in found)


def edits_in_lattice(
    lattice: Lattice,
    hypothesis: Sequence[str],
    gold: Sequence[Gold] = (),
    *,
    leave_out: Callable[[FoundEdit], bool] | None = None,
) -> list[FoundEdit]:
    """The edits for a lattice that is already there, but for those to leave out.

    Where several best paths count the same, the official order picks one, which is worth its
    while up to some size; beyond it any of them is taken.
    """
    if sum(len(island.steps.vertices) for island in lattice.islands) > HUGE:
        found: list[Solved] = []
        for island in lattice.islands:
            near = gold_arcs(island, hypothesis, gold)
            decision = decide_large(island.steps, near, claim_arcs(island, near) if near else {})
            if decision is None:
                break
            found.append((island, near, decision.path))
        else:
            return _as_edits(found, hypothesis, leave_out)
    return _as_edits(_search(lattice, hypothesis, gold), hypothesis, leave_out)


#: an island, its arcs that equal gold edits, and the edits on its best path
Solved = tuple[Island, dict[Pair, set[int]], list[Pair]]


def _search(lattice: Lattice, hypothesis: Sequence[str], gold: Sequence[Gold]) -> list[Solved]:
    """The best path to the letter: one list of arcs for the whole sentence, relaxed in order."""
    primitive: list[tuple[int, int, float]] = []
    fused: list[tuple[int, int, float]] = []
    begins: list[int] = []  # where the vertices of each island begin
    shapes: list[tuple[dict[Pair, set[int]], Shape]] = []
    of_one_token: dict[int, set[str]] = {}
    for edit in gold:
        if edit.end == edit.start + 1:
            of_one_token.setdefault(edit.start, set()).update(edit.texts)
    vertex = at = 0
    for island in lattice.islands:
        for kept in range(at, island.source):
            token = hypothesis[kept + island.hypothesis - island.source]
            matches = token in of_one_token.get(kept, ())  # replaced by itself
            primitive.append((vertex, vertex + 1, float(-lattice.arcs()) if matches else 1.0))
            vertex += 1
        at = island.source + island.steps.vertices[-1][0]
        near = gold_arcs(island, hypothesis, gold)
        shape, weight = _weigh(island, near, lattice)
        listed = [(vertex + u, vertex + v, weight[shape.number[u, v]]) for u, v in shape.order]
        primitive += listed[: shape.primitives()]
        fused += listed[shape.primitives() :]
        begins.append(vertex)
        shapes.append((near, shape))
        vertex += len(island.steps.vertices) - 1
    via = relax([*primitive, *fused], vertex + 1)
    solved: list[Solved] = []
    for island, begin, (near, shape) in reversed(
        list(zip(lattice.islands, begins, shapes, strict=True))
    ):
        path: list[Pair] = []
        v = begin + len(island.steps.vertices) - 1
        while v > begin:
            pair = (via[v] - begin, v - begin)
            if shape.is_edit[shape.number[pair]]:
                path.append(pair)
            v = via[v]
        solved.append((island, near, path[::-1]))
    return solved[::-1]


def _weigh(
    island: Island, near: dict[Pair, set[int]], lattice: Lattice
) -> tuple[Shape, list[float]]:
    """The arcs of an island and their weights for one annotator."""
    claimed = claim_arcs(island, near) if near else {}
    shape = prune(island.steps, claimed) if island.shape is None else island.shape
    weight = shape.weights()
    for pair, copies in claimed.items():
        if pair in shape.number:
            heavy = float(-lattice.arcs())
            for _ in range(copies):
                heavy += STEP
            weight[shape.number[pair]] = heavy
    return shape, weight


def _as_edits(
    found: Iterable[Solved],
    hypothesis: Sequence[str],
    leave_out: Callable[[FoundEdit], bool] | None = None,
) -> list[FoundEdit]:
    """Paths in islands as edits of the sentence, with what they count for."""
    edits: list[FoundEdit] = []
    equal: list[frozenset[int]] = []
    for island, near, path in found:
        for u, v in path:
            i, j = island.steps.vertices[u]
            end, stop = island.steps.vertices[v]
            text = " ".join(hypothesis[island.hypothesis + j : island.hypothesis + stop])
            edit = FoundEdit(island.source + i, island.source + end, text)
            if leave_out is not None and leave_out(edit):
                continue
            edits.append(edit)
            equal.append(frozenset(near.get((u, v), ())))
    return [
        edit._replace(correct=numbers)
        for edit, numbers in zip(edits, _in_order(equal), strict=True)
    ]


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
    """The counts of one sentence, one for each of its candidate annotations."""
    return count_golds(
        sentence.tokens,
        hypothesis,
        [as_gold(annotation.edits) for annotation in sentence.annotations],
        unchanged=unchanged,
        ignore_case_whitespace=ignore_case_whitespace,
        keep_edits=keep_edits,
    )


def count_golds(
    source: tuple[str, ...],
    hypothesis: tuple[str, ...],
    golds: Iterable[Sequence[Gold]],
    *,
    unchanged: int = UNCHANGED,
    ignore_case_whitespace: bool = False,
    keep_edits: bool = False,
) -> list[SentenceCount]:
    """The counts of one sentence against several annotators.

    `ignore_case_whitespace` drops from the hypothesis, not from the gold, the edits that change
    only case or white space.
    """
    lattice = build_lattice(source, hypothesis, unchanged)
    counts: list[SentenceCount] = []
    for gold in golds:
        if not lattice.islands:
            counts.append(SentenceCount(0, 0, len(gold)))
        elif not keep_edits and not ignore_case_whitespace:
            correct, proposed, wanted = count_in_lattice(lattice, hypothesis, gold)
            counts.append(SentenceCount(correct, proposed - correct, wanted - correct))
        else:
            leave_out = None
            if ignore_case_whitespace:
                leave_out = partial(_changes_only_case_or_space, source)
            edits = edits_in_lattice(lattice, hypothesis, gold, leave_out=leave_out)
            correct = sum(len(e.correct) for e in edits)
            fp, fn = len(edits) - correct, len(gold) - correct
            counts.append(SentenceCount(correct, fp, fn, tuple(edits)))
    return counts


def _changes_only_case_or_space(tokens: Sequence[str], edit: FoundEdit) -> bool:
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
