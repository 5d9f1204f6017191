"""What detectors learn from: every preposition of a text, and places where none stands.

Clean text has no extraneous prepositions. So "nothing" is learnt from places between two words
where a preposition could stand and does not: after a verb, noun or adjective, before a noun phrase
that begins there. Only a share of these is taken, at random: `Sampling`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.detect.features import Context, extract_features
from jurybox.detect.phrases import (
    ADJECTIVE,
    BEGINS_NOUN_PHRASE,
    NOUN,
    VERB,
    Phrases,
    Places,
    find_phrases,
)
from jurybox.detect.prepositions import NONE
from jurybox.detect.tagged_text import TaggedText

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
