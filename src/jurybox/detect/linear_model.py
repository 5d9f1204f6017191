"""A learnt choice among the prepositions: a weight for every feature and class.

Maximum entropy and the averaged perceptron differ in how they learn; what they learn is the same
kind of thing. So both are this model, and everything after training is shared.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import exp
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.detect.features import TEMPLATES
from jurybox.detect.model_folder import (
    DESCRIPTION,
    REMEDY,
    Folder,
    Kind,
    damage_told,
    load_folder,
    save_folder,
)
from jurybox.detect.prepositions import CLASSES, NONE
from jurybox.errors import FormatError

# --- Numbers for features: those that a text has often enough, in the order of their bytes ---

Keys = NDArray[np.uint64]


class FeatureRows(NamedTuple):
    """The known features of many events, end to end, and where each event's begin."""

    ids: NDArray[np.int32]
    starts: NDArray[np.int64]  # and the end of the last

    def __len__(self) -> int:
        return len(self.starts) - 1

    def matrix(self, features: int) -> Any:
        """As a sparse matrix of ones, the way scikit-learn takes it."""
        from scipy.sparse import csr_matrix

        ones = np.ones(len(self.ids), np.float32)
        starts = self.starts.astype(np.int32) if len(self.ids) < 2**31 else self.starts
        return csr_matrix((ones, self.ids, starts), shape=(len(self), features))


def index_features(rows: Keys, least: int) -> Keys:
    """The features that occur in at least so many events, sorted: a feature's place is its number.

    Each template by itself, which needs a fraction of the memory: no two share a feature.
    """
    kept = []
    for column in rows.T:
        keys, times = np.unique(column, return_counts=True)
        kept.append(keys[times >= least])
    return np.sort(np.concatenate(kept)) if kept else np.empty(0, np.uint64)


def look_up(rows: Keys, keys: Keys) -> FeatureRows:
    """Rows of features as numbers; features that nobody knows are left out."""
    if not len(keys):
        return FeatureRows(np.empty(0, np.int32), np.zeros(len(rows) + 1, np.int64))
    numbers = np.empty(rows.shape, np.int32)
    for column in range(rows.shape[1]):
        wanted = rows[:, column]
        # in order of the keys a search stays near the last one: five times as fast on millions
        order = np.argsort(wanted)
        found = np.minimum(np.searchsorted(keys, wanted[order]), len(keys) - 1)
        numbers[order, column] = np.where(keys[found] == wanted[order], found, -1)
    known = numbers >= 0
    starts = np.append(0, np.cumsum(known.sum(axis=1)))
    return FeatureRows(numbers[known], starts)


# --- Probabilities that mean what they say: one number that scales all scores ---
#
# A model fitted to its training text is too sure of itself on other text. The scores are multiplied
# by the number under which events kept aside are likeliest (temperature scaling), which changes no
# choice.

Scores = NDArray[np.float32]
_GOLDEN = 0.6180339887498949
_STEPS = 40
#: of the logarithm of the number
_LOWEST, _HIGHEST = -7.0, 3.0


def probabilities(scores: Scores) -> NDArray[np.float64]:
    """Log odds as probabilities that sum to 1 in every row."""
    raised = np.exp(scores.astype(np.float64) - scores.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))


def log_loss(scores: Scores, classes: NDArray[np.int8]) -> float:
    """The mean surprise, in nats, at what stands there."""
    shifted = scores.astype(np.float64) - scores.max(axis=1, keepdims=True)
    right = shifted[np.arange(len(classes)), classes]
    return float((np.log(np.exp(shifted).sum(axis=1)) - right).mean())


def best_temperature(scores: Scores, classes: NDArray[np.int8]) -> float:
    """The factor with the least log loss, by golden section: the loss has one valley."""
    low, high = _LOWEST, _HIGHEST
    for _ in range(_STEPS):
        left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
        losses = [log_loss(scores * np.float32(exp(at)), classes) for at in (left, right)]
        if losses[0] < losses[1]:
            high = right
        else:
            low = left
    return exp((low + high) / 2)


