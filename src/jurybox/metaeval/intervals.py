"""The intervals of `metaeval`: over other systems, and over other sentences.

Over systems, Pearson's r has Fisher's interval: z = artanh(r) is nearly normal with the standard
error 1 / √(n - 3) for n systems (Fisher 1921).

Spearman's rho and Kendall's tau have *test inversion* intervals: a value is in the interval if a
test at 2.5 % on either side would not reject it. The test draws the scores of n systems from a
bivariate normal distribution, many times, and looks how often the rank correlation is as high, or
as low, as the observed one. Ranks do not depend on the scale of scores, so this holds for all
scores that are normal on some scale. With few systems the intervals hold in more than 95 %, because
a rank correlation has few possible values: tau of five systems has eleven. Standard errors for z of
rank correlations (Fieller, Hartley and Pearson 1957; Bonett and Wright 2000) fail there: five
systems in the very order of people have tau 1 and an infinite z. Percentiles of resampled systems
hold in 85 to 90 % where these hold in 95.

Without ties pairwise accuracy is (tau + 1) / 2, and so are its ends.

Over sentences the systems stay. People's scores of them come from a sample of sentences and have
noise, which resamples of sentences show. Noise lowers a correlation, and resamples have the noise
twice: their percentiles lie too low, and where a metric and people agree completely they never
reach the truth.

So true scores of people are supposed, and tested. Centred scores of people are a part along the
metric's scores, of length a, and a rest of length b, which noise makes longer. Supposed scores lie
at another angle to the metric's than the observed ones do: at 0° the correlation is 1, at 90° it
is 0. Their length at each angle is the one that fits best. An angle is rejected if fewer than
2.5 % of the resamples' noises, added to the supposed scores, give a correlation as high as the
observed one, or as low. The interval covers the correlations of all angles that are not rejected.

Rank correlations jump, and from one angle to the next few pairs of systems change places, fewer
than noise exchanges. So the interval also covers the middle 80 % of the correlations of the best
supposed scores with noise. (Without it Spearman's rho of 12 systems held in 91 % of simulations.)

The study docs/studies/coverage.md measures how often all of them hold.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import asin, atanh, isnan, nan, pi, sqrt, tanh
from statistics import NormalDist

import numpy as np

from jurybox.metaeval.correlation import MEASURES, Measure
from jurybox.results import Interval
from jurybox.stats.intervals import bounded_interval, t_quantile
from jurybox.stats.proportions import normal_quantile
from jurybox.stats.running_choice import FloatArray, IntArray
from jurybox.streams import stream

#: systems that an interval needs
LEAST_SYSTEMS = {"pearson": 4, "spearman": 4, "kendall": 5}
#: the rank correlation of normal scores whose Pearson correlation is r
OF_NORMAL: dict[str, Callable[[float], float]] = {
    "spearman": lambda r: 6 / pi * asin(r / 2),
    "kendall": lambda r: 2 / pi * asin(r),
}
#: Fisher's z of the correlations at which scores are drawn; those below 0 are mirrored
Z_GRID = np.arange(0.0, 6.01, 0.2)
#: data sets at each of them, and numbers drawn at most
DATA_SETS, NUMBERS = 20_000, 240_000
FEWEST_DATA_SETS = 4_000
#: values nearer than this are the same
SAME = 1e-9
UNDEFINED = "not defined"
#: angles that are tested: so many, to so many standard errors on either side
ANGLES, REACH = 25, 4.5
#: angles at which the correlation is looked at, between those that were tested
BETWEEN = 4
#: what lies beyond the middle correlations on either side, as a multiple of 2.5 %
MIDDLE_TAILS = 4
#: a rest this small compared with the whole is rounding error
NOTHING = 1e-9


def correlation_interval(name: str, value: float, systems: int, level: float = 0.95) -> Interval:
    """The interval of a correlation, or of pairwise accuracy, over other systems.

    >>> [round(end, 2) for end in correlation_interval("pearson", 0.8, 12)[:2]]
    [0.42, 0.94]
    >>> [round(end, 1) for end in correlation_interval("kendall", 1.0, 5)[:2]]
    [0.2, 1.0]
    >>> correlation_interval("kendall", 0.3, 4).reason
    'an interval over systems needs 5 of them'
    """
    if isnan(value):
        return Interval(nan, nan, level, UNDEFINED)
    if name == "pairwise_accuracy":
        tau = correlation_interval("kendall", 2 * value - 1, systems, level)
        return tau if tau.reason else Interval((tau.low + 1) / 2, (tau.high + 1) / 2, level)
    t_quantile(level, 1)  # refuses what is no level
    if systems < (least := LEAST_SYSTEMS[name]):
        return Interval(nan, nan, level, f"an interval over systems needs {least} of them")
    if name == "pearson":
        if abs(value) >= 1:
            return Interval(value, value, level, "scores lie on a line")
        reach = normal_quantile(level) / sqrt(systems - 3)
        return Interval(tanh(atanh(value) - reach), tanh(atanh(value) + reach), level)
    low = _lowest(name, value, systems, (1 - level) / 2)
    high = -_lowest(name, -value, systems, (1 - level) / 2)
    return Interval(min(value, low), max(value, high), level)


def _lowest(name: str, value: float, systems: int, tail: float) -> float:
    """The rank correlation with which a sample has this value or more with probability `tail`.

    Between correlations of the grid the probability is interpolated as a normal quantile, in which
    it is nearly a line.
    """
    if value <= -1 + SAME:
        return -1.0
    drawn = draw_rank_correlations(systems)[name]
    at_least = [_share(one, value) for one in drawn]
    mirrored = [1 - _share(one, -value + 2 * SAME) for one in drawn]  # of -r: at most -value
    chances = np.array(mirrored[:0:-1] + at_least)
    z = np.concatenate([-Z_GRID[:0:-1], Z_GRID])
    quantiles = np.maximum.accumulate([NormalDist().inv_cdf(chance) for chance in chances])
    at = float(np.interp(NormalDist().inv_cdf(tail), quantiles, z))
    return OF_NORMAL[name](tanh(at))


def _share(ordered: FloatArray, value: float) -> float:
    """The share of drawn values that are this or more; never 0 or 1, of which nothing is sure."""
    fewer = int(np.searchsorted(ordered, value - SAME))
    return (len(ordered) - fewer + 0.5) / (len(ordered) + 1)


@lru_cache(maxsize=8)
def draw_rank_correlations(systems: int) -> dict[str, list[FloatArray]]:
    """Rank correlations of normal scores of so many systems, in order, at every point of the grid.

    The same random numbers at every point, and in every call.
    """
    size = max(FEWEST_DATA_SETS, min(DATA_SETS, NUMBERS // systems))
    rng = stream(1, "normal scores of systems", systems)
    metric, other = np.sort(rng.normal(size=(size, systems))), rng.normal(size=(size, systems))
    found: dict[str, list[FloatArray]] = {name: [] for name in OF_NORMAL}
    pairs = systems * (systems - 1) / 2
    places = np.arange(systems)
    for r in np.tanh(Z_GRID):
        human = r * metric + sqrt(1 - r * r) * other
        # systems are in the metric's order: pairs that people put in the same one
        same = np.zeros(size)
        for gap in range(1, systems):
            same += np.count_nonzero(human[:, gap:] > human[:, :-gap], axis=1)
        found["kendall"].append(np.sort(2 * same / pairs - 1))
        ranks = human.argsort(axis=1).argsort(axis=1)
        apart = ((ranks - places) ** 2).sum(axis=1)
        found["spearman"].append(np.sort(1 - 6 * apart / (systems**3 - systems)))
    return found


def _why_none(value: float, known: FloatArray, sentences: int) -> str:
    """Why there is no interval over sentences, or '' where there is one."""
    if not len(known) or isnan(value):
        return UNDEFINED
    return "one sentence shows no variation" if sentences == 1 else ""


def correlation_over_sentences(
    name: str,
    metric: FloatArray,
    human: FloatArray,
    drawn: FloatArray,
    *,
    sentences: int,
    level: float,
) -> Interval:
    """A correlation of systems (or pairwise accuracy), over other sentences.

    `metric` and `human` are scores [systems], `drawn` people's scores on resamples of sentences
    [resamples, systems]; resamples in which a system has no score are left out.
    """
    measure = MEASURES[name]
    known = drawn[~np.isnan(drawn).any(axis=1)]
    if reason := _why_none(float(measure(metric, human)), known, sentences):
        return Interval(nan, nan, level, reason)
    # resamples of n units vary less than samples do, by √((n - 1) / n)
    scaled = human + (known - human) * sqrt(sentences / (sentences - 1))
    low, high = sentence_ends(measure, metric, human, scaled, level=level)
    return Interval(float(low), float(high), level)


def over_sentences(
    value: float,
    drawn: FloatArray,
    *,
    sentences: int,
    level: float,
    lowest: float = 0.0,
) -> Interval:
    """A mean over sentences, from `lowest` to 1, from its values on resamples of sentences.

    The interval has Wilson's form; nan in `drawn` is left out.

    >>> drawn = np.array([0.5, 0.6, 0.7, 0.8])
    >>> found = over_sentences(0.7, drawn, sentences=50, level=0.95)
    >>> round(found.low, 2), round(found.high, 2)
    (0.45, 0.87)
    """
    known = drawn[~np.isnan(drawn)]
    if reason := _why_none(value, known, sentences):
        return Interval(nan, nan, level, reason)
    error = float(known.std()) * sqrt(sentences / (sentences - 1))
    ends = bounded_interval(value, error, units=sentences, bounds=(lowest, 1.0), level=level)
    return Interval(float(ends.low), float(ends.high), level)


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
