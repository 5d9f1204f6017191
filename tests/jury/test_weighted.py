"""Counts against plain and graded truth: Madnani's formulas, and what they must satisfy."""

from __future__ import annotations

from array import array

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.errors import InputError, UsageError
from jurybox.jury.votes import LabelArray, count_votes, error_share, majority
from jurybox.jury.weighted import (
    contributions,
    detection_counts,
    measure_counts,
    settle_missing,
    weighted_counts,
)
from jurybox.metrics.measures import total
from jurybox.model import Counts
from made_cases import decided_panels, judged, labels_of, spread_out


def close(counts: Counts) -> object:
    values = (counts.tp, counts.fp, counts.fn, counts.tn)
    return pytest.approx(values, rel=1e-12, abs=1e-9)


def cells(counts: Counts) -> tuple[float, ...]:
    return (counts.tp, counts.fp, counts.fn, counts.tn)


# --- known answers: Madnani et al. 2011; Chodorow et al. 2012, section 3.5.2 ---


def test_an_80_percent_error_reported_adds_80_to_tp_and_20_to_fp() -> None:
    assert cells(weighted_counts(labels_of([1]), np.array([0.8]))) == close(Counts(tp=0.8, fp=0.2))


def test_an_80_percent_error_passed_over_adds_80_to_fn_and_20_to_tn() -> None:
    assert cells(weighted_counts(labels_of([0]), np.array([0.8]))) == close(Counts(fn=0.8, tn=0.2))


def test_contentious_reports_lower_weighted_precision_below_plain() -> None:
    # three reports, majorities all for error, one of them 56 % (the example of section 4.1)
    p, decided = np.array([0.9, 0.9, 0.56]), labels_of([1, 1, 1])
    plain = detection_counts(decided, labels_of([1, 1, 1]))
    assert measure_counts("precision", plain).value == 1.0
    weighted = weighted_counts(decided, p)
    assert measure_counts("precision", weighted).value == pytest.approx((0.9 + 0.9 + 0.56) / 3)


def test_missing_decisions_are_counted_and_go_by_the_policy() -> None:
    label = array("b", [1, -1, 0, -1])
    assert settle_missing(label).tolist() == [1, -1, 0, -1]
    assert settle_missing(label, "ok").tolist() == [1, 0, 0, 0]
    assert settle_missing(label, "error").tolist() == [1, 1, 0, 1]
    assert label.tolist() == [1, -1, 0, -1], "the table itself must not change"


# --- properties ---


@given(panel=decided_panels(), ties=st.sampled_from(["ok", "error", "drop"]))
def test_weighted_equals_plain_where_p_is_0_or_1(
    panel: tuple[list[str], LabelArray], ties: str
) -> None:
    cases, decided = panel
    truth = majority(count_votes(judged(*cases), len(cases)), ties).truth
    p = np.where(truth < 0, np.nan, truth)
    plain = detection_counts(decided, truth)
    assert weighted_counts(decided, p) == plain
    assert contributions(decided, p).sum(axis=1).tolist() == list(cells(plain))


@given(panel=decided_panels())
def test_counts_sum_to_the_number_of_cases_with_truth_and_decision(
    panel: tuple[list[str], LabelArray],
) -> None:
    cases, decided = panel
    votes = count_votes(judged(*cases), len(cases))
    n = np.count_nonzero((votes.deciding > 0) & (decided >= 0))
    assert total(detection_counts(decided, majority(votes).truth)) == n
    assert total(weighted_counts(decided, error_share(votes))) == pytest.approx(n)


@given(panel=decided_panels(), data=st.data())
def test_permuting_cases_changes_no_count(
    panel: tuple[list[str], LabelArray], data: st.DataObject
) -> None:
    cases, decided = panel
    order = np.array(data.draw(st.permutations(range(len(cases)))))
    votes = count_votes(judged(*cases), len(cases))
    truth, p = majority(votes).truth, error_share(votes)
    assert detection_counts(decided, truth) == detection_counts(decided[order], truth[order])
    moved = weighted_counts(decided[order], p[order])
    assert cells(moved) == close(weighted_counts(decided, p))


@given(panel=decided_panels())
def test_contributions_add_up_to_the_counts_and_hold_no_gaps(
    panel: tuple[list[str], LabelArray],
) -> None:
    cases, decided = panel
    votes = count_votes(judged(*cases), len(cases))
    for truth in (majority(votes, "drop").truth, error_share(votes)):
        parts = contributions(decided, truth)
        assert np.isfinite(parts).all()
        known = (decided >= 0) & ~np.isnan(truth) & (truth >= 0)
        assert parts.sum(axis=0) == pytest.approx(known.astype(float))


@given(panel=decided_panels())
def test_exchanging_error_and_ok_everywhere_exchanges_the_counts(
    panel: tuple[list[str], LabelArray],
) -> None:
    cases, decided = panel
    turned = [case.translate(str.maketrans("eo", "oe")) for case in cases]
    other = np.where(decided < 0, decided, 1 - decided).astype(np.int8)
    votes, votes_turned = (count_votes(judged(*panel), len(cases)) for panel in (cases, turned))
    counts = weighted_counts(decided, error_share(votes))
    exchanged = Counts(counts.tn, counts.fn, counts.fp, counts.tp)
    assert cells(weighted_counts(other, error_share(votes_turned))) == close(exchanged)


def test_trivial_negatives_raise_tn_alone_unless_reported() -> None:
    decided, truth = spread_out(12, 18, 28, 42)
    more = np.concatenate([decided, np.zeros(100, np.int8)])
    with_trivial = np.concatenate([truth, np.zeros(100, np.int8)])
    assert detection_counts(more, with_trivial) == Counts(12, 18, 28, 142)


# --- what is refused, what has no value ---


def test_unknown_policy_for_missing_decisions_is_refused() -> None:
    with pytest.raises(UsageError, match="one of skip, ok, error, not 'guess'"):
        settle_missing(array("b", [1]), "guess")


def test_undefined_measure_has_its_reason_and_an_unknown_one_a_hint() -> None:
    found = measure_counts("precision", Counts(fn=2, tn=2))
    assert np.isnan(found.value)
    assert found.reason == "the system reported nothing (tp + fp = 0)"
    assert measure_counts("f_beta", Counts(1, 1, 1, 1), beta=1).title == "F1"
    with pytest.raises(InputError, match="did you mean 'precision'"):
        measure_counts("precison", Counts())


def test_no_cases_give_zero_counts() -> None:
    nothing = labels_of([])
    assert detection_counts(nothing, nothing) == Counts()
    assert weighted_counts(nothing, np.zeros(0)) == Counts()
