"""What `train_detector` gives back: the model it saved, and what else was written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

from jurybox.detect.info.result import ModelFacts
from jurybox.results import Inputs, Signature, TabularResult, Warnings, WrittenFile
from jurybox.tables import Column, Table

#: files that the table names
SHOWN = 10


@dataclass(frozen=True, repr=False)
class TrainedDetector(TabularResult):
    """A detector that was trained and saved in its folder."""

    command = "detect-train"

    model: ModelFacts
    cache: Annotated[str | None, "The folder that tagged text is kept in; null: it is not kept."]
    signature: Signature
    inputs: Inputs = ()
    warnings: Warnings = ()
    written: Annotated[
        tuple[WrittenFile, ...], "The model, and the ARPA file where one was asked for."
    ] = ()

    def records(self) -> list[dict[str, Any]]:
        """One row per fact."""
        return [{"what": name, "value": value} for name, value in self._rows()]

    def tables(self) -> list[Table]:
        """The figures of the training, where the model is, and what to do next."""
        columns = (Column("trained", text=True), Column(self.model.learner, text=True))
        notes = []
        if self.model.held_out == 0:
            notes.append(
                "too few events to keep some aside: scores are not calibrated, accuracy unknown"
            )
        notes += [f"{what}: {file}" for what, file in self.written]
        if self.cache is not None:
            notes.append(f"tagged text is kept in {self.cache}")
        notes += [
            f"signature: {self.signature}",
            f"next: jurybox detect run {self.model.folder} --m2 FILE ... -o decisions.jsonl",
        ]
        return [Table(columns, tuple(self._rows()), notes=tuple(notes))]

    def _rows(self) -> Iterator[tuple[str, str]]:
        what = "counts" if self.model.made_from == "counts" else "text"
        yield from ((what, given.name) for given in self.inputs[:SHOWN])
        if (more := len(self.inputs) - SHOWN) > 0:
            yield what, f"and {more} more files"
        yield from self.model.rows()
