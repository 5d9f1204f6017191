"""A small panel for each curve, best first, before all others in grey."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import TYPE_CHECKING

from jurybox.figures._axes import draw_frame, scale_for, size_ticks, sizes_of, uncertain_start
from jurybox.figures._curve import COLOURS, SOLID, Line, draw_curve, same_place, why_uncertain
from jurybox.figures._figure_page import (
    INK,
    LEADING,
    MARGIN,
    SHADE,
    SMALL,
    TEXT,
    WIDEST,
    FigurePage,
    FigureWords,
)
from jurybox.figures._lettering import shorten, width_of, wrap

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_panel_plot(lines: Sequence[Line], words: FigureWords) -> Figure:
    from matplotlib.collections import LineCollection

    ranked = sorted(lines, key=lambda line: (not line.human, -line.scores[line.end]))
    people = [line for line in ranked if line.human]
    scale = scale_for(lines, most=4)
    sizes = sizes_of(lines)
    span = sizes[-1] - sizes[0]
    left = MARGIN + scale.width(SMALL) + 4
    gap, height = 11.0, 58.0
    across = min(4, 5, key=lambda number: ceil(len(lines) / number))  # the fewest rows
    plot = (WIDEST - left - MARGIN - (across - 1) * gap) / across
    heading = wrap(_explain(lines, people, words.score), WIDEST - 2 * MARGIN, TEXT)
    above = len(heading) * TEXT * LEADING + 3
    step = TEXT * LEADING + 3 + height + gap
    below = (SMALL + TEXT) * LEADING + 6 - gap
    page = FigurePage.make(WIDEST, above + ceil(len(lines) / across) * step + below, words)
    page.write(MARGIN, page.top, heading, TEXT)
    across_label = shorten(words.across, WIDEST - left - MARGIN, TEXT)
    middle = (left + WIDEST - MARGIN) / 2
    page.write(middle, page.bottom, [across_label], TEXT, at="bottom", ha="center")

    start = uncertain_start(lines)
    for k, line in enumerate(ranked):
        x = left + k % across * (plot + gap)
        top = page.top - above - k // across * step
        value = f" {line.value}"
        name = shorten(line.name, plot - width_of(value, TEXT, line.weight), TEXT, line.weight)
        page.write(x, top, [name + value], TEXT, weight=line.weight)
        axes = page.add_axes(x, top - step + gap, plot, height)
        axes.set_xlim(sizes[0] - 0.05 * span, sizes[-1] + 0.05 * span)
        axes.set_ylim(scale.low, scale.high)
        draw_frame(axes, size_ticks(sizes, plot), scale.ticks, SMALL)
        axes.tick_params(labelleft=k % across == 0, labelbottom=k + across >= len(ranked))
        if start is not None:
            axes.axvspan(start, axes.get_xlim()[1], color=SHADE, linewidth=0, zorder=0)
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


def _explain(lines: Sequence[Line], people: Sequence[Line], score: str) -> str:
    """What stands above the panels: the score, and how they are read."""
    told = [
        score,
        f"beside each name its value {lines[0].place}"
        if same_place(lines)
        else "beside each name its last value"
        + (f"; after an arrow: {why}" if (why := why_uncertain(lines)) else ""),
    ]
    if people:
        told.append(f"black in every panel: {', '.join(line.name for line in people)}")
    return "; ".join(told)
