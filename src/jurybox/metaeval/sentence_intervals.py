"""Confidence intervals of correlations over other sentences, by test inversion.

The systems stay. People's scores of them come from a sample of sentences and have noise, which
resamples of sentences show. Noise lowers a correlation, and resamples have the noise twice: their
percentiles lie too low, and where a metric and people agree completely they never reach the truth.

So true scores of people are supposed, and tested. Centred scores of people are a part along the
metric's scores, of length a, and a rest of length b, which noise makes longer. Supposed scores lie
at another angle to the metric's than the observed ones do: at 0° the correlation is 1, at 90° it
is 0. Their length at each angle is the one that fits best. An angle is rejected if fewer than
2.5 % of the resamples' noises, added to the supposed scores, give a correlation as high as the
observed one, or as low. The interval covers the correlations of all angles that are not rejected.

Rank correlations jump, and from one angle to the next few pairs of systems change places, fewer
than noise exchanges. So the interval also covers the middle 80 % of the correlations of the best
supposed scores with noise. (Without it Spearman's rho of 12 systems held in 91 % of simulations.)

The study docs/studies/coverage.md measures how often it holds.
"""

from __future__ import annotations

from math import pi

import numpy as np

from jurybox.metaeval.correlation import Measure
from jurybox.stats.intervals import t_quantile
from jurybox.stats.running_choice import FloatArray, IntArray

#: angles that are tested: so many, to so many standard errors on either side
ANGLES, REACH = 25, 4.5
#: angles at which the correlation is looked at, between those that were tested
BETWEEN = 4
#: what lies beyond the middle correlations on either side, as a multiple of 2.5 %
MIDDLE_TAILS = 4
#: values nearer than this are the same
SAME = 1e-9
#: a rest this small beside the whole is rounding error
NOTHING = 1e-9


def sentence_ends(
    measure: Measure,
    metric: FloatArray,
    human: FloatArray,
    drawn: FloatArray,
    *,
    level: float = 0.95,
) -> tuple[FloatArray, FloatArray]:
    """The ends of the interval of `measure`, a correlation or pairwise accuracy of systems.

    `metric` and `human` are scores [..., systems]; `drawn` [..., resamples, systems] are people's
    scores on resamples of sentences. Leading axes give many intervals at once.

    >>> rng = np.random.default_rng(1)
    >>> metric, noise = np.arange(8.0), rng.normal(size=(301, 8))
    >>> human = metric + noise[0]  # the truth is 1
    >>> from jurybox.metaeval.correlation import pearson
    >>> low, high = sentence_ends(pearson, metric, human, human + noise[1:])
    >>> round(float(pearson(metric, human)), 2), round(float(low), 2), round(float(high), 2)
    (0.95, 0.88, 1.0)
    """
    t_quantile(level, 1)  # refuses what is no level
    value = measure(metric, human)
    along, across, angles, lengths, noise = _suppose(metric, human, drawn)
    tail = (1 - level) / 2
    chances = np.empty(angles.shape)
    for place in range(ANGLES):
        scores = lengths[..., place, np.newaxis] * _towards(angles[..., place], along, across)
        found = measure(metric[..., np.newaxis, :], scores[..., np.newaxis, :] + noise)
        observed = value[..., np.newaxis]
        as_high = (found >= observed - SAME).mean(axis=-1)
        as_low = (found <= observed + SAME).mean(axis=-1)
        chances[..., place] = np.minimum(as_high, as_low)
        if place == ANGLES // 2:  # the best angle
            edge = min(MIDDLE_TAILS * tail, 0.5)
            middle = np.nanquantile(found, [edge, 1 - edge], axis=-1)
    least, most = _not_rejected(angles, chances, tail)
    steps = np.linspace(0.0, 1.0, ANGLES * BETWEEN)
    kept = least[..., np.newaxis] + (most - least)[..., np.newaxis] * steps
    directions = _towards(kept, along[..., np.newaxis, :], across[..., np.newaxis, :])
    inside = measure(metric[..., np.newaxis, :], directions)
    low = np.fmin(np.fmin(value, middle[0]), np.fmin.reduce(inside, axis=-1))
    high = np.fmax(np.fmax(value, middle[1]), np.fmax.reduce(inside, axis=-1))
    return low, high


