"""What `derive_cases` gives back: cases, judgments, decisions, and a summary of them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from functools import cached_property
from math import isnan, nan
from pathlib import Path
from typing import Any, NamedTuple, Self

from jurybox.api.cases_summary import NO_JUDGMENTS, CasesSummary
from jurybox.api.results import TabularResult, number_or_none
from jurybox.cases.derive import ERROR, PanelCases
from jurybox.errors import UsageError
from jurybox.formats import Input, writing
from jurybox.model import LABEL_BITS, CaseDescription, CaseSet, DecisionTable, JudgmentTable
from jurybox.report.tables import Table

#: endings of files -> how cases, judgments and decisions are written
FORMS = {".jsonl": "jsonl", ".csv": "csv", ".tsv": "tsv"}


class ConstructionSummary(NamedTuple):
    """How many cases a construction has, and what the annotators say about them."""

    name: str
    n: int
    trivial: int  # negatives that a rule decided
    overruled: int  # trivial by the rule, but an annotator found an error there
    judgments: int
    error_judgments: int
    any_error: int  # cases that at least one annotator calls an error
    majority_error: int  # cases that more than half of those who looked call an error
    edits: int  # edits of the annotators that are about the construction
    on_cases: int  # those among them that make a case an error; the others are elsewhere
    description: CaseDescription

    @classmethod
    def of(cls, derived: PanelCases, name: str, description: CaseDescription) -> Self:
        """Count the cases of one construction."""
        mine = bytearray(case.construction == name for case in derived.cases)
        seen = [0] * len(mine)
        errors = [0] * len(mine)
        for case, answer in zip(derived.judgments.case, derived.judgments.answer, strict=True):
            if mine[case]:
                seen[case] += 1
                errors[case] += answer & ((1 << LABEL_BITS) - 1) == ERROR
        tally = derived.tallies[name]
        return cls(
            name=name,
            n=sum(mine),
            trivial=sum(case.trivial for case in derived.cases if case.construction == name),
            overruled=tally.overruled,
            judgments=sum(seen),
            error_judgments=sum(errors),
            any_error=sum(map(bool, errors)),
            majority_error=sum(2 * e > n for e, n in zip(errors, seen, strict=True) if n),
            edits=tally.edits,
            on_cases=tally.on_cases,
            description=description,
        )

    @property
    def error_rate(self) -> float:
        """Share of the judgments that say error, without trivial cases; nan without judgments."""
        return self.error_judgments / self.judgments if self.judgments else nan

    def to_dict(self) -> dict[str, Any]:
        kept = {name: value for name, value in self._asdict().items() if name != "description"}
        return {
            **kept,
            **_rate(self.error_rate),
            "description": asdict(self.description),
        }


class RaterSummary(NamedTuple):
    """How often one annotator calls a case an error."""

    name: str
    judgments: int
    errors: int

    @property
    def error_rate(self) -> float:
        """Share of their judgments that say error; nan for an annotator without any."""
        return self.errors / self.judgments if self.judgments else nan

    def to_dict(self) -> dict[str, Any]:
        return {**self._asdict(), **_rate(self.error_rate)}


class SystemSummary(NamedTuple):
    """How often one system calls a case an error."""

    name: str
    errors: int
    on_trivial: int
    share: float  # of all cases


@dataclass(frozen=True)
class DerivedCases(TabularResult):
    """Cases of a panel, each annotator's judgments on them, and the decisions of systems."""

    case_set: CaseSet
    judgments: JudgmentTable
    decisions: dict[str, DecisionTable]
    constructions: tuple[ConstructionSummary, ...]
    signature: str
    inputs: tuple[Input, ...] = ()
    warnings: tuple[str, ...] = ()
    #: what was written: cases, judgments, and for every system its decisions
    written: dict[str, str] = field(default_factory=dict, compare=False)

    @property
    def n(self) -> int:
        return len(self.case_set)

    @property
    def trivial(self) -> int:
        """How many cases a rule decided before any judgment."""
        return sum(one.trivial for one in self.constructions)

    @property
    def error_rate(self) -> float:
        """Share of the judgments that say error; nan without judgments."""
        errors = sum(one.error_judgments for one in self.constructions)
        return errors / len(self.judgments) if len(self.judgments) else nan

    @cached_property
    def raters(self) -> tuple[RaterSummary, ...]:
        """Every annotator, in the order of the panel."""
        counts = [[0, 0] for _ in self.judgments.raters]
        for answer in self.judgments.answer:
            row = counts[answer >> LABEL_BITS]
            row[0] += 1
            row[1] += answer & ((1 << LABEL_BITS) - 1) == ERROR
        return tuple(
            RaterSummary(name, *row)
            for name, row in zip(self.judgments.raters, counts, strict=True)
        )

    @cached_property
    def systems(self) -> tuple[SystemSummary, ...]:
        """Every system, as it was given."""
        trivial = [case.trivial for case in self.case_set.cases]
        return tuple(
            SystemSummary(
                name,
                errors := sum(table.label),
                sum(a and b for a, b in zip(table.label, trivial, strict=True)),
                errors / self.n,
            )
            for name, table in self.decisions.items()
        )

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
            from jurybox.formats import cases as case_files

            target = os.fspath(cases)
            with writing(target) as out:
                case_files.write(self.case_set, out, form=forms[target])
            self.written["cases"] = target
        if judgments is not None:
            from jurybox.formats import judgments as judgment_files

            target = os.fspath(judgments)
            with writing(target) as out:
                judgment_files.write(self.judgments, self.case_set, out, form=forms[target])
            self.written["judgments"] = target
        for name, target in files.items():
            from jurybox.formats import decisions as decision_files

            Path(target).parent.mkdir(parents=True, exist_ok=True)
            with writing(target) as out:
                decision_files.write(self.decisions[name], self.case_set, out)
            self.written[f"decisions of {name}"] = target

    def summary(self) -> CasesSummary:
        """Everything but the cases, judgments and decisions themselves: what JSON holds."""
        return CasesSummary(
            n=self.n,
            trivial=self.trivial,
            judgments=len(self.judgments),
            error_rate=self.error_rate,
            description=self.case_set.description,
            constructions=self.constructions,
            raters=self.raters,
            systems=self.systems,
            signature=self.signature,
            inputs=self.inputs,
            warnings=self.warnings,
            written=self.written,
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything but the cases themselves, in the form of the JSON Schema jurybox.cases/1."""
        return self.summary().to_dict()

    def records(self) -> list[dict[str, Any]]:
        """One row per construction, rater and system."""
        return self.summary().records()

    def tables(self) -> list[Table]:
        """The cases, then raters, then systems."""
        return self.summary().tables()


def _rate(error_rate: float) -> dict[str, Any]:
    reason = {"reason": NO_JUDGMENTS} if isnan(error_rate) else {}
    return {"error_rate": number_or_none(error_rate), **reason}


def form_of(target: str) -> str:
    """How a file is written, told by its ending; standard output is JSONL."""
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
