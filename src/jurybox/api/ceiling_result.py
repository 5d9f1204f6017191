"""What `ceiling` gives back: sizes, pairs, types, extrapolated curves; as values and as tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from jurybox.api.results import (
    TabularResult,
    describe_inputs,
    envelope,
    interval_record,
    number_or_none,
    show_interval,
)
from jurybox.errors import InputError
from jurybox.formats import Input
from jurybox.report.tables import Cell, Column, Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from jurybox.stats.ceiling import Ratio, Spread
    from jurybox.stats.extrapolate import Extrapolation
    from jurybox.stats.resample import Interval

HUMAN = "human"
#: so many systems stand beside their ratios in one table; more get a table of ratios
SIDE_BY_SIDE = 4
#: so many sizes are shown per error type; the rest is in JSON and CSV
SIZES_SHOWN = 10
#: types with fewer edits by all annotators together are left out of the figure
FEW_EDITS = 200


class SystemAtSize(NamedTuple):
    """A system against sets of so many annotators."""

    score: Spread
    ratio: Ratio
    interval: Interval | None
    ratio_interval: Interval | None


class SizeResult(NamedTuple):
    """People and systems against sets of so many annotators.

    `references` is how many of a set looked at a sentence on average: `annotators`, unless somebody
    skipped some.
    """

    annotators: int
    subsets: int
    combinations: int
    references: float
    human: Spread
    interval: Interval | None
    systems: Mapping[str, SystemAtSize]


class PairScore(NamedTuple):
    """A system against one annotator alone; GLEU has `f` (its score) only."""

    system: str
    annotator: str
    precision: float | None
    recall: float | None
    f: float | None


class TypeSize(NamedTuple):
    """People against sets of so many annotators, on one error type."""

    annotators: int
    human: Spread


class TypeCurve(NamedTuple):
    """One error type: how many edits all annotators made, and how far people agree on it."""

    type: str
    edits: int
    sizes: tuple[TypeSize, ...]


class Curve(NamedTuple):
    """Scores for more annotators than there are; the ratio to people for systems."""

    name: str
    scores: Extrapolation
    ratios: Extrapolation | None


@dataclass(frozen=True)
class CeilingResult(TabularResult):
    """How people score against each other, and systems beside them."""

    metric: str
    beta: float
    signature: str
    options: Mapping[str, Any]
    annotators: tuple[str, ...]
    sentences: int
    documents: int | None
    sizes: tuple[SizeResult, ...]
    pairs: tuple[PairScore, ...] = ()
    types: tuple[TypeCurve, ...] = ()
    curves: tuple[Curve, ...] = ()
    inputs: tuple[Input, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def human(self) -> float:
        """The human score at the largest number of reference annotators: the ceiling."""
        return self.sizes[-1].human.mean

    @property
    def systems(self) -> tuple[str, ...]:
        return tuple(self.sizes[-1].systems)

    def score(self, system: str) -> float:
        """A system's score at the largest number of reference annotators."""
        return self._system(system).score.mean

    def ratio(self, system: str) -> float:
        """A system's score over the human one at the largest number of reference annotators."""
        return self._system(system).ratio.value

    def _system(self, name: str) -> SystemAtSize:
        if name not in self.sizes[-1].systems:
            raise InputError(f"there is no system '{name}' (one of: {', '.join(self.systems)})")
        return self.sizes[-1].systems[name]

    # --- JSON and CSV ---

    def to_dict(self) -> dict[str, Any]:
        """All numbers, in the form the JSON Schema jurybox.ceiling/1 describes."""
        record = envelope("ceiling", self.signature, describe_inputs(self.inputs))
        record |= {"metric": self.metric, "options": dict(self.options)}
        record |= {"annotators": list(self.annotators), "sentences": self.sentences}
        record["documents"] = self.documents
        record["sizes"] = [_size_record(size) for size in self.sizes]
        if self.pairs:
            record["pairwise"] = [pair._asdict() for pair in self.pairs]
        if self.types:
            record["types"] = [_type_record(curve) for curve in self.types]
        if self.curves:
            record["extrapolation"] = {
                "fitted_on": list(self.curves[0].scores.fitted_on),
                "level": self.curves[0].scores.level,
                "curves": {curve.name: _curve_record(curve) for curve in self.curves},
            }
        record["warnings"] = list(self.warnings)
        return record

    def records(self) -> list[dict[str, Any]]:
        """One flat row per size and hypothesis, then pairs, types and extrapolated points."""
        rows: list[dict[str, Any]] = []
        for size in self.sizes:
            base = {"part": "sizes", "annotators": size.annotators}
            base |= {"subsets": size.subsets, "combinations": size.combinations}
            rows.append(
                base
                | {"name": HUMAN, "score": number_or_none(size.human.mean)}
                | _spread_cells(size.human)
                | _interval_cells("score", size.interval)
            )
            for name, system in size.systems.items():
                rows.append(
                    base
                    | {"name": name, "score": number_or_none(system.score.mean)}
                    | {"ratio": number_or_none(system.ratio.value)}
                    | _spread_cells(system.score)
                    | _interval_cells("score", system.interval)
                    | _interval_cells("ratio", system.ratio_interval)
                )
        for pair in self.pairs:
            row = {"part": "pairwise", "annotators": 1, "name": pair.system}
            row |= {"annotator": pair.annotator, "score": pair.f}
            rows.append(row | {"precision": pair.precision, "recall": pair.recall})
        for kind in self.types:
            for at in kind.sizes:
                row = {"part": "types", "annotators": at.annotators, "name": HUMAN}
                row |= {"type": kind.type, "edits": kind.edits}
                row["score"] = number_or_none(at.human.mean)
                rows.append(row | _spread_cells(at.human))
        rows += self._extrapolated_records()
        for row in rows:
            row["signature"] = self.signature
        return rows

    def _extrapolated_records(self) -> Iterator[dict[str, Any]]:
        for curve in self.curves:
            for place, size in enumerate(curve.scores.sizes):
                row = {"part": "extrapolated", "annotators": size, "name": curve.name}
                row["score"] = number_or_none(curve.scores.scores[place])
                row["score_low"] = number_or_none(curve.scores.low[place])
                row["score_high"] = number_or_none(curve.scores.high[place])
                if curve.ratios is not None:
                    row["ratio"] = number_or_none(curve.ratios.scores[place])
                    row["ratio_low"] = number_or_none(curve.ratios.low[place])
                    row["ratio_high"] = number_or_none(curve.ratios.high[place])
                yield row

    # --- tables ---

    def tables(self) -> list[Table]:
        """Scores and ratios; spread and intervals; then what was asked for besides."""
        tables = self._one_size() if len(self.sizes) == 1 else self._many_sizes()
        if self.pairs:
            tables.append(self._pairs_table())
        if self.types:
            tables.append(self._types_table())
        if self.curves:
            tables.append(self._extrapolated_table())
        last = tables[-1]
        notes = (*last.notes, *self._notes(), f"signature: {self.signature}")
        return [*tables[:-1], last._replace(notes=notes)]

    def score_title(self) -> str:
        """What the score is called."""
        return "GLEU" if self.metric == "gleu" else f"F{self.beta:g}"

    def _digits(self) -> int:
        return 4

    def _title(self) -> str:
        count, size = len(self.annotators), self.sizes[-1].annotators
        what = f"{self.sentences} sentences"
        if self.documents is not None:
            what += f" of {self.documents} document{'s' if self.documents != 1 else ''}"
        if len(self.sizes) > 1 or size < count - 1:
            return f"{count} annotators, {what}: people and systems against some of them"
        others = f"the {count - 1} others" if count > 2 else "the other"
        return f"{count} annotators, {what}: each person against {others}, systems likewise"

    def _notes(self) -> Iterator[str]:
        for size in self.sizes:
            if size.references < size.annotators - 1e-9:
                yield (
                    f"annotators skipped sentences: where {size.annotators} are taken, a sentence "
                    f"has {size.references:.2f} references on average"
                )
        for curve in self.curves:
            if curve.scores.reason:
                yield f"{curve.name} is not extrapolated: {curve.scores.reason}"

    def _sampled(self) -> bool:
        return any(size.subsets < size.combinations for size in self.sizes)

    def _one_size(self) -> list[Table]:
        """Leave one out: hypotheses as rows."""
        size = self.sizes[0]
        with_intervals = size.interval is not None
        columns = [Column("", text=True), Column(self.score_title())]
        columns += [Column(self._interval_title(), text=True)] if with_intervals else []
        columns += [Column("of human", digits=1, percent=True)]
        columns += [Column(self._interval_title(), text=True)] if with_intervals else []
        columns += [Column("± error")] if self._sampled() else []
        columns += [Column("sd"), Column("lowest"), Column("highest")]
        rows: list[Sequence[Cell]] = []

        def add(name: str, score: Spread, ratio: float, *intervals: Interval | None) -> None:
            row: list[Cell] = [name, score.mean]
            row += [show_interval(intervals[0])] if with_intervals else []
            row += [ratio]
            row += [show_percent(intervals[1])] if with_intervals else []
            row += [score.standard_error] if self._sampled() else []
            rows.append([*row, score.sd, score.low, score.high])

        add(HUMAN, size.human, 1.0, size.interval, None)
        for name, system in size.systems.items():
            add(name, system.score, system.ratio.value, system.interval, system.ratio_interval)
        taken = f"{size.subsets} subsets"
        if size.subsets < size.combinations:
            taken += f" drawn at random from {size.combinations}"
        notes = (
            f"against {size.annotators} reference annotator{'s' if size.annotators > 1 else ''}, "
            f"mean over {taken}; sd, lowest and highest: over these subsets",
        )
        return [Table(tuple(columns), tuple(rows), title=self._title(), notes=notes)]

    def _many_sizes(self) -> list[Table]:
        """Table 5 of the paper: sizes as rows, systems beside their ratios."""
        side_by_side = len(self.systems) <= SIDE_BY_SIDE
        columns = [Column("annotators"), Column("subsets", text=self._sampled()), Column(HUMAN)]
        for name in self.systems:
            columns.append(Column(name))
            if side_by_side:
                columns.append(Column("ratio", digits=2, percent=True))
        rows: list[Sequence[Cell]] = []
        for size in self.sizes:
            row: list[Cell] = [size.annotators, self._taken(size), size.human.mean]
            for system in size.systems.values():
                row.append(system.score.mean)
                row += [system.ratio.value] if side_by_side else []
            rows.append(row)
        title = f"{self._title()} ({self.score_title()})"
        note = "ratio: system over human, both against the same number of reference annotators"
        tables = [
            Table(tuple(columns), tuple(rows), title=title, notes=(note,) if self.systems else ())
        ]
        if not side_by_side:
            ratios = [
                [system.ratio.value for system in size.systems.values()] for size in self.sizes
            ]
            tables.append(
                self._by_size("Ratio to human", ratios, self.systems, digits=2, percent=True)
            )
        everybody = (HUMAN, *self.systems)
        spreads = [[spread.sd for spread in self._spreads(size)] for size in self.sizes]
        tables.append(self._by_size("Standard deviation over subsets", spreads, everybody))
        if self._sampled():
            errors = [[s.standard_error for s in self._spreads(size)] for size in self.sizes]
            title = "Standard error of the means, where subsets were drawn at random"
            tables.append(self._by_size(title, errors, everybody))
        if self.sizes[0].interval is not None:
            tables += self._interval_tables(everybody)
        return tables

    def _taken(self, size: SizeResult) -> Cell:
        if not self._sampled():
            return size.subsets
        return f"{size.subsets} of {size.combinations:.5g}"

    def _spreads(self, size: SizeResult) -> list[Spread]:
        return [size.human, *(system.score for system in size.systems.values())]

    def _by_size(
        self,
        title: str,
        cells: Sequence[Sequence[Cell]],
        names: Sequence[str],
        *,
        digits: int = 4,
        percent: bool = False,
        text: bool = False,
    ) -> Table:
        columns = [Column(name, digits=digits, percent=percent, text=text) for name in names]
        rows = tuple([s.annotators, *row] for s, row in zip(self.sizes, cells, strict=True))
        return Table((Column("annotators"), *columns), rows, title=title)

    def _interval_title(self) -> str:
        return f"{100 * self.options['ci']['level']:g} % interval"

    def _interval_tables(self, everybody: Sequence[str]) -> list[Table]:
        scores = [
            [
                show_interval(i)
                for i in (size.interval, *(s.interval for s in size.systems.values()))
            ]
            for size in self.sizes
        ]
        title = f"{self._interval_title()} over {self.options['ci']['unit']}s"
        tables = [self._by_size(f"Scores, {title}", scores, everybody, text=True)]
        if self.systems:
            ratios = [
                [show_percent(s.ratio_interval) for s in size.systems.values()]
                for size in self.sizes
            ]
            tables.append(self._by_size(f"Ratios, {title}", ratios, self.systems, text=True))
        return tables

    def _pairs_table(self) -> Table:
        if self.metric == "gleu":
            columns: tuple[Column, ...] = (Column(self.score_title()),)
            rows = tuple((pair.system, pair.annotator, pair.f) for pair in self.pairs)
        else:
            columns = (Column("P"), Column("R"), Column(self.score_title()))
            rows = tuple(tuple(pair) for pair in self.pairs)  # type: ignore[misc]
        heads = (Column("system", text=True), Column("annotator", text=True))
        return Table((*heads, *columns), rows, title="Systems against each annotator alone")

    def _types_table(self) -> Table:
        shown = list(range(len(self.sizes)))
        notes = ["a type nobody in question used is left out of a mean; –: nothing is left"]
        if len(shown) > SIZES_SHOWN:
            last = len(shown) - 1
            shown = sorted({round(k * last / (SIZES_SHOWN - 1)) for k in range(SIZES_SHOWN)})
            notes.append(f"{len(shown)} of {last + 1} sizes; JSON and CSV have all")
        columns = [Column("type", text=True), Column("edits")]
        columns += [Column(str(self.sizes[place].annotators)) for place in shown]
        rows: list[Sequence[Cell]] = []
        for kind in self._types_by_score():
            rows.append([kind.type, kind.edits, *(kind.sizes[k].human.mean for k in shown)])
        title = f"Human against human by error type and number of annotators ({self.score_title()})"
        return Table(tuple(columns), tuple(rows), title=title, notes=tuple(notes))

    def _types_by_score(self) -> list[TypeCurve]:
        def score(kind: TypeCurve) -> float:
            mean = kind.sizes[-1].human.mean
            return mean if mean == mean else -1.0  # noqa: PLR0124  nan, without importing isnan

        return sorted(self.types, key=score, reverse=True)

    def _extrapolated_table(self) -> Table:
        columns = [Column("annotators")]
        for curve in self.curves:
            columns += [Column(curve.name), Column("band", text=True)]
            columns += [] if curve.ratios is None else [Column("ratio", digits=1, percent=True)]
        rows = []
        fitted = self.curves[0].scores
        for place, size in enumerate(fitted.sizes):
            row: list[Cell] = [size]
            for curve in self.curves:
                low, high = curve.scores.low[place], curve.scores.high[place]
                row += [curve.scores.scores[place], f"[{low:.4f}, {high:.4f}]"]
                row += [] if curve.ratios is None else [curve.ratios.scores[place]]
            rows.append(row)
        sizes = (
            f"{fitted.fitted_on[0]} to {fitted.fitted_on[-1]}" if fitted.fitted_on else "no size"
        )
        note = f"a power law fitted on {sizes} annotators; {100 * fitted.level:g} % bands"
        return Table(tuple(columns), tuple(rows), title="Extrapolated, not measured", notes=(note,))

    # --- figures ---

    def figure(self) -> Figure:
        """Scores against the number of annotators (Figures 1 and 3), or types (Figure 2)."""
        from jurybox.report import figures

        if self.types:
            curves = [
                figures.Curve(
                    kind.type,
                    tuple(at.annotators for at in kind.sizes),
                    tuple(at.human.mean for at in kind.sizes),
                )
                for kind in self._types_drawn()
            ]
            title = "Human against human, by error type"
        else:
            curves = [self._figure_curve(name) for name in (HUMAN, *self.systems)]
            title = "People and systems against people"
        return figures.draw_curves(
            curves, title=title, score=self.score_title(), note=self._figure_note()
        )

    def _types_drawn(self) -> list[TypeCurve]:
        """The types with enough edits to tell; all of them where none has."""
        listed = self._types_by_score()
        return [kind for kind in listed if kind.edits >= FEW_EDITS] or listed

    def _figure_note(self) -> str:
        if self.types:
            few = len(self.types) - len(self._types_drawn())
            left_out = f"Types with fewer than {FEW_EDITS} edits ({few}) are left out. "
            return f"{left_out if few else ''}{self.signature}"
        return f"Bands: ± one standard deviation over subsets of annotators. {self.signature}"

    def _figure_curve(self, name: str) -> Any:
        from jurybox.report.figures import Curve as Drawn

        spreads = [size.human if name == HUMAN else size.systems[name].score for size in self.sizes]
        sizes = [size.annotators for size in self.sizes]
        scores = [spread.mean for spread in spreads]
        widths = [0.0 if spread.sd != spread.sd else spread.sd for spread in spreads]
        low = [mean - width for mean, width in zip(scores, widths, strict=True)]
        high = [mean + width for mean, width in zip(scores, widths, strict=True)]
        beyond = next((curve.scores for curve in self.curves if curve.name == name), None)
        count = 0
        if beyond is not None and not beyond.reason:
            sizes += beyond.sizes
            scores += beyond.scores
            low += beyond.low
            high += beyond.high
            count = len(beyond.sizes)
        return Drawn(
            name, tuple(sizes), tuple(scores), tuple(low), tuple(high), count, name == HUMAN
        )


