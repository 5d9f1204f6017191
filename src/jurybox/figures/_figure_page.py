"""The page a figure is drawn on: its measures and type sizes, title, small print and settings.

Lengths are in points, 1/72 inch, from the lower left corner of the page. matplotlib is imported
when something is drawn; its global settings are left as they were found.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from jurybox.figures._lettering import FONT, printable, wrap

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

INK, GREY, PALE, SHADE = "#000000", "#555555", "#d9d9d9", "#f0f0f0"

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
        # told once, in our own words, where it matters: when the figure is saved
        warnings.filterwarnings("ignore", r"Glyph .* missing from font", UserWarning)
        yield


class FigureWords(NamedTuple):
    """What is written around the data; `across` is below the x axis, or above the columns."""

    title: str
    score: str
    across: str
    note: str


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
