"""TOML that users write: study files, constructions. What is wrong is said with file, line, key."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from typing import Any, NamedTuple

from jurybox.errors import FormatError
from jurybox.formats._io import File, as_input


class TomlFile(NamedTuple):
    """The text of a file and what it holds."""

    path: str
    text: str
    record: dict[str, Any]

    def complaint(self, keys: Sequence[str], message: str) -> FormatError:
        """An error about what stands under some keys."""
        return complaint_about(self.path, self.text, keys, message)


def read_toml(source: File) -> TomlFile:
    """A file that must be TOML."""
    given = as_input(source)
    text = "\n".join(line for _, line in given.lines())
    try:
        return TomlFile(given.name, text, tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"^(.*) \(at (?:line (\d+), column \d+|end of document)\)$", str(error))
        message, line = (found[1], found[2]) if found else (str(error), None)
        raise FormatError(
            f"is not TOML ({message}); text stands in quotes, lists in [ ], one key per line",
            path=given.name,
            line=int(line) if line else text.count("\n") + 1,
        ) from None


def complaint_about(path: str, text: str, keys: Sequence[str], message: str) -> FormatError:
    """An error about what stands under some keys of a TOML file."""
    return FormatError(
        ": ".join(filter(None, (".".join(keys), message))), path=path, line=line_of(text, keys)
    )


_HEADER = re.compile(r"\s*\[{1,2}([^\[\]]+)\]")
_KEY = re.compile(r"\s*([\w.\"'+ -]+?)\s*=")


def line_of(text: str, keys: Sequence[str]) -> int | None:
    r"""The line where a key stands, or the nearest table around it; tomllib does not tell.

    >>> line_of("title = 'x'\n[analysis.scores]\ncommand = 'score'\n", ["analysis", "scores"])
    2
    >>> line_of("title = 'x'\n[analysis.scores]\ngodl = 'x'\n", ["analysis", "scores", "godl"])
    3
    >>> line_of("title = 'x'\n[analyses.scores]\ngold = 'x'\n", ["analyses"])
    2
    """
    table: list[str] = []
    found: dict[tuple[str, ...], int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if header := _HEADER.match(line):
            keys_here = table = _parts(header[1])
        elif key := _KEY.match(line):
            keys_here = [*table, *_parts(key[1])]
        else:
            continue
        for length in range(1, len(keys_here) + 1):
            found.setdefault(tuple(keys_here[:length]), number)
    wanted = tuple(keys)
    while wanted and wanted not in found:
        wanted = wanted[:-1]
    return found.get(wanted)


def _parts(dotted: str) -> list[str]:
    """A dotted key of TOML, taken apart; dots within quotes stay."""
    parts = re.findall(r"\"[^\"]*\"|'[^']*'|[^.\s]+", dotted)
    return [part.strip("\"'") for part in parts]
