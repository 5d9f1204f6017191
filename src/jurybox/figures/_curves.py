"""Curves over the number of annotators: checked, given their looks, drawn as lines, panels or dots.

Lines are distinguished by colour, marker and, where colours come again, dashes. The colours are
those of Okabe and Ito (2008, Color Universal Design). Last points that are uncertain, because they
are extrapolated or rest on few cases, are dashed and have open markers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, count, groupby, pairwise
from math import ceil, isfinite, nan
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from jurybox.errors import InputError, LengthError
from jurybox.figures._page import (
    GREY,
    INK,
    LABEL_WIDTH,
    LEADING,
    MARGIN,
    NARROWEST,
    PALE,
    SHADE,
    SMALL,
    TEXT,
    WIDEST,
    FigurePage,
    FigureWords,
    Scale,
    draw_frame,
    our_style,
    round_scale,
    shorten,
    small_print,
    widest,
    width_of,
    wrap,
)

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

#: Okabe and Ito without black, which is the human curve, and yellow, which is lost on white paper
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
MARKERS = ("s", "^", "D", "v", "P", "X", "d", "<", "*", ">", "p", "h")

Dash = str | tuple[int, tuple[float, ...]]
SOLID: Dash = "-"
LONG_AND_DOT: Dash = (0, (8.0, 1.5, 1.2, 1.5))
UNCERTAIN: Dash = (0, (2.2, 1.6))

#: with more curves than this beside the human one, each gets a small panel of its own
MOST_LINES = 12
#: between plot and labels, for a marker beside each label, and lines that lead there
GAP = 26.0
#: a label may stick out this far where nothing else is
SLACK = TEXT * LEADING / 2


class Curve(NamedTuple):
    """Scores against the number of reference annotators; uncertain points are the last ones."""

    name: str
    sizes: tuple[int, ...]
    #: fractions, shown as 0 to 100; nan where undefined, which leaves a gap
    scores: tuple[float, ...]
    #: the band of spread, fractions too
    low: tuple[float, ...] | None = None
    high: tuple[float, ...] | None = None
    #: how many of the last points are uncertain
    uncertain: int = 0
    #: why they are
    why: str = "extrapolated"
    #: the human curve stands out
    human: bool = False


class XYCurve(NamedTuple):
    """Points in the order of their thresholds; nan or None where undefined, which leaves a gap."""

    name: str
    #: fractions: sequences, or arrays of numpy
    x: Sequence[float | None] | Floats
    y: Sequence[float | None] | Floats
    #: what stands after the name, such as the area
    told: str = ""


class XYMark(NamedTuple):
    """A point on or beside a curve that means something: where the system's own decisions are."""

    curve: str
    #: None or nan where undefined, which the small print tells
    x: float | None
    y: float | None
    meaning: str = "decisions as given"


class Line(NamedTuple):
    """One curve as it is drawn: from 0 to 100, with its looks."""

    name: str
    sizes: tuple[int, ...]
    scores: tuple[float, ...]
    band: tuple[tuple[float, ...], tuple[float, ...]] | None
    measured: int  # how many points come before the uncertain ones
    colour: str
    marker: str
    dash: Dash
    human: bool = False
    why: str = ""  # the others are uncertain

    @property
    def defined(self) -> list[int]:
        return [k for k, score in enumerate(self.scores) if isfinite(score)]

    @property
    def end(self) -> int:
        """The last point that is there; the name stands beside it."""
        return self.defined[-1]

    @property
    def ends_uncertain(self) -> bool:
        return self.end >= self.measured

    @property
    def named_points(self) -> list[int]:
        """The points whose values stand beside the name: the last, and the last measured one."""
        before = [k for k in self.defined if k < self.measured]
        return [*before[-1:], self.end] if self.ends_uncertain else [self.end]

    @property
    def value(self) -> str:
        return " → ".join(f"{self.scores[k]:.1f}" for k in self.named_points)

    @property
    def place(self) -> str:
        """At which sizes the numbers in `value` are."""
        places = "at " + " → ".join(str(self.sizes[k]) for k in self.named_points)
        return f"{places} ({self.why})" if self.ends_uncertain else places

    @property
    def weight(self) -> Literal["bold", "normal"]:
        return "bold" if self.human else "normal"

    def reach(self) -> Iterator[float]:
        """Every value the axis must have room for."""
        for values in (self.scores, *(self.band or ())):
            yield from filter(isfinite, values)


