"""What can go wrong, as a tree.

    JuryboxError
    ├── InputError            something the user gave cannot be used
    │   ├── FormatError       a file or line is malformed: names file, line, column and remedy
    │   └── LengthError       files that must be parallel differ in length
    ├── UsageError            an option or argument makes no sense (exit code 2)
    │   └── UnknownNameError  a name that does not exist (an InputError too); suggests the near one
    └── MissingExtraError     an optional package is needed: names what to install

The library raises; only the command line exits. Every message says what happened, where, and how
to fix it, so that the command line can print it as it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

#: characters of a title that a message shows
TITLE_AT_MOST = 40


class JuryboxError(Exception):
    """Base of every error jurybox raises on purpose."""


class InputError(JuryboxError):
    """Something the user gave cannot be used."""


class Column(NamedTuple):
    """Where in a line: a column of a table by number and title, or the key of an object.

    >>> print(Column(4, "Answer.Q1"), Column(1, last=5), Column(title="label"), sep="; ")
    column 4 (Answer.Q1); columns 1 to 5; key label
    >>> print(Column(1, character=6))
    column 1, character 6
    """

    number: int = 0  # from 1; in JSON the character, as editors count
    title: str = ""
    character: int = 0  # of the line, from 1
    last: int = 0  # several columns: up to this one

    def __str__(self) -> str:
        title = " ".join(self.title.split())[:TITLE_AT_MOST]
        if self.last > self.number:
            place = f"columns {self.number} to {self.last}"
        elif self.number:
            place = f"column {self.number}" + (f" ({title})" if title else "")
        else:
            place = f"key {title}"
        return f"{place}, character {self.character}" if self.character else place


class FormatError(InputError):
    """A file is malformed at a known place.

    >>> print(FormatError("span 5-3 ends before it starts", path="gold.m2", line=17))
    gold.m2:17: span 5-3 ends before it starts
    >>> print(FormatError("no number", path="a.csv", line=3, column=Column(2, "seconds")))
    a.csv:3, column 2 (seconds): no number
    """

    def __init__(
        self,
        message: str,
        *,
        path: str | None = None,
        line: int | None = None,
        column: Column | None = None,
        more: int = 0,
    ) -> None:
        self.message = message
        self.path = path
        self.line = line
        self.column = column
        self.more = more
        place = name_place(path or "<memory>", line, column)
        tail = ""
        if more:
            tail = f" (and {more} more bad line{'s' if more > 1 else ''} in this file)"
        super().__init__(f"{place}: {message}{tail}")


def name_place(path: str, line: int | None, column: Column | None = None) -> str:
    """A place in a file, as messages begin with it.

    >>> name_place("batch.csv", 12, Column(4, "Answer.Q1"))
    'batch.csv:12, column 4 (Answer.Q1)'
    """
    place = path if line is None else f"{path}:{line}"
    return place if column is None else f"{place}, {column}"


class LengthError(InputError):
    """Files that must be parallel have different numbers of lines or sentences."""


class UsageError(JuryboxError):
    """An option or argument makes no sense; the command line exits with 2."""


class UnknownNameError(UsageError, InputError):
    """A name that was given does not exist; the message suggests the near one."""


class MissingExtraError(JuryboxError):
    """An optional package is needed; the message names the extra to install."""


class JuryboxWarning(UserWarning):
    """Something the user should know although the work could go on."""


def near_name(given: str, known: Iterable[str]) -> str:
    """A hint at the name that was probably meant, or nothing.

    >>> near_name("scroe", ["score", "compare"])
    "; did you mean 'score'?"
    """
    from difflib import get_close_matches

    near = get_close_matches(given, list(known), n=1, cutoff=0.4)
    return f"; did you mean '{near[0]}'?" if near else ""


def unknown_name(kind: str, given: str, known: Iterable[str]) -> UnknownNameError:
    """An error for a name that does not exist, suggesting the near one.

    >>> print(unknown_name("metric", "m3", ["m2", "errant", "gleu"]))
    unknown metric 'm3'; did you mean 'm2'? (one of: m2, errant, gleu)
    """
    names = list(known)
    hint = near_name(given, names)
    return UnknownNameError(f"unknown {kind} '{given}'{hint} (one of: {', '.join(names)})")


def plural(count: int, noun: str) -> str:
    """A number with its noun.

    >>> plural(1, "case"), plural(2, "case")
    ('1 case', '2 cases')
    """
    return f"{count} {noun}{'' if count == 1 else 's'}"


def explain_span(start: int, end: int, length: int) -> str:
    """What is wrong with tokens `start` to `end` of a sentence; nothing where they are there.

    >>> explain_span(5, 3, 9)
    'span 5-3 ends before it starts; swap the offsets'
    >>> explain_span(3, 5, 9)
    ''
    """
    if end < start:
        return f"span {start}-{end} ends before it starts; swap the offsets"
    if end > length:
        return (
            f"span {start}-{end} ends outside the sentence, which has {length} tokens; "
            "offsets count tokens from 0"
        )
    return ""
