"""The tables of `agree`: what was judged, coefficients, pairs, and what else the data allow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isnan
from textwrap import wrap
from typing import TYPE_CHECKING

from jurybox.api.agree_further_tables import MOST_ROWS, FurtherTables
from jurybox.api.agree_result import AgreeResult
from jurybox.errors import plural
from jurybox.report.tables import MISSING, Cell, Column, Table, signed

if TYPE_CHECKING:
    from jurybox.api.agree_crowd import CrowdFindings, ExpertFindings, Reaching
    from jurybox.raters.agreement import Agreement

WIDTH = 110
#: with more points than this the curve is shown only if that is asked for
MOST_POINTS = 24
SOME_SIZES = (1, 2, 3, 5, 7, 10, 15, 20, 30, 40)
MOST_LABELS = 12
TITLES = {
    "observed": "observed agreement",
    "fleiss_kappa": "Fleiss' kappa",
    "ac1": "Gwet's AC1",
    "alpha_nominal": "Krippendorff's alpha, nominal",
    "alpha_ordinal": "Krippendorff's alpha, ordinal",
    "alpha_interval": "Krippendorff's alpha, interval",
    "alpha_ratio": "Krippendorff's alpha, ratio",
}
#: stands for the mean over all experts
EXPERTS = "experts"
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
            "agreement": [self._summary(), self._together()],
            "crowd": list(self._crowd()),
            "pairs": list(self._pairs()),
            "further": list(FurtherTables(self.result).all()),
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
        sizes = self.result.sizes
        if sizes.no_answer:
            yield f"{plural(sizes.no_answer, 'judgment')}: no answer (unknown)"
        if sizes.repeats:
            yield f"{plural(sizes.repeats, 'judgment')} of a case the rater had judged before"
        if sizes.spoiled:
            yield f"{plural(sizes.spoiled, 'case')} with a spoiled context"
        if sizes.models:
            models = plural(sizes.model_raters, "model")
            yield f"{plural(sizes.models, 'judgment')} by {models}"
        for reason, rows in sizes.rejected.items():
            yield f"{plural(rows, 'row')} of the files: {reason}"
        if sizes.single:
            yield f"{plural(sizes.single, 'case')} with one judgment, where nobody can agree"

    def _together(self) -> Table:
        result = self.result
        columns = [Column("coefficient", text=True), Column("value")]
        level = ""
        if result.intervals:
            columns += [Column("low"), Column("high"), Column("SE")]
            level = f"{result.options['level']:.0%} intervals over resampled cases. "
        columns += [Column("observed"), Column("by chance")]
        alone = result.crowd.alone if result.crowd else None
        if alone:
            columns.append(Column("crowd alone"))
        rows = []
        for name, one in result.together.items():
            row: list[Cell] = [TITLES[name], one.value]
            if result.intervals:
                spread = result.intervals[name]
                row += [spread.low, spread.high, spread.standard_error]
            row += [None if name == "observed" else one.observed, one.expected]
            if alone:
                row.append(alone.together[name].value if name in alone.together else None)
            rows.append(row)
        notes = [f"{level}Observed: share of pairs of judgments of a case that agree."]
        notes += _reasons(result.together)
        if alone:
            notes.append(f"Crowd alone: the {alone.raters} raters who are not experts.")
        return Table(tuple(columns), tuple(rows), title="All raters together", notes=tuple(notes))

    # --- crowds ---

    def _crowd(self) -> Iterator[Table]:
        crowd = self.result.crowd
        if crowd is None:
            return
        points = sum(map(len, crowd.curves.values()))
        if points <= MOST_POINTS or self.result.options["crowd_curve"]:
            yield self._curve(crowd)
        else:
            yield self._some_sizes(crowd)
        experts = crowd.experts
        if experts is not None and (experts.mutual.pairs or experts.against):
            yield self._experts(experts, crowd.reached)

    def _curve(self, crowd: CrowdFindings, sizes: Sequence[int] | None = None) -> Table:
        weighted = self.result.scale != "nominal"
        columns = [
            *(Column("against", text=True), Column("N"), Column("cases"), Column("too few")),
            *(Column("agreement"), Column("kappa"), Column("low"), Column("high")),
        ]
        if weighted:
            columns.append(Column("weighted kappa"))
        rows: list[Sequence[Cell]] = []
        reasons: dict[str, None] = {}
        for name, points in crowd.curves.items():
            for point in points:
                if sizes is not None and point.n not in sizes and point is not points[-1]:
                    continue
                kappa = point.kappa
                row: list[Cell] = [name, point.n, point.cases, point.left_out, point.agreement]
                row += [kappa.mean, kappa.low, kappa.high]
                if weighted:
                    row.append(None if point.weighted is None else point.weighted.mean)
                rows.append(row)
                if kappa.reason:
                    reasons[f"kappa of {point.n} against {name}: {kappa.reason}"] = None
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
        ties = TIES.get(options["ties"], f"as {options['ties']}")
        yield (
            "The majority of N judgments drawn for each case, ties settled "
            f"{ties}. Agreement is exact; kappa is the mean of"
        )
        yield f"{options['draws']} draws, low to high holds {options['level']:.0%} of them."

    def _experts(self, experts: ExpertFindings, reached: Sequence[Reaching]) -> Table:
        rows: list[Sequence[Cell]] = []
        if experts.mutual.pairs:
            mutual = experts.mutual
            what = f"among themselves ({plural(mutual.pairs, 'pair')})"
            rows.append((what, None, mutual.observed, mutual.kappa))
        rows += [
            (f"{one.expert} against {one.reference}", one.n, one.agreement, one.kappa)
            for one in experts.against
        ]
        notes = []
        for one in reached:
            against = "each other" if one.reference == EXPERTS else one.reference
            reached_by = f"reached by a crowd of {one.n}" if one.n is not None else one.reason
            target = MISSING if isnan(one.target) else f"{one.target:.4f}"
            notes.append(f"experts' mean {one.measure} with {against} {target}: {reached_by}")
        columns = (Column("experts", text=True), Column("cases"), Column("agreement"))
        return Table((*columns, Column("kappa")), tuple(rows), title="Experts", notes=tuple(notes))

    # --- two by two ---

    def _pairs(self) -> Iterator[Table]:
        result = self.result
        mean = result.mean_pair
        if mean.pairs:
            yield Table(
                (
                    *(Column("pairs"), Column("mean agreement"), Column("mean kappa")),
                    *(Column("lowest"), Column("highest"), Column("without kappa")),
                ),
                (
                    (
                        *(mean.pairs, mean.observed, mean.kappa),
                        *(mean.lowest, mean.highest, mean.undefined),
                    ),
                ),
                title="Every two raters",
                notes=(mean.reason,) if mean.reason else (),
            )
        if result.pairs and (len(result.pairs) <= MOST_ROWS or result.options["pairs"]):
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
        for pair in self.result.pairs:
            row: list[Cell] = [pair.first, pair.second, pair.n, pair.agreement, pair.kappa]
            row += [pair.standard_error, pair.low, pair.high]
            rows.append([*row, pair.weighted_kappa] if weighted else row)
            if pair.reason:
                reasons[pair.reason] = reasons.get(pair.reason, 0) + 1
        if weighted:
            columns.append(Column("weighted kappa"))
        notes = [f"no kappa ({count}): {reason}" for reason, count in reasons.items()]
        return Table(tuple(columns), tuple(rows), title="Cohen's kappa", notes=tuple(notes))

    def _confusions(self) -> Iterator[Table]:
        for one in self.result.confusions:
            columns = (Column(f"{one.first} ↓ {one.second} →", text=True), *map(Column, one.labels))
            notes = []
            if one.rates is not None:
                for who, other, rate in (
                    (one.first, one.second, one.rates.first),
                    (one.second, one.first, one.rates.second),
                ):
                    share = rate.reason or f"{rate.denied:g} of {rate.errors:g} ({rate.rate:.3f})"
                    notes.append(f"errors of {who} that are ok for {other}: {share}")
            yield Table(
                columns,
                tuple((label, *row) for label, row in zip(one.labels, one.table, strict=True)),
                title="Labels of two raters",
                notes=tuple(notes),
            )


def _cautions(crowd: CrowdFindings) -> Iterator[str]:
    """What the points of a curve do not have in common."""
    if any(len({point.cases for point in points}) > 1 for points in crowd.curves.values()):
        yield "Cases with fewer than N judgments are left out at N: points are about other cases."
    for one in crowd.references:
        if one.several:
            yield f"{one.name}: {plural(one.several, 'case')} with several right labels left out."


def _reasons(together: Mapping[str, Agreement]) -> Iterator[str]:
    """Why there is no value, once for every reason."""
    reasons: dict[str, list[str]] = {}
    for name, one in together.items():
        if one.reason:
            reasons.setdefault(one.reason, []).append(TITLES[name])
    for reason, which in reasons.items():
        yield from wrap(f"{', '.join(which)}: {reason}", WIDTH, subsequent_indent="  ")
