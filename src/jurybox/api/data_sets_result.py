"""Test sets as the catalogue knows them, and what was got of one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from jurybox.api.results import TabularResult, envelope
from jurybox.report.tables import Column, Table


class DataFile(NamedTuple):
    """A file of a set: where it is, and how it is known again."""

    name: str
    addresses: tuple[str, ...]
    member: str = ""  # its path in the archive at the address; '' where the address is the file
    sha256: str = ""  # '' where it is not known
    sentences: int | None = None  # what must come out where no checksum is known


class DataSet(NamedTuple):
    """A public test set; nothing of it is in this package."""

    name: str
    title: str
    about: str
    home: str
    licence: str
    citation: str
    files: tuple[DataFile, ...]

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        files = [
            {
                "name": one.name,
                "addresses": list(one.addresses),
                "member": one.member or None,
                "sha256": one.sha256 or None,
                "sentences": one.sentences,
            }
            for one in self.files
        ]
        return {**self._asdict(), "files": files}


class GotFile(NamedTuple):
    """A file that is in its place now."""

    name: str
    bytes: int
    sha256: str
    checked_by: str  # SHA-256, sentences, or none
    source: str


@dataclass(frozen=True)
class DataList(TabularResult):
    """What can be got."""

    sets: tuple[DataSet, ...]
    signature: str

    def to_dict(self) -> dict[str, Any]:
        """Everything, in the form of the JSON Schema jurybox.data-list/1."""
        return {
            **envelope("data-list", self.signature, []),
            "sets": [one.to_dict() for one in self.sets],
        }

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


@dataclass(frozen=True)
class DataGot(TabularResult):
    """A set that is on disk now, every file checked."""

    set: DataSet
    folder: str
    files: tuple[GotFile, ...]
    signature: str

    def to_dict(self) -> dict[str, Any]:
        """Everything, in the form of the JSON Schema jurybox.data-get/1."""
        return {
            **envelope("data-get", self.signature, []),
            "set": self.set.to_dict(),
            "folder": self.folder,
            "files": self.records(),
        }

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
    rows = [
        ("what it is", one.title),
        ("", one.about),
        ("home", one.home),
        ("licence", one.licence),
        ("cite", one.citation),
    ]
    for address in dict.fromkeys(a for file in one.files for a in file.addresses):
        rows.append(("address", address))
    rows += [(file.name, file.sha256 or _expected(file)) for file in one.files]
    return Table(columns, tuple(rows))


def _expected(file: DataFile) -> str:
    if file.sentences is None:
        return "no checksum is known"
    return f"no checksum is known; {file.sentences} sentences"
