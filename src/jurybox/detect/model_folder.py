"""A model in a folder: arrays that are mapped into memory, and `model.json`.

Every array is a .npy file of its own: numpy maps those, and not what is inside an .npz. Nothing is
pickled. `model.json` says what kind of model it is, what the arrays must be like, their SHA-256,
and where the model comes from. It holds no time and no path, so that the same text gives the same
bytes. A folder appears whole or not at all.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import file_digest
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.errors import FormatError, InputError

Folder = str | os.PathLike[str]
Array = NDArray[Any]

DESCRIPTION = "model.json"
REMEDY = "train the model again, or copy its folder again"


class Kind(NamedTuple):
    """What sort of model a folder holds, in which version of its layout."""

    format: str  # as "jurybox n-gram model"
    version: int


class _Stored(NamedTuple):
    """What `model.json` says of an array."""

    shape: list[int]
    dtype: str
    sha256: str


def save_folder(
    folder: Folder, kind: Kind, about: Mapping[str, Any], arrays: Iterable[tuple[str, Array]]
) -> None:
    """Keep arrays and what is said of them.

    A model that is there already is replaced; any other folder that is not empty is left alone.
    """
    check_place(folder)
    place = Path(os.fspath(folder)).absolute()
    # a folder beside its place, moved there at the end, taken away if anything fails
    draft = place.with_name(f".{place.name}.{os.getpid()}.part")
    old = place.with_name(f".{place.name}.{os.getpid()}.old")
    try:
        draft.mkdir()
        stored = {name: _save_array(array, draft / f"{name}.npy") for name, array in arrays}
        described = {
            **kind._asdict(),
            **about,
            "arrays": {name: array._asdict() for name, array in stored.items()},
        }
        text = json.dumps(described, indent=2, ensure_ascii=False) + "\n"
        (draft / DESCRIPTION).write_text(text, "utf-8")
        if place.exists():
            place.rename(old)
        try:
            draft.rename(place)
        except BaseException:
            with suppress(OSError):
                old.rename(place)
            raise
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(
            f"{os.fspath(folder)}: cannot be written ({reason}); name another place"
        ) from None
    finally:
        for one in (draft, old):
            shutil.rmtree(one, ignore_errors=True)


def check_place(folder: Folder) -> None:
    """Refuse a place that a model cannot be kept in, before the work rather than after it."""
    place = Path(os.fspath(folder))
    if place.is_dir():
        if any(place.iterdir()) and not (place / DESCRIPTION).is_file():
            raise InputError(f"{place}: is a folder with other things in it; name another place")
    elif place.exists():
        raise InputError(f"{place}: is a file; name a folder for the model")
    elif not place.absolute().parent.is_dir():
        raise InputError(f"{place}: there is no folder {place.parent}; make it first")


def describe_folder(folder: Folder) -> dict[str, Any]:
    """What `model.json` says, of whatever kind the model is."""
    if not isinstance(folder, str | os.PathLike):
        raise InputError(f"a model is named by its folder, not by a {type(folder).__name__}")
    place = Path(os.fspath(folder))
    path = place / DESCRIPTION
    if not place.is_dir():
        reason = "is a file, not the folder of a model" if place.exists() else "no such folder"
        raise InputError(f"{place}: {reason}; name the folder that the model was saved in")
    if not path.is_file():
        raise InputError(f"{place}: is not the folder of a model: it has no {DESCRIPTION}")
    with damage_told(path):
        described = json.loads(path.read_bytes())
        if not isinstance(described, dict) or not isinstance(described.get("format"), str):
            raise FormatError("does not describe a model of jurybox", path=str(path))
    return described


def load_folder(
    folder: Folder, kind: Kind, *, check: bool = False
) -> tuple[dict[str, Any], dict[str, Array]]:
    """The description and the mapped arrays: what is not asked for is not read.

    Shape and type of every array are checked always, every byte with `check`.
    """
    described = describe_folder(folder)
    place = Path(os.fspath(folder))
    path = place / DESCRIPTION
    if described["format"] != kind.format:
        raise FormatError(
            f"does not describe a model of this kind: '{described['format']}' where "
            f"'{kind.format}' is wanted",
            path=str(path),
        )
    if described.get("version") != kind.version:
        raise FormatError(
            f"is of version {described.get('version')!r}, and this jurybox reads {kind.version}; "
            "train the model again, or use the jurybox that made it",
            path=str(path),
        )
    with damage_told(path):
        stored = {name: _Stored(**array) for name, array in described["arrays"].items()}
    arrays = {}
    for name, (shape, dtype, digest) in stored.items():
        file = place / f"{name}.npy"
        with damage_told(file):
            array = np.lib.format.open_memmap(file, mode="r")  # refuses Python objects
            found, wanted = f"{list(array.shape)} {array.dtype.str}", f"{shape} {dtype}"
        if found != wanted:
            raise FormatError(
                f"holds {found} where {DESCRIPTION} says {wanted}: it belongs to another model; "
                f"{REMEDY}",
                path=str(file),
            )
        if check and _sha256(file) != digest:
            message = f"is not what {DESCRIPTION} says: its SHA-256 differs; {REMEDY}"
            raise FormatError(message, path=str(file))
        arrays[name] = np.asarray(array)
    return described, arrays


@contextmanager
def damage_told(path: Path) -> Iterator[None]:
    """Turn what readers raise on damaged files into an error that names the file."""
    try:
        yield
    except (OSError, ValueError, TypeError, KeyError, EOFError, AttributeError) as error:
        raise FormatError(f"is damaged or missing ({error}); {REMEDY}", path=str(path)) from None


def _save_array(array: Array, path: Path) -> _Stored:
    np.save(path, array, allow_pickle=False)
    return _Stored(list(array.shape), array.dtype.str, _sha256(path))


def _sha256(path: Path) -> str:
    with path.open("rb") as stored:
        return file_digest(stored, "sha256").hexdigest()
