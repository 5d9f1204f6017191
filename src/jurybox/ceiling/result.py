"""What `ceiling` gives back: sizes, pairs, types, extrapolated curves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isnan
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from jurybox.ceiling import HUMAN, UNCHANGED, CeilingOptions
from jurybox.ceiling.extrapolate import Extrapolation
from jurybox.ceiling.scores import SubsetSpread
from jurybox.ceiling.tables import CeilingTables
from jurybox.figures import Curve, draw_curves
from jurybox.metrics.options import title_of_score
from jurybox.named_parts import NamedParts
from jurybox.records import NOT_EMPTY, WHEN_SET, Count, Share, computed, plain
from jurybox.results import Inputs, Interval, Signature, TabularResult, Warnings
from jurybox.tables import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: a type of which more comparisons than this are empty says little
MOSTLY = 0.5
#: the columns of a spread in the records
SPREAD_CELLS = ("sd", "low", "high", "standard_error", "undefined")


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

    def tables(self) -> list[Table]:
        """Scores and ratios; spread and intervals; then pairs, types and extrapolated curves."""
        return CeilingTables(self).all()

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
            spread, interval = size.human_spread, size.human_interval
            if name != HUMAN:
                spread, interval = size.texts[name].spread, size.texts[name].interval
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
            rows.append(
                base
                | {"name": HUMAN, "score": size.human}
                | _spread_cells(size.human_spread)
                | _interval_cells("score", size.human_interval)
            )
            for name, text in size.texts.items():
                names = ("score", "ratio", "ratio_standard_error", "precision", "recall")
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


def _spread_cells(spread: SubsetSpread) -> dict[str, Any]:
    return {name: getattr(spread, name) for name in SPREAD_CELLS}


def _interval_cells(name: str, interval: Interval | None) -> dict[str, Any]:
    if interval is None:
        return {}
    return {f"{name}_low": interval.low, f"{name}_high": interval.high}
