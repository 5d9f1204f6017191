"""Typed results: what all results can do, and what `score` gives back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import isnan
from typing import TYPE_CHECKING, Any, NamedTuple

from jurybox._version import __version__
from jurybox.errors import InputError
from jurybox.formats import Input
from jurybox.model import Counts, CountsTable
from jurybox.report.tables import Cell, Column, Table

if TYPE_CHECKING:
    import pandas as pd

    from jurybox.api.details import SentenceDetail
    from jurybox.stats.resample import Interval


class RecordedFile(NamedTuple):
    """A file as a saved result names it; it was read when the result was made, and is not now."""

    name: str
    sha256: str


#: what a result was made from
GivenFile = Input | RecordedFile


def envelope(
    command: str, signature: str, inputs: Sequence[Mapping[str, str]], schema: int = 1
) -> dict[str, Any]:
    """What every JSON result begins with."""
    _, signed, version = signature.rpartition("|v:")
    return {
        "schema": f"jurybox.{command}/{schema}",
        "command": command,
        # of the jurybox that made the numbers: not always this one, results can be read back
        "version": version if signed else __version__,
        "signature": signature,
        "inputs": [dict(given) for given in inputs],
    }


def describe_inputs(inputs: Sequence[GivenFile]) -> list[dict[str, str]]:
    """Path and SHA-256 of every file that was read."""
    return [{"path": given.name, "sha256": given.sha256} for given in inputs]


def number_or_none(value: float) -> float | None:
    """JSON has no NaN: undefined is null."""
    return None if isnan(value) else value


def interval_record(interval: Interval) -> dict[str, Any]:
    """An interval for JSON."""
    return {
        "low": number_or_none(interval.low),
        "high": number_or_none(interval.high),
        "level": interval.level,
        **({"reason": interval.reason} if interval.reason else {}),
    }


class TabularResult:
    """What all results can do, given `to_dict`, `tables` and `records`."""

    def to_dict(self) -> dict[str, Any]:
        raise NotImplementedError

    def tables(self) -> list[Table]:
        raise NotImplementedError

    def records(self) -> list[dict[str, Any]]:
        raise NotImplementedError

    def to_csv(self) -> str:
        """The records as comma-separated values, every digit of them."""
        import csv
        import io

        rows = self.records()
        columns = list(dict.fromkeys(name for row in rows for name in row))
        out = io.StringIO()
        writer = csv.DictWriter(out, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return out.getvalue().rstrip("\n")

    def to_json(self) -> str:
        """The dict as text, as `--format json` prints it."""
        import json

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


class TypeScore(NamedTuple):
    """Counts and scores of one error type; '' are edits no gold edit is near."""

    type: str
    tp: int
    fp: int
    fn: int
    precision: float
    recall: float | None  # None where no gold edit is near: there is nothing to recall
    f: float | None


class GradedScore(NamedTuple):
    """Weighted counts and scores: an edit counts by the share of annotators who made it."""

    by: str  # edit: same span and correction; span: same span
    tp: float
    fp: float
    fn: float
    precision: float
    recall: float
    f: float


@dataclass(frozen=True)
class SystemScore:
    """One system's score. For GLEU `score` is set; for the edit metrics the counts and P, R, F."""

    name: str
    sentences: int
    counted: CountsTable | None = field(repr=False)  # None where the result was read back
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
    graded: tuple[GradedScore, ...] = ()

    @property
    def table(self) -> CountsTable:
        """The counts per sentence and annotator, for resampling and saving."""
        if self.counted is None:
            raise InputError(
                f"'{self.name}' was read back from a result, which has no counts per sentence; "
                "score the files again, or counts that were kept with --save-counts"
            )
        return self.counted

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
                name: interval_record(interval) for name, interval in self.intervals.items()
            }
        if self.graded:
            record["graded"] = [grade._asdict() for grade in self.graded]
        if self.by_type:
            record["by_type"] = [kind._asdict() for kind in self.by_type]
        if self.details:
            record["details"] = [detail.to_dict() for detail in self.details]
        return record


