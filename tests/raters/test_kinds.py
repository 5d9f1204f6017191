"""People and models: kept apart, and what models change."""

from __future__ import annotations

from math import isnan

import numpy as np
import pytest

from jurybox.errors import LengthError
from jurybox.raters.agree.subgroups import find_model_effect, fit_to_people
from jurybox.raters.agreement import MISSING, krippendorff_alpha, observed_agreement
from jurybox.raters.pairs import agree_in_pairs
from jurybox.raters.ratings import label_counts, ratings_from_codes, split_kinds
from made_ratings import random_ratings

KINDS = ["human", "human", "human", "model", "model"]


def test_without_kinds_everybody_is_a_person_and_models_change_nothing() -> None:
    ratings, _ = random_ratings(1, 30, 4)
    split = split_kinds(ratings, None)
    assert len(split.people) == len(ratings)
    assert len(split.models) == 0
    found = find_model_effect(split)
    assert found.krippendorff_alpha["people"] == found.krippendorff_alpha["added"]
    assert found.undefined == {"replaced": "no case was judged by two raters"}
    assert isnan(found.between)
    assert (found.changed_by_adding, found.cases_replacing) == (0, 0)


def test_models_are_not_among_peoples_judgments() -> None:
    ratings, _ = random_ratings(2, 40, 5)
    split = split_kinds(ratings, KINDS)
    assert set(split.people.rater.tolist()) == {0, 1, 2}
    assert set(split.models.rater.tolist()) == {3, 4}
    with pytest.raises(LengthError, match="5 raters, but 1 kinds"):
        split_kinds(ratings, ["human"])


def test_shares_within_and_between_kinds_are_those_of_their_pairs() -> None:
    ratings, _ = random_ratings(3, 50, 5, labels=3)
    found = find_model_effect(split_kinds(ratings, KINDS))
    pairs = agree_in_pairs(ratings)
    agreed = pairs.observed * pairs.cases
    models = (pairs.first >= 3).astype(int) + (pairs.second >= 3)
    for number, share in enumerate((found.within_people, found.between, found.within_models)):
        mine = models == number
        assert share == pytest.approx(agreed[mine].sum() / pairs.cases[mine].sum())


def test_adding_and_replacing_count_labels_that_would_change() -> None:
    codes = np.array(
        [
            [0, 0, 1, 1, 1],  # added: 1 instead of 0; replaced: 1
            [0, 0, 0, 1, 1],  # added: still 0; replaced: 1
            [1, 1, 1, 0, 1],  # added: still 1; models are tied
            [1, 1, MISSING, MISSING, MISSING],  # no model
        ]
    )
    found = find_model_effect(split_kinds(ratings_from_codes(codes, 2), KINDS))
    assert (found.cases_adding, found.changed_by_adding) == (4, 1)
    assert (found.cases_replacing, found.changed_by_replacing) == (2, 2)
    people = label_counts(ratings_from_codes(codes[:, :3], 2))
    assert found.krippendorff_alpha["people"] == krippendorff_alpha(people).value


def test_fit_compares_each_rater_with_the_other_people() -> None:
    codes = np.array([[0, 0, 1, 0, 1], [1, 1, 1, 1, MISSING]])
    agreement, pairs = fit_to_people(split_kinds(ratings_from_codes(codes, 2), KINDS))
    assert agreement.tolist() == [3 / 4, 3 / 4, 2 / 4, 5 / 6, 1 / 3]
    assert pairs.tolist() == [4, 4, 4, 6, 3]


def test_fit_of_people_averages_to_their_observed_agreement() -> None:
    ratings, _ = random_ratings(4, 40, 4, seen=1.0)
    agreement, _ = fit_to_people(split_kinds(ratings, None))
    assert agreement.mean() == pytest.approx(observed_agreement(label_counts(ratings)).value)
