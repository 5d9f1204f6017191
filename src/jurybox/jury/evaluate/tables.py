"""Tables of an evaluation: counts, measures, bins of agreement, raters, thresholds, stability."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple
from math import isnan
from statistics import median
from textwrap import wrap

from jurybox.errors import plural
from jurybox.jury.bootstrap import ValueInterval
from jurybox.jury.curves import REPORT_NOTHING
from jurybox.jury.evaluate.result import COMPARED, Detection, EvaluateResult
from jurybox.jury.stability import KINDS
from jurybox.jury.weighted import MAIN_MEASURES
from jurybox.name_order import in_shown_order
from jurybox.stats.confidence import caution_lines
from jurybox.tables import MISSING, Cell, Column, Table, signed


class EvaluationTables:
    """All tables of one result."""

    def __init__(self, result: EvaluateResult) -> None:
        self.result = result

    def all(self) -> list[Table]:
        """Every table, the signature under the last one."""
        tables = [table for part in self.parts().values() for table in part]
        return signed(tables, self.result.signature)

    def parts(self) -> dict[str, list[Table]]:
        """The tables by the question they answer; what was not asked for is left out."""
        result, systems = self.result, self.result.systems
        parts = {
            "counts": self._counts(),
            "agreement": [histogram_table(result), bins_table(result), contentious_table(result)],
            "raters": [raters_table(result)],
            "certainty": self._certainty(),
            "thresholds": self._over_thresholds(),
            "stability": [stability_table(result)] if any(s.stability for s in systems) else [],
            "other_corpus": [other_corpus_table(result)] if result.other_corpus is not None else [],
        }
        return {name: tables for name, tables in parts.items() if tables}

    def _counts(self) -> list[Table]:
        result, systems = self.result, self.result.systems
        tables = [summary_table(result), detection_table(result), accuracy_table(result)]
        if any(system.without_trivial for system in systems):
            tables.append(without_trivial_table(result))
        if any(system.suggests for system in systems):
            tables.append(correction_table(result))
        if any(system.cells for system in systems):
            tables.append(cells_table(result))
        return tables

    def _certainty(self) -> list[Table]:
        tables = []
        if self.result.options.ci is not None:
            tables.append(intervals_table(self.result))
            if self.result.comparisons:
                tables.append(comparisons_table(self.result))
        return tables

    def _over_thresholds(self) -> list[Table]:
        tables = []
        if any(system.curves for system in self.result.systems):
            tables.append(curves_table(self.result))
        if any(system.thresholds for system in self.result.systems):
            tables.append(thresholds_table(self.result))
        return tables


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
    by = result.options.bin_by
    columns = (
        *(Column("system", text=True), Column(by, text=True), Column("N")),
        *map(Column, ("errors", "reports", "P", "R", f_title(result), "kappa")),
    )
    rows: list[Sequence[Cell]] = []
    last = result.systems[0].bins[-1].high
    for system in result.systems:
        for one in system.bins:
            closing = "]" if one.high == last else ")"
            rows.append(
                (
                    *(system.name, f"[{one.low:g}, {one.high:g}{closing}", one.n),
                    *(cell(one.error_rate), cell(one.flag_rate)),
                    *(cell(getattr(one, name)) for name in MAIN_MEASURES),
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
        names = [one.name for one in system.raters]
        for one in in_shown_order(system.raters, names, lambda one: one.name):
            counts = one.counts
            four = (int(counts.tp), int(counts.fp), int(counts.fn), int(counts.tn))
            values = (cell(getattr(one, name)) for name in MAIN_MEASURES)
            rows.append((system.name, one.name, one.n, *four, *values))
    return Table(columns, tuple(rows), title="Each rater alone as the truth")


def _raters_summed_up(result: EvaluateResult) -> Table:
    columns = (
        *(Column("system", text=True), Column("measure", text=True), Column("raters")),
        *map(Column, ("lowest", "median", "highest")),
    )
    rows: list[Sequence[Cell]] = []
    for system in result.systems:
        for key, name in MAIN_MEASURES.items():
            found = [getattr(one, key) for one in system.raters]
            known = [value for value in found if not isnan(value)]
            spread = (min(known), median(known), max(known)) if known else (None,) * 3
            rows.append((system.name, short_title(name, result), len(known), *spread))
    notes = ("raters for whom the measure is defined; JSON and CSV have every one",)
    return Table(columns, tuple(rows), title="Each rater alone as the truth", notes=notes)


def detection_table(result: EvaluateResult) -> Table:
    """Counts and main measures of every system, by majority and weighted."""
    columns = (
        *(Column("system", text=True), Column("truth", text=True)),
        *(Column("N"), Column("TP", digits=1), Column("FP", digits=1)),
        *(Column("FN", digits=1), Column("TN", digits=1)),
        *(Column("P"), Column("R"), Column(f_title(result)), Column("kappa")),
    )
    rows = [
        (
            *(system.name, TRUTHS[kind], round(scored.n)),
            *astuple(scored.counts),
            *_prfk(scored),
        )
        for system in result.systems
        for kind in KINDS
        for scored in [system.scored(kind)]
    ]
    notes = [
        "majority: what most raters say; weighted: a case with p of its raters for error adds "
        "p and 1 - p"
    ]
    if result.options.smooth:
        notes.append(f"p is smoothed by {result.options.smooth:g} judges")
    notes += [
        f"{system.name}: cases without decision: {system.missing}"
        for system in result.systems
        if system.missing
    ]
    notes += _reasons(result)
    return Table(columns, tuple(rows), title="Detection", notes=tuple(notes))


def _prfk(scored: Detection) -> list[Cell]:
    return [cell(scored.value(name)) for name in MAIN]


def _reasons(result: EvaluateResult) -> Iterator[str]:
    """Why there is no number, once for every reason."""
    reasons: dict[str, list[str]] = {}
    for system in result.systems:
        for name, reason in system.plain.undefined.items():
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
    more = ("accuracy", "always_ok_accuracy", "prevalence")
    for system in result.systems:
        for kind, scored in zip(KINDS, system.without_trivial or (), strict=False):
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
            rows.append(
                (system.name, TRUTHS[kind], *found.counts, *map(cell, found.measures.values()))
            )
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
            *(system.name, there[one.system], there[one.annotator]),
            *(there[one.writer], one.outcome.upper()),
            *(one.amount, weighted),
        )
        for system in result.systems
        for one, weighted in system.cells
    ]
    return Table(columns, tuple(rows), title="Eight cells: who has a comma")


#: with more systems than this, pairs are compared by F and kappa alone
FEW_SYSTEMS = 3


def intervals_table(result: EvaluateResult) -> Table:
    """Intervals of the main measures."""
    ci = result.options.ci
    assert ci is not None
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
    title = f"{100 * ci.level:g} % bootstrap intervals over {ci.unit}s ({ci.resamples} resamples)"
    return Table(
        columns,
        tuple(rows),
        title=title,
        notes=(*_interval_reasons(result), *caution_lines(ci.cautions)),
    )


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
                row.append(cell(found.p_holm))
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
        for kind, curve in system.curves.items():
            row: list[Cell] = [system.name, TRUTHS[kind]]
            row += [cell(curve.auc), cell(curve.auk)]
            if kind == "weighted" and system.brier and system.calibration:
                row += [cell(system.brier.value), cell(system.brier.constant)]
                row.append(cell(system.calibration.error))
                if isnan(system.brier.value):
                    notes[f"Brier of {system.name}: {system.brier.reason}"] = None
            else:
                row += ["", "", ""]
            if "auc" in curve.undefined:
                notes[f"areas of {system.name}: {curve.undefined['auc']}"] = None
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
            counts = chosen.rest.counts
            reported, errors = counts.tp + counts.fp, counts.tp + counts.fn
            shown = "none" if chosen.reason == REPORT_NOTHING else chosen.threshold
            rows.append(
                (
                    *(system.name, TRUTHS[kind], shown),
                    *(cell(chosen.development.value), cell(chosen.rest.value)),
                    counts.tp / reported if reported else None,
                    counts.tp / errors if errors else None,
                )
            )
    title = (
        f"Threshold with the best {options.choose}, chosen on {options.develop or 0:g} of the "
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


def other_corpus_table(result: EvaluateResult) -> Table:
    """Kappa by bin beside that of another corpus, and what speaks against comparing."""
    other = result.other_corpus
    assert other is not None
    columns = (
        *(Column("here", text=True), Column("there", text=True), Column("bin", text=True)),
        *map(Column, ("N", "errors", "kappa", "N", "errors", "kappa")),
    )
    rows = [
        (
            *(pair.first, pair.second, f"{one.low:g} to {one.high:g}"),
            *(one.n[0], cell(one.error_rate[0]), cell(one.kappa[0])),
            *(one.n[1], cell(one.error_rate[1]), cell(one.kappa[1])),
        )
        for pair in other.pairs
        for one in pair.bins
    ]
    notes = []
    for caution in other.cautions:
        notes += fold(f"caution: {caution.message}")
    title = f"Kappa by bin: {result.corpus.name} here, {other.corpus.name} there"
    return Table(columns, tuple(rows), title=title, notes=tuple(notes))


WIDTH = 110
TRUTHS = {"plain": "majority", "weighted": "weighted"}
#: the measures every table has, in this order
MAIN = COMPARED
SHORT = {"precision": "P", "recall": "R", "cohen_kappa": "kappa"}


def f_title(result: EvaluateResult) -> str:
    """F with its beta."""
    return f"F{result.options.beta:g}"


def short_title(name: str, result: EvaluateResult) -> str:
    """A main measure in the head of a column."""
    return SHORT.get(name, f_title(result))


def cell(value: float) -> Cell:
    """A number, or nothing where it is undefined."""
    return None if isnan(value) else value


def interval_text(spread: ValueInterval) -> str:
    """An interval in brackets."""
    if isnan(spread.low):
        return MISSING
    return f"[{spread.low:z.4f}, {spread.high:z.4f}]"


def fold(line: str) -> list[str]:
    """A note on as many lines as the page needs."""
    return wrap(line, WIDTH, subsequent_indent="  ")


def notes_of(reasons: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Why there is no number, once for every reason: reason -> what it holds for."""
    for reason, which in reasons.items():
        yield from fold(f"{', '.join(which)}: {reason}")


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
        rows.append(("ties", f"{cases.ties} cases, {TIED[result.options.ties]}"))
    if judges.unknown:
        rows.append(("unknown", f"{judges.unknown} judgments decide nothing, and are left out"))
    if judges.on_gold:
        rows.append(("gold", f"{judges.on_gold} judgments on gold cases are left out"))
    flagged = result.flagged
    if flagged is not None:
        fate = "counted" if flagged.counted else "left out"
        who = plural(flagged.raters, "flagged rater")
        rows.append(("flagged", f"{plural(flagged.judgments, 'judgment')} by {who}, {fate}"))
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
    return MISSING if isnan(value) else f"{value:z.4f}"


def _percent(part: int, total: int) -> str:
    return f"{100 * part / total:.1f} %"
