"""Typed results: what `score` and `compare` give back, as values, dicts, frames and tables."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isnan
from typing import TYPE_CHECKING, Any

from jurybox._version import __version__
from jurybox.edits.maxmatch import find_edits
from jurybox.errors import InputError
from jurybox.formats import Input
from jurybox.model import Counts, CountsTable
from jurybox.report.tables import Cell, Column, Table

if TYPE_CHECKING:
    import pandas as pd

    from jurybox.stats.resample import Interval


def envelope(
    command: str, signature: str, inputs: Sequence[Mapping[str, str]], schema: int = 1
) -> dict[str, Any]:
    """What every JSON result begins with."""
    return {
        "schema": f"jurybox.{command}/{schema}",
        "command": command,
        "version": __version__,
        "signature": signature,
        "inputs": [dict(given) for given in inputs],
    }


def describe_inputs(inputs: Sequence[Input]) -> list[dict[str, str]]:
    """Path and SHA-256 of every file that was read."""
    return [{"path": given.name, "sha256": given.sha256} for given in inputs]


def number_or_none(value: float) -> float | None:
    """JSON has no NaN: undefined is null."""
    return None if isnan(value) else value


class TabularResult:
    """What all results can do, given `to_dict`, `tables` and `records`."""

    def to_dict(self) -> dict[str, Any]:
        raise NotImplementedError

    def tables(self) -> list[Table]:
        raise NotImplementedError

    def records(self) -> list[dict[str, Any]]:
        raise NotImplementedError

    def to_json(self) -> str:
        """The dict as text, as `--format json` prints it."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=2)

    def to_frame(self) -> pd.DataFrame:
        """One row per record, if pandas is installed."""
        try:
            import pandas as pd
        except ImportError as error:
            from jurybox.errors import MissingExtraError

            raise MissingExtraError(
                "to_frame() needs pandas: pip install 'jurybox[pandas]' (or use to_dict())"
            ) from error
        return pd.DataFrame.from_records(self.records())

    def __str__(self) -> str:
        return "\n\n".join(table.to_text() for table in self.tables())

    def _repr_html_(self) -> str:
        return "".join(table.to_html() for table in self.tables())


@dataclass(frozen=True, slots=True)
class TypeScore:
    """Counts and scores of one error type; '' are edits no gold edit is near."""

    type: str
    tp: int
    fp: int
    fn: int
    precision: float
    recall: float
    f: float

    def to_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class SystemScore:
    """One system's score. For GLEU `score` is set; for the edit metrics the counts and P, R, F."""

    name: str
    sentences: int
    table: CountsTable = field(repr=False)
    counts: Counts | None = None
    precision: float | None = None
    recall: float | None = None
    f: float | None = None
    score: float | None = None
    draws_sd: float | None = None
    intervals: Mapping[str, Interval] = field(default_factory=dict)
    by_type: tuple[TypeScore, ...] = ()
    blank: int = 0
    truncated: int = 0
    details: tuple[SentenceDetail, ...] = field(default=(), repr=False)

    def to_dict(self) -> dict[str, Any]:
        record: dict[str, Any] = {"name": self.name}
        if self.counts is not None:
            record |= {"tp": self.counts.tp, "fp": self.counts.fp, "fn": self.counts.fn}
            record |= {"precision": self.precision, "recall": self.recall, "f": self.f}
        else:
            record["score"] = self.score
            if self.draws_sd is not None:
                record["draws_sd"] = self.draws_sd
        record["sentences"] = self.sentences
        record |= {"blank": self.blank, "truncated": self.truncated}
        if self.intervals:
            record["intervals"] = {
                name: {
                    "low": number_or_none(interval.low),
                    "high": number_or_none(interval.high),
                    "level": interval.level,
                    **({"reason": interval.reason} if interval.reason else {}),
                }
                for name, interval in self.intervals.items()
            }
        if self.by_type:
            record["by_type"] = [kind.to_dict() for kind in self.by_type]
        if self.details:
            record["details"] = [detail.to_dict() for detail in self.details]
        return record


@dataclass(frozen=True, slots=True)
class EditDetail:
    """One edit of a hypothesis or of the gold, as the verbose view shows it."""

    start: int
    end: int
    source: str
    replacement: str
    matched: bool
    type: str | None = None

    def to_dict(self) -> dict[str, Any]:
        record = {name: getattr(self, name) for name in self.__slots__}
        if self.type is None:
            del record["type"]
        return record

    def __str__(self) -> str:
        mark = "+" if self.matched else "-"
        kind = f" ({self.type})" if self.type else ""
        return f"{mark} {self.start}-{self.end} [{self.source}] -> [{self.replacement}]{kind}"


