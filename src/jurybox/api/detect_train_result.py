"""What `train_detector` gives back: the model it saved, and what else was written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from jurybox.api.detect_info_result import ModelFacts
from jurybox.api.results import GivenFile, TabularResult, describe_inputs, envelope
from jurybox.report.tables import Column, Table

COMMAND = "detect-train"


@dataclass(frozen=True)
class TrainedDetector(TabularResult):
    """A model that was trained and saved in its folder."""

    model: ModelFacts
    cache: str | None  # the folder that tagged text is kept in, if it is
    signature: str
    inputs: tuple[GivenFile, ...] = ()
    warnings: tuple[str, ...] = ()
    #: what was written: the model, and the ARPA file where one was asked for
    written: Mapping[str, str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Everything, in the form of the JSON Schema jurybox.detect-train/1."""
        return {
            **envelope(COMMAND, self.signature, describe_inputs(self.inputs)),
            "model": self.model.to_dict(),
            "cache": self.cache,
            "written": [{"what": what, "file": name} for what, name in self.written.items()],
            "warnings": list(self.warnings),
        }

    def records(self) -> list[dict[str, Any]]:
        """One row per fact."""
        return [{"what": name, "value": value} for name, value in self._rows()]

    def tables(self) -> list[Table]:
        """The figures of the training, where the model is, and what to do next."""
        columns = (Column("trained", text=True), Column(self.model.learner, text=True))
        return [Table(columns, tuple(self._rows()), notes=tuple(self._notes()))]

    def _rows(self) -> Iterator[tuple[str, str]]:
        for given in self.inputs:
            yield "text", given.name
        yield from self.model.rows()

    def _notes(self) -> Iterator[str]:
        if self.model.held_out == 0:
            yield "too few events to keep some aside: scores are not calibrated, accuracy unknown"
        for what, name in self.written.items():
            yield f"{what}: {name}"
        if self.cache is not None:
            yield f"tagged text is kept in {self.cache}"
        yield f"signature: {self.signature}"
        yield f"next: jurybox detect run {self.model.folder} --m2 FILE ... -o decisions.jsonl"
