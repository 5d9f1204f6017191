"""Sections of the report about crowds: who is screened out, the labels, what it cost."""

from __future__ import annotations

from math import isnan

from jurybox.api.aggregate_result import AggregateResult
from jurybox.api.cost_result import CostResult, show_hours
from jurybox.api.screen_result import ScreenResult
from jurybox.report.html import Section


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
    labelled = len(result.cases) - result.unlabelled
    text = (
        f"{result.judgments:,} judgments by {result.raters} raters give {labelled:,} of "
        f"{len(result.cases):,} cases a label; {result.ties} are ties."
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
    from jurybox.raters.cost import show_money

    whole = result.whole
    text = f"{whole.judgments:,} judgments of {whole.cases:,} cases"
    if whole.total is not None:
        text += f" cost {show_money(whole.total, result.currency)}, fees included"
    if not isnan(whole.hours):
        text += f"{',' if whole.total is not None else ''} and came within "
        text += show_hours(whole.hours)
    return f"{text}." if text.endswith((" h", "min", "days", "included")) else ""
