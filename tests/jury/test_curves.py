"""Curves over thresholds: every point is a count, areas are probabilities, choices are honest."""

from __future__ import annotations

from array import array
from math import inf, nan

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from jurybox.errors import InputError, UsageError
from jurybox.jury.curves import (
    Curve,
    average_precision,
    best_threshold,
    choose_threshold,
    kappa_area,
    roc_area,
    split_development,
    trace_curve,
)
from jurybox.jury.measure_arrays import as_counts
from jurybox.jury.votes import FloatArray, LabelArray
from jurybox.jury.weighted import contributions, measure_counts
from jurybox.metrics.measures import cohen_kappa
from jurybox.model import Counts
from made_cases import labels_of

shares = st.sampled_from([0.0, 0.0, 0.1, 0.5, 0.9, 1.0, 1.0, nan])
scores = st.sampled_from([-2.0, 0.0, 0.25, 0.5, 3.0, nan])
scored = st.lists(st.tuples(scores, shares), min_size=1, max_size=15)


def columns(rows: list[tuple[float, float]]) -> tuple[FloatArray, FloatArray]:
    given_scores, p = zip(*rows, strict=True)
    return np.array(given_scores), np.array(p)


def cells(counts: Counts) -> list[float]:
    return [counts.tp, counts.fp, counts.fn, counts.tn]


# --- known answers ---


def test_four_cases_give_the_curve_worked_by_hand() -> None:
    curve = trace_curve(array("d", [0.9, 0.8, 0.7, 0.6]), labels_of([1, 0, 1, 0]))
    assert curve.thresholds.tolist() == [inf, 0.9, 0.8, 0.7, 0.6]
    assert curve.true_positive_rate.tolist() == [0, 0.5, 0.5, 1, 1]
    assert curve.false_positive_rate.tolist() == [0, 0, 0.5, 0.5, 1]
    assert curve.measure("bias").tolist() == [0, 0.25, 0.5, 0.75, 1]
    assert curve.measure("cohen_kappa").tolist() == [0, 0.5, 0, 0.5, 0]
    assert np.isnan(curve.measure("precision")[0])
    # three of the four pairs are in the right order
    assert roc_area(curve).value == 0.75
    # two trapezoids of width 1/2 between kappas 0 and 1/2
    assert kappa_area(curve).value == 0.25
    # recall rises by 1/2 at precision 1, and by 1/2 at precision 2/3
    assert average_precision(curve).value == pytest.approx(1 / 2 + 1 / 3)


@given(scored)
def test_average_precision_is_that_of_the_ranking_and_at_least_what_its_last_point_has(
    rows: list[tuple[float, float]],
) -> None:
    """Chodorow et al. (2012), section 3.3: reporting everything has the prevalence as precision."""
    curve = trace_curve(*columns(rows))
    tp, fp = curve.counts.T[:2]
    area = average_precision(curve)
    if not curve.counts[0].any() or not tp[-1]:
        assert area.reason
        return
    steps = [
        (tp[k] - tp[k - 1]) / tp[-1] * tp[k] / (tp[k] + fp[k]) if tp[k] + fp[k] else 0
        for k in range(1, len(curve))
    ]
    assert area.value == pytest.approx(sum(steps))
    assert 0 <= area.value <= 1 + 1e-12


def test_a_constant_score_has_the_prevalence_as_average_precision() -> None:
    curve = trace_curve(np.zeros(10), labels_of([1, 1, 0, 0, 0, 0, 0, 0, 0, 0]))
    assert average_precision(curve).value == 0.2


def test_chance_has_area_one_half_and_no_area_under_kappa() -> None:
    curve = trace_curve(np.zeros(10), labels_of([1] * 3 + [0] * 7))
    assert roc_area(curve).value == 0.5
    assert kappa_area(curve).value == 0.0


def test_skew_lowers_the_area_under_kappa_and_not_that_under_roc() -> None:
    # the same rates at every threshold, errors 50 % and 9 % of the cases
    balanced = np.array([[0, 0, 10, 10], [8, 2, 2, 8], [10, 10, 0, 0.0]])
    skewed = balanced * np.array([1, 10, 1, 10])
    thresholds = np.array([inf, 1, 0])
    curves = [Curve(thresholds, counts) for counts in (balanced, skewed)]
    assert [roc_area(curve).value for curve in curves] == [pytest.approx(0.8)] * 2
    first, second = (kappa_area(curve).value for curve in curves)
    # trapezoids of widths .2 and .8 under a single kappa: half of it
    assert first == pytest.approx(0.6 / 2)
    assert second == pytest.approx(cohen_kappa(Counts(8, 20, 2, 80)) / 2)
    assert second < 0.8 * first


