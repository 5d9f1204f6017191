"""Stability: Madnani's 7 of 15 judges, every flip gone through by hand, and raters drawn anew."""

from __future__ import annotations

from itertools import product
from math import sqrt

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from jurybox.errors import InputError, UsageError
from jurybox.jury.rater_bootstrap import resample_raters
from jurybox.jury.stability import KINDS, Movement, change_raters, flip_one, flip_one_each
from jurybox.jury.votes import BoolArray, LabelArray, Votes, count_votes, error_share, majority
from jurybox.jury.weighted import (
    contributions,
    detection_counts,
    measure_counts,
    weighted_counts,
)
from jurybox.metrics.measures import MEASURES, precision
from jurybox.model import Counts
from made_cases import decided_panels, judged, labels_of, votes_of

TIES = st.sampled_from(["ok", "error", "drop"])


def counts_of(votes: Votes, decided: LabelArray, kind: str, ties: str) -> Counts:
    truth = majority(votes, ties).truth if kind == "plain" else error_share(votes)
    return Counts(*contributions(decided, truth).sum(axis=1).tolist())


def flips(cases: list[str], case: int) -> list[tuple[float, list[str]]]:
    """Every flip of one judgment of a case, with its chance."""
    turned = {"e": "o", "o": "e"}
    places = [i for i, mark in enumerate(cases[case]) if mark in turned]
    found = []
    for i in places:
        marks = cases[case]
        flipped = marks[:i] + turned[marks[i]] + marks[i + 1 :]
        found.append((1 / len(places), [*cases[:case], flipped, *cases[case + 1 :]]))
    return found


# --- the paper's example ---


def test_8_instead_of_7_of_15_judges_move_plain_precision_15_times_as_far() -> None:
    # ten reports: nine clear errors and the contentious case
    votes = votes_of([15] * 9 + [7], [0] * 9 + [8])
    decided = labels_of([1] * 10)
    now = [
        measure_counts("precision", counts_of(votes, decided, kind, "ok")).value for kind in KINDS
    ]
    assert now == [pytest.approx(0.9), pytest.approx((9 + 7 / 15) / 10)]
    votes.errors[9], votes.oks[9] = 8, 7
    then = [precision(counts_of(votes, decided, kind, "ok")) for kind in KINDS]
    assert then[0] - now[0] == pytest.approx(0.1)
    assert then[1] - now[1] == pytest.approx(0.1 / 15)


def test_one_flip_shows_that_weighted_precision_is_steadier_on_contentious_cases() -> None:
    votes = votes_of([15] * 9 + [7], [0] * 9 + [8])
    found = flip_one(votes, labels_of([1] * 10))
    plain, weighted = (found.of("precision", kind) for kind in KINDS)
    assert [plain.low, plain.high] == pytest.approx([0.9, 1.0])
    # the contentious case is one of ten, and 8 of its 15 judgments move it over the half
    assert plain.typical == pytest.approx(sqrt(0.1 * 8 / 15) * 0.1)
    assert weighted.typical == pytest.approx(0.1 / 15)
    assert weighted.deviation < plain.deviation


def test_flips_in_unanimous_cases_shift_weighted_counts_and_leave_plain_ones() -> None:
    votes = votes_of([10] * 20 + [0] * 180, [0] * 20 + [10] * 180)
    decided = labels_of([1] * 20 + [0] * 180)
    found = flip_one_each(votes, decided, np.random.default_rng(0), 50)
    assert found.of("recall", "plain").typical == 0
    weighted = found.of("recall", "weighted")
    # 20 × .9 found, 180 × .1 missed: every flip goes the same way, none is chance
    assert weighted.mean == pytest.approx(0.5)
    assert weighted.deviation == pytest.approx(0, abs=1e-12)
    assert weighted.typical == pytest.approx(0.5)


# --- against going through all flips ---


@given(panel=decided_panels(), ties=TIES)
def test_one_flip_is_the_list_of_all_flips(panel: tuple[list[str], LabelArray], ties: str) -> None:
    cases, decided = panel
    votes = count_votes(judged(*cases), len(cases))
    counted = [i for i in range(len(cases)) if votes.deciding[i] and decided[i] >= 0]
    assume(counted)
    found = flip_one(votes, decided, ties=ties)
    every = [
        (chance / len(counted), count_votes(judged(*flipped), len(cases)))
        for case in counted
        for chance, flipped in flips(cases, case)
    ]
    for moved in found.movements:
        values = [
            (chance, MEASURES[moved.measure].value(counts_of(v, decided, moved.kind, ties)))
            for chance, v in every
        ]
        _check(
            moved,
            MEASURES[moved.measure].value(counts_of(votes, decided, moved.kind, ties)),
            values,
        )