def figures(scores: Scores, classes: NDArray[np.int8]) -> tuple[float | None, float | None]:
    """How often the preposition that stands there is chosen, and the log loss of all classes."""
    if not len(classes):
        return None, None
    stands = classes != NONE
    right = scores[stands, :NONE].argmax(axis=1) == classes[stands]
    return float(right.mean()) if len(right) else None, log_loss(scores, classes)


LEARNT_MODEL = Kind("jurybox preposition model", 1)
MAXENT, PERCEPTRON = "maxent", "perceptron"
#: events scored at a time: some 70 MB
AT_ONCE = 20_000


class Training(NamedTuple):
    """Where a model comes from: text, tagger, options, and what training came to."""

    sha256: tuple[str, ...]  # of the files of text
    sentences: int
    tokens: int
    tagger: str
    options: Mapping[str, float]
    events: int  # learnt from
    nothing: int  # of these, places without a preposition
    majority: str  # the preposition that stands at most places
    held_out: int  # events kept aside, for the temperature and these figures
    accuracy: float | None  # on them, among the prepositions
    log_loss: float | None  # on them, among all classes, after scaling
    versions: Mapping[str, str]


@dataclass(frozen=True)
class LinearModel:
    """Weights of features, by class; features are known by their eight bytes, in order."""

    learner: str
    keys: Keys
    weights: NDArray[np.float16]  # a row for each feature, a column for each class
    bias: Scores
    temperature: float
    training: Training

    def scores(self, features: Keys) -> Scores:
        """Log odds of every class at every place: rows of features in, rows of classes out."""
        factor = np.float32(self.temperature)
        parts = [
            add_up(self.weights, self.bias, look_up(features[first : first + AT_ONCE], self.keys))
            for first in range(0, len(features), AT_ONCE)
        ]
        return np.concatenate(parts) * factor if parts else np.empty((0, len(CLASSES)), np.float32)


def add_up(weights: NDArray[Any], bias: Scores, rows: FeatureRows) -> Scores:
    """The sum of the weights of each event's features."""
    scores = np.tile(bias.astype(np.float32), (len(rows), 1))
    for first in range(0, len(rows), AT_ONCE):
        bounds = rows.starts[first : first + AT_ONCE + 1]
        met = weights[rows.ids[bounds[0] : bounds[-1]]].astype(np.float32, copy=False)
        filled = np.flatnonzero(np.diff(bounds))  # events without features have no sum
        if len(met):
            sums = np.add.reduceat(met, bounds[filled] - bounds[0])
            scores[first + filled] += sums
    return scores


def save_linear(model: LinearModel, folder: Folder) -> None:
    """Keep a model in a folder, which appears whole or not at all."""
    about = {
        "learner": model.learner,
        "temperature": model.temperature,
        "classes": CLASSES,
        "templates": [" ".join(template) for template in TEMPLATES],
        "training": model.training._asdict(),
    }
    arrays = [
        ("keys", model.keys.astype("<u8", copy=False)),
        ("weights", model.weights.astype("<f2", copy=False)),
        ("bias", model.bias.astype("<f4", copy=False)),
    ]
    save_folder(folder, LEARNT_MODEL, about, arrays)


def load_linear(folder: Folder, *, check: bool = False) -> LinearModel:
    """A model out of its folder, mapped."""
    described, arrays = load_folder(folder, LEARNT_MODEL, check=check)
    path = Path(folder) / DESCRIPTION
    with damage_told(path):
        given = described["training"]
        training = Training(**given)._replace(sha256=tuple(given["sha256"]))
        model = LinearModel(
            described["learner"],
            arrays["keys"],
            arrays["weights"],
            arrays["bias"],
            float(described["temperature"]),
            training,
        )
        asked = (described["classes"], described["templates"])
    if asked != (list(CLASSES), [" ".join(template) for template in TEMPLATES]):
        raise FormatError(
            "was trained with other features or classes than this jurybox has; train the model "
            "again, or use the jurybox that made it",
            path=str(path),
        )
    wanted = (len(model.keys), len(CLASSES))
    if model.weights.shape != wanted or model.bias.shape != wanted[1:]:
        raise FormatError(f"its arrays differ in length; {REMEDY}", path=str(path))
    return model
