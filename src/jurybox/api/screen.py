"""`screen`: raters who should perhaps not count, and what changes without them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import nan
from typing import TYPE_CHECKING, Any

from jurybox.api.aggregate import plain
from jurybox.api.counting import Progress
from jurybox.api.known_answers import GivenGold, warn
from jurybox.api.rater_inputs import (
    GivenJudgments,
    RatingsInput,
    read_ratings,
)
from jurybox.api.score import collecting_warnings
from jurybox.api.screen_result import Effect, RaterRecord, Reliability, ScreenResult
from jurybox.errors import UsageError, unknown_name
from jurybox.model import CaseSet
from jurybox.signature import signature

if TYPE_CHECKING:
    from jurybox.raters.agreement import Agreement
    from jurybox.raters.ratings import BoolArray, CodeArray, FloatArray, Ratings
    from jurybox.raters.screen import GoldRecord, OneLabel, Pace, ScreenRule

#: why a rater is suspicious, in the order in which it is said
FLAGS = ("inaccurate", "untrusted", "chance", "spammer", "same", "fast")
#: what drops a rater unless told otherwise: who is slow to be told from chance may be good, and
#: who is fast may be quick
DROPS = ("inaccurate", "untrusted", "spammer", "same")


@dataclass(frozen=True)
class ScreenOptions:
    """When a rater is suspicious, and which suspicions drop them."""

    min_accuracy: float = 0.7
    min_gold: int = 5
    min_trust: float | None = None
    chance_level: float = 0.05
    fast: float = 0.33
    spammer: float = 0.05
    min_judgments: int = 20
    drop: tuple[str, ...] = DROPS
    with_models: bool = False
    with_rejected: bool = False
    show_raters: bool = False
    pseudonymise: bool | str = False

    def __post_init__(self) -> None:
        shares = {"min-accuracy": self.min_accuracy, "min-trust": self.min_trust}
        shares |= {"chance-level": self.chance_level, "fast": self.fast, "spammer": self.spammer}
        for name, share in shares.items():
            if share is not None and not 0 <= share <= 1:
                raise UsageError(f"--{name} is a share from 0 to 1, not {share}")
        for name, number in (("min-gold", self.min_gold), ("min-judgments", self.min_judgments)):
            if number < 1:
                raise UsageError(f"--{name} must be 1 or more, not {number}")
        for flag in self.drop:
            if flag not in FLAGS:
                raise unknown_name("flag (--drop)", flag, (*FLAGS, "all", "none"))
        if self.show_raters and self.pseudonymise:
            raise UsageError("--show-raters and --pseudonymise exclude each other")

    def rule(self) -> ScreenRule:
        """The same for the room of raters."""
        from jurybox.raters.screen import ScreenRule

        return ScreenRule(
            accuracy=self.min_accuracy,
            gold_answers=self.min_gold,
            chance_level=self.chance_level,
            fast_share=self.fast,
            same_judgments=self.min_judgments,
            spammer_score=self.spammer,
            spammer_judgments=self.min_judgments,
        )

    def sign(self, gold: str) -> str:
        """What the flags depend on, in one line."""
        return signature(
            "screen",
            gold=plain(gold) or None,
            accuracy=float(self.min_accuracy) if gold else None,
            answers=self.min_gold if gold else None,
            trust=self.min_trust if gold else None,
            chance=float(self.chance_level) if gold else None,
            spammer=float(self.spammer),
            judgments=self.min_judgments,
            fast=float(self.fast),
            drop=list(self.drop) or "none",
            models="yes" if self.with_models else None,
            rejected="yes" if self.with_rejected else None,
        )

    def to_dict(self, *, hidden: bool) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "min_accuracy": self.min_accuracy,
            "min_gold": self.min_gold,
            "min_trust": self.min_trust,
            "chance_level": self.chance_level,
            "fast": self.fast,
            "spammer": self.spammer,
            "min_judgments": self.min_judgments,
            "drop": list(self.drop),
            "with_models": self.with_models,
            "with_rejected": self.with_rejected,
            "pseudonyms": hidden,
        }


def screen(
    judgments: GivenJudgments,
    *,
    gold: GivenGold | None = None,
    expert: str | None = None,
    min_accuracy: float = 0.7,
    min_gold: int = 5,
    min_trust: float | None = None,
    chance_level: float = 0.05,
    fast: float = 0.33,
    spammer: float = 0.05,
    min_judgments: int = 20,
    drop: Sequence[str] = DROPS,
    cases: CaseSet | None = None,
    columns: Mapping[str, str] | None = None,
    labels: Mapping[str, str] | None = None,
    input_format: str | None = None,
    with_models: bool = False,
    with_rejected: bool = False,
    show_raters: bool = False,
    pseudonymise: bool | str = False,
    progress: Progress | None = None,
) -> ScreenResult:
    """Who is wrong on gold, at chance, too fast, always of one mind, or a spammer; and why.

    `judgments` are files, or (case, rater, label) in memory. `drop` names the flags that drop a
    rater, "all" or "none" of them. `pseudonymise` is True for R1, R2 …, or the key of names that
    are the same in every file. Options are those of `jurybox screen`.

    >>> said = [(f"c{n}", name, "ok" if n % 2 else "error") for n in range(20) for name in "ABC"]
    >>> said += [(f"c{n}", "D", "ok") for n in range(20)]
    >>> result = screen(said)
    >>> result.dropped, result["D"].flags
    (('D',), ('spammer', 'same'))
    """
    options = ScreenOptions(
        min_accuracy=min_accuracy,
        min_gold=min_gold,
        min_trust=min_trust,
        chance_level=chance_level,
        fast=fast,
        spammer=spammer,
        min_judgments=min_judgments,
        drop=_flags(drop),
        with_models=with_models,
        with_rejected=with_rejected,
        show_raters=show_raters,
        pseudonymise=pseudonymise,
    )
    with collecting_warnings() as messages:
        found = read_ratings(
            judgments,
            cases=cases,
            columns=columns,
            labels=labels,
            input_format=input_format,
            with_models=with_models,
            with_rejected=with_rejected,
            show_raters=show_raters,
            pseudonymise=pseudonymise,
            gold=gold,
            expert=expert,
            extra=("seconds",),
            progress=progress,
        )
        result = _screen(found, options)
    return replace(result, warnings=tuple(messages))


def _flags(given: Sequence[str]) -> tuple[str, ...]:
    """Flags in their order; all and none stand for all and none of them."""
    named = [given] if isinstance(given, str) else list(given)
    if named in (["all"], ["none"]):
        return FLAGS if named == ["all"] else ()
    return (*(flag for flag in FLAGS if flag in named), *(f for f in named if f not in FLAGS))


@dataclass(frozen=True)
class _Looked:
    """What was looked at, a number per rater each."""

    gold: GoldRecord | None
    pace: Pace | None
    one_label: OneLabel
    spammer_scores: FloatArray


def _screen(found: RatingsInput, options: ScreenOptions) -> ScreenResult:
    import numpy as np

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
            "--spammer, --drop), or check that gold and labels are spelled alike (--labels)"
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
        options=options.to_dict(hidden=found.hidden),
        signature=options.sign(found.gold_from),
        inputs=found.inputs,
    )


def _look(found: RatingsInput) -> _Looked:
    from jurybox.raters.dawid_skene import estimate_dawid_skene
    from jurybox.raters.screen import (
        check_gold,
        find_one_label,
        measure_pace,
        spammer_scores,
    )

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
    import numpy as np

    from jurybox.raters.screen import dropped_by

    flags = dropped_by(
        options.rule(),
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
    from jurybox.raters.agreement import MISSING
    from jurybox.raters.majority import Ties, take_majority
    from jurybox.raters.ratings import label_counts, without_raters
    from jurybox.raters.screen import compare_without

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
    import numpy as np

    judged = found.is_gold & (counts.sum(axis=1) > 0)
    accuracy = nan
    if judged.any():
        # ties at random, in expectation: each of the tied labels has the same chance
        level = counts[judged] == counts[judged].max(axis=1, keepdims=True)
        accuracy = float(((level & found.right[judged]).sum(axis=1) / level.sum(axis=1)).mean())
    raters = len(np.unique(ratings.rater))
    gold = int(judged.sum())
    return Reliability(raters, len(ratings), alpha.value, alpha.reason, gold, accuracy)
