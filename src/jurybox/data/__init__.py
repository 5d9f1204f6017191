"""`list_data`, `get_data`: the public test sets that people use, checked, never republished.

The catalogue is `data_sets.toml`: addresses, licences, citations, checksums. What it names comes
from its owners or from a copy that the user has; only files that are what they should be are put in
their place.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from jurybox.data.result import DataFile, DataGot, DataList, DataSet, GotFile
from jurybox.errors import InputError, UsageError, unknown_name
from jurybox.options import signature

#: called with the bytes that came since the last call
Watch = Callable[[float, str], None]
LINES = (".m2",)
#: what else the catalogue says of a file
KNOWN_BY = ("member", "sha256", "sentences")


def list_data(*names: str) -> DataList:
    """What can be got: all sets, or these.

    >>> list_data("gug").sets[0].licence
    'CC BY-NC-SA 4.0'
    """
    known = read_catalogue()
    sets = [find_set(name, known) for name in names] if names else list(known.values())
    return DataList(tuple(sets), signature("data", task="list"))


def get_data(
    name: str,
    folder: str | os.PathLike[str] | None = None,
    *,
    copy: str | os.PathLike[str] | None = None,
    catalogue: Mapping[str, DataSet] | None = None,
    watch: Watch | None = None,
) -> DataGot:
    """Load a set into a folder (its name if none is given), all of its files or none.

    `copy` is a file, an archive or a folder that the user has; nothing is loaded then. Files that
    are in the folder already, and right, stay; a file that is not right is an InputError.
    """
    found = find_set(name, read_catalogue() if catalogue is None else catalogue)
    target = Path(folder if folder is not None else found.name)
    if target.exists() and not target.is_dir():
        raise UsageError(f"{target} is a file; name a folder with -o")
    there = [one for one in found.files if (target / one.name).is_file()]
    for one in there:
        fault = fault_of((target / one.name).read_bytes(), one)
        if fault:
            raise InputError(f"{target / one.name}: {fault}; take it away, and get it again")
    contents = _contents(found, [one for one in found.files if one not in there], copy, watch)
    for one, (content, source) in contents.items():
        if fault := fault_of(content, one):
            raise InputError(f"{source}: {one.name} {fault}; nothing was written")
    target.mkdir(parents=True, exist_ok=True)
    for one, (content, _) in contents.items():
        draft = target / f".{one.name}.part"  # a file appears whole or not at all
        try:
            draft.write_bytes(content)
            draft.replace(target / one.name)
        finally:
            draft.unlink(missing_ok=True)
    got = []
    for one in found.files:
        data = (target / one.name).read_bytes()
        check: Literal["SHA-256", "sentences", "none"] = "SHA-256"
        if not one.sha256:
            check = "none" if one.sentences is None else "sentences"
        source = contents[one][1] if one in contents else "there already"
        got.append(GotFile(one.name, len(data), sha256(data).hexdigest(), check, source))
    made_by = signature("data", task="get", set=found.name)
    return DataGot(found, str(target), tuple(got), made_by)


def find_set(name: str, known: Mapping[str, DataSet]) -> DataSet:
    """A set of the catalogue; UnknownNameError with the near one if there is none."""
    if not isinstance(name, str) or name not in known:
        raise unknown_name("data set", str(name), known)
    return known[name]


@cache
def read_catalogue() -> dict[str, DataSet]:
    """The catalogue of this package."""
    from importlib.resources import files
    from tomllib import loads

    text = (files("jurybox") / "data" / "data_sets.toml").read_text("utf-8")
    found = {}
    for name, entry in loads(text).items():
        addresses = entry.pop("from", ())
        listed = tuple(
            DataFile(file, tuple(given.get("from", addresses)), *map(given.get, KNOWN_BY))
            for file, given in entry.pop("files").items()
        )
        found[name] = DataSet(name=name, files=listed, **entry)
    return found


def fault_of(content: bytes, file: DataFile) -> str:
    """Why this is not the file that is meant; '' if it is.

    >>> fault_of(b"a b .", DataFile("x.txt", (), sentences=2))
    'has 1 sentences, not 2: it is another version, or was cut off'
    """
    if file.sha256:
        digest = sha256(content).hexdigest()
        if digest == file.sha256:
            return ""
        return f"has the SHA-256 {digest[:12]}…, not {file.sha256[:12]}…: it is another version"
    if file.sentences is None:
        return "" if content.strip() else "is empty"
    found = count_sentences(content, file.name)
    if found == file.sentences:
        return ""
    return f"has {found} sentences, not {file.sentences}: it is another version, or was cut off"


def count_sentences(content: bytes, name: str) -> int:
    """Lines of a text, or blocks of an M2 file."""
    lines = content.splitlines()
    return sum(line.startswith(b"S ") for line in lines) if name.endswith(LINES) else len(lines)


def _contents(
    found: DataSet,
    missing: Iterable[DataFile],
    copy: str | os.PathLike[str] | None,
    watch: Watch | None,
) -> dict[DataFile, tuple[bytes, str]]:
    """The bytes of every file, and where they come from."""
    from jurybox.data.sources import look_in, open_address, open_copy

    if copy is not None:
        held = open_copy(Path(copy))
        return {one: look_in(held, one, f"--from {os.fspath(copy)}") for one in missing}
    opened: dict[tuple[str, ...], Any] = {}
    contents = {}
    for one in missing:
        if one.addresses not in opened:
            opened[one.addresses] = open_address(found, one, watch)
        contents[one] = look_in(opened[one.addresses], one, one.addresses[0])
    return contents
