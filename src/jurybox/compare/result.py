"""What `compare` gives back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from math import isnan
from typing import Annotated, Any, NamedTuple, overload

from jurybox.metrics.maxmatch import find_edits
from jurybox.metrics.options import title_of_score
from jurybox.records import FLAT, NOT_EMPTY, Limits, computed, plain
from jurybox.results import (
    Inputs,
    Interval,
    NamedParts,
    Signature,
    TabularResult,
    Warnings,
    by,
    show_interval,
)
from jurybox.score.result import ScoreResult, SystemScore
from jurybox.stats.confidence import Bootstrap, ScoringOptions, caution_lines
from jurybox.tables import Cell, Column, Table

P = Annotated[float, Limits(minimum=0, maximum=1)]


class DecidingText(NamedTuple):
    """A sentence that moves the difference, with its words where they are at hand."""

    sentence: Annotated[
        int,
        "Number of the sentence from 1, which is its line in the hypothesis files.",
        Limits(minimum=1),
    ]
    influence: Annotated[float, "The difference with the sentence less the one without it."]
    source: Annotated[
        str | None, "Its source; null where the text is not at hand (saved counts, pipes)."
    ] = None
    first: Annotated[str | None, "The first system's text, or null."] = None
    second: Annotated[str | None, "The second system's text, or null."] = None


class PairResult(NamedTuple):
    """Two systems on the same sentences; the difference is second minus first."""

    first: Annotated[str, "The system compared with."]
    second: Annotated[str, "The system compared."]
    difference: Annotated[float, "Score of the second less score of the first."]
    interval: Annotated[Interval, FLAT]
    standard_error: Annotated[
        float,
        "Standard error of the difference over the exchanges; null where there is none.",
        Limits(minimum=0),
    ]
    p_bootstrap: Annotated[P, "Two-sided p-value of the paired bootstrap; null without one."]
    p_randomisation: Annotated[P, "Two-sided p-value of approximate randomisation."]
    p_bootstrap_holm: Annotated[P, "p_bootstrap corrected for the number of pairs (Holm)."]
    p_randomisation_holm: Annotated[
        P, "p_randomisation corrected for the number of pairs (Holm); it decides."
    ]
    lowest_p: Annotated[
        P,
        "The lowest p_randomisation that exchanging the sentences or documents that differ could "
        "give.",
    ]
    exchanges: Annotated[
        int,
        "How many random exchanges p_randomisation_holm rests on: those asked for, or more where "
        "these could not decide among so many pairs.",
        Limits(minimum=1),
    ]
    smallest_detectable: Annotated[
        float,
        "The smallest true difference a test at alpha would find with probability 0.8; null where "
        "there is none.",
        Limits(minimum=0),
    ]
    for_first: Annotated[
        tuple[DecidingText, ...],
        "The sentences that speak most for the first system, strongest first.",
    ] = ()
    for_second: Annotated[
        tuple[DecidingText, ...],
        "The sentences that speak most for the second system, strongest first.",
    ] = ()

    def is_worse(self, alpha: float) -> bool:
        """Whether the second is worse than the first, by more than chance would explain."""
        return self.difference < 0 and self.p_randomisation_holm <= alpha

    def verdict(self, alpha: float) -> str:
        """What the randomisation test says, in words."""
        if isnan(self.p_bootstrap) or (self.difference**2 > 0 and self.lowest_p > alpha):
            return "too few differences to tell"
        if self.p_randomisation_holm <= alpha:
            return f"{self.second} {'better' if self.difference > 0 else 'worse'}"
        if self.p_randomisation <= alpha:
            return "not significant after correction"
        return "no significant difference"


@dataclass(frozen=True, repr=False)
class CompareResult(TabularResult, NamedParts[str | tuple[str, str], SystemScore | PairResult]):
    """Several systems on the same sentences, pair by pair."""

    command = "compare"

    options: Annotated[
        ScoringOptions,
        "Every option that changes a number. Options of other metrics have their defaults.",
    ]
    baseline: Annotated[str | None, "The system all others were compared with; null for all pairs."]
    alpha: Annotated[
        float,
        "Level of significance of verdicts and of the gate.",
        Limits(exclusiveMinimum=0, exclusiveMaximum=1),
    ]
    systems: Annotated[
        tuple[SystemScore, ...],
        "One entry per system, in the order in which they were given.",
        NOT_EMPTY,
    ]
    pairs: Annotated[tuple[PairResult, ...], "The comparisons.", NOT_EMPTY]
    signature: Signature
    inputs: Inputs = ()
    warnings: Warnings = ()

    @computed
    def metric(self) -> str:
        """m2, errant, gleu, or the metric of a package."""
        return self.options.metric

    @property
    def beta(self) -> float:
        return self.options.beta

    @property
    def bootstrap(self) -> Bootstrap:
        """How the differences were resampled."""
        return self.options.ci or Bootstrap()

    @property
    def scores(self) -> ScoreResult:
        """The systems' scores without intervals, as `score` gives them."""
        return ScoreResult(
            options=self.options.replace(ci=None),
            systems=self.systems,
            signature=self.signature.replace(self.bootstrap.sign("|v:"), "|v:"),
            inputs=self.inputs,
            warnings=self.warnings,
        )

    noun = "system"

    def parts(self) -> Mapping[str | tuple[str, str], SystemScore | PairResult]:
        """Systems by name, and pairs by both names as they were compared."""
        pairs = {(pair.first, pair.second): pair for pair in self.pairs}
        return dict(chain(by("name", self.systems).items(), pairs.items()))

    @overload
    def __getitem__(self, name: str) -> SystemScore: ...
    @overload
    def __getitem__(self, name: tuple[str, str]) -> PairResult: ...

    def __getitem__(self, name: str | tuple[str, str]) -> SystemScore | PairResult:
        return super().__getitem__(name)

    def how_decided(self) -> list[str]:
        """Which test the verdicts go by, which intervals are shown, and what was done for them."""
        if len(self.pairs) == 1:
            return ["The verdict and the interval are those of the randomisation test."]
        notes = [
            f"The verdicts go by p Holm: p randomisation, corrected for {len(self.pairs)} pairs. "
            "The intervals are those of the same test for one pair alone, without correction."
        ]
        asked = self.bootstrap.resamples
        raised = [pair.exchanges for pair in self.pairs if pair.exchanges > asked]
        if raised:
            notes.append(
                f"{asked} exchanges could not decide among {len(self.pairs)} "
                f"pairs at {self.alpha:g}: p Holm of the {len(raised)} pairs with p randomisation "
                f"up to {self.alpha:g} is by {max(raised)} exchanges."
            )
        return notes

    def worse(self) -> list[PairResult]:
        """The comparisons a release gate should stop at."""
        return [pair for pair in self.pairs if pair.is_worse(self.alpha)]

    def records(self) -> list[dict[str, Any]]:
        """One flat row per pair."""
        rows = []
        for pair in self.pairs:
            row = plain(pair)
            del row["for_first"], row["for_second"]
            rows.append({**row, "signature": self.signature})
        return rows

    def tables(self) -> list[Table]:
        """The systems, the pairs, and the sentences that decide each pair."""
        gleu = self.metric == "gleu"
        scale, digits = (100, 2) if gleu else (1, 4)
        level = f"{100 * self.pairs[0].interval.level:g} % interval"
        title = title_of_score(self.metric, self.beta)
        columns = [Column("pair", text=True), Column(f"difference in {title}", digits, signed=True)]
        columns += [Column(level, text=True), Column("p randomisation")]
        several = len(self.pairs) > 1
        if several:
            columns.append(Column("p Holm"))
        columns += [Column("verdict", text=True), Column("p bootstrap")]
        columns.append(Column("smallest detectable", digits))
        rows: list[Sequence[Cell]] = []
        for pair in self.pairs:
            row: list[Cell] = [
                f"{pair.second} - {pair.first}",
                scale * pair.difference,
                show_interval(pair.interval, scale=scale, digits=digits),
                pair.p_randomisation,
            ]
            if several:
                row.append(pair.p_randomisation_holm)
            row += [pair.verdict(self.alpha), pair.p_bootstrap, scale * pair.smallest_detectable]
            rows.append(row)
        notes = [
            *caution_lines([*self.how_decided(), *self.bootstrap.cautions]),
            f"signature: {self.signature}",
        ]
        scores = self.scores.tables()[0]
        plain_scores = Table(scores.columns, scores.rows)
        return [
            plain_scores,
            Table(tuple(columns), tuple(rows), notes=tuple(notes)),
            *(
                self._deciding_table(pair)
                for pair in self.pairs
                if pair.for_first or pair.for_second
            ),
        ]

    def _deciding_table(self, pair: PairResult) -> Table:
        scale = 100 if self.metric == "gleu" else 1
        deciding = [
            (name, one)
            for name, ones in ((pair.second, pair.for_second), (pair.first, pair.for_first))
            for one in ones
        ]
        with_words = any(one.source is not None for _, one in deciding)
        columns = [Column("speaks for", text=True), Column("sentence")]
        columns.append(Column("influence", digits=5, signed=True))
        if with_words:
            columns += [Column("who", text=True), Column("words", text=True)]
        rows: list[Sequence[Cell]] = []
        for name, one in deciding:
            place: list[Cell] = [name, one.sentence, scale * one.influence]
            if not with_words:
                rows.append(place)
                continue
            rows.append([*place, "source", one.source])
            rows.append(["", "", "", pair.first, _changes(one.source, one.first)])
            rows.append(["", "", "", pair.second, _changes(one.source, one.second)])
        title = f"Sentences that decide {pair.second} - {pair.first}"
        return Table(tuple(columns), tuple(rows), title=title)


def _changes(source: str | None, corrected: str | None) -> str:
    """What a system changed in a sentence, word for word."""
    if source is None or corrected is None:
        return ""
    tokens = tuple(source.split())
    edits = find_edits(tokens, tuple(corrected.split()), unchanged=0)
    shown = [f"[{' '.join(tokens[e.start : e.end])} -> {e.replacement}]" for e in edits]
    return " ".join(shown) or "(unchanged)"
