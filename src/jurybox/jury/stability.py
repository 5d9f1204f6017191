"""How far precision and recall move when judgments change a little, plain and weighted.

Madnani et al. (2011, section 4.1): had one more of 15 judges called a contentious case an error,
plain precision would have jumped, weighted precision hardly moved. Three ways to see that on one's
own data:

- `flip_one`: one judgment in one case is the other way round. Exact: every such flip, each case
  as likely as any other, and every judgment of it.
- `flip_one_each`: one judgment of every case is. Where nearly all judges agree, every flip is
  towards the middle, so the mean of the flipped values is not the value: look at both `mean`
  and `deviation`. The expected counts are exact.
- `change_raters`: the raters are drawn anew (`rater_bootstrap`).

Cases with the same votes and the same decision are one group, so the number of cases hardly
matters. Under ties settled at random a tied case is half an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import nan, sqrt
from typing import Annotated, NamedTuple

import numpy as np

from jurybox.counting.histogram import group_cases
from jurybox.errors import InputError
from jurybox.jury.bootstrap import check_resamples, in_parts
from jurybox.jury.measure_arrays import as_counts, measure_array
from jurybox.jury.rater_bootstrap import RaterResamples
from jurybox.jury.votes import (
    BoolArray,
    FloatArray,
    LabelArray,
    Votes,
    check_lengths,
    check_ties,
    plain_truth,
)
from jurybox.jury.weighted import contributions
from jurybox.model import Counts
from jurybox.records import HIDDEN, Reason, Share

KINDS = ("plain", "weighted")
STABILITY_MEASURES = ("precision", "recall")


class Movement(NamedTuple):
    """How one measure moves."""

    measure: str
    kind: Annotated[str, "plain or weighted."]
    value: Annotated[float, "The value as it is."]
    mean: Annotated[float, "Mean value after the change."]
    deviation: Annotated[float, "Standard deviation after the change."]
    low: Annotated[float, "Lowest value after the change."]
    high: Annotated[float, "Highest value after the change."]
    typical: Annotated[float, "Root of the mean squared move away from the value."]
    undefined_share: Annotated[Share, "Share of changes after which there is no value."] = 0.0
    reason: Reason = ""


class Stability(NamedTuple):
    """How far measures move under one kind of change."""

    change: Annotated[str, "What is changed."]
    movements: Annotated[tuple[Movement, ...], "Every measure, plain and weighted."]
    #: where they are known exactly
    expected: Annotated[dict[str, Counts] | None, HIDDEN] = None

    def of(self, measure: str, kind: str) -> Movement:
        """The movement of one measure, plain or weighted."""
        return {(m.measure, m.kind): m for m in self.movements}[measure, kind]


class _Groups(NamedTuple):
    """Groups of like cases: sizes, the chance that the flipped judgment is an error, counts.

    Counts are [kinds, groups, 4]: what one case adds now, after a flip of an error, and of an ok.
    """

    sizes: FloatArray
    share: FloatArray
    now: FloatArray
    fewer: FloatArray
    more: FloatArray
    fixed: FloatArray  # [4]: what cases without judgments, trivial ones, add in either kind


def flip_one(
    votes: Votes,
    decided: LabelArray,
    *,
    ties: str = "ok",
    trivial: BoolArray | None = None,
    measures: Sequence[str] = STABILITY_MEASURES,
    beta: float = 0.5,
) -> Stability:
    """One judgment of one case is flipped: exact mean, deviation and range over all such flips.

    >>> votes = Votes(np.array([7, 15]), np.array([8, 0]), np.zeros(2))
    >>> found = flip_one(votes, np.array([1, 1]))
    >>> for kind in KINDS:
    ...     moved = found.of("precision", kind)
    ...     print(kind, round(moved.low, 3), round(moved.high, 3))
    plain 0.5 1.0
    weighted 0.7 0.767
    """
    groups = _group(votes, decided, ties, trivial)
    number = groups.sizes.sum()
    chances = np.concatenate([groups.sizes * groups.share, groups.sizes * (1 - groups.share)])
    possible = chances > 0
    movements = []
    for kind, name in enumerate(KINDS):
        total = groups.sizes @ groups.now[kind] + groups.fixed
        changed = np.concatenate([groups.fewer[kind], groups.more[kind]])
        changed -= np.concatenate([groups.now[kind], groups.now[kind]])
        after = _cleaned(total + changed[possible])
        movements += _movements(
            name, total, after, measures, beta, chances=chances[possible] / number
        )
    return Stability("one judgment of one case flipped", tuple(movements))


def flip_one_each(
    votes: Votes,
    decided: LabelArray,
    rng: np.random.Generator,
    repeats: int = 1000,
    *,
    ties: str = "ok",
    trivial: BoolArray | None = None,
    measures: Sequence[str] = STABILITY_MEASURES,
    beta: float = 0.5,
) -> Stability:
    """One judgment of every case, chosen at random, is flipped: mean, deviation and range.

    `expected` holds the exact expected counts. A case with e of m judges for error has p = e / m
    now and e / m + (1 - 2 e / m) / m after a flip, on average.

    >>> votes = Votes(np.array([3, 2, 0]), np.array([2, 3, 5]), np.zeros(3))
    >>> found = flip_one_each(votes, np.array([1, 0, 0]), np.random.default_rng(0), 100)
    >>> found.expected["weighted"].tp, round(found.of("recall", "weighted").value, 2)
    (0.56, 0.6)
    """
    check_resamples(repeats)
    groups = _group(votes, decided, ties, trivial)
    sizes = groups.sizes.astype(np.int64)
    parts: list[list[FloatArray]] = [[] for _ in KINDS]
    for part in in_parts(repeats, len(sizes)):
        flipped = rng.binomial(sizes, groups.share, size=(part, len(sizes)))
        for kind, counts in enumerate(parts):
            total = flipped @ groups.fewer[kind] + (sizes - flipped) @ groups.more[kind]
            counts.append(_cleaned(total + groups.fixed))
    expected, movements = {}, []
    for kind, name in enumerate(KINDS):
        now = groups.sizes @ groups.now[kind] + groups.fixed
        mean = (groups.sizes * groups.share) @ groups.fewer[kind]
        mean += (groups.sizes * (1 - groups.share)) @ groups.more[kind]
        expected[name] = as_counts(_cleaned(mean + groups.fixed))
        movements += _movements(name, now, np.concatenate(parts[kind]), measures, beta)
    return Stability("one judgment of every case flipped", tuple(movements), expected)


def change_raters(
    plain: Counts,
    weighted: Counts,
    drawn: RaterResamples,
    system: int,
    *,
    measures: Sequence[str] = STABILITY_MEASURES,
    beta: float = 0.5,
) -> Stability:
    """The raters are drawn anew: one system's counts as they are against those of the resamples."""
    movements = []
    for name, counts, changed in zip(
        KINDS, (plain, weighted), (drawn.plain, drawn.weighted), strict=True
    ):
        now = np.array([counts.tp, counts.fp, counts.fn, counts.tn])
        movements += _movements(name, now, changed[system], measures, beta)
    return Stability(f"{drawn.raters} raters drawn anew", tuple(movements))


