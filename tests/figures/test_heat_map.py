"""Heat maps: every number can be read, darker is higher, empty cells stay empty."""

from __future__ import annotations

from itertools import pairwise
from math import isfinite, nan
from typing import Any

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import QuadMesh
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from jurybox.errors import InputError, LengthError
from jurybox.figures import draw_heat_map
from made_figures import drawn, texts_of


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
    figure = drawn("10 x 10")
    colours = {f"{value:.1f}": colour for value, colour in cell_colours(figure).items()}
    for text in figure.axes[0].texts:
        lights = sorted(relative_luminance(c) for c in (colours[text.get_text()], text.get_color()))
        assert (lights[1] + 0.05) / (lights[0] + 0.05) >= 4.5  # WCAG 2.1, level AA


def test_cells_darken_with_their_values_also_in_grey_print() -> None:
    lights = [
        relative_luminance(colour) for _, colour in sorted(cell_colours(drawn("10 x 10")).items())
    ]
    assert len(lights) > 5
    assert all(lighter > darker for lighter, darker in pairwise(lights))


def test_every_cell_but_the_empty_ones_has_its_number() -> None:
    figure = draw_heat_map(
        ["A1", "A2"], ["A1", "A2", "A3"], [[None, 0.295, 1.0], [0.418, nan, 0.0]],
        title="Pairs", score="F0.5",
    )  # fmt: skip
    assert [t.get_text() for t in figure.axes[0].texts] == ["29.5", "100.0", "41.8", "0.0"]


def test_fifty_annotators_have_colours_and_a_bar_instead_of_numbers() -> None:
    figure = drawn("50 x 50")
    assert len(figure.axes[0].texts) == 0
    assert len(figure.axes) == 2
    assert {f"A{k}" for k in range(1, 51)} <= set(texts_of(figure))


@pytest.mark.parametrize("values", [[[None, None]], [[0.5, 0.5]], [[nan, 0.0]]])
def test_a_map_without_any_spread_can_be_drawn(values: list[list[float | None]]) -> None:
    figure = draw_heat_map(["A1"], ["A1", "A2"], values, title="", score="F0.5")
    FigureCanvasAgg(figure).draw()  # type: ignore[no-untyped-call]  # matplotlib has no types here
    numbers = [value for value in values[0] if value is not None and isfinite(value)]
    assert len(figure.axes[0].texts) == len(numbers)


def test_a_map_with_too_few_values_is_an_error() -> None:
    with pytest.raises(LengthError, match="2 rows and 1 columns"):
        draw_heat_map(["A1", "A2"], ["A1"], [[0.5]], title="", score="F0.5")
    with pytest.raises(InputError, match="a row and a column"):
        draw_heat_map([], ["A1"], [], title="", score="F0.5")
