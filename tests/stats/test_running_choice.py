"""The running choice over many resamples at once is the running choice over each of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.metrics.choice import choose, totals
from jurybox.model import CountsTable
from jurybox.stats import running_choice
from made_tables import (
    doubled_row,
    edit_row,
    edit_tables,
    exchanged,
    expanded,
    random_table,
    table_of,
)

METRICS = ("m2", "errant")
#: 0.3 and 0.7 have squares that are no binary fractions: their ties hang on the last bit
BETAS = (0.5, 1.0, 2.0, 0.3, 0.7, 0.001)


def slow_totals(table: CountsTable, metric: str, beta: float) -> list[int]:
    return list(totals(table, choose(table, metric=metric, beta=beta)).values())


def fast_totals(
    tables: list[CountsTable], weights: np.ndarray, metric: str, beta: float
) -> np.ndarray:
    pool = running_choice.pool_candidates(tables, metric=metric, beta2=beta**2)
    steps = running_choice.bootstrap_steps(weights, systems=len(tables))
    walks = len(tables) * len(weights)
    found = running_choice.walk(pool, steps, walks, metric=metric, beta2=beta**2)
    return found.reshape(3, len(tables), len(weights))


@st.composite
def resampled(
    draw: st.DrawFn, rows: st.SearchStrategy[tuple[int, ...]]
) -> tuple[list[CountsTable], np.ndarray]:
    sentences = draw(st.integers(1, 7))
    tables = draw(st.lists(edit_tables(sentences, rows), min_size=1, max_size=3))
    weight_rows = st.lists(st.integers(0, 4), min_size=sentences, max_size=sentences)
    weights = draw(st.lists(weight_rows, min_size=1, max_size=4))
    return tables, np.array(weights, dtype=np.uint8)


def assert_every_walk_is_right(
    tables: list[CountsTable], weights: np.ndarray, metric: str, beta: float
) -> None:
    found = fast_totals(tables, weights, metric, beta)
    for system, table in enumerate(tables):
        for resample, times in enumerate(weights):
            assert found[:, system, resample].tolist() == slow_totals(
                expanded(table, times), metric, beta
            )


@given(resampled(edit_row), st.sampled_from(METRICS), st.sampled_from(BETAS))
def test_every_resample_chooses_as_if_it_were_written_out(
    drawn: tuple[list[CountsTable], np.ndarray], metric: str, beta: float
) -> None:
    assert_every_walk_is_right(*drawn, metric, beta)


@given(resampled(st.one_of(edit_row, doubled_row)), st.sampled_from(BETAS))
def test_more_correct_than_proposed_does_not_lose_the_right_candidate(
    drawn: tuple[list[CountsTable], np.ndarray], beta: float
) -> None:
    assert_every_walk_is_right(*drawn, "m2", beta)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("beta", [0.5, 0.7])
def test_totals_of_hundreds_of_sentences_choose_to_the_last_bit(metric: str, beta: float) -> None:
    rng = np.random.default_rng(20)
    tables = [random_table(rng, 400, annotators) for annotators in (2, 7)]
    weights = np.stack([np.bincount(rng.integers(0, 400, 400), minlength=400) for _ in range(6)])
    assert_every_walk_is_right(tables, weights, metric, beta)


@pytest.mark.parametrize("metric", METRICS)
def test_the_second_copy_of_a_sentence_may_choose_another_annotator(metric: str) -> None:
    # Before: 0 correct, 0 proposed, 1 gold. First copy: 1.25·1/1.5 = 1.25·2/3, a tie, more correct
    # wins. Second: 1.25·3/4.25 against 1.25·4/5.75, the other one wins.
    table = table_of([(0, 0, 1)], [(1, 0, 0), (2, 0, 1)])
    found = fast_totals([table], np.array([[1, 2]]), metric, beta=0.5)
    assert found[:, 0, 0].tolist() == [0 + 2 + 1, 0, 1 + 1 + 0]


def test_among_zeros_the_smaller_denominator_counts() -> None:
    table = table_of([(0, 1, 0), (0, 0, 1)])
    assert fast_totals([table], np.array([[1]]), "m2", beta=0.5)[:, 0, 0].tolist() == [0, 0, 1]


def test_a_beta_that_rounds_keeps_candidates_that_only_rounding_prefers() -> None:
    # beta 0.3: F of 4 correct is 1, of 3 correct 1.0000000000000002, though both are perfect
    table = table_of([(2, 0, 0)], [(2, 0, 0), (1, 0, 0)])
    assert list(choose(table, beta=0.3)) == [0, 2]
    assert fast_totals([table], np.array([[1, 1]]), "m2", beta=0.3)[:, 0, 0].tolist() == [3, 0, 0]


@given(
    st.integers(1, 6).flatmap(
        lambda n: st.tuples(
            edit_tables(n, edit_row),
            edit_tables(n, edit_row),
            st.lists(st.lists(st.booleans(), min_size=n, max_size=n), min_size=1, max_size=4),
        )
    ),
    st.sampled_from(METRICS),
)
def test_exchanged_systems_both_choose_anew(
    drawn: tuple[CountsTable, CountsTable, list[list[bool]]], metric: str
) -> None:
    a, b, swaps = drawn
    pool = running_choice.pool_candidates([a, b], metric=metric, beta2=0.25)
    steps = running_choice.swap_steps(np.array(swaps))
    found = running_choice.walk(pool, steps, 2 * len(swaps), metric=metric, beta2=0.25)
    for resample, swap in enumerate(swaps):
        for system, table in enumerate(exchanged(a, b, swap)):
            walk = system * len(swaps) + resample
            assert found[:, walk].tolist() == slow_totals(table, metric, 0.5)


def test_laying_out_walks_in_blocks_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    tables = [random_table(rng, 40, 3) for _ in range(2)]
    weights = rng.integers(0, 4, (5, 40))  # unlike a bootstrap: resamples of different lengths
    at_once = fast_totals(tables, weights, "m2", 0.5)
    for laid_out in (1, 15, 37):
        monkeypatch.setattr(running_choice, "LAID_OUT", laid_out)
        assert (fast_totals(tables, weights, "m2", 0.5) == at_once).all()


def test_candidates_that_cannot_win_are_left_out() -> None:
    table = table_of([(1, 2, 3), (1, 2, 2), (2, 2, 2), (0, 0, 1)], [(1, 1, 1)] * 3)
    pool = running_choice.pool_candidates([table], metric="m2", beta2=0.25)
    assert pool.size.tolist() == [2, 1, 1]  # the last is the empty sentence
    assert pool.counts.T.tolist() == [[2, 2, 2], [0, 0, 1], [1, 1, 1], [0, 0, 0]]


@given(st.lists(st.integers(0, 20000), min_size=1).map(lambda k: np.array(k) / 20000))
def test_half_a_unit_rounds_as_python_rounds(f: np.ndarray) -> None:
    assert running_choice.round_to_four_places(f).tolist() == [round(x, 4) for x in f.tolist()]


@given(st.lists(st.floats(0, 1), min_size=1).map(np.array))
def test_any_f_rounds_as_python_rounds(f: np.ndarray) -> None:
    assert running_choice.round_to_four_places(f).tolist() == [round(x, 4) for x in f.tolist()]
