"""What `draw_sample` gives back: the key, what raters see, and where they were written."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, NamedTuple

from jurybox.errors import InputError
from jurybox.formats import writing
from jurybox.formats.tables import cases as case_files
from jurybox.formats.tables.sample_key import SampleKey, write
from jurybox.jury.cases.context import note_context
from jurybox.jury.cases.result import form_of
from jurybox.model import Case
from jurybox.records import HIDDEN, NOT_EMPTY, Count, Limits
from jurybox.results import Inputs, Signature, TabularResult, Warnings, WrittenFile
from jurybox.tables import Column, Table


class DrawnStratum(NamedTuple):
    """A part of the corpus that was sampled at a rate of its own."""

    name: Annotated[str, "error, ok, or a part of these, as error/article."]
    label: Annotated[str, "What the system calls all of its cases.", Limits(enum=["error", "ok"])]
    size: Annotated[Count, "Its cases in the whole corpus."]
    sampled: Annotated[Count, "Cases drawn from it."]
    earlier: Annotated[Count, "Cases that earlier draws took from it."]


@dataclass(frozen=True, repr=False)
class SampleDraw(TabularResult):
    """What was drawn from where; the cases themselves are in the blind file and in the key.

    `key` tells what the drawn cases are, `blind` is what raters see, in the same order.
    """

    command = "sample-draw"

    seed: Annotated[Count, "Seed of the random numbers."]
    drawn: Annotated[Count, "Cases drawn."]
    strata: Annotated[
        tuple[DrawnStratum, ...], "Every stratum: those called an error first.", NOT_EMPTY
    ]
    checksum: Annotated[str, "Checksum of the key."]
    after: Annotated[tuple[str, ...], "Checksums of the keys of earlier draws."]
    signature: Signature
    key: Annotated[SampleKey, HIDDEN]
    blind: Annotated[tuple[Case, ...], HIDDEN]
    with_before: Annotated[
        Count | None, "Drawn cases with the sentence before; null where no cases were given."
    ] = None
    inputs: Inputs = ()
    warnings: Warnings = ()
    written: Annotated[
        tuple[WrittenFile, ...], "The files: blind (what raters see) and key, if written."
    ] = field(default=(), compare=False)

    def save(
        self, blind: str | os.PathLike[str] | None, key: str | os.PathLike[str] | None
    ) -> SampleDraw:
        """Write the blind file (.csv, .tsv, .jsonl) and the key; a file that exists is kept.

        Gives the same result, with the names of the files.
        """
        check_new(blind, key)
        written = []
        if blind is not None:
            target = os.fspath(blind)
            form = form_of(target)
            with writing(target) as out:
                case_files.write_blind(self.blind, out, form)
            written.append(WrittenFile("blind", target))
        if key is not None:
            with writing(key) as out:
                write(self.key, out)
            written.append(WrittenFile("key", os.fspath(key)))
        return replace(self, written=tuple(written))

    def records(self) -> list[dict[str, Any]]:
        """One row per stratum."""
        return [one._asdict() for one in self.strata]

    def tables(self) -> list[Table]:
        """How many cases of each stratum were drawn."""
        columns = [Column("stratum", text=True), Column("cases"), Column("drawn")]
        topped_up = bool(self.after)
        if topped_up:
            columns.append(Column("before"))
        columns.append(Column("rate", percent=True, digits=1))
        rows = []
        for one in self.strata:
            rate = (one.sampled + one.earlier) / one.size if one.size else None
            rows.append((one.name, one.size, one.sampled, *([one.earlier] * topped_up), rate))
        notes = [f"{self.drawn} cases in random order, seed {self.seed}"]
        if self.with_before is not None:
            notes.append(note_context(self.with_before, self.drawn))
        titles = {"blind": "for raters", "key": "key, not for raters"}
        notes += [f"{titles[what]}: {file}" for what, file in self.written]
        notes.append(f"signature: {self.signature}")
        return [Table(tuple(columns), tuple(rows), title="Sample", notes=tuple(notes))]


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
