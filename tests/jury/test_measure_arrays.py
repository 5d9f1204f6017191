"""Measures of many counts: the same numbers as jurybox.metrics.measures, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.errors import InputError, UsageError
from jurybox.jury.measure_arrays import as_counts, measure_array, measure_arrays
from jurybox.metrics.measures import MEASURES, Measure
from jurybox.model import Counts

amounts = st.integers(0, 5000) | st.integers(0, 2) | st.floats(0, 5000).map(lambda x: round(x, 3))
tables = st.lists(st.tuples(amounts, amounts, amounts, amounts), max_size=8)
every_measure = pytest.mark.parametrize("measure", MEASURES.values(), ids=lambda m: m.name)


@given(cells=tables, beta=st.sampled_from([0.5, 1.0, 2.0]))
def test_array_and_scalar_give_the_same_bits_and_the_same_gaps(
    cells: list[tuple[float, ...]], beta: float
) -> None:
    for name, measure in MEASURES.items():
        found = measure_array(name, np.reshape(cells, (-1, 4)), beta=beta)
        expected = [measure.value(Counts(*row), beta=beta) for row in cells]
        assert np.array_equal(found, np.array(expected), equal_nan=True), name


@every_measure
def test_measure_keeps_all_axes_but_the_last(measure: Measure) -> None:
    counts = np.arange(1.0, 25).reshape(2, 3, 4)
    assert measure_array(measure.name, counts).shape == (2, 3)
    assert measure_array(measure.name, counts[0, 0]).shape == ()


def test_several_measures_come_in_the_order_of_their_names() -> None:
    found = measure_arrays(["recall", "precision"], [[12, 18, 28, 42]])
    assert found.tolist() == [[0.3], [0.4]]


def test_counts_keep_whole_numbers_whole() -> None:
    counts = as_counts(np.array([1, 2, 3, 4]))
    assert counts == Counts(1, 2, 3, 4)
    assert isinstance(counts.tp, int)


def test_unknown_measure_bad_beta_and_wrong_shape_are_refused() -> None:
    with pytest.raises(InputError, match="did you mean 'recall'"):
        measure_array("recal", [[1, 1, 1, 1]])
    with pytest.raises(UsageError, match="beta must lie between"):
        measure_array("f_beta", [[1, 1, 1, 1]], beta=0)
    with pytest.raises(InputError, match=r"\[\.\.\., 4\]"):
        measure_array("recall", [[1, 1, 1]])


def test_shares_that_add_up_to_a_hair_less_than_two_cases_are_two_cases() -> None:
    counts = Counts(tp=0.3, fp=0.3, fn=1.2, tn=0.2)
    assert counts.tp + counts.fp + counts.fn + counts.tn < 2
    measure = MEASURES["krippendorff_alpha"]
    assert measure.why_undefined(counts) == ""
    cells = [counts.tp, counts.fp, counts.fn, counts.tn]
    assert measure.value(counts) == measure_array("krippendorff_alpha", [cells])[0]
    assert measure.why_undefined(Counts(tp=1, fp=0.5))


@pytest.mark.parametrize("beta", [1e200, 1e155, 1001])
def test_a_beta_beyond_all_use_is_refused_here_and_there(beta: float) -> None:
    for compute in (
        lambda: MEASURES["f_beta"].value(Counts(tp=1, fp=1, fn=1), beta=beta),
        lambda: measure_array("f_beta", [[1, 1, 1, 1]], beta=beta),
    ):
        with pytest.raises(UsageError, match="beta must lie between"):
            compute()
