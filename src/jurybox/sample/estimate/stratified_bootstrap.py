"""Stratified bootstrap: shares of errors in samples that are drawn again from themselves.

Each stratum is resampled on its own. As many cases as were sampled, less one, are drawn with
replacement, which makes the spread of resampled means unbiased (Rao and Wu 1988). About this
corpus, resampled means are drawn towards the one that was found by √(1 - n/N). About text of this
kind, the sizes of all strata are drawn anew from a multinomial distribution: another corpus has
others. A sample without errors gives resamples without errors: the bootstrap knows nothing of what
it has not seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.sample.estimate.sampled_parts import Cases
from jurybox.sample.options import About
from jurybox.stats.proportions import FloatArray

#: numbers drawn at a time, 8 bytes each
DRAWN_AT_ONCE = 4_000_000


class JudgedStratum(NamedTuple):
    """Samples of a stratum: how many cases have each share of judges; counts [samples, values]."""

    size: Cases
    values: FloatArray
    counts: NDArray[np.int64]


class ResampledPart(NamedTuple):
    """A part's weight in the corpus and its share of errors: [samples, resamples]."""

    weight: FloatArray
    share: FloatArray


def size_alone(size: Cases, samples: int = 1) -> JudgedStratum:
    """A stratum of which only the size is known."""
    return JudgedStratum(size, np.zeros(2), np.tile([1, 0], (samples, 1)))


def resample_parts(
    parts: Sequence[Sequence[JudgedStratum]],
    rng: np.random.Generator,
    resamples: int,
    *,
    about: About,
) -> list[ResampledPart]:
    """Resampled weights and shares of errors of all parts of the corpus.

    >>> strata = [JudgedStratum(900, np.array([0.0, 1.0]), np.array([[9, 36]]))], [size_alone(100)]
    >>> one, _ = resample_parts(strata, np.random.default_rng(1), 5000, about="text")
    >>> round(float(one.share.mean()), 2), round(float(one.share.std()), 2)
    (0.8, 0.06)
    >>> round(float(one.weight.mean()), 2), round(float(one.weight.std()), 3)
    (0.9, 0.009)
    """
    strata = [one for part in parts for one in part]
    samples = len(strata[0].counts)
    sizes = np.stack([np.broadcast_to(one.size, samples) for one in strata], axis=1)
    total = sizes.sum(axis=1)
    drawn = np.broadcast_to(sizes[:, None, :], (samples, resamples, len(strata)))
    if about == "text":
        chances = (sizes / total[:, None])[:, None, :]
        drawn = rng.multinomial(np.broadcast_to(total[:, None], (samples, resamples)), chances)
    found, at = [], 0
    for part in parts:
        errors, cases = np.zeros((samples, resamples)), np.zeros((samples, resamples))
        for one in part:
            errors += drawn[:, :, at] * _resample(one, rng, resamples, about == "corpus")
            cases += drawn[:, :, at]
            at += 1
        share = np.divide(errors, cases, out=np.zeros_like(errors), where=cases > 0)
        found.append(ResampledPart(cases / total[:, None], share))
    return found


def _resample(
    one: JudgedStratum, rng: np.random.Generator, resamples: int, finite: bool
) -> FloatArray:
    n = one.counts.sum(axis=1)
    chances = one.counts / np.maximum(n, 1)[:, None]
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
    unseen: FloatArray = np.sqrt(1 - n / np.maximum(one.size, 1))
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
