"""The tables of `ceiling`: what a person reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from jurybox.api.ceiling_result import HUMAN, CeilingResult, SizeResult
from jurybox.api.results import show_interval
from jurybox.report.tables import Cell, Column, Table

if TYPE_CHECKING:
    from jurybox.stats.ceiling import Spread
    from jurybox.stats.resample import Interval

#: so many systems stand beside their ratios in one table; more get a table of ratios
SIDE_BY_SIDE = 4
#: so many sizes are shown per error type; the rest is in JSON and CSV
SIZES_SHOWN = 10


class CeilingTables(NamedTuple):
    """A result, to be shown."""

    result: CeilingResult

    def all(self) -> list[Table]:
        """Scores and ratios; spread and intervals; then what was asked for besides."""
        result = self.result
        tables = self._one_size() if len(result.sizes) == 1 else self._many_sizes()
        if result.pairs:
            tables.append(self._pairs())
        if result.types:
            tables.append(self._types())
        if result.curves:
            tables.append(self._extrapolated())
        last = tables[-1]
        notes = (*last.notes, *self._notes(), f"signature: {result.signature}")
        return [*tables[:-1], last._replace(notes=notes)]

    # --- numbers: fractions, but GLEU as people quote it, from 0 to 100 ---

    def _gleu(self) -> bool:
        return self.result.metric == "gleu"

    def _scaled(self, score: float | None) -> float | None:
        return 100 * score if self._gleu() and score is not None else score

    def _score_column(self, title: str) -> Column:
        return Column(title, digits=2 if self._gleu() else 4)

    def _interval(self, interval: Interval | None) -> str:
        if self._gleu():
            return show_interval(interval, scale=100, digits=2)
        return show_interval(interval)

    def _interval_title(self) -> str:
        return f"{100 * self.result.options['ci']['level']:g} % interval"

    def _sampled(self) -> bool:
        return any(size.subsets < size.combinations for size in self.result.sizes)

    # --- titles and notes ---

    def _title(self) -> str:
        result = self.result
        count, size = len(result.annotators), result.sizes[-1].annotators
        what = f"{result.sentences} sentences"
        if result.documents is not None:
            what += f" of {result.documents} document{'s' if result.documents != 1 else ''}"
        others = f"the {count - 1} others" if count > 2 else "the other"
        if len(result.sizes) > 1 or size < count - 1:
            others = "some of the others"
        likewise = ", systems likewise" if result.systems else ""
        return f"{count} annotators, {what}: each person against {others}{likewise}"

    def _notes(self) -> Iterator[str]:
        for size in self.result.sizes:
            if size.references < size.annotators - 1e-9:
                yield (
                    f"annotators skipped sentences: where {size.annotators} are taken, a sentence "
                    f"has {size.references:.2f} references on average"
                )
        for curve in self.result.curves:
            if curve.scores.reason:
                yield f"{curve.name} is not extrapolated: {curve.scores.reason}"

    # --- one size: hypotheses as rows ---

    def _one_size(self) -> list[Table]:
        size = self.result.sizes[0]
        with_intervals = size.interval is not None
        intervals = [Column(self._interval_title(), text=True)] if with_intervals else []
        columns = [Column("", text=True), self._score_column(self.result.score_title()), *intervals]
        columns += [Column("of human", digits=1, percent=True), *intervals]
        columns += [self._score_column("± error")] if self._sampled() else []
        columns += [self._score_column(name) for name in ("sd", "lowest", "highest")]
        rows = [self._one_row(HUMAN, size.human, 1.0, size.interval, None)]
        for name, system in size.systems.items():
            found = (system.interval, system.ratio_interval)
            rows.append(self._one_row(name, system.score, system.ratio.value, *found))
        taken = f"{size.subsets} subsets"
        if size.subsets < size.combinations:
            taken += f" drawn at random from {size.combinations:.6g}"
        notes = (
            f"against {size.annotators} reference annotator{'s' if size.annotators > 1 else ''}, "
            f"mean over {taken}; sd, lowest and highest: over these subsets",
        )
        return [Table(tuple(columns), tuple(rows), title=self._title(), notes=notes)]

    def _one_row(
        self, name: str, score: Spread, ratio: float, *intervals: Interval | None
    ) -> list[Cell]:
        with_intervals = self.result.sizes[0].interval is not None
        row: list[Cell] = [name, self._scaled(score.mean)]
        row += [self._interval(intervals[0])] if with_intervals else []
        row += [ratio]
        row += [show_percent(intervals[1])] if with_intervals else []
        row += [self._scaled(score.standard_error)] if self._sampled() else []
        return [*row, *(self._scaled(value) for value in (score.sd, score.low, score.high))]

    # --- many sizes: Table 5 of the paper ---

    def _many_sizes(self) -> list[Table]:
        result = self.result
        tables = [self._main()]
        if len(result.systems) > SIDE_BY_SIDE:
            ratios = [[s.ratio.value for s in size.systems.values()] for size in result.sizes]
            columns = [Column(name, digits=2, percent=True) for name in result.systems]
            tables.append(self._by_size("Ratio to human", ratios, columns))
        everybody = [self._score_column(name) for name in (HUMAN, *result.systems)]
        spreads = [[self._scaled(s.sd) for s in _spreads(size)] for size in result.sizes]
        tables.append(self._by_size("Standard deviation over subsets", spreads, everybody))
        if self._sampled():
            errors = [
                [self._scaled(s.standard_error) for s in _spreads(size)] for size in result.sizes
            ]
            title = "Standard error of the means, where subsets were drawn at random"
            tables.append(self._by_size(title, errors, everybody))
        if result.sizes[0].interval is not None:
            tables += self._intervals()
        return tables

    def _main(self) -> Table:
        """Sizes as rows, systems beside their ratios."""
        result = self.result
        beside = len(result.systems) <= SIDE_BY_SIDE
        columns = [Column("annotators"), Column("subsets", text=self._sampled())]
        columns.append(self._score_column(HUMAN))
        for name in result.systems:
            columns.append(self._score_column(name))
            columns += [Column("ratio", digits=2, percent=True)] if beside else []
        rows: list[Sequence[Cell]] = []
        for size in result.sizes:
            taken = (
                f"{size.subsets} of {size.combinations:.6g}" if self._sampled() else size.subsets
            )
            row: list[Cell] = [size.annotators, taken, self._scaled(size.human.mean)]
            for system in size.systems.values():
                row.append(self._scaled(system.score.mean))
                row += [system.ratio.value] if beside else []
            rows.append(row)
        notes: tuple[str, ...] = ()
        if result.systems:
            notes = ("ratio: system over human, against the same number of reference annotators",)
        title = f"{self._title()} ({result.score_title()})"
        return Table(tuple(columns), tuple(rows), title=title, notes=notes)

    def _by_size(
        self, title: str, cells: Sequence[Sequence[Cell]], columns: Sequence[Column]
    ) -> Table:
        sizes = (size.annotators for size in self.result.sizes)
        rows = tuple([size, *row] for size, row in zip(sizes, cells, strict=True))
        return Table((Column("annotators"), *columns), rows, title=title)

    def _intervals(self) -> list[Table]:
        result = self.result
        scores = []
        for size in result.sizes:
            found = [size.interval, *(system.interval for system in size.systems.values())]
            scores.append([self._interval(interval) for interval in found])
        title = f"{self._interval_title()} over {result.options['ci']['unit']}s"
        columns = [Column(name, text=True) for name in (HUMAN, *result.systems)]
        tables = [self._by_size(f"Scores, {title}", scores, columns)]
        if result.systems:
            ratios = [
                [show_percent(s.ratio_interval) for s in size.systems.values()]
                for size in result.sizes
            ]
            tables.append(self._by_size(f"Ratios, {title}", ratios, columns[1:]))
        return tables

    # --- what was asked for besides ---

    def _pairs(self) -> Table:
        """Table 4 of the paper."""
        heads = (Column("system", text=True), Column("annotator", text=True))
        score = self._score_column(self.result.score_title())
        rows: list[Sequence[Cell]] = []
        for pair in self.result.pairs:
            both = () if self._gleu() else (pair.precision, pair.recall)
            rows.append((pair.system, pair.annotator, *both, self._scaled(pair.f)))
        columns = (score,) if self._gleu() else (Column("P"), Column("R"), score)
        title = "Systems against each annotator alone"
        return Table((*heads, *columns), tuple(rows), title=title)

    def _types(self) -> Table:
        """Figure 2 of the paper, as numbers."""
        result = self.result
        shown = list(range(len(result.sizes)))
        notes = ["where neither person nor references have an edit of a type, nothing is counted"]
        if len(shown) > SIZES_SHOWN:
            last = len(shown) - 1
            shown = sorted({round(k * last / (SIZES_SHOWN - 1)) for k in range(SIZES_SHOWN)})
            notes.append(f"{len(shown)} of {last + 1} sizes; JSON and CSV have all")
        columns = [Column("type", text=True), Column("edits")]
        columns += [Column(str(result.sizes[place].annotators)) for place in shown]
        rows: list[Sequence[Cell]] = []
        for kind in result.types_by_score():
            rows.append([kind.type, kind.edits, *(kind.sizes[k].human.mean for k in shown)])
        title = (
            "People against people by error type and number of reference annotators "
            f"({result.score_title()})"
        )
        return Table(tuple(columns), tuple(rows), title=title, notes=tuple(notes))

    def _extrapolated(self) -> Table:
        columns = [Column("annotators")]
        for curve in self.result.curves:
            columns += [self._score_column(curve.name), Column("band", text=True)]
            columns += [] if curve.ratios is None else [Column("ratio", digits=1, percent=True)]
        fitted = self.result.curves[0].scores
        rows: list[Sequence[Cell]] = []
        for place, size in enumerate(fitted.sizes):
            row: list[Cell] = [size]
            for curve in self.result.curves:
                low, high = (self._scaled(e[place]) for e in (curve.scores.low, curve.scores.high))
                digits = 2 if self._gleu() else 4
                row.append(self._scaled(curve.scores.scores[place]))
                row.append("" if curve.scores.reason else f"[{low:.{digits}f}, {high:.{digits}f}]")
                row += [] if curve.ratios is None else [curve.ratios.scores[place]]
            rows.append(row)
        first, last = fitted.fitted_on[0], fitted.fitted_on[-1]
        note = f"a power law fitted on {first} to {last} annotators; {100 * fitted.level:g} % bands"
        title = "Extrapolated, not measured"
        return Table(tuple(columns), tuple(rows), title=title, notes=(note,))


def _spreads(size: SizeResult) -> list[Spread]:
    return [size.human, *(system.score for system in size.systems.values())]


def show_percent(interval: Interval | None) -> str:
    """An interval of ratios, in percent."""
    return show_interval(interval, scale=100, digits=1, unit="%")
