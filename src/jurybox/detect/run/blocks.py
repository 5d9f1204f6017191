"""A block of sentences before detectors: its cases, and what every detector says of each.

This is what the workers do. Models are named by their folders and loaded once in each process.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.detect.detector import (
    Model,
    NamedModel,
    PluginDetector,
    Spot,
    fight,
    load,
    log_odds,
    written_class,
)
from jurybox.detect.features import empty_places
from jurybox.detect.linear_model import LinearModel
from jurybox.detect.phrases import INFINITIVE, find_phrases, places_of
from jurybox.detect.prepositions import CLASSES, NO_CLASS, NONE
from jurybox.detect.prose import PlacedSentence
from jurybox.detect.run import EXTRANEOUS, MISSING, PREPOSITION, WRONG
from jurybox.detect.tagging import TaggedText, Tagger, tagged_block
from jurybox.jury.cases.constructions import CONSTRUCTIONS, find_places
from jurybox.jury.cases.infinitives import Tokens, choose_tagger
from jurybox.jury.cases.naming import case_id, kind_named
from jurybox.model import NOTHING, Case

#: constructions that a detector of prepositions can decide about; '' is a case that names none
WORDS = ("", PREPOSITION, EXTRANEOUS, WRONG, "token")
POSITIONS = ("", MISSING)
TYPED = "type="
#: the class of every place, where detectors are asked that have classes of their own, or none
ANY = NONE


class BlockRequest(NamedTuple):
    """What is asked of every block."""

    models: tuple[NamedModel, ...]
    tagger: Tagger | None  # tags for detectors that need them
    to: str  # what tells `to` before a verb: tags, or a tagger of `jury/cases/infinitives.py`
    constructions: tuple[str, ...] | None  # None: those of the given cases
    keep_cases: bool
    any_place: bool = False  # no detector of ours is asked, which know prepositions only


#: one detector's scores and suggestions, parallel to the cases of a block; a suggestion is None
#: where a rule says that no preposition can be missing
Answers = tuple[list[float], list[str | None]]


class DecidedBlock(NamedTuple):
    """The cases of a block and what the detectors say of them."""

    sentences: int
    ids: list[str]
    written: list[str]  # '' at a position
    answers: tuple[Answers, ...]
    cases: list[Case]  # where they are kept
    undecided: int  # given cases that no detector of prepositions can decide about


class _Place(NamedTuple):
    """A case to be: where it is, what it is called, and the class of what stands there."""

    spot: Spot
    id: str
    construction: str
    trivial: bool
    written: int


def decide_block(sentences: list[PlacedSentence], request: BlockRequest) -> DecidedBlock:
    """All cases of a block with every model's answers."""
    tokens = [one.tokens for one in sentences]
    text = None
    if request.tagger is not None:
        text = tagged_block([list(words) for words in tokens], request.tagger, None)
    infinitives = _infinitives(sentences, text, request)
    found = [
        place
        for number, (sentence, places) in enumerate(zip(sentences, infinitives, strict=True))
        for place in _places(number, sentence, places, request)
    ]
    places = [place for place in found if place.written != NO_CLASS]
    written = [" ".join(tokens[p.spot.sentence][p.spot.start : p.spot.end]) for p in places]
    answers = tuple(
        _answers(load(model), tokens, places, written, text) for model in request.models
    )
    cases = [
        sentences[sentence].case(start, end, construction, name=name, trivial=trivial)
        for (sentence, start, end), name, construction, trivial, _ in places
        if request.keep_cases
    ]
    return DecidedBlock(
        sentences=len(sentences),
        ids=[place.id for place in places],
        written=written,
        answers=answers,
        cases=cases,
        undecided=len(found) - len(places),
    )


# --- which places are cases ---


def _infinitives(
    sentences: Sequence[PlacedSentence], text: TaggedText | None, request: BlockRequest
) -> Iterator[frozenset[int]]:
    """The places of `to` before a verb, sentence by sentence."""
    if text is None or request.to != "tags":
        yield from choose_tagger(request.to).find(one.tokens for one in sentences)
        return
    for begin, sentence in zip(text.starts.tolist(), sentences, strict=False):
        tags = text.tags[begin : begin + len(sentence.tokens)]
        yield frozenset(np.flatnonzero(tags == INFINITIVE).tolist())


