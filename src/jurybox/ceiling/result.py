"""What `ceiling` gives back: sizes, pairs, types, extrapolated curves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import isnan, nan
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from jurybox.ceiling import HUMAN, UNCHANGED, CeilingOptions
from jurybox.ceiling.extrapolate import Extrapolation
from jurybox.ceiling.scores import SubsetSpread
from jurybox.errors import plural
from jurybox.figures import Curve, draw_curves
from jurybox.metrics.options import EDIT_METRICS, title_of_score
from jurybox.records import NOT_EMPTY, WHEN_SET, Count, Share, computed, plain
from jurybox.results import (
    Inputs,
    Interval,
    NamedParts,
    Signature,
    TabularResult,
    Warnings,
    show_interval,
)
from jurybox.stats.confidence import caution_lines
from jurybox.tables import Cell, Column, Table, in_shown_order, signed

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: a type of which more comparisons than this are empty says little
MOSTLY = 0.5
#: the columns of a spread in the records
SPREAD_CELLS = ("sd", "low", "high", "standard_error", "undefined")
#: with up to so many systems, scores and ratios share a table; more get a table of ratios
SIDE_BY_SIDE = 4
#: so many sizes are columns of error types and rows of extrapolated curves, or half as many again;
#: the rest is in JSON and CSV
SIZES_SHOWN, ROWS_SHOWN = 10, 20
#: below both, a system does so little that its share of human performance flatters it
LOW_SHARE, LOW_RECALL = 0.5, 0.05
#: so many systems are named in a sentence
MOST_NAMES = 5


class ScoredText(NamedTuple):
    """A text against sets of so many annotators: a system's, or the source unchanged."""

    spread: SubsetSpread
    ratio: Annotated[float, "Score over the human score; null where that is 0 or missing."]
    ratio_standard_error: Annotated[
        float,
        "Standard error of the ratio where subsets were drawn at random; 0 where all were scored.",
    ]
    precision: Annotated[
        Share, "Mean precision over the subsets; null for GLEU, and where nothing can be scored."
    ]
    recall: Annotated[
        Share, "Mean recall over the subsets; null for GLEU, and where nothing can be scored."
    ]
    interval: Annotated[Interval | None, "Of the score; only with --ci.", WHEN_SET] = None
    ratio_interval: Annotated[Interval | None, "Of the ratio; only with --ci.", WHEN_SET] = None

    @computed
    def score(self) -> float:
        """Mean score over the subsets; null where there is none."""
        return self.spread.mean


class SizeResult(NamedTuple):
    """People and systems against sets of so many annotators."""

    annotators: Annotated[int, "How many reference annotators."]
    subsets: Annotated[int, "How many sets of annotators were scored."]
    combinations: Annotated[
        int, "How many such sets there are; more than subsets: a random sample was scored."
    ]
    references: Annotated[
        float,
        "How many references a person outside the set meets in a sentence, on average: as many as "
        "annotators, unless somebody skipped sentences; null where nobody meets any.",
    ]
    human_spread: SubsetSpread
    systems: Annotated[Mapping[str, ScoredText], "Every system by name."]
    unchanged: Annotated[ScoredText, "The source text, scored like a system that changes nothing."]
    human_interval: Annotated[Interval | None, "Of the human score; only with --ci.", WHEN_SET] = (
        None
    )

    @computed
    def human(self) -> float:
        """Mean score of people outside a set against it: the ceiling."""
        return self.human_spread.mean

    @computed
    def reason(self) -> Annotated[str | None, WHEN_SET]:
        """Why there is no human score, or nothing to divide by."""
        if isnan(self.human):
            return "no person looked at a sentence that others looked at too"
        return None if self.human else "people score 0: there is nothing to divide by"

    @property
    def texts(self) -> dict[str, ScoredText]:
        """What is compared with people: the systems, and the source unchanged as the last."""
        return {**self.systems, UNCHANGED: self.unchanged}

    @property
    def everybody(self) -> dict[str, ScoredText]:
        """The same, after people's own score."""
        whole = nan if self.reason else 1.0
        people = ScoredText(self.human_spread, whole, nan, nan, nan, self.human_interval)
        return {HUMAN: people, **self.texts}