def _towards(angle: FloatArray, along: FloatArray, across: FloatArray) -> FloatArray:
    """Vectors [..., systems] of length 1 at angles [...] to the metric's scores."""
    cosine, sine = np.cos(angle)[..., np.newaxis], np.sin(angle)[..., np.newaxis]
    found: FloatArray = cosine * along + sine * across
    return found


def _suppose(
    metric: FloatArray, human: FloatArray, drawn: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray, FloatArray]:
    """Directions along and across the metric's scores [..., systems]; angles and lengths
    [..., angles] of supposed scores; and noise [..., resamples, systems].
    """
    along = _unit(_centred(metric))
    seen = _centred(human)
    noise = drawn - drawn.mean(axis=-2, keepdims=True)
    own = (_centred(noise) * along[..., np.newaxis, :]).sum(axis=-1)
    rest = _centred(noise) - own[..., np.newaxis] * along[..., np.newaxis, :]
    a = (seen * along).sum(axis=-1)
    across = seen - a[..., np.newaxis] * along
    size = np.sqrt((seen**2).sum(axis=-1))
    observed_b = np.sqrt((across**2).sum(axis=-1))
    across = np.where((observed_b > NOTHING * size)[..., np.newaxis], across, 0.0)
    spread = (rest**2).sum(axis=-1).mean(axis=-1)
    b = np.sqrt(np.maximum(0.0, observed_b**2 - spread))  # without what noise adds to it
    dimensions = max(1, metric.shape[-1] - 1)
    error = np.sqrt((spread + (own**2).mean(axis=-1)) / dimensions)
    with np.errstate(divide="ignore", invalid="ignore"):
        unsure = np.where(error > 0, error / np.sqrt(a**2 + b**2), 0.0)
    reach = np.minimum(REACH * unsure, pi)[..., np.newaxis] * np.linspace(-1, 1, ANGLES)
    angles = np.clip(np.arctan2(b, a)[..., np.newaxis] + reach, 0.0, pi)
    lengths = a[..., np.newaxis] * np.cos(angles) + b[..., np.newaxis] * np.sin(angles)
    return along, _unit(across), angles, np.maximum(0.0, lengths), noise


def _not_rejected(
    angles: FloatArray, chances: FloatArray, tail: float
) -> tuple[FloatArray, FloatArray]:
    """The least and the greatest angle that is not rejected, interpolated between those tested.

    Where all are rejected, the one that is so most narrowly.
    """
    kept = chances >= np.minimum(tail, chances.max(axis=-1, keepdims=True))
    first, last = kept.argmax(axis=-1), ANGLES - 1 - kept[..., ::-1].argmax(axis=-1)

    def between(inner: IntArray, outer: IntArray) -> FloatArray:
        def at(values: FloatArray, places: IntArray) -> FloatArray:
            return np.take_along_axis(values, places[..., np.newaxis], axis=-1)[..., 0]

        one, other = at(chances, inner), at(chances, outer)
        with np.errstate(divide="ignore", invalid="ignore"):
            part = np.where(one > other, (one - tail) / (one - other), 0.0)
        part = np.clip(part, 0.0, 1.0)
        found: FloatArray = at(angles, inner) + part * (at(angles, outer) - at(angles, inner))
        return found

    return (
        between(first, np.maximum(first - 1, 0)),
        between(last, np.minimum(last + 1, ANGLES - 1)),
    )


def _centred(scores: FloatArray) -> FloatArray:
    found: FloatArray = scores - scores.mean(axis=-1, keepdims=True)
    return found


def _unit(vector: FloatArray) -> FloatArray:
    """Vectors [..., systems] of length 1; those without a length stay so."""
    length = np.sqrt((vector**2).sum(axis=-1, keepdims=True))
    found: FloatArray = np.zeros(vector.shape)
    np.divide(vector, length, out=found, where=length > 0)
    return found
