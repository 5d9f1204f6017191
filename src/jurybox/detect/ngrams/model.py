"""The n-gram language model: words as numbers, sorted arrays of n-grams, scores of sentences.

The probability of a word is that of the longest n-gram of the model which ends in it; for every
longer context that the model knows, its back-off weight is added (Katz 1987; the ARPA format).
Stupid back-off (Brants et al. 2007) has one weight for all contexts, known or not; its scores are
relative frequencies and no probabilities.
All words of all sentences take each step together: one binary search of packed keys per order.

A word is what stands between blanks, tabs and other ASCII white space (NUL counts as one): a
no-break space is part of a word, as it is for KenLM. A blank line is a sentence without words.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import log10, nan
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.detect.model_folder import (
    DESCRIPTION,
    REMEDY,
    Folder,
    Kind,
    damage_told,
    load_folder,
    save_folder,
)
from jurybox.engine import in_batches
from jurybox.errors import FormatError

Ids = NDArray[np.int32]
Rows = NDArray[np.int64]

#: the first ids of every vocabulary: any other word, beginning and end of a sentence
UNKNOWN, START, END = 0, 1, 2
MARKS = (b"<unk>", b"<s>", b"</s>")
#: the row of an n-gram that the model does not have
NOWHERE = -1
#: how probabilities are made of counts, and the weight of stupid back-off (Brants et al. 2007)
KNESER_NEY, STUPID_BACKOFF = "kneser-ney", "stupid-backoff"
SMOOTHINGS = (KNESER_NEY, STUPID_BACKOFF)
ALPHA = 0.4
#: what KenLM gives unknown words where a model has no <unk>
LOG10_WITHOUT_UNKNOWN = -100.0
#: sentences scored together: enough to keep numpy busy, few enough for little memory
BATCH = 20_000

# --- words and sentences as numbers ---


class Vocabulary:
    """Words with their ids: the three marks, then all others in the order of their bytes.

    >>> words = Vocabulary.of([b"the", b"cat"])
    >>> words.words[3:], words.ids[b"the"], len(words)
    ([b'cat', b'the'], 4, 5)
    """

    def __init__(self, joined: bytes) -> None:
        """Words as one string, each followed by a line end but the last."""
        self.joined = joined

    @classmethod
    def of(cls, words: Iterable[bytes]) -> Vocabulary:
        """The marks, and these words."""
        return cls(b"\n".join([*MARKS, *sorted(set(words) - set(MARKS))]))

    @cached_property
    def words(self) -> list[bytes]:
        return self.joined.split(b"\n")

    @cached_property
    def ids(self) -> dict[bytes, int]:
        return {word: number for number, word in enumerate(self.words)}

    def __len__(self) -> int:
        return self.joined.count(b"\n") + 1


def unusable_word(words: Iterable[bytes]) -> tuple[int, str] | None:
    r"""The number, from 0, of the first word that no file can hold, and why; None if all are fine.

    >>> unusable_word([b"cat", b"a dog"])
    (1, "'a dog' is not one word: white space in it, or nothing else")
    """
    for number, word in enumerate(words):
        if word.split() != [word] or b"\0" in word:
            shown = word.decode(errors="replace")
            return number, f"'{shown}' is not one word: white space in it, or nothing else"
        try:
            word.decode()
        except UnicodeDecodeError:
            return number, f"the word {word!r} is not UTF-8"
    return None


def split_words(sentence: str | Sequence[str]) -> list[bytes]:
    r"""The words of a sentence given as a string, or as a list of tokens.

    >>> split_words("a  cat\tsat"), split_words(["a", "cat"])
    ([b'a', b'cat', b'sat'], [b'a', b'cat'])
    """
    if isinstance(sentence, str):
        # half a character is no word of any text that was read, and must not stop a query
        return sentence.encode(errors="surrogatepass").replace(b"\0", b" ").split()
    return [token.encode(errors="surrogatepass") for token in sentence]


def between_marks(words: Ids, lengths: NDArray[np.int64]) -> Ids:
    """Sentences end to end with a mark before and after each."""
    ends = np.cumsum(lengths + 2)
    marked = np.empty(len(words) + 2 * len(lengths), np.int32)
    is_word = np.ones(len(marked), np.bool_)
    for places, mark in ((ends - lengths - 2, START), (ends - 1, END)):
        marked[places] = mark
        is_word[places] = False
    marked[is_word] = words
    return marked


def encode_query(
    sentences: Iterable[str | Sequence[str]], vocabulary: Vocabulary
) -> tuple[Ids, NDArray[np.int64]]:
    """Sentences in the words of a vocabulary, and their numbers of words.

    What is written like a mark is an unknown word.
    """
    ids, lengths = array("i"), array("q")
    number_of = vocabulary.ids.get
    for sentence in sentences:
        words = split_words(sentence)
        ids.extend([number_of(word, UNKNOWN) for word in words])
        lengths.append(len(words))
    encoded = np.array(ids, np.int32)
    encoded[encoded <= END] = UNKNOWN
    counted = np.array(lengths, np.int64)
    return between_marks(encoded, counted), counted


# --- What a language model says of sentences: a logarithm for every word, and perplexity ---


@dataclass(frozen=True)
class Scores:
    """Probabilities of all words, sentence after sentence; the last word of each is its end."""

    log10: NDArray[np.float64]
    unknown: NDArray[np.bool_]
    bounds: NDArray[np.int64]  # where each sentence begins, and the number of words

    def __len__(self) -> int:
        """Sentences."""
        return len(self.bounds) - 1

    @property
    def words(self) -> int:
        """Words and ends of sentences."""
        return len(self.log10)

    @property
    def unknown_words(self) -> int:
        return int(self.unknown.sum())

    @property
    def totals(self) -> NDArray[np.float64]:
        """Log10 of the probability of each sentence, its end included."""
        if not len(self):
            return np.empty(0)
        found: NDArray[np.float64] = np.add.reduceat(self.log10, self.bounds[:-1])
        return found

    def of(self, sentence: int) -> NDArray[np.float64]:
        """Log10 of the probability of each word of a sentence, numbered from 0, and of its end."""
        return self.log10[self.bounds[sentence] : self.bounds[sentence + 1]]

    def perplexity(self, *, unknown: bool = True) -> float:
        """10 to the mean of the negative logarithms, with or without unknown words.

        Not a number where no word is left.
        """
        counted = self.log10 if unknown else self.log10[~self.unknown]
        return float(10 ** -counted.mean()) if len(counted) else nan


class Discounts(NamedTuple):
    """What smoothing takes from n-grams of count 1, 2, and 3 or more."""

    one: float
    two: float
    more: float


class Order(NamedTuple):
    """The n-grams of one order, sorted by key.

    An n-gram is known by its beginning: `key = (row of its first n-1 words) * vocabulary + last
    word`. So a key fits into eight bytes whatever the order, an order is one sorted array, and to
    find an n-gram is one binary search per word.
    """

    keys: NDArray[np.int64]
    log10: NDArray[np.float32]  # of the probability of the last word after the others
    backoff: NDArray[np.float32]  # log10 of the weight of shorter contexts; 0 where none

    @property
    def size(self) -> int:
        return len(self.keys)


class About(NamedTuple):
    """Where a model comes from, as far as it is known."""

    made_from: str  # "text", "counts" or "arpa"
    sha256: tuple[str, ...]  # of the files it was made from
    sentences: int | None = None
    words: int | None = None
    prune: tuple[int, ...] = ()  # n-grams seen at most so often are left out, by order
    discounts: tuple[Discounts, ...] = ()
    fallback_discounts: Discounts | None = None  # what was offered
    versions: Mapping[str, str] = MappingProxyType({})  # of the packages that made it
    smoothing: str | None = None  # one of SMOOTHINGS; None where an ARPA file does not tell
    split: float | None = None  # the share of the text that was learnt from, if not all of it


@dataclass(frozen=True)
class NgramModel:
    """An n-gram model with back-off."""

    vocabulary: Vocabulary
    orders: tuple[Order, ...]
    about: About = field(default=About("text", ()))

    @property
    def order(self) -> int:
        """How many words the longest n-gram has."""
        return len(self.orders)

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many n-grams there are of each order."""
        return tuple(order.size for order in self.orders)

    def score(self, sentences: Iterable[str | Sequence[str]]) -> Scores:
        """Log10 probabilities of every word and sentence end; strings are split at white space."""
        unseen = log10(ALPHA) if self.about.smoothing == STUPID_BACKOFF else 0.0
        found, unknown, lengths = [np.empty(0)], [np.empty(0, np.bool_)], [np.zeros(1, np.int64)]
        for batch in in_batches(sentences, BATCH):
            ids, words = encode_query(batch, self.vocabulary)
            asked = np.flatnonzero(ids != START)
            found.append(word_scores(self.orders, len(self.vocabulary), ids, unseen)[asked])
            unknown.append(ids[asked] == UNKNOWN)
            lengths.append(words + 1)
        bounds = np.cumsum(np.concatenate(lengths))
        return Scores(np.concatenate(found), np.concatenate(unknown), bounds)


