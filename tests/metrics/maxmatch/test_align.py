"""Alignment: the arcs of all cheapest alignments, against alignments enumerated one by one.

The cost settings are those of MaxMatch (Dahlmeier and Ng 2012): insertion, deletion and
substitution cost 1/1/1 or 1/1/2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.metrics.maxmatch.align import (
    Rows,
    double_cost_rows,
    occurrences,
    shared_ends,
    unit_cost_rows,
)
from reference_maxmatch import Arc, Vertex, alignment_arcs

# Few words, so that most of them occur again and many alignments cost the same.
words = st.sampled_from("abc")
short = st.lists(words, max_size=5)
long = st.lists(st.sampled_from("abcdef"), max_size=14)

settings_of_cost = pytest.mark.parametrize(
    ("rows_of", "substitution"), [(unit_cost_rows, 1), (double_cost_rows, 2)]
)
RowsOf = Callable[[Sequence[int], int], Rows]


def all_alignments(
    source: Sequence[str], hypothesis: Sequence[str], substitution: int, at: Vertex = (0, 0)
) -> Iterator[tuple[int, tuple[Arc, ...]]]:
    """Every path through the grid with its cost."""
    i, j = at
    if at == (len(source), len(hypothesis)):
        yield 0, ()
    for down, across in ((1, 1), (1, 0), (0, 1)):
        if i + down > len(source) or j + across > len(hypothesis):
            continue
        cost = 1
        if down and across:
            cost = 0 if source[i] == hypothesis[j] else substitution
        there = i + down, j + across
        for rest, arcs in all_alignments(source, hypothesis, substitution, there):
            yield cost + rest, ((at, there), *arcs)


def union_of_cheapest(
    source: Sequence[str], hypothesis: Sequence[str], substitution: int
) -> set[Arc]:
    alignments = list(all_alignments(source, hypothesis, substitution))
    cheapest = min(cost for cost, _ in alignments)
    return {arc for cost, arcs in alignments if cost == cheapest for arc in arcs}


def arcs_of(rows: Rows) -> set[Arc]:
    """The masks as `Rows` describes them: row i holds the arcs that end there, by their start."""

    def bits(mask: int) -> Iterator[int]:
        return (j for j in range(mask.bit_length()) if mask >> j & 1)

    inserts = {((i, j), (i, j + 1)) for i, mask in enumerate(rows.insert) for j in bits(mask)}
    deletes = {((i - 1, j), (i, j)) for i, mask in enumerate(rows.delete) for j in bits(mask)}
    diagonals = {
        ((i - 1, j), (i, j + 1)) for i, mask in enumerate(rows.diagonal) for j in bits(mask)
    }
    return inserts | deletes | diagonals


def aligned(rows_of: RowsOf, source: Sequence[str], hypothesis: Sequence[str]) -> set[Arc]:
    return arcs_of(rows_of(occurrences(source, hypothesis), len(hypothesis)))


@settings_of_cost
@given(source=short, hypothesis=short)
def test_arcs_are_those_of_all_cheapest_alignments_and_no_others(
    rows_of: RowsOf, substitution: int, source: list[str], hypothesis: list[str]
) -> None:
    expected = union_of_cheapest(source, hypothesis, substitution)
    assert aligned(rows_of, source, hypothesis) == expected
    assert alignment_arcs(source, hypothesis, substitution) == expected


@settings_of_cost
@given(source=long, hypothesis=long)
def test_arcs_of_longer_sentences_are_those_of_the_slow_alignment(
    rows_of: RowsOf, substitution: int, source: list[str], hypothesis: list[str]
) -> None:
    assert aligned(rows_of, source, hypothesis) == alignment_arcs(source, hypothesis, substitution)


@settings_of_cost
def test_arcs_beyond_one_machine_word_are_not_lost(rows_of: RowsOf, substitution: int) -> None:
    source, hypothesis = "abcde" * 20, "bcae" * 20 + "d"
    assert aligned(rows_of, source, hypothesis) == alignment_arcs(source, hypothesis, substitution)


def test_a_substitution_at_cost_two_is_also_a_deletion_and_an_insertion() -> None:
    diagonal = ((0, 0), (1, 1))
    assert aligned(unit_cost_rows, "a", "b") == {diagonal}
    assert aligned(double_cost_rows, "a", "b") == {
        diagonal,
        ((0, 0), (1, 0)),
        ((1, 0), (1, 1)),
        ((0, 0), (0, 1)),
        ((0, 1), (1, 1)),
    }


@pytest.mark.parametrize("rows_of", [unit_cost_rows, double_cost_rows])
def test_either_of_two_equal_words_may_be_the_deleted_one(rows_of: RowsOf) -> None:
    assert aligned(rows_of, "aa", "a") == {
        ((0, 0), (1, 0)),
        ((1, 0), (2, 1)),
        ((0, 0), (1, 1)),
        ((1, 1), (2, 1)),
    }


@pytest.mark.parametrize("rows_of", [unit_cost_rows, double_cost_rows])
def test_leading_insertions_sit_at_source_position_zero(rows_of: RowsOf) -> None:
    assert aligned(rows_of, "a", "xya") == {
        ((0, 0), (0, 1)),
        ((0, 1), (0, 2)),
        ((0, 2), (1, 3)),
    }


@pytest.mark.parametrize("rows_of", [unit_cost_rows, double_cost_rows])
@pytest.mark.parametrize(
    ("source", "hypothesis", "expected"),
    [
        ("", "", set()),
        ("", "a", {((0, 0), (0, 1))}),
        ("a", "", {((0, 0), (1, 0))}),
        ("a", "a", {((0, 0), (1, 1))}),
    ],
)
def test_empty_and_equal_sides_have_one_alignment(
    rows_of: RowsOf, source: str, hypothesis: str, expected: set[Arc]
) -> None:
    assert aligned(rows_of, source, hypothesis) == expected


def test_words_that_differ_in_case_only_are_different_words() -> None:
    assert occurrences(["The", "a"], ["the", "a", "The", "a"]) == [0b0100, 0b1010]


def shifted(arcs: set[Arc], by: int) -> set[Arc]:
    return {((i + by, j + by), (k + by, l + by)) for (i, j), (k, l) in arcs}


def kept_in_a_row(at: Vertex, length: int) -> set[Arc]:
    i, j = at
    return {((i + n, j + n), (i + n + 1, j + n + 1)) for n in range(length)}


@pytest.mark.parametrize("substitution", [1, 2])
@given(
    head=st.lists(words, max_size=4),
    source=short,
    hypothesis=short,
    tail=st.lists(words, max_size=4),
)
def test_shared_ends_never_cut_off_what_an_alignment_may_change(
    substitution: int, head: list[str], source: list[str], hypothesis: list[str], tail: list[str]
) -> None:
    source, hypothesis = head + source + tail, head + hypothesis + tail
    first, last = shared_ends(source, hypothesis)
    middle = source[first : len(source) - last], hypothesis[first : len(hypothesis) - last]
    rest = len(source) - last, len(hypothesis) - last
    assert alignment_arcs(source, hypothesis, substitution) == (
        kept_in_a_row((0, 0), first)
        | shifted(alignment_arcs(*middle, substitution), first)
        | kept_in_a_row(rest, last)
    )


@pytest.mark.parametrize(
    ("source", "hypothesis", "expected"),
    [
        ("a b c d", "a b x d", (2, 1)),
        ("a b c", "a b c", (3, 0)),
        ("a b", "a b c", (2, 0)),
        ("b c", "a b c", (0, 2)),
        ("a b", "x y", (0, 0)),
        ("", "a", (0, 0)),
        # the last token of a cut must not come again, those before it may
        ("a b a c x", "a b a c y", (4, 0)),
        ("a b c b x", "a b c b y", (4, 0)),
        ("a b c x b", "a b c y b", (3, 1)),
        ("a b x c b", "a b y c b", (1, 2)),
        ("a a b", "a b", (0, 1)),
        ("a b b", "a b", (1, 0)),
    ],
)
def test_shared_ends_are_as_long_as_words_that_come_again_allow(
    source: str, hypothesis: str, expected: tuple[int, int]
) -> None:
    assert shared_ends(source.split(), hypothesis.split()) == expected
