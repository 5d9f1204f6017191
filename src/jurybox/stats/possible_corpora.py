"""Corpora that judged cases may have come from, drawn at random: intervals for a re-test.

A new system is tested on cases that were drawn for an old one. How many cases of each stratum it
flags, and how many of these are errors, is known from a handful of judged cases each, or from none
at all: what it flags among a million cases that the old system passed may be missing from the
sample and still be half of what it flags. A standard error that is made of the judged cases does
not see this, and intervals that follow from it hold the truth far too rarely.

So shares are drawn as they may be, given what was judged: from the beta distribution with half a
case added on either side (Jeffreys 1946; Brown, Cai and DasGupta 2001 on how well it covers).
Strata that the old system labelled alike are taken to be related: each is drawn towards all of them
together by one case, and the half case is divided among them by their size, so that a large stratum
without an error leaves as much doubt as it should; small ones are left as unsure as they are. Where
it is known how many cases the new system flags, the drawn numbers are made to add up to it, each
moved as far as it is unsure. The middle of many such corpora is the interval.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.stats.proportions import FloatArray
from jurybox.stats.sampling import ROUNDING

DRAWS = 4000
#: what is added to either side: half a case
HALF = 0.5
#: rounds in which drawn numbers are made to add up; some meet their limits on the way
ROUNDS = 4


class StrataCounts(NamedTuple):
    """Strata, as columns: cases, judged cases, and which of them the old system labelled alike."""

    sizes: NDArray[np.int64]
    judged: NDArray[np.int64]
    alike: NDArray[np.int64]


class CellCounts(NamedTuple):
    """Judged cases of each stratum that the new system flags, or passes, and errors among them.

    `sharper` is how many times less shares spread, where judges differ, than errors that are
    there or not.
    """

    cases: FloatArray
    errors: FloatArray
    sharper: float = 1.0


class Corpora(NamedTuple):
    """Numbers of cases in corpora that may be: flagged ones, errors among them, other errors."""

    flagged: FloatArray
    hits: FloatArray
    misses: FloatArray


def draw_corpora(
    strata: StrataCounts,
    flagged: CellCounts,
    passed: CellCounts,
    rng: np.random.Generator,
    *,
    known: int | None = None,
    finite: bool = False,
    draws: int = DRAWS,
) -> Corpora:
    """What the new system may find in the whole corpus, [draws]; `known` is how many it flags.

    With `finite` the judged cases are as they are, and only the others are drawn.

    >>> strata = StrataCounts(np.array([100, 900]), np.array([50, 90]), np.array([0, 1]))
    >>> flagged = CellCounts(np.array([50.0, 0]), np.array([40.0, 0]))
    >>> passed = CellCounts(np.array([0.0, 90]), np.array([0.0, 9]))
    >>> rng = np.random.default_rng(1)
    >>> found = draw_corpora(strata, flagged, passed, rng, known=100, finite=True)
    >>> bool(found.hits.min() >= 40), bool(found.misses.min() >= 9)
    (True, True)
    >>> [round(float(end), 2) for end in np.quantile(found.misses / 900, [0.025, 0.975])]
    [0.05, 0.17]
    """
    rates = _draw_shares(strata, flagged.cases, strata.judged.astype(np.float64), rng, draws)
    if finite:
        inside = flagged.cases + (strata.sizes - strata.judged) * rates
        limits = flagged.cases, strata.sizes - passed.cases
    else:
        inside = strata.sizes * rates
        limits = np.zeros_like(flagged.cases), strata.sizes.astype(np.float64)
    if known is not None:
        inside = _made_to_add_up(inside, limits, known)
    return Corpora(
        inside.sum(axis=1),
        _draw_errors(strata, flagged, inside, rng, finite),
        _draw_errors(strata, passed, strata.sizes - inside, rng, finite),
    )


def _made_to_add_up(
    inside: FloatArray, limits: tuple[FloatArray, FloatArray], known: int
) -> FloatArray:
    """Numbers of flagged cases [draws, strata], moved to their sum: the unsure ones most."""
    spread = inside.var(axis=0)
    if not spread.sum():
        return inside
    for _ in range(ROUNDS):
        gap = known - inside.sum(axis=1, keepdims=True)
        inside = np.clip(inside + gap * spread / spread.sum(), *limits)
    return inside


def _draw_errors(
    strata: StrataCounts,
    cell: CellCounts,
    inside: FloatArray,
    rng: np.random.Generator,
    finite: bool,
) -> FloatArray:
    """Errors among so many cases of each stratum, added up: [draws]."""
    errors, cases = cell.errors * cell.sharper, cell.cases * cell.sharper
    shares = _draw_shares(strata, errors, cases, rng, len(inside))
    if not finite:
        summed: FloatArray = (inside * shares).sum(axis=1)
        return summed
    unseen = np.rint(np.maximum(inside - cell.cases, 0)).astype(np.int64)
    expected = unseen * shares
    more = expected + (rng.binomial(unseen, shares) - expected) / np.sqrt(cell.sharper)
    whole: FloatArray = (cell.errors + np.clip(more, 0, unseen)).sum(axis=1)
    return whole


def _draw_shares(
    strata: StrataCounts, found: FloatArray, of: FloatArray, rng: np.random.Generator, draws: int
) -> FloatArray:
    """Shares of `found` among `of`, [draws, strata]."""
    shares = np.empty((draws, len(of)))
    for group in np.unique(strata.alike):
        at = np.flatnonzero(strata.alike == group)
        ours, others = found[at], of[at] - found[at]
        together = rng.beta(ours.sum() + HALF, others.sum() + HALF, size=(draws, 1))
        if len(at) == 1:
            shares[:, at] = together
            continue
        half = HALF * strata.sizes[at] / strata.sizes[at].sum()
        worth = _worth(of[at], half)
        # sums of shares of judges may fall short of none, and of all, by rounding
        shares[:, at] = rng.beta(
            np.maximum((ours + together + half) * worth, ROUNDING),
            np.maximum((others + 1 - together + half) * worth, ROUNDING),
        )
    return shares


def _worth(of: FloatArray, half: FloatArray) -> FloatArray:
    """What a case, judged or added, counts in the beta distribution of one of several strata.

    A share that is drawn in by the others varies less than one that is not, but the sum over all
    strata varies as before: the doubts of many small strata would add up to too little. So cases
    that were added count nothing in sum, and p (1 - p) of such a share, which falls short of the
    true one by n / (n + 1)² of it, is made up for.

    >>> [round(float(one), 2) for one in _worth(np.array([0.0, 8.0, 100.0]), np.zeros(3))]
    [1.0, 0.8, 0.98]
    """
    added = of + 1 + 2 * half
    worth: FloatArray = np.clip(of * (1 - of / (of + 1) ** 2), 1, added) / added
    return worth


def count_cells(
    strata: StrataCounts,
    stratum: NDArray[np.int64],
    errors: FloatArray,
    among: NDArray[np.bool_],
) -> CellCounts:
    """The judged cases `among` all, by stratum.

    >>> strata = StrataCounts(np.array([10, 90]), np.array([1, 2]), np.array([0, 1]))
    >>> among = np.array([True, False, True])
    >>> count_cells(strata, np.array([0, 1, 1]), np.array([1.0, 0.0, 0.5]), among)
    CellCounts(cases=array([1., 1.]), errors=array([1. , 0.5]), sharper=3.0)
    """
    most = len(strata.sizes)
    return CellCounts(
        np.bincount(stratum[among], minlength=most).astype(np.float64),
        np.bincount(stratum[among], errors[among], most).astype(np.float64),
        _sharper(errors[among]),
    )


def _sharper(shares: FloatArray) -> float:
    """The variance that errors there or not would have, by that of the shares of judges."""
    if len(shares) < 2:
        return 1.0
    mean, spread = float(shares.mean()), float(shares.var())
    plain = mean * (1 - mean)
    return plain / spread if plain > ROUNDING and spread > ROUNDING else 1.0
