"""What a caller gives for an option, in whatever shape: names, a dict, a list.

Lists may be arrays or columns of a frame, and numbers stand for the words that tables would hold.
Anything else is a UsageError that names the option.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from jurybox.errors import UsageError
from jurybox.formats._io import Input


def as_word(given: object, option: str) -> str:
    """One name.

    >>> as_word("Ann", "experts"), as_word(3, "experts")
    ('Ann', '3')
    """
    if isinstance(given, str):
        return str(given)
    if not isinstance(given, Mapping | list | tuple) and not getattr(given, "shape", ()):
        from jurybox.formats.tables.memory_tables import as_cell  # late: csv and json start slowly

        try:
            if word := as_cell(given):
                return word
        except ValueError:
            pass
    raise UsageError(f"{option}: {_shown(given)} is no name; write it as a string")


def as_list(given: object, option: str) -> list[Any]:
    """Several values, in their order."""
    is_one = isinstance(given, str | bytes | Mapping) or hasattr(given, "columns")
    if is_one or not isinstance(given, Iterable) or getattr(given, "ndim", 1) != 1:
        raise UsageError(f"{option}: {_shown(given)} is no list; write one, as ['a', 'b']")
    return list(given)


def one_or_several(given: object, option: str) -> list[Any]:
    """A path or file, or several of them and of whatever else the caller can read."""
    is_one = isinstance(given, Input | str | os.PathLike)
    return [given] if is_one else as_list(given, option)


def as_words(given: object, option: str) -> tuple[str, ...]:
    """One name or several.

    >>> as_words("Ann", "experts"), as_words([1, "Bob"], "experts")
    (('Ann',), ('1', 'Bob'))
    """
    if isinstance(given, str | int):
        return (as_word(given, option),)
    return tuple(as_word(one, option) for one in as_list(given, option))


def as_dict(given: object, option: str) -> dict[str, Any]:
    """Values by name; None is an empty dict."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise UsageError(f"{option}: {_shown(given)} is no dict; write one, as {{'a': 'b'}}")
    return {as_word(name, option): value for name, value in given.items()}


def as_word_map(given: object, option: str) -> dict[str, str]:
    """Names by name.

    >>> as_word_map({0: "ok", 1: "error"}, "labels")
    {'0': 'ok', '1': 'error'}
    """
    return {name: as_word(value, option) for name, value in as_dict(given, option).items()}


def as_numbers(given: object, option: str) -> tuple[float, ...]:
    """Several numbers."""
    try:
        return tuple(float(one) for one in as_list(given, option))
    except (TypeError, ValueError):
        raise UsageError(f"{option}: give numbers, as [0.5, 0.75], not {_shown(given)}") from None


def _shown(given: object) -> str:
    text = " ".join(repr(given).split())
    return text if len(text) <= 40 else f"a {type(given).__name__}"
