"""The averaged perceptron (Madnani et al. 2011): one event at a time, weights averaged over time.

An event that is chosen wrongly moves the weights of its features towards the class that stands
there and away from the one that was chosen. The mean over all moments is taken, because the last
weights please the last events too much. With U the sum of all changes, each times the moment it
came at, the mean is W - U / moments: nothing is added up while nothing changes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.detect.feature_index import FeatureRows
from jurybox.detect.linear_model import Scores
from jurybox.detect.ngram_text import Progress
from jurybox.detect.prepositions import CLASSES

#: events between two reports of progress
STEP = 5000


class PerceptronOptions(NamedTuple):
    """Passes over the events, in an order that the seed decides."""

    passes: int = 5
    seed: int = 1


def fit_perceptron(
    rows: FeatureRows,
    classes: NDArray[np.int8],
    features: int,
    options: PerceptronOptions,
    progress: Progress | None = None,
) -> tuple[Scores, Scores]:
    """The averaged weights [features, classes], and the weight of each class by itself.

    >>> rows = FeatureRows(np.array([0, 1], np.int32), np.array([0, 1, 2]))
    >>> weights, _ = fit_perceptron(rows, np.array([3, 7], np.int8), 2, PerceptronOptions())
    >>> weights.argmax(axis=1).tolist()
    [3, 7]
    """
    # the last row is a feature that every event has: the bias
    shape = (features + 1, len(CLASSES))
    state = _State(np.zeros(shape, np.float32), np.zeros(shape, np.float64))
    random = np.random.default_rng(options.seed)
    if progress is not None and hasattr(progress, "expect"):
        progress.expect(options.passes * len(rows), "events")
    for number in range(options.passes):
        order = random.permutation(len(rows))
        _one_pass(rows, classes, order, state._replace(moment=number * len(rows)), progress)
    moments = max(options.passes * len(rows), 1)
    averaged = state.weights - (state.changes / moments).astype(np.float32)
    return averaged[:-1], averaged[-1]


class _State(NamedTuple):
    """Weights as they are now, and the sum of all changes, each times its moment."""

    weights: Scores
    changes: NDArray[np.float64]
    moment: int = 0


def _one_pass(
    rows: FeatureRows,
    classes: NDArray[np.int8],
    order: NDArray[np.int64],
    state: _State,
    progress: Progress | None,
) -> None:
    """One event after the other: each choice depends on the change before, so no array of them."""
    ids, starts, gold = rows.ids, rows.starts.tolist(), classes.tolist()
    weights, changes, first_moment = state
    bias = np.array([len(weights) - 1], np.int32)
    add, take, join = np.add.reduce, weights.take, np.concatenate
    for moment, number in enumerate(order.tolist(), first_moment):
        mine = join((ids[starts[number] : starts[number + 1]], bias))
        chosen = int(add(take(mine, 0), 0).argmax())
        right = gold[number]
        if chosen != right:
            weights[mine, right] += 1
            weights[mine, chosen] -= 1
            changes[mine, right] += moment
            changes[mine, chosen] -= moment
        if progress is not None and not (moment + 1) % STEP:
            progress(STEP, "events")
