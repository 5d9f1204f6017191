"""Axes: where they begin and end, their round numbers, the rules behind them.

Curves have scores from 0 to 100; precision, recall, kappa and rates are fractions from 0 to 1, as
the papers print them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count, pairwise
from math import ceil, floor, isfinite
from typing import TYPE_CHECKING, NamedTuple

from jurybox.figures._figure_page import GREY, PALE, TEXT
from jurybox.figures._lettering import widest

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from jurybox.figures._curve import Line

#: how far below the plot the numbers along the axis are
LOWERED = 5.0
#: an axis of fractions shows this much at least, unless it starts at 0
LEAST_SPAN = 0.2


class Scale(NamedTuple):
    """An axis of scores: its ends, and the round numbers that are written beside it."""

    low: float
    high: float
    ticks: Sequence[float]

    def share(self, value: float) -> float:
        """How far up the axis a value is, from 0 to 1."""
        return (value - self.low) / (self.high - self.low)

    def width(self, size: float) -> float:
        """How much room the numbers take beside the axis."""
        return widest(map(_tick_text, self.ticks), size)


def scale_for(lines: Sequence[Line], most: int = 6) -> Scale:
    """An axis for scores and bands; no band stretches it beyond 0 to 100, where no score can be."""
    scores = [line.scores[k] for line in lines for k in line.defined]
    values = [value for line in lines for value in line.reach()]
    low = min(values) if min(scores) < 0 else max(min(values), 0.0)
    high = max(values) if max(scores) > 100 else min(max(values), 100.0)
    return round_scale(low, high, most)


def round_scale(low: float, high: float, most: int = 6) -> Scale:
    """An axis with at most so many steps that holds values from low to high.

    It starts at 0, so that heights compare as the ratio of system to human does, unless all
    values are in the upper half. It ends at a tick unless much of it would be empty.

    >>> round_scale(24.2, 72.5)
    Scale(low=0, high=80, ticks=[0, 20, 40, 60, 80])
    >>> round_scale(61.0, 81.0)
    Scale(low=60, high=82.0, ticks=[60, 65, 70, 75, 80])
    """
    if 0 <= low < high / 2:
        low = 0.0
    if high < low + 4:  # a difference of next to nothing must not fill the plot
        low, high = (96.0, 100.0) if high <= 100 < low + 4 else (low, low + 4)
    steps = (leading * 10**power for power in count() for leading in (1, 2, 2.5, 5))
    step = next(step for step in steps if ceil(high / step) - floor(low / step) <= most)
    ticks = [k * step for k in range(floor(low / step), ceil(high / step) + 1)]
    if ticks[-1] - high <= 0.6 * step:
        return Scale(ticks[0], ticks[-1], ticks)
    return Scale(ticks[0], high + (ticks[-2] - ticks[0]) / 20, ticks[:-1])


def sizes_of(lines: Sequence[Line]) -> list[int]:
    return sorted({size for line in lines for size in line.sizes})


def size_ticks(sizes: Sequence[int], room: float) -> list[int]:
    """The sizes that get a number: those that are there if they fit, else round ones.

    >>> size_ticks([1, 3, 9], room=190)
    [1, 3, 9]
    >>> size_ticks(range(1, 50), room=190)
    [1, 5, 10, 15, 20, 25, 30, 35, 40, 45, 49]
    """
    first, last = sizes[0], sizes[-1]
    gap = 0.65 * TEXT * len(str(last)) + 5
    span = last - first
    if all(room * (b - a) / span >= gap for a, b in pairwise(sizes)):
        return list(sizes)
    steps = (leading * 10**power for power in count() for leading in (5, 10, 20))
    step = next(step for step in steps if room * step / span >= gap)
    inner = [k for k in range(first + 1, last) if k % step == 0]
    return [first, *(k for k in inner if min(k - first, last - k) * room / span >= gap), last]


def uncertain_start(lines: Sequence[Line]) -> float | None:
    """Half-way from the last measured to the first uncertain size, if all agree on it."""
    starts = {
        (line.sizes[max(line.measured - 1, 0)] + line.sizes[line.measured]) / 2
        for line in lines
        if line.measured < len(line.sizes)
    }
    measured = max((line.sizes[line.measured - 1] for line in lines if line.measured), default=0)
    return starts.pop() if len(starts) == 1 and max(starts) >= measured else None


def draw_frame(axes: Axes, across: Sequence[float], up: Sequence[float], size: float) -> None:
    """Ticks with thin rules behind the data; no box."""
    axes.set_xticks(across, list(map(_tick_text, across)))
    axes.set_yticks(up, list(map(_tick_text, up)))
    axes.tick_params(length=0, pad=3, labelsize=size)
    axes.grid(axis="y", color=PALE, linewidth=0.5)
    axes.set_axisbelow(True)
    for name, spine in axes.spines.items():
        spine.set_visible(name == "bottom")
        spine.set_linewidth(0.6)


def _tick_text(tick: float) -> str:
    return f"{tick:g}"


# --- axes of fractions ---


class PlotFrame(NamedTuple):
    """Where on the page a plot is, in points."""

    left: float
    bottom: float
    width: float
    height: float

    @property
    def top(self) -> float:
        return self.bottom + self.height


def fraction_scale(values: Iterable[float], most: int = 6) -> Scale:
    """An axis that holds these fractions; what is not finite needs no room.

    >>> fraction_scale([0.384, 0.957])
    Scale(low=0.0, high=1.0, ticks=[0.0, 0.2, 0.4, 0.6, 0.8, 1.0])
    """
    reached = [value for value in values if isfinite(value)]
    if min(reached) > 0:  # a difference of next to nothing must not fill the plot
        reached.append(max(max(reached) - LEAST_SPAN, 0.0))
    # rounded, because 0.55 is a little more than 55 hundredths
    low, high = round(100 * min(reached), 9), round(100 * max(reached), 9)
    scale = round_scale(low, high, most)
    return Scale(scale.low / 100, scale.high / 100, [tick / 100 for tick in scale.ticks])


def lower_numbers(axes: Axes) -> None:
    """The numbers along the axis, below the lowest of those beside it: they may be wide."""
    axes.tick_params(axis="x", pad=LOWERED)


def draw_zero(axes: Axes, scale: Scale) -> None:
    """Where values can be negative, as kappa can, a rule at 0: no better than chance."""
    if scale.low < 0 < scale.high:
        axes.axhline(0, color=GREY, linewidth=0.6, zorder=1.5)
