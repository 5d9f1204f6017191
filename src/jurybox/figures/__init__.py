"""Figures 1 to 3 of Bryant and Ng (2015), the matrix of annotators, the figures of Madnani et al.
(2011) and curves over thresholds, as SVG, PNG and PDF.

A figure is read in black-and-white print and by colour-blind people, so nothing depends on
colour alone: names stand at the ends of the lines, every line has a marker of its own, and what is
extrapolated or rests on few cases is dashed, has open markers and says so.

Each kind of plot has a file of its own, this one how figures are saved. `_page` holds what plots
share: the page, the words on it, the scales of axes. matplotlib is imported when something is
drawn.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from io import BytesIO
from typing import TYPE_CHECKING

from jurybox.errors import UsageError
from jurybox.figures._bin_plot import BinScores, draw_bins
from jurybox.figures._curves import MOST_LINES, Curve, XYCurve, XYMark, draw_curves
from jurybox.figures._heat_map import draw_heat_map
from jurybox.figures._histogram import draw_histogram
from jurybox.figures._page import FigureWords, our_style, small_print, warn_of_missing_letters
from jurybox.formats import writing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = [
    "FIGURE_SUFFIXES",
    "MOST_LINES",
    "BinScores",
    "Curve",
    "XYCurve",
    "XYMark",
    "check_figure_path",
    "draw_bins",
    "draw_curves",
    "draw_heat_map",
    "draw_histogram",
    "draw_xy",
    "save_figure",
    "svg_text",
]

#: what a figure can be saved as
FIGURE_SUFFIXES = (".svg", ".png", ".pdf")

PNG_DPI = 200
#: without the date that matplotlib would store
METADATA: dict[str, dict[str, str | None]] = {
    "svg": {"Date": None, "Creator": "jurybox"},
    "png": {"Software": "jurybox"},
    "pdf": {"CreationDate": None, "Creator": "jurybox"},
}


def draw_xy(
    curves: Sequence[XYCurve],
    *,
    title: str,
    x_label: str,
    y_label: str,
    diagonal: bool = False,
    note: str = "",
    marks: Sequence[XYMark] = (),
) -> Figure:
    """One rate against another over all thresholds: ROC, kappa curves, precision against recall.

    Points are joined in the order they are given. Curves of very many points are thinned to what
    can be seen. `diagonal` is what chance gives in a ROC plot. Marks have two meanings at most,
    which the small print tells, with those that cannot be drawn.
    """
    from jurybox.figures._xy_plot import draw_xy_plot, read_marks, read_paths  # needs numpy

    paths, undefined = read_paths(curves)
    drawn, lost = read_marks(marks, paths, undefined)
    meanings = dict.fromkeys(mark.meaning for mark in drawn)
    kinds = [f"{k} markers: {m}." for k, m in zip(("Filled", "Open"), meanings, strict=False)]
    unmarked = f"Undefined and not marked: {', '.join(lost)}." if lost else ""
    told = small_print(undefined, *kinds, unmarked, note)
    words = FigureWords(title, y_label, x_label, told)
    with our_style():
        return draw_xy_plot(paths, drawn, words, diagonal=diagonal)


def check_figure_path(path: str | os.PathLike[str]) -> None:
    """Complain about a name no figure can be saved under, before any work is done."""
    name = os.fspath(path)
    if _suffix(name) not in FIGURE_SUFFIXES:
        raise UsageError(f"{name}: figures are .svg, .png or .pdf; end the name in one")


def save_figure(figure: Figure, path: str | os.PathLike[str]) -> None:
    """Save as .svg, .png or .pdf, by the ending; the file appears whole or not at all.

    The same figure gives the same bytes: no date and no random name is stored.
    """
    check_figure_path(path)
    form = _suffix(os.fspath(path))[1:]
    if form != "svg":  # there, the reader's own fonts stand in
        warn_of_missing_letters(figure)
    with writing(path) as out:
        out.buffer.write(_bytes_of(figure, form))


def svg_text(figure: Figure) -> str:
    """The figure as an SVG document, as `save_figure` writes it."""
    return _bytes_of(figure, "svg").decode("utf-8")


def _bytes_of(figure: Figure, form: str) -> bytes:
    metadata = dict(METADATA[form])
    if title := str(figure.get_label()):
        metadata["Title"] = title
    drawn = BytesIO()
    with our_style():
        figure.savefig(drawn, format=form, dpi=PNG_DPI, metadata=metadata)
    return drawn.getvalue()


def _suffix(name: str) -> str:
    return os.path.splitext(name)[1].lower()  # noqa: PTH122  importing pathlib takes its time
