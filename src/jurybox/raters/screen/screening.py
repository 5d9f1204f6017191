"""How `screen` finds suspicious raters, and what changes without them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import nan

import numpy as np

from jurybox.errors import collecting_warnings
from jurybox.raters.aggregate.dawid_skene import estimate_dawid_skene
from jurybox.raters.agreement import MISSING, Agreement
from jurybox.raters.flagged import find_flagged
from jurybox.raters.inputs import RatingsInput, RatingsReading, read_ratings, warn
from jurybox.raters.majority import Ties, take_majority
from jurybox.raters.ratings import (
    BoolArray,
    CodeArray,
    FloatArray,
    Ratings,
    label_counts,
    without_raters,
)
from jurybox.raters.screen import FLAGS, Screen, ScreenOptions
from jurybox.raters.screen.checks import (
    GoldRecord,
    OneLabel,
    Pace,
    ScreenRule,
    check_gold,
    compare_without,
    dropped_by,
    find_one_label,
    measure_pace,
    spammer_scores,
)
from jurybox.raters.screen.result import Effect, RaterRecord, Reliability, ScreenResult
from jurybox.signature import signature, signed_text


def screen_raters(call: Screen) -> ScreenResult:
    """Read the judgments and look at every rater."""
    with collecting_warnings() as messages:
        found = read_ratings.of(call.only(RatingsReading, extra=("seconds",)))
        if (flagged := find_flagged(found.table, counted=True)) is not None:
            warn(flagged.counted_anyway("they are screened like everybody else"))
        result = _screen(found, call.only(ScreenOptions))
    return replace(result, warnings=tuple(messages))


@dataclass(frozen=True)
class _Looked:
    """What was looked at, a number per rater each."""

    gold: GoldRecord | None
    pace: Pace | None
    one_label: OneLabel
    spammer_scores: FloatArray


def _screen(found: RatingsInput, options: ScreenOptions) -> ScreenResult:

    ratings = found.ratings
    looked = _look(found)
    flags = _find_flags(looked, options)
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
    records = [
        _record(n, ratings, looked, flags=flags, dropped=dropped, options=options) for n in numbers
    ]
    records.sort(key=lambda one: (not one.dropped, -len(one.flags)))
    return ScreenResult(
        raters=tuple(records),
        effect=_compare(found, dropped),
        cases=ratings.cases,
        judgments=len(ratings),
        no_answer=ratings.left_out,
        label_names=ratings.labels,
        gold=found.gold_from,
        gold_cases=int(found.is_gold.sum()),
        typical_seconds=nan if looked.pace is None else looked.pace.typical,
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


def _look(found: RatingsInput) -> _Looked:

    ratings = found.ratings
    seconds = found.numbers("seconds")
    model = estimate_dawid_skene(ratings)
    met = model.prior > 0  # rows of labels that are never right say nothing about anybody
    return _Looked(
        check_gold(ratings, found.right, found.is_gold) if found.gold_from else None,
        None if seconds is None else measure_pace(ratings, seconds),
        find_one_label(ratings),
        spammer_scores(model.confusion[:, met][:, :, met]),
    )


def _find_flags(looked: _Looked, options: ScreenOptions) -> dict[str, BoolArray]:

    rule = ScreenRule(
        accuracy=options.min_accuracy,
        gold_answers=options.min_gold,
        chance_level=options.chance_level,
        fast_share=options.fast,
        same_judgments=options.min_judgments,
        spammer_score=options.spammer,
        spammer_judgments=options.min_judgments,
    )
    flags = dropped_by(
        rule,
        gold=looked.gold,
        pace=looked.pace,
        one_label=looked.one_label,
        spammer_scores=looked.spammer_scores,
    )
    if looked.gold is not None:
        gold = looked.gold
        # where even a rater without a mistake could not be told from a guesser, nobody is blamed
        tellable = np.nan_to_num(gold.guess, nan=1.0) ** gold.answers < options.chance_level
        flags["chance"] &= tellable
        if options.min_trust is not None:
            flags["untrusted"] = (gold.answers >= options.min_gold) & (
                gold.trust < options.min_trust
            )
    return flags


def _record(
    number: int,
    ratings: Ratings,
    looked: _Looked,
    *,
    flags: Mapping[str, BoolArray],
    dropped: BoolArray,
    options: ScreenOptions,
) -> RaterRecord:
    gold, pace, one = looked.gold, looked.pace, looked.one_label
    raised = tuple(flag for flag in FLAGS if flag in flags and flags[flag][number])
    met = gold is not None and gold.answers[number]
    record = RaterRecord(
        rater=ratings.raters[number],
        judgments=int(one.judgments[number]),
        gold_answers=0 if gold is None else int(gold.answers[number]),
        right=0 if gold is None else int(gold.right[number]),
        accuracy=float(gold.accuracy[number]) if gold is not None else nan,
        trust=float(gold.trust[number]) if gold is not None and met else nan,
        guess=float(gold.guess[number]) if gold is not None else nan,
        p_value=float(gold.p_value[number]) if gold is not None else nan,
        seconds=nan if pace is None else float(pace.median[number]),
        label=ratings.labels[int(one.label[number])],
        share=float(one.share[number]),
        spammer_score=float(looked.spammer_scores[number]),
        flags=raised,
        dropped=bool(dropped[number]),
    )
    typical = nan if pace is None else pace.typical
    return record._replace(reasons=tuple(_why(flag, record, options, typical) for flag in raised))


def _why(flag: str, one: RaterRecord, options: ScreenOptions, typical: float) -> str:
    return {
        "inaccurate": f"{one.right} of {one.gold_answers} known answers right: "
        f"{one.accuracy:.3f} is below {options.min_accuracy:g}",
        "untrusted": f"trust {one.trust:.3f} is below {options.min_trust or 0:g}",
        "chance": f"a guesser would do as well with probability {one.p_value:.2g}",
        "spammer": f"answers hardly depend on the case: {one.spammer_score:.3f} is below "
        f"{options.spammer:g}",
        "same": f"all {one.judgments} judgments say {one.label}",
        "fast": f"{one.seconds:.1f} s for a judgment; the median rater takes {typical:.1f} s",
    }[flag]


# --- what changes ---


def _compare(found: RatingsInput, dropped: BoolArray) -> Effect:

    ratings = found.ratings
    kept = without_raters(ratings, dropped)
    changes = compare_without(ratings, dropped)
    before, after = label_counts(ratings), label_counts(kept)
    old, new = (take_majority(counts, Ties("drop")).label for counts in (before, after))
    both = (old != MISSING) & (new != MISSING)
    changed = both & (old != new)
    names = found.cases
    return Effect(
        _reliability(found, ratings, changes.alpha_before, before),
        _reliability(found, kept, changes.alpha_after, after),
        int(both.sum()),
        tuple(names[place] for place in changed.nonzero()[0].tolist()),
        tuple(names[place] for place in changes.lost.tolist()),
    )


def _reliability(
    found: RatingsInput, ratings: Ratings, alpha: Agreement, counts: CodeArray
) -> Reliability:

    judged = found.is_gold & (counts.sum(axis=1) > 0)
    accuracy = nan
    if judged.any():
        # ties at random, in expectation: each of the tied labels has the same chance
        level = counts[judged] == counts[judged].max(axis=1, keepdims=True)
        accuracy = float(((level & found.right[judged]).sum(axis=1) / level.sum(axis=1)).mean())
    raters = len(np.unique(ratings.rater))
    gold = int(judged.sum())
    return Reliability(raters, len(ratings), alpha.value, alpha.reason, gold, accuracy)
