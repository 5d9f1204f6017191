"""In which order names of annotators and raters are shown: A2 before A10."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")


def natural_key(name: str) -> list[tuple[bool, int, str]]:
    """Sort key by which numbers inside names count as numbers.

    >>> sorted(["A10", "A2", "A1", "B"], key=natural_key)
    ['A1', 'A2', 'A10', 'B']
    """
    parts = re.split(r"(\d+)", name)
    return [(part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in parts]


def shown_order(names: Sequence[str]) -> tuple[str, ...]:
    """Names as tables list them: in natural order where they come sorted as strings.

    `A*.m2` on a command line gives A1, A10, A2: nobody chose that order. Names in any other order
    were put there by somebody and stay. Only what is shown moves: ties between annotators are
    broken in the order in which their files were given.

    >>> shown_order(["A1", "A10", "A2"]), shown_order(["expert", "A10", "A2"])
    (('A1', 'A2', 'A10'), ('expert', 'A10', 'A2'))
    """
    given = list(names)
    if given in (sorted(given), sorted(given, key=str.casefold)):
        given.sort(key=natural_key)
    return tuple(given)


def in_shown_order(items: Iterable[T], names: Sequence[str], name: Callable[[T], str]) -> list[T]:
    """Things that each have one of the names, in the order in which the names are shown."""
    place = {one: number for number, one in enumerate(shown_order(names))}
    return sorted(items, key=lambda item: place[name(item)])


def names_of_pairs(pairs: Iterable[Sequence[object]]) -> tuple[str, ...]:
    """Everybody in a list of pairs as they are shown; the first two fields are the names.

    >>> names_of_pairs([("A1", "A10"), ("A1", "A2"), ("A10", "A2")])
    ('A1', 'A2', 'A10')
    """
    both = [[str(name) for name in pair[:2]] for pair in pairs]
    names = dict.fromkeys([*(first for first, _ in both), *(second for _, second in both)])
    return shown_order(list(names))
