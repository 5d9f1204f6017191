"""One curve: as it is given, as it is checked and given its looks, as it is drawn.

Lines are told apart by colour, marker and, where colours come again, dashes. The colours are those
of Okabe and Ito (2008, Color Universal Design). Last points that are uncertain, because they are
extrapolated or rest on few cases, are dashed and have open markers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from math import ceil, isfinite, nan
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from jurybox.errors import InputError, LengthError
from jurybox.figures._figure_page import INK

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

#: Okabe and Ito without black, which is the human curve, and yellow, which is lost on white paper
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
MARKERS = ("s", "^", "D", "v", "P", "X", "d", "<", "*", ">", "p", "h")

Dash = str | tuple[int, tuple[float, ...]]
SOLID: Dash = "-"
LONG_AND_DOT: Dash = (0, (8.0, 1.5, 1.2, 1.5))
UNCERTAIN: Dash = (0, (2.2, 1.6))


class Curve(NamedTuple):
    """Scores against the number of reference annotators; uncertain points are the last ones."""

    name: str
    sizes: tuple[int, ...]
    #: fractions, shown as 0 to 100; nan where undefined, which leaves a gap
    scores: tuple[float, ...]
    #: the band of spread, fractions too
    low: tuple[float, ...] | None = None
    high: tuple[float, ...] | None = None
    #: how many of the last points are uncertain
    uncertain: int = 0
    #: why they are
    why: str = "extrapolated"
    #: the human curve stands out
    human: bool = False


class Line(NamedTuple):
    """One curve as it is drawn: from 0 to 100, with its looks."""

    name: str
    sizes: tuple[int, ...]
    scores: tuple[float, ...]
    band: tuple[tuple[float, ...], tuple[float, ...]] | None
    measured: int  # how many points come before the uncertain ones
    human: bool
    colour: str
    marker: str
    dash: Dash
    why: str = ""  # the others are uncertain

    @property
    def defined(self) -> list[int]:
        return [k for k, score in enumerate(self.scores) if isfinite(score)]

    @property
    def end(self) -> int:
        """The last point that is there; the name stands beside it."""
        return self.defined[-1]

    @property
    def ends_uncertain(self) -> bool:
        return self.end >= self.measured

    @property
    def named_points(self) -> list[int]:
        """The points whose values stand beside the name: the last, and the last measured one."""
        before = [k for k in self.defined if k < self.measured]
        return [*before[-1:], self.end] if self.ends_uncertain else [self.end]

    @property
    def value(self) -> str:
        return " → ".join(f"{self.scores[k]:.1f}" for k in self.named_points)

    @property
    def place(self) -> str:
        """At which sizes the numbers in `value` are."""
        places = "at " + " → ".join(str(self.sizes[k]) for k in self.named_points)
        return f"{places} ({self.why})" if self.ends_uncertain else places

    @property
    def weight(self) -> Literal["bold", "normal"]:
        return "bold" if self.human else "normal"

    def reach(self) -> Iterator[float]:
        """Every value the axis must have room for."""
        for values in (self.scores, *(self.band or ())):
            yield from filter(isfinite, values)


def why_uncertain(lines: Sequence[Line]) -> str:
    """Why points are dashed and open; empty where none is."""
    return next((line.why for line in lines if line.measured < len(line.sizes)), "")


def same_place(lines: Sequence[Line]) -> bool:
    """Whether the values beside all names are at the same sizes, which is then said once."""
    return len({line.place for line in lines}) == 1


def read_curves(curves: Sequence[Curve]) -> tuple[list[Line], list[str]]:
    """The curves that can be drawn, and the names of those that are undefined everywhere."""
    for curve in curves:
        _check_curve(curve)
    # where all are human, as in Figure 2, none stands out
    leads = not all(curve.human for curve in curves) or len(curves) == 1
    lines: list[Line] = []
    undefined: list[str] = []
    for curve in curves:
        if not any(map(isfinite, curve.scores)):
            undefined.append(curve.name)
            continue
        look = sum(not line.human for line in lines)
        human = curve.human and leads
        lines.append(
            Line(
                name=curve.name,
                sizes=curve.sizes,
                scores=_in_percent(curve.scores, curve),
                band=(_in_percent(curve.low, curve), _in_percent(curve.high, curve))
                if curve.low is not None and curve.high is not None
                else None,
                measured=len(curve.sizes) - curve.uncertain,
                human=human,
                colour=INK if human else COLOURS[look % len(COLOURS)],
                marker="o" if human else MARKERS[look % len(MARKERS)],
                dash=SOLID if human or look < len(COLOURS) else LONG_AND_DOT,
                why=curve.why,
            )
        )
    if not lines:
        raise InputError("there is no curve to draw: no score is defined")
    return lines, undefined


def _check_curve(curve: Curve) -> None:
    for kind, values in (("scores", curve.scores), ("low", curve.low), ("high", curve.high)):
        if values is not None and len(values) != len(curve.sizes):
            raise LengthError(
                f"curve '{curve.name}': {len(curve.sizes)} sizes but {len(values)} in {kind}"
            )
    if (curve.low is None) != (curve.high is None):
        raise InputError(f"curve '{curve.name}': a band needs both low and high")
    if any(size >= following for size, following in pairwise(curve.sizes)):
        raise InputError(f"curve '{curve.name}': sizes must grow, not {curve.sizes}")
    if not 0 <= curve.uncertain <= len(curve.sizes):
        raise InputError(
            f"curve '{curve.name}': {curve.uncertain} of {len(curve.sizes)} points cannot be"
            f" {curve.why}"
        )


def _in_percent(values: tuple[float, ...], curve: Curve) -> tuple[float, ...]:
    """From 0 to 100, with the gaps that the scores have."""
    return tuple(
        100.0 * value if isfinite(value) and isfinite(score) else nan
        for value, score in zip(values, curve.scores, strict=True)
    )


def draw_curve(axes: Axes, line: Line, *, shade: float, most: int, small: bool = False) -> None:
    """Band, line and at most so many markers; what is uncertain is paler, dashed and open."""
    order = 4 if line.human else 3
    solid = slice(0, line.measured)
    dashed = slice(max(line.measured - 1, 0), None)  # the dashes begin at the last measured point
    for part, dash, alpha in ((solid, line.dash, shade), (dashed, UNCERTAIN, shade / 2)):
        if len(line.sizes[part]) < 2:  # a marker is all there is
            continue
        if line.band is not None:
            axes.fill_between(
                line.sizes[part],
                line.band[0][part],
                line.band[1][part],
                color=line.colour,
                alpha=alpha,
                linewidth=0,
                zorder=order - 2,
            )
        axes.plot(
            line.sizes[part],
            line.scores[part],
            color=line.colour,
            linewidth=2.0 if line.human else 1.2,
            linestyle=dash,
            zorder=order,
            clip_on=False,
        )
    step = ceil(len(line.sizes) / most)
    alone = [k for k in line.defined if not {k - 1, k + 1} & set(line.defined)]
    marked = [k for k in line.defined if (line.end - k) % step == 0 or k in alone]
    for uncertain, points in groupby(marked, lambda k: k >= line.measured):
        axes.plot(
            *zip(*((line.sizes[k], line.scores[k]) for k in points), strict=True),
            **marker_of(line, hollow=uncertain, small=small),
            zorder=order + 0.5,
            clip_on=False,
        )
    if line.band is not None:  # between two gaps a band has no width
        for k in alone:
            ends = [side[k] for side in line.band]
            axes.plot([line.sizes[k]] * 2, ends, color=line.colour, alpha=0.5, linewidth=1)


def marker_of(line: Line, *, hollow: bool, small: bool = False) -> dict[str, Any]:
    """The looks of its markers, as matplotlib names them."""
    return {
        "linestyle": "none",
        "marker": line.marker,
        "markersize": (3.0 if small else 4.0) + (line.marker in "*PX"),
        "markerfacecolor": "white" if hollow else line.colour,
        "markeredgecolor": line.colour,
        "markeredgewidth": 0.8,
    }


class XYCurve(NamedTuple):
    """Points in the order of their thresholds; nan or None where undefined, which leaves a gap."""

    name: str
    #: fractions: sequences, or arrays of numpy
    x: Sequence[float | None] | Floats
    y: Sequence[float | None] | Floats
    #: what stands after the name, such as the area
    told: str = ""


class XYMark(NamedTuple):
    """A point on or beside a curve that means something: where the system's own decisions are."""

    curve: str
    #: None or nan where undefined, which the small print tells
    x: float | None
    y: float | None
    meaning: str = "decisions as given"
