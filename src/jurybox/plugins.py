"""Metrics, readers and detectors that other packages bring, through entry points.

    [project.entry-points."jurybox.metrics"]
    exactmatch = "my_package:ExactMatch"

What is installed is looked through only when somebody names what is not ours, or asks for all
names: scoring with our own metrics does not wait for it. Our own names win always; a package that
offers one of them is told of. Code of a package runs when what it offers is asked for by name.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from jurybox.errors import InputError, JuryboxError, warn

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

#: what can be brought -> the group of entry points
GROUPS = {
    "metric": "jurybox.metrics",
    "format": "jurybox.formats",
    "detector": "jurybox.detectors",
}
#: a name stands in signatures, options and file endings
NAME = re.compile(r"[a-z][a-z0-9]*")


class Plugin(NamedTuple):
    """Something that a package offers, not loaded yet."""

    kind: str  # metric, format or detector
    name: str
    package: str
    version: str
    point: EntryPoint

    def __str__(self) -> str:
        return f"{self.kind} '{self.name}' of package {self.package}"

    def load(self) -> Any:
        """What is offered; a class is made an object. Whatever goes wrong names the package."""
        with told_of(self, "failed to load", "install the package again, or remove it"):
            found = self.point.load()
            return found() if isinstance(found, type) else found


def find(kind: str, name: str, ours: Collection[str]) -> Plugin | None:
    """What a package offers by this name; None where there is no such thing, or it is ours.

    >>> find("metric", "m2", ours=("m2", "errant", "gleu")) is None
    True
    """
    if name in ours:
        return None
    found = [plugin for plugin in _usable(kind, ours) if plugin.name == name]
    if len({plugin.package for plugin in found}) > 1:
        packages = " and ".join(sorted({plugin.package for plugin in found}))
        raise InputError(f"{kind} '{name}' is offered by {packages}; remove one of them")
    return found[0] if found else None


def names(kind: str, ours: Collection[str]) -> tuple[str, ...]:
    """Every name there is: ours, and those of packages."""
    offered = dict.fromkeys(plugin.name for plugin in _usable(kind, ours))
    return (*ours, *(name for name in offered if name not in ours))


def versions_of(words: Collection[str]) -> dict[str, str]:
    """Packages and their versions, of all that is named here, or that a file's ending may mean."""
    return {
        plugin.package: plugin.version
        for kind in GROUPS
        for plugin in _installed(kind)
        if any(word == plugin.name or word.endswith(f".{plugin.name}") for word in words)
    }


def listed() -> list[str]:
    """A line for everything that packages offer, usable or not."""
    return [
        f"{plugin.kind} {plugin.name}, by {plugin.package} {plugin.version}".rstrip()
        for kind in GROUPS
        for plugin in _installed(kind)
    ]


def _usable(kind: str, ours: Collection[str]) -> Iterator[Plugin]:
    """What packages offer, without what nobody could call; those are told of."""
    for plugin in _installed(kind):
        if plugin.name in ours:
            warn(f"{plugin}: jurybox has a {kind} of this name, which is the one used")
        elif not NAME.fullmatch(plugin.name):
            warn(f"{plugin}: names are small letters and digits; it cannot be used")
        else:
            yield plugin


@lru_cache(maxsize=len(GROUPS))
def _installed(kind: str) -> tuple[Plugin, ...]:
    from importlib.metadata import entry_points

    found = []
    for point in entry_points(group=GROUPS[kind]):
        package = point.dist.name if point.dist is not None else "an unknown package"
        version = point.dist.version if point.dist is not None else ""
        found.append(Plugin(kind, point.name, package, version, point))
    return tuple(sorted(found, key=lambda one: (one.name, one.package)))


def forget() -> None:
    """Look through what is installed again, the next time."""
    _installed.cache_clear()


@contextmanager
def told_of(plugin: Plugin, what: str, remedy: str = "ask its authors") -> Iterator[None]:
    """Whatever a package raises becomes an error of ours that names it; our own errors pass."""
    try:
        yield
    except JuryboxError:
        raise
    except Exception as error:
        why = f"{type(error).__name__}: {error}".rstrip(": ")
        raise InputError(f"{plugin} {what}: {why}; {remedy}") from error
