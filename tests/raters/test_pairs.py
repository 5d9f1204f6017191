"""All pairs of raters: both ways of counting against tables of each two, and self-agreement."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given

from jurybox.raters import pairs as module
from jurybox.raters.agreement import MISSING, cohen_kappa
from jurybox.raters.cohen import confusion_table
from jurybox.raters.pairs import Pairs, agree_in_pairs, agree_with_self, average_pairs
from jurybox.raters.ratings import CodeArray, Ratings, ratings_from_codes
from made_ratings import LABELS, code_tables, random_ratings

WAYS = {"listed": 0, "products": 10**12}


def check_each_pair(found: Pairs, codes: CodeArray) -> None:
    places = {(int(a), int(b)): i for i, (a, b) in enumerate(zip(*found[:2], strict=True))}
    for a, b in combinations(range(codes.shape[1]), 2):
        table = confusion_table(codes[:, a], codes[:, b], LABELS)
        assert ((a, b) in places) == bool(table.sum())
        if table.sum():
            place = places[a, b]
            one = cohen_kappa(table)
            assert found.cases[place] == table.sum()
            assert found.observed[place] == pytest.approx(one.observed)
            assert found.expected[place] == pytest.approx(one.expected)
            assert found.kappa[place] == pytest.approx(one.value, nan_ok=True)
            assert bool(one.reason) == np.isnan(found.kappa[place])


@pytest.mark.parametrize("way", WAYS)
@given(codes=code_tables)
@pytest.mark.slow
def test_every_pair_has_the_kappa_of_its_own_table(way: str, codes: CodeArray) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "STEPS_PER_PAIR", WAYS[way])
        check_each_pair(agree_in_pairs(ratings_from_codes(codes, LABELS)), codes)


def test_blocks_of_raters_pairs_and_cases_leave_no_seam(monkeypatch: pytest.MonkeyPatch) -> None:
    ratings, _ = random_ratings(1, 60, 11, labels=LABELS)
    whole = agree_in_pairs(ratings)
    monkeypatch.setattr(module, "CELLS_AT_ONCE", 70)
    monkeypatch.setattr(module, "PAIRS_AT_ONCE", 13)
    for steps, cells in product(WAYS.values(), (0, module.TABLE_CELLS)):
        monkeypatch.setattr(module, "STEPS_PER_PAIR", steps)
        monkeypatch.setattr(module, "TABLE_CELLS", cells)
        for one, other in zip(agree_in_pairs(ratings)[:6], whole[:6], strict=True):
            assert one == pytest.approx(other, nan_ok=True)


def test_order_of_judgments_does_not_matter() -> None:
    ratings, _ = random_ratings(2, 50, 6, labels=LABELS)
    order = np.random.default_rng(0).permutation(len(ratings))
    shuffled = Ratings(
        ratings.case[order],
        ratings.rater[order],
        ratings.label[order],
        ratings.cases,
        ratings.raters,
        ratings.labels,
        ratings.row[order],
    )
    for one, other in zip(agree_in_pairs(shuffled)[:6], agree_in_pairs(ratings)[:6], strict=True):
        assert one.tolist() == pytest.approx(other.tolist(), nan_ok=True)


def test_raters_who_never_met_have_no_pair_and_the_mean_says_why() -> None:
    codes = np.array([[0, MISSING], [MISSING, 1]])
    found = agree_in_pairs(ratings_from_codes(codes, 2))
    assert len(found.first) == 0
    assert average_pairs(found).reason == "no two raters judged the same case"


def test_mean_leaves_out_pairs_without_kappa_and_counts_them() -> None:
    codes = np.array([[0, 0, 0], [0, 0, 1]])
    found = average_pairs(agree_in_pairs(ratings_from_codes(codes, 2)))
    assert (found.pairs, found.undefined, found.kappa) == (3, 1, 0.0)
    assert found.agreement == pytest.approx(2 / 3)


def made_twice() -> Ratings:
    """Ann judges case 0 three times (1, 1, 0) and case 1 once; Bob judges case 1 twice (0, 0)."""
    rows = [(0, 0, 1), (1, 1, 0), (0, 0, 1), (1, 0, 1), (0, 0, 0), (1, 1, 0)]
    case, rater, label = np.array(rows).T
    return Ratings(case, rater, label, 2, ("Ann", "Bob"), ("e", "o"), np.arange(6))


def test_later_answers_of_a_rater_are_set_against_the_ones_before() -> None:
    found = agree_with_self(made_twice())
    assert (found.repeats.tolist(), found.same.tolist()) == ([2, 1], [1, 1])
    assert found.table.tolist() == [[1, 0], [1, 1]]
    assert found.pooled.value == pytest.approx(cohen_kappa([[1, 0], [1, 1]]).value)


def test_a_rater_is_no_pair_with_themselves() -> None:
    found = agree_in_pairs(made_twice())
    assert list(zip(found.first.tolist(), found.second.tolist(), strict=True)) == [(0, 1)]


def test_nobody_who_judged_twice_is_no_self_agreement_of_one() -> None:
    found = agree_with_self(ratings_from_codes(np.array([[0, 1]]), 2))
    assert found.pooled.reason == "no rater judged a case twice"
