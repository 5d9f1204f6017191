"""Bars over the values of one quantity, with their counts on top where there is room."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count, pairwise
from math import ceil, floor, isfinite, log10
from typing import TYPE_CHECKING, NamedTuple

from jurybox.errors import InputError, LengthError
from jurybox.figures._axes import LOWERED, draw_frame, lower_numbers, round_scale
from jurybox.figures._curve import COLOURS
from jurybox.figures._figure_page import (
    LEADING,
    MARGIN,
    NARROWEST,
    SMALL,
    TEXT,
    WIDEST,
    FigurePage,
    FigureWords,
)
from jurybox.figures._lettering import widest, width_of, wrap

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HEIGHT = 130.0
#: a bar that is thinner than this, in points, is hard to see
THINNEST = 1.2


class HistogramBar(NamedTuple):
    """One bar: from where to where along the axis, and how many."""

    left: float
    right: float
    number: int

    @property
    def middle(self) -> float:
        return (self.left + self.right) / 2


class Box(NamedTuple):
    """One bar in points, from the lower left corner of the plot."""

    left: float
    right: float
    top: float


class Histogram(NamedTuple):
    """Bars between the ends of an axis, and where it may have numbers."""

    bars: list[HistogramBar]
    low: float
    high: float
    places: Sequence[float]


def read_histogram(places: Sequence[float], counts: Sequence[int]) -> Histogram:
    """Bars at as many values as there are counts, or between one edge more.

    >>> read_histogram([0.5, 0.75, 1.0], [10, 20]).bars
    [HistogramBar(left=0.5, right=0.75, number=10), HistogramBar(left=0.75, right=1.0, number=20)]
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
        bars = [HistogramBar(a, b, n) for (a, b), n in zip(pairwise(places), counts, strict=True)]
        return Histogram(bars, places[0], places[-1], places)
    pitch = min((b - a for a, b in pairwise(places)), default=1.0)
    bars = [
        HistogramBar(x - 0.4 * pitch, x + 0.4 * pitch, n)
        for x, n in zip(places, counts, strict=True)
    ]
    return Histogram(bars, places[0] - pitch / 2, places[-1] + pitch / 2, places)


def draw_bars(histogram: Histogram, words: FigureWords) -> Figure:
    bars, low, high, places = histogram
    labels = [f"{bar.number:,}" for bar in bars]
    scale = round_scale(0, max(bar.number for bar in bars), 5)
    up = [tick for tick in scale.ticks if tick == int(tick)]
    numbers = [f"{int(tick):,}" for tick in up]
    left = MARGIN + widest(numbers, TEXT) + 4
    right = MARGIN + max(width_of(_value_text(places[-1]), TEXT) / 2 - 3, 0)
    apart = min(b.middle - a.middle for a, b in pairwise(bars)) if len(bars) > 1 else high - low
    wanted = (high - low) / apart * (widest(labels, SMALL) + 5)
    width = min(max(left + wanted + right, NARROWEST), WIDEST)
    plot = width - left - right
    low, high = _make_room(histogram, plot, [width_of(label, SMALL) + 3 for label in labels])
    score = wrap(words.score, width - 2 * MARGIN, TEXT)
    above = len(score) * TEXT * LEADING + SMALL * LEADING + 4
    across = wrap(words.across, plot, TEXT)
    below = (1 + len(across)) * TEXT * LEADING + LOWERED + 2
    page = FigurePage.make(width, above + HEIGHT + below, words)
    page.write(MARGIN, page.top, score, TEXT)
    page.write(left + plot / 2, page.bottom, across, TEXT, at="bottom", ha="center")

    axes = page.add_axes(left, page.bottom + below, plot, HEIGHT)
    axes.set_xlim(low, high)
    axes.set_ylim(scale.low, scale.high)
    ticks = value_ticks(places, plot / (high - low))
    draw_frame(axes, ticks, up, TEXT)
    axes.set_xticks(ticks, list(map(_value_text, ticks)))
    axes.set_yticks(up, numbers)
    lower_numbers(axes)
    thinnest = THINNEST / plot * (high - low)
    axes.bar(
        [bar.middle for bar in bars],
        [bar.number for bar in bars],
        width=[max(bar.right - bar.left, thinnest) for bar in bars],
        color=COLOURS[0],
        edgecolor="white",
        linewidth=0.5 if plot * apart / (high - low) > 4 else 0,
        zorder=2,
    )
    unit = plot / (high - low)
    boxes = [
        Box((bar.left - low) * unit, (bar.right - low) * unit, HEIGHT * scale.share(bar.number))
        for bar in bars
    ]
    for k in fitting_labels(boxes, [width_of(label, SMALL) + 2 for label in labels]):
        axes.annotate(
            labels[k],
            (bars[k].middle, bars[k].number),
            (0, 2),
            textcoords="offset points",
            fontsize=SMALL,
            ha="center",
            va="bottom",
            zorder=3,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.4},
        )
    return page.figure


def _make_room(histogram: Histogram, plot: float, widths: Sequence[float]) -> tuple[float, float]:
    """The ends of the axis, moved out where the count on the first or last bar would not fit."""
    bars, low, high, _ = histogram
    first, last = bars[0].middle, bars[-1].middle
    if first == last:
        return low, high
    unit = (plot - (widths[0] + widths[-1]) / 2) / (last - first)
    return min(low, first - widths[0] / 2 / unit), max(high, last + widths[-1] / 2 / unit)


def fitting_labels(boxes: Sequence[Box], widths: Sequence[float]) -> list[int]:
    """The bars that have room for their count on top, beside higher bars and their counts.

    Where two counts are in each other's way, that of the higher bar stays.

    >>> fitting_labels([Box(0, 10, 90), Box(10, 20, 40)], [8, 8])
    [0, 1]
    >>> fitting_labels([Box(0, 10, 90), Box(10, 20, 40)], [8, 14])
    [0]
    """
    placed: dict[int, tuple[float, float, float]] = {}
    for k in sorted(range(len(boxes)), key=lambda k: -boxes[k].top):
        middle = (boxes[k].left + boxes[k].right) / 2
        first, last = middle - widths[k] / 2, middle + widths[k] / 2
        bottom = boxes[k].top
        top = bottom + SMALL * LEADING + 2
        in_bars = any(
            other.left < last and first < other.right and other.top > bottom
            for j, other in enumerate(boxes)
            if j != k
        )
        in_labels = any(
            start < last and first < end and bottom < level + SMALL * LEADING + 2 and level < top
            for start, end, level in placed.values()
        )
        if not in_bars and not in_labels:
            placed[k] = (first, last, bottom)
    return sorted(placed)


def value_ticks(places: Sequence[float], unit: float) -> list[float]:
    """The values or edges that get a number: all if they fit, else round ones.

    A unit of the axis is so many points long.

    >>> value_ticks([0.5, 0.6, 0.7, 0.8, 0.9, 1.0], unit=400)
    [0.5, 0.6, 0.7, 0.8, 0.9, 1.0]
    >>> value_ticks([0.5, 0.55, 0.5714, 0.6, 0.625, 1.0], unit=400)
    [0.5, 0.6, 0.7, 0.8, 0.9, 1.0]
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
