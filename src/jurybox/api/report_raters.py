"""Sections of the report about raters: agreement, crowds against experts, pairs, the rest."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING

from jurybox.api.agree_result import AgreeResult
from jurybox.api.agree_tables import AgreeTables
from jurybox.api.report_figures import drawn
from jurybox.api.report_parts import part_sections
from jurybox.report.html import Figure, Section

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

TITLES = {
    "agreement": "How far raters agree",
    "crowd": "How many raters are as good as an expert?",
    "pairs": "Rater by rater",
    "further": "More about the raters",
}
#: with more raters than this a matrix of pairs is too large for the page
MOST_RATERS = 25


def rater_sections(result: AgreeResult) -> list[Section]:
    """One section for each question about raters that the data answer."""
    leads = {"agreement": describe_agreement(result), "crowd": describe_crowd(result)}
    return part_sections(
        result,
        AgreeTables(result).parts(),
        kind="raters",
        group="raters",
        titles=TITLES,
        leads=leads,
        figures=_figures(result),
    )


def describe_agreement(result: AgreeResult) -> str:
    """Who judged what, and how far they agree."""
    sizes = result.sizes
    text = (
        f"{sizes.raters} raters gave {sizes.judgments:,} judgments on {sizes.cases:,} cases; "
        f"labels are {', '.join(list(result.labels)[:6])}{' …' if len(result.labels) > 6 else ''}."
    )
    best = "ordinal" if result.scale != "nominal" else "nominal"
    alpha = result.together[f"alpha_{best}"]
    if isnan(alpha.value):
        return f"{text} Their agreement is undefined: {alpha.reason}."
    return (
        f"{text} Two judgments of a case agree with a chance of {result.observed:.1%}; beyond "
        f"chance that is Krippendorff's alpha {alpha.value:.3f} ({best})."
    )


def describe_crowd(result: AgreeResult) -> str:
    """What the largest crowd reaches, and which one is as good as an expert."""
    parts = []
    for name, points in (result.crowd.curves if result.crowd else {}).items():
        known = [point for point in points if not isnan(point.kappa.mean)]
        if known:
            first, best = known[0], max(known, key=lambda point: point.kappa.mean)
            parts.append(
                f"Against {name}, kappa is {first.kappa.mean:.3f} for one rater and highest, "
                f"{best.kappa.mean:.3f}, for the majority of {best.n}."
            )
    for one in result.crowd.reached if result.crowd else ():
        if one.measure == "kappa" and one.n is not None:
            whom = "experts among themselves" if one.reference == "experts" else "experts with"
            what = "" if one.reference == "experts" else f" {one.reference}"
            parts.append(f"The kappa of {whom}{what}, {one.target:.3f}, takes {one.n}.")
    return " ".join(parts)


def _figures(result: AgreeResult) -> dict[str, list[Figure]]:
    found: dict[str, list[Figure]] = {}
    points = [
        point for curve in (result.crowd.curves if result.crowd else {}).values() for point in curve
    ]
    if any(not isnan(point.kappa.mean) for point in points):
        alt = f"Curves: kappa of crowds of N raters. {describe_crowd(result)}"
        found["crowd"] = [drawn(lambda: _draw(result, "crowd"), alt)]
    names = {name for pair in result.pairs for name in pair[:2]}
    kappas = [pair for pair in result.pairs if not isnan(pair.kappa)]
    if 2 < len(names) <= MOST_RATERS and kappas:
        low, high = min(pair.kappa for pair in kappas), max(pair.kappa for pair in kappas)
        alt = f"Heat map: Cohen's kappa of every two raters, {low:.2f} to {high:.2f}."
        found["pairs"] = [drawn(lambda: _draw(result, "pairs"), alt)]
    return found


def _draw(result: AgreeResult, kind: str) -> Drawing:
    return result.figure(kind)
