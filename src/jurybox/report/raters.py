"""Sections of the report about raters: agreement, crowds, who is screened out, labels, cost."""

from __future__ import annotations

from math import isnan

from jurybox.errors import plural
from jurybox.raters.aggregate.result import AggregateResult
from jurybox.raters.agree.crowd import FEW_CASES
from jurybox.raters.agree.result import AgreeResult
from jurybox.raters.agree.tables import AgreeTables
from jurybox.raters.cost.pay import show_money
from jurybox.raters.cost.result import CostResult, show_hours
from jurybox.raters.screen.result import ScreenResult
from jurybox.report.html import Figure, Section
from jurybox.report.parts import drawn, part_sections

TITLES = {
    "agreement": "How far raters agree",
    "crowd": "Crowds of N against experts and known answers",
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
    alpha = result.coefficients[f"alpha_{best}"]
    if isnan(alpha.value):
        return f"{text} Their agreement is undefined: {alpha.reason}."
    return (
        f"{text} On average, {result.observed:.1%} of the pairs of judgments of a case agree; "
        f"corrected for chance, Krippendorff's alpha is {alpha.value:z.3f} ({best})."
    )


def describe_crowd(result: AgreeResult) -> str:
    """What one rater and the best crowd reach, and which crowd is as good as an expert."""
    parts = []
    for name, points in result.crowd.curves.items():
        known = [point for point in points if not isnan(point.kappa)]
        if known:
            # the highest of points that rest on few cases would be a matter of luck
            firm = [point for point in known if point.cases >= FEW_CASES]
            first, best = known[0], max(firm or known, key=lambda point: point.kappa)
            few = "" if firm else f", on {plural(best.cases, 'case')} only"
            parts.append(
                f"Against {name}, kappa is {first.kappa:z.3f} for one rater and highest, "
                f"{best.kappa:z.3f}, for the majority of {best.n}{few}."
            )
    for one in result.crowd.reached:
        if one.measure == "kappa" and one.n is not None:
            whom = "experts among themselves" if one.reference == "experts" else "experts with"
            what = "" if one.reference == "experts" else f" {one.reference}"
            cases = result.crowd.cases_at(one.reference, one.n)
            few = f" (on {plural(cases, 'case')} only)" if cases < FEW_CASES else ""
            parts.append(f"The kappa of {whom}{what}, {one.target:z.3f}, takes {one.n}{few}.")
    return " ".join(parts)


def _figures(result: AgreeResult) -> dict[str, list[Figure]]:
    found: dict[str, list[Figure]] = {}
    if any(not isnan(point.kappa) for point in result.crowd.crowd_of_n):
        alt = f"Curves: kappa of crowds of N raters. {describe_crowd(result)}"
        found["crowd"] = [drawn(lambda: result.figure("crowd"), alt)]
    names = {name for pair in result.pairs for name in pair[:2]}
    kappas = [pair for pair in result.pairs if not isnan(pair.kappa)]
    if 2 < len(names) <= MOST_RATERS and kappas:
        low, high = min(pair.kappa for pair in kappas), max(pair.kappa for pair in kappas)
        alt = f"Heat map: Cohen's kappa of every two raters, {low:z.2f} to {high:z.2f}."
        found["pairs"] = [drawn(lambda: result.figure("pairs"), alt)]
    return found


# --- screened raters, labels, cost ---


def screen_sections(result: ScreenResult) -> list[Section]:
    """Raters who should perhaps not count."""
    tables = tuple(result.tables())
    return [
        Section(
            key="screened",
            title="Raters who may not count",
            lead=describe_screening(result),
            tables=tables[:1] + (tables[-1:] if result.dropped else ()),
            notes=result.warnings,
            signature=result.signature,
            group="raters",
            folded=tables[1:-1] if result.dropped else tables[1:],
        )
    ]


def describe_screening(result: ScreenResult) -> str:
    """Who is dropped, and what becomes of agreement."""
    count = len(result.raters)
    if not result.dropped:
        return f"None of {count} raters is dropped; {len(result.flagged)} have a flag."
    effect = result.effect
    text = f"{len(result.dropped)} of {count} raters are dropped: {_some(result.dropped)}."
    if not (isnan(effect.before.alpha) or isnan(effect.after.alpha)):
        text += (
            f" Without them Krippendorff's alpha goes from {effect.before.alpha:.3f} to "
            f"{effect.after.alpha:.3f}"
        )
        text += f", and {len(effect.changed)} of {effect.compared} majority labels change."
    return text


def _some(names: tuple[str, ...], most: int = 8) -> str:
    return ", ".join(names[:most]) + (" and others" if len(names) > most else "")


def aggregate_sections(result: AggregateResult) -> list[Section]:
    """One label per case."""
    tables = tuple(result.tables())
    return [
        Section(
            key="labels",
            title=f"One label per case, by {result.method}",
            lead=describe_labels(result),
            tables=tables[:2],
            notes=result.warnings,
            signature=result.signature,
            folded=tables[2:],
        )
    ]


def describe_labels(result: AggregateResult) -> str:
    """How many cases have a label, and how right it is."""
    labelled = result.cases - result.unlabelled
    text = (
        f"{result.judgments:,} judgments by {result.raters} raters give {labelled:,} of "
        f"{result.cases:,} cases a label; {len(result.ties.cases)} are ties."
    )
    if result.gold is not None and not isnan(result.accuracy):
        text += (
            f" Of {result.gold.cases:,} cases with a known answer {result.accuracy:.1%} are right."
        )
    return text


def cost_sections(result: CostResult) -> list[Section]:
    """Money and time."""
    return [
        Section(
            key="cost",
            title="What the judgments cost",
            lead=describe_cost(result),
            tables=tuple(result.tables()),
            notes=result.warnings,
            signature=result.signature,
        )
    ]


def describe_cost(result: CostResult) -> str:
    """The bill in a sentence."""
    whole = result.whole
    text = f"{whole.judgments:,} judgments of {whole.cases:,} cases"
    if whole.total is not None:
        text += f" cost {show_money(whole.total, result.currency)}, fees included"
    if not isnan(whole.hours):
        text += f"{',' if whole.total is not None else ''} and came within "
        text += show_hours(whole.hours)
    return f"{text}." if text.endswith((" h", "min", "days", "included")) else ""