class PairScore(NamedTuple):
    """A system against one annotator alone."""

    system: str
    annotator: str
    precision: Annotated[float | None, "Null for GLEU, and where nothing can be scored."]
    recall: Annotated[float | None, "Null for GLEU, and where nothing can be scored."]
    f: Annotated[float | None, "F, or GLEU; null where nothing can be scored."]


class TypeSize(NamedTuple):
    """People against sets of so many annotators, on one error type."""

    annotators: Annotated[int, "How many reference annotators."]
    subsets: Annotated[int, "How many sets of annotators were scored."]
    spread: SubsetSpread
    empty: Annotated[
        Share,
        "Share of comparisons in which neither the person nor the references chosen have an edit "
        "of the type; they score 1 by convention and say nothing.",
    ]

    @computed
    def human(self) -> float:
        """Mean score of people; null where nobody used the type."""
        return self.spread.mean


class TypeCurve(NamedTuple):
    """People against people on one error type."""

    type: str
    edits: Annotated[Count, "How many edits of the type all annotators made together."]
    sizes: Annotated[tuple[TypeSize, ...], "By number of reference annotators.", NOT_EMPTY]


class ExtrapolatedCurve(NamedTuple):
    """Scores for more annotators than there are."""

    score: Extrapolation
    ratio: Annotated[Extrapolation | None, "The ratio to people; systems only.", WHEN_SET] = None


