"""Every two raters for `agree`: Cohen's kappa with its uncertainty, tables, denied errors.

How often what one rater calls an error is ok for the other: Tetreault and Chodorow (2008, 5.2).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import nan
from typing import NamedTuple

import numpy as np

from jurybox.raters.cohen import confusion_table, estimate_kappa
from jurybox.raters.disagreement import DisagreementRates, disagreement_rates
from jurybox.raters.pairs import MeanAgreement, Pairs, agree_in_pairs, average_pairs, list_pairs
from jurybox.raters.ratings import CodeArray, Ratings, labels_by

#: with more pairs than this they are listed only if that is asked for
MOST_PAIRS = 2000
#: up to so many raters, each pair gets its table of labels
FEW_RATERS = 3
#: cells of tables that are counted together
CELLS_AT_ONCE = 4_000_000
#: labels that call a case fine, in lower case; the others, beside this one, call it an error
OK, ERROR = "ok", "error"
#: scale of the labels -> weights of the weighted kappa
WEIGHTS = {"nominal": "none", "ordinal": "linear", "interval": "quadratic"}


class RaterPair(NamedTuple):
    """Two raters on the n cases both judged; nan where kappa is undefined, with the reason."""

    first: str
    second: str
    n: int
    agreement: float
    kappa: float
    standard_error: float
    low: float
    high: float
    weighted_kappa: float
    reason: str = ""


class Confusion(NamedTuple):
    """Two raters' labels: the first one's are rows. `errors` are labels that call it an error."""

    first: str
    second: str
    labels: tuple[str, ...]
    table: tuple[tuple[int, ...], ...]
    errors: tuple[str, ...] = ()
    rates: DisagreementRates | None = None


class PairFindings(NamedTuple):
    """All pairs in a nutshell, and those that are listed."""

    mean: MeanAgreement
    listed: tuple[RaterPair, ...]
    confusions: tuple[Confusion, ...]


def find_pairs(
    ratings: Ratings,
    *,
    scale: str,
    level: float,
    experts: Sequence[int],
    list_all: bool,
    numbers: Sequence[float] | None = None,
) -> PairFindings:
    """Every two raters who have a case in common.

    Weighted kappa goes by `numbers` where labels stand for some, and else by their order.

    Where there are many pairs they are averaged only, unless `list_all`. Tables are made of the
    pairs among a few raters, and of experts.

    >>> from jurybox.raters.ratings import ratings_from_codes
    >>> ratings = ratings_from_codes(np.array([[0, 0], [0, 1], [1, 1]]), 2)
    >>> found = find_pairs(ratings, scale="nominal", level=0.95, experts=[], list_all=False)
    >>> [(pair.n, round(pair.kappa, 2)) for pair in found.listed]
    [(3, 0.4)]
    """
    pairs = agree_in_pairs(ratings)
    mean = average_pairs(pairs)
    listed: tuple[RaterPair, ...] = ()
    if len(pairs.first) <= MOST_PAIRS or list_all:
        listed = tuple(_describe(ratings, pairs, scale, level, numbers))
    judging = np.unique(ratings.rater)
    chosen = judging.tolist() if len(judging) <= FEW_RATERS else sorted(experts)
    met = set(zip(pairs.first.tolist(), pairs.second.tolist(), strict=True))
    tables = [
        confuse(ratings, labels_by(ratings, a), labels_by(ratings, b), (a, b))
        for place, a in enumerate(chosen)
        for b in chosen[place + 1 :]
        if (a, b) in met
    ]
    return PairFindings(mean, listed, tuple(tables))


def confuse(
    ratings: Ratings, first: CodeArray, second: CodeArray, who: tuple[int, int]
) -> Confusion:
    """The table of two raters' labels, and the errors of each that the other denies."""
    labels = ratings.labels
    table = confusion_table(first, second, len(labels))
    errors, fine = tell_errors(labels)
    rates = disagreement_rates(table, errors, fine) if errors and fine else None
    return Confusion(
        ratings.raters[who[0]],
        ratings.raters[who[1]],
        labels,
        tuple(tuple(row) for row in table.tolist()),
        tuple(labels[k] for k in errors) if rates else (),
        rates,
    )


def tell_errors(labels: Sequence[str]) -> tuple[list[int], list[int]]:
    """The places of labels that call a case an error, and of those that call it ok.

    Where a label is `ok`, all others are kinds of error; where one is `error`, all others are fine.

    >>> tell_errors(["extraneous", "wrong", "OK"])
    ([0, 1], [2])
    >>> tell_errors(["2", "3"])
    ([], [])
    """
    names = [label.strip().lower() for label in labels]
    if OK in names:
        fine = [k for k, name in enumerate(names) if name == OK]
        return [k for k in range(len(names)) if k not in fine], fine
    errors = [k for k, name in enumerate(names) if name == ERROR]
    return errors, [k for k in range(len(names)) if k not in errors] if errors else []


def _describe(
    ratings: Ratings,
    pairs: Pairs,
    scale: str,
    level: float,
    numbers: Sequence[float] | None,
) -> list[RaterPair]:
    labels = max(1, len(ratings.labels))
    weights = WEIGHTS[scale]
    found = []
    block = max(1, CELLS_AT_ONCE // labels**2)
    for start in range(0, len(pairs.first), block):
        part = slice(start, start + block)
        tables = _count_tables(ratings, pairs.first[part], pairs.second[part])
        for place, table in enumerate(tables, start):
            plain = estimate_kappa(table, level=level)
            weighted = nan
            if weights != "none" and not plain.reason:
                weighted = estimate_kappa(table, weights=weights, numbers=numbers).value
            found.append(
                RaterPair(
                    ratings.raters[pairs.first[place]],
                    ratings.raters[pairs.second[place]],
                    plain.n,
                    plain.observed,
                    plain.value,
                    plain.standard_error,
                    plain.low,
                    plain.high,
                    weighted,
                    plain.reason,
                )
            )
    return found


def _count_tables(ratings: Ratings, first: CodeArray, second: CodeArray) -> CodeArray:
    """The tables of some pairs of raters: [pairs, labels, labels]."""
    raters, labels = len(ratings.raters), len(ratings.labels)
    wanted = first * raters + second  # sorted, as pairs are
    cells = np.zeros(len(wanted) * labels**2, dtype=np.int64)
    for one, other in list_pairs(ratings):
        key = ratings.rater[one] * raters + ratings.rater[other]
        place = np.searchsorted(wanted, key)
        known = np.flatnonzero(wanted[np.minimum(place, len(wanted) - 1)] == key)
        said, answered = ratings.label[one[known]], ratings.label[other[known]]
        spot = (place[known] * labels + said) * labels + answered
        cells += np.bincount(spot, minlength=len(cells))
    return cells.reshape(len(wanted), labels, labels)
