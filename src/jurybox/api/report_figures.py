"""Figures of results as they stand in the report."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from jurybox.report.html import Figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing


def drawn(draw: Callable[[], Drawing], alt: str) -> Figure:
    """A figure as it stands in the page; `alt` says in words what it shows."""
    from jurybox.report.figures import svg_text

    return Figure(svg_text(draw()), alt)