@dataclass(frozen=True, repr=False)
class CeilingResult(TabularResult, NamedParts[str, ScoredText]):
    """People scored against people, and systems as well, by number of reference annotators."""

    command = "ceiling"

    options: CeilingOptions
    annotators: Annotated[tuple[str, ...], "The panel, in the order in which ties are broken."]
    sentences: Annotated[Count, "How many sentences the panel has."]
    documents: Annotated[
        int | None, "How many documents these belong to; null where that is not known."
    ]
    sizes: Annotated[tuple[SizeResult, ...], "By number of reference annotators.", NOT_EMPTY]
    signature: Signature
    pairwise: Annotated[
        tuple[PairScore, ...],
        "Every system against every annotator alone; only with --pairwise.",
        WHEN_SET,
    ] = ()
    types: Annotated[
        tuple[TypeCurve, ...],
        "People against people by error type, the most frequent first; only with --by type.",
        WHEN_SET,
    ] = ()
    extrapolation: Annotated[
        Mapping[str, ExtrapolatedCurve],
        "Scores for more annotators than there are, not measured: the curve of human, and of every "
        "system by name. Only with --extrapolate.",
        WHEN_SET,
    ] = field(default_factory=dict)
    inputs: Inputs = ()
    warnings: Warnings = ()

    noun = "system"

    def parts(self) -> Mapping[str, ScoredText]:
        """The systems at the largest number of reference annotators."""
        return self.sizes[-1].systems

    @computed
    def metric(self) -> str:
        return self.options.metric

    @property
    def human(self) -> float:
        """The human score at the largest number of reference annotators: the ceiling."""
        return self.sizes[-1].human

    @property
    def systems(self) -> tuple[str, ...]:
        return tuple(self.sizes[-1].systems)

    def score(self, system: str) -> float:
        """A system's score at the largest number of reference annotators."""
        return self[system].score

    def ratio(self, system: str) -> float:
        """A system's score over the human one at the largest number of reference annotators."""
        return self[system].ratio

    def score_title(self) -> str:
        """What the score is called."""
        return title_of_score(self.options.metric, self.options.beta)

    def types_by_score(self) -> list[TypeCurve]:
        """The error types, those people agree on most first; those hardly used at the end."""

        def score(kind: TypeCurve) -> tuple[bool, float]:
            last = kind.sizes[-1]
            return last.empty <= MOSTLY, -1.0 if isnan(last.human) else last.human

        return sorted(self.types, key=score, reverse=True)

    def figure(self) -> Figure:
        """Figures 1 and 3 of Bryant and Ng (2015): scores by annotators; Figure 2: types."""
        if self.types:
            curves = [
                Curve(
                    kind.type,
                    tuple(at.annotators for at in kind.sizes),
                    tuple(at.human for at in kind.sizes),
                )
                for kind in self.types_by_score()
            ]
            title, bands = "People against people, by error type", ""
        else:
            # By F the source unchanged is the line 0 wherever somebody made an edit, and would only
            # stretch the axis; by GLEU it scores above 0.
            drawn = [
                name
                for name in self.sizes[-1].texts
                if name != UNCHANGED or any(size.unchanged.score > 0 for size in self.sizes)
            ]
            curves = [self._curve(name) for name in (HUMAN, *drawn)]
            title = "People and systems against people" if self.systems else "People against people"
            bands = f"{self._what_bands_are()}\n"
        note = f"{bands}{self.signature}"
        return draw_curves(curves, title=title, score=self.score_title(), note=note)

    def _what_bands_are(self) -> str:
        bands, ci = "± one standard deviation over subsets of annotators", self.options.ci
        if ci is not None:
            bands = f"{100 * ci.level:g} % intervals over {ci.unit}s"
        drawn = [one.score for one in self.extrapolation.values() if not one.score.reason]
        if drawn:
            bands += f"; where extrapolated, {100 * drawn[0].level:g} % bands of the prediction"
        return f"Bands: {bands}."

    def _curve(self, name: str) -> Curve:
        """Means with their band, then what is extrapolated."""
        sizes, scores, low, high = [], [], [], []
        for size in self.sizes:
            spread, interval = size.everybody[name].spread, size.everybody[name].interval
            sizes.append(size.annotators)
            scores.append(spread.mean)
            low.append(max(0.0, spread.mean - spread.sd) if interval is None else interval.low)
            high.append(min(1.0, spread.mean + spread.sd) if interval is None else interval.high)
        measured = len(sizes)
        if (beyond := self.extrapolation.get(name)) is not None and not beyond.score.reason:
            sizes += beyond.score.sizes
            scores += beyond.score.scores
            low += beyond.score.low
            high += beyond.score.high
        return Curve(
            name,
            tuple(sizes),
            tuple(scores),
            None if any(map(isnan, low)) else tuple(low),
            None if any(map(isnan, high)) else tuple(high),
            uncertain=len(sizes) - measured,
            human=name == HUMAN,
        )

    def records(self) -> list[dict[str, Any]]:
        """One flat row per size and hypothesis, then pairs, types and extrapolated points."""
        rows: list[dict[str, Any]] = []
        for size in self.sizes:
            base = {"part": "sizes", "annotators": size.annotators, "subsets": size.subsets}
            base |= {"combinations": size.combinations, "references": size.references}
            for name, text in size.everybody.items():
                beside = ("ratio", "ratio_standard_error", "precision", "recall")
                names = ("score", *(beside if name != HUMAN else ()))
                rows.append(
                    base
                    | {"name": name}
                    | {column: getattr(text, column) for column in names}
                    | _spread_cells(text.spread)
                    | _interval_cells("score", text.interval)
                    | _interval_cells("ratio", text.ratio_interval)
                )
        for pair in self.pairwise:
            row = {"part": "pairwise", "annotators": 1, "name": pair.system}
            row |= {"annotator": pair.annotator, "score": pair.f}
            rows.append(row | {"precision": pair.precision, "recall": pair.recall})
        for kind in self.types:
            for at in kind.sizes:
                row = {"part": "types", "annotators": at.annotators, "name": HUMAN}
                row |= {"type": kind.type, "edits": kind.edits, "score": at.human}
                rows.append(row | {"empty": at.empty} | _spread_cells(at.spread))
        for name, curve in self.extrapolation.items():
            for place, annotators in enumerate(curve.score.sizes):
                row = {"part": "extrapolated", "annotators": annotators, "name": name}
                for column, made in (("score", curve.score), ("ratio", curve.ratio)):
                    if made is not None:
                        row |= {column: made.scores[place], f"{column}_low": made.low[place]}
                        row[f"{column}_high"] = made.high[place]
                rows.append(row)
        columns = dict.fromkeys(name for row in rows for name in row)
        return [dict.fromkeys(columns) | plain(row) | {"signature": self.signature} for row in rows]

    # --- tables ---

    def tables(self) -> list[Table]:
        """Scores and ratios; spread and intervals; then pairs, types and extrapolated curves."""
        tables = [self._one_size()] if len(self.sizes) == 1 else self._many_sizes()
        if self.pairwise:
            tables.append(self._pairs())
        if self.types:
            tables.append(self._types())
        if any(not curve.score.reason for curve in self.extrapolation.values()):
            tables.append(self._extrapolated())
        return signed(tables, self.signature, *self._notes())

    # --- numbers: fractions, but GLEU as people quote it, from 0 to 100 ---

    def _gleu(self) -> bool:
        return self.metric == "gleu"

    def _scaled(self, score: float | None) -> float | None:
        return 100 * score if self._gleu() and score is not None else score

    def _score_column(self, title: str) -> Column:
        return Column(title, digits=2 if self._gleu() else 4)

    def _interval(self, interval: Interval | None) -> str:
        scale, digits = (100, 2) if self._gleu() else (1, 4)
        return show_interval(interval, scale=scale, digits=digits)

    def _interval_title(self) -> str:
        ci = self.options.ci
        return f"{100 * ci.level:g} % interval" if ci is not None else ""

    def _sampled(self) -> bool:
        return any(size.subsets < size.combinations for size in self.sizes)

    # --- titles and notes ---

    def _title(self) -> str:
        count, size = len(self.annotators), self.sizes[-1].annotators
        what = plural(self.sentences, "sentence")
        if self.documents is not None:
            what += f" of {plural(self.documents, 'document')}"
        others = f"the {count - 1} others" if count > 2 else "the other"
        if len(self.sizes) > 1 or size < count - 1:
            others = "some of the others"
        likewise = ", systems likewise" if self.systems else ""
        return f"{count} annotators, {what}: each person against {others}{likewise}"

    def _notes(self) -> Iterator[str]:
        skipped = [size for size in self.sizes if size.references < size.annotators - 1e-9]
        if skipped:
            shown = ", ".join(f"{s.references:.2f} of {s.annotators}" for s in skipped[:9])
            more = " …" if len(skipped) > 9 else ""
            yield f"annotators skipped sentences: references per sentence are {shown}{more}"
        undefined = sum(size.human_spread.undefined for size in self.sizes)
        if undefined:
            yield f"{undefined} subsets share no sentence with another person and are left out"
        for size in self.sizes:
            found = {HUMAN: size.human_interval}
            found |= {f"{name}'s ratio": s.ratio_interval for name, s in size.systems.items()}
            for name, interval in found.items():
                if interval is not None and interval.reason:
                    yield f"interval of {name} at {size.annotators}: {interval.reason}"
        ci = self.options.ci
        yield from caution_lines(ci.cautions if ci is not None else ())
        yield from dict.fromkeys(size.reason for size in self.sizes if size.reason)
        for name, curve in self.extrapolation.items():
            if curve.score.reason:
                yield f"{name} is not extrapolated: {curve.score.reason}"

    # --- one size: hypotheses as rows ---

    def _one_size(self) -> Table:
        size = self.sizes[0]
        with_intervals = size.human_interval is not None
        intervals = [Column(self._interval_title(), text=True)] if with_intervals else []
        columns = [Column("", text=True), self._score_column(self.score_title()), *intervals]
        columns += [Column("of human", digits=1, percent=True), *intervals]
        columns += [self._score_column("± error")] if self._sampled() else []
        columns += [self._score_column(name) for name in ("sd", "lowest", "highest")]
        rows: list[Sequence[Cell]] = []
        for name, text in size.everybody.items():
            row: list[Cell] = [name, self._scaled(text.score)]
            row += [self._interval(text.interval)] if with_intervals else []
            row += [text.ratio]
            row += [show_percent(text.ratio_interval)] if with_intervals else []
            row += [self._scaled(text.spread.standard_error)] if self._sampled() else []
            spread = (text.spread.sd, text.spread.low, text.spread.high)
            rows.append([*row, *map(self._scaled, spread)])
        taken = f"{size.subsets} subsets"
        if size.subsets < size.combinations:
            taken += f" drawn at random from {_short(size.combinations)}"
        notes = (
            f"against {plural(size.annotators, 'reference annotator')}, "
            f"mean over {taken}; sd, lowest and highest: over these subsets",
            *explain_shares(self),
        )
        return Table(tuple(columns), tuple(rows), title=self._title(), notes=notes)

    # --- many sizes: Table 5 of the paper ---

    def _many_sizes(self) -> list[Table]:
        tables = [self._main()]
        if len(self.systems) > SIDE_BY_SIDE:
            ratios = [[s.ratio for s in size.texts.values()] for size in self.sizes]
            columns = [Column(name, digits=2, percent=True) for name in self.sizes[0].texts]
            tables.append(self._by_size("Ratio to human", ratios, columns))
        everybody = [self._score_column(name) for name in self.sizes[0].everybody]
        spreads = [[text.spread for text in size.everybody.values()] for size in self.sizes]
        rows = [[self._scaled(one.sd) for one in row] for row in spreads]
        tables.append(self._by_size("Standard deviation over subsets", rows, everybody))
        if self._sampled():
            rows = [[self._scaled(one.standard_error) for one in row] for row in spreads]
            title = "Standard error of the means, where subsets were drawn at random"
            tables.append(self._by_size(title, rows, everybody))
        if self.sizes[0].human_interval is not None:
            tables += self._intervals()
        return tables

    def _main(self) -> Table:
        """Sizes as rows, systems beside their ratios."""
        side_by_side = len(self.systems) <= SIDE_BY_SIDE
        columns = [Column("annotators"), Column("subsets", text=self._sampled())]
        columns.append(self._score_column(HUMAN))
        for name in self.sizes[0].texts:
            columns.append(self._score_column(name))
            columns += [Column("ratio", digits=2, percent=True)] if side_by_side else []
        rows: list[Sequence[Cell]] = []
        for size in self.sizes:
            taken: Cell = size.subsets
            if self._sampled():
                taken = f"{size.subsets} of {_short(size.combinations)}"
            row: list[Cell] = [size.annotators, taken, self._scaled(size.human)]
            for system in size.texts.values():
                row.append(self._scaled(system.score))
                row += [system.ratio] if side_by_side else []
            rows.append(row)
        notes = (
            "ratio: share of human performance, against the same number of reference annotators",
            *explain_shares(self),
        )
        title = f"{self._title()} ({self.score_title()})"
        return Table(tuple(columns), tuple(rows), title=title, notes=notes)

    def _by_size(
        self, title: str, cells: Sequence[Sequence[Cell]], columns: Sequence[Column]
    ) -> Table:
        sizes = (size.annotators for size in self.sizes)
        rows = tuple([size, *row] for size, row in zip(sizes, cells, strict=True))
        return Table((Column("annotators"), *columns), rows, title=title)

    def _intervals(self) -> list[Table]:
        scores = [
            [self._interval(text.interval) for text in size.everybody.values()]
            for size in self.sizes
        ]
        unit = self.options.ci.unit if self.options.ci is not None else ""
        title = f"{self._interval_title()} over {unit}s"
        columns = [Column(name, text=True) for name in self.sizes[0].everybody]
        ratios = [
            [show_percent(s.ratio_interval) for s in size.texts.values()] for size in self.sizes
        ]
        return [
            self._by_size(f"Scores, {title}", scores, columns),
            self._by_size(f"Ratios, {title}", ratios, columns[1:]),
        ]

    # --- pairs, types, extrapolated curves ---

    def _pairs(self) -> Table:
        """Table 4 of the paper."""
        heads = (Column("system", text=True), Column("annotator", text=True))
        score = self._score_column(self.score_title())
        edits = self.metric in EDIT_METRICS
        rows: list[Sequence[Cell]] = []
        systems = list(dict.fromkeys(pair.system for pair in self.pairwise))
        pairs = in_shown_order(self.pairwise, self.annotators, lambda p: p.annotator)
        for pair in sorted(pairs, key=lambda pair: systems.index(pair.system)):
            both = (pair.precision, pair.recall) if edits else ()
            rows.append((pair.system, pair.annotator, *both, self._scaled(pair.f)))
        columns = (Column("P"), Column("R"), score) if edits else (score,)
        title = "Systems against each annotator alone"
        return Table((*heads, *columns), tuple(rows), title=title)

    def _types(self) -> Table:
        """Figure 2 of the paper, as numbers."""
        shown = _evenly(len(self.sizes), SIZES_SHOWN)
        notes = [
            "empty: comparisons in which neither the person nor the references chosen have an edit "
            f"of the type (against {self.sizes[-1].annotators}); they score 1 by convention"
        ]
        if len(shown) < len(self.sizes):
            notes.append(f"{len(shown)} of {len(self.sizes)} sizes; JSON and CSV have all")
        columns = [Column("type", text=True), Column("edits")]
        columns += [Column(str(self.sizes[place].annotators)) for place in shown]
        columns.append(Column("empty", digits=1, percent=True))
        rows: list[Sequence[Cell]] = []
        for kind in self.types_by_score():
            means = (kind.sizes[place].human for place in shown)
            rows.append([kind.type, kind.edits, *means, kind.sizes[-1].empty])
        title = (
            "People against people by error type and number of reference annotators "
            f"({self.score_title()})"
        )
        return Table(tuple(columns), tuple(rows), title=title, notes=tuple(notes))

    def _extrapolated(self) -> Table:
        fitted = self.extrapolation[HUMAN].score
        shown = _evenly(len(fitted.sizes), ROWS_SHOWN)
        level = f"{100 * fitted.level:g} % band"
        columns = [Column("", text=True), Column("annotators")]
        columns += [self._score_column(self.score_title()), Column(level, text=True)]
        with_ratios = bool(self.systems)
        if with_ratios:
            columns += [Column("of human", digits=1, percent=True), Column(level, text=True)]
        rows: list[Sequence[Cell]] = []
        digits = 2 if self._gleu() else 4
        for name, curve in self.extrapolation.items():
            for place in shown:
                made = curve.score
                low, high = (self._scaled(end[place]) for end in (made.low, made.high))
                row: list[Cell] = [name, made.sizes[place], self._scaled(made.scores[place])]
                row.append("" if made.reason else f"[{low:.{digits}f}, {high:.{digits}f}]")
                if with_ratios:
                    ratio = curve.ratio
                    if ratio is None or ratio.reason:
                        row += [None, ""]
                    else:
                        low, high = 100 * ratio.low[place], 100 * ratio.high[place]
                        row += [ratio.scores[place], f"[{low:.1f}%, {high:.1f}%]"]
                rows.append(row)
        sizes = ", ".join(map(str, fitted.fitted_on))
        notes = [f"a power law fitted on {sizes} annotators"]
        if len(shown) < len(fitted.sizes):
            notes.append(f"{len(shown)} of {len(fitted.sizes)} sizes; JSON and CSV have all")
        title = "Extrapolated, not measured"
        return Table(tuple(columns), tuple(rows), title=title, notes=tuple(notes))


