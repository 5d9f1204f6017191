"""Large islands: deciding and pruning give what searching all arcs to the letter gives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from jurybox.metrics.maxmatch.bestpath import Result
from jurybox.metrics.maxmatch.lattice import STEP, Pair, Shape, Steps, build_lattice
from jurybox.metrics.maxmatch.prune import decide_large, prune
from relaxing import relax_island


class Problem(NamedTuple):
    """An island, the arcs that equal gold edits, and those that claim one, with copies to pay."""

    steps: Steps
    near: dict[Pair, set[int]]
    claimed: dict[Pair, int]


def full_shape(steps: Steps) -> Shape:
    return steps.fuse(range(len(steps.vertices)))


def edits_of(shape: Shape) -> list[Pair]:
    return [pair for pair, arc in shape.number.items() if shape.is_edit[arc]]


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    few_words = st.lists(st.sampled_from("abc"), min_size=1, max_size=8)
    source, hypothesis = draw(few_words), draw(few_words)
    if source == hypothesis:
        hypothesis = [*hypothesis, "d"]
    islands = build_lattice(source, hypothesis, draw(st.integers(0, 3))).islands
    steps = draw(st.sampled_from(islands)).steps
    shape = full_shape(steps)
    equal = draw(
        st.dictionaries(
            st.sampled_from(edits_of(shape)), st.sets(st.integers(0, 3), min_size=1), max_size=4
        )
    )
    # None: the arc equals a gold edit but claims none
    copies = {pair: draw(st.sampled_from([None, 0, 1])) for pair in equal}
    claimed = {pair: paid for pair, paid in copies.items() if paid is not None}
    return Problem(steps, equal, claimed)


def weights(steps: Steps, shape: Shape, claimed: Mapping[Pair, int]) -> list[float]:
    weight = shape.weights()
    match = -float(len(full_shape(steps).order))
    for pair, copies in claimed.items():
        if pair in shape.number:
            weight[shape.number[pair]] = match + copies * STEP
    return weight


def search(problem: Problem) -> Result:
    """What the official order finds among all arcs."""
    steps, near, claimed = problem
    shape = full_shape(steps)
    path, _ = relax_island(shape, weights(steps, shape, claimed), 0.0, len(steps.vertices))
    return Result(len(path), [frozenset(near[pair]) for pair in path if pair in near])


@given(problem=problems())
def test_what_is_decided_is_what_the_full_search_finds(problem: Problem) -> None:
    steps, near, claimed = problem
    decision = decide_large(steps, near, claimed)
    if decision is None:
        return  # not sure: the full search has the word, see the next test
    assert decision.result == search(problem)
    assert len(decision.path) == decision.result.edits
    assert set(decision.path) <= set(edits_of(full_shape(steps)))
    on_path = [frozenset(near[pair]) for pair in decision.path if pair in near]
    assert on_path == decision.result.matched


@given(problem=problems(), entry=st.sampled_from([0.0, 5.0, 31.004]))
def test_the_best_path_among_pruned_arcs_is_the_one_among_all(
    problem: Problem, entry: float
) -> None:
    steps, _, claimed = problem
    pruned, full = prune(steps, claimed), full_shape(steps)
    vertices = len(steps.vertices)
    assert relax_island(pruned, weights(steps, pruned, claimed), entry, vertices) == relax_island(
        full, weights(steps, full, claimed), entry, vertices
    )


def steps_of(source: str, hypothesis: str) -> Steps:
    (island,) = build_lattice(source.split(), hypothesis.split(), 2).islands
    return island.steps


def test_a_single_cheapest_way_is_decided() -> None:
    decision = decide_large(steps_of("a b", "x y"), {}, {})
    assert decision is not None
    assert decision.result == Result(1, [])


def test_ways_that_tie_but_count_alike_are_decided() -> None:
    # either word may be the deleted one: one edit in both cases
    decision = decide_large(steps_of("a a b", "a b"), {}, {})
    assert decision is not None
    assert decision.result == Result(1, [])


def test_ways_that_tie_and_count_differently_are_not_decided() -> None:
    # one edit, recorded twice (4.002), or two edits (2.001 + 2.001)
    steps = steps_of("a b", "c d b a")
    assert decide_large(steps, {}, {}) is None
    assert search(Problem(steps, {}, {})).edits == 2


def test_a_way_that_is_dearer_than_assumed_is_not_decided() -> None:
    # the only edit of three steps was recorded twice, and so costs 3.002, not 3.001
    assert decide_large(steps_of("a b", "c b a"), {}, {}) is None


def test_an_edit_that_equals_gold_without_claiming_it_is_not_decided() -> None:
    steps = steps_of("a", "x")
    pair = (0, len(steps.vertices) - 1)
    assert decide_large(steps, {pair: {0}}, {}) is None
    claimed = decide_large(steps, {pair: {0}}, {pair: 0})
    assert claimed is not None
    assert claimed.result == Result(1, [frozenset({0})])


def test_pruning_keeps_all_ways_that_tie_with_the_best_real_one() -> None:
    # two edits of 2.001 tie with one of 4.002; the automaton takes the latter for 4.001
    steps = steps_of("a b", "c d b a")
    pruned = prune(steps, {})
    path, _ = relax_island(pruned, pruned.weights(), 0.0, len(steps.vertices))
    assert [steps.vertices[v] for _, v in path] == [(1, 2), (2, 4)]


def test_pruning_drops_arcs_that_no_best_path_can_use() -> None:
    steps = steps_of("a b c d e f", "f e d c b a")
    full, pruned = full_shape(steps), prune(steps, {})
    assert len(pruned.order) < len(full.order) / 2
    assert set(pruned.number) < set(full.number)
