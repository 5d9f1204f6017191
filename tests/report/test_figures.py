"""Figures: readable without colour, nothing cut off or overlapping, the same bytes every time."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from itertools import combinations, pairwise
from math import exp, isfinite, nan
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import matplotlib
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import FillBetweenPolyCollection, QuadMesh
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text

from jurybox.errors import InputError, JuryboxWarning, LengthError, UsageError
from jurybox.report import figures
from jurybox.report.figures import (
    Curve,
    check_figure_path,
    draw_curves,
    draw_heat_map,
    save_figure,
)

NINE = tuple(range(1, 10))

#: spec/ceiling.md, from the official scorer's counts (Bryant and Ng 2015, Table 5)
TABLE_5 = {
    "human": "45.90 56.64 61.78 65.00 67.28 69.01 70.40 71.54 72.52",
    "AMU": "24.20 33.47 38.35 41.53 43.84 45.62 47.06 48.26 49.28",
    "CAMB": "28.22 37.77 42.68 45.87 48.17 49.93 51.34 52.50 53.47",
    "CUUI": "26.76 36.06 40.77 43.79 45.96 47.62 48.96 50.07 51.01",
}
PAPER = [
    Curve(name, NINE, tuple(float(score) / 100 for score in row.split()), human=name == "human")
    for name, row in TABLE_5.items()
]
SIGNATURE = (
    "jurybox m2|beta:0.5|choice:running|sizes:all|subsets:1022|annotators:10|sentences:1312|"
    "max-unchanged-words:2|ignore-case-whitespace:no|version:1.2.3"
)


def with_band(curve: Curve, spread: float = 0.02) -> Curve:
    return curve._replace(
        low=tuple(score - spread for score in curve.scores),
        high=tuple(score + spread for score in curve.scores),
    )


def extended(curve: Curve, to: int = 20) -> Curve:
    """The curve with made-up extrapolated points, and a band."""
    more = range(curve.sizes[-1] + 1, to + 1)
    scores = (*curve.scores, *(curve.scores[-1] + 0.005 * k for k in range(1, len(more) + 1)))
    return with_band(
        curve._replace(sizes=(*curve.sizes, *more), scores=scores, extrapolated=len(more))
    )


def categories(number: int) -> list[Curve]:
    return [
        Curve(f"Type{k}", NINE, tuple((0.9 - 0.8 * k / number) * (1 - exp(-n / 3)) for n in NINE))
        for k in range(number)
    ]


def crowded(number: int) -> list[Curve]:
    """Systems whose curves nearly coincide."""
    return [
        Curve(f"system-{k}", NINE, tuple(s + 0.001 * k for s in PAPER[1].scores))
        for k in range(number)
    ]


def last_only(curve: Curve) -> Curve:
    return with_band(curve._replace(sizes=(9,), scores=curve.scores[-1:]))


def curves_figure(curves: list[Curve], **words: str) -> Figure:
    return draw_curves(curves, **{"title": "Human and systems", "score": "F0.5", **words})


def square(size: int, **words: str) -> Figure:
    names = [f"A{k + 1}" for k in range(size)]
    values = [
        [None if i == j else 0.2 + 0.4 * ((7 * i + 3 * j) % size) / size for j in range(size)]
        for i in range(size)
    ]
    labels = {"row_label": "corrections by", "column_label": "scored against", **words}
    return draw_heat_map(names, names, values, title="Pairs", score="F0.5", **labels)


LONG_NAMES = [
    "Human annotators (average over all that were left out)",
    "transformer-big-ensemble-of-4-with-right-to-left-reranking",
    "a_name_without_any_blank_that_goes_on_and_on_until_it_is_no_longer_reasonable_at_all",
    "W" * 80,
]
GAPS = [
    PAPER[0]._replace(scores=(nan, 0.5, 0.55, nan, 0.6, nan, nan, 0.66, nan)),
    PAPER[1]._replace(scores=(*PAPER[1].scores[:5], *[nan] * 4)),
    PAPER[2],
    PAPER[3]._replace(scores=(nan,) * 9),
]

#: every kind of figure, with what strains it
FIGURES: dict[str, Callable[[], Figure]] = {
    "paper": lambda: curves_figure(PAPER, note=SIGNATURE),
    "extrapolated": lambda: curves_figure([extended(c) for c in PAPER], note=SIGNATURE),
    "one extrapolated": lambda: curves_figure([extended(PAPER[0], 12), *PAPER[1:]]),
    "twelve systems": lambda: curves_figure([PAPER[0], *crowded(12)]),
    "twelve types": lambda: curves_figure([with_band(c) for c in categories(12)]),
    "28 types": lambda: curves_figure([extended(c) for c in categories(28)], note=SIGNATURE),
    "many systems": lambda: curves_figure([PAPER[0], extended(PAPER[1]), *crowded(14)]),
    "long names": lambda: curves_figure(
        [c._replace(name=name) for c, name in zip(PAPER, LONG_NAMES, strict=True)],
        title="A title that does not fit into the width of one line " * 2,
        score="F0.5 of what annotators and systems corrected, MaxMatch, running choice " * 2,
        note=SIGNATURE * 3,
        size_label="number of annotators whose corrections are taken as references " * 2,
    ),
    "long names in panels": lambda: curves_figure(
        [c._replace(name=f"{LONG_NAMES[1]} {c.name}") for c in crowded(13)]
    ),
    "gaps": lambda: curves_figure([with_band(c) for c in GAPS]),
    "sparse sizes": lambda: curves_figure([Curve("A", (1, 2, 50), (0.1, 0.2, 0.3))], title=""),
    "one size": lambda: curves_figure([last_only(c) for c in PAPER], note=SIGNATURE),
    "one size, long names": lambda: curves_figure(
        [last_only(c)._replace(name=n) for c, n in zip(PAPER, LONG_NAMES, strict=True)]
    ),
    "2 x 2": lambda: square(2, note=SIGNATURE),
    "10 x 10": lambda: square(10, note=SIGNATURE),
    "4 x 26": lambda: draw_heat_map(
        list("abcd"),
        [f"Type{k}" for k in range(26)],
        [[k / 26] * 26 for k in range(4)],
        title="Rounded numbers",
        score="F0.5",
    ),
    "50 x 50": lambda: square(50),
    "long rows": lambda: draw_heat_map(
        LONG_NAMES[:2],
        LONG_NAMES[1:],
        [[1.0, None, 0.0], [nan, 0.5, 0.25]],
        title="Long",
        score="F0.5",
        row_label="a label that is much longer than two rows are high, or the page",
        column_label="a label that is as long " * 5,
    ),
}


@pytest.fixture(scope="module", params=list(FIGURES))
def figure(request: pytest.FixtureRequest) -> Figure:
    return FIGURES[request.param]()


def texts_of(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.texts]


def lines_of(figure: Figure) -> list[Line2D]:
    """The lines and the sets of markers in the first plot."""
    return list(figure.axes[0].get_lines())


def xs(line: Line2D) -> list[float]:
    return [float(x) for x in np.asarray(line.get_xdata(), dtype=float)]


def ys(line: Line2D) -> list[float]:
    return [float(y) for y in np.asarray(line.get_ydata(), dtype=float)]


def boxes(figure: Figure) -> list[tuple[str, Any]]:
    """Every text that is seen, with its place in pixels, drawn at 200 dpi."""
    figure.set_dpi(200)
    canvas: Any = FigureCanvasAgg(figure)
    canvas.draw()
    seen = [
        text
        for text in figure.findobj(Text)
        if isinstance(text, Text) and text.get_text() and text.get_visible()
    ]
    hidden = [
        label
        for axes in figure.axes
        for axis in (axes.xaxis, axes.yaxis)
        for tick in axis.get_major_ticks()
        for label in (tick.label1, tick.label2)
        if not label.get_visible() or not axes.axison
    ]
    renderer = canvas.get_renderer()
    return [(t.get_text(), t.get_window_extent(renderer)) for t in seen if t not in hidden]


# --- what a reader needs ---


def test_no_text_is_cut_off_and_no_two_overlap(figure: Figure) -> None:
    placed = boxes(figure)
    assert len(placed) > 5
    width, height = figure.get_size_inches() * 200
    outside = [
        text
        for text, box in placed
        if box.x0 < 0 or box.y0 < 0 or box.x1 > width or box.y1 > height
    ]
    assert outside == []
    overlapping = [
        (one, other)
        for (one, a), (other, b) in combinations(placed, 2)
        if min(a.x1, b.x1) - max(a.x0, b.x0) > 1 and min(a.y1, b.y1) - max(a.y0, b.y0) > 2
    ]
    assert overlapping == []


def test_a_figure_is_as_wide_as_a_column_or_a_page(figure: Figure) -> None:
    width, _ = figure.get_size_inches()
    assert 3.5 <= round(width, 6) <= 7


def test_no_letter_is_smaller_than_print_allows(figure: Figure) -> None:
    texts = [text for text in figure.findobj(Text) if isinstance(text, Text) and text.get_text()]
    assert min(float(text.get_fontsize()) for text in texts) >= 5


def test_names_and_last_values_stand_at_the_ends_of_the_lines_of_the_paper() -> None:
    texts = texts_of(curves_figure(PAPER))
    assert [t for t in texts if t[-1].isdigit() and t != "F0.5"] == [
        "human 72.5",
        "AMU 49.3",
        "CAMB 53.5",
        "CUUI 51.0",
    ]


def test_the_scores_of_the_paper_are_what_is_drawn() -> None:
    drawn = [
        [f"{y:.2f}" for y in ys(line)]
        for line in lines_of(curves_figure(PAPER))
        if line.get_linestyle() != "None"
    ]
    assert drawn == [row.split() for row in TABLE_5.values()]


def test_curves_can_be_told_apart_without_colour() -> None:
    figure = curves_figure([PAPER[0], *crowded(12)])
    by_marker = {
        str(line.get_marker()): line.get_markeredgecolor()
        for line in lines_of(figure)
        if line.get_linestyle() == "None"
    }
    assert len(by_marker) == 13
    looks = [
        (str(line.get_color()), line.is_dashed(), line.get_linewidth())
        for line in lines_of(figure)
        if line.get_linestyle() != "None"
    ]
    assert len(set(looks)) == len(looks) == 13


def test_the_human_curve_is_black_and_thicker_than_all_others() -> None:
    widths = {
        str(line.get_color()): line.get_linewidth()
        for line in lines_of(curves_figure(PAPER))
        if line.get_linestyle() != "None"
    }
    human = widths.pop("#000000")
    assert all(human > width for width in widths.values())
    assert len(widths) == 3


def test_where_all_curves_are_human_none_stands_out() -> None:
    curves = [c._replace(human=True) for c in categories(3)]
    assert "#000000" not in {line.get_color() for line in lines_of(curves_figure(curves))}


def test_the_band_is_the_given_spread() -> None:
    figure = curves_figure([with_band(PAPER[0], 0.03)])
    (band,) = figure.axes[0].findobj(FillBetweenPolyCollection)
    assert isinstance(band, FillBetweenPolyCollection)
    vertices = np.asarray(band.get_paths()[0].vertices).tolist()
    corners = {(round(x), round(y, 2)) for x, y in vertices}
    wanted = {
        (size, round(100 * (score + side), 2))
        for size, score in zip(NINE, PAPER[0].scores, strict=True)
        for side in (-0.03, 0.03)
    }
    assert wanted <= corners


def test_extrapolated_points_are_open_dashed_and_said_to_be_so() -> None:
    figure = curves_figure([extended(c) for c in PAPER])
    assert "human 72.5 → 78.0" in texts_of(figure)
    assert "at 9 → 20 (extrapolated)" in texts_of(figure)
    assert "Dashed lines and open markers: extrapolated." in texts_of(figure)
    hollow = [line for line in lines_of(figure) if line.get_markerfacecolor() == "white"]
    assert list(map(xs, hollow)) == [list(range(10, 21))] * 4
    dashed = [line for line in lines_of(figure) if line.is_dashed()]
    assert list(map(xs, dashed)) == [list(range(9, 21))] * 4


def test_only_the_curve_that_is_extrapolated_is_said_to_be_so() -> None:
    texts = " ".join(texts_of(curves_figure([extended(PAPER[0], 12), *PAPER[1:]])))
    assert "human 72.5 → 74.0 at 9 → 12 (extrapolated)" in texts
    assert "CAMB 53.5 at 9" in texts


def test_measured_points_say_nothing_of_extrapolation() -> None:
    assert "extrapolated" not in " ".join(texts_of(curves_figure(PAPER)))


def test_undefined_scores_are_gaps_and_isolated_points_keep_their_marker_and_spread() -> None:
    figure = curves_figure([with_band(GAPS[0], 0.05)])
    line, markers, *bars = lines_of(figure)
    assert list(map(isfinite, ys(line))) == list(map(isfinite, GAPS[0].scores))
    assert xs(markers) == [2, 3, 5, 8]
    assert [[round(y) for y in ys(bar)] for bar in bars] == [[55, 65], [61, 71]]


def test_a_curve_that_ends_early_says_where_its_value_is() -> None:
    texts = texts_of(curves_figure(GAPS))
    assert "human 66.0 at 8" in texts
    assert "AMU 43.8 at 5" in texts
    assert "CAMB 53.5 at 9" in texts


def test_a_curve_without_any_defined_score_is_named_in_the_small_print() -> None:
    assert "Undefined and not drawn: CUUI." in texts_of(curves_figure(GAPS))


def test_a_long_note_is_kept_to_the_last_letter() -> None:
    texts = texts_of(curves_figure(PAPER, note=SIGNATURE))
    assert SIGNATURE.replace(" ", "") in "".join(texts).replace(" ", "")


def test_systems_that_are_compared_as_ratios_start_at_zero() -> None:
    assert curves_figure(PAPER).axes[0].get_ylim() == (0, 80)


def test_an_axis_is_not_mostly_empty_when_all_scores_are_high() -> None:
    high = [c._replace(scores=tuple(0.6 + s / 5 for s in c.scores)) for c in PAPER]
    low, top = curves_figure(high).axes[0].get_ylim()
    assert low >= 60
    assert top <= 80


def test_a_band_below_zero_does_not_stretch_the_axis() -> None:
    figure = curves_figure([with_band(Curve("rare", (1, 2), (0.02, 0.4)), 0.1)])
    assert figure.axes[0].get_ylim()[0] == 0


def test_one_size_gives_dots_with_error_bars_best_first() -> None:
    figure = curves_figure([last_only(c) for c in PAPER])
    texts = texts_of(figure)
    assert [t for t in texts if t in TABLE_5] == ["human", "CAMB", "CUUI", "AMU"]
    assert "72.5 (70.5–74.5)" in texts
    assert "F0.5 at 9 reference annotators" in texts
    bars = [[round(x, 2) for x in xs(line)] for line in lines_of(figure)]
    assert [51.47, 55.47] in bars


def test_many_curves_get_a_panel_each_best_first() -> None:
    curves = categories(13)
    figure = curves_figure(curves[::-1])
    assert len(figure.axes) == 13
    names = [t.split()[0] for t in texts_of(figure) if t.startswith("Type")]
    assert names == [c.name for c in curves]


def test_the_human_curve_is_in_the_panel_of_every_system() -> None:
    figure = curves_figure([PAPER[0], *crowded(13)])
    assert len(figure.axes) == 14
    for axes in figure.axes:
        assert [100 * score for score in PAPER[0].scores] in list(map(ys, axes.get_lines()))


@pytest.mark.parametrize(
    "curve",
    [
        Curve("A", (1, 2), (0.1,)),
        Curve("A", (1, 2), (0.1, 0.2), low=(0.1,), high=(0.1, 0.2)),
        Curve("A", (1, 2), (0.1, 0.2), low=(0.1, 0.1)),
        Curve("A", (2, 1), (0.1, 0.2)),
        Curve("A", (1, 2), (0.1, 0.2), extrapolated=3),
        Curve("A", (1, 2), (nan, nan)),
    ],
)
def test_a_curve_that_cannot_be_drawn_is_an_error(curve: Curve) -> None:
    with pytest.raises(InputError, match="curve"):
        curves_figure([curve])


# --- labels that move apart ---


@given(
    st.lists(st.tuples(st.floats(0, 100), st.floats(1, 20)), min_size=1, max_size=15),
    st.floats(0, 50),
)
def test_labels_never_overlap_nor_leave_the_plot_nor_change_order(
    labels: list[tuple[float, float]], spare: float
) -> None:
    wanted, heights = [y for y, _ in labels], [h for _, h in labels]
    high = max(100.0, sum(heights)) + spare
    places = figures._spread(wanted, heights, 0, high)
    spans = sorted(
        (y - h / 2, y + h / 2, want) for y, h, want in zip(places, heights, wanted, strict=True)
    )
    for (_, end, lower), (start, _, upper) in pairwise(spans):
        assert end <= start + 1e-6
        assert lower <= upper
    assert spans[0][0] >= -1e-6
    assert spans[-1][1] <= high + 1e-6


def test_labels_with_room_stay_where_they_are() -> None:
    assert figures._spread([10, 50, 30], [10, 10, 10], 0, 100) == [10, 50, 30]


@given(st.text(max_size=200), st.floats(20, 300))
def test_wrapping_loses_nothing_but_blanks(text: str, width: float) -> None:
    with figures._our_style():
        lines = figures._wrap(text, width, 8)
        kept = figures._printable(text)
        assert "".join("".join(lines).split()) == "".join(kept.split())
        assert all(len(line) == 1 or figures._width(line, 8) <= width for line in lines)


# --- heat maps ---


def relative_luminance(colour: Any) -> float:
    parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def cell_colours(figure: Figure) -> dict[float, Any]:
    """The colour of every cell that has a value."""
    (mesh,) = figure.axes[0].findobj(QuadMesh)
    assert isinstance(mesh, QuadMesh)
    mesh.update_scalarmappable()
    values: list[float] = np.ma.filled(np.ma.asarray(mesh.get_array()), nan).ravel().tolist()
    colours = np.asarray(mesh.get_facecolor()).tolist()
    return {v: colour[:3] for v, colour in zip(values, colours, strict=True) if isfinite(v)}


def test_every_number_can_be_read_on_its_cell() -> None:
    figure = square(10)
    colours = {f"{value:.1f}": colour for value, colour in cell_colours(figure).items()}
    for text in figure.axes[0].texts:
        lights = sorted(relative_luminance(c) for c in (colours[text.get_text()], text.get_color()))
        assert (lights[1] + 0.05) / (lights[0] + 0.05) >= 4.5  # WCAG 2.1, level AA


def test_cells_darken_with_their_values_also_in_grey_print() -> None:
    lights = [relative_luminance(colour) for _, colour in sorted(cell_colours(square(10)).items())]
    assert len(lights) > 5
    assert all(lighter > darker for lighter, darker in pairwise(lights))


def test_every_cell_but_the_empty_ones_has_its_number() -> None:
    figure = draw_heat_map(
        ["A1", "A2"], ["A1", "A2", "A3"], [[None, 0.295, 1.0], [0.418, nan, 0.0]],
        title="Pairs", score="F0.5",
    )  # fmt: skip
    assert [t.get_text() for t in figure.axes[0].texts] == ["29.5", "100.0", "41.8", "0.0"]


def test_fifty_annotators_have_colours_and_a_bar_instead_of_numbers() -> None:
    figure = square(50)
    assert len(figure.axes[0].texts) == 0
    assert len(figure.axes) == 2
    assert {f"A{k}" for k in range(1, 51)} <= set(texts_of(figure))


@pytest.mark.parametrize("values", [[[None, None]], [[0.5, 0.5]], [[nan, 0.0]]])
def test_a_map_without_any_spread_can_be_drawn(values: list[list[float | None]]) -> None:
    figure = draw_heat_map(["A1"], ["A1", "A2"], values, title="", score="F0.5")
    boxes(figure)
    numbers = [value for value in values[0] if value is not None and isfinite(value)]
    assert len(figure.axes[0].texts) == len(numbers)


def test_a_map_with_too_few_values_is_an_error() -> None:
    with pytest.raises(LengthError, match="2 rows and 1 columns"):
        draw_heat_map(["A1", "A2"], ["A1"], [[0.5]], title="", score="F0.5")
    with pytest.raises(InputError, match="a row and a column"):
        draw_heat_map([], ["A1"], [], title="", score="F0.5")


# --- files ---


@pytest.mark.parametrize("name", ["figure.jpg", "figure", "figure.svg.gz", "svg", "-", ".png"])
def test_other_names_are_refused_and_the_three_forms_named(name: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"\.svg, \.png or \.pdf"):
        check_figure_path(name)
    with pytest.raises(UsageError, match=r"\.svg, \.png or \.pdf"):
        save_figure(Figure(), tmp_path / name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["a.svg", "b.PNG", "folder/c.pdf"])
def test_the_three_forms_are_taken_in_any_case(name: str) -> None:
    check_figure_path(name)
    check_figure_path(Path(name))


def test_checking_a_name_waits_for_no_heavy_package_and_drawing_never_for_pyplot() -> None:
    program = (
        "import sys\n"
        "from jurybox.report.figures import Curve, check_figure_path, draw_curves\n"
        "check_figure_path('figure.svg')\n"
        "print('matplotlib' in sys.modules, 'numpy' in sys.modules)\n"
        "draw_curves([Curve('A', (1, 2), (0.1, 0.2))], title='', score='F0.5')\n"
        "print('matplotlib.pyplot' in sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["False", "False", "False"]


def saved(figure: Figure, folder: Path, form: str) -> bytes:
    path = folder / f"figure.{form}"
    save_figure(figure, path)
    return path.read_bytes()


@pytest.mark.parametrize("form", ["svg", "png", "pdf"])
def test_the_same_figure_gives_the_same_bytes_whatever_the_users_settings(
    form: str, tmp_path: Path
) -> None:
    curves = [extended(c, 10) for c in PAPER[:2]]
    first = saved(curves_figure(curves), tmp_path, form)
    with matplotlib.rc_context(
        {"font.size": 20, "svg.hashsalt": None, "axes.facecolor": "red", "savefig.bbox": "tight"}
    ):
        assert saved(curves_figure(curves), tmp_path, form) == first
    assert b"CreationDate" not in first
    assert b"dc:date" not in first


def test_the_users_settings_are_left_as_they_were(tmp_path: Path) -> None:
    before = dict(matplotlib.rcParams)
    save_figure(square(2), tmp_path / "figure.svg")
    assert dict(matplotlib.rcParams) == before


def test_svg_keeps_words_as_words_with_fonts_to_fall_back_on(tmp_path: Path) -> None:
    names = ["A & B <b>", "costs $5 or $6", "漢字", 'quote " and \x07 bell']
    curves = [c._replace(name=name) for c, name in zip(PAPER, names, strict=True)]
    content = saved(curves_figure(curves), tmp_path, "svg").decode("utf-8")
    words = " ".join(text or "" for text in ET.fromstring(content).itertext())
    for name in ("A & B <b> 72.5", "costs $5 or $6 49.3", "漢字 53.5", 'quote " and bell 51.0'):
        assert name in words
    assert "sans-serif" in content


def test_letters_no_font_has_are_told_of_except_in_svg(tmp_path: Path) -> None:
    figure = curves_figure([PAPER[0]._replace(name="漢")])
    save_figure(figure, tmp_path / "figure.svg")
    with pytest.warns(JuryboxWarning, match=r"漢.*\.svg"):
        save_figure(figure, tmp_path / "figure.png")


def test_pdf_holds_truetype_fonts_which_publishers_ask_for(tmp_path: Path) -> None:
    content = saved(curves_figure(PAPER), tmp_path, "pdf")
    assert b"/FontFile2" in content
    assert b"/Type3" not in content


def test_png_has_200_dots_per_inch(tmp_path: Path) -> None:
    figure = curves_figure(PAPER)
    content = saved(figure, tmp_path, "png")
    pixels = [int.from_bytes(content[at : at + 4]) for at in (16, 20)]
    assert pixels == [int(inches * 200) for inches in figure.get_size_inches()]


def test_a_figure_that_fails_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "figure.svg"
    path.write_text("old", "utf-8")

    def fail(*_: object, **__: object) -> None:
        raise MemoryError

    figure = curves_figure(PAPER)
    monkeypatch.setattr(figure, "savefig", fail)
    with pytest.raises(MemoryError):
        save_figure(figure, path)
    assert [p.name for p in tmp_path.iterdir()] == ["figure.svg"]
    assert path.read_text("utf-8") == "old"


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"missing/figure\.svg: cannot be written"):
        save_figure(curves_figure(PAPER), tmp_path / "missing" / "figure.svg")
