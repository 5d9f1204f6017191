"""Scores of systems over ordered bins of cases: one panel, or one for each measure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, isfinite, nan
from typing import TYPE_CHECKING, NamedTuple

from jurybox.errors import InputError, LengthError
from jurybox.figures._curves import COLOURS, GAP, MARKERS, SLACK, Line, looks_of, marker_of, spread
from jurybox.figures._page import (
    GREY,
    LABEL_WIDTH,
    LEADING,
    MARGIN,
    NARROWEST,
    SMALL,
    TEXT,
    WIDEST,
    FigurePage,
    FigureWords,
    PlotFrame,
    Scale,
    draw_frame,
    draw_zero,
    fraction_scale,
    our_style,
    shorten,
    small_print,
    widest,
    width_of,
    wrap,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: in a bin with fewer cases one decision moves a score visibly: its marker is open
FEW = 30
#: between dots of the same bin, in points, where there is room
DODGE = 7.0

#: a name of a bin may be broken into so many rows before it is turned
MOST_ROWS = 6
#: what a turned name may measure: bins are told apart by the numbers in the middle of their names
LONGEST = 200.0
#: between a plot and what stands under it: a dot at the very bottom reaches down there
PAD = 5.0

Values = Mapping[str, Sequence[float | None]]


class BinScores(NamedTuple):
    """One measure in every bin, by system; None where it is undefined."""

    score: str
    values: Values
    #: the ends of error bars
    low: Values | None = None
    high: Values | None = None


class Bins(NamedTuple):
    """The bins, in order, and how many cases each system has in them."""

    names: Sequence[str]
    label: str
    sizes: Mapping[str, Sequence[int]]

    @property
    def shared(self) -> bool:
        """Whether all systems decided about the same number of cases in every bin."""
        return len({tuple(sizes) for sizes in self.sizes.values()}) == 1


class BinPanel(NamedTuple):
    """One measure as it is drawn."""

    score: str
    lines: list[Line]
    undefined: list[str]


class _Foot(NamedTuple):
    """What stands under a panel: the bins and their sizes, upright where they are wide."""

    names: list[list[str]]
    numbers: list[list[str]]
    size: float
    upright: bool
    height: float


def read_bins(
    names: Sequence[str],
    bins: Sequence[str],
    sizes: Sequence[int] | Mapping[str, Sequence[int]],
    label: str,
) -> Bins:
    if not names or not bins:
        raise InputError("a figure by bins needs a system and a bin at least")
    if len(set(names)) < len(names):
        raise InputError("two systems in a figure by bins have the same name")
    if not isinstance(sizes, Mapping):
        sizes = dict.fromkeys(names, sizes)
    for name in names:
        _check_length(f"sizes of '{name}'", sizes.get(name), len(bins))
    return Bins(bins, label, {name: sizes[name] for name in names})


def read_panel(panel: BinScores, bins: Bins) -> BinPanel:
    """The lines of one measure; a system keeps its looks from panel to panel."""
    lines: list[Line] = []
    undefined: list[str] = []
    if (panel.low is None) != (panel.high is None):
        raise InputError(f"{panel.score}: error bars need both low and high")
    number = len(bins.names)

    def read(values: Values | None, name: str) -> tuple[float, ...]:
        """Fractions, nan where there is none."""
        if values is None:
            return (nan,) * number
        row = values.get(name)
        _check_length(f"{panel.score} of '{name}'", row, number)
        return tuple(nan if x is None or not isfinite(x) else float(x) for x in row or ())

    for look, name in enumerate(bins.sizes):
        scores, low, high = (read(part, name) for part in (panel.values, panel.low, panel.high))
        if not any(map(isfinite, scores)):
            undefined.append(name)
            continue
        band = (low, high) if panel.low is not None else None
        lines.append(Line(name, tuple(range(number)), scores, band, number, **looks_of(look)))
    return BinPanel(panel.score, lines, undefined)


def _check_length(what: str, row: Sequence[object] | None, number: int) -> None:
    if row is None:
        raise InputError(f"{what}: not given")
    if len(row) != number:
        raise LengthError(f"{what}: {len(row)} for {number} bins; each bin needs one")


@our_style()
def draw_bins(
    names: Sequence[str],
    bins: Sequence[str],
    panels: Sequence[BinScores],
    *,
    title: str,
    sizes: Sequence[int] | Mapping[str, Sequence[int]],
    note: str = "",
    bin_label: str = "agreement of the raters",
) -> Figure:
    """Measures of several systems by agreement bin (Madnani et al. 2011, Figure 2).

    Several measures, such as precision and recall, stand in panels side by side. None and nan leave
    gaps. `sizes` are the cases in each bin; by system where these have cases of their own, as on
    different corpora. A bin of fewer than 30 cases has an open marker, and the small print says so.
    """
    by_bin = read_bins(names, bins, sizes, bin_label)
    drawn = [read_panel(panel, by_bin) for panel in panels]
    if not any(panel.lines for panel in drawn):
        raise InputError("there is nothing to draw by bin: no value is defined")
    undefined = [
        name if len(drawn) == 1 else f"{panel.score} of {name}"
        for panel in drawn
        for name in panel.undefined
    ]
    sizes_drawn = (
        by_bin.sizes[line.name][k] for panel in drawn for line in panel.lines for k in line.defined
    )
    few = any(size < FEW for size in sizes_drawn)
    told = f"Open markers: fewer than {FEW} cases." if few else ""
    words = FigureWords(title, "", "", small_print(undefined, told, note))
    scale = fraction_scale(
        value for panel in drawn for line in panel.lines for value in line.reach()
    )
    across = min(2, len(drawn))
    labels = [_write_labels(panel, by_bin, LABEL_WIDTH if across == 1 else 76) for panel in drawn]
    column = max((widest(rows, TEXT) for panel in labels for rows in panel), default=0.0)
    left, right = scale.width(TEXT) + 4, GAP + column
    room = (WIDEST - 2 * MARGIN) / across - left - right - (4 if across > 1 else 0)
    foot = _set_foot(by_bin, room)
    texts = (text for rows in (*foot.names, *foot.numbers) for text in rows)
    needed = widest(texts, foot.size) + 16
    if foot.upright:
        needed = foot.size * LEADING + 1
    wanted = max(190.0 if across == 1 else 120.0, needed * len(by_bin.names))
    width = min(
        max(2 * MARGIN + across * (left + min(wanted, room) + right + 8), NARROWEST), WIDEST
    )
    panel_width = (width - 2 * MARGIN) / across
    plot = panel_width - left - right - (8 if across > 1 else 0)
    step = TEXT * LEADING
    tallest = max(sum(map(_height_of, panel)) for panel in labels)
    height = max(140.0, tallest)
    heads = [wrap(panel.score, panel_width - 8, TEXT) for panel in drawn]
    above = max(map(len, heads)) * step + 6
    label = wrap(by_bin.label, width - 2 * MARGIN - left, TEXT)
    down = above + height + foot.height
    rows = ceil(len(drawn) / across)
    page = FigurePage.make(width, rows * down + (rows - 1) * 8 + len(label) * step, words)
    middle = MARGIN + left + (plot / 2 if across == 1 else (width - 2 * MARGIN - left) / 2)
    middle = min(middle, width - MARGIN - widest(label, TEXT) / 2)
    middle = max(middle, MARGIN + widest(label, TEXT) / 2)
    page.write(middle, page.bottom, label, TEXT, at="bottom", ha="center")
    for k, (panel, head, beside) in enumerate(zip(drawn, heads, labels, strict=True)):
        corner = MARGIN + k % across * panel_width
        top = page.top - k // across * (down + 8)
        page.write(corner, top, head, TEXT)
        bottom = top - above - height
        frame = PlotFrame(corner + left, bottom, plot, height)
        axes = page.add_axes(*frame)
        _draw_panel(axes, panel, by_bin, scale, plot)
        _write_foot(page, foot, by_bin, frame)
        _place_labels(page, panel, beside, scale, frame)
    return page.figure


def _draw_panel(axes: Axes, panel: BinPanel, bins: Bins, scale: Scale, width: float) -> None:
    """Error bars, lines, and dots beside each other; a bin of few cases has an open dot."""
    axes.set_xlim(0, width)
    axes.set_ylim(scale.low, scale.high)
    draw_frame(axes, [], scale.ticks, TEXT)
    draw_zero(axes, scale)
    if not panel.lines:
        axes.text(
            0.5, 0.5, "undefined", transform=axes.transAxes, ha="center", fontsize=TEXT, color=GREY
        )
    for line, places in zip(panel.lines, _places(panel, width), strict=True):
        axes.plot(
            places, line.scores, color=line.colour, linewidth=1.0, linestyle=line.dash,
            zorder=3, clip_on=False,
        )  # fmt: skip
        for k in line.defined:
            ends = [side[k] for side in line.band or ()]
            if ends and all(map(isfinite, ends)):
                axes.plot(
                    [places[k]] * 2, ends, color=line.colour, linewidth=1.0, alpha=0.6,
                    solid_capstyle="butt", zorder=2.5, clip_on=False,
                )  # fmt: skip
            few = bins.sizes[line.name][k] < FEW
            axes.plot(
                places[k], line.scores[k], **marker_of(line, hollow=few), zorder=4, clip_on=False
            )


def _places(panel: BinPanel, width: float) -> list[list[float]]:
    """For each line, where its dots are across the plot: beside those of others in their bin."""
    number = len(panel.lines)
    bins = len(panel.lines[0].sizes) if panel.lines else 1
    pitch = width / bins
    apart = min(DODGE, 0.7 * pitch / max(number, 1))
    return [
        [(k + 0.5) * pitch + (j - (number - 1) / 2) * apart for k in range(bins)]
        for j in range(number)
    ]


def _write_labels(panel: BinPanel, bins: Bins, width: float) -> list[list[str]]:
    """Names with their values in the last bin they have one in, said where these differ."""
    alike = all(line.end == len(bins.names) - 1 for line in panel.lines)
    labels = []
    for line in panel.lines:
        label = f"{line.name} {line.scores[line.end]:.2f}"
        labels.append(wrap(label if alike else f"{label} in {bins.names[line.end]}", width, TEXT))
    return labels


def _height_of(label: Sequence[str]) -> float:
    return len(label) * TEXT * LEADING + (3 if len(label) > 1 else 0)


def _place_labels(
    page: FigurePage,
    panel: BinPanel,
    labels: Sequence[Sequence[str]],
    scale: Scale,
    frame: PlotFrame,
) -> None:
    ends = [line.scores[line.end] for line in panel.lines]
    levels = [frame.bottom + frame.height * scale.share(end) for end in ends]
    heights = list(map(_height_of, labels))
    centres = spread(levels, heights, frame.bottom - SLACK, frame.top + SLACK)
    x = frame.right + GAP
    for line, label, level, y, place in zip(
        panel.lines, labels, levels, centres, _places(panel, frame.width), strict=True
    ):
        page.write(x, y, label, TEXT, at="middle")
        page.draw([x - 6], [y], **marker_of(line, hollow=False))
        start = frame.left + place[line.end]
        page.draw([start + 4, x - 11], [level, y], color="#999999", linewidth=0.5, zorder=1)


def _set_foot(bins: Bins, room: float) -> _Foot:
    """Bins and sizes in the largest letters that fit into a panel that may be so wide."""
    columns = list(bins.sizes.values())[: 1 if bins.shared else None]
    numbers = [[f"n={sizes[k]:,}" for sizes in columns] for k in range(len(bins.names))]
    pitch = room / len(bins.names)
    markers = 0 if bins.shared else 9
    for size in (TEXT, SMALL):
        names = [wrap(name, pitch - 5, size) for name in bins.names]
        words_wide = widest((word for name in bins.names for word in name.split()), size)
        numbers_wide = max(widest(rows, SMALL) for rows in numbers) + markers
        tallest = max(map(len, names))
        if max(words_wide, numbers_wide) + 5 <= pitch and tallest <= MOST_ROWS:
            height = (tallest * size + len(numbers[0]) * SMALL) * LEADING + PAD + 3
            # sizes stand in line, below the longest name
            names = [[*rows, *[""] * (tallest - len(rows))] for rows in names]
            return _Foot(names, numbers, size, False, height)
    lines = []
    for name, rows in zip(bins.names, numbers, strict=True):
        joined = "n=" + " / ".join(number.removeprefix("n=") for number in rows)
        lines.append(f"{shorten(name, LONGEST, SMALL)}  {shorten(joined, LABEL_WIDTH, SMALL)}")
    height = widest(lines, SMALL) + PAD + 5
    return _Foot([[line] for line in lines], [[] for _ in lines], SMALL, True, height)


def _write_foot(page: FigurePage, foot: _Foot, bins: Bins, frame: PlotFrame) -> None:
    pitch = frame.width / len(foot.names)
    # of very many bins, only some have room
    every = ceil(foot.size * LEADING / pitch) if foot.upright else 1
    for k in range(0, len(foot.names), every):
        x, y = frame.left + (k + 0.5) * pitch, frame.bottom - PAD
        if foot.upright:
            page.write(x, y, foot.names[k], foot.size, at="middle", ha="right", rotation=90)
            continue
        page.write(x, y, list(filter(None, foot.names[k])), foot.size, ha="center")
        y -= len(foot.names[k]) * foot.size * LEADING
        page.write(x, y, foot.numbers[k], SMALL, ha="center", color=GREY)
        for j, number in enumerate([] if bins.shared else foot.numbers[k]):
            # which size is whose: the system's marker before it
            page.draw(
                [x - width_of(number, SMALL) / 2 - 5],
                [y - (j + 0.5) * SMALL * LEADING],
                marker=MARKERS[j % len(MARKERS)],
                color=COLOURS[j % len(COLOURS)],
                markersize=3.0,
                linestyle="none",
            )
