"""Stratified bootstrap: shares of errors in samples that are drawn again from themselves.

Each stratum is resampled on its own. As many cases as were sampled, less one, are drawn with
replacement, which makes the spread of resampled means unbiased (Rao and Wu 1988). Where the
question is about a corpus that is no larger than it is, resampled means are drawn towards the one
that was found by √(1 - n/N). A sample without errors gives resamples without errors: the bootstrap
knows nothing of what it has not seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.stats.proportions import FloatArray

#: numbers drawn at a time, 8 bytes each
DRAWN_AT_ONCE = 4_000_000


class JudgedStratum(NamedTuple):
    """Samples of a stratum: how many cases have each share of judges; counts [samples, values]."""

    size: int
    values: FloatArray
    counts: NDArray[np.int64]


def resample_part(
    strata: Sequence[JudgedStratum], rng: np.random.Generator, resamples: int, *, finite: bool
) -> FloatArray:
    """Resampled shares of errors of a part: [samples, resamples].

    >>> stratum = JudgedStratum(900, np.array([0.0, 1.0]), np.array([[9, 36]]))
    >>> shares = resample_part([stratum], np.random.default_rng(1), 5000, finite=False)
    >>> round(float(shares.mean()), 2), round(float(shares.std()), 2)
    (0.8, 0.06)
    """
    size = sum(one.size for one in strata)
    shares = np.zeros((len(strata[0].counts), resamples))
    for one in strata:
        shares += one.size / size * _resample(one, rng, resamples, finite)
    return shares


def _resample(
    one: JudgedStratum, rng: np.random.Generator, resamples: int, finite: bool
) -> FloatArray:
    n = one.counts.sum(axis=1)
    chances = one.counts / n[:, None]
    mean = chances @ one.values
    drawn = np.maximum(n - 1, 1)
    rows = max(1, DRAWN_AT_ONCE // (resamples * len(one.values)))
    means = np.concatenate(
        [
            _means(one.values, chances[at : at + rows], drawn[at : at + rows], rng, resamples)
            for at in range(0, len(n), rows)
        ]
    )
    if not finite:
        return means
    unseen: FloatArray = np.sqrt(1 - n / one.size)
    moved: FloatArray = mean[:, None] + unseen[:, None] * (means - mean[:, None])
    return moved


def _means(
    values: FloatArray,
    chances: FloatArray,
    drawn: NDArray[np.int64],
    rng: np.random.Generator,
    resamples: int,
) -> FloatArray:
    shape = (len(drawn), resamples)
    if len(values) == 2:  # quicker than the same by the multinomial distribution
        second = rng.binomial(drawn[:, None], chances[:, 1:], size=shape) / drawn[:, None]
        between: FloatArray = values[0] + (values[1] - values[0]) * second
        return between
    counts = rng.multinomial(np.broadcast_to(drawn[:, None], shape), chances[:, None, :])
    means: FloatArray = counts @ values / drawn[:, None]
    return means
