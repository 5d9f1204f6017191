"""How `estimate_sample` estimates: numbers out of the sample, other systems, help of scores."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from math import isnan

from jurybox.errors import InputError, UsageError, collecting_warnings
from jurybox.formats.tables.sample_key import PARTS
from jurybox.jury.evaluate.inputs import warn
from jurybox.raters.flagged import FlaggedChange, FlaggedRaters, changes_of
from jurybox.sample.estimate import EstimateOptions, EstimateSample
from jurybox.sample.estimate.numbers import design_effects, find_numbers, find_parts
from jurybox.sample.estimate.result import Estimated, SampleEstimateResult, StratumCounts
from jurybox.sample.estimate.retest import (
    assist_sample,
    check_other_system,
    judged_cases,
    read_corpus,
    refuse_counts,
    retest_system,
)
from jurybox.sample.inputs import JudgedSample, read_parts, read_sample
from jurybox.signature import signature

#: with fewer judged cases in strata, intervals of several of them may be too short
ENOUGH_OF_A_STRATUM = 5


def estimate(call: EstimateSample) -> SampleEstimateResult:
    """Read the sample, estimate, then test other systems and use scores, if there are any."""
    options = call.only(EstimateOptions)
    with collecting_warnings() as messages:
        sample = _read(call)
        result = _estimate(sample, options)
        inputs = list(result.inputs)
        retested = []
        for name, given in (call.systems or {}).items():
            refuse_counts(sample, "--system")
            decisions = read_corpus(
                given,
                judged_cases(sample),
                columns=call.columns,
                labels=call.relabel,
                threshold=call.threshold,
            )
            check_other_system(name, decisions, sample, call.threshold)
            inputs.append(decisions.source)
            retested.append(retest_system(name, decisions, sample, options))
        assisted = None
        if call.assist is not None:
            refuse_counts(sample, "--assist")
            decisions = read_corpus(
                call.assist,
                judged_cases(sample),
                columns=call.columns,
                labels=call.relabel,
                scores=True,
                threshold=sample.threshold,
            )
            assisted = assist_sample(decisions, find_parts(sample, options), sample, options)
            inputs.append(decisions.source)
    return replace(
        result,
        retested=tuple(retested),
        assisted=assisted,
        inputs=tuple(inputs),
        warnings=tuple(messages),
    )


def _read(call: EstimateSample) -> JudgedSample:
    if call.parts is not None and not (isinstance(call.parts, Mapping) and not call.parts):
        if call.keys is not None or call.judgments is not None:
            raise UsageError("give a key and judgments, or counts with --part, not both")
        sample = read_parts(call.parts, call.seed)
    else:
        if call.keys is None:
            raise UsageError(
                "the key is missing: name the one that jurybox sample draw wrote, or give counts "
                "as --part error=1000:750:600 ok=9000:1500:450"
            )
        if call.judgments is None:
            raise UsageError("the judgments are missing: name their files after the key")
        sample = read_sample(
            call.keys,
            call.judgments,
            columns=call.columns,
            labels=call.relabel,
            truth=call.truth,
            ties=call.ties,
            count_models=call.count_models,
            with_flagged=call.with_flagged,
            verification=call.verification,
        )
    if not sample.size:
        raise InputError("there is no case in any part of the corpus")
    return sample


def _estimate(sample: JudgedSample, options: EstimateOptions) -> SampleEstimateResult:
    parts = find_parts(sample, options)
    numbers = find_numbers(parts, sample, options)
    if without_recall := parts.reasons.get("misses"):
        warn(f"verification only: {without_recall}")
    if parts.reasons.get("hits"):
        warn(parts.reasons["hits"])
    for label in PARTS:
        _warn_of_small_strata(label, sample)
        _warn_of_none_found(label, sample, numbers.measures)
    return SampleEstimateResult(
        strata=tuple(
            StratumCounts(one.name, one.label, one.size, one.drawn, one.judged, one.errors)
            for one in sample.strata
        ),
        measures=numbers.measures,
        methods=numbers.methods,
        design_effects=design_effects(numbers, parts, sample, about=options.about),
        options=options,
        signature=_sign(options, sample.keys),
        raters=sample.raters,
        flagged=_flagged(sample, numbers.measures, options),
        inputs=sample.inputs,
    )


def _sign(options: EstimateOptions, draws: int) -> str:
    """What the numbers depend on; `draws` is how many keys were read, none for counts."""
    return signature(
        "sample",
        task="estimate",
        draws=draws or None,
        method=options.method,
        about=options.about,
        truth=options.truth if draws else None,
        ties=options.ties if draws and options.truth == "majority" else None,
        verification="yes" if options.verification else None,
        models="yes" if options.count_models else None,
        flagged="yes" if options.with_flagged else None,
        threshold=options.threshold,
        beta=options.beta,
        level=options.ci_level,
        resamples=options.resamples,
        seed=options.seed,
    )


def _warn_of_none_found(
    label: str, sample: JudgedSample, measures: Mapping[str, Estimated]
) -> None:
    """A sample without an error says how many there may be, and nothing of how many there are."""
    judged = sum(one.judged for one in sample.part(label))
    name, what, flagged, measure = (
        ("hits", "hit", "flags", "precision")
        if label == "error"
        else ("misses", "miss", "calls ok", "recall")
    )
    found, share = measures[name], measures[measure]
    if not judged or found.estimate or not found.high > 0 or isnan(share.estimate):
        return
    end = f"at most {share.high:.3f}" if label == "error" else f"at least {share.low:.3f}"
    warn(
        f"no {what} among the {judged} judged cases that the system {flagged}: up to "
        f"{found.high:.2%} of all cases may be {name}, so {measure} is {end}; judge more of them "
        "for a narrower interval"
    )


def _flagged(
    sample: JudgedSample, measures: Mapping[str, Estimated], options: EstimateOptions
) -> FlaggedRaters | None:
    """Precision, recall and F without and with flagged raters; None if nobody is flagged."""
    if sample.flagged is None or sample.other is None:
        return None
    titles = {"precision": "precision", "recall": "recall", "f": f"F{options.beta:g}"}
    changes: tuple[FlaggedChange, ...] = ()
    with suppress(InputError):  # nobody else may have judged some stratum
        parts = find_parts(sample.other, options)
        others = find_numbers(parts, sample.other, options, resample=False).measures
        here, there = (
            [(found[name].estimate, found[name].reason) for name in titles]
            for found in (measures, others)
        )
        changes = changes_of([*titles.values()], here, there, counted=options.with_flagged)
    found = sample.flagged._replace(changes=changes)
    warn(found.sentence())
    return found


def _warn_of_small_strata(label: str, sample: JudgedSample) -> None:
    """A few cases hardly show how a stratum's cases differ; a whole part of one stratum does."""
    strata = [one for one in sample.part(label) if one.judged]
    small = [one for one in strata if one.judged < min(ENOUGH_OF_A_STRATUM, one.size)]
    if len(strata) > 1 and small:
        warn(
            f"{len(small)} of {len(strata)} strata of '{label}' have fewer than "
            f"{ENOUGH_OF_A_STRATUM} judged cases (first: {small[0].name}): intervals may be a "
            "little too short; judge more of them (jurybox sample draw --after KEY), or draw "
            "with fewer strata (--by)"
        )
