"""Raters who should perhaps not count: wrong on gold, at chance, too fast, always the same label.

Records hold one number per rater. They drop nobody by themselves: `dropped_by` applies a rule, and
`compare_without` says what would change. `spammer_scores` finds spammers without gold.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import nan
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.errors import LengthError, UsageError
from jurybox.raters.aggregate.methods import count_gold_answers, trust
from jurybox.raters.agreement import MISSING, Agreement, krippendorff_alpha
from jurybox.raters.majority import Ties, take_majority
from jurybox.raters.ratings import (
    BoolArray,
    CodeArray,
    FloatArray,
    Ratings,
    label_counts,
    without_raters,
)

#: a reason to drop a rater, as it stands in a rule
FLAGS = ("inaccurate", "chance", "fast", "same", "spammer")


@dataclass(frozen=True, slots=True)
class ScreenRule:
    """When a rater is suspicious; who has too few answers is not judged by them."""

    accuracy: float = 0.7  # inaccurate: less than this share of gold answers is right …
    gold_answers: int = 3  # … of at least so many
    chance_level: float = 0.05  # chance: a guesser is as good with at least this probability
    fast_share: float = 1 / 3  # fast: the median time is below this share of the median rater's
    same_judgments: int = 10  # same: one label only, in at least so many judgments …
    same_level: float = 0.01  # … which would happen with less than this probability
    spammer_score: float = 0.05  # spammer: answers hang less than this on the truth …
    spammer_judgments: int = 10  # … by at least so many judgments


class GoldRecord(NamedTuple):
    """What raters did on gold cases: [raters] each; nan where a rater met none."""

    answers: CodeArray
    right: CodeArray
    accuracy: FloatArray
    trust: FloatArray
    guess: FloatArray  # accuracy of giving always the label that is right most often
    p_value: FloatArray  # of a guesser being at least as good


class Pace(NamedTuple):
    """Seconds per judgment: [raters], and the median rater's; nan where not told."""

    median: FloatArray
    typical: float
    timed: CodeArray  # judgments with a time


class OneLabel(NamedTuple):
    """Raters' most frequent label: [raters]."""

    label: CodeArray
    share: FloatArray
    judgments: CodeArray
    p_value: FloatArray  # of giving only this label, if everybody gave labels alike


class WithoutRaters(NamedTuple):
    """What changes when raters are dropped."""

    raters: int
    judgments: int
    alpha_before: Agreement
    alpha_after: Agreement
    changed: CodeArray  # cases whose majority label is another one
    lost: CodeArray  # cases that have no label any more


def check_gold(ratings: Ratings, gold: BoolArray, is_gold: BoolArray) -> GoldRecord:
    """Accuracy and trust of every rater on cases with known answers, and a test against guessing.

    The guesser gives every case the label that is right most often on the gold cases that this
    rater answered, and p is the probability that a guesser with that rate is right at least as
    often (binomial, one-sided). Trust draws accuracy towards the mean (see `aggregate.trust`).

    >>> from jurybox.raters.ratings import ratings_from_codes
    >>> ratings = ratings_from_codes(np.array([[0, 1], [1, 1], [0, 0], [1, 1]]), 2)
    >>> gold = np.array([[True, False], [False, True]] * 2)
    >>> found = check_gold(ratings, gold, gold.any(axis=1))
    >>> found.accuracy.tolist(), found.p_value.tolist()
    ([1.0, 0.75], [0.0625, 0.3125])
    """
    found = count_gold_answers(ratings, gold, is_gold)
    raters, labels = len(ratings.raters), len(ratings.labels)
    asked = is_gold[ratings.case]
    who, case = ratings.rater[asked], ratings.case[asked]
    columns = [np.bincount(who, gold[case, k], minlength=raters) for k in range(labels)]
    best = np.max(columns, axis=0) if columns else np.zeros(raters)
    guess = _share(best, found.answers)
    return GoldRecord(
        found.answers,
        found.right,
        _share(found.right, found.answers),
        trust(found, labels),
        guess,
        binomial_tail(found.right, found.answers, guess),
    )


