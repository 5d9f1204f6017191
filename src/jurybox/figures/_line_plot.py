"""All curves in one plot, with names and values at the ends of the lines."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from jurybox.figures._axes import draw_frame, scale_for, size_ticks, sizes_of, uncertain_start
from jurybox.figures._curve import Line, draw_curve, marker_of, same_place, why_uncertain
from jurybox.figures._figure_page import (
    GREY,
    LABEL_WIDTH,
    LEADING,
    MARGIN,
    NARROWEST,
    SHADE,
    SMALL,
    TEXT,
    WIDEST,
    FigurePage,
    FigureWords,
)
from jurybox.figures._lettering import widest, width_of, wrap

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: between plot and labels, for a marker beside each label, and lines that lead there
GAP = 26.0


class _Labels(NamedTuple):
    """What stands beside the plot, a label of several rows for each line."""

    heading: str
    labels: list[list[str]]
    heights: list[float]
    width: float


def draw_line_plot(lines: Sequence[Line], words: FigureWords) -> Figure:
    heading, labels, heights, column = _write_labels(lines)
    scale = scale_for(lines)
    sizes = sizes_of(lines)
    left = MARGIN + scale.width(TEXT) + 4
    right = GAP + column + MARGIN
    width = min(max(left + (230 if len(sizes) > 12 else 190) + right, NARROWEST), WIDEST)
    plot = width - left - right
    height = max(165.0 if len(lines) <= 6 else 215.0, sum(heights))
    score = wrap(words.score, width - 2 * MARGIN, TEXT)
    start = uncertain_start(lines)
    above = len(score) * TEXT * LEADING + 6
    if start is not None or heading:
        above += SMALL * LEADING
    across = wrap(words.across, plot, TEXT)
    below = (1 + len(across)) * TEXT * LEADING + 4
    page = FigurePage.make(width, above + height + below, words)
    bottom, top = page.bottom + below, page.top - above
    page.write(MARGIN, page.top, score, TEXT)
    page.write(left + plot / 2, page.bottom, across, TEXT, at="bottom", ha="center")

    axes = page.add_axes(left, bottom, plot, height)
    span = sizes[-1] - sizes[0]
    first, last = sizes[0] - 0.03 * span, sizes[-1] + 0.03 * span
    axes.set_xlim(first, last)
    axes.set_ylim(scale.low, scale.high)
    draw_frame(axes, size_ticks(sizes, plot), scale.ticks, TEXT)
    if start is not None:
        axes.axvspan(start, last, color=SHADE, linewidth=0, zorder=0)
        why = why_uncertain(lines)
        room = max(plot * (last - start) / (last - first), width_of(why, SMALL))
        middle = left + plot - room / 2
        page.write(middle, top + 2, [why], SMALL, at="bottom", ha="center", color=GREY)
    for line in lines:
        draw_curve(axes, line, shade=0.2 if len(lines) <= 6 else 0.1, most=int(plot / 9))

    x = left + plot + GAP
    page.write(x, top + 2, [heading] if heading else [], SMALL, at="bottom", color=GREY)
    ends = [
        (
            left + plot * (line.sizes[line.end] - first) / (last - first),
            bottom + height * scale.share(line.scores[line.end]),
        )
        for line in lines
    ]
    slack = TEXT * LEADING / 2  # a label may stick out where nothing else is
    highest = top if heading else top + slack
    centres = spread([y for _, y in ends], heights, bottom - slack, highest)
    for line, label, (end, level), y in zip(lines, labels, ends, centres, strict=True):
        page.write(x, y, label, TEXT, at="middle", weight=line.weight)
        page.draw([x - 6], [y], **marker_of(line, hollow=line.ends_uncertain))
        if abs(y - level) > 1 or end < left + 0.9 * plot:  # the label had to move
            page.draw([end + 4, x - 11], [level, y], color="#999999", linewidth=0.5, zorder=1)
    return page.figure


def _write_labels(lines: Sequence[Line]) -> _Labels:
    """Names and values; what holds for all of them is said once, above them."""
    alike = same_place(lines)
    heading = lines[0].place if alike and lines[0].ends_uncertain else ""
    labels = [
        wrap(
            f"{line.name} {line.value}" + ("" if alike else f" {line.place}"),
            LABEL_WIDTH,
            TEXT,
            line.weight,
        )
        for line in lines
    ]
    apart = 3 if any(len(label) > 1 for label in labels) else 0
    return _Labels(
        heading,
        labels,
        heights=[len(label) * TEXT * LEADING + apart for label in labels],
        width=max(
            width_of(heading, SMALL),
            *(widest(label, TEXT, line.weight) for line, label in zip(lines, labels, strict=True)),
        ),
    )


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
