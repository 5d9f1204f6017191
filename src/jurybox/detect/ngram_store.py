"""A language model in a folder: arrays that are mapped into memory, and `model.json`.

Every array is a .npy file of its own: numpy maps those, and not what is inside an .npz. Nothing is
pickled. `model.json` says what the arrays must be like, their SHA-256, and where the model comes
from. It holds no time and no path, so that the same text gives the same bytes.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.detect.ngram_estimate import Discounts, Order
from jurybox.detect.ngram_model import About, NgramModel
from jurybox.detect.ngram_text import Vocabulary
from jurybox.errors import FormatError, InputError

FORMAT = "jurybox n-gram model"
VERSION = 1
DESCRIPTION = "model.json"
WORDS = "words"
#: arrays of every order, and what they hold
FIELDS: dict[str, np.dtype[Any]] = {
    "keys": np.dtype("<i8"),
    "log10": np.dtype("<f4"),
    "backoff": np.dtype("<f4"),
}
REMEDY = "train the model again, or copy its folder again"


class _Stored(NamedTuple):
    """What `model.json` says of an array."""

    items: int
    dtype: str
    sha256: str


def save_model(model: NgramModel, folder: str | os.PathLike[str]) -> None:
    """Keep a model in a folder, which appears whole or not at all.

    A model that is there already is replaced; any other folder that is not empty is left alone.

    >>> from tempfile import TemporaryDirectory
    >>> from jurybox.detect.ngram_training import train_lm_on
    >>> model = train_lm_on(["a cat sat"], order=2, fallback_discounts=(0.5, 1, 1.5))
    >>> with TemporaryDirectory() as place:
    ...     save_model(model, f"{place}/lm")
    ...     load_model(f"{place}/lm").score(["a cat"]).words
    3
    """
    place = Path(os.fspath(folder)).absolute()
    _refuse_other_things(place, os.fspath(folder))
    with _draft_of(place, os.fspath(folder)) as draft:
        stored = {name: _save_array(array, draft / f"{name}.npy") for name, array in _arrays(model)}
        described = {
            "format": FORMAT,
            "version": VERSION,
            "order": model.order,
            "about": _about_to_json(model.about),
            "arrays": {name: array._asdict() for name, array in stored.items()},
        }
        text = json.dumps(described, indent=2, ensure_ascii=False) + "\n"
        (draft / DESCRIPTION).write_text(text, "utf-8")


def load_model(folder: str | os.PathLike[str], *, check: bool = False) -> NgramModel:
    """A model out of its folder, mapped: what is not asked for is not read.

    Kind and length of every array are checked always, every byte with `check`.
    """
    place = Path(os.fspath(folder))
    described = _read_description(place)
    with _damage_told(place / DESCRIPTION):
        stored = {name: _Stored(**array) for name, array in described["arrays"].items()}
        about = _about_from_json(described["about"])
        numbers = range(1, described["order"] + 1)
    arrays = {name: _load_array(place / f"{name}.npy", array) for name, array in stored.items()}
    if check:
        for name, array in stored.items():
            _check_bytes(place / f"{name}.npy", array)
    with _damage_told(place / DESCRIPTION):
        vocabulary = Vocabulary(arrays[WORDS].tobytes())
        orders = tuple(Order(**{f: arrays[_name(n, f)] for f in FIELDS}) for n in numbers)
    _check_lengths(vocabulary, orders, place)
    return NgramModel(vocabulary, orders, about)


def _arrays(model: NgramModel) -> Iterator[tuple[str, NDArray[Any]]]:
    yield WORDS, np.frombuffer(model.vocabulary.joined, np.uint8)
    for number, order in enumerate(model.orders, 1):
        for field, dtype in FIELDS.items():
            yield _name(number, field), np.ascontiguousarray(getattr(order, field), dtype)


def _name(number: int, field: str) -> str:
    return f"order{number}-{field}"


def _save_array(array: NDArray[Any], path: Path) -> _Stored:
    np.save(path, array, allow_pickle=False)
    return _Stored(len(array), array.dtype.str, _sha256(path))


def _load_array(path: Path, stored: _Stored) -> NDArray[Any]:
    with _damage_told(path):
        array = np.lib.format.open_memmap(path, mode="r")  # refuses Python objects
        found = (array.shape, array.dtype.str)
        if found != ((stored.items,), stored.dtype):
            raise FormatError(
                f"holds {array.shape} {array.dtype.str} where {DESCRIPTION} says "
                f"{stored.items} {stored.dtype}: it belongs to another model; {REMEDY}",
                path=str(path),
            )
    return np.asarray(array)


def _check_bytes(path: Path, stored: _Stored) -> None:
    if _sha256(path) != stored.sha256:
        raise FormatError(
            f"is not what {DESCRIPTION} says: its SHA-256 differs; {REMEDY}", path=str(path)
        )


def _check_lengths(vocabulary: Vocabulary, orders: tuple[Order, ...], place: Path) -> None:
    lengths = [{len(array) for array in order} for order in orders]
    if not orders or lengths[0] != {len(vocabulary)} or any(len(found) > 1 for found in lengths):
        message = f"its arrays differ in length; {REMEDY}"
        raise FormatError(message, path=str(place / DESCRIPTION))


def _read_description(place: Path) -> dict[str, Any]:
    path = place / DESCRIPTION
    if not place.is_dir():
        reason = "is a file, not the folder of a model" if place.exists() else "no such folder"
        raise InputError(f"{place}: {reason}; name the folder that the model was saved in")
    if not path.is_file():
        raise InputError(f"{place}: is not the folder of a model: it has no {DESCRIPTION}")
    with _damage_told(path):
        described = json.loads(path.read_bytes())
        if not isinstance(described, dict) or described.get("format") != FORMAT:
            raise FormatError("does not describe an n-gram model", path=str(path))
        if described.get("version") != VERSION:
            raise FormatError(
                f"is of version {described.get('version')!r}, and this jurybox reads {VERSION}; "
                "train the model again, or use the jurybox that made it",
                path=str(path),
            )
    return described


@contextmanager
def _damage_told(path: Path) -> Iterator[None]:
    """Turn what readers raise on damaged files into an error that names the file."""
    try:
        yield
    except (OSError, ValueError, TypeError, KeyError, EOFError, AttributeError) as error:
        raise FormatError(f"is damaged or missing ({error}); {REMEDY}", path=str(path)) from None


def _about_to_json(about: About) -> dict[str, Any]:
    return {
        **about._asdict(),
        "prune": list(about.prune),
        "discounts": [list(discounts) for discounts in about.discounts],
        "fallback_discounts": about.fallback_discounts and list(about.fallback_discounts),
        "versions": dict(about.versions),
    }


def _about_from_json(given: dict[str, Any]) -> About:
    fallback = given["fallback_discounts"]
    about = About(**given)
    return about._replace(
        sha256=tuple(given["sha256"]),
        prune=tuple(given["prune"]),
        discounts=tuple(Discounts(*discounts) for discounts in given["discounts"]),
        fallback_discounts=fallback and Discounts(*fallback),
        versions=tuple(given["versions"].items()),
    )


def _refuse_other_things(place: Path, told: str) -> None:
    if place.is_dir():
        if any(place.iterdir()) and not (place / DESCRIPTION).is_file():
            raise InputError(f"{told}: is a folder with other things in it; name another place")
    elif place.exists():
        raise InputError(f"{told}: is a file; name a folder for the model")


@contextmanager
def _draft_of(place: Path, told: str) -> Iterator[Path]:
    """A folder beside its place, moved there at the end, taken away if anything fails."""
    draft = place.with_name(f".{place.name}.{os.getpid()}.part")
    old = place.with_name(f".{place.name}.{os.getpid()}.old")
    try:
        draft.mkdir()
        yield draft
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
        raise InputError(f"{told}: cannot be written ({reason}); name another place") from None
    finally:
        for folder in (draft, old):
            shutil.rmtree(folder, ignore_errors=True)


def _sha256(path: Path) -> str:
    from hashlib import file_digest

    with path.open("rb") as stored:
        return file_digest(stored, "sha256").hexdigest()
