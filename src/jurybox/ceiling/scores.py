"""How far is a system from a person? (Bryant and Ng 2015, equations 1 to 3)

For a set X of reference annotators, g(X) is the average score of the people outside X against X;
h_i is the average of g over all X of i annotators, s_i that of a system's score. The ratio
s_i / h_i is a system's share of human performance at the same number of references. All of it comes
from counts matched once: `score_subsets` re-adds them for every X.

Where there are too many X they are drawn at random, and the means get a standard error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from math import comb, nan, sqrt
from typing import Annotated, NamedTuple

import numpy as np

from jurybox.model import CountsTable
from jurybox.records import Count
from jurybox.stats.plugin_metric import resample_subsets, score_subsets
from jurybox.stats.running_choice import FloatArray, IntArray
from jurybox.stats.statistic import Statistic, WeightArray
from jurybox.stats.subsets import BoolArray

#: called whenever another hypothesis is done
Done = Callable[[], None]
#: resampled scores held at a time, 8 bytes each
MOST_CELLS = 4_000_000


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

    def without(self, annotator: int) -> IntArray:
        """The places of the sets an annotator is not in; of all where it is -1."""
        if annotator < 0:
            return np.arange(len(self.members))
        return np.flatnonzero(~self.members[:, annotator])


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
class ScoredTexts:
    """Texts whose scores are averaged: all people's, or those that stand for one system.

    `scores` [texts, subsets] is nan where a text is not scored against a set: a person who is in
    it, or nothing to score by. `authors` says which annotator's sentences a text is scored on, -1
    for all. `empty` says where neither the text nor the references chosen have an edit. `parts`
    [names - 1, texts, subsets] are the scores before the last one: precision and recall of F.
    """

    tables: tuple[CountsTable, ...]
    authors: tuple[int, ...]
    scores: FloatArray
    empty: BoolArray
    parts: FloatArray

    def mean(self) -> FloatArray:
        """The mean score against every set."""
        return _mean(self.scores, axis=0)

    def precision_recall(self, part: IntArray) -> tuple[float, float]:
        """Means over those of some sets that have a score; nan where the score is not an F."""
        if not len(self.parts):
            return nan, nan
        known = np.where(np.isnan(self.scores), nan, self.parts)[..., part]
        precision, recall = _mean(_mean(known, axis=1), axis=1).tolist()
        return precision, recall


@dataclass(frozen=True, slots=True)
class CeilingScores:
    """The scores of people and systems against sets of annotators."""

    subsets: Subsets
    people: ScoredTexts
    others: tuple[ScoredTexts, ...]

    @property
    def systems(self) -> FloatArray:
        """Every system's score against every set, [systems, subsets]."""
        means = [system.mean() for system in self.others]
        return np.array(means).reshape(len(means), len(self.subsets.members))

    def human(self) -> FloatArray:
        """g(X), equation 1: how the people outside a set score against it, on average."""
        return self.people.mean()


def score_ceiling(
    people: Sequence[CountsTable],
    systems: Sequence[CountsTable],
    subsets: Subsets,
    statistic: Statistic,
    *,
    done: Done | None = None,
) -> CeilingScores:
    """The scores of all people and systems against all sets of annotators.

    Where people skipped sentences, a system is scored for every person on the sentences that
    person looked at, against the same sets: it then meets as many references there as the person
    does. Without gaps that is its score against the set.
    """
    seen = [_sentences_of(table) for table in people]
    human = _score_texts(people, range(len(people)), subsets, statistic, done)
    others = []
    for system in systems:
        if all(np.array_equal(_sentences_of(system), one) for one in seen):
            found = _score_texts([system], [-1], subsets, statistic, done)
            found.scores[:, np.isnan(human.mean())] = nan
        else:
            parts = [system.only(one.tolist()) for one in seen]
            found = _score_texts(parts, range(len(people)), subsets, statistic, done)
            found.scores[np.isnan(human.scores)] = nan
        others.append(found)
    return CeilingScores(subsets, human, tuple(others))


