"""Pairwise agreement for `agree`: Cohen's kappa with its uncertainty, tables, denied errors.

How often what one rater calls an error is ok for the other: Tetreault and Chodorow (2008, 5.2).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import nan
from typing import Annotated, NamedTuple

import numpy as np

from jurybox.raters.cohen import (
    agreement_weights,
    confusion_table,
    estimate_kappas,
    kappas_of,
)
from jurybox.raters.disagreement import DeniedErrors, disagreement_rates
from jurybox.raters.intervals import FEW_JUDGMENTS
from jurybox.raters.named_coefficients import AtMost1
from jurybox.raters.pairs import (
    SAME_LABEL,
    MeanAgreement,
    Pairs,
    agree_in_pairs,
    average_pairs,
    list_pairs,
)
from jurybox.raters.ratings import CodeArray, Ratings, labels_by
from jurybox.records import WHEN_SET, Count, Limits, Reason, Share

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
    """Two raters on the n cases both judged."""

    first: Annotated[str, "One rater."]
    second: Annotated[str, "The other one."]
    n: Annotated[int, "Cases that both judged.", Limits(minimum=1)]
    agreement: Annotated[Share, "Share of these on which they agree."]
    kappa: Annotated[AtMost1, "Cohen's kappa; null where undefined."]
    standard_error: Annotated[
        float, "Its standard error (Fleiss, Cohen and Everitt 1969).", Limits(minimum=0)
    ]
    low: Annotated[float, "Lower end of its interval."]
    high: Annotated[AtMost1, "Upper end of its interval."]
    weighted_kappa: Annotated[
        AtMost1,
        "Weighted kappa: linear weights on the ordinal scale, quadratic ones on the interval "
        "scale; null on the nominal one.",
    ]
    reason: Reason = ""
    caution: Annotated[
        str, "Why the cases say little about kappa, so that its interval is wide.", WHEN_SET
    ] = ""


class Disagreement(NamedTuple):
    """The two disagreement rates."""

    errors: Annotated[tuple[str, ...], "The labels that call a case an error."]
    first: Annotated[DeniedErrors, "Errors of the first rater that the second one denies."]
    second: Annotated[DeniedErrors, "The other way round."]


class Confusion(NamedTuple):
    """The labels of two raters."""

    first: Annotated[str, "The rater of the rows."]
    second: Annotated[str, "The rater of the columns."]
    labels: Annotated[tuple[str, ...], "The labels in order."]
    table: Annotated[
        Mapping[str, tuple[Count, ...]],
        "Label of the first rater -> cases by label of the second one, in the order of labels.",
    ]
    disagreement: Annotated[
        Disagreement | None, "The two disagreement rates; null where no label is ok or error."
    ] = None


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
    """Pairs of raters who have a case in common.

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
        confuse(ratings, labels_by(ratings, a), labels_by(ratings, b), (a, b), level=level)
        for place, a in enumerate(chosen)
        for b in chosen[place + 1 :]
        if (a, b) in met
    ]
    return PairFindings(mean, listed, tuple(tables))


def confuse(
    ratings: Ratings,
    first: CodeArray,
    second: CodeArray,
    who: tuple[int, int],
    *,
    level: float = 0.95,
) -> Confusion:
    """The table of two raters' labels, and the errors of each that the other denies."""
    labels = ratings.labels
    table = confusion_table(first, second, len(labels))
    errors, fine = tell_errors(labels)
    disagreement = None
    if errors and fine:
        rates = disagreement_rates(table, errors, fine, level=level)
        disagreement = Disagreement(tuple(labels[k] for k in errors), *rates)
    return Confusion(
        ratings.raters[who[0]],
        ratings.raters[who[1]],
        labels,
        dict(zip(labels, map(tuple, table.tolist()), strict=True)),
        disagreement,
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
    listed: list[RaterPair] = []
    block = max(1, CELLS_AT_ONCE // labels**2)
    for start in range(0, len(pairs.first), block):
        part = slice(start, start + block)
        tables = _count_tables(ratings, pairs.first[part], pairs.second[part])
        cells = tables.astype(np.float64)
        found = estimate_kappas(cells, np.eye(labels), level=level)
        weighted = np.full(len(cells), nan)
        if weights != "none":
            weighted = kappas_of(cells, agreement_weights(labels, weights, numbers))
        undefined = np.isnan(found.value)
        for place, table in enumerate(tables):
            listed.append(
                RaterPair(
                    ratings.raters[pairs.first[start + place]],
                    ratings.raters[pairs.second[start + place]],
                    int(found.n[place]),
                    float(found.observed[place]),
                    float(found.value[place]),
                    float(found.standard_error[place]),
                    float(found.low[place]),
                    float(found.high[place]),
                    nan if undefined[place] else float(weighted[place]),
                    SAME_LABEL if undefined[place] else "",
                    "" if undefined[place] else caution_on_pair(table, ratings.labels),
                )
            )
    return listed


def caution_on_pair(table: CodeArray, labels: Sequence[str]) -> str:
    """Why the cases of two raters say little about kappa; empty where they say enough.

    >>> caution_on_pair(np.array([[0, 10], [0, 90]]), ["error", "ok"])
    "one of them gives all 100 cases the label 'ok': kappa is 0 whatever the other one says"
    """
    n = int(table.sum())
    for given in (table.sum(axis=1), table.sum(axis=0)):
        if np.count_nonzero(given) == 1:
            label = labels[int(given.argmax())]
            return (
                f"one of them gives all {n} cases the label '{label}': kappa is 0 whatever the "
                "other one says"
            )
    given = table.sum(axis=1) + table.sum(axis=0)
    other = 2 * n - int(given.max())
    if other >= FEW_JUDGMENTS:
        return ""
    return (
        f"only {other} of {2 * n} judgments give another label than '{labels[int(given.argmax())]}'"
    )


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
