"""How far is a system from a person? (Bryant and Ng 2015, equations 1 to 3)

For a set X of reference annotators, g(X) is the average score of the people outside X against X;
h_i is the average of g over all X of i annotators, s_i that of a system's score. The ratio
s_i / h_i says how near a system is to a person at the same number of references. Everything comes
from counts matched once: `score_subsets` re-adds them for every X.

Where there are too many X they are drawn at random, and the means get a standard error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from math import comb, nan, sqrt
from typing import NamedTuple

import numpy as np

from jurybox.model import CountsTable
from jurybox.stats.running import FloatArray, IntArray
from jurybox.stats.statistic import Statistic, WeightArray
from jurybox.stats.subsets import BoolArray, resample_subsets, score_subsets

#: told when another hypothesis is done
Told = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Subsets:
    """Sets of reference annotators: members [subsets, annotators], ordered by size.

    `combinations` says how many sets of each size there are; where there are more than were taken,
    those that were are a random sample.
    """

    members: BoolArray
    combinations: dict[int, int]

    @property
    def size(self) -> IntArray:
        """How many annotators each set has."""
        sizes: IntArray = np.sum(self.members, axis=1, dtype=np.intp)
        return sizes

    def of(self, size: int) -> IntArray:
        """The places of the sets of this size."""
        return np.flatnonzero(self.size == size)


def take_subsets(
    annotators: int, sizes: Sequence[int], *, most: int, rng: np.random.Generator
) -> Subsets:
    """All sets of the sizes asked for, or `most` of them, drawn without replacement.

    >>> taken = take_subsets(4, [1, 3], most=10, rng=np.random.default_rng(1))
    >>> taken.members.astype(int).tolist()[-2:], taken.combinations
    ([[1, 0, 1, 1], [0, 1, 1, 1]], {1: 4, 3: 4})
    """
    listed: list[BoolArray] = []
    for size in sizes:
        if comb(annotators, size) <= most:
            places = list(chain.from_iterable(combinations(range(annotators), size)))
            taken = np.array(places, dtype=np.intp).reshape(-1, size)
        else:
            taken = _draw_subsets(annotators, size, most, rng)
        members = np.zeros((len(taken), annotators), dtype=bool)
        np.put_along_axis(members, taken, True, axis=1)
        listed.append(members)
    return Subsets(np.concatenate(listed), {size: comb(annotators, size) for size in sizes})


def _draw_subsets(annotators: int, size: int, most: int, rng: np.random.Generator) -> IntArray:
    """Different sets of one size, each as likely as any other."""
    drawn: dict[tuple[int, ...], None] = {}
    while len(drawn) < most:
        more = rng.random((most, annotators)).argsort(axis=1)[:, :size]
        for one in np.sort(more, axis=1).tolist():
            if len(drawn) < most:
                drawn[tuple(one)] = None
    return np.array(list(drawn), dtype=np.intp)


@dataclass(frozen=True, slots=True)
class CeilingScores:
    """The score of every person [annotators, subsets] and system [systems, subsets].

    A person has none (nan) against sets they are in, nor where there is nothing to score by; a
    system has none where no person has one, so that both are means over the same sets. `empty` says
    where neither the person nor the references chosen have an edit.
    """

    subsets: Subsets
    people: FloatArray
    systems: FloatArray
    empty: BoolArray

    def human(self) -> FloatArray:
        """g(X), equation 1: how the people outside a set score against it, on average."""
        return _mean(self.people, axis=0)


def score_ceiling(
    people: Sequence[CountsTable],
    systems: Sequence[CountsTable],
    subsets: Subsets,
    statistic: Statistic,
    *,
    told: Told | None = None,
) -> CeilingScores:
    """The scores of all people and systems against all sets of annotators."""
    tables = [*people, *systems]
    scores: FloatArray = np.full((len(tables), len(subsets.members)), nan)
    empty: BoolArray = np.zeros(scores.shape, dtype=bool)
    for number, table in enumerate(tables):
        others = _others(subsets, number if number < len(people) else None)
        if others.size:
            found = score_subsets(table, subsets.members[others], statistic)
            scores[number, others] = found.scores[-1]
            empty[number, others] = found.empty
        if told is not None:
            told()
    by_people, by_systems = scores[: len(people)], scores[len(people) :]
    by_systems[:, np.isnan(_mean(by_people, axis=0))] = nan
    return CeilingScores(subsets, by_people, by_systems, empty[: len(people)])


def _others(subsets: Subsets, person: int | None) -> IntArray:
    """The sets a person is not in; all of them for a system."""
    if person is None:
        return np.arange(len(subsets.members))
    return np.flatnonzero(~subsets.members[:, person])


class Spread(NamedTuple):
    """A mean over sets of annotators, and how far the sets lie apart.

    `sd`, `low` and `high` describe the sets that were scored; `standard_error` is that of the mean
    where they are a random sample, 0 where they are all there are. `undefined` counts sets without
    a score.
    """

    mean: float
    sd: float
    low: float
    high: float
    standard_error: float
    subsets: int
    undefined: int = 0


def spread_over(scores: FloatArray, combinations: int) -> Spread:
    """The mean of sets' scores and its spread, the sampled share of all sets considered.

    >>> spread = spread_over(np.array([0.25, 0.75]), 2)
    >>> spread.mean, round(spread.sd, 4), spread.low, spread.high, spread.standard_error
    (0.5, 0.3536, 0.25, 0.75, 0.0)
    """
    known = scores[~np.isnan(scores)]
    missing = len(scores) - len(known)
    if not known.size:
        return Spread(nan, nan, nan, nan, nan, len(scores), missing)
    sd = float(known.std(ddof=1)) if known.size > 1 else nan
    return Spread(
        float(known.mean()),
        sd,
        float(known.min()),
        float(known.max()),
        _standard_error(known, len(scores), combinations),
        len(scores),
        missing,
    )


def _standard_error(values: FloatArray, taken: int, combinations: int) -> float:
    """Of a mean over sets drawn without replacement from so many."""
    if taken >= combinations:
        return 0.0
    if values.size < 2:
        return nan
    return float(values.std(ddof=1)) * sqrt((1 - taken / combinations) / values.size)


class Ratio(NamedTuple):
    """A system's mean score over the human one, with the standard error of drawing sets."""

    value: float
    standard_error: float


