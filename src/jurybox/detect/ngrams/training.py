"""`train_lm`: text to a language model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from jurybox._version import __version__
from jurybox.detect.ngrams.estimate import Discounts, count_ngrams, estimate, leave_out_rare
from jurybox.detect.ngrams.model import About, NgramModel
from jurybox.detect.ngrams.text import EncodedText, encode_files, encode_sentences
from jurybox.errors import UsageError
from jurybox.formats import Source
from jurybox.progress import Progress

ORDER = 4
HIGHEST_ORDER = 9


def train_lm(
    text: Source | Sequence[Source],
    *,
    order: int = ORDER,
    prune: Sequence[int] = (),
    fallback_discounts: Sequence[float] | None = None,
    progress: Progress | None = None,
) -> NgramModel:
    r"""A modified Kneser–Ney model of one or several files, tokenised, one sentence per line.

    Nothing is random: the same text gives the same model. No n-gram is left out, unless `prune`
    says up to how many occurrences: `prune=(0, 0, 1, 2)` leaves out 3-grams seen once and 4-grams
    seen once or twice. Discounts come from the text. A text too small for that is refused, unless
    `fallback_discounts` (for n-grams seen once, twice, more often) may be used for the orders that
    need them.

    >>> from jurybox.formats import Input
    >>> text = Input.from_text("a cat sat\na dog sat\n")
    >>> train_lm(text, order=2, fallback_discounts=(0.5, 1, 1.5)).sizes
    (7, 6)
    """
    options = _checked(order, prune, fallback_discounts)
    return _train(encode_files(text, progress), options, progress)


def train_lm_on(
    sentences: Iterable[str | Sequence[str]],
    *,
    order: int = ORDER,
    prune: Sequence[int] = (),
    fallback_discounts: Sequence[float] | None = None,
    progress: Progress | None = None,
) -> NgramModel:
    """The same for sentences in memory or out of a generator, as strings or as lists of tokens."""
    options = _checked(order, prune, fallback_discounts)
    return _train(encode_sentences(sentences, progress), options, progress)


class _Options(NamedTuple):
    order: int
    prune: tuple[int, ...]
    fallback: Discounts | None


def _train(text: EncodedText, options: _Options, progress: Progress | None) -> NgramModel:
    vocabulary = text.vocabulary
    counted = []
    for counts in count_ngrams(text.ids, len(vocabulary), options.order):
        counted.append(counts)
        if progress is not None:
            progress(1, "orders")
    found = estimate(counted, len(vocabulary), options.fallback, options.prune)
    orders = found.orders
    if any(options.prune):
        times = [counts.times for counts in counted]
        orders = leave_out_rare(orders, times, options.prune, len(vocabulary))
    about = About(
        made_from="text",
        sha256=text.sha256,
        sentences=text.sentences,
        words=text.words,
        prune=options.prune,
        discounts=found.discounts,
        fallback_discounts=options.fallback,
        versions=package_versions(),
    )
    return NgramModel(vocabulary, orders, about)


def package_versions() -> tuple[tuple[str, str], ...]:
    """What a model's numbers may depend on besides its text."""
    return (("jurybox", __version__), ("numpy", np.__version__))


def _checked(
    order: int, prune: Sequence[int], fallback_discounts: Sequence[float] | None
) -> _Options:
    if not 2 <= order <= HIGHEST_ORDER:
        raise UsageError(f"order {order} cannot be used; give a number from 2 to {HIGHEST_ORDER}")
    kept = tuple(prune)
    if kept and (len(kept) != order or kept[0] or list(kept) != sorted(kept)):
        raise UsageError(
            f"prune={kept} cannot be used; give a number for each of the {order} orders, "
            "0 for the first, none smaller than the one before"
        )
    return _Options(order, kept, _as_discounts(fallback_discounts))


def _as_discounts(given: Sequence[float] | None) -> Discounts | None:
    if given is None:
        return None
    if len(given) != 3 or not all(0 < value <= k for k, value in enumerate(given, 1)):
        raise UsageError(
            f"fallback_discounts={tuple(given)} cannot be used; give three numbers above 0, "
            "of at most 1, 2 and 3"
        )
    return Discounts(*map(float, given))
