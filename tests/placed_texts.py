"""Where the texts of a figure are, and that all of them can be read."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text


def boxes(figure: Figure) -> list[tuple[str, Any]]:
    """Every text that is seen, with its place in pixels at 200 dpi."""
    figure.set_dpi(200)
    canvas: Any = FigureCanvasAgg(figure)
    figure.draw_without_rendering()  # places the texts, which is all that is looked at
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


def check_places(figure: Figure) -> None:
    """No text is cut off and no two overlap."""
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


def check_size(figure: Figure) -> None:
    """As wide as a column or a page, no more and no less."""
    width, _ = figure.get_size_inches()
    assert 3.5 <= round(width, 6) <= 7


def check_letters(figure: Figure) -> None:
    """No letter is smaller than print allows."""
    texts = [text for text in figure.findobj(Text) if isinstance(text, Text) and text.get_text()]
    assert min(float(text.get_fontsize()) for text in texts) >= 5
