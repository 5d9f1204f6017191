"""The lattice: islands hold every arc of the whole sentence, and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.metrics.maxmatch import lattice
from jurybox.metrics.maxmatch.lattice import (
    UNIT,
    Island,
    Lattice,
    Pair,
    Shape,
    Steps,
    build_lattice,
    count_arcs,
)
from reference_maxmatch import Arc, build, weigh

unchanged_words = st.integers(0, 3)
few_words = st.lists(st.sampled_from("abc"), max_size=8)


@st.composite
def edited(draw: st.DrawFn) -> tuple[list[str], list[str]]:
    """A source of mostly different words and a hypothesis with a few changes here and there."""
    source = draw(st.lists(st.sampled_from("abcdefghijklmnopqrstuvwxyz"), min_size=6, max_size=24))
    hypothesis = list(source)
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(hypothesis)))
        end = draw(st.integers(start, min(start + 2, len(hypothesis))))
        hypothesis[start:end] = draw(st.lists(st.sampled_from("ABcd"), max_size=2))
    return source, hypothesis


def pairs_of_sentences() -> st.SearchStrategy[tuple[list[str], list[str]]]:
    return st.one_of(st.tuples(few_words, few_words), edited())


def full_shape(steps: Steps) -> Shape:
    return steps.fuse(range(len(steps.vertices)))


def place(island: Island, pair: Pair) -> Arc:
    """An arc of an island in sentence positions, as the reference names it."""
    (i, j), (k, l) = (island.steps.vertices[vertex] for vertex in pair)
    down, across = island.source, island.hypothesis
    return (down + i, across + j), (down + k, across + l)


def listed_arcs(island: Island) -> list[Arc]:
    """The arc list of an island, copies and all."""
    return [place(island, pair) for pair in full_shape(island.steps).order]


def kept_between(source: Sequence[str], hypothesis: Sequence[str], found: Lattice) -> list[Arc]:
    """The keeps outside islands, each found under both costs, and so listed twice."""
    arcs: list[Arc] = []
    i = j = 0
    bounds = [
        (island.source, island.hypothesis, *island.steps.vertices[-1]) for island in found.islands
    ]
    for at_source, at_hypothesis, height, width in [
        *bounds,
        (len(source), len(hypothesis), 0, 0),
    ]:
        while i < at_source:
            arcs += [((i, j), (i + 1, j + 1))] * 2
            i, j = i + 1, j + 1
        assert (i, j) == (at_source, at_hypothesis)
        i, j = i + height, j + width
    return arcs


@given(pair=pairs_of_sentences(), unchanged=unchanged_words)
def test_no_arc_crosses_islands_and_none_is_lost_between_them(
    pair: tuple[list[str], list[str]], unchanged: int
) -> None:
    source, hypothesis = pair
    found = build_lattice(source, hypothesis, unchanged)
    arcs = kept_between(source, hypothesis, found)
    assert len(arcs) == 2 * found.between
    for island in found.islands:
        arcs += listed_arcs(island)
    whole = build(source, hypothesis, unchanged)
    assert Counter(arcs) == Counter(whole.arcs)
    assert found.arcs() == len(whole.arcs)


@given(pair=pairs_of_sentences(), unchanged=unchanged_words)
def test_arcs_of_an_island_stand_in_the_order_of_the_whole_list_and_weigh_the_same(
    pair: tuple[list[str], list[str]], unchanged: int
) -> None:
    source, hypothesis = pair
    whole = build(source, hypothesis, unchanged)
    weight = weigh(whole, hypothesis, gold=[])
    for island in build_lattice(source, hypothesis, unchanged).islands:
        inside = listed_arcs(island)
        assert inside == [arc for arc in whole.arcs if arc in set(inside)]
        shape = full_shape(island.steps)
        for number, arc in enumerate(place(island, pair) for pair in shape.arcs):
            assert shape.weights()[number] == weight[arc]
            assert shape.exact[number] == round(weight[arc] * UNIT)
            assert bool(shape.is_edit[number]) is not whole.is_keep(arc)


def islands_of(pair: tuple[list[str], list[str]], unchanged: int) -> list[Steps]:
    return [island.steps for island in build_lattice(*pair, unchanged).islands]


@given(pair=pairs_of_sentences(), unchanged=unchanged_words)
def test_a_single_arc_is_what_fusing_everything_makes_of_it(
    pair: tuple[list[str], list[str]], unchanged: int
) -> None:
    source, hypothesis = pair
    whole = build(source, hypothesis, unchanged)
    for island in build_lattice(source, hypothesis, unchanged).islands:
        shape = full_shape(island.steps)
        for u, v in combinations(range(len(island.steps.vertices)), 2):
            found = island.steps.arc(u, v)
            assert (found is not None) == ((u, v) in shape.number)
            if found is not None:
                arc = place(island, (u, v))
                copies = shape.order.count((u, v))
                assert found == (whole.cost[arc], whole.kept[arc], copies)


@given(pair=pairs_of_sentences(), unchanged=unchanged_words)
def test_insertions_of_a_row_are_the_insertion_arcs_of_the_list_with_their_copies(
    pair: tuple[list[str], list[str]], unchanged: int
) -> None:
    for steps in islands_of(pair, unchanged):
        shape = full_shape(steps)
        listed = sorted(shape.order)
        for row in range(steps.vertices[-1][0] + 1):
            assert steps.insertions(row) == [
                (u, v) for u, v in listed if steps.vertices[u][0] == row == steps.vertices[v][0]
            ]


@given(pair=pairs_of_sentences(), unchanged=unchanged_words)
def test_counting_arcs_without_listing_them_gives_the_length_of_the_list(
    pair: tuple[list[str], list[str]], unchanged: int
) -> None:
    for steps in islands_of(pair, unchanged):
        shape = full_shape(steps)
        assert count_arcs(steps) == len(shape.order)


@pytest.mark.parametrize(("kept", "unchanged"), [(150, 200), (300, 260)])
def test_more_kept_tokens_than_a_byte_can_count_are_counted(kept: int, unchanged: int) -> None:
    words = [str(number) for number in range(kept)]
    (steps,) = islands_of((["a", *words, "b"], ["x", *words, "y"]), unchanged)
    shape = full_shape(steps)
    assert count_arcs(steps) == len(shape.order)


@given(pair=pairs_of_sentences(), unchanged=unchanged_words)
def test_fusing_from_some_starts_gives_their_arcs_as_fusing_from_all(
    pair: tuple[list[str], list[str]], unchanged: int
) -> None:
    for steps in islands_of(pair, unchanged):
        some = frozenset(range(0, len(steps.vertices), 2))
        every, chosen = full_shape(steps), steps.fuse(some)
        assert chosen.order == [arc for arc in every.order if arc[0] in some]
        assert set(chosen.arcs) == {arc for arc in every.arcs if arc[0] in some}
        for arc, number in chosen.number.items():
            assert chosen.weights()[number] == every.weights()[every.number[arc]]
            assert chosen.is_edit[number] == every.is_edit[every.number[arc]]


def sizes(source: str, hypothesis: str, unchanged: int) -> list[tuple[int, int, int, int]]:
    """Where each island begins, and how many tokens of both sides it spans."""
    return [
        (island.source, island.hypothesis, *island.steps.vertices[-1])
        for island in build_lattice(source, hypothesis, unchanged).islands
    ]


@pytest.mark.parametrize(
    ("kept", "unchanged", "expected"),
    [
        ("", 0, [(0, 0, 2, 2)]),
        ("m", 0, [(0, 0, 1, 1), (2, 2, 1, 1)]),
        ("mn", 1, [(0, 0, 4, 4)]),
        ("mno", 1, [(0, 0, 2, 2), (3, 3, 2, 2)]),
        ("mnop", 2, [(0, 0, 6, 6)]),
        ("mnopq", 2, [(0, 0, 3, 3), (4, 4, 3, 3)]),
    ],
)
def test_islands_part_where_more_than_twice_the_unchanged_words_are_kept(
    kept: str, unchanged: int, expected: list[tuple[int, int, int, int]]
) -> None:
    assert sizes(f"a{kept}b", f"x{kept}y", unchanged) == expected


def test_an_island_after_an_insertion_knows_where_it_is_in_the_hypothesis() -> None:
    assert sizes("abcdefg", "xabcdefh", 1) == [(0, 0, 1, 2), (5, 6, 2, 2)]


def test_equal_sentences_have_no_island() -> None:
    found = build_lattice("abc", "abc", 2)
    assert (list(found.islands), found.between, found.arcs()) == ([], 3, 6)


def test_an_arc_found_under_both_costs_stands_in_the_list_twice() -> None:
    (steps,) = islands_of((["a"], ["b"]), 2)
    # the substitution twice, deletion and insertion around both corners, and the same fused:
    # not again from corner to corner, where one step is cheaper
    assert [steps.vertices[v] for v in range(4)] == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert sorted(steps.arcs) == [
        (0, 1, 1, False),
        (0, 2, 1, False),
        (0, 3, 2, False),
        (1, 3, 1, False),
        (2, 3, 1, False),
    ]
    assert count_arcs(steps) == 6


def test_an_arc_found_cheaper_later_is_recorded_again() -> None:
    (steps,) = islands_of((list("ab"), list("cba")), 2)
    # Inserting c and b, keeping a, deleting b: four steps, found by way of vertex (1, 3).
    # Then c for a, keeping b, inserting a: three steps, found by way of vertex (2, 2).
    entry, exit_ = 0, len(steps.vertices) - 1
    assert steps.arc(entry, exit_) == (3, 1, 2)
    shape = full_shape(steps)
    assert shape.order.count((entry, exit_)) == 2
    assert shape.weights()[shape.number[entry, exit_]] == 3.0 + 0.001 + 0.001


def test_arcs_that_only_keep_tokens_are_not_fused() -> None:
    (steps,) = islands_of((list("abx"), list("aby")), 2)
    assert steps.arc(0, 1) == (1, 1, 2)
    assert steps.arc(0, 2) is None
    assert (0, 2) not in full_shape(steps).number


def test_small_islands_are_fused_at_once_and_large_ones_are_not() -> None:
    def is_fused(words: int) -> bool:
        (island,) = build_lattice("a" * words, "b" * words, 2).islands
        return island.shape is not None

    assert is_fused(3)
    assert not is_fused(lattice.LARGE)


def test_what_is_remembered_of_islands_stays_within_its_limit() -> None:
    lattice.REMEMBERED.forget()
    rng = Random(1)
    for _ in range(150):
        source = [rng.choice("abcdefgh") for _ in range(9)]
        hypothesis = [rng.choice("abcdefgh") for _ in range(9)]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(lattice.REMEMBERED, "limit", 2000)
            build_lattice(source, hypothesis, 2)
            assert lattice.REMEMBERED.size <= 2000
    assert lattice.REMEMBERED.results
    lattice.REMEMBERED.forget()