def looks_of(number: int) -> dict[str, Any]:
    """Colour, marker and dash of the line with this number, from 0."""
    return {
        "colour": COLOURS[number % len(COLOURS)],
        "marker": MARKERS[number % len(MARKERS)],
        "dash": SOLID if number < len(COLOURS) else LONG_AND_DOT,
    }


def why_uncertain(lines: Sequence[Line]) -> str:
    """Why points are dashed and open; empty where none is."""
    return next((line.why for line in lines if line.measured < len(line.sizes)), "")


def read_curves(curves: Sequence[Curve]) -> tuple[list[Line], list[str]]:
    """The curves that can be drawn, and the names of those that are undefined everywhere."""
    for curve in curves:
        _check_curve(curve)
    # where all are human, as in Figure 2, none stands out
    leads = not all(curve.human for curve in curves) or len(curves) == 1
    lines: list[Line] = []
    undefined: list[str] = []
    for curve in curves:
        if not any(map(isfinite, curve.scores)):
            undefined.append(curve.name)
            continue
        human = curve.human and leads
        band = None
        if curve.low is not None and curve.high is not None:
            band = (_in_percent(curve.low, curve), _in_percent(curve.high, curve))
        looks = looks_of(sum(not line.human for line in lines))
        line = Line(
            name=curve.name,
            sizes=curve.sizes,
            scores=_in_percent(curve.scores, curve),
            band=band,
            measured=len(curve.sizes) - curve.uncertain,
            human=human,
            why=curve.why,
            **({"colour": INK, "marker": "o", "dash": SOLID} if human else looks),
        )
        lines.append(line)
    if not lines:
        raise InputError("there is no curve to draw: no score is defined")
    return lines, undefined


def _check_curve(curve: Curve) -> None:
    for kind, values in (("scores", curve.scores), ("low", curve.low), ("high", curve.high)):
        if values is not None and len(values) != len(curve.sizes):
            raise LengthError(
                f"curve '{curve.name}': {len(curve.sizes)} sizes but {len(values)} in {kind}"
            )
    if (curve.low is None) != (curve.high is None):
        raise InputError(f"curve '{curve.name}': a band needs both low and high")
    if any(size >= following for size, following in pairwise(curve.sizes)):
        raise InputError(f"curve '{curve.name}': sizes must grow, not {curve.sizes}")
    if not 0 <= curve.uncertain <= len(curve.sizes):
        raise InputError(
            f"curve '{curve.name}': {curve.uncertain} of {len(curve.sizes)} points cannot be"
            f" {curve.why}"
        )


def _in_percent(values: tuple[float, ...], curve: Curve) -> tuple[float, ...]:
    """From 0 to 100, with the gaps that the scores have."""
    return tuple(
        100.0 * value if isfinite(value) and isfinite(score) else nan
        for value, score in zip(values, curve.scores, strict=True)
    )


# --- what the plots of curves share ---


def scale_for(lines: Sequence[Line], most: int = 6) -> Scale:
    """An axis for scores and bands; no band stretches it beyond 0 to 100, where no score can be."""
    scores = [line.scores[k] for line in lines for k in line.defined]
    values = [value for line in lines for value in line.reach()]
    low = min(values) if min(scores) < 0 else max(min(values), 0.0)
    high = max(values) if max(scores) > 100 else min(max(values), 100.0)
    return round_scale(low, high, most)


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


def _same_place(lines: Sequence[Line]) -> bool:
    """Whether the values beside all names are at the same sizes, which is then said once."""
    return len({line.place for line in lines}) == 1


def _draw_axes(
    axes: Axes, lines: Sequence[Line], scale: Scale, plot: float, *, small: bool = False
) -> float | None:
    """The frame, and a shade where all lines are uncertain: where it starts, if there is one."""
    sizes = sorted({size for line in lines for size in line.sizes})
    margin = (0.05 if small else 0.03) * (sizes[-1] - sizes[0])
    axes.set_xlim(sizes[0] - margin, sizes[-1] + margin)
    axes.set_ylim(scale.low, scale.high)
    draw_frame(axes, size_ticks(sizes, plot), scale.ticks, SMALL if small else TEXT)
    start = uncertain_start(lines)
    if start is not None:
        axes.axvspan(start, axes.get_xlim()[1], color=SHADE, linewidth=0, zorder=0)
    return start


def uncertain_start(lines: Sequence[Line]) -> float | None:
    """Half-way from the last measured to the first uncertain size, if all agree on it."""
    starts = {
        (line.sizes[max(line.measured - 1, 0)] + line.sizes[line.measured]) / 2
        for line in lines
        if line.measured < len(line.sizes)
    }
    measured = max((line.sizes[line.measured - 1] for line in lines if line.measured), default=0)
    return starts.pop() if len(starts) == 1 and max(starts) >= measured else None


