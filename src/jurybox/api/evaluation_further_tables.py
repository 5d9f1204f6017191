"""Tables of `evaluate` that are asked for: intervals, thresholds, stability, another corpus."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jurybox.api.evaluation import KINDS, EvaluateResult
from jurybox.api.evaluation_table_cells import (
    MAIN,
    TRUTHS,
    cell,
    fold,
    interval_text,
    notes_of,
    short_title,
    value_cell,
)
from jurybox.report.tables import Cell, Column, Table

#: with more systems than this, pairs are compared by F and kappa alone
FEW_SYSTEMS = 3


def intervals_table(result: EvaluateResult) -> Table:
    """Bootstrap intervals of the main measures."""
    ci = result.options["ci"]
    columns = (
        *(Column("system", text=True), Column("truth", text=True)),
        *(Column(short_title(name, result), text=True) for name in MAIN),
    )
    rows = [
        (
            system.name,
            TRUTHS[kind],
            *(interval_text(system.intervals[kind][name]) for name in MAIN),
        )
        for system in result.systems
        for kind in KINDS
    ]
    title = (
        f"{100 * ci['level']:g} % bootstrap intervals over {ci['unit']}s "
        f"({ci['resamples']} resamples)"
    )
    return Table(columns, tuple(rows), title=title, notes=tuple(_interval_reasons(result)))


def _interval_reasons(result: EvaluateResult) -> Iterator[str]:
    reasons: dict[str, list[str]] = {}
    for system in result.systems:
        for kind, found in system.intervals.items():
            for name in MAIN:
                if reason := found[name].reason:
                    title = short_title(name, result)
                    which = f"{title} of {system.name} ({TRUTHS[kind]})"
                    reasons.setdefault(reason, []).append(which)
    yield from notes_of(reasons)


def comparisons_table(result: EvaluateResult) -> Table:
    """Every two systems on the same resamples."""
    few = len(result.systems) <= FEW_SYSTEMS
    names = MAIN if few else ("f_beta", "cohen_kappa")
    columns = [Column("first", text=True), Column("second", text=True), Column("", text=True)]
    for kind in KINDS:
        columns += [Column(TRUTHS[kind], signed=True), Column("interval", text=True)]
        columns.append(Column("p"))
    rows: list[Sequence[Cell]] = []
    for pair in result.comparisons:
        for name in names:
            row: list[Cell] = [pair.first, pair.second, short_title(name, result)]
            for kind in KINDS:
                found = pair.differences[kind][name]
                row += [cell(found.spread.value), interval_text(found.spread)]
                row.append(cell(pair.adjusted[kind][name]))
            rows.append(row)
    note = "first less second on the same resamples; p is two-sided"
    if len(result.comparisons) > 1:
        note += f", adjusted for {len(result.comparisons)} pairs (Holm)"
    notes = (note,) if few else (note, "JSON has precision and recall too")
    return Table(tuple(columns), tuple(rows), title="Differences between systems", notes=notes)


def curves_table(result: EvaluateResult) -> Table:
    """Areas under curves, Brier score, calibration."""
    columns = (
        *(Column("system", text=True), Column("truth", text=True)),
        *map(Column, ("AUC", "AUK", "Brier", "of mean p", "calibration")),
    )
    rows: list[Sequence[Cell]] = []
    notes: dict[str, None] = {}
    for system in result.systems:
        for kind, traced in system.curves.items():
            row: list[Cell] = [system.name, TRUTHS[kind]]
            row += [cell(traced.auc.value), cell(traced.auk.value)]
            if kind == "weighted" and system.brier and system.calibration:
                row += [cell(system.brier.value), cell(system.brier.constant)]
                row.append(cell(system.calibration.error))
                if system.brier.reason:
                    notes[f"Brier of {system.name}: {system.brier.reason}"] = None
            else:
                row += ["", "", ""]
            if traced.auc.reason:
                notes[f"areas of {system.name}: {traced.auc.reason}"] = None
            rows.append(row)
    first = "Brier: mean squared distance of scores from p, beside that of always saying mean p"
    title = "Scores over all thresholds"
    return Table(columns, tuple(rows), title=title, notes=(first, *notes))


def thresholds_table(result: EvaluateResult) -> Table:
    """Thresholds chosen on some cases and tried on the others."""
    options = result.options
    columns = (
        *(Column("system", text=True), Column("truth", text=True), Column("threshold")),
        *(Column("chosen on"), Column("rest"), Column("P"), Column("R")),
    )
    rows: list[Sequence[Cell]] = []
    for system in result.systems:
        for kind, chosen in system.thresholds.items():
            counts = chosen.rest
            reported, errors = counts.tp + counts.fp, counts.tp + counts.fn
            limit = chosen.threshold
            shown: Cell = "none" if limit == float("inf") else cell(limit)
            rows.append(
                (
                    *(system.name, TRUTHS[kind], shown),
                    *(value_cell(chosen.development_value), value_cell(chosen.rest_value)),
                    counts.tp / reported if reported else None,
                    counts.tp / errors if errors else None,
                )
            )
    title = (
        f"Threshold with the best {options['choose']}, chosen on {options['develop']:g} of the "
        "cases, reported on the rest"
    )
    return Table(columns, tuple(rows), title=title)


def stability_table(result: EvaluateResult) -> Table:
    """How far measures move when judgments change."""
    columns = (
        *(Column("system", text=True), Column("change", text=True), Column("", text=True)),
        *map(Column, ("majority", "becomes", "±", "weighted", "becomes", "±")),
    )
    rows: list[Sequence[Cell]] = []
    for system in result.systems:
        for one in system.stability:
            for name in MAIN:
                row: list[Cell] = [system.name, one.change, short_title(name, result)]
                for kind in KINDS:
                    moved = one.of(name, kind)
                    row += [cell(moved.value), cell(moved.mean), cell(moved.deviation)]
                rows.append(row)
    notes = (
        "becomes, ±: mean and standard deviation of the value over all such changes, or many",
        "where most raters agree, flipping one judgment of every case moves p to the middle: "
        "a shift, no unsteadiness",
    )
    return Table(columns, tuple(rows), title="Stability", notes=notes)


def beside_table(result: EvaluateResult) -> Table:
    """Kappa by bin beside that of another corpus, and what speaks against comparing."""
    beside = result.beside
    assert beside is not None
    columns = (
        *(Column("here", text=True), Column("there", text=True), Column("bin", text=True)),
        *map(Column, ("N", "errors", "kappa", "N", "errors", "kappa")),
    )
    rows = [
        (
            *(first, second, f"{pair.low:g} to {pair.high:g}"),
            *(pair.first.n, cell(pair.first.error_rate), value_cell(pair.kappas[0])),
            *(pair.second.n, cell(pair.second.error_rate), value_cell(pair.kappas[1])),
        )
        for first, second, pairs in beside.pairs
        for pair in pairs
    ]
    notes = []
    for caution in beside.cautions:
        notes += fold(f"caution: {caution.message}")
    title = f"Kappa by bin: {result.corpus.name} here, {beside.corpus.name} there"
    return Table(columns, tuple(rows), title=title, notes=tuple(notes))
