"""How `agree` measures agreement: of all raters, in pairs, and of crowds with experts."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import nan
from typing import NamedTuple

import numpy as np

from jurybox.counting.histogram import Histogram, weighted_ends
from jurybox.errors import (
    InputError,
    JuryboxWarning,
    UsageError,
    collecting_warnings,
    near_name,
    plural,
    warn,
)
from jurybox.formats.platforms.gug import EXPERT
from jurybox.options import signature, signed_text
from jurybox.raters.agree import Agree, AgreeOptions
from jurybox.raters.agree.choices import (
    ChoiceColumns,
    ChoiceFindings,
    Column,
    find_choices,
    judge_choices,
)
from jurybox.raters.agree.crowd import (
    NO_CROWD,
    CrowdAlone,
    CrowdFindings,
    find_crowd,
    find_references,
)
from jurybox.raters.agree.result import AgreeResult, LeftOut, PerCase, Sizes
from jurybox.raters.agree.subgroups import (
    BatchRow,
    agree_on_corrections,
    find_batches,
    find_model_effect,
    find_self_agreement,
    find_sentence_level,
    name_coefficients,
)
from jurybox.raters.agreement import Agreement
from jurybox.raters.flagged import (
    FlaggedRaters,
    changes_of,
    check_expert,
    count_flagged,
    flagged_rows,
    without_flagged,
)
from jurybox.raters.inputs import RatingsInput, RatingsReading, as_number, as_numbers, read_ratings
from jurybox.raters.intervals import caution_on, kinds_of
from jurybox.raters.named_coefficients import (
    CoefficientDetails,
    CoefficientIntervals,
    NamedCoefficients,
    agree_together,
    estimate_agreement,
)
from jurybox.raters.pairs import MeanAgreement, PairFindings, find_pairs
from jurybox.raters.ratings import (
    ByKind,
    Ratings,
    case_histogram,
    judged_again,
    label_counts,
    select,
    split_kinds,
)
from jurybox.raters.spoiled import spoiled_cases
from jurybox.raters.wide_tables import lengthen_counts
from jurybox.shared_options import COUNTS

#: other columns that are read where they are there
COLUMNS = ("batch", "context", "first", "second", "shown", "written")
#: names in a message
SHOWN = 8
#: from so many labels on, numbers are taken as ordered unless a scale is given
ORDERED = 3


@dataclass(frozen=True)
class Evidence:
    """The judgments that count: people's, the first of each case, on clean contexts."""

    read: RatingsInput
    people: Ratings  # a rater's first judgment of every case
    split: ByKind  # the same with the models
    again: Ratings  # people's judgments of cases that they judged more than once
    kinds: Histogram  # of `people`: how many gave each label
    sizes: Sizes
    flagged: FlaggedRaters | None  # None if nobody is flagged
    other: Ratings | None  # as `people`, with flagged raters if these are left out, or without

    def column(self, name: str) -> Column | None:
        """A column of words beside `people`; None if there is none."""
        found = self.read.words(name, self.people)
        return None if found is None else Column(*found)


def measure_agreement(call: Agree) -> AgreeResult:
    """Read the judgments and measure how far raters agree."""
    with collecting_warnings() as messages:
        evidence = _gather(call)
        if call.progress is not None:
            call.progress(evidence.sizes.judgments, "judgments")
        result = _agree(evidence, call.only(AgreeOptions, gold=None), call.input_format != COUNTS)
    return replace(result, warnings=tuple(messages))


# --- the judgments that count ---


def _gather(call: Agree) -> Evidence:
    """Read judgments, and leave out what does not count."""
    # models are set apart below: `agree` can show what they would change
    reading = call.only(
        RatingsReading, extra=COLUMNS, repeats="keep", progress=None, count_models=True
    )
    if call.input_format == COUNTS:
        made = lengthen_counts(call.judgments)
        reading = reading.replace(judgments=made, input_format="long")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", JuryboxWarning)
        read = read_ratings.of(reading)
    for one in caught:  # the reader keeps repeats and says that all count; here the first ones do
        text = str(one.message).replace(
            "all of them count", "the first answer counts; the others say how steady raters are"
        )
        warnings.warn(text, one.category, stacklevel=3)
    flagged, other = None, None
    if (rows := flagged_rows(read.table)) is not None:
        flagged = count_flagged(read.table, rows, counted=call.with_flagged)
        trusted = without_flagged(read)
        without = call.replace(with_flagged=not call.with_flagged)
        other = _counting(trusted if call.with_flagged else read, without).split.people
        read = read if call.with_flagged else trusted
    counting = _counting(read, call)
    split, people, models = (
        counting.split,
        counting.split.people,
        len(counting.split.models.judging),
    )
    if not len(people):
        what = (
            "--spoiled drop leaves no judgment" if counting.spoiled else "no person judged a case"
        )
        raise InputError(f"{what}, so there is no agreement to measure")
    if models and not call.show_models:
        warn(
            f"{plural(len(split.models), 'judgment')} by {plural(models, 'rater')} of kind model "
            "are left out; --show-models shows what they would change"
        )
    kinds = case_histogram(people)
    judged = kinds.kinds.sum(axis=1)
    sizes = Sizes(
        cases=kinds.cases,
        raters=len(people.judging),
        judgments=len(people),
        per_case=PerCase(*weighted_ends(judged, kinds.sizes)),
        single=int(kinds.sizes[judged == 1].sum()),
        left_out=LeftOut(
            no_answer=people.left_out,
            repeats=counting.repeats,
            spoiled_cases=counting.spoiled,
            by_models=len(split.models),
            models=models,
            rows=dict(read.left_out),
        ),
    )
    return Evidence(read, people, split, counting.again, kinds, sizes, flagged, other)


