"""What all figures share: the page, the words on it, the scales of axes and the frame of a plot.

Lengths are in points, 1/72 inch, from the lower left corner of the page. matplotlib is imported
when something is measured or drawn; its global settings are left as they were found.
"""

from __future__ import annotations

import warnings
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from itertools import count
from math import ceil, floor, isfinite
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from jurybox.errors import warn

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.transforms import Transform

INCH = 72.0
# 3.5 inches are a column of a paper, 7 inches a page
NARROWEST, WIDEST = 3.5 * INCH, 7 * INCH
MARGIN = 6.0
TITLE, TEXT, SMALL = 9.0, 8.0, 6.5
LEADING = 1.25
LABEL_WIDTH = 150.0
#: how far below the plot the numbers along an axis of fractions are
LOWERED = 5.0
#: an axis of fractions shows this much at least, unless it starts at 0
LEAST_SPAN = 0.2

INK, GREY, PALE, SHADE = "#000000", "#555555", "#d9d9d9", "#f0f0f0"
#: comes with matplotlib and is wider than the other fonts of a figure: what fits in it, fits
FONT = "DejaVu Sans"

STYLE: dict[str, Any] = {
    "font.family": ["sans-serif"],
    "font.sans-serif": [FONT, "Helvetica", "Arial", "Liberation Sans"],
    "text.parse_math": False,  # a name may hold a dollar sign
    "svg.fonttype": "none",
    "svg.hashsalt": "jurybox",
    "pdf.fonttype": 42,
}


@contextmanager
def our_style() -> Iterator[None]:
    """Settings that do not depend on the user's own, which come back at the end."""
    from matplotlib import style

    with style.context(["default", STYLE]), warnings.catch_warnings():
        # `warn_of_missing_letters` warns once, when the figure is saved
        warnings.filterwarnings("ignore", r"Glyph .* missing from font", UserWarning)
        yield


# --- words ---


@lru_cache(maxsize=4096)
def width_of(text: str, size: float, weight: str = "normal") -> float:
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(family=FONT, size=size, weight=weight)
    return float(text_to_path.get_text_width_height_descent(text, font, False)[0])


def widest(texts: Iterable[str], size: float, weight: str = "normal") -> float:
    return max((width_of(text, size, weight) for text in texts), default=0.0)


def wrap(text: str, width: float, size: float, weight: str = "normal") -> list[str]:
    """Lines that are no wider than this."""
    lines: list[str] = []
    for paragraph in text.splitlines():
        rest = " ".join(printable(paragraph).split())
        while width_of(rest, size, weight) > width:
            # as many letters as fit; one at least
            fitting = bisect_right(
                range(1, len(rest)), width, key=lambda k: width_of(rest[:k], size, weight)
            )
            cut = _break_point(rest, max(1, fitting))
            lines.append(rest[:cut].rstrip())
            rest = rest[cut:].lstrip()
        if rest:
            lines.append(rest)
    return lines


def _break_point(text: str, fitting: int) -> int:
    """Where a line of so many letters is best broken: the second half is looked through.

    >>> _break_point("beta:0.5|sizes:all", 12)
    9
    """
    for signs in (" ", "|;,", "-_/+:."):
        cut = 1 + max(text.rfind(sign, 0, fitting + (sign == " ")) for sign in signs)
        if 2 * cut > fitting:
            return cut
    return fitting


