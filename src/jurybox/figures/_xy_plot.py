"""One rate against another over all thresholds: ROC, kappa curves, precision against recall.

A curve over all thresholds has as many points as there are different scores, up to millions. The
picture needs only a few points in each of its columns: the first, the lowest, the highest and the
last (M4, Jugel et al. 2014, VLDB).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.errors import InputError, LengthError
from jurybox.figures._curves import (
    COLOURS,
    LONG_AND_DOT,
    SLACK,
    SOLID,
    Dash,
    XYCurve,
    XYMark,
    looks_of,
    spread,
)
from jurybox.figures._page import (
    GREY,
    INK,
    LABEL_WIDTH,
    LEADING,
    LOWERED,
    MARGIN,
    NARROWEST,
    TEXT,
    WIDEST,
    FigurePage,
    FigureWords,
    PlotFrame,
    Scale,
    draw_frame,
    draw_zero,
    fraction_scale,
    lower_numbers,
    widest,
    wrap,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]

#: between plot and names: a piece of each line stands there, so that no colour must be matched
GAP = 32.0
CHANCE: Dash = (0, (1.0, 2.0))
#: dashes tell lines apart where colours are not seen; points would hide where a curve turns
DASHES: tuple[Dash, ...] = (
    SOLID,
    (0, (5.0, 1.5)),
    (0, (1.5, 1.2)),
    LONG_AND_DOT,
    (0, (3.0, 1.0, 1.0, 1.0, 1.0, 1.0)),
    (0, (9.0, 2.5)),
)
#: the width of a column of the picture in points: a third of a dot of a saved PNG
COLUMN = 0.12
#: so many kinds of marks can be told apart
MOST_MEANINGS = 2


class Path(NamedTuple):
    """A curve as it is drawn."""

    name: str
    label: str
    x: Floats
    y: Floats
    colour: str
    marker: str
    dash: Dash

    def last(self) -> tuple[float, float]:
        """The last point that is defined."""
        k = np.flatnonzero(np.isfinite(self.y))[-1]
        return float(self.x[k]), float(self.y[k])

    def alone(self) -> Any:
        """The places of points between two gaps, which no line shows."""
        there = np.concatenate([[False], np.isfinite(self.y), [False]])
        return np.flatnonzero(there[1:-1] & ~there[:-2] & ~there[2:])


class CurveMark(NamedTuple):
    """A mark as it is drawn; marks of one kind mean the same."""

    path: Path
    x: float
    y: float
    kind: int
    meaning: str


def read_paths(curves: Sequence[XYCurve]) -> tuple[list[Path], list[str]]:
    """The curves that can be drawn, and the names of those that are undefined everywhere."""
    paths: list[Path] = []
    undefined: list[str] = []
    if len({curve.name for curve in curves}) < len(curves):
        raise InputError("two curves have the same name")
    for curve in curves:
        if len(curve.x) != len(curve.y):
            raise LengthError(
                f"curve '{curve.name}': {len(curve.x)} values of x but {len(curve.y)} of y"
            )
        x, y = (np.asarray(values, dtype=np.float64) for values in (curve.x, curve.y))
        there = np.isfinite(x) & np.isfinite(y)
        if not there.any():
            undefined.append(curve.name)
            continue
        look = len(paths)
        paths.append(
            Path(
                name=curve.name,
                label=f"{curve.name} {curve.told}".rstrip(),
                x=np.where(there, x, np.nan),
                y=np.where(there, y, np.nan),
                **looks_of(look) | {"dash": DASHES[(look + look // len(COLOURS)) % len(DASHES)]},
            )
        )
    if not paths:
        raise InputError("there is no curve to draw: no point is defined")
    return paths, undefined


def read_marks(
    given: Sequence[XYMark], paths: Sequence[Path], undefined: Sequence[str]
) -> tuple[list[CurveMark], list[str]]:
    """The marks that can be drawn, and what those say that cannot, on curves that can."""
    marks: list[CurveMark] = []
    lost: list[str] = []
    by_name = {path.name: path for path in paths}
    kinds: dict[str, int] = {}
    for curve, x, y, meaning in given:
        if curve not in by_name:
            if curve not in undefined:
                raise InputError(f"a mark belongs to curve '{curve}', which is not there")
        elif x is None or y is None or not isfinite(x) or not isfinite(y):
            lost.append(f"{meaning} ({curve})")
        else:
            kind = kinds.setdefault(meaning, len(kinds))
            marks.append(CurveMark(by_name[curve], float(x), float(y), kind, meaning))
    if len(kinds) > MOST_MEANINGS:
        raise InputError(f"marks can have {MOST_MEANINGS} meanings in one figure, not more")
    return marks, lost


def thin(x: Floats, y: Floats, unit: float) -> tuple[Floats, Floats]:
    """The same line with at most four points in each column of the picture.

    A unit of x is so many points long. The line goes as far up and down in every column as before.
    """
    there = np.isfinite(y)
    column = np.floor(np.where(there, x, 0.0) * (unit / COLUMN))
    column = np.where(there, column, np.inf)  # a gap is a column of its own
    starts = np.flatnonzero(np.concatenate([[True], column[1:] != column[:-1]]))
    ends = np.append(starts[1:], len(x)) - 1
    run = np.repeat(np.arange(len(starts)), ends - starts + 1)
    by_height = np.lexsort((y, run))  # runs stay where they are
    kept = np.unique(np.concatenate([starts, ends, by_height[starts], by_height[ends]]))
    return x[kept], y[kept]


# --- drawing ---


class _Entry(NamedTuple):
    """A name beside the plot, with a piece of its line."""

    label: list[str]
    looks: dict[str, Any]
    marker: dict[str, Any] | None

    @property
    def height(self) -> float:
        return len(self.label) * TEXT * LEADING + (3 if len(self.label) > 1 else 1)


def draw_xy_plot(
    paths: Sequence[Path], marks: Sequence[CurveMark], words: FigureWords, *, diagonal: bool
) -> Figure:
    ends = [0.0, 1.0] if diagonal else []
    xs = np.concatenate([ends, *(path.x for path in paths), [mark.x for mark in marks]])
    ys = np.concatenate([ends, *(path.y for path in paths), [mark.y for mark in marks]])
    across, up = (fraction_scale([np.nanmin(values), np.nanmax(values)]) for values in (xs, ys))
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
    page, frame = FigurePage.with_plot(words, width, left, plot, height, below=LOWERED + 2)
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
        axes.plot(*thin(path.x, path.y, unit), **_line_looks(path), zorder=3, clip_on=False)
        if dots := _dot_looks(path):
            alone = path.alone()
            axes.plot(path.x[alone], path.y[alone], **dots, zorder=3, clip_on=False)
    for mark in marks:
        looks = _mark_looks(mark.path, mark.kind)
        axes.plot(mark.x, mark.y, **looks, zorder=5 - mark.kind, clip_on=False)
    _write_key(page, paths, entries, (across, up), frame)
    return page.figure


def _write_key(
    page: FigurePage,
    paths: Sequence[Path],
    entries: Sequence[_Entry],
    scales: tuple[Scale, Scale],
    frame: PlotFrame,
) -> None:
    """Names where the lines end, if these end apart at the right; else below each other."""
    across, up = scales
    ends = [path.last() for path in paths]
    levels = [frame.bottom + frame.height * up.share(y) for _, y in ends]
    apart = all(b - a > TEXT for a, b in pairwise(sorted(levels)))
    at_edge = all(across.share(x) > 0.95 for x, _ in ends)
    x = frame.right + GAP
    heights = [entry.height for entry in entries]
    direct = apart and at_edge and len(entries) == len(paths)
    if direct:
        centres = spread(levels, heights, frame.bottom - SLACK, frame.top + SLACK)
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
