"""A crowd of N against an expert: how many untrained raters replace a trained one.

Tetreault, Filatova and Chodorow (2010): for N = 1, 2, … draw N of a case's judgments, take their
majority, and compare it with an expert, the gold label or the writer's own word; a hundred draws,
means of agreement and kappa. The chance of each label to be the majority is known exactly
(`rank_chances`), so the expected agreement is exact, and a draw of all cases is a draw from these
chances: the judgments need not be drawn one by one. Kappa is a ratio and needs the draws.

The chances. N judgments of a case are drawn without replacement; the label that most of them give
wins. With r_k judgments for label k, the number of draws in which k wins with m votes is C(r_k, m)
times the coefficient of x^(N - m) in the product over the other labels j of

    Σ_{c < m} C(r_j, c) x^c  +  y C(r_j, m) x^m,

where y is what a tie with j is worth to k. It is 0 where tied labels do not win. Settled at random,
a tie with t others is worth 1 / (t + 1), the integral of y^t from 0 to 1; a Gauss–Legendre rule
gives it exactly, for the product is a polynomial in y. So the chances are exact for any number of
labels, up to rounding.

Which labels they are does not matter, only how often they were given: cases that are the same when
their counts are sorted are worked out once, by rank.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import nan
from typing import NamedTuple

import numpy as np

from jurybox.counting.histogram import group_cases
from jurybox.errors import InputError, LengthError, UsageError
from jurybox.raters.agreement import MISSING
from jurybox.raters.cohen import closeness, label_places
from jurybox.raters.intervals import Interval, share_interval
from jurybox.raters.majority import Ties
from jurybox.raters.ratings import CodeArray, FloatArray

#: numbers drawn together
CELLS_AT_ONCE = 4_000_000
#: a group costs as much to draw as so many cases one by one (measured)
CASES_PER_GROUP = 8
#: ways to draw must be numbers that double precision can hold
MOST_WAYS = 1e290


class Band(NamedTuple):
    """The mean over draws, and a band that a further draw falls into with probability `level`.

    It is about other draws from the same judgments of the same cases, not about other cases.
    Draws without a value are counted.
    """

    mean: float
    low: float
    high: float
    undefined: int = 0
    reason: str = ""


class CurvePoint(NamedTuple):
    """A crowd of n against one reference, or the mean over several.

    `cases` have a reference and enough judgments, `left_out` have a reference and too few; of
    several references, those of the one with the fewest cases.
    `expected` is the exact expectation of the agreement. Under the tie policy `drop` cases without
    a label do not count, and it is the ratio of the expected numbers of agreeing and of labelled
    cases. `over_cases` is its interval over other cases of the same kind.
    """

    n: int
    cases: int
    left_out: int
    expected: float
    agreement: Band
    kappa: Band
    over_cases: Interval


class CrowdCurve(NamedTuple):
    """Crowds of every size against one reference, or the mean over several."""

    points: tuple[CurvePoint, ...]
    draws: int
    level: float


def crowd_curve(
    counts: CodeArray,
    reference: CodeArray,
    rng: np.random.Generator,
    *,
    largest: int | None = None,
    draws: int = 100,
    ties: Ties = Ties(),  # noqa: B008 - a frozen value
    weights: str = "none",
    numbers: Sequence[float] | None = None,
    level: float = 0.95,
) -> CrowdCurve:
    """Agreement and kappa with a reference of the majority of 1 to `largest` judgments.

    `counts` is how many of the crowd gave each case each label [cases, labels], `reference` the
    label it should have [cases], `MISSING` where there is none: such cases do not count. Several
    references [references, cases] give the mean over them: every crowd that is drawn is held
    against each of them. The expert must not be in the crowd. A case with fewer than n judgments
    is left out at n and counted. Without `largest` sizes go up to the most judgments a case has.
    Sizes are drawn independently of each other. `weights` are those of kappa, for ordered labels
    (`cohen.WEIGHTS`), which are equally far apart unless they stand for `numbers`.

    >>> counts = np.array([[2, 1], [0, 3], [3, 0], [1, 2]])
    >>> curve = crowd_curve(counts, np.array([0, 1, 0, 0]), np.random.default_rng(0))
    >>> [round(point.expected, 4) for point in curve.points]
    [0.75, 0.75, 0.75]
    """
    several = np.atleast_2d(reference)
    if len(counts) != several.shape[1]:
        raise LengthError(f"the crowd has {len(counts)} cases, the reference {several.shape[1]}")
    if several.max(initial=MISSING) >= counts.shape[1]:
        raise InputError(
            f"the reference has label number {several.max()}, but there are {counts.shape[1]} "
            "labels, counted from 0; give the crowd's counts a column for every label"
        )
    if draws < 1:
        raise UsageError(f"at least 1 draw is needed, not {draws}")
    if not 0 < level < 1:
        raise UsageError(f"the level of a band lies between 0 and 1, as 0.95, not {level}")
    known = (several != MISSING) & counts.any(axis=1)
    if not known.any(axis=1).all():
        raise InputError("no case has both a judgment of the crowd and a reference label")
    total = (several != MISSING).sum(axis=1)
    met = known.any(axis=0)
    given = np.flatnonzero(counts[met].any(axis=0))  # known answers may be other ones
    crowd = counts[np.ix_(met, given)]
    truths = _ordered(crowd, several[:, met])
    groups = group_cases([*np.ascontiguousarray(crowd.T), *truths])
    rows, truth = crowd[groups.example], truths.T[groups.example]
    judged = rows.sum(axis=1)
    most = int(judged.max()) if largest is None else largest
    if most < 1:
        raise UsageError(f"the largest crowd must be at least 1, not {most}")
    scale = _Scale(label_places(counts.shape[1], None if weights == "none" else numbers), weights)
    ranked = rank_chances(rows, min(most, int(judged.max())), ties)
    tied_label = ties.label if ties.policy == "label" else counts.shape[1]
    points = []
    for n in range(1, most + 1):
        kept = np.flatnonzero(judged >= n)
        cases = groups.sizes[kept] @ (truth[kept] != MISSING)
        fewest = int(cases.argmin())
        left_out = int(total[fewest] - cases[fewest])
        if not cases[fewest]:
            reason = f"no case has {n} judgments"
            none = Band(nan, nan, nan, draws, reason)
            spread = Interval(nan, nan, nan, nan, reason=reason)
            points.append(CurvePoint(n, 0, left_out, nan, none, none, spread))
            continue
        chances = ranked.chances[ranked.kind[kept], n - 1]
        tied = 1 - chances.sum(axis=1, keepdims=True)
        tied[tied < 1e-9] = 0.0  # what rounding left
        outcomes = np.concatenate([chances, tied], axis=1)
        units = _Units(
            outcomes / outcomes.sum(axis=1, keepdims=True),
            np.pad(given[ranked.label[kept]], ((0, 0), (0, 1)), constant_values=tied_label),
            truth[kept],
            groups.sizes[kept],
            counts.shape[1],
        )
        points.append(_score(n, units, left_out, _draw(units, scale, rng, draws), level=level))
    return CrowdCurve(tuple(points), draws, level)


def _ordered(crowd: CodeArray, truths: CodeArray) -> CodeArray:
    """References in an order that is theirs, whoever was named first: [references, cases]."""
    kind, width = group_cases(crowd.T).of_case, int(truths.max()) + 2
    return np.array(
        sorted(truths, key=lambda one: np.bincount(kind * width + one - MISSING).tolist())
    )


class _Units(NamedTuple):
    """Groups of like cases: what can come out of a draw, what is right, how many cases they are."""

    chances: FloatArray  # [groups, outcomes]; rows add up to 1
    label: CodeArray  # [groups, outcomes]; `labels` stands for no label
    truth: CodeArray  # [groups, references]
    sizes: CodeArray
    labels: int


def _score(n: int, units: _Units, left_out: int, drawn: _Drawn, *, level: float) -> CurvePoint:
    labelled = np.where(
        units.truth.T != MISSING, (units.chances * (units.label < units.labels)).sum(axis=1), 0.0
    )
    right = np.array(
        [(units.chances * (units.label == one[:, np.newaxis])).sum(axis=1) for one in units.truth.T]
    )
    expected = float(_ratio(right @ units.sizes, labelled @ units.sizes).mean())
    over_cases = share_interval(right, labelled, cases=units.sizes, level=level)
    shares = _ratio(drawn.agreed, drawn.cases).mean(axis=0)
    agreement = _band(shares, level, "every case is tied")
    room = drawn.cases**2 - drawn.chance  # none if one label is all there is
    room[room <= 1e-9 * np.maximum(drawn.cases**2, 1)] = 0.0
    kappas = _ratio(drawn.cases * drawn.close - drawn.chance, room).mean(axis=0)
    kappa = _band(kappas, level, "all labels are the same one")
    cases = int((units.sizes @ (units.truth != MISSING)).min())
    return CurvePoint(n, cases, left_out, expected, agreement, kappa, over_cases)


class _Scale(NamedTuple):
    """Where labels lie, and how much of an agreement two of them are."""

    places: FloatArray  # [labels]
    weights: str

    def close(self, first: CodeArray, second: CodeArray) -> FloatArray:
        span = float(np.ptp(self.places))
        return closeness(self.places[first], self.places[second], span, self.weights)


class _Drawn(NamedTuple):
    """What kappa needs of every draw's table of right and crowd's labels: [references, draws]."""

    cases: FloatArray  # that have a label
    agreed: FloatArray
    close: FloatArray  # the same, weighted
    chance: FloatArray  # Σ w_jk row_j column_k


class _Cells:
    """The cells of the table of right labels and the crowd's that a draw can fill.

    There are as many of them as the data has outcomes, however many labels there are: two
    thousand known answers and their table would take 4 million cells in every draw.
    """

    def __init__(self, units: _Units, scale: _Scale) -> None:
        width = units.labels + 1
        truths, truth = np.unique(units.truth, axis=0, return_inverse=True)
        cells, places = np.unique(truth.reshape(-1, 1) * width + units.label, return_inverse=True)
        self.of_outcome: CodeArray = places.reshape(units.label.shape)
        self.truth, self.label = truths[cells // width], cells % width
        self._has_label = self.label < units.labels  # the others are ties without a label
        self._scale = scale

    def __len__(self) -> int:
        return len(self.label)

    def sum_up(self, filled: FloatArray) -> _Drawn:
        """Draws [draws, cells] as sums."""
        each = [self._against(filled, truth) for truth in self.truth.T]
        return _Drawn(*map(np.array, zip(*each, strict=True)))

    def _against(self, filled: FloatArray, truth: CodeArray) -> _Drawn:
        """The sums against one reference: [draws]."""
        counts = self._has_label & (truth != MISSING)
        filled, truth, label = filled[:, counts], truth[counts], self.label[counts]
        rows, row = np.unique(truth, return_inverse=True)
        columns, column = np.unique(label, return_inverse=True)
        by_row, by_column = _added(filled, row, len(rows)), _added(filled, column, len(columns))
        if self._scale.weights == "none":
            _, first, second = np.intersect1d(rows, columns, return_indices=True)
            chance = (by_row[:, first] * by_column[:, second]).sum(axis=1)
        else:
            close = self._scale.close(rows[:, np.newaxis], columns)
            chance = ((by_row @ close) * by_column).sum(axis=1)
        same = (truth == label).astype(np.float64)
        near = self._scale.close(truth, label)
        return _Drawn(filled.sum(axis=1), filled @ same, filled @ near, chance)


def _added(filled: FloatArray, to: CodeArray, width: int) -> FloatArray:
    """Columns of cells added up to those they belong `to`: [draws, width]."""
    order = np.argsort(to, kind="stable")
    starts = np.searchsorted(to[order], np.arange(width))
    return np.asarray(np.add.reduceat(filled[:, order], starts, axis=1))


def _draw(units: _Units, scale: _Scale, rng: np.random.Generator, draws: int) -> _Drawn:
    cells = _Cells(units, scale)
    cases = int(units.sizes.sum())
    together = len(units.sizes) * CASES_PER_GROUP < cases
    draw = _draw_groups if together else _draw_cases
    part = max(1, CELLS_AT_ONCE // max(units.label.size if together else cases, len(cells)))
    parts = [
        cells.sum_up(draw(units, cells, rng, min(part, draws - start)))
        for start in range(0, draws, part)
    ]
    return _Drawn(*(np.concatenate(part, axis=1) for part in zip(*parts, strict=True)))


def _draw_groups(units: _Units, cells: _Cells, rng: np.random.Generator, draws: int) -> FloatArray:
    """Like cases together: how many of a group have each outcome is multinomial."""
    drawn = rng.multinomial(units.sizes, units.chances, size=(draws, len(units.sizes)))
    place = cells.of_outcome + np.arange(draws)[:, np.newaxis, np.newaxis] * len(cells)
    added = np.bincount(place.ravel(), drawn.ravel(), minlength=draws * len(cells))
    return added.reshape(draws, len(cells)).astype(np.float64)


def _draw_cases(units: _Units, cells: _Cells, rng: np.random.Generator, draws: int) -> FloatArray:
    """Cases one by one: the outcome in whose part of the cumulated chances a number falls."""
    # so many steps tell all outcomes apart that can happen at all
    needed = int(np.flatnonzero((units.chances > 0).any(axis=0)).max())
    of_case = np.repeat(np.arange(len(units.sizes)), units.sizes)
    steps = np.cumsum(units.chances[:, :needed], axis=1).astype(np.float32)
    lots = rng.random((draws, len(of_case)), dtype=np.float32)
    rank = np.zeros(lots.shape, dtype=np.int8 if needed < 128 else np.int16)
    for step in steps.T:
        np.add(rank, lots >= step[of_case], out=rank)
    first = of_case * cells.of_outcome.shape[1]
    place = cells.of_outcome.ravel()[first + rank] + np.arange(draws)[:, np.newaxis] * len(cells)
    added = np.bincount(place.ravel(), minlength=draws * len(cells))
    return added.reshape(draws, len(cells)).astype(np.float64)


def _ratio(above: FloatArray, below: FloatArray) -> FloatArray:
    out = np.full(above.shape, nan)
    np.divide(above, below, out=out, where=below > 0)
    return out


def _band(values: FloatArray, level: float, reason: str) -> Band:
    defined = values[~np.isnan(values)]
    undefined = len(values) - len(defined)
    if not len(defined):
        return Band(nan, nan, nan, undefined, f"{reason}, in every draw")
    # Weibull's ranks: a further draw falls between them with this probability, of 100 draws too
    ends = [(1 - level) / 2, (1 + level) / 2]
    low, high = np.quantile(defined, ends, method="weibull").tolist()
    first = defined[0]  # equal values have that value as their mean, to the last bit
    return Band(float(first + (defined - first).mean()), low, high, undefined)


def average_curves(curves: Sequence[CrowdCurve], together: CrowdCurve) -> CrowdCurve:
    """The mean over references (experts, say): the mean of their curves at every size.

    Its bands are those of `together`, for which every drawn crowd was held against all of them.
    """
    if {len(curve.points) for curve in curves} != {len(together.points)}:
        raise LengthError("curves of different lengths cannot be averaged; give `largest`")
    points = []
    for drawn, *each in zip(together.points, *(curve.points for curve in curves), strict=True):
        agreement = _average(drawn.agreement, [one.agreement for one in each])
        kappa = _average(drawn.kappa, [one.kappa for one in each])
        points.append(drawn._replace(agreement=agreement, kappa=kappa))
    return together._replace(points=tuple(points))


def _average(drawn: Band, each: Sequence[Band]) -> Band:
    for one in each:
        if one.reason:
            return Band(nan, nan, nan, drawn.undefined, one.reason)
    # sorted: whoever was named first, the last digit is the same
    return drawn._replace(mean=float(np.mean(sorted(one.mean for one in each))), reason="")


def smallest_crowd(values: FloatArray, target: float) -> tuple[int | None, str]:
    """The smallest crowd whose value reaches the target, or None and why; `values[n - 1]` is of n.

    >>> smallest_crowd(np.array([0.5, 0.58, 0.62]), 0.606)
    (3, '')
    """
    if np.isnan(target):
        return None, "the agreement to reach is undefined"
    enough = np.flatnonzero(values >= target)
    if not len(enough):
        return None, f"no crowd of up to {len(values)} reaches it"
    return int(enough[0]) + 1, ""


# --- the chances of labels to be the majority ---


class RankedChances(NamedTuple):
    """Chances to win by rank; ranks go from the label that was given most often down."""

    chances: FloatArray  # [kinds of cases, size of the crowd less 1, ranks]
    kind: CodeArray  # [cases]
    label: CodeArray  # [cases, ranks]: which label has this rank


def rank_chances(counts: CodeArray, largest: int, ties: Ties) -> RankedChances:
    """The chances of labels to win outright, or by lot if ties are settled at random.

    `counts` is [cases, labels]. What is missing to 1 is the chance of a tie that is settled
    otherwise. A crowd larger than a case's judgments has nan.
    """
    if ties.policy == "first":
        raise UsageError("a crowd's ties can be settled by random, drop or a label, not by first")
    order = np.argsort(-counts, axis=1, kind="stable")
    ranks = max(1, int((counts > 0).sum(axis=1).max(initial=0)))
    ordered = np.take_along_axis(counts, order, axis=1)[:, :ranks]
    groups = group_cases(np.ascontiguousarray(ordered.T))
    rows = ordered[groups.example]
    total = rows.sum(axis=1)
    ways = choose(total, largest)
    if not ways.max(initial=1.0) < MOST_WAYS:
        raise InputError(
            f"there are too many ways to draw {largest} of {total.max()} judgments; ask for "
            "smaller crowds"
        )
    columns = [_ways_to_win(rows, rank, largest, ties) for rank in range(ranks)]
    won = np.stack(columns, axis=2)
    chances = np.full(won.shape, np.nan)
    possible = np.broadcast_to((ways > 0)[:, 1:, np.newaxis], won.shape)
    np.divide(won, ways[:, 1:, np.newaxis], out=chances, where=possible)
    return RankedChances(chances, groups.of_case, order[:, :ranks])


def _ways_to_win(rows: CodeArray, label: int, largest: int, ties: Ties) -> FloatArray:
    """In how many draws of 1 to `largest` judgments the label wins: [rows, largest]."""
    own = choose(rows[:, label], largest)
    others = [j for j in range(rows.shape[1]) if j != label]
    worth, weights = np.zeros(1), np.ones(1)
    if ties.policy == "random":
        nodes, weights = np.polynomial.legendre.leggauss(len(others) // 2 + 1)
        worth, weights = (nodes + 1) / 2, weights / 2
    ways = np.zeros((len(rows), largest + 1))
    for votes in range(1, min(largest, int(rows[:, label].max(initial=0))) + 1):
        room = largest - votes  # judgments that can go to others
        product = np.zeros((len(rows), room + 1, len(weights)))
        product[:, 0] = 1.0
        for other in others:
            chosen = choose(rows[:, other], votes)
            product = _times(product, chosen, int(rows[:, other].max()), votes, worth)
        ways[:, votes:] += own[:, votes, np.newaxis] * (product @ weights)
    return ways[:, 1:]


def _times(
    product: FloatArray, chosen: FloatArray, most: int, votes: int, worth: FloatArray
) -> FloatArray:
    """The product times another label's polynomial, cut off where it is not needed."""
    length = product.shape[1]
    result = np.zeros_like(product)
    for taken in range(min(most, votes, length - 1) + 1):
        part = product[:, : length - taken] * chosen[:, taken, np.newaxis, np.newaxis]
        result[:, taken:] += part * worth if taken == votes else part
    return result


def choose(sizes: CodeArray, largest: int) -> FloatArray:
    """Binomial coefficients: ways to take 0 to `largest` of each size, [sizes, largest + 1].

    >>> choose(np.array([3, 1]), 2).tolist()
    [[1.0, 3.0, 3.0], [1.0, 1.0, 0.0]]
    """
    ways = np.ones((len(sizes), largest + 1))
    for taken in range(1, largest + 1):
        # each is a whole number: rounding undoes what dividing blurred
        left = np.maximum(sizes - taken + 1, 0)
        with np.errstate(over="ignore", invalid="ignore"):  # too many: the caller refuses
            ways[:, taken] = np.rint(ways[:, taken - 1] * left / taken)
    return ways