def draw_curve(axes: Axes, line: Line, *, shade: float, most: int, small: bool = False) -> None:
    """Band, line and at most so many markers; what is uncertain is paler, dashed and open."""
    order = 4 if line.human else 3
    solid = slice(0, line.measured)
    dashed = slice(max(line.measured - 1, 0), None)  # the dashes begin at the last measured point
    for part, dash, alpha in ((solid, line.dash, shade), (dashed, UNCERTAIN, shade / 2)):
        sizes = line.sizes[part]
        if len(sizes) < 2:  # a marker is all there is
            continue
        if line.band is not None:
            axes.fill_between(
                sizes,
                line.band[0][part],
                line.band[1][part],
                color=line.colour,
                alpha=alpha,
                linewidth=0,
                zorder=order - 2,
            )
        axes.plot(
            sizes,
            line.scores[part],
            color=line.colour,
            linewidth=2.0 if line.human else 1.2,
            linestyle=dash,
            zorder=order,
            clip_on=False,
        )
    step = ceil(len(line.sizes) / most)
    alone = [k for k in line.defined if not {k - 1, k + 1} & set(line.defined)]
    marked = [k for k in line.defined if (line.end - k) % step == 0 or k in alone]
    for uncertain, points in groupby(marked, lambda k: k >= line.measured):
        axes.plot(
            *zip(*((line.sizes[k], line.scores[k]) for k in points), strict=True),
            **marker_of(line, hollow=uncertain, small=small),
            zorder=order + 0.5,
            clip_on=False,
        )
    if line.band is not None:  # between two gaps a band has no width
        for k in alone:
            ends = [side[k] for side in line.band]
            axes.plot([line.sizes[k]] * 2, ends, color=line.colour, alpha=0.5, linewidth=1)


def marker_of(line: Line, *, hollow: bool, small: bool = False) -> dict[str, Any]:
    """The looks of its markers, as matplotlib names them."""
    return {
        "linestyle": "none",
        "marker": line.marker,
        "markersize": (3.0 if small else 4.0) + (line.marker in "*PX"),
        "markerfacecolor": "white" if hollow else line.colour,
        "markeredgecolor": line.colour,
        "markeredgewidth": 0.8,
    }


# --- the plots ---


@our_style()
def draw_curves(
    curves: Sequence[Curve],
    *,
    title: str,
    score: str,
    note: str = "",
    size_label: str = "reference annotators",
) -> Figure:
    """Scores of people and systems against the number of annotators (Bryant and Ng, Figures 1-3).

    Up to `MOST_LINES` systems share one plot, with names and last values at the ends of the lines;
    where its last points are uncertain, the last value before them stands first. More systems get
    a panel each, best first, before all others in grey. Curves of one size (leave-one-out) become
    dots with error bars, best first; no `size_label` is for scores that have no size. A curve that
    is undefined at every size is named in the small print, where `note` stands too.

    >>> human = Curve("human", (1, 2), (0.4590, 0.5664), human=True)
    >>> figure = draw_curves([human], title="Ten annotators", score="F0.5")
    >>> [text.get_text() for text in figure.texts]
    ['Ten annotators', 'F0.5', 'reference annotators', 'human 56.6']
    """
    lines, undefined = read_curves(curves)
    marks = "Open markers" if len(lines[0].sizes) == 1 else "Dashed lines and open markers"
    why = why_uncertain(lines)
    told = small_print(undefined, f"{marks}: {why}." if why else "", note)
    words = FigureWords(title, score, size_label, told)
    if all(len(line.sizes) == 1 for line in lines):
        return _draw_dots(lines, words)
    if sum(not line.human for line in lines) > MOST_LINES:
        return _draw_panels(lines, words)
    return _draw_lines(lines, words)


