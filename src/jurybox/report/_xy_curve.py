"""A curve of one rate against another: as it is given, checked, with its looks, and thinned.

A curve over all thresholds has as many points as there are different scores, up to millions. What
is drawn is told by a few points in every column of the picture: the first, the lowest, the highest
and the last (M4, Jugel et al. 2014, VLDB).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

from jurybox.errors import InputError, LengthError
from jurybox.report._curve import COLOURS, LONG_AND_DOT, MARKERS, SOLID, Dash

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

#: dashes tell lines apart where colours are not seen; points would hide where a curve turns
DASHES: tuple[Dash, ...] = (
    SOLID,
    (0, (5.0, 1.5)),
    (0, (1.5, 1.2)),
    LONG_AND_DOT,
    (0, (3.0, 1.0, 1.0, 1.0, 1.0, 1.0)),
    (0, (9.0, 2.5)),
)
#: the width of a column of the picture in points: a third of a dot of a saved PNG
COLUMN = 0.12
#: so many kinds of marks can be told apart
MOST_MEANINGS = 2


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


class Path(NamedTuple):
    """A curve as it is drawn."""

    name: str
    label: str
    x: Floats
    y: Floats
    colour: str
    marker: str
    dash: Dash

    def last(self) -> tuple[float, float]:
        """The last point that is defined."""
        import numpy as np

        k = np.flatnonzero(np.isfinite(self.y))[-1]
        return float(self.x[k]), float(self.y[k])

    def reach_x(self) -> Iterator[float]:
        return _ends(self.x)

    def reach_y(self) -> Iterator[float]:
        return _ends(self.y)

    def alone(self) -> Any:
        """The places of points between two gaps, which no line shows."""
        import numpy as np

        there = np.concatenate([[False], np.isfinite(self.y), [False]])
        return np.flatnonzero(there[1:-1] & ~there[:-2] & ~there[2:])


class Mark(NamedTuple):
    """A mark as it is drawn; marks of one kind mean the same."""

    path: Path
    x: float
    y: float
    kind: int
    meaning: str


def _ends(values: Floats) -> Iterator[float]:
    import numpy as np

    yield float(np.nanmin(values))
    yield float(np.nanmax(values))


def read_paths(curves: Sequence[XYCurve]) -> tuple[list[Path], list[str]]:
    """The curves that can be drawn, and the names of those that are undefined everywhere."""
    import numpy as np

    paths: list[Path] = []
    undefined: list[str] = []
    if len({curve.name for curve in curves}) < len(curves):
        raise InputError("two curves have the same name")
    for curve in curves:
        if len(curve.x) != len(curve.y):
            raise LengthError(
                f"curve '{curve.name}': {len(curve.x)} values of x but {len(curve.y)} of y"
            )
        x, y = (np.asarray(values, dtype=np.float64) for values in (curve.x, curve.y))
        there = np.isfinite(x) & np.isfinite(y)
        if not there.any():
            undefined.append(curve.name)
            continue
        look = len(paths)
        paths.append(
            Path(
                name=curve.name,
                label=f"{curve.name} {curve.told}".rstrip(),
                x=np.where(there, x, np.nan),
                y=np.where(there, y, np.nan),
                colour=COLOURS[look % len(COLOURS)],
                marker=MARKERS[look % len(MARKERS)],
                dash=DASHES[(look + look // len(COLOURS)) % len(DASHES)],
            )
        )
    if not paths:
        raise InputError("there is no curve to draw: no point is defined")
    return paths, undefined


def read_marks(
    given: Sequence[XYMark], paths: Sequence[Path], undefined: Sequence[str]
) -> tuple[list[Mark], list[str]]:
    """The marks that can be drawn, and what those say that cannot, on curves that can."""
    marks: list[Mark] = []
    lost: list[str] = []
    by_name = {path.name: path for path in paths}
    kinds: dict[str, int] = {}
    for curve, x, y, meaning in given:
        if curve not in by_name:
            if curve not in undefined:
                raise InputError(f"a mark belongs to curve '{curve}', which is not there")
        elif x is None or y is None or not isfinite(x) or not isfinite(y):
            lost.append(f"{meaning} ({curve})")
        else:
            kind = kinds.setdefault(meaning, len(kinds))
            marks.append(Mark(by_name[curve], float(x), float(y), kind, meaning))
    if len(kinds) > MOST_MEANINGS:
        raise InputError(f"marks can have {MOST_MEANINGS} meanings in one figure, not more")
    return marks, lost


def thin(x: Floats, y: Floats, unit: float) -> tuple[Floats, Floats]:
    """The same line with at most four points in each column of the picture.

    A unit of x is so many points long. The line goes as far up and down in every column as before.
    """
    import numpy as np

    there = np.isfinite(y)
    column = np.floor(np.where(there, x, 0.0) * (unit / COLUMN))
    column = np.where(there, column, np.inf)  # a gap is a column of its own
    starts = np.flatnonzero(np.concatenate([[True], column[1:] != column[:-1]]))
    ends = np.append(starts[1:], len(x)) - 1
    run = np.repeat(np.arange(len(starts)), ends - starts + 1)
    by_height = np.lexsort((y, run))  # runs stay where they are
    kept = np.unique(np.concatenate([starts, ends, by_height[starts], by_height[ends]]))
    return x[kept], y[kept]
