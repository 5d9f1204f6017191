"""One label per case out of many judgments: by majority, by raters' gold answers, or by
Dawid and Skene's model; and how right it is where the answer is known.
"""

from __future__ import annotations

from importlib import import_module
from math import nan
from typing import Any, NamedTuple

import numpy as np

from jurybox.errors import InputError, MissingExtraError, UsageError
from jurybox.raters.aggregate import CROWDKIT, OWN
from jurybox.raters.aggregate.dawid_skene import (
    DawidSkene,
    estimate_dawid_skene,
    label_by_posterior,
)
from jurybox.raters.agreement import MISSING
from jurybox.raters.majority import Labelling, Ties, settle, take_majority
from jurybox.raters.ratings import BoolArray, CodeArray, FloatArray, Ratings, label_counts

#: how many answers the raters' common accuracy weighs in each rater's own
PRIOR_ANSWERS = 2.0


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
    lots: FloatArray | None = None,
    gold: BoolArray | None = None,
    is_gold: BoolArray | None = None,
    smoothing: float = 0.0,
) -> Aggregate:
    """One label per case by a named method.

    `gold` says which labels are right [cases, labels] and `is_gold` for which cases this is known
    (without it: those with a right label); only `gold-weighted` needs them. `smoothing` is for
    `dawid-skene`. Ties at random are settled by `lots` (`majority.take_majority`).

    >>> from jurybox.raters.ratings import ratings_from_codes
    >>> ratings = ratings_from_codes(np.array([[0, 0, 1], [1, 1, 1]]), 2)
    >>> aggregate(ratings, lots=np.array([0.2, 0.7])).labelling.label.tolist()
    [0, 1]
    """
    if method == "majority":
        return Aggregate(method, take_majority(label_counts(ratings), ties, lots))
    if method == "gold-weighted":
        if gold is None:
            raise InputError("gold-weighted voting needs cases with known answers; give gold")
        known = np.asarray(gold.any(axis=1)) if is_gold is None else is_gold
        labelling, weights = vote_by_gold(ratings, gold, known, ties=ties, lots=lots)
        return Aggregate(method, labelling, weights=weights)
    if method == "dawid-skene":
        model = estimate_dawid_skene(ratings, smoothing=smoothing)
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
    lots: FloatArray | None = None,
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
    places = ratings.case * labels + ratings.label
    flat = np.bincount(places, weight, minlength=ratings.cases * labels)
    scores = flat.reshape(ratings.cases, labels)
    judged = np.bincount(ratings.case, minlength=ratings.cases) > 0
    labelling = settle(scores, judged, ties, lots)
    likely = np.exp(scores - scores.max(axis=1, keepdims=True))
    likely /= likely.sum(axis=1, keepdims=True)
    confidence = np.full(ratings.cases, nan)
    decided = np.flatnonzero(labelling.label != MISSING)
    confidence[decided] = likely[decided, labelling.label[decided]]
    weights = _log_odds(found.right, found.answers, float(together), labels)
    return labelling._replace(confidence=confidence), weights


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
