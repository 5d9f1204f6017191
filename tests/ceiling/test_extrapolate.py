"""Extrapolated curves: known laws come back, real sizes are foretold, the band is what it says."""

from __future__ import annotations

from collections.abc import Callable
from math import isnan, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bryant_ng_2015 import TABLE_5
from jurybox.ceiling.extrapolate import (
    Extrapolation,
    PowerLaws,
    evaluate,
    extrapolate,
    extrapolate_ratio,
    fit_power_laws,
)
from jurybox.errors import InputError
from jurybox.stats.intervals import t_quantile
from jurybox.stats.running_choice import FloatArray

SIX, LARGER = range(1, 7), (7, 8, 9)


def table_5(name: str) -> FloatArray:
    return np.array(TABLE_5[name]) / 100


def law(limit: float, gap: float, rate: float, sizes: object) -> FloatArray:
    return limit - gap * np.array(sizes, dtype=np.float64) ** -rate


def moved(scores: FloatArray, annotators: int = 10, points: float = 0.3) -> FloatArray:
    """Curves as they are without one annotator: all sizes a little higher or lower together."""
    shifts = np.linspace(-1, 1, annotators)[:, np.newaxis]
    return np.asarray(scores + points / 100 * shifts / np.std(shifts))


def half_widths(found: Extrapolation) -> FloatArray:
    return np.subtract(found.high, found.scores, dtype=np.float64)


# exact laws


@given(
    limit=st.floats(0.3, 1),
    share=st.floats(0.1, 1),
    rate=st.floats(0.1, 3),
    count=st.integers(4, 12),
)
def test_an_exact_power_law_is_continued_exactly(
    limit: float, share: float, rate: float, count: int
) -> None:
    sizes, to = range(1, count + 1), (count + 1, 30, 100)
    scores = law(limit, limit * share, rate, sizes)
    found = extrapolate(sizes, scores.tolist(), moved(scores, points=0), to)
    assert found.reason == ""
    assert found.sizes == to
    assert found.fitted_on == tuple(sizes)
    assert found.scores == pytest.approx(law(limit, limit * share, rate, to), abs=1e-7)
    assert found.limit == pytest.approx(limit, abs=1e-6)


def test_sizes_may_start_late_and_have_gaps() -> None:
    sizes = (3, 5, 10, 20)
    found = extrapolate(
        sizes, law(0.8, 0.6, 0.4, sizes).tolist(), moved(law(0.8, 0.6, 0.4, sizes)), [40]
    )
    assert found.scores == pytest.approx(law(0.8, 0.6, 0.4, [40]), abs=1e-7)


def test_curves_fitted_together_are_fitted_as_alone() -> None:
    curves = np.array([table_5(name) for name in TABLE_5])
    curves[0, 8] = curves[1, 3] = curves[2, 4:] = np.nan
    together = fit_power_laws(range(1, 10), curves, np.nanmax(curves, axis=1))
    for i, curve in enumerate(curves):
        here = np.flatnonzero(~np.isnan(curve))
        alone = fit_power_laws((here + 1).tolist(), curve[np.newaxis, here], curve[[here[-1]]])
        for one, other in zip(alone, together, strict=True):
            assert one[0] == pytest.approx(other[i], rel=1e-6)


@given(
    scores=st.lists(st.floats(0, 1), min_size=3, max_size=7),
    seed=st.integers(0, 999),
)
def test_no_other_law_is_nearer_to_a_curve(scores: list[float], seed: int) -> None:
    sizes, best = range(1, len(scores) + 1), max(scores)
    curve = np.array([scores])
    found = evaluate(fit_power_laws(sizes, curve, np.array([best])), sizes)
    rng = np.random.default_rng(seed)
    others = PowerLaws(
        limit=np.append(rng.uniform(best, 1, 3000), np.full(1000, best)),
        gap=rng.uniform(0, 1, 4000),
        rate=np.exp(rng.uniform(np.log(1e-4), np.log(10), 4000)),
    )
    errors = ((evaluate(others, sizes) - curve) ** 2).sum(axis=1)
    assert ((found - curve) ** 2).sum() <= errors.min() + 1e-12


# real values


