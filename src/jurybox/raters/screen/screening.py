"""How `screen` finds raters who should perhaps not count, and what changes without them.

Wrong on gold, at chance, too fast, always the same label, or a spammer, whom `spammer_scores` finds
without gold. Records hold one number per rater and drop nobody by themselves: `dropped_by` applies
a rule, and `compare_without` says what would change.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import nan
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.counting.histogram import count_labels
from jurybox.errors import LengthError, UsageError, collecting_warnings, warn
from jurybox.options import signature, signed_text
from jurybox.raters.aggregate.methods import count_gold_answers, estimate_dawid_skene, trust
from jurybox.raters.agreement import MISSING, krippendorff_alpha
from jurybox.raters.flagged import find_flagged
from jurybox.raters.inputs import RatingsInput, RatingsReading, read_ratings
from jurybox.raters.majority import Ties, take_majority
from jurybox.raters.ratings import (
    BoolArray,
    CodeArray,
    FloatArray,
    Ratings,
    label_counts,
    without_raters,
)
from jurybox.raters.screen import FLAGS, Rule, Screen, ScreenOptions
from jurybox.raters.screen.result import Effect, RaterRecord, Reliability, ScreenResult

#: same: giving one label only would happen with less than this probability
SAME_LEVEL = 0.01


def screen_raters(call: Screen) -> ScreenResult:
    """Read the judgments and look at every rater."""
    with collecting_warnings() as messages:
        found = read_ratings.of(call.only(RatingsReading, extra=("seconds",)))
        if (flagged := find_flagged(found.table, counted=True)) is not None:
            warn(flagged.counted_anyway("they are screened like everybody else"))
        result = _screen(found, call.only(ScreenOptions))
    return replace(result, warnings=tuple(messages))


def _screen(found: RatingsInput, options: ScreenOptions) -> ScreenResult:
    ratings, seconds = found.ratings, found.numbers("seconds")
    model = estimate_dawid_skene(ratings)
    met = model.prior > 0  # rows of labels that are never right say nothing about anybody
    scores = spammer_scores(model.confusion[:, met][:, :, met])
    gold = check_gold(ratings, found.right, found.is_gold) if found.gold_from else None
    pace = None if seconds is None else measure_pace(ratings, seconds)
    one_label = find_one_label(ratings)
    flags = dropped_by(options, gold=gold, pace=pace, one_label=one_label, spammer_scores=scores)
    dropped = np.zeros(len(ratings.raters), dtype=bool)
    for flag in options.drop:
        dropped |= flags.get(flag, False)
    numbers = np.unique(ratings.rater).tolist()
    if dropped[numbers].all():
        warn(
            "by this rule every rater would be dropped, so nobody is; loosen it (--min-accuracy, "
            "--spammer, --drop), or check that gold and labels are spelled alike (--relabel)"
        )
        dropped[:] = False
    typical = nan if pace is None else pace.typical
    records = []
    for n in numbers:
        record = RaterRecord(
            rater=ratings.raters[n],
            judgments=int(one_label.judgments[n]),
            gold_answers=0 if gold is None else int(gold.answers[n]),
            right=0 if gold is None else int(gold.right[n]),
            accuracy=nan if gold is None else float(gold.accuracy[n]),
            trust=nan if gold is None or not gold.answers[n] else float(gold.trust[n]),
            guess=nan if gold is None else float(gold.guess[n]),
            p_value=nan if gold is None else float(gold.p_value[n]),
            seconds=nan if pace is None else float(pace.median[n]),
            label=ratings.labels[int(one_label.label[n])],
            share=float(one_label.share[n]),
            spammer_score=float(scores[n]),
            flags=tuple(flag for flag in FLAGS if flag in flags and flags[flag][n]),
            dropped=bool(dropped[n]),
        )
        reasons = _reasons(record, options, typical)
        records.append(record._replace(reasons=tuple(reasons[flag] for flag in record.flags)))
    records.sort(key=lambda one: (not one.dropped, -len(one.flags)))
    return ScreenResult(
        raters=tuple(records),
        effect=compare_without(ratings, dropped, found.cases, found.right, found.is_gold),
        cases=ratings.cases,
        judgments=len(ratings),
        no_answer=ratings.left_out,
        label_names=ratings.labels,
        gold=found.gold_from,
        gold_cases=int(found.is_gold.sum()),
        typical_seconds=typical,
        format=found.format,
        pseudonyms=found.hidden,
        options=options,
        signature=_sign(options, found.gold_from),
        inputs=found.inputs,
    )


def _sign(options: ScreenOptions, gold: str) -> str:
    """What the flags depend on, in one line."""
    return signature(
        "screen",
        gold=signed_text(gold) or None,
        accuracy=float(options.min_accuracy) if gold else None,
        answers=options.min_gold if gold else None,
        trust=options.min_trust if gold else None,
        chance=float(options.chance_level) if gold else None,
        spammer=float(options.spammer),
        judgments=options.min_judgments,
        fast=float(options.fast),
        drop=list(options.drop) or "none",
        **options.signed(),
    )


def _reasons(one: RaterRecord, options: ScreenOptions, typical: float) -> dict[str, str]:
    """Why each flag would be raised."""
    return {
        "inaccurate": f"{one.right} of {one.gold_answers} known answers right: "
        f"{one.accuracy:.3f} is below {options.min_accuracy:g}",
        "untrusted": f"trust {one.trust:.3f} is below {options.min_trust or 0:g}",
        "chance": f"a guesser would do as well with probability {one.p_value:.2g}",
        "spammer": f"answers hardly depend on the case: {one.spammer_score:.3f} is below "
        f"{options.spammer:g}",
        "same": f"all {one.judgments} judgments say {one.label}",
        "fast": f"{one.seconds:.1f} s for a judgment; the median rater takes {typical:.1f} s",
    }


# --- a number per rater ---


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


def check_gold(ratings: Ratings, gold: BoolArray, is_gold: BoolArray) -> GoldRecord:
    """Accuracy and trust of every rater on cases with known answers, and a test against guessing.

    The guesser gives every case the label that is right most often on the gold cases that this
    rater answered, and p is the probability that a guesser with that rate is right at least as
    often (binomial, one-sided). Trust draws accuracy towards the mean (see `trust`).

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
    given = count_labels(ratings.rater, ratings.label, raters, labels).astype(np.int64)
    judgments = given.sum(axis=1)
    label = given.argmax(axis=1)
    overall = given.sum(axis=0) / max(1, len(ratings))
    share = _share(given.max(axis=1), judgments)
    return OneLabel(
        np.where(judgments > 0, label, MISSING), share, judgments, overall[label] ** judgments
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


# --- who is dropped, and what that changes ---


def dropped_by(
    rule: Rule,
    *,
    gold: GoldRecord | None = None,
    pace: Pace | None = None,
    one_label: OneLabel | None = None,
    spammer_scores: FloatArray | None = None,
) -> dict[str, BoolArray]:
    """Who is suspicious and why: a flag name to [raters]; only what was looked at.

    Raters with too few answers are not judged by them.

    >>> pace = Pace(np.array([1.0, 10.0, 12.0]), 10.0, np.array([9, 9, 9]))
    >>> {name: who.tolist() for name, who in dropped_by(Rule(), pace=pace).items()}
    {'fast': [True, False, False]}
    """
    flags: dict[str, BoolArray] = {}
    if gold is not None:
        enough = gold.answers >= max(1, rule.min_gold)
        flags["inaccurate"] = enough & (np.nan_to_num(gold.accuracy) < rule.min_accuracy)
        # where even a rater without a mistake could not be told from a guesser, nobody is blamed
        tellable = np.nan_to_num(gold.guess, nan=1.0) ** gold.answers < rule.chance_level
        at_chance = np.nan_to_num(gold.p_value) >= rule.chance_level
        flags["chance"] = enough & at_chance & tellable
        if rule.min_trust is not None:
            flags["untrusted"] = enough & (gold.trust < rule.min_trust)
    if pace is not None:
        flags["fast"] = np.nan_to_num(pace.median, nan=np.inf) < rule.fast * pace.typical
    if one_label is not None:
        often = one_label.judgments >= rule.min_judgments
        surprising = one_label.p_value < SAME_LEVEL
        flags["same"] = often & (np.nan_to_num(one_label.share) == 1) & surprising
    if spammer_scores is not None:
        if one_label is None:
            raise UsageError("spammers need enough judgments to be found: give one_label too")
        often = one_label.judgments >= rule.min_judgments
        flags["spammer"] = often & (np.nan_to_num(spammer_scores, nan=1.0) < rule.spammer)
    return flags


def compare_without(
    ratings: Ratings,
    dropped: BoolArray,
    cases: Sequence[str],
    right: BoolArray,
    is_gold: BoolArray,
) -> Effect:
    """What changes when raters are dropped: alpha, accuracy, and the majority labels of cases.

    `right` are the labels known to be right [cases, labels]. Ties leave a case without a label, so
    that chance changes nothing.

    >>> from jurybox.raters.ratings import ratings_from_codes
    >>> ratings = ratings_from_codes(np.array([[0, 0, 1], [1, 0, 1], [1, 1, 1]]), 2)
    >>> gold = np.zeros((3, 2), dtype=bool)
    >>> found = compare_without(ratings, np.arange(3) == 2, "abc", gold, gold.any(axis=1))
    >>> found.after.judgments, found.changed, found.lost
    (6, (), ('b',))
    """
    kept = without_raters(ratings, dropped)
    before, after = label_counts(ratings), label_counts(kept)
    old, new = (take_majority(counts, Ties("drop")).label for counts in (before, after))
    both = (old != MISSING) & (new != MISSING)
    lost = (old != MISSING) & (new == MISSING)
    return Effect(
        _reliability(ratings, before, right, is_gold),
        _reliability(kept, after, right, is_gold),
        int(both.sum()),
        tuple(cases[place] for place in np.flatnonzero(both & (old != new)).tolist()),
        tuple(cases[place] for place in np.flatnonzero(lost).tolist()),
    )


def _reliability(
    ratings: Ratings, counts: CodeArray, right: BoolArray, is_gold: BoolArray
) -> Reliability:
    alpha = krippendorff_alpha(counts)
    judged = is_gold & (counts.sum(axis=1) > 0)
    accuracy = nan
    if judged.any():
        # ties at random, in expectation: each of the tied labels has the same chance
        level = counts[judged] == counts[judged].max(axis=1, keepdims=True)
        accuracy = float(((level & right[judged]).sum(axis=1) / level.sum(axis=1)).mean())
    raters, gold = len(np.unique(ratings.rater)), int(judged.sum())
    return Reliability(raters, len(ratings), alpha.value, alpha.reason, gold, accuracy)
