"""Tables of an evaluation: counts, measures, bins of agreement, raters, thresholds, stability."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple
from math import isnan
from statistics import median
from textwrap import wrap

from jurybox.errors import plural
from jurybox.jury.bootstrap import ValueInterval
from jurybox.jury.curves import REPORT_NOTHING
from jurybox.jury.evaluate.result import COMPARED, EvaluateResult
from jurybox.jury.stability import KINDS
from jurybox.jury.weighted import MAIN_MEASURES
from jurybox.metrics.measures import MEASURES
from jurybox.stats.confidence import caution_lines
from jurybox.tables import MISSING, Cell, Column, Table, in_shown_order, signed

#: longer notes are wrapped
WIDTH = 110
TRUTHS = {"plain": "majority", "weighted": "weighted"}
#: the measures every table has, in this order
MAIN = COMPARED
SHORT = {"precision": "P", "recall": "R", "cohen_kappa": "kappa"}
TIED = {
    "ok": "counted as ok",
    "error": "counted as errors",
    "drop": "left out of plain counts",
    "random": "settled by a coin",
}
KIND_TITLES = {"extraneous": "extraneous", "wrong": "wrong choice", "missing": "missing"}
#: further columns of accuracy_table
ACCURACY = {
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
#: recalls at which curves are shown
RECALL_LEVELS = (0.1, 0.25, 0.5, 0.75, 0.9)
#: with more rows than this, raters are summed up
MOST_RATER_ROWS = 40
#: with more systems than this, pairs are compared by F and kappa alone
FEW_SYSTEMS = 3


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
        always = True
        wanted = {
            "counts": {
                summary_table: always,
                detection_table: always,
                accuracy_table: always,
                without_trivial_table: any(system.without_trivial for system in systems),
                # one kind alone has the numbers of all cases
                kinds_table: any(len(system.kinds) > 1 for system in systems),
                correction_table: any(system.suggests for system in systems),
                text_accuracy_table: any(system.text_accuracy for system in systems),
                cells_table: any(system.cells for system in systems),
            },
            "agreement": {histogram_table: always, bins_table: always, contentious_table: always},
            "raters": {raters_table: always},
            "certainty": {
                intervals_table: result.options.ci is not None,
                comparisons_table: bool(result.comparisons),
            },
            "thresholds": {
                curves_table: any(system.curves for system in systems),
                curve_points_table: any(system.curves for system in systems),
                thresholds_table: any(system.thresholds for system in systems),
            },
            "stability": {stability_table: any(system.stability for system in systems)},
            "other_corpus": {other_corpus_table: result.other_corpus is not None},
        }
        return {
            name: [table(result) for table, asked in tables.items() if asked]
            for name, tables in wanted.items()
            if any(tables.values())
        }


def _text(*titles: str) -> tuple[Column, ...]:
    return tuple(Column(title, text=True) for title in titles)


def _numbers(*titles: str, digits: int = 4) -> tuple[Column, ...]:
    return tuple(Column(title, digits) for title in titles)


def short_title(name: str, result: EvaluateResult) -> str:
    """A main measure in the head of a column: F has its beta."""
    return SHORT.get(name, f"F{result.options.beta:g}")


def _main_columns(result: EvaluateResult) -> tuple[Column, ...]:
    return _numbers(*(short_title(name, result) for name in MAIN))


def interval_text(spread: ValueInterval) -> str:
    """An interval in brackets."""
    return MISSING if isnan(spread.low) else f"[{spread.low:z.4f}, {spread.high:z.4f}]"


def fold(line: str) -> list[str]:
    """A note on as many lines as the page needs."""
    return wrap(line, WIDTH, subsequent_indent="  ")


def _reasons(found: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Why there is no number, once for every reason; given are what has none, and the reason."""
    reasons: dict[str, list[str]] = {}
    for which, reason in found:
        if reason:
            reasons.setdefault(reason, []).append(which)
    for reason, without in reasons.items():
        yield from fold(f"{', '.join(without)}: {reason}")


# --- counts ---