@pytest.mark.parametrize(
    ("name", "missed_by"), [("AMU", 0.16), ("CAMB", 0.19), ("CUUI", 0.08), ("human", 0.05)]
)
def test_sizes_1_to_6_foretell_sizes_7_to_9(name: str, missed_by: float) -> None:
    scores = table_5(name)
    found = extrapolate(SIX, scores[:6].tolist(), moved(scores[:6]), LARGER)
    assert found.scores == pytest.approx(scores[6:], abs=missed_by / 100)
    assert (scores[6:] >= np.array(found.low)).all()
    assert (scores[6:] <= np.array(found.high)).all()
    assert half_widths(found).max() < 0.04


@pytest.mark.parametrize(("name", "missed_by"), [("AMU", 0.28), ("CAMB", 0.32), ("CUUI", 0.17)])
def test_the_ratio_at_sizes_7_to_9_is_foretold(name: str, missed_by: float) -> None:
    system, human = table_5(name), table_5("human")
    found = extrapolate_ratio(
        SIX, system[:6].tolist(), human[:6].tolist(), moved(system[:6]), moved(human[:6]), LARGER
    )
    ratio = system[6:] / human[6:]
    assert found.scores == pytest.approx(ratio, abs=missed_by / 100)
    assert (ratio >= np.array(found.low)).all()
    assert (ratio <= np.array(found.high)).all()


def with_best_shape(shape: Callable[[FloatArray, float], FloatArray]) -> Callable[..., FloatArray]:
    """A family a + b·shape(i, k): the k with the least squared error on the sizes given."""

    def predict(scores: FloatArray, sizes: FloatArray, to: FloatArray) -> FloatArray:
        fits: list[tuple[float, float, FloatArray]] = []
        for k in np.geomspace(0.05, 10, 2000):
            terms = np.stack([np.ones_like(sizes), shape(sizes, k)], axis=1)
            factors = np.linalg.lstsq(terms, scores, rcond=None)[0]
            predicted = factors[0] + factors[1] * shape(to, k)
            fits.append((float(((terms @ factors - scores) ** 2).sum()), k, predicted))
        return min(fits, key=lambda fit: fit[:2])[2]

    return predict


def with_limit_one(scores: FloatArray, sizes: FloatArray, to: FloatArray) -> FloatArray:
    laws = fit_power_laws(sizes.astype(int).tolist(), scores[np.newaxis], np.ones(1))
    return evaluate(laws, to.astype(int).tolist()).ravel()


def with_polynomial(degree: int) -> Callable[..., FloatArray]:
    def predict(scores: FloatArray, sizes: FloatArray, to: FloatArray) -> FloatArray:
        polynomial = np.polyfit(np.log(sizes), scores, degree)
        return np.asarray(np.polyval(polynomial, np.log(to)), dtype=np.float64)

    return predict


@pytest.mark.parametrize(
    ("family", "worst"),
    [
        (with_limit_one, 0.67),
        (with_polynomial(2), 0.38),
        (with_best_shape(lambda i, k: 1 / (i + k)), 0.80),
        (with_best_shape(lambda i, k: np.exp(-k * i)), 2.57),
        (with_polynomial(1), 2.59),
    ],
    ids=["limit 1", "parabola", "hyperbola", "exponential", "logarithm"],
)
def test_other_families_miss_sizes_7_to_9_by_what_the_module_says(
    family: Callable[..., FloatArray], worst: float
) -> None:
    sizes, to = np.array(SIX, dtype=float), np.array(LARGER, dtype=float)
    misses = [
        np.abs(family(table_5(name)[:6], sizes, to) - table_5(name)[6:]).max() for name in TABLE_5
    ]
    assert 100 * max(misses) == pytest.approx(worst, abs=0.006)


# the band


def test_the_band_is_the_jackknife_where_the_model_has_no_error() -> None:
    # limit 1 and an exact law: neither half of the sizes nor the limit 1 moves the prediction
    scores = law(1, 0.6, 0.4, SIX)
    limits = [0.99, 0.98, 1.0, 0.97, 1.0]
    without = np.array([law(limit, 0.6, 0.4, SIX) for limit in limits])
    found = extrapolate(SIX, scores.tolist(), without, [8, 50])
    mean = sum(limits) / 5
    error = sqrt(4 / 5 * sum((limit - mean) ** 2 for limit in limits))
    assert half_widths(found)[0] == pytest.approx(2.776445 * error, rel=1e-5)
    assert found.high[1] - found.low[1] == pytest.approx(2 * 2.776445 * error, rel=1e-5)
    assert found.scores == pytest.approx(law(1, 0.6, 0.4, [8, 50]))


