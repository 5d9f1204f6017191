"""Score intervals of recall, F and error rate."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from jurybox.sample.estimate.score_bounds import OneShare, TwoShares, case_ratio, score_bounds
from jurybox.stats.proportions import Bounds, wilson_interval

#: all that score intervals are needed for about text of this kind
SCORED = ("hits", "false_positives", "misses", "recall", "f", "error_rate")


def share(p: float, n: float, weight: float) -> OneShare:
    return OneShare(np.array([p]), np.array([float(n)]), weight)


def recall_bounds(shares: TwoShares) -> Bounds:
    return score_bounds(shares, ["recall"])["recall"]


def error_rate_bounds(shares: TwoShares) -> Bounds:
    return score_bounds(shares, ["error_rate"])["error_rate"]


def ends(bounds: tuple[np.ndarray, np.ndarray]) -> tuple[float, float]:
    return float(bounds[0][0]), float(bounds[1][0])


def test_the_example_of_the_paper_has_the_interval_of_the_delta_method_but_for_rounding() -> None:
    two = TwoShares(share(0.8, 750, 0.1), share(0.3, 1500, 0.9))
    assert [round(end, 3) for end in ends(recall_bounds(two))] == [0.214, 0.244]


def test_a_sample_without_misses_leaves_doubt_about_recall() -> None:
    low, high = ends(recall_bounds(TwoShares(share(0.8, 750, 0.1), share(0.0, 100, 0.9))))
    assert high == 1.0
    assert 0.6 < low < 0.9


def test_without_any_error_recall_may_be_anything() -> None:
    assert ends(recall_bounds(TwoShares(share(0, 50, 0.1), share(0, 50, 0.9)))) == (0.0, 1.0)


def test_where_hits_are_known_recall_is_as_sure_as_the_misses() -> None:
    """With hits known, the bounds of recall are those of Wilson's interval of the misses."""
    two = TwoShares(share(0.5, inf, 0.1), share(0.1, 100, 0.9))
    low, high = wilson_interval(10, 100)
    hits = 0.05
    expected = (hits / (hits + 0.9 * float(high)), hits / (hits + 0.9 * float(low)))
    assert ends(recall_bounds(two)) == pytest.approx(expected, abs=1e-6)


def test_the_error_rate_of_one_part_has_wilsons_interval() -> None:
    two = TwoShares(share(0.3, 100, 1.0), share(0.0, inf, 0.0))
    expected = tuple(map(float, wilson_interval(30, 100)))
    assert ends(error_rate_bounds(two)) == pytest.approx(expected, abs=1e-6)


def test_f_without_weight_for_recall_is_precision() -> None:
    two = TwoShares(share(0.3, 100, 0.2), share(0.1, 100, 0.8))
    expected = tuple(map(float, wilson_interval(30, 100)))
    assert ends(score_bounds(two, ["f"], beta=1e-4)["f"]) == pytest.approx(expected, abs=1e-3)


#: hits and misses of 20, the weight of what is flagged, and how far either share is moved
TWENTIES = (
    *(st.integers(0, 20), st.integers(0, 20), st.floats(0.01, 0.99)),
    *(st.floats(-0.5, 0.5), st.floats(-0.5, 0.5)),
)


@settings(max_examples=4)
@given(*TWENTIES)
def test_intervals_lie_between_0_and_1_and_hold_the_estimate(
    hits: int, misses: int, weight: float, moved: float, moved_too: float
) -> None:
    check_intervals(hits, misses, weight, moved, moved_too)


@pytest.mark.slow
@given(*TWENTIES)
def test_more_intervals_lie_between_0_and_1_and_hold_the_estimate(
    hits: int, misses: int, weight: float, moved: float, moved_too: float
) -> None:
    check_intervals(hits, misses, weight, moved, moved_too)


