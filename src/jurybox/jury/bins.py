"""Cases in bins: by how far judges agree, or by how many of them call a case an error.

Agreement of a case is the share of the majority label among the judges who decided (Madnani et al.
2011, section 4.1). Within a bin everything is counted plainly, since agreement has already been
used to make the bins (section 4.2). A bin holds its lower edge and not its upper one; the last
holds both. Shares are compared as fractions of whole numbers: 9 of 10 judges are in the bin that
begins at .9.

Only cases that somebody judged have an agreement. A trivial case is in no bin.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from math import isfinite, nan
from typing import Annotated, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.errors import UsageError
from jurybox.jury.bootstrap import ValueInterval
from jurybox.jury.votes import LabelArray, Sizes, Votes, check_lengths
from jurybox.jury.weighted import (
    MAIN_MEASURES,
    MainMeasures,
    Undefined,
    count_places,
    f_of,
    outcomes,
)
from jurybox.metrics.measures import MEASURES
from jurybox.model import Counts
from jurybox.records import WHEN_SET, Count, Key, Keys, Share, computed

AGREEMENT_EDGES = (0.5, 0.75, 0.9, 1.0)
ERROR_SHARE_EDGES = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0)
#: edges are understood as fractions with denominators up to this: .667 as 667/1000, 1/3 as 1/3
FINEST_EDGE = 10_000
#: what can be binned, and the range that the bins must cover
RANGES = {"agreement": (Fraction(1, 2), Fraction(1)), "error share": (Fraction(0), Fraction(1))}

#: key in JSON -> measure of a bin that gets an interval
BIN_INTERVALS = {name: MAIN_MEASURES[name] for name in ("precision", "recall", "kappa")}

NOT_BINNED = -1


class Binning(NamedTuple):
    """Which bin each case is in, counted from 0; -1 for a case that nobody judged."""

    by: str
    edges: tuple[float, ...]
    of_case: NDArray[np.int16]

    @property
    def bins(self) -> int:
        """How many bins there are."""
        return len(self.edges) - 1


@dataclass(frozen=True)
class Bin(MainMeasures):
    """One bin of one system: its edges, its counts, and the cases in it that could not be counted.

    A case is left out if its truth is undecided (a dropped tie) or the decision is missing.

    >>> Bin(Counts(fp=1, tn=3), 0, 0.5, 0.75).undefined["recall"]
    'there are no errors in the truth (tp + fn = 0)'
    """

    keys: ClassVar[Mapping[str, str]] = {
        "error_rate": "prevalence",
        "flag_rate": "bias",
        **MAIN_MEASURES,
    }

    low: Annotated[Share, Key("from"), "Lower edge, in the bin."]
    high: Annotated[Share, Key("to"), "Upper edge, in the bin only if it is the last."]
    left_out: Annotated[Count, "Cases of the bin without decision, or whose tie was dropped."] = 0
    intervals: Annotated[
        Mapping[str, ValueInterval],
        "With --ci: measures of the bin with their intervals.",
        Keys(BIN_INTERVALS),
        WHEN_SET,
    ] = field(default_factory=dict)

    @computed
    def error_rate(self) -> Annotated[Share, "Share of errors by the majority."]:
        return MEASURES["prevalence"].value(self.counts)

    @computed
    def flag_rate(self) -> Annotated[Share, "Share of cases reported."]:
        return MEASURES["bias"].value(self.counts)


class Bar(NamedTuple):
    """One bar of a histogram of agreement."""

    low: Annotated[Share, Key("from"), "Agreement from."]
    high: Annotated[Share, Key("to"), "Agreement to; equal for one value."]
    n: Annotated[Count, "Cases."]
    errors: Annotated[Count, "Of them errors by the majority."]
    tied: Annotated[Count, "Of them tied."]


class Contentious(NamedTuple):
    """How often a system reports cases on which raters agree little, and the others."""

    below: Annotated[Share, "Contentious is agreement below this."]
    n: Annotated[Count, "Contentious cases."]
    flagged: Annotated[Count, "Of them reported."]
    others: Annotated[Count, "All other judged cases."]
    others_flagged: Annotated[Count, "Of them reported."]

    @computed
    def rate(self) -> Annotated[Share, "Share of contentious cases reported."]:
        return self.flagged / self.n if self.n else nan

    @computed
    def others_rate(self) -> Annotated[Share, "Share of the others reported."]:
        return self.others_flagged / self.others if self.others else nan

    @computed
    def share_of_reports(self) -> Annotated[Share, "Share of the reports that are contentious."]:
        reports = self.flagged + self.others_flagged
        return self.flagged / reports if reports else nan

    @computed
    def undefined(self) -> Undefined:
        reports = self.flagged + self.others_flagged
        reasons = {
            "rate": (self.n, "there are no contentious cases"),
            "others_rate": (self.others, "there are no other cases"),
            "share_of_reports": (reports, "the system reported nothing"),
        }
        return {name: reason for name, (number, reason) in reasons.items() if not number}


def bin_cases(
    votes: Votes, edges: Sequence[float] | None = None, *, by: str = "agreement"
) -> Binning:
    """Put every judged case into the bin of its agreement, or of its error share.

    The edges must rise and cover everything (agreement from .5 to 1, error shares from 0 to 1), so
    that the bins partition the cases.

    >>> votes = Votes(np.array([9, 1, 5, 0]), np.array([1, 3, 5, 0]), np.zeros(4))
    >>> bin_cases(votes).of_case.tolist(), bin_cases(votes, by="error share").of_case.tolist()
    ([2, 1, 0, -1], [5, 2, 3, -1])
    """
    if by not in RANGES:
        raise UsageError(f"cases are binned by one of {', '.join(RANGES)}, not '{by}'")
    if edges is None:
        edges = AGREEMENT_EDGES if by == "agreement" else ERROR_SHARE_EDGES
    exact = exact_edges(edges, by)
    judges = votes.deciding.astype(np.int64)
    share = np.maximum(votes.errors, votes.oks) if by == "agreement" else votes.errors
    share = share.astype(np.int64)
    index = np.zeros(len(judges), dtype=np.int16)
    for edge in exact[1:-1]:
        index += share * edge.denominator >= edge.numerator * judges
    index[judges == 0] = NOT_BINNED
    return Binning(by, tuple(float(edge) for edge in exact), index)


def exact_edges(edges: Sequence[float], by: str) -> list[Fraction]:
    """The edges as fractions, checked: they are finite, rise, and cover everything.

    >>> exact_edges([0.5, 0.667, 1], "agreement")[1]
    Fraction(667, 1000)
    """
    for edge in edges:
        if not isfinite(edge):
            raise UsageError(f"edges of bins are numbers, as .5,.75,.9,1, not {edge} (--bins)")
    exact = [Fraction(str(edge)).limit_denominator(FINEST_EDGE) for edge in edges]
    low, high = RANGES[by]
    rising = all(a < b for a, b in pairwise(exact))
    if len(exact) < 2 or not rising or exact[0] > low or exact[-1] != high:
        given = ", ".join(f"{float(edge):g}" for edge in exact)
        raise UsageError(
            f"edges of bins by {by} must rise from {float(low):g} to {float(high):g}, so that "
            f"every case is in one bin; not {given}"
        )
    return exact


def score_bins(
    binning: Binning,
    decided: LabelArray,
    truth: LabelArray,
    *,
    beta: float = 0.5,
    sizes: Sizes = None,
) -> tuple[Bin, ...]:
    """Count a system's decisions against a plain truth, bin by bin.

    >>> votes = Votes(np.array([3, 2, 0]), np.array([0, 1, 3]), np.zeros(3))
    >>> low, _, high = score_bins(bin_cases(votes), np.array([1, 0, 0]), np.array([1, 1, 0]))
    >>> low.counts, high.counts
    (Counts(tp=0, fp=0, fn=1, tn=0), Counts(tp=1, fp=0, fn=0, tn=1))
    """
    check_lengths(bins=binning.of_case, decided=decided, truth=truth)
    binned = binning.of_case >= 0
    known = binned & (decided >= 0) & (truth >= 0)
    place = binning.of_case[known] * np.int16(4) + outcomes(decided[known], truth[known])
    cells = count_places(place, 4 * binning.bins, sizes, known).reshape(binning.bins, 4)
    rest = binned & ~known
    left = count_places(binning.of_case[rest], binning.bins, sizes, rest)
    return tuple(
        Bin(Counts(*counts), f_of(Counts(*counts), beta), low, high, left_out)
        for low, high, counts, left_out in zip(
            binning.edges[:-1], binning.edges[1:], cells.tolist(), left.tolist(), strict=True
        )
    )


def agreement_histogram(
    votes: Votes, edges: Sequence[float] | None = None, *, sizes: Sizes = None
) -> tuple[Bar, ...]:
    """How many cases have which agreement (Madnani et al. 2011, Figure 1).

    One bar per value that occurs, or one per bin where edges are given.

    >>> votes = Votes(np.array([3, 2, 0, 1]), np.array([0, 1, 3, 1]), np.zeros(4))
    >>> for bar in agreement_histogram(votes):
    ...     print(round(bar.low, 2), bar.n, bar.errors, bar.tied)
    0.5 1 0 1
    0.67 1 1 0
    1.0 2 1 0
    """
    judged = votes.deciding > 0
    if edges is not None:
        binning = bin_cases(votes, edges)
        place: NDArray[np.integer] = binning.of_case[judged]
        lows, highs = binning.edges[:-1], binning.edges[1:]
    else:  # equal fractions have the same quotient to the last bit
        agreement = np.maximum(votes.errors, votes.oks)[judged] / votes.deciding[judged]
        values, place = np.unique(agreement, return_inverse=True)
        lows = highs = tuple(values.tolist())
    lead = (votes.errors - votes.oks)[judged]
    own = None if sizes is None else sizes[judged]
    columns = [
        count_places(place[chosen], len(lows), own, chosen).tolist()
        for chosen in (np.ones(len(lead), dtype=bool), lead > 0, lead == 0)
    ]
    return tuple(Bar(*bar) for bar in zip(lows, highs, *columns, strict=True))


def count_contentious(
    decided: LabelArray, votes: Votes, below: float = 0.75, *, sizes: Sizes = None
) -> Contentious:
    """How often a system reports contentious cases: those with agreement below an edge.

    >>> votes = Votes(np.array([3, 2, 0]), np.array([0, 1, 3]), np.zeros(3))
    >>> count_contentious(np.array([1, 1, 0]), votes)
    Contentious(below=0.75, n=1, flagged=1, others=2, others_flagged=1)
    """
    check_lengths(decided=decided, votes=votes.errors)
    side = bin_cases(votes, (0.5, below, 1)).of_case
    known = (side >= 0) & (decided >= 0)
    passed, flagged, others_passed, others_flagged = count_places(
        2 * side[known] + decided[known], 4, sizes, known
    ).tolist()
    return Contentious(
        below, passed + flagged, flagged, others_passed + others_flagged, others_flagged
    )