def binomial_tail(hits: CodeArray, trials: CodeArray, rate: FloatArray) -> FloatArray:
    """The probability of at least so many hits, element by element; nan without trials.

    >>> binomial_tail(np.array([3, 0, 0]), np.array([4, 5, 0]), np.array([0.5, 0.1, 0.5])).tolist()
    [0.3125, 1.0, nan]
    """
    lengths = trials - hits + 1
    place = np.repeat(np.arange(len(hits)), lengths)
    starts = np.cumsum(lengths) - lengths
    k = np.arange(len(place)) - starts[place] + hits[place]
    n, p = trials[place], np.clip(np.nan_to_num(rate), 0.0, 1.0)[place]
    factorials = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, trials.max(initial=0) + 1)))])
    ways = factorials[n] - factorials[k] - factorials[n - k]
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = ways + np.where(k > 0, k * np.log(p), 0) + np.where(n > k, (n - k) * np.log1p(-p), 0)
    tail = np.bincount(place, np.exp(logs), minlength=len(hits))
    tail = np.where(hits <= 0, 1.0, np.minimum(1.0, tail))
    return np.where(trials > 0, np.round(tail, 12), nan)


def measure_pace(ratings: Ratings, seconds: FloatArray) -> Pace:
    """Every rater's median time, and the median of these; `seconds` is that of each judgment.

    >>> from jurybox.raters.ratings import ratings_from_codes
    >>> ratings = ratings_from_codes(np.array([[0, 0], [1, 1]]), 2)
    >>> pace = measure_pace(ratings, np.array([8.0, 1.0, 12.0, nan]))
    >>> pace.median.tolist(), pace.typical
    ([10.0, 1.0], 5.5)
    """
    if len(seconds) != len(ratings):
        raise LengthError(f"there are {len(ratings)} judgments, but {len(seconds)} times")
    told = ~np.isnan(seconds)
    who, time = ratings.rater[told], seconds[told]
    order = np.lexsort((time, who))
    timed = np.bincount(who, minlength=len(ratings.raters))
    starts = np.cumsum(timed) - timed
    median = np.full(len(timed), nan)
    some = np.flatnonzero(timed)
    ordered = time[order]
    low, high = starts[some] + (timed[some] - 1) // 2, starts[some] + timed[some] // 2
    median[some] = (ordered[low] + ordered[high]) / 2
    return Pace(median, float(np.median(median[some])) if len(some) else nan, timed)


def find_one_label(ratings: Ratings) -> OneLabel:
    """Every rater's most frequent label, and how surprising it is to give nothing else.

    Where 95 of 100 judgments are ok, ten times ok is no surprise: p is the label's share in all
    judgments, to the power of the number of judgments.

    >>> from jurybox.raters.ratings import ratings_from_codes
    >>> ratings = ratings_from_codes(np.array([[0, 1], [0, 0], [0, 1]]), 2)
    >>> found = find_one_label(ratings)
    >>> found.share.round(2).tolist(), found.p_value.round(3).tolist()
    ([1.0, 0.67], [0.296, 0.037])
    """
    raters, labels = len(ratings.raters), max(1, len(ratings.labels))
    given = np.bincount(ratings.rater * labels + ratings.label, minlength=raters * labels)
    given = given.reshape(raters, labels)
    judgments = given.sum(axis=1)
    label = given.argmax(axis=1)
    overall = given.sum(axis=0) / max(1, len(ratings))
    share = _share(given.max(axis=1), judgments)
    return OneLabel(
        np.where(judgments > 0, label, MISSING), share, judgments, overall[label] ** judgments
    )


