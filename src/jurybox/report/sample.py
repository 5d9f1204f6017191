"""Sections of the report about samples: what a plan promises, what judged samples say."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING

from jurybox.figures import Curve, draw_scores
from jurybox.report.html import Figure, Section
from jurybox.report.parts import drawn
from jurybox.sample.estimate.result import Estimated, RetestedSystem, SampleEstimateResult
from jurybox.sample.plan.result import SamplePlan, show_half

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

#: measures of the figure; the others are shares of all cases, too small to be seen beside them
SHOWN = ("precision", "recall", "f")


def plan_sections(result: SamplePlan) -> list[Section]:
    """How many cases to judge."""
    lead = describe_plan(result)
    return [
        Section(
            key="sample-plan",
            title="How many cases to judge",
            lead=lead,
            tables=tuple(result.tables()),
            figures=(drawn(result.figure, f"Curves: half-widths by what is spent. {lead}"),),
            notes=result.warnings,
            signature=result.signature,
        )
    ]


def describe_plan(result: SamplePlan) -> str:
    """What sampling takes and gives, beside judging every case."""
    every, sampled = result.method("standard"), result.method("neyman")
    text = (
        f"Judging {sampled.cases:,} of {every.cases:,} cases ({sampled.error:,} that the system "
        f"flags, {sampled.ok:,} that it calls ok) takes {sampled.hours:.1f} hours instead of "
        f"{every.hours:.1f}"
    )
    halves = {"precision": sampled.precision_within, "recall": sampled.recall_within}
    known = [f"{name} {show_half(half)}" for name, half in halves.items() if half is not None]
    return f"{text}, and gives {' and '.join(known)}." if known else f"{text}."


def estimate_sections(result: SampleEstimateResult) -> list[Section]:
    """What judged samples say of the system; other systems and scores after it."""
    tables = result.tables()
    titles = {f"Re-test of {one.name}" for one in result.retested} | {"With the help of scores"}
    further = tuple(table for table in tables if table.title in titles)
    folded = tuple(table for table in tables[1:] if table not in further)
    sections = [
        Section(
            key="sample-estimate",
            title="The whole corpus, from a sample",
            lead=describe_estimate(result),
            tables=tuple(tables[:1]),
            figures=_figures(result),
            notes=result.warnings,
            signature=result.signature,
            folded=folded,
        )
    ]
    if further:
        sections.append(
            Section(
                key="sample-further",
                title="More from the same judgments",
                lead=" ".join(_describe_retest(one) for one in result.retested),
                tables=further,
                signature=result.signature,
            )
        )
    return sections


def describe_estimate(result: SampleEstimateResult) -> str:
    """What was judged, and precision and recall with their intervals."""
    judged = sum(one.judged for one in result.strata)
    text = f"{judged:,} of {result.size:,} cases were judged."
    told = [_show(name, result[name]) for name in ("precision", "recall")]
    found = " and ".join(filter(None, told))
    if found:
        text += f" {found[0].upper()}{found[1:]}."
    missing = dict.fromkeys(
        one.reason for one in map(result.measures.get, SHOWN) if one and isnan(one.estimate)
    )
    for reason in filter(None, missing):
        text += f" {reason[0].upper()}{reason[1:]}."
    return text


def _show(name: str, one: Estimated) -> str:
    if isnan(one.estimate):
        return ""
    return f"{name} is {one.estimate:.3f} ({one.low:.3f} to {one.high:.3f})"


def _describe_retest(system: RetestedSystem) -> str:
    told = [
        f"{name} {one.estimate:.3f}"
        + ("" if isnan(one.low) else f" ({one.low:.3f} to {one.high:.3f})")
        for name in ("precision", "recall")
        for one in [system.measures[name]]
        if not isnan(one.estimate)
    ]
    return f"{system.name}, tested on them: {', '.join(told) or 'nothing can be told'}."


def _figures(result: SampleEstimateResult) -> tuple[Figure, ...]:
    """Dots with their intervals."""
    shown = {
        name: one
        for name, one in result.measures.items()
        if name in SHOWN and not (isnan(one.estimate) or isnan(one.low))
    }
    if not shown:
        return ()

    def draw() -> Drawing:
        beta = result.options.beta
        return draw_scores(
            [
                Curve(
                    f"F{beta:g}" if name == "f" else name,
                    (1,),
                    (one.estimate,),
                    (one.low,),
                    (one.high,),
                )
                for name, one in shown.items()
            ],
            title="What the sample says of the whole corpus",
            score=f"estimate and {result.options.ci_level:.0%} interval",
            note=result.signature,
        )

    return (drawn(draw, f"Dot plot with intervals. {describe_estimate(result)}"),)
