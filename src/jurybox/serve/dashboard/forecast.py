"""When a project will be done, and when its estimates will be precise enough.

Half the width of an interval goes with the square root of the number of judged cases (Cochran 1977,
chapter 4): to halve it takes four times as many. So the intervals that were found say how many
cases are needed, with the strata in the proportion in which they were judged. Recall of text of
this kind is never known better than a corpus of this size allows: how many cases the system flags
is chance, and no judgment changes it. It is a forecast: exact intervals shrink in steps, and what
raters find may change.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil, sqrt
from statistics import NormalDist
from typing import NamedTuple

from jurybox.serve.dashboard.findings import EstimateSoFar, Measured

HOUR, DAY = 3600.0, 24
#: fewer judgments tell no pace
FEW = 10
NO_PACE = f"Fewer than {FEW} judgments in the last 24 hours tell no pace, so no date."
TOO_SMALL = (
    "The sample is too small for it{}: draw more cases with jurybox sample draw --after KEY, or "
    "wish for less."
)
CORPUS_TOO_SMALL = (
    "The corpus is too small for it: however many of its cases are judged, recall is not known "
    "better than within ± {:.3f}. Wish for less, or draw from a larger corpus."
)
#: standard errors to either side of a 95 % interval
TWO_SIDED = NormalDist().inv_cdf(0.975)
#: of rounding
SLACK = 1e-9


class JudgmentPace(NamedTuple):
    """Judgments per hour, over the last 24 hours or since the first judgment."""

    per_hour: float
    hours: float  # over which it was counted


class StratumNeed(NamedTuple):
    """Judged cases of a stratum, how many there should be, and how many were drawn."""

    name: str
    judged: int
    needed: int
    drawn: int

    @property
    def more(self) -> int:
        """Cases that are still to be judged."""
        return max(self.needed - self.judged, 0)


class Forecast(NamedTuple):
    """How far precision and recall are from the wanted precision, and what is missing."""

    within: float
    measures: tuple[Measured, ...] = ()  # precision, and recall where the sample can tell it
    strata: tuple[StratumNeed, ...] = ()
    more: int = 0  # cases to be judged until every stratum has enough, in the order of assignment
    is_reached: bool = False
    when: float | None = None
    reason: str = ""  # why there is no date


def pace_of(hours: Mapping[int, int], first: float | None, now: float) -> JudgmentPace | None:
    """How fast judgments come; None where fewer than `FEW` of the last 24 hours tell it."""
    last = int(now // HOUR)
    counted = sum(hours.get(hour, 0) for hour in range(last - DAY + 1, last + 1))
    if counted < FEW or first is None:
        return None
    begun = max(first, (last - DAY + 1) * HOUR)
    # a burst of a few seconds is no pace of thousands an hour
    length = max((now - begun) / HOUR, 1 / 60)
    return JudgmentPace(counted / length, length)


def forecast(
    estimate: EstimateSoFar, within: float, pace: JudgmentPace | None, now: float, *, left: int
) -> Forecast:
    """What is missing until precision and recall are within so much of their estimates.

    `left` judgments are still to come, whatever they will say.
    """
    if estimate.reason:
        return Forecast(within, reason=estimate.reason)
    # where nothing was drawn of what the system calls ok, there will be no recall
    has_recall = any(one.drawn for one in estimate.strata if one.label != "error")
    names = ("precision", "recall") if has_recall else ("precision",)
    measures = tuple(map(estimate.measure, names))
    known = of_corpus(estimate) if len(measures) > 1 else 0.0
    reasons = [f"It cannot be told yet: {one.reason}." for one in measures if one.half is None]
    if known >= within:  # recall is never known better than within `known`
        reasons.append(CORPUS_TOO_SMALL.format(known))
    if reasons:
        return Forecast(within, measures, reason=reasons[0])
    precision, recall = times_more(measures[0], within), 1.0
    if len(measures) > 1:
        recall = times_more(measures[1], within, known)
    strata = tuple(
        StratumNeed(
            one.name,
            one.judged,
            ceil(one.judged * max(recall, precision if one.label == "error" else 1.0) - SLACK),
            one.drawn,
        )
        for one in estimate.strata
    )
    found = Forecast(within, measures, strata)
    if not any(one.more for one in strata):
        return found._replace(is_reached=True)
    short = [one.name for one in strata if one.needed > one.drawn]  # the sample has fewer
    # a case without a judgment comes before all others, so each judgment is another case; cases
    # come from all strata alike, so the stratum that lacks most decides
    rest = [(one.more, one.drawn - one.judged) for one in strata]
    share = 0 if short else max(lacking / still for lacking, still in rest if lacking)
    more = ceil(share * sum(still for _, still in rest) - SLACK)
    if short or more > left:
        named = f" ({', '.join(short)})" if short else ""
        return found._replace(reason=TOO_SMALL.format(named))
    if pace is None:
        return found._replace(more=more, reason=NO_PACE)
    return found._replace(more=more, when=now + more / pace.per_hour * HOUR)


def of_corpus(estimate: EstimateSoFar) -> float:
    """Half the width that recall has because the share of flagged cases is chance.

    With recall r, N cases and F of them flagged, its variance is r² (1 - r)² N / (F (N - F)), what
    two-phase sampling leaves where the shares of errors in both parts are known.
    """
    recall = estimate.measure("recall").value or 0.0
    flagged = sum(one.size for one in estimate.strata if one.label == "error")
    total = sum(one.size for one in estimate.strata)
    if not 0 < flagged < total:
        return 0.0
    return TWO_SIDED * recall * (1 - recall) * sqrt(total / (flagged * (total - flagged)))


def times_more(one: Measured, within: float, at_least: float = 0.0) -> float:
    """How many times as many cases make the interval as narrow as wanted; 1 where it is.

    Half of its width is never less than `at_least`.

    >>> times_more(Measured("precision", 0.8, 0.7, 0.9), 0.05)
    4.0
    """
    assert one.half is not None
    shrinks = max(one.half**2 - at_least**2, 0.0)
    return max(round(shrinks / (within**2 - at_least**2), 9), 1.0)
