"""Pairs of raters: how often they agree, Cohen's kappa, and whose errors the other one denies.

Two ways lead to the counts of all pairs, and the cheaper one is taken. Where each rater judged a
few of many cases, the pairs of judgments of each case are listed: judgments are sorted by case, and
a judgment's partners are those up to so many places behind it. What two raters say of a case is a
place in the table of all pairs of raters and labels (`PairCells`); counts of other cases are added.
Where raters judged nearly everything, the counts are products of matrices [cases, raters]. Either
way cases are taken in blocks, so that memory stays bounded.

Where errors are rare, raters agree on nearly everything, since nearly everything is ok to both.
Tetreault and Chodorow (2008, section 5.2) therefore also look at the errors alone: of the cases
that one rater calls an error, the share that the other one calls ok. There are two such rates, one
for each rater's errors, and neither follows from kappa.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import fsum, isnan, nan
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from jurybox.errors import InputError
from jurybox.model import TRAINED_LABELS
from jurybox.raters.agreement import Agreement, cohen_kappa
from jurybox.raters.cohen import (
    agreement_weights,
    confusion_table,
    estimate_kappas,
    kappas_of,
)
from jurybox.raters.intervals import FEW_JUDGMENTS, share_interval
from jurybox.raters.named_coefficients import AtMost1
from jurybox.raters.ratings import (
    CodeArray,
    FloatArray,
    Ratings,
    judged_again,
    labels_by,
    places,
)
from jurybox.records import WHEN_SET, Count, Limits, Reason, Share

#: cells of a block [cases, raters] of a product of matrices
CELLS_AT_ONCE = 16_000_000
#: up to so many cells [raters, raters, labels, labels] are counted in a table; more are sorted
TABLE_CELLS = 16_000_000
#: cells of tables of labels that are looked at together
TABLE_CELLS_AT_ONCE = 4_000_000
#: pairs of judgments looked at together
PAIRS_AT_ONCE = 2_000_000
#: what a listed pair costs, in steps of a product of matrices (measured)
STEPS_PER_PAIR = 60
#: with more pairs than this they are listed only if that is asked for
MOST_PAIRS = 2000
#: up to so many raters, each pair gets its table of labels
FEW_RATERS = 3
#: labels that call a case fine, in lower case; the others, beside this one, call it an error
OK, ERROR = "ok", "error"
#: scale of the labels -> weights of the weighted kappa
WEIGHTS = {"nominal": "none", "ordinal": "linear", "interval": "quadratic"}
SAME_LABEL = "both raters give every case the same label"


class Pairs(NamedTuple):
    """Pairs of raters who have a case in common, as columns; `first` is below `second`."""

    first: CodeArray
    second: CodeArray
    cases: CodeArray  # that both judged
    observed: FloatArray
    expected: FloatArray
    kappa: FloatArray  # nan where both give every case the same label
    cells: PairCells | None = None  # the labels of all pairs, where they were listed


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
    if listed * STEPS_PER_PAIR <= steps or len(judged_again(ratings).rows):
        return pairs_of_cells(count_pairs(ratings))
    return _pairs(*_count_by_products(ratings))


def _pairs(
    first: CodeArray, second: CodeArray, n: CodeArray, agreed: CodeArray, chance: FloatArray
) -> Pairs:
    cases = n.astype(np.float64)
    room = cases**2 - chance
    kappa = np.full(len(n), nan)
    np.divide(cases * agreed - chance, room, out=kappa, where=room > 0)
    return Pairs(first, second, n, agreed / cases, chance / cases**2, kappa)


class PairCells(NamedTuple):
    """How often two raters gave a case two labels: cells that are not 0, in order.

    `place` is that in a table [raters, raters, labels, labels]; the first rater is below the
    second.
    """

    place: CodeArray
    number: CodeArray
    raters: int
    labels: int

    def add(self, other: PairCells) -> PairCells:
        """The cells of both, of the same raters and labels."""
        place, at = np.unique(np.concatenate([self.place, other.place]), return_inverse=True)
        number = np.bincount(at, np.concatenate([self.number, other.number]), len(place))
        return self._replace(place=place, number=number.astype(np.int64))


def count_pairs(ratings: Ratings) -> PairCells:
    """What every two raters say of the cases both judged.

    >>> from jurybox.raters.ratings import ratings_from_codes
    >>> found = count_pairs(ratings_from_codes(np.array([[0, 1], [0, 1], [1, 1]]), 2))
    >>> found.place.tolist(), found.number.tolist()
    ([5, 7], [2, 1])
    """
    raters, labels = len(ratings.raters), max(1, len(ratings.labels))
    width = (raters * labels) ** 2
    found = PairCells(np.zeros(0, np.int64), np.zeros(0, np.int64), raters, labels)
    table = np.zeros(width if width <= TABLE_CELLS else 0, dtype=np.int64)
    for codes in _list_codes(ratings, raters, labels):
        if len(table):
            table += np.bincount(codes, minlength=width)
        else:
            found = found.add(found._replace(place=codes, number=np.ones_like(codes)))
    if len(table):
        found = found._replace(place=np.flatnonzero(table), number=table[table > 0])
    return found


def _list_codes(ratings: Ratings, raters: int, labels: int) -> Iterator[CodeArray]:
    """The cell of every pair of judgments of a case by two raters, in parts."""
    # sorted as whole numbers of 64 bits, which is many times faster than sorting places
    key = ratings.case.astype(np.uint64)
    for column, width in ((ratings.rater, raters), (ratings.label, labels)):
        key *= np.uint64(width)
        key += column.astype(np.uint32)
    key.sort()
    case_width = np.uint64(raters * labels)
    waiting: list[CodeArray] = []
    number = 0
    start = 0
    while start < len(key):
        # whole cases
        end = start + PAIRS_AT_ONCE // 8
        if end < len(key):
            end = int(np.searchsorted(key, (key[end] // case_width + 1) * case_width))
        case, answer = np.divmod(key[start:end], case_width)
        rater, label = np.divmod(answer.astype(np.int64), labels)
        upper = (rater * raters * labels + label) * labels  # the first of a pair adds this
        lower = rater * labels * labels + label  # and the second that
        # a judgment has a partner so many places behind it as long as that one has the same case
        for reach in range(1, len(case)):
            same = case[reach:] == case[:-reach]
            if not same.any():
                break
            same &= rater[reach:] != rater[:-reach]
            waiting.append(upper[:-reach][same] + lower[reach:][same])
            number += len(waiting[-1])
            if number >= PAIRS_AT_ONCE:
                yield np.concatenate(waiting)
                waiting, number = [], 0
        start = end
    if waiting:
        yield np.concatenate(waiting)


def pairs_of_cells(cells: PairCells) -> Pairs:
    """Agreement and Cohen's kappa of every two raters who have a case in common."""
    pair, said = np.divmod(cells.place, cells.labels**2)
    begins = np.flatnonzero(np.diff(pair, prepend=-1))
    number = np.diff(np.append(begins, len(pair)))
    of_cell = np.repeat(np.arange(len(begins)), number)
    rows_of, columns_of = np.divmod(said, cells.labels)
    n, agreed = (
        np.bincount(of_cell, cells.number * counted, len(begins)).astype(np.int64)
        for counted in (np.ones(len(said), dtype=bool), rows_of == columns_of)
    )
    chance = np.zeros(len(begins))
    for label in range(cells.labels):
        rows, columns = (
            np.bincount(of_cell, cells.number * (own == label), len(begins))
            for own in (rows_of, columns_of)
        )
        chance += rows * columns
    first, second = np.divmod(pair[begins], cells.raters)
    return _pairs(first, second, n, agreed, chance)._replace(cells=cells)


