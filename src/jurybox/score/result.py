"""What `score` gives back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, NamedTuple

from jurybox.counting import GradedScore
from jurybox.errors import InputError
from jurybox.metrics.options import title_of_score
from jurybox.model import Counts, CountsTable
from jurybox.records import FLAT, HIDDEN, NOT_EMPTY, WHEN_SET, Count, Limits, computed, plain
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
from jurybox.stats.confidence import ScoringOptions, caution_lines
from jurybox.tables import Cell, Column, Table

Precision = Annotated[
    float,
    "TP / (TP + FP); 1 where nothing was proposed. Above 1 only where the gold holds an edit "
    "twice.",
    Limits(minimum=0),
]


class TypeScore(NamedTuple):
    """Counts and scores of one error type."""

    type: Annotated[
        str,
        "The type as the files write it; empty for wrong edits that no gold edit is near (m2).",
    ]
    tp: Annotated[Count, "Gold edits of this type that were matched."]
    fp: Annotated[
        int,
        "Wrong edits put down to this type. Below 0 only where one edit matched two identical "
        "gold edits.",
    ]
    fn: Annotated[Count, "Gold edits of this type that were missed."]
    precision: Precision
    recall: Annotated[
        float | None,
        "TP / (TP + FN); null for type '', where no gold edit is near.",
        Limits(minimum=0, maximum=1),
    ]
    f: Annotated[float | None, "F of the two; null for type ''.", Limits(minimum=0)]


class EditDetail(NamedTuple):
    """One edit of a hypothesis or of the gold, as the verbose view shows it."""

    start: Annotated[Count, "First source token, counted from 0."]
    end: Annotated[Count, "Source token after the last one; equal to start for an insertion."]
    source: Annotated[str, "The source tokens of the span."]
    replacement: Annotated[
        str,
        "What they become; empty for a deletion. Alternatives of a gold edit are separated by ||.",
    ]
    matched: Annotated[bool, "Whether it equals an edit of the other side and was counted."]
    type: Annotated[str | None, "Error type; gold edits only.", WHEN_SET] = None

    def __str__(self) -> str:
        mark = "+" if self.matched else "-"
        kind = f" ({self.type})" if self.type else ""
        return f"{mark} {self.start}-{self.end} [{self.source}] -> [{self.replacement}]{kind}"


class SentenceDetail(NamedTuple):
    """One sentence: what the system did, and the gold of the chosen annotator."""

    sentence: Annotated[
        int,
        "Number of the sentence from 1, which is its line in a hypothesis file.",
        Limits(minimum=1),
    ]
    source: Annotated[str, "The source tokens."]
    hypothesis: Annotated[str, "The hypothesis tokens."]
    annotator: Annotated[str, "The annotator whose edits count here."]
    proposed: Annotated[tuple[EditDetail, ...], "The edits found in the hypothesis, in order."]
    gold: Annotated[tuple[EditDetail, ...], "The annotator's edits, in file order."]
    tp: Annotated[Count, "Correct edits."]
    fp: Annotated[int, "Proposed edits less correct ones."]
    fn: Annotated[Count, "Gold edits less correct ones."]

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


class EditNumbers(NamedTuple):
    """What an edit metric (m2, errant) says of a system."""

    tp: Annotated[Count, "True positives: correct edits."]
    fp: Annotated[
        int,
        "False positives: proposed edits less correct ones. Below 0 only where the gold holds an "
        "edit twice.",
    ]
    fn: Annotated[Count, "False negatives: gold edits less correct ones."]
    precision: Precision
    recall: Annotated[
        float, "TP / (TP + FN); 1 where there is no gold edit.", Limits(minimum=0, maximum=1)
    ]
    f: Annotated[float, "F with the beta of the options.", Limits(minimum=0)]


class TextNumbers(NamedTuple):
    """What GLEU, or a metric of a package, says of a system."""

    score: Annotated[float, "GLEU from 0 to 1 (tables print it times 100), or a plug-in's score."]
    draws_sd: Annotated[
        float | None,
        "Standard deviation over the 500 draws of references; absent where nothing was drawn.",
        Limits(minimum=0),
        WHEN_SET,
    ] = None


@dataclass(frozen=True)
class SystemScore:
    """One system's score: counts, P, R and F by an edit metric, one score by any other."""

    name: Annotated[str, "File name, or the name given in Python.", Limits(minLength=1)]
    numbers: Annotated[EditNumbers | TextNumbers, FLAT]
    sentences: Annotated[int, "Number of sentences.", Limits(minimum=1)]
    blank: Annotated[Count, "Blank hypotheses for sentences that are not blank."] = 0
    truncated: Annotated[
        Count,
        "Hypotheses that look cut off: less than half as long as the source, with another last "
        "token.",
    ] = 0
    intervals: Annotated[
        Mapping[str, Interval],
        "Intervals of precision, recall and f, or of score, where they were asked for.",
        Limits(
            propertyNames={"enum": ["precision", "recall", "f", "score"]},
            anyOf=[{"required": ["precision", "recall", "f"]}, {"required": ["score"]}],
        ),
        WHEN_SET,
    ] = field(default_factory=dict)
    graded: Annotated[
        tuple[GradedScore, ...], "By edit and by span; only with --graded.", WHEN_SET
    ] = ()
    by_type: Annotated[
        tuple[TypeScore, ...], "One entry per error type; where it was asked for.", WHEN_SET
    ] = ()
    details: Annotated[
        tuple[SentenceDetail, ...], "Every sentence, where it was asked for (m2).", WHEN_SET
    ] = field(default=(), repr=False)
    counted: Annotated[CountsTable | None, HIDDEN] = field(default=None, repr=False)

    @property
    def table(self) -> CountsTable:
        """The counts per sentence and annotator, for resampling and saving."""
        if self.counted is None:
            raise InputError(
                f"'{self.name}' was read back from a result, which has no counts per sentence; "
                "score the files again, or counts that were kept with --save-counts"
            )
        return self.counted

    @property
    def counts(self) -> Counts | None:
        """True and false positives and false negatives, by an edit metric."""
        return Counts(*self.numbers[:3]) if isinstance(self.numbers, EditNumbers) else None

    @property
    def precision(self) -> float | None:
        return self.numbers.precision if isinstance(self.numbers, EditNumbers) else None

    @property
    def recall(self) -> float | None:
        return self.numbers.recall if isinstance(self.numbers, EditNumbers) else None

    @property
    def f(self) -> float | None:
        return self.numbers.f if isinstance(self.numbers, EditNumbers) else None

    @property
    def score(self) -> float | None:
        """The one score of a metric without precision and recall."""
        return self.numbers.score if isinstance(self.numbers, TextNumbers) else None

    @property
    def draws_sd(self) -> float | None:
        return self.numbers.draws_sd if isinstance(self.numbers, TextNumbers) else None


