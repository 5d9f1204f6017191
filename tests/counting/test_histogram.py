"""Groups of like cases, histograms of them in any shards and order, and the hash of names."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from jurybox.counting import histogram
from jurybox.counting.histogram import (
    BUCKETS,
    MIX_LAST,
    BucketCounts,
    BucketRows,
    Histogram,
    add_counts,
    buckets_of,
    count_bucket,
    fixed_order,
    group_cases,
    hash_words,
)
from jurybox.errors import LengthError
from jurybox.formats.tables._columns import MIX, SPREAD, find_again

rows = st.lists(
    st.tuples(st.integers(-1, 1), st.floats(0, 1).map(lambda x: round(x, 1)), st.integers(0, 3)),
    max_size=20,
)


@given(
    table=rows,
    largest=st.sampled_from([1, 10, 2**62]),
    table_size=st.sampled_from([0, 3, 2**22]),
)
def test_two_cases_share_a_group_exactly_if_their_rows_are_equal(
    table: list[tuple[int, float, int]], largest: int, table_size: int
) -> None:
    columns: list[NDArray[np.generic]] = [
        np.array([row[0] for row in table], dtype=np.int8),
        np.array([row[1] for row in table], dtype=np.float64),
        np.array([row[2] for row in table], dtype=np.int64),
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(histogram, "LARGEST_KEY", largest)
        patch.setattr(histogram, "LARGEST_TABLE", table_size)
        groups = group_cases(columns)
    names: dict[int, tuple[int, float, int]] = {}
    for row, group in zip(table, groups.of_case.tolist(), strict=True):
        assert names.setdefault(group, row) == row
    assert len(set(names.values())) == len(names) == len(groups.sizes)
    assert [table[i] for i in groups.example] == [names[g] for g in range(len(names))]
    assert [names[g] for g in range(len(names))] == sorted(names.values())
    assert groups.sizes.tolist() == [table.count(names[g]) for g in range(len(names))]


RATERS, LABELS = 4, 3
judgments = st.lists(
    st.tuples(st.integers(0, 6), st.integers(0, RATERS - 1), st.integers(0, LABELS - 1)),
    min_size=1,
    max_size=60,
)


def counted(
    rows: list[tuple[int, int, int, int]], decisions: dict[int, tuple[int, int]]
) -> BucketCounts:
    """The counts of (order, case, rater, label), cases numbered anew."""
    cases = sorted({case for _, case, _, _ in rows})
    order, case, rater, label = np.array(rows).T
    return count_bucket(
        BucketRows(np.searchsorted(cases, case), rater, label, order),
        cases=len(cases),
        raters=RATERS,
        labels=LABELS,
        decisions=list(np.array([decisions[one] for one in cases]).T),
    )


@given(table=judgments, data=st.data())
def test_shards_and_order_of_rows_change_no_count(
    table: list[tuple[int, int, int]], data: st.DataObject
) -> None:
    ordered = [(order, *row) for order, row in enumerate(table)]
    cases = {row[0] for row in table}
    choice = st.tuples(st.integers(-1, 1), st.integers(-1, 1))
    decisions = {case: data.draw(choice) for case in sorted(cases)}
    bucket = {case: data.draw(st.integers(0, 2)) for case in sorted(cases)}
    shuffled = data.draw(st.permutations(ordered))
    parts = [[row for row in shuffled if bucket[row[1]] == number] for number in range(3)]
    whole = counted(ordered, decisions)
    found = add_counts(counted(part, decisions) for part in parts if part)
    assert found.cases == whole.cases
    assert np.array_equal(found.raters, whole.raters)
    assert (found.repeats, found.same) == (whole.repeats, whole.same)
    # by hand: the first label of every case and rater
    first: dict[tuple[int, int], int] = {}
    for case, rater, label in table:
        first.setdefault((case, rater), label)
    kinds = sorted(
        (*(sum(said == (case, k) for said in said_of(first)) for k in range(LABELS)), *own)
        for case, own in decisions.items()
    )
    rows = np.repeat(whole.cases.kinds, whole.cases.sizes, axis=0)
    assert [tuple(row) for row in rows.tolist()] == kinds
    assert whole.repeats == len(table) - len(first)


def said_of(first: dict[tuple[int, int], int]) -> list[tuple[int, int]]:
    return [(case, label) for (case, _), label in first.items()]


@given(
    table=st.lists(st.tuples(st.integers(0, 2**40), st.integers(0, 3)), max_size=50),
    again=st.lists(st.integers(0, 49), max_size=20),
    block=st.sampled_from([1, 7, 1 << 16]),
)
def test_rows_that_repeat_a_case_and_rater_are_found(
    table: list[tuple[int, int]], again: list[int], block: int
) -> None:
    table = [*table, *(table[k] for k in again if k < len(table))]
    case, rater = np.array(table or np.zeros((0, 2), int)).reshape(-1, 2).T
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(histogram, "BLOCK", block)
        found = find_again(case, rater)
    first = {row: table.index(row) for row in table}
    repeated = [k for k, row in enumerate(table) if first[row] < k]
    assert found.rows.tolist() == repeated
    assert found.first.tolist() == [first[table[k]] for k in repeated]


def plain_hash(word: str, seed: int) -> int:
    """The hash of one word, by its definition."""
    text, whole = word.encode(), 2**64 - 1
    mixed = (seed * SPREAD + 1) & whole ^ len(text)
    for at in range(0, len(text), 8):
        mixed = (mixed ^ int.from_bytes(text[at : at + 8], "little")) * SPREAD & whole
        mixed ^= mixed >> 29
    for factor in (MIX, MIX_LAST, 1):
        mixed = (mixed ^ mixed >> 33) * factor & whole
    return mixed


@given(words=st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=40), max_size=9))
def test_the_hash_of_a_word_depends_on_its_bytes_alone(words: list[str]) -> None:
    for seed in (0, 7):
        expected = [plain_hash(word, seed) for word in words]
        assert hash_words(words, seed).tolist() == expected


def test_buckets_are_equally_full() -> None:
    sizes = np.bincount(buckets_of(hash_words([f"c{k}" for k in range(100_000)])))
    assert len(sizes) == BUCKETS
    assert abs(sizes - 100_000 / BUCKETS).max() < 6 * (100_000 / BUCKETS) ** 0.5


@given(words=st.lists(st.text(max_size=3), unique=True, max_size=12), data=st.data())
def test_names_of_equal_hash_stand_in_the_order_of_names(
    words: list[str], data: st.DataObject
) -> None:
    other = data.draw(st.permutations(words))
    alike = data.draw(st.booleans())
    with pytest.MonkeyPatch.context() as patch:
        if alike:
            patch.setattr(histogram, "hash_words", lambda words: np.zeros(len(words), np.uint64))
        one, two = ([names[k] for k in fixed_order(names).places] for names in (words, other))
    assert one == two


def test_histograms_of_other_columns_are_refused() -> None:
    with pytest.raises(LengthError, match="of 2 and 1 columns"):
        Histogram.of([[1, 0]]) + Histogram.of([[1]])