def dropped_by(
    rule: ScreenRule,
    *,
    gold: GoldRecord | None = None,
    pace: Pace | None = None,
    one_label: OneLabel | None = None,
    spammer_scores: FloatArray | None = None,
) -> dict[str, BoolArray]:
    """Who is suspicious and why: a flag name to [raters]; only what was looked at.

    >>> pace = Pace(np.array([1.0, 10.0, 12.0]), 10.0, np.array([9, 9, 9]))
    >>> {name: who.tolist() for name, who in dropped_by(ScreenRule(), pace=pace).items()}
    {'fast': [True, False, False]}
    """
    flags: dict[str, BoolArray] = {}
    if gold is not None:
        enough = gold.answers >= max(1, rule.gold_answers)
        flags["inaccurate"] = enough & (np.nan_to_num(gold.accuracy) < rule.accuracy)
        flags["chance"] = enough & (np.nan_to_num(gold.p_value) >= rule.chance_level)
    if pace is not None:
        flags["fast"] = np.nan_to_num(pace.median, nan=np.inf) < rule.fast_share * pace.typical
    if one_label is not None:
        often = one_label.judgments >= rule.same_judgments
        surprising = one_label.p_value < rule.same_level
        flags["same"] = often & (np.nan_to_num(one_label.share) == 1) & surprising
    if spammer_scores is not None:
        if one_label is None:
            raise UsageError("spammers need enough judgments to be found: give one_label too")
        often = one_label.judgments >= rule.spammer_judgments
        flags["spammer"] = often & (np.nan_to_num(spammer_scores, nan=1.0) < rule.spammer_score)
    return flags


def compare_without(
    ratings: Ratings,
    dropped: BoolArray,
    *,
    ties: Ties = Ties("drop"),  # noqa: B008 - frozen
) -> WithoutRaters:
    """What changes when raters are dropped: alpha, and the majority labels of cases.

    Ties leave a case without a label here, so that chance changes nothing.

    >>> from jurybox.raters.ratings import ratings_from_codes
    >>> ratings = ratings_from_codes(np.array([[0, 0, 1], [1, 0, 1], [1, 1, 1]]), 2)
    >>> found = compare_without(ratings, np.array([False, False, True]))
    >>> found.judgments, found.changed.tolist(), found.lost.tolist()
    (3, [], [1])
    """
    if ties.policy == "random":
        raise UsageError("ties at random would change labels by themselves; take drop or a label")
    kept = without_raters(ratings, dropped)
    before, after = label_counts(ratings), label_counts(kept)
    old, new = take_majority(before, ties).label, take_majority(after, ties).label
    moved = (old != new) & (new != MISSING)
    return WithoutRaters(
        int(np.count_nonzero(dropped)),
        len(ratings) - len(kept),
        krippendorff_alpha(before),
        krippendorff_alpha(after),
        np.flatnonzero(moved),
        np.flatnonzero((old != MISSING) & (new == MISSING)),
    )


def spammer_scores(confusion: FloatArray) -> FloatArray:
    """How much answers hang on the truth, by Raykar and Yu (2012): 0 spammer, 1 perfect; [raters].

    A spammer's answer does not depend on the truth: the rows of the confusion matrix are alike.
    S = Σ_{c < c'} Σ_k (A_ck - A_c'k)² / (q (q - 1)) for q labels; for two it is
    (sensitivity + specificity - 1)². Undefined (nan) for fewer than two labels.

    >>> always_first, perfect = [[1.0, 0.0], [1.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]]
    >>> spammer_scores(np.array([always_first, perfect])).tolist()
    [0.0, 1.0]
    """
    raters, labels = confusion.shape[:2]
    if labels < 2:
        return np.full(raters, nan)
    # Σ over pairs of rows of squared distances = q Σ a² - (Σ a)², column by column
    spread = labels * (confusion**2).sum(axis=1) - confusion.sum(axis=1) ** 2
    return np.asarray(np.maximum(0.0, spread.sum(axis=1)) / (labels * (labels - 1)))


def _share(part: NDArray[np.generic], whole: CodeArray) -> FloatArray:
    out = np.full(len(whole), nan)
    np.divide(part, whole, out=out, where=whole > 0)
    return out
