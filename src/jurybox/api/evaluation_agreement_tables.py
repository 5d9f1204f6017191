"""Tables of `evaluate` by agreement of the raters, and with each of them as the truth."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

from jurybox.api.evaluation import EvaluateResult
from jurybox.api.evaluation_table_cells import MAIN, cell, f_title, short_title, value_cell
from jurybox.report.tables import MISSING, Cell, Column, Table

#: with more rows than this, raters are summed up
MOST_RATER_ROWS = 40


def histogram_table(result: EvaluateResult) -> Table:
    """How many cases have which agreement."""
    columns = (
        *(Column("agreement", text=True), Column("cases"), Column("share")),
        *(Column("errors"), Column("ties")),
    )
    total = sum(bar.n for bar in result.histogram)
    rows = [
        (
            f"{bar.low:.3f}" if bar.low == bar.high else f"{bar.low:.2f} to {bar.high:.2f}",
            *(bar.n, bar.n / total, bar.errors, bar.tied),
        )
        for bar in result.histogram
    ]
    return Table(columns, tuple(rows), title="Agreement of the raters")


def bins_table(result: EvaluateResult) -> Table:
    """Every system where raters agree little and much."""
    by = result.options["bin_by"]
    columns = (
        *(Column("system", text=True), Column(by, text=True), Column("N")),
        *map(Column, ("errors", "reports", "P", "R", f_title(result), "kappa")),
    )
    rows: list[Sequence[Cell]] = []
    last = result.systems[0].bins[-1].high
    for system in result.systems:
        for one in system.bins:
            closing = "]" if one.high == last else ")"
            values = [one.measure(name, beta=result.beta) for name in MAIN]
            rows.append(
                (
                    *(system.name, f"[{one.low:g}, {one.high:g}{closing}", one.n),
                    *(cell(one.error_rate), cell(one.flag_rate)),
                    *map(value_cell, values),
                )
            )
    notes = (
        f"plain counts; errors, reports: share of the cases; {MISSING}: undefined, reasons in JSON",
    )
    return Table(columns, tuple(rows), title=f"By {by}", notes=notes)


def contentious_table(result: EvaluateResult) -> Table:
    """What systems report where raters disagree."""
    columns = (
        *(Column("system", text=True), Column("contentious"), Column("reported")),
        *(Column("share"), Column("others"), Column("reported"), Column("share")),
        Column("of its reports"),
    )
    rows = [
        (
            *(system.name, one.n, one.flagged, cell(one.rate)),
            *(one.others, one.others_flagged, cell(one.others_rate)),
            cell(one.share_of_reports),
        )
        for system in result.systems
        for one in [system.contentious]
    ]
    below = result.systems[0].contentious.below
    title = f"Contentious cases (agreement below {below:g})"
    return Table(columns, tuple(rows), title=title)


def raters_table(result: EvaluateResult) -> Table:
    """Every system against every rater; many raters are summed up."""
    if len(result.systems) * result.judges.raters > MOST_RATER_ROWS:
        return _raters_summed_up(result)
    columns = (
        *(Column("system", text=True), Column("rater", text=True), Column("N")),
        *map(Column, ("TP", "FP", "FN", "TN", "P", "R", f_title(result), "kappa")),
    )
    rows: list[Sequence[Cell]] = []
    for system in result.systems:
        for one in system.raters:
            counts = one.counts
            values = [value_cell(one.measure(name, beta=result.beta)) for name in MAIN]
            four = (int(counts.tp), int(counts.fp), int(counts.fn), int(counts.tn))
            rows.append((system.name, one.rater, one.n, *four, *values))
    return Table(columns, tuple(rows), title="Each rater alone as the truth")


def _raters_summed_up(result: EvaluateResult) -> Table:
    from statistics import median

    columns = (
        *(Column("system", text=True), Column("measure", text=True), Column("raters")),
        *map(Column, ("lowest", "median", "highest")),
    )
    rows: list[Sequence[Cell]] = []
    for system in result.systems:
        for name in MAIN:
            found = [one.measure(name, beta=result.beta).value for one in system.raters]
            known = [value for value in found if not isnan(value)]
            spread = (min(known), median(known), max(known)) if known else (None,) * 3
            rows.append((system.name, short_title(name, result), len(known), *spread))
    notes = ("raters for whom the measure is defined; JSON and CSV have every one",)
    return Table(columns, tuple(rows), title="Each rater alone as the truth", notes=notes)
