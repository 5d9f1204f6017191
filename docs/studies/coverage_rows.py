"""Rows of the study of coverage: how often an interval held the true value in simulations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf, isfinite, isnan, nan, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

#: fewer data sets than these make no row: their share would say nothing
FEWEST = 100
#: what must hold where no caution is given; above the second only where that cannot be helped
LEAST, PROMISED, MOST = 0.93, 0.95, 0.97
#: an interval leaves 2.5 % beyond each end. Where one end misses a tenth of that or less, the other
#: may miss no more than its own part, and the interval holds in 97.5 %
ONE_END, ONE_SIDED, NEVER = "one end misses", 0.975, 0.0025
#: the note of intervals that hold in 95 % or more by construction: they may hold in over 97 %
EXACT = "exact"
#: why cells hold in more than 97 %, in the order of the page's table
REASONS = ("none", "selection", "one end", "chance", "exact", "few outcomes")
#: ends of intervals that are as near to the truth as this are the same
SAME = 1e-9


class CoverageRow(NamedTuple):
    """How often one kind of interval held the true value, and how wide it was.

    `warned` is the share of simulated data sets on which the tool gives a caution about the
    interval. Where it cautions about some data sets only, each kind has a row of its own.
    """

    interval: str
    data: str
    unit: str
    n: int
    simulations: int
    coverage: float
    width: float  # median
    warned: float
    note: str = ""
    narrower: float = nan  # see `narrower_coverage`


def narrower_coverage(low: NDArray[np.float64], high: NDArray[np.float64], truth: float) -> float:
    """The coverage of intervals that are just narrow enough to hold no more than 97 %.

    Outcomes of a sample whose interval holds the truth are taken away, the nearest end first, until
    97 % or less remain. With few different outcomes that can be far less: then no narrower
    interval keeps the promise of 95 %.

    >>> narrower_coverage(np.repeat([0.1, 0.4, 0.6], [60, 38, 2]), np.ones(100), 0.5)
    0.6
    """
    held = (low - SAME <= truth) & (truth <= high + SAME)
    room = np.sort(np.minimum(truth - low, high - truth)[held])
    dropped = 0
    while len(room) - dropped > MOST * len(low):
        dropped = int(np.searchsorted(room, room[dropped] + SAME, side="right"))
    return (len(room) - dropped) / len(low)


def row_of(
    interval: str,
    data: str,
    unit: str,
    n: int,
    *,
    ends: NDArray[np.float64],
    truth: NDArray[np.float64],
    warned: bool,
    note: str = "",
) -> CoverageRow:
    """The row of intervals [simulations, 2] of values, which may differ from one to the next."""
    low, high = (ends - truth[:, np.newaxis]).T
    held = (low <= SAME) & (high >= -SAME)
    width = float(np.median(high - low))
    above = held.mean() > MOST
    if above and min((low > SAME).mean(), (high < -SAME).mean()) <= NEVER:
        note = f"{note}; {ONE_END}" if note else ONE_END
    return CoverageRow(
        interval,
        data,
        unit,
        n,
        len(ends),
        float(held.mean()),
        width if isfinite(width) else nan,
        float(warned),
        note,
        narrower_coverage(low, high, 0.0) if above else nan,
    )


def explain(row: CoverageRow, rows: Sequence[CoverageRow]) -> str:
    """Why a cell holds in more than 97 %: one of `REASONS`."""
    if row.narrower < PROMISED:
        return "few outcomes"
    if EXACT in row.note:
        return "exact"
    if not exceeds(row.coverage, row.simulations, MOST):
        return "chance"
    if ONE_END in row.note and not exceeds(row.coverage, row.simulations, ONE_SIDED):
        return "one end"
    cell = [other for other in rows if other[:4] == row[:4]]
    total = sum(other.simulations for other in cell)
    held = sum(other.coverage * other.simulations for other in cell) / total
    return "none" if exceeds(held, total, MOST) else "selection"


def exceeds(coverage: float, simulations: int, limit: float) -> bool:
    """Whether a share is above a limit by more than two binomial standard errors."""
    return coverage - limit > 2 * sqrt(coverage * (1 - coverage) / simulations)


class Tally:
    """Intervals of simulated data sets with the true value, one by one."""

    def __init__(self) -> None:
        self._found: dict[bool, list[tuple[float, float, float]]] = {False: [], True: []}
        self._missing = 0

    def add(self, low: float, high: float, truth: float, *, warned: bool = False) -> None:
        """One interval; one that the tool does not give is counted apart."""
        if isnan(low) or isnan(high):
            self._missing += 1
        else:
            self._found[warned].append((low, high, truth))

    def add_verdict(self, p_value: float, *, alpha: float = 0.05, warned: bool = False) -> None:
        """The p-value of a test whose null hypothesis is true: it holds where p is above alpha.

        As an interval without a width: all significance levels below p.
        """
        self.add(-inf, p_value - 2 * SAME, alpha, warned=warned)

    def rows(
        self, interval: str, data: str, unit: str, n: int, note: str = ""
    ) -> list[CoverageRow]:
        """A row for data sets with a caution and one for those without."""
        all_sets = self._missing + sum(map(len, self._found.values()))
        notes = [note] if note else []
        if self._missing:
            notes.append(f"no interval in {self._missing} of {all_sets}")
        return [
            row_of(
                interval,
                data,
                unit,
                n,
                ends=np.array([one[:2] for one in found]),
                truth=np.array([one[2] for one in found]),
                warned=warned,
                note="; ".join(notes),
            )
            for warned, found in self._found.items()
            if len(found) >= FEWEST
        ]


def as_text(rows: Iterable[CoverageRow]) -> str:
    """The rows as aligned columns, for a quick look."""
    titles = f"{'interval':34} {'data':46} {'unit':9} {'n':>4}"
    lines = [f"{titles} {'sims':>5} {'cover':>6} {'width':>6} warned"]
    for row in rows:
        width = "     -" if isnan(row.width) else f"{row.width:6.3f}"
        warned = "yes" if row.warned else "no"
        line = (
            f"{row.interval:34} {row.data:46} {row.unit:9} {row.n:4} {row.simulations:5} "
            f"{100 * row.coverage:6.1f} {width} {warned:3} {row.note}"
        )
        lines.append(line.rstrip())
    return "\n".join(lines)
