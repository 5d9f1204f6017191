"""Events of the selection experiment: held-out text, and what models pick at every event.

An event is a place where a writer wrote a preposition. Held-out text is either JSONL with an event
a line, which may be the output of any other tool:

    {"id": "e1", "tokens": ["He", "sat", "on", "it", "."], "target": 2, "written": "on"}

or plain text, prose or tokenised, of which every preposition is an event. `id` may be missing.

Models choose among the 34 prepositions, never "nothing" (Tetreault and Chodorow 2008, section 3.2).
Count, then score: of every choice four numbers are kept, and everything else is made of them.
Sentences are tagged once for all models, and batches are worked on by all cores.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from jurybox.detect.detector import Model, NamedModel, Spot, load, log_odds, name_model
from jurybox.detect.linear_model import LEARNT_MODEL, LinearModel, Scores, probabilities
from jurybox.detect.model_folder import describe_folder
from jurybox.detect.phrases import INFINITIVE
from jurybox.detect.prepositions import NO_CLASS, NONE, class_of
from jurybox.detect.prose import Taken, all_of_it, read_prose, read_tokenised, several
from jurybox.detect.tagging import Sentence, TaggedText, Tagger, find_tagger, tagged_block
from jurybox.engine import cores, in_batches, map_batches
from jurybox.errors import Column, MissingExtraError
from jurybox.formats import File, Input, as_input
from jurybox.formats._io import BOM, BadLines
from jurybox.formats.edits.tokens import tokenize
from jurybox.formats.tables.long_tables import NotJsonError, parse_object
from jurybox.jury.cases.infinitives import is_infinitive

ClassArray = NDArray[np.int8]

#: sentences of a batch: half a second of tagging
BATCH = 500
#: places that are scored at a time: a language model looks at 35 sentences for each
SPOTS = 2000


# --- held-out text ---


class Target(NamedTuple):
    """A token that was written where a preposition is to be chosen."""

    id: str
    place: int


class HeldOutSentence(NamedTuple):
    """A sentence of prose or tokens; without targets, every preposition is one."""

    name: str  # begins the ids of events that are found
    sentence: str | tuple[str, ...]
    targets: tuple[Target, ...] | None = None


def read_held_out(
    sources: File | Sequence[File], *, tokenised: bool = False, taken: Taken = all_of_it
) -> Iterator[HeldOutSentence]:
    """The sentences of files, formats auto-detected; events of one sentence are together."""
    number = 0
    ids: dict[str, str] = {}
    for source in several(sources):
        given = as_input(source).keep()
        if is_events(given):
            yield from _read_events(given, ids)
            continue
        sentences: Iterator[Any] = (read_tokenised if tokenised else read_prose)(given, taken)
        for sentence in sentences:
            number += 1
            yield HeldOutSentence(f"S{number}", sentence if not tokenised else tuple(sentence))


def is_events(given: Input) -> bool:
    """Whether a file begins as JSONL does.

    >>> is_events(Input.from_text('{"tokens": []}')), is_events(Input.from_text("He sat on it."))
    (True, False)
    """
    return given.peek().removeprefix(BOM).lstrip().startswith(b"{")


def _read_events(given: Input, ids: dict[str, str]) -> Iterator[HeldOutSentence]:
    """All events of a file: what is wrong with some of them is told before any is used."""
    bad = BadLines(given.name)
    found: dict[tuple[str, ...], list[Target]] = {}
    for line, text in given.lines(bad):
        if not text.strip():
            continue
        try:
            tokens, target = _read_event(parse_object(text), line, ids)
        except NotJsonError as error:
            bad.add(line, error.message, error.column)
        except _WrongKeyError as error:
            bad.add(line, str(error), Column(title=error.key))
        else:
            ids[target.id] = f"{given.name}:{line}"
            found.setdefault(tokens, []).append(target)
    bad.raise_first()
    for tokens, targets in found.items():
        yield HeldOutSentence("", tokens, tuple(targets))


class _WrongKeyError(Exception):
    """What is wrong with the value of a key."""

    def __init__(self, key: str, message: str) -> None:
        self.key = key
        super().__init__(message)


def _read_event(
    record: dict[str, Any], line: int, ids: dict[str, str]
) -> tuple[tuple[str, ...], Target]:
    name = record.get("id", f"line {line}")
    if not isinstance(name, str) or not name or name != name.strip():
        raise _WrongKeyError("id", f"{_shown(name)} is no id; give a text, or leave the key out")
    tokens = record.get("tokens")
    if not isinstance(tokens, list) or not all(isinstance(token, str) for token in tokens):
        raise _WrongKeyError("tokens", f"{_shown(tokens)} is no list of words; give the sentence")
    if "" in tokens:
        raise _WrongKeyError("tokens", f"token {tokens.index('')} (from 0) is empty; leave it out")
    place = record.get("target")
    if not isinstance(place, int) or isinstance(place, bool) or not 0 <= place < len(tokens):
        raise _WrongKeyError(
            "target",
            f"{_shown(place)} is not a token of the sentence, which has {len(tokens)}; "
            "tokens count from 0",
        )
    written = record.get("written")
    if not isinstance(written, str) or class_of(written) < 0:
        message = "is not one of the 34 prepositions; leave the line out"
        raise _WrongKeyError("written", f"{_shown(written)} {message}")
    if class_of(written) != class_of(tokens[place]):
        message = f"is not token {place} (from 0), which is '{tokens[place]}'; mend either"
        raise _WrongKeyError("written", f"{_shown(written)} {message}")
    if name in ids:
        raise _WrongKeyError("id", f"'{name}' is there before, at {ids[name]}; rename one of them")
    return tuple(tokens), Target(name, place)


def _shown(value: Any) -> str:
    text = "nothing" if value is None else repr(value)
    return text if len(text) <= 40 else f"{text[:39]}…"


# --- what models pick ---


class Picks(NamedTuple):
    """Of every event: what was chosen, and where the writer's word came among all 34."""

    choice: ClassArray
    rank: ClassArray  # of what was written; 0: it was chosen
    chance: NDArray[np.float32]  # probability of the choice
    written_chance: NDArray[np.float32]


