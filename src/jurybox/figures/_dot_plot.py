"""Curves of one size (leave-one-out) as dots with error bars, best first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from jurybox.figures._axes import draw_frame, scale_for
from jurybox.figures._curve import COLOURS, Line, marker_of, same_place
from jurybox.figures._figure_page import (
    INK,
    LABEL_WIDTH,
    LEADING,
    MARGIN,
    NARROWEST,
    PALE,
    TEXT,
    WIDEST,
    FigurePage,
    FigureWords,
)
from jurybox.figures._lettering import widest, wrap

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_dot_plot(lines: Sequence[Line], words: FigureWords) -> Figure:
    ranked = sorted(lines, key=lambda line: -line.scores[0])
    alike = same_place(lines)
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
        plain = line._replace(
            colour=INK if line.human else COLOURS[0], marker="d" if line.human else "o"
        )
        if line.human:
            axes.axvline(line.scores[0], color=INK, linewidth=0.7, linestyle=(0, (1, 2)))
        if line.band is not None:
            ends = [side[0] for side in line.band]
            axes.plot(ends, [y, y], color=plain.colour, linewidth=1.2, solid_capstyle="butt")
        looks = marker_of(plain, hollow=not line.measured)
        axes.plot([line.scores[0]], [y], **looks, clip_on=False, zorder=3)
        page.write(left - 9, y, name, TEXT, at="middle", ha="right", weight=line.weight)
        page.write(left + plot + 10, y, [value], TEXT, at="middle", weight=line.weight)
    return page.figure
