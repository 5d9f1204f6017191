"""The dashboard of a project: how far it is, how fast, how good, what it costs, what it says.

    board = dashboard_of(store, project)
    board.to_dict()                       what the page shows as plain values, for JSON

Counts of cases are as of `Dashboard.now`. What needs all judgments is as of a moment that
`Dashboard.findings` names (`watching.py`).
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from jurybox.records import plain
from jurybox.serve.dashboard.charts import HOUR, Chart, of_last_day, of_last_week
from jurybox.serve.dashboard.costs import Costs, costs_of, worked
from jurybox.serve.dashboard.findings import (
    LEVEL,
    Again,
    AgreementSoFar,
    EstimateSoFar,
    Findings,
)
from jurybox.serve.dashboard.forecast import Forecast, JudgmentPace, forecast, pace_of
from jurybox.serve.dashboard.watching import watch
from jurybox.serve.model import Progress, Project, Rater
from jurybox.serve.settings import Settings
from jurybox.serve.store import Store
from jurybox.stats.proportions import wilson_interval


class GoldShare(NamedTuple):
    """Right answers to gold cases, and Wilson's interval of the share."""

    right: int
    seen: int
    low: float
    high: float


class RaterLine(NamedTuple):
    """What one rater did, and how well."""

    rater: Rater
    gold: GoldShare | None  # None without gold answers
    is_below: bool  # of the gold rule
    again: Again | None  # None without repeats
    seconds: float | None  # on a case, on average
    last: float | None  # time of the last answer


@dataclass(frozen=True)
class Dashboard:
    project: Project
    now: float
    progress: Progress
    strata: Mapping[str, Progress]
    raters: tuple[RaterLine, ...]
    findings: Findings | None  # None while many judgments are counted for the first time
    pace: JudgmentPace | None  # None where there are too few judgments
    done: float | None  # when all judgments will be there, at this pace
    day: Chart
    week: Chart
    costs: Costs | None  # None where no pay is named
    forecast: Forecast | None  # None where no precision is asked for, or nothing found yet

    @property
    def behind(self) -> int:
        """Judgments that came after what was counted."""
        counted = self.findings.judgments if self.findings else 0
        return max(self.progress.judgments - counted, 0)

    @property
    def flagged(self) -> int:
        return sum(line.rater.flagged for line in self.raters)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON; what cannot be told is None."""
        found = self.findings
        return {
            "project": self.project.name,
            "now": self.now,
            "progress": self.progress._asdict(),
            "strata": {  # without what is leased, which is not counted by stratum
                name: {key: value for key, value in part._asdict().items() if key != "leased"}
                for name, part in self.strata.items()
            },
            "raters": [
                {
                    "rater": line.rater.name,
                    "answered": line.rater.answered,
                    "standing": str(line.rater.standing),
                    "flagged": line.rater.flagged,
                    "gold": line.gold._asdict() if line.gold else None,
                    "below_gold_rule": line.is_below,
                    "self_agreement": line.again._asdict() if line.again else None,
                    "seconds": line.seconds,
                    "last": line.last,
                }
                for line in self.raters
            ],
            "pace": {
                "per_hour": self.pace.per_hour if self.pace else None,
                "done": self.done,
                "last_24_hours": self.day.to_dict(),
                "last_7_days": self.week.to_dict(),
            },
            "counted": None if found is None else {"at": found.at, "judgments": found.judgments},
            "agreement": None if found is None else _found_record(found.agreement),
            "estimate": None if found is None else _found_record(found.estimate),
            "outlook": None if self.forecast is None else _forecast_record(self.forecast),
            "costs": None if self.costs is None else self.costs.to_dict(),
        }


def dashboard_of(store: Store, project: Project, *, now: float | None = None) -> Dashboard:
    now = time.time() if now is None else now
    known = watch(store)
    counts = known.counts(store, project, now)
    progress = counts.progress
    found = known.latest(store, project, progress.judgments, now)
    now = counts.at
    raters = store.raters(project.id)
    settings = project.settings
    hours = found.hours if found else {}
    pace = pace_of(hours, found.first if found else None, now)
    left = progress.wanted - progress.judgments
    within = settings.precise_within
    done = worked(sum(rater.answered for rater in raters), found.raters if found else ())
    return Dashboard(
        project=project,
        now=now,
        progress=progress,
        strata=counts.strata,
        raters=_lines(raters, found, settings),
        findings=found,
        pace=pace,
        done=now + left / pace.per_hour * HOUR if pace and left else None,
        day=of_last_day(hours, now),
        week=of_last_week(hours, now),
        costs=costs_of(settings, progress, done, has_gold=project.gold > 0),
        forecast=forecast(found.estimate, within, pace, now, left=left)
        if found and within
        else None,
    )


# --- raters ---


def _lines(
    raters: tuple[Rater, ...], found: Findings | None, settings: Settings
) -> tuple[RaterLine, ...]:
    times = {one.rater.id: (one.seconds, one.last) for one in found.raters} if found else {}
    again = found.again if found else {}
    rule, lines = settings.gold_rule, []
    for rater in raters:
        right, seen = rater.gold_right, rater.gold_seen
        gold = gold_share(right, seen) if seen else None
        is_below = rule is not None and rule.is_broken(right=right, seen=seen)
        own = times.get(rater.id, (None, None))
        lines.append(RaterLine(rater, gold, is_below, again.get(rater.name), *own))
    return tuple(lines)


def gold_share(right: int, seen: int) -> GoldShare:
    """The share of right answers with its interval."""
    low, high = wilson_interval(right, seen, LEVEL)
    return GoldShare(right, seen, float(low), float(high))


# --- JSON ---


def _found_record(one: AgreementSoFar | EstimateSoFar) -> dict[str, Any]:
    record = plain(one)
    measures = {measured.pop("name"): measured for measured in record["measures"]}
    return {**record, "level": LEVEL, "measures": measures, "reason": one.reason or None}


def _forecast_record(one: Forecast) -> dict[str, Any]:
    return {
        "within": one.within,
        "half_widths": {measure.name: measure.half for measure in one.measures},
        "strata": [{**need._asdict(), "more": need.more} for need in one.strata],
        "more": one.more,
        "reached": one.is_reached,
        "when": one.when,
        "reason": one.reason or None,
    }
