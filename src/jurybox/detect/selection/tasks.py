r"""Cloze and choice tasks out of held-out events: what raters get, and the key that they do not.

Cloze (Tetreault and Chodorow 2008, section 4.1): a blank where the writer's preposition stood.
Choice (section 4.2): the writer's word and the system's, in random order, where they differ.

The key says which word is whose. It is JSONL; the first line says what was drawn, every further
line names one item:

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
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from typing import Annotated, Any, Literal, NamedTuple, TextIO

import numpy as np

from jurybox.detect.prepositions import CLASSES
from jurybox.detect.selection.events import ScoredEvents
from jurybox.errors import FormatError, InputError
from jurybox.formats import Source, as_input
from jurybox.formats.tables.long_tables import encode_json, parse_object, write_objects, write_table
from jurybox.records import HIDDEN, WHEN_SET, Count, Share, plain, restore
from jurybox.results import RecordedFile
from jurybox.sample.draw.drawing import check_seed, make_blind_ids
from jurybox.streams import stream

KEY_SCHEMA = "jurybox.selectionkey/1"
CASE_SCHEMA = "jurybox.caseset/1"
Task = Literal["cloze", "choice"]
CLOZE, CHOICE = "cloze", "choice"
TAKE_IT_AS_IT_WAS = "take the key as jurybox detect selection wrote it"
BLANK = "____"
#: items of the paper's tasks
USUAL = 200
COLUMNS = ("case", "sentence", "start", "end", "construction", "first", "second")

# --- the key ---


class KeyItem(NamedTuple):
    """An item: the id that raters see, its event, and whose word is which."""

    case: str
    event: str
    writer: str
    systems: tuple[str, ...]  # what each system chose
    first: Annotated[str, WHEN_SET] = ""  # choice: the word that stands first


class JudgedSystem(NamedTuple):
    """A system, and its accuracy on all events that the task was drawn from."""

    name: str
    accuracy: Share
    events: Count


@dataclass(frozen=True)
class SelectionKey:
    """What raters must not see."""

    task: Task
    seed: int
    systems: tuple[JudgedSystem, ...]
    text: tuple[RecordedFile, ...]  # that events were drawn from
    #: in the order of the file that raters get; each has a line of its own
    items: Annotated[tuple[KeyItem, ...], HIDDEN] = ()
    #: the file it was read from
    name: Annotated[str, HIDDEN] = field(default="<memory>", compare=False)

    @property
    def checksum(self) -> str:
        """SHA-256 of the content, whatever white space the file has."""
        content = [plain(self), *map(plain, self.items)]
        text = json.dumps(content, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
        return sha256(text.encode()).hexdigest()


def write_key(key: SelectionKey, out: TextIO) -> None:
    """The key with its checksum."""
    head = {"schema": KEY_SCHEMA, **plain(key), "checksum": key.checksum}
    write_objects([head, *map(plain, key.items)], out)


def read_key(source: Source) -> SelectionKey:
    """The key of a file; what cannot be one is refused."""
    given = as_input(source)
    lines = [(number, text) for number, text in given.lines() if text.strip()] or [(1, "")]
    records = []
    for number, text in lines:
        try:
            records.append(parse_object(text))
        except ValueError as error:
            raise FormatError(str(error), path=given.name, line=number) from None
    head = records[0]
    if head.get("schema") != KEY_SCHEMA:
        found = f"is {head['schema']}" if "schema" in head else "has no schema"
        message = f"{found}, not {KEY_SCHEMA}; name the key that jurybox detect selection wrote"
        raise FormatError(message, path=given.name, line=lines[0][0])
    read = partial(restore, file=given.name, remedy=TAKE_IT_AS_IT_WAS)
    items = [
        read(KeyItem, record, line=line)
        for (line, _), record in zip(lines[1:], records[1:], strict=True)
    ]
    key = read(SelectionKey, head, line=lines[0][0])
    key = replace(key, items=tuple(items), name=given.name)
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


# --- drawing a task ---


class TaskItem(NamedTuple):
    """What a rater sees of an event; `first` and `second` in choice tasks only."""

    case: str
    sentence: str  # with a blank
    start: int
    first: str = ""
    second: str = ""


def draw_task(
    task: Task,
    events: ScoredEvents,
    systems: Sequence[str],
    *,
    items: int | None = None,
    seed: int = 1,
    text: Sequence[RecordedFile] = (),
) -> tuple[list[TaskItem], SelectionKey]:
    """So many events at random, as a cloze or as a choice, and the key; usually 200, or all.

    Of a choice, only events where writer and system differ. One event of a sentence at most: the
    next item would give away what stood in the blank of this one.
    """
    check_seed(seed)
    rng = stream(seed, "selection")
    candidates = np.arange(len(events))
    if task == CHOICE:
        candidates = np.flatnonzero(events.picks[0].choice != events.written)
        if not len(candidates):
            raise InputError("--choices: the system chose the writer's word everywhere")
    drawn = rng.permutation(candidates)
    firsts = np.unique(events.sentence[drawn], return_index=True)[1]
    there = len(firsts)
    if items is None:
        items = min(USUAL, there)
    elif not 1 <= items <= there:
        which = "an event" if task == CLOZE else "one where system and writer differ"
        raise InputError(
            f"--items {items}: there are {there} sentences with {which}; ask for 1 to {there}"
        )
    drawn = drawn[np.sort(firsts)][:items]
    swapped = rng.random(len(drawn)) < 0.5 if task == CHOICE else np.zeros(len(drawn), np.bool_)
    named = [events.ids[event] for event in drawn]
    # other items have other ids: judgments of two tasks never mix
    content = sha256(encode_json([task, seed, [*systems], named]).encode()).digest()
    ids = make_blind_ids(len(drawn), stream(seed, "blind ids", *content))
    key_items = []
    for event, case, swap in zip(drawn, ids, swapped, strict=True):
        writer = CLASSES[events.written[event]]
        chosen = tuple(CLASSES[picks.choice[event]] for picks in events.picks)
        first = (chosen[0] if swap else writer) if task == CHOICE else ""
        key_items.append(KeyItem(case, events.ids[event], writer, chosen, first))
    scored = [
        JudgedSystem(name, float((picks.choice == events.written).mean()), len(events))
        for name, picks in zip(systems, events.picks, strict=True)
    ]
    key = SelectionKey(task, seed, tuple(scored), tuple(text), tuple(key_items))
    return [
        _task_item(events, event, one) for event, one in zip(drawn, key_items, strict=True)
    ], key


def _task_item(events: ScoredEvents, event: int, one: KeyItem) -> TaskItem:
    tokens = events.sentences[events.sentence[event]]
    place = int(events.place[event])
    # a token may hold white space, as "1 000" with a no-break space, or be nothing else; in a case
    # file white space separates
    before = " ".join(tokens[:place]).split()
    sentence = " ".join([*before, BLANK, *" ".join(tokens[place + 1 :]).split()])
    words = (one.writer, *one.systems)
    second = next(word for word in words if word != one.first) if one.first else ""
    return TaskItem(one.case, sentence, len(before), one.first, second)


def write_items(items: Sequence[TaskItem], out: TextIO, form: str) -> None:
    r"""A case file, which `jurybox serve` and people can work with.

    >>> import sys
    >>> write_items([TaskItem("k7mw3hqx", "He sat ____ it .", 2)], sys.stdout, "csv")
    case,sentence,start,end,construction
    k7mw3hqx,He sat ____ it .,2,3,preposition
    """
    rows = [
        (one.case, one.sentence, one.start, one.start + 1, "preposition", one.first, one.second)
        for one in items
    ]
    titles = COLUMNS if any(one.first for one in items) else COLUMNS[:-2]
    if form == "jsonl":
        head = {"schema": CASE_SCHEMA, "description": {"construction": "preposition"}}
        records = (dict(zip(titles, row, strict=False)) for row in rows)
        write_objects([head, *records], out)
    else:
        cells = ([str(cell) for cell in row[: len(titles)]] for row in rows)
        write_table(titles, cells, out, form)