def show_percent(interval: Interval | None) -> str:
    """An interval of ratios, in percent."""
    return show_interval(interval, scale=100, digits=1, unit="%")


def _size_record(size: SizeResult) -> dict[str, Any]:
    record: dict[str, Any] = {"annotators": size.annotators, "subsets": size.subsets}
    record |= {"combinations": size.combinations, "references": size.references}
    record["human"] = number_or_none(size.human.mean)
    record["human_spread"] = _spread_record(size.human)
    if size.interval is not None:
        record["human_interval"] = interval_record(size.interval)
    record["systems"] = {name: _system_record(system) for name, system in size.systems.items()}
    return record


def _system_record(system: SystemAtSize) -> dict[str, Any]:
    record: dict[str, Any] = {"score": number_or_none(system.score.mean)}
    record["ratio"] = number_or_none(system.ratio.value)
    record["ratio_standard_error"] = number_or_none(system.ratio.standard_error)
    record["spread"] = _spread_record(system.score)
    if system.interval is not None and system.ratio_interval is not None:
        record["interval"] = interval_record(system.interval)
        record["ratio_interval"] = interval_record(system.ratio_interval)
    return record


def _spread_record(spread: Spread) -> dict[str, Any]:
    return {**_spread_cells(spread), "undefined": spread.undefined}


