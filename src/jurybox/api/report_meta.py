"""The section of the report about metrics: which of them orders systems as people do."""

from __future__ import annotations

from math import isnan

from jurybox.api.meta_result import MetaResult, MetricAgreement
from jurybox.api.results import show_interval
from jurybox.report.html import Section


def meta_sections(result: MetaResult) -> list[Section]:
    """Metrics before people."""
    tables = tuple(result.tables())
    return [
        Section(
            key="metrics",
            title="Metrics and people",
            lead=describe_metrics(result),
            tables=tables[:1],
            notes=result.warnings,
            signature=result.signature,
            folded=tables[1:],
        )
    ]


def describe_metrics(result: MetaResult) -> str:
    """Which metric puts most pairs of systems in people's order, and how sure that is."""
    told = [_describe_level(result, level) for level in ("system", "sentence")]
    return " ".join(filter(None, told)) or "No pair of systems is decided by people."


def _describe_level(result: MetaResult, level: str) -> str:
    known = [one for one in result.metrics if one.level == level and not isnan(_accuracy(one))]
    if not known:
        return ""
    best = max(known, key=_accuracy)
    found = best.by("pairwise_accuracy")
    pairs = "pairs of systems" if level == "system" else "pairs that people decided by sentence"
    most = "" if len(known) == 1 else "the most "
    shown = f"{found.value:.4f} {show_interval(found.interval)}".strip()
    return f"{best.metric} puts {most}{pairs} in people's order: accuracy {shown}."


def _accuracy(metric: MetricAgreement) -> float:
    return metric.by("pairwise_accuracy").value
