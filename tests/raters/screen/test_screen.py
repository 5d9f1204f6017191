"""Screening: gold records, pace, one label, spammers, rules, and what dropping changes."""

from __future__ import annotations

from math import comb, isnan, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.errors import LengthError, UsageError
from jurybox.raters.aggregate.methods import estimate_dawid_skene
from jurybox.raters.agreement import MISSING, krippendorff_alpha
from jurybox.raters.ratings import label_counts, ratings_from_codes
from jurybox.raters.screen import Rule
from jurybox.raters.screen.screening import (
    binomial_tail,
    check_gold,
    compare_without,
    dropped_by,
    find_one_label,
    measure_pace,
    spammer_scores,
)
from made_ratings import right_labels

RULE = Rule(min_gold=3, min_judgments=10, fast=1 / 3)

trials = st.integers(0, 30).flatmap(
    lambda n: st.tuples(st.integers(0, n), st.just(n), st.floats(0, 1))
)


@given(st.lists(trials, min_size=1, max_size=5))
def test_binomial_tail_is_the_sum_of_its_terms(given_: list[tuple[int, int, float]]) -> None:
    hits, n, p = zip(*given_, strict=True)
    found = binomial_tail(np.array(hits), np.array(n), np.array(p))
    for k, size, rate, tail in zip(hits, n, p, found, strict=True):
        terms = [comb(size, j) * rate**j * (1 - rate) ** (size - j) for j in range(k, size + 1)]
        assert tail == pytest.approx(sum(terms) if size else nan, abs=1e-9, nan_ok=True)


def test_guessing_the_common_answer_is_no_skill() -> None:
    """Nine of ten gold cases are 0: who always says 0 has accuracy .9 and is at chance."""
    truth = np.array([0] * 18 + [1] * 2)
    lazy, good = np.zeros(20, dtype=int), truth
    ratings = ratings_from_codes(np.stack([lazy, good], axis=1), 2)
    gold = right_labels(truth)
    found = check_gold(ratings, gold, np.ones(20, dtype=bool))
    assert found.accuracy.tolist() == [0.9, 1.0]
    assert found.guess.tolist() == [0.9, 0.9]
    flags = dropped_by(RULE.replace(chance_level=0.2), gold=found)
    assert flags["chance"].tolist() == [True, False]
    assert flags["inaccurate"].tolist() == [False, False]


def test_raters_with_too_few_gold_answers_are_not_judged_by_them() -> None:
    ratings = ratings_from_codes(np.array([[1, 1], [1, MISSING], [1, MISSING]]), 2)
    gold = right_labels(np.array([0, 0, 0]))
    found = check_gold(ratings, gold, np.ones(3, dtype=bool))
    assert dropped_by(RULE, gold=found)["inaccurate"].tolist() == [True, False]


def test_a_rater_who_met_no_gold_case_has_no_accuracy_and_the_trust_of_the_others() -> None:
    ratings = ratings_from_codes(np.array([[0, MISSING], [0, 1]]), 2)
    gold = np.array([[True, False], [False, False]])
    found = check_gold(ratings, gold, np.array([True, False]))
    assert isnan(found.accuracy[1])
    assert isnan(found.p_value[1])
    assert found.trust[1] == pytest.approx(2 / 3)


def test_fast_raters_are_told_by_the_median_of_their_times() -> None:
    codes = np.zeros((4, 3), dtype=int)
    seconds = np.array([[9, 1, 12], [11, 1, nan], [10, 60, nan], [10, 2, 10]]).ravel()
    ratings = ratings_from_codes(codes, 1)
    pace = measure_pace(ratings, seconds)
    assert pace.median.tolist() == [10.0, 1.5, 11.0]
    assert pace.typical == 10
    assert pace.timed.tolist() == [4, 4, 2]
    assert dropped_by(RULE, pace=pace)["fast"].tolist() == [False, True, False]
    with pytest.raises(LengthError, match="12 judgments, but 1 times"):
        measure_pace(ratings, np.array([1.0]))


