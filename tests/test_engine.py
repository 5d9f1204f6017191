"""Batches on several processes: in order, without running ahead, errors passed on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.engine import in_batches, map_batches
from jurybox.errors import InputError


def double(batch: list[int]) -> list[int]:
    return [2 * number for number in batch]


def fail_on_three(batch: list[int]) -> list[int]:
    if 3 in batch:
        raise InputError("three is not wanted")
    return batch


@given(st.lists(st.integers()), st.integers(1, 7))
def test_cutting_into_batches_loses_and_reorders_nothing(items: list[int], size: int) -> None:
    batches = list(in_batches(items, size))
    assert [item for batch in batches for item in batch] == items
    assert all(len(batch) == size for batch in batches[:-1])
    assert all(batches)


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_come_in_the_order_of_the_batches(jobs: int) -> None:
    batches = list(in_batches(range(50), 3))
    assert list(map_batches(double, batches, jobs=jobs)) == [double(b) for b in batches]


@pytest.mark.parametrize("jobs", [1, 2])
def test_no_batches_give_no_results(jobs: int) -> None:
    assert list(map_batches(double, [], jobs=jobs)) == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_long_stream_is_not_read_ahead_of_its_results(jobs: int) -> None:
    read = 0

    def stream() -> Iterator[list[int]]:
        nonlocal read
        for number in range(1000):
            read += 1
            yield [number]

    results = map_batches(double, stream(), jobs=jobs)
    for taken in range(1, 6):
        next(results)
        assert read <= taken + 3 * jobs
    results.close()  # type: ignore[attr-defined]  # it is a generator
    assert read < 20


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_in_a_batch_reaches_the_caller_after_the_results_before_it(jobs: int) -> None:
    results = map_batches(fail_on_three, [[1], [2], [3], [4]], jobs=jobs)
    assert [next(results), next(results)] == [[1], [2]]
    with pytest.raises(InputError, match="three is not wanted"):
        next(results)


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_in_the_stream_of_batches_reaches_the_caller(jobs: int) -> None:
    def stream() -> Iterator[list[int]]:
        yield [1]
        raise InputError("the file is broken")

    with pytest.raises(InputError, match="the file is broken"):
        list(map_batches(double, stream(), jobs=jobs))
