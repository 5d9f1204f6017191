"""Every figure of cases: nothing cut off or overlapping, printable, the same bytes every time."""

from __future__ import annotations

from pathlib import Path

import matplotlib
import pytest
from matplotlib.figure import Figure
from test_figures_saved import loaded_after

from jurybox.figures import save_figure
from made_case_figures import CASE_FIGURES, drawn_cases
from placed_texts import check_letters, check_places, check_size


@pytest.fixture(scope="module", params=list(CASE_FIGURES))
def figure(request: pytest.FixtureRequest) -> Figure:
    return drawn_cases(request.param)


def test_no_text_of_a_case_figure_is_cut_off_and_no_two_overlap(figure: Figure) -> None:
    check_places(figure)


def test_a_case_figure_can_be_printed_and_read(figure: Figure) -> None:
    check_size(figure)
    check_letters(figure)


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
        "from jurybox.figures import *\n"
        "draw_histogram([1], [1], title='', x_label='')\n"
        "draw_bins(['A'], ['all'], [BinScores('', {'A': [0.5]})], title='', sizes=[1])\n"
        "draw_xy([XYCurve('A', [0, 1], [0, 1])], title='', x_label='', y_label='')"
    )
    assert loaded_after(program, "matplotlib", "matplotlib.pyplot") == ["matplotlib"]
