"""Results that are indexed by name: `result["CAMB"]`, `"CAMB" in result`, `list(result)`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, Generic, TypeVar, cast

from jurybox.errors import count_noun, unknown_key

Name = TypeVar("Name")
Part = TypeVar("Part")
#: names that a repr shows, and characters of them
SHOWN, WIDE = 5, 60


class NamedParts(Generic[Name, Part]):
    """What a result holds by name, like a dict that is only read; `noun` is what the names are.

    >>> class Prices(NamedParts[str, int]):
    ...     noun = "fruit"
    ...     def parts(self): return {"apple": 3, "pear": 4}
    >>> prices = Prices()
    >>> prices["pear"], "plum" in prices, prices.get("plum", 0), list(prices)
    (4, False, 0, ['apple', 'pear'])
    >>> prices["aple"]
    Traceback (most recent call last):
    jurybox.errors.UnknownKeyError: unknown fruit 'aple'; did you mean 'apple'? (one of: \
apple, pear)
    """

    noun = "name"

    def parts(self) -> Mapping[Name, Part]:
        """All parts by name, in their order."""
        raise NotImplementedError

    @cached_property
    def _by_name(self) -> Mapping[Name, Part]:
        return self.parts()

    def __getitem__(self, name: Name) -> Part:
        try:
            return self._by_name[name]
        except (KeyError, TypeError):  # TypeError: what cannot be hashed
            raise unknown_key(self.noun, name, self._by_name) from None

    def __contains__(self, name: object) -> bool:
        try:
            return name in self._by_name
        except TypeError:
            return False

    def __iter__(self) -> Iterator[Name]:
        return iter(self._by_name)

    def keys(self) -> Iterable[Name]:
        """The names."""
        return self._by_name.keys()

    def get(self, name: Name, default: Any = None) -> Part | Any:
        """The part of this name, or `default`."""
        try:
            return self[name]
        except KeyError:
            return default


def in_one_line(result: object) -> str:
    """A result as its repr: what it holds by name, or else its signature.

    >>> class Prices(NamedParts[str, int]):
    ...     noun = "fruit"
    ...     def parts(self): return {"apple": 3, ("apple", "pear"): 4}
    >>> in_one_line(Prices())
    'Prices(1 fruit: apple)'
    """
    kind = type(result).__name__
    if not isinstance(result, NamedParts):
        return f"{kind}({getattr(result, 'signature', '')!r})"
    names = [str(name) for name in result if not isinstance(name, tuple)]
    shown = ", ".join(names[:SHOWN]) + ", …" * (len(names) > SHOWN)
    if len(shown) > WIDE:
        shown = f"{shown[:WIDE]}…"
    return f"{kind}({count_noun(len(names), result.noun)}{': ' if shown else ''}{shown})"


def by(field: str, parts: Iterable[Part]) -> dict[str, Part]:
    """Parts by one of their fields; of two with the same name the first."""
    found: dict[str, Part] = {}
    for part in parts:
        found.setdefault(cast("str", getattr(part, field)), part)
    return found
