"""Groups of like cases: equal rows are together, others apart."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from jurybox.jury import grouping
from jurybox.jury.grouping import group_cases

rows = st.lists(
    st.tuples(st.integers(-1, 1), st.floats(0, 1).map(lambda x: round(x, 1)), st.integers(0, 3)),
    max_size=20,
)


@given(table=rows, largest=st.sampled_from([1, 10, 2**62]))
def test_two_cases_share_a_group_exactly_if_their_rows_are_equal(
    table: list[tuple[int, float, int]], largest: int
) -> None:
    columns: list[NDArray[np.generic]] = [
        np.array([row[0] for row in table], dtype=np.int8),
        np.array([row[1] for row in table], dtype=np.float64),
        np.array([row[2] for row in table], dtype=np.int64),
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grouping, "LARGEST_KEY", largest)
        groups = group_cases(columns)
    names: dict[int, tuple[int, float, int]] = {}
    for row, group in zip(table, groups.of_case.tolist(), strict=True):
        assert names.setdefault(group, row) == row
    assert len(set(names.values())) == len(names) == len(groups.sizes)
    assert [table[i] for i in groups.example] == [names[g] for g in range(len(names))]
    assert [names[g] for g in range(len(names))] == sorted(names.values())
    assert groups.sizes.tolist() == [table.count(names[g]) for g in range(len(names))]
