"""What `aggregate` gives back: a label per case and how sure it is, for JSON, CSV and tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import isnan, nan
from typing import Annotated, Any, NamedTuple

from jurybox.errors import plural
from jurybox.raters.aggregate import AggregateOptions
from jurybox.raters.flagged import FlaggedRaters
from jurybox.raters.inputs import note_format
from jurybox.records import WHEN_SET, Count, Share, computed
from jurybox.results import Inputs, NamedParts, Signature, TabularResult, Warnings, by
from jurybox.tables import Cell, Column, Table

#: the surest cases are of no interest: so many of the others are shown
SHOWN = 10
_POLICIES = {
    "random": "settled at random",
    "drop": "tied cases get no label",
    "first": "the first of the tied labels in the order above",
}


class CaseLabel(NamedTuple):
    """One case: its label (None where there is none), and how sure it is from 0 to 1."""

    case: str
    label: str | None
    confidence: float  # nan where there is no label, or the method does not say
    judgments: int
    tied: bool  # the tie policy decided


class TiedCases(NamedTuple):
    """Cases with several best labels."""

    policy: Annotated[str, "How ties are settled."]
    cases: Annotated[tuple[str, ...], "The cases in which the policy decided."]


class GoldCheck(NamedTuple):
    """How right the labels are where answers are known."""

    source: Annotated[str, "What the known answers are called."]
    cases: Annotated[Count, "Cases with a known answer and a label."]
    right: Annotated[Count, "Labels that came out right: of the one draw that settled the ties."]
    unlabelled: Annotated[Count, "Cases with a known answer and no label."]
    accuracy: Annotated[
        Share,
        "Share of right labels; where ties are settled at random, its exact expectation, which "
        "does not depend on the seed.",
    ]


class Fitted(NamedTuple):
    """What Dawid and Skene's model says of itself."""

    iterations: Annotated[Count, "Iterations made."]
    converged: Annotated[bool, "Whether EM converged."]
    change: Annotated[float, "The largest change in the last iteration."]
    log_likelihood: Annotated[float, "Logarithm of the likelihood of all judgments."]
    prior: Annotated[Mapping[str, float], "How common each label is."]


class AgainstMajority(NamedTuple):
    """How far the labels differ from those of the plain majority."""

    cases: Annotated[Count, "Cases that have both."]
    changed: Annotated[Count, "Cases in which they differ."]


@dataclass(frozen=True, repr=False)
class AggregateResult(TabularResult, NamedParts[str, CaseLabel]):
    """One label per case out of many judgments."""

    command = "aggregate"

    options: AggregateOptions
    format: Annotated[str, "The format the judgments were read as; memory for judgments in memory."]
    raters: Annotated[Count, "How many raters gave an answer that counts."]
    judgments: Annotated[Count, "How many judgments count."]
    no_answer: Annotated[Count, "Judgments that say unknown: no answer."]
    label_names: Annotated[
        tuple[str, ...],
        "The labels that were given, numbers in their order, else in that of the alphabet.",
    ]
    ties: TiedCases
    labels: Annotated[
        Mapping[str, str | None],
        "The label of every case, in the order of the file; null where there is none.",
    ]
    confidence: Annotated[
        Mapping[str, Share],
        "How sure each label is, from 0 to 1: its share of the votes, or its probability; null "
        "where there is no label.",
    ]
    judgments_of: Annotated[Mapping[str, Count], "How many judgments each case has."]
    signature: Signature
    gold: Annotated[GoldCheck | None, WHEN_SET] = None
    weights: Annotated[
        Mapping[str, float] | None,
        "gold-weighted: the log-odds of each rater's accuracy, by which votes count.",
        WHEN_SET,
    ] = None
    model: Annotated[Fitted | None, "dawid-skene: what was estimated.", WHEN_SET] = None
    against_majority: Annotated[AgainstMajority | None, WHEN_SET] = None
    flagged: Annotated[FlaggedRaters | None, WHEN_SET] = None
    inputs: Inputs = ()
    warnings: Warnings = ()

    @computed
    def method(self) -> str:
        """The method: majority, gold-weighted, dawid-skene, or one of crowd-kit's."""
        return self.options.method

    @computed
    def cases(self) -> Count:
        """How many cases there are."""
        return len(self.labels)

    @computed
    def unlabelled(self) -> Count:
        """Cases without a label."""
        return sum(label is None for label in self.labels.values())

    @computed
    def accuracy(self) -> Share:
        """The share of right labels where answers are known; null where none is."""
        return nan if self.gold is None else self.gold.accuracy

    @cached_property
    def rows(self) -> tuple[CaseLabel, ...]:
        """Every case, in the order of the file."""
        tied = set(self.ties.cases)
        return tuple(
            CaseLabel(case, label, self.confidence[case], self.judgments_of[case], case in tied)
            for case, label in self.labels.items()
        )

    noun = "case"

    def parts(self) -> Mapping[str, CaseLabel]:
        return by("case", self.rows)

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
            for one in self.rows
        ]

    # --- tables ---

    def tables(self) -> list[Table]:
        """The whole in a line, the labels, and the cases to look at once more."""
        return [self._summary(), self._label_table(), *self._unsure_table()]

    def _summary(self) -> Table:
        columns = [Column("method", text=True), Column("cases"), Column("raters")]
        columns += [Column("judgments"), Column("ties"), Column("without label")]
        row: list[Cell] = [self.method, self.cases, self.raters, self.judgments]
        row += [len(self.ties.cases), self.unlabelled]
        if self.gold is not None:
            columns += [Column("gold"), Column("accuracy")]
            row += [self.gold.cases, self.gold.accuracy]
        return Table(tuple(columns), (row,), notes=(*self._notes(), f"signature: {self.signature}"))

    def _notes(self) -> list[str]:
        notes = note_format(self.format)
        policy = self.ties.policy
        if self.ties.cases:
            notes.append(f"ties: {_POLICIES.get(policy, f'every tied case gets {policy}')}")
        if self.gold is not None and self.ties.cases and policy == "random":
            notes.append("accuracy: expected over all ways to settle the ties")
        if self.gold is not None and self.gold.unlabelled:
            notes.append(f"{self.gold.unlabelled} cases with a known answer have no label")
        if self.no_answer:
            notes.append(f"{self.no_answer} judgments say unknown: no answer")
        if self.flagged is not None:
            fate = "counted" if self.flagged.counted else "left out"
            who = plural(self.flagged.raters, "flagged rater")
            notes.append(f"{plural(self.flagged.judgments, 'judgment')} by {who}, {fate}")
        if self.model is not None:
            state = "converged" if self.model.converged else "did not converge"
            notes.append(f"EM {state} after {self.model.iterations} iterations")
        if self.against_majority is not None:
            cases, changed = self.against_majority
            notes.append(f"{changed} of {cases} labels differ from the plain majority")
        return notes

    def _label_table(self) -> Table:
        rows: list[list[Cell]] = []
        for name in self.label_names:
            sure = [one.confidence for one in self.rows if one.label == name]
            mean = sum(sure) / len(sure) if sure else nan
            rows.append([name, len(sure), len(sure) / self.cases, mean])
        columns = (
            Column("label", text=True),
            Column("cases"),
            Column("share", digits=2, percent=True),
            Column("mean confidence"),
        )
        return Table(columns, tuple(rows), title="Labels")

    def _unsure_table(self) -> list[Table]:
        doubtful = [one for one in self.rows if not isnan(one.confidence) and one.confidence < 1]
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
