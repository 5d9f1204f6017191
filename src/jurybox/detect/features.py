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

Column = Callable[["Context"], Hashes]


class Context(NamedTuple):
    """Places between words: `before` is the last word on the left, `after` the first on the right.

    For a preposition in the text, that is what stands on its two sides.
    """

    phrases: Phrases
    before: Places
    after: Places


def _word(steps: int) -> Column:
    """The word so many steps to the left (below 0) or to the right."""

    def column(context: Context) -> Hashes:
        return context.phrases.words[_step(context, steps)]

    return column


def _skeleton(steps: int) -> Column:
    def column(context: Context) -> Hashes:
        return context.phrases.skeleton[_step(context, steps)]

    return column


def _tag(steps: int) -> Column:
    def column(context: Context) -> Hashes:
        return context.phrases.tags[_step(context, steps)].astype(np.uint64)

    return column


def _step(context: Context, steps: int) -> Places:
    return context.before + steps + 1 if steps < 0 else context.after + steps - 1


def _before(name: str) -> Column:
    """The last head of a kind before a place, in the same sentence."""

    def column(context: Context) -> Hashes:
        return _word_at(context, getattr(context.phrases, name)[context.before + 1])

    return column


def _governor(context: Context) -> Hashes:
    """The nearer of the noun and the verb before a place: what it probably depends on."""
    phrases, here = context.phrases, context.before + 1
    return _word_at(context, np.maximum(phrases.noun_before[here], phrases.verb_before[here]))


def _word_at(context: Context, place: Places) -> Hashes:
    """The word at a place before, or an empty one where that is outside the sentence."""
    phrases = context.phrases
    # where the sentence begins is known by either neighbour: one of the two may be empty
    first = np.maximum(phrases.first[context.before], phrases.first[context.after])
    met = place >= first
    return np.where(met, phrases.words[np.where(met, place, 0)], np.uint64(hash_of("")))


def _head(context: Context) -> Hashes:
    return context.phrases.words[context.phrases.head_after[context.after]]


def _head_tag(context: Context) -> Hashes:
    return context.phrases.tags[context.phrases.head_after[context.after]].astype(np.uint64)


def _behind(steps: int) -> Column:
    """What stands so many steps behind the head of what follows, as a skeleton has it."""

    def column(context: Context) -> Hashes:
        return context.phrases.skeleton[context.phrases.head_after[context.after] + steps]

    return column


#: name -> how it is found, and what it is, in words
COLUMNS: dict[str, tuple[Column, str]] = {
    "w-3": (_word(-3), "third word before"),
    "w-2": (_word(-2), "second word before"),
    "w-1": (_word(-1), "word before"),
    "w+1": (_word(1), "word after"),
    "w+2": (_word(2), "second word after"),
    "w+3": (_word(3), "third word after"),
    "t-1": (_tag(-1), "tag of the word before"),
    "t+1": (_tag(1), "tag of the word after"),
    "s-3": (_skeleton(-3), "third word before, if a function word, else its tag"),
    "s-2": (_skeleton(-2), "the same of the second word before"),
    "s-1": (_skeleton(-1), "the same of the word before"),
    "s+1": (_skeleton(1), "the same of the word after"),
    "s+2": (_skeleton(2), "the same of the second word after"),
    "s+3": (_skeleton(3), "the same of the third word after"),
    "noun": (_before("noun_before"), "head of the noun phrase before"),
    "verb": (_before("verb_before"), "head of the verb phrase before"),
    "governor": (_governor, "the nearer of these two"),
    "earlier": (_before("preposition_before"), "preposition before it in the sentence"),
    "head": (_head, "head of the phrase after"),
    "head-tag": (_head_tag, "its tag"),
    "behind+1": (_behind(1), "word behind that head, if a function word, else its tag"),
    "behind+2": (_behind(2), "the same of the second word behind it"),
}

