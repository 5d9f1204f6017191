"""The figures of `agree`: crowds of N (Tetreault et al. 2010, Figures 1 and 2), pairs of raters."""

from __future__ import annotations

from collections.abc import Callable
from math import nan
from typing import TYPE_CHECKING

from jurybox.api.agree_result import AgreeResult
from jurybox.errors import InputError, unknown_name

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: with more raters than this a matrix of pairs cannot be read
MOST_RATERS = 60


def draw(result: AgreeResult, kind: str) -> Figure:
    """One figure; its kind is one of `FIGURES`."""
    check_kind(kind)
    return _DRAWN[kind](result)


def check_kind(kind: str) -> None:
    """Refuse a figure that does not exist, before any work."""
    if kind not in FIGURES:
        raise unknown_name("figure (--draw)", kind, FIGURES)


def _draw_crowd(result: AgreeResult) -> Figure:
    from jurybox.report.figures import Curve, draw_curves

    crowd = result.crowd
    if crowd is None:
        raise InputError(
            "there is no crowd to draw: it needs known answers (column 'gold', --gold FILE) or an "
            "expert (--expert NAME)"
        )
    curves = [
        Curve(
            name,
            tuple(point.n for point in points),
            tuple(point.kappa.mean for point in points),
            tuple(point.kappa.low for point in points),
            tuple(point.kappa.high for point in points),
        )
        for name, points in crowd.curves.items()
    ]
    if crowd.experts is not None and crowd.experts.mutual.pairs:
        sizes = max((curve.sizes for curve in curves), key=len)
        own = (crowd.experts.mutual.kappa,) * len(sizes)
        curves.append(Curve("experts among themselves", sizes, own, human=True))
    options = result.options
    return draw_curves(
        curves,
        title="A crowd of N against each reference",
        score="kappa × 100",
        note=f"Means of {options['draws']} draws, bands hold {options['level']:.0%} of them. "
        f"{result.signature}",
        size_label="judgments per case",
    )


def _draw_pairs(result: AgreeResult) -> Figure:
    from jurybox.report.figures import draw_heat_map

    names = list(dict.fromkeys(name for pair in result.pairs for name in pair[:2]))
    if not names:
        raise InputError("there is no pair of raters to draw: no two judged the same case")
    if len(names) > MOST_RATERS:
        raise InputError(
            f"a matrix of {len(names)} raters cannot be read; --format csv lists the pairs"
        )
    names.sort(key=_order(result))
    kappas = {(pair.first, pair.second): pair.kappa for pair in result.pairs}
    kappas |= {(second, first): kappa for (first, second), kappa in kappas.items()}
    return draw_heat_map(
        names,
        names,
        [[kappas.get((row, column), nan) for column in names] for row in names],
        title="Every two raters",
        score="Cohen's kappa × 100",
        note=result.signature,
    )


def _order(result: AgreeResult) -> Callable[[str], int]:
    """Raters in the order in which pairs name them first."""
    firsts = list(dict.fromkeys([pair.first for pair in result.pairs]))
    last = list(dict.fromkeys([pair.second for pair in result.pairs]))
    both = list(dict.fromkeys([*firsts, *last]))
    return both.index


_DRAWN: dict[str, Callable[[AgreeResult], Figure]] = {"crowd": _draw_crowd, "pairs": _draw_pairs}
FIGURES = tuple(_DRAWN)
