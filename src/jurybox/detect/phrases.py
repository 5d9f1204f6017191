"""Noun and verb phrases by tags alone: the heads before and after every place of a text.

No parser: learner text confuses one (Tetreault and Chodorow 2008). The rules, over Penn tags:

- A noun phrase goes on through determiners, adjectives, adverbs, numbers, nouns, possessives,
  hyphens and quotes, and through a participle that one of these follows. Its head is its last
  noun; a pronoun is a head by itself, and so is a number or determiner that nothing of the
  phrase follows ("in 1987", "of this").
- The head of a verb phrase is the last of verbs in a row ("has been seen": seen).
- What comes after a place is the noun phrase that begins there: its head, or its last word if it
  has none. Where none begins ("by using", "from under", "in that"), it is the next word.

All places of a text take each step together. A text lies here as one row of words with empty
places between sentences, so that a look to the side never reaches another sentence.
"""

from __future__ import annotations

import re
from functools import lru_cache
from hashlib import blake2b
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from jurybox.detect.prepositions import NO_CLASS, class_of
from jurybox.detect.tagging import TAG_NUMBERS, TaggedText

Places = NDArray[np.int64]
Hashes = NDArray[np.uint64]
Mask = NDArray[np.bool_]
Item = TypeVar("Item", bound=np.generic)

#: empty places before, between and after sentences: the widest look to a side
PADDING = 4
EMPTY_TAG = 255


def _tags(names: str) -> Mask:
    """A table that tells for every tag whether it is one of these."""
    table = np.zeros(256, np.bool_)
    table[[TAG_NUMBERS[name] for name in names.split()]] = True
    return table


NOUN = _tags("NN NNS NNP NNPS")
ADJECTIVE = _tags("JJ JJR JJS")
VERB = _tags("VB VBD VBG VBN VBP VBZ MD")
PARTICIPLE = _tags("VBG VBN")
PRONOUN = _tags("PRP WP WDT EX")
INSIDE = _tags("DT PDT PRP$ JJ JJR JJS CD RB RBR RBS POS HYPH AFX NFP FW $ WP$ `` '' ADD SYM")
JOINT = _tags("POS HYPH")  # what binds a noun to the next one
HEAD_IF_LAST = _tags("CD DT PDT")
#: words of these tags, and auxiliaries, say how a sentence is built; others, what it is about
FUNCTION_WORD = _tags(
    "DT IN CC PRP PRP$ MD TO WDT WP WP$ WRB EX PDT POS RP , . : -LRB- -RRB- `` '' HYPH $"
)
_AUXILIARIES = (
    *("is", "are", "was", "were", "be", "been", "being", "has", "have", "had", "having"),
    *("do", "does", "did", "not", "also"),
)
BEGINS_NOUN_PHRASE = _tags("DT PDT PRP PRP$ CD JJ JJR JJS NN NNS NNP NNPS WP$ EX")
INFINITIVE = TAG_NUMBERS["TO"]


class Phrases(NamedTuple):
    """A text with its phrases; every array has an item for each place, empty ones included."""

    words: Hashes  # of the normal form of each word
    skeleton: Hashes  # the word where it is a function word, else its tag
    tags: NDArray[np.uint8]
    classes: NDArray[np.int8]  # which preposition stands there; -1: none
    first: Places  # where the sentence begins
    noun_before: Places  # the last head of a noun phrase before a place; -1: there is none
    verb_before: Places
    preposition_before: Places
    head_after: Places  # the head of what begins at a place


