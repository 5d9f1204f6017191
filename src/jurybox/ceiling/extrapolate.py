"""How scores would grow with more annotators than there are: a curve, its limit and its band.

The curve is a power law, F(i) = L − A·i^(−k) for i reference annotators, with L between the best
score seen and 1, and k > 0. It was chosen by what it predicts. Fitted on sizes 1–6 of the four
curves of Bryant and Ng (2015, Table 5) it misses sizes 7–9 by at most 0.19 points; the others,
fitted in the same way, by at most

    power law with L = 1                1 − A·i^(−k)            0.67
    parabola in the logarithm           a + b·log i + c·log² i  0.38
    hyperbola                           L − A / (i + k)         0.80
    exponential saturation              L − A·exp(−k·i)         2.57
    logarithm                           a + b·log i             2.59

(points of F0.5). The parabola does better for two of the systems, worse for the third and for
people, and turns down in the end. The choice was made on these four curves, so how well others are
predicted is for the band to say.

The band has four parts, added as variances:

- Which annotators there are. They are what was sampled, so the curve is fitted again without
  each of the n in turn: the jackknife (Efron and Tibshirani 1993, chapter 11).
- How far the prediction moves if only the smaller half of the sizes is fitted (three at least).
- How far it moves if the limit is 1. With enough annotators somebody would agree with every
  sentence a person writes, and no fit of a few sizes can show that this will not happen. It grows
  with the distance from the data.

- How far the curve misses the last size that was measured.

The band is the prediction ± t·√variance, t with n − 1 degrees of freedom. Bands at 95 % fitted on
every panel of 5 to 8 of the ten annotators hold 99 % of the scores of all ten at the larger sizes
(these panels are a large part of the ten, so more than 95 % was to be expected). A band says
nothing about which sentences there are: for that, resample them (`stats.resample`).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import nan
from typing import Annotated, NamedTuple

import numpy as np

from jurybox.errors import InputError
from jurybox.records import NOT_EMPTY, WHEN_SET
from jurybox.stats.intervals import t_quantile
from jurybox.stats.running_choice import FloatArray

#: three parameters are fitted
MINIMUM_SIZES = 3
#: n annotators give sizes 1 to n − 1, and 1 to n − 2 with one left out: three of them from 5 on
MINIMUM_ANNOTATORS = 5
#: exponents k looked at first: below, a curve is flat; above, it is flat from its second size on
RATES = np.geomspace(1e-4, 10, 200)
#: then the two steps around the best exponent are cut into as many, again and again
ZOOM_STEPS, ZOOMS = 33, 6


class PowerLaws(NamedTuple):
    """Curves `limit` − `gap`·i^(−`rate`), one element per curve."""

    limit: FloatArray
    gap: FloatArray
    rate: FloatArray


class Extrapolation(NamedTuple):
    """A curve continued to sizes nobody has scored."""

    sizes: Annotated[tuple[int, ...], "How many reference annotators.", NOT_EMPTY]
    scores: Annotated[tuple[float, ...], "The extrapolated values; null where there is none."]
    low: Annotated[tuple[float, ...], "Lower ends of their bands."]
    high: Annotated[tuple[float, ...], "Upper ends of their bands."]
    fitted_on: Annotated[tuple[int, ...], "The numbers of annotators that the curve was fitted on."]
    limit: Annotated[float, "Where the fitted curve flattens out; loosely determined."]
    level: Annotated[float, "Level of the bands."]
    reason: Annotated[str, "Why there is no curve.", WHEN_SET] = ""


class _Predictions(NamedTuple):
    """One curve fitted in all the ways the band needs: scores [targets], [annotators, targets]."""

    whole: FloatArray
    half: FloatArray
    limit_one: FloatArray
    without: FloatArray
    limit: FloatArray  # from here on single numbers
    measured: FloatArray  # at the last size
    fitted: FloatArray


def extrapolate(
    sizes: Sequence[int],
    scores: Sequence[float],
    without: FloatArray,
    to: Sequence[int],
    *,
    level: float = 0.95,
) -> Extrapolation:
    """The scores to expect at the sizes `to`, fitted on the scores at `sizes`.

    `without` [annotators, sizes] holds the same curve of the panel without each annotator in turn,
    nan where the smaller panel has no such size. Scores are fractions. With fewer than three sizes
    or five annotators, or with an undefined score, there is no extrapolation but a reason.

    Efron and Tibshirani (1993), chapter 11, for the variance (n − 1)/n·Σ(without_a − mean)².

    >>> sizes = (1, 2, 3, 4, 5)
    >>> scores = [0.9 - 0.5 * i**-0.5 for i in sizes]
    >>> without = np.array(scores) + np.array([[-0.01], [-0.01], [0], [0], [0.01], [0.01]])
    >>> found = extrapolate(sizes, scores, without, [9])
    >>> [round(x, 4) for x in (*found.scores, *found.low, *found.high, found.limit)]
    [0.7333, 0.6778, 0.7889, 0.9]
    """
    if reason := _why_not(sizes, scores, without):
        return _none(sizes, to, level, reason)
    found = _predict_all(sizes, scores, without, to)
    return _with_band(found, sizes, to, level, top=1.0)


def extrapolate_ratio(  # noqa: PLR0917  # two curves, each with its jackknife, and where to
    sizes: Sequence[int],
    system: Sequence[float],
    human: Sequence[float],
    system_without: FloatArray,
    human_without: FloatArray,
    to: Sequence[int],
    *,
    level: float = 0.95,
) -> Extrapolation:
    """The ratio of a system's score to people's (Bryant and Ng 2015) at the sizes `to`.

    Both curves are extrapolated, then divided; each part of the band is that of the ratio, with
    the same annotator left out of both curves. A ratio may be larger than 1. It is undefined,
    with a reason, where one of the curves is or where people score 0.
    """
    reason = _why_not(sizes, system, system_without) or _why_not(sizes, human, human_without)
    if reason:
        return _none(sizes, to, level, reason)
    above = _predict_all(sizes, system, system_without, to)
    below = _predict_all(sizes, human, human_without, to)
    if any(np.min(part, initial=1) <= 0 for part in below):
        return _none(sizes, to, level, "people score 0, and nothing can be divided by that")
    ratios = _Predictions(*(one / other for one, other in zip(above, below, strict=True)))
    return _with_band(ratios, sizes, to, level, top=np.inf)


def _predict_all(
    sizes: Sequence[int], scores: Sequence[float], without: FloatArray, to: Sequence[int]
) -> _Predictions:
    """All fits of one curve at once: a curve is a row, and what it is not fitted on is nan."""
    whole = np.asarray(scores, dtype=np.float64)
    half = whole.copy()
    half[max(MINIMUM_SIZES, (len(sizes) + 1) // 2) :] = nan
    curves = np.vstack([whole, half, whole, without])
    least = np.nanmax(curves, axis=1)
    if np.nanmin(curves) < 0 or least.max() > 1:  # a plug-in's scores may be anything
        raise InputError("scores to extrapolate are fractions between 0 and 1, not percent")
    least[2] = 1.0
    laws = fit_power_laws(sizes, curves, least)
    predicted = np.clip(evaluate(laws, to), 0, 1)
    return _Predictions(
        *(predicted[0], predicted[1], predicted[2], predicted[3:]),
        *(laws.limit[0], whole[-1], evaluate(laws, sizes[-1:])[0, 0]),
    )


def fit_power_laws(sizes: Sequence[int], curves: FloatArray, least: FloatArray) -> PowerLaws:
    """The power law nearest to each curve [curves, sizes] by least squares; nan is left out.

    Limits lie between `least` [curves], which is no less than any score of the curve, and 1.

    >>> laws = fit_power_laws((1, 4, 9), np.array([[0.4, 0.65, 0.9 - 0.5 / 3]]), np.array([0.8]))
    >>> [round(float(parameter[0]), 6) for parameter in laws]
    [0.9, 0.5, 0.5]
    """
    rates = np.broadcast_to(RATES, (len(curves), len(RATES)))
    for _ in range(ZOOMS):
        best = _fit_given_rates(sizes, curves, least, rates)[-1].argmin(axis=1, keepdims=True)
        low = np.take_along_axis(rates, np.maximum(best - 1, 0), axis=1)
        high = np.take_along_axis(rates, np.minimum(best + 1, rates.shape[1] - 1), axis=1)
        rates = low + (high - low) * np.linspace(0, 1, ZOOM_STEPS)
    limits, gaps, errors = _fit_given_rates(sizes, curves, least, rates)
    best = errors.argmin(axis=1, keepdims=True)
    return PowerLaws(*(np.take_along_axis(x, best, axis=1)[:, 0] for x in (limits, gaps, rates)))


def _fit_given_rates(
    sizes: Sequence[int], curves: FloatArray, least: FloatArray, rates: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """For every curve and rate [curves, rates] the best limit and gap, and their squared error.

    With the rate given the law is a straight line in x = i^(−k). The least error for a given limit
    is a parabola in the limit, so the best limit allowed is the best one of all, moved into its
    bounds. No score is above it, so the gap cannot be negative.
    """
    here = ~np.isnan(curves)[:, np.newaxis]
    y = np.where(here, curves[:, np.newaxis], 0.0)
    x = np.where(here, np.asarray(sizes, dtype=np.float64) ** -rates[..., np.newaxis], 0.0)
    number = here.sum(axis=2)
    mean_x, mean_y = x.sum(axis=2) / number, y.sum(axis=2) / number
    apart = np.where(here, x - mean_x[..., np.newaxis], 0.0)
    slope = (apart * y).sum(axis=2) / (apart**2).sum(axis=2)
    limits = np.clip(mean_y - slope * mean_x, least[:, np.newaxis], 1.0)
    below = np.where(here, limits[..., np.newaxis] - y, 0.0)
    gaps = (x * below).sum(axis=2) / (x**2).sum(axis=2)
    errors = ((below - gaps[..., np.newaxis] * x) ** 2).sum(axis=2)
    return limits, gaps, errors


def evaluate(laws: PowerLaws, sizes: Sequence[int]) -> FloatArray:
    """The value of every power law at every size: [curves, sizes].

    >>> laws = PowerLaws(np.array([0.9]), np.array([0.5]), np.array([0.5]))
    >>> evaluate(laws, [1, 25]).round(3)
    array([[0.4, 0.8]])
    """
    limit, gap, rate = (parameter[:, np.newaxis] for parameter in laws)
    values: FloatArray = limit - gap * np.asarray(sizes, dtype=np.float64) ** -rate
    return values


def _with_band(
    found: _Predictions, sizes: Sequence[int], to: Sequence[int], level: float, *, top: float
) -> Extrapolation:
    n = len(found.without)
    sampled = (n - 1) * np.var(found.without, axis=0)
    variance = sampled + (found.half - found.whole) ** 2 + (found.limit_one - found.whole) ** 2
    variance = variance + (found.measured - found.fitted) ** 2
    width = t_quantile(level, n - 1) * np.sqrt(variance)
    low, high = (np.clip(found.whole + w, 0, top) for w in (-width, width))
    scores, lows, highs = (tuple(ends.tolist()) for ends in (found.whole, low, high))
    return Extrapolation(tuple(to), scores, lows, highs, tuple(sizes), float(found.limit), level)


def _none(sizes: Sequence[int], to: Sequence[int], level: float, reason: str) -> Extrapolation:
    unknown = (nan,) * len(to)
    return Extrapolation(tuple(to), unknown, unknown, unknown, tuple(sizes), nan, level, reason)


def _why_not(sizes: Sequence[int], scores: Sequence[float], without: FloatArray) -> str:
    """Why there is nothing to extrapolate; otherwise empty."""
    if len(sizes) < MINIMUM_SIZES:
        return f"scores at {MINIMUM_SIZES} sizes or more are needed, not at {len(sizes)}"
    if len(without) < MINIMUM_ANNOTATORS:
        return f"{MINIMUM_ANNOTATORS} annotators or more are needed, not {len(without)}"
    undefined = np.isnan(np.asarray(scores, dtype=np.float64))
    if undefined.any():
        return f"the score at size {sizes[int(undefined.argmax())]} is undefined"
    scored = (~np.isnan(without)).sum(axis=1)
    if scored.min() < MINIMUM_SIZES:
        return (
            f"with one annotator left out only {scored.min()} of the sizes are scored; "
            f"{MINIMUM_SIZES} are needed, all smaller than the panel less one"
        )
    return ""