def summary_table(result: EvaluateResult) -> Table:
    """What N consists of, who judged, and how far they agree."""
    cases, judges, flagged = result.cases, result.judges, result.flagged
    parts = {
        "judged": cases.judged,
        "trivial (ok by rule)": cases.trivial,
        "not judged and not counted": cases.unjudged,
        "gold ones left out": cases.gold,
        "with a spoiled context left out": cases.spoiled,
    }
    listed = [f"{count} {what}" for what, count in parts.items() if count or what == "judged"]
    fewest, middle, most = judges.per_case
    each = f"{fewest}" if fewest == most else f"{fewest} to {most} (median {middle:g})"
    rate = MISSING if isnan(result.error_rate) else f"{result.error_rate:z.4f}"
    rows: list[Sequence[Cell]] = [
        ("cases", f"{cases.n}: {', '.join(listed)}"),
        ("raters", f"{judges.raters}, {judges.judgments} judgments, {each} per case"),
        (
            "error rate",
            f"{rate} by the majority, {result.graded_error_rate:z.4f} by the share of judges",
        ),
        ("agreement", _agreement(result)),
    ]
    if cases.ties:
        rows.append(("ties", f"{cases.ties} cases, {TIED[result.options.ties]}"))
    if judges.unknown:
        rows.append(("unknown", f"{judges.unknown} judgments decide nothing, and are left out"))
    if judges.on_gold:
        rows.append(("gold", f"{judges.on_gold} judgments on gold cases are left out"))
    if flagged is not None:
        fate = "counted" if flagged.counted else "left out"
        who = plural(flagged.raters, "flagged rater")
        rows.append(("flagged", f"{plural(flagged.judgments, 'judgment')} by {who}, {fate}"))
    return Table(_text("Evaluation", ""), tuple(rows), notes=tuple(_description(result)))


def _agreement(result: EvaluateResult) -> str:
    bars = result.histogram
    total = sum(bar.n for bar in bars)
    if all(bar.low == bar.high for bar in bars):
        unanimous = 100 * sum(bar.n for bar in bars if bar.low == 1) / total
        mean = sum(bar.low * bar.n for bar in bars) / total
        return f"{unanimous:.1f} % of judged cases unanimous, mean {mean:.4f}"
    return f"{100 * bars[-1].n / total:.1f} % of judged cases from {bars[-1].low:g} up"


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
    for name, text in lines.items():
        if text:
            yield from fold(f"{name}: {text}")


