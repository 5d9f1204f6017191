"""Equations 1 to 3 of Bryant and Ng (2015), subsets drawn at random, and what is left out."""

from __future__ import annotations

from itertools import combinations
from math import comb, isnan, sqrt

import numpy as np
import pytest
from made_tables import random_table, table_of

from jurybox.model import CountsTable
from jurybox.stats.ceiling import (
    CeilingScores,
    Subsets,
    pairwise,
    ratio_of,
    resample_ceiling,
    score_ceiling,
    spread_over,
    take_subsets,
    without_each,
)
from jurybox.stats.resample import bootstrap_weights
from jurybox.stats.statistic import EditScore
from jurybox.stats.subsets import score_subsets

SCORE = EditScore()


def made_panel(
    annotators: int = 4, systems: int = 2
) -> tuple[list[CountsTable], list[CountsTable]]:
    rng = np.random.default_rng(annotators)
    tables = [random_table(rng, 30, annotators, skill=0.6) for _ in range(annotators + systems)]
    return tables[:annotators], tables[annotators:]


def all_subsets(annotators: int, sizes: list[int]) -> Subsets:
    return take_subsets(annotators, sizes, most=10_000, rng=np.random.default_rng(1))


def f_of(table: CountsTable, members: tuple[int, ...]) -> float:
    mask = np.zeros((1, len(table.annotators)), dtype=bool)
    mask[0, list(members)] = True
    return float(score_subsets(table, mask, SCORE).scores[2, 0])


def test_the_means_are_those_of_the_equations() -> None:
    people, systems = made_panel()
    subsets = all_subsets(4, [1, 2, 3])
    scored = score_ceiling(people, systems, subsets, SCORE)
    for size in (1, 2, 3):
        g = []
        s = []
        for x in combinations(range(4), size):
            outside = [a for a in range(4) if a not in x]
            g.append(sum(f_of(people[a], x) for a in outside) / len(outside))
            s.append(f_of(systems[1], x))
        part = subsets.of(size)
        assert spread_over(scored.human()[part], comb(4, size)).mean == pytest.approx(np.mean(g))
        assert scored.systems[1, part].mean() == pytest.approx(np.mean(s))


def test_nobody_is_scored_against_a_set_they_are_in() -> None:
    people, systems = made_panel()
    subsets = all_subsets(4, [1, 2, 3])
    scored = score_ceiling(people, systems, subsets, SCORE)
    assert np.array_equal(np.isnan(scored.people), subsets.members.T)


def test_all_sets_are_taken_once_where_there_are_few_enough() -> None:
    subsets = all_subsets(10, list(range(1, 10)))
    assert len(subsets.members) == 2**10 - 2
    assert len(np.unique(subsets.members, axis=0)) == 2**10 - 2
    assert subsets.combinations[5] == 252


def test_sets_drawn_at_random_differ_have_their_size_and_come_again_with_the_seed() -> None:
    def draw(seed: int) -> Subsets:
        return take_subsets(50, [1, 25, 48], most=200, rng=np.random.default_rng(seed))

    drawn = draw(1)
    assert [len(drawn.of(size)) for size in (1, 25, 48)] == [50, 200, 200]
    assert len(np.unique(drawn.members, axis=0)) == 450
    assert drawn.combinations[25] == comb(50, 25)
    assert np.array_equal(drawn.members, draw(1).members)
    assert not np.array_equal(drawn.members, draw(2).members)


def test_drawing_almost_all_sets_ends() -> None:
    drawn = take_subsets(8, [4], most=69, rng=np.random.default_rng(0))
    assert len(np.unique(drawn.members, axis=0)) == 69


def test_sets_are_drawn_evenly() -> None:
    drawn = take_subsets(20, [10], most=4000, rng=np.random.default_rng(7))
    shares = drawn.members.mean(axis=0)
    assert abs(shares - 0.5).max() < 4 * 0.5 / sqrt(4000)


def test_the_standard_error_of_a_sample_is_what_samples_differ_by() -> None:
    rng = np.random.default_rng(4)
    everything = rng.normal(0.5, 0.1, 400)
    samples = [rng.choice(everything, 100, replace=False) for _ in range(2000)]
    errors = [spread_over(sample, 400).standard_error for sample in samples]
    actual = np.std([sample.mean() for sample in samples])
    assert np.mean(errors) == pytest.approx(actual, rel=0.05)
    assert spread_over(everything, 400).standard_error == 0


def test_the_error_of_a_ratio_is_what_samples_differ_by() -> None:
    rng = np.random.default_rng(6)
    human = rng.normal(0.6, 0.05, 500)
    system = 0.7 * human + rng.normal(0, 0.02, 500)
    picks = [rng.choice(500, 100, replace=False) for _ in range(2000)]
    ratios = [ratio_of(system[pick], human[pick], 500) for pick in picks]
    actual = np.std([ratio.value for ratio in ratios])
    assert np.mean([ratio.standard_error for ratio in ratios]) == pytest.approx(actual, rel=0.06)


