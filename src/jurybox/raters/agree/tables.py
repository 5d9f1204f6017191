"""The tables of `agree`: what was judged, coefficients, pairs, and what else the data allow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from math import isnan
from textwrap import wrap
from typing import TYPE_CHECKING

from jurybox.errors import plural
from jurybox.raters.agree.choices import ChoiceFindings
from jurybox.raters.agree.crowd import FEW_CASES as FEW_IN_CROWD
from jurybox.raters.agree.crowd import CrowdFindings, ExpertFindings
from jurybox.raters.agree.subgroups import BatchRow, ModelEffect, SelfFindings
from jurybox.raters.intervals import FEW_JUDGMENTS
from jurybox.raters.named_coefficients import Coefficient
from jurybox.raters.pairs import DeniedErrors, RaterPair
from jurybox.tables import MISSING, Cell, Column, Table, names_of_pairs, signed

if TYPE_CHECKING:
    from jurybox.raters.agree.result import AgreeResult

WIDTH = 110
#: with more points than this the curve is shown only if that is asked for
MOST_POINTS = 24
SOME_SIZES = (1, 2, 3, 5, 7, 10, 15, 20, 30, 40)
MOST_LABELS = 12
#: with more pairs than this whose kappa rests on next to nothing, they are counted
MOST_CAUTIONS = 3
TITLES = {
    "observed": "observed agreement",
    "fleiss_kappa": "Fleiss' kappa",
    "ac1": "Gwet's AC1",
    "alpha_nominal": "Krippendorff's alpha, nominal",
    "alpha_ordinal": "Krippendorff's alpha, ordinal",
    "alpha_interval": "Krippendorff's alpha, interval",
    "alpha_ratio": "Krippendorff's alpha, ratio",
}
#: with more rows than this pairs and raters are listed only if that is asked for
MOST_ROWS = 15
TIES = {"random": "by lot", "drop": "by leaving the case out"}


def columns(*titles: str, text: int = 1) -> tuple[Column, ...]:
    """Columns by their titles; the first ones hold text."""
    return tuple(Column(title, text=place < text) for place, title in enumerate(titles))


class AgreeTables:
    """All tables of one result."""

    def __init__(self, result: AgreeResult) -> None:
        self.result = result

    def all(self) -> list[Table]:
        """Every table, the signature under the last one."""
        tables = [table for part in self.parts().values() for table in part]
        return signed(tables, self.result.signature)

    def parts(self) -> dict[str, list[Table]]:
        """The tables by the question they answer; what the data do not have is left out."""
        parts = {
            "agreement": [self._summary(), self._coefficients()],
            "crowd": list(self._crowd()),
            "pairs": list(self._pairs()),
            "further": list(self._subgroups()),
        }
        return {name: tables for name, tables in parts.items() if tables}

    def _ends(self, low: float, high: float) -> str:
        """An interval behind a number; nothing where there is none."""
        level = self.result.options.ci_level
        return "" if isnan(low) else f", {level:.0%} CI {low:.3f} to {high:.3f}"

    # --- all together ---

    def _summary(self) -> Table:
        sizes, labels = self.result.sizes, self.result.labels
        fewest, median, most = sizes.per_case
        each = f"{fewest}" if fewest == most else f"{fewest} to {most} (median {median:g})"
        counts = list(labels.items())
        if self.result.scale == "nominal":
            counts.sort(key=lambda one: -one[1])
        shown = ", ".join(f"{label} {count}" for label, count in counts[:MOST_LABELS])
        more = f" and {len(counts) - MOST_LABELS} more" if len(counts) > MOST_LABELS else ""
        rows: list[Sequence[Cell]] = [
            ("cases", f"{sizes.cases}"),
            ("raters", f"{sizes.raters}, {sizes.judgments} judgments, {each} per case"),
            ("labels", shown + more),
            *(("left out", text) for text in self._left_out()),
        ]
        return Table(columns("Raters", "", text=2), tuple(rows))

    def _left_out(self) -> Iterator[str]:
        sizes, left_out = self.result.sizes, self.result.sizes.left_out
        if left_out.no_answer:
            yield f"{plural(left_out.no_answer, 'judgment')}: no answer (unknown)"
        if left_out.repeats:
            yield f"{plural(left_out.repeats, 'judgment')} of a case the rater had judged before"
        if left_out.spoiled_cases:
            yield f"{plural(left_out.spoiled_cases, 'case')} with a spoiled context"
        if left_out.by_models:
            models = plural(left_out.models, "model")
            yield f"{plural(left_out.by_models, 'judgment')} by {models}"
        flagged = self.result.flagged
        if flagged is not None and not flagged.counted:
            who = plural(flagged.raters, "flagged rater")
            yield f"{plural(flagged.judgments, 'judgment')} by {who} (--with-flagged counts them)"
        for reason, rows in left_out.rows.items():
            yield f"{plural(rows, 'row')} of the files: {reason}"
        if sizes.single:
            yield f"{plural(sizes.single, 'case')} with one judgment, where nobody can agree"

    def _coefficients(self) -> Table:
        result, alone = self.result, self.result.crowd.alone
        titles, level = ["coefficient", "value"], ""
        if result.intervals:
            titles += ["low", "high", "SE"]
            level = f"{result.options.ci_level:.0%} intervals over cases. "
        titles += ["observed", "by chance", *(["crowd alone"] if alone else [])]
        rows = []
        for name in result.coefficients.names:
            row: list[Cell] = [TITLES[name], result.coefficients[name].value]
            if result.intervals:
                spread = result.intervals[name]
                row += [spread.low, spread.high, spread.standard_error]
            row += [None, None] if name == "observed" else result.details[name]
            if alone:
                known = name in alone.coefficients.names
                row.append(alone.coefficients[name].value if known else None)
            rows.append(row)
        notes = [f"{level}Observed: share of pairs of judgments of a case that agree."]
        reasons: dict[str, list[str]] = {}  # why there is no value, once for every reason
        for name in result.coefficients.names:
            if reason := result.coefficients[name].reason:
                reasons.setdefault(reason, []).append(TITLES[name])
        for reason, which in reasons.items():
            notes += wrap(f"{', '.join(which)}: {reason}", WIDTH, subsequent_indent="  ")
        if alone:
            notes.append(f"Crowd alone: the {alone.raters} raters who are not experts.")
        return Table(columns(*titles), tuple(rows), title="All raters together", notes=tuple(notes))

    # --- crowds ---

    def _crowd(self) -> Iterator[Table]:
        crowd = self.result.crowd
        if not crowd.references:
            return
        if len(crowd.crowd_of_n) <= MOST_POINTS or self.result.options.crowd_curve:
            yield self._curve(crowd)
        else:
            sizes = {*SOME_SIZES, *(one.n for one in crowd.reached)}
            yield self._curve(crowd, sizes).noted("--crowd-curve shows every size.")
        experts = crowd.experts
        if experts is not None and (experts.mutual.pairs or experts.against):
            yield self._experts(experts, crowd)

    def _curve(self, crowd: CrowdFindings, sizes: Collection[int | None] = ()) -> Table:
        weighted = self.result.scale != "nominal"
        titles = ["against", "N", "cases", "too few", "agreement", "low", "high"]
        titles += ["kappa", "from", "to", *(["weighted kappa"] if weighted else [])]
        rows: list[Sequence[Cell]] = []
        reasons: dict[str, None] = {}
        for name, points in crowd.curves.items():
            for point in points:
                if sizes and point.n not in sizes and point is not points[-1]:
                    continue
                row: list[Cell] = [name, point.n, point.cases, point.left_out, point.agreement]
                row += [point.low, point.high, point.kappa, point.kappa_low, point.kappa_high]
                rows.append([*row, point.weighted_kappa] if weighted else row)
                if reason := point.undefined.get("kappa"):
                    reasons[f"kappa of {point.n} against {name}: {reason}"] = None
        options, mean = self.result.options, crowd.mean_of_experts
        ties = TIES.get(options.ties, f"as {options.ties}")
        level = f"{options.ci_level:.0%}"
        notes = (
            f"The majority of N judgments drawn for each case, ties settled {ties}. Agreement is "
            "the exact mean over all draws,",
            f"low to high its {level} interval over other cases. Kappa is the mean of "
            f"{options.draws} draws; {level} of further draws from",
            "the same judgments lie between from and to: this band is not about other cases or "
            "raters.",
            *([f"{mean.capitalize()}: the mean of their rows."] if mean else []),
            *reasons,
            *_cautions(crowd),
        )
        return Table(columns(*titles), tuple(rows), title="A crowd of N", notes=notes)

    def _experts(self, experts: ExpertFindings, crowd: CrowdFindings) -> Table:
        rows: list[Sequence[Cell]] = []
        if experts.mutual.pairs:
            mutual = experts.mutual
            what = f"among themselves ({plural(mutual.pairs, 'pair')})"
            rows.append((what, None, mutual.agreement, mutual.kappa))
        rows += [
            (f"{one.expert} against {one.reference}", one.n, one.agreement, one.kappa)
            for one in experts.against
        ]
        notes = []
        for one in crowd.reached:
            against = "each other" if one.reference == crowd.mean_of_experts else one.reference
            reached_by = one.reason
            if one.n is not None:
                cases = crowd.curves[one.reference][one.n - 1].cases
                few = f", on {plural(cases, 'case')} only" if cases < FEW_IN_CROWD else ""
                reached_by = f"reached by a crowd of {one.n}{few}"
            target = MISSING if isnan(one.target) else f"{one.target:z.4f}"
            notes.append(f"experts' mean {one.measure} with {against} {target}: {reached_by}")
        titles = columns("experts", "cases", "agreement", "kappa")
        return Table(titles, tuple(rows), title="Experts", notes=tuple(notes))

    # --- two by two ---

    def _pairs(self) -> Iterator[Table]:
        result, mean = self.result, self.result.mean_pairwise
        if mean.pairs:
            titles = ("pairs", "mean agreement", "mean kappa", "lowest", "highest", "without kappa")
            notes: tuple[str, ...] = (mean.reason,) if mean.reason else ()
            yield Table(columns(*titles, text=0), (mean[:6],), "Pairwise agreement", notes)
        if result.pairs and (len(result.pairs) <= MOST_ROWS or result.options.pairs):
            yield self._list()
        for one in result.confusion:
            notes = ()
            if one.disagreement is not None:
                notes = tuple(
                    f"errors of {who} that are ok for {other}: {self._denied(rate)}"
                    for who, other, rate in (
                        (one.first, one.second, one.disagreement.first),
                        (one.second, one.first, one.disagreement.second),
                    )
                )
            yield Table(
                columns(f"{one.first} ↓ {one.second} →", *one.labels),
                tuple((label, *one.table[label]) for label in one.labels),
                title="Labels of two raters",
                notes=notes,
            )

    def _denied(self, rate: DeniedErrors) -> str:
        return rate.reason or (
            f"{rate.denied:g} of {rate.errors:g} ({rate.rate:.3f}{self._ends(rate.low, rate.high)})"
        )

    def _list(self) -> Table:
        weighted = self.result.scale != "nominal"
        titles = ["first", "second", "cases", "agreement", "kappa", "SE", "low", "high"]
        rows: list[Sequence[Cell]] = []
        reasons: Counter[str] = Counter()
        place = {name: number for number, name in enumerate(names_of_pairs(self.result.pairs))}
        found = [(sorted(pair[:2], key=place.__getitem__), pair) for pair in self.result.pairs]
        for names, pair in sorted(found, key=lambda one: [place[name] for name in one[0]]):
            row: list[Cell] = [*names, pair.n, pair.agreement, pair.kappa]
            row += [pair.standard_error, pair.low, pair.high]
            rows.append([*row, pair.weighted_kappa] if weighted else row)
            if pair.reason:
                reasons[pair.reason] += 1
        notes = [f"no kappa ({count}): {reason}" for reason, count in reasons.items()]
        notes += _cautions_on(self.result.pairs)
        shown = columns(*titles, *(["weighted kappa"] if weighted else []), text=2)
        return Table(shown, tuple(rows), title="Cohen's kappa", notes=tuple(notes))

    # --- what is there only if the data have something to say ---

    def _subgroups(self) -> Iterator[Table]:
        result = self.result
        if result.batches is not None:
            yield self._batches(result.batches)
        if result.self_agreement is not None:
            yield self._self_agreement(result.self_agreement)
        if result.corrections is not None or result.sentences is not None:
            yield self._on_corrections()
        if result.choices is not None:
            yield self._choices(result.choices)
        if result.models is not None:
            yield self._models(result.models)

    def _batches(self, batches: Sequence[BatchRow]) -> Table:
        two = not all(isnan(one.kappa) for one in batches)
        result, sizes = self.result, self.result.sizes
        pooled = BatchRow(
            *("pooled", sizes.cases, sizes.raters, sizes.judgments),
            *(result.coefficients, result.mean_pairwise.kappa),
        )
        rows: list[Sequence[Cell]] = []
        for one in (*batches, pooled):
            row: list[Cell] = [one.batch, one.cases, one.raters, one.judgments]
            names = ("observed", "fleiss_kappa", "alpha_nominal", "ac1")
            row += [one.coefficients[name].value for name in names]
            rows.append([*row, one.kappa] if two else row)
        titles = ["batch", "cases", "raters", "judgments", "observed", "Fleiss", "alpha", "AC1"]
        titles += ["Cohen"] if two else []
        return Table(columns(*titles), tuple(rows), title="Batch by batch")

    def _self_agreement(self, found: SelfFindings) -> Table:
        rows = [(one.rater, one.repeats, one.agreement, one.low, one.high) for one in found.raters]
        if len(rows) > MOST_ROWS and not self.result.options.pairs:
            rows = []
        rows.append(("all", found.repeats, found.agreement, found.low, found.high))
        ends = self._ends(found.kappa_low, found.kappa_high)
        kappa = found.reason or f"{found.kappa:z.4f}{ends}"
        return Table(
            columns("rater", "cases seen again", "same label", "low", "high"),
            tuple(rows),
            title="Raters with themselves",
            notes=(f"kappa of earlier and later answers: {kappa}",),
        )

    def _on_corrections(self) -> Table:
        rows: list[Sequence[Cell]] = []
        notes: list[str] = []
        found, lifted = self.result.corrections, self.result.sentences
        if found is not None:
            on_label = (found.pairs, found.on_label, found.label_low, found.label_high)
            rows.append(("the same label", *on_label))
            ends = (found.correction_low, found.correction_high)
            on_correction = (found.both_correct, found.on_correction, *ends)
            rows.append(("a correction in common", *on_correction))
        if lifted is not None:
            one = lifted.coefficients
            what = f"any {lifted.label} in the sentence"
            rows.append((what, None, one["observed"].value, None, None))
            notes.append(
                f"{lifted.sentences} sentences: Fleiss' kappa {_number(one['fleiss_kappa'])}, "
                f"alpha {_number(one['alpha_nominal'])}"
            )
        return Table(
            columns("two raters of a case have", "of pairs", "share", "low", "high"),
            tuple(rows),
            title="Corrections and sentences",
            notes=tuple(notes),
        )

    def _choices(self, found: ChoiceFindings) -> Table:
        rows: list[Sequence[Cell]] = [
            (one.rater, *one.choices, one.share, one.low, one.high) for one in found.raters
        ]
        if len(rows) > MOST_ROWS:
            rows = []
        rows.append(("all", *found.choices, found.share, found.low, found.high))
        notes = ["Share of judgments in which the system's word is equal or better."]
        if found.corrected_accuracy is not None:
            ends = ""
            if found.corrected_low is not None and found.corrected_high is not None:
                ends = self._ends(found.corrected_low, found.corrected_high)
            notes.append(
                f"Accuracy {self.result.options.accuracy:g}, corrected by it: "
                f"{found.corrected_accuracy:.4f}{ends}."
            )
        if not isnan(found.krippendorff_alpha):
            notes.append(
                f"Krippendorff's alpha on whose word is better: {found.krippendorff_alpha:z.4f}."
            )
        if found.other:
            notes.append(f"Left out, for they say something else: {found.other}.")
        if found.reason:
            notes.append(found.reason)
        titles = ("rater", "writer", "system", "equal", "bad", "equal or better", "low", "high")
        return Table(columns(*titles), tuple(rows), "Whose word is better", tuple(notes))

    def _models(self, found: ModelEffect) -> Table:
        alpha = found.krippendorff_alpha
        adding = (found.cases_adding, found.changed_by_adding)
        replacing = (found.cases_replacing, found.changed_by_replacing)
        rows: list[Sequence[Cell]] = [
            ("people alone", alpha["people"], found.within_people, None, None),
            ("people and models", alpha["added"], found.between, *adding),
            ("models alone", alpha["replaced"], found.within_models, *replacing),
        ]
        notes = [
            "pairs that agree: of two people, of a person and a model, of two models. Changed: "
            "cases with another",
            "majority than people's. All other tables are about people alone.",
        ]
        notes += [
            f"{one.kind} {one.rater} agrees with {one.agreement:.4f} of what (other) people say"
            for one in found.raters
            if not isnan(one.agreement)
        ]
        titles = columns("raters", "alpha", "pairs that agree", "cases", "changed")
        return Table(titles, tuple(rows), title="People and models", notes=tuple(notes))


def _cautions_on(pairs: Sequence[RaterPair]) -> Iterator[str]:
    """Pairs whose kappa rests on next to nothing: each of a few, or how many there are."""
    unsure = [pair for pair in pairs if pair.caution]
    if len(unsure) <= MOST_CAUTIONS:
        yield from (f"{one.first}, {one.second}: {one.caution}" for one in unsure)
        return
    yield (
        f"In {len(unsure)} pairs a rater gives one label only, or fewer than {FEW_JUDGMENTS} of "
        "the pair's judgments give another label than the most common one."
    )
    yield "Their intervals are wide; JSON has the reason of each (caution)."


def _cautions(crowd: CrowdFindings) -> Iterator[str]:
    """What the points of a curve do not have in common."""
    if any(len({point.cases for point in points}) > 1 for points in crowd.curves.values()):
        yield "Cases with fewer than N judgments are left out at N: points are about other cases."
    few = [
        f"{name} from N = {min(numbers)}"
        for name, points in crowd.curves.items()
        if (numbers := [point.n for point in points if point.cases < FEW_IN_CROWD])
    ]
    if few:
        yield from wrap(f"Fewer than {FEW_IN_CROWD} cases: {', '.join(few)}.", WIDTH)
    for one in crowd.references:
        if one.several:
            yield f"{one.name}: {plural(one.several, 'case')} with several right labels left out."


def _number(one: Coefficient) -> str:
    return MISSING if isnan(one.value) else f"{one.value:z.4f}"
