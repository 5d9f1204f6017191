"""The tables of `ceiling`: what a person reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from jurybox.api.ceiling_result import HUMAN, CeilingResult, SizeResult
from jurybox.api.options import EDIT_METRICS
from jurybox.api.results import show_interval
from jurybox.errors import plural
from jurybox.report.tables import Cell, Column, Table, signed

if TYPE_CHECKING:
    from jurybox.stats.ceiling import Spread
    from jurybox.stats.extrapolate import Extrapolation
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
        if any(not curve.scores.reason for curve in result.curves):
            tables.append(self._extrapolated())
        return signed(tables, result.signature, *self._notes())

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
        what = plural(result.sentences, "sentence")
        if result.documents is not None:
            what += f" of {plural(result.documents, 'document')}"
        others = f"the {count - 1} others" if count > 2 else "the other"
        if len(result.sizes) > 1 or size < count - 1:
            others = "some of the others"
        likewise = ", systems likewise" if result.systems else ""
        return f"{count} annotators, {what}: each person against {others}{likewise}"

    def _notes(self) -> Iterator[str]:
        skipped = [size for size in self.result.sizes if size.references < size.annotators - 1e-9]
        if skipped:
            shown = ", ".join(f"{s.references:.2f} of {s.annotators}" for s in skipped[:9])
            more = " …" if len(skipped) > 9 else ""
            yield f"annotators skipped sentences: references per sentence are {shown}{more}"
        undefined = sum(size.human.undefined for size in self.result.sizes)
        if undefined:
            yield f"{undefined} subsets share no sentence with another person and are left out"
        yield from dict.fromkeys(_interval_reasons(self.result))
        yield from dict.fromkeys(size.reason for size in self.result.sizes if size.reason)
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
        whole = None if size.reason else 1.0
        rows = [self._one_row(HUMAN, size.human, whole, size.interval, None)]
        for name, system in size.systems.items():
            found = (system.interval, system.ratio_interval)
            rows.append(self._one_row(name, system.score, system.ratio.value, *found))
        taken = f"{size.subsets} subsets"
        if size.subsets < size.combinations:
            taken += f" drawn at random from {_short(size.combinations)}"
        notes = (
            f"against {plural(size.annotators, 'reference annotator')}, "
            f"mean over {taken}; sd, lowest and highest: over these subsets",
        )
        return [Table(tuple(columns), tuple(rows), title=self._title(), notes=notes)]

    def _one_row(
        self, name: str, score: Spread, ratio: float | None, *intervals: Interval | None
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
                f"{size.subsets} of {_short(size.combinations)}"
                if self._sampled()
                else size.subsets
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
        edits = self.result.metric in EDIT_METRICS
        rows: list[Sequence[Cell]] = []
        for pair in self.result.pairs:
            both = (pair.precision, pair.recall) if edits else ()
            rows.append((pair.system, pair.annotator, *both, self._scaled(pair.f)))
        columns = (Column("P"), Column("R"), score) if edits else (score,)
        title = "Systems against each annotator alone"
        return Table((*heads, *columns), tuple(rows), title=title)

    def _types(self) -> Table:
        """Figure 2 of the paper, as numbers."""
        result = self.result
        shown = _evenly(len(result.sizes), SIZES_SHOWN)
        notes = [
            "empty: comparisons in which neither the person nor the references chosen have an edit "
            f"of the type (against {result.sizes[-1].annotators}); they score 1 by convention"
        ]
        if len(shown) < len(result.sizes):
            notes.append(f"{len(shown)} of {len(result.sizes)} sizes; JSON and CSV have all")
        columns = [Column("type", text=True), Column("edits")]
        columns += [Column(str(result.sizes[place].annotators)) for place in shown]
        columns.append(Column("empty", digits=1, percent=True))
        rows: list[Sequence[Cell]] = []
        for kind in result.types_by_score():
            means = (kind.sizes[place].human.mean for place in shown)
            rows.append([kind.type, kind.edits, *means, kind.sizes[-1].empty])
        title = (
            "People against people by error type and number of reference annotators "
            f"({result.score_title()})"
        )
        return Table(tuple(columns), tuple(rows), title=title, notes=tuple(notes))

    def _extrapolated(self) -> Table:
        fitted = self.result.curves[0].scores
        shown = _evenly(len(fitted.sizes), SIZES_SHOWN)
        level = f"{100 * fitted.level:g} % band"
        columns = [Column("", text=True), Column("annotators")]
        columns += [self._score_column(self.result.score_title()), Column(level, text=True)]
        with_ratios = bool(self.result.systems)
        if with_ratios:
            columns += [Column("of human", digits=1, percent=True), Column(level, text=True)]
        rows: list[Sequence[Cell]] = []
        for curve in self.result.curves:
            for place in shown:
                made = curve.scores
                low, high = (self._scaled(end[place]) for end in (made.low, made.high))
                digits = 2 if self._gleu() else 4
                row: list[Cell] = [curve.name, made.sizes[place], self._scaled(made.scores[place])]
                row.append("" if made.reason else f"[{low:.{digits}f}, {high:.{digits}f}]")
                if with_ratios:
                    row += _ratio_cells(curve.ratios, place)
                rows.append(row)
        sizes = ", ".join(map(str, fitted.fitted_on))
        notes = [f"a power law fitted on {sizes} annotators"]
        if len(shown) < len(fitted.sizes):
            notes.append(f"{len(shown)} of {len(fitted.sizes)} sizes; JSON and CSV have all")
        title = "Extrapolated, not measured"
        return Table(tuple(columns), tuple(rows), title=title, notes=tuple(notes))


def _ratio_cells(ratios: Extrapolation | None, place: int) -> list[Cell]:
    if ratios is None or ratios.reason:
        return [None, ""]
    low, high = 100 * ratios.low[place], 100 * ratios.high[place]
    return [ratios.scores[place], f"[{low:.1f}%, {high:.1f}%]"]


def _evenly(count: int, most: int) -> list[int]:
    """Places of at most so many among `count`, evenly spread, both ends among them.

    >>> _evenly(3, 10), _evenly(9, 3)
    ([0, 1, 2], [0, 4, 8])
    """
    if count <= most:
        return list(range(count))
    return sorted({round(k * (count - 1) / (most - 1)) for k in range(most)})


def _interval_reasons(result: CeilingResult) -> Iterator[str]:
    """Why intervals are missing or narrow, where they are."""
    for size in result.sizes:
        found = {HUMAN: size.interval}
        found |= {f"{name}'s ratio": s.ratio_interval for name, s in size.systems.items()}
        for name, interval in found.items():
            if interval is not None and interval.reason:
                yield f"interval of {name} at {size.annotators}: {interval.reason}"


def _short(number: int) -> str:
    """A number of combinations, which can be larger than any float.

    >>> _short(1225), _short(10**400)
    ('1225', 'about 10^400')
    """
    return f"{number:.6g}" if number < 10**300 else f"about 10^{len(str(number)) - 1}"


def _spreads(size: SizeResult) -> list[Spread]:
    return [size.human, *(system.score for system in size.systems.values())]


def show_percent(interval: Interval | None) -> str:
    """An interval of ratios, in percent."""
    return show_interval(interval, scale=100, digits=1, unit="%")
