"""Scores against subsets of annotators are those of a table that never had the others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.errors import InputError
from jurybox.metrics import gleu
from jurybox.metrics.choice import choose, totals
from jurybox.metrics.measures import precision_recall_f
from jurybox.model import Counts, CountsTable
from jurybox.stats.resample import bootstrap_weights
from jurybox.stats.statistic import EditScore, GleuScore
from jurybox.stats.subsets import as_bits, resample_subsets, score_subsets, walk_subsets
from made_tables import Row, doubled_row, edit_row, gleu_table, random_table, table_of

BETAS = (0.5, 1.0, 2.0, 0.3, 0.7, 0.001)


def every_subset(annotators: int) -> np.ndarray:
    numbers = np.arange(1, 2**annotators)
    return (numbers[:, np.newaxis] >> np.arange(annotators) & 1).astype(bool)


def restricted(table: CountsTable, members: Sequence[bool]) -> CountsTable:
    """The table as if the others had never annotated; sentences nobody is left in are gone."""
    part = CountsTable(columns=table.columns, annotators=table.annotators)
    for sentence in range(len(table)):
        rows = [row for row in table.rows(sentence) if members[table.annotator[row]]]
        if rows:
            part.append(
                (table.annotator[row], [table.values[name][row] for name in table.columns])
                for row in rows
            )
    return part


def slow_scores(table: CountsTable, members: Sequence[bool], score: EditScore) -> tuple[float, ...]:
    part = restricted(table, members)
    rows = choose(part, metric=score.metric, rule=score.rule, beta=score.beta)
    return precision_recall_f(Counts(**totals(part, rows)), beta=score.beta)


@st.composite
def gappy_tables(draw: st.DrawFn, rows: st.SearchStrategy[Row], annotators: int = 4) -> CountsTable:
    """Tables in which some annotators have not looked at some sentences, or nobody has."""
    table = CountsTable(annotators=[str(i) for i in range(annotators)])
    for _ in range(draw(st.integers(1, 6))):
        who = draw(st.lists(st.booleans(), min_size=annotators, max_size=annotators))
        table.append((i, draw(rows)) for i, looked in enumerate(who) if looked)
    return table


@pytest.mark.parametrize("metric", ["m2", "errant"])
@pytest.mark.parametrize("rule", ["running", "sentence"])
@given(data=st.data())
def test_every_subset_scores_as_if_the_others_had_never_annotated(
    metric: str, rule: str, data: st.DataObject
) -> None:
    beta = data.draw(st.sampled_from(BETAS))
    table = data.draw(gappy_tables(edit_row | doubled_row))
    score = EditScore(metric=metric, rule=rule, beta=beta)
    members = every_subset(4)
    found = score_subsets(table, members, score)
    for place, subset in enumerate(members):
        left = restricted(table, subset)
        assert found.sentences[place] == len(left)
        if len(left):
            assert tuple(found.scores[:, place]) == slow_scores(table, subset, score)
        else:
            assert np.isnan(found.scores[:, place]).all()


@pytest.mark.parametrize("metric", ["m2", "errant"])
def test_long_tables_and_many_annotators_score_the_same_as_one_subset_at_a_time(
    metric: str,
) -> None:
    rng = np.random.default_rng(5)
    table = random_table(rng, sentences=300, annotators=70)  # more than a machine word has bits
    members = rng.random((12, 70)) < rng.random((12, 1))
    members[:, 69] = True
    score = EditScore(metric=metric)
    found = score_subsets(table, members, score)
    for place, subset in enumerate(members):
        assert tuple(found.scores[:, place]) == slow_scores(table, subset, score)


def test_candidates_that_tie_in_everything_go_to_the_annotator_who_comes_first() -> None:
    # fp + 0.25·fn is the same for both, so MaxMatch cannot tell them apart, but P and R can
    table = table_of([(0, 5, 5)], [(2, 3, 0), (2, 2, 4)])
    both = np.array([[True, True]])
    assert walk_subsets(table, both, EditScore()).totals[:, 0].tolist() == [2, 8, 5]
    swapped = table_of([(0, 5, 5)], [(2, 2, 4), (2, 3, 0)])
    assert walk_subsets(swapped, both, EditScore()).totals[:, 0].tolist() == [2, 7, 9]


@pytest.mark.parametrize("references", [1, 2, 5])
def test_gleu_of_a_subset_is_the_official_score_with_these_references(references: int) -> None:
    table = gleu_table(np.random.default_rng(references), 12, references)
    members = every_subset(references)
    found = score_subsets(table, members, GleuScore(draws=20)).scores[0]
    expected = score_subsets(table, members, GleuScore("expected")).scores[0]
    for place, subset in enumerate(members):
        part = restricted(table, subset)
        assert found[place] == pytest.approx(gleu.score_draws(part, draws=20).score, abs=1e-12)
        assert expected[place] == pytest.approx(gleu.score_expected(part), abs=1e-12)


def test_gleu_draws_among_those_who_looked_at_a_sentence() -> None:
    rng = np.random.default_rng(3)
    whole = gleu_table(rng, 10, 3)
    part = CountsTable(columns=whole.columns, annotators=whole.annotators)
    for sentence in range(10):
        rows = [row for row in whole.rows(sentence) if sentence < 6 or whole.annotator[row] != 1]
        part.append(
            (whole.annotator[row], [whole.values[name][row] for name in whole.columns])
            for row in rows
        )
    everybody = np.ones((1, 3), dtype=bool)
    (found,) = score_subsets(part, everybody, GleuScore(draws=20)).scores[0]
    assert found == pytest.approx(gleu.score_draws(part, draws=20).score, abs=1e-12)


def test_a_resample_keeps_the_choice_and_a_resample_of_everything_once_is_the_score() -> None:
    rng = np.random.default_rng(8)
    table = random_table(rng, sentences=40, annotators=3)
    members = every_subset(3)
    weights = bootstrap_weights(40, 5, rng)
    weights[0] = 1
    score = EditScore()
    drawn = resample_subsets(table, members, score, weights)
    assert drawn.shape == (7, 5)
    assert np.array_equal(drawn[:, 0], score_subsets(table, members, score).scores[2])
    for place, subset in enumerate(members):
        part = restricted(table, subset)
        rows = choose(part)
        for resample, times in enumerate(weights):
            counts = [
                sum(int(w) * part.values[name][row] for w, row in zip(times, rows, strict=True))
                for name in ("tp", "fp", "fn")
            ]
            assert drawn[place, resample] == precision_recall_f(Counts(*counts))[2]


def test_a_resample_of_gleu_averages_the_references() -> None:
    rng = np.random.default_rng(9)
    table = gleu_table(rng, 15, 3)
    members = every_subset(3)
    weights = np.ones((2, 15), dtype=np.uint8)
    weights[1, 7:] = 0
    drawn = resample_subsets(table, members, GleuScore(), weights)
    assert drawn[:, 0] == pytest.approx(
        score_subsets(table, members, GleuScore("expected")).scores[0]
    )
    first_half = table.select(range(7))
    for place, subset in enumerate(members):
        expected = gleu.score_expected(restricted(first_half, subset))
        assert drawn[place, 1] == pytest.approx(expected, abs=1e-12)


def test_only_pairs_without_any_edit_are_empty() -> None:
    table = table_of([(0, 0, 0), (0, 0, 1)], [(0, 0, 0), (0, 0, 0)])
    found = score_subsets(table, every_subset(2), EditScore())
    assert found.empty.tolist() == [True, False, True]
    assert found.scores[2].tolist() == [1.0, 0.0, 1.0]


def test_subsets_that_do_not_fit_the_table_are_refused() -> None:
    table = table_of([(0, 0, 0), (0, 0, 1)])
    with pytest.raises(InputError, match="subsets of 3 annotators"):
        score_subsets(table, every_subset(3), EditScore())
    with pytest.raises(InputError, match="empty"):
        score_subsets(table, np.zeros((1, 2), dtype=bool), EditScore())


def test_bits_beyond_one_word_are_kept() -> None:
    members = np.zeros((1, 130), dtype=bool)
    members[0, [0, 62, 63, 129]] = True
    words = [int(word) for word in as_bits(members)[0]]
    assert words == [1 | 1 << 62, 1, 1 << (129 - 126)]