@given(st.lists(st.tuples(st.integers(0, 2), st.floats(0, 100)), min_size=1, max_size=30))
def test_every_raters_pace_is_the_median_of_their_times(given_: list[tuple[int, float]]) -> None:
    who, seconds = (np.array(column) for column in zip(*given_, strict=True))
    codes = np.full((len(who), 3), MISSING)
    codes[np.arange(len(who)), who] = 0
    pace = measure_pace(ratings_from_codes(codes, 1), seconds)
    for rater in set(who.tolist()):
        assert pace.median[rater] == pytest.approx(np.median(seconds[who == rater]))


def test_raters_without_times_are_not_fast() -> None:
    pace = measure_pace(ratings_from_codes(np.array([[0]]), 1), np.array([nan]))
    assert isnan(pace.typical)
    assert dropped_by(RULE, pace=pace)["fast"].tolist() == [False]


def test_one_label_only_is_suspicious_where_others_use_both_and_not_where_it_is_common() -> None:
    rng = np.random.default_rng(0)
    for share, suspicious in ((0.5, True), (0.97, False)):
        codes = (rng.random((12, 8)) > share).astype(int)
        codes[:, 0] = 0
        found = find_one_label(ratings_from_codes(codes, 2))
        assert dropped_by(RULE, one_label=found)["same"][0] == suspicious


def test_spammer_score_of_two_labels_is_the_squared_youden_index() -> None:
    """Raykar and Yu 2012: (sensitivity + specificity - 1)²."""
    confusion = np.array([[[0.9, 0.1], [0.3, 0.7]], [[0.4, 0.6], [0.4, 0.6]]])
    assert spammer_scores(confusion) == pytest.approx([0.36, 0.0])
    assert np.isnan(spammer_scores(np.ones((2, 1, 1)))).all()


def test_spammer_score_of_many_labels_is_the_mean_squared_distance_of_rows() -> None:
    rng = np.random.default_rng(1)
    matrix = rng.dirichlet(np.ones(4), size=4)
    rows = [(a, b) for a in range(4) for b in range(a + 1, 4)]
    expected = sum(((matrix[a] - matrix[b]) ** 2).sum() for a, b in rows) / 12
    assert spammer_scores(matrix[np.newaxis]) == pytest.approx([expected])


def test_spammers_are_found_without_gold() -> None:
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 3, 600)
    codes = np.where(
        rng.random((600, 6)) < 0.85, truth[:, np.newaxis], (truth[:, np.newaxis] + 1) % 3
    )
    codes[:, 4] = rng.integers(0, 3, 600)  # at random
    codes[:, 5] = 2  # always the same
    ratings = ratings_from_codes(codes, 3)
    scores = spammer_scores(estimate_dawid_skene(ratings).confusion)
    flags = dropped_by(RULE, one_label=find_one_label(ratings), spammer_scores=scores)
    assert flags["spammer"].tolist() == [False] * 4 + [True] * 2
    unknown = np.zeros((600, 3), dtype=bool)
    names = [f"c{case}" for case in range(600)]
    changed = compare_without(ratings, flags["spammer"], names, unknown, unknown[:, 0])
    assert changed.before.judgments - changed.after.judgments == 1200
    assert changed.after.alpha > changed.before.alpha + 0.2
    alone = krippendorff_alpha(label_counts(ratings_from_codes(codes[:, :4], 3)))
    assert changed.after.alpha == alone.value


def test_labels_that_change_and_cases_that_lose_theirs_are_listed() -> None:
    codes = np.array(
        [
            [0, 1, 1, 1, 1],  # 1 wins 4 to 1, then a tie
            [0, 0, 1, 1, MISSING],  # a tie, then 0
            [0, 0, 0, 1, 1],  # stays
            [MISSING, MISSING, 1, 1, 1],  # nobody is left
            [0, 0, 1, 1, 1],  # 1, then 0
        ]
    )
    unknown = np.zeros((5, 2), dtype=bool)
    dropped = np.arange(5) >= 2
    ratings = ratings_from_codes(codes, 2)
    found = compare_without(ratings, dropped, "abcde", unknown, unknown[:, 0])
    assert (found.changed, found.lost, found.compared) == (("e",), ("a", "d"), 2)
    assert found.before.raters - found.after.raters == 3
    assert found.before.judgments - found.after.judgments == 14


def test_spammers_without_counts_are_refused() -> None:
    with pytest.raises(UsageError, match="give one_label"):
        dropped_by(RULE, spammer_scores=np.zeros(2))
