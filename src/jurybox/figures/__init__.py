"""Figures 1 to 3 of Bryant and Ng (2015), the matrix of annotators, the figures of Madnani et al.
(2011) and curves over thresholds, as SVG, PNG and PDF.

A figure is read in black-and-white print and by colour-blind people, so nothing depends on
colour alone: names stand at the ends of the lines, every line has a marker of its own, and what is
extrapolated or rests on few cases is dashed, has open markers and says so.

This file holds what others call. Each kind of plot has a file of its own; `_page` holds what they
share: the page, the words on it, the scales of axes. matplotlib is imported when something is
drawn.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from io import BytesIO
from math import isfinite, nan
from typing import TYPE_CHECKING

from jurybox.errors import InputError, LengthError, UsageError
from jurybox.figures._bin_plot import FEW, BinScores, draw_bin_plot, read_bins, read_panel
from jurybox.figures._curves import (
    MOST_LINES,
    Curve,
    XYCurve,
    XYMark,
    draw_curve_plot,
    read_curves,
    why_uncertain,
)
from jurybox.figures._heat_map import draw_matrix
from jurybox.figures._histogram import draw_bars
from jurybox.figures._page import FigureWords, our_style, warn_of_missing_letters
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
    "draw_bin_panels",
    "draw_bins",
    "draw_curves",
    "draw_heat_map",
    "draw_histogram",
    "draw_scores",
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
    where its last points are uncertain, the last value before them stands first. More systems get
    a panel each, best first, before all others in grey. Curves of one size (leave-one-out) become
    dots with error bars. A curve that is undefined at every size is named in the small print,
    where `note` stands too.

    >>> human = Curve("human", (1, 2), (0.4590, 0.5664), human=True)
    >>> figure = draw_curves([human], title="Ten annotators", score="F0.5")
    >>> [text.get_text() for text in figure.texts]
    ['Ten annotators', 'F0.5', 'reference annotators', 'human 56.6']
    """
    lines, undefined = read_curves(curves)
    marks = "Open markers" if len(lines[0].sizes) == 1 else "Dashed lines and open markers"
    why = why_uncertain(lines)
    small_print = _small_print(undefined, f"{marks}: {why}." if why else "", note)
    with our_style():
        return draw_curve_plot(lines, FigureWords(title, score, size_label, small_print))


def _small_print(undefined: Sequence[str], *more: str) -> str:
    """What is not drawn, and whatever else there is to say."""
    missing = f"Undefined and not drawn: {', '.join(undefined)}." if undefined else ""
    return "\n".join(filter(None, (missing, *more)))


def draw_scores(curves: Sequence[Curve], *, title: str, score: str, note: str = "") -> Figure:
    """Scores of systems as dots with their intervals, best first; each curve has one point.

    >>> cautious = Curve("cautious", (1,), (0.61,), (0.55,), (0.67,))
    >>> figure = draw_scores([cautious], title="Scores", score="F0.5")
    >>> [text.get_text() for text in figure.texts]
    ['Scores', 'F0.5', 'cautious', '61.0 (55.0–67.0)']
    """
    return draw_curves(curves, title=title, score=score, note=note, size_label="")


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
            rows, columns, matrix, row_label, FigureWords(title, score, column_label, note)
        )


def draw_histogram(
    edges_or_values: Sequence[float],
    counts: Sequence[int],
    *,
    title: str,
    x_label: str,
    y_label: str = "cases",
    note: str = "",
) -> Figure:
    """How many cases have which agreement (Madnani et al. 2011, Figure 1).

    As many values as counts give a bar at each value; one more are the edges of bins. Heights are
    counts, whatever the width of a bin. Counts stand on top of the bars where they fit.
    """
    with our_style():
        return draw_bars(edges_or_values, counts, FigureWords(title, y_label, x_label, note))


def draw_bins(
    names: Sequence[str],
    bins: Sequence[str],
    values: Mapping[str, Sequence[float | None]],
    *,
    title: str,
    score: str,
    sizes: Sequence[int] | Mapping[str, Sequence[int]],
    low: Mapping[str, Sequence[float | None]] | None = None,
    high: Mapping[str, Sequence[float | None]] | None = None,
    note: str = "",
    bin_label: str = "agreement of the raters",
) -> Figure:
    """One measure of several systems by agreement bin (Madnani et al. 2011, Figure 2).

    None and nan leave gaps. `low` and `high` are the ends of error bars. `sizes` are the cases in
    each bin; by system where these have cases of their own, as on different corpora. A bin of
    fewer than 30 cases has an open marker, and the small print says so.
    """
    panel = BinScores(score, values, low, high)
    return draw_bin_panels(
        names, bins, [panel], title=title, sizes=sizes, note=note, bin_label=bin_label
    )


def draw_bin_panels(
    names: Sequence[str],
    bins: Sequence[str],
    panels: Sequence[BinScores],
    *,
    title: str,
    sizes: Sequence[int] | Mapping[str, Sequence[int]],
    note: str = "",
    bin_label: str = "agreement of the raters",
) -> Figure:
    """`draw_bins` for several measures, such as precision and recall, in panels side by side."""
    ordered = read_bins(names, bins, sizes, bin_label)
    read = [read_panel(panel, ordered) for panel in panels]
    if not any(panel.lines for panel in read):
        raise InputError("there is nothing to draw by bin: no value is defined")
    undefined = [
        name if len(read) == 1 else f"{panel.score} of {name}"
        for panel in read
        for name in panel.undefined
    ]
    drawn = (
        ordered.sizes[line.name][k] for panel in read for line in panel.lines for k in line.defined
    )
    few = f"Open markers: fewer than {FEW} cases." if any(size < FEW for size in drawn) else ""
    with our_style():
        small_print = _small_print(undefined, few, note)
        return draw_bin_plot(read, ordered, FigureWords(title, "", "", small_print))


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

    >>> roc = XYCurve("LM", [0, 0.1, 1], [0, 0.7, 1], "area 0.80")
    >>> figure = draw_xy([roc], title="ROC", x_label="FPR", y_label="recall", diagonal=True)
    >>> [text.get_text() for text in figure.texts]
    ['ROC', 'recall', 'FPR', 'LM area 0.80', 'chance']
    """
    from jurybox.figures._xy_plot import draw_xy_plot, read_marks, read_paths  # needs numpy

    paths, undefined = read_paths(curves)
    drawn, lost = read_marks(marks, paths, undefined)
    meanings = dict.fromkeys(mark.meaning for mark in drawn)
    kinds = [f"{k} markers: {m}." for k, m in zip(("Filled", "Open"), meanings, strict=False)]
    unmarked = f"Undefined and not marked: {', '.join(lost)}." if lost else ""
    small_print = _small_print(undefined, *kinds, unmarked, note)
    words = FigureWords(title, y_label, x_label, small_print)
    with our_style():
        return draw_xy_plot(paths, drawn, words, diagonal=diagonal)


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
