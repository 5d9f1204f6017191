"""What `aggregate` gives back: a label per case and how sure it is, for JSON, CSV and tables."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan, nan
from typing import Any, NamedTuple

from jurybox.api.read_as import note_format
from jurybox.api.results import GivenFile, TabularResult, describe_inputs, envelope, number_or_none
from jurybox.errors import unknown_name
from jurybox.report.tables import Cell, Column, Table

#: the surest cases are of no interest: so many of the others are shown
SHOWN = 10


class CaseLabel(NamedTuple):
    """One case: its label (None where there is none), and how sure it is from 0 to 1."""

    case: str
    label: str | None
    confidence: float  # nan where there is no label, or the method does not say
    judgments: int
    tied: bool  # the tie policy decided


class GoldCheck(NamedTuple):
    """How right the labels are where answers are known.

    `accuracy` is the exact expectation where ties are settled at random: it does not hang on the
    seed. `right` counts the labels that came out. Cases without a label do not count.
    """

    source: str  # what the known answers are called
    cases: int
    right: int
    unlabelled: int
    accuracy: float


class Fitted(NamedTuple):
    """What Dawid and Skene's model says of itself."""

    iterations: int
    converged: bool
    change: float
    log_likelihood: float
    prior: dict[str, float]  # label -> how common it is


class BesideMajority(NamedTuple):
    """How far the labels differ from those of the plain majority, where both have one."""

    cases: int
    changed: int


@dataclass(frozen=True)
class AggregateResult(TabularResult):
    """One label per case."""

    method: str
    cases: tuple[CaseLabel, ...]
    label_names: tuple[str, ...]
    raters: int
    judgments: int
    no_answer: int  # judgments that say unknown
    format: str
    options: dict[str, Any]
    signature: str
    gold: GoldCheck | None = None
    weights: dict[str, float] | None = None  # gold-weighted: rater -> log-odds
    model: Fitted | None = None  # dawid-skene
    beside_majority: BesideMajority | None = None
    inputs: tuple[GivenFile, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def labels(self) -> dict[str, str | None]:
        """Case -> label, in the order of the file; None where there is none."""
        return {one.case: one.label for one in self.cases}

    @property
    def accuracy(self) -> float:
        """The share of right labels where answers are known; nan where none is."""
        return nan if self.gold is None else self.gold.accuracy

    @property
    def ties(self) -> int:
        """Cases in which the tie policy decided."""
        return sum(one.tied for one in self.cases)

    @property
    def unlabelled(self) -> int:
        """Cases without a label."""
        return sum(one.label is None for one in self.cases)

    def __getitem__(self, case: str) -> CaseLabel:
        for one in self.cases:
            if one.case == case:
                return one
        raise unknown_name("case", case, [one.case for one in self.cases[:1000]])

    def to_dict(self) -> dict[str, Any]:
        """Every number, in the form of the JSON Schema jurybox.aggregate/1."""
        record = envelope("aggregate", self.signature, describe_inputs(self.inputs)) | {
            "options": self.options,
            "method": self.method,
            "format": self.format,
            "cases": len(self.cases),
            "raters": self.raters,
            "judgments": self.judgments,
            "no_answer": self.no_answer,
            "label_names": list(self.label_names),
            "ties": {
                "policy": self.options["ties"],
                "cases": [one.case for one in self.cases if one.tied],
            },
            "unlabelled": self.unlabelled,
            "accuracy": number_or_none(self.accuracy),
            "labels": self.labels,
            "confidence": {one.case: number_or_none(one.confidence) for one in self.cases},
            "judgments_of": {one.case: one.judgments for one in self.cases},
        }
        if self.gold is not None:
            record["gold"] = self.gold._asdict() | {"accuracy": number_or_none(self.gold.accuracy)}
        if self.weights is not None:
            record["weights"] = self.weights
        if self.model is not None:
            record["model"] = self.model._asdict()
        if self.beside_majority is not None:
            record["beside_majority"] = self.beside_majority._asdict()
        return record | {"warnings": list(self.warnings)}

    def records(self) -> list[dict[str, Any]]:
        """A row per case."""
        return [
            {
                "case": one.case,
                "label": one.label or "",
                "confidence": "" if isnan(one.confidence) else one.confidence,
                "judgments": one.judgments,
                "tied": "yes" if one.tied else "",
            }
            for one in self.cases
        ]

    # --- tables ---

    def tables(self) -> list[Table]:
        """The whole in a line, the labels, and the cases to look at once more."""
        return [self._summary(), self._label_table(), *self._unsure_table()]

    def _summary(self) -> Table:
        columns = [Column("method", text=True), Column("cases"), Column("raters")]
        columns += [Column("judgments"), Column("ties"), Column("without label")]
        row: list[Cell] = [self.method, len(self.cases), self.raters, self.judgments]
        row += [self.ties, self.unlabelled]
        if self.gold is not None:
            columns += [Column("gold"), Column("accuracy")]
            row += [self.gold.cases, self.gold.accuracy]
        return Table(tuple(columns), (row,), notes=(*self._notes(), f"signature: {self.signature}"))

    def _notes(self) -> list[str]:
        notes = note_format(self.format)
        policy = self.options["ties"]
        if self.ties:
            notes.append(f"ties: {_POLICIES.get(policy, f'every tied case gets {policy}')}")
        if self.gold is not None and self.ties and policy == "random":
            notes.append("accuracy: expected over all ways to settle the ties")
        if self.gold is not None and self.gold.unlabelled:
            notes.append(f"{self.gold.unlabelled} cases with a known answer have no label")
        if self.no_answer:
            notes.append(f"{self.no_answer} judgments say unknown: no answer")
        if self.model is not None:
            state = "stood still" if self.model.converged else "did not come to rest"
            notes.append(f"the model {state} after {self.model.iterations} iterations")
        if self.beside_majority is not None:
            changed, cases = self.beside_majority.changed, self.beside_majority.cases
            notes.append(f"{changed} of {cases} labels differ from the plain majority")
        return notes

    def _label_table(self) -> Table:
        rows: list[list[Cell]] = []
        for name in self.label_names:
            sure = [one.confidence for one in self.cases if one.label == name]
            mean = sum(sure) / len(sure) if sure else nan
            rows.append([name, len(sure), len(sure) / len(self.cases), mean])
        columns = (
            Column("label", text=True),
            Column("cases"),
            Column("share", digits=2, percent=True),
            Column("mean confidence"),
        )
        return Table(columns, tuple(rows), title="Labels")

    def _unsure_table(self) -> list[Table]:
        doubtful = [one for one in self.cases if not isnan(one.confidence) and one.confidence < 1]
        doubtful = sorted(doubtful, key=lambda one: one.confidence)[:SHOWN]
        if not doubtful:
            return []
        columns = (
            Column("case", text=True),
            Column("label", text=True),
            Column("confidence"),
            Column("judgments"),
            Column("tied", text=True),
        )
        rows = tuple(
            (one.case, one.label, one.confidence, one.judgments, "tied" if one.tied else "")
            for one in doubtful
        )
        note = "all cases: --format csv or json"
        return [Table(columns, rows, title="The least sure", notes=(note,))]


_POLICIES = {
    "random": "settled at random",
    "drop": "tied cases get no label",
    "first": "the first of the tied labels in the order above",
}
