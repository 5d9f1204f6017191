"""Bars of judgments per hour and per day, as numbers for an SVG: no script draws them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

HOUR, HOURS, DAYS = 3600, 24, 7
#: of the drawing, in units of its own; pages scale it
WIDTH, HEIGHT = 240.0, 60.0


class ChartBar(NamedTuple):
    """One bar: where it stands, and what it says."""

    title: str
    number: int
    x: float
    y: float
    width: float
    height: float


class Chart(NamedTuple):
    """Bars next to each other; the highest one is as high as the chart."""

    title: str  # behind what is counted
    bars: tuple[ChartBar, ...]
    is_daily: bool = False

    @property
    def total(self) -> int:
        return sum(bar.number for bar in self.bars)

    @property
    def most(self) -> int:
        return max(bar.number for bar in self.bars)

    def to_dict(self) -> dict[str, Any]:
        return {bar.title: bar.number for bar in self.bars}


def draw(title: str, counts: Mapping[str, int], *, is_daily: bool = False) -> Chart:
    most = max(counts.values(), default=0) or 1
    step = WIDTH / max(len(counts), 1)
    bars = []
    for place, (name, count) in enumerate(counts.items()):
        height = round(HEIGHT * count / most, 1)
        x = round(place * step + 0.05 * step, 1)
        bars.append(
            ChartBar(name, count, x, round(HEIGHT - height, 1), round(0.9 * step, 1), height)
        )
    return Chart(title, tuple(bars), is_daily)


def of_last_day(hours: Mapping[int, int], now: float) -> Chart:
    """The last 24 hours, the one that is not over among them; hours by number since 1970."""
    last = int(now // HOUR)
    wanted = range(last - HOURS + 1, last + 1)
    counts = {f"{_moment(hour):%Y-%m-%d %H:00}": hours.get(hour, 0) for hour in wanted}
    return draw("per hour, last 24 hours", counts)


def of_last_week(hours: Mapping[int, int], now: float) -> Chart:
    """The last seven days, today among them; days in UTC."""
    today = int(now // HOUR) // HOURS
    counts = {
        f"{_moment(day * HOURS):%Y-%m-%d}": sum(
            hours.get(hour, 0) for hour in range(day * HOURS, (day + 1) * HOURS)
        )
        for day in range(today - DAYS + 1, today + 1)
    }
    return draw("per day, last 7 days", counts, is_daily=True)


def _moment(hour: int) -> datetime:
    return datetime.fromtimestamp(hour * HOUR, UTC)