def pick(odds: Scores, written: ClassArray, among: Sequence[int] = range(NONE)) -> Picks:
    """The likeliest preposition at every place; of equal ones the first in the alphabet.

    Only the classes `among` are chosen from; what was written is one of them.
    """
    offered = np.full((len(odds), NONE), -np.inf, odds.dtype)
    offered[:, among] = odds[:, among]
    rows = np.arange(len(offered))
    own = offered[rows, written][:, np.newaxis]
    ahead = (offered > own) | ((offered == own) & (np.arange(NONE) < written[:, np.newaxis]))
    choice = offered.argmax(axis=1) if len(offered) else np.empty(0, np.int64)
    chances = probabilities(offered) if len(offered) else np.empty((0, NONE))
    return Picks(
        choice.astype(np.int8),
        ahead.sum(axis=1).astype(np.int8),
        chances[rows, choice].astype(np.float32),
        chances[rows, written].astype(np.float32),
    )


def join_picks(parts: list[Picks]) -> Picks:
    """Those of one batch after another."""
    return Picks(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


class Setup(NamedTuple):
    """What every process needs: the models, and how sentences are tagged."""

    models: tuple[NamedModel, ...]
    tagger: Tagger | None  # None: no model needs one, and none is installed
    cache_folder: Path | None = None
    among: tuple[int, ...] = tuple(range(NONE))  # the classes that are chosen from


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

    def first(self, many: int) -> ScoredEvents:
        """Its first events, and their sentences."""
        last = self.sentence[:many][-1:].tolist()
        return ScoredEvents(
            self.ids[:many],
            self.sentences[: last[0] + 1] if last else [],
            self.sentence[:many],
            self.place[:many],
            self.written[:many],
            tuple(Picks._make(column[:many] for column in one) for one in self.picks),
        )


def set_up(
    folders: Sequence[str],
    *,
    tagger: str | None,
    cache: Callable[[], Path | None],
    finds: bool,
    among: tuple[int, ...] = tuple(range(NONE)),
) -> Setup:
    """Models that can be loaded, and the tagger if one is needed.

    `finds` says that events are to be found, which spaCy does better than words alone; language
    models do without it. `cache` makes the folder for tagged text, where text is tagged.
    """
    learnt = any(describe_folder(one)["format"] == LEARNT_MODEL.format for one in folders)
    found = None
    if learnt or finds:
        try:
            found = find_tagger(tagger)
        except MissingExtraError:
            if learnt or tagger is not None:
                raise
    models = tuple(map(name_model, folders))
    for model in models:
        load(model)  # whatever is wrong with a model is told before the text is read
    return Setup(models, found, cache() if found else None, among)


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
    models = [cast(Model, load(one)) for one in setup.models]
    tags = any(isinstance(one, LinearModel) for one in models)
    finds = any(one.targets is None for one in batch)
    text = None
    if setup.tagger is not None and (tags or finds):
        given: list[Sentence] = [one.sentence for one in batch]
        text = tagged_block(given, setup.tagger, setup.cache_folder)
    tokens: list[list[str]] = []
    ids: list[str] = []
    spots: list[Spot] = []
    for number, one in enumerate(batch):
        if not isinstance(one.sentence, str):
            words = list(one.sentence)
        else:
            words = tokenize(one.sentence) if text is None else text.tokens(number)
        targets = one.targets
        if targets is None:
            targets = tuple(
                Target(f"{one.name}:{place}-{place + 1}", place)
                for place in _prepositions(words, text, number)
            )
        targets = tuple(one for one in targets if class_of(words[one.place]) in setup.among)
        tokens.append(words)
        ids += [target.id for target in targets]
        spots += [Spot(number, target.place, target.place + 1) for target in targets]
    written = np.array([class_of(tokens[spot.sentence][spot.start]) for spot in spots], np.int8)
    parts = [slice(start, start + SPOTS) for start in range(0, max(len(spots), 1), SPOTS)]
    return ScoredEvents(
        ids,
        [tuple(words) for words in tokens],
        np.array([spot.sentence for spot in spots], np.int64),
        np.array([spot.start for spot in spots], np.int64),
        written,
        tuple(
            join_picks(
                [
                    pick(log_odds(one, tokens, spots[part], text), written[part], setup.among)
                    for part in parts
                ]
            )
            for one in models
        ),
    )


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