def test_where_annotators_do_not_matter_the_band_is_the_error_of_the_model() -> None:
    scores = table_5("CAMB")
    found = extrapolate(SIX, scores[:6].tolist(), moved(scores[:6], points=0), [9])
    half = evaluate(fit_power_laws((1, 2, 3), scores[np.newaxis, :3], scores[2:3]), [9])
    one = evaluate(fit_power_laws(SIX, scores[np.newaxis, :6], np.ones(1)), [9])
    moves = [(float(x[0, 0]) - found.scores[0]) ** 2 for x in (half, one)]
    law = fit_power_laws(SIX, scores[np.newaxis, :6], scores[5:6])
    moves.append((float(evaluate(law, [6])[0, 0]) - scores[5]) ** 2)  # the last size, missed
    assert half_widths(found)[0] == pytest.approx(t_quantile(0.95, 9) * sqrt(sum(moves)), rel=1e-9)


def test_annotators_that_differ_more_make_the_band_wider() -> None:
    scores = table_5("AMU")[:6]
    near, far = (extrapolate(SIX, scores.tolist(), moved(scores, 10, d), [9]) for d in (0.1, 1))
    assert near.scores == far.scores
    assert half_widths(far)[0] > 2 * half_widths(near)[0]


def test_the_band_grows_with_the_distance_and_with_the_level() -> None:
    scores = table_5("CUUI")
    found = extrapolate(range(1, 10), scores.tolist(), moved(scores), [10, 20, 50])
    assert (np.diff(half_widths(found)) > 0).all()
    sure = extrapolate(range(1, 10), scores.tolist(), moved(scores), [10, 20, 50], level=0.99)
    ratio = t_quantile(0.99, 9) / t_quantile(0.95, 9)
    assert half_widths(sure) == pytest.approx(ratio * half_widths(found))
    assert (found.level, sure.level) == (0.95, 0.99)


def test_a_size_the_smaller_panels_do_not_have_is_left_out_of_their_fits() -> None:
    scores = table_5("human")
    without = moved(scores)
    without[:, 8] = np.nan
    found = extrapolate(range(1, 10), scores.tolist(), without, [20])
    laws = fit_power_laws(range(1, 9), without[:, :8], without[:, 7])
    predicted = evaluate(laws, [20])[:, 0]
    assert half_widths(found)[0] > t_quantile(0.95, 9) * sqrt(9 * np.var(predicted))
    full = extrapolate(range(1, 10), scores.tolist(), moved(scores), [20])
    assert found.scores == full.scores
    assert found.high != full.high


def test_a_ratio_moves_with_the_annotators_of_both_curves() -> None:
    # the same shifts in both curves nearly cancel, opposite ones add up
    human = law(1, 0.6, 0.4, SIX)
    down = moved(human, points=0.3) - 0.01
    up = down[::-1]
    same, opposite = (
        extrapolate_ratio(SIX, human.tolist(), human.tolist(), down, other, [9])
        for other in (down, up)
    )
    assert same.scores == opposite.scores == pytest.approx((1.0,))
    assert half_widths(same)[0] == pytest.approx(0, abs=1e-9)
    assert half_widths(opposite)[0] > 0.01
    assert opposite.high[0] > 1


def test_a_ratio_may_be_above_1_and_its_limit_is_that_of_the_curves() -> None:
    human, system = law(0.6, 0.4, 0.5, SIX), law(0.9, 0.6, 0.5, SIX)
    found = extrapolate_ratio(
        SIX, system.tolist(), human.tolist(), moved(system), moved(human), [7, 20]
    )
    assert found.scores == pytest.approx((1.5, 1.5), abs=1e-6)
    assert found.limit == pytest.approx(1.5, abs=1e-6)


# anything that may come


