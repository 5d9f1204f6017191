"""Strata with what was found in them, to numbers with intervals: the arithmetic of an estimate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import nan
from typing import NamedTuple

import numpy as np

from jurybox.errors import InputError
from jurybox.formats.tables.sample_key import PARTS
from jurybox.sample.estimate import EstimateOptions
from jurybox.sample.estimate.detection_intervals import (
    MEASURES,
    OF_BOTH,
    Values,
    Weights,
    choose_method,
    find_bounds,
    keep_possible,
    measure_values,
    percentile_bounds,
    standard_errors,
)
from jurybox.sample.estimate.result import Estimated, MethodInterval
from jurybox.sample.estimate.sampled_parts import PartSample, as_arrays, take_part, unjudged_part
from jurybox.sample.estimate.stratified_bootstrap import JudgedStratum as ResampledStratum
from jurybox.sample.estimate.stratified_bootstrap import resample_parts, size_alone
from jurybox.sample.inputs import JudgedSample, JudgedStratum
from jurybox.sample.options import About
from jurybox.stats.proportions import Bounds
from jurybox.streams import stream

NOT_SAMPLED = "nothing that the system calls ok was judged; recall cannot be told without it"
LEFT_OUT = (
    "judgments on what the system calls ok are left out (--verification); recall cannot be told "
    "without them"
)
NOT_FLAGGED_JUDGED = (
    "nothing that the system calls an error was judged; judge some of it for precision and recall"
)
NOTHING_FLAGGED = "the system calls nothing an error: there is no precision"
NO_ERRORS = "no error was found in the samples: there is no recall"
ALL_ALIKE = "all judged cases are alike, which this method takes for certainty"
#: measures that follow from one part alone
OF_ONE_PART = {"error": ("hits", "false_positives", "precision"), "ok": ("misses",)}
OF_FLAGGED = ("hits", "false_positives", "precision", "recall", "f", "error_rate")


class Numbers(NamedTuple):
    """Every measure with the interval that was asked for, and with all others."""

    measures: dict[str, Estimated]
    methods: dict[str, dict[str, MethodInterval]]
    variances: dict[str, float]


class Parts(NamedTuple):
    """What is flagged and what is called ok, and which measures they leave open, and why."""

    flagged: PartSample
    passed: PartSample
    reasons: dict[str, str]


def find_parts(sample: JudgedSample, options: EstimateOptions) -> Parts:
    """The two parts as the judged cases show them."""
    reasons: dict[str, str] = {}
    error, ok = sample.part("error"), sample.part("ok")
    missing_error = [one.name for one in error if not one.judged]
    missing_ok = [one.name for one in ok if not one.judged]
    if options.verification and ok:
        missing_ok = ["ok"]
    if missing_ok:
        _refuse_half(ok, missing_ok, options.verification)
        left_out = any(one.judged for one in ok)
        reasons |= dict.fromkeys(OF_BOTH, LEFT_OUT if left_out else NOT_SAMPLED)
    if missing_error:
        _refuse_half(error, missing_error, False)
        if missing_ok or not ok:
            raise InputError("nothing was judged of any part of the corpus: there is no estimate")
        reasons |= dict.fromkeys(OF_FLAGGED, NOT_FLAGGED_JUDGED)
    elif not error:
        reasons["precision"] = NOTHING_FLAGGED
    return Parts(
        _part(error, bool(missing_error), sample.size, options.about),
        _part(ok, bool(missing_ok), sample.size, options.about),
        reasons,
    )


def _refuse_half(part: Sequence[JudgedStratum], missing: Sequence[str], wanted: bool) -> None:
    """A part of which only some strata were judged would be half an estimate."""
    if not wanted and len(missing) < len(part):
        raise InputError(
            f"nothing was judged of {', '.join(missing)}, but of other strata with the same label; "
            "draw from these too, or leave out --by"
        )


def _part(strata: Sequence[JudgedStratum], left_open: bool, size: int, about: About) -> PartSample:
    if left_open or not strata:
        return unjudged_part(sum(one.size for one in strata) / size, size, about=about)
    return take_part([as_arrays(one.stratum()) for one in strata], size, about=about)


def find_numbers(
    parts: Parts, sample: JudgedSample, options: EstimateOptions, *, resample: bool = True
) -> Numbers:
    """Values, standard errors and all intervals."""
    flagged, passed = parts.flagged, parts.passed
    values = measure_values(
        flagged.share, passed.share, flagged.weight, passed.weight, options.beta
    )
    errors = standard_errors(flagged, passed, options.beta)
    weights = Weights(*(np.array([sample.weight(label)]) for label in ("error", "ok")))
    found = find_bounds(flagged, passed, level=options.ci_level, beta=options.beta, weights=weights)
    if resample:
        for name, ends in _bootstrap(parts, sample, options).items():
            found[name]["bootstrap"] = ends
    reasons = _all_reasons(values, parts.reasons)
    known = _known_measures(sample, options)
    methods = {
        name: {
            method: _interval(ends, doubtful=name not in known, method=method)
            for method, ends in found[name].items()
        }
        if name not in reasons
        else {}
        for name in MEASURES
    }
    measures = {
        name: _estimated(
            name,
            values,
            errors,
            methods[name],
            asked=options.method,
            reason=reasons.get(name, ""),
        )
        for name in MEASURES
    }
    variances = {name: float(errors[name][0]) ** 2 for name in MEASURES}
    return Numbers(measures, methods, variances)


def _all_reasons(values: Values, reasons: Mapping[str, str]) -> dict[str, str]:
    """Why measures are open; the samples may show no error at all."""
    all_of_them = dict(reasons)
    for name in ("recall", "f", "precision"):
        if name not in all_of_them and np.isnan(values[name][0]):
            all_of_them[name] = NO_ERRORS if name == "recall" else "it is 0 divided by 0"
    return all_of_them


def _known_measures(sample: JudgedSample, options: EstimateOptions) -> frozenset[str]:
    """Measures of this corpus without doubt: of parts that hold no case, or were judged wholly."""
    if options.about == "text":
        return frozenset()
    certain = {label: all(one.judged == one.size for one in sample.part(label)) for label in PARTS}
    known = {name for label in PARTS if certain[label] for name in OF_ONE_PART[label]}
    return frozenset(MEASURES) if all(certain.values()) else frozenset(known)


def _interval(ends: Bounds, *, doubtful: bool, method: str) -> MethodInterval:
    low, high = float(ends.low[0]), float(ends.high[0])
    alike = doubtful and low == high and method in ("paper", "wald", "delta", "bootstrap")
    return MethodInterval(low, high, ALL_ALIKE if alike else "")


def _estimated(
    name: str,
    values: Values,
    errors: Values,
    methods: Mapping[str, MethodInterval],
    *,
    asked: str,
    reason: str,
) -> Estimated:
    if reason:
        return Estimated(nan, nan, nan, None, nan, reason)
    method = choose_method(name, asked, methods)
    ends = methods[method]
    value, error = float(values[name][0]), float(errors[name][0])
    return Estimated(value, ends.low, ends.high, method, error, ends.reason)


def _bootstrap(parts: Parts, sample: JudgedSample, options: EstimateOptions) -> dict[str, Bounds]:
    judged = {"error": "hits" not in parts.reasons, "ok": "misses" not in parts.reasons}
    strata = [
        [_countable(one) if judged[label] else size_alone(one.size) for one in sample.part(label)]
        or [size_alone(0)]
        for label in PARTS
    ]
    rng = stream(options.seed, "bootstrap")
    flagged, passed = resample_parts(strata, rng, options.resamples, about=options.about)
    values = measure_values(
        flagged.share, passed.share, flagged.weight, passed.weight, options.beta
    )
    possible = keep_possible(parts.flagged, parts.passed, options.beta)
    return {
        name: possible(name, percentile_bounds(values[name], options.ci_level)) for name in MEASURES
    }


def _countable(one: JudgedStratum) -> ResampledStratum:
    if one.counted is not None:
        judged, errors = one.counted
        if errors % 1:  # shares that only their sum is known of: as if they were 0 or 1
            errors = round(errors)
        counts = np.array([[judged - int(errors), int(errors)]])
        return ResampledStratum(one.size, np.array([0.0, 1.0]), counts)
    values, counts = np.unique(np.array(one.shares), return_counts=True)
    if len(values) == 1:  # a value that nobody has makes two
        values, counts = np.array([values[0], values[0]]), np.array([counts[0], 0])
    return ResampledStratum(one.size, values, counts[None, :])


def design_effects(
    numbers: Numbers, parts: Parts, sample: JudgedSample, *, about: About
) -> dict[str, float]:
    """Variances by those of as many cases drawn from the whole corpus at one rate (Kish 1965).

    Below 1, drawing from parts at rates of their own has paid. About this corpus, the plain sample
    is one of it, of which as much is known.
    """
    judged = sum(one.judged for one in sample.strata)
    unseen = 1 - judged / sample.size if about == "corpus" else 1.0
    rate = numbers.measures["error_rate"].estimate
    plain = {"precision": float(parts.flagged.weight), "recall": rate, "error_rate": 1.0}
    effects = {}
    for name, share in plain.items():
        value = numbers.measures[name].estimate
        expected = value * (1 - value) / (judged * share) * unseen if share else nan
        effects[name] = numbers.variances[name] / expected if expected else nan
    return effects