class _Counting(NamedTuple):
    """Judgments on clean contexts: the first of each rater on each case, and those judged again."""

    split: ByKind
    again: Ratings
    repeats: int
    spoiled: int  # cases


def _counting(read: RatingsInput, options: AgreeOptions) -> _Counting:
    everybody, spoiled = read.everybody, 0
    if options.spoiled == "drop":
        of_case = spoiled_cases(
            read.table, read.extra, everybody.cases, with_flagged=options.with_flagged
        )
        everybody, spoiled = select(everybody, ~of_case[everybody.case]), int(of_case.sum())
    repeated, kinds = judged_again(everybody), read.kinds or None
    later = np.zeros(len(everybody), dtype=bool)
    later[repeated.rows] = True
    split = split_kinds(select(everybody, ~later) if later.any() else everybody, kinds)
    repeats = int(np.count_nonzero(~split.is_model[everybody.rater[repeated.rows]]))
    later[repeated.first] = True
    again = split_kinds(select(everybody, later), kinds).people
    return _Counting(split, again, repeats, spoiled)


# --- what is measured ---


def _agree(evidence: Evidence, options: AgreeOptions, is_named: bool) -> AgreeResult:
    read, people, level = evidence.read, evidence.people, options.ci_level
    scale, numbers = _scale_of(people.labels, options.scale)
    counts, cases = evidence.kinds.kinds, evidence.kinds.sizes
    names = _names(scale, numbers)
    found = {name: agree_together(counts, name, numbers=numbers, sizes=cases) for name in names}
    intervals = None
    if options.ci:
        if caution := caution_on(kinds_of(counts, cases), people.labels):
            warn(caution)
        spread = estimate_agreement(
            counts, sizes=cases, names=names, numbers=numbers, level=level, known=found
        )
        intervals = CoefficientIntervals.of(spread)
    experts = _experts(evidence, options.experts)
    if is_named:
        pairs = find_pairs(
            people,
            scale=scale,
            numbers=numbers if scale == "interval" else None,
            level=level,
            experts=experts,
            list_all=options.pairs,
        )
    else:
        none = MeanAgreement(0, nan, nan, nan, nan, 0, "a table of counts does not say who is who")
        pairs = PairFindings(none, (), ())
    crowd = _crowd(evidence, experts, scale, options)
    shown = tuple(people.raters[number] for number in experts)
    left_out = evidence.sizes.left_out
    corrections = None
    if read.table.correction is not None:
        corrections = agree_on_corrections(people, read.table, level=level)
    total = np.bincount(people.label, minlength=len(people.labels)).tolist()
    return AgreeResult(
        options=options.replace(scale=scale, experts=shown),
        sizes=evidence.sizes,
        labels=dict(zip(people.labels, total, strict=True)),
        scale=scale,
        coefficients=NamedCoefficients.of(found),
        details=CoefficientDetails.of(found),
        mean_pairwise=pairs.mean,
        pairs=pairs.listed,
        signature=_sign(options, scale, shown, crowd=bool(crowd.references)),
        intervals=intervals,
        confusion=pairs.confusions,
        self_agreement=(
            find_self_agreement(evidence.again, level=level) if left_out.repeats else None
        ),
        batches=_batches(evidence) if options.by_batch else None,
        corrections=corrections,
        sentences=find_sentence_level(people, read.case_set),
        choices=_choices(evidence, options),
        models=(
            find_model_effect(evidence.split)
            if options.show_models and left_out.by_models
            else None
        ),
        flagged=_flagged(evidence, found, scale),
        crowd=crowd,
        inputs=read.inputs,
    )


def _sign(options: AgreeOptions, scale: str, experts: Sequence[str], *, crowd: bool) -> str:
    """What the numbers depend on, in one line; experts are named as they are shown."""

    def plain(text: str) -> str:
        return " ".join(signed_text(text).split())

    return signature(
        "agree",
        labels=[plain(f"{word}={label}") for word, label in options.relabel.items()] or None,
        scale=scale,
        models="shown" if options.show_models else None,
        rejected="yes" if options.with_rejected else None,
        flagged="yes" if options.with_flagged else None,
        spoiled="drop" if options.spoiled == "drop" else None,
        experts=[plain(name) for name in experts] or None,
        ties=plain(options.ties) if crowd else None,
        draws=options.draws if crowd else None,
        largest=options.max_crowd if crowd else None,
        accuracy=options.accuracy,
        ci="jackknife-case" if options.ci else None,
        seed=options.seed if crowd else None,
    )