def test_curve_needs_both_errors_and_ok_cases_for_an_area() -> None:
    for truth, reason in (([1, 1], "every case is an error"), ([0, 0], "there are no errors")):
        curve = trace_curve(np.array([0.1, 0.2]), labels_of(truth))
        for area in (roc_area(curve), kappa_area(curve)):
            assert np.isnan(area.value)
            assert area.reason.startswith(reason)


def test_cases_without_score_or_truth_are_left_out_and_counted() -> None:
    curve = trace_curve(np.array([1.0, nan, 2.0, nan]), labels_of([1, 1, -1, -1]))
    assert (curve.unscored, curve.unjudged) == (2, 1)
    assert curve.counts[-1].tolist() == [1, 0, 0, 0]


def test_best_threshold_of_several_is_the_highest() -> None:
    curve = trace_curve(np.array([4.0, 3, 2, 1]), labels_of([1, 0, 1, 0]))
    found = best_threshold(curve, "cohen_kappa")
    assert (found.threshold, found.measure.value) == (4.0, 0.5)
    assert best_threshold(curve, "f_beta", beta=2).threshold == 2.0


def test_reporting_nothing_can_be_best() -> None:
    curve = trace_curve(np.array([2.0, 1]), labels_of([0, 0]))
    found = best_threshold(curve, "accuracy")
    assert (found.threshold, found.measure.value) == (inf, 1.0)


def test_no_threshold_has_a_value_where_the_measure_never_has() -> None:
    curve = trace_curve(np.array([2.0, 1]), labels_of([0, 0]))
    found = best_threshold(curve, "recall")
    assert np.isnan(found.threshold)
    assert found.measure.reason.startswith("there are no errors")
    assert best_threshold(trace_curve(np.array([nan]), labels_of([1])), "bias").measure.reason


# --- properties ---


@given(rows=scored)
def test_every_point_is_the_count_of_its_threshold(rows: list[tuple[float, float]]) -> None:
    given_scores, p = columns(rows)
    curve = trace_curve(given_scores, p)
    for threshold, counts in zip(curve.thresholds, curve.counts, strict=True):
        decided: LabelArray = np.where(
            np.isnan(given_scores), -1, given_scores >= threshold
        ).astype(np.int8)
        expected = contributions(decided, p).sum(axis=1)
        assert counts == pytest.approx(expected, abs=1e-12)
        assert cells(curve.at(threshold)) == counts.tolist()
    known = np.unique(given_scores[~np.isnan(given_scores) & ~np.isnan(p)])
    assert curve.thresholds.tolist() == [inf, *known[::-1].tolist()]


@given(rows=scored)
def test_ends_of_the_curve_report_nothing_and_everything(
    rows: list[tuple[float, float]],
) -> None:
    curve = trace_curve(*columns(rows))
    tp, fp, fn, tn = curve.counts[0]
    assert tp == fp == 0
    assert curve.counts[-1].tolist() == [fn, tn, 0, 0]
    assert (np.diff(curve.counts[:, :2], axis=0) >= 0).all()
    kappa = curve.measure("cohen_kappa")
    if fn and tn:
        assert kappa[0] == kappa[-1] == 0
        assert (curve.false_positive_rate[-1], curve.true_positive_rate[-1]) == (1, 1)


@given(rows=scored)
def test_roc_area_is_the_probability_of_ranking_an_error_above_an_ok_case(
    rows: list[tuple[float, float]],
) -> None:
    known = [(s, p) for s, p in rows if not np.isnan(s) and not np.isnan(p)]
    pairs = [(p * (1 - q), (s > t) + (s == t) / 2) for s, p in known for t, q in known]
    weight = sum(w for w, _ in pairs)
    assume(weight > 0)
    expected = sum(w * won for w, won in pairs) / weight
    assert roc_area(trace_curve(*columns(rows))).value == pytest.approx(expected)


@given(rows=scored, data=st.data())
def test_order_of_cases_and_rising_changes_of_the_score_change_no_area(
    rows: list[tuple[float, float]], data: st.DataObject
) -> None:
    shuffled = data.draw(st.permutations(rows))
    first, second = columns(rows), columns(shuffled)
    for area in (roc_area, kappa_area):
        expected = area(trace_curve(*first)).value
        other = area(trace_curve(3 * second[0] ** 3 + 1, second[1])).value
        assert other == pytest.approx(expected, nan_ok=True)