def find_phrases(text: TaggedText) -> Phrases:
    """The phrases of a text."""
    sentence = np.repeat(np.arange(text.sentences), np.diff(text.starts))
    places = np.arange(len(text.ids)) + PADDING * (sentence + 1)
    size = len(text.ids) + PADDING * (text.sentences + 1)
    normal = [normal_form(word) for word in text.words]
    tags = _spread(text.tags, places, size, EMPTY_TAG)
    classes = _spread(
        np.array([class_of(word) for word in normal], np.int8)[text.ids], places, size, NO_CLASS
    )
    classes[tags == INFINITIVE] = NO_CLASS
    hashes = np.array([hash_of(word) for word in normal], np.uint64)[text.ids]
    starts = text.starts[:-1] + PADDING * np.arange(1, text.sentences + 1)
    first = _spread(np.repeat(starts, np.diff(text.starts)), places, size, 0)
    preposition = classes != NO_CLASS
    noun, verb, head_after = _heads(tags, preposition)
    words = _spread(hashes, places, size, hash_of(""))
    auxiliary = np.isin(words, np.array([hash_of(word) for word in _AUXILIARIES], np.uint64))
    kept = FUNCTION_WORD[tags] | preposition | auxiliary | (tags == EMPTY_TAG)
    return Phrases(
        words=words,
        skeleton=np.where(kept, words, tags.astype(np.uint64)),
        tags=tags,
        classes=classes,
        first=first,
        noun_before=_last_before(noun),
        verb_before=_last_before(verb),
        preposition_before=_last_before(preposition),
        head_after=head_after,
    )


def places_of(text: TaggedText, sentences: Places, tokens: Places) -> Places:
    """The places of tokens, each given by its sentence and its number there, from 0."""
    return text.starts[sentences] + tokens + PADDING * (sentences + 1)


def _spread(values: NDArray[Item], places: Places, size: int, empty: int) -> NDArray[Item]:
    """Values at their places, and something else at the empty ones."""
    row = np.full(size, empty, values.dtype)
    row[places] = values
    return row


def _heads(tags: NDArray[np.uint8], preposition: Mask) -> tuple[Mask, Mask, Places]:
    """Where the head of a noun phrase stands, that of a verb phrase, that of what follows."""
    following = np.append(tags[1:], np.uint8(EMPTY_TAG))
    noun = NOUN[tags] & ~NOUN[following] & ~JOINT[following]
    goes_on = INSIDE[following] | NOUN[following] | PARTICIPLE[following]
    noun |= PRONOUN[tags] | (HEAD_IF_LAST[tags] & ~goes_on)
    noun &= ~preposition
    modifies = PARTICIPLE[tags] & (INSIDE[following] | NOUN[following])
    phrase = (INSIDE[tags] | NOUN[tags] | PRONOUN[tags] | modifies) & ~preposition
    here = np.arange(len(tags))
    head, end = _first_from(noun), _first_from(~phrase)
    last_word = np.where(end > here, end - 1, here)
    return noun, VERB[tags] & ~VERB[following], np.where(head < end, head, last_word)


def _last_before(mask: Mask) -> Places:
    """For every place the last one before it where the mask holds; -1: none."""
    met = np.maximum.accumulate(np.where(mask, np.arange(len(mask)), -1))
    return np.append(-1, met[:-1])


def _first_from(mask: Mask) -> Places:
    """For every place the first one from there on where the mask holds; behind the end: none."""
    met = np.where(mask, np.arange(len(mask)), len(mask))
    return np.minimum.accumulate(met[::-1])[::-1]


_YEAR = re.compile(r"1\d{3}|20\d\d")
_DECADE = re.compile(r"(?:1\d|20)?\d0s")
_NUMBER = re.compile(r"[\d.,/:%-]+")


def normal_form(word: str) -> str:
    """A word as features know it: small letters; numbers by their kind.

    >>> [normal_form(word) for word in ("The", "1987", "1990s", "17", "2,500", "3rd")]
    ['the', '<year>', '<decade>', '<2 digits>', '<number>', '0rd']
    """
    small = word.lower()
    if not small[:1].isdigit():
        return small
    if _YEAR.fullmatch(small):
        return "<year>"
    if _DECADE.fullmatch(small):
        return "<decade>"
    if _NUMBER.fullmatch(small):
        return f"<{len(small)} digits>" if small.isdecimal() and len(small) < 4 else "<number>"
    return re.sub(r"\d", "0", small)


@lru_cache(maxsize=2**20)
def hash_of(word: str) -> int:
    """Eight bytes that stand for a word: always the same, and never met twice in practice."""
    digest = blake2b(word.encode(errors="surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")
