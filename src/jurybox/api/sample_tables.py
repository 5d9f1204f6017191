"""The tables of `estimate_sample`: the estimate, what it rests on, every interval, further uses."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING

from jurybox.api.sample_estimated import (
    SHARES_OF_ALL,
    TITLES,
    AssistedNumbers,
    Estimated,
    RetestedSystem,
    SampleEstimateResult,
)
from jurybox.report.tables import Cell, Column, Table, signed

if TYPE_CHECKING:
    from jurybox.api.sample_votes import RaterNumbers

AGREEMENT_TITLES = {"observed": "observed", "fleiss": "Fleiss' kappa", "alpha": "alpha"}


def estimate_tables(result: SampleEstimateResult) -> list[Table]:
    """Every table, the signature under the last one."""
    tables = [_estimates(result), _strata(result), _methods(result)]
    if result.raters is not None and result.raters.raters > 1:
        tables.append(_raters(result.raters))
    tables += [_retested(one) for one in result.retested]
    if result.assisted is not None:
        tables.append(_assisted(result.assisted, result))
    return signed(tables, result.signature)


def _title(name: str, result: SampleEstimateResult) -> str:
    return f"F{result.options['beta']:g}" if name == "f" else TITLES[name]


def _estimates(result: SampleEstimateResult) -> Table:
    level = f"{result.options['ci_level']:.0%}"
    columns = (
        Column("measure", text=True),
        Column("estimate", digits=3),
        Column(f"{level} from", digits=3),
        Column("to", digits=3),
        Column("method", text=True),
        Column("cases", digits=0),
    )
    rows = [
        (
            _title(name, result),
            *_three(one),
            one.method or "–",
            round(one.estimate * result.size) if _counts(name, one) else None,
        )
        for name, one in result.measures.items()
    ]
    judged = sum(one.judged for one in result.strata)
    notes = [f"{result.size} cases, {judged} of them judged; shares of all cases above the rates"]
    notes += _open(result.measures, result)
    notes.append(_asked_about(result))
    effects = {name: one for name, one in result.design_effects.items() if not isnan(one)}
    if effects:
        listed = ", ".join(f"{TITLES[name]} {one:.2f}" for name, one in effects.items())
        notes.append(
            f"design effect: {listed} (below 1, drawing at rates of their own from the parts paid)"
        )
    return Table(columns, tuple(rows), "Estimate", tuple(notes))


def _three(one: Estimated) -> tuple[float, float, float]:
    return one.estimate, one.low, one.high


def _counts(name: str, one: Estimated) -> bool:
    return name in SHARES_OF_ALL and not isnan(one.estimate)


def _open(measures: dict[str, Estimated], result: SampleEstimateResult) -> list[str]:
    """Why there are gaps, each reason once."""
    reasons: dict[str, list[str]] = {}
    for name, one in measures.items():
        if one.reason:
            reasons.setdefault(one.reason, []).append(_title(name, result))
    return [f"{', '.join(names)}: {reason}" for reason, names in reasons.items()]


def _asked_about(result: SampleEstimateResult) -> str:
    if result.options["finite"]:
        return "intervals are about these very cases (--finite)"
    seen = max((one.judged / one.size for one in result.strata if one.size), default=0.0)
    tail = "; about these very cases they are narrower: --finite" if seen > 0.1 else ""
    return f"intervals are about text of this kind{tail}"


def _strata(result: SampleEstimateResult) -> Table:
    columns = (
        Column("part", text=True),
        Column("cases"),
        Column("drawn"),
        Column("judged"),
        Column("errors", digits=2),
        Column("share", digits=3),
    )
    rows: list[tuple[Cell, ...]] = [
        (
            one.name,
            one.size,
            one.drawn,
            one.judged,
            int(one.errors) if not one.errors % 1 else one.errors,
            one.errors / one.judged if one.judged else None,
        )
        for one in result.strata
    ]
    return Table(columns, tuple(rows), "What was judged")


def _methods(result: SampleEstimateResult) -> Table:
    columns = (
        Column("measure", text=True),
        Column("method", text=True),
        Column("from", digits=4),
        Column("to", digits=4),
    )
    rows = [
        (_title(name, result), method, ends.low, ends.high)
        for name, found in result.methods.items()
        for method, ends in found.items()
    ]
    notes = []
    if any(ends.reason for found in result.methods.values() for ends in found.values()):
        notes.append("without width: all judged cases are alike, which is no certainty")
    return Table(columns, tuple(rows), "Every interval", tuple(notes))


def _raters(raters: RaterNumbers) -> Table:
    columns = (
        *(Column("raters"), Column("judgments"), Column("unknown"), Column("shared cases")),
        *(Column(title, digits=3) for title in AGREEMENT_TITLES.values()),
    )
    found = {name: getattr(raters, name) for name in AGREEMENT_TITLES}
    row = (
        *(raters.raters, raters.judgments, raters.unknown, raters.shared),
        *(one.value for one in found.values()),
    )
    reasons = dict.fromkeys(one.reason for one in found.values() if one.reason)
    notes = (*reasons, "in the sample, which holds more errors than the corpus")
    return Table(columns, (row,), "Agreement of the raters", notes)


def _retested(system: RetestedSystem) -> Table:
    columns = (
        Column("measure", text=True),
        Column("estimate", digits=3),
        Column("from", digits=3),
        Column("to", digits=3),
        Column("judged"),
        Column("worth", digits=1),
    )
    rows = [
        (TITLES[name], one.estimate, one.low, one.high, one.cases, one.effective)
        for name, one in system.measures.items()
    ]
    source = "known" if system.known else "estimated"
    notes = [f"it flags {system.flagged:.2%} of the cases ({source})"]
    notes.append("worth: cases drawn for this system that would be as sure")
    notes += dict.fromkeys(one.reason for one in system.measures.values() if one.reason)
    return Table(columns, tuple(rows), f"Re-test of {system.name}", tuple(notes))


def _assisted(assisted: AssistedNumbers, result: SampleEstimateResult) -> Table:
    columns = (
        Column("measure", text=True),
        Column("estimate", digits=3),
        Column("from", digits=3),
        Column("to", digits=3),
        Column("method", text=True),
    )
    rows = [
        (_title(name, result), *_three(one), one.method or "–")
        for name, one in assisted.measures.items()
    ]
    notes = [
        f"{label}: scores weigh {assisted.slopes[label]:.2f}, worth "
        + ("any number of" if isnan(gain) else f"{gain:.2f} times as many")
        + " judgments"
        for label, gain in assisted.gains.items()
    ]
    notes += _open(assisted.measures, result)
    return Table(columns, tuple(rows), "With the help of scores", tuple(notes))
