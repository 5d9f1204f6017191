"""How `estimate_sample` estimates: numbers out of the sample, other systems, help of scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from math import isfinite, isnan, nan
from typing import Any, NamedTuple

import numpy as np

from jurybox.errors import FormatError, InputError, UsageError, collecting_warnings, warn
from jurybox.formats import Input
from jurybox.formats.tables.sample_key import PARTS
from jurybox.options import signature
from jurybox.raters.flagged import FlaggedChange, FlaggedRaters, changes_of
from jurybox.sample.estimate import EstimateOptions, EstimateSample
from jurybox.sample.estimate.detection_intervals import (
    MEASURES,
    OF_BOTH,
    bootstrap_bounds,
    choose_method,
    find_bounds,
    measure_values,
    standard_errors,
)
from jurybox.sample.estimate.result import (
    RETESTED,
    AssistedNumbers,
    Estimated,
    MethodInterval,
    RetestedSystem,
    SampleEstimateResult,
    StratumCounts,
)
from jurybox.sample.estimate.reweighting import FEW, JudgedCases, retest
from jurybox.sample.estimate.sampled_parts import (
    CountedShares,
    PartSample,
    ScoredStratum,
    assist_part,
    size_alone,
    take_part,
    unjudged_part,
)
from jurybox.sample.inputs import JudgedSample, JudgedStratum, read_parts, read_sample
from jurybox.sample.options import About
from jurybox.sample.reading import DecisionFile, GivenDecisions, RepeatWatch
from jurybox.streams import stream

#: with fewer judged cases in strata, intervals of several of them may be too short
ENOUGH_OF_A_STRATUM = 5
NEEDS_CASES = "needs a key and judgments; counts (--part) do not tell which cases were judged"
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
#: methods that take judged cases that are all alike for certainty
WITHOUT_DOUBT = ("paper", "wald", "delta", "bootstrap")
#: measures that follow from one part alone
OF_ONE_PART = {"error": ("hits", "false_positives", "precision"), "ok": ("misses",)}
OF_FLAGGED = ("hits", "false_positives", "precision", "recall", "f", "error_rate")


def estimate(call: EstimateSample) -> SampleEstimateResult:
    """Read the sample, estimate, then test other systems and use scores, if there are any."""
    options = call.only(EstimateOptions)
    with collecting_warnings() as messages:
        sample = _read(call)
        clean = sample.clean()
        parts = find_parts(clean, options)
        measures, methods = find_numbers(parts, clean, options)
        if without_recall := parts.reasons.get("misses"):
            warn(f"verification only: {without_recall}")
        if parts.reasons.get("hits"):
            warn(parts.reasons["hits"])
        for label in PARTS:
            _warn_of_small_strata(label, clean)
            _warn_of_none_found(label, clean, measures)
        flagged = _flagged(clean, measures, options)
        if sample.spoiled and (call.systems or call.assist is not None):
            warn(
                "--system and --assist take every part to have the same share of spoiled contexts: "
                "which cases of the corpus are clean is not known"
            )
        inputs = list(sample.inputs)
        retested = []
        wanted = ("case", "label", "score")
        reading = {
            "columns": {f: title for f, title in (call.columns or {}).items() if f in wanted},
            "labels": call.relabel,
        }
        for name, given in (call.systems or {}).items():
            decisions = read_corpus(given, sample, "--system", threshold=call.threshold, **reading)
            check_other_system(name, decisions, sample, call.threshold)
            inputs.append(decisions.source)
            retested.append(retest_system(name, decisions, sample, options))
        assisted = None
        if call.assist is not None:
            decisions = read_corpus(
                call.assist, sample, "--assist", threshold=sample.threshold, **reading
            )
            assisted = assist_sample(decisions, find_parts(sample, options), sample, options)
            inputs.append(decisions.source)
    return SampleEstimateResult(
        strata=tuple(
            StratumCounts(*one[:4], one.judged, one.errors, one.spoiled) for one in clean.strata
        ),
        measures=measures,
        methods=methods,
        design_effects=design_effects(measures, parts, clean, about=options.about),
        options=options,
        signature=_sign(options, sample.keys),
        raters=sample.raters,
        flagged=flagged,
        retested=tuple(retested),
        assisted=assisted,
        inputs=tuple(inputs),
        warnings=tuple(messages),
    )


def _read(call: EstimateSample) -> JudgedSample:
    if call.parts is not None and not (isinstance(call.parts, Mapping) and not call.parts):
        if call.keys is not None or call.judgments is not None:
            raise UsageError("give a key and judgments, or counts with --part, not both")
        if call.spoiled == "drop":
            raise UsageError(f"--spoiled drop {NEEDS_CASES}")
        sample = read_parts(call.parts, call.seed)
    else:
        if call.keys is None:
            raise UsageError(
                "the key is missing: name the one that jurybox sample draw wrote, or give counts "
                "as --part error=1000:750:600 ok=9000:1500:450"
            )
        if call.judgments is None:
            raise UsageError("the judgments are missing: name their files after the key")
        sample = read_sample(call, call.keys, call.judgments)
    if not sample.size:
        raise InputError("there is no case in any part of the corpus")
    return sample


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
        spoiled="drop" if options.spoiled == "drop" else None,
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


def _flagged(
    sample: JudgedSample, measures: Mapping[str, Estimated], options: EstimateOptions
) -> FlaggedRaters | None:
    """Precision, recall and F without and with flagged raters; None if nobody is flagged."""
    if sample.flagged is None or sample.other is None:
        return None
    titles = {"precision": "precision", "recall": "recall", "f": f"F{options.beta:g}"}
    changes: tuple[FlaggedChange, ...] = ()
    with suppress(InputError):  # nobody else may have judged some stratum
        other = sample.other.clean()
        others, _ = find_numbers(find_parts(other, options), other, options, resample=False)
        here, there = (
            [(found[name].estimate, found[name].reason) for name in titles]
            for found in (measures, others)
        )
        changes = changes_of([*titles.values()], here, there, counted=options.with_flagged)
    found = sample.flagged._replace(changes=changes)
    warn(found.sentence())
    return found


# --- every number with its intervals ---


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
    return take_part([one.sampled() for one in strata], size, about=about)


def find_numbers(
    parts: Parts, sample: JudgedSample, options: EstimateOptions, *, resample: bool = True
) -> tuple[dict[str, Estimated], dict[str, dict[str, MethodInterval]]]:
    """Every measure with the interval that was asked for, and with all others."""
    flagged, passed = parts.flagged, parts.passed
    values = measure_values(
        flagged.share, passed.share, flagged.weight, passed.weight, options.beta
    )
    errors = standard_errors(flagged, passed, options.beta)
    weights = (np.array([sample.weight("error")]), np.array([sample.weight("ok")]))
    found = find_bounds(flagged, passed, level=options.ci_level, beta=options.beta, weights=weights)
    if resample:
        judged = {"error": "hits" not in parts.reasons, "ok": "misses" not in parts.reasons}
        strata = [
            [_shares(one) if judged[label] else size_alone(one.size) for one in sample.part(label)]
            or [size_alone(0)]
            for label in PARTS
        ]
        rng = stream(options.seed, "bootstrap")
        again = bootstrap_bounds(
            *(flagged, passed, strata, rng, options.resamples),
            about=options.about,
            level=options.ci_level,
            beta=options.beta,
        )
        for name, ends in again.items():
            found[name]["bootstrap"] = ends
    reasons = dict(parts.reasons)
    for name in ("recall", "f", "precision"):
        if name not in reasons and np.isnan(values[name][0]):  # the samples show no error at all
            reasons[name] = NO_ERRORS if name == "recall" else "it is 0 divided by 0"
    known = _known_measures(sample, options)
    methods: dict[str, dict[str, MethodInterval]] = {}
    measures: dict[str, Estimated] = {}
    for name in MEASURES:
        methods[name] = {}
        if name in reasons:
            measures[name] = Estimated(nan, nan, nan, None, nan, reasons[name])
            continue
        for method, ends in found[name].items():
            low, high = float(ends.low[0]), float(ends.high[0])
            alike = low == high and name not in known and method in WITHOUT_DOUBT
            methods[name][method] = MethodInterval(low, high, ALL_ALIKE if alike else "")
        chosen = choose_method(name, options.method, methods[name])
        low, high, reason = methods[name][chosen]
        value, error = float(values[name][0]), float(errors[name][0])
        measures[name] = Estimated(value, low, high, chosen, error, reason)
    return measures, methods


def _known_measures(sample: JudgedSample, options: EstimateOptions) -> frozenset[str]:
    """Measures of this corpus without doubt: of parts that hold no case, or were judged wholly."""
    if options.about == "text":
        return frozenset()
    certain = {label: all(one.judged == one.size for one in sample.part(label)) for label in PARTS}
    known = {name for label in PARTS if certain[label] for name in OF_ONE_PART[label]}
    return frozenset(MEASURES) if all(certain.values()) else frozenset(known)


def _shares(one: JudgedStratum) -> CountedShares:
    """How many judged cases have each share."""
    if one.counted is not None:
        judged, errors = one.counted
        if errors % 1:  # shares that only their sum is known of: as if they were 0 or 1
            errors = round(errors)
        counts = np.array([[judged - int(errors), int(errors)]])
        return CountedShares(one.size, np.array([0.0, 1.0]), counts)
    values, counts = np.unique(np.array(one.shares), return_counts=True)
    if len(values) == 1:  # a value that nobody has makes two
        values, counts = np.array([values[0], values[0]]), np.array([counts[0], 0])
    return CountedShares(one.size, values, counts[None, :])


def design_effects(
    measures: Mapping[str, Estimated], parts: Parts, sample: JudgedSample, *, about: About
) -> dict[str, float]:
    """Variances by those of as many cases drawn from the whole corpus at one rate (Kish 1965).

    Below 1, drawing from parts at rates of their own has paid. About this corpus, the plain sample
    is one of it, of which as much is known.
    """
    judged = sum(one.judged for one in sample.strata)
    unseen = 1 - judged / sample.size if about == "corpus" else 1.0
    rate = measures["error_rate"].estimate
    plain = {"precision": float(parts.flagged.weight), "recall": rate, "error_rate": 1.0}
    effects = {}
    for name, share in plain.items():
        value = measures[name].estimate
        expected = value * (1 - value) / (judged * share) * unseen if share else nan
        effects[name] = measures[name].standard_error ** 2 / expected if expected else nan
    return effects


# --- more out of the same judgments: other systems re-tested, and scores that assist ---


class CorpusDecisions(NamedTuple):
    """What a decisions file says: of the judged cases one by one, of all others in sum."""

    source: Input
    labels: dict[str, int]  # judged case -> place in PARTS
    scores: dict[str, float]
    counts: tuple[int, int]  # cases called error, called ok
    score_sums: tuple[float, float]

    @property
    def total(self) -> int:
        return sum(self.counts)


def read_corpus(
    given: GivenDecisions, sample: JudgedSample, flag: str, **reading: Any
) -> CorpusDecisions:
    """One pass over the decisions; every case may be there once, judged ones must be."""
    if sample.raters is None:
        raise UsageError(f"{flag} {NEEDS_CASES}")
    judged = judged_cases(sample)
    file = DecisionFile.of(given, **reading)
    stream = file.open(need_scores=flag == "--assist")
    found: dict[str, int] = {}
    scored: dict[str, float] = {}
    counts, sums = [0, 0], [0.0, 0.0]
    watch = RepeatWatch()
    for block in stream.blocks():
        watch.add(block.cases)
        for place, (case, label) in enumerate(zip(block.cases, block.labels, strict=True)):
            if label >= len(PARTS):
                continue  # complained about at the end
            counts[label] += 1
            score = block.scores[place] if block.scores is not None else 0.0
            sums[label] += score
            if case in judged:
                if case in found:
                    message = f"case '{case}' is decided twice; keep one decision"
                    raise FormatError(message, path=stream.name, line=block.lines[place])
                found[case], scored[case] = label, score
    if watch.found:
        raise InputError(f"{stream.name}: a case is decided twice; keep one decision for each")
    absent = sorted(judged - found.keys())
    if absent:
        raise InputError(
            f"{stream.name}: {len(absent)} of {len(judged)} judged cases have no decision (first: "
            f"'{absent[0]}'); let the system decide about all of them"
        )
    return CorpusDecisions(file.source, found, scored, (counts[0], counts[1]), (sums[0], sums[1]))


def judged_cases(sample: JudgedSample) -> frozenset[str]:
    """The ids, in the corpus, of all cases that were judged."""
    return frozenset(case for one in sample.strata for case in one.cases)


def retest_system(
    name: str, decisions: CorpusDecisions, sample: JudgedSample, options: EstimateOptions
) -> RetestedSystem:
    """A new system on the judgments, reweighted; refused where they do not cover the corpus."""
    strata = [one for one in sample.strata if one.size]
    uncovered = [one.name for one in strata if not one.judged]
    if uncovered:
        raise InputError(
            f"--system {name}: nothing was judged of {', '.join(uncovered)}, and what the new "
            "system flags there cannot be told; draw and judge cases of it "
            "(jurybox sample draw --after KEY)"
        )
    judged = len(judged_cases(sample))
    known = decisions.total == sample.size
    if not known and decisions.total != judged:
        raise InputError(
            f"--system {name}: {decisions.source.name} decides about {decisions.total} cases; give "
            f"decisions on all {sample.size} cases of the corpus, or on the {judged} judged ones"
        )
    cases = JudgedCases(
        stratum=np.repeat(np.arange(len(strata)), [one.judged for one in strata]),
        error=np.array([share for one in strata for share in one.shares]),
        flagged=np.array([decisions.labels[c] == 0 for one in strata for c in one.cases]),
    )
    sizes = np.array([one.size for one in strata])
    error, ok = decisions.counts
    for number, unseen, says, which in (
        (error, not cases.flagged.any(), f"flags {error} cases", "flags"),
        (ok, cases.flagged.all(), f"calls {ok} cases ok", "calls ok"),
    ):
        if number and unseen:
            raise InputError(
                f"--system {name}: it {says}, none of which was judged; draw and judge cases that "
                f"it {which}"
            )
    found = retest(
        cases,
        sizes,
        stream(options.seed, "corpora"),
        alike=np.array([PARTS.index(one.label) for one in strata]),
        flagged=decisions.counts[0] if known else None,
        about=options.about,
        level=options.ci_level,
    )
    if not known:
        warn(
            f"{name}: how many cases it flags in the corpus is estimated; decisions on all cases "
            "would make it known"
        )
    for measure, one in (("precision", found.precision), ("recall", found.recall)):
        if one.cases and one.effective < FEW:
            warn(
                f"{name}: {measure} rests on {one.cases} judged cases, worth "
                f"{one.effective:.1f} drawn for this system; judge more of what it flags"
            )
    measures = {one: getattr(found, one) for one in RETESTED}
    return RetestedSystem(name, found.flagged, known, measures)


def assist_sample(
    decisions: CorpusDecisions, parts: Parts, sample: JudgedSample, options: EstimateOptions
) -> AssistedNumbers:
    """The same measures with the help of scores; each part's mean score must be known."""
    name = decisions.source.name
    sizes = tuple(sum(one.size for one in sample.part(label)) for label in PARTS)
    if decisions.counts != sizes:
        raise InputError(
            f"--assist {name}: calls {decisions.counts[0]} cases an error and "
            f"{decisions.counts[1]} ok, but the sample was drawn from {sizes[0]} and {sizes[1]}; "
            "give the decisions it was drawn from, with a score for every case"
        )
    if relabelled := _relabelled(decisions, sample):
        case, called, one = relabelled
        raise InputError(
            f"--assist {name}: calls case '{case}' {called}, but it was drawn from "
            f"'{one.name}'; give the decisions it was drawn from"
        )
    if sample.source is not None and decisions.source.sha256 != sample.source.sha256:
        warn(
            f"{name} is not the file that was drawn from ({sample.source.path}): its SHA-256 is "
            "another one; labels of the judged cases are the same"
        )
    assisted, slopes, gains = [], {}, {}
    for number, label in enumerate(PARTS):
        strata = [one for one in sample.part(label) if one.judged]
        known = parts.flagged if label == "error" else parts.passed
        if not strata or (label == "ok" and "misses" in parts.reasons):
            assisted.append(known)
            continue
        scored = [
            ScoredStratum(
                one.size,
                np.array(one.shares),
                np.array([decisions.scores[case] for case in one.cases]),
            )
            for one in strata
        ]
        mean = decisions.score_sums[number] / decisions.counts[number]
        helped = assist_part(scored, mean, sample.size, about=options.about)
        assisted.append(helped.part)
        slopes[label], gains[label] = helped.slope, helped.gain
    helped_parts = Parts(assisted[0], assisted[1], parts.reasons)
    measures, _ = find_numbers(helped_parts, sample, options, resample=False)
    finite = {label: gain if isfinite(gain) else nan for label, gain in gains.items()}
    return AssistedNumbers(measures, slopes, finite)


def _relabelled(
    decisions: CorpusDecisions, sample: JudgedSample
) -> tuple[str, str, JudgedStratum] | None:
    """A judged case that is called otherwise than in the draw, what it is called, its stratum."""
    called = ((case, PARTS[decisions.labels[case]], s) for s in sample.strata for case in s.cases)
    return next((one for one in called if one[1] != one[2].label), None)


def check_other_system(
    name: str, decisions: CorpusDecisions, sample: JudgedSample, threshold: float | None
) -> None:
    """The very file that was drawn from is another system only by another `--threshold`."""
    same = sample.source is not None and decisions.source.sha256 == sample.source.sha256
    if not same or threshold is not None:
        return
    if relabelled := _relabelled(decisions, sample):
        before = "" if sample.threshold is None else f" {sample.threshold:g}, as in the draw"
        raise InputError(
            f"--system {name}: {decisions.source.name} is what was drawn from, but calls case "
            f"'{relabelled[0]}' otherwise than in the draw; say --threshold{before}"
        )
