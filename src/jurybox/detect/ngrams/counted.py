"""Counted n-grams to a language model, as the language model of Madnani et al. (2011) was made.

Files pass by in pieces, order after order. What is kept of an n-gram is its key and its count,
sorted on disk, so stupid back-off needs memory for the vocabulary and for one piece, however many
n-grams there are. Kneser–Ney needs to look at all of them together, and holds them in memory.

Counts of all n-grams of a text, with a mark before and after each sentence, hold all that modified
Kneser–Ney takes from the text: how often n-grams of the highest order and those that begin a
sentence occur, and how many different words precede all others. So both give the same model. Where
rare n-grams are left out, as in Web 1T, how many occur once, twice, three and four times is not
known: there are no discounts, and the number of words that precede an n-gram is too small.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat
from pathlib import Path
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from jurybox.detect.ngrams.count_files import CountedLines, order_of_folder, read_counted
from jurybox.detect.ngrams.model import (
    END,
    KNESER_NEY,
    MARKS,
    NOWHERE,
    START,
    STUPID_BACKOFF,
    About,
    NgramModel,
    Vocabulary,
    find_rows,
    unusable_word,
)
from jurybox.detect.ngrams.training import (
    LmOptions,
    OrderCounts,
    Smoothing,
    check_options,
    describe,
    smoothed,
    stupid_backoff,
)
from jurybox.engine import Progress
from jurybox.errors import InputError, UsageError
from jurybox.formats import Input

Numbers = NDArray[np.int64]

#: marks as Web 1T writes them
WEB_MARKS = {b"<UNK>": MARKS[0], b"<S>": MARKS[1], b"</S>": MARKS[2]}
#: n-grams that are sorted together in memory, and how many stand for one when runs are merged
RUN, STEP = 1 << 22, 1 << 16


def train_lm_on_counts(
    sources: Sequence[Input],
    scratch: Path,
    *,
    progress: Progress | None = None,
    **options: Unpack[LmOptions],
) -> NgramModel:
    """A model of counted n-grams; its arrays may lie in the folder `scratch`.

    A file in a folder 1gms, 2gms and so on holds n-grams of that order; any other file may hold
    n-grams of all orders, and is read once for each. n-grams that come several times are added up.
    """
    how = check_options(**(LmOptions(smoothing=STUPID_BACKOFF) | options))
    for source in sources:
        if not source.rewindable:
            raise UsageError(f"--counts: {source.name} can be read only once; save it to a file")
    vocabulary, words = _read_words(sources, how.order)
    ids = vocabulary.ids
    ids = {**ids, **{web: ids[mark] for web, mark in WEB_MARKS.items()}}
    keys, times = [np.arange(len(vocabulary))], [words]
    while len(keys) < how.order:
        if progress is not None:
            progress(1, "orders")
        own, seen = _read_order(sources, ids, keys, how, scratch)
        keys.append(own)
        times.append(seen)
    sentences = int(words[START])
    about = About(
        made_from="counts",
        sha256=tuple(source.sha256 for source in sources),
        sentences=sentences,
        words=int(words.sum()) - sentences - int(words[END]),
    )
    if how.method == KNESER_NEY:
        counted = list(_adjusted(keys, times, vocabulary))
        return smoothed(counted, vocabulary, how, about)
    names = iter(range(2 * how.order))
    orders = stupid_backoff(
        keys, times, len(vocabulary), lambda parts: _on_disk(scratch / f"{next(names)}", parts)
    )
    return NgramModel(vocabulary, tuple(orders), describe(about, how))


# --- lines of files as numbers ---


def _pieces_of(
    number: int, sources: Sequence[Input]
) -> Iterator[tuple[Input, CountedLines, Numbers]]:
    """The pieces of all files that have n-grams of an order, and which of their lines these are."""
    for source in sources:
        only = order_of_folder(source.name)
        if only not in (None, number):
            continue
        for piece in read_counted(source):
            own = np.flatnonzero(piece.lengths == number)
            if only is not None and len(own) < len(piece.ngrams):
                wrong = int(np.argmax(piece.lengths != number))
                raise source.error(
                    f"'{piece.ngrams[wrong]}' has {piece.lengths[wrong]} words, and the folder "
                    f"{number}gms is for n-grams of {number}; mend the line, or move the file",
                    piece.first + wrong,
                )
            if len(own):
                yield source, piece, own


def _read_words(sources: Sequence[Input], order: int) -> tuple[Vocabulary, Numbers]:
    """The vocabulary, and how often each of its words occurs."""
    seen: Counter[bytes] = Counter()
    for source, piece, own in _pieces_of(1, sources):
        words = [piece.ngrams[row].encode() for row in own]
        if wrong := unusable_word(words):
            raise source.error(f"{wrong[1]}; leave it out", piece.first + int(own[wrong[0]]))
        for word, count in zip(words, piece.counts[own].tolist(), strict=True):
            seen[WEB_MARKS.get(word, word)] += count
    if not seen:
        raise _nothing_of(1, sources, order)
    for mark, web in zip(MARKS[1:], ("<S>", "</S>"), strict=True):
        if mark not in seen:
            raise InputError(
                f"{sources[0].name}: the 1-grams of --counts have no '{web}'; count the marks "
                "before and after sentences as words, as Web 1T does"
            )
    vocabulary = Vocabulary.of(seen)
    return vocabulary, np.array([seen[word] for word in vocabulary.words], np.int64)


def _nothing_of(number: int, sources: Sequence[Input], order: int) -> InputError:
    shown = ", ".join(source.name for source in sources[:3])
    more = ", …" if len(sources) > 3 else ""
    remedy = f", or say --order {number - 1}" if number > 2 else ""
    return InputError(
        f"{shown}{more}: no {number}-grams there; --counts needs n-grams of 1 to {order} words"
        f"{remedy}"
    )


def _read_order(
    sources: Sequence[Input],
    ids: dict[bytes, int],
    orders: Sequence[Numbers],
    how: Smoothing,
    scratch: Path,
) -> tuple[Numbers, Numbers]:
    """The n-grams of the next order, sorted by key, and how often each occurs.

    `ids` are those of words, `orders` the keys of the orders before.
    """
    number = len(orders) + 1
    # Kneser-Ney needs what it leaves out: its weight goes to the others
    limit = how.prune[number - 1] if how.prune and how.method == STUPID_BACKOFF else 0

    def parts() -> Iterator[tuple[Numbers, Numbers]]:
        for source, piece, own in _pieces_of(number, sources):
            often = own[piece.counts[own] > limit]
            yield _keys_of(source, piece, often, ids, orders), piece.counts[often]

    keys, times = sort_on_disk(parts(), scratch / f"{number}")
    if not len(keys):
        raise _nothing_of(number, sources, how.order)
    return keys, times


def _keys_of(
    source: Input,
    piece: CountedLines,
    own: Numbers,
    ids: dict[bytes, int],
    orders: Sequence[Numbers],
) -> Numbers:
    """The keys of lines; the words and beginnings of n-grams must be n-grams themselves."""

    def refuse(wrong: NDArray[np.bool_], message: str) -> None:
        if wrong.any():
            place = int(own[int(np.argmax(wrong))])
            shown = f"'{piece.ngrams[place]}': {message}"
            raise source.error(shown, piece.first + place)

    words = " ".join([piece.ngrams[row] for row in own]).encode().split(b" ") if len(own) else []
    found = np.fromiter(map(ids.get, words, repeat(NOWHERE)), np.int64, len(words))
    table = found.reshape(-1, len(orders) + 1)
    refuse(
        (table == NOWHERE).any(axis=1),
        "a word of it is not among the 1-grams; add it there, or leave the line out",
    )
    refuse(
        (table[:, 1:] == START).any(axis=1) | (table[:, :-1] == END).any(axis=1),
        "a sentence begins or ends inside of it; count the n-grams of each sentence by itself",
    )
    rows, size = table[:, 0], len(orders[0])
    for column, keys in enumerate(orders[1:], 1):
        rows = find_rows(keys, rows * size + table[:, column])
        refuse(
            rows == NOWHERE,
            f"its first {column + 1} words are not among the {column + 1}-grams, or pruned; add "
            "them there, or leave the line out",
        )
    keys_found: Numbers = rows * size + table[:, -1]
    return keys_found


# --- arrays larger than memory ---


def sort_on_disk(parts: Iterable[tuple[Numbers, Numbers]], place: Path) -> tuple[Numbers, Numbers]:
    """Keys sorted, counts of equal keys added up, in files that begin with `place`.

    Sorted runs are written as they come. Then keys in regular distances cut all runs into pieces
    that fit into memory, and what lies between two cuts is sorted together.
    """
    runs: list[Numbers] = []  # a row of keys, a row of counts
    waiting: list[tuple[Numbers, Numbers]] = []

    def write_run() -> None:
        path = place.with_name(f"{place.name}-run{len(runs)}.npy")
        np.save(path, np.stack(_added_up(waiting)))
        runs.append(np.load(path, mmap_mode="r"))
        waiting.clear()

    for part in parts:
        waiting.append(part)
        if sum(len(keys) for keys, _ in waiting) >= RUN:
            write_run()
    if waiting:
        write_run()
    marks = np.sort(np.concatenate([np.empty(0, np.int64), *(run[0, ::STEP] for run in runs)]))
    cuts = np.unique(marks[:: RUN // STEP])[1:]
    bounds = [[0, *np.searchsorted(run[0], cuts).tolist(), run.shape[1]] for run in runs]
    columns = [place.with_name(f"{place.name}-{name}") for name in ("keys", "times")]
    with columns[0].open("wb") as keys_out, columns[1].open("wb") as times_out:
        for piece in range(len(cuts) + 1):
            between = [slice(*edges[piece : piece + 2]) for edges in bounds]
            both = _added_up([tuple(run[:, one]) for run, one in zip(runs, between, strict=True)])
            for column, out in zip(both, (keys_out, times_out), strict=True):
                column.tofile(out)
    return _mapped(columns[0], np.int64), _mapped(columns[1], np.int64)


def _added_up(parts: Sequence[tuple[Numbers, ...]]) -> tuple[Numbers, Numbers]:
    """Sorted keys, none twice, with the sums of their counts."""
    if not parts:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    keys, counts = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    distinct, rows = np.unique(keys, return_inverse=True)
    totals = np.zeros(len(distinct), np.int64)
    np.add.at(totals, rows, counts)
    return distinct, totals


def _on_disk(path: Path, parts: Iterable[NDArray[np.float32]]) -> NDArray[np.float32]:
    """An array of its blocks, in a file."""
    with path.open("wb") as out:
        for part in parts:
            part.tofile(out)
    return _mapped(path, np.float32)


def _mapped(path: Path, kind: type[Any]) -> NDArray[Any]:
    # an empty file cannot be mapped
    return np.memmap(path, kind, "r") if path.stat().st_size else np.empty(0, kind)


# --- counts as Kneser-Ney takes them ---


def _adjusted(
    keys: Sequence[Numbers], times: Sequence[Numbers], vocabulary: Vocabulary
) -> Iterator[OrderCounts]:
    """How many different words precede each n-gram, from the counts of one word more."""
    size = len(vocabulary)
    first_words = keys[0]
    suffixes: Numbers = np.zeros(size, np.int64)
    for number in range(1, len(keys)):
        contexts, last = np.divmod(keys[number], size)
        # the end of an n-gram is the end of its beginning, and the last word
        ends = (
            last if number == 1 else find_rows(keys[number - 1], suffixes[contexts] * size + last)
        )
        if (ends == NOWHERE).any():
            raise InputError(_lacks_end(keys, int(np.argmin(ends)), number + 1, vocabulary))
        counts = np.bincount(ends, minlength=len(keys[number - 1]))
        begins = first_words == START
        counts[begins] = times[number - 1][begins] if number > 1 else 0  # nothing predicts <s>
        yield OrderCounts(keys[number - 1], counts, times[number - 1], suffixes)
        first_words, suffixes = first_words[contexts], ends
    yield OrderCounts(keys[-1], times[-1], times[-1], suffixes)


def _lacks_end(keys: Sequence[Numbers], row: int, number: int, vocabulary: Vocabulary) -> str:
    words: list[str] = []
    for own in reversed(keys[:number]):
        row, last = divmod(int(own[row]), len(vocabulary))
        words.insert(0, vocabulary.words[last].decode())
    return (
        f"--counts have the {number}-gram '{' '.join(words)}' and not the {number - 1}-gram "
        f"'{' '.join(words[1:])}': n-grams are left out, so Kneser-Ney cannot be used; "
        "take --lm-smoothing stupid-backoff"
    )
