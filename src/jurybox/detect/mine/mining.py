"""How `mine_candidates` works: trigrams, their counts, the rarest, and cases out of them."""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from heapq import nsmallest
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.counting.panels import load_panel
from jurybox.detect.mine import MineCandidates
from jurybox.detect.mine.counts import (
    ORDERS,
    NgramCounts,
    Trigrams,
    Wanted,
    count_in_files,
    count_in_text,
    find_trigrams,
)
from jurybox.detect.mine.result import MinedCandidates, MinedTrigram
from jurybox.detect.ngrams.count_files import counts_inputs
from jurybox.detect.prose import (
    PlacedSentence,
    name_sentences,
    read_placed,
    read_tokens,
    several,
    with_contexts,
)
from jurybox.errors import InputError, collecting_warnings, warn
from jurybox.formats import Input, as_input
from jurybox.jury.cases.constructions import CONSTRUCTIONS
from jurybox.jury.cases.duplicates import Duplicates
from jurybox.jury.cases.infinitives import choose_tagger
from jurybox.model import Case, CaseDescription, CaseSet
from jurybox.options import signature

EXTRANEOUS = "extraneous-preposition"
#: sentences between two reports of progress
STEP = 1000


class ScreenedText(NamedTuple):
    """The text to screen, which is read twice: for its trigrams, and for the sentences chosen."""

    name: str
    inputs: tuple[Input, ...]
    sentences: Callable[[], Iterator[PlacedSentence]]


def mine(call: MineCandidates) -> MinedCandidates:
    """Find trigrams, look up how often they occur elsewhere, and make cases of the rarest."""
    with collecting_warnings() as messages:
        screened = _text_from(call)
        kind, counted, look_up = _counts_from(call)
        _warn_of_the_same(screened.inputs, counted)
        tags = choose_tagger(call.tagger)

        texts = array("q")  # a number for each sentence, the same for the same words

        def tokens() -> Iterator[Sequence[str]]:
            for number, sentence in enumerate(screened.sentences(), 1):
                texts.append(hash(tuple(sentence.tokens)))
                yield sentence.tokens
                if call.progress is not None and not number % STEP:
                    call.progress(STEP)

        found = find_trigrams(tokens(), tags)
        if not len(found.rows):
            raise InputError(f"{screened.name}: no preposition stands between two words there")
        found, duplicates = _settle_duplicates(found, texts, drop=call.duplicates == "drop")
        seen = look_up(found.wanted)
        rarest, rarer = rank_trigrams(
            found, seen, min_count=call.min_count, top=call.top, per_trigram=call.per_trigram
        )
        cases = _cases_of(rarest, screened)
    construction = CONSTRUCTIONS[EXTRANEOUS]
    description = CaseDescription(
        construction=construction.name,
        unit=construction.unit,
        enumeration=f"no random sample: of {construction.enumeration} ({tags.rule}), those "
        "between two words whose trigram is rarest beside what its bigram leads one to expect; "
        f"up to {call.top} trigrams, up to {call.per_trigram} of each",
        origin=f"{screened.name}: {found.screened} sentences",
    )
    return MinedCandidates(
        sentences=found.screened,
        places=len(found.rows),
        duplicates=duplicates,
        distinct=len(found.wanted.trigrams),
        rarer=rarer,
        words_counted=seen.words,
        least=seen.least,
        trigrams=tuple(
            MinedTrigram(*one[:-1], cases=tuple(cases[place].id for place in one.places))
            for one in rarest
        ),
        with_before=sum(bool(cases[place].before) for one in rarest for place in one.places),
        signature=signature(
            "detect",
            task="mine",
            counts=kind,
            min=call.min_count,
            top=call.top,
            each=call.per_trigram,
            to=tags.name,
            duplicates="drop" if call.duplicates == "drop" else None,
        ),
        inputs=(*screened.inputs, *counted),
        warnings=tuple(messages),
        case_set=CaseSet(
            tuple(cases[place] for one in rarest for place in one.places), description
        ),
    )


def _settle_duplicates(
    found: Trigrams, texts: Sequence[int], *, drop: bool
) -> tuple[Trigrams, Duplicates]:
    """Count the places of sentences that stand in the text before, and drop them if asked to."""
    again = np.ones(len(texts), np.bool_)
    again[np.unique(np.asarray(texts), return_index=True)[1]] = False
    kept = ~again[found.sentences]
    duplicates = Duplicates(int((~kept).sum()), drop)
    if drop:  # every trigram stands in the first of its sentences, too
        found = found._replace(
            rows=found.rows[kept], sentences=found.sentences[kept], places=found.places[kept]
        )
    return found, duplicates


def _text_from(call: MineCandidates) -> ScreenedText:
    """The sentences of a text or a panel, named as `derive_cases` names them."""
    if call.text is None:
        loaded = load_panel(call.m2, documents=call.documents, missing_annotator="skipped")
        numbered = partial(zip, loaded.numbers, loaded.panel.sentences, strict=True)
        return ScreenedText(loaded.panel.name, loaded.inputs, lambda: name_sentences(numbered()))
    inputs = tuple(as_input(source).keep() for source in several(call.text))
    placed = None if call.documents is None else as_input(call.documents).keep()
    read = (*inputs, *([placed] if placed else []))
    name = ", ".join(source.name for source in inputs)
    return ScreenedText(name, read, lambda: read_placed(inputs, call.tokenised, placed))