def _places(
    number: int, sentence: PlacedSentence, infinitives: frozenset[int], request: BlockRequest
) -> Iterator[_Place]:
    if sentence.given is not None:
        for case in sentence.given:
            yield _given_place(number, sentence.tokens, case, infinitives, request.any_place)
        return
    found = [
        place
        for name in request.constructions or ()
        for place in find_places(CONSTRUCTIONS[name], sentence.tokens, infinitives)
    ]
    found.sort(key=lambda place: place[:2])  # as jurybox cases has them
    for start, end, construction, trivial in found:
        spot = Spot(number, start, end)
        name = case_id(sentence.name, start, end)
        written = ANY if request.any_place else written_class(sentence.tokens, spot)
        yield _Place(spot, name, construction.name, trivial, written)


def _given_place(
    number: int, tokens: Tokens, case: Case, infinitives: frozenset[int], any_place: bool
) -> _Place:
    """A given case; without a class where it is neither a preposition nor a place for one."""
    start, end = case.start, case.end
    if start is None or end is None or end > len(tokens):
        return _Place(Spot(number, 0, 0), case.id, case.construction, False, NO_CLASS)
    spot = Spot(number, start, end)
    if any_place:
        return _Place(spot, case.id, case.construction, False, ANY)
    if start == end:
        suits = case.construction in POSITIONS
    else:
        suits = case.construction in WORDS or case.construction.startswith(TYPED)
        # whoever calls a `to` a preposition has looked at it
        suits &= case.construction in (PREPOSITION, EXTRANEOUS, WRONG) or start not in infinitives
    written = written_class(tokens, spot) if suits else NO_CLASS
    return _Place(spot, case.id, case.construction, False, written)


# --- what a detector says ---


def _answers(
    detector: Model | PluginDetector,
    sentences: Sequence[Tokens],
    places: Sequence[_Place],
    written: Sequence[str],
    text: TaggedText | None,
) -> Answers:
    scores: list[float] = [0.0] * len(places)
    suggestions: list[str | None] = [None] * len(places)
    if isinstance(detector, PluginDetector):
        for number, place in enumerate(places):
            if not place.trivial:
                sentence, start, end = place.spot
                answer = detector.decide(sentences[sentence], start, end)
                kind = kind_named(place.construction)
                is_other_kind = (
                    kind in ("extraneous", "wrong")
                    and answer.suggestion is not None
                    and (answer.suggestion == NOTHING) != (kind == "extraneous")
                )
                if not is_other_kind:
                    scores[number], suggestions[number] = answer
        return scores, suggestions
    asked = _asked(detector, places, text)
    numbers = np.flatnonzero(asked).tolist()
    if not numbers:
        return scores, suggestions
    spots = [places[number].spot for number in numbers]
    odds = log_odds(detector, sentences, spots, text)
    # where one kind of error is asked about, only no preposition stands against what was written,
    # or only other ones (Madnani et al. 2011: the sentence with the preposition and without it)
    kinds = np.array([kind_named(places[number].construction) for number in numbers])[:, None]
    is_none = np.arange(len(CLASSES)) == NONE
    rivals = np.where(is_none, kinds != "wrong", kinds != "extraneous")
    own = np.array([places[number].written for number in numbers], np.int8)
    for number, score, best in zip(numbers, *fight(odds, own, rivals), strict=True):
        scores[number] = float(score)
        # with a capital where the writer has one
        word = CLASSES[best].capitalize() if written[number][:1].isupper() else CLASSES[best]
        suggestions[number] = NOTHING if best == NONE else word
    return scores, suggestions


def _asked(model: Model, places: Sequence[_Place], text: TaggedText | None) -> NDArray[np.bool_]:
    """Every preposition, and the positions that a preposition could be missing at.

    A detector that learns from tags has met no others. One that knows words only is asked
    everywhere but at trivial positions.
    """
    asked = np.array([not place.trivial for place in places], np.bool_)
    if not isinstance(model, LinearModel) or text is None or not len(places):
        return asked
    phrases = find_phrases(text)
    possible = np.zeros(len(phrases.tags), np.bool_)
    possible[empty_places(phrases)] = True
    spots = np.array([place.spot for place in places], np.int64)
    here = places_of(text, spots[:, 0], spots[:, 1])
    is_word = np.array([place.written != NONE for place in places], np.bool_)
    return asked & (is_word | possible[here])
