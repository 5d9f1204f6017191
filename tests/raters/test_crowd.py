"""Crowds of N: exact chances against every subset, curves, and what is refused."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product
from math import isnan, nan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jurybox.errors import InputError, LengthError, UsageError
from jurybox.raters.agreement import MISSING
from jurybox.raters.cohen import estimate_kappa
from jurybox.raters.crowd import (
    average_curves,
    choose,
    crowd_curve,
    smallest_crowd,
)
from jurybox.raters.intervals import share_interval
from jurybox.raters.majority import Ties
from jurybox.raters.pairs import agree_in_pairs, average_pairs
from jurybox.raters.ratings import CodeArray, ratings_from_codes
from made_ratings import winning_chances

votes = st.lists(st.integers(0, 4), min_size=1, max_size=4).filter(lambda row: 1 <= sum(row) <= 8)
policies = st.sampled_from([Ties("random"), Ties("drop"), Ties("label", 0)])


def by_all_subsets(row: list[int], n: int, ties: Ties) -> list[float]:
    """The definition: every way to take n judgments, one by one."""
    judgments = [label for label, times in enumerate(row) for _ in range(times)]
    won = [0.0] * len(row)
    subsets = list(combinations(judgments, n))
    for subset in subsets:
        counted = Counter(subset)
        best = max(counted.values())
        top = [label for label, times in counted.items() if times == best]
        if len(top) == 1:
            won[top[0]] += 1
        elif ties.policy == "random":
            for label in top:
                won[label] += 1 / len(top)
        elif ties.policy == "label":
            won[ties.label] += 1
    return [number / len(subsets) for number in won]


@given(st.lists(votes, min_size=1, max_size=3), policies)
def test_chances_are_those_of_all_subsets_for_any_number_of_labels(
    rows: list[list[int]], ties: Ties
) -> None:
    labels = max(map(len, rows))
    counts = np.array([row + [0] * (labels - len(row)) for row in rows])
    largest = int(counts.sum(axis=1).max())
    found = winning_chances(counts, largest, ties)
    for row, chances in zip(counts.tolist(), found, strict=True):
        for n in range(1, largest + 1):
            if n <= sum(row):
                assert chances[n - 1] == pytest.approx(by_all_subsets(row, n, ties), abs=1e-9)
            else:
                assert np.isnan(chances[n - 1]).all()


def test_many_judgments_per_case_do_not_lose_precision() -> None:
    """Hypergeometric, two labels: by symmetry each wins half of the time."""
    chances = winning_chances(np.array([[200, 200]]), 99, Ties("random"))
    assert chances[0] == pytest.approx(np.full((99, 2), 0.5), abs=1e-9)


def test_so_many_judgments_that_the_ways_to_draw_overflow_are_refused() -> None:
    with pytest.raises(InputError, match="ask for smaller crowds"):
        winning_chances(np.array([[1000, 1000]]), 1000, Ties("random"))


def test_binomial_coefficients_of_pascals_triangle() -> None:
    assert choose(np.arange(6), 5)[5].tolist() == [1, 5, 10, 10, 5, 1]


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=6))
def test_an_even_crowd_of_two_labels_is_as_good_as_one_less_if_ties_are_random(
    rows: list[tuple[int, int]],
) -> None:
    chances = winning_chances(np.array(rows), 6, Ties("random"))
    for row, of_row in zip(rows, chances, strict=True):
        for n in (2, 4, 6):
            if sum(row) >= n:
                assert of_row[n - 1] == pytest.approx(of_row[n - 2], abs=1e-9)


def make_crowd(seed: int, cases: int = 3000, labels: int = 2) -> tuple[CodeArray, CodeArray]:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, labels, cases)
    hits = rng.binomial(5, 0.7, cases)
    counts = rng.multinomial(5 - hits, np.full(labels, 1 / labels))
    counts[np.arange(cases), truth] += hits
    return counts, truth


@pytest.mark.parametrize("labels", [2, 6])
@pytest.mark.parametrize("ties", [Ties("random"), Ties("drop"), Ties("label", 1)])
def test_means_over_draws_meet_the_expectation_whichever_way_cases_are_drawn(
    labels: int, ties: Ties, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts, truth = make_crowd(4, labels=labels)
    for cases_per_group in (0, 10**9):  # always groups, always cases
        monkeypatch.setattr("jurybox.raters.crowd.CASES_PER_GROUP", cases_per_group)
        curve = crowd_curve(counts, truth, np.random.default_rng(5), ties=ties)
        for point in curve.points:
            assert point.agreement.mean == pytest.approx(point.expected, abs=0.005)
            assert point.agreement.low <= point.agreement.mean <= point.agreement.high
            assert 0 < point.kappa.mean < 1


def test_kappa_of_a_whole_crowd_without_ties_is_that_of_the_table() -> None:
    counts = np.array([[3, 0]] * 20 + [[1, 2]] * 30 + [[0, 3]] * 50)
    reference = np.array([0] * 40 + [1] * 60)
    curve = crowd_curve(counts, reference, np.random.default_rng(0))
    # crowd says 0 twenty times, rightly: table [[20, 20], [0, 60]]
    agreed, chance = 0.8, 0.2 * 0.4 + 0.8 * 0.6
    last = curve.points[2]
    assert last.expected == agreed
    assert last.kappa.mean == pytest.approx((agreed - chance) / (1 - chance))
    assert last.kappa.low == last.kappa.high


def test_ordered_labels_can_have_weighted_kappa() -> None:
    counts = np.array([[3, 0, 0]] * 4 + [[0, 3, 0]] * 4 + [[0, 0, 3]] * 4)
    reference = np.array([0, 0, 0, 1] * 2 + [2, 2, 2, 1])
    table = [[3, 3, 0], [1, 1, 1], [0, 0, 3]]
    for weights in ("none", "linear", "quadratic"):
        curve = crowd_curve(counts, reference, np.random.default_rng(0), weights=weights)
        expected = estimate_kappa(table, weights=weights).value
        assert curve.points[2].kappa.mean == pytest.approx(expected)


def test_cases_with_too_few_judgments_are_left_out_and_counted() -> None:
    counts = np.array([[3, 0], [0, 1], [0, 0], [2, 0]])
    reference = np.array([0, 1, 1, MISSING])
    rng = np.random.default_rng(0)
    without = crowd_curve(counts, reference, rng, draws=5).points
    assert [(p.n, p.cases, p.left_out) for p in without] == [(1, 2, 1), (2, 1, 2), (3, 1, 2)]


def test_a_crowd_larger_than_anybody_has_is_undefined_and_says_so() -> None:
    curve = crowd_curve(np.array([[2, 0]]), np.array([0]), np.random.default_rng(0), largest=3)
    last = curve.points[-1]
    assert isnan(last.expected)
    assert last.agreement.reason == "no case has 3 judgments"


def test_unanimous_crowd_and_reference_have_agreement_but_no_kappa() -> None:
    curve = crowd_curve(np.array([[2, 0], [3, 0]]), np.array([0, 0]), np.random.default_rng(0))
    point = curve.points[0]
    assert point.agreement.mean == 1
    assert isnan(point.kappa.mean)
    assert point.kappa.undefined == 100
    assert "all labels are the same one" in point.kappa.reason


def test_a_crowd_that_is_always_tied_has_no_agreement_if_ties_are_dropped() -> None:
    curve = crowd_curve(
        np.array([[1, 1]]), np.array([0]), np.random.default_rng(0), ties=Ties("drop")
    )
    assert isnan(curve.points[1].expected)
    assert curve.points[1].agreement.reason == "every case is tied, in every draw"


def test_the_same_seed_gives_the_same_curve() -> None:
    counts, truth = make_crowd(8, cases=200)
    curves = [crowd_curve(counts, truth, np.random.default_rng(9), draws=20) for _ in range(2)]
    assert curves[0] == curves[1]


def test_smallest_crowd_reaches_the_experts_mean_kappa_as_in_the_2010_paper() -> None:
    """Three experts with mean kappa .606; a crowd of 13 has .608."""
    values = np.linspace(0.416, 0.608, 13)
    assert smallest_crowd(values, 0.606) == (13, "")
    assert smallest_crowd(values, 0.7) == (None, "no crowd of up to 13 reaches it")
    assert smallest_crowd(values, nan) == (None, "the agreement to reach is undefined")


def test_means_over_experts_need_curves_of_one_length() -> None:
    rng = np.random.default_rng(0)
    counts, both = np.array([[3, 0], [1, 2], [0, 3]]), np.array([[0, 0, 1], [0, 1, 1]])
    curves = [crowd_curve(counts, one, rng, draws=3) for one in both]
    mean = average_curves(curves, crowd_curve(counts, both, rng, draws=3))
    assert mean.points[2].expected == pytest.approx((2 / 3 + 1) / 2)
    assert mean.points[2].agreement.mean == pytest.approx((2 / 3 + 1) / 2)
    short = crowd_curve(counts, both, rng, draws=3, largest=2)
    with pytest.raises(LengthError, match="different lengths"):
        average_curves(curves, short)


def three_experts(
    rng: np.random.Generator, cases: int, *, missing: float = 0.0
) -> tuple[CodeArray, CodeArray]:
    """Crowds of twenty and three experts of unequal strictness who judge the same hard cases."""
    middle = np.where(rng.random(cases) < 0.3, 0.78, 0.18)
    error = rng.beta(3 * middle, 3 * (1 - middle))
    votes = rng.binomial(20, error)
    strict = np.array([-0.06, 0.0, 0.06])[:, np.newaxis]
    experts = (rng.random((3, cases)) < error + strict).astype(np.int64)
    experts[rng.random(experts.shape) < missing] = MISSING
    return np.stack([20 - votes, votes], axis=1), experts


def test_the_mean_over_experts_is_each_expert_in_turn_averaged() -> None:
    """Tetreault, Filatova and Chodorow (2010, section 4): the mean of Figure 2."""
    counts, experts = three_experts(np.random.default_rng(1), 152, missing=0.1)
    rng = np.random.default_rng(2)
    each = [crowd_curve(counts, one, rng, largest=18, draws=2000).points for one in experts]
    mean = crowd_curve(counts, experts, rng, largest=18, draws=2000).points
    for n in range(18):
        own = [curve[n] for curve in each]
        assert mean[n].expected == pytest.approx(np.mean([one.expected for one in own]))
        assert mean[n].kappa.mean == pytest.approx(
            np.mean([one.kappa.mean for one in own]), abs=0.01
        )
        assert mean[n].cases == min(one.cases for one in own)
    # one crowd meets all experts: their kappas go up and down together, though not quite
    widths = [point[0].kappa.high - point[0].kappa.low for point in (*each, mean)]
    assert max(widths[:3]) / np.sqrt(3) < widths[3] < max(widths[:3])


def test_an_expert_whose_cases_have_too_few_judgments_leaves_no_mean() -> None:
    counts = np.array([[2, 1], [0, 3], [1, 0], [0, 1]])
    both = np.array([[0, 1, 0, 1], [MISSING, MISSING, 0, 1]])
    points = crowd_curve(counts, both, np.random.default_rng(0), draws=5).points
    assert [(point.cases, point.left_out) for point in points] == [(2, 0), (0, 2), (0, 2)]
    assert points[0].expected == pytest.approx(((2 / 3 + 3) / 4 + 1) / 2)
    assert isnan(points[1].expected)
    assert points[1].kappa.reason == "no case has 2 judgments"
    with pytest.raises(InputError, match="no case has both"):
        crowd_curve(counts, np.array([[0, 1, 0, 1], [MISSING] * 4]), np.random.default_rng(0))


@pytest.mark.slow
@pytest.mark.parametrize(("cases", "missing"), [(30, 0.0), (152, 0.0), (152, 0.4), (500, 0.0)])
def test_intervals_of_the_mean_over_experts_hold_its_value_on_other_cases(
    cases: int, missing: float
) -> None:
    rng = np.random.default_rng(cases)
    many = crowd_curve(*three_experts(rng, 300_000, missing=missing), rng, largest=3, draws=1)
    held = []
    for _ in range(400):
        found = crowd_curve(*three_experts(rng, cases, missing=missing), rng, largest=3, draws=1)
        held += [
            one.over_cases.low <= true.expected <= one.over_cases.high
            for one, true in zip(found.points, many.points, strict=True)
        ]
    assert np.mean(held) > 0.93


def test_experts_own_agreement_is_the_mean_over_their_pairs() -> None:
    said = np.array([[0, 0, 1, 1], [0, 1, 1, 1], [0, 0, 1, MISSING]])
    found = average_pairs(agree_in_pairs(ratings_from_codes(said.T, 2)))
    pair_kappas = [0.5, 1.0, 0.4]
    assert found.kappa == pytest.approx(np.mean(pair_kappas))
    assert found.agreement == pytest.approx(np.mean([3 / 4, 1, 2 / 3]))


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"draws": 0}, UsageError, "at least 1 draw"),
        ({"level": 1.0}, UsageError, "between 0 and 1"),
        ({"largest": 0}, UsageError, "at least 1, not 0"),
        ({"ties": Ties("first")}, UsageError, "random, drop or a label"),
    ],
)
def test_options_that_make_no_sense_are_refused(
    options: dict[str, object], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        crowd_curve(np.array([[2, 1]]), np.array([0]), np.random.default_rng(0), **options)  # type: ignore[arg-type]  # options of several types


def test_references_that_do_not_fit_the_crowd_are_refused() -> None:
    rng = np.random.default_rng(0)
    with pytest.raises(LengthError, match="2 cases, the reference 1"):
        crowd_curve(np.array([[1, 0], [0, 1]]), np.array([0]), rng)
    with pytest.raises(InputError, match="label number 2"):
        crowd_curve(np.array([[1, 0]]), np.array([2]), rng)
    with pytest.raises(InputError, match="both a judgment of the crowd and a reference"):
        crowd_curve(np.array([[1, 0], [0, 0]]), np.array([MISSING, 1]), rng)


def test_all_orders_of_labels_give_the_same_curve() -> None:
    counts = np.array([[3, 1, 1], [0, 2, 3], [2, 2, 1]])
    reference = np.array([0, 2, 1])
    found = set()
    for first, second in product(range(3), repeat=2):
        if first != second:
            order = [first, second, 3 - first - second]
            renamed = np.array([order.index(label) for label in reference])
            points = crowd_curve(counts[:, order], renamed, np.random.default_rng(0)).points
            found.add(tuple(round(point.expected, 12) for point in points))
    assert len(found) == 1


@pytest.mark.slow
def test_more_labels_than_a_byte_counts_are_drawn_evenly() -> None:
    # 200 judgments, each with a label of its own: a crowd of one gives the right one in 200
    counts = np.ones((1, 200), dtype=np.int64)
    drawn = crowd_curve(counts, np.array([180]), np.random.default_rng(1), largest=1, draws=20_000)
    assert drawn.points[0].expected == pytest.approx(1 / 200)
    assert drawn.points[0].agreement.mean == pytest.approx(1 / 200, abs=0.002)


def test_known_answers_that_nobody_gives_change_nothing_but_their_own_cases() -> None:
    rng = np.random.default_rng(5)
    counts = rng.multinomial(5, [0.5, 0.3, 0.2], size=60)
    reference = rng.integers(0, 3, 60)
    plain = crowd_curve(counts, reference, np.random.default_rng(2), weights="linear")
    wide = np.pad(counts, ((0, 0), (0, 2000)))
    spread = crowd_curve(
        wide,
        reference,
        np.random.default_rng(2),
        weights="linear",
    )
    assert [point.agreement for point in spread.points] == [p.agreement for p in plain.points]
    # the weights' span does not matter to kappa
    assert [p.kappa.mean for p in spread.points] == pytest.approx(
        [p.kappa.mean for p in plain.points]
    )


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.sampled_from(["none", "linear", "quadratic"]))
def test_a_crowd_of_all_has_the_kappa_of_its_table(seed: int, weights: str) -> None:
    rng = np.random.default_rng(seed)
    label, reference = rng.integers(0, 4, 30), rng.integers(0, 4, 30)
    counts = np.eye(4, dtype=np.int64)[label]
    numbers = [1.0, 2.0, 4.0, 9.0]
    point = crowd_curve(
        counts, reference, rng, largest=1, draws=1, weights=weights, numbers=numbers
    ).points[0]
    table = np.zeros((4, 4), dtype=int)
    np.add.at(table, (reference, label), 1)
    expected = estimate_kappa(table, weights=weights, numbers=numbers)
    assert point.kappa.mean == pytest.approx(expected.value, nan_ok=True)


@pytest.mark.slow
def test_a_further_draw_falls_into_the_band_as_often_as_it_says() -> None:
    """Of 100 draws, the 2.5th and 97.5th percentile would hold 93 % of further ones."""
    rng = np.random.default_rng(4)
    counts = np.stack([rng.multinomial(9, share) for share in rng.dirichlet((3, 2), 60)])
    truth = (counts[:, 0] < counts[:, 1]).astype(np.int64)
    held = []
    for _ in range(150):
        point = crowd_curve(counts, truth, rng, largest=1, draws=100).points[0]
        more = [crowd_curve(counts, truth, rng, largest=1, draws=1).points[0] for _ in range(10)]
        held += [point.kappa.low <= one.kappa.mean <= point.kappa.high for one in more]
    assert np.mean(held) == pytest.approx(0.95, abs=0.02)


def test_the_interval_over_cases_is_that_of_the_chances_to_be_right() -> None:
    counts = np.array([[3, 0]] * 30 + [[1, 2]] * 10)
    point = crowd_curve(counts, np.zeros(40, dtype=np.int64), np.random.default_rng(0)).points[0]
    assert point.over_cases == share_interval([1, 1 / 3], 1, cases=[30, 10])
    assert point.over_cases.value == pytest.approx(point.expected)
