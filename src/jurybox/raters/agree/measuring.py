"""How `agree` measures agreement: of all raters, in pairs, and of crowds with experts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import nan

import numpy as np

from jurybox.errors import UsageError, collecting_warnings, near_name
from jurybox.formats.platforms.gug import EXPERT
from jurybox.raters.agree import Agree, AgreeOptions
from jurybox.raters.agree.choices import ChoiceFindings, find_choices
from jurybox.raters.agree.crowd import (
    NO_CROWD,
    CrowdAlone,
    CrowdFindings,
    Plan,
    find_crowd,
    find_references,
)
from jurybox.raters.agree.evidence import Evidence, gather
from jurybox.raters.agree.pairs import PairFindings, find_pairs
from jurybox.raters.agree.result import AgreeResult
from jurybox.raters.agree.subgroups import (
    BatchRow,
    find_batches,
    find_model_effect,
    find_self_agreement,
    find_sentence_level,
    name_coefficients,
)
from jurybox.raters.agreement import Agreement
from jurybox.raters.corrections import agree_on_corrections
from jurybox.raters.flagged import FlaggedRaters, changes_of, check_expert
from jurybox.raters.gold_labels import warn
from jurybox.raters.intervals import caution_on, kinds_of
from jurybox.raters.label_numbers import as_number, as_numbers
from jurybox.raters.majority import ties_named
from jurybox.raters.named_coefficients import (
    CoefficientDetails,
    CoefficientIntervals,
    NamedCoefficients,
    agree_together,
    estimate_agreement,
)
from jurybox.raters.pairs import MeanAgreement
from jurybox.raters.ratings import label_counts
from jurybox.signature import signature, signed_text

#: names in a message
SHOWN = 8
#: from so many labels on, numbers are taken as ordered unless a scale is given
ORDERED = 3


def measure_agreement(call: Agree) -> AgreeResult:
    """Read the judgments and measure how far raters agree."""
    with collecting_warnings() as messages:
        evidence = gather(call)
        if call.progress is not None:
            call.progress(evidence.sizes.judgments, "judgments")
        result = _agree(evidence, call.only(AgreeOptions, gold=None))
    return replace(result, warnings=tuple(messages))


def _agree(evidence: Evidence, options: AgreeOptions) -> AgreeResult:
    read, people, level = evidence.read, evidence.people, options.ci_level
    scale, numbers = _scale_of(people.labels, options.scale)
    counts = label_counts(people)
    names = _names(scale, numbers)
    found = {name: agree_together(counts, name, numbers=numbers) for name in names}
    intervals = None
    if options.ci:
        if caution := caution_on(kinds_of(counts[counts.any(axis=1)]), people.labels):
            warn(caution)
        spread = estimate_agreement(counts, names=names, numbers=numbers, level=level, known=found)
        intervals = CoefficientIntervals.of(spread)
    experts = _experts(evidence, options.experts)
    pairs = _pairs(evidence, scale, numbers, experts, options)
    crowd = _crowd(evidence, experts, scale, options)
    shown = tuple(people.raters[number] for number in experts)
    left_out = evidence.sizes.left_out
    corrections = None
    if read.table.correction is not None:
        corrections = agree_on_corrections(people, read.table, level=level)
    models = None
    if options.show_models and left_out.by_models:
        models = find_model_effect(evidence.split, people.raters)
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
        models=models,
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


def _pairs(
    evidence: Evidence,
    scale: str,
    numbers: Sequence[float] | None,
    experts: Sequence[int],
    options: AgreeOptions,
) -> PairFindings:
    if not evidence.named:
        none = MeanAgreement(0, nan, nan, nan, nan, 0, "a table of counts does not say who is who")
        return PairFindings(none, (), ())
    return find_pairs(
        evidence.people,
        scale=scale,
        numbers=numbers if scale == "interval" else None,
        level=options.ci_level,
        experts=experts,
        list_all=options.pairs,
    )


def _batches(evidence: Evidence) -> tuple[BatchRow, ...]:
    column = evidence.column("batch", evidence.people)
    if column is None:
        raise UsageError("--by-batch: the judgments have no column 'batch'; see --columns")
    words = [word or "(none)" for word in column.words]
    return tuple(find_batches(evidence.people, words, column.number))


def _choices(evidence: Evidence, options: AgreeOptions) -> ChoiceFindings | None:
    people = evidence.people
    first, second = evidence.column("first", people), evidence.column("second", people)
    found = None
    if first is not None and second is not None:
        shown = evidence.column("shown", people)
        found = find_choices(people, first, second, shown, options.accuracy, level=options.ci_level)
    if found is None and options.accuracy is not None:
        raise UsageError(
            "--accuracy: there are no choices to correct it by; a choice task has the columns "
            "first (the writer's word) and second (the system's)"
        )
    return found


# --- crowds ---


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
    plan = Plan(
        ties_named(options.ties, crowd.labels),
        options.draws,
        options.ci_level,
        scale,
        options.seed,
        options.max_crowd,
        numbers,
    )
    found = find_crowd(crowd, references, plan)
    if not experts:
        return found
    coefficients = name_coefficients(label_counts(crowd), _names(scale, numbers), numbers)
    alone = CrowdAlone(len(np.unique(crowd.rater)), len(crowd), coefficients)
    return found._replace(alone=alone)
