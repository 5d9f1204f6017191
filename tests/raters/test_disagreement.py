"""The two disagreement rates of the 2008 paper."""

from __future__ import annotations

from math import isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.errors import InputError
from jurybox.raters.agreement import cross_tabulate
from jurybox.raters.pairs import disagreement_rates

EXTRANEOUS, WRONG_CHOICE, OK = range(3)
#: Tetreault and Chodorow 2008, Table 3
TABLE_3 = [[17, 0, 6], [1, 42, 20], [4, 33, 1213]]


def test_disagreement_rates_of_tetreault_and_chodorow_2008_section_5_2() -> None:
    first, second = disagreement_rates(TABLE_3, errors=(EXTRANEOUS, WRONG_CHOICE))
    assert (first.denied, first.errors) == (26, 86)
    assert first.rate == pytest.approx(0.302, abs=5e-4)
    assert (second.denied, second.errors) == (37, 97)
    assert second.rate == pytest.approx(0.381, abs=5e-4)


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), max_size=40))
def test_rates_are_those_counted_case_by_case_unknown_left_out(
    labels: list[tuple[int, int]],
) -> None:
    table = cross_tabulate([list(pair) for pair in labels] or [[-1, -1]], labels=3)[0, 1]
    first, second = disagreement_rates(table, errors=[0], ok=[1])
    for rates, pairs in ((first, labels), (second, [(b, a) for a, b in labels])):
        others = [other for own, other in pairs if own == 0 and other in (0, 1)]
        assert rates.errors == len(others)
        assert rates.denied == others.count(1)
        assert isnan(rates.rate) if not others else rates.rate == others.count(1) / len(others)


def test_a_rater_without_errors_has_no_rate_and_it_says_why() -> None:
    first, second = disagreement_rates([[0, 0], [3, 5]], errors=[0])
    assert isnan(first.rate)
    assert "first rater calls no case an error" in first.reason
    assert (second.rate, second.reason) == (1, "")


@pytest.mark.parametrize(
    ("table", "errors", "ok"),
    [
        ([[1, 2]], [0], None),
        ([1, 2], [0], None),
        ([[1, 2], [3, 4]], [2], None),
        ([[1, 2], [3, 4]], [0], [0]),
        ([[1, 2], [3, 4]], [0], [-1]),
    ],
)
def test_labels_that_are_not_in_the_table_are_refused(
    table: list[list[int]], errors: list[int], ok: list[int] | None
) -> None:
    with pytest.raises(InputError, match=r"square|places"):
        disagreement_rates(table, errors, ok)
