"""What `draw_sample` gives back: the key, what raters see, and where they were written."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any

from jurybox.api.cases_result import form_of
from jurybox.api.results import GivenFile, TabularResult, describe_inputs, envelope
from jurybox.errors import InputError
from jurybox.formats import writing
from jurybox.formats.sample_key import SampleKey, write
from jurybox.model import Case
from jurybox.report.tables import Column, Table

COMMAND = "sample-draw"


@dataclass(frozen=True)
class SampleDraw(TabularResult):
    """Drawn cases: `key` tells what they are, `blind` is what raters see, in the same order."""

    key: SampleKey
    blind: tuple[Case, ...] = field(repr=False)
    earlier: tuple[int, ...]  # cases of earlier draws, by stratum
    signature: str
    inputs: tuple[GivenFile, ...] = ()
    warnings: tuple[str, ...] = ()
    #: what was written: the blind file, the key
    written: dict[str, str] = field(default_factory=dict, compare=False)

    def save(
        self, blind: str | os.PathLike[str] | None, key: str | os.PathLike[str] | None
    ) -> None:
        """Write the blind file (.csv, .tsv, .jsonl) and the key; a file that exists is kept."""
        check_new(blind, key)
        if blind is not None:
            from jurybox.formats import blind as blind_files

            target = os.fspath(blind)
            form = form_of(target)
            with writing(target) as out:
                blind_files.write(self.blind, out, form)
            self.written["blind"] = target
        if key is not None:
            with writing(key) as out:
                write(self.key, out)
            self.written["key"] = os.fspath(key)

    def to_dict(self) -> dict[str, Any]:
        """Everything but the cases themselves, in the form of the schema jurybox.sample-draw/1."""
        return {
            **envelope(COMMAND, self.signature, describe_inputs(self.inputs)),
            "seed": self.key.seed,
            "drawn": len(self.key.drawn),
            "strata": self.records(),
            "checksum": self.key.checksum,
            "after": list(self.key.after),
            "written": [{"what": what, "file": name} for what, name in self.written.items()],
            "warnings": list(self.warnings),
        }

    def records(self) -> list[dict[str, Any]]:
        """One row per stratum."""
        return [
            {**one._asdict(), "earlier": before}
            for one, before in zip(self.key.strata, self.earlier, strict=True)
        ]

    def tables(self) -> list[Table]:
        """How many cases of each stratum were drawn."""
        columns = [Column("stratum", text=True), Column("cases"), Column("drawn")]
        topped_up = bool(self.key.after)
        if topped_up:
            columns.append(Column("before"))
        columns.append(Column("rate", percent=True, digits=1))
        rows = []
        for one, before in zip(self.key.strata, self.earlier, strict=True):
            rate = (one.sampled + before) / one.size if one.size else None
            rows.append((one.name, one.size, one.sampled, *([before] * topped_up), rate))
        return [Table(tuple(columns), tuple(rows), title="Sample", notes=tuple(self._notes()))]

    def _notes(self) -> list[str]:
        notes = [f"{len(self.key.drawn)} cases in random order, seed {self.key.seed}"]
        if "blind" in self.written:
            notes.append(f"for raters: {self.written['blind']}")
        if "key" in self.written:
            notes.append(f"key, not for raters: {self.written['key']}")
        return [*notes, f"signature: {self.signature}"]


def check_new(*targets: str | os.PathLike[str] | None) -> None:
    """Refuse to write over an earlier draw: without its key, its judgments are lost."""
    for target in targets:
        if target is None or os.fspath(target) == "-":
            continue
        if os.path.isfile(target):  # noqa: PTH113  as quick as can be
            raise InputError(
                f"{os.fspath(target)} is there already, perhaps of an earlier draw whose judgments "
                "need it; name another file, or take it away"
            )