def check_intervals(hits: int, misses: int, weight: float, moved: float, moved_too: float) -> None:
    step = 1 / 20
    two = TwoShares(
        share(hits / 20, 20, weight)._replace(skew=step**2, step=step, moved=np.array([moved])),
        share(misses / 20, 20, 1 - weight)._replace(
            skew=step**2, step=step, moved=np.array([moved_too])
        ),
    )
    found = weight * hits / 20, (1 - weight) * misses / 20
    low, high = ends(recall_bounds(two))
    assert 0 <= low <= high <= 1
    if sum(found):
        assert low - 1e-6 <= found[0] / sum(found) <= high + 1e-6
    low, high = ends(error_rate_bounds(two))
    assert -1e-9 <= low <= high <= 1 + 1e-9
    assert low - 1e-6 <= sum(found) <= high + 1e-6


def all_judged(cases: int, flagged: int, hits: int, misses: int) -> TwoShares:
    rest = cases - flagged
    return TwoShares(
        share(hits / flagged, flagged, flagged / cases),
        share(misses / rest, rest, rest / cases),
        float(cases),
    )


@pytest.mark.parametrize(
    ("flagged", "hits", "misses"), [(207, 54, 88), (60, 54, 88), (54, 54, 88), (900, 4, 1)]
)
def test_about_text_all_judged_cases_have_wilsons_interval(
    flagged: int, hits: int, misses: int
) -> None:
    """Judging all of 3,000 cases is a plain sample: recall is a share of the errors."""
    found = score_bounds(all_judged(3000, flagged, hits, misses), [*SCORED, "precision"])
    for name, (number, of) in {
        "hits": (hits, 3000),
        "false_positives": (flagged - hits, 3000),
        "misses": (misses, 3000),
        "precision": (hits, flagged),
        "recall": (hits, hits + misses),
        "error_rate": (hits + misses, 3000),
    }.items():
        assert ends(found[name]) == pytest.approx(
            tuple(map(float, wilson_interval(number, of))), abs=1e-6
        )


def test_about_text_a_system_that_flagged_nothing_may_still_flag_something() -> None:
    nothing = TwoShares(share(0.0, 0, 0.0), share(0.1, 200, 1.0), 1000.0)
    found = score_bounds(nothing, SCORED)
    assert ends(found["hits"]) == pytest.approx(
        tuple(map(float, wilson_interval(0, 1000))), abs=1e-4
    )
    assert 0 < ends(found["recall"])[1] < 0.1


def test_a_corpus_without_end_is_known() -> None:
    two = TwoShares(share(0.8, 75, 0.1), share(0.3, 150, 0.9))
    known = score_bounds(two, ("recall", "f", "error_rate"))
    endless = score_bounds(two._replace(cases=1e9), ("recall", "f", "error_rate"))
    for name, interval in known.items():
        assert ends(endless[name]) == pytest.approx(ends(interval), abs=1e-5)


@settings(max_examples=30)
@given(*TWENTIES)
def test_about_text_intervals_are_hardly_ever_shorter_than_about_known_sizes(
    hits: int, misses: int, weight: float, moved: float, moved_too: float
) -> None:
    assume(0.1 <= weight <= 0.9)  # of 200 cases a part has at least the 20 that are judged
    two = TwoShares(share(hits / 20, 20, weight), share(misses / 20, 20, 1 - weight))
    known = score_bounds(two, ("recall", "f", "error_rate"))
    text = score_bounds(two._replace(cases=200.0), SCORED)
    for name, (low, high) in ((one, ends(text[one])) for one in SCORED):
        assert -1e-9 <= low <= high <= 1 + 1e-9
        if name in known:
            # score intervals are not nested: near a bound one may be shorter by 4 per cent
            assert high - low >= 0.95 * (ends(known[name])[1] - ends(known[name])[0]) - 1e-6


def test_measures_are_ratios_of_what_cases_add() -> None:
    # 8 hits, 2 false positives, 27 misses, 63 others; beta 2: 5 * 8 / (10 + 4 * 35)
    cases = (8, 2, 27, 63)
    for name, value in {"recall": 8 / 35, "precision": 0.8, "f": 40 / 150, "misses": 0.27}.items():
        above, below = case_ratio(name, 2.0)
        added = [sum(a * n for a, n in zip(one, cases, strict=True)) for one in (above, below)]
        assert added[0] / added[1] == pytest.approx(value)