Columns = tuple[CodeArray, CodeArray, CodeArray, CodeArray, FloatArray]


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


def average_pairs(pairs: Pairs) -> MeanAgreement:
    """Mean agreement and kappa of pairs of raters.

    >>> from jurybox.raters.ratings import ratings_from_codes
    >>> codes = np.array([[0, 0, 0], [0, 1, 0], [1, 1, 1]])
    >>> found = average_pairs(agree_in_pairs(ratings_from_codes(codes, 2)))
    >>> found.pairs, round(found.kappa, 2), round(found.lowest, 2), found.highest
    (3, 0.6, 0.4, 1.0)
    """
    observed, kappa = pairs.observed, pairs.kappa
    defined = kappa[~np.isnan(kappa)]
    missing = len(kappa) - len(defined)
    if not len(observed):
        return MeanAgreement(0, nan, nan, nan, nan, 0, "no two raters judged the same case")
    # an exact sum: the order of raters changes no bit
    mean = fsum(observed) / len(observed)
    if not len(defined):
        return MeanAgreement(len(kappa), mean, nan, nan, nan, missing, SAME_LABEL)
    low, high = float(defined.min()), float(defined.max())
    mean_kappa = fsum(defined) / len(defined)
    return MeanAgreement(len(kappa), mean, mean_kappa, low, high, missing)


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
    key = places(ratings.case, max(1, raters), ratings.rater)
    order = np.argsort(key, kind="stable")
    again = np.flatnonzero(key[order][1:] == key[order][:-1])
    before, after = order[again], order[again + 1]
    who = ratings.rater[after]
    same = ratings.label[before] == ratings.label[after]
    said = places(ratings.label[before], labels, ratings.label[after])
    table = np.bincount(said, minlength=labels * labels).reshape(labels, labels)
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


