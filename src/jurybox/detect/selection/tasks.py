"""Cloze and choice tasks out of held-out events: what raters get, and the key that they do not.

Cloze (Tetreault and Chodorow 2008, section 4.1): a blank where the writer's preposition stood.
Choice (section 4.2): the writer's word and the system's, in random order, where they differ.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import NamedTuple, TextIO

import numpy as np

from jurybox.detect.prepositions import CLASSES
from jurybox.detect.selection.key import CHOICE, CLOZE, KeyItem, KeySystem, KeyText, SelectionKey
from jurybox.detect.selection.run import ScoredEvents
from jurybox.detect.selection.scoring import Counted
from jurybox.errors import InputError
from jurybox.formats.tables.long_tables import encode_json, write_lines, write_table
from jurybox.sample.draw.drawing import check_seed, make_blind_ids
from jurybox.streams import stream

BLANK = "____"
#: items of the paper's tasks
USUAL = 200
COLUMNS = ("case", "sentence", "start", "end", "construction", "first", "second")
SCHEMA = "jurybox.caseset/1"


class TaskItem(NamedTuple):
    """What a rater sees of an event; `first` and `second` in choice tasks only."""

    case: str
    sentence: str  # with a blank
    start: int
    first: str = ""
    second: str = ""


class DrawnTask(NamedTuple):
    """Items in random order, and their key."""

    items: tuple[TaskItem, ...]
    key: SelectionKey


def draw_task(
    task: str,
    events: ScoredEvents,
    systems: Sequence[str],
    *,
    items: int | None = None,
    seed: int = 1,
    text: Sequence[KeyText] = (),
) -> DrawnTask:
    """So many events at random, as a cloze or as a choice; without a number, 200 or all there are.

    Of a choice, only events where writer and system differ. One event of a sentence at most: the
    next item would give away what stood in the blank of this one.
    """
    check_seed(seed)
    rng = stream(seed, "selection")
    drawn = rng.permutation(_candidates(task, events))
    firsts = np.unique(events.sentence[drawn], return_index=True)[1]
    drawn = drawn[np.sort(firsts)]
    drawn = drawn[: _number(items, len(drawn), task)]
    swapped = rng.random(len(drawn)) < 0.5 if task == CHOICE else np.zeros(len(drawn), np.bool_)
    named = [events.ids[event] for event in drawn]
    # other items have other ids: judgments of two tasks never mix
    content = sha256(encode_json([task, seed, [*systems], named]).encode()).digest()
    ids = make_blind_ids(len(drawn), stream(seed, "blind ids", *content))
    key = SelectionKey(
        task,
        seed,
        tuple(_systems(events, systems)),
        tuple(text),
        tuple(
            _key_item(events, int(event), name, bool(swap), task)
            for event, name, swap in zip(drawn, ids, swapped, strict=True)
        ),
    )
    return DrawnTask(
        tuple(_item(events, int(event), one) for event, one in zip(drawn, key.items, strict=True)),
        key,
    )


def _candidates(task: str, events: ScoredEvents) -> Counted:
    if task == CLOZE:
        return np.arange(len(events))
    found = np.flatnonzero(events.picks[0].choice != events.written)
    if not len(found):
        raise InputError("--choices: the system chose the writer's word everywhere")
    return found


def _number(items: int | None, there: int, task: str) -> int:
    if items is None:
        return min(USUAL, there)
    if not 1 <= items <= there:
        which = "an event" if task == CLOZE else "one where system and writer differ"
        raise InputError(
            f"--items {items}: there are {there} sentences with {which}; ask for 1 to {there}"
        )
    return items


def _systems(events: ScoredEvents, systems: Sequence[str]) -> Iterator[KeySystem]:
    for name, picks in zip(systems, events.picks, strict=True):
        yield KeySystem(name, float((picks.choice == events.written).mean()), len(events))


def _key_item(events: ScoredEvents, event: int, case: str, swap: bool, task: str) -> KeyItem:
    writer = CLASSES[events.written[event]]
    systems = tuple(CLASSES[picks.choice[event]] for picks in events.picks)
    first = (systems[0] if swap else writer) if task == CHOICE else ""
    return KeyItem(case, events.ids[event], writer, systems, first)


def _item(events: ScoredEvents, event: int, one: KeyItem) -> TaskItem:
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
        head = {"schema": SCHEMA, "description": {"construction": "preposition"}}
        records = (dict(zip(titles, row, strict=False)) for row in rows)
        write_lines([encode_json(head), *map(encode_json, records)], out)
    else:
        cells = ([str(cell) for cell in row[: len(titles)]] for row in rows)
        write_table(titles, cells, out, form)
