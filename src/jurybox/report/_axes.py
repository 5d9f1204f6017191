"""The axes of the curves: where they begin and end, their round numbers, the rules behind them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count, pairwise
from math import ceil, floor
from typing import TYPE_CHECKING, NamedTuple

from jurybox.report._figure_page import PALE, TEXT
from jurybox.report._lettering import widest

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from jurybox.report._curve import Line


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


def extrapolation_start(lines: Sequence[Line]) -> float | None:
    """Half-way from the last measured to the first extrapolated size, if all agree on it."""
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
