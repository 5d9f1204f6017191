"""`agree`: how far raters agree, all together, in pairs, and as crowds with experts.

Tetreault and Chodorow 2008; Tetreault, Filatova and Chodorow 2010; Krippendorff 2011.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from jurybox.api.agree_options import AgreeOptions
from jurybox.api.agree_result import AgreeResult
from jurybox.api.counting import Progress
from jurybox.api.known_answers import GivenGold
from jurybox.api.rater_inputs import GivenJudgments, RatingsInput
from jurybox.api.score import collecting_warnings
from jurybox.errors import UsageError, near_name
from jurybox.model import CaseSet

if TYPE_CHECKING:
    from jurybox.api.agree_choices import ChoiceFindings
    from jurybox.api.agree_crowd import CrowdFindings
    from jurybox.api.agree_evidence import Evidence
    from jurybox.api.agree_further import BatchRow
    from jurybox.api.agree_pairs import PairFindings
    from jurybox.cases.bootstrap import Spread
    from jurybox.raters.agreement import Agreement
    from jurybox.raters.ratings import CodeArray

#: names in a message
SHOWN = 8
#: from so many labels on, numbers are taken as ordered unless a scale is given
ORDERED = 3


def agree(
    judgments: GivenJudgments,
    *,
    cases: CaseSet | None = None,
    experts: str | Sequence[str] = (),
    gold: GivenGold | None = None,
    columns: Mapping[str, str] | None = None,
    labels: Mapping[str, str] | None = None,
    input_format: str | None = None,
    with_models: bool = False,
    with_rejected: bool = False,
    show_raters: bool = False,
    scale: str | None = None,
    spoiled: str = "keep",
    by_batch: bool = False,
    pairs: bool = False,
    crowd_curve: bool = False,
    ties: str = "random",
    draws: int = 100,
    largest: int | None = None,
    accuracy: float | None = None,
    ci: bool = False,
    resamples: int = 1000,
    ci_level: float = 0.95,
    seed: int = 1,
    progress: Progress | None = None,
) -> AgreeResult:
    """How far raters agree, and how many of them agree with an expert as well as another expert.

    `judgments` are files of any format, (case, rater, label) tuples, or a table with its `cases`.
    Crowds are held against `experts`, raters by name, and against known answers: `gold`, or the
    column of that name. Options are those of `jurybox agree`.

    >>> said = [("c1", "Ann", "ok"), ("c1", "Bob", "ok")]
    >>> said += [("c2", "Ann", "error"), ("c2", "Bob", "ok")]
    >>> result = agree(said, gold={"c1": "ok", "c2": "error"})
    >>> result.observed, result.alpha(), result.pairs[0].kappa
    (0.5, 0.0, 0.0)
    >>> [(point.n, point.agreement) for point in result.curve()]
    [(1, 0.75), (2, 0.75)]
    """
    options = AgreeOptions(
        experts=(experts,) if isinstance(experts, str) else tuple(experts),
        labels=dict(labels or {}),
        scale=scale,
        with_models=with_models,
        with_rejected=with_rejected,
        spoiled=spoiled,
        by_batch=by_batch,
        pairs=pairs,
        crowd_curve=crowd_curve,
        ties=ties,
        draws=draws,
        largest=largest,
        accuracy=accuracy,
        ci=ci,
        resamples=resamples,
        ci_level=ci_level,
        seed=seed,
    )
    from jurybox.api.agree_evidence import gather

    with collecting_warnings() as messages:
        evidence = gather(
            judgments,
            options,
            cases=cases,
            gold=gold,
            columns=columns,
            input_format=input_format,
            show_raters=show_raters,
        )
        if progress is not None:
            progress(evidence.sizes.judgments, "judgments")
        result = _agree(evidence, options)
    return replace(result, warnings=tuple(messages))


# --- the numbers ---


def _agree(evidence: Evidence, options: AgreeOptions) -> AgreeResult:
    import numpy as np

    from jurybox.api.agree_further import find_model_effect, find_self_agreement
    from jurybox.api.agree_further import find_sentence_level as on_sentences
    from jurybox.raters.corrections import agree_on_corrections
    from jurybox.raters.ratings import label_counts

    read, people = evidence.read, evidence.people
    scale, numbers = _scale_of(people.labels, options.scale)
    counts = label_counts(people)
    names = _names(scale, numbers)
    together, intervals = _together(counts, names, numbers, options)
    experts = _experts(read, options.experts)
    found = _pairs(evidence, scale, numbers, experts, options)
    crowd = _crowd(evidence, experts, scale, options)
    shown = tuple(people.raters[number] for number in experts)
    itself = find_self_agreement(evidence.again) if evidence.sizes.repeats else None
    is_corrected = read.table.correction is not None
    models = bool(options.with_models and evidence.sizes.models)
    total = np.bincount(people.label, minlength=len(people.labels)).tolist()
    return AgreeResult(
        sizes=evidence.sizes,
        labels=dict(zip(people.labels, total, strict=True)),
        scale=scale,
        together=together,
        mean_pair=found.mean,
        pairs=found.listed,
        options=options.to_dict(scale=scale, experts=shown),
        signature=options.sign(scale=scale, experts=shown, crowd=crowd is not None),
        intervals=intervals,
        confusions=found.confusions,
        itself=itself,
        batches=_batches(evidence) if options.by_batch else None,
        corrections=agree_on_corrections(people, read.table) if is_corrected else None,
        sentences=on_sentences(people, read.case_set),
        choices=_choices(evidence, options),
        models=find_model_effect(evidence.split, people.raters) if models else None,
        crowd=crowd,
        inputs=read.inputs,
    )


def _scale_of(labels: Sequence[str], wanted: str | None) -> tuple[str, list[float] | None]:
    """The scale of the labels, and the numbers they stand for, if they are numbers."""
    from jurybox.api.label_numbers import as_number, as_numbers

    numbers = as_numbers(labels)
    if wanted in ("ordinal", "interval") and numbers is None:
        word = next(label for label in labels if as_number(label) is None)
        raise UsageError(
            f"--scale {wanted}: the label '{word}' is no number; give every label one, as "
            f"--labels {word}=1, or {word}=unknown if it is no answer"
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


def _together(
    counts: CodeArray, names: Sequence[str], numbers: Sequence[float] | None, options: AgreeOptions
) -> tuple[dict[str, Agreement], dict[str, Spread]]:
    import numpy as np

    from jurybox.raters.resample import agree_together, resample_agreement

    found = {name: agree_together(counts, name, numbers=numbers) for name in names}
    if not options.ci:
        return found, {}
    return found, resample_agreement(
        counts,
        np.random.default_rng(options.seed),
        options.resamples,
        names=names,
        numbers=numbers,
        level=options.ci_level,
    )


def _experts(read: RatingsInput, named: Sequence[str]) -> list[int]:
    """The experts' numbers; GUG's expert is one without being named."""
    if not named and read.format == "gug":
        from jurybox.formats.exports.gug import EXPERT

        named = [EXPERT] if EXPERT in read.everybody.raters else []
    known = {*read.everybody.raters, *read.table.raters}
    for name in named:
        if name not in known:
            shown = read.everybody.raters
            listed = ", ".join(shown[:SHOWN]) + (", …" if len(shown) > SHOWN else "")
            hint = near_name(name, shown)
            raise UsageError(f"--expert {name}: there is no such rater ({listed}){hint}")
    return [read.rater(name) for name in named]


def _pairs(
    evidence: Evidence,
    scale: str,
    numbers: Sequence[float] | None,
    experts: Sequence[int],
    options: AgreeOptions,
) -> PairFindings:
    from math import nan

    from jurybox.api.agree_pairs import PairFindings, find_pairs
    from jurybox.raters.pairs import MeanAgreement

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
    from jurybox.api.agree_further import find_batches

    column = evidence.column("batch", evidence.people)
    if column is None:
        raise UsageError("--by-batch: the judgments have no column 'batch'; see --map")
    words = [word or "(none)" for word in column.words]
    return tuple(find_batches(evidence.people, words, column.number))


def _choices(evidence: Evidence, options: AgreeOptions) -> ChoiceFindings | None:
    from jurybox.api.agree_choices import find_choices

    people = evidence.people
    first, second = evidence.column("first", people), evidence.column("second", people)
    found = None
    if first is not None and second is not None:
        shown = evidence.column("shown", people)
        found = find_choices(people, first, second, shown, options.accuracy)
    if found is None and options.accuracy is not None:
        raise UsageError(
            "--accuracy: there are no choices to correct it by; a choice task has the columns "
            "first (the writer's word) and second (the system's)"
        )
    return found


# --- crowds ---


def _crowd(
    evidence: Evidence, experts: Sequence[int], scale: str, options: AgreeOptions
) -> CrowdFindings | None:
    """Crowds against everything that is known; None if nothing is."""
    import numpy as np

    from jurybox.api.agree_crowd import Alone, Plan, find_crowd
    from jurybox.api.agree_further import plain_coefficients
    from jurybox.api.agree_references import find_references
    from jurybox.api.label_numbers import as_numbers
    from jurybox.raters.majority import ties_named
    from jurybox.raters.ratings import label_counts

    crowd, references = find_references(evidence.read, evidence.split, experts)
    if options.ties not in {"random", "drop", *crowd.labels}:
        labels = ", ".join(crowd.labels[:SHOWN])
        hint = near_name(options.ties, ("random", "drop", *crowd.labels))
        raise UsageError(f"--ties {options.ties}: give random, drop or a label ({labels}){hint}")
    ties = ties_named(options.ties, crowd.labels)
    if not references:
        return None
    plan = Plan(
        ties,
        options.draws,
        options.ci_level,
        scale,
        options.seed,
        options.largest,
        as_numbers(crowd.labels),
    )
    found = find_crowd(crowd, references, plan)
    if not experts:
        return found
    numbers = as_numbers(crowd.labels)
    counts = label_counts(crowd)
    together = plain_coefficients(counts, _names(scale, numbers), numbers)
    alone = Alone(len(np.unique(crowd.rater)), len(crowd), together)
    return found._replace(alone=alone)