def _spread_cells(spread: Spread) -> dict[str, Any]:
    names = ("sd", "low", "high", "standard_error")
    return {name: number_or_none(getattr(spread, name)) for name in names}


def _interval_cells(name: str, interval: Interval | None) -> dict[str, Any]:
    if interval is None:
        return {}
    low, high = number_or_none(interval.low), number_or_none(interval.high)
    return {f"{name}_low": low, f"{name}_high": high}


def _type_record(curve: TypeCurve) -> dict[str, Any]:
    sizes = [
        {
            "annotators": at.annotators,
            "subsets": at.human.subsets,
            "human": number_or_none(at.human.mean),
            "spread": _spread_record(at.human),
        }
        for at in curve.sizes
    ]
    return {"type": curve.type, "edits": curve.edits, "sizes": sizes}


def _curve_record(curve: Curve) -> dict[str, Any]:
    points = []
    for place, size in enumerate(curve.scores.sizes):
        point: dict[str, Any] = {"annotators": size}
        for name, made in (("score", curve.scores), ("ratio", curve.ratios)):
            if made is not None:
                point[name] = number_or_none(made.scores[place])
                point[f"{name}_low"] = number_or_none(made.low[place])
                point[f"{name}_high"] = number_or_none(made.high[place])
        points.append(point)
    record: dict[str, Any] = {"limit": number_or_none(curve.scores.limit), "points": points}
    if curve.scores.reason:
        record["reason"] = curve.scores.reason
    return record
