"""A crowd of N against an expert: how many untrained raters replace a trained one.

Tetreault, Filatova and Chodorow (2010): for N = 1, 2, … draw N of a case's judgments, take their
majority, and compare it with an expert, the gold label or the writer's own word; a hundred draws,
means of agreement and kappa. The chance of each label to be the majority is known exactly
(`crowd_chances`), so the expected agreement is exact, and a draw of all cases is a draw from these
chances: the judgments need not be drawn one by one. Kappa is a ratio and needs the draws.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import nan
from typing import NamedTuple

import numpy as np

from jurybox.errors import InputError, LengthError, UsageError
from jurybox.jury.grouping import group_cases
from jurybox.raters.agreement import MISSING
from jurybox.raters.cohen import closeness, label_places
from jurybox.raters.crowd_chances import rank_chances
from jurybox.raters.intervals import Interval, share_interval
from jurybox.raters.majority import Ties
from jurybox.raters.pairs import MeanAgreement, agree_in_pairs, average_pairs
from jurybox.raters.ratings import CodeArray, FloatArray, ratings_from_codes

#: what is done with a case that has fewer than N judgments
SHORT = ("leave-out", "use-all")
#: numbers drawn together
CELLS_AT_ONCE = 4_000_000
#: a group costs as much to draw as so many cases one by one (measured)
CASES_PER_GROUP = 8


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


class CrowdPoint(NamedTuple):
    """A crowd of n against one reference.

    `cases` have a reference and enough judgments, `left_out` have a reference and too few.
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
    """Crowds of every size against one reference."""

    points: tuple[CrowdPoint, ...]
    draws: int
    level: float


class Reached(NamedTuple):
    """The smallest crowd whose value reaches the target, or None and why."""

    n: int | None
    target: float
    reason: str = ""


def crowd_curve(
    counts: CodeArray,
    reference: CodeArray,
    rng: np.random.Generator,
    *,
    largest: int | None = None,
    draws: int = 100,
    ties: Ties = Ties(),  # noqa: B008 - a frozen value
    short: str = "leave-out",
    weights: str = "none",
    numbers: Sequence[float] | None = None,
    level: float = 0.95,
) -> CrowdCurve:
    """Agreement and kappa with a reference of the majority of 1 to `largest` judgments.

    `counts` is how many of the crowd gave each case each label [cases, labels], `reference` the
    label it should have [cases], `MISSING` where there is none: such cases do not count. The
    expert must not be in the crowd (`ratings.apart_from`). A case with fewer than n judgments is
    left out at n and counted, or takes part with all it has (`short="use-all"`; a case that nobody
    judged is left out all the same). Without `largest` sizes go up to the most judgments a case
    has. Sizes are drawn independently of each other. `weights` are those of kappa, for ordered
    labels (`cohen.WEIGHTS`), which are equally far apart unless they stand for `numbers`.

    >>> counts = np.array([[2, 1], [0, 3], [3, 0], [1, 2]])
    >>> curve = crowd_curve(counts, np.array([0, 1, 0, 0]), np.random.default_rng(0))
    >>> [round(point.expected, 4) for point in curve.points]
    [0.75, 0.75, 0.75]
    """
    _check(counts, reference, draws, short, level)
    with_reference = (reference != MISSING) & (counts.sum(axis=1) > 0)
    unjudged = int(np.count_nonzero((reference != MISSING) & ~with_reference))
    if not with_reference.any():
        raise InputError("no case has both a judgment of the crowd and a reference label")
    given = np.flatnonzero(counts[with_reference].any(axis=0))  # known answers may be other ones
    crowd, truth = counts[np.ix_(with_reference, given)], reference[with_reference]
    groups = group_cases([*np.ascontiguousarray(crowd.T), truth])
    rows, truth = crowd[groups.example], truth[groups.example]
    judged = rows.sum(axis=1)
    most = int(judged.max()) if largest is None else largest
    if most < 1:
        raise UsageError(f"the largest crowd must be at least 1, not {most}")
    scale = _Scale(label_places(counts.shape[1], None if weights == "none" else numbers), weights)
    ranked = rank_chances(rows, min(most, int(judged.max())), ties)
    tied_label = ties.label if ties.policy == "label" else counts.shape[1]
    points = []
    for n in range(1, most + 1):
        drawn = np.full(len(judged), n) if short == "leave-out" else np.minimum(judged, n)
        kept = np.flatnonzero(judged >= drawn)
        chances = ranked.chances[ranked.kind[kept], drawn[kept] - 1]
        units = _Units(
            _with_tied(chances),
            np.pad(given[ranked.label[kept]], ((0, 0), (0, 1)), constant_values=tied_label),
            truth[kept],
            groups.sizes[kept],
            counts.shape[1],
        )
        left_out = int(groups.sizes.sum() - units.sizes.sum()) + unjudged
        if not len(kept):
            points.append(_no_case(n, left_out, draws))
            continue
        points.append(_score(n, units, left_out, _draw(units, scale, rng, draws), level=level))
    return CrowdCurve(tuple(points), draws, level)


