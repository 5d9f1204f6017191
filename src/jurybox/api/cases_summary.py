"""What is told of derived cases: how many, and what raters and systems say of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from math import isnan
from typing import TYPE_CHECKING, Any

from jurybox.api.results import GivenFile, TabularResult, describe_inputs, envelope, number_or_none
from jurybox.model import CaseDescription
from jurybox.report.tables import Column, Table

if TYPE_CHECKING:
    from jurybox.api.cases_result import ConstructionSummary, RaterSummary, SystemSummary

NO_JUDGMENTS = "there are no judgments"


@dataclass(frozen=True)
class CasesSummary(TabularResult):
    """Everything about derived cases but the cases, judgments and decisions themselves."""

    n: int
    trivial: int
    judgments: int
    error_rate: float  # share of the judgments that say error; nan without judgments
    description: CaseDescription
    constructions: tuple[ConstructionSummary, ...]
    raters: tuple[RaterSummary, ...]
    systems: tuple[SystemSummary, ...]
    signature: str
    inputs: tuple[GivenFile, ...] = ()
    warnings: tuple[str, ...] = ()
    #: what was written: cases, judgments, and for every system its decisions
    written: Mapping[str, str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Everything, in the form of the JSON Schema jurybox.cases/1."""
        reason = {"reason": NO_JUDGMENTS} if isnan(self.error_rate) else {}
        return envelope("cases", self.signature, describe_inputs(self.inputs)) | {
            "n": self.n,
            "trivial": self.trivial,
            "judgments": self.judgments,
            "error_rate": number_or_none(self.error_rate),
            **reason,
            "description": asdict(self.description),
            "constructions": [one.to_dict() for one in self.constructions],
            "raters": [one.to_dict() for one in self.raters],
            "systems": [one._asdict() for one in self.systems],
            "written": [{"what": what, "file": file} for what, file in self.written.items()],
            "warnings": list(self.warnings),
        }

    def records(self) -> list[dict[str, Any]]:
        """One row per construction, rater and system."""
        return [
            *({"what": "construction", **_plain(one.to_dict())} for one in self.constructions),
            *({"what": "rater", **one.to_dict()} for one in self.raters),
            *({"what": "system", **one._asdict()} for one in self.systems),
        ]

    def tables(self) -> list[Table]:
        """The cases, then raters, then systems."""
        tables = [self._construction_table(), self._rater_table()]
        if self.systems:
            tables.append(self._system_table())
        notes = [f"{what}: {file}" for what, file in self.written.items()]
        notes.append(f"signature: {self.signature}")
        tables[-1] = tables[-1]._replace(notes=(*tables[-1].notes, *notes))
        return tables

    def _construction_table(self) -> Table:
        columns = (
            Column("construction", text=True),
            *map(Column, ("cases", "trivial", "judgments", "error rate")),
            *map(Column, ("by anyone", "by most")),
        )
        rows = tuple(
            (
                *(one.name, one.n, one.trivial, one.judgments, one.error_rate),
                *(one.any_error, one.majority_error),
            )
            for one in self.constructions
        )
        return Table(columns, rows, title="Cases", notes=tuple(self._notes()))

    def _notes(self) -> Iterator[str]:
        """What N consists of, and what is not in it."""
        for one in self.constructions:
            said = one.description
            yield f"{one.name}: {said.enumeration}"
            yield f"  error: {said.error_rule}"
            if said.trivial_rule:
                yield f"  trivial: {said.trivial_rule} ({one.overruled} times)"
            yield f"  edits: {one.on_cases} of {one.edits} make a case an error, the others none"
        yield f"from {self.description.origin}"

    def _rater_table(self) -> Table:
        columns = (Column("rater", text=True), *map(Column, ("judgments", "errors", "error rate")))
        rows = tuple((*one, one.error_rate) for one in self.raters)
        return Table(columns, rows, title="Raters")

    def _system_table(self) -> Table:
        columns = (Column("system", text=True), *map(Column, ("errors", "on trivial", "share")))
        return Table(columns, self.systems, title="Decisions")


def _plain(record: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in record.items() if not isinstance(value, dict)}
