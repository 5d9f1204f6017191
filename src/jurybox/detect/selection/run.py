"""Models over held-out text, on all cores: sentences are tagged once for all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.detect.detector import Detector, LinearDetector, Spot, ask, load_detector
from jurybox.detect.linear_model import LEARNT_MODEL
from jurybox.detect.model_folder import DESCRIPTION, describe_folder
from jurybox.detect.phrases import INFINITIVE
from jurybox.detect.prepositions import NO_CLASS, class_of
from jurybox.detect.selection.scoring import ClassArray, Picks, join_picks, pick
from jurybox.detect.selection.text import HeldOutSentence
from jurybox.detect.tagging import Sentence, TaggedText, Tagger, find_tagger, tagged_block
from jurybox.engine.local import cores, in_batches, map_batches
from jurybox.errors import MissingExtraError
from jurybox.formats import as_input
from jurybox.formats.edits.tokens import tokenize
from jurybox.jury.cases.infinitives import is_infinitive

#: sentences of a batch: half a second of tagging
BATCH = 500
#: places that are scored at a time: a language model looks at 35 sentences for each
SPOTS = 2000


class Setup(NamedTuple):
    """What every process needs: the folders of models, and how sentences are tagged."""

    folders: tuple[str, ...]
    digests: tuple[str, ...]  # of their descriptions: a model may be trained anew meanwhile
    tagger: Tagger | None  # None: no model needs one, and none is installed
    cache_folder: Path | None = None


@dataclass(frozen=True)
class ScoredEvents:
    """Events as columns, and what each model picked."""

    ids: list[str]
    sentences: list[tuple[str, ...]]  # their tokens
    sentence: NDArray[np.int64]  # of every event
    place: NDArray[np.int64]
    written: ClassArray
    picks: tuple[Picks, ...]  # by model

    def __len__(self) -> int:
        return len(self.ids)


def set_up(
    folders: Sequence[str],
    *,
    tagger: str | None,
    cache: Callable[[], Path | None],
    finds: bool,
) -> Setup:
    """Models that can be loaded, and the tagger if one is needed.

    `finds` says that events are to be found, which spaCy does better than words alone; language
    models do without it. `cache` makes the folder for tagged text, where text is tagged.
    """
    learnt = any(describe_folder(one)["format"] == LEARNT_MODEL.format for one in folders)
    digests = tuple(as_input(Path(one) / DESCRIPTION).sha256 for one in folders)
    found = _tagger(tagger, needed=learnt) if learnt or finds else None
    setup = Setup(tuple(folders), digests, found, cache() if found else None)
    detectors_of(setup)  # whatever is wrong with a model is told before the text is read
    return setup


def _tagger(name: str | None, *, needed: bool) -> Tagger | None:
    try:
        return find_tagger(name)
    except MissingExtraError:
        if needed or name is not None:
            raise
        return None


@lru_cache(maxsize=1)
def detectors_of(setup: Setup) -> tuple[Detector, ...]:
    """The models of this process."""
    name = setup.tagger.model if setup.tagger else None
    return tuple(
        load_detector(folder, tagger=name, cache_folder=setup.cache_folder)
        for folder in setup.folders
    )


def score_events(
    sentences: Iterable[HeldOutSentence], setup: Setup, *, jobs: int | None = None
) -> Iterator[ScoredEvents]:
    """The events of sentences, batch by batch, in order."""
    batches = in_batches(sentences, BATCH)
    first = list(islice(batches, 2))
    work = partial(score_batch, setup=setup)
    # a process more is not worth its start for a few sentences
    wanted = (jobs or cores()) if len(first) > 1 else 1
    yield from map_batches(work, chain(first, batches), jobs=wanted)


def score_batch(batch: Sequence[HeldOutSentence], setup: Setup) -> ScoredEvents:
    """The events of some sentences, with what every model picks there."""
    detectors = detectors_of(setup)
    tags = any(isinstance(one, LinearDetector) for one in detectors)
    finds = any(one.targets is None for one in batch)
    text = None
    if setup.tagger is not None and (tags or finds):
        given: list[Sentence] = [one.sentence for one in batch]
        text = tagged_block(given, setup.tagger, setup.cache_folder)
    tokens = [_tokens(one, text, number) for number, one in enumerate(batch)]
    found = list(_targets(batch, tokens, text))
    spots = [Spot(number, place, place + 1) for number, _, place in found]
    written = np.array([class_of(tokens[spot.sentence][spot.start]) for spot in spots], np.int8)
    return ScoredEvents(
        [name for _, name, _ in found],
        [tuple(words) for words in tokens],
        np.array([spot.sentence for spot in spots], np.int64),
        np.array([spot.start for spot in spots], np.int64),
        written,
        tuple(_pick(one, text, tokens, spots, written) for one in detectors),
    )


def join_events(parts: Sequence[ScoredEvents], models: int) -> ScoredEvents:
    """All batches as one; sentences are counted through."""
    before = np.cumsum([0, *(len(part.sentences) for part in parts)])
    shifted = [part.sentence + start for part, start in zip(parts, before, strict=False)]
    return ScoredEvents(
        [name for part in parts for name in part.ids],
        [tokens for part in parts for tokens in part.sentences],
        np.concatenate(shifted),
        np.concatenate([part.place for part in parts]),
        np.concatenate([part.written for part in parts]),
        tuple(join_picks([part.picks[number] for part in parts]) for number in range(models)),
    )


def _tokens(one: HeldOutSentence, text: TaggedText | None, number: int) -> list[str]:
    if not isinstance(one.sentence, str):
        return list(one.sentence)
    return tokenize(one.sentence) if text is None else text.tokens(number)


def _targets(
    batch: Sequence[HeldOutSentence], tokens: Sequence[list[str]], text: TaggedText | None
) -> Iterator[tuple[int, str, int]]:
    """Sentence, id and token of every event."""
    for number, one in enumerate(batch):
        if one.targets is not None:
            for target in one.targets:
                yield number, target.id, target.place
        else:
            for place in _prepositions(tokens[number], text, number):
                yield number, f"{one.name}:{place}-{place + 1}", place


def _prepositions(tokens: list[str], text: TaggedText | None, number: int) -> Iterator[int]:
    """Where a preposition stands; `to` before a verb is none."""
    for place, token in enumerate(tokens):
        if class_of(token) == NO_CLASS:
            continue
        if text is not None:
            before_verb = text.tags[text.starts[number] + place] == INFINITIVE
        else:
            before_verb = token.lower() == "to" and is_infinitive(tokens, place)
        if not before_verb:
            yield place


def _pick(
    detector: Detector,
    text: TaggedText | None,
    tokens: Sequence[list[str]],
    spots: Sequence[Spot],
    written: ClassArray,
) -> Picks:
    parts = [
        pick(
            ask(detector, text, tokens, spots[start : start + SPOTS]),
            written[start : start + SPOTS],
        )
        for start in range(0, max(len(spots), 1), SPOTS)
    ]
    return join_picks(parts)