def detection_table(result: EvaluateResult) -> Table:
    """Counts and main measures of every system, by majority and weighted."""
    columns = (
        *_text("system", "truth"),
        *_numbers("N", "TP", "FP", "FN", "TN", digits=1),
        *_main_columns(result),
    )
    rows = [
        (
            *(system.name, TRUTHS[kind], round(scored.n), *astuple(scored.counts)),
            *map(scored.value, MAIN),
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
    notes += _reasons(
        (f"{short_title(name, result)} of {system.name}", reason)
        for system in result.systems
        for name, reason in system.plain.undefined.items()
        if name in MAIN
    )
    return Table(columns, tuple(rows), title="Detection", notes=tuple(notes))


def accuracy_table(result: EvaluateResult) -> Table:
    """Accuracy, what it would be without any skill, and other measures."""
    rows: list[Sequence[Cell]] = [
        (system.name, TRUTHS[kind], *map(system.scored(kind).value, ACCURACY))
        for system in result.systems
        for kind in KINDS
    ]
    notes = (
        "always ok: the accuracy of reporting nothing; prevalence: share of errors; bias: "
        "share of reports",
    )
    columns = (*_text("system", "truth"), *_numbers(*ACCURACY.values()))
    return Table(columns, tuple(rows), title="Accuracy beside its baselines", notes=notes)


def without_trivial_table(result: EvaluateResult) -> Table:
    """The same without cases that are ok by rule."""
    more = ("accuracy", "always_ok_accuracy", "prevalence")
    columns = (
        *(*_text("system", "truth"), Column("N"), *_main_columns(result)),
        *_numbers(*(ACCURACY[name] for name in more)),
    )
    rows: list[Sequence[Cell]] = [
        (system.name, TRUTHS[kind], round(scored.n), *map(scored.value, (*MAIN, *more)))
        for system in result.systems
        for kind, scored in zip(KINDS, system.without_trivial or (), strict=False)
    ]
    return Table(columns, tuple(rows), title="Without trivial negatives")


def kinds_table(result: EvaluateResult) -> Table:
    """Extraneous words, wrong choices and missing words, each as a question of its own."""
    columns = (
        *_text("system", "kind", "truth"),
        *_numbers("N", "TP", "FP", "FN", "TN", digits=1),
        *_main_columns(result),
    )
    found = [(system, one) for system in result.systems for one in system.kinds]
    rows = [
        (
            *(system.name, KIND_TITLES[one.kind], TRUTHS[truth], one.n, *astuple(scored.counts)),
            *map(scored.value, MAIN),
        )
        for system, one in found
        for truth, scored in zip(KINDS, (one.plain, one.weighted), strict=True)
    ]
    notes = [
        "each kind is a question of its own: a rater who would replace a word says that it is not "
        "extraneous"
    ]
    if unknown := max((one.unknown for _, one in found), default=0):
        notes.append(f"judgments that do not tell the kind, not counted: {unknown}")
    notes += dict.fromkeys(
        f"{system.name}: reports without a suggestion count for every kind: {one.unclear}; "
        "precision is a lower bound"
        for system, one in found
        if one.unclear
    )
    notes += _reasons(
        (f"{short_title(name, result)} of {system.name} ({KIND_TITLES[one.kind]})", reason)
        for system, one in found
        for name, reason in one.plain.undefined.items()
        if name in MAIN
    )
    return Table(columns, tuple(rows), title="By kind of error", notes=tuple(notes))


def correction_table(result: EvaluateResult) -> Table:
    """Counts and measures of what systems suggest."""
    columns = (
        *_text("system", "truth"),
        *_numbers("TP", "FP", "FN", "XYZ", "not comparable", digits=1),
        *_main_columns(result)[:3],
    )
    rows: list[Sequence[Cell]] = [
        (system.name, TRUTHS[kind], *found.counts, *found.measures.values())
        for system in result.systems
        for kind, found in zip(KINDS, (system.correction, system.weighted_correction), strict=True)
    ]
    notes = ("XYZ: writer, judges and system all differ; FP and FN at once, a TP of detection",)
    return Table(columns, tuple(rows), title="Correction", notes=notes)


def text_accuracy_table(result: EvaluateResult) -> Table:
    """How much of the text is right before and after each system corrects it."""
    rows: list[Sequence[Cell]] = [
        (
            *(system.name, TRUTHS[kind], round(one.n), one.errors, one.fixed, one.broken),
            *(one.before, one.after, one.change),
        )
        for system in result.systems
        for kind, one in system.text_accuracy.items()
    ]
    notes = [
        "before: share of cases that are right as written, what always ok gets; after: as the "
        "system has them",
    ]
    notes += [
        f"{system.name}: {one.uncomparable:.4g} of the errors that it changes cannot be compared "
        f"and count as wrong ({TRUTHS[kind]})"
        for system in result.systems
        for kind, one in system.text_accuracy.items()
        if one.uncomparable
    ]
    columns = (
        *_text("system", "truth"),
        *_numbers("N", "errors", "fixed", "broken", digits=1),
        *_numbers("before", "after"),
        Column("change", signed=True),
    )
    title = "Accuracy of the text before and after correction"
    return Table(columns, tuple(rows), title=title, notes=tuple(notes))


def cells_table(result: EvaluateResult) -> Table:
    """Figure 3 of Chodorow et al. (2012): who has a comma."""
    columns = (
        *_text("system", "it has", "judges", "writer", ""),
        *_numbers("cases", "weighted", digits=1),
    )
    there = {True: "comma", False: "none"}
    rows = [
        (
            *(system.name, there[one.system], there[one.annotator], there[one.writer]),
            *(one.outcome.upper(), one.amount, weighted),
        )
        for system in result.systems
        for one, weighted in system.cells
    ]
    return Table(columns, tuple(rows), title="Eight cells: who has a comma")


# --- agreement, raters ---


def histogram_table(result: EvaluateResult) -> Table:
    """How many cases have which agreement."""
    total = sum(bar.n for bar in result.histogram)
    rows = [
        (
            f"{bar.low:.3f}" if bar.low == bar.high else f"{bar.low:.2f} to {bar.high:.2f}",
            *(bar.n, bar.n / total, bar.errors, bar.tied),
        )
        for bar in result.histogram
    ]
    columns = (*_text("agreement"), *_numbers("cases", "share", "errors", "ties"))
    return Table(columns, tuple(rows), title="Agreement of the raters")


def bins_table(result: EvaluateResult) -> Table:
    """Every system where raters agree little and much."""
    by = result.options.bin_by
    columns = (
        *(*_text("system", by), *_numbers("N", "errors", "reports")),
        *_main_columns(result),
    )
    last = result.systems[0].bins[-1].high
    rows = [
        (
            *(system.name, f"[{one.low:g}, {one.high:g}{']' if one.high == last else ')'}"),
            *(one.n, one.error_rate, one.flag_rate),
            *(getattr(one, name) for name in MAIN_MEASURES),
        )
        for system in result.systems
        for one in system.bins
    ]
    notes = (
        f"plain counts; errors, reports: share of the cases; {MISSING}: undefined, reasons in JSON",
    )
    return Table(columns, tuple(rows), title=f"By {by}", notes=notes)


def contentious_table(result: EvaluateResult) -> Table:
    """What systems report where raters disagree."""
    columns = (
        *(*_text("system"), *_numbers("contentious", "reported", "share")),
        *_numbers("others", "reported", "share", "of its reports"),
    )
    rows = [
        (
            *(system.name, one.n, one.flagged, one.rate),
            *(one.others, one.others_flagged, one.others_rate, one.share_of_reports),
        )
        for system in result.systems
        for one in [system.contentious]
    ]
    below = result.systems[0].contentious.below
    return Table(columns, tuple(rows), title=f"Contentious cases (agreement below {below:g})")


def raters_table(result: EvaluateResult) -> Table:
    """Every system against every rater; many raters are summed up."""
    title = "Each rater alone as the truth"
    rows: list[Sequence[Cell]] = []
    if len(result.systems) * result.judges.raters > MOST_RATER_ROWS:
        for system in result.systems:
            for key, name in MAIN_MEASURES.items():
                found = [getattr(one, key) for one in system.raters]
                known = [value for value in found if not isnan(value)]
                spread = (min(known), median(known), max(known)) if known else (None,) * 3
                rows.append((system.name, short_title(name, result), len(known), *spread))
        columns = _text("system", "measure") + _numbers("raters", "lowest", "median", "highest")
        notes = ("raters for whom the measure is defined; JSON and CSV have every one",)
        return Table(columns, tuple(rows), title=title, notes=notes)
    for system in result.systems:
        names = [one.name for one in system.raters]
        for one in in_shown_order(system.raters, names, lambda one: one.name):
            values = (getattr(one, name) for name in MAIN_MEASURES)
            rows.append((system.name, one.name, one.n, *map(int, astuple(one.counts)), *values))
    columns = _text("system", "rater") + _numbers("N", "TP", "FP", "FN", "TN")
    return Table((*columns, *_main_columns(result)), tuple(rows), title=title)


# --- intervals and differences ---


def intervals_table(result: EvaluateResult) -> Table:
    """Intervals of the main measures."""
    ci = result.options.ci
    assert ci is not None
    rows = [
        (
            *(system.name, TRUTHS[kind]),
            *(interval_text(system.intervals[kind][name]) for name in MAIN),
        )
        for system in result.systems
        for kind in KINDS
    ]
    reasons = _reasons(
        (f"{short_title(name, result)} of {system.name} ({TRUTHS[kind]})", found[name].reason)
        for system in result.systems
        for kind, found in system.intervals.items()
        for name in MAIN
    )
    return Table(
        _text("system", "truth", *(short_title(name, result) for name in MAIN)),
        tuple(rows),
        title=f"{100 * ci.level:g} % bootstrap intervals over {ci.unit}s "
        f"({ci.resamples} resamples)",
        notes=(*reasons, *caution_lines(ci.cautions)),
    )


def comparisons_table(result: EvaluateResult) -> Table:
    """Every two systems on the same resamples."""
    few = len(result.systems) <= FEW_SYSTEMS
    columns = list(_text("first", "second", ""))
    for kind in KINDS:
        columns += [Column(TRUTHS[kind], signed=True), *_text("interval"), Column("p")]
    rows: list[Sequence[Cell]] = []
    for pair in result.comparisons:
        for name in MAIN if few else ("f_beta", "cohen_kappa"):
            row: list[Cell] = [pair.first, pair.second, short_title(name, result)]
            for kind in KINDS:
                found = pair.differences[kind][name]
                row += [found.spread.value, interval_text(found.spread), found.p_holm]
            rows.append(row)
    note = "first less second on the same resamples; p is two-sided"
    if len(result.comparisons) > 1:
        note += f", adjusted for {len(result.comparisons)} pairs (Holm)"
    notes = (note,) if few else (note, "JSON has precision and recall too")
    return Table(tuple(columns), tuple(rows), title="Differences between systems", notes=notes)


# --- thresholds ---


def curves_table(result: EvaluateResult) -> Table:
    """Areas under curves, Brier score, calibration."""
    rows: list[Sequence[Cell]] = []
    notes = {
        "Brier: mean squared distance of scores from p, beside that of always saying mean p": None
    }
    for system in result.systems:
        brier, calibration = system.brier, system.calibration
        for kind, curve in system.curves.items():
            more: list[Cell] = ["", "", ""]
            if kind == "weighted" and brier and calibration:
                more = [brier.value, brier.constant, calibration.error]
                if isnan(brier.value):
                    notes[f"Brier of {system.name}: {brier.reason}"] = None
            if "auc" in curve.undefined:
                notes[f"areas of {system.name}: {curve.undefined['auc']}"] = None
            areas = (curve.auc, curve.auk, curve.average_precision)
            rows.append((system.name, TRUTHS[kind], *areas, *more))
    numbers = _numbers("AUC", "AUK", "AP", "Brier", "of mean p", "calibration")
    columns = _text("system", "truth") + numbers
    return Table(columns, tuple(rows), title="Scores over all thresholds", notes=tuple(notes))


def curve_points_table(result: EvaluateResult) -> Table:
    """Where curves of precision against recall reach some recalls, with the bias there."""
    rows: list[Sequence[Cell]] = []
    for system in result.systems:
        for kind, curve in system.curves.items():
            reached = (
                next((one for one in curve.points if one.recall >= level), None)
                for level in RECALL_LEVELS
            )
            for one in dict.fromkeys(point for point in reached if point is not None):
                measures = (one.bias, one.precision, one.recall, one.f1, one.kappa)
                rows.append((system.name, TRUTHS[kind], one.threshold, *measures))
    *levels, last = map(str, RECALL_LEVELS)
    notes = (
        f"the highest threshold that reaches a recall of {', '.join(levels)} and {last}; bias: "
        "share of reports",
        "JSON has up to 200 points of every curve, --plot pr-curve draws them",
    )
    columns = _text("system", "truth") + _numbers("threshold", "bias", "P", "R", "F1", "kappa")
    return Table(columns, tuple(rows), title="Precision-recall curve", notes=notes)


def thresholds_table(result: EvaluateResult) -> Table:
    """Thresholds chosen on some cases and tried on the others."""
    rows: list[Sequence[Cell]] = []
    for system in result.systems:
        for kind, chosen in system.thresholds.items():
            counts = chosen.rest.counts
            shown = "none" if chosen.reason == REPORT_NOTHING else chosen.threshold
            rows.append(
                (
                    *(system.name, TRUTHS[kind], shown),
                    *(chosen.development.value, chosen.rest.value),
                    *(MEASURES[name].value(counts) for name in ("precision", "recall")),
                )
            )
    columns = _text("system", "truth") + _numbers("threshold", "chosen on", "rest", "P", "R")
    title = (
        f"Threshold with the best {result.options.choose}, chosen on "
        f"{result.options.develop or 0:g} of the cases, reported on the rest"
    )
    return Table(columns, tuple(rows), title=title)


# --- stability, another corpus ---


def stability_table(result: EvaluateResult) -> Table:
    """How far measures move when judgments change."""
    rows: list[Sequence[Cell]] = []
    for system in result.systems:
        for one in system.stability:
            for name in MAIN:
                row: list[Cell] = [system.name, one.change, short_title(name, result)]
                for moved in (one.of(name, kind) for kind in KINDS):
                    row += [moved.value, moved.mean, moved.deviation]
                rows.append(row)
    notes = (
        "becomes, ±: mean and standard deviation of the value over all such changes, or many",
        "where most raters agree, flipping one judgment of every case moves p to the middle: "
        "a shift, no unsteadiness",
    )
    numbers = _numbers("majority", "becomes", "±", "weighted", "becomes", "±")
    columns = (*_text("system", "change", ""), *numbers)
    return Table(columns, tuple(rows), title="Stability", notes=notes)


def other_corpus_table(result: EvaluateResult) -> Table:
    """Kappa by bin here and in another corpus, and what speaks against comparing."""
    other = result.other_corpus
    assert other is not None
    rows = [
        (
            *(pair.first, pair.second, f"{one.low:g} to {one.high:g}"),
            *(one.n[0], one.error_rate[0], one.kappa[0]),
            *(one.n[1], one.error_rate[1], one.kappa[1]),
        )
        for pair in other.pairs
        for one in pair.bins
    ]
    notes = [line for caution in other.cautions for line in fold(f"caution: {caution.message}")]
    numbers = _numbers("N", "errors", "kappa", "N", "errors", "kappa")
    columns = (*_text("here", "there", "bin"), *numbers)
    title = f"Kappa by bin: {result.corpus.name} here, {other.corpus.name} there"
    return Table(columns, tuple(rows), title=title, notes=tuple(notes))