@dataclass(frozen=True, slots=True)
class SentenceDetail:
    """One sentence with the edits found, the gold of the chosen annotator, and what matched."""

    sentence: int  # from 1, as the line in the hypothesis file
    source: str
    hypothesis: str
    annotator: str
    proposed: tuple[EditDetail, ...]
    gold: tuple[EditDetail, ...]
    tp: int
    fp: int
    fn: int

    def to_dict(self) -> dict[str, Any]:
        record = {name: getattr(self, name) for name in self.__slots__}
        record["proposed"] = [edit.to_dict() for edit in self.proposed]
        record["gold"] = [edit.to_dict() for edit in self.gold]
        return record

    def __str__(self) -> str:
        lines = [
            f"sentence {self.sentence}: correct {self.tp}, proposed {self.tp + self.fp}, "
            f"gold {self.tp + self.fn} (annotator {self.annotator})",
            f"  source      {self.source}",
            f"  hypothesis  {self.hypothesis}",
        ]
        lines += [f"  proposed    {edit}" for edit in self.proposed]
        lines += [f"  gold        {edit}" for edit in self.gold]
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class ScoreResult(TabularResult):
    """Scores of one or several systems by one metric.

    With one system its numbers can be read off the result: `result.f`, `result.score`.
    """

    metric: str
    beta: float
    signature: str
    systems: tuple[SystemScore, ...]
    options: Mapping[str, Any]
    inputs: tuple[Input, ...] = ()
    saved_inputs: tuple[Mapping[str, str], ...] = ()
    warnings: tuple[str, ...] = ()

    def _only(self) -> SystemScore:
        if len(self.systems) > 1:
            names = ", ".join(system.name for system in self.systems)
            raise InputError(f"there are several systems ({names}); read them from .systems")
        return self.systems[0]

    @property
    def tp(self) -> int:
        return int(self._counts().tp)

    @property
    def fp(self) -> int:
        return int(self._counts().fp)

    @property
    def fn(self) -> int:
        return int(self._counts().fn)

    def _counts(self) -> Counts:
        counts = self._only().counts
        if counts is None:
            raise InputError("GLEU has no counts of edits; read .score")
        return counts

    @property
    def precision(self) -> float:
        return self._edit_score("precision")

    @property
    def recall(self) -> float:
        return self._edit_score("recall")

    @property
    def f(self) -> float:
        return self._edit_score("f")

    def _edit_score(self, name: str) -> float:
        value: float | None = getattr(self._only(), name)
        if value is None:
            raise InputError(f"GLEU has no {name}; read .score")
        return value

    @property
    def score(self) -> float:
        """The metric's one number: F_beta, or GLEU."""
        system = self._only()
        return self.f if system.score is None else system.score

    def described_inputs(self) -> list[Mapping[str, str]]:
        """The files behind the numbers, hashed."""
        return [*describe_inputs(self.inputs), *self.saved_inputs]

    def to_dict(self) -> dict[str, Any]:
        """All numbers, in the form the JSON Schema jurybox.score/1 describes."""
        record = envelope("score", self.signature, self.described_inputs())
        record |= {"metric": self.metric, "options": dict(self.options)}
        record["systems"] = [system.to_dict() for system in self.systems]
        record["warnings"] = list(self.warnings)
        return record

    def records(self) -> list[dict[str, Any]]:
        """One flat row per system."""
        rows = []
        for system in self.systems:
            row = system.to_dict()
            row.pop("by_type", None)
            row.pop("details", None)
            for name, interval in row.pop("intervals", {}).items():
                row |= {f"{name}_low": interval["low"], f"{name}_high": interval["high"]}
            rows.append({**row, "signature": self.signature})
        return rows

    def tables(self) -> list[Table]:
        """The systems, then the types of each system where they were counted."""
        main = self._gleu_table() if self.metric == "gleu" else self._edit_table()
        return [main, *(self._type_table(s) for s in self.systems if s.by_type)]

    def _f_title(self) -> str:
        return f"F{self.beta:g}"

    def _edit_table(self) -> Table:
        with_intervals = any(system.intervals for system in self.systems)
        columns = [Column("system", text=True), Column("TP"), Column("FP"), Column("FN")]
        for title, name in (("P", "precision"), ("R", "recall"), (self._f_title(), "f")):
            columns.append(Column(title))
            if with_intervals:
                columns.append(Column(self._interval_title(name), text=True))
        rows: list[Sequence[Cell]] = []
        for system in self.systems:
            counts = system.counts or Counts()
            row: list[Cell] = [system.name, counts.tp, counts.fp, counts.fn]
            for name in ("precision", "recall", "f"):
                row.append(getattr(system, name))
                if with_intervals:
                    row.append(show_interval(system.intervals.get(name)))
            rows.append(row)
        return Table(tuple(columns), tuple(rows), notes=(f"signature: {self.signature}",))

    def _gleu_table(self) -> Table:
        with_intervals = any(system.intervals for system in self.systems)
        columns = [Column("system", text=True), Column("GLEU", digits=2)]
        if with_intervals:
            columns.append(Column(self._interval_title("score"), text=True))
        rows: list[Sequence[Cell]] = []
        for system in self.systems:
            row: list[Cell] = [system.name, 100 * (system.score or 0.0)]
            if with_intervals:
                row.append(show_interval(system.intervals.get("score"), scale=100, digits=2))
            rows.append(row)
        return Table(tuple(columns), tuple(rows), notes=(f"signature: {self.signature}",))

    def _interval_title(self, name: str) -> str:
        levels = {s.intervals[name].level for s in self.systems if name in s.intervals}
        return f"{100 * max(levels):g} % interval"

    def _type_table(self, system: SystemScore) -> Table:
        notes: tuple[str, ...] = ()
        if self.metric == "m2":
            notes = (
                "FP by type: a wrong edit is put down to the gold edit it overlaps or touches, "
                "'(none)' where there is no such edit.",
            )
        columns = [Column("type", text=True), Column("TP"), Column("FP"), Column("FN")]
        columns += [Column("P"), Column("R"), Column(self._f_title())]
        rows = tuple(
            (k.type or "(none)", k.tp, k.fp, k.fn, k.precision, k.recall, k.f)
            for k in system.by_type
        )
        return Table(tuple(columns), rows, title=f"{system.name} by type", notes=notes)