def shorten(text: str, width: float, size: float, weight: str = "normal") -> str:
    """The text, with its middle left out if it is too wide."""
    text = printable(text)

    def keep(number: int) -> str:
        return text[: (number + 1) // 2] + "…" + text[len(text) - number // 2 :]

    if width_of(text, size, weight) <= width:
        return text
    lengths = range(2, len(text))
    return keep(
        max(2, 1 + bisect_right(lengths, width, key=lambda k: width_of(keep(k), size, weight)))
    )


def printable(text: str) -> str:
    """Without signs that have no look, which would also break the XML of an SVG file."""
    return "".join(sign if sign.isprintable() else " " for sign in text)


def warn_of_missing_letters(figure: Figure) -> None:
    from matplotlib.font_manager import FontProperties, findfont, get_font
    from matplotlib.text import Text

    known = get_font(findfont(FontProperties(family=FONT))).get_charmap()
    texts = (artist.get_text() for artist in figure.findobj(Text) if isinstance(artist, Text))
    missing = sorted({sign for text in texts for sign in text if ord(sign) not in known})
    if missing:
        warn(
            f"no font here can draw {' '.join(missing)}; save the figure as .svg, where the"
            " reader's fonts are used"
        )


def small_print(undefined: Sequence[str], *more: str) -> str:
    """What is not drawn, and whatever else there is to say."""
    missing = f"Undefined and not drawn: {', '.join(undefined)}." if undefined else ""
    return "\n".join(filter(None, (missing, *more)))


# --- the page ---


class FigureWords(NamedTuple):
    """What is written around the data; `across` is below the x axis, or above the columns."""

    title: str
    score: str
    across: str
    note: str


class PlotFrame(NamedTuple):
    """Where on the page a plot is."""

    left: float
    bottom: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.left + self.width

    @property
    def top(self) -> float:
        return self.bottom + self.height


class FigurePage(NamedTuple):
    """A figure with its title and small print; the body is between `bottom` and `top`."""

    figure: Figure
    points: Transform
    width: float
    height: float
    bottom: float
    top: float

    @classmethod
    def make(cls, width: float, body: float, words: FigureWords) -> FigurePage:
        from matplotlib.figure import Figure
        from matplotlib.transforms import Affine2D

        title = wrap(words.title, width - 2 * MARGIN, TITLE, "bold")
        note = wrap(words.note, width - 2 * MARGIN, SMALL)
        head = len(title) * TITLE * LEADING + (3 if title else 0)
        foot = len(note) * SMALL * LEADING + (6 if note else 0)
        height = MARGIN + head + body + foot + MARGIN
        figure = Figure(figsize=(width / INCH, height / INCH))
        figure.set_label(printable(words.title))
        points = Affine2D().scale(1 / INCH) + figure.dpi_scale_trans
        page = cls(figure, points, width, height, MARGIN + foot, height - MARGIN - head)
        page.write(MARGIN, height - MARGIN, title, TITLE, weight="bold")
        page.write(MARGIN, MARGIN, note, SMALL, at="bottom", color=GREY)
        return page

    @classmethod
    def with_plot(
        cls,
        words: FigureWords,
        width: float,
        left: float,
        plot: float,
        height: float,
        *,
        above: float = 6.0,
        below: float = 4.0,
    ) -> tuple[FigurePage, PlotFrame]:
        """A page with one plot, the score above it and `across` below it, with so much room."""
        score = wrap(words.score, width - 2 * MARGIN, TEXT)
        across = wrap(words.across, plot, TEXT)
        above += len(score) * TEXT * LEADING
        below += (1 + len(across)) * TEXT * LEADING
        page = cls.make(width, above + height + below, words)
        page.write(MARGIN, page.top, score, TEXT)
        page.write(left + plot / 2, page.bottom, across, TEXT, at="bottom", ha="center")
        return page, PlotFrame(left, page.bottom + below, plot, height)

    def add_axes(self, left: float, bottom: float, width: float, height: float) -> Axes:
        return self.figure.add_axes(
            (left / self.width, bottom / self.height, width / self.width, height / self.height)
        )

    def write(
        self,
        x: float,
        y: float,
        lines: Sequence[str],
        size: float,
        *,
        at: Literal["top", "middle", "bottom"] = "top",
        ha: Literal["left", "center", "right"] = "left",
        rotation: float = 0,
        weight: str = "normal",
        color: str = INK,
    ) -> None:
        """Lines of text whose block has its top, middle or bottom at y."""
        step = size * LEADING
        first = y + {"top": 0.0, "middle": 0.5, "bottom": 1.0}[at] * len(lines) * step - step / 2
        # capitals are 0.73 of the size high: their middle comes to the middle of the line
        down = 0.365 * size
        for k, line in enumerate(lines):
            self.figure.text(
                x + down if rotation else x,
                first - k * step - (0 if rotation else down),
                printable(line),
                transform=self.points,
                fontsize=size,
                weight=weight,
                color=color,
                ha=ha,
                va="baseline",
                rotation=rotation,
                rotation_mode="anchor",
            )

    def draw(self, xs: Sequence[float], ys: Sequence[float], **looks: Any) -> None:
        """A line or a marker outside the axes."""
        from matplotlib.lines import Line2D

        self.figure.add_artist(Line2D(xs, ys, transform=self.points, **looks))


# --- axes: scores of curves are 0 to 100; rates and kappa are fractions, as papers print them ---


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
        return widest((f"{tick:g}" for tick in self.ticks), size)


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


def draw_frame(axes: Axes, across: Sequence[float], up: Sequence[float], size: float) -> None:
    """Ticks with thin rules behind the data; no box."""
    axes.set_xticks(across, [f"{tick:g}" for tick in across])
    axes.set_yticks(up, [f"{tick:g}" for tick in up])
    axes.tick_params(length=0, pad=3, labelsize=size)
    axes.grid(axis="y", color=PALE, linewidth=0.5)
    axes.set_axisbelow(True)
    for name, spine in axes.spines.items():
        spine.set_visible(name == "bottom")
        spine.set_linewidth(0.6)


def lower_numbers(axes: Axes) -> None:
    """The numbers along the axis, below the lowest of those beside it: they may be wide."""
    axes.tick_params(axis="x", pad=LOWERED)


def draw_zero(axes: Axes, scale: Scale) -> None:
    """Where values can be negative, as kappa can, a rule at 0: no better than chance."""
    if scale.low < 0 < scale.high:
        axes.axhline(0, color=GREY, linewidth=0.6, zorder=1.5)
