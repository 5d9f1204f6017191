"""Equations 1 to 3 of Bryant and Ng (2015), subsets drawn at random, and what is left out."""

from __future__ import annotations

from itertools import combinations, product
from math import comb, isnan, sqrt

import numpy as np
import pytest

from jurybox.ceiling.scores import (
    ScoredTexts,
    Subsets,
    pairwise,
    ratio_of,
    resample_ceiling,
    score_ceiling,
    spread_over,
    take_subsets,
    without_each,
)
from jurybox.model import CountsTable
from jurybox.stats.resample import bootstrap_weights
from jurybox.stats.statistic import EditScore
from jurybox.stats.subsets import BoolArray, resample_subsets, score_subsets
from made_tables import random_table, table_of

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
    assert np.array_equal(np.isnan(scored.people.scores), subsets.members.T)


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
    actual = np.std([ratio for ratio, _ in ratios])
    assert np.mean([error for _, error in ratios]) == pytest.approx(actual, rel=0.06)


def test_what_is_undefined_is_counted_and_left_out() -> None:
    spread = spread_over(np.array([0.25, np.nan, 0.75]), 3)
    assert (spread.mean, spread.undefined) == (0.5, 1)
    nothing = spread_over(np.array([np.nan]), 1)
    assert isnan(nothing.mean)
    assert nothing.undefined == 1
    assert isnan(ratio_of(np.array([0.5]), np.array([0.0]), 1)[0])


def test_people_without_edits_against_nobodys_edits_score_1_and_are_told() -> None:
    empty, some = table_of([(0, 0, 0), (0, 0, 0)]), table_of([(0, 1, 0), (0, 0, 0)])
    scored = score_ceiling([empty, some], [], all_subsets(2, [1]), SCORE).people
    assert scored.scores[0, 1] == 1.0
    assert scored.scores[1, 0] == 0.0
    assert scored.empty.tolist() == [[False, True], [False, False]]


def gappy_panel(seed: int) -> tuple[list[CountsTable], CountsTable, BoolArray]:
    """Four people who looked at some of 40 sentences each, a system, and who looked at what."""
    rng = np.random.default_rng(seed)
    looked = rng.random((40, 4)) < 0.6
    whole = [random_table(rng, 40, 4, skill=0.6) for _ in range(5)]
    tables = []
    for number, table in enumerate(whole):
        made = CountsTable(annotators=table.annotators)
        for sentence in range(40):
            written = number == 4 or looked[sentence, number]
            made.append(
                (table.annotator[row], [table.values[name][row] for name in table.columns])
                for row in table.rows(sentence)
                if written and looked[sentence, table.annotator[row]]
            )
        tables.append(made)
    return tables[:4], tables[4], looked


def test_with_gaps_a_system_meets_the_references_each_person_meets() -> None:
    people, system, looked = gappy_panel(1)
    subsets = all_subsets(4, [2])
    scored = score_ceiling(people, [system], subsets, SCORE)
    for place, members in enumerate(subsets.members):
        outside = [a for a in range(4) if not members[a]]
        expected = [
            f_of(system.only(looked[:, a].tolist()), tuple(np.flatnonzero(members)))
            for a in outside
        ]
        assert scored.systems[0, place] == pytest.approx(np.mean(expected))


def test_a_copy_of_a_person_is_as_good_as_that_person_whatever_was_skipped() -> None:
    people, _, _ = gappy_panel(2)
    scored = score_ceiling(people, [people[0]], all_subsets(4, [1, 2, 3]), SCORE)
    own = scored.people.scores[0]
    row = scored.others[0].scores[0]
    assert np.array_equal(own, row, equal_nan=True)


def test_resamples_with_gaps_are_means_over_whom_they_leave() -> None:
    people, system, _ = gappy_panel(3)
    subsets = all_subsets(4, [1, 2])
    scored = score_ceiling(people, [system], subsets, SCORE)
    weights = bootstrap_weights(40, 6, np.random.default_rng(5))
    weights[1] = 0
    weights[1, 7] = 40  # one sentence alone, which some did not look at
    human, _ = resample_ceiling(scored, SCORE, weights)
    for place, size in enumerate((1, 2)):
        for resample, times in enumerate(weights):
            means = []
            for x in subsets.of(size):
                members = subsets.members[x][np.newaxis]
                scores = [
                    resample_subsets(people[a], members, SCORE, times[np.newaxis])[0, 0]
                    for a in range(4)
                    if not members[0, a]
                ]
                known = [score for score in scores if not isnan(score)]
                means += [np.mean(known)] if known else []
            expected = np.mean(means) if means else np.nan
            assert human[place, resample] == pytest.approx(expected, nan_ok=True)


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
    human, others = resample_ceiling(scored, SCORE, weights)
    assert human.shape == (2, 20)
    assert others.shape == (2, 2, 20)
    for place, size in enumerate((1, 3)):
        part = subsets.of(size)
        assert human[place, 0] == pytest.approx(scored.human()[part].mean())
        assert others[1, place, 0] == pytest.approx(scored.systems[1, part].mean())
    assert human[0].std() > 0


def test_pairwise_scores_are_those_of_one_reference() -> None:
    people, _ = made_panel(3, 0)
    found = list(pairwise(dict(zip("abc", people, strict=True)), SCORE))
    assert [one[:2] for one in found] == list(product("abc", "012"))
    assert found[5][2][2] == f_of(people[1], (2,))  # b by 2


def test_the_human_score_of_a_set_is_the_mean_over_those_who_have_one() -> None:
    scores = np.array([[np.nan, 0.2, np.nan], [0.4, np.nan, np.nan], [0.8, 0.4, np.nan]])
    human = ScoredTexts(
        (), (), scores, np.zeros(scores.shape, dtype=bool), scores[np.newaxis]
    ).mean()
    assert human[:2] == pytest.approx([0.6, 0.3])
    assert isnan(human[2])
