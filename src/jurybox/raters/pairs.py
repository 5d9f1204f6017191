"""Pairs of raters: on how many cases they met, how often they agree, Cohen's kappa.

Two ways lead to the same counts, and the cheaper one is taken. Where each rater judged a few of
many cases, the pairs of judgments of each case are listed: judgments are sorted by case, and a
judgment's partners are those up to so many places behind it. Where raters judged nearly
everything, the counts are products of matrices [cases, raters]. Either way raters or cases are
taken in blocks, so that memory stays bounded.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import nan
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.raters.agreement import Agreement, cohen_kappa
from jurybox.raters.ratings import CodeArray, FloatArray, Ratings
from jurybox.records import Count, Limits, Reason, Share

#: cells of a table [raters in a block, raters, labels]: 100 MB for each of two
CELLS_AT_ONCE = 16_000_000
#: pairs of judgments looked at together
PAIRS_AT_ONCE = 2_000_000
#: what a listed pair costs, in steps of a product of matrices (measured)
STEPS_PER_PAIR = 300

SAME_LABEL = "both raters give every case the same label"


class Pairs(NamedTuple):
    """Pairs of raters who have a case in common, as columns; `first` is below `second`."""

    first: CodeArray
    second: CodeArray
    cases: CodeArray  # that both judged
    observed: FloatArray
    expected: FloatArray
    kappa: FloatArray  # nan where both give every case the same label

    def __repr__(self) -> str:
        return f"Pairs of raters: {len(self.first)}"

    def reason(self, place: int) -> str:
        """Why a pair has no kappa; empty where it has one."""
        return SAME_LABEL if np.isnan(self.kappa[place]) else ""


class MeanAgreement(NamedTuple):
    """A mean over pairs of raters; pairs without a kappa are counted."""

    pairs: Annotated[Count, "Pairs with a case in common."]
    agreement: Annotated[Share, "Mean agreement; null without pairs."]
    kappa: Annotated[
        float,
        "Mean of Cohen's kappa over pairs that have one; null if none has.",
        Limits(maximum=1),
    ]
    lowest: Annotated[float, "The lowest kappa.", Limits(maximum=1)]
    highest: Annotated[float, "The highest kappa.", Limits(maximum=1)]
    undefined: Annotated[Count, "Pairs without a kappa: both raters give every case one label."]
    reason: Reason = ""


class SelfAgreement(NamedTuple):
    """Raters who saw a case again: how often they say what they said before."""

    repeats: CodeArray  # [raters]: judgments of a case they had judged before
    same: CodeArray  # [raters]: those with the label of the time before
    pooled: Agreement  # kappa of earlier and later answers, all raters together
    table: CodeArray  # [labels, labels]: earlier answers are rows
    case_repeats: CodeArray  # [cases]: judgments by somebody who had judged the case before
    case_same: CodeArray  # [cases]: those with the label of the time before


def agree_in_pairs(ratings: Ratings) -> Pairs:
    """Agreement and Cohen's kappa of every two raters who have a case in common.

    A rater's chance of a label is taken on the cases that the pair shares. Two judgments of one
    rater on the same case are no pair here (see `agree_with_self`).

    >>> from jurybox.raters.ratings import ratings_from_codes
    >>> codes = np.array([[0, 0, -1], [0, 1, -1], [1, 1, 1]])
    >>> found = agree_in_pairs(ratings_from_codes(codes, 2))
    >>> found.first.tolist(), found.second.tolist(), found.cases.tolist()
    ([0, 0, 1], [1, 2, 2], [3, 1, 1])
    >>> found.kappa.round(2).tolist()
    [0.4, nan, nan]
    """
    raters, labels = len(ratings.raters), max(1, len(ratings.labels))
    judged = np.bincount(ratings.case, minlength=ratings.cases)
    listed = int((judged * (judged - 1)).sum()) // 2
    steps = 2 * labels * ratings.cases * raters**2
    if listed * STEPS_PER_PAIR <= steps or _has_repeats(ratings):
        parts = [_count_listed(ratings, low, high) for low, high in _blocks_of_raters(ratings)]
    else:
        parts = [_count_by_products(ratings)]
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    return _scored(*columns)


def _scored(
    first: CodeArray, second: CodeArray, n: CodeArray, agreed: CodeArray, chance: FloatArray
) -> Pairs:
    cases = n.astype(np.float64)
    room = cases**2 - chance
    kappa = np.full(len(n), nan)
    np.divide(cases * agreed - chance, room, out=kappa, where=room > 0)
    return Pairs(first, second, n, agreed / cases, chance / cases**2, kappa)


Columns = tuple[CodeArray, CodeArray, CodeArray, CodeArray, FloatArray]


def _blocks_of_raters(ratings: Ratings) -> Iterator[tuple[int, int]]:
    raters = len(ratings.raters)
    size = max(1, CELLS_AT_ONCE // max(1, raters * len(ratings.labels)))
    return ((low, min(raters, low + size)) for low in range(0, max(1, raters), size))


def _count_listed(ratings: Ratings, low: int, high: int) -> Columns:
    """Pairs whose first rater is from `low` to below `high`."""
    raters, labels = len(ratings.raters), len(ratings.labels)
    wide = (high - low) * raters
    by_first = np.zeros(wide * labels, dtype=np.int32)
    by_second = np.zeros(wide * labels, dtype=np.int32)
    agreed = np.zeros(wide, dtype=np.int64)
    for one, other in list_pairs(ratings):
        a, b = ratings.rater[one], ratings.rater[other]
        kept = (a >= low) & (a < high) & (a != b)
        pair = (a[kept] - low) * raters + b[kept]
        said, answered = ratings.label[one[kept]], ratings.label[other[kept]]
        by_first += np.bincount(pair * labels + said, minlength=wide * labels).astype(np.int32)
        by_second += np.bincount(pair * labels + answered, minlength=wide * labels).astype(np.int32)
        agreed += np.bincount(pair[said == answered], minlength=wide)
    tables = by_first.reshape(wide, labels), by_second.reshape(wide, labels)
    n = tables[0].sum(axis=1, dtype=np.int64)
    met = np.flatnonzero(n)
    chance = np.einsum("pk,pk->p", *(table[met].astype(np.float64) for table in tables))
    return met // raters + low, met % raters, n[met], agreed[met], chance


def list_pairs(ratings: Ratings) -> Iterator[tuple[CodeArray, CodeArray]]:
    """The places of two judgments of the same case, the lower rater first, in parts.

    Judgments of one rater on one case stand in the order they were given.
    """
    order = np.lexsort((ratings.rater, ratings.case))
    case = ratings.case[order]
    waiting: list[tuple[CodeArray, CodeArray]] = []
    number = 0
    # a judgment has a partner so many places behind it as long as that one has the same case
    for reach in range(1, len(case)):
        starts = np.flatnonzero(case[reach:] == case[:-reach])
        if not len(starts):
            break
        for begin in range(0, len(starts), PAIRS_AT_ONCE):
            part = starts[begin : begin + PAIRS_AT_ONCE]
            waiting.append((order[part], order[part + reach]))
            number += len(part)
            if number >= PAIRS_AT_ONCE:
                yield _joined(waiting)
                waiting, number = [], 0
    if waiting:
        yield _joined(waiting)


def _joined(parts: list[tuple[CodeArray, CodeArray]]) -> tuple[CodeArray, CodeArray]:
    one, other = zip(*parts, strict=True)
    return np.concatenate(one), np.concatenate(other)


def _has_repeats(ratings: Ratings) -> bool:
    key = np.sort(ratings.case * len(ratings.raters) + ratings.rater)
    return bool((key[1:] == key[:-1]).any())


def _count_by_products(ratings: Ratings) -> Columns:
    """The same counts as products of matrices of zeros and ones, a block of cases at a time."""
    raters, labels = len(ratings.raters), len(ratings.labels)
    order = np.argsort(ratings.case, kind="stable")
    case, rater, label = (c[order] for c in (ratings.case, ratings.rater, ratings.label))
    n = np.zeros((raters, raters))
    agreed = np.zeros((raters, raters))
    said = np.zeros((labels, raters, raters), dtype=np.float32)
    size = max(1, CELLS_AT_ONCE // max(1, raters))
    for low in range(0, ratings.cases, size):
        part = slice(*np.searchsorted(case, [low, low + size]))
        rows = min(size, ratings.cases - low)
        codes = np.full((rows, raters), -1, dtype=np.int16)
        codes[case[part] - low, rater[part]] = label[part]
        seen = (codes >= 0).astype(np.float32)
        n += seen.T @ seen
        for each in range(labels):
            given = (codes == each).astype(np.float32)
            agreed += given.T @ given
            said[each] += given.T @ seen
    chance = np.zeros((raters, raters))
    for table in said.astype(np.float64):
        chance += table * table.T
    first, second = np.nonzero(np.triu(n, 1))
    met = (first, second)
    whole = [matrix[met].round().astype(np.int64) for matrix in (n, agreed)]
    return first, second, whole[0], whole[1], chance[met]


def average_pairs(pairs: Pairs, kept: NDArray[np.bool_] | None = None) -> MeanAgreement:
    """Mean agreement and kappa of pairs of raters, all of them or the `kept` ones.

    >>> from jurybox.raters.ratings import ratings_from_codes
    >>> codes = np.array([[0, 0, 0], [0, 1, 0], [1, 1, 1]])
    >>> found = average_pairs(agree_in_pairs(ratings_from_codes(codes, 2)))
    >>> found.pairs, round(found.kappa, 2), round(found.lowest, 2), found.highest
    (3, 0.6, 0.4, 1.0)
    """
    observed = pairs.observed if kept is None else pairs.observed[kept]
    kappa = pairs.kappa if kept is None else pairs.kappa[kept]
    defined = kappa[~np.isnan(kappa)]
    missing = len(kappa) - len(defined)
    if not len(observed):
        return MeanAgreement(0, nan, nan, nan, nan, 0, "no two raters judged the same case")
    mean = float(observed.mean())
    if not len(defined):
        return MeanAgreement(len(kappa), mean, nan, nan, nan, missing, SAME_LABEL)
    low, high = float(defined.min()), float(defined.max())
    return MeanAgreement(len(kappa), mean, float(defined.mean()), low, high, missing)


def agree_with_self(ratings: Ratings) -> SelfAgreement:
    """How often raters who saw a case again say what they said the time before.

    Each later judgment is set against the same rater's judgment just before it on that case.

    >>> case = rater = np.array([0, 0, 0])
    >>> ratings = Ratings(case, rater, np.array([1, 1, 0]), 1, ("Ann",), ("e", "o"), case)
    >>> found = agree_with_self(ratings)
    >>> found.repeats.tolist(), found.same.tolist(), found.table.tolist()
    ([2], [1], [[0, 0], [1, 1]])
    """
    raters, labels = len(ratings.raters), len(ratings.labels)
    key = ratings.case * max(1, raters) + ratings.rater
    order = np.argsort(key, kind="stable")
    again = np.flatnonzero(key[order][1:] == key[order][:-1])
    before, after = order[again], order[again + 1]
    who = ratings.rater[after]
    same = ratings.label[before] == ratings.label[after]
    places = ratings.label[before] * labels + ratings.label[after]
    table = np.bincount(places, minlength=labels * labels).reshape(labels, labels)
    if len(again):
        pooled = cohen_kappa(table)
        if pooled.reason:
            pooled = pooled._replace(reason="every repeated judgment is the same label")
    else:
        pooled = Agreement(nan, nan, nan, "no rater judged a case twice")
    case = ratings.case[after]
    return SelfAgreement(
        np.bincount(who, minlength=raters),
        np.bincount(who[same], minlength=raters),
        pooled,
        table,
        np.bincount(case, minlength=ratings.cases),
        np.bincount(case[same], minlength=ratings.cases),
    )
