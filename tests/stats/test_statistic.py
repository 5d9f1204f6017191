"""Statistics: scores of resamples are the scores of the resamples written out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.errors import InputError, LengthError
from jurybox.metrics import gleu
from jurybox.metrics.choice import choose, totals
from jurybox.metrics.measures import precision_recall_f
from jurybox.model import Counts, CountsTable
from jurybox.stats import statistic
from jurybox.stats.statistic import EditScore, GleuScore, Statistic
from made_tables import expanded, gleu_table, random_table, sentences_of, table_of

EDIT_SCORES = [
    EditScore(metric=metric, rule=rule, beta=beta)
    for metric in ("m2", "errant")
    for rule in ("running", "sentence")
    for beta in (0.5, 1.0)
]
GLEU_SCORES = [GleuScore(draws=20), GleuScore(references="expected")]


def scores_of(table: CountsTable, how: EditScore) -> tuple[float, float, float]:
    added = totals(table, choose(table, metric=how.metric, rule=how.rule, beta=how.beta))
    return precision_recall_f(Counts(**added), beta=how.beta)


def bootstrap_weights(rng: np.random.Generator, resamples: int, n: int) -> np.ndarray:
    return np.stack([np.bincount(rng.integers(0, n, n), minlength=n) for _ in range(resamples)])


@pytest.mark.parametrize("how", EDIT_SCORES, ids=str)
def test_resampled_edit_scores_are_those_of_the_written_out_resample(how: EditScore) -> None:
    rng = np.random.default_rng(8)
    tables = [random_table(rng, 60, annotators) for annotators in (1, 2, 4)]
    weights = bootstrap_weights(rng, 5, 60)
    found = how.bootstrap(tables, weights)
    assert found.shape == (3, 3, 5)
    for system, table in enumerate(tables):
        for resample, times in enumerate(weights):
            expected = scores_of(expanded(table, times), how)
            assert tuple(found[:, system, resample].tolist()) == expected


@pytest.mark.parametrize("how", EDIT_SCORES, ids=str)
def test_weights_of_one_give_the_observed_edit_scores(how: EditScore) -> None:
    table = random_table(np.random.default_rng(9), 80, 3)
    once = np.ones((1, 80), dtype=np.uint8)
    assert how.bootstrap([table], once)[:, 0, 0].tolist() == how.observed([table])[:, 0].tolist()
    assert how.observed([table])[:, 0].tolist() == list(scores_of(table, how))


@pytest.mark.parametrize("how", [*EDIT_SCORES, *GLEU_SCORES], ids=str)
def test_exchanging_nothing_or_everything_gives_the_same_two_scores(how: Statistic) -> None:
    rng = np.random.default_rng(10)
    make = gleu_table if isinstance(how, GleuScore) else random_table
    a, b = make(rng, 30, 3), make(rng, 30, 3)
    scores = how.randomise(a, b, np.array([[False] * 30, [True] * 30]))
    observed = how.observed([a, b])
    assert scores[:, :, 0] == pytest.approx(observed, rel=1e-12)
    assert scores[:, ::-1, 1] == pytest.approx(observed, rel=1e-12)


def test_sentence_rule_exchanges_the_rows_chosen_by_hand() -> None:
    a = table_of([(1, 0, 0)], [(0, 1, 1)], [(1, 1, 0)])
    b = table_of([(0, 0, 1)], [(1, 0, 0)], [(0, 2, 1)])
    swaps = np.array([[True, False, False], [False, True, True]])
    precision = EditScore(rule="sentence").randomise(a, b, swaps)[0]
    # first resample: a holds (0 0 1)(0 1 1)(1 1 0), b holds (1 0 0)(1 0 0)(0 2 1)
    assert precision.tolist() == [[1 / 3, 2 / 4], [2 / 4, 1 / 3]]


def test_leaving_a_sentence_out_is_scoring_without_it() -> None:
    how = EditScore(rule="sentence")  # choices stay, so the shortened table chooses the same
    table = random_table(np.random.default_rng(11), 12, 2)
    found = how.leave_one_out(table)
    for left_out in range(12):
        rest = [rows for i, rows in enumerate(sentences_of(table)) if i != left_out]
        assert found[:, left_out].tolist() == list(scores_of(table_of(*rest), how))


edit_totals = st.tuples(*[st.integers(0, 9)] * 3)


@given(st.lists(edit_totals, min_size=1), st.sampled_from([0.5, 1.0, 0.3]))
def test_scores_of_arrays_are_the_measures_of_each_element(
    rows: list[tuple[int, int, int]], beta: float
) -> None:
    found = statistic.precision_recall_f_arrays(np.array(rows, dtype=float).T, beta)
    assert [tuple(column) for column in found.T.tolist()] == [
        precision_recall_f(Counts(*row), beta=beta) for row in rows
    ]


def test_no_gold_at_all_has_the_scorers_conventions_and_no_warning() -> None:
    nothing = table_of([(0, 0, 0)], [(0, 0, 0)])
    proposals = table_of([(0, 1, 0)], [(0, 2, 0)])
    weights = np.array([[1, 1], [2, 0]])
    for rule in ("running", "sentence"):
        scores = EditScore(rule=rule).bootstrap([nothing, proposals], weights)
        assert scores[:, 0].tolist() == [[1, 1]] * 3
        assert scores[:, 1].tolist() == [[0, 0], [1, 1], [0, 0]]


# GLEU


def slow_gleu_draws(table: CountsTable, weights: np.ndarray, draws: int) -> float:
    scores = []
    for rows in gleu.draw_rows(table, draws=draws):
        scores.append(
            gleu.score_from_totals(
                {
                    name: float(sum(weights * np.array(table.values[name])[rows]))
                    for name in table.columns
                }
            )
        )
    return sum(scores) / draws


def check_draws(tables: list[CountsTable], weights: np.ndarray) -> None:
    found = GleuScore(draws=30).bootstrap(tables, weights)
    expected = [[slow_gleu_draws(table, times, 30) for times in weights] for table in tables]
    assert found[0] == pytest.approx(np.array(expected), rel=1e-12)


@pytest.mark.parametrize("references", [1, 3])
def test_resampled_gleu_is_the_mean_over_the_official_draws(references: int) -> None:
    rng = np.random.default_rng(12)
    tables = [gleu_table(rng, 25, references) for _ in range(2)]
    check_draws(tables, bootstrap_weights(rng, 4, 25))


def test_systems_with_different_numbers_of_references_draw_their_own() -> None:
    rng = np.random.default_rng(13)
    tables = [gleu_table(rng, 25, references) for references in (1, 2, 4)]
    check_draws(tables, bootstrap_weights(rng, 3, 25))


def test_resampled_expected_gleu_is_that_of_the_written_out_resample() -> None:
    rng = np.random.default_rng(14)
    table = gleu_table(rng, 25, 3)
    weights = bootstrap_weights(rng, 5, 25)
    found = GleuScore(references="expected").bootstrap([table], weights)[0, 0]
    expected = [gleu.score_expected(expanded(table, times)) for times in weights]
    assert found == pytest.approx(np.array(expected), rel=1e-12)


def test_observed_gleu_is_the_score_of_the_whole_table() -> None:
    tables = [gleu_table(np.random.default_rng(seed), 30, 3) for seed in (15, 16)]
    drawn, expected = GleuScore().observed(tables)[0], GleuScore("expected").observed(tables)[0]
    assert drawn == pytest.approx([gleu.score_draws(table).score for table in tables], rel=1e-12)
    assert expected == pytest.approx([gleu.score_expected(table) for table in tables], rel=1e-12)


def test_too_many_draws_to_keep_are_drawn_as_they_are_needed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tables = [gleu_table(np.random.default_rng(seed), 30, 3) for seed in (15, 16)]
    kept = GleuScore(draws=50).observed(tables)
    monkeypatch.setattr(statistic, "CELLS", 30 * 50 - 1)
    assert GleuScore(draws=50).observed(tables) == pytest.approx(kept, rel=1e-12)


def test_exchanged_gleu_is_that_of_the_exchanged_sentences() -> None:
    rng = np.random.default_rng(17)
    a, b = gleu_table(rng, 20, 3), gleu_table(rng, 20, 3)
    swap = rng.random(20) < 0.5
    pairs = list(zip(sentences_of(a), sentences_of(b), swap, strict=True))
    mixed = [
        table_of(*(second if s else first for first, second, s in pairs), columns=a.columns),
        table_of(*(first if s else second for first, second, s in pairs), columns=a.columns),
    ]
    for how in GLEU_SCORES:
        found = how.randomise(a, b, swap[np.newaxis])[0, :, 0]
        assert found == pytest.approx(how.observed(mixed)[0], rel=1e-12)


def test_leaving_a_sentence_out_of_expected_gleu_is_scoring_without_it() -> None:
    how = GleuScore(references="expected")
    table = gleu_table(np.random.default_rng(18), 10, 3)
    found = how.leave_one_out(table)[0]
    for left_out in range(10):
        rest = [rows for i, rows in enumerate(sentences_of(table)) if i != left_out]
        expected = gleu.score_expected(table_of(*rest, columns=table.columns))
        assert found[left_out] == pytest.approx(expected, rel=1e-9)


def test_leaving_a_sentence_out_of_drawn_gleu_keeps_the_other_draws() -> None:
    table = gleu_table(np.random.default_rng(19), 10, 3)
    found = GleuScore(draws=15).leave_one_out(table)[0]
    for left_out in range(10):
        weights = np.array([int(i != left_out) for i in range(10)])
        assert found[left_out] == pytest.approx(slow_gleu_draws(table, weights, 15), rel=1e-12)


def test_what_rounding_leaves_of_a_sum_is_no_overlap() -> None:
    # thirds do not add up exactly: without its only 4-gram match a system scores 0, not a little
    rows = [[(4, 4, 4, 4, 3, 3, 2, 2, n, 1) for n in (0, 0, 1)]] + [
        [(4, 4, 4, 4, 3, 3, 2, 2, 0, 1)] * 3
    ] * 5
    table = table_of(*rows, columns=gleu.COLUMNS)
    found = GleuScore(references="expected").leave_one_out(table)[0]
    assert found[0] == 0
    assert (found[1:] > 0).all()


def test_gleu_in_small_parts_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(21)
    a, b = gleu_table(rng, 20, 3), gleu_table(rng, 20, 3)
    weights = bootstrap_weights(rng, 7, 20)
    swaps = rng.random((7, 20)) < 0.5
    how = GleuScore(draws=11)
    whole = how.bootstrap([a, b], weights), how.randomise(a, b, swaps)
    monkeypatch.setattr(statistic, "RESAMPLES_AT_ONCE", 3)
    monkeypatch.setattr(statistic, "DRAWS_AT_ONCE", 4)
    assert how.bootstrap([a, b], weights) == pytest.approx(whole[0], rel=1e-12)
    assert how.randomise(a, b, swaps) == pytest.approx(whole[1], rel=1e-12)


def test_double_precision_takes_over_where_single_would_round(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(22)
    table = gleu_table(rng, 20, 2)
    weights = bootstrap_weights(rng, 3, 20)
    single = GleuScore(draws=5).bootstrap([table], weights)
    monkeypatch.setattr(statistic, "EXACT_IN_SINGLE", 0)
    assert (GleuScore(draws=5).bootstrap([table], weights) == single).all()


# bad input


@pytest.mark.parametrize("how", [EditScore(), EditScore(rule="sentence")], ids=str)
def test_systems_of_different_length_are_refused(how: EditScore) -> None:
    short, long = table_of([(1, 0, 0)]), table_of([(1, 0, 0)], [(1, 0, 0)])
    with pytest.raises(LengthError, match="system 1 has 1 sentences where 2 are needed"):
        how.bootstrap([short, long], np.ones((3, 2), dtype=int))
    with pytest.raises(LengthError, match="system 2 has 2 sentences where 1 are needed"):
        how.randomise(short, long, np.zeros((3, 1), dtype=bool))


def test_counts_of_another_metric_are_refused() -> None:
    edits = table_of([(1, 0, 0)])
    once = np.ones((1, 1), dtype=int)
    for how in GLEU_SCORES:
        with pytest.raises(InputError, match="not those of GLEU"):
            how.observed([edits])
        with pytest.raises(InputError, match="not those of GLEU"):
            how.bootstrap([edits], once)
        with pytest.raises(InputError, match="not those of GLEU"):
            how.leave_one_out(edits)
    words = gleu_table(np.random.default_rng(23), 1, 1)
    with pytest.raises(InputError, match="hyp_len"):
        EditScore().bootstrap([words], once)


def test_gleu_of_no_sentences_is_refused() -> None:
    with pytest.raises(InputError, match="no sentences"):
        GleuScore().observed([table_of(columns=gleu.COLUMNS)])


def test_a_sentence_without_reference_is_named() -> None:
    table = table_of([(4, 4, 4, 4, 3, 3, 2, 2, 1, 1)], [], columns=gleu.COLUMNS)
    with pytest.raises(InputError, match="sentence 2 has no reference"):
        GleuScore().bootstrap([table], np.ones((1, 2), dtype=int))


def test_an_unknown_way_with_references_or_score_is_refused() -> None:
    with pytest.raises(InputError, match="did you mean 'expected'"):
        GleuScore(references="expect")
    with pytest.raises(InputError, match="did you mean 'precision'"):
        statistic.place_of("precison", EditScore().names)
