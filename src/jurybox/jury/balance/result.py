"""What `balance_cases` gives back: the cases, and what was left out."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, NamedTuple

from jurybox.formats import writing
from jurybox.formats.tables import cases as case_files
from jurybox.jury.cases.duplicates import Duplicates
from jurybox.jury.cases.result import form_of
from jurybox.model import CaseDescription, CaseSet
from jurybox.records import HIDDEN, Count
from jurybox.results import Inputs, Signature, TabularResult, Warnings, WrittenFile
from jurybox.tables import Column, Table


class Pool(NamedTuple):
    """Cases that can be drawn with one label, and how many were."""

    label: Annotated[str, "error or ok."]
    confirmed: Annotated[Count, "Cases that gold or enough raters call so."]
    assumed: Annotated[Count, "Cases of --correct that nobody judged."]
    drawn: Count
    same_sentence: Annotated[Count, "Left out by --one-per-sentence."]

    @property
    def left_over(self) -> int:
        """Those that were not drawn, though they could have been."""
        return self.confirmed + self.assumed - self.drawn - self.same_sentence


class LeftOutCases(NamedTuple):
    """Cases that can be no part of the set."""

    undecided: Annotated[Count, "Judged, but no label has enough raters; or gold allows both."]
    unjudged: Annotated[Count, "Without gold and without a judgment that decides."]
    trivial: Annotated[Count, "Decided by a rule: too easy for a test."]
    judgments: Annotated[Count, "Judgments on cases that are not given."]


@dataclass(frozen=True, repr=False)
class BalancedCases(TabularResult):
    """What a balanced set was drawn from; the cases are in the file, and in `case_set`."""

    command = "cases-balance"

    given: Annotated[Count, "Cases of all files."]
    errors: Pool
    correct: Pool
    left_out: LeftOutCases
    duplicates: Duplicates
    gold: Annotated[Count, "Cases of the set that keep their answer as gold."]
    seed: Annotated[Count, "Seed of the random numbers."]
    description: CaseDescription
    signature: Signature
    case_set: Annotated[CaseSet, HIDDEN]
    inputs: Inputs = ()
    warnings: Warnings = ()
    written: Annotated[tuple[WrittenFile, ...], "The cases, if written."] = field(
        default=(), compare=False
    )

    def save(self, cases: str | os.PathLike[str]) -> BalancedCases:
        """Write the cases (.jsonl, .csv, .tsv); gives the same result, which names the file."""
        target = os.fspath(cases)
        form = form_of(target)
        with writing(target) as out:
            case_files.write(self.case_set, out, form=form)
        return replace(self, written=(WrittenFile("cases", target),))

    def records(self) -> list[dict[str, Any]]:
        """One row per label."""
        return [one._asdict() for one in (self.errors, self.correct)]

    def tables(self) -> list[Table]:
        """How many there are of each label, and what was left out."""
        pools = (self.errors, self.correct)
        columns = [Column("label", text=True), Column("confirmed")]
        shown = {
            "assumed": any(one.assumed for one in pools),
            "drawn": True,
            "same_sentence": any(one.same_sentence for one in pools),
            "left_over": True,
        }
        columns += [Column(name.replace("_", " ")) for name, wanted in shown.items() if wanted]
        rows = tuple(
            (*one[:2], *(getattr(one, name) for name, wanted in shown.items() if wanted))
            for one in pools
        )
        size = self.errors.drawn + self.correct.drawn
        left = [
            (name, getattr(self.left_out, name)) for name in ("undecided", "unjudged", "trivial")
        ]
        listed = ", ".join(f"{count} {name}" for name, count in left if count)
        notes = [
            f"{size} cases in random order, seed {self.seed}, of {self.given} given",
            *([f"left out: {listed}"] if listed else []),
            *self.duplicates.notes(),
            *([f"gold: {self.gold} of them keep their answer"] if self.gold else []),
            *(f"{what}: {file}" for what, file in self.written),
            f"signature: {self.signature}",
        ]
        return [Table(tuple(columns), rows, title="Balanced set", notes=tuple(notes))]