def _sentences_of(table: CountsTable) -> BoolArray:
    """Which sentences count for a hypothesis."""
    return np.diff(np.array(table.starts)) > 0


def _score_texts(
    tables: Sequence[CountsTable],
    authors: Sequence[int],
    subsets: Subsets,
    statistic: Statistic,
    done: Done | None,
) -> ScoredTexts:
    scores: FloatArray = np.full((len(tables), len(subsets.members)), nan)
    empty: BoolArray = np.zeros(scores.shape, dtype=bool)
    parts: FloatArray = np.full((len(statistic.names) - 1, *scores.shape), nan)
    for place, (table, author) in enumerate(zip(tables, authors, strict=True)):
        others = subsets.without(author)
        if others.size and len(table.annotator):
            found = score_subsets(table, subsets.members[others], statistic)
            scores[place, others] = found.scores[-1]
            parts[:, place, others] = found.scores[:-1]
            empty[place, others] = found.empty
        if done is not None:
            done()
    return ScoredTexts(tuple(tables), tuple(authors), scores, empty, parts)


class SubsetSpread(NamedTuple):
    """A mean over sets of annotators, and how far the sets lie apart."""

    mean: Annotated[float, "The mean over the subsets that have a score; null where none has."]
    sd: Annotated[float, "Standard deviation over the subsets; null with fewer than two."]
    low: Annotated[float, "The lowest score of a subset."]
    high: Annotated[float, "The highest score of a subset."]
    standard_error: Annotated[
        float,
        "Standard error of the mean where subsets were drawn at random; 0 where all were scored.",
    ]
    undefined: Annotated[Count, "Subsets without a score, left out of the mean."] = 0


def spread_over(scores: FloatArray, combinations: int) -> SubsetSpread:
    """The mean of sets' scores and its spread, the sampled share of all sets considered.

    >>> spread = spread_over(np.array([0.25, 0.75]), 2)
    >>> spread.mean, round(spread.sd, 4), spread.low, spread.high, spread.standard_error
    (0.5, 0.3536, 0.25, 0.75, 0.0)
    """
    known = scores[~np.isnan(scores)]
    missing = len(scores) - len(known)
    if not known.size:
        return SubsetSpread(nan, nan, nan, nan, nan, missing)
    return SubsetSpread(
        float(known.mean()),
        float(known.std(ddof=1)) if known.size > 1 else nan,
        float(known.min()),
        float(known.max()),
        _standard_error(known, len(scores), combinations),
        missing,
    )


def _standard_error(values: FloatArray, taken: int, combinations: int) -> float:
    """Of a mean over sets drawn without replacement from so many."""
    if taken >= combinations:
        return 0.0
    if values.size < 2:
        return nan
    return float(values.std(ddof=1)) * sqrt((1 - taken / combinations) / values.size)


def ratio_of(system: FloatArray, human: FloatArray, combinations: int) -> tuple[float, float]:
    """The ratio of two means over the same sets; its standard error is that of the residuals.

    >>> ratio_of(np.array([0.2, 0.4]), np.array([0.4, 0.8]), 2)
    (0.5, 0.0)
    """
    both = ~np.isnan(system) & ~np.isnan(human)
    if not both.any() or not human[both].mean():
        return nan, nan
    mean = float(human[both].mean())
    value = float(system[both].mean()) / mean
    residuals = system[both] - value * human[both]
    return value, _standard_error(residuals, len(system), combinations) / mean


def without_each(scored: CeilingScores) -> tuple[FloatArray, FloatArray]:
    """The curves of the panel with each annotator left out: human [annotators, sizes], systems
    [systems, annotators, sizes]; nan where the smaller panel has no such size.
    """
    subsets = scored.subsets
    count = len(scored.people.tables)
    human = np.full((count, len(subsets.combinations)), nan)
    systems = np.full((len(scored.others), *human.shape), nan)
    for left_out in range(count):
        free = subsets.without(left_out)
        for place, size in enumerate(subsets.combinations):
            part = free[subsets.size[free] == size]
            if not part.size or size >= count - 1:
                continue
            for number, texts in enumerate((scored.people, *scored.others)):
                # left out of the texts as well
                rest = [at for at, author in enumerate(texts.authors) if author != left_out]
                curve = systems[number - 1] if number else human
                curve[left_out, place] = _mean(_mean(texts.scores[rest][:, part]))
    return human, systems


