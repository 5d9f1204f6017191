"""Labels and raters' habits estimated together, without gold (Dawid and Skene 1979).

Each rater has a confusion matrix: how often they say l where the truth is k. Given the matrices
the truth of each case follows by Bayes' rule; given the truths, the matrices are counted.
Expectation and maximisation alternate, from the shares of votes, until the truths stand still.
Raters are taken to err independently of each other, given the truth.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jurybox.errors import InputError, UsageError
from jurybox.raters.agreement import MISSING
from jurybox.raters.majority import Labelling, Ties, settle
from jurybox.raters.ratings import CodeArray, FloatArray, Ratings, label_counts

#: the logarithm of a probability of 0: a label that a rater never gives makes a truth unlikely
#: beyond any other evidence, but two such truths can still be told apart
LOWEST = 1e-300


class DawidSkene(NamedTuple):
    """The estimates, and whether EM converged."""

    posterior: FloatArray  # [cases, labels]: how probable each label is; nan where nobody judged
    prior: FloatArray  # [labels]: how common each label is
    confusion: FloatArray  # [raters, labels, labels]: rows are truths, level where never met
    iterations: int
    converged: bool
    change: float  # the largest change of a posterior in the last iteration
    log_likelihood: float


def estimate_dawid_skene(
    ratings: Ratings,
    *,
    smoothing: float = 0.0,
    iterations: int = 200,
    tolerance: float = 1e-6,
) -> DawidSkene:
    """Estimate truths and confusion matrices from who said what.

    `smoothing` is added to every cell of the counted confusion matrices. Without it a rater
    who never said l where the truth is k is taken to be unable to. A truth that a rater never met
    tells nothing about them: their row for it is level.

    >>> from jurybox.raters.ratings import ratings_from_codes
    >>> codes = np.array([[0, 0, 1], [1, 1, 0], [0, 0, 1], [1, 1, 1], [0, 0, 0]])
    >>> found = estimate_dawid_skene(ratings_from_codes(codes, 2))
    >>> found.posterior.argmax(axis=1).tolist(), found.converged
    ([0, 1, 0, 1, 0], True)
    """
    if smoothing < 0:
        raise UsageError(f"smoothing must be a number from 0 up, not {smoothing}")
    if iterations < 1:
        raise UsageError(f"at least 1 iteration is needed, not {iterations}")
    if not len(ratings):
        raise InputError("there is no judgment to estimate anything from")
    layout = _lay_out(ratings)
    votes = label_counts(ratings)[layout.judged]
    posterior: FloatArray = votes / votes.sum(axis=1, keepdims=True)
    change, rounds = np.inf, 0
    while change > tolerance and rounds < iterations:
        habits = _count_habits(posterior, layout, smoothing)
        updated, likelihood = _infer_truths(habits, layout)
        change = float(np.abs(updated - posterior).max())
        posterior, rounds = updated, rounds + 1
    return DawidSkene(
        _spread_out(posterior, layout.judged, ratings.cases),
        habits.prior,
        _spell_out(habits, layout, smoothing),
        rounds,
        change <= tolerance,
        change,
        likelihood,
    )


class _Layout(NamedTuple):
    """Judgments sorted by case; cases that nobody judged are left out."""

    judged: CodeArray  # the cases
    answer: CodeArray  # of each judgment: its place in `said`
    said: CodeArray  # answers that occur: rater × labels + label, in order
    starts: CodeArray  # the first judgment of each case
    judgments: CodeArray  # of each case, how many
    raters: int
    labels: int


def _lay_out(ratings: Ratings) -> _Layout:
    order = np.argsort(ratings.case, kind="stable")
    labels = len(ratings.labels)
    said, answer = np.unique(
        ratings.rater[order] * labels + ratings.label[order], return_inverse=True
    )
    judged, starts, judgments = np.unique(
        ratings.case[order], return_index=True, return_counts=True
    )
    return _Layout(judged, answer, said, starts, judgments, len(ratings.raters), labels)


class _Habits(NamedTuple):
    """How raters answer. Most raters give few of many labels: only those are held."""

    prior: FloatArray  # [truths]: how common each is
    met: FloatArray  # [raters, truths]: how often they met it, with the smoothing
    chance: FloatArray  # [answers that occur, truths]: P(answer | truth)


def _count_habits(posterior: FloatArray, layout: _Layout, smoothing: float) -> _Habits:
    columns = [
        np.bincount(layout.answer, np.repeat(truth, layout.judgments), minlength=len(layout.said))
        for truth in posterior.T
    ]
    counted = np.stack(columns, axis=1)
    rater = layout.said // layout.labels
    met = np.full((layout.raters, layout.labels), float(smoothing * layout.labels))
    who, starts = np.unique(rater, return_index=True)
    met[who] += np.add.reduceat(counted, starts, axis=0)
    chance = np.full(counted.shape, 1 / layout.labels)
    np.divide(counted + smoothing, met[rater], out=chance, where=met[rater] > 0)
    return _Habits(posterior.mean(axis=0), met, chance)


def _spell_out(habits: _Habits, layout: _Layout, smoothing: float) -> FloatArray:
    """The confusion matrices with the answers that never occur: [raters, truths, answers]."""
    rest = np.full(habits.met.shape, 1 / layout.labels)
    np.divide(smoothing, habits.met, out=rest, where=habits.met > 0)
    confusion = np.repeat(rest[:, :, np.newaxis], layout.labels, axis=2)
    confusion[layout.said // layout.labels, :, layout.said % layout.labels] = habits.chance
    return confusion


def _infer_truths(habits: _Habits, layout: _Layout) -> tuple[FloatArray, float]:
    """Bayes' rule for all cases, and the logarithm of the likelihood of all judgments."""
    evidence = np.log(np.maximum(habits.chance, LOWEST))
    logs = np.add.reduceat(evidence[layout.answer], layout.starts, axis=0)
    logs += np.log(np.maximum(habits.prior, LOWEST))
    top = logs.max(axis=1, keepdims=True)
    np.exp(logs - top, out=logs)
    total = logs.sum(axis=1, keepdims=True)
    return logs / total, float((np.log(total) + top).sum())


def _spread_out(posterior: FloatArray, judged: CodeArray, cases: int) -> FloatArray:
    everywhere = np.full((cases, posterior.shape[1]), np.nan)
    everywhere[judged] = posterior
    return everywhere


def label_by_posterior(
    posterior: FloatArray, ties: Ties, lots: FloatArray | None = None
) -> Labelling:
    """The most probable label of each case; confidence is its probability.

    >>> found = label_by_posterior(np.array([[0.9, 0.1], [0.5, 0.5]]), Ties("first"))
    >>> found.label.tolist(), found.confidence.tolist()
    ([0, 0], [0.9, 0.5])
    """
    judged = np.asarray(~np.isnan(posterior).any(axis=1))
    found = settle(np.where(judged[:, np.newaxis], posterior, 0.0), judged, ties, lots)
    confidence = np.full(len(posterior), np.nan)
    decided = np.flatnonzero(found.label != MISSING)
    confidence[decided] = posterior[decided, found.label[decided]]
    return found._replace(confidence=confidence)