def _spread_cells(spread: SubsetSpread) -> dict[str, Any]:
    return {name: getattr(spread, name) for name in SPREAD_CELLS}


def _interval_cells(name: str, interval: Interval | None) -> dict[str, Any]:
    if interval is None:
        return {}
    return {f"{name}_low": interval.low, f"{name}_high": interval.high}


def _evenly(count: int, most: int) -> list[int]:
    """Places of so many among `count`, evenly spread, both ends among them.

    All of them, if that is up to half as many again: leaving out one or two saves no room.

    >>> _evenly(4, 3), _evenly(9, 3)
    ([0, 1, 2, 3], [0, 4, 8])
    """
    if count <= most + most // 2:
        return list(range(count))
    return sorted({round(k * (count - 1) / (most - 1)) for k in range(most)})


def _short(number: int) -> str:
    """A number of combinations, which can be larger than any float.

    >>> _short(1225), _short(10**400)
    ('1225', 'about 10^400')
    """
    return f"{number:.6g}" if number < 10**300 else f"about 10^{len(str(number)) - 1}"


def show_percent(interval: Interval | None) -> str:
    """An interval of ratios, in percent."""
    return show_interval(interval, scale=100, digits=1, unit="%")


# --- what a share of human performance means ---


class BestSystems(NamedTuple):
    """The systems with the highest score (several if they tie), among how many with a score."""

    names: tuple[str, ...]
    share: float
    among: int

    def __str__(self) -> str:
        """As "cautious, the best of 3" or "bold and cautious, the best of 3 (tied)"."""
        tied = " (tied)" if len(self.names) > 1 else ""
        place = f", the best of {self.among}{tied}" if self.among > 1 else ""
        return f"{listed(self.names)}{place}"


