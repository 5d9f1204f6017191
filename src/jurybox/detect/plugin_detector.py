"""Detectors of other packages: asked about one place at a time, for whatever kind of place.

Such a detector is anything with

    decide(tokens, start, end)    (score, suggestion) for tokens start to end of a sentence

The score, from 0 to 1, says how sure it is that this is an error; the suggestion is what should
stand there: "" for nothing, None where it has none. start equals end at a position where something
may be missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import Any, NamedTuple

from jurybox.errors import InputError
from jurybox.model import NOTHING
from jurybox.plugins import Plugin, find, names, told_of

#: no folder of ours has a name that is taken: whatever is no folder may be a package's
OURS = ()


class Answer(NamedTuple):
    """How sure it is that a place is an error, and what should stand there."""

    score: float
    suggestion: str | None  # as decisions have it: -NONE- for nothing


def find_detector(name: str) -> Plugin | None:
    """What a package offers by this name."""
    return find("detector", name, OURS)


def offered_detectors() -> str:
    """What to say of detectors that packages bring; '' where there are none."""
    offered = ", ".join(names("detector", OURS))
    return f", or what a package brings: {offered}" if offered else ""


class PluginDetector:
    """A detector of a package, its answers checked."""

    def __init__(self, plugin: Plugin) -> None:
        self._plugin = plugin
        self._detector: Any = plugin.load()
        if not callable(getattr(self._detector, "decide", None)):
            raise InputError(f"{plugin} has no decide; a detector has decide(tokens, start, end)")

    def decide(self, tokens: Sequence[str], start: int, end: int) -> Answer:
        """Its answer about one place."""
        with told_of(self._plugin, "failed to decide"):
            score, suggestion = self._detector.decide(list(tokens), start, end)
            score = float(score)
        if isnan(score) or not 0 <= score <= 1:
            raise InputError(f"{self._plugin} gives the score {score:g}; it must be from 0 to 1")
        if suggestion is not None and not isinstance(suggestion, str):
            raise InputError(f"{self._plugin} suggests {suggestion!r}; it must be text, or None")
        return Answer(score, NOTHING if suggestion == "" else suggestion)
