"""Selections of documents, as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.errors import UsageError
from jurybox.formats.edits.documents import select

ESSAYS = [f"essay-{number}" for number in range(1, 6)]


@pytest.mark.parametrize(
    ("selection", "places"),
    [
        ("1", [0]),
        ("1-3", [0, 1, 2]),
        ("5,1", [0, 4]),
        ("2 4", [1, 3]),
        ("essay-2", [1]),
        ("essay-2-essay-4", [1, 2, 3]),
        ("essay-2-4", [1, 2, 3]),
        ("all", [0, 1, 2, 3, 4]),
        ("*", [0, 1, 2, 3, 4]),
        ("1-2,2-3", [0, 1, 2]),
    ],
)
def test_a_selection_means_what_it_says(selection: str, places: list[int]) -> None:
    assert select(selection, ESSAYS) == places


def test_names_that_are_numbers_come_before_places() -> None:
    assert select("12-13", ["11", "12", "13"]) == [1, 2]
    assert select("1", ["11", "12", "13"]) == [0]  # no such name, so the first


@pytest.mark.parametrize(
    ("selection", "message"),
    [
        ("6", "no document '6' among 5"),
        ("0", "no document '0'"),
        ("1-9", "no document '1-9'"),
        ("esay-2", "did you mean 'essay-2'"),
        ("3-1", "runs backwards"),
        ("  ,", "empty"),
    ],
)
def test_what_cannot_be_meant_is_said(selection: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        select(selection, ESSAYS)


@given(st.lists(st.integers(1, 30), min_size=1, max_size=8))
def test_numbers_are_taken_once_and_in_order(numbers: list[int]) -> None:
    names = [f"d{number}" for number in range(30)]
    assert select(",".join(map(str, numbers)), names) == sorted({n - 1 for n in numbers})
