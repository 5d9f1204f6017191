"""What `run_detectors` gives back: how many cases each detector flags, and as what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from jurybox.api.results import GivenFile, TabularResult, describe_inputs, envelope
from jurybox.model import NOTHING, CaseSet, DecisionTable
from jurybox.report.tables import Column, Table

COMMAND = "detect-run"
#: pairs of words that are told of, for each detector
PAIRS = 10


class Flagged(NamedTuple):
    """How often a detector would put one thing in the place of another; '' is nothing."""

    written: str
    suggestion: str
    times: int


class DetectorSummary(NamedTuple):
    """What one detector says of the cases."""

    name: str
    learner: str
    flagged: int
    wrong: int  # another preposition is suggested
    extraneous: int  # nothing is
    missing: int  # a preposition is, where none stands
    pairs: tuple[Flagged, ...]  # the most frequent ones

    def to_dict(self) -> dict[str, Any]:
        return {**self._asdict(), "pairs": [pair._asdict() for pair in self.pairs]}


class Tally:
    """What is counted of a detector's flags as they come.

    >>> tally = Tally()
    >>> tally.add(["at", "to", ""], ["in", "-NONE-", "of"])
    >>> tally.summary("me", "maxent")[2:6]
    (3, 1, 1, 1)
    """

    def __init__(self) -> None:
        self._pairs: Counter[tuple[str, str]] = Counter()

    def add(self, written: Sequence[str], suggestions: Sequence[str | None]) -> None:
        """Words that were flagged, and what would be put there."""
        self._pairs.update(
            (word.lower(), "" if put in (None, NOTHING) else str(put).lower())
            for word, put in zip(written, suggestions, strict=True)
        )

    def summary(self, name: str, learner: str) -> DetectorSummary:
        """All of it; ties between pairs in the order of their words."""
        ordered = sorted(self._pairs.items(), key=lambda item: (-item[1], item[0]))
        kinds = Counter[str]()
        for (written, put), count in ordered:
            kinds["missing" if not written else "wrong" if put else "extraneous"] += count
        return DetectorSummary(
            name=name,
            learner=learner,
            flagged=sum(kinds.values()),
            wrong=kinds["wrong"],
            extraneous=kinds["extraneous"],
            missing=kinds["missing"],
            pairs=tuple(Flagged(*pair, count) for pair, count in ordered[:PAIRS]),
        )


@dataclass(frozen=True)
class DetectionRun(TabularResult):
    """The cases of a text and what detectors say of them.

    The decisions are in files. Where no file was named, `case_set` and `decisions` hold them.
    """

    detectors: tuple[DetectorSummary, ...]
    constructions: tuple[str, ...]
    threshold: float
    sentences: int
    cases: int
    undecided: int  # given cases that a detector of prepositions cannot decide about
    seconds: float
    signature: str
    inputs: tuple[GivenFile, ...] = ()
    warnings: tuple[str, ...] = ()
    #: what was written: the decisions of every detector, the cases
    written: Mapping[str, str] = field(default_factory=dict)
    case_set: CaseSet = field(default=CaseSet(()), repr=False, compare=False)
    decisions: Mapping[str, DecisionTable] = field(default_factory=dict, repr=False, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """Everything but the decisions, in the form of the JSON Schema jurybox.detect-run/1."""
        return {
            **envelope(COMMAND, self.signature, describe_inputs(self.inputs)),
            "constructions": list(self.constructions),
            "threshold": self.threshold,
            "sentences": self.sentences,
            "cases": self.cases,
            "undecided": self.undecided,
            "seconds": self.seconds,
            "detectors": [one.to_dict() for one in self.detectors],
            "written": [{"what": what, "file": name} for what, name in self.written.items()],
            "warnings": list(self.warnings),
        }

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
        tables += [_pair_table(one) for one in self.detectors if one.pairs]
        tables[-1] = tables[-1]._replace(notes=tuple(self._notes()))
        return tables

    def _notes(self) -> Iterator[str]:
        yield f"flagged: the best other choice wins with a score of {self.threshold:g} or more"
        if self.undecided:
            yield (
                f"{self.undecided} cases have no decision: they are neither one preposition nor a "
                "position where one may be missing"
            )
        for what, name in self.written.items():
            yield f"{what}: {name}"
        yield f"signature: {self.signature}"
        if self.seconds > 0:
            rate = 60 * self.sentences / self.seconds
            yield f"{self.sentences} sentences in {self.seconds:.1f} s: {rate:.0f} per minute"


def _pair_table(one: DetectorSummary) -> Table:
    columns = (Column("written", text=True), Column("suggested", text=True), Column("times"))
    rows = tuple((f.written or NOTHING, f.suggestion or NOTHING, f.times) for f in one.pairs)
    title = f"{one.name}: what it would change most often"
    return Table(columns, rows, title=title)