def _draw_lines(lines: Sequence[Line], words: FigureWords) -> Figure:
    """All curves in one plot, with names and values at the ends of the lines."""
    # what holds for all labels is said once, above them
    alike = _same_place(lines)
    heading = lines[0].place if alike and lines[0].ends_uncertain else ""
    labels = []
    for line in lines:
        told = f"{line.name} {line.value}" + ("" if alike else f" {line.place}")
        labels.append(wrap(told, LABEL_WIDTH, TEXT, line.weight))
    apart = 3 if any(len(label) > 1 for label in labels) else 0
    heights = [len(label) * TEXT * LEADING + apart for label in labels]
    wide = [widest(label, TEXT, line.weight) for line, label in zip(lines, labels, strict=True)]
    scale = scale_for(lines)
    left = MARGIN + scale.width(TEXT) + 4
    right = GAP + max(width_of(heading, SMALL), *wide) + MARGIN
    sizes = len({size for line in lines for size in line.sizes})
    width = min(max(left + (230 if sizes > 12 else 190) + right, NARROWEST), WIDEST)
    plot = width - left - right
    height = max(165.0 if len(lines) <= 6 else 215.0, sum(heights))
    has_heading = uncertain_start(lines) is not None or heading
    above = 6 + (SMALL * LEADING if has_heading else 0)
    page, frame = FigurePage.with_plot(words, width, left, plot, height, above=above)
    axes = page.add_axes(*frame)
    start = _draw_axes(axes, lines, scale, plot)
    first, last = axes.get_xlim()
    if start is not None:
        why = why_uncertain(lines)
        room = max(plot * (last - start) / (last - first), width_of(why, SMALL))
        middle = frame.right - room / 2
        page.write(middle, frame.top + 2, [why], SMALL, at="bottom", ha="center", color=GREY)
    for line in lines:
        draw_curve(axes, line, shade=0.2 if len(lines) <= 6 else 0.1, most=int(plot / 9))

    x = frame.right + GAP
    page.write(x, frame.top + 2, [heading] if heading else [], SMALL, at="bottom", color=GREY)
    ends = [
        (
            left + plot * (line.sizes[line.end] - first) / (last - first),
            frame.bottom + height * scale.share(line.scores[line.end]),
        )
        for line in lines
    ]
    highest = frame.top if heading else frame.top + SLACK
    centres = spread([y for _, y in ends], heights, frame.bottom - SLACK, highest)
    for line, label, (end, level), y in zip(lines, labels, ends, centres, strict=True):
        page.write(x, y, label, TEXT, at="middle", weight=line.weight)
        page.draw([x - 6], [y], **marker_of(line, hollow=line.ends_uncertain))
        if abs(y - level) > 1 or end < left + 0.9 * plot:  # the label had to move
            page.draw([end + 4, x - 11], [level, y], color="#999999", linewidth=0.5, zorder=1)
    return page.figure


def spread(
    wanted: Sequence[float], heights: Sequence[float], low: float, high: float
) -> list[float]:
    """Middles of labels that do not overlap, as near as can be to where they are wanted.

    Least squares under an order: taking away the heights below each label leaves a sequence that
    must not fall, which pooling adjacent violators fits (Barlow et al. 1972).

    >>> spread([50, 50, 80], [10, 10, 10], 0, 100)
    [45.0, 55.0, 80.0]
    """
    order = sorted(range(len(wanted)), key=lambda k: wanted[k])
    below = dict(zip(order, accumulate((heights[k] for k in order), initial=0.0), strict=False))
    offsets = {k: below[k] + heights[k] / 2 for k in order}
    pools: list[tuple[float, int]] = []  # sum and number of what has been pooled
    for k in order:
        total, number = wanted[k] - offsets[k], 1
        while pools and pools[-1][0] / pools[-1][1] > total / number:
            before, many = pools.pop()
            total, number = total + before, number + many
        pools.append((total, number))
    fitted = [total / number for total, number in pools for _ in range(number)]
    highest = high - sum(heights)
    places = {k: max(low, min(z, highest)) + offsets[k] for k, z in zip(order, fitted, strict=True)}
    return [places[k] for k in range(len(wanted))]