@given(data=st.data(), scores=st.lists(st.floats(0, 1), min_size=3, max_size=8))
def test_whatever_the_scores_curves_never_fall_nor_leave_their_bounds(
    data: st.DataObject, scores: list[float]
) -> None:
    row = st.lists(st.floats(0, 1), min_size=len(scores), max_size=len(scores))
    without = np.array(data.draw(st.lists(row, min_size=5, max_size=7)))
    to = range(1, 60, 4)
    found = extrapolate(range(1, len(scores) + 1), scores, without, to)
    values = np.array([found.low, found.scores, found.high])
    assert not np.isnan(values).any()
    assert (np.diff(values, axis=0) >= 0).all()
    assert (np.diff(values[1]) >= -1e-12).all()
    assert values.min() >= 0
    assert values.max() <= 1
    assert max(scores) <= found.limit <= 1
    assert values[1].max() <= found.limit + 1e-12


@pytest.mark.parametrize("score", [0.0, 0.3, 1.0])
def test_a_flat_curve_stays_flat_and_sure(score: float) -> None:
    scores = [score] * 6
    found = extrapolate(SIX, scores, np.full((5, 6), score), [7, 100])
    assert found.scores == pytest.approx((score, score), abs=1e-9)
    assert found.limit == pytest.approx(score, abs=1e-9)
    assert half_widths(found).max() < 0.002


def test_falling_scores_are_continued_at_their_mean() -> None:
    scores = [0.6, 0.58, 0.57, 0.56, 0.54, 0.54]
    found = extrapolate(SIX, scores, moved(np.array(scores)), [7, 50])
    assert found.scores == pytest.approx((0.565, 0.565), abs=1e-4)
    assert found.limit == pytest.approx(0.6)


def test_two_sizes_give_no_curve_but_a_reason() -> None:
    found = extrapolate((1, 2), [0.3, 0.4], np.full((9, 2), 0.3), [5, 6])
    assert "3 sizes" in found.reason
    assert (found.sizes, found.fitted_on) == ((5, 6), (1, 2))
    assert all(isnan(x) for x in (*found.scores, *found.low, *found.high, found.limit))
    assert len(found.scores) == len(found.low) == len(found.high) == 2


def test_three_sizes_are_enough() -> None:
    scores = table_5("human")[[0, 2, 5]]
    found = extrapolate((1, 3, 6), scores.tolist(), moved(scores), [9])
    assert found.scores[0] == pytest.approx(0.7252, abs=0.001)
    assert found.low[0] < 0.7252 < found.high[0]


def test_four_annotators_give_no_curve_but_a_reason() -> None:
    scores = table_5("human")[:6]
    assert extrapolate(SIX, scores.tolist(), moved(scores, 5), [9]).reason == ""
    found = extrapolate(SIX, scores.tolist(), moved(scores, 4), [9])
    assert "5 annotators" in found.reason
    assert isnan(found.scores[0])


def test_an_undefined_score_is_named() -> None:
    scores = table_5("human")[:6]
    found = extrapolate(SIX, [*scores[:3], float("nan"), *scores[4:]], moved(scores), [9])
    assert found.reason == "the score at size 4 is undefined"
    assert isnan(found.scores[0])


def test_too_few_sizes_without_an_annotator_are_a_reason() -> None:
    scores = table_5("human")[:4]
    without = moved(scores)
    without[6, 2:] = np.nan
    found = extrapolate((1, 2, 3, 4), scores.tolist(), without, [9])
    assert "only 2 of the sizes" in found.reason
    assert isnan(found.scores[0])


def test_a_ratio_has_the_reason_of_either_curve() -> None:
    human, system = table_5("human")[:6], table_5("AMU")[:6]
    gap = [float("nan"), *human[1:]]
    found = extrapolate_ratio(SIX, system.tolist(), gap, moved(system), moved(human), [9])
    assert found.reason == "the score at size 1 is undefined"
    found = extrapolate_ratio(
        SIX, system.tolist(), [0.0] * 6, moved(system), np.zeros((10, 6)), [9]
    )
    assert "people score 0" in found.reason
    assert isnan(found.scores[0])
    assert isnan(found.limit)


def test_scores_beyond_fractions_are_errors() -> None:
    without = np.full((5, 3), 0.3)
    for scores in ([30, 40, 45], [-0.1, 0.4, 0.45]):
        with pytest.raises(InputError, match="not percent"):
            extrapolate((1, 2, 3), scores, without, [4])
