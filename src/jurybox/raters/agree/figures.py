"""The figures of `agree`: crowds of N (Tetreault et al. 2010, Figures 1 and 2), pairs of raters."""

from __future__ import annotations

from collections.abc import Callable
from math import nan
from typing import TYPE_CHECKING

from jurybox.errors import InputError, unknown_name
from jurybox.figures import Curve, draw_curves, draw_heat_map
from jurybox.raters.agree.crowd import FEW_CASES
from jurybox.raters.agree.result import AgreeResult
from jurybox.tables import names_of_pairs

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
        raise unknown_name("figure (--plot)", kind, FIGURES)


def _draw_crowd(result: AgreeResult) -> Figure:
    crowd = result.crowd
    if not crowd.references:
        raise InputError(
            "there is no crowd to draw: it needs known answers (column 'gold', --gold FILE) or an "
            "expert (--expert NAME)"
        )
    curves = [
        Curve(
            name,
            tuple(point.n for point in points),
            tuple(point.kappa for point in points),
            tuple(point.kappa_low for point in points),
            tuple(point.kappa_high for point in points),
            # larger crowds have fewer cases, so these are the last points
            uncertain=sum(point.cases < FEW_CASES for point in points),
            why=f"fewer than {FEW_CASES} cases",
        )
        for name, points in crowd.curves.items()
    ]
    if crowd.experts is not None and crowd.experts.mutual.pairs:
        sizes = max((curve.sizes for curve in curves), key=len)
        own = (crowd.experts.mutual.kappa,) * len(sizes)
        curves.append(Curve("experts among themselves", sizes, own, human=True))
    options = result.options
    shrinks = any(points[-1].cases < points[0].cases for points in crowd.curves.values())
    other = "Cases with fewer than N judgments are left out at N. " if shrinks else ""
    return draw_curves(
        curves,
        title="A crowd of N against each reference",
        score="kappa × 100",
        note=f"Means of {options.draws} draws, bands hold {options.ci_level:.0%} of them. "
        f"{other}{result.signature}",
        size_label="judgments per case",
    )


def _draw_pairs(result: AgreeResult) -> Figure:
    if not result.pairs:
        raise InputError("there is no pair of raters to draw: no two judged the same case")
    names = names_of_pairs(result.pairs)
    if len(names) > MOST_RATERS:
        raise InputError(
            f"a matrix of {len(names)} raters cannot be read; --format csv lists the pairs"
        )
    kappas = {(pair.first, pair.second): pair.kappa for pair in result.pairs}
    kappas |= {(second, first): kappa for (first, second), kappa in kappas.items()}
    return draw_heat_map(
        names,
        names,
        [[kappas.get((row, column), nan) for column in names] for row in names],
        title="Pairwise agreement",
        score="Cohen's kappa × 100",
        note=result.signature,
    )


_DRAWN: dict[str, Callable[[AgreeResult], Figure]] = {"crowd": _draw_crowd, "pairs": _draw_pairs}
FIGURES = tuple(_DRAWN)
