"""One rate against another over all thresholds: ROC, kappa curves, precision against recall."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from jurybox.report._axes import Scale, draw_frame
from jurybox.report._curve import Dash
from jurybox.report._figure_page import (
    GREY,
    INK,
    LABEL_WIDTH,
    LEADING,
    MARGIN,
    NARROWEST,
    TEXT,
    WIDEST,
    Page,
    Words,
)
from jurybox.report._fraction_axes import LOWERED, Frame, draw_zero, fraction_scale, lower_numbers
from jurybox.report._lettering import widest, wrap
from jurybox.report._line_plot import spread
from jurybox.report._xy_curve import Mark, Path, thin

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: between plot and names: a piece of each line stands there, so that no colour must be matched
GAP = 32.0
CHANCE: Dash = (0, (1.0, 2.0))


class _Entry(NamedTuple):
    """A name beside the plot, with a piece of its line."""

    label: list[str]
    looks: dict[str, Any]
    marker: dict[str, Any] | None

    @property
    def height(self) -> float:
        return len(self.label) * TEXT * LEADING + (3 if len(self.label) > 1 else 1)


def draw_xy_plot(
    paths: Sequence[Path], marks: Sequence[Mark], words: Words, *, diagonal: bool
) -> Figure:
    ends = [0.0, 1.0] if diagonal else []
    across = fraction_scale(
        [*ends, *(v for p in paths for v in p.reach_x()), *(m.x for m in marks)]
    )
    up = fraction_scale([*ends, *(v for p in paths for v in p.reach_y()), *(m.y for m in marks)])
    marked = {mark.path.name for mark in marks}
    entries = [
        _Entry(
            wrap(path.label, LABEL_WIDTH, TEXT),
            _line_looks(path),
            _mark_looks(path, 0) if path.name in marked else _dot_looks(path),
        )
        for path in paths
    ]
    if diagonal:
        entries.append(
            _Entry(["chance"], {"color": GREY, "linestyle": CHANCE, "linewidth": 1}, None)
        )
    left = MARGIN + up.width(TEXT) + 4
    right = GAP + max(widest(entry.label, TEXT) for entry in entries) + MARGIN
    width = min(max(left + 190 + right, NARROWEST), WIDEST)
    plot = width - left - right
    height = max(plot if diagonal else 165.0, sum(entry.height for entry in entries))
    score = wrap(words.score, width - 2 * MARGIN, TEXT)
    above = len(score) * TEXT * LEADING + 6
    label = wrap(words.across, plot, TEXT)
    below = (1 + len(label)) * TEXT * LEADING + LOWERED + 2
    page = Page.make(width, above + height + below, words)
    page.write(MARGIN, page.top, score, TEXT)
    page.write(left + plot / 2, page.bottom, label, TEXT, at="bottom", ha="center")

    frame = Frame(left, page.bottom + below, plot, height)
    axes = page.add_axes(*frame)
    axes.set_xlim(across.low, across.high)
    axes.set_ylim(up.low, up.high)
    draw_frame(axes, across.ticks, up.ticks, TEXT)
    lower_numbers(axes)
    draw_zero(axes, up)
    if diagonal:
        axes.plot([0, 1], [0, 1], color=GREY, linestyle=CHANCE, linewidth=1, zorder=2)
    unit = plot / (across.high - across.low)
    for path in paths:
        xs, ys = thin(path.x, path.y, unit)
        axes.plot(xs, ys, **_line_looks(path), zorder=3, clip_on=False)
        if dots := _dot_looks(path):
            alone = path.alone()
            axes.plot(path.x[alone], path.y[alone], **dots, zorder=3, clip_on=False)
    for mark in marks:
        looks = _mark_looks(mark.path, mark.kind)
        axes.plot(mark.x, mark.y, **looks, zorder=5 - mark.kind, clip_on=False)
    _write_key(page, paths, entries, (across, up), frame)
    return page.figure


def _write_key(
    page: Page,
    paths: Sequence[Path],
    entries: Sequence[_Entry],
    scales: tuple[Scale, Scale],
    frame: Frame,
) -> None:
    """Names where the lines end, if these end apart at the right; else below each other."""
    across, up = scales
    ends = [path.last() for path in paths]
    levels = [frame.bottom + frame.height * up.share(y) for _, y in ends]
    apart = all(b - a > TEXT for a, b in pairwise(sorted(levels)))
    at_edge = all(across.share(x) > 0.95 for x, _ in ends)
    x = frame.left + frame.width + GAP
    heights = [entry.height for entry in entries]
    direct = apart and at_edge and len(entries) == len(paths)
    if direct:
        slack = TEXT * LEADING / 2
        centres = spread(levels, heights, frame.bottom - slack, frame.top + slack)
    else:
        centres = [frame.top - sum(heights[:k]) - h / 2 for k, h in enumerate(heights)]
    for k, (entry, y) in enumerate(zip(entries, centres, strict=True)):
        page.write(x, y, entry.label, TEXT, at="middle")
        page.draw([x - 22, x - 4], [y, y], **entry.looks)
        if entry.marker is not None:
            page.draw([x - 13], [y], **entry.marker)
        if direct and abs(y - levels[k]) > 1:
            start = frame.left + frame.width * across.share(ends[k][0])
            page.draw([start + 2, x - 23], [levels[k], y], color="#999999", linewidth=0.5, zorder=1)


def _line_looks(path: Path) -> dict[str, Any]:
    return {
        "color": path.colour,
        "linestyle": path.dash,
        "linewidth": 1.3,
        "solid_joinstyle": "round",
        "dash_capstyle": "butt",
    }


def _dot_looks(path: Path) -> dict[str, Any] | None:
    """Of points between two gaps, if there are any."""
    looks = {"color": path.colour, "marker": path.marker, "markersize": 3.0, "linestyle": "none"}
    return looks if len(path.alone()) else None


def _mark_looks(path: Path, kind: int) -> dict[str, Any]:
    """Filled with a black edge, or larger and open, to be seen around the first."""
    return {
        "linestyle": "none",
        "marker": path.marker,
        "markersize": (6.0 if kind == 0 else 8.5) + (path.marker in "*PX"),
        "markerfacecolor": path.colour if kind == 0 else "white",
        "markeredgecolor": INK if kind == 0 else path.colour,
        "markeredgewidth": 0.8 if kind == 0 else 1.3,
    }
