"""One label per case: majority and its ties, gold weights, Dawid and Skene, and accuracy."""

from __future__ import annotations

from dataclasses import replace
from math import isnan, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.errors import InputError, UsageError
from jurybox.raters.aggregate.methods import (
    aggregate,
    check_against_gold,
    count_gold_answers,
    estimate_dawid_skene,
    label_by_posterior,
    trust,
    vote_by_gold,
)
from jurybox.raters.agreement import MISSING
from jurybox.raters.majority import Ties, take_majority, ties_named
from jurybox.raters.ratings import (
    CodeArray,
    FloatArray,
    Ratings,
    label_counts,
    ratings_from_codes,
    without_raters,
)
from made_ratings import LABELS, code_tables, random_ratings, right_labels

# --- majority ---


@given(st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), min_size=1, max_size=8))
def test_majority_is_the_label_most_raters_give_and_every_tie_is_told(
    rows: list[list[int]],
) -> None:
    found = take_majority(np.array(rows), Ties("drop"))
    for row, label, tied, share in zip(rows, *found[:1], found.tied, found.confidence, strict=True):
        top = [k for k, count in enumerate(row) if count == max(row)]
        assert tied == (len(top) > 1 and sum(row) > 0)
        if sum(row) and len(top) == 1:
            assert label == top[0]
            assert share == row[label] / sum(row)
        else:
            assert label == MISSING
            assert isnan(share)
    assert found.unjudged == sum(not any(row) for row in rows)


def test_ties_are_settled_as_their_policy_says() -> None:
    votes = np.array([[0, 2, 2], [1, 1, 1], [3, 0, 0]])
    assert take_majority(votes, Ties("first")).label.tolist() == [1, 0, 0]
    assert take_majority(votes, Ties("drop")).label.tolist() == [MISSING, MISSING, 0]
    assert take_majority(votes, Ties("label", 0)).label.tolist() == [0, 0, 0]
    lots = np.random.default_rng(0).random(6000)
    drawn = take_majority(np.tile(votes[0], (6000, 1)), Ties("random"), lots)
    assert np.bincount(drawn.label, minlength=3) / 6000 == pytest.approx([0, 0.5, 0.5], abs=0.03)


def test_random_ties_need_lots_and_unknown_policies_are_refused() -> None:
    with pytest.raises(UsageError, match="give lots"):
        take_majority(np.array([[1, 1]]), Ties("random"))
    with pytest.raises(UsageError, match="did you mean 'error'"):
        ties_named("eror", ["error", "ok"])


# --- gold-weighted ---


def gold_ratings() -> tuple[Ratings, CodeArray]:
    """Rater 0 is always right, 1 and 2 are always wrong; four gold cases and one without."""
    return ratings_from_codes(np.array([[0, 1, 1], [1, 0, 0]] * 2 + [[0, 1, 1]]), 2), np.array(
        [0, 1, 0, 1]
    )


def test_raters_who_are_wrong_on_gold_vote_for_the_other_label() -> None:
    ratings, truth = gold_ratings()
    gold = np.zeros((5, 2), dtype=bool)
    gold[:4] = right_labels(truth)
    found = aggregate(ratings, "gold-weighted", ties=Ties("drop"), gold=gold)
    assert found.labelling.label.tolist() == [0, 1, 0, 1, 0]
    assert found.weights is not None
    mean = (4 + 1) / (12 + 2)
    assert found.weights[0] == pytest.approx(log((4 + 2 * mean) / (2 - 2 * mean)))
    assert found.weights[1] == pytest.approx(log(2 * mean / (6 - 2 * mean)))
    # the last case has no gold: all answers count, and Bayes' rule gives the confidence
    score = found.weights[0] - 2 * found.weights[1]
    assert found.labelling.confidence[4] == pytest.approx(1 / (1 + np.exp(-score)))


