"""Axes of fractions: precision, recall, kappa and rates from 0 to 1, as the papers print them."""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite
from typing import TYPE_CHECKING, NamedTuple

from jurybox.report._axes import Scale, round_scale
from jurybox.report._figure_page import GREY

if TYPE_CHECKING:
    from matplotlib.axes import Axes


#: how far below the plot the numbers along the axis are
LOWERED = 5.0
#: an axis of fractions shows this much at least, unless it starts at 0
LEAST_SPAN = 0.2


class Frame(NamedTuple):
    """Where on the page a plot is, in points."""

    left: float
    bottom: float
    width: float
    height: float

    @property
    def top(self) -> float:
        return self.bottom + self.height


def fraction_scale(values: Iterable[float], most: int = 6) -> Scale:
    """An axis that holds these fractions; what is not finite needs no room.

    >>> fraction_scale([0.384, 0.957])
    Scale(low=0.0, high=1.0, ticks=[0.0, 0.2, 0.4, 0.6, 0.8, 1.0])
    """
    reached = [value for value in values if isfinite(value)]
    if min(reached) > 0:  # a difference of next to nothing must not fill the plot
        reached.append(max(max(reached) - LEAST_SPAN, 0.0))
    # rounded, because 0.55 is a little more than 55 hundredths
    low, high = round(100 * min(reached), 9), round(100 * max(reached), 9)
    scale = round_scale(low, high, most)
    return Scale(scale.low / 100, scale.high / 100, [tick / 100 for tick in scale.ticks])


def lower_numbers(axes: Axes) -> None:
    """The numbers along the axis, below the lowest of those beside it: they may be wide."""
    axes.tick_params(axis="x", pad=LOWERED)


def draw_zero(axes: Axes, scale: Scale) -> None:
    """Where values can be negative, as kappa can, a rule at 0: no better than chance."""
    if scale.low < 0 < scale.high:
        axes.axhline(0, color=GREY, linewidth=0.6, zorder=1.5)