def _check(counts: CodeArray, reference: CodeArray, draws: int, short: str, level: float) -> None:
    if len(counts) != len(reference):
        raise LengthError(f"the crowd has {len(counts)} cases, the reference {len(reference)}")
    if len(reference) and reference.max() >= counts.shape[1]:
        raise InputError(
            f"the reference has label number {reference.max()}, but there are {counts.shape[1]} "
            "labels, counted from 0; give the crowd's counts a column for every label"
        )
    if draws < 1:
        raise UsageError(f"at least 1 draw is needed, not {draws}")
    if short not in SHORT:
        raise UsageError(f"short must be one of {', '.join(SHORT)}, not '{short}'")
    if not 0 < level < 1:
        raise UsageError(f"the level of a band lies between 0 and 1, as 0.95, not {level}")


class _Units(NamedTuple):
    """Groups of like cases: what can come out of a draw, what is right, how many cases they are."""

    chances: FloatArray  # [groups, outcomes]; rows add up to 1
    label: CodeArray  # [groups, outcomes]; `labels` stands for no label
    truth: CodeArray
    sizes: CodeArray
    labels: int


def _with_tied(chances: FloatArray) -> FloatArray:
    """The chances with that of a tie behind them, blurred by nothing that rounding left."""
    tied = 1 - chances.sum(axis=1, keepdims=True)
    tied[tied < 1e-9] = 0.0
    outcomes = np.concatenate([chances, tied], axis=1)
    return np.asarray(outcomes / outcomes.sum(axis=1, keepdims=True))


def _no_case(n: int, left_out: int, draws: int) -> CrowdPoint:
    reason = f"no case has {n} judgments"
    nothing = Band(nan, nan, nan, draws, reason)
    return CrowdPoint(
        n, 0, left_out, nan, nothing, nothing, Interval(nan, nan, nan, nan, reason=reason)
    )


def _score(n: int, units: _Units, left_out: int, drawn: _Drawn, *, level: float) -> CrowdPoint:
    right = (units.chances * (units.label == units.truth[:, np.newaxis])).sum(axis=1)
    labelled = (units.chances * (units.label < units.labels)).sum(axis=1)
    total = float(labelled @ units.sizes)
    expected = float(right @ units.sizes) / total if total > 0 else nan
    over_cases = share_interval(right, labelled, cases=units.sizes, level=level)
    agreement = _band(_ratio(drawn.agreed, drawn.cases), level, "every case is tied")
    room = drawn.cases**2 - drawn.chance  # none if one label is all there is
    room[room <= 1e-9 * np.maximum(drawn.cases**2, 1)] = 0.0
    kappas = _ratio(drawn.cases * drawn.close - drawn.chance, room)
    kappa = _band(kappas, level, "all labels are the same one")
    cases = int(units.sizes.sum())
    return CrowdPoint(n, cases, left_out, expected, agreement, kappa, over_cases)


class _Scale(NamedTuple):
    """Where labels lie, and how much of an agreement two of them are."""

    places: FloatArray  # [labels]
    weights: str

    def close(self, first: CodeArray, second: CodeArray) -> FloatArray:
        span = float(np.ptp(self.places))
        return closeness(self.places[first], self.places[second], span, self.weights)