def test_an_answer_does_not_weigh_in_its_own_favour() -> None:
    """One gold case each: without their own answer all raters weigh the same, and it is a tie."""
    ratings = ratings_from_codes(np.array([[0, 1]]), 2)
    gold = np.array([[True, False]])
    found = aggregate(ratings, "gold-weighted", ties=Ties("drop"), gold=gold)
    assert found.labelling.label.tolist() == [MISSING]
    assert found.labelling.tied.tolist() == [True]


def test_gold_answers_that_nobody_gave_make_everybody_wrong_there() -> None:
    ratings = ratings_from_codes(np.array([[0, 1], [0, 0]]), 2)
    gold = np.array([[False, False], [True, False]])
    found = count_gold_answers(ratings, gold, np.array([True, True]))
    assert (found.answers.tolist(), found.right.tolist()) == ([2, 2], [1, 1])
    assert trust(found, 2) == pytest.approx((1 + 2 * 3 / 6) / 4)


def test_gold_weights_without_gold_are_refused() -> None:
    ratings, _ = gold_ratings()
    with pytest.raises(InputError, match="known answers"):
        aggregate(ratings, "gold-weighted")
    with pytest.raises(InputError, match="no rater has a weight"):
        aggregate(ratings, "gold-weighted", gold=np.zeros((5, 2), dtype=bool))
    with pytest.raises(UsageError, match="majority, gold-weighted, dawid-skene"):
        aggregate(ratings, "glad")


# --- Dawid and Skene ---


def slow_dawid_skene(codes: CodeArray, labels: int, rounds: int) -> FloatArray:
    """Dawid and Skene (1979), equations 2.3 to 2.5, one product at a time."""
    cases, raters = codes.shape
    given = [[[float(c == k) for k in range(labels)] for c in row] for row in codes.tolist()]
    truth: FloatArray = np.array(given).sum(axis=1)
    truth /= truth.sum(axis=1, keepdims=True)
    for _ in range(rounds):
        prior = truth.mean(axis=0)
        habits = np.full((raters, labels, labels), 1 / labels)
        for r in range(raters):
            for k in range(labels):
                cells = [
                    sum(truth[i, k] for i in range(cases) if codes[i, r] == l)
                    for l in range(labels)
                ]
                if sum(cells) > 0:
                    habits[r, k] = np.array(cells) / sum(cells)
        for i in range(cases):
            for k in range(labels):
                truth[i, k] = prior[k] * np.prod(
                    [habits[r, k, codes[i, r]] for r in range(raters) if codes[i, r] != MISSING]
                )
        truth /= truth.sum(axis=1, keepdims=True)
    return truth


@pytest.mark.parametrize("labels", [2, 4])
def test_posteriors_are_those_of_the_equations_worked_out_one_by_one(labels: int) -> None:
    ratings, _ = random_ratings(6, 40, 5, labels=labels, seen=0.8)
    codes = np.full((ratings.cases, 5), MISSING)
    codes[ratings.case, ratings.rater] = ratings.label
    judged = (codes != MISSING).any(axis=1)
    found = estimate_dawid_skene(ratings, iterations=12, tolerance=0)
    assert found.iterations == 12
    assert not found.converged
    expected = slow_dawid_skene(codes[judged], labels, 12)
    assert found.posterior[judged] == pytest.approx(expected, abs=1e-9)
    assert np.isnan(found.posterior[~judged]).all()


def test_the_likelihood_never_falls_and_the_estimate_stands_still() -> None:
    ratings, _ = random_ratings(7, 200, 8, labels=3)
    before = -np.inf
    for rounds in (1, 2, 4, 8, 16, 32):
        found = estimate_dawid_skene(ratings, iterations=rounds, tolerance=0)
        assert found.log_likelihood >= before - 1e-9
        before = found.log_likelihood
    assert estimate_dawid_skene(ratings, iterations=5000).converged


