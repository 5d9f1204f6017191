"""The first table of `evaluate`: what N consists of, in numbers and in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isnan

from jurybox.api.evaluation import EvaluateResult
from jurybox.api.evaluation_table_cells import fold
from jurybox.report.tables import MISSING, Cell, Column, Table

TIED = {
    "ok": "counted as ok",
    "error": "counted as errors",
    "drop": "left out of plain counts",
    "random": "settled by a coin",
}


def summary_table(result: EvaluateResult) -> Table:
    """What N consists of, who judged, and how far they agree."""
    cases, judges = result.cases, result.judges
    parts = [f"{cases.judged} judged"]
    parts += [f"{cases.trivial} trivial (ok by rule)"] if cases.trivial else []
    parts += [f"{cases.unjudged} not judged and not counted"] if cases.unjudged else []
    parts += [f"{cases.gold} gold ones left out"] if cases.gold else []
    fewest, median, most = judges.per_case
    each = f"{fewest}" if fewest == most else f"{fewest} to {most} (median {median:g})"
    rows: list[Sequence[Cell]] = [
        ("cases", f"{cases.n}: {', '.join(parts)}"),
        ("raters", f"{judges.raters}, {judges.judgments} judgments, {each} per case"),
        (
            "error rate",
            f"{_rate(result.error_rate)} by the majority, "
            f"{_rate(result.graded_error_rate)} by the share of judges",
        ),
        ("agreement", _agreement(result)),
    ]
    if cases.ties:
        rows.append(("ties", f"{cases.ties} cases, {TIED[result.options['ties']]}"))
    if judges.unknown:
        rows.append(("unknown", f"{judges.unknown} judgments decide nothing, and are left out"))
    if judges.on_gold:
        rows.append(("gold", f"{judges.on_gold} judgments on gold cases are left out"))
    notes = list(_description(result))
    return Table(
        (Column("Evaluation", text=True), Column("", text=True)),
        tuple(rows),
        notes=tuple(notes),
    )


def _agreement(result: EvaluateResult) -> str:
    total = sum(bar.n for bar in result.histogram)
    exact = [bar.n for bar in result.histogram if bar.low == 1]
    mean = result.histogram
    if len(mean) and all(bar.low == bar.high for bar in mean):
        share = sum(bar.low * bar.n for bar in mean) / total
        return f"{_percent(sum(exact), total)} of judged cases unanimous, mean {share:.4f}"
    return f"{_percent(mean[-1].n, total)} of judged cases from {mean[-1].low:g} up"


def _description(result: EvaluateResult) -> Iterator[str]:
    """What N consists of, in words."""
    said = result.description
    lines = {
        "cases are": "; ".join(filter(None, (said.unit, said.enumeration))) or said.construction,
        "trivial": said.trivial_rule,
        "an error": said.error_rule,
        "from": said.origin,
    }
    if not any(lines.values()):
        yield "what N consists of: not described; no rate is clear without it: begin the cases"
        yield 'file (JSONL) with {"schema": "jurybox.caseset/1", "description": {"unit": …}}'
        return
    for name, text in lines.items():
        if text:
            yield from fold(f"{name}: {text}")


def _rate(value: float) -> str:
    return MISSING if isnan(value) else f"{value:.4f}"


def _percent(part: int, total: int) -> str:
    return f"{100 * part / total:.1f} %"
