"""Ids that come twice are found, also where not all ids can be followed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from jurybox.sample.reading import RepeatWatch


@given(blocks=st.lists(st.lists(st.text(max_size=2)), max_size=6))
def test_a_repeat_is_found_exactly_where_there_is_one(blocks: list[list[str]]) -> None:
    watch = RepeatWatch()
    for block in blocks:
        watch.add(block)
    ids = [name for block in blocks for name in block]
    assert watch.found == (len(set(ids)) < len(ids))
    if watch.repeated is not None:
        assert watch.repeated in [hash(name) for name in ids if ids.count(name) > 1]


def test_many_different_ids_raise_no_alarm_and_few_are_held() -> None:
    watch = RepeatWatch(most=1000)
    for block in range(50):
        watch.add([f"case {block} {k}" for k in range(997)])
    assert not watch.found
    assert sum(map(len, watch._kept)) <= 1000


def test_a_repeat_before_ids_were_thinned_out_is_not_forgotten() -> None:
    watch = RepeatWatch(most=10)
    watch.add(["twice", "twice"])
    for block in range(50):
        watch.add([f"case {block} {k}" for k in range(10)])
    assert watch.repeated == hash("twice")


def test_a_file_that_holds_everything_twice_is_found_out_by_the_few_that_are_followed() -> None:
    watch = RepeatWatch(most=1000)
    for _ in range(2):
        for block in range(20):
            watch.add([f"case {block} {k}" for k in range(997)])
    assert watch.found
