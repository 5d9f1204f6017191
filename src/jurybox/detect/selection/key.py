r"""The key of a cloze or choice task: which word is whose.

JSONL. The first line says what was drawn, every further line names one item:

    {"schema": "jurybox.selectionkey/1", "task": "choice", "seed": 1, "systems":
     [{"name": "me", "accuracy": 0.774, "events": 20000}], "text": [{"path": …, "sha256": …}],
     "checksum": "…"}
    {"case": "k7mw3hqx", "event": "e00012", "writer": "in", "systems": ["at"], "first": "at"}

`first` is the word that stands first in a choice task. The accuracy of a system is that on all
events, drawn or not. A key that was edited since it was drawn is refused.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, NamedTuple, TextIO

from jurybox.errors import FormatError
from jurybox.formats import Source, as_input
from jurybox.formats.tables.long_tables import encode_json, parse_object, write_lines

SCHEMA = "jurybox.selectionkey/1"
CLOZE, CHOICE = "cloze", "choice"
TAKE_IT_AS_IT_WAS = "take the key as jurybox detect selection wrote it"


class KeyItem(NamedTuple):
    """An item: the id that raters see, its event, and whose word is which."""

    case: str
    event: str
    writer: str
    systems: tuple[str, ...]  # what each system chose
    first: str = ""  # choice: the word that stands first


class KeySystem(NamedTuple):
    """A system, and how often it chose the writer's word among so many events."""

    name: str
    accuracy: float
    events: int


class KeyText(NamedTuple):
    """A file that events were drawn from."""

    path: str
    sha256: str


@dataclass(frozen=True)
class SelectionKey:
    """What raters must not see.

    >>> key = SelectionKey("cloze", 1, (KeySystem("me", 0.5, 2),), (), (
    ...     KeyItem("k7mw3hqx", "e1", "in", ("at",)),))
    >>> import io
    >>> out = io.StringIO()
    >>> write(key, out)
    >>> from jurybox.formats import Input
    >>> read(Input.from_text(out.getvalue())) == key
    True
    """

    task: str
    seed: int
    systems: tuple[KeySystem, ...]
    text: tuple[KeyText, ...]
    items: tuple[KeyItem, ...]  # in the order of the file that raters get
    name: str = field(default="<memory>", compare=False)  # the file it was read from

    @property
    def checksum(self) -> str:
        """SHA-256 of the content, whatever white space the file has."""
        content = [_head(self), *map(_record, self.items)]
        text = json.dumps(content, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
        return sha256(text.encode()).hexdigest()


def write(key: SelectionKey, out: TextIO) -> None:
    """The key with its checksum."""
    head = {"schema": SCHEMA, **_head(key), "checksum": key.checksum}
    write_lines([encode_json(head), *(encode_json(_record(one)) for one in key.items)], out)


def read(source: Source) -> SelectionKey:
    """The key of a file; what cannot be one is refused."""
    given = as_input(source)
    lines = [(number, text) for number, text in given.lines() if text.strip()]
    head = _parse(lines[0] if lines else (1, ""), given.name)
    if head.get("schema") != SCHEMA:
        found = f"is {head['schema']}" if "schema" in head else "has no schema"
        message = f"{found}, not {SCHEMA}; name the key that jurybox detect selection wrote"
        raise FormatError(message, path=given.name, line=lines[0][0])
    items = []
    for line in lines[1:]:
        with _told(given.name, line[0], "not an item of a key"):
            items.append(_item(_parse(line, given.name)))
    with _told(given.name, lines[0][0], "the first line is not that of a key"):
        key = SelectionKey(
            _one_of(head["task"], (CLOZE, CHOICE)),
            _typed(head["seed"], int),
            tuple(_system(one) for one in _typed(head["systems"], list)),
            tuple(
                KeyText(_typed(one["path"], str), _typed(one["sha256"], str))
                for one in _typed(head["text"], list)
            ),
            tuple(items),
            given.name,
        )
    for message in _contradictions(key, head):
        raise FormatError(f"{message}; {TAKE_IT_AS_IT_WAS}", path=given.name)
    return key


def _contradictions(key: SelectionKey, head: Mapping[str, Any]) -> Iterator[str]:
    if not key.items:
        yield "holds no item"
    for name, count in Counter(one.case for one in key.items).items():
        if count > 1:
            yield f"case '{name}' is there twice"
    if any(len(one.systems) != len(key.systems) for one in key.items):
        yield "an item does not have a word for every system"
    if key.task == CHOICE and len(key.systems) != 1:
        yield "a choice is between the writer and one system"
    if key.task == CHOICE:
        for one in key.items:
            if one.first not in (one.writer, *one.systems) or one.writer in one.systems:
                yield f"case '{one.case}' is no choice between two words"
    if head.get("checksum") != key.checksum:
        yield "was changed after it was drawn (its checksum does not fit)"


def _head(key: SelectionKey) -> dict[str, Any]:
    return {
        "task": key.task,
        "seed": key.seed,
        "systems": [one._asdict() for one in key.systems],
        "text": [one._asdict() for one in key.text],
    }


def _record(one: KeyItem) -> dict[str, Any]:
    record = {**one._asdict(), "systems": list(one.systems)}
    return {name: value for name, value in record.items() if value or name != "first"}


def _item(record: dict[str, Any]) -> KeyItem:
    systems = _typed(record["systems"], list)
    texts = [_typed(record[name], str) for name in ("case", "event", "writer")]
    first = _typed(record.get("first", ""), str)
    return KeyItem(texts[0], texts[1], texts[2], tuple(_typed(one, str) for one in systems), first)


def _system(record: dict[str, Any]) -> KeySystem:
    accuracy = _typed(record["accuracy"], float)
    return KeySystem(_typed(record["name"], str), accuracy, _typed(record["events"], int))


def _parse(line: tuple[int, str], name: str) -> dict[str, Any]:
    try:
        return parse_object(line[1])
    except ValueError as error:
        raise FormatError(str(error), path=name, line=line[0]) from None


def _typed(value: Any, kind: type) -> Any:
    if type(value) is not kind:
        raise TypeError(f"{value!r} is not of type {kind.__name__}")
    return value


def _one_of(value: Any, known: Sequence[str]) -> str:
    if value not in known:
        raise ValueError(f"the task {value!r} is not {' or '.join(known)}")
    return str(value)


@contextmanager
def _told(path: str, line: int, what: str) -> Iterator[None]:
    """Turn what a wrong record raises into an error that names its place."""
    try:
        yield
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        message = f"{what} ({error}); {TAKE_IT_AS_IT_WAS}"
        raise FormatError(message, path=path, line=line) from None
