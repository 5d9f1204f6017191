"""A language model in a folder, and out of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jurybox.detect.model_folder import (
    DESCRIPTION,
    REMEDY,
    Folder,
    Kind,
    damage_told,
    load_folder,
    save_folder,
)
from jurybox.detect.ngram_estimate import Discounts, Order
from jurybox.detect.ngram_model import About, NgramModel
from jurybox.detect.ngram_text import Vocabulary
from jurybox.errors import FormatError

LANGUAGE_MODEL = Kind("jurybox n-gram model", 1)
WORDS = "words"
#: arrays of every order, and what they hold
FIELDS: dict[str, np.dtype[Any]] = {
    "keys": np.dtype("<i8"),
    "log10": np.dtype("<f4"),
    "backoff": np.dtype("<f4"),
}


def save_model(model: NgramModel, folder: Folder) -> None:
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
    about = {"order": model.order, "about": _about_to_json(model.about)}
    save_folder(folder, LANGUAGE_MODEL, about, _arrays(model))


def load_model(folder: Folder, *, check: bool = False) -> NgramModel:
    """A model out of its folder, mapped: what is not asked for is not read.

    Kind and length of every array are checked always, every byte with `check`.
    """
    described, arrays = load_folder(folder, LANGUAGE_MODEL, check=check)
    path = Path(folder) / DESCRIPTION
    with damage_told(path):
        about = _about_from_json(described["about"])
        numbers = range(1, described["order"] + 1)
        vocabulary = Vocabulary(arrays[WORDS].tobytes())
        orders = tuple(Order(**{f: arrays[_name(n, f)] for f in FIELDS}) for n in numbers)
    _check_lengths(vocabulary, orders, path)
    return NgramModel(vocabulary, orders, about)


def _arrays(model: NgramModel) -> Iterator[tuple[str, NDArray[Any]]]:
    yield WORDS, np.frombuffer(model.vocabulary.joined, np.uint8)
    for number, order in enumerate(model.orders, 1):
        for field, dtype in FIELDS.items():
            yield _name(number, field), np.ascontiguousarray(getattr(order, field), dtype)


def _name(number: int, field: str) -> str:
    return f"order{number}-{field}"


def _check_lengths(vocabulary: Vocabulary, orders: tuple[Order, ...], path: Path) -> None:
    lengths = [{len(array) for array in order} for order in orders]
    if not orders or lengths[0] != {len(vocabulary)} or any(len(found) > 1 for found in lengths):
        raise FormatError(f"its arrays differ in length; {REMEDY}", path=str(path))


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
