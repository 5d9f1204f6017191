"""Data sets in folders: a source text and its corrected versions, as gec-datasets stores them.

    conll14/src.txt  conll14/ref0.txt  conll14/ref1.txt  [conll14/m2.txt]

The source is the file with src, source or orig as a part of its name, a reference one with ref,
ref0, ref1 …; parts are set apart by . - or _. So the folders of JFLEG (dev.src, dev.ref0 …) and of
MultiGEC (cs-natform-orig-dev.md, cs-natform-ref1-dev.md …) are read as well, where they hold one
source; dev.src comes before dev.spellchecked.src, whose name has more parts. M2 with the official
edits, where it is there, comes before edits found by alignment.
"""

from __future__ import annotations

import os
import re
from typing import NamedTuple, TypeGuard

from jurybox.errors import InputError
from jurybox.formats._io import Input
from jurybox.formats.edits import detect

SOURCE = re.compile("src|source|orig", re.IGNORECASE)
REFERENCE = re.compile(r"ref(?:erence)?\d*", re.IGNORECASE)
PARTS = re.compile("[._-]")


class DataFolder(NamedTuple):
    """The files of a data set."""

    source: Input
    references: tuple[Input, ...]
    m2: Input | None = None


def is_folder(source: Input) -> bool:
    """Whether a path is a folder."""
    return source.rewindable and os.path.isdir(source.path)  # noqa: PTH112  as quick as can be


def is_data_set(path: object) -> TypeGuard[str | os.PathLike[str]]:
    """Whether a path is a folder with a source text in it, not one of tables."""
    if not isinstance(path, str | os.PathLike) or not os.path.isdir(path):  # noqa: PTH112
        return False
    names = os.listdir(path)  # noqa: PTH208
    return any(SOURCE.fullmatch(part) for name in names for part in PARTS.split(name))


def read_folder(folder: Input) -> DataFolder:
    """The source and the references of a folder; what is missing is said with what is there."""
    listed = os.listdir(folder.path)  # noqa: PTH208  names are all that is needed
    names = sorted(listed, key=lambda name: (len(name), name))  # ref2 before ref10
    files = {
        name: Input(os.path.join(folder.path, name))  # noqa: PTH118  as quick as can be
        for name in names
        if not name.startswith(".")
    }
    parts = {name: PARTS.split(name) for name in files if not is_folder(files[name])}
    edits = [name for name in parts if name == "m2.txt"]
    sources, references = (
        [n for n in parts if any(map(part.fullmatch, parts[n])) and "m2" not in parts[n]]
        for part in (SOURCE, REFERENCE)
    )
    fewest = min((len(parts[name]) for name in sources), default=0)
    sources = [name for name in sources if len(parts[name]) == fewest]
    found = tuple(files[name] for name in references)
    m2 = files[edits[0]] if edits and detect(files[edits[0]]) == "m2" else None
    if len(sources) == 1 and (found or m2):
        return DataFolder(files[sources[0]], found, m2)
    if len(sources) > 1:
        fault = f"has several sources ({', '.join(sources)}); name one, with --source and --refs"
    elif sources:
        fault = f"has {sources[0]}, but no reference (ref0.txt …): it can only be corrected"
    else:
        inner = [name for name in files if is_folder(files[name])]
        hint = f"; name one of the folders in it ({', '.join(inner[:5])})" if inner else ""
        fault = f"is a folder without a source (src.txt) and references (ref0.txt …){hint}"
    raise InputError(f"{folder.name}: {fault}")
