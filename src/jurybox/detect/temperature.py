"""Probabilities that mean what they say: one number that scales all scores.

A model fitted to its training text is too sure of itself on other text. The scores are multiplied
by the number under which events kept aside are likeliest (temperature scaling), which changes no
choice.
"""

from __future__ import annotations

from math import exp
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.detect.prepositions import NONE

Scores = NDArray[np.float32]
_GOLDEN = 0.6180339887498949
_STEPS = 40
#: of the logarithm of the number
_LOWEST, _HIGHEST = -7.0, 3.0


def probabilities(scores: Scores) -> NDArray[np.float64]:
    """Log odds as probabilities that sum to 1 in every row.

    >>> probabilities(np.log(np.array([[1, 3]], np.float32))).round(3).tolist()
    [[0.25, 0.75]]
    """
    raised = np.exp(scores.astype(np.float64) - scores.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))


def log_loss(scores: Scores, classes: NDArray[np.int8]) -> float:
    """The mean surprise, in nats, at what stands there."""
    shifted = scores.astype(np.float64) - scores.max(axis=1, keepdims=True)
    right = shifted[np.arange(len(classes)), classes]
    return float((np.log(np.exp(shifted).sum(axis=1)) - right).mean())


def best_temperature(scores: Scores, classes: NDArray[np.int8]) -> float:
    """The factor with the least log loss, by golden section: the loss has one valley.

    >>> scores = np.array([[4, 0], [4, 0], [0, 4], [4, 0]], np.float32)
    >>> factor = best_temperature(scores, np.array([0, 0, 1, 1], np.int8))
    >>> round(float(probabilities(scores * np.float32(factor))[0, 0]), 3)
    0.75
    """
    low, high = _LOWEST, _HIGHEST
    for _ in range(_STEPS):
        left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
        losses = [log_loss(scores * np.float32(exp(at)), classes) for at in (left, right)]
        if losses[0] < losses[1]:
            high = right
        else:
            low = left
    return exp((low + high) / 2)


class Figures(NamedTuple):
    """What a model makes of events it has not seen."""

    accuracy: float | None  # among the prepositions, where one stands
    log_loss: float | None


def figures(scores: Scores, classes: NDArray[np.int8]) -> Figures:
    """How often the preposition that stands there is chosen, and how surprising all classes are."""
    if not len(classes):
        return Figures(None, None)
    stands = classes != NONE
    right = scores[stands, :NONE].argmax(axis=1) == classes[stands]
    return Figures(float(right.mean()) if len(right) else None, log_loss(scores, classes))
