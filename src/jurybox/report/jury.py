"""Sections of the report about detectors before a jury: counts, agreement, thresholds, raters."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING

from jurybox.jury.evaluate.result import EvaluateResult
from jurybox.jury.evaluate.tables import EvaluationTables
from jurybox.report.html import Figure, Section
from jurybox.report.parts import drawn, part_sections

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

#: figure -> the part it belongs to, and what it shows
FIGURES = {
    "histogram": ("agreement", "Bars: how many cases have which agreement of the raters."),
    "precision-recall": (
        "agreement",
        "Precision and recall of each system, for cases with low to high agreement of the raters.",
    ),
    "kappa": ("agreement", "Kappa of each system, by agreement of the raters."),
    "roc": (
        "thresholds",
        "ROC curves: true positive rate against false positive rate over all thresholds.",
    ),
    "auk": ("thresholds", "Kappa against the false positive rate over all thresholds."),
    "thresholds": (
        "thresholds",
        "Precision, recall and F1 against the share of cases reported, over all thresholds.",
    ),
}

TITLES = {
    "counts": "Detection against raters",
    "agreement": "Where people agree, where they do not",
    "raters": "Each rater alone",
    "certainty": "Confidence intervals",
    "thresholds": "Over all thresholds",
    "stability": "Stability",
    "other_corpus": "Compared with another corpus",
}


def jury_sections(result: EvaluateResult) -> list[Section]:
    """One section for each question an evaluation answers."""
    leads = {"counts": describe_counts(result), "agreement": describe_contentious(result)}
    return part_sections(
        result,
        EvaluationTables(result).parts(),
        kind="jury",
        group=name_cases(result),
        titles=TITLES,
        leads=leads,
        figures=_figures(result),
    )


def name_cases(result: EvaluateResult) -> str:
    """What was judged, in a word or two: what is there and what is missing are the same kind."""
    named = (result.description.construction or result.corpus.name or "judged").split(", ")
    kinds = list(dict.fromkeys(name.removeprefix("missing-") for name in named))
    return f"{' and '.join(filter(None, (', '.join(kinds[:-1]), kinds[-1])))} cases"


def best_by_kappa(result: EvaluateResult) -> tuple[str, float] | None:
    """The system with the highest weighted kappa, or None where no kappa is defined."""
    found = {s.name: s.weighted.value("cohen_kappa") for s in result.systems}
    defined = {name: kappa for name, kappa in found.items() if not isnan(kappa)}
    return max(defined.items(), key=lambda one: one[1]) if defined else None


def describe_counts(result: EvaluateResult) -> str:
    """Who judged what, and who does best."""
    cases, judges = result.cases, result.judges
    text = (
        f"{judges.raters} raters gave {judges.judgments:,} judgments on {cases.judged:,} cases; "
        f"{result.error_rate:.1%} are errors for most of them."
    )
    best = best_by_kappa(result)
    if best is None:
        return f"{text} Kappa is undefined for every system."
    name, kappa = best
    scored = result[name].weighted
    precision, recall = scored.value("precision"), scored.value("recall")
    told = f"kappa {kappa:.3f}, precision {precision:.3f}, recall {recall:.3f}"
    if len(result.systems) == 1:
        return f"{text} Weighted by how many people agree, {name} has {told}."
    return f"{text} Weighted by how many people agree, {name} has the highest kappa: {told}."


def describe_contentious(result: EvaluateResult) -> str:
    """How often a system flags what people themselves do not agree on."""
    parts = [
        f"{system.name} {system.contentious.share_of_reports:.0%}"
        for system in result.systems
        if not isnan(system.contentious.share_of_reports)
    ]
    if not parts:
        return ""
    below = result.systems[0].contentious.below
    return (
        f"Share of each system's reports on which people themselves disagree (fewer than "
        f"{below:.0%} say the same): {', '.join(parts)}."
    )


def _figures(result: EvaluateResult) -> dict[str, list[Figure]]:
    """All figures that can be drawn of a result, by part."""
    scored = any(system.curves for system in result.systems)
    found: dict[str, list[Figure]] = {}
    for kind, (part, alt) in FIGURES.items():
        if part == "thresholds" and not scored:
            continue

        def draw(kind: str = kind) -> Drawing:
            return result.figure(kind)

        found.setdefault(part, []).append(drawn(draw, alt))
    return found
