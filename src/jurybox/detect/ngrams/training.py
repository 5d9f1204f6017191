"""Text to a language model: sentences are encoded, n-grams counted, probabilities smoothed.

Counts that somebody else made come from `counted.py`; from there on both go the same way.

Interpolated modified Kneser–Ney, from counts to probabilities and back-off weights:

Chen and Goodman (1998), *An empirical study of smoothing techniques for language modeling*,
section 3; with Heafield et al. (2013), *Scalable modified Kneser-Ney language model estimation*,
section 3 for what the former leaves open:

- discounts of an order come from how many of its n-grams have count 1, 2, 3 and 4:
  D(k) = k - (k + 1) t(1) t(k + 1) / ((t(1) + 2 t(2)) t(k)), for k = 1, 2, and 3 or more;
- p(w | h) = (a(h w) - D(a(h w))) / sum of a(h x) + b(h) p(w | h without its first word), where b(h)
  is the sum of the discounts over the same denominator;
- single words are interpolated with the same chance for every word: the vocabulary without
  `<s>`, which nothing predicts, and with `<unk>`, which has a count of 0 and so gets that alone;
- an n-gram that will be left out because it is rare gives its whole count to b(h): its probability
  then is what backing off gives, and the probabilities after h still add up to 1.

Or stupid back-off: Brants et al. (2007), *Large language models in machine translation*, section 4:
S(w | h) = f(h w) / f(h) if h w was seen, else 0.4 S(w | h without its first word); of single words
f(w) / N, with N words and ends of sentences. Scores do not add up to 1. They need no counts of rare
n-grams, which a corpus as Web 1T leaves out.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from typing import NamedTuple, TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from jurybox._version import __version__
from jurybox.detect.ngrams.model import (
    ALPHA,
    END,
    KNESER_NEY,
    LOG10_WITHOUT_UNKNOWN,
    MARKS,
    NOWHERE,
    SMOOTHINGS,
    START,
    STUPID_BACKOFF,
    UNKNOWN,
    About,
    Discounts,
    Ids,
    NgramModel,
    Order,
    Vocabulary,
    between_marks,
    split_words,
    unusable_word,
)
from jurybox.detect.prose import several
from jurybox.engine import Progress
from jurybox.errors import FormatError, InputError, UsageError, unknown_name, warn
from jurybox.formats import File, as_input

Floats = NDArray[np.float64]

ORDER = 4
HIGHEST_ORDER = 9
#: sentences between two reports of progress
STEP = 10_000
#: positions and n-grams are numbered by four bytes
MOST_TOKENS = 2**31 - 1


class LmOptions(TypedDict, total=False):
    """How a model is made of counts, as callers say it; `check_options` has the defaults.

    No n-gram is left out, unless `prune` says up to how many occurrences: `prune=(0, 0, 1, 2)`
    leaves out 3-grams seen once and 4-grams seen once or twice. Discounts of Kneser–Ney come from
    the text. A text too small for that is refused, unless `fallback_discounts` (for n-grams seen
    once, twice, more often) may be used for the orders that need them.
    """

    order: int
    prune: Sequence[int]
    fallback_discounts: Sequence[float] | None
    smoothing: str


def train_lm(
    text: File | Sequence[File], *, progress: Progress | None = None, **options: Unpack[LmOptions]
) -> NgramModel:
    """A model of one or several files, tokenised, one sentence per line.

    Nothing is random: the same text gives the same model.
    """
    how = check_options(**options)
    return _train(encode_files(text, progress), how, progress)


def train_lm_on(
    sentences: Iterable[str | Sequence[str]],
    *,
    progress: Progress | None = None,
    **options: Unpack[LmOptions],
) -> NgramModel:
    """The same for sentences in memory or out of a generator, as strings or as lists of tokens."""
    how = check_options(**options)
    return _train(encode_sentences(sentences, progress), how, progress)


class Smoothing(NamedTuple):
    """How a model is made of counts."""

    order: int
    prune: tuple[int, ...]
    fallback: Discounts | None
    method: str


def check_options(
    order: int = ORDER,
    prune: Sequence[int] = (),
    fallback_discounts: Sequence[float] | None = None,
    smoothing: str = KNESER_NEY,
) -> Smoothing:
    """The options, checked."""
    if smoothing not in SMOOTHINGS:
        raise unknown_name("smoothing", smoothing, SMOOTHINGS)
    if not 2 <= order <= HIGHEST_ORDER:
        raise UsageError(f"order {order} cannot be used; give a number from 2 to {HIGHEST_ORDER}")
    kept = tuple(prune)
    if kept and (len(kept) != order or kept[0] or list(kept) != sorted(kept)):
        raise UsageError(
            f"prune={kept} cannot be used; give a number for each of the {order} orders, "
            "0 for the first, none smaller than the one before"
        )
    given = fallback_discounts
    if given is None:
        return Smoothing(order, kept, None, smoothing)
    if smoothing == STUPID_BACKOFF:
        raise UsageError("fallback_discounts are for Kneser-Ney; leave them out, or name it")
    if len(given) != 3 or not all(0 < value <= k for k, value in enumerate(given, 1)):
        raise UsageError(
            f"fallback_discounts={tuple(given)} cannot be used; give three numbers above 0, "
            "of at most 1, 2 and 3"
        )
    return Smoothing(order, kept, Discounts(*map(float, given)), smoothing)


def _train(text: EncodedText, how: Smoothing, progress: Progress | None) -> NgramModel:
    counted = []
    for counts in count_ngrams(text.ids, len(text.vocabulary), how.order):
        counted.append(counts)
        if progress is not None:
            progress(1, "orders")
    about = About("text", text.sha256, text.sentences, text.words)
    return smoothed(counted, text.vocabulary, how, about)


def smoothed(
    counted: Sequence[OrderCounts], vocabulary: Vocabulary, how: Smoothing, about: About
) -> NgramModel:
    """The model of counts that are held in memory."""
    size = len(vocabulary)
    discounts: tuple[Discounts, ...] = ()
    if how.method == KNESER_NEY:
        orders, discounts = estimate(counted, size, how.fallback, how.prune)
    else:
        keys, times = ([getattr(one, name) for one in counted] for name in ("keys", "times"))
        orders = tuple(stupid_backoff(keys, times, size))
    if any(how.prune):
        orders = leave_out_rare(orders, [one.times for one in counted], how.prune, size)
    return NgramModel(vocabulary, orders, describe(about, how, discounts))


def describe(about: About, how: Smoothing, discounts: tuple[Discounts, ...] = ()) -> About:
    """Where a model comes from, and how it was made."""
    return about._replace(
        prune=how.prune,
        discounts=discounts,
        fallback_discounts=how.fallback,
        versions={"jurybox": __version__, "numpy": np.__version__},
        smoothing=how.method,
    )


# --- text as numbers ---


class EncodedText(NamedTuple):
    """Sentences end to end, each between its marks, and where they come from."""

    vocabulary: Vocabulary
    ids: Ids
    sentences: int
    sha256: tuple[str, ...] = ()  # of every file

    @property
    def words(self) -> int:
        """Without the marks."""
        return len(self.ids) - 2 * self.sentences


def encode_files(sources: File | Sequence[File], progress: Progress | None = None) -> EncodedText:
    """Files of tokenised text, one sentence per line, read once."""
    inputs = [as_input(source) for source in several(sources)]
    placed = (
        (source.name, line, split_words(sentence))
        for source in inputs
        for line, sentence in source.lines()
    )
    return _encode(placed, progress)._replace(sha256=tuple(source.sha256 for source in inputs))


def encode_sentences(
    sentences: Iterable[str | Sequence[str]], progress: Progress | None = None
) -> EncodedText:
    """Sentences in memory, or out of a generator; hashed as a file of one per line would be."""
    digest = sha256()

    def placed() -> Iterator[tuple[str, int, list[bytes]]]:
        for number, sentence in enumerate(sentences, 1):
            words = split_words(sentence)
            digest.update(b" ".join(words) + b"\n")
            yield "<memory>", number, words

    return _encode(placed(), progress)._replace(sha256=(digest.hexdigest(),))


def _encode(
    placed: Iterable[tuple[str, int, list[bytes]]], progress: Progress | None
) -> EncodedText:
    """Sentences as they come, each with its file and line."""
    numbers: defaultdict[bytes, int] = defaultdict()  # in order of appearance until all are known
    numbers.default_factory = numbers.__len__
    ids, lengths = array("i"), array("q")
    for name, line, words in placed:
        ids.extend(map(numbers.__getitem__, words))
        lengths.append(len(words))
        for mark in MARKS:
            if mark in numbers:
                raise FormatError(
                    f"'{mark.decode()}' is a mark of language models and cannot be a word of "
                    "the text; write it another way",
                    path=name,
                    line=line,
                )
        if len(ids) + 2 * len(lengths) > MOST_TOKENS:
            raise InputError(f"{name}:{line}: more than {MOST_TOKENS:,} tokens; give less text")
        if progress is not None and not len(lengths) % STEP:
            progress(STEP)
    if not lengths:
        raise InputError("there is no sentence to learn from")
    if wrong := unusable_word(numbers):
        raise InputError(f"{wrong[1]}; give sentences as strings, or clean tokens")
    vocabulary = Vocabulary.of(numbers)
    places = (vocabulary.ids[word] for word in numbers)
    ranks = np.fromiter(places, np.int32, count=len(numbers))
    encoded = ranks[np.frombuffer(ids, np.int32)] if ids else np.empty(0, np.int32)
    marked = between_marks(encoded, np.frombuffer(lengths, np.int64))
    return EncodedText(vocabulary, marked, len(lengths))


# --- every n-gram of a text, counted: sorted arrays of packed keys, one order after the other ---
#
# All positions of the text are sorted at once, order by order; nothing is ever a Python object per
# n-gram. Counts are those of Kneser and Ney (1995) as Chen and Goodman (1998, section 3) and
# Heafield et al. (2013, section 3.2) use them: for the highest order how often the n-gram occurs;
# below it, how many different words precede it. Nothing precedes `<s>`, so an n-gram that begins
# with it keeps how often it occurs.


class OrderCounts(NamedTuple):
    """The n-grams of one order, sorted by key; a row is an n-gram."""

    keys: NDArray[np.int64]
    counts: NDArray[np.integer]  # adjusted, see above
    times: NDArray[np.integer]  # how often the n-gram occurs
    suffixes: NDArray[np.integer]  # row, one order below, of the n-gram without its first word


class _Seen(NamedTuple):
    """The n-grams of one order, and which of them begins at each position of the text."""

    keys: NDArray[np.int64]
    times: NDArray[np.int32]
    places: NDArray[np.int64]  # one position where it occurs
    row_at: Ids  # NOWHERE where a sentence ends too early


def count_ngrams(ids: Ids, vocabulary: int, order: int) -> Iterator[OrderCounts]:
    """Counts of orders 1 to `order`; `ids` are sentences between marks, end to end."""
    places = np.zeros(vocabulary, np.int64)
    places[ids] = np.arange(len(ids))
    times = np.bincount(ids, minlength=vocabulary).astype(np.int32)
    seen = _Seen(np.arange(vocabulary), times, places, ids)
    suffixes = np.zeros(vocabulary, np.int32)
    for above in range(2, order + 1):
        longer = _extend(seen, ids, vocabulary, above)
        # all occurrences of an n-gram end alike: any of its places tells the row of its suffix
        next_suffixes = seen.row_at[longer.places + 1]
        counts = np.bincount(next_suffixes, minlength=len(seen.keys)).astype(np.int32)
        begins = ids[seen.places] == START
        counts[begins] = seen.times[begins]
        if above == 2:
            counts[[UNKNOWN, START]] = 0  # nothing predicts them
        yield OrderCounts(seen.keys, counts, seen.times, suffixes)
        seen, suffixes = longer, next_suffixes
    yield OrderCounts(seen.keys, seen.times, seen.times, suffixes)


def _extend(shorter: _Seen, ids: Ids, vocabulary: int, order: int) -> _Seen:
    """The n-grams of the next order: those before, each with the word after it."""
    rows, last = shorter.row_at[: 1 - order], ids[order - 2 : -1]
    positions = np.flatnonzero((rows != NOWHERE) & (last != END))
    keys = rows[positions].astype(np.int64)
    keys *= vocabulary
    keys += ids[positions + (order - 1)]
    ranking = np.argsort(keys)
    keys = keys[ranking]
    is_new = np.ones(len(keys), np.bool_)
    np.not_equal(keys[1:], keys[:-1], out=is_new[1:])
    firsts = np.flatnonzero(is_new)
    row_at = np.full(len(ids), NOWHERE, np.int32)
    row_at[positions[ranking]] = np.cumsum(is_new, dtype=np.int32) - 1
    times = np.diff(firsts, append=len(keys)).astype(np.int32)
    return _Seen(keys[firsts], times, positions[ranking[firsts]], row_at)


# --- from counts to probabilities and back-off weights ---


def discounts_of(counts: NDArray[np.integer]) -> Discounts | None:
    """The discounts that counts ask for; None if they are too few to tell.

    >>> discounts = discounts_of(np.repeat([1, 2, 3, 4], [50, 20, 10, 5]))
    >>> [round(discount, 4) for discount in discounts]
    [0.5556, 1.1667, 1.8889]
    >>> discounts_of(np.array([1, 1, 2])) is None
    True
    """
    _, *many = np.bincount(np.minimum(counts, 5), minlength=6)[:5].tolist()
    if not all(many):
        return None
    ratio = many[0] / (many[0] + 2 * many[1])
    found = [k - (k + 1) * ratio * many[k] / many[k - 1] for k in (1, 2, 3)]
    usable = all(0 < discount <= k for k, discount in enumerate(found, 1))
    return Discounts(*found) if usable else None


def estimate(
    counted: Iterable[OrderCounts],
    vocabulary: int,
    fallback: Discounts | None = None,
    prune: Sequence[int] = (),
) -> tuple[tuple[Order, ...], tuple[Discounts, ...]]:
    """Probabilities and back-off weights of all orders, from the lowest to the highest; discounts.

    `prune` says for each order up to how many occurrences an n-gram will be left out; the rows
    are all here still.
    """
    orders: list[Order] = []
    discounts: list[Discounts] = []
    lower: Floats = np.empty(0)
    for number, counts in enumerate(counted, 1):
        used = discounts_of(counts.counts) or fallback
        if used is None:
            raise InputError(
                f"the text is too small: its {number}-grams are too few to tell how many unseen "
                "ones to expect (or counts leave out the rare ones); give more text, a lower "
                "order, fallback_discounts=(0.5, 1, 1.5), or smoothing='stupid-backoff'"
            )
        taken = np.array([0.0, *used])[np.minimum(counts.counts, 3)]
        if prune and prune[number - 1]:
            taken = np.where(counts.times <= prune[number - 1], counts.counts, taken)
        if number == 1:
            total = counts.counts.sum()
            lower = (counts.counts - taken) / total + taken.sum() / total / (vocabulary - 1)
            lower[START] = 1.0  # as ARPA files have it; it is never asked for
        else:
            contexts = counts.keys // vocabulary  # rows one order below
            totals = np.bincount(contexts, counts.counts, minlength=len(lower))
            given_up = np.bincount(contexts, taken, minlength=len(lower))
            weights = np.ones(len(lower))
            np.divide(given_up, totals, out=weights, where=totals > 0)
            found = counts.counts - taken
            found /= totals[contexts]
            found += weights[contexts] * lower[counts.suffixes]
            lower = found
            orders[-1] = orders[-1]._replace(backoff=_log10(weights))
        orders.append(Order(counts.keys, _log10(lower), np.zeros(len(lower), np.float32)))
        discounts.append(used)
    return tuple(orders), tuple(discounts)


def _log10(values: Floats) -> NDArray[np.float32]:
    # a sum that should be 1 may miss it by the last bit; no logarithm is above 0
    return np.minimum(np.log10(values), 0.0).astype(np.float32)


#: n-grams that are looked at together, where there may be more than memory holds
BLOCK = 1 << 22


def in_memory(parts: Iterator[NDArray[np.float32]]) -> NDArray[np.float32]:
    """Blocks of an array as one."""
    return np.concatenate(list(parts))


def stupid_backoff(
    keys: Sequence[NDArray[np.int64]],
    times: Sequence[NDArray[np.integer]],
    vocabulary: int,
    keep: Callable[[Iterator[NDArray[np.float32]]], NDArray[np.float32]] = in_memory,
) -> Iterator[Order]:
    """Relative frequencies of all orders (Brants et al. 2007), block by block.

    `keep` makes an array of its blocks, in memory or elsewhere. A word that was never counted has a
    score of nearly 0, so that sentences with it can still be compared.
    """
    for number, own in enumerate(keys, 1):
        sizes = [len(own[start : start + BLOCK]) for start in range(0, len(own), BLOCK)]
        weight = np.log10(ALPHA) if number < len(keys) else 0.0
        yield Order(
            own,
            keep(map(_log10, _relative(number, keys, times, vocabulary))),
            keep(np.full(size, weight, np.float32) for size in sizes),
        )


def _relative(
    number: int,
    keys: Sequence[NDArray[np.int64]],
    times: Sequence[NDArray[np.integer]],
    vocabulary: int,
) -> Iterator[Floats]:
    """How often n-grams occur, by how often their beginnings do."""
    if number == 1:
        found = times[0] / (times[0].sum() - times[0][START])
        found[START] = 1.0  # as ARPA files have it; it is never asked for
        yield np.maximum(found, 10**LOG10_WITHOUT_UNKNOWN)
        return
    many = 0
    for start in range(0, len(keys[number - 1]), BLOCK):
        block = slice(start, start + BLOCK)
        contexts = keys[number - 1][block] // vocabulary
        found = times[number - 1][block] / times[number - 2][contexts]
        many += int((found > 1).sum())
        yield found
    if many:
        warn(
            f"{many} {number}-grams were counted more often than their first {number - 1} words; "
            "their score is 1"
        )


# --- Rare n-grams left out of a model, for a smaller one ---
#
# An n-gram occurs at most as often as its beginning and its end. Where no order has a lower limit
# than the one before it, these stay whenever the n-gram stays. What the weights need for that was
# done in the estimate.


def leave_out_rare(
    orders: Sequence[Order],
    times: Sequence[NDArray[np.integer]],
    limits: Sequence[int],
    vocabulary: int,
) -> tuple[Order, ...]:
    """The n-grams that occur more often than the limit of their order; all words stay."""
    kept = [orders[0]]
    new_row = np.arange(orders[0].size)
    for order, seen, limit in zip(orders[1:], times[1:], limits[1:], strict=True):
        stays = np.flatnonzero(seen > limit)
        contexts, words = np.divmod(order.keys[stays], vocabulary)
        keys = new_row[contexts] * vocabulary + words
        kept.append(Order(keys, order.log10[stays], order.backoff[stays]))
        new_row = np.full(order.size, NOWHERE)
        new_row[stays] = np.arange(len(stays))
    return tuple(kept)