def ratio_of(system: FloatArray, human: FloatArray, combinations: int) -> Ratio:
    """The ratio of two means over the same sets; its error is that of the residuals.

    >>> ratio_of(np.array([0.2, 0.4]), np.array([0.4, 0.8]), 2)
    Ratio(value=0.5, standard_error=0.0)
    """
    both = ~np.isnan(system) & ~np.isnan(human)
    if not both.any() or not human[both].mean():
        return Ratio(nan, nan)
    mean = float(human[both].mean())
    value = float(system[both].mean()) / mean
    residuals = system[both] - value * human[both]
    return Ratio(value, _standard_error(residuals, len(system), combinations) / mean)


def without_each(scored: CeilingScores) -> tuple[FloatArray, FloatArray]:
    """The curves of the panel with each annotator left out: human [annotators, sizes], systems
    [systems, annotators, sizes]; nan where the smaller panel has no such size.
    """
    people, systems, subsets = scored.people, scored.systems, scored.subsets
    sizes = list(subsets.combinations)
    count = len(people)
    human = np.full((count, len(sizes)), nan)
    others = np.full((len(systems), count, len(sizes)), nan)
    for left_out in range(count):
        rest = np.delete(people, left_out, axis=0)
        free = ~subsets.members[:, left_out]
        for place, size in enumerate(sizes):
            part = np.flatnonzero(free & (subsets.size == size))
            if part.size and size < count - 1:
                human[left_out, place] = _mean(_mean(rest[:, part], axis=0))
                others[:, left_out, place] = _mean(systems[:, part], axis=1)
    return human, others


def _mean(values: FloatArray, axis: int = 0) -> FloatArray:
    """The mean of what is defined; nan where nothing is."""
    known = ~np.isnan(values)
    count = known.sum(axis=axis)
    total = np.where(known, values, 0.0).sum(axis=axis)
    mean: FloatArray = np.full(np.shape(total), nan)
    np.divide(total, count, out=mean, where=count > 0)
    return mean


@dataclass(frozen=True, slots=True)
class ResampledCeiling:
    """The curves in every resample: human [sizes, resamples] and systems [systems, sizes, …]."""

    human: FloatArray
    systems: FloatArray


def resample_ceiling(
    people: Sequence[CountsTable],
    systems: Sequence[CountsTable],
    observed: CeilingScores,
    statistic: Statistic,
    weights: WeightArray,
    *,
    told: Told | None = None,
) -> ResampledCeiling:
    """h_i and s_i on resamples of the sentences, weights [resamples, sentences].

    Annotators stay chosen as in the sentences as they are, and GLEU averages its references. Where
    that moves a score (GLEU), the resampled ones are moved back by as much. nan where there is no
    score, or where a resample leaves some text without any sentence.
    """
    subsets = observed.subsets
    in_size = np.array([subsets.size == size for size in subsets.combinations], dtype=np.float64)
    once = np.concatenate([np.ones((1, weights.shape[1]), dtype=weights.dtype), weights])
    human = np.zeros((len(in_size), len(weights)))
    others = np.zeros((len(systems), len(in_size), len(weights)))
    defined = ~np.isnan(observed.people)
    known = in_size * defined.any(axis=0)
    # every set counts alike, and in it every person
    shares = known / np.maximum(1, known.sum(axis=1, keepdims=True))
    shares = shares / np.maximum(1, defined.sum(axis=0))
    for number, table in enumerate([*people, *systems]):
        row = np.concatenate([observed.people, observed.systems])[number]
        for part in _blocks(np.flatnonzero(~np.isnan(row)), len(once)):
            drawn = resample_subsets(table, subsets.members[part], statistic, once)
            moved = drawn[:, 1:] + (row[part] - drawn[:, 0])[:, np.newaxis]
            if number < len(people):
                human += shares[:, part] @ moved
            else:
                of_system = in_size * ~np.isnan(row)
                share = of_system / np.maximum(1, of_system.sum(axis=1, keepdims=True))
                others[number - len(people)] += share[:, part] @ moved
        if told is not None:
            told()
    human[~known.any(axis=1)] = nan
    others[:, ~known.any(axis=1)] = nan
    return ResampledCeiling(human, others)


def _blocks(places: IntArray, width: int, cells: int = 4_000_000) -> Iterator[IntArray]:
    size = max(1, cells // width)
    return (places[start : start + size] for start in range(0, len(places), size))


@dataclass(frozen=True, slots=True)
class Pairwise:
    """The scores [names, hypotheses, annotators] of each hypothesis by each annotator alone."""

    names: tuple[str, ...]
    hypotheses: tuple[str, ...]
    annotators: tuple[str, ...]
    scores: FloatArray


def pairwise(tables: Mapping[str, CountsTable], statistic: Statistic) -> Pairwise:
    """Each hypothesis against each annotator alone (Table 4); nan where nothing is scored."""
    first = next(iter(tables.values()))
    alone = np.eye(len(first.annotators), dtype=bool)
    scores = [score_subsets(table, alone, statistic).scores for table in tables.values()]
    return Pairwise(
        statistic.names, tuple(tables), tuple(first.annotators), np.stack(scores, axis=1)
    )
