"""Held-out text of the selection experiment: places where a writer wrote a preposition.

Either JSONL with an event a line, which may be the output of any other tool:

    {"id": "e1", "tokens": ["He", "sat", "on", "it", "."], "target": 2, "written": "on"}

or plain text, prose or tokenised, of which every preposition is an event. `id` may be missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from jurybox.detect.prepositions import class_of
from jurybox.detect.prose import read_prose, read_tokenised, several
from jurybox.errors import Column, InputError
from jurybox.formats import File, Input, as_input
from jurybox.formats._io import BOM, BadLines
from jurybox.formats.tables.long_tables import NotJsonError, parse_object


class Target(NamedTuple):
    """A token that was written where a preposition is to be chosen."""

    id: str
    place: int


class HeldOutSentence(NamedTuple):
    """A sentence of prose or tokens; without targets, every preposition is one."""

    name: str  # begins the ids of events that are found
    sentence: str | tuple[str, ...]
    targets: tuple[Target, ...] | None = None


def read_held_out(
    sources: File | Sequence[File], *, tokenised: bool = False
) -> Iterator[HeldOutSentence]:
    r"""The sentences of files, formats auto-detected; events of one sentence are together.

    >>> line = '{"id": "e1", "tokens": ["Sit", "on", "it"], "target": 1, "written": "on"}\n'
    >>> [one] = read_held_out(Input.from_text(line))
    >>> one.sentence, one.targets
    (('Sit', 'on', 'it'), (Target(id='e1', place=1),))
    >>> [one.name for one in read_held_out(Input.from_text("Sit on it. Go to bed."))]
    ['S1', 'S2']
    """
    number = 0
    ids: dict[str, str] = {}
    for source in several(sources):
        given = as_input(source).keep()
        if is_events(given):
            yield from _read_events(given, ids)
            continue
        sentences: Iterator[Any] = read_tokenised(given) if tokenised else read_prose(given)
        for sentence in sentences:
            number += 1
            yield HeldOutSentence(f"S{number}", sentence if not tokenised else tuple(sentence))


def is_events(given: Input) -> bool:
    """Whether a file begins as JSONL does.

    >>> is_events(Input.from_text('{"tokens": []}')), is_events(Input.from_text("He sat on it."))
    (True, False)
    """
    return given.peek().removeprefix(BOM).lstrip().startswith(b"{")


def _read_events(given: Input, ids: dict[str, str]) -> Iterator[HeldOutSentence]:
    """All events of a file: what is wrong with some of them is told before any is used."""
    bad = BadLines(given.name)
    found: dict[tuple[str, ...], list[Target]] = {}
    for line, text in given.lines(bad):
        if not text.strip():
            continue
        try:
            tokens, target = _read_event(parse_object(text), line)
            _check_new(target.id, f"{given.name}:{line}", ids)
        except NotJsonError as error:
            bad.add(line, error.message, error.column)
        except _WrongKeyError as error:
            bad.add(line, str(error), Column(title=error.key))
        else:
            found.setdefault(tokens, []).append(target)
    bad.raise_first()
    for tokens, targets in found.items():
        yield HeldOutSentence("", tokens, tuple(targets))


class _WrongKeyError(Exception):
    """What is wrong with the value of a key."""

    def __init__(self, key: str, message: str) -> None:
        self.key = key
        super().__init__(message)


def _read_event(record: dict[str, Any], line: int) -> tuple[tuple[str, ...], Target]:
    name = record.get("id", f"line {line}")
    if not isinstance(name, str) or not name or name != name.strip():
        raise _WrongKeyError("id", f"{_shown(name)} is no id; give a text, or leave the key out")
    tokens = record.get("tokens")
    if not isinstance(tokens, list) or not all(isinstance(token, str) for token in tokens):
        raise _WrongKeyError("tokens", f"{_shown(tokens)} is no list of words; give the sentence")
    if "" in tokens:
        raise _WrongKeyError("tokens", f"token {tokens.index('')} (from 0) is empty; leave it out")
    place = record.get("target")
    if not isinstance(place, int) or isinstance(place, bool) or not 0 <= place < len(tokens):
        raise _WrongKeyError(
            "target",
            f"{_shown(place)} is not a token of the sentence, which has {len(tokens)}; "
            "tokens count from 0",
        )
    _check_written(record.get("written"), tokens[place], place)
    return tuple(tokens), Target(name, place)


def _check_written(written: Any, token: str, place: int) -> None:
    if not isinstance(written, str) or class_of(written) < 0:
        raise _WrongKeyError(
            "written",
            f"{_shown(written)} is not one of the 34 prepositions; leave the line out",
        )
    if class_of(written) != class_of(token):
        raise _WrongKeyError(
            "written",
            f"{_shown(written)} is not token {place} (from 0), which is '{token}'; mend either",
        )


def _check_new(name: str, place: str, ids: dict[str, str]) -> None:
    if name in ids:
        raise _WrongKeyError("id", f"'{name}' is there before, at {ids[name]}; rename one of them")
    ids[name] = place


def _shown(value: Any) -> str:
    text = "nothing" if value is None else repr(value)
    return text if len(text) <= 40 else f"{text[:39]}…"


def check_any(events: int, sources: Sequence[File]) -> None:
    """Refuse text without a preposition."""
    if not events:
        names = ", ".join(as_input(source).name for source in sources)
        raise InputError(f"{names}: no preposition is written there; give more text")