@dataclass(frozen=True)
class ScoreResult(TabularResult):
    """Scores of one or several systems by one metric.

    With one system its numbers can be read off the result: `result.f`, `result.score`.
    """

    metric: str
    beta: float
    signature: str
    systems: tuple[SystemScore, ...]
    options: Mapping[str, Any]
    inputs: tuple[GivenFile, ...] = ()
    gold_inputs: tuple[Input, ...] = ()  # those of them that hold gold edits or references
    saved_inputs: tuple[Mapping[str, str], ...] = ()  # the same, for counts that were read back
    saved_gold: tuple[Mapping[str, str], ...] = ()
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
            raise InputError(f"{self._title()} has no counts of edits; read .score")
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
            raise InputError(f"{self._title()} has no {name}; read .score")
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
        """One flat row per system, or per system and type where types were counted."""
        rows: list[dict[str, Any]] = []
        for system in self.systems:
            row = system.to_dict()
            types = row.pop("by_type", [])
            row.pop("details", None)
            for grade in row.pop("graded", []):
                row |= {f"{grade['by']}_{name}": v for name, v in grade.items() if name != "by"}
            for name, interval in row.pop("intervals", {}).items():
                row |= {f"{name}_low": interval["low"], f"{name}_high": interval["high"]}
            row["signature"] = self.signature
            if types:
                row = {"name": row.pop("name"), "type": "(all)", **row}
            rows.append(row)
            empty = dict.fromkeys(row)
            rows += [
                {**empty, "name": system.name, **kind, "type": kind["type"] or "(none)"}
                for kind in types
            ]
        return rows

    def tables(self) -> list[Table]:
        """The systems, then the types of each system where they were counted."""
        edits = all(system.score is None for system in self.systems)
        main = self._edit_table() if edits else self._score_table()
        graded = [self._graded_table()] if any(s.graded for s in self.systems) else []
        return [main, *graded, *(self._type_table(s) for s in self.systems if s.by_type)]

    def _title(self) -> str:
        from jurybox.api.options import title_of_score

        return title_of_score(self.metric, self.beta)

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

    def _graded_table(self) -> Table:
        columns = [Column("system", text=True), Column("same", text=True)]
        columns += [Column(name, digits=1) for name in ("TP", "FP", "FN")]
        columns += [Column("P"), Column("R"), Column(self._f_title())]
        rows = tuple((system.name, *grade) for system in self.systems for grade in system.graded)
        note = "edit: same span and correction; span: same span"
        title = "Graded: an edit counts by the share of annotators who made it"
        return Table(tuple(columns), rows, title=title, notes=(note,))

    def _score_table(self) -> Table:
        with_intervals = any(system.intervals for system in self.systems)
        # GLEU as people quote it, from 0 to 100
        scale, digits = (100, 2) if self.metric == "gleu" else (1, 4)
        columns = [Column("system", text=True), Column(self._title(), digits=digits)]
        if with_intervals:
            columns.append(Column(self._interval_title("score"), text=True))
        rows: list[Sequence[Cell]] = []
        for system in self.systems:
            row: list[Cell] = [system.name, scale * (system.score or 0.0)]
            if with_intervals:
                interval = system.intervals.get("score")
                row.append(show_interval(interval, scale=scale, digits=digits))
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
        rows = tuple(_type_rows(system.by_type))
        return Table(self._type_columns(), rows, title=f"{system.name} by type", notes=notes)

    def _type_columns(self) -> tuple[Column, ...]:
        counts = (Column("TP"), Column("FP"), Column("FN"))
        scores = (Column("P"), Column("R"), Column(self._f_title()))
        return (Column("type", text=True), *counts, *scores)


def _type_rows(types: Sequence[TypeScore]) -> Iterator[Sequence[Cell]]:
    for kind in types:
        yield (kind.type or "(none)", *kind[1:])


def show_interval(
    interval: Interval | None, *, scale: float = 1, digits: int = 4, unit: str = ""
) -> str:
    """[low, high], or why there is none."""
    if interval is None:
        return ""
    if isnan(interval.low):
        return interval.reason
    low, high = (f"{scale * end:.{digits}f}{unit}" for end in (interval.low, interval.high))
    return f"[{low}, {high}]"