def word_scores(
    orders: Sequence[Order], vocabulary: int, ids: Ids, unseen: float = 0.0
) -> NDArray[np.float64]:
    """Log10 probability of the word at every position of sentences between marks, end to end.

    `unseen` is the log10 weight of contexts that the model does not have; a context ends where
    its sentence begins.
    """
    rows = rows_of_ngrams(orders, vocabulary, ids)
    found = orders[0].log10[ids].astype(np.float64)
    places = np.arange(len(ids) if unseen else 0)
    words_before = places - np.maximum.accumulate(np.where(ids[: len(places)] == START, places, 0))
    for length in range(1, len(orders)):
        # the context of `length` words before a position, and the n-gram of it and the word there
        context, whole = rows[length - 1][:-1], rows[length]
        known = whole != NOWHERE
        backed_off = (context != NOWHERE) & ~known
        ends = found[length:]
        ends[backed_off] += orders[length - 1].backoff[context[backed_off]]
        if unseen:
            ends[(context == NOWHERE) & (words_before[length:] >= length)] += unseen
        ends[known] = orders[length].log10[whole[known]]
    return found


def rows_of_ngrams(orders: Sequence[Order], vocabulary: int, ids: Ids) -> list[Rows]:
    """For every order the row of the n-gram that begins at each position, or NOWHERE.

    No n-gram goes on after the end of a sentence.
    """
    rows = [ids.astype(np.int64)]
    for above, order in enumerate(orders[1:], 1):
        shorter = rows[-1][:-1]
        found = np.full(len(shorter), NOWHERE)
        known = np.flatnonzero((shorter != NOWHERE) & (ids[above - 1 : -1] != END))
        found[known] = find_rows(order.keys, shorter[known] * vocabulary + ids[above:][known])
        rows.append(found)
    return rows