def _scale_of(labels: Sequence[str], wanted: str | None) -> tuple[str, list[float] | None]:
    """The scale of the labels, and the numbers they stand for, if they are numbers."""
    numbers = as_numbers(labels)
    if wanted in ("ordinal", "interval") and numbers is None:
        word = next(label for label in labels if as_number(label) is None)
        raise UsageError(
            f"--scale {wanted}: the label '{word}' is no number; give every label one, as "
            f"--relabel {word}=1, or {word}=unknown if it is no answer"
        )
    if wanted is not None:
        return wanted, numbers
    return ("ordinal" if numbers is not None and len(labels) >= ORDERED else "nominal"), numbers


def _names(scale: str, numbers: Sequence[float] | None) -> list[str]:
    """The coefficients that the labels allow."""
    names = ["observed", "fleiss_kappa", "ac1", "alpha_nominal"]
    if scale != "nominal" and numbers is not None:
        names += ["alpha_ordinal", "alpha_interval"]
        names += ["alpha_ratio"] if min(numbers) >= 0 else []
    return names


def _flagged(evidence: Evidence, main: Mapping[str, Agreement], scale: str) -> FlaggedRaters | None:
    """Alpha without and with flagged raters; None if nobody is flagged."""
    flagged, other = evidence.flagged, evidence.other
    if flagged is None or other is None:
        return None
    name, numbers = f"alpha_{scale}", None if scale == "nominal" else as_numbers(other.labels)
    here = main[name]
    there = agree_together(label_counts(other), name, numbers=numbers)
    changes = changes_of(
        ["alpha"],
        [(here.value, here.reason)],
        [(there.value, there.reason)],
        counted=flagged.counted,
    )
    found = flagged._replace(changes=changes)
    warn(found.sentence())
    return found


def _experts(evidence: Evidence, named: Sequence[str]) -> list[int]:
    """The experts' numbers; GUG's expert is one without being named."""
    read = evidence.read
    if not named and read.format == "gug":
        named = [EXPERT] if EXPERT in read.everybody.raters else []
    known = {*read.everybody.raters, *read.table.raters}
    for name in named:
        if name not in known:
            shown = read.everybody.raters
            listed = ", ".join(shown[:SHOWN]) + (", …" if len(shown) > SHOWN else "")
            hint = near_name(name, shown)
            raise UsageError(f"--expert {name}: there is no such rater ({listed}){hint}")
    if evidence.flagged and not evidence.flagged.counted:
        for name in named:
            check_expert(read, name)
    return [read.rater(name) for name in named]


def _batches(evidence: Evidence) -> tuple[BatchRow, ...]:
    column = evidence.column("batch")
    if column is None or not any(column.words):
        raise UsageError(
            "--by-batch: the judgments have no column 'batch', or it is empty; see --columns"
        )
    words = [word or "(none)" for word in column.words]
    return tuple(find_batches(evidence.people, words, column.number))


def _choices(evidence: Evidence, options: AgreeOptions) -> ChoiceFindings | None:
    first, second, *more = (evidence.column(name) for name in ChoiceColumns._fields)
    found = None
    if first is not None and second is not None:
        columns = ChoiceColumns(first, second, *more)
        verdict = judge_choices(evidence.people, columns, evidence.read.place)
        found = find_choices(evidence.people, verdict, options.accuracy, level=options.ci_level)
    if found is None and options.accuracy is not None:
        raise UsageError(
            "--accuracy: there are no choices to correct it by; a choice task has the columns "
            "first and second (the two words) and written (the writer's)"
        )
    return found


def _crowd(
    evidence: Evidence, experts: Sequence[int], scale: str, options: AgreeOptions
) -> CrowdFindings:
    """Crowds against everything that is known."""
    crowd, references = find_references(evidence.read, evidence.split, experts)
    if options.ties not in {"random", "drop", *crowd.labels}:
        labels = ", ".join(crowd.labels[:SHOWN])
        hint = near_name(options.ties, ("random", "drop", *crowd.labels))
        raise UsageError(f"--ties {options.ties}: give random, drop or a label ({labels}){hint}")
    if not references:
        return NO_CROWD
    numbers = as_numbers(crowd.labels)
    found = find_crowd(crowd, references, options, scale, numbers)
    if not experts:
        return found
    coefficients = name_coefficients(label_counts(crowd), _names(scale, numbers), numbers)
    alone = CrowdAlone(len(crowd.judging), len(crowd), coefficients)
    return found._replace(alone=alone)
