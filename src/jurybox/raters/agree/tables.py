"""The tables of `agree`: what was judged, coefficients, pairs, and what else the data allow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isnan
from textwrap import wrap
from typing import TYPE_CHECKING

from jurybox.errors import plural
from jurybox.name_order import names_of_pairs
from jurybox.raters.agree.choices import ChoiceFindings
from jurybox.raters.agree.crowd import EXPERTS, CrowdFindings, ExpertFindings
from jurybox.raters.agree.crowd import FEW_CASES as FEW_IN_CROWD
from jurybox.raters.agree.subgroups import BatchRow, ModelEffect, SelfFindings
from jurybox.raters.intervals import FEW_JUDGMENTS
from jurybox.raters.named_coefficients import Coefficient, NamedCoefficients
from jurybox.raters.pairs import RaterPair
from jurybox.tables import MISSING, Cell, Column, Table, signed

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
TIES = {"random": "by lot", "drop": "by leaving the case out"}


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
            "further": list(SubgroupTables(self.result).all()),
        }
        return {name: tables for name, tables in parts.items() if tables}

    # --- all together ---

    def _summary(self) -> Table:
        sizes = self.result.sizes
        fewest, median, most = sizes.per_case
        each = f"{fewest}" if fewest == most else f"{fewest} to {most} (median {median:g})"
        rows: list[Sequence[Cell]] = [
            ("cases", f"{sizes.cases}"),
            ("raters", f"{sizes.raters}, {sizes.judgments} judgments, {each} per case"),
            ("labels", self._labels()),
        ]
        rows += [("left out", text) for text in self._left_out()]
        return Table((Column("Raters", text=True), Column("", text=True)), tuple(rows))

    def _labels(self) -> str:
        counts = sorted(self.result.labels.items(), key=lambda one: -one[1])
        if self.result.scale != "nominal":
            counts = list(self.result.labels.items())
        shown = [f"{label} {count}" for label, count in counts[:MOST_LABELS]]
        more = len(counts) - len(shown)
        return ", ".join(shown) + (f" and {more} more" if more else "")

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
        result = self.result
        columns = [Column("coefficient", text=True), Column("value")]
        level = ""
        if result.intervals:
            columns += [Column("low"), Column("high"), Column("SE")]
            level = f"{result.options.ci_level:.0%} intervals over cases. "
        columns += [Column("observed"), Column("by chance")]
        alone = result.crowd.alone
        if alone:
            columns.append(Column("crowd alone"))
        rows = []
        for name in result.coefficients.names:
            one = result[name]
            row: list[Cell] = [TITLES[name], one.value]
            if result.intervals:
                spread = result.intervals[name]
                row += [spread.low, spread.high, spread.standard_error]
            row += [None if name == "observed" else one.observed, one.expected]
            if alone:
                known = name in alone.coefficients.names
                row.append(alone.coefficients[name].value if known else None)
            rows.append(row)
        notes = [f"{level}Observed: share of pairs of judgments of a case that agree."]
        notes += _reasons(result.coefficients)
        if alone:
            notes.append(f"Crowd alone: the {alone.raters} raters who are not experts.")
        return Table(tuple(columns), tuple(rows), title="All raters together", notes=tuple(notes))

    # --- crowds ---

    def _crowd(self) -> Iterator[Table]:
        crowd = self.result.crowd
        if not crowd.references:
            return
        if len(crowd.crowd_of_n) <= MOST_POINTS or self.result.options.crowd_curve:
            yield self._curve(crowd)
        else:
            yield self._some_sizes(crowd)
        experts = crowd.experts
        if experts is not None and (experts.mutual.pairs or experts.against):
            yield self._experts(experts, crowd)

    def _curve(self, crowd: CrowdFindings, sizes: Sequence[int] | None = None) -> Table:
        weighted = self.result.scale != "nominal"
        columns = [
            *(Column("against", text=True), Column("N"), Column("cases"), Column("too few")),
            *(Column("agreement"), Column("low"), Column("high")),
            *(Column("kappa"), Column("from"), Column("to")),
        ]
        if weighted:
            columns.append(Column("weighted kappa"))
        rows: list[Sequence[Cell]] = []
        reasons: dict[str, None] = {}
        for name, points in crowd.curves.items():
            for point in points:
                if sizes is not None and point.n not in sizes and point is not points[-1]:
                    continue
                row: list[Cell] = [name, point.n, point.cases, point.left_out, point.agreement]
                row += [point.low, point.high, point.kappa, point.kappa_low, point.kappa_high]
                if weighted:
                    row.append(point.weighted_kappa)
                rows.append(row)
                if reason := point.undefined.get("kappa"):
                    reasons[f"kappa of {point.n} against {name}: {reason}"] = None
        return Table(
            tuple(columns),
            tuple(rows),
            title="A crowd of N",
            notes=(*self._how_drawn(), *reasons, *_cautions(crowd)),
        )

    def _some_sizes(self, crowd: CrowdFindings) -> Table:
        table = self._curve(crowd, SOME_SIZES)
        return table.noted("--crowd-curve shows every size.")

    def _how_drawn(self) -> Iterator[str]:
        options = self.result.options
        ties = TIES.get(options.ties, f"as {options.ties}")
        level = f"{options.ci_level:.0%}"
        yield (
            f"The majority of N judgments drawn for each case, ties settled {ties}. Agreement is "
            "the exact mean over all draws,"
        )
        yield (
            f"low to high its {level} interval over other cases. Kappa is the mean of "
            f"{options.draws} draws; {level} of further draws from"
        )
        yield (
            "the same judgments lie between from and to: this band is not about other cases or "
            "raters."
        )

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
            against = "each other" if one.reference == EXPERTS else one.reference
            reached_by = one.reason
            if one.n is not None:
                cases = crowd.cases_at(one.reference, one.n)
                few = f", on {plural(cases, 'case')} only" if cases < FEW_IN_CROWD else ""
                reached_by = f"reached by a crowd of {one.n}{few}"
            target = MISSING if isnan(one.target) else f"{one.target:z.4f}"
            notes.append(f"experts' mean {one.measure} with {against} {target}: {reached_by}")
        columns = (Column("experts", text=True), Column("cases"), Column("agreement"))
        return Table((*columns, Column("kappa")), tuple(rows), title="Experts", notes=tuple(notes))

    # --- two by two ---

    def _pairs(self) -> Iterator[Table]:
        result = self.result
        mean = result.mean_pairwise
        if mean.pairs:
            yield Table(
                (
                    *(Column("pairs"), Column("mean agreement"), Column("mean kappa")),
                    *(Column("lowest"), Column("highest"), Column("without kappa")),
                ),
                (
                    (
                        *(mean.pairs, mean.agreement, mean.kappa),
                        *(mean.lowest, mean.highest, mean.undefined),
                    ),
                ),
                title="Pairwise agreement",
                notes=(mean.reason,) if mean.reason else (),
            )
        if result.pairs and (len(result.pairs) <= MOST_ROWS or result.options.pairs):
            yield self._list()
        yield from self._confusions()

    def _list(self) -> Table:
        weighted = self.result.scale != "nominal"
        columns = [
            *(Column("first", text=True), Column("second", text=True), Column("cases")),
            *(Column("agreement"), Column("kappa"), Column("SE"), Column("low"), Column("high")),
        ]
        rows: list[Sequence[Cell]] = []
        reasons: dict[str, int] = {}
        place = {name: number for number, name in enumerate(names_of_pairs(self.result.pairs))}
        found = [(sorted(pair[:2], key=place.__getitem__), pair) for pair in self.result.pairs]
        for names, pair in sorted(found, key=lambda one: [place[name] for name in one[0]]):
            row: list[Cell] = [*names, pair.n, pair.agreement, pair.kappa]
            row += [pair.standard_error, pair.low, pair.high]
            rows.append([*row, pair.weighted_kappa] if weighted else row)
            if pair.reason:
                reasons[pair.reason] = reasons.get(pair.reason, 0) + 1
        if weighted:
            columns.append(Column("weighted kappa"))
        notes = [f"no kappa ({count}): {reason}" for reason, count in reasons.items()]
        notes += _cautions_on(self.result.pairs)
        return Table(tuple(columns), tuple(rows), title="Cohen's kappa", notes=tuple(notes))

    def _confusions(self) -> Iterator[Table]:
        for one in self.result.confusion:
            columns = (Column(f"{one.first} ↓ {one.second} →", text=True), *map(Column, one.labels))
            notes = []
            if one.disagreement is not None:
                for who, other, rate in (
                    (one.first, one.second, one.disagreement.first),
                    (one.second, one.first, one.disagreement.second),
                ):
                    share = rate.reason or (
                        f"{rate.denied:g} of {rate.errors:g} ({rate.rate:.3f}"
                        f"{ends(rate.low, rate.high, self.result.options.ci_level)})"
                    )
                    notes.append(f"errors of {who} that are ok for {other}: {share}")
            yield Table(
                columns,
                tuple((label, *one.table[label]) for label in one.labels),
                title="Labels of two raters",
                notes=tuple(notes),
            )


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


def _reasons(coefficients: NamedCoefficients) -> Iterator[str]:
    """Why there is no value, once for every reason."""
    reasons: dict[str, list[str]] = {}
    for name in coefficients.names:
        if reason := coefficients[name].reason:
            reasons.setdefault(reason, []).append(TITLES[name])
    for reason, which in reasons.items():
        yield from wrap(f"{', '.join(which)}: {reason}", WIDTH, subsequent_indent="  ")


#: with more rows than this pairs and raters are listed only if that is asked for
MOST_ROWS = 15


class SubgroupTables:
    """The tables of one result that are there only if the data have something to say."""

    def __init__(self, result: AgreeResult) -> None:
        self.result = result

    def all(self) -> Iterator[Table]:
        """Every table that the data allow."""
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
        columns = [Column("batch", text=True)]
        columns += map(Column, ("cases", "raters", "judgments", "observed", "Fleiss", "alpha"))
        columns.append(Column("AC1"))
        rows: list[Sequence[Cell]] = []
        names = ("observed", "fleiss_kappa", "alpha_nominal", "ac1")
        for one in batches:
            row: list[Cell] = [one.batch, one.cases, one.raters, one.judgments]
            row += [one.coefficients[name].value for name in names]
            rows.append([*row, one.kappa] if two else row)
        sizes = self.result.sizes
        pooled: list[Cell] = ["pooled", sizes.cases, sizes.raters, sizes.judgments]
        pooled += [self.result.coefficients[name].value for name in names]
        if two:
            columns.append(Column("Cohen"))
            pooled.append(self.result.mean_pairwise.kappa)
        return Table(tuple(columns), (*rows, pooled), title="Batch by batch")

    def _self_agreement(self, found: SelfFindings) -> Table:
        rows = [(one.rater, one.repeats, one.agreement, one.low, one.high) for one in found.raters]
        if len(rows) > MOST_ROWS and not self.result.options.pairs:
            rows = []
        pooled = ("all", found.repeats, found.agreement, found.low, found.high)
        level = self.result.options.ci_level
        kappa = found.reason or (
            f"{found.kappa:z.4f}{ends(found.kappa_low, found.kappa_high, level)}"
        )
        return Table(
            (
                *(Column("rater", text=True), Column("cases seen again"), Column("same label")),
                *(Column("low"), Column("high")),
            ),
            (*rows, pooled),
            title="Raters with themselves",
            notes=(f"kappa of earlier and later answers: {kappa}",),
        )

    def _on_corrections(self) -> Table:
        rows: list[Sequence[Cell]] = []
        notes: list[str] = []
        found, lifted = self.result.corrections, self.result.sentences
        if found is not None:
            rows += [
                ("the same label", found.pairs, found.on_label, found.label_low, found.label_high),
                (
                    *("a correction in common", found.both_correct, found.on_correction),
                    *(found.correction_low, found.correction_high),
                ),
            ]
        if lifted is not None:
            one = lifted.coefficients
            what = f"any {lifted.label} in the sentence"
            rows.append((what, None, one["observed"].value, None, None))
            notes.append(
                f"{lifted.sentences} sentences: Fleiss' kappa {_number(one['fleiss_kappa'])}, "
                f"alpha {_number(one['alpha_nominal'])}"
            )
        return Table(
            (
                *(Column("two raters of a case have", text=True), Column("of pairs")),
                *(Column("share"), Column("low"), Column("high")),
            ),
            tuple(rows),
            title="Corrections and sentences",
            notes=tuple(notes),
        )

    def _choices(self, found: ChoiceFindings) -> Table:
        names = ("writer", "system", "equal", "bad")
        share = (found.share, found.low, found.high)
        everybody: Sequence[Cell] = ("all", *found.choices, *share)
        rows: list[Sequence[Cell]] = [
            (one.rater, *one.choices, one.share, one.low, one.high) for one in found.raters
        ]
        if len(rows) > MOST_ROWS:
            rows = []
        notes = ["Share of judgments in which the system's word is equal or better."]
        if found.corrected_accuracy is not None:
            accuracy = self.result.options.accuracy
            reach = ""
            if found.corrected_low is not None and found.corrected_high is not None:
                reach = ends(
                    found.corrected_low, found.corrected_high, self.result.options.ci_level
                )
            notes.append(
                f"Accuracy {accuracy:g}, corrected by it: {found.corrected_accuracy:.4f}{reach}."
            )
        if not isnan(found.krippendorff_alpha):
            notes.append(
                f"Krippendorff's alpha on whose word is better: {found.krippendorff_alpha:z.4f}."
            )
        if found.other:
            notes.append(f"Left out, for they say something else: {found.other}.")
        if found.reason:
            notes.append(found.reason)
        return Table(
            (
                *(Column("rater", text=True), *map(Column, names)),
                *(Column("equal or better"), Column("low"), Column("high")),
            ),
            (*rows, everybody),
            title="Whose word is better",
            notes=tuple(notes),
        )

    def _models(self, found: ModelEffect) -> Table:
        alpha = found.krippendorff_alpha
        rows: list[Sequence[Cell]] = [
            ("people alone", alpha["people"], found.within_people, None, None),
            (
                *("people and models", alpha["added"], found.between),
                *(found.cases_adding, found.changed_by_adding),
            ),
            (
                *("models alone", alpha["replaced"], found.within_models),
                *(found.cases_replacing, found.changed_by_replacing),
            ),
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
        columns = (Column("raters", text=True), Column("alpha"), Column("pairs that agree"))
        more = (Column("cases"), Column("changed"))
        return Table((*columns, *more), tuple(rows), title="People and models", notes=tuple(notes))


def ends(low: float, high: float, level: float) -> str:
    """An interval behind a number; nothing where there is none.

    >>> ends(0.21, 0.408, 0.95)
    ', 95% CI 0.210 to 0.408'
    """
    return "" if isnan(low) else f", {level:.0%} CI {low:.3f} to {high:.3f}"


def _number(one: Coefficient) -> str:
    return MISSING if isnan(one.value) else f"{one.value:z.4f}"