# --- pairs one by one ---


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


class DeniedErrors(NamedTuple):
    """Errors of one rater that the other one calls ok (Tetreault and Chodorow 2008)."""

    errors: Annotated[Count, "Cases that the rater calls an error and the other one judged."]
    denied: Annotated[Count, "Those that the other one calls ok."]
    rate: Annotated[Share, "Their share; null without errors."]
    reason: Reason = ""
    low: Annotated[Share, "Lower end of its interval; null if there is none."] = nan
    high: Annotated[Share, "Upper end."] = nan


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
    judging = ratings.judging
    chosen = judging.tolist() if len(judging) <= FEW_RATERS else sorted(experts)
    met = pairs.first * len(ratings.raters) + pairs.second
    labels = ratings.labels
    errors, fine = tell_errors(labels)
    tables: list[Confusion] = []
    for a, b in combinations(chosen, 2):
        if a * len(ratings.raters) + b not in met:
            continue
        table = confusion_table(labels_by(ratings, a), labels_by(ratings, b), len(labels))
        denied = None
        if errors and fine:
            rates = disagreement_rates(table, errors, fine, level=level)
            denied = Disagreement(tuple(labels[k] for k in errors), *rates)
        rows = dict(zip(labels, map(tuple, table.tolist()), strict=True))
        tables.append(Confusion(ratings.raters[a], ratings.raters[b], labels, rows, denied))
    return PairFindings(mean, listed, tuple(tables))


def tell_errors(labels: Sequence[str]) -> tuple[list[int], list[int]]:
    """The places of labels that call a case an error, and of those that call it ok.

    Where a label is `ok`, all others are kinds of error; where one is `error`, all others are fine.
    The four labels of trained raters are two of each.

    >>> tell_errors(["extraneous", "wrong", "OK"])
    ([0, 1], [2])
    >>> tell_errors(["extraneous", "wrong", "correct", "equal"])
    ([0, 1], [2, 3])
    >>> tell_errors(["2", "3"])
    ([], [])
    """
    names = [label.strip().lower() for label in labels]
    if all(name in TRAINED_LABELS for name in names):
        names = [TRAINED_LABELS[name] for name in names]
    if OK in names:
        fine = [k for k, name in enumerate(names) if name == OK]
        return [k for k in range(len(names)) if k not in fine], fine
    errors = [k for k, name in enumerate(names) if name == ERROR]
    return errors, [k for k in range(len(names)) if k not in errors] if errors else []


