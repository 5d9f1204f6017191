"""Test sets as the catalogue knows them, and what was got of one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal, NamedTuple

from jurybox.records import NOT_EMPTY, Count, Limits
from jurybox.results import Signature, TabularResult
from jurybox.tables import Column, Table

Sha256 = Limits(pattern="^[0-9a-f]{64}$")


class DataFile(NamedTuple):
    """A file of a set: where it is, and how it is known again."""

    name: Annotated[str, "Its name in the folder."]
    addresses: Annotated[tuple[str, ...], "Where it, or the archive that holds it, is found."]
    member: Annotated[
        str | None, "Its path in the archive; null where the address is the file itself."
    ] = None
    sha256: Annotated[str | None, "Its SHA-256; null where none is known.", Sha256] = None
    sentences: Annotated[
        int | None,
        "Sentences that must be in it, where no checksum is known; else null.",
        Limits(minimum=1),
    ] = None


class DataSet(NamedTuple):
    """A public test set; nothing of it comes with jurybox."""

    name: Annotated[str, "What it is called in commands."]
    title: str
    about: Annotated[str, "What it holds."]
    home: Annotated[str, "The page of its owners."]
    licence: Annotated[str, "Under which terms it can be used, as its owners say."]
    citation: Annotated[str, "The paper to cite."]
    files: Annotated[tuple[DataFile, ...], NOT_EMPTY]


class GotFile(NamedTuple):
    """A file that is in the folder now."""

    name: Annotated[str, "Its name in the folder."]
    bytes: Annotated[Count, "Its size."]
    sha256: Annotated[str, Sha256]
    checked_by: Annotated[
        Literal["SHA-256", "sentences", "none"],
        "How it was checked: by its checksum, by the number of its sentences, or not at all.",
    ]
    source: Annotated[
        str, "Where it came from: an address, the copy that was named, or 'there already'."
    ]


@dataclass(frozen=True, repr=False)
class DataList(TabularResult):
    """Public test sets: addresses, licences, citations, checksums."""

    command = "data-list"

    sets: Annotated[tuple[DataSet, ...], NOT_EMPTY]
    signature: Signature

    def records(self) -> list[dict[str, Any]]:
        """One row per set."""
        fields = ("name", "title", "about", "licence", "home", "citation")
        return [
            {**{field: getattr(one, field) for field in fields}, "files": len(one.files)}
            for one in self.sets
        ]

    def tables(self) -> list[Table]:
        """A line for each; everything about one that is asked for alone."""
        if len(self.sets) == 1:
            return [_about(self.sets[0])]
        columns = tuple(Column(title, text=True) for title in ("set", "what it is", "licence"))
        rows = tuple((one.name, one.about, one.licence) for one in self.sets)
        notes = ("jurybox data list NAME tells more, jurybox data get NAME loads it",)
        return [Table(columns, rows, title="Public test sets", notes=notes)]


@dataclass(frozen=True, repr=False)
class DataGot(TabularResult):
    """The files of a public test set that are on disk now, each checked."""

    command = "data-get"

    set: DataSet
    folder: Annotated[str, "The folder of the files."]
    files: Annotated[tuple[GotFile, ...], NOT_EMPTY]
    signature: Signature

    def records(self) -> list[dict[str, Any]]:
        """One row per file."""
        return [one._asdict() for one in self.files]

    def tables(self) -> list[Table]:
        """The files, and what their owners ask for."""
        columns = (
            Column("file", text=True),
            Column("bytes"),
            Column("checked by", text=True),
            Column("from", text=True),
        )
        rows = tuple((one.name, one.bytes, one.checked_by, one.source) for one in self.files)
        notes = [f"in {self.folder}", f"licence: {self.set.licence}", f"cite: {self.set.citation}"]
        unchecked = sum(one.checked_by != "SHA-256" for one in self.files)
        if unchecked:
            notes.append(f"{unchecked} of {len(self.files)} files have no checksum that is known")
        return [Table(columns, rows, title=self.set.title, notes=tuple(notes))]


def _about(one: DataSet) -> Table:
    columns = (Column("data set", text=True), Column(one.name, text=True))
    rows = [("what it is", one.title), ("", one.about), ("home", one.home)]
    rows += [("licence", one.licence), ("cite", one.citation)]
    addresses = dict.fromkeys(address for file in one.files for address in file.addresses)
    rows += [("address", address) for address in addresses]
    for file in one.files:
        expected = "" if file.sentences is None else f"; {file.sentences} sentences"
        rows.append((file.name, file.sha256 or f"no checksum is known{expected}"))
    return Table(columns, tuple(rows))