@given(rows=scored, most=st.integers(2, 6))
def test_thin_curve_keeps_its_ends_and_only_points_it_had(
    rows: list[tuple[float, float]], most: int
) -> None:
    curve = trace_curve(*columns(rows))
    thin = curve.thin(most)
    assert len(thin) == min(most, len(curve))
    assert thin.thresholds[[0, -1]].tolist() == curve.thresholds[[0, -1]].tolist()
    assert set(thin.thresholds) <= set(curve.thresholds)


@given(rows=scored)
def test_no_threshold_beats_the_best(rows: list[tuple[float, float]]) -> None:
    curve = trace_curve(*columns(rows))
    found = best_threshold(curve, "f_beta", beta=1)
    values = curve.measure("f_beta", beta=1)
    if np.isnan(found.threshold):
        assert np.isnan(values).all()
    else:
        assert found.measure.value == np.nanmax(values)
        assert cells(found.counts) == cells(curve.at(found.threshold))


# --- development part and the rest ---


def test_threshold_is_chosen_on_one_part_and_reported_on_the_other() -> None:
    given_scores = np.array([0.9, 0.8, 0.1, 0.9, 0.8, 0.1])
    truth = labels_of([1, 0, 0, 0, 1, 0])
    development = np.array([True, True, True, False, False, False])
    chosen = choose_threshold(given_scores, truth, development, "f_beta", beta=1)
    assert chosen.threshold == 0.9
    assert cells(chosen.development.counts) == [1, 0, 0, 2]
    assert cells(chosen.rest.counts) == [0, 1, 1, 1]
    assert (chosen.development.value, chosen.rest.value) == (1.0, 0.0)


def test_rest_with_graded_truth_is_weighted_and_leaves_gaps_out() -> None:
    given_scores = np.array([0.9, 0.1, 0.9, nan, 0.2])
    p = np.array([1, 0, 0.8, 1, nan])
    development = np.array([True, True, False, False, False])
    chosen = choose_threshold(given_scores, p, development)
    assert cells(chosen.rest.counts) == pytest.approx([0.8, 0.2, 0, 0])


def test_development_part_without_errors_gives_no_threshold_and_says_why() -> None:
    chosen = choose_threshold(
        np.array([0.9, 0.1]), labels_of([0, 1]), np.array([True, False]), "recall"
    )
    assert chosen.threshold is None
    assert np.isnan(chosen.rest.value)
    assert chosen.rest.reason == "no threshold has a value on the development part"


@given(
    documents=st.lists(st.sampled_from("abcd"), min_size=2, max_size=12),
    share=st.floats(0.05, 0.95),
    seed=st.integers(0, 9),
)
def test_split_keeps_documents_whole_and_both_parts_filled(
    documents: list[str], share: float, seed: int
) -> None:
    assume(len(set(documents)) > 1)
    part = split_development(
        len(documents), np.random.default_rng(seed), share, documents=documents
    )
    inside = {name for name, chosen in zip(documents, part, strict=True) if chosen}
    outside = {name for name, chosen in zip(documents, part, strict=True) if not chosen}
    assert inside
    assert outside
    assert not inside & outside


def test_split_of_cases_takes_the_share_asked_for() -> None:
    assert split_development(1000, np.random.default_rng(0), 0.2).sum() == 200


# --- what is refused ---


def test_bad_requests_are_refused() -> None:
    curve = trace_curve(np.array([1.0, 2]), labels_of([1, 0]))
    with pytest.raises(InputError, match="unknown measure"):
        best_threshold(curve, "f")
    with pytest.raises(UsageError, match="at least 2 points"):
        curve.thin(1)
    with pytest.raises(UsageError, match="all of the cases"):
        choose_threshold(np.ones(2), labels_of([1, 0]), np.array([True, True]))
    with pytest.raises(UsageError, match="between 0 and 1, not 50"):
        split_development(9, np.random.default_rng(0), 50)
    with pytest.raises(UsageError, match="at least 2 documents, not 1"):
        split_development(9, np.random.default_rng(0), documents=["a"] * 9)


def test_area_reasons_are_those_of_the_measure() -> None:
    curve = trace_curve(np.array([1.0]), labels_of([1]))
    assert roc_area(curve).reason == measure_counts("informedness", as_counts([1, 0, 0, 0])).reason