def show_interval(interval: Interval | None, *, scale: float = 1, digits: int = 4) -> str:
    """[low, high], or why there is none."""
    if interval is None:
        return ""
    if isnan(interval.low):
        return interval.reason
    return f"[{scale * interval.low:.{digits}f}, {scale * interval.high:.{digits}f}]"


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

    def is_worse(self, alpha: float = 0.05) -> bool:
        """Whether the second is worse than the first, by more than chance would explain."""
        return self.difference < 0 and self.p_randomisation_holm <= alpha

    def verdict(self, alpha: float = 0.05) -> str:
        """In words, what the tests say."""
        if isnan(self.p_bootstrap):
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


@dataclass(frozen=True, slots=True)
class CompareResult(TabularResult):
    """Several systems on the same sentences, pair by pair."""

    metric: str
    beta: float
    signature: str
    scores: ScoreResult
    baseline: str | None
    pairs: tuple[PairResult, ...]
    resamples: int
    unit: str
    seed: int
    warnings: tuple[str, ...] = ()

    def worse(self, alpha: float = 0.05) -> list[PairResult]:
        """The comparisons a release gate should stop at."""
        return [pair for pair in self.pairs if pair.is_worse(alpha)]

    def to_dict(self) -> dict[str, Any]:
        """All numbers, in the form the JSON Schema jurybox.compare/1 describes."""
        record = envelope("compare", self.signature, self.scores.described_inputs())
        record |= {
            "metric": self.metric,
            "options": {
                **self.scores.options,
                "ci": {
                    "method": "paired percentile bootstrap",
                    "resamples": self.resamples,
                    "unit": self.unit,
                    "seed": self.seed,
                },
            },
            "baseline": self.baseline,
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
        title = "GLEU" if gleu else f"F{self.beta:g}"
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
            rows.append([*row, scale * pair.smallest_detectable, pair.verdict()])
        notes = [f"signature: {self.signature}"]
        if several:
            notes.insert(
                0, "p Holm: p randomisation, corrected for the number of pairs; it decides."
            )
        scores = self.scores.tables()[0]
        plain_scores = Table(scores.columns, scores.rows)
        return [
            plain_scores,
            Table(tuple(columns), tuple(rows), notes=tuple(notes)),
            *(self._deciding_table(pair) for pair in self.pairs if _has_words(pair)),
        ]

    def _deciding_table(self, pair: PairResult) -> Table:
        rows: list[Sequence[Cell]] = []
        for name, deciding in ((pair.second, pair.for_second), (pair.first, pair.for_first)):
            for one in deciding:
                rows.append([name, one.sentence, one.influence, "source", one.source])
                rows.append(["", "", "", pair.first, _changes(one.source, one.first)])
                rows.append(["", "", "", pair.second, _changes(one.source, one.second)])
        columns = (
            Column("speaks for", text=True),
            Column("sentence"),
            Column("influence", digits=5, signed=True),
            Column("who", text=True),
            Column("words", text=True),
        )
        title = f"Sentences that decide {pair.second} - {pair.first}"
        return Table(columns, tuple(rows), title=title)


def _changes(source: str | None, corrected: str | None) -> str:
    """What a system changed in a sentence, word for word."""
    if source is None or corrected is None:
        return ""
    tokens = tuple(source.split())
    edits = find_edits(tokens, tuple(corrected.split()), unchanged=0)
    shown = [f"[{' '.join(tokens[e.start : e.end])} -> {e.replacement}]" for e in edits]
    return " ".join(shown) or "(unchanged)"


def _has_words(pair: PairResult) -> bool:
    return any(one.source is not None for one in (*pair.for_first, *pair.for_second))