#: the 25 templates
TEMPLATES: tuple[tuple[str, ...], ...] = tuple(
    tuple(line.split())
    for line in """\
w-1
w+1
w-2 w-1
w+1 w+2
w-1 w+1
w-2 w-1 w+1
w-1 w+1 w+2
w-2 w-1 w+1 w+2
w-3 w-2 w-1
w+1 w+2 w+3
t-1 t+1
w-1 t+1
s-3 s-2 s-1
s+1 s+2 s+3
verb
noun
head
verb noun
verb head
noun head
w-1 head
w+1 head
earlier w-1
governor head-tag
head-tag behind+1 behind+2""".splitlines()
)

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
    columns = {name: COLUMNS[name][0](context) for name in sorted(used)}
    rows = np.empty((len(context.before), len(TEMPLATES)), np.uint64)
    for number, template in enumerate(TEMPLATES):
        rows[:, number] = _mixed(number + 1, [columns[name] for name in template])
    return rows


def _mixed(seed: int, columns: list[Hashes]) -> Hashes:
    """Columns as one: a product and a shift each, so that every bit counts and order matters."""
    value = np.full(len(columns[0]), seed, np.uint64)
    for column in columns:
        value = (value ^ column) * _MULTIPLIER
        value ^= value >> _SHIFT
    return value


# --- What detectors learn from: every preposition of a text, and places where none stands ---
#
# Clean text has no extraneous prepositions. So "nothing" is learnt from places between two words
# where a preposition could stand and does not: after a verb, noun or adjective, before a noun
# phrase that begins there. Only a share of these is taken, at random: `Sampling`.

#: share of the places without a preposition that are learnt from
NOTHING_RATE = 0.1


class Events(NamedTuple):
    """Rows of features, and what stands at each place: the number of a class."""

    features: NDArray[np.uint64]
    classes: NDArray[np.int8]


class Sampling(NamedTuple):
    """How large a share of the empty places is taken, and the seed that chooses them."""

    rate: float = NOTHING_RATE
    seed: int = 1


def find_events(text: TaggedText, sampling: Sampling, block: int) -> Events:
    """The events of a block of text; `block` is its number, so that each draws other places.

    >>> said = [("He came from the sea".split(), "PRP VBD IN DT NN".split())]
    >>> events = find_events(TaggedText.of(said), Sampling(rate=1.0), 0)
    >>> from jurybox.detect.prepositions import CLASSES
    >>> events.features.shape, [CLASSES[number] for number in events.classes]
    ((1, 25), ['from'])
    """
    phrases = find_phrases(text)
    prepositions = np.flatnonzero(phrases.classes >= 0)
    empty = empty_places(phrases)
    if sampling.rate < 1:
        random = np.random.default_rng([sampling.seed, block])
        empty = empty[random.random(len(empty)) < sampling.rate]
    context = Context(
        phrases,
        np.concatenate([prepositions - 1, empty - 1]),
        np.concatenate([prepositions + 1, empty]),
    )
    classes = np.concatenate([phrases.classes[prepositions], np.full(len(empty), NONE, np.int8)])
    order = np.argsort(context.after, kind="stable")  # as they stand in the text
    return Events(extract_features(context)[order], classes[order])


def empty_places(phrases: Phrases) -> Places:
    """Places before a noun phrase, after a verb, noun or adjective: nothing stands there.

    >>> said = [("He met the man last year".split(), "PRP VBD DT NN JJ NN".split())]
    >>> phrases = find_phrases(TaggedText.of(said))
    >>> from jurybox.detect.phrases import PADDING
    >>> [said[0][0][place - PADDING] for place in empty_places(phrases)]
    ['the', 'last']
    """
    tags, before = phrases.tags[1:], phrases.tags[:-1]
    opens = BEGINS_NOUN_PHRASE[tags] & (phrases.classes[1:] < 0)
    governs = VERB[before] | NOUN[before] | ADJECTIVE[before]
    # a noun or adjective before a noun is part of the same phrase: "Prime Minister", "red car"
    same_phrase = (NOUN[before] | ADJECTIVE[before]) & NOUN[tags]
    same_phrase |= ADJECTIVE[before] & ADJECTIVE[tags]
    return np.flatnonzero(opens & governs & ~same_phrase & (phrases.classes[:-1] < 0)) + 1
