"""What `compare` gives back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, isnan
from typing import TYPE_CHECKING, Any

from jurybox.api.certainty import Certainty
from jurybox.api.options import title_of_score
from jurybox.api.results import (
    ScoreResult,
    TabularResult,
    envelope,
    number_or_none,
    show_interval,
)
from jurybox.edits.maxmatch import find_edits
from jurybox.report.tables import Cell, Column, Table

if TYPE_CHECKING:
    from jurybox.stats.resample import Interval


@dataclass(frozen=True, slots=True)
class DecidingText:
    """A sentence that moves the difference, with its words where they are at hand."""

    sentence: int  # from 1, as the line in the hypothesis files
    influence: float
    source: str | None = None
    first: str | None = None
    second: str | None = None

    def to_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class PairResult:
    """Two systems on the same sentences; the difference is second minus first."""

    first: str
    second: str
    difference: float
    interval: Interval
    standard_error: float
    p_bootstrap: float
    p_randomisation: float
    p_bootstrap_holm: float
    p_randomisation_holm: float
    smallest_detectable: float
    for_first: tuple[DecidingText, ...] = ()
    for_second: tuple[DecidingText, ...] = ()

    def is_worse(self, alpha: float) -> bool:
        """Whether the second is worse than the first, by more than chance would explain."""
        return self.difference < 0 and self.p_randomisation_holm <= alpha

    def verdict(self, alpha: float, lowest: float = 0.0) -> str:
        """In words, what the tests say; `lowest` is the lowest p they could give."""
        if isnan(self.p_bootstrap) or lowest > alpha:
            return "cannot be told"
        if self.p_randomisation_holm > alpha:
            return "not told apart"
        return f"{self.second} better" if self.difference > 0 else f"{self.second} worse"

    def to_dict(self) -> dict[str, Any]:
        return {
            "first": self.first,
            "second": self.second,
            "difference": self.difference,
            "low": number_or_none(self.interval.low),
            "high": number_or_none(self.interval.high),
            "level": self.interval.level,
            **({"reason": self.interval.reason} if self.interval.reason else {}),
            "standard_error": number_or_none(self.standard_error),
            "p_bootstrap": number_or_none(self.p_bootstrap),
            "p_randomisation": self.p_randomisation,
            "p_bootstrap_holm": number_or_none(self.p_bootstrap_holm),
            "p_randomisation_holm": self.p_randomisation_holm,
            "smallest_detectable": number_or_none(self.smallest_detectable),
            "for_first": [d.to_dict() for d in self.for_first],
            "for_second": [d.to_dict() for d in self.for_second],
        }


@dataclass(frozen=True)
class CompareResult(TabularResult):
    """Several systems on the same sentences, pair by pair."""

    metric: str
    beta: float
    signature: str
    scores: ScoreResult
    baseline: str | None
    pairs: tuple[PairResult, ...]
    certainty: Certainty
    alpha: float = 0.05
    warnings: tuple[str, ...] = ()

    @property
    def lowest_p(self) -> float:
        """The lowest corrected p that so many exchanges can give: 1 / (R + 1), times the pairs."""
        return len(self.pairs) / (self.certainty.resamples + 1)

    @property
    def undecided(self) -> str:
        """Why no pair can be told apart, whatever its difference; '' where pairs can."""
        if self.lowest_p <= self.alpha:
            return ""
        needed = ceil(len(self.pairs) / self.alpha)
        return (
            f"{self.certainty.resamples} random exchanges cannot decide among {len(self.pairs)} "
            f"pairs at {self.alpha:g}: say --resamples {needed} or more"
        )

    def worse(self) -> list[PairResult]:
        """The comparisons a release gate should stop at."""
        return [pair for pair in self.pairs if pair.is_worse(self.alpha)]

    def to_dict(self) -> dict[str, Any]:
        """All numbers, in the form the JSON Schema jurybox.compare/1 describes."""
        record = envelope("compare", self.signature, self.scores.described_inputs())
        record |= {
            "metric": self.metric,
            "options": {
                **self.scores.options,
                "ci": self.certainty.to_dict(),
            },
            "baseline": self.baseline,
            "alpha": self.alpha,
            "systems": [system.to_dict() for system in self.scores.systems],
            "pairs": [pair.to_dict() for pair in self.pairs],
            "warnings": list(self.warnings),
        }
        return record

    def records(self) -> list[dict[str, Any]]:
        """One flat row per pair."""
        rows = []
        for pair in self.pairs:
            row = pair.to_dict()
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
        columns += [Column(level, text=True), Column("p bootstrap"), Column("p randomisation")]
        several = len(self.pairs) > 1
        if several:
            columns.append(Column("p Holm"))
        columns += [Column("smallest detectable", digits), Column("verdict", text=True)]
        rows: list[Sequence[Cell]] = []
        for pair in self.pairs:
            row: list[Cell] = [
                f"{pair.second} - {pair.first}",
                scale * pair.difference,
                show_interval(pair.interval, scale=scale, digits=digits),
                pair.p_bootstrap,
                pair.p_randomisation,
            ]
            if several:
                row.append(pair.p_randomisation_holm)
            rows.append(
                [*row, scale * pair.smallest_detectable, pair.verdict(self.alpha, self.lowest_p)]
            )
        notes = [f"signature: {self.signature}"]
        if several:
            notes.insert(
                0, "p Holm: p randomisation, corrected for the number of pairs; it decides."
            )
        if self.undecided:
            notes.insert(0, f"{self.undecided}.")
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
