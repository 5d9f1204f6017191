"""The best path through an island: which arcs match, what they weigh, how ties are decided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.metrics.maxmatch import count_matches
from jurybox.metrics.maxmatch.bestpath import Gold, Result, claim_arcs, decide, gold_arcs
from jurybox.metrics.maxmatch.lattice import STEP, Island, Pair, Shape, build_lattice
from reference_maxmatch import as_edit, build, equals, weigh
from relaxing import relax_island


@st.composite
def problems(draw: st.DrawFn) -> tuple[list[str], list[str], list[Gold], int]:
    """Source, hypothesis, gold and unchanged words; gold texts are often in the hypothesis."""
    few_words = st.lists(st.sampled_from("abc"), max_size=6)
    source, hypothesis = draw(few_words), draw(few_words)

    def span(tokens: Sequence[str]) -> tuple[int, int]:
        start = draw(st.integers(0, len(tokens)))
        return start, draw(st.integers(start, len(tokens)))

    gold: list[Gold] = []
    for _ in range(draw(st.integers(0, 5))):
        start, end = span(source)
        if draw(st.booleans()):
            end = start  # insertions have rules of their own
        texts = [" ".join(hypothesis[slice(*span(hypothesis))]) for _ in range(2)]
        gold.append(Gold(start, end, tuple(texts[: draw(st.integers(1, 2))])))
    return source, hypothesis, gold, draw(st.integers(0, 3))


def place(island: Island, pair: Pair) -> tuple[tuple[int, int], tuple[int, int]]:
    """An arc of an island in sentence positions, as the reference names it."""
    (i, j), (k, l) = (island.steps.vertices[vertex] for vertex in pair)
    down, across = island.source, island.hypothesis
    return (down + i, across + j), (down + k, across + l)


def shape_of(island: Island) -> Shape:
    return island.steps.fuse(range(len(island.steps.vertices)))


@given(problem=problems())
def test_every_arc_that_equals_a_gold_edit_is_found_and_no_other(
    problem: tuple[list[str], list[str], list[Gold], int],
) -> None:
    source, hypothesis, gold, unchanged = problem
    whole = build(source, hypothesis, unchanged)
    islands = build_lattice(source, hypothesis, unchanged).islands
    inside = {place(island, pair) for island in islands for pair in shape_of(island).arcs}
    expected = {
        arc: equal
        for arc in whole.arcs
        if arc in inside
        and (equal := {g for g, e in enumerate(gold) if equals(as_edit(arc, hypothesis), e)})
    }
    found = {}
    for island in build_lattice(source, hypothesis, unchanged).islands:
        near = gold_arcs(island, hypothesis, gold)
        found.update({place(island, pair): numbers for pair, numbers in near.items()})
        assert near == gold_arcs(island._replace(shape=None), hypothesis, gold)
    assert found == expected


def weights(island: Island, claimed: Mapping[Pair, int], match: int) -> list[float]:
    """What every arc weighs: its own weight, or that of a match and the copies it pays for."""
    shape = shape_of(island)
    weight = shape.weights()
    for pair, copies in claimed.items():
        weight[shape.number[pair]] = sum([STEP] * copies, start=float(match))
    return weight


@given(problem=problems())
def test_every_arc_weighs_what_the_specification_says(
    problem: tuple[list[str], list[str], list[Gold], int],
) -> None:
    source, hypothesis, gold, unchanged = problem
    whole = build(source, hypothesis, unchanged)
    expected = weigh(whole, hypothesis, gold)
    for island in build_lattice(source, hypothesis, unchanged).islands:
        near = gold_arcs(island, hypothesis, gold)
        claimed = claim_arcs(island, near) if near else {}
        found = weights(island, claimed, -len(whole.arcs))
        for pair, weight in zip(shape_of(island).arcs, found, strict=True):
            assert weight == expected[place(island, pair)], pair


def island_of(source: str, hypothesis: str, unchanged: int = 2) -> Island:
    (island,) = build_lattice(source.split(), hypothesis.split(), unchanged).islands
    return island


def matched(source: str, hypothesis: str, *gold: Gold) -> list[tuple[int, int, str, set[int]]]:
    """The arcs that equal gold edits, as start, end and text, with the gold edits they equal."""
    tokens = hypothesis.split()
    island = island_of(source, hypothesis)
    return [
        (*as_edit(place(island, pair), tokens), numbers)
        for pair, numbers in sorted(gold_arcs(island, tokens, gold).items())
    ]


def test_a_gold_edit_matches_by_any_of_its_alternatives() -> None:
    either = Gold(0, 1, ("x", "y"))
    assert matched("a", "x", either) == [(0, 1, "x", {0})]
    assert matched("a", "y", either) == [(0, 1, "y", {0})]
    assert matched("a", "z", either) == []


def test_a_deletion_may_be_an_alternative() -> None:
    assert matched("a b", "b", Gold(0, 1, ("x", ""))) == [(0, 1, "", {0})]


def test_a_kept_token_matches_a_gold_edit_that_changes_nothing_but_counts_nothing() -> None:
    gold = [Gold(0, 1, ("a",)), Gold(1, 2, ("x",))]
    assert matched("a b", "a x", *gold) == [(0, 1, "a", {0}), (1, 2, "x", {1})]
    assert count_matches(("a", "b"), ("a", "x"), gold) == (1, 1, 2)
    # by the letter of the specification: the kept `a` is worth more than one edit less
    assert count_matches(("a",), ("b", "a", "b"), [Gold(0, 1, ("a",))]) == (0, 2, 1)


def test_nothing_matches_an_insertion_of_nothing() -> None:
    assert matched("a", "x a", Gold(0, 0, ("",)), Gold(1, 1, ("",))) == []


def test_a_match_may_keep_as_many_tokens_as_an_edit_may() -> None:
    assert matched("a m n b", "x m n y", Gold(0, 4, ("x m n y",))) == [(0, 4, "x m n y", {0})]
    assert matched("a m n o b", "x m n o y", Gold(0, 5, ("x m n o y",))) == []


def test_case_and_inner_white_space_of_a_gold_text_are_kept() -> None:
    assert matched("a", "the cat", Gold(0, 1, ("The cat", "the  cat", " the cat"))) == []


# Rule (b): insertions at one source offset claim gold edits in order, from both ends. The
# hypothesis inserts p, q and r before the only source token. Every single insertion is found
# under both costs, so the sorted list of insertion arcs, by hypothesis positions, is
#     0-1 0-1 0-2 0-3 1-2 1-2 1-3 2-3 2-3
CLAIMED = 0  # and no copy to pay for
TWICE = 1  # claimed, and its other copy was passed by


def claims(hypothesis: str, *gold: str) -> dict[Pair, int]:
    """The insertions before `a` that claim a gold edit, by hypothesis positions."""
    island = island_of("a", f"{hypothesis} a", 0)
    edits = [Gold(0, 0, tuple(text.split("|"))) for text in gold]
    return claim_arcs(island, gold_arcs(island, hypothesis.split(), edits))


def test_insertions_claim_gold_edits_in_file_order() -> None:
    # Left: 0-1 claims p and passes 0-1 0-2 0-3; 1-2 begins where it ended and claims q, passing
    # 1-2 and 1-3; 2-3 finds nothing.
    assert claims("p q r", "p", "q") == {(0, 1): TWICE, (1, 2): TWICE}
    assert claims("p q r", "p", "q", "r") == {(0, 1): TWICE, (1, 2): TWICE, (2, 3): TWICE}


def test_a_gold_edit_before_a_claimed_one_in_the_file_is_lost() -> None:
    # Left: 0-1 finds p behind q and claims it; only gold after p stays, and there is none.
    assert claims("p q r", "q", "p") == {(0, 1): TWICE}
    assert claims("p q r", "r", "p") == {(0, 1): TWICE}


def test_the_right_end_claims_when_the_left_end_finds_nothing() -> None:
    # Left: 0-1 finds nothing and pays. Right: 2-3 claims r and passes 2-3 and 1-3.
    assert claims("p q r", "r") == {(2, 3): TWICE}


def test_the_end_that_claimed_keeps_its_turn() -> None:
    # Right: 2-3 claims r; 1-2 ends where it began and claims q, passing 1-2 0-3 0-2; 0-1 is free.
    assert claims("p q r", "q", "r") == {(1, 2): TWICE, (2, 3): TWICE}
    # Left 0-1 and right 2-3 find nothing; left, the other 0-1, nothing; right, the other 2-3,
    # nothing; left, 0-2, nothing; right, 1-3, claims q r and passes what does not end at 1 down
    # to the left end: 1-2 1-2 0-3. So q, which is 1-2, is never offered a gold edit.
    assert claims("p q r", "q", "q r") == {(1, 3): CLAIMED}


def test_both_ends_meet_around_a_hole() -> None:
    # Left: 0-1 claims p, 1-2 finds nothing. Right: 2-3 claims r among what came after p.
    assert claims("p q r", "p", "r") == {(0, 1): TWICE, (2, 3): TWICE}


def test_a_longer_insertion_claims_only_when_its_turn_comes() -> None:
    # Left: 0-1 claims p and passes 0-2, which would have been the first gold edit.
    assert claims("p q r", "p q", "p") == {(0, 1): TWICE}
    # Turns: left 0-1, right 2-3, left 0-1, right 2-3, left 0-2: claims p q, which stands once.
    assert claims("p q r", "p q") == {(0, 2): CLAIMED}


def test_a_repeated_word_is_claimed_as_often_as_the_gold_has_it() -> None:
    assert claims("p p", "p") == {(0, 1): TWICE}
    assert claims("p p", "p", "p") == {(0, 1): TWICE, (1, 2): TWICE}


def test_an_alternative_claims_like_the_only_text() -> None:
    assert claims("p q r", "x|p", "r|y") == {(0, 1): TWICE, (2, 3): TWICE}


@given(problem=problems(), entry=st.sampled_from([0.0, 7.0, 12.003, -250.998]))
def test_what_is_decided_is_what_relaxing_in_list_order_leaves(
    problem: tuple[list[str], list[str], list[Gold], int], entry: float
) -> None:
    source, hypothesis, gold, unchanged = problem
    found = build_lattice(source, hypothesis, unchanged)
    for any_island in found.islands:
        island = any_island._replace(shape=shape_of(any_island))
        near = gold_arcs(island, hypothesis, gold)
        claimed = claim_arcs(island, near) if near else {}
        result = decide(island, near, claimed)
        if result is None:
            continue  # not sure: relaxing has the word
        weight = weights(island, claimed, -found.arcs())
        path, _ = relax_island(shape_of(island), weight, entry, len(island.steps.vertices))
        assert result == Result(len(path), [frozenset(near[p]) for p in path if p in near])


def decided(source: str, hypothesis: str, *gold: Gold) -> tuple[int, list[list[int]]] | None:
    """Edits, and for each that matches the gold edits it equals."""
    island = island_of(source, hypothesis)
    near = gold_arcs(island, hypothesis.split(), gold)
    result = decide(island, near, claim_arcs(island, near) if near else {})
    return result and (result.edits, [sorted(numbers) for numbers in result.matched])


def test_a_single_best_way_is_decided() -> None:
    assert decided("a b", "x y") == (1, [])
    assert decided("a b", "x y", Gold(1, 2, ("y",))) == (2, [[0]])


def test_ways_that_tie_but_count_alike_are_decided() -> None:
    # either word may be the deleted one: one edit in both cases
    assert decided("a a b", "a b") == (1, [])


def test_ways_that_tie_and_count_differently_are_not_decided() -> None:
    # one edit, recorded twice (4.002), or two edits (2.001 + 2.001)
    assert decided("a b", "c d b a") is None


def test_what_was_decided_for_a_shape_is_not_taken_for_other_gold_edits() -> None:
    x, y = Gold(0, 1, ("x",)), Gold(1, 2, ("y",))
    assert decided("a b", "x y", x, y) == (2, [[0], [1]])
    assert decided("a b", "x y", y, x) == (2, [[1], [0]])
    assert decided("c d", "x y", x, x) == (2, [[0, 1]])
    assert decided("c d", "v w", x, y) == (1, [])


def cheapest_path(island: Island) -> list[tuple[int, int]]:
    """The source spans of the edits on the best path without gold."""
    shape, vertices = shape_of(island), island.steps.vertices
    path, _ = relax_island(shape, shape.weights(), 0.0, len(vertices))
    return [(vertices[u][0], vertices[v][0]) for u, v in path]


def test_of_two_ways_that_cost_the_same_the_one_of_more_edits_stays() -> None:
    # In one edit four steps, recorded twice: 4.002. As a -> c d and b -> b a: 2.001 + 2.001.
    assert cheapest_path(island_of("a b", "c d b a")) == [(0, 1), (1, 2)]


def test_edits_are_as_few_as_the_tokens_between_them_allow() -> None:
    assert cheapest_path(island_of("a b", "x y", 0)) == [(0, 2)]
    assert cheapest_path(island_of("a m n b", "x m n y", 2)) == [(0, 4)]
    assert len(cheapest_path(island_of("a m n b", "x m n y", 1))) == 2


def test_an_edit_found_once_swallows_a_kept_token_to_be_cheaper_than_one_found_twice() -> None:
    # a m -> x m costs 2.001 because fused arcs are recorded once; a -> x alone is found under
    # both costs, and with the kept m comes to 2.002.
    assert cheapest_path(island_of("a m n b", "x m n y", 1)) == [(0, 2), (2, 4)]


@pytest.mark.parametrize("entry", [0.0, 3.0])
def test_the_distance_goes_on_from_where_the_sentence_was(entry: float) -> None:
    island = island_of("a", "x", 0)
    shape = shape_of(island)
    path, distance = relax_island(shape, shape.weights(), entry, len(island.steps.vertices))
    assert (len(path), distance) == (1, entry + (1.0 + 0.001 + 0.001))
