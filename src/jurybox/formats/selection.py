"""Which documents (or sentences) are meant: `1-10`, `3,7`, `essay-4`, as people write it.

A part is a name, a number in order of appearance, or a range of either; parts are separated by
commas or blanks. A name comes before a number: where documents are called "11", "12", "13",
`12` is the document of that name. `all` (or `*`) is everything.
"""

from __future__ import annotations

from collections.abc import Sequence

from jurybox.errors import UsageError, near_name

EVERYTHING = ("all", "*")


def select(selection: str, names: Sequence[str], *, noun: str = "document") -> list[int]:
    """The places, from 0 and in order, of what a selection names.

    >>> select("1-2,essay", ["a", "b", "c", "essay"])
    [0, 1, 3]
    >>> select("12", ["11", "12", "13"])
    [1]
    """
    parts = selection.replace(",", " ").split()
    if not parts:
        raise UsageError(f"the selection of {noun}s is empty; write something like 1-10")
    places = {name: place for place, name in enumerate(names)}
    chosen: set[int] = set()
    for part in parts:
        if part in EVERYTHING and part not in places:
            chosen.update(range(len(names)))
            continue
        one = _place(part, places)
        if one is not None:
            chosen.add(one)
            continue
        ends = _range(part, places)
        if ends is None:
            raise _unknown(part, names, noun)
        first, last = ends
        if last < first:
            raise UsageError(f"the range {part} runs backwards; write the earlier {noun} first")
        chosen.update(range(first, last + 1))
    return sorted(chosen)


def _place(name: str, places: dict[str, int]) -> int | None:
    if name in places:
        return places[name]
    if name.isascii() and name.isdigit() and 1 <= int(name) <= len(places):
        return int(name) - 1
    return None


def _range(part: str, places: dict[str, int]) -> tuple[int, int] | None:
    """The ends of a range; a name may contain the dash itself, so every dash is tried."""
    for dash in (index for index, letter in enumerate(part) if letter == "-"):
        first, last = _place(part[:dash], places), _place(part[dash + 1 :], places)
        if first is not None and last is not None:
            return first, last
    return None


def _unknown(part: str, names: Sequence[str], noun: str) -> UsageError:
    known = f"{names[0]} to {names[-1]}" if len(names) > 1 else "".join(names)
    hint = "" if part.strip("0123456789-") == "" else near_name(part, names)
    return UsageError(
        f"there is no {noun} '{part}' among {len(names)} ({known}){hint or ';'} "
        "give numbers, names or ranges, as 1-10"
    )
