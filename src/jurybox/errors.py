"""What can go wrong, as a tree.

    JuryboxError
    ├── InputError            something the user gave cannot be used
    │   ├── FormatError       a file or line is malformed: names file, line, column and remedy
    │   ├── LengthError       files that must be parallel differ in length
    │   └── NoSuchPlaceError  a number outside a panel or case set (an IndexError too)
    ├── UsageError            an option or argument makes no sense (exit code 2)
    │   └── UnknownNameError  a name that does not exist (an InputError too); suggests the near one
    │       └── UnknownKeyError  the same in result[name] (a KeyError too)
    ├── EngineError           who did the work went away: a killed process, a cluster out of reach
    └── MissingExtraError     an optional package is needed: names what to install

The library raises; only the command line exits. Every message says what happened, where, and how
to fix it, so that the command line can print it as it is.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from operator import index
from typing import Any, NamedTuple, SupportsIndex, TypeVar

T = TypeVar("T")

#: characters of a title that a message shows
TITLE_AT_MOST = 40
#: names that a message lists; names among which a near one is looked for
LIST_AT_MOST, NEAR_AT_MOST = 12, 2000


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
            noun = "row" if isinstance(path, TableName) else "line"
            where = "" if isinstance(path, TableName) else " in this file"
            tail = f" (and {more} more bad {noun}{'s' if more > 1 else ''}{where})"
        super().__init__(f"{place}: {message}{tail}")

    def __reduce__(self) -> tuple[Any, ...]:
        """An error of another process comes here with its place."""
        place = partial(type(self), path=self.path, line=self.line, column=self.column)
        return partial(place, more=self.more), (self.message,)


class TableName(str):
    """The name of a table in memory: places in it are rows, counted from 0, not lines.

    Readers number its rows like the lines of a CSV file, where line 1 is the header.
    """

    __slots__ = ()


def name_line(path: str, line: int) -> str:
    """A line of a file, or a row of a table in memory.

    >>> name_line("a.csv", 3), name_line(TableName("cases (DataFrame)"), 3)
    ('line 3', 'row 1')
    """
    return f"row {line - 2}" if isinstance(path, TableName) else f"line {line}"


def name_place(path: str, line: int | None, column: Column | None = None) -> str:
    """A place in a file or a table, as messages begin with it.

    >>> name_place("batch.csv", 12, Column(4, "Answer.Q1"))
    'batch.csv:12, column 4 (Answer.Q1)'
    >>> name_place(TableName("cases (DataFrame)"), 12, Column(4, "gold"))
    'cases (DataFrame), row 10, column 4 (gold)'
    """
    place = str(path)
    if line is not None and not isinstance(path, TableName):
        place = f"{path}:{line}"
    elif line is not None and line > 1:
        place = f"{path}, {name_line(path, line)}"
    return place if column is None else f"{place}, {column}"


class LengthError(InputError):
    """Files that must be parallel have different numbers of lines or sentences."""


class UsageError(JuryboxError):
    """An option or argument makes no sense; the command line exits with 2."""


class UnknownNameError(UsageError, InputError):
    """A name that was given does not exist; the message suggests the near one."""

    kind = "thing"  # what has no such name, for those who say it in their own words


class UnknownKeyError(UnknownNameError, KeyError):
    """A result or panel has no part of this name; a KeyError too, so that it is caught as one."""

    def __str__(self) -> str:
        return Exception.__str__(self)  # a KeyError would show its message in quotes


class NoSuchPlaceError(InputError, IndexError):
    """A panel or case set has fewer items than that; an IndexError too."""


class EngineError(JuryboxError):
    """The work could not be done where it was to be done; nothing is wrong with the input."""


class MissingExtraError(JuryboxError):
    """An optional package is needed; the message names the extra to install."""


class JuryboxWarning(UserWarning):
    """Something the user should know although the work could go on."""


class JuryboxNote(JuryboxWarning):
    """How an input was read, where nothing is wrong with it."""


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
    error = UnknownNameError(f"unknown {kind} '{given}'{hint} (one of: {', '.join(names)})")
    error.kind = kind
    return error


def unknown_key(kind: str, given: object, known: Iterable[object]) -> UnknownKeyError:
    """The same for what a result is indexed by; a pair of names is shown as one.

    >>> print(unknown_key("pair", ("A", "C"), [("A", "B")]))
    unknown pair '(A, C)'; did you mean '(A, B)'? (one of: (A, B))
    """
    names = list(map(_name, known))
    shown = names[:LIST_AT_MOST] + ["…"] * (len(names) > LIST_AT_MOST)
    hint = near_name(_name(given), names[:NEAR_AT_MOST])
    return UnknownKeyError(f"unknown {kind} '{_name(given)}'{hint} (one of: {', '.join(shown)})")


def _name(given: object) -> str:
    text = f"({', '.join(map(str, given))})" if isinstance(given, tuple) else str(given)
    return " ".join(text.split())


def item_at(items: Sequence[T], place: SupportsIndex, noun: str) -> T:
    """One of some items by its number from 0.

    >>> item_at(["a", "b"], 1, "case")
    'b'
    """
    try:
        return items[index(place)]
    except IndexError:
        raise NoSuchPlaceError(
            f"there is no {noun} {place!r}: there are {len(items)}, counted from 0"
        ) from None
    except TypeError:
        kind = type(place).__name__
        raise InputError(f"a {kind} names no {noun}; give a number from 0, or a name") from None


def count_noun(count: int, noun: str) -> str:
    """A number with its noun, thousands apart: for one line about something large.

    >>> count_noun(1312, "sentence"), count_noun(1, "annotator")
    ('1,312 sentences', '1 annotator')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def plural(count: int, noun: str) -> str:
    """A number with its noun.

    >>> plural(1, "case"), plural(2, "case")
    ('1 case', '2 cases')
    """
    return f"{count} {noun}{'' if count == 1 else 's'}"