class _Drawn(NamedTuple):
    """What kappa needs of every draw's table of right and crowd's labels: [draws]."""

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
        cells, places = np.unique(
            units.truth[:, np.newaxis] * width + units.label, return_inverse=True
        )
        self.of_outcome: CodeArray = places.reshape(units.label.shape)
        self.truth, self.label = cells // width, cells % width
        self.counts = self.label < units.labels  # the others are ties without a label
        inside = np.where(self.counts, self.label, 0)
        self._same = (self.truth == self.label).astype(np.float64)
        self._close = scale.close(self.truth, inside) * self.counts
        self._rows, self._row = np.unique(self.truth, return_inverse=True)
        self._columns, self._column = np.unique(inside, return_inverse=True)
        self._scale = scale

    def __len__(self) -> int:
        return len(self.truth)

    def sum_up(self, filled: FloatArray) -> _Drawn:
        """Draws [draws, cells] as sums."""
        filled = filled * self.counts
        rows = _added(filled, self._row, len(self._rows))
        columns = _added(filled, self._column, len(self._columns))
        return _Drawn(
            filled.sum(axis=1),
            filled @ self._same,
            filled @ self._close,
            self._chance(rows, columns),
        )

    def _chance(self, rows: FloatArray, columns: FloatArray) -> FloatArray:
        if self._scale.weights == "none":
            _, row, column = np.intersect1d(self._rows, self._columns, return_indices=True)
            return np.asarray((rows[:, row] * columns[:, column]).sum(axis=1))
        close = self._scale.close(self._rows[:, np.newaxis], self._columns)
        return np.asarray(((rows @ close) * columns).sum(axis=1))


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
    return _Drawn(*map(np.concatenate, zip(*parts, strict=True)))


def _draw_groups(units: _Units, cells: _Cells, rng: np.random.Generator, draws: int) -> FloatArray:
    """Like cases together: how many of a group have each outcome is multinomial."""
    drawn = rng.multinomial(units.sizes, units.chances, size=(draws, len(units.sizes)))
    place = cells.of_outcome + np.arange(draws)[:, np.newaxis, np.newaxis] * len(cells)
    added = np.bincount(place.ravel(), drawn.ravel(), minlength=draws * len(cells))
    return added.reshape(draws, len(cells)).astype(np.float64)


def _draw_cases(units: _Units, cells: _Cells, rng: np.random.Generator, draws: int) -> FloatArray:
    """Cases one by one: the outcome in whose part of the cumulated chances a number falls."""
    needed = _last_needed(units.chances)
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


def _last_needed(chances: FloatArray) -> int:
    """How many steps tell all outcomes apart that can happen at all."""
    return int(np.flatnonzero((chances > 0).any(axis=0)).max())


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


def agree_among_experts(said: CodeArray, labels: int) -> MeanAgreement:
    """The experts' own agreement: means over pairs of experts; `said` is [experts, cases].

    >>> said = np.array([[0, 0, 1], [0, 1, 1], [0, 0, 1]])
    >>> round(agree_among_experts(said, 2).kappa, 2)
    0.6
    """
    return average_pairs(agree_in_pairs(ratings_from_codes(said.T, labels)))


def average_curves(curves: Sequence[CrowdCurve], name: str = "kappa") -> FloatArray:
    """The mean over references (experts, say) at every crowd size: [sizes].

    `name` is kappa, agreement or expected. nan where a reference has no value.
    """
    if name not in ("kappa", "agreement", "expected"):
        raise UsageError(f"a curve is of kappa, agreement or expected, not '{name}'")
    values = [[_value(point, name) for point in curve.points] for curve in curves]
    sizes = {len(row) for row in values}
    if len(sizes) != 1:
        raise LengthError("curves of different lengths cannot be averaged; give `largest`")
    return np.asarray(np.mean(np.array(values), axis=0))


def _value(point: CrowdPoint, name: str) -> float:
    if name == "expected":
        return point.expected
    return point.kappa.mean if name == "kappa" else point.agreement.mean


def smallest_crowd(values: FloatArray, target: float) -> Reached:
    """The smallest crowd whose value reaches the experts' own; `values[n - 1]` is that of n.

    >>> smallest_crowd(np.array([0.5, 0.58, 0.62]), 0.606)
    Reached(n=3, target=0.606, reason='')
    """
    if np.isnan(target):
        return Reached(None, target, "the agreement to reach is undefined")
    enough = np.flatnonzero(values >= target)
    if not len(enough):
        return Reached(None, target, f"no crowd of up to {len(values)} reaches it")
    return Reached(int(enough[0]) + 1, target)
