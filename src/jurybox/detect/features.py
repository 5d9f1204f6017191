"""What is known of a place where a preposition stands or could stand: 25 features.

One table, used for training and for running. A feature is the value of its template at a place:
eight bytes, mixed from the number of the template and what its columns hold there. docs/detect.md
shows the same table.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.detect.phrases import (
    ADJECTIVE,
    BEGINS_NOUN_PHRASE,
    NOUN,
    VERB,
    Hashes,
    Phrases,
    Places,
    find_phrases,
    hash_of,
)
from jurybox.detect.prepositions import NONE
from jurybox.detect.tagging import TaggedText


class Context(NamedTuple):
    """Places between words: `before` is the last word on the left, `after` the first on the right.

    For a preposition in the text, that is what stands on its two sides.
    """

    phrases: Phrases
    before: Places
    after: Places


def _at(context: Context, array: str, steps: int) -> Hashes:
    """What stands so many steps to the left (below 0) or to the right."""
    place = context.before + steps + 1 if steps < 0 else context.after + steps - 1
    return _values(context, array, place)


def _head(context: Context, array: str, steps: int = 0) -> Hashes:
    """What stands so many steps behind the head of what follows."""
    return _values(context, array, context.phrases.head_after[context.after] + steps)


def _values(context: Context, array: str, places: Places) -> Hashes:
    found: Hashes = getattr(context.phrases, array)[places].astype(np.uint64, copy=False)
    return found


def _last(context: Context, *kinds: str) -> Hashes:
    """The nearest head of these kinds before a place; empty where the sentence has none."""
    phrases, here = context.phrases, context.before + 1
    place = np.maximum.reduce([getattr(phrases, kind)[here] for kind in kinds])
    # where the sentence begins is known by either neighbour: one of the two may be empty
    first = np.maximum(phrases.first[context.before], phrases.first[context.after])
    met = place >= first
    return np.where(met, phrases.words[np.where(met, place, 0)], np.uint64(hash_of("")))


#: name -> what it is, in words; how it is found
COLUMNS: dict[str, tuple[str, Callable[..., Hashes], tuple[str | int, ...]]] = {
    "w-3": ("third word before", _at, ("words", -3)),
    "w-2": ("second word before", _at, ("words", -2)),
    "w-1": ("word before", _at, ("words", -1)),
    "w+1": ("word after", _at, ("words", 1)),
    "w+2": ("second word after", _at, ("words", 2)),
    "w+3": ("third word after", _at, ("words", 3)),
    "t-1": ("tag of the word before", _at, ("tags", -1)),
    "t+1": ("tag of the word after", _at, ("tags", 1)),
    "s-3": ("third word before, if a function word, else its tag", _at, ("skeleton", -3)),
    "s-2": ("the same of the second word before", _at, ("skeleton", -2)),
    "s-1": ("the same of the word before", _at, ("skeleton", -1)),
    "s+1": ("the same of the word after", _at, ("skeleton", 1)),
    "s+2": ("the same of the second word after", _at, ("skeleton", 2)),
    "s+3": ("the same of the third word after", _at, ("skeleton", 3)),
    "noun": ("head of the noun phrase before", _last, ("noun_before",)),
    "verb": ("head of the verb phrase before", _last, ("verb_before",)),
    "governor": ("the nearer of these two", _last, ("noun_before", "verb_before")),
    "earlier": ("preposition before it in the sentence", _last, ("preposition_before",)),
    "head": ("head of the phrase after", _head, ("words",)),
    "head-tag": ("its tag", _head, ("tags",)),
    "behind+1": ("word behind that head, if a function word, else its tag", _head, ("skeleton", 1)),
    "behind+2": ("the same of the second word behind it", _head, ("skeleton", 2)),
}

#: the 25 templates: words, tags, skeletons, heads
_TEMPLATES = """
w-1 | w+1 | w-2 w-1 | w+1 w+2 | w-1 w+1 | w-2 w-1 w+1 | w-1 w+1 w+2 | w-2 w-1 w+1 w+2 | w-3 w-2 w-1
| w+1 w+2 w+3
| t-1 t+1 | w-1 t+1
| s-3 s-2 s-1 | s+1 s+2 s+3
| verb | noun | head | verb noun | verb head | noun head | w-1 head | w+1 head | earlier w-1
| governor head-tag | head-tag behind+1 behind+2
"""
TEMPLATES = tuple(tuple(template.split()) for template in _TEMPLATES.split("|"))

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)


def extract_features(context: Context) -> NDArray[np.uint64]:
    """A row of 25 features for every place.

    >>> from jurybox.detect.phrases import find_phrases
    >>> from jurybox.detect.tagging import TaggedText
    >>> said = [(["He", word, "at", "her"], ["PRP", "VBD", "IN", "PRP"]) for word in ("sat", "lay")]
    >>> phrases = find_phrases(TaggedText.of(said))
    >>> places = np.flatnonzero(phrases.classes >= 0)
    >>> rows = extract_features(Context(phrases, places - 1, places + 1))
    >>> [" ".join(t) for t, same in zip(TEMPLATES, rows[0] == rows[1]) if same][:3]
    ['w+1', 'w+1 w+2', 'w+1 w+2 w+3']
    """
    used = {name for template in TEMPLATES for name in template}
    columns = {}
    for name in sorted(used):
        _, find, given = COLUMNS[name]
        columns[name] = find(context, *given)
    rows = np.empty((len(context.before), len(TEMPLATES)), np.uint64)
    for number, template in enumerate(TEMPLATES):
        # columns as one: a product and a shift each, so that every bit counts and order matters
        value = np.full(len(rows), number + 1, np.uint64)
        for name in template:
            value = (value ^ columns[name]) * _MULTIPLIER
            value ^= value >> _SHIFT
        rows[:, number] = value
    return rows


# --- What detectors learn from: every preposition of a text, and places where none stands ---
#
# Clean text has no extraneous prepositions. So "nothing" is learnt from places between two words
# where a preposition could stand and does not: after a verb, noun or adjective, before a noun
# phrase that begins there. Only a share of these is taken, at random.

#: share of the places without a preposition that are learnt from
NOTHING_RATE = 0.1


class Events(NamedTuple):
    """Rows of features, and what stands at each place: the number of a class."""

    features: NDArray[np.uint64]
    classes: NDArray[np.int8]


def find_events(
    text: TaggedText, block: int, *, rate: float = NOTHING_RATE, seed: int = 1
) -> Events:
    """The events of a block of text; `block` is its number, so that each draws other places.

    `rate` is the share of the empty places that is taken; the seed chooses them.
    """
    phrases = find_phrases(text)
    prepositions = np.flatnonzero(phrases.classes >= 0)
    empty = empty_places(phrases)
    if rate < 1:
        random = np.random.default_rng([seed, block])
        empty = empty[random.random(len(empty)) < rate]
    context = Context(
        phrases,
        np.concatenate([prepositions - 1, empty - 1]),
        np.concatenate([prepositions + 1, empty]),
    )
    classes = np.concatenate([phrases.classes[prepositions], np.full(len(empty), NONE, np.int8)])
    order = np.argsort(context.after, kind="stable")  # as they stand in the text
    return Events(extract_features(context)[order], classes[order])


def empty_places(phrases: Phrases) -> Places:
    """Places before a noun phrase, after a verb, noun or adjective: nothing stands there."""
    tags, before = phrases.tags[1:], phrases.tags[:-1]
    opens = BEGINS_NOUN_PHRASE[tags] & (phrases.classes[1:] < 0)
    governs = VERB[before] | NOUN[before] | ADJECTIVE[before]
    # a noun or adjective before a noun is part of the same phrase: "Prime Minister", "red car"
    same_phrase = (NOUN[before] | ADJECTIVE[before]) & NOUN[tags]
    same_phrase |= ADJECTIVE[before] & ADJECTIVE[tags]
    return np.flatnonzero(opens & governs & ~same_phrase & (phrases.classes[:-1] < 0)) + 1
