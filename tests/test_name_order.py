"""Names in the order in which they are shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.tables import in_shown_order, names_of_pairs, natural_key, shown_order

NAMES = st.lists(st.text("AB019 ", max_size=4), unique=True)


def test_numbers_in_names_count_as_numbers() -> None:
    names = ["A10", "A2", "B1", "A1", "A2b10", "A2b9", "10", "9"]
    ordered = ["9", "10", "A1", "A2", "A2b9", "A2b10", "A10", "B1"]
    assert sorted(names, key=natural_key) == ordered


@pytest.mark.parametrize("given_by_shell", [["A1", "A10", "A2"], ["a1", "A10", "A2", "b1"]])
def test_what_a_shell_pattern_gives_is_shown_in_natural_order(given_by_shell: list[str]) -> None:
    assert list(shown_order(given_by_shell)) == sorted(given_by_shell, key=natural_key)


def test_an_order_that_somebody_chose_stays() -> None:
    assert shown_order(["expert", "A10", "A2"]) == ("expert", "A10", "A2")
    assert shown_order(["A2", "A1"]) == ("A2", "A1")


@given(NAMES)
def test_nobody_is_lost_and_a_shown_order_is_final(names: list[str]) -> None:
    shown = shown_order(names)
    assert sorted(shown) == sorted(names)
    assert sorted(shown_order(sorted(names)), key=natural_key) == list(shown_order(sorted(names)))


def test_things_follow_their_names() -> None:
    things = [("A10", 1), ("A1", 2), ("A2", 3)]
    ordered = in_shown_order(things, ["A1", "A10", "A2"], lambda thing: thing[0])
    assert ordered == [("A1", 2), ("A2", 3), ("A10", 1)]


def test_everybody_of_a_list_of_pairs_is_named_once() -> None:
    assert names_of_pairs([("A1", "A10"), ("A1", "A2"), ("A10", "A2")]) == ("A1", "A2", "A10")
    assert names_of_pairs([("Bob", "Ann"), ("Bob", "Cleo")]) == ("Bob", "Ann", "Cleo")
