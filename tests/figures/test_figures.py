"""Every kind of figure: nothing cut off or overlapping, of a size that can be printed and read."""

from __future__ import annotations

import pytest
from matplotlib.figure import Figure

from made_figures import FIGURES, drawn
from placed_texts import check_letters, check_places, check_size

#: each of these strains what another figure strains as well
SLOW = {"twelve types", "28 types", "many systems", "2 x 2", "4 x 26"}


@pytest.fixture(
    scope="module",
    params=[pytest.param(name, marks=pytest.mark.slow if name in SLOW else ()) for name in FIGURES],
)
def figure(request: pytest.FixtureRequest) -> Figure:
    return drawn(request.param)


def test_no_text_is_cut_off_and_no_two_overlap(figure: Figure) -> None:
    check_places(figure)


def test_a_figure_is_as_wide_as_a_column_or_a_page(figure: Figure) -> None:
    check_size(figure)


def test_no_letter_is_smaller_than_print_allows(figure: Figure) -> None:
    check_letters(figure)
