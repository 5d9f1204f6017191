"""Names to numbers, as fast as a dictionary: for columns of millions of ids.

Both kinds are dictionaries with `__missing__`, so that `map(numbers.__getitem__, column)` runs
without a Python call for names met before. White space around a name does not count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from jurybox.errors import InputError, near_name

#: the number of an empty name, and of one that is not known
NO_NAME = 0xFFFFFFFF
#: close names are looked for among so many at most
CANDIDATES = 2000


class Numbering(dict[str, int]):
    """Numbers in order of first appearance, shifted to the left by `shift` bits.

    >>> numbers = Numbering("case")
    >>> [numbers[name] for name in ("b", "a", " b", "")] == [0, 1, 0, NO_NAME], numbers.names
    (True, ['b', 'a'])
    """

    def __init__(self, noun: str, shift: int = 0) -> None:
        super().__init__()
        self.names: list[str] = []
        self._noun = noun
        self._shift = shift

    def __missing__(self, given: str) -> int:
        name = given.strip()
        if not name:
            return NO_NAME
        if name != given:
            return self[name]
        number = len(self.names) << self._shift
        if number | ((1 << self._shift) - 1) >= NO_NAME:
            raise InputError(f"more than {len(self.names)} {self._noun}s cannot be told apart")
        self.names.append(name)
        self[name] = number
        return number


class KnownNames(dict[str, int]):
    """Numbers of names that are known beforehand; any other name is `NO_NAME`."""

    def __init__(self, names: Iterable[str]) -> None:
        super().__init__((name, place) for place, name in enumerate(names))

    def __missing__(self, given: str) -> int:
        return self.get(given.strip(), NO_NAME)

    def near(self, given: str) -> str:
        """A hint at the name that was probably meant.

        Comparing with a million names would take a minute, so names that begin or end alike go
        first.
        """
        alike = islice(self._alike(given.strip()), CANDIDATES)
        return near_name(given.strip(), list(alike) or list(islice(self, CANDIDATES)))

    def _alike(self, given: str) -> Iterator[str]:
        size = max(1, min(6, len(given) - 2))
        start, end = given[:size].lower(), given[-size:].lower()
        for name in self:
            low = name.lower()
            if low.startswith(start) or low.endswith(end):
                yield name
