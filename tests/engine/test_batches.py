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


@given(st.lists(st.integers()), st.integers(1, 7))
def test_cutting_into_batches_loses_and_reorders_nothing(items: list[int], size: int) -> None:
    batches = list(in_batches(items, size))
    assert [item for batch in batches for item in batch] == items
    assert all(len(batch) == size for batch in batches[:-1])
    assert all(batches)


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
def test_an_error_in_the_stream_of_batches_reaches_the_caller(jobs: int) -> None:
    def stream() -> Iterator[list[int]]:
        yield [1]
        raise InputError("the file is broken")

    with pytest.raises(InputError, match="the file is broken"):
        list(map_batches(double, stream(), jobs=jobs))
