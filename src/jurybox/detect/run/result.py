"""What `run_detectors` gives back: how many cases each detector flags, and as what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, NamedTuple

from jurybox.jury.cases.context import note_context
from jurybox.model import NOTHING, CaseSet, DecisionTable
from jurybox.records import HIDDEN, NOT_EMPTY, Count, Limits, Share
from jurybox.results import Inputs, Signature, TabularResult, Warnings, WrittenFile
from jurybox.tables import Column, Table

Some = Annotated[int, Limits(minimum=1)]


class Flagged(NamedTuple):
    """What stands there and what is suggested, in lower case; empty: nothing."""

    written: str
    suggestion: str
    times: Annotated[Some, "How often."]


class DetectorSummary(NamedTuple):
    """What one detector calls errors."""

    name: Annotated[str, "The name of its folder."]
    learner: Annotated[str, "maxent, perceptron or lm; plugin: another package brings it."]
    flagged: Annotated[Count, "Cases it calls errors."]
    wrong: Annotated[Count, "Of these, those with another preposition suggested."]
    extraneous: Annotated[Count, "Those with nothing suggested."]
    missing: Annotated[Count, "Positions with a preposition suggested."]
    pairs: Annotated[
        tuple[Flagged, ...],
        "The most frequent changes, at most ten; ties in order of the words.",
    ]


@dataclass(frozen=True, repr=False)
class DetectionRun(TabularResult):
    """What detectors say of a text; the decisions are in their own files.

    Where no file was named, `case_set` and `decisions` hold them.
    """

    command = "detect-run"

    constructions: Annotated[
        tuple[str, ...], "What was looked for; empty where a file of cases says it."
    ]
    threshold: Annotated[Share, "A case is called an error with this score or more."]
    sentences: Annotated[Some, "Sentences that were looked at."]
    cases: Annotated[Some, "Cases that were decided."]
    undecided: Annotated[
        Count,
        "Given cases that are neither one preposition nor a position where one may be missing.",
    ]
    seconds: Annotated[float, "How long it took, without loading the models."]
    detectors: Annotated[tuple[DetectorSummary, ...], "Every model, as it was given.", NOT_EMPTY]
    written: Annotated[
        tuple[WrittenFile, ...], "The decisions of every detector, and the cases, if written."
    ]
    signature: Signature
    inputs: Inputs = ()
    warnings: Warnings = ()
    with_before: Annotated[
        Count | None, "Cases with the sentence before; null where only decisions are written."
    ] = None
    case_set: Annotated[CaseSet, HIDDEN] = field(default=CaseSet(()), compare=False)
    decisions: Annotated[Mapping[str, DecisionTable], HIDDEN] = field(
        default_factory=dict, compare=False
    )

    def records(self) -> list[dict[str, Any]]:
        """One row per detector."""
        return [
            {
                **{name: value for name, value in one._asdict().items() if name != "pairs"},
                "cases": self.cases,
                "sentences": self.sentences,
                "threshold": self.threshold,
            }
            for one in self.detectors
        ]

    def tables(self) -> list[Table]:
        """How many cases are flagged, then the most frequent flags of each detector."""
        columns = (
            Column("detector", text=True),
            Column("kind", text=True),
            *map(Column, ("cases", "flagged")),
            Column("share", percent=True, digits=1),
            *map(Column, ("wrong", "extraneous", "missing")),
        )
        rows = tuple(
            (*one[:2], self.cases, one.flagged, one.flagged / self.cases, *one[3:6])
            for one in self.detectors
        )
        tables = [Table(columns, rows, title="Decisions")]
        columns = (Column("written", text=True), Column("suggested", text=True), Column("times"))
        for one in self.detectors:
            if one.pairs:
                pairs = tuple(
                    (pair.written or NOTHING, pair.suggestion or NOTHING, pair.times)
                    for pair in one.pairs
                )
                title = f"{one.name}: what it would change most often"
                tables.append(Table(columns, pairs, title=title))
        tables[-1] = tables[-1]._replace(notes=tuple(self._notes()))
        return tables

    def _notes(self) -> list[str]:
        notes = [f"flagged: the best other choice wins with a score of {self.threshold:g} or more"]
        if self.undecided:
            notes.append(
                f"{self.undecided} cases have no decision: they are neither one preposition nor a "
                "position where one may be missing"
            )
        if self.with_before is not None:
            notes.append(note_context(self.with_before, self.cases))
        notes += [f"{what}: {file}" for what, file in self.written]
        notes.append(f"signature: {self.signature}")
        if self.seconds > 0:
            rate = 60 * self.sentences / self.seconds
            notes.append(
                f"{self.sentences} sentences in {self.seconds:.1f} s: {rate:.0f} per minute"
            )
        return notes
