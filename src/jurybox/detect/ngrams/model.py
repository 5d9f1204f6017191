"""The n-gram language model: sorted arrays, and the scores of many sentences at once.

The probability of a word is that of the longest n-gram of the model which ends in it; for every
longer context that the model knows, its back-off weight is added (Katz 1987; the ARPA format).
All words of all sentences take each step together: one binary search of packed keys per order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from math import nan
from pathlib import Path
from typing import Any, NamedTuple, Protocol

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
from jurybox.detect.ngrams.estimate import NOWHERE, Discounts, Order
from jurybox.detect.ngrams.text import END, START, UNKNOWN, Ids, Vocabulary, encode_query
from jurybox.errors import FormatError

# --- What a language model says of sentences: a logarithm for every word, and perplexity ---


@dataclass(frozen=True)
class Scores:
    """Probabilities of all words, sentence after sentence; the last word of each is its end.

    >>> scores = Scores(np.array([-1.0, -2.0, -3.0]), np.array([False, True, False]),
    ...                 np.array([0, 2, 3]))
    >>> scores.totals.tolist(), scores.of(0).tolist()
    ([-3.0, -3.0], [-1.0, -2.0])
    >>> scores.perplexity(), scores.perplexity(unknown=False), scores.unknown_words
    (100.0, 100.0, 1)
    """

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


class SentenceScorer(Protocol):
    """What scores sentences: our model, or KenLM with one."""

    def score(self, sentences: Iterable[str | Sequence[str]]) -> Scores: ...


def joined_scores(parts: Sequence[Scores]) -> Scores:
    """Scores of sentences one after the other."""
    if not parts:
        return Scores(np.empty(0), np.empty(0, np.bool_), np.zeros(1, np.int64))
    lengths = np.concatenate([np.diff(part.bounds) for part in parts])
    return Scores(
        np.concatenate([part.log10 for part in parts]),
        np.concatenate([part.unknown for part in parts]),
        np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)]),
    )


Rows = NDArray[np.int64]

#: sentences scored together: enough to keep numpy busy, few enough for little memory
BATCH = 20_000


class About(NamedTuple):
    """Where a model comes from, as far as it is known."""

    made_from: str  # "text" or "arpa"
    sha256: tuple[str, ...]  # of the files it was made from
    sentences: int | None = None
    words: int | None = None
    prune: tuple[int, ...] = ()  # n-grams seen at most so often are left out, by order
    discounts: tuple[Discounts, ...] = ()
    fallback_discounts: Discounts | None = None  # what was offered
    versions: tuple[tuple[str, str], ...] = ()  # of the packages that made it


@dataclass(frozen=True)
class NgramModel:
    """An n-gram model with back-off.

    >>> from jurybox.detect.ngrams.training import train_lm_on
    >>> model = train_lm_on(["a cat sat", "a dog sat"], order=2, fallback_discounts=(0.5, 1, 1.5))
    >>> scores = model.score(["a cat sat", "a zebra sat"])
    >>> bool(scores.totals[0] > scores.totals[1]), scores.unknown_words
    (True, 1)
    >>> scores.of(0).round(2).tolist()
    [-0.23, -0.48, -0.2, -0.23]
    """

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
        return joined_scores([self._score_batch(batch) for batch in _batches(sentences)])

    def _score_batch(self, sentences: Sequence[str | Sequence[str]]) -> Scores:
        ids, lengths = encode_query(sentences, self.vocabulary)
        asked = np.flatnonzero(ids != START)
        log10 = word_scores(self.orders, len(self.vocabulary), ids)[asked]
        bounds = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths + 1)])
        return Scores(log10, ids[asked] == UNKNOWN, bounds)


def word_scores(orders: Sequence[Order], vocabulary: int, ids: Ids) -> NDArray[np.float64]:
    """Log10 probability of the word at every position of sentences between marks, end to end."""
    rows = rows_of_ngrams(orders, vocabulary, ids)
    found = orders[0].log10[ids].astype(np.float64)
    for length in range(1, len(orders)):
        # the context of `length` words before a position, and the n-gram of it and the word there
        context, whole = rows[length - 1][:-1], rows[length]
        known = whole != NOWHERE
        backed_off = (context != NOWHERE) & ~known
        ends = found[length:]
        ends[backed_off] += orders[length - 1].backoff[context[backed_off]]
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


def _batches(
    sentences: Iterable[str | Sequence[str]],
) -> Iterator[Sequence[str | Sequence[str]]]:
    waiting = iter(sentences)
    while batch := list(islice(waiting, BATCH)):
        yield batch


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

    >>> from tempfile import TemporaryDirectory
    >>> from jurybox.detect.ngrams.training import train_lm_on
    >>> model = train_lm_on(["a cat sat"], order=2, fallback_discounts=(0.5, 1, 1.5))
    >>> with TemporaryDirectory() as place:
    ...     save_model(model, f"{place}/lm")
    ...     load_model(f"{place}/lm").score(["a cat"]).words
    3
    """
    about = {"order": model.order, "about": _about_to_json(model.about)}
    save_folder(folder, LANGUAGE_MODEL, about, _arrays(model))


def load_model(folder: Folder, *, check: bool = False) -> NgramModel:
    """A model out of its folder, mapped: what is not asked for is not read.

    Kind and length of every array are checked always, every byte with `check`.
    """
    described, arrays = load_folder(folder, LANGUAGE_MODEL, check=check)
    path = Path(folder) / DESCRIPTION
    with damage_told(path):
        about = _about_from_json(described["about"])
        numbers = range(1, described["order"] + 1)
        vocabulary = Vocabulary(arrays[WORDS].tobytes())
        orders = tuple(Order(**{f: arrays[_name(n, f)] for f in FIELDS}) for n in numbers)
    _check_lengths(vocabulary, orders, path)
    return NgramModel(vocabulary, orders, about)


def _arrays(model: NgramModel) -> Iterator[tuple[str, NDArray[Any]]]:
    yield WORDS, np.frombuffer(model.vocabulary.joined, np.uint8)
    for number, order in enumerate(model.orders, 1):
        for column, dtype in FIELDS.items():
            yield _name(number, column), np.ascontiguousarray(getattr(order, column), dtype)


def _name(number: int, field: str) -> str:
    return f"order{number}-{field}"


def _check_lengths(vocabulary: Vocabulary, orders: tuple[Order, ...], path: Path) -> None:
    lengths = [{len(array) for array in order} for order in orders]
    if not orders or lengths[0] != {len(vocabulary)} or any(len(found) > 1 for found in lengths):
        raise FormatError(f"its arrays differ in length; {REMEDY}", path=str(path))


def _about_to_json(about: About) -> dict[str, Any]:
    return {
        **about._asdict(),
        "prune": list(about.prune),
        "discounts": [list(discounts) for discounts in about.discounts],
        "fallback_discounts": about.fallback_discounts and list(about.fallback_discounts),
        "versions": dict(about.versions),
    }


def _about_from_json(given: dict[str, Any]) -> About:
    fallback = given["fallback_discounts"]
    about = About(**given)
    return about._replace(
        sha256=tuple(given["sha256"]),
        prune=tuple(given["prune"]),
        discounts=tuple(Discounts(*discounts) for discounts in given["discounts"]),
        fallback_discounts=fallback and Discounts(*fallback),
        versions=tuple(given["versions"].items()),
    )
