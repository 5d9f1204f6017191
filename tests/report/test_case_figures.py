"""Every figure of cases: nothing cut off or overlapping, printable, the same bytes every time."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import matplotlib
import pytest
from made_case_figures import CASE_FIGURES, drawn_cases
from matplotlib.figure import Figure
from matplotlib.text import Text
from test_figures import boxes
from test_figures_saved import loaded_after

from jurybox.report.figures import save_figure


@pytest.fixture(scope="module", params=list(CASE_FIGURES))
def figure(request: pytest.FixtureRequest) -> Figure:
    return drawn_cases(request.param)


def test_no_text_of_a_case_figure_is_cut_off_and_no_two_overlap(figure: Figure) -> None:
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


def test_a_case_figure_can_be_printed_and_read(figure: Figure) -> None:
    width, _ = figure.get_size_inches()
    assert 3.5 <= round(width, 6) <= 7
    texts = [text for text in figure.findobj(Text) if isinstance(text, Text) and text.get_text()]
    assert min(float(text.get_fontsize()) for text in texts) >= 5


@pytest.mark.parametrize("name", ["histogram", "precision and recall", "roc"])
def test_the_same_case_figure_gives_the_same_bytes_whatever_the_users_settings(
    name: str, tmp_path: Path
) -> None:
    save_figure(CASE_FIGURES[name](), tmp_path / "one.svg")
    with matplotlib.rc_context(
        {"font.size": 20, "svg.hashsalt": None, "axes.facecolor": "red", "lines.linewidth": 9}
    ):
        save_figure(CASE_FIGURES[name](), tmp_path / "other.svg")
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "other.svg").read_bytes()


@pytest.mark.slow
def test_drawing_cases_never_waits_for_pyplot() -> None:
    program = (
        "from jurybox.report.figures import *\n"
        "draw_histogram([1], [1], title='', x_label='')\n"
        "draw_bins(['A'], ['all'], {'A': [0.5]}, title='', score='', sizes=[1])\n"
        "draw_xy([XYCurve('A', [0, 1], [0, 1])], title='', x_label='', y_label='')"
    )
    assert loaded_after(program, "matplotlib", "matplotlib.pyplot") == ["matplotlib"]
