"""A detector: what it thinks of every preposition, and of none, at places of sentences.

All three kinds answer in the same way: log odds of the 34 prepositions and of nothing. What follows
(decisions, the selection experiment) does not ask which kind it is.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import lru_cache
from math import isnan
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.detect.features import Context, extract_features
from jurybox.detect.linear_model import (
    LEARNT_MODEL,
    LinearModel,
    Scores,
    load_linear,
    probabilities,
)
from jurybox.detect.model_folder import DESCRIPTION, Folder, describe_folder
from jurybox.detect.ngrams.model import LANGUAGE_MODEL, NgramModel, load_model
from jurybox.detect.phrases import find_phrases, places_of
from jurybox.detect.prepositions import CLASSES, NONE, class_of
from jurybox.detect.tagging import TaggedText
from jurybox.errors import FormatError, InputError
from jurybox.formats import Input
from jurybox.model import NOTHING
from jurybox.plugins import Plugin, find, told_of

Tokens = Sequence[str]


class Spot(NamedTuple):
    """A place: tokens start to end of a sentence, or the position before a token (both equal)."""

    sentence: int
    start: int
    end: int


#: maximum entropy or perceptron, or a language model
Model = LinearModel | NgramModel


def log_odds(
    model: Model, sentences: Sequence[Tokens], spots: Sequence[Spot], text: TaggedText | None
) -> Scores:
    """A row for every spot, a column for every class; any constant may be added to a row.

    `text` is the sentences with their tags, which a language model does without: it looks at the
    sentence with each preposition in turn, and with none.
    """
    if isinstance(model, LinearModel):
        assert text is not None  # who asks such a model tags the text first
        given = np.array(spots, np.int64).reshape(-1, 3)
        before = places_of(text, given[:, 0], given[:, 1] - 1)
        after = before + 1 + given[:, 2] - given[:, 1]
        return model.scores(extract_features(Context(find_phrases(text), before, after)))
    variants = (variant for spot in spots for variant in _variants(sentences[spot.sentence], spot))
    totals = model.score(variants).totals.reshape(len(spots), len(CLASSES))
    # as small numbers before digits are lost: a sentence may be as unlikely as 1e-300
    nearest = totals - totals.max(axis=1, keepdims=True)
    return np.asarray(nearest * np.log(10), np.float32)


def _variants(tokens: Tokens, spot: Spot) -> list[list[str]]:
    before, after = list(tokens[: spot.start]), list(tokens[spot.end :])
    written = tokens[spot.start] if spot.start < spot.end else ""
    words = [word.capitalize() if written[:1].isupper() else word for word in CLASSES[:NONE]]
    return [*([*before, word, *after] for word in words), [*before, *after]]


def fight(
    odds: Scores, written: NDArray[np.int8], rivals: NDArray[np.bool_] | None = None
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """How sure it is that the best other class beats what was written, and which class that is.

    The score is p(best other) / (p(best other) + p(written)): .5 where both are equally likely.
    That the better one must win by a margin is the threshold of Tetreault and Chodorow (2008).
    Only those classes count that are `rivals`.

    >>> odds = np.full((1, len(CLASSES)), -9, np.float32)
    >>> odds[0, [class_of("at"), class_of("in")]] = np.log([1, 3])
    >>> score, best = fight(odds, np.array([class_of("at")], np.int8))
    >>> round(float(score[0]), 3), CLASSES[best[0]]
    (0.75, 'in')
    """
    chances = probabilities(odds)
    rows = np.arange(len(odds))
    own = chances[rows, written].copy()
    chances[rows, written] = -1.0
    if rivals is not None:
        chances[~rivals] = -1.0
    best = chances.argmax(axis=1)
    rival = chances[rows, best]
    return rival / np.maximum(rival + own, np.finfo(np.float64).tiny), best


def written_class(tokens: Tokens, spot: Spot) -> int:
    """The class of what stands at a spot; -1 for a word or phrase that is no preposition."""
    if spot.start == spot.end:
        return NONE
    return class_of(tokens[spot.start]) if spot.end == spot.start + 1 else -1


def load_folder_model(folder: Folder, *, check: bool = False) -> Model:
    """The model in a folder, of whichever kind; a damaged or foreign folder is refused."""
    found = describe_folder(folder)["format"]
    if found == LEARNT_MODEL.format:
        return load_linear(folder, check=check)
    if found == LANGUAGE_MODEL.format:
        return load_model(folder, check=check)
    raise FormatError(
        f"describes '{found}', which is no detector; train one by jurybox detect train",
        path=str(Path(folder) / DESCRIPTION),
    )


# --- Detectors of other packages: asked about one place at a time, for whatever kind of place ---
#
# Such a detector is anything with
#
#     decide(tokens, start, end)    (score, suggestion) for tokens start to end of a sentence
#
# The score, from 0 to 1, says how sure it is that this is an error; the suggestion is what should
# stand there: "" for nothing, None where it has none. start equals end at a position where
# something may be missing.


class Answer(NamedTuple):
    """How sure it is that a place is an error, and what should stand there."""

    score: float
    suggestion: str | None  # as decisions have it: -NONE- for nothing


def find_detector(name: str) -> Plugin | None:
    """What a package offers by this name; none is taken, for ours have folders."""
    return find("detector", name, ())


class PluginDetector:
    """A detector of a package, its answers checked."""

    def __init__(self, plugin: Plugin) -> None:
        self._plugin = plugin
        self._detector: Any = plugin.load()
        if not callable(getattr(self._detector, "decide", None)):
            raise InputError(f"{plugin} has no decide; a detector has decide(tokens, start, end)")

    def decide(self, tokens: Sequence[str], start: int, end: int) -> Answer:
        """Its answer about one place."""
        with told_of(self._plugin, "failed to decide"):
            score, suggestion = self._detector.decide(list(tokens), start, end)
            score = float(score)
        if isnan(score) or not 0 <= score <= 1:
            raise InputError(f"{self._plugin} gives the score {score:g}; it must be from 0 to 1")
        if suggestion is not None and not isinstance(suggestion, str):
            raise InputError(f"{self._plugin} suggests {suggestion!r}; it must be text, or None")
        return Answer(score, NOTHING if suggestion == "" else suggestion)


class NamedModel(NamedTuple):
    """Which detector: its folder, and the bytes of its description; it may be trained anew.

    A detector of a package has a name instead of a folder, and a version instead of bytes.
    """

    folder: str
    digest: str
    by_package: bool = False


def name_model(folder: str) -> NamedModel:
    """The model that is in a folder now."""
    return NamedModel(os.path.realpath(folder), Input(Path(folder) / DESCRIPTION).sha256)


@lru_cache(maxsize=16)
def load(model: NamedModel) -> Model | PluginDetector:
    """A detector, loaded once in each process."""
    if not model.by_package:
        return load_folder_model(model.folder)
    found = find_detector(model.folder)
    assert found is not None  # it was there when the work began
    return PluginDetector(found)