def best_of(result: CeilingResult) -> BestSystems | None:
    """The best system against the largest number of annotators, by its share of human performance.

    The best is the highest, also above 100 %. The source unchanged is no system.
    """
    shares = {name: result.ratio(name) for name in result.systems}
    known = {name: share for name, share in shares.items() if not isnan(share)}
    if not known:
        return None
    highest = max(known.values())
    return BestSystems(
        tuple(n for n, share in known.items() if share == highest), highest, len(known)
    )


def listed(names: Sequence[str]) -> str:
    """Names in a sentence.

    >>> listed(["a"]), listed(["a", "b", "c"]), listed([str(n) for n in range(7)])
    ('a', 'a, b and c', '0, 1, 2, 3, 4 and 2 more')
    """
    more = len(names) - MOST_NAMES
    shown = [*names[:MOST_NAMES], f"{more} more"] if more > 0 else list(names)
    return " and ".join(filter(None, (", ".join(shown[:-1]), shown[-1])))


def explain_shares(result: CeilingResult) -> Iterator[str]:
    """What shares of human performance do and do not mean, where they mislead."""
    above = [
        name
        for name in result.systems
        if any(size.systems[name].ratio > 1 for size in result.sizes)
    ]
    if above:
        yield f"above 100% of human performance: {listed(above)}"
        yield (
            "Such a text agrees with the annotators more than they agree with each other; few, "
            "minimal edits in their style do that."
        )
        yield (
            "It does not mean superhuman: a person's good correction counts as an error wherever "
            "none of the references has it."
        )
    last = result.sizes[-1]
    little = [
        f"{name} ({system.recall:.4f})"
        for name, system in last.systems.items()
        if system.ratio < LOW_SHARE and system.recall < LOW_RECALL
    ]
    if little:
        yield f"below {LOW_SHARE:.0%} with a recall under {LOW_RECALL:.2f}: {listed(little)}"
        yield (
            "A few safe edits are enough for such a score: it flatters a system that does little. "
            f"'{UNCHANGED}' is the score of doing nothing."
        )
    floor = last.unchanged.score
    below = [name for name, system in last.systems.items() if system.score <= floor]
    if below:
        yield f"no better than the text left as it is ('{UNCHANGED}'): {listed(below)}"