def _group(votes: Votes, decided: LabelArray, ties: str, trivial: BoolArray | None) -> _Groups:
    check_ties(ties)
    check_lengths(decided=decided, votes=votes.errors)
    fixed = np.zeros(4)
    judged = (votes.deciding > 0) & (decided >= 0)
    if trivial is not None:
        fixed = contributions(decided[trivial], np.zeros(np.count_nonzero(trivial))).sum(axis=1)
        judged &= ~trivial
    if not judged.any():
        raise InputError("no case has both a judgment and a decision; there is nothing to flip")
    chosen = np.flatnonzero(judged)
    alike = group_cases([votes.errors[chosen], votes.oks[chosen], decided[chosen]])
    example = chosen[alike.example]
    errors, judges, labels = votes.errors[example], votes.deciding[example], decided[example]
    now, fewer, more = (
        np.stack(
            [
                contributions(labels, truth).T
                for truth in (plain_truth(number, judges, ties), number / judges)
            ]
        )
        # a flip that cannot happen has chance 0; its truth must only stay within bounds
        for number in (errors, np.maximum(errors - 1, 0), np.minimum(errors + 1, judges))
    )
    return _Groups(alike.sizes.astype(np.float64), errors / judges, now, fewer, more, fixed)


def _cleaned(counts: FloatArray) -> FloatArray:
    """Counts without the tiny remainders that sums of fractions leave where nothing is."""
    return np.where(np.abs(counts) < 1e-9, 0.0, counts)


def _movements(
    kind: str,
    now: FloatArray,
    after: FloatArray,
    measures: Sequence[str],
    beta: float,
    *,
    chances: FloatArray | None = None,
) -> list[Movement]:
    """Every measure of counts as they are [4] and after changes [changes, 4], by their chances."""
    if chances is None:
        chances = np.full(len(after), 1 / len(after))
    found = []
    for name in measures:
        value = float(measure_array(name, now, beta=beta))
        changed = measure_array(name, after, beta=beta)
        defined = ~np.isnan(changed)
        undefined = min(1.0, float(chances[~defined].sum()))
        if np.isnan(value) or not defined.any():
            own = np.isnan(value)
            reason = "the value itself is undefined" if own else "undefined after any change"
            found.append(Movement(name, kind, value, nan, nan, nan, nan, nan, undefined, reason))
            continue
        values, weights = changed[defined], chances[defined] / chances[defined].sum()
        mean = float(weights @ values)
        deviation = sqrt(float(weights @ (values - mean) ** 2))
        typical = sqrt(float(weights @ (values - value) ** 2))
        low, high = float(values.min()), float(values.max())
        found.append(Movement(name, kind, value, mean, deviation, low, high, typical, undefined))
    return found