def _draw_panels(lines: Sequence[Line], words: FigureWords) -> Figure:
    """A small panel for each curve, best first, before all others in grey."""
    from matplotlib.collections import LineCollection

    ranked = sorted(lines, key=lambda line: (not line.human, -line.scores[line.end]))
    people = [line for line in ranked if line.human]
    explained = f"{words.score}; beside each name its "
    if _same_place(lines):
        explained += f"value {lines[0].place}"
    else:
        why = why_uncertain(lines)
        explained += "last value" + (f"; after an arrow: {why}" if why else "")
    if people:
        explained += f"; black in every panel: {', '.join(line.name for line in people)}"
    heading = wrap(explained, WIDEST - 2 * MARGIN, TEXT)
    scale = scale_for(lines, most=4)
    left = MARGIN + scale.width(SMALL) + 4
    gap, height = 11.0, 58.0
    across = min(4, 5, key=lambda number: ceil(len(lines) / number))  # the fewest rows
    plot = (WIDEST - left - MARGIN - (across - 1) * gap) / across
    above = len(heading) * TEXT * LEADING + 3
    step = TEXT * LEADING + 3 + height + gap
    below = (SMALL + TEXT) * LEADING + 6 - gap
    page = FigurePage.make(WIDEST, above + ceil(len(lines) / across) * step + below, words)
    page.write(MARGIN, page.top, heading, TEXT)
    across_label = shorten(words.across, WIDEST - left - MARGIN, TEXT)
    middle = (left + WIDEST - MARGIN) / 2
    page.write(middle, page.bottom, [across_label], TEXT, at="bottom", ha="center")

    for k, line in enumerate(ranked):
        x = left + k % across * (plot + gap)
        top = page.top - above - k // across * step
        value = f" {line.value}"
        name = shorten(line.name, plot - width_of(value, TEXT, line.weight), TEXT, line.weight)
        page.write(x, top, [name + value], TEXT, weight=line.weight)
        axes = page.add_axes(x, top - step + gap, plot, height)
        _draw_axes(axes, lines, scale, plot, small=True)
        axes.tick_params(labelleft=k % across == 0, labelbottom=k + across >= len(ranked))
        others = [
            list(zip(other.sizes, other.scores, strict=True))
            for other in ranked
            if other is not line and not other.human
        ]
        axes.add_collection(LineCollection(others, colors="#c4c4c4", linewidths=0.5, zorder=1))
        for person in people:
            axes.plot(person.sizes, person.scores, color=INK, linewidth=0.8, zorder=2)
        plain = line._replace(colour=INK if line.human else COLOURS[0], marker="o", dash=SOLID)
        draw_curve(axes, plain, shade=0.25, most=int(plot / 9), small=True)
    return page.figure


def _draw_dots(lines: Sequence[Line], words: FigureWords) -> Figure:
    """Curves of one size (leave-one-out) as dots with error bars, best first."""
    ranked = sorted(lines, key=lambda line: -line.scores[0])
    alike = _same_place(lines)
    names = [wrap(line.name, LABEL_WIDTH, TEXT, line.weight) for line in ranked]
    values = [
        line.value
        + (f" ({line.band[0][0]:.1f}–{line.band[1][0]:.1f})" if line.band else "")
        + ("" if alike else f" {line.place}")
        for line in ranked
    ]
    # bold as the human line is: the others then fit as well
    left = MARGIN + max(widest(name, TEXT, "bold") for name in names) + 9
    right = 10 + widest(values, TEXT, "bold") + MARGIN
    width = min(max(left + 150 + right, NARROWEST), WIDEST)
    plot = width - left - right
    heights = [len(name) * TEXT * LEADING + 4 for name in names]
    axis = words.score
    if alike and words.across:
        axis += f" at {lines[0].sizes[0]} {words.across}"
        axis += "" if lines[0].measured else f" ({lines[0].why})"
    axis_lines = wrap(axis, width - left - MARGIN, TEXT)
    below = (1 + len(axis_lines)) * TEXT * LEADING + 4
    page = FigurePage.make(width, sum(heights) + below, words)
    page.write(left, page.bottom, axis_lines, TEXT, at="bottom")

    bottom = page.bottom + below
    scale = scale_for(lines)
    axes = page.add_axes(left, bottom, plot, sum(heights))
    axes.set_xlim(scale.low, scale.high)
    axes.set_ylim(bottom, page.top)
    draw_frame(axes, scale.ticks, [], TEXT)
    axes.grid(axis="x", color=PALE, linewidth=0.5, clip_on=False)
    lower = page.top
    for line, name, value, height in zip(ranked, names, values, heights, strict=True):
        lower -= height
        y = lower + height / 2
        colour, marker = (INK, "d") if line.human else (COLOURS[0], "o")
        if line.human:
            axes.axvline(line.scores[0], color=INK, linewidth=0.7, linestyle=(0, (1, 2)))
        if line.band is not None:
            ends = [side[0] for side in line.band]
            axes.plot(ends, [y, y], color=colour, linewidth=1.2, solid_capstyle="butt")
        plain = line._replace(colour=colour, marker=marker)
        looks = marker_of(plain, hollow=not line.measured)
        axes.plot([line.scores[0]], [y], **looks, clip_on=False, zorder=3)
        page.write(left - 9, y, name, TEXT, at="middle", ha="right", weight=line.weight)
        page.write(left + plot + 10, y, [value], TEXT, at="middle", weight=line.weight)
    return page.figure