def _mean(values: FloatArray, axis: int = 0) -> FloatArray:
    """The mean of what is defined; nan where nothing is."""
    known = ~np.isnan(values)
    return _divide(np.where(known, values, 0.0).sum(axis=axis), known.sum(axis=axis))


def _divide(total: FloatArray, count: FloatArray | IntArray) -> FloatArray:
    mean: FloatArray = np.full(np.shape(total), nan)
    np.divide(total, count, out=mean, where=count > 0)
    return mean


def resample_ceiling(
    scored: CeilingScores, statistic: Statistic, weights: WeightArray, *, done: Done | None = None
) -> tuple[FloatArray, FloatArray]:
    """h_i [sizes, resamples] and s_i [systems, sizes, resamples] on resamples of the sentences.

    `weights` are [resamples, sentences].
    Annotators stay chosen as in the sentences as they are, and GLEU averages its references. Where
    that moves a score (GLEU), the resampled ones are moved back by as much. In every resample the
    mean is over the people, and then the sets, that have a score there; nan where none has.
    """
    once = np.concatenate([np.ones((1, weights.shape[1]), dtype=weights.dtype), weights])
    curves = [
        _resample_texts(texts, scored.subsets, statistic, once, done)
        for texts in (scored.people, *scored.others)
    ]
    shape = (len(scored.others), len(scored.subsets.combinations), len(weights))
    return curves[0], np.array(curves[1:]).reshape(shape)


def _resample_texts(
    texts: ScoredTexts, subsets: Subsets, statistic: Statistic, once: WeightArray, done: Done | None
) -> FloatArray:
    """Means over texts, then over the sets of a size: [sizes, resamples]; the first row of the
    weights takes every sentence once.
    """
    total = np.zeros((len(subsets.combinations), len(once) - 1))
    sets = np.zeros(total.shape)
    at_once = max(1, MOST_CELLS // len(once))
    for start in range(0, len(subsets.members), at_once):
        part = np.arange(start, min(start + at_once, len(subsets.members)))
        mean = _resample_sets(texts, part, subsets, statistic, once)
        known = ~np.isnan(mean)
        mean[~known] = 0.0
        for place, size in enumerate(subsets.combinations):
            of_size = subsets.size[part] == size
            total[place] += mean[of_size].sum(axis=0)
            sets[place] += known[of_size].sum(axis=0)
    if done is not None:
        done()
    return _divide(total, sets)


def _resample_sets(
    texts: ScoredTexts, part: IntArray, subsets: Subsets, statistic: Statistic, once: WeightArray
) -> FloatArray:
    """The mean over texts for some sets: [sets, resamples]."""
    total = np.zeros((len(part), len(once) - 1))
    count = np.zeros(total.shape)
    for table, row in zip(texts.tables, texts.scores, strict=True):
        known = np.flatnonzero(~np.isnan(row[part]))
        if not known.size:
            continue
        drawn = resample_subsets(table, subsets.members[part[known]], statistic, once)
        moved = drawn[:, 1:] + (row[part[known]] - drawn[:, 0])[:, np.newaxis]
        total[known] += np.where(np.isnan(moved), 0.0, moved)
        count[known] += ~np.isnan(moved)
    return _divide(total, count)


def pairwise(
    tables: Mapping[str, CountsTable], statistic: Statistic
) -> Iterator[tuple[str, str, list[float]]]:
    """Each hypothesis against each annotator alone (Table 4); nan where nothing is scored."""
    for name, table in tables.items():
        alone = np.eye(len(table.annotators), dtype=bool)
        scores = score_subsets(table, alone, statistic).scores
        for place, annotator in enumerate(table.annotators):
            yield name, annotator, scores[:, place].tolist()
