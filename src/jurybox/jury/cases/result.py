"""What `derive_cases` gives back: cases, judgments, decisions, and a summary of them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import nan
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from jurybox.errors import UsageError, count_noun
from jurybox.formats import writing
from jurybox.formats.tables import cases as case_files
from jurybox.formats.tables import decisions as decision_files
from jurybox.formats.tables import judgments as judgment_files
from jurybox.jury.cases.context import note_context
from jurybox.jury.cases.duplicates import Duplicates
from jurybox.model import CaseDescription, CaseSet, DecisionTable, JudgmentTable
from jurybox.records import HIDDEN, WHEN_SET, Count, Key, Share, computed, plain
from jurybox.results import Inputs, NamedParts, Signature, TabularResult, Warnings, WrittenFile
from jurybox.tables import Column, Table, signed

#: endings of files -> how cases, judgments and decisions are written
FORMS = {".jsonl": "jsonl", ".csv": "csv", ".tsv": "tsv"}
NO_JUDGMENTS = "there are no judgments"

ErrorRate = Annotated[Share, "Share of the judgments that say error; null where there are none."]
WhyNoRate = Annotated[str | None, "Why the error rate is null.", WHEN_SET]


class ConstructionSummary(NamedTuple):
    """The cases of one construction."""

    name: Annotated[str, "Its name, as in --construction."]
    n: Annotated[Count, "Its cases."]
    trivial: Annotated[
        Count, "Places that a rule decided; cases too, unless --trivial drop left them out."
    ]
    overruled: Annotated[
        Count,
        "Places that the rule calls trivial where an annotator found an error all the same; they "
        "are ordinary cases.",
    ]
    judgments: Annotated[Count, "Judgments on its cases."]
    error_judgments: Annotated[Count, "Judgments that say error."]
    any_error: Annotated[Count, "Cases that at least one annotator calls an error."]
    majority_error: Annotated[Count, "Cases that more than half of those who looked call an error."]
    edits: Annotated[Count, "Edits of all annotators that the error rule asks for."]
    on_cases: Annotated[
        Count, "Those among them that make a case an error; the others are elsewhere."
    ]
    description: CaseDescription

    @computed
    def error_rate(self) -> ErrorRate:
        return self.error_judgments / self.judgments if self.judgments else nan

    @computed
    def reason(self) -> WhyNoRate:
        return None if self.judgments else NO_JUDGMENTS


class RaterSummary(NamedTuple):
    """How often one annotator calls a case an error."""

    name: str
    judgments: Annotated[Count, "Cases they looked at, without trivial ones."]
    errors: Annotated[Count, "Those they call an error."]

    @computed
    def error_rate(self) -> ErrorRate:
        return self.errors / self.judgments if self.judgments else nan

    @computed
    def reason(self) -> WhyNoRate:
        return None if self.judgments else NO_JUDGMENTS


class SystemSummary(NamedTuple):
    """How often one system calls a case an error."""

    name: str
    errors: Annotated[Count, "Cases it calls an error."]
    on_trivial: Annotated[
        Count, "Errors on trivial places: among the others, unless --trivial drop left them out."
    ]
    share: Annotated[Share, "Errors as a share of all cases."]


@dataclass(frozen=True, repr=False)
class DerivedCases(TabularResult, NamedParts[str, DecisionTable]):
    """The cases of a panel, how often annotators and systems call them errors.

    A result that is read back has the numbers, but neither cases nor judgments nor decisions.
    """

    command = "cases"

    description: CaseDescription
    constructions: Annotated[
        tuple[ConstructionSummary, ...], "Every construction, as it was asked for."
    ]
    raters: Annotated[tuple[RaterSummary, ...], "Every annotator, in the order of the panel."]
    systems: Annotated[tuple[SystemSummary, ...], "Every system, as it was given."]
    duplicates: Duplicates
    signature: Signature
    with_before: Annotated[
        Count, "Cases with the sentence before; none where documents are not known."
    ] = 0
    case_set: Annotated[CaseSet, HIDDEN] = field(default_factory=lambda: CaseSet(()))
    judgments: Annotated[JudgmentTable, HIDDEN] = field(default_factory=JudgmentTable)
    decisions: Annotated[Mapping[str, DecisionTable], HIDDEN] = field(default_factory=dict)
    written: Annotated[list[WrittenFile], "The files that were written."] = field(
        default_factory=list, compare=False
    )
    inputs: Inputs = ()
    warnings: Warnings = ()

    noun = "system"

    def parts(self) -> Mapping[str, DecisionTable]:
        return self.decisions

    def __repr__(self) -> str:
        counts = {"case": self.n, "judgment": self.judgment_count, "system": len(self.systems)}
        listed = ", ".join(count_noun(count, noun) for noun, count in counts.items())
        return f"DerivedCases({listed})"

    @computed
    def n(
        self,
    ) -> Annotated[Count, "Cases, with those a rule decided unless --trivial drop left them out."]:
        return sum(one.n for one in self.constructions)

    @computed
    def trivial(
        self,
    ) -> Annotated[Count, "Places that a rule decided to be no error, before any judgment."]:
        return sum(one.trivial for one in self.constructions)

    @computed
    def judgment_count(
        self,
    ) -> Annotated[
        Count, Key("judgments"), "Judgments of all annotators; trivial cases have none."
    ]:
        return sum(one.judgments for one in self.constructions)

    @computed
    def error_rate(self) -> ErrorRate:
        errors = sum(one.error_judgments for one in self.constructions)
        return errors / self.judgment_count if self.judgment_count else nan

    @computed
    def reason(self) -> WhyNoRate:
        return None if self.judgment_count else NO_JUDGMENTS

    def save(
        self,
        cases: str | os.PathLike[str] | None = None,
        judgments: str | os.PathLike[str] | None = None,
        decisions: str | os.PathLike[str] | None = None,
    ) -> None:
        """Write what is named: two files, and a folder with one NAME.csv per system."""
        targets = [os.fspath(one) for one in (cases, judgments) if one is not None]
        forms = {target: form_of(target) for target in targets}  # complain before writing
        files = decision_paths(self.decisions, decisions) if decisions is not None else {}
        if cases is not None:
            with writing(target := os.fspath(cases)) as out:
                case_files.write(self.case_set, out, form=forms[target])
            self._note_written("cases", target)
        if judgments is not None:
            with writing(target := os.fspath(judgments)) as out:
                judgment_files.write(self.judgments, self.case_set, out, form=forms[target])
            self._note_written("judgments", target)
        for name, target in files.items():
            Path(target).parent.mkdir(parents=True, exist_ok=True)
            with writing(target) as out:
                decision_files.write(self.decisions[name], self.case_set, out)
            self._note_written(f"decisions of {name}", target)

    def _note_written(self, what: str, file: str) -> None:
        self.written[:] = [one for one in self.written if one.what != what]
        self.written.append(WrittenFile(what, file))

    def records(self) -> list[dict[str, Any]]:
        """One row per construction, rater and system."""
        rows = []
        for one in (*self.constructions, *self.raters, *self.systems):
            what = type(one).__name__.removesuffix("Summary").lower()
            row = {name: value for name, value in plain(one).items() if name != "description"}
            rows.append({"what": what, **row})
        return rows

    def tables(self) -> list[Table]:
        """The cases, then raters, then systems."""
        numbers = ("judgments", "errors", "error rate")
        columns = (Column("rater", text=True), *map(Column, numbers))
        rows = tuple((*one, one.error_rate) for one in self.raters)
        tables = [self._construction_table(), Table(columns, rows, title="Raters")]
        if self.systems:
            columns = (Column("system", text=True), *map(Column, ("errors", "on trivial", "share")))
            tables.append(Table(columns, self.systems, title="Decisions"))
        return signed(tables, self.signature, *(f"{one.what}: {one.file}" for one in self.written))

    def _construction_table(self) -> Table:
        numbers = ("cases", "trivial", "judgments", "error rate", "by anyone", "by most")
        columns = (Column("construction", text=True), *map(Column, numbers))
        rows = []
        notes = []  # what N consists of, and what is not in it
        for one in self.constructions:
            counts = (one.n, one.trivial, one.judgments, one.error_rate)
            rows.append((one.name, *counts, one.any_error, one.majority_error))
            said = one.description
            notes += [f"{one.name}: {said.enumeration}", f"  error: {said.error_rule}"]
            if said.trivial_rule:
                notes.append(f"  trivial: {said.trivial_rule} ({one.overruled} times)")
            notes.append(
                f"  edits: {one.on_cases} of {one.edits} make a case an error, the others none"
            )
        notes += self.duplicates.notes()
        notes.append(note_context(self.with_before, self.n))
        notes.append(f"from {self.description.origin}")
        return Table(columns, tuple(rows), title="Cases", notes=tuple(notes))


def form_of(target: str) -> str:
    """The format that a file's ending names; standard output is JSONL."""
    if target == "-":
        return "jsonl"
    name = target.removesuffix(".gz").removesuffix(".xz")
    ending = os.path.splitext(name)[1].lower()  # noqa: PTH122  as quick as can be
    if ending not in FORMS:
        raise UsageError(f"'{target}' does not tell its format; end it in {', '.join(FORMS)}")
    return FORMS[ending]


def decision_paths(names: Iterable[str], folder: str | os.PathLike[str]) -> dict[str, str]:
    """System -> the file of its decisions in a folder."""
    paths = {}
    for name in names:
        if "/" in name or os.sep in name or name in (".", ".."):
            raise UsageError(f"the system '{name}' cannot be a file name; call it otherwise")
        paths[name] = os.path.join(folder, f"{name}.csv")  # noqa: PTH118  as quick as can be
    return paths
