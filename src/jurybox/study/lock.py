"""The record of a study: what every result was made of, so that only what changed is made again.

A result holds as long as the command, its options, the versions of jurybox and of the plug-ins it
names, the SHA-256 of every file read and the SHA-256 of every file written are what they were.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from jurybox._version import __version__
from jurybox.formats import Input, writing

LOCK = "study.lock"
FORM = 1
#: options that change no number
NEUTRAL = frozenset(("jobs", "engine"))


class MadeFrom(NamedTuple):
    """How something was made: all that must be the same for it to hold."""

    command: str
    options: Mapping[str, Any]
    inputs: Mapping[str, str]  # path -> SHA-256
    outputs: Mapping[str, str]
    exit: int = 0  # 3: made, and a release gate said no
    headline: str = ""
    version: str = __version__
    plugins: Mapping[str, str] = MappingProxyType({})  # package -> version


def read_lock(folder: str) -> dict[str, MadeFrom] | None:
    """What was made, by name; None if nothing is known."""
    try:
        record = json.loads(Path(folder, LOCK).read_text("utf-8"))
        if record["form"] != FORM:
            return None
        made = {name: MadeFrom(**one) for name, one in record["made"].items()}
        for one in made.values():
            for part in (one.options, one.inputs, one.outputs, dict(one.plugins)):
                if not isinstance(part, dict):
                    return None
        return made
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return None  # not there, or not ours any more: all is made anew


def write_lock(folder: str, made: Mapping[str, MadeFrom]) -> None:
    """Keep what was made; the file appears whole or not at all."""
    plain = {name: one._asdict() | {"plugins": dict(one.plugins)} for name, one in made.items()}
    record = {"form": FORM, "made": plain}
    with writing(os.path.join(folder, LOCK)) as out:  # noqa: PTH118  a string stays a string
        out.write(f"{json.dumps(record, ensure_ascii=False, indent=2)}\n")


def reasons_to_make(now: MadeFrom, before: MadeFrom | None) -> list[str]:
    """Why something must be made again; nothing if it holds.

    `now.outputs` tells the files as they are: "" for one that is not there.
    """
    return ["new"] if before is None else list(_reasons(now, before))


def _reasons(now: MadeFrom, before: MadeFrom) -> Iterator[str]:
    if now.command != before.command:
        yield f"it was {before.command}"
        return
    if now.version != before.version:
        yield f"made by jurybox {before.version}"
    for package in _differing(now.plugins, before.plugins):
        yield f"{package} {before.plugins.get(package, '')}".rstrip() + " changed"
    for name in _differing(now.options, before.options):
        if name not in NEUTRAL:
            yield f"{name} changed"
    for path in _differing(now.inputs, before.inputs):
        if path in now.inputs and path in before.inputs:
            yield f"{path} changed"
        elif path in now.inputs and now.options == before.options:
            yield f"{path} is new"
        elif path not in now.inputs and now.options == before.options:
            yield f"{path} is gone"
    for path, digest in now.outputs.items():
        if not digest:
            yield f"{path} is missing"
        elif digest != before.outputs.get(path):
            yield f"{path} was changed"


def _differing(now: Mapping[str, Any], before: Mapping[str, Any]) -> list[str]:
    return [key for key in {**before, **now} if now.get(key) != before.get(key)]


def digest_of(path: str) -> str:
    """SHA-256 of a file, or of all that is in a folder; nothing if neither is there."""
    place = Path(path)
    if not place.is_dir():
        return Input(path).sha256 if place.is_file() else ""
    digest = sha256()
    for file in sorted(place.rglob("*")):
        if file.is_file():
            name = file.relative_to(place).as_posix()
            digest.update(f"{name}\0{digest_of(str(file))}\n".encode())
    return digest.hexdigest()