def explain_difference(tokens: Sequence[str], others: Sequence[str]) -> str:
    """Where two versions of a sentence part; tokens are counted from 0 as in spans and case ids.

    >>> explain_difference(["A", "dogs"], ["A", "dog"]), explain_difference(["A"], ["A", "dog"])
    ("token 1 (from 0) is 'dogs', there 'dog'", 'it has 1 token, there 2')
    """
    for place, (token, other) in enumerate(zip(tokens, others, strict=False)):
        if token != other:
            return f"token {place} (from 0) is '{token}', there '{other}'"
    return f"it has {plural(len(tokens), 'token')}, there {len(others)}"


def same_tokens(tokens: Sequence[str], others: Sequence[str], name: str, other: str) -> bool:
    """Whether two versions of a sentence have the same tokens, whatever their Unicode forms.

    Full-width and half-width marks, composed and decomposed letters are the same; a warning that
    names both files says so.

    >>> same_tokens(["A", "dogs"], ["A", "dog"], "a.m2", "b.m2")
    False
    """
    if tuple(tokens) == tuple(others):
        return True
    from unicodedata import normalize

    if len(tokens) != len(others) or any(
        one != two and normalize("NFKC", one) != normalize("NFKC", two)
        for one, two in zip(tokens, others, strict=True)
    ):
        return False
    warn(
        f"{name} and {other} write the same sentences with different Unicode characters "
        "(full-width or half-width, composed or decomposed); these count as the same source"
    )
    return True


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


def warn(*messages: str) -> None:
    """Issue each message as a JuryboxWarning; it names the caller of whoever warns."""
    for message in messages:
        warnings.warn(message, JuryboxWarning, stacklevel=3)


@contextmanager
def collecting_warnings() -> Iterator[list[str]]:
    """Our own warnings as text, for the result; they are issued again at the end, each once.

    Files that are read several times, by one verb or by verbs inside a verb, warn every time.
    """
    messages: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", JuryboxWarning)
        yield messages
    for one in caught:
        if issubclass(one.category, JuryboxWarning):
            if str(one.message) in messages:
                continue
            messages.append(str(one.message))
        warnings.warn(one.message, one.category, stacklevel=4)
