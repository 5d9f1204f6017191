"""Figures 1 to 3 of Bryant and Ng (2015) and the matrix of annotators, as SVG, PNG and PDF.

A figure is read in black-and-white print and by colour-blind people, so nothing is told by colour
alone: names stand at the ends of the lines, every line has a marker of its own, and what is
extrapolated is dashed, has open markers and says so.

This file holds what others call. Each kind of plot has a file of its own; `_curve` holds what a
line looks like, `_axes` its scales, `_page` the page, `_lettering` the words on it. matplotlib is
imported when something is drawn.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from io import BytesIO
from math import isfinite, nan
from typing import TYPE_CHECKING

from jurybox.errors import InputError, LengthError, UsageError
from jurybox.formats import writing
from jurybox.report._curve import Curve, read_curves
from jurybox.report._dot_plot import draw_dot_plot
from jurybox.report._heat_map import draw_matrix
from jurybox.report._lettering import warn_of_missing_letters
from jurybox.report._line_plot import draw_line_plot
from jurybox.report._page import Words, our_style
from jurybox.report._panel_plot import draw_panel_plot

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = [
    "FIGURE_SUFFIXES",
    "MOST_LINES",
    "Curve",
    "check_figure_path",
    "draw_curves",
    "draw_heat_map",
    "save_figure",
]

#: what a figure can be saved as
FIGURE_SUFFIXES = (".svg", ".png", ".pdf")

#: with more curves than this beside the human one, each gets a small panel of its own
MOST_LINES = 12

PNG_DPI = 200
#: without the date that matplotlib would store
METADATA: dict[str, dict[str, str | None]] = {
    "svg": {"Date": None, "Creator": "jurybox"},
    "png": {"Software": "jurybox"},
    "pdf": {"CreationDate": None, "Creator": "jurybox"},
}


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
    where a line is extrapolated, its last measured value stands first. More systems get a panel
    each, best first, before all others in grey. Curves of one size (leave-one-out) become dots
    with error bars. A curve that is undefined at every size is named in the small print, where
    `note` stands too.

    >>> human = Curve("human", (1, 2), (0.4590, 0.5664), human=True)
    >>> figure = draw_curves([human], title="Ten annotators", score="F0.5")
    >>> [text.get_text() for text in figure.texts]
    ['Ten annotators', 'F0.5', 'reference annotators', 'human 56.6']
    """
    lines, undefined = read_curves(curves)
    small_print: list[str] = []
    if undefined:
        small_print.append(f"Undefined and not drawn: {', '.join(undefined)}.")
    if any(line.measured < len(line.sizes) for line in lines):
        marks = "Open markers" if len(lines[0].sizes) == 1 else "Dashed lines and open markers"
        small_print.append(f"{marks}: extrapolated.")
    if note:
        small_print.append(note)
    words = Words(title, score, size_label, "\n".join(small_print))
    with our_style():
        if all(len(line.sizes) == 1 for line in lines):
            return draw_dot_plot(lines, words)
        if sum(not line.human for line in lines) > MOST_LINES:
            return draw_panel_plot(lines, words)
        return draw_line_plot(lines, words)


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

    >>> figure = draw_heat_map(
    ...     ["A1", "A2"], ["A1", "A2"], [[None, 0.45], [0.4, None]], title="Pairs", score="F0.5"
    ... )
    >>> [text.get_text() for text in figure.axes[0].texts]
    ['45.0', '40.0']
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
    with our_style():
        return draw_matrix(
            rows, columns, matrix, row_label, Words(title, score, column_label, note)
        )


def check_figure_path(path: str | os.PathLike[str]) -> None:
    """Complain about a name no figure can be saved under, before any work is done.

    >>> check_figure_path("figure1.jpg")
    Traceback (most recent call last):
    jurybox.errors.UsageError: figure1.jpg: figures are .svg, .png or .pdf; end the name in one
    """
    name = os.fspath(path)
    if _suffix(name) not in FIGURE_SUFFIXES:
        raise UsageError(f"{name}: figures are .svg, .png or .pdf; end the name in one")


def save_figure(figure: Figure, path: str | os.PathLike[str]) -> None:
    """Save as .svg, .png or .pdf, told by the name; the file appears whole or not at all.

    The same figure gives the same bytes: no date and no random name is stored.
    """
    check_figure_path(path)
    form = _suffix(os.fspath(path))[1:]
    metadata = dict(METADATA[form])
    if title := str(figure.get_label()):
        metadata["Title"] = title
    if form != "svg":  # there, the reader's own fonts stand in
        warn_of_missing_letters(figure)
    drawn = BytesIO()
    with our_style():
        figure.savefig(drawn, format=form, dpi=PNG_DPI, metadata=metadata)
    with writing(path) as out:
        out.buffer.write(drawn.getvalue())


def _suffix(name: str) -> str:
    return os.path.splitext(name)[1].lower()  # noqa: PTH122  importing pathlib takes its time
