"""More out of the same judgments: other systems re-tested, and scores that assist."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from jurybox.api.evaluate_inputs import warn
from jurybox.api.sample_estimated import (
    AssistedNumbers,
    RetestedMeasure,
    RetestedSystem,
)
from jurybox.api.sample_inputs import JudgedSample
from jurybox.api.sample_numbers import Parts, find_numbers
from jurybox.api.sample_options import EstimateOptions
from jurybox.api.sample_reading import DecisionFile, GivenDecisions
from jurybox.errors import FormatError, InputError, UsageError
from jurybox.formats import Input
from jurybox.formats.sample_key import PARTS
from jurybox.stats.prediction_powered import ScoredStratum, assist_part
from jurybox.stats.repeat_watch import RepeatWatch
from jurybox.stats.reweighting import FEW, JudgedCases, Retest, Reweighted, retest
from jurybox.stats.sampled_parts import no_part

RETESTED = ("hits", "false_positives", "misses", "precision", "recall")
NEEDS_CASES = "needs a key and judgments; counts (--part) do not tell which cases were judged"


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
    given: GivenDecisions,
    judged: frozenset[str],
    *,
    columns: Mapping[str, str] | None = None,
    labels: Mapping[str, str] | None = None,
    scores: bool = False,
    threshold: float | None = None,
) -> CorpusDecisions:
    """One pass over the decisions; every case may be there once, judged ones must be."""
    wanted = {
        field: title
        for field, title in (columns or {}).items()
        if field in ("case", "label", "score")
    }
    file = DecisionFile.of(given, columns=wanted, labels=labels, threshold=threshold)
    stream = file.open(need_scores=scores)
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
    if decisions.counts[0] and not cases.flagged.any():
        raise InputError(
            f"--system {name}: it flags {decisions.counts[0]} cases, none of which was judged; "
            "draw and judge cases that it flags"
        )
    if decisions.counts[1] and cases.flagged.all():
        raise InputError(
            f"--system {name}: it calls {decisions.counts[1]} cases ok, none of which was judged; "
            "draw and judge cases that it calls ok"
        )
    found = retest(
        cases,
        sizes,
        np.random.default_rng(options.seed),
        alike=np.array([PARTS.index(one.label) for one in strata]),
        flagged=decisions.counts[0] if known else None,
        finite=options.finite,
        level=options.ci_level,
    )
    _warn_of_few(name, found, known)
    return RetestedSystem(
        name, found.flagged, known, {one: _measure(getattr(found, one)) for one in RETESTED}
    )


def _warn_of_few(name: str, found: Retest, known: bool) -> None:
    if not known:
        warn(
            f"{name}: how many cases it flags in the corpus is estimated; decisions on all cases "
            "would make it known"
        )
    for measure in ("precision", "recall"):
        one: Reweighted = getattr(found, measure)
        if one.cases and one.effective < FEW:
            warn(
                f"{name}: {measure} rests on {one.cases} judged cases, worth "
                f"{one.effective:.1f} drawn for this system; judge more of what it flags"
            )


def _measure(one: Reweighted) -> RetestedMeasure:
    return RetestedMeasure(
        one.value,
        one.interval.low,
        one.interval.high,
        one.standard_error,
        one.effective,
        one.cases,
        one.interval.reason,
    )


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
    _check_labels(decisions, sample)
    assisted, slopes, gains = [], {}, {}
    for number, label in enumerate(PARTS):
        strata = [one for one in sample.part(label) if one.judged]
        known = parts.flagged if label == "error" else parts.passed
        if not strata or not known.weight:
            assisted.append(no_part(1))
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
        helped = assist_part(scored, mean, sample.size, finite=options.finite)
        assisted.append(helped.part)
        slopes[label], gains[label] = helped.slope, helped.gain
    numbers = find_numbers(
        Parts(assisted[0], assisted[1], parts.reasons), sample, options, resample=False
    )
    return AssistedNumbers(
        numbers.measures,
        slopes,
        {label: gain if np.isfinite(gain) else float("nan") for label, gain in gains.items()},
    )


def _check_labels(decisions: CorpusDecisions, sample: JudgedSample) -> None:
    """Scores must come with the decisions that were drawn from."""
    name = decisions.source.name
    for one in sample.strata:
        for case in one.cases:
            called = PARTS[decisions.labels[case]]
            if called != one.label:
                raise InputError(
                    f"--assist {name}: calls case '{case}' {called}, but it was drawn from "
                    f"'{one.name}'; give the decisions it was drawn from"
                )
    if sample.source is not None and decisions.source.sha256 != sample.source.sha256:
        warn(
            f"{name} is not the file that was drawn from ({sample.source.path}): its SHA-256 is "
            "another one; labels of the judged cases are the same"
        )


def check_other_system(
    name: str, decisions: CorpusDecisions, sample: JudgedSample, threshold: float | None
) -> None:
    """The very file that was drawn from is another system only by another `--threshold`."""
    same = sample.source is not None and decisions.source.sha256 == sample.source.sha256
    if not same or threshold is not None:
        return
    for one in sample.strata:
        for case in one.cases:
            if PARTS[decisions.labels[case]] != one.label:
                way_out = (
                    "--threshold"
                    if sample.threshold is None
                    else (f"--threshold {sample.threshold:g}, as in the draw")
                )
                raise InputError(
                    f"--system {name}: {decisions.source.name} is what was drawn from, but calls "
                    f"case '{case}' otherwise than in the draw; say {way_out}"
                )


def refuse_counts(sample: JudgedSample, flag: str) -> None:
    """What needs to know which cases were judged cannot do with counts."""
    if sample.raters is None:
        raise UsageError(f"{flag} {NEEDS_CASES}")
