"""Draws from strata: every set of cases is as likely as any other, and sizes are kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import cbrt, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.errors import InputError, UsageError
from jurybox.sample.draw.drawing import (
    ID_LENGTH,
    LETTERS,
    StratifiedReservoir,
    allocate,
    check_seed,
    make_blind_ids,
)


def unevenness(counts: Sequence[int]) -> float:
    """Chi-square of counts that should be alike, as a normal deviate (Wilson and Hilferty 1931)."""
    mean, freedom = sum(counts) / len(counts), len(counts) - 1
    statistic = sum((count - mean) ** 2 / mean for count in counts)
    spread = 2 / (9 * freedom)
    return (cbrt(statistic / freedom) - (1 - spread)) / sqrt(spread)


def drawn(seed: int, wanted: int, cases: str, blocks: int = 1, most: int = 0) -> frozenset[str]:
    reservoir = StratifiedReservoir(np.random.default_rng(seed), most or wanted)
    size = -(-len(cases) // blocks)
    for start in range(0, len(cases), size):
        part = list(cases[start : start + size])
        reservoir.take(part, np.zeros(len(part), dtype=np.int64))
    (found,) = reservoir.draw([wanted])
    return frozenset(found)


@pytest.mark.parametrize("most", [2, 5])
def test_every_set_of_cases_is_as_likely_as_any_other(most: int) -> None:
    counts = Counter(drawn(seed, 2, "abcdef", blocks=3, most=most) for seed in range(6000))
    expected = [frozenset(pair) for pair in combinations("abcdef", 2)]
    assert {*counts} == {*expected}
    assert unevenness([counts[pair] for pair in expected]) < 3.1  # 1 in 1000


def test_cases_that_come_late_are_as_likely_as_early_ones_when_others_were_thrown_out() -> None:
    """Many more cases than are kept, so that the reservoir was thinned out many times."""
    tenths: Counter[int] = Counter()
    for seed in range(300):
        reservoir = StratifiedReservoir(np.random.default_rng(seed), most=20)
        for block in range(10):
            cases = [f"{1000 * block + k}" for k in range(1000)]
            reservoir.take(cases, np.zeros(1000, dtype=np.int64))
        tenths.update(int(case) // 1000 for case in reservoir.draw([20])[0])
    assert unevenness([tenths[k] for k in range(10)]) < 3.1


@given(
    labels=st.lists(st.integers(0, 3), min_size=1, max_size=60),
    most=st.integers(0, 5),
    blocks=st.integers(1, 4),
)
def test_sizes_are_counted_and_each_stratum_gives_its_own_cases(
    labels: list[int], most: int, blocks: int
) -> None:
    reservoir = StratifiedReservoir(np.random.default_rng(1), most)
    for part in np.array_split(np.arange(len(labels)), blocks):
        if len(part):
            reservoir.take([str(k) for k in part], np.array([labels[k] for k in part]))
    reservoir.reach(4)
    assert reservoir.sizes == [labels.count(k) for k in range(4)]
    wanted = [min(most, size) for size in reservoir.sizes]
    found = reservoir.draw(wanted)
    assert [len(cases) for cases in found] == wanted
    for stratum, cases in enumerate(found):
        assert len(set(cases)) == len(cases)
        assert all(labels[int(case)] == stratum for case in cases)


def test_cases_of_earlier_draws_count_but_are_not_drawn() -> None:
    reservoir = StratifiedReservoir(np.random.default_rng(1), 3, leave_out={"a", "c"})
    reservoir.take(list("abcde"), np.zeros(5, dtype=np.int64))
    assert reservoir.sizes == [5]
    assert {*reservoir.draw([3])[0]} == {"b", "d", "e"}


def test_a_draw_that_prefers_some_cases_would_be_noticed() -> None:
    assert unevenness([100, 100, 100, 160]) > 3.1


# --- numbers per stratum ---


def test_numbers_are_shared_out_by_size_worked_by_hand() -> None:
    assert allocate(10, [50, 30, 20]) == [5, 3, 2]
    assert allocate(7, [50, 30, 20]) == [3, 2, 2]  # 3.5, 2.1 and 1.4, but two at least
    assert allocate(3, [50, 30, 20]) == [1, 1, 1]
    assert allocate(5, [100]) == [5]


def test_a_stratum_gives_no_more_than_it_has_left() -> None:
    assert allocate(30, [40, 40], [39, 0]) == [1, 29]
    assert allocate(8, [4, 4]) == [4, 4]


def test_a_stratum_that_was_drawn_from_before_needs_no_two_more() -> None:
    assert allocate(4, [1000, 10], [50, 2]) == [4, 0]


@given(
    strata=st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), min_size=1, max_size=8),
    part=st.floats(0, 1),
)
def test_shares_add_up_and_no_stratum_is_left_without(
    strata: list[tuple[int, int]], part: float
) -> None:
    sizes = [size + before for size, before in strata]
    before = [number for _, number in strata]
    left = [size for size, _ in strata]
    wanted = round(part * sum(left))
    try:
        shares = allocate(wanted, sizes, before)
    except InputError as error:
        without = sum(1 for rest, b in zip(left, before, strict=True) if rest and not b)
        assert wanted < without
        assert f"ask for {without} at least" in str(error)  # noqa: PT017  it may not be raised
        return
    assert sum(shares) == wanted
    for share, rest, b in zip(shares, left, before, strict=True):
        assert 0 <= share <= rest
        assert share or not wanted or not rest or b


def test_more_than_there_is_cannot_be_shared_out() -> None:
    with pytest.raises(InputError, match="11 cases cannot be drawn from 10"):
        allocate(11, [4, 6])


# --- ids ---


def test_blind_ids_are_different_and_never_those_that_are_taken() -> None:
    first = make_blind_ids(5000, np.random.default_rng(1))
    again = make_blind_ids(5000, np.random.default_rng(1), taken=first)
    assert len({*first, *again}) == 10_000
    assert all(len(name) == ID_LENGTH and {*name} <= {*LETTERS} for name in first)


def test_every_letter_is_as_likely_at_every_place_of_an_id() -> None:
    ids = make_blind_ids(20_000, np.random.default_rng(3))
    for place in range(ID_LENGTH):
        counts = Counter(name[place] for name in ids)
        assert unevenness([counts[letter] for letter in LETTERS]) < 3.7  # 1 in 10,000


def test_a_negative_seed_is_refused() -> None:
    with pytest.raises(UsageError, match="--seed"):
        check_seed(-1)


def test_strata_that_would_hold_too_many_cases_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jurybox.sample.draw.drawing.MOST_HELD", 50)
    reservoir = StratifiedReservoir(np.random.default_rng(1), most=10)
    reservoir.take([str(k) for k in range(40)], np.arange(40) % 20)
    with pytest.raises(InputError, match="20 strata of which up to 10 cases may be drawn are more"):
        reservoir.take([str(k) for k in range(40, 80)], np.arange(40) % 20)
