"""A matrix as cells that darken with their values, with the numbers in them where they fit."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, isfinite, nan
from typing import TYPE_CHECKING

from jurybox.errors import InputError, LengthError
from jurybox.figures._page import (
    LABEL_WIDTH,
    LEADING,
    MARGIN,
    NARROWEST,
    SMALL,
    TEXT,
    WIDEST,
    FigurePage,
    FigureWords,
    our_style,
    shorten,
    widest,
    width_of,
    wrap,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import QuadMesh
    from matplotlib.figure import Figure

#: one row after the other, from 0 to 100, nan where a cell is empty
Matrix = Sequence[Sequence[float]]


@our_style()
def draw_heat_map(
    rows: Sequence[str],
    columns: Sequence[str],
    values: Sequence[Sequence[float | None]],
    *,
    title: str,
    score: str,
    row_label: str = "",
    column_label: str = "",
    note: str = "",
) -> Figure:
    """Every annotator against every other: fractions, as 0 to 100, in cells that darken with them.

    None and nan are empty cells. Where cells are too small for numbers, a bar explains the
    colours.
    """
    if not rows or not columns:
        raise InputError("a heat map needs a row and a column at least")
    if len(values) != len(rows) or any(len(row) != len(columns) for row in values):
        raise LengthError(
            f"a heat map of {len(rows)} rows and {len(columns)} columns needs a value, or None,"
            " for each of its cells"
        )
    matrix = [
        [100.0 * value if value is not None and isfinite(value) else nan for value in row]
        for row in values
    ]
    row_names = [shorten(row, LABEL_WIDTH, TEXT) for row in rows]
    names_wide = widest(row_names, TEXT)
    left = MARGIN + (TEXT * LEADING + 4 if row_label else 0) + names_wide + 4
    room = WIDEST - MARGIN - left
    numbers, needed = _numbers_that_fit(matrix, room / len(columns))
    bar = 0.0 if numbers else 36.0  # a bar of colours, and its numbers
    wanted = max(needed, min((NARROWEST - left) / len(columns), 44.0)) if numbers else 14.0
    wide = min(wanted, (room - bar) / len(columns))
    tall = min(wide, 16.0)
    size = min(TEXT, max(tall / LEADING, 5.0))
    column_names = [shorten(column, LABEL_WIDTH, size) for column in columns]
    names_high = widest(column_names, size)
    upright = names_high > wide - 2
    if not upright:
        names_high = size * LEADING

    plot, height = wide * len(columns), tall * len(rows)
    width = max(left + plot + bar + MARGIN, NARROWEST)
    head = wrap(score, width - 2 * MARGIN, TEXT)
    across = [shorten(column_label, width - left - MARGIN, TEXT)] if column_label else []
    above = (len(head) + len(across)) * TEXT * LEADING + names_high + 8
    # a row label may be longer than a few rows are high
    row_label = shorten(row_label, height + 2 * above, TEXT)
    below = 3 + max(0.0, (width_of(row_label, TEXT) - height) / 2)
    words = FigureWords(title, score, column_label, note)
    page = FigurePage.make(width, above + height + below, words)
    bottom, top = page.bottom + below, page.top - above
    page.write(MARGIN, page.top, head, TEXT)
    x = left + max(plot, widest(across, TEXT)) / 2
    page.write(x, top + names_high + 5, across, TEXT, at="bottom", ha="center")
    if row_label:
        x = left - names_wide - 8 - TEXT * LEADING / 2
        page.write(x, bottom + height / 2, [row_label], TEXT, at="middle", ha="center", rotation=90)
    every = ceil(size * LEADING / tall - 0.01)  # of very many names, only some have room
    for k in range(0, len(rows), every):
        y = top - (k + 0.5) * tall
        page.write(left - 4, y, [row_names[k]], size, at="middle", ha="right")
    for k in range(0, len(columns), every):
        x = left + (k + 0.5) * wide
        if upright:
            page.write(x, top + 3, [column_names[k]], size, at="middle", rotation=90)
        else:
            page.write(x, top + 2, [column_names[k]], size, at="bottom", ha="center")

    mesh = _fill_cells(page.add_axes(left, bottom, plot, height), matrix, numbers)
    if not numbers:
        beside = page.add_axes(left + plot + 8, top - min(height, 120), 8, min(height, 120))
        page.figure.colorbar(mesh, cax=beside).outline.set_visible(False)
        beside.tick_params(length=0, pad=3, labelsize=SMALL)
    return page.figure


def _fill_cells(axes: Axes, matrix: Matrix, numbers: Sequence[Sequence[str]]) -> QuadMesh:
    """The colours and numbers; an empty cell is struck through."""
    import numpy as np
    from matplotlib import colormaps
    from matplotlib.collections import LineCollection
    from matplotlib.colors import ListedColormap, Normalize

    cells = np.ma.masked_invalid(np.array(matrix))
    low, high = (cells.min(), cells.max()) if cells.count() else (0.0, 1.0)
    scale = Normalize(low, max(high, low + 1))
    # one hue, so that grey print keeps the order; its lightest part is left to empty cells
    colours = ListedColormap(colormaps["Blues"](np.linspace(0.08, 1.0, 256)))
    axes.set_axis_off()
    axes.set_xlim(0, len(matrix[0]))
    axes.set_ylim(len(matrix), 0)
    mesh = axes.pcolormesh(
        cells, cmap=colours, norm=scale, edgecolors="white", linewidth=0.7 if numbers else 0.3
    )
    empty = [
        [(x + 0.2, y + 0.8), (x + 0.8, y + 0.2)]
        for y, row in enumerate(matrix)
        for x, value in enumerate(row)
        if not isfinite(value)
    ]
    axes.add_collection(LineCollection(empty, colors="#aaaaaa", linewidths=0.5))
    for y, row in enumerate(numbers):
        for x, number in enumerate(row):
            if number:
                axes.text(
                    x + 0.5,
                    y + 0.53,
                    number,
                    fontsize=SMALL,
                    color=_readable_ink(colours(scale(matrix[y][x]))),
                    ha="center",
                    va="center",
                )
    return mesh


def _numbers_that_fit(matrix: Matrix, room: float) -> tuple[list[list[str]], float]:
    """The numbers for the cells with as many digits as cells of this width hold, or nothing."""
    for digits in (1, 0):
        shown = [[f"{x:z.{digits}f}" if isfinite(x) else "" for x in row] for row in matrix]
        needed = max(widest(row, SMALL) for row in shown) + 5
        if needed <= room:
            return shown, needed
    return [], 0.0


def _readable_ink(colour: tuple[float, float, float, float]) -> str:
    """Black or white, whichever has the higher contrast (WCAG 2.1, relative luminance)."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour[:3]]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return "black" if (luminance + 0.05) / 0.05 > 1.05 / (luminance + 0.05) else "white"