@given(st.lists(st.integers(0, 3), min_size=2, max_size=8))
def test_raters_who_are_all_alike_get_the_majority(zeros: list[int]) -> None:
    """Every way to give the votes to raters occurs once, so no rater differs from another."""
    rows = []
    for votes in [*zeros, *(3 - vote for vote in zeros)]:
        for turn in range(3):
            rows.append([0 if (place + turn) % 3 < votes else 1 for place in range(3)])
    ratings = ratings_from_codes(np.array(rows), 2)
    found = estimate_dawid_skene(ratings)
    by_model = label_by_posterior(found.posterior, Ties("drop")).label
    by_votes = take_majority(label_counts(ratings), Ties("drop")).label
    assert by_model.tolist() == by_votes.tolist()


@given(code_tables, st.permutations(range(LABELS)))
def test_names_of_labels_and_order_of_cases_do_not_matter(
    codes: CodeArray, names: list[int]
) -> None:
    if not (codes != MISSING).any():
        return
    renamed = np.where(codes == MISSING, MISSING, np.array(names)[codes])[::-1]
    one = estimate_dawid_skene(ratings_from_codes(codes, LABELS), iterations=5).posterior
    other = estimate_dawid_skene(ratings_from_codes(renamed, LABELS), iterations=5).posterior
    assert other[::-1][:, names] == pytest.approx(one, abs=1e-6, nan_ok=True)


def test_better_raters_are_told_from_worse_ones_without_gold() -> None:
    rng = np.random.default_rng(11)
    truth = rng.integers(0, 2, 1500)
    skill = np.array([0.9, 0.9, 0.6, 0.6, 0.55])
    codes = np.where(rng.random((1500, 5)) < skill, truth[:, np.newaxis], 1 - truth[:, np.newaxis])
    ratings = ratings_from_codes(codes, 2)
    found = aggregate(ratings, "dawid-skene", ties=Ties("first"))
    assert found.model is not None
    diagonal = found.model.confusion[:, [0, 1], [0, 1]].mean(axis=1)
    assert diagonal == pytest.approx(skill, abs=0.05)
    gold, everywhere = right_labels(truth), np.ones(1500, dtype=bool)
    votes = aggregate(ratings, ties=Ties("first"))
    by_model = check_against_gold(found.labelling.label, gold, everywhere).value
    assert by_model > check_against_gold(votes.labelling.label, gold, everywhere).value + 0.03


def test_nothing_to_estimate_from_and_impossible_options_are_refused() -> None:
    ratings, _ = random_ratings(8, 5, 3)
    nobody = without_raters(ratings, np.ones(3, dtype=bool))
    with pytest.raises(InputError, match="no judgment"):
        estimate_dawid_skene(nobody)
    with pytest.raises(UsageError, match="from 0 up"):
        estimate_dawid_skene(ratings, smoothing=-1)
    with pytest.raises(UsageError, match="at least 1 iteration"):
        estimate_dawid_skene(ratings, iterations=0)


def test_accuracy_without_gold_is_undefined_and_not_zero() -> None:
    nothing = np.zeros((2, 2), dtype=bool)
    found = check_against_gold(np.array([0, 1]), nothing, nothing.any(axis=1).astype(bool))
    assert isnan(found.value)
    assert found.cases == 0


def test_a_rater_added_without_judgments_changes_nothing() -> None:
    ratings, _ = random_ratings(9, 60, 4)
    more = replace(ratings, raters=(*ratings.raters, "new"))
    one, other = (estimate_dawid_skene(each).posterior for each in (ratings, more))
    assert one == pytest.approx(other, nan_ok=True)


def test_one_label_alone_has_weights_that_are_numbers() -> None:
    ratings = ratings_from_codes(np.zeros((3, 2), dtype=int), 1)
    gold = np.ones((3, 1), dtype=bool)
    known = np.ones(3, dtype=bool)
    labelling, weights = vote_by_gold(ratings, gold, known, ties=Ties("drop"))
    assert labelling.label.tolist() == [0, 0, 0]
    assert np.isfinite(weights).all()