def test_what_is_undefined_is_counted_and_left_out() -> None:
    spread = spread_over(np.array([0.25, np.nan, 0.75]), 3)
    assert (spread.mean, spread.subsets, spread.undefined) == (0.5, 3, 1)
    nothing = spread_over(np.array([np.nan]), 1)
    assert isnan(nothing.mean)
    assert nothing.undefined == 1
    assert isnan(ratio_of(np.array([0.5]), np.array([0.0]), 1).value)


def test_people_without_edits_against_nobodys_edits_score_1_and_are_told() -> None:
    empty, some = table_of([(0, 0, 0), (0, 0, 0)]), table_of([(0, 1, 0), (0, 0, 0)])
    scored = score_ceiling([empty, some], [], all_subsets(2, [1]), SCORE)
    assert scored.people[0, 1] == 1.0
    assert scored.people[1, 0] == 0.0
    assert scored.empty.tolist() == [[False, True], [False, False]]


def test_a_system_is_scored_only_against_sets_that_a_person_is_scored_against() -> None:
    # annotators 0 and 1 look at the first sentence, annotator 2 at the second alone
    def table(*rows: tuple[int, tuple[int, int, int]]) -> CountsTable:
        made = CountsTable(annotators=["0", "1", "2"])
        for sentence in (0, 1):
            made.append([row for row in rows if (row[0] == 2) == (sentence == 1)])
        return made

    right, wrong = (1, 0, 0), (0, 1, 1)
    people = [table((0, right), (1, right)), table((0, right), (1, right)), table((2, right))]
    system = table((0, right), (1, right), (2, wrong))
    scored = score_ceiling(people, [system], all_subsets(3, [1]), SCORE)
    assert scored.systems[0].tolist()[:2] == [1.0, 1.0]
    assert isnan(scored.systems[0, 2])  # nobody else looked at the second sentence
    ratio = ratio_of(scored.systems[0], scored.human(), 3)
    assert ratio.value == 1.0


def test_leaving_an_annotator_out_leaves_them_out_as_person_and_as_reference() -> None:
    people, systems = made_panel(5)
    subsets = all_subsets(5, [1, 2, 3, 4])
    scored = score_ceiling(people, systems, subsets, SCORE)
    human, others = without_each(scored)
    assert np.isnan(human[:, 3]).all()
    rest = [0, 1, 3, 4]  # without annotator 2
    for place, size in enumerate((1, 2, 3)):
        g = []
        for x in combinations(rest, size):
            outside = [a for a in rest if a not in x]
            g.append(np.mean([f_of(people[a], x) for a in outside]))
        assert human[2, place] == pytest.approx(np.mean(g))
        expected = np.mean([f_of(systems[0], x) for x in combinations(rest, size)])
        assert others[0, 2, place] == pytest.approx(expected)


def test_resampled_curves_are_the_means_of_resampled_scores() -> None:
    people, systems = made_panel()
    subsets = all_subsets(4, [1, 3])
    scored = score_ceiling(people, systems, subsets, SCORE)
    weights = bootstrap_weights(30, 20, np.random.default_rng(2))
    weights[0] = 1
    drawn = resample_ceiling(people, systems, scored, SCORE, weights)
    assert drawn.human.shape == (2, 20)
    assert drawn.systems.shape == (2, 2, 20)
    for place, size in enumerate((1, 3)):
        part = subsets.of(size)
        assert drawn.human[place, 0] == pytest.approx(scored.human()[part].mean())
        assert drawn.systems[1, place, 0] == pytest.approx(scored.systems[1, part].mean())
    assert drawn.human[0].std() > 0


def test_pairwise_scores_are_those_of_one_reference() -> None:
    people, _ = made_panel(3, 0)
    found = pairwise(dict(zip("abc", people, strict=True)), SCORE)
    assert (found.hypotheses, found.annotators) == (("a", "b", "c"), ("0", "1", "2"))
    assert found.scores[2, 1, 2] == f_of(people[1], (2,))


def test_the_human_score_of_a_set_is_the_mean_over_those_who_have_one() -> None:
    subsets = all_subsets(3, [1])
    people = np.array([[np.nan, 0.2, np.nan], [0.4, np.nan, np.nan], [0.8, 0.4, np.nan]])
    nothing = np.zeros(people.shape, dtype=bool)
    human = CeilingScores(subsets, people, np.empty((0, 3)), nothing).human()
    assert human[:2] == pytest.approx([0.6, 0.3])
    assert isnan(human[2])
