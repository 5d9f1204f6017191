"""Bins by agreement and error share: exact edges, a partition, and counts that add up."""

from __future__ import annotations

from fractions import Fraction
from math import nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurybox.errors import InputError, UsageError
from jurybox.jury.bins import (
    AGREEMENT_EDGES,
    ERROR_SHARE_EDGES,
    Bin,
    agreement_histogram,
    bin_cases,
    count_contentious,
    score_bins,
)
from jurybox.jury.votes import LabelArray, count_votes, majority
from jurybox.jury.weighted import detection_counts, measure_counts
from jurybox.model import Counts
from made_cases import decided_panels, judged, labels_of, votes_of

pairs = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), min_size=1, max_size=30)


# --- known answers ---


def test_20_judges_make_the_bins_of_madnani_with_93_114_and_716_cases() -> None:
    # 10 to 14 of 20 judges agree in the first bin, 15 to 17 in the second, 18 to 20 in the last
    agreed = [*[10, 14, 12] * 31, *[15, 17, 16] * 38, *[18, 20] * 358]
    votes = votes_of(agreed, [20 - top for top in agreed])
    assert np.bincount(bin_cases(votes).of_case).tolist() == [93, 114, 716]


@pytest.mark.parametrize(
    ("errors", "oks", "place"),
    [
        (1, 1, 0),
        (29, 10, 0),  # .7436
        (3, 1, 1),  # .75 exactly
        (30, 10, 1),
        (89, 11, 1),
        (9, 1, 2),  # .9 exactly; 9 / 10 >= .9 holds in floats too, 1 - 1 / 10 would not always
        (63, 7, 2),
        (1, 9, 2),
        (7, 0, 2),
        (0, 0, -1),
    ],
)
def test_case_on_an_edge_is_in_the_bin_that_begins_there(errors: int, oks: int, place: int) -> None:
    assert bin_cases(votes_of([errors], [oks])).of_case.tolist() == [place]


def test_perfect_precision_in_a_bin_does_not_hide_its_recall_and_size() -> None:
    # three contentious cases, majority for error; the system reports one of them
    votes = votes_of([3, 3, 3, 5], [2, 2, 2, 0])
    low, _, high = score_bins(bin_cases(votes), labels_of([1, 0, 0, 1]), labels_of([1, 1, 1, 1]))
    assert (low.n, low.precision) == (3, 1.0)
    assert low.recall == pytest.approx(1 / 3)
    assert low.error_rate == 1.0
    assert low.kappa == 0.0
    assert np.isnan(high.kappa)
    assert high.undefined["kappa"] == (
        "system and truth both call every case an error (fp + fn + tn = 0)"
    )


def test_empty_bin_has_no_rate_and_says_so() -> None:
    empty = Bin(Counts(), nan, 0.75, 0.9)
    assert np.isnan([empty.error_rate, empty.flag_rate]).all()
    assert empty.undefined["precision"] == "the system reported nothing (tp + fp = 0)"


def test_histogram_has_a_bar_per_value_and_says_who_is_for_error() -> None:
    votes = votes_of([10, 9, 1, 5, 2, 0], [0, 1, 9, 5, 2, 0])
    bars = agreement_histogram(votes)
    assert [(bar.low, bar.n, bar.errors, bar.tied) for bar in bars] == [
        (0.5, 2, 0, 2),
        (0.9, 2, 1, 0),
        (1.0, 1, 1, 0),
    ]
    coarse = agreement_histogram(votes, AGREEMENT_EDGES)
    assert [(bar.low, bar.high, bar.n) for bar in coarse] == [
        (0.5, 0.75, 2),
        (0.75, 0.9, 0),
        (0.9, 1.0, 3),
    ]