def _check(moved: Movement, now: float, values: list[tuple[float, float]]) -> None:
    defined = [(chance, value) for chance, value in values if not np.isnan(value)]
    missing = 1 - sum(chance for chance, _ in defined)
    assert moved.undefined_share == pytest.approx(missing, abs=1e-9)
    assert moved.value == pytest.approx(now, nan_ok=True)
    if np.isnan(now) or not defined:
        assert moved.reason
        assert np.isnan([moved.mean, moved.deviation, moved.low, moved.high]).all()
        return
    chances, numbers = (np.array(column) for column in zip(*defined, strict=True))
    chances = chances / chances.sum()
    mean = chances @ numbers
    assert moved.mean == pytest.approx(mean)
    assert moved.deviation == pytest.approx(sqrt(chances @ (numbers - mean) ** 2), abs=1e-7)
    assert moved.typical == pytest.approx(sqrt(chances @ (numbers - now) ** 2), abs=1e-7)
    assert [moved.low, moved.high] == pytest.approx([numbers.min(), numbers.max()])


@settings(max_examples=30)
@given(
    cases=st.lists(st.sampled_from(["eoo", "eeo", "eee", "ooo", "eo."]), min_size=1, max_size=3),
    ties=TIES,
)
def test_expected_counts_of_a_flip_in_every_case_are_exact(cases: list[str], ties: str) -> None:
    votes = count_votes(judged(*cases), len(cases))
    decided = labels_of([1, 0, 1][: len(cases)])
    found = flip_one_each(votes, decided, np.random.default_rng(0), 10, ties=ties)
    assert found.expected is not None
    per_case = [
        [(chance, flipped[case]) for chance, flipped in flips(cases, case)]
        for case in range(len(cases))
    ]
    for kind in KINDS:
        expected = np.zeros(4)
        for way in product(*per_case):
            chance = np.prod([c for c, _ in way])
            other = count_votes(judged(*(marks for _, marks in way)), len(cases))
            counts = counts_of(other, decided, kind, ties)
            expected += chance * np.array([counts.tp, counts.fp, counts.fn, counts.tn])
        counts = found.expected[kind]
        assert [counts.tp, counts.fp, counts.fn, counts.tn] == pytest.approx(expected)


def test_drawn_flips_lie_around_the_expected_counts() -> None:
    rng = np.random.default_rng(3)
    errors = rng.integers(0, 11, 400).tolist()
    votes = votes_of(errors, [10 - number for number in errors])
    decided = labels_of(rng.integers(0, 2, 400).tolist())
    found = flip_one_each(votes, decided, rng, 2000)
    assert found.expected is not None
    for kind in KINDS:
        # bias cannot move, so the expected precision is nearly that of the expected counts
        expected = measure_counts("precision", found.expected[kind]).value
        moved = found.of("precision", kind)
        assert moved.mean == pytest.approx(expected, abs=4 * moved.deviation / sqrt(2000) + 1e-9)


def test_trivial_negatives_stay_as_they_are() -> None:
    votes = votes_of([3, 1, 0], [2, 4, 0])
    trivial: BoolArray = np.array([False, False, True])
    found = flip_one(votes, labels_of([1, 0, 1]), trivial=trivial, measures=["precision"])
    # two reports, the trivial one is always wrong; the other turns with the majority
    plain = found.of("precision", "plain")
    assert (plain.value, plain.low, plain.high) == (0.5, 0.0, 0.5)


def test_tied_cases_settled_at_random_are_half_an_error() -> None:
    found = flip_one(votes_of([1, 2], [1, 0]), labels_of([1, 1]), ties="random")
    assert found.of("precision", "plain").value == 0.75


# --- raters drawn anew ---


def test_change_of_raters_is_summed_up_for_both_kinds() -> None:
    cases = ["eeeo", "eeoo", "oooo", "eooo", "eeee"]
    table, decided = judged(*cases), labels_of([1, 1, 0, 1, 0])
    votes = count_votes(table, 5)
    drawn = resample_raters(table, [decided], np.random.default_rng(0), 400)
    plain = detection_counts(decided, majority(votes).truth)
    weighted = weighted_counts(decided, error_share(votes))
    found = change_raters(plain, weighted, drawn, 0)
    assert found.change == "4 raters drawn anew"
    for kind, counts in zip(KINDS, (plain, weighted), strict=True):
        moved = found.of("precision", kind)
        assert moved.value == measure_counts("precision", counts).value
        assert moved.low <= moved.mean <= moved.high
        assert moved.deviation > 0
    assert found.of("precision", "weighted").mean == pytest.approx(0.5, abs=0.02)


def test_without_anything_to_flip_or_repeat_there_is_an_error() -> None:
    with pytest.raises(InputError, match="nothing to flip"):
        flip_one(votes_of([0, 1], [0, 1]), labels_of([1, -1]))
    with pytest.raises(UsageError, match="at least 1 resample"):
        flip_one_each(votes_of([1], [1]), labels_of([1]), np.random.default_rng(0), 0)


def test_undefined_value_has_a_reason() -> None:
    moved = flip_one(votes_of([3], [2]), labels_of([0])).of("precision", "plain")
    assert moved.reason == "the value itself is undefined"
    assert np.isnan(moved.mean)
