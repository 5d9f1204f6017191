"""Bars over the values of one quantity, with their counts on top where there is room."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count, pairwise
from math import ceil, floor, isfinite, log10
from typing import TYPE_CHECKING, NamedTuple

from jurybox.errors import InputError, LengthError
from jurybox.figures._curves import COLOURS
from jurybox.figures._page import (
    LEADING,
    LOWERED,
    MARGIN,
    NARROWEST,
    SMALL,
    TEXT,
    WIDEST,
    FigurePage,
    FigureWords,
    draw_frame,
    lower_numbers,
    our_style,
    round_scale,
    widest,
    width_of,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HEIGHT = 130.0
#: a bar that is thinner than this, in points, is hard to see
THINNEST = 1.2


class Bar(NamedTuple):
    """One bar: from where to where along the axis, and how high; in data or in points."""

    left: float
    right: float
    top: float

    @property
    def middle(self) -> float:
        return (self.left + self.right) / 2


def read_bars(places: Sequence[float], counts: Sequence[int]) -> tuple[list[Bar], float, float]:
    """Bars at as many values as there are counts, or between one edge more; the ends of the axis.

    >>> read_bars([0.5, 0.75, 1.0], [10, 20])[0]
    [Bar(left=0.5, right=0.75, top=10), Bar(left=0.75, right=1.0, top=20)]
    """
    if len(counts) == 0:
        raise InputError("a histogram needs a count at least")
    if len(places) not in (len(counts), len(counts) + 1):
        raise LengthError(
            f"{len(counts)} counts need as many values, or one edge more, not {len(places)}"
        )
    if not all(map(isfinite, places)) or any(a >= b for a, b in pairwise(places)):
        raise InputError("the values or edges of a histogram must be numbers that grow")
    if any(number < 0 for number in counts):
        raise InputError("the counts of a histogram cannot be negative")
    if len(places) > len(counts):
        bars = [Bar(a, b, n) for (a, b), n in zip(pairwise(places), counts, strict=True)]
        return bars, places[0], places[-1]
    pitch = min((b - a for a, b in pairwise(places)), default=1.0)
    half = 0.4 * pitch
    bars = [Bar(x - half, x + half, n) for x, n in zip(places, counts, strict=True)]
    return bars, places[0] - pitch / 2, places[-1] + pitch / 2


@our_style()
def draw_histogram(
    places: Sequence[float],
    counts: Sequence[int],
    *,
    title: str,
    x_label: str,
    y_label: str = "cases",
    note: str = "",
) -> Figure:
    """How many cases have which agreement (Madnani et al. 2011, Figure 1).

    As many values as counts give a bar at each value; one more are the edges of bins. Heights are
    counts, whatever the width of a bin. Counts stand on top of the bars where they fit.
    """
    bars, low, high = read_bars(places, counts)
    labels = [f"{number:,}" for number in counts]
    scale = round_scale(0, max(counts), 5)
    up = [tick for tick in scale.ticks if tick == int(tick)]
    numbers = [f"{int(tick):,}" for tick in up]
    left = MARGIN + widest(numbers, TEXT) + 4
    right = MARGIN + max(width_of(_value_text(places[-1]), TEXT) / 2 - 3, 0)
    apart = min(b.middle - a.middle for a, b in pairwise(bars)) if len(bars) > 1 else high - low
    wanted = (high - low) / apart * (widest(labels, SMALL) + 5)
    width = min(max(left + wanted + right, NARROWEST), WIDEST)
    plot = width - left - right
    first, last = bars[0].middle, bars[-1].middle
    if first != last:  # the ends move out where the count on the first or last bar would not fit
        at_ends = [(width_of(labels[k], SMALL) + 3) / 2 for k in (0, -1)]
        unit = (plot - sum(at_ends)) / (last - first)
        low, high = min(low, first - at_ends[0] / unit), max(high, last + at_ends[1] / unit)
    above, below = SMALL * LEADING + 4, LOWERED + 2
    words = FigureWords(title, y_label, x_label, note)
    page, frame = FigurePage.with_plot(words, width, left, plot, HEIGHT, above=above, below=below)
    axes = page.add_axes(*frame)
    axes.set_xlim(low, high)
    axes.set_ylim(scale.low, scale.high)
    unit = plot / (high - low)
    ticks = value_ticks(places, unit)
    draw_frame(axes, ticks, up, TEXT)
    axes.set_xticks(ticks, list(map(_value_text, ticks)))
    axes.set_yticks(up, numbers)
    lower_numbers(axes)
    axes.bar(
        [bar.middle for bar in bars],
        counts,
        width=[max(bar.right - bar.left, THINNEST / unit) for bar in bars],
        color=COLOURS[0],
        edgecolor="white",
        linewidth=0.5 if apart * unit > 4 else 0,
        zorder=2,
    )
    in_points = [
        Bar((bar.left - low) * unit, (bar.right - low) * unit, HEIGHT * scale.share(bar.top))
        for bar in bars
    ]
    for k in fitting_labels(in_points, [width_of(label, SMALL) + 2 for label in labels]):
        axes.annotate(
            labels[k],
            (bars[k].middle, counts[k]),
            (0, 2),
            textcoords="offset points",
            fontsize=SMALL,
            ha="center",
            va="bottom",
            zorder=3,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.4},
        )
    return page.figure


def fitting_labels(bars: Sequence[Bar], widths: Sequence[float]) -> list[int]:
    """The bars that have room for their count on top, beside higher bars and their counts.

    Where two counts are in each other's way, that of the higher bar stays.
    """
    height = SMALL * LEADING + 2
    placed: dict[int, Bar] = {}
    for k in sorted(range(len(bars)), key=lambda k: -bars[k].top):
        middle, bottom = bars[k].middle, bars[k].top
        label = Bar(middle - widths[k] / 2, middle + widths[k] / 2, bottom)

        def in_its_way(other: Bar, label: Bar = label) -> bool:
            return other.left < label.right and label.left < other.right

        in_bars = any(
            in_its_way(other) and other.top > bottom for j, other in enumerate(bars) if j != k
        )
        in_labels = any(
            in_its_way(other) and abs(other.top - bottom) < height for other in placed.values()
        )
        if not in_bars and not in_labels:
            placed[k] = label
    return sorted(placed)


def value_ticks(places: Sequence[float], unit: float) -> list[float]:
    """The values or edges that get a number: all if they fit, else round ones.

    A unit of the axis is so many points long.
    """
    texts = [width_of(_value_text(place), TEXT) + 5 for place in places]
    if all(
        (b - a) * unit >= (texts[k] + texts[k + 1]) / 2 for k, (a, b) in enumerate(pairwise(places))
    ):
        return list(places)
    gap = max(texts) / unit
    power = floor(log10(gap))
    steps = (leading * 10 ** (power + k) for k in count() for leading in (1, 2, 5))
    step = next(step for step in steps if step >= gap)
    digits = max(2 - power, 0)
    return [
        round(k * step, digits)
        for k in range(ceil(places[0] / step - 1e-9), floor(places[-1] / step + 1e-9) + 1)
    ]


def _value_text(value: float) -> str:
    return f"{round(value, 3):g}"