@dataclass(frozen=True, repr=False)
class ScoreResult(TabularResult, NamedParts[str, SystemScore]):
    """Scores of one or several systems by one metric.

    With one system its numbers can be read off the result: `result.f`, `result.score`; with
    several `result["CAMB"]` is one of them.
    """

    command = "score"

    options: Annotated[
        ScoringOptions,
        "Every option that changes a number. Options of other metrics have their defaults.",
    ]
    systems: Annotated[
        tuple[SystemScore, ...], "The systems in the order they were given.", NOT_EMPTY
    ]
    signature: Signature
    inputs: Inputs = ()
    gold_inputs: Inputs = ()  # those of them that hold gold edits or references
    warnings: Warnings = ()

    noun = "system"

    @computed
    def metric(self) -> str:
        """m2, errant, gleu, or the metric of a package."""
        return self.options.metric

    @property
    def beta(self) -> float:
        return self.options.beta

    def parts(self) -> Mapping[str, SystemScore]:
        return by("name", self.systems)

    def _only(self) -> SystemScore:
        if len(self.systems) > 1:
            names = ", ".join(system.name for system in self.systems)
            raise InputError(f"there are several systems ({names}); read them from .systems")
        return self.systems[0]

    def _edits(self, what: str) -> EditNumbers:
        numbers = self._only().numbers
        if not isinstance(numbers, EditNumbers):
            title = title_of_score(self.metric, self.beta)
            raise InputError(f"{title} has no {what}; read .score")
        return numbers

    @property
    def tp(self) -> int:
        return self._edits("counts of edits").tp

    @property
    def fp(self) -> int:
        return self._edits("counts of edits").fp

    @property
    def fn(self) -> int:
        return self._edits("counts of edits").fn

    @property
    def precision(self) -> float:
        return self._edits("precision").precision

    @property
    def recall(self) -> float:
        return self._edits("recall").recall

    @property
    def f(self) -> float:
        return self._edits("f").f

    @property
    def score(self) -> float:
        """The metric's one number: F_beta, or GLEU."""
        system = self._only()
        return self.f if system.score is None else system.score

    def records(self) -> list[dict[str, Any]]:
        """One flat row per system, or per system and type where types were counted."""
        rows: list[dict[str, Any]] = []
        for system in self.systems:
            row = plain(system)
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

    # --- tables ---

    def tables(self) -> list[Table]:
        """The systems, then the types of each system where they were counted."""
        found = [self._system_table()]
        if any(system.graded for system in self.systems):
            found.append(self._graded_table())
        return [*found, *(self._type_table(s) for s in self.systems if s.by_type)]

    def _system_table(self) -> Table:
        columns = [Column("system", text=True)]
        edits = all(system.score is None for system in self.systems)
        # GLEU as people quote it, from 0 to 100
        scale, digits = (100, 2) if self.metric == "gleu" else (1, 4)
        if edits:
            columns += [Column("TP"), Column("FP"), Column("FN")]
            measures = {"P": "precision", "R": "recall", f"F{self.beta:g}": "f"}
        else:
            measures = {title_of_score(self.metric, self.beta): "score"}
        levels = {one.level for s in self.systems for one in s.intervals.values()}
        for title in measures:
            columns.append(Column(title, digits))
            if levels:
                columns.append(Column(f"{100 * max(levels):g} % interval", text=True))
        rows: list[Sequence[Cell]] = []
        for system in self.systems:
            row: list[Cell] = [system.name, *(system.numbers[:3] if edits else ())]
            for name in measures.values():
                row.append(scale * (getattr(system, name) or 0.0))
                if levels:
                    interval = system.intervals.get(name)
                    row.append(show_interval(interval, scale=scale, digits=digits))
            rows.append(row)
        cautions = caution_lines(self.options.ci.cautions) if self.options.ci else ()
        notes = (*cautions, f"signature: {self.signature}")
        return Table(tuple(columns), tuple(rows), notes=notes)

    def _graded_table(self) -> Table:
        columns = [Column("system", text=True), Column("same", text=True)]
        columns += [Column(name, digits=1) for name in ("TP", "FP", "FN")]
        columns += [Column("P"), Column("R"), Column(f"F{self.beta:g}")]
        rows = tuple((system.name, *grade) for system in self.systems for grade in system.graded)
        note = "edit: same span and correction; span: same span"
        title = "Graded: an edit counts by the share of annotators who made it"
        return Table(tuple(columns), rows, title=title, notes=(note,))

    def _type_table(self, system: SystemScore) -> Table:
        notes: tuple[str, ...] = ()
        if self.metric == "m2":
            notes = (
                "FP by type: a wrong edit is put down to the gold edit it overlaps or touches, "
                "'(none)' where there is no such edit.",
            )
        titles = ("TP", "FP", "FN", "P", "R", f"F{self.beta:g}")
        columns = (Column("type", text=True), *map(Column, titles))
        rows = tuple((kind.type or "(none)", *kind[1:]) for kind in system.by_type)
        return Table(columns, rows, title=f"{system.name} by type", notes=notes)