def _describe(
    ratings: Ratings, pairs: Pairs, scale: str, level: float, numbers: Sequence[float] | None
) -> Iterator[RaterPair]:
    labels = max(1, len(ratings.labels))
    cells_of = pairs.cells or count_pairs(ratings)
    block = max(1, TABLE_CELLS_AT_ONCE // labels**2)
    for start in range(0, len(pairs.first), block):
        part = slice(start, start + block)
        first, second = pairs.first[part], pairs.second[part]
        tables = _tables_of(cells_of, first, second)
        cells = tables.astype(np.float64)
        found = estimate_kappas(cells, np.eye(labels), level=level)
        weighted = np.full(len(cells), nan)
        if WEIGHTS[scale] != "none":
            weighted = kappas_of(cells, agreement_weights(labels, WEIGHTS[scale], numbers))
        weighted[np.isnan(found.value)] = nan
        ends = (found.standard_error, found.low, found.high)
        values = np.stack([found.observed, found.value, *ends, weighted], axis=1).tolist()
        for a, b, table, numbers_of in zip(first, second, tables, values, strict=True):
            who = ratings.raters[a], ratings.raters[b]
            pair = RaterPair._make((*who, int(table.sum()), *numbers_of, "", ""))
            if isnan(pair.kappa):
                yield pair._replace(reason=SAME_LABEL)
            else:
                yield pair._replace(caution=caution_on_pair(table, ratings.labels))


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


def _tables_of(cells: PairCells, first: CodeArray, second: CodeArray) -> CodeArray:
    """The tables of some consecutive pairs of raters: [pairs, labels, labels]."""
    size = cells.labels**2
    wanted = first * cells.raters + second  # sorted, as pairs are
    part = slice(*np.searchsorted(cells.place, [wanted[0] * size, (wanted[-1] + 1) * size]))
    pair, said = np.divmod(cells.place[part], size)
    tables = np.zeros(len(wanted) * size, dtype=np.int64)
    tables[np.searchsorted(wanted, pair) * size + said] = cells.number[part]
    return tables.reshape(len(wanted), cells.labels, cells.labels)


def disagreement_rates(
    table: ArrayLike,
    errors: Sequence[int],
    ok: Sequence[int] | None = None,
    *,
    level: float = 0.95,
) -> tuple[DeniedErrors, DeniedErrors]:
    """The two disagreement rates of Tetreault and Chodorow (2008, section 5.2).

    Errors of the first rater that the second one denies, and the other way round.
    `table[j, k]` counts the cases that the first rater labelled j and the second k
    (`agreement.cross_tabulate` makes it of labels). `errors` and `ok` are the places of the labels
    that call a case an error, or ok; without `ok` all other labels do. Two different kinds of
    error are no disagreement here. Cases with a label that is neither (unknown) are left out.
    Undefined where a rater calls nothing an error.

    Extraneous, wrong choice and ok in Table 3 of the paper: 26 of 86, and 37 of 97.

    >>> first, second = disagreement_rates([[17, 0, 6], [1, 42, 20], [4, 33, 1213]], (0, 1))
    >>> first.denied, first.errors, round(first.rate, 3)
    (26, 86, 0.302)
    >>> [round(number, 3) for number in (second.rate, second.low, second.high)]
    [0.381, 0.291, 0.481]
    """
    cells = np.asarray(table)
    if cells.ndim != 2 or cells.shape[0] != cells.shape[1]:
        raise InputError("a table of two raters' labels must be square; give every label both")
    labels = range(len(cells))
    fine = [label for label in labels if label not in errors] if ok is None else list(ok)
    wrong = list(errors)
    if not set(wrong + fine) <= set(labels) or set(wrong) & set(fine):
        raise InputError(
            f"errors {wrong} and ok {fine} must be different places from 0 to {len(cells) - 1}"
        )
    both = cells[np.ix_(wrong, wrong)].sum()
    only_first, only_second = cells[np.ix_(wrong, fine)].sum(), cells[np.ix_(fine, wrong)].sum()
    return (
        _denied((both + only_first).item(), only_first.item(), "first", level),
        _denied((both + only_second).item(), only_second.item(), "second", level),
    )


def _denied(errors: int, denied: int, rater: str, level: float) -> DeniedErrors:
    if not errors:
        reason = f"the {rater} rater calls no case an error that the other one judged"
        return DeniedErrors(errors, denied, nan, reason)
    found = share_interval([1, 0], 1, cases=[denied, errors - denied], level=level)
    return DeniedErrors(errors, denied, denied / errors, "", found.low, found.high)