def _counts_from(
    call: MineCandidates,
) -> tuple[str, tuple[Input, ...], Callable[[Wanted], NgramCounts]]:
    """What is counted, by its name in the signature; its files; and a way to count there."""
    if call.counts is None:
        inputs = tuple(map(as_input, several(call.counts_text or ())))
        tokenised = call.counts_tokenised
        kind = "tokens" if tokenised else "prose"
        return kind, inputs, lambda wanted: count_in_text(read_tokens(inputs, tokenised), wanted)
    opened = counts_inputs(several(call.counts), len(ORDERS))
    return "files", opened, lambda wanted: count_in_files(opened, wanted)


def _warn_of_the_same(screened: Sequence[Input], counted: Sequence[Input]) -> None:
    """A text that is counted itself has seen all of its errors."""
    places = {os.path.realpath(one.path) for one in screened if one.rewindable}
    for one in counted:
        if one.rewindable and os.path.realpath(one.path) in places and Path(one.path).exists():
            warn(
                f"{one.name} is screened and counted: its own errors count as seen; count other "
                "text"
            )


def _cases_of(
    trigrams: Sequence[RareTrigram], screened: ScreenedText
) -> dict[tuple[int, int], Case]:
    """The chosen places as cases; the text is read once more, up to the last of them."""
    chosen: dict[int, list[int]] = {}
    for which, place in (where for one in trigrams for where in one.places):
        chosen.setdefault(which, []).append(place)
    last = max(chosen)
    cases = {}
    for number, sentence in enumerate(with_contexts(screened.sentences())):
        for place in chosen.get(number, ()):
            cases[number, place] = sentence.case(place, place + 1, EXTRANEOUS)
        if number == last:
            break
    return cases


# --- Trigrams that are rarer than they should be: candidates of extraneous prepositions ---
#
# Madnani et al. (2011, section 2.1) inspect trigrams "a p b" that the Web 1T corpus does not have,
# or has much less often than the count of "a b" leads one to expect. How the expected count is made
# they do not say. Here it is made as if p could stand between any two words:
#
#     expected = count(a b) × share of p among all words
#     score    = log2((expected + m/2) / (count(a p b) + m/2))
#
# The share makes prepositions comparable: where a common one as of is missing between two words,
# that says much; where a rare one as beyond is missing, little. m is the smallest count that the
# source of the counts keeps (1 for text, 40 for Web 1T). What is missing has a count below m and is
# taken for half of m, so that an expectation that is small beside m cannot make a large score.


class RareTrigram(NamedTuple):
    """A trigram, what counts say about it, and where it stands in the screened text."""

    words: tuple[str, str, str]
    seen: int  # how often it occurs in what was counted
    bigram_seen: int  # the same for the two words without the preposition
    expected: float
    score: float
    occurrences: int  # in the screened text
    places: tuple[tuple[int, int], ...]  # the first of them: sentence and token, from 0


def score_trigrams(
    expected: NDArray[np.float64], counts: NDArray[np.int64], least: int = 1
) -> NDArray[np.float64]:
    """How many times a count would have to double to be what is expected.

    >>> score_trigrams(np.array([15.5, 15.5, 15.5]), np.array([0, 1, 63])).round(2).tolist()
    [5.0, 3.42, -1.99]
    >>> score_trigrams(np.array([15.5]), np.array([0]), least=40).round(2).tolist()
    [0.83]
    """
    half = least / 2
    scores: NDArray[np.float64] = np.log2((expected + half) / (counts + half))
    return scores


def rank_trigrams(
    found: Trigrams, counts: NgramCounts, *, min_count: int, top: int, per_trigram: int
) -> tuple[list[RareTrigram], int]:
    """The trigrams with the highest scores, ties in order of their words; how many are rarer.

    Only those count that are rarer than expected, with a bigram seen at least `min_count` times.
    """
    wanted = found.wanted
    bigrams = counts.bigrams[wanted.bigram_rows()]
    middles = wanted.trigrams // wanted.size**2
    expected = bigrams * (counts.prepositions[middles - 1] / counts.words)
    scores = score_trigrams(expected, counts.trigrams, counts.least)
    rarer = np.flatnonzero((bigrams >= min_count) & (scores > 0))
    if not len(rarer):
        raise InputError(
            "no trigram is rarer than its bigram leads one to expect; count more text, or ask for "
            f"less than --min-count {min_count}"
        )
    chosen = nsmallest(top, rarer.tolist(), key=lambda row: (-scores[row], wanted.trigram(row)))
    occurrences = np.bincount(found.rows, minlength=len(wanted.trigrams))
    places: dict[int, list[tuple[int, int]]] = {row: [] for row in chosen}
    is_chosen = np.zeros(len(wanted.trigrams), np.bool_)
    is_chosen[chosen] = True
    for one in np.flatnonzero(is_chosen[found.rows]).tolist():
        met = places[int(found.rows[one])]
        if len(met) < per_trigram:
            met.append((int(found.sentences[one]), int(found.places[one])))
    rarest = [
        RareTrigram(
            words=wanted.trigram(row),
            seen=int(counts.trigrams[row]),
            bigram_seen=int(bigrams[row]),
            expected=float(expected[row]),
            score=float(scores[row]),
            occurrences=int(occurrences[row]),
            places=tuple(places[row]),
        )
        for row in chosen
    ]
    return rarest, len(rarer)