def find_rows(keys: NDArray[np.int64], wanted: NDArray[np.int64]) -> Rows:
    """The row of each wanted key in sorted keys, or NOWHERE.

    >>> find_rows(np.array([2, 5, 9]), np.array([9, 3, 2])).tolist()
    [2, -1, 0]
    """
    if not len(keys):
        return np.full(len(wanted), NOWHERE)
    # neighbours in the array are looked up one after the other, which spares most of the waiting
    distinct, back = np.unique(wanted, return_inverse=True)
    places = np.minimum(np.searchsorted(keys, distinct), len(keys) - 1)
    places[keys[places] != distinct] = NOWHERE
    return places[back]


# --- A language model in a folder, and out of it ---

LANGUAGE_MODEL = Kind("jurybox n-gram model", 1)
WORDS = "words"
#: arrays of every order, and what they hold
FIELDS: dict[str, np.dtype[Any]] = {
    "keys": np.dtype("<i8"),
    "log10": np.dtype("<f4"),
    "backoff": np.dtype("<f4"),
}


def save_model(model: NgramModel, folder: Folder) -> None:
    """Keep a model in a folder, which appears whole or not at all.

    A model that is there already is replaced; any other folder that is not empty is left alone.
    """
    # tuples become lists in JSON, named or not
    about = {**model.about._asdict(), "versions": dict(model.about.versions)}
    arrays = [(WORDS, np.frombuffer(model.vocabulary.joined, np.uint8))]
    arrays += [
        (f"order{number}-{column}", np.ascontiguousarray(getattr(order, column), dtype))
        for number, order in enumerate(model.orders, 1)
        for column, dtype in FIELDS.items()
    ]
    save_folder(folder, LANGUAGE_MODEL, {"order": model.order, "about": about}, arrays)


def load_model(folder: Folder, *, check: bool = False) -> NgramModel:
    """A model out of its folder, mapped: what is not asked for is not read.

    Kind and length of every array are checked always, every byte with `check`.
    """
    described, arrays = load_folder(folder, LANGUAGE_MODEL, check=check)
    path = Path(folder) / DESCRIPTION
    with damage_told(path):
        given = described["about"]
        fallback = given["fallback_discounts"]
        about = About(**given)._replace(
            sha256=tuple(given["sha256"]),
            prune=tuple(given["prune"]),
            discounts=tuple(Discounts(*discounts) for discounts in given["discounts"]),
            fallback_discounts=fallback and Discounts(*fallback),
        )
        vocabulary = Vocabulary(arrays[WORDS].tobytes())
        orders = tuple(
            Order(*(arrays[f"order{number}-{column}"] for column in FIELDS))
            for number in range(1, described["order"] + 1)
        )
    lengths = [{len(array) for array in order} for order in orders]
    if not orders or lengths[0] != {len(vocabulary)} or any(len(found) > 1 for found in lengths):
        raise FormatError(f"its arrays differ in length; {REMEDY}", path=str(path))
    return NgramModel(vocabulary, orders, about)
