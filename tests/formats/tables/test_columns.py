"""Columns that grow by chunks."""

from __future__ import annotations

import tracemalloc
from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.formats.tables import _columns
from jurybox.formats.tables._columns import GrowingColumn


@given(
    st.lists(st.one_of(st.lists(st.integers(0, 99), max_size=7), st.integers(0, 20)), max_size=12),
    st.sampled_from("Id"),
)
def test_a_column_holds_what_an_array_would_wherever_chunks_end(
    blocks: list[list[int] | int], typecode: str
) -> None:
    column: GrowingColumn[float] = GrowingColumn(typecode)
    expected: array[float] = array(typecode)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_columns, "CHUNK", 4)
        for block in blocks:
            if isinstance(block, int):
                column.extend_by_same(5, block)
                expected.extend([5] * block)
            else:
                column.extend(array(typecode, block))
                expected.extend(block)
            assert len(column) == len(expected)
        whole = column.whole()
    assert whole == expected
    assert whole.typecode == typecode
    assert len(column) == 0


def test_a_column_that_grows_leaves_no_copy_of_itself_behind() -> None:
    block = array("I", range(1 << 16))
    column: GrowingColumn[int] = GrowingColumn("I")
    tracemalloc.start()
    try:
        for _ in range(160):  # 40 MB, ten chunks
            column.extend(block)
        growing = tracemalloc.get_traced_memory()[1]
        whole = column.whole()
        made = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    size = len(whole) * whole.itemsize
    # full chunks are memory of their own, which is not traced; they leave as the whole one grows
    assert growing < size / 4
    assert made < 1.2 * size
