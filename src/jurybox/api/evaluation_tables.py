"""The tables of `evaluate`: a summary, counts, bins, raters, and what was asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isnan
from textwrap import wrap
from typing import TYPE_CHECKING

from jurybox.api.evaluation import KINDS, EvaluateResult, Scored
from jurybox.measures import MeasureValue
from jurybox.report.tables import MISSING, Cell, Column, Table

if TYPE_CHECKING:
    from jurybox.cases.bootstrap import Spread

WIDTH = 110
#: with more rows than this, raters are summed up
MOST_RATER_ROWS = 40
#: with more systems than this, pairs are compared by F and kappa alone
FEW_SYSTEMS = 3
TRUTHS = {"plain": "majority", "weighted": "weighted"}
TIED = {
    "ok": "counted as ok",
    "error": "counted as errors",
    "drop": "left out of plain counts",
    "random": "settled by a coin",
}
SHORT = {"precision": "P", "recall": "R", "cohen_kappa": "kappa"}


class EvaluationTables:
    """All tables of one result."""

    def __init__(self, result: EvaluateResult) -> None:
        self.result = result
        self.f = f"F{result.beta:g}"

    def all(self) -> list[Table]:
        """Every table, the signature under the last one."""
        tables = [table for part in self.parts().values() for table in part]
        last = tables[-1]
        tables[-1] = last._replace(notes=(*last.notes, f"signature: {self.result.signature}"))
        return tables

    def parts(self) -> dict[str, list[Table]]:
        """The tables by the question they answer; what was not asked for is left out."""
        systems = self.result.systems
        parts = {
            "counts": self._counts(),
            "agreement": [self._histogram(), self._bins(), self._contentious()],
            "raters": [self._raters()],
            "certainty": self._certainty(),
            "thresholds": self._over_thresholds(),
            "stability": [self._stability()] if any(s.stability for s in systems) else [],
            "beside": [self._beside()] if self.result.beside is not None else [],
        }
        return {name: tables for name, tables in parts.items() if tables}

    def _counts(self) -> list[Table]:
        systems = self.result.systems
        tables = [self._summary(), self._detection(), self._more()]
        if any(system.plain_without_trivial for system in systems):
            tables.append(self._without_trivial())
        if any(system.suggests for system in systems):
            tables.append(self._correction())
        if any(system.cells for system in systems):
            tables.append(self._cells())
        return tables

    def _certainty(self) -> list[Table]:
        tables = []
        if self.result.options.get("ci"):
            tables.append(self._intervals())
            if self.result.comparisons:
                tables.append(self._comparisons())
        return tables

    def _over_thresholds(self) -> list[Table]:
        tables = []
        if any(system.curves for system in self.result.systems):
            tables.append(self._curves())
        if any(system.thresholds for system in self.result.systems):
            tables.append(self._thresholds())
        return tables

    # --- what N consists of ---

    def _summary(self) -> Table:
        result = self.result
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
            ("agreement", self._agreement()),
        ]
        if cases.ties:
            rows.append(("ties", f"{cases.ties} cases, {TIED[result.options['ties']]}"))
        if judges.unknown:
            rows.append(("unknown", f"{judges.unknown} judgments decide nothing, and are left out"))
        if judges.on_gold:
            rows.append(("gold", f"{judges.on_gold} judgments on gold cases are left out"))
        notes = list(self._description())
        return Table(
            (Column("Evaluation", text=True), Column("", text=True)),
            tuple(rows),
            notes=tuple(notes),
        )

    def _agreement(self) -> str:
        total = sum(bar.n for bar in self.result.histogram)
        exact = [bar.n for bar in self.result.histogram if bar.low == 1]
        mean = self.result.histogram
        if len(mean) and all(bar.low == bar.high for bar in mean):
            share = sum(bar.low * bar.n for bar in mean) / total
            return f"{_percent(sum(exact), total)} of judged cases unanimous, mean {share:.4f}"
        return f"{_percent(mean[-1].n, total)} of judged cases from {mean[-1].low:g} up"

    def _description(self) -> Iterator[str]:
        """What N consists of, in words."""
        said = self.result.description
        lines = {
            "cases are": "; ".join(filter(None, (said.unit, said.enumeration)))
            or said.construction,
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
                yield from wrap(f"{name}: {text}", WIDTH, subsequent_indent="  ")

    # --- counts and measures ---

    def _detection(self) -> Table:
        columns = (
            *(Column("system", text=True), Column("truth", text=True)),
            *(Column("N"), Column("TP", digits=1), Column("FP", digits=1)),
            *(Column("FN", digits=1), Column("TN", digits=1)),
            *(Column("P"), Column("R"), Column(self.f), Column("kappa")),
        )
        rows = [
            (system.name, TRUTHS[kind], round(scored.n), *_four(scored), *self._prfk(scored))
            for system in self.result.systems
            for kind in KINDS
            for scored in [system.scored(kind)]
        ]
        notes = [
            "majority: what most raters say; weighted: a case with p of its raters for error adds "
            "p and 1 - p"
        ]
        if self.result.options["smooth"]:
            notes.append(f"p is smoothed by {self.result.options['smooth']:g} judges")
        notes += [
            f"{system.name}: cases without decision: {system.missing}"
            for system in self.result.systems
            if system.missing
        ]
        notes += self._reasons()
        return Table(columns, tuple(rows), title="Detection", notes=tuple(notes))

    def _prfk(self, scored: Scored) -> list[Cell]:
        names = ("precision", "recall", "f_beta", "cohen_kappa")
        return [_cell(scored.value(name)) for name in names]

    def _reasons(self) -> Iterator[str]:
        """Why there is no number, once for every reason."""
        reasons: dict[str, list[str]] = {}
        for system in self.result.systems:
            for name, reason in system.plain.undefined().items():
                if name in ("precision", "recall", "f_beta", "cohen_kappa"):
                    title = self.f if name == "f_beta" else SHORT[name]
                    reasons.setdefault(reason, []).append(f"{title} of {system.name}")
        for reason, which in reasons.items():
            yield from wrap(f"{', '.join(which)}: {reason}", WIDTH, subsequent_indent="  ")

    def _more(self) -> Table:
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
            (system.name, TRUTHS[kind], *(_cell(system.scored(kind).value(name)) for name in shown))
            for system in self.result.systems
            for kind in KINDS
        ]
        notes = (
            "always ok: the accuracy of reporting nothing; prevalence: share of errors; bias: "
            "share of reports",
        )
        return Table(columns, tuple(rows), title="Accuracy beside its baselines", notes=notes)

    def _without_trivial(self) -> Table:
        columns = (
            *(Column("system", text=True), Column("truth", text=True), Column("N")),
            *map(Column, ("P", "R", self.f, "kappa", "accuracy", "always ok", "prevalence")),
        )
        rows: list[Sequence[Cell]] = []
        for system in self.result.systems:
            both = (system.plain_without_trivial, system.weighted_without_trivial)
            for kind, scored in zip(KINDS, both, strict=True):
                if scored is None:
                    continue
                more = ("accuracy", "always_ok_accuracy", "prevalence")
                rows.append(
                    (
                        *(system.name, TRUTHS[kind], round(scored.n), *self._prfk(scored)),
                        *(_cell(scored.value(name)) for name in more),
                    )
                )
        return Table(columns, tuple(rows), title="Without trivial negatives")

    def _correction(self) -> Table:
        columns = (
            *(Column("system", text=True), Column("truth", text=True)),
            *(Column(name, digits=1) for name in ("TP", "FP", "FN", "XYZ", "not comparable")),
            *map(Column, ("P", "R", self.f)),
        )
        rows: list[Sequence[Cell]] = []
        for system in self.result.systems:
            both = (system.correction, system.weighted_correction)
            for kind, found in zip(KINDS, both, strict=True):
                counts: list[Cell] = list(found.counts)
                if kind == "plain":
                    counts = [int(count) for count in found.counts]
                values = [_cell(measure.value) for measure in found.measures]
                rows.append((system.name, TRUTHS[kind], *counts, *values))
        notes = ("XYZ: writer, judges and system all differ; FP and FN at once, a TP of detection",)
        return Table(columns, tuple(rows), title="Correction", notes=notes)

    def _cells(self) -> Table:
        columns = (
            *(Column(name, text=True) for name in ("system", "it has", "judges", "writer", "")),
            *(Column("cases", digits=1), Column("weighted", digits=1)),
        )
        there = {True: "comma", False: "none"}
        rows = [
            (
                *(system.name, there[cell.plain.system], there[cell.plain.annotator]),
                *(there[cell.plain.writer], cell.plain.outcome.upper()),
                *(cell.plain.amount, cell.weighted.amount),
            )
            for system in self.result.systems
            for cell in system.cells
        ]
        return Table(columns, tuple(rows), title="Eight cells: who has a comma")

    # --- agreement ---

    def _histogram(self) -> Table:
        columns = (
            *(Column("agreement", text=True), Column("cases"), Column("share")),
            *(Column("errors"), Column("ties")),
        )
        total = sum(bar.n for bar in self.result.histogram)
        rows = [
            (
                f"{bar.low:.3f}" if bar.low == bar.high else f"{bar.low:.2f} to {bar.high:.2f}",
                *(bar.n, bar.n / total, bar.errors, bar.tied),
            )
            for bar in self.result.histogram
        ]
        return Table(columns, tuple(rows), title="Agreement of the raters")

    def _bins(self) -> Table:
        by = self.result.options["bin_by"]
        columns = (
            *(Column("system", text=True), Column(by, text=True), Column("N")),
            *map(Column, ("errors", "reports", "P", "R", self.f, "kappa")),
        )
        rows: list[Sequence[Cell]] = []
        last = self.result.systems[0].bins[-1].high
        for system in self.result.systems:
            for one in system.bins:
                closing = "]" if one.high == last else ")"
                names = ("precision", "recall", "f_beta", "cohen_kappa")
                values = [one.measure(name, beta=self.result.beta) for name in names]
                rows.append(
                    (
                        *(system.name, f"[{one.low:g}, {one.high:g}{closing}", one.n),
                        *(_cell(one.error_rate), _cell(one.flag_rate)),
                        *(_cell(value.value) for value in values),
                    )
                )
        notes = (
            f"plain counts; errors, reports: share of the cases; {MISSING}: undefined, reasons in "
            "JSON",
        )
        return Table(columns, tuple(rows), title=f"By {by}", notes=notes)

    def _contentious(self) -> Table:
        columns = (
            *(Column("system", text=True), Column("contentious"), Column("reported")),
            *(Column("share"), Column("others"), Column("reported"), Column("share")),
            Column("of its reports"),
        )
        rows = [
            (
                *(system.name, one.n, one.flagged, _cell(one.rate)),
                *(one.others, one.others_flagged, _cell(one.others_rate)),
                _cell(one.share_of_reports),
            )
            for system in self.result.systems
            for one in [system.contentious]
        ]
        below = self.result.systems[0].contentious.below
        title = f"Contentious cases (agreement below {below:g})"
        return Table(columns, tuple(rows), title=title)

    def _raters(self) -> Table:
        result = self.result
        if len(result.systems) * result.judges.raters > MOST_RATER_ROWS:
            return self._raters_summed_up()
        columns = (
            *(Column("system", text=True), Column("rater", text=True), Column("N")),
            *map(Column, ("TP", "FP", "FN", "TN", "P", "R", self.f, "kappa")),
        )
        rows: list[Sequence[Cell]] = []
        for system in result.systems:
            for one in system.raters:
                counts = one.counts
                names = ("precision", "recall", "f_beta", "cohen_kappa")
                values = [_of(one.measure(name, beta=result.beta)) for name in names]
                four = (int(counts.tp), int(counts.fp), int(counts.fn), int(counts.tn))
                rows.append((system.name, one.rater, one.n, *four, *values))
        return Table(columns, tuple(rows), title="Each rater alone as the truth")

    def _raters_summed_up(self) -> Table:
        from statistics import median

        columns = (
            *(Column("system", text=True), Column("measure", text=True), Column("raters")),
            *map(Column, ("lowest", "median", "highest")),
        )
        rows: list[Sequence[Cell]] = []
        for system in self.result.systems:
            for name in ("precision", "recall", "f_beta", "cohen_kappa"):
                found = [one.measure(name, beta=self.result.beta).value for one in system.raters]
                known = [value for value in found if not isnan(value)]
                spread = (min(known), median(known), max(known)) if known else (None,) * 3
                rows.append((system.name, SHORT.get(name, self.f), len(known), *spread))
        notes = ("raters for whom the measure is defined; JSON and CSV have every one",)
        return Table(columns, tuple(rows), title="Each rater alone as the truth", notes=notes)

    # --- what was asked for ---

    def _intervals(self) -> Table:
        ci = self.result.options["ci"]
        names = {"precision": "P", "recall": "R", "f_beta": self.f, "cohen_kappa": "kappa"}
        columns = (
            *(Column("system", text=True), Column("truth", text=True)),
            *(Column(title, text=True) for title in names.values()),
        )
        rows = [
            (
                system.name,
                TRUTHS[kind],
                *(_interval(system.intervals[kind][name]) for name in names),
            )
            for system in self.result.systems
            for kind in KINDS
        ]
        title = (
            f"{100 * ci['level']:g} % bootstrap intervals over {ci['unit']}s "
            f"({ci['resamples']} resamples)"
        )
        return Table(columns, tuple(rows), title=title, notes=tuple(self._interval_reasons()))

    def _interval_reasons(self) -> Iterator[str]:
        reasons: dict[str, list[str]] = {}
        for system in self.result.systems:
            for kind, found in system.intervals.items():
                for name in ("precision", "recall", "f_beta", "cohen_kappa"):
                    if reason := found[name].reason:
                        title = SHORT.get(name, self.f)
                        which = f"{title} of {system.name} ({TRUTHS[kind]})"
                        reasons.setdefault(reason, []).append(which)
        for reason, listed in reasons.items():
            yield from wrap(f"{', '.join(listed)}: {reason}", WIDTH, subsequent_indent="  ")

    def _comparisons(self) -> Table:
        few = len(self.result.systems) <= FEW_SYSTEMS
        names = (
            ("precision", "recall", "f_beta", "cohen_kappa") if few else ("f_beta", "cohen_kappa")
        )
        columns = [Column("first", text=True), Column("second", text=True), Column("", text=True)]
        for kind in KINDS:
            columns += [Column(TRUTHS[kind], signed=True), Column("interval", text=True)]
            columns.append(Column("p"))
        rows: list[Sequence[Cell]] = []
        for pair in self.result.comparisons:
            for name in names:
                row: list[Cell] = [pair.first, pair.second, SHORT.get(name, self.f)]
                for kind in KINDS:
                    found = pair.differences[kind][name]
                    row += [_cell(found.spread.value), _interval(found.spread)]
                    row.append(_cell(pair.adjusted[kind][name]))
                rows.append(row)
        note = "first less second on the same resamples; p is two-sided"
        if len(self.result.comparisons) > 1:
            note += f", adjusted for {len(self.result.comparisons)} pairs (Holm)"
        notes = (note,) if few else (note, "JSON has precision and recall too")
        return Table(tuple(columns), tuple(rows), title="Differences between systems", notes=notes)

    def _curves(self) -> Table:
        columns = (
            *(Column("system", text=True), Column("truth", text=True)),
            *map(Column, ("AUC", "AUK", "Brier", "of mean p", "calibration")),
        )
        rows: list[Sequence[Cell]] = []
        notes: dict[str, None] = {}
        for system in self.result.systems:
            for kind, traced in system.curves.items():
                row: list[Cell] = [system.name, TRUTHS[kind]]
                row += [_cell(traced.auc.value), _cell(traced.auk.value)]
                if kind == "weighted" and system.brier and system.calibration:
                    row += [_cell(system.brier.value), _cell(system.brier.constant)]
                    row.append(_cell(system.calibration.error))
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

    def _thresholds(self) -> Table:
        options = self.result.options
        columns = (
            *(Column("system", text=True), Column("truth", text=True), Column("threshold")),
            *(Column("chosen on"), Column("rest"), Column("P"), Column("R")),
        )
        rows: list[Sequence[Cell]] = []
        for system in self.result.systems:
            for kind, chosen in system.thresholds.items():
                counts = chosen.rest
                reported, errors = counts.tp + counts.fp, counts.tp + counts.fn
                limit = chosen.threshold
                shown: Cell = "none" if limit == float("inf") else _cell(limit)
                rows.append(
                    (
                        *(system.name, TRUTHS[kind], shown),
                        *(_of(chosen.development_value), _of(chosen.rest_value)),
                        counts.tp / reported if reported else None,
                        counts.tp / errors if errors else None,
                    )
                )
        title = (
            f"Threshold with the best {options['choose']}, chosen on {options['develop']:g} of the "
            "cases, reported on the rest"
        )
        return Table(columns, tuple(rows), title=title)

    def _stability(self) -> Table:
        columns = (
            *(Column("system", text=True), Column("change", text=True), Column("", text=True)),
            *map(Column, ("majority", "becomes", "±", "weighted", "becomes", "±")),
        )
        rows: list[Sequence[Cell]] = []
        for system in self.result.systems:
            for one in system.stability:
                for name in ("precision", "recall", "f_beta", "cohen_kappa"):
                    row: list[Cell] = [system.name, one.change, SHORT.get(name, self.f)]
                    for kind in KINDS:
                        moved = one.of(name, kind)
                        row += [_cell(moved.value), _cell(moved.mean), _cell(moved.deviation)]
                    rows.append(row)
        notes = (
            "becomes, ±: mean and standard deviation of the value over all such changes, or many",
            "where most raters agree, flipping one judgment of every case moves p to the middle: "
            "a shift, no unsteadiness",
        )
        return Table(columns, tuple(rows), title="Stability", notes=notes)

    def _beside(self) -> Table:
        beside = self.result.beside
        assert beside is not None
        columns = (
            *(Column("here", text=True), Column("there", text=True), Column("bin", text=True)),
            *map(Column, ("N", "errors", "kappa", "N", "errors", "kappa")),
        )
        rows = [
            (
                *(first, second, f"{pair.low:g} to {pair.high:g}"),
                *(pair.first.n, _cell(pair.first.error_rate), _of(pair.kappas[0])),
                *(pair.second.n, _cell(pair.second.error_rate), _of(pair.kappas[1])),
            )
            for first, second, pairs in beside.pairs
            for pair in pairs
        ]
        notes = []
        for caution in beside.cautions:
            notes += wrap(f"caution: {caution.message}", WIDTH, subsequent_indent="  ")
        title = f"Kappa by bin: {self.result.corpus.name} here, {beside.corpus.name} there"
        return Table(columns, tuple(rows), title=title, notes=tuple(notes))


def _four(scored: Scored) -> list[Cell]:
    """Whole counts as whole numbers."""
    counts = scored.counts
    return [counts.tp, counts.fp, counts.fn, counts.tn]


def _cell(value: float) -> Cell:
    return None if isnan(value) else value


def _of(value: MeasureValue) -> Cell:
    return _cell(value.value)


def _rate(value: float) -> str:
    return MISSING if isnan(value) else f"{value:.4f}"


def _percent(part: int, total: int) -> str:
    return f"{100 * part / total:.1f} %"


def _interval(spread: Spread) -> str:
    if isnan(spread.low):
        return MISSING
    return f"[{spread.low:.4f}, {spread.high:.4f}]"
