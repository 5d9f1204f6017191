"""`estimate_sample`: precision and recall of a system out of a judged sample of a corpus.

Tetreault and Chodorow 2008, section 6.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from jurybox.api.sample_estimated import SampleEstimateResult, StratumCounts
from jurybox.api.sample_inputs import GivenKeys, JudgedSample, read_parts, read_sample
from jurybox.api.sample_options import EstimateOptions
from jurybox.api.sample_reading import GivenDecisions
from jurybox.api.score import collecting_warnings
from jurybox.errors import InputError, UsageError
from jurybox.formats import Source
from jurybox.formats.sample_key import PARTS

#: with fewer judged cases in strata, intervals of several of them may be too short
ENOUGH_OF_A_STRATUM = 5


def estimate_sample(
    keys: GivenKeys | None = None,
    judgments: Source | Sequence[Source] | None = None,
    *,
    parts: Mapping[str, str | Sequence[float]] | None = None,
    systems: Mapping[str, GivenDecisions] | None = None,
    assist: GivenDecisions | None = None,
    threshold: float | None = None,
    columns: Mapping[str, str] | None = None,
    labels: Mapping[str, str] | None = None,
    method: str = "recommended",
    finite: bool = False,
    truth: str = "graded",
    ties: str = "ok",
    verification: bool = False,
    with_models: bool = False,
    beta: float = 0.5,
    ci_level: float = 0.95,
    resamples: int = 1000,
    seed: int = 1,
) -> SampleEstimateResult:
    """Hits, false positives, misses, precision, recall and F of the system that was sampled.

    `keys` and `judgments` are files, or give counts as `parts`: size, sampled cases and errors
    among them. `systems` are re-tested on the same judgments; with `threshold` they call an error
    what has this score or more. `assist` holds scores of every case.
    Options are those of `jurybox sample estimate`.

    Figure 1 of the paper:

    >>> found = estimate_sample(parts={"error": (1000, 750, 600), "ok": (9000, 1500, 450)})
    >>> found["precision"].estimate, round(found["recall"].estimate, 3)
    (0.8, 0.229)
    >>> round(found["recall"].low, 3), round(found["recall"].high, 3), found["recall"].method
    (0.214, 0.244, 'corrected')
    """
    options = EstimateOptions(
        method=method,
        finite=finite,
        truth=truth,
        ties=ties,
        verification=verification,
        with_models=with_models,
        beta=beta,
        ci_level=ci_level,
        resamples=resamples,
        seed=seed,
    )
    if threshold is not None and not systems:
        raise UsageError("--threshold is for the systems of --system; the key has that of the draw")
    with collecting_warnings() as messages:
        sample = _read(keys, judgments, parts, options, columns=columns, labels=labels)
        result = _estimate(sample, options)
        reading: dict[str, Any] = {"columns": columns, "labels": labels}
        of_systems = reading | {"threshold": threshold}
        result = _with_systems(result, sample, systems or {}, options, of_systems)
        result = _with_scores(result, sample, assist, options=options, reading=reading)
    return replace(result, warnings=tuple(messages))


def _read(
    keys: GivenKeys | None,
    judgments: Source | Sequence[Source] | None,
    parts: Mapping[str, str | Sequence[float]] | None,
    options: EstimateOptions,
    *,
    columns: Mapping[str, str] | None,
    labels: Mapping[str, str] | None,
) -> JudgedSample:
    if parts:
        if keys is not None or judgments is not None:
            raise UsageError("give a key and judgments, or counts with --part, not both")
        sample = read_parts(parts, options.seed)
    else:
        if keys is None:
            raise UsageError(
                "the key is missing: name the one that jurybox sample draw wrote, or give counts "
                "as --part error=1000:750:600 ok=9000:1500:450"
            )
        if judgments is None:
            raise UsageError("the judgments are missing: name their files after the key")
        sample = read_sample(
            keys,
            judgments,
            columns=columns,
            labels=labels,
            truth=options.truth,
            ties=options.ties,
            with_models=options.with_models,
            verification=options.verification,
        )
    if not sample.size:
        raise InputError("there is no case in any part of the corpus")
    return sample


def _estimate(sample: JudgedSample, options: EstimateOptions) -> SampleEstimateResult:
    from jurybox.api.evaluate_inputs import warn
    from jurybox.api.sample_numbers import design_effects, find_numbers, find_parts

    parts = find_parts(sample, options)
    numbers = find_numbers(parts, sample, options)
    if without_recall := parts.reasons.get("misses"):
        warn(f"verification only: {without_recall}")
    if parts.reasons.get("hits"):
        warn(parts.reasons["hits"])
    for label in PARTS:
        _warn_of_small_strata(label, sample)
    return SampleEstimateResult(
        strata=tuple(
            StratumCounts(one.name, one.label, one.size, one.drawn, one.judged, one.errors)
            for one in sample.strata
        ),
        measures=numbers.measures,
        methods=numbers.methods,
        design_effects=design_effects(numbers, parts, sample, finite=options.finite),
        options=options.to_dict(),
        signature=options.sign(sample.keys),
        raters=sample.raters,
        inputs=sample.inputs,
    )


def _warn_of_small_strata(label: str, sample: JudgedSample) -> None:
    """A few cases hardly show how a stratum's cases differ; a whole part of one stratum does."""
    from jurybox.api.evaluate_inputs import warn

    strata = [one for one in sample.part(label) if one.judged]
    small = [one for one in strata if one.judged < min(ENOUGH_OF_A_STRATUM, one.size)]
    if len(strata) > 1 and small:
        warn(
            f"{len(small)} of {len(strata)} strata of '{label}' have fewer than "
            f"{ENOUGH_OF_A_STRATUM} judged cases (first: {small[0].name}): intervals may be a "
            "little too short; judge more of them (jurybox sample draw --after KEY), or draw "
            "with fewer strata (--by)"
        )


def _with_systems(
    result: SampleEstimateResult,
    sample: JudgedSample,
    systems: Mapping[str, GivenDecisions],
    options: EstimateOptions,
    reading: Mapping[str, Any],
) -> SampleEstimateResult:
    """Other systems on the same judgments."""
    if not systems:
        return result
    from jurybox.api.sample_retest import (
        check_other_system,
        judged_cases,
        read_corpus,
        refuse_counts,
        retest_system,
    )

    inputs, retested = list(result.inputs), []
    for name, given in systems.items():
        refuse_counts(sample, "--system")
        decisions = read_corpus(given, judged_cases(sample), **reading)
        check_other_system(name, decisions, sample, reading["threshold"])
        inputs.append(decisions.source)
        retested.append(retest_system(name, decisions, sample, options))
    threshold = reading["threshold"]
    return replace(
        result,
        retested=tuple(retested),
        inputs=tuple(inputs),
        options=options.to_dict(threshold),
        signature=options.sign(sample.keys, threshold),
    )


def _with_scores(
    result: SampleEstimateResult,
    sample: JudgedSample,
    assist: GivenDecisions | None,
    *,
    options: EstimateOptions,
    reading: Mapping[str, Any],
) -> SampleEstimateResult:
    """The same numbers with the help of scores on every case."""
    if assist is None:
        return result
    from jurybox.api.sample_numbers import find_parts
    from jurybox.api.sample_retest import assist_sample, judged_cases, read_corpus, refuse_counts

    refuse_counts(sample, "--assist")
    decisions = read_corpus(
        assist, judged_cases(sample), **reading, scores=True, threshold=sample.threshold
    )
    assisted = assist_sample(decisions, find_parts(sample, options), sample, options)
    return replace(result, assisted=assisted, inputs=(*result.inputs, decisions.source))
