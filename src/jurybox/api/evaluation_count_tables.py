"""Tables of `evaluate` with counts and measures of whole systems."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jurybox.api.evaluation import KINDS, EvaluateResult, Scored
from jurybox.api.evaluation_table_cells import MAIN, TRUTHS, cell, f_title, notes_of, short_title
from jurybox.report.tables import Cell, Column, Table


def detection_table(result: EvaluateResult) -> Table:
    """Counts and main measures of every system, by majority and weighted."""
    columns = (
        *(Column("system", text=True), Column("truth", text=True)),
        *(Column("N"), Column("TP", digits=1), Column("FP", digits=1)),
        *(Column("FN", digits=1), Column("TN", digits=1)),
        *(Column("P"), Column("R"), Column(f_title(result)), Column("kappa")),
    )
    rows = [
        (system.name, TRUTHS[kind], round(scored.n), *_four(scored), *_prfk(scored))
        for system in result.systems
        for kind in KINDS
        for scored in [system.scored(kind)]
    ]
    notes = [
        "majority: what most raters say; weighted: a case with p of its raters for error adds "
        "p and 1 - p"
    ]
    if result.options["smooth"]:
        notes.append(f"p is smoothed by {result.options['smooth']:g} judges")
    notes += [
        f"{system.name}: cases without decision: {system.missing}"
        for system in result.systems
        if system.missing
    ]
    notes += _reasons(result)
    return Table(columns, tuple(rows), title="Detection", notes=tuple(notes))


def _prfk(scored: Scored) -> list[Cell]:
    return [cell(scored.value(name)) for name in MAIN]


def _four(scored: Scored) -> list[Cell]:
    """Whole counts as whole numbers."""
    counts = scored.counts
    return [counts.tp, counts.fp, counts.fn, counts.tn]


def _reasons(result: EvaluateResult) -> Iterator[str]:
    """Why there is no number, once for every reason."""
    reasons: dict[str, list[str]] = {}
    for system in result.systems:
        for name, reason in system.plain.undefined().items():
            if name in MAIN:
                title = short_title(name, result)
                reasons.setdefault(reason, []).append(f"{title} of {system.name}")
    yield from notes_of(reasons)


def accuracy_table(result: EvaluateResult) -> Table:
    """Accuracy, what it would be without any skill, and further measures."""
    shown = {
        "accuracy": "accuracy",
        "always_ok_accuracy": "always ok",
        "chance_accuracy": "by chance",
        "prevalence": "prevalence",
        "bias": "bias",
        "true_negative_rate": "TNR",
        "matthews_correlation": "MCC",
        "informedness": "informed",
        "markedness": "marked",
        "krippendorff_alpha": "alpha",
    }
    columns = (
        *(Column("system", text=True), Column("truth", text=True)),
        *map(Column, shown.values()),
    )
    rows = [
        (system.name, TRUTHS[kind], *(cell(system.scored(kind).value(name)) for name in shown))
        for system in result.systems
        for kind in KINDS
    ]
    notes = (
        "always ok: the accuracy of reporting nothing; prevalence: share of errors; bias: "
        "share of reports",
    )
    return Table(columns, tuple(rows), title="Accuracy beside its baselines", notes=notes)


def without_trivial_table(result: EvaluateResult) -> Table:
    """The same without cases that are ok by rule."""
    columns = (
        *(Column("system", text=True), Column("truth", text=True), Column("N")),
        *map(Column, ("P", "R", f_title(result), "kappa", "accuracy", "always ok", "prevalence")),
    )
    rows: list[Sequence[Cell]] = []
    for system in result.systems:
        both = (system.plain_without_trivial, system.weighted_without_trivial)
        for kind, scored in zip(KINDS, both, strict=True):
            if scored is None:
                continue
            more = ("accuracy", "always_ok_accuracy", "prevalence")
            rows.append(
                (
                    *(system.name, TRUTHS[kind], round(scored.n), *_prfk(scored)),
                    *(cell(scored.value(name)) for name in more),
                )
            )
    return Table(columns, tuple(rows), title="Without trivial negatives")


def correction_table(result: EvaluateResult) -> Table:
    """Counts and measures of what systems suggest."""
    columns = (
        *(Column("system", text=True), Column("truth", text=True)),
        *(Column(name, digits=1) for name in ("TP", "FP", "FN", "XYZ", "not comparable")),
        *map(Column, ("P", "R", f_title(result))),
    )
    rows: list[Sequence[Cell]] = []
    for system in result.systems:
        both = (system.correction, system.weighted_correction)
        for kind, found in zip(KINDS, both, strict=True):
            counts: list[Cell] = list(found.counts)
            if kind == "plain":
                counts = [int(count) for count in found.counts]
            values = [cell(measure.value) for measure in found.measures]
            rows.append((system.name, TRUTHS[kind], *counts, *values))
    notes = ("XYZ: writer, judges and system all differ; FP and FN at once, a TP of detection",)
    return Table(columns, tuple(rows), title="Correction", notes=notes)


def cells_table(result: EvaluateResult) -> Table:
    """Figure 3 of Chodorow et al. (2012): who has a comma."""
    columns = (
        *(Column(name, text=True) for name in ("system", "it has", "judges", "writer", "")),
        *(Column("cases", digits=1), Column("weighted", digits=1)),
    )
    there = {True: "comma", False: "none"}
    rows = [
        (
            *(system.name, there[one.plain.system], there[one.plain.annotator]),
            *(there[one.plain.writer], one.plain.outcome.upper()),
            *(one.plain.amount, one.weighted.amount),
        )
        for system in result.systems
        for one in system.cells
    ]
    return Table(columns, tuple(rows), title="Eight cells: who has a comma")
