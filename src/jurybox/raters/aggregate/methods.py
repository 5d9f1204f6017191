"""One label per case out of many judgments, and how right it is where the answer is known.

By majority, by raters' answers on gold, by packages, or by the model of Dawid and Skene (1979),
which estimates labels and raters' habits together, without gold: each rater has a confusion matrix,
how often they say l where the truth is k. Given the matrices the truth of each case follows by
Bayes' rule; given the truths, the matrices are counted. Expectation and maximisation alternate,
from the shares of votes, until the truths stand still. Raters are taken to err independently of
each other, given the truth.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from itertools import pairwise
from math import nan
from typing import Any, NamedTuple

import numpy as np

from jurybox.counting.histogram import FixedOrder
from jurybox.errors import InputError, MissingExtraError, UsageError
from jurybox.raters.aggregate import CROWDKIT, OWN
from jurybox.raters.agreement import MISSING
from jurybox.raters.majority import (
    Labelling,
    Lots,
    Ties,
    settle,
    take_majority,
    with_confidence,
)
from jurybox.raters.ratings import (
    BoolArray,
    CodeArray,
    Codes,
    FloatArray,
    Ratings,
    label_counts,
    places,
)

#: how many answers the raters' common accuracy weighs in each rater's own
PRIOR_ANSWERS = 2.0
#: the logarithm of a probability of 0: a label that a rater never gives makes a truth unlikely
#: beyond any other evidence, but two such truths can still be told apart
LOWEST = 1e-300


class Aggregate(NamedTuple):
    """A label per case, how it was found, and what the method says of itself."""

    method: str
    labelling: Labelling
    weights: FloatArray | None = None  # gold-weighted: log-odds of each rater
    model: DawidSkene | None = None  # dawid-skene


class GoldAnswers(NamedTuple):
    """What each rater answered where the answer is known: [raters]."""

    answers: CodeArray
    right: CodeArray


class DawidSkene(NamedTuple):
    """The estimates, and whether EM converged."""

    posterior: FloatArray  # [cases, labels]: how probable each label is; nan where nobody judged
    prior: FloatArray  # [labels]: how common each label is
    confusion: FloatArray  # [raters, labels, labels]: rows are truths, level where never met
    iterations: int
    converged: bool
    change: float  # the largest change of a posterior in the last iteration
    log_likelihood: float


class Accuracy(NamedTuple):
    """How many labels are right among the cases with gold that have a label."""

    right: int
    cases: int
    unlabelled: int  # cases with gold that have no label
    value: float


def aggregate(
    ratings: Ratings,
    method: str = "majority",
    *,
    ties: Ties = Ties(),  # noqa: B008 - a frozen value
    lots: Lots | None = None,
    gold: BoolArray | None = None,
    is_gold: BoolArray | None = None,
    smoothing: float = 0.0,
    order: FixedOrder | None = None,
    counts: CodeArray | None = None,
) -> Aggregate:
    """One label per case by a named method.

    `gold` says which labels are right [cases, labels] and `is_gold` for which cases this is known
    (without it: those with a right label); only `gold-weighted` needs them. `smoothing` is for
    `dawid-skene`, and so is the `order` in which cases are added. Ties at random are settled by
    `lots` (`majority.take_majority`). `counts` of labels per case are made unless given.

    >>> from jurybox.raters.ratings import ratings_from_codes
    >>> ratings = ratings_from_codes(np.array([[0, 0, 1], [1, 1, 1]]), 2)
    >>> aggregate(ratings, lots=np.array([0.2, 0.7])).labelling.label.tolist()
    [0, 1]
    """
    if method == "majority":
        votes = label_counts(ratings) if counts is None else counts
        return Aggregate(method, take_majority(votes, ties, lots))
    if method == "gold-weighted":
        if gold is None:
            raise InputError("gold-weighted voting needs cases with known answers; give gold")
        known = np.asarray(gold.any(axis=1)) if is_gold is None else is_gold
        labelling, weights = vote_by_gold(ratings, gold, known, ties=ties, lots=lots)
        return Aggregate(method, labelling, weights=weights)
    if method == "dawid-skene":
        model = estimate_dawid_skene(ratings, smoothing=smoothing, order=order)
        return Aggregate(method, label_by_posterior(model.posterior, ties, lots), model=model)
    raise UsageError(f"the method must be one of {', '.join(OWN)}, not '{method}'")


def label_by_crowdkit(ratings: Ratings, method: str, judged: BoolArray, seed: int) -> Labelling:
    """Labels by one of `CROWDKIT`; confidence is its probability, if it gives one."""
    try:
        import pandas as pd

        kit: Any = import_module("crowdkit.aggregation")
    except ImportError as error:
        raise MissingExtraError(
            f"--method {method} needs crowd-kit: pip install 'jurybox[crowd]'"
        ) from error
    said = pd.DataFrame({"task": ratings.case, "worker": ratings.rater, "label": ratings.label})
    maker = getattr(kit, CROWDKIT[method])
    model = maker(random_state=seed) if method == "mace" else maker()
    label = np.full(ratings.cases, MISSING, dtype=np.int64)
    confidence = np.full(ratings.cases, np.nan)
    shares = model.fit_predict_proba(said)  # a row per case, a column per label
    place = shares.index.to_numpy()
    table = shares.to_numpy(dtype=np.float64)
    best = table.argmax(axis=1)
    label[place] = shares.columns.to_numpy()[best]
    confidence[place] = table[np.arange(len(place)), best]
    return Labelling(
        label, confidence, np.zeros(ratings.cases, dtype=bool), int(np.count_nonzero(~judged))
    )


def count_gold_answers(ratings: Ratings, gold: BoolArray, is_gold: BoolArray) -> GoldAnswers:
    """How many gold cases each rater answered, and how many rightly.

    >>> from jurybox.raters.ratings import ratings_from_codes
    >>> ratings = ratings_from_codes(np.array([[0, 1], [1, 1], [1, 0]]), 2)
    >>> gold = np.array([[True, False], [True, True], [False, False]])
    >>> count_gold_answers(ratings, gold, gold.any(axis=1))
    GoldAnswers(answers=array([2, 2]), right=array([2, 1]))
    """
    asked = is_gold[ratings.case]
    right = asked & gold[ratings.case, ratings.label]
    raters = len(ratings.raters)
    return GoldAnswers(
        np.bincount(ratings.rater[asked], minlength=raters),
        np.bincount(ratings.rater[right], minlength=raters),
    )


def vote_by_gold(
    ratings: Ratings,
    gold: BoolArray,
    is_gold: BoolArray,
    *,
    ties: Ties,
    lots: Lots | None = None,
) -> tuple[Labelling, FloatArray]:
    """Votes weighed by the log-odds of the rater's accuracy on gold, and these weights.

    With q labels, a rater of accuracy a weighs log(a (q - 1) / (1 - a)): the best weights if raters
    err independently and all wrong labels are alike (Nitzan and Paroush 1982 for two). Who is
    worse than chance weighs less than nothing. a is (right + 2 m) / (answers + 2), where m is the
    accuracy of all raters together: a rater without gold answers weighs what the mean rater does.
    An answer on a gold case does not count for the weight that its rater has on that same case, so
    accuracy on gold is not flattered. Confidence is the label's probability by these weights.

    >>> from jurybox.raters.ratings import ratings_from_codes
    >>> codes = np.array([[0, 1, 1]] * 6 + [[1, 0, 0]])
    >>> gold = np.array([[True, False]] * 6 + [[False, False]])
    >>> ratings = ratings_from_codes(codes, 2)
    >>> labelling, weights = vote_by_gold(ratings, gold, gold.any(axis=1), ties=Ties("drop"))
    >>> labelling.label.tolist(), weights.round(2).tolist()
    ([0, 0, 0, 0, 0, 0, 1], [1.64, -2.34, -2.34])
    """
    labels = len(ratings.labels)
    if not is_gold[ratings.case].any():
        raise InputError(
            "no judgment is about a case with a known answer, so no rater has a weight"
        )
    found = count_gold_answers(ratings, gold, is_gold)
    together = (found.right.sum() + 1) / (found.answers.sum() + max(2, labels))
    own = is_gold[ratings.case]
    hit = own & gold[ratings.case, ratings.label]
    answers, right = found.answers[ratings.rater] - own, found.right[ratings.rater] - hit
    weight = _log_odds(right, answers, float(together), labels)
    votes = places(ratings.case, labels, ratings.label)
    flat = np.bincount(votes, weight, minlength=ratings.cases * labels)
    scores = flat.reshape(ratings.cases, labels)
    judged = np.bincount(ratings.case, minlength=ratings.cases) > 0
    labelling = settle(scores, judged, ties, lots)
    likely = np.exp(scores - scores.max(axis=1, keepdims=True))
    likely /= likely.sum(axis=1, keepdims=True)
    weights = _log_odds(found.right, found.answers, float(together), labels)
    return with_confidence(labelling, likely), weights


def trust(found: GoldAnswers, labels: int) -> FloatArray:
    """Each rater's accuracy on gold, drawn towards that of all raters: [raters].

    (right + 2 m) / (answers + 2), m = (all right + 1) / (all answers + labels). It is what
    gold-weighted voting uses, and never 0 or 1.

    >>> trust(GoldAnswers(np.array([8, 0]), np.array([7, 0])), 2).round(2).tolist()
    [0.86, 0.8]
    """
    together = (found.right.sum() + 1) / (found.answers.sum() + max(2, labels))
    return _smoothed(found.right, found.answers, float(together))


def _smoothed(right: CodeArray, answers: CodeArray, together: float) -> FloatArray:
    return np.asarray((right + PRIOR_ANSWERS * together) / (answers + PRIOR_ANSWERS))


def _log_odds(right: CodeArray, answers: CodeArray, together: float, labels: int) -> FloatArray:
    accuracy = _smoothed(right, answers, together)
    return np.asarray(np.log(accuracy * max(1, labels - 1) / (1 - accuracy)))


def check_against_gold(label: CodeArray, gold: BoolArray, is_gold: BoolArray) -> Accuracy:
    """How many labels are among the right ones, of the gold cases that have a label.

    >>> gold = np.array([[True, False], [True, True], [False, True]])
    >>> check_against_gold(np.array([1, 1, -1]), gold, gold.any(axis=1))
    Accuracy(right=1, cases=2, unlabelled=1, value=0.5)
    """
    asked = np.flatnonzero(is_gold & (label != MISSING))
    right = int(np.count_nonzero(gold[asked, label[asked]]))
    unlabelled = int(np.count_nonzero(is_gold)) - len(asked)
    return Accuracy(right, len(asked), unlabelled, right / len(asked) if len(asked) else nan)


# --- the model of Dawid and Skene ---


def estimate_dawid_skene(
    ratings: Ratings,
    *,
    smoothing: float = 0.0,
    iterations: int = 200,
    tolerance: float = 1e-6,
    order: FixedOrder | None = None,
) -> DawidSkene:
    """Estimate truths and confusion matrices from who said what.

    `smoothing` is added to every cell of the counted confusion matrices. Without it a rater
    who never said l where the truth is k is taken to be unable to. A truth that a rater never met
    tells nothing about them: their row for it is level.

    Fractions are added over the cases of each bucket in the `order` given
    (`counting.histogram.fixed_order`), then over buckets: the order of judgments changes no bit.
    Without an order cases are added as they are numbered.

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
    labels = len(ratings.labels)
    numbered = np.arange(ratings.cases)
    layout = lay_out(ratings, order or FixedOrder(numbered, numbered[-1:] + 1))
    change, rounds = np.inf, 0
    found = [part.infer(None) for part in layout.parts]
    while change > tolerance and rounds < iterations:
        habits = habits_of(found, layout, smoothing)
        found = [part.infer(habits) for part in layout.parts]
        change = max(one.change for one in found)
        rounds += 1
    likelihood = sum(one.log_likelihood for one in found)
    everywhere = np.full((ratings.cases, labels), np.nan)
    everywhere[layout.judged] = np.concatenate([part.posterior.T for part in layout.parts])
    # the confusion matrices with the answers that never occur: [raters, truths, answers]
    rest = np.full(habits.met.shape, 1 / labels)
    np.divide(smoothing, habits.met, out=rest, where=habits.met > 0)
    confusion = np.repeat(rest[:, :, np.newaxis], labels, axis=2)
    confusion[layout.said // labels, :, layout.said % labels] = habits.chance
    converged = change <= tolerance
    return DawidSkene(everywhere, habits.prior, confusion, rounds, converged, change, likelihood)


class Inferred(NamedTuple):
    """What the truths of a bucket add up to, how far they moved, and how likely judgments are."""

    truths: FloatArray  # [truths]
    answers: FloatArray  # [answers that occur, truths]
    change: float
    log_likelihood: float


class Bucket:
    """Some cases in order with their judgments: few enough for the processor's cache.

    The truths stay here from round to round; only sums and habits go to and fro.
    """

    def __init__(
        self, answer: CodeArray, sizes: CodeArray, label_of: CodeArray, labels: int
    ) -> None:
        """`answer` of each judgment is a place among those that occur, `sizes` are of each case."""
        self._answer, self._sizes, self._said = answer, sizes, len(label_of)
        self._starts = np.cumsum(sizes) - sizes
        case = np.repeat(np.arange(len(sizes)), sizes)
        votes = np.bincount(places(case, labels, label_of[answer]), minlength=len(sizes) * labels)
        # a row for each truth, so that what is added stands side by side
        self.posterior: FloatArray = np.ascontiguousarray(votes.reshape(-1, labels).T / sizes)

    def infer(self, habits: Habits | None) -> Inferred:
        """Bayes' rule for all cases; without habits the truths are the shares of votes."""
        change, likelihood = np.inf, 0.0
        if habits is not None:
            logs = np.stack(
                [np.add.reduceat(own.take(self._answer), self._starts) for own in habits.evidence]
            )
            logs += np.log(np.maximum(habits.prior, LOWEST))[:, np.newaxis]
            top = logs.max(axis=0)
            logs -= top
            np.exp(logs, out=logs)
            total = logs.sum(axis=0)
            logs /= total
            change = float(np.abs(logs - self.posterior).max())
            likelihood = float((np.log(total) + top).sum())
            self.posterior = logs
        columns = [
            np.bincount(self._answer, np.repeat(truth, self._sizes), minlength=self._said)
            for truth in self.posterior
        ]
        truths = self.posterior.sum(axis=1)
        return Inferred(truths, np.stack(columns, axis=1), change, likelihood)


class Layout(NamedTuple):
    """Judgments in buckets; cases that nobody judged are left out."""

    parts: list[Bucket]
    judged: Codes  # the cases, in the order of the buckets
    said: CodeArray  # answers that occur: rater × labels + label, in order
    raters: int
    labels: int


def lay_out(ratings: Ratings, order: FixedOrder) -> Layout:
    """Cases in order, with their judgments by rater and label."""
    raters, labels = len(ratings.raters), len(ratings.labels)
    rank = np.empty(ratings.cases, dtype=np.uint64)
    rank[order.places] = np.arange(ratings.cases, dtype=np.uint64)
    # sorted as whole numbers of 64 bits, which is many times faster than sorting places
    key = rank[ratings.case]
    for column, width in ((ratings.rater, raters), (ratings.label, labels)):
        key *= np.uint64(width)
        key += column.astype(np.uint32)
    key.sort()
    answer = (key % np.uint64(raters * labels)).astype(np.int64)
    key //= np.uint64(raters * labels)
    sizes = np.bincount(key.view(np.int64), minlength=ratings.cases)
    del key
    met = np.bincount(answer, minlength=raters * labels) > 0
    said = np.flatnonzero(met)
    number = np.cumsum(met) - 1
    cuts = np.unique(np.append(0, np.cumsum(sizes > 0)[order.ends[order.ends > 0] - 1])).tolist()
    judged, sizes = order.places[sizes > 0], sizes[sizes > 0]
    ends = np.append(0, np.cumsum(sizes)).tolist()
    parts = [
        Bucket(number[answer[ends[a] : ends[b]]], sizes[a:b], said % labels, labels)
        for a, b in pairwise(cuts)
    ]
    return Layout(parts, judged, said, raters, labels)


class Habits(NamedTuple):
    """How raters answer. Most raters give few of many labels: only those are held."""

    prior: FloatArray  # [truths]: how common each is
    met: FloatArray  # [raters, truths]: how often they met it, with the smoothing
    chance: FloatArray  # [answers that occur, truths]: P(answer | truth)
    evidence: FloatArray  # [truths, answers that occur]: its logarithm


def habits_of(parts: Sequence[Inferred], layout: Layout, smoothing: float) -> Habits:
    """Raters' habits by the truths of all buckets, added in their order."""
    counted = np.zeros_like(parts[0].answers)
    truths = np.zeros(layout.labels)
    for one in parts:
        counted += one.answers
        truths += one.truths
    rater = layout.said // layout.labels
    met = np.full((layout.raters, layout.labels), float(smoothing * layout.labels))
    who, starts = np.unique(rater, return_index=True)
    met[who] += np.add.reduceat(counted, starts, axis=0)
    chance = np.full(counted.shape, 1 / layout.labels)
    np.divide(counted + smoothing, met[rater], out=chance, where=met[rater] > 0)
    evidence = np.ascontiguousarray(np.log(np.maximum(chance, LOWEST)).T)
    return Habits(truths / len(layout.judged), met, chance, evidence)


def label_by_posterior(posterior: FloatArray, ties: Ties, lots: Lots | None = None) -> Labelling:
    """The most probable label of each case; confidence is its probability.

    >>> found = label_by_posterior(np.array([[0.9, 0.1], [0.5, 0.5]]), Ties("first"))
    >>> found.label.tolist(), found.confidence.tolist()
    ([0, 0], [0.9, 0.5])
    """
    judged = np.asarray(~np.isnan(posterior).any(axis=1))
    found = settle(np.where(judged[:, np.newaxis], posterior, 0.0), judged, ties, lots)
    return with_confidence(found, posterior)
