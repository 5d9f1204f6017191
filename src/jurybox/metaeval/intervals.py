"""The intervals of `metaeval`: over other systems, and over other sentences."""

from __future__ import annotations

from math import isnan, nan, sqrt

import numpy as np

from jurybox.metaeval.correlation import MEASURES
from jurybox.metaeval.correlation_intervals import correlation_interval
from jurybox.metaeval.sentence_intervals import sentence_ends
from jurybox.stats.intervals import bounded_interval
from jurybox.stats.resample import Interval
from jurybox.stats.running_choice import FloatArray

ONE_SENTENCE = "one sentence shows no variation"


def over_systems(name: str, value: float, systems: int, level: float) -> Interval:
    """A correlation of so many systems, over other systems."""
    if isnan(value):
        return Interval(nan, nan, level, "not defined")
    found = correlation_interval(name, value, systems, level)
    return Interval(found.low, found.high, level, found.reason)


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
    if not len(known) or isnan(float(measure(metric, human))):
        return Interval(nan, nan, level, "not defined")
    if sentences == 1:
        return Interval(nan, nan, level, ONE_SENTENCE)
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
    if not known.size or isnan(value):
        return Interval(nan, nan, level, "not defined")
    if sentences == 1:
        return Interval(nan, nan, level, ONE_SENTENCE)
    error = float(known.std()) * sqrt(sentences / (sentences - 1))
    ends = bounded_interval(value, error, units=sentences, bounds=(lowest, 1.0), level=level)
    return Interval(float(ends.low), float(ends.high), level)
