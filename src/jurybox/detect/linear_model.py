"""A learnt choice among the prepositions: a weight for every feature and class.

Maximum entropy and the averaged perceptron differ in how they learn; what they learn is the same
kind of thing. So both are this model, and everything after training is shared.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.detect.feature_index import FeatureRows, Keys, look_up
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
from jurybox.detect.prepositions import CLASSES
from jurybox.errors import FormatError

Scores = NDArray[np.float32]

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
    options: tuple[tuple[str, float], ...]
    events: int  # learnt from
    nothing: int  # of these, places without a preposition
    majority: str  # the preposition that stands at most places
    held_out: int  # events kept aside, for the temperature and these figures
    accuracy: float | None  # on them, among the prepositions
    log_loss: float | None  # on them, among all classes, after scaling
    versions: tuple[tuple[str, str], ...]


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
        parts = [self.scores_of(look_up(rows, self.keys)) for rows in _pieces(features)]
        return np.concatenate(parts) if parts else np.empty((0, len(CLASSES)), np.float32)

    def scores_of(self, rows: FeatureRows) -> Scores:
        """The same for features that were looked up."""
        return add_up(self.weights, self.bias, rows) * np.float32(self.temperature)


def add_up(weights: NDArray[Any], bias: Scores, rows: FeatureRows) -> Scores:
    """The sum of the weights of each event's features.

    >>> rows = FeatureRows(np.array([0, 1, 1], np.int32), np.array([0, 2, 2, 3]))
    >>> weights, bias = np.array([[1, 0], [2, 3]], np.float32), np.array([0, 0.5], np.float32)
    >>> add_up(weights, bias, rows).tolist()
    [[3.0, 3.5], [0.0, 0.5], [2.0, 3.5]]
    """
    scores = np.empty((len(rows), weights.shape[1]), np.float32)
    for first in range(0, len(rows), AT_ONCE):
        part = rows.take(first, min(first + AT_ONCE, len(rows)))
        met = weights[part.ids].astype(np.float32, copy=False)
        # a sum from here to there, as a difference of places: events without features have none
        filled = np.diff(part.starts) > 0
        sums = np.zeros((len(part), weights.shape[1]), np.float32)
        if len(met):
            sums[filled] = np.add.reduceat(met, part.starts[:-1][filled])
        scores[first : first + len(part)] = sums + bias
    return scores


def _pieces(features: Keys) -> Iterator[Keys]:
    return (features[first : first + AT_ONCE] for first in range(0, len(features), AT_ONCE))


def save_linear(model: LinearModel, folder: Folder) -> None:
    """Keep a model in a folder, which appears whole or not at all."""
    about = {
        "learner": model.learner,
        "temperature": model.temperature,
        "classes": list(CLASSES),
        "templates": [" ".join(template) for template in TEMPLATES],
        "training": {
            **model.training._asdict(),
            "options": dict(model.training.options),
            "versions": dict(model.training.versions),
        },
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
        training = Training(**given)._replace(
            sha256=tuple(given["sha256"]),
            options=tuple(given["options"].items()),
            versions=tuple(given["versions"].items()),
        )
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
