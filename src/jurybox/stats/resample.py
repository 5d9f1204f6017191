"""Bootstrap: how much a score would move on another sample of sentences or documents.

Efron and Tibshirani (1993), chapter 6: as many units as there are (sentences, or whole documents,
whose sentences share an author and a topic) are drawn with replacement, and the score is taken
again, a thousand times. The spread of these scores is the standard error, and
`stats.intervals` makes the interval of it. All systems are scored on the same resamples, so that
their differences can be looked at (`stats.significance`).

A resample is a row of weights: how many times each sentence was drawn. Weights are made and used
in chunks, and the same generator gives the same numbers whatever the chunks are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import nan

import numpy as np
from numpy.typing import NDArray

from jurybox.errors import InputError, LengthError, UsageError
from jurybox.model import CountsTable
from jurybox.results import Interval as Interval  # noqa: PLC0414  many look for it here
from jurybox.stats.intervals import resampled_interval
from jurybox.stats.running_choice import FloatArray, IntArray
from jurybox.stats.statistic import Statistic, SwapArray, WeightArray, check_parallel, place_of

#: weights (a byte each) and walks (systems × resamples) held at a time
WEIGHTS_AT_ONCE = 50_000_000
WALKS_AT_ONCE = 200_000
#: random numbers held at a time, 8 bytes each
DRAWN_AT_ONCE = 2_000_000


@dataclass(frozen=True, slots=True)
class Estimate:
    """A score (or a difference of scores) and how sure it is."""

    value: float
    interval: Interval
    standard_error: float


@dataclass(frozen=True, slots=True)
class Resampled:
    """The scores of all systems, as observed [names, systems] and resampled [names, systems, R].

    `unit` is what was drawn (sentence or document) and `units` how many of them there are;
    `evidence` says on how many of them each score rests [names, systems], and `bounds` between
    which values scores lie.
    """

    names: tuple[str, ...]
    observed: FloatArray
    scores: FloatArray
    unit: str
    units: int
    evidence: FloatArray
    bounds: tuple[float, float] | None = (0.0, 1.0)


def bootstrap(
    tables: Sequence[CountsTable],
    statistic: Statistic,
    *,
    rng: np.random.Generator,
    resamples: int = 1000,
    documents: Sequence[str] | None = None,
) -> Resampled:
    """Score all systems on the same resamples of sentences, or of documents where given.

    >>> from jurybox.stats.statistic import EditScore
    >>> table = CountsTable(annotators=["0"])
    >>> for tp in (0, 1, 1, 1):
    ...     table.append([(0, (tp, 1 - tp, 1))])
    >>> drawn = bootstrap([table], EditScore(), rng=np.random.default_rng(1), resamples=200)
    >>> interval = estimate(drawn, 0, "precision").interval
    >>> round(interval.low, 3), round(interval.high, 3)
    (0.126, 0.984)
    """
    n = check_sentences(tables)
    chunks = [
        statistic.bootstrap(tables, bootstrap_weights(n, size, rng, documents))
        for size in chunk_sizes(resamples, sentences=n, systems=len(tables))
    ]
    parts = [by_unit(statistic.parts(table), documents) for table in tables]
    return Resampled(
        names=statistic.names,
        observed=statistic.observed(tables),
        scores=np.concatenate(chunks, axis=2),
        unit="sentence" if documents is None else "document",
        units=parts[0].shape[1],
        evidence=np.stack([statistic.evidence(one) for one in parts], axis=1),
        bounds=statistic.bounds,
    )


def by_unit(parts: FloatArray, documents: Sequence[str] | None) -> FloatArray:
    """The parts [columns, sentences] added up by document, where documents are the units."""
    if documents is None:
        return parts
    codes, units = number_documents(documents, parts.shape[1])
    return np.stack([np.bincount(codes, weights=row, minlength=units) for row in parts])


def bootstrap_weights(
    n: int, resamples: int, rng: np.random.Generator, documents: Sequence[str] | None = None
) -> WeightArray:
    """How many times each of n sentences is drawn: [resamples, n], one row per resample.

    With documents, as many documents as there are get drawn, each with all of its sentences.

    >>> bootstrap_weights(3, 2, np.random.default_rng(0))
    array([[0, 2, 1],
           [3, 0, 0]], dtype=uint8)
    >>> bootstrap_weights(3, 2, np.random.default_rng(0), documents=["a", "a", "b"])
    array([[0, 0, 2],
           [1, 1, 1]], dtype=uint8)
    """
    if documents is None:
        return _multiplicities(n, resamples, rng)
    codes, units = number_documents(documents, n)
    return _multiplicities(units, resamples, rng).take(codes, axis=1)


def _multiplicities(units: int, resamples: int, rng: np.random.Generator) -> WeightArray:
    weights: WeightArray = np.zeros((resamples, units), dtype=np.uint8)
    for rows in blocks(resamples, DRAWN_AT_ONCE // units):
        size = len(weights[rows])
        drawn = rng.integers(0, units, size=(size, units))
        drawn += units * np.arange(size)[:, np.newaxis]
        times = np.bincount(drawn.ravel(), minlength=size * units).reshape(size, units)
        if times.max() > np.iinfo(weights.dtype).max:  # hardly ever: a unit drawn over 255 times
            weights = weights.astype(np.uint32)
        weights[rows] = times
    return weights


def random_swaps(
    n: int, resamples: int, rng: np.random.Generator, documents: Sequence[str] | None = None
) -> SwapArray:
    """Which of n sentences two systems exchange: [resamples, n], each with probability ½.

    With documents, all sentences of a document are exchanged or none.

    >>> random_swaps(4, 2, np.random.default_rng(0), documents=["a", "b", "b", "b"])
    array([[False,  True,  True,  True],
           [ True,  True,  True,  True]])
    """
    codes, units = (None, n) if documents is None else number_documents(documents, n)
    swaps: NDArray[np.bool_] = np.zeros((resamples, units), dtype=bool)
    for rows in blocks(resamples, DRAWN_AT_ONCE // units):
        swaps[rows] = rng.random(swaps[rows].shape) < 0.5
    return swaps if codes is None else swaps.take(codes, axis=1)


def number_documents(documents: Sequence[str], n: int) -> tuple[IntArray, int]:
    """Every sentence's document as a number, in order of appearance, and how many there are.

    >>> number_documents(["b", "b", "a"], 3)
    (array([0, 0, 1]), 2)
    """
    if len(documents) != n:
        raise LengthError(
            f"there are {n} sentences but {len(documents)} document names; every sentence needs one"
        )
    numbers = {name: number for number, name in enumerate(dict.fromkeys(documents))}
    return np.array([numbers[name] for name in documents], dtype=np.intp), len(numbers)


def check_sentences(tables: Sequence[CountsTable]) -> int:
    """How many sentences all the systems have, or an error that says who differs."""
    if not tables:
        raise InputError("there is no system to resample; give at least one")
    n = len(tables[0])
    check_parallel(tables, n)
    if n == 0:
        raise InputError("there are no sentences to resample; the counts are empty")
    return n


def chunk_sizes(resamples: int, *, sentences: int, systems: int) -> Iterator[int]:
    """The resamples cut into parts that fit into some 100 MB, temporary arrays and all.

    >>> list(chunk_sizes(1200, sentences=100_000, systems=2))
    [500, 500, 200]
    """
    if resamples < 1:
        raise UsageError(f"at least 1 resample is needed, not {resamples}")
    size = min(WEIGHTS_AT_ONCE // sentences, WALKS_AT_ONCE // systems)
    return (len(range(resamples)[block]) for block in blocks(resamples, size))


def blocks(total: int, size: int) -> Iterator[slice]:
    """So many rows cut into slices of a size."""
    size = max(1, size)
    return (slice(start, start + size) for start in range(0, total, size))


def estimate(
    resampled: Resampled, system: int, name: str | None = None, *, level: float = 0.95
) -> Estimate:
    """One system's score with its interval and standard error; without a name F, or GLEU's."""
    place = place_of(name, resampled.names)
    value, scores = float(resampled.observed[place, system]), resampled.scores[place, system]
    if reason := only_one(resampled):
        return Estimate(value, Interval(nan, nan, level, reason), nan)
    low, high, error = resampled_interval(
        value,
        scores,
        evidence=float(resampled.evidence[place, system]),
        bounds=resampled.bounds,
        level=level,
    )
    return Estimate(value, Interval(low, high, level), error)


def only_one(resampled: Resampled) -> str:
    """Why there is no interval where there is nothing to draw from; otherwise empty."""
    if resampled.units > 1:
        return ""
    remedy = "; resample sentences instead" if resampled.unit == "document" else ""
    return f"one {resampled.unit} alone shows no variation{remedy}"