def test_contentious_reports_are_a_line_of_their_own() -> None:
    votes = votes_of([3, 3, 5, 0, 1], [2, 2, 0, 5, 1])
    found = count_contentious(labels_of([1, 0, 1, 1, -1]), votes)
    assert (found.n, found.flagged, found.others, found.others_flagged) == (2, 1, 2, 2)
    assert (found.rate, found.others_rate) == (0.5, 1.0)
    assert found.share_of_reports == pytest.approx(1 / 3)
    silent = count_contentious(labels_of([0]), votes_of([5], [0]))
    assert np.isnan([silent.rate, silent.share_of_reports]).all()


# --- properties ---


@given(votes=pairs)
def test_every_judged_case_is_in_the_bin_its_exact_share_belongs_to(
    votes: list[tuple[int, int]],
) -> None:
    errors, oks = zip(*votes, strict=True)
    shares = {
        "agreement": (AGREEMENT_EDGES, [max(pair) for pair in votes]),
        "error share": (ERROR_SHARE_EDGES, errors),
    }
    for by, (edges, tops) in shares.items():
        exact = [Fraction(str(edge)) for edge in edges]
        places = bin_cases(votes_of(errors, oks), by=by).of_case.tolist()
        for place, top, pair in zip(places, tops, votes, strict=True):
            if not sum(pair):
                assert place == -1
                continue
            share = Fraction(top, sum(pair))
            last = place == len(edges) - 2
            assert exact[place] <= share < exact[place + 1] or (last and share == 1)


@given(
    panel=decided_panels(),
    by=st.sampled_from(["agreement", "error share"]),
    ties=st.sampled_from(["ok", "error", "drop"]),
)
def test_bins_partition_the_cases_and_their_counts_add_up(
    panel: tuple[list[str], LabelArray], by: str, ties: str
) -> None:
    cases, decided = panel
    votes = count_votes(judged(*cases), len(cases))
    truth = majority(votes, ties).truth
    bins = score_bins(bin_cases(votes, by=by), decided, truth)
    assert sum((part.counts for part in bins), Counts()) == detection_counts(decided, truth)
    assert sum(part.n + part.left_out for part in bins) == np.count_nonzero(votes.deciding)


@given(votes=pairs)
def test_histogram_counts_every_judged_case_once(votes: list[tuple[int, int]]) -> None:
    errors, oks = zip(*votes, strict=True)
    made = votes_of(errors, oks)
    judged_cases = sum(e + o > 0 for e, o in votes)
    for bars in (agreement_histogram(made), agreement_histogram(made, (0.5, 0.7, 1))):
        assert sum(bar.n for bar in bars) == judged_cases
        assert sum(bar.errors for bar in bars) == sum(e > o for e, o in votes)
        assert sum(bar.tied for bar in bars) == sum(e == o > 0 for e, o in votes)
        assert [bar.low for bar in bars] == sorted({bar.low for bar in bars})


# --- what is refused ---


@pytest.mark.parametrize(
    "edges", [(0.6, 1), (0.5, 0.9), (0.5, 0.9, 0.75, 1), (0.5, 0.5, 1), (1,), ()]
)
def test_edges_that_would_lose_or_double_cases_are_refused(edges: tuple[float, ...]) -> None:
    with pytest.raises(UsageError, match=r"must rise from 0\.5 to 1"):
        bin_cases(votes_of([1], [0]), edges)


def test_binning_by_something_else_and_unknown_measures_are_refused() -> None:
    with pytest.raises(UsageError, match="one of agreement, error share"):
        bin_cases(votes_of([1], [0]), by="kappa")
    with pytest.raises(InputError, match="unknown measure"):
        measure_counts("kapa", Counts())


def test_thirds_given_as_a_float_are_thirds() -> None:
    assert bin_cases(votes_of([2], [1]), (0.5, 2 / 3, 1)).of_case.tolist() == [1]


@pytest.mark.parametrize("edge", [float("nan"), float("inf")])
def test_edges_that_are_no_numbers_are_refused(edge: float) -> None:
    with pytest.raises(UsageError, match="edges of bins are numbers"):
        bin_cases(votes_of([1], [0]), (0.5, edge, 1))
