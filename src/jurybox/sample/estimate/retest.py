"""More out of the same judgments: other systems re-tested, and scores that assist."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import NamedTuple

import numpy as np

from jurybox.errors import FormatError, InputError, UsageError
from jurybox.formats import Input
from jurybox.formats.tables.sample_key import PARTS
from jurybox.jury.evaluate.inputs import warn
from jurybox.sample.estimate import EstimateOptions
from jurybox.sample.estimate.numbers import Parts, find_numbers
from jurybox.sample.estimate.result import (
    RETESTED,
    AssistedNumbers,
    RetestedMeasure,
    RetestedSystem,
)
from jurybox.sample.estimate.reweighting import FEW, JudgedCases, Retest, Reweighted, retest
from jurybox.sample.estimate.sampled_parts import PartSample, SampledStratum, take_part
from jurybox.sample.inputs import JudgedSample
from jurybox.sample.options import About
from jurybox.sample.reading import DecisionFile, GivenDecisions, RepeatWatch
from jurybox.stats.proportions import FloatArray
from jurybox.streams import stream

# --- Model-assisted estimates: scores on every case make a sample of judgments surer ---
#
# Where a detector has scored every case of the corpus, the mean of its scores is known, and only
# how far it is off needs to be judged: a part's error rate is λ times the mean score of all of its
# cases, plus the mean of (judgment - λ score) over the sampled ones. This is the difference
# estimator of survey sampling (Särndal, Swensson and Wretman 1992, chapter 6), known as
# prediction-powered inference (Angelopoulos et al. 2023). For a given λ it is unbiased whatever the
# scores are worth; λ is chosen so that worthless scores do no harm (Angelopoulos, Duchi and Zrnic
# 2023): the slope of judgments on scores, between 0 and 1 where scores are chances of an error. It
# comes from the same sample, so the estimate is nearly unbiased, the more so the larger the sample.
# Where scores do not help, as where all judged cases are alike, the part is what it is without
# them.
#
# Scores tell about the cases of this corpus that were not judged. About text of this kind, the
# corpus itself is a draw, and no score makes it larger: to the variance about this corpus comes
# that of a plain sample of as many cases as the part has, all judged (two-phase sampling, Cochran
# 1977, section 12.2).

#: with fewer errors than this among the sampled cases, or fewer others, the slope rests on too few
#: of them to be trusted: scores are left out
ENOUGH = 10


class ScoredStratum(NamedTuple):
    """Judgments and scores of the sampled cases of a stratum."""

    size: int
    error: FloatArray
    score: FloatArray


class AssistedPart(NamedTuple):
    """A part's share of errors with the help of scores; how much surer than without them."""

    part: PartSample
    slope: float
    gain: float  # variance without scores, by that with them


def assist_part(
    strata: Sequence[ScoredStratum], mean_score: float, of_all: int, *, about: About
) -> AssistedPart:
    """A part of the corpus, of which the mean score of all cases is known.

    Scores that were right about all judged cases have no variance, but are not taken for certain:

    >>> error = np.array([0.0, 1.0] * 10)
    >>> found = assist_part([ScoredStratum(1000, error, error)], 0.45, 1000, about="corpus")
    >>> float(found.part.share[0]), float(found.part.variance[0]), round(float(found.part.n[0]))
    (0.45, 0.0, 207)
    """
    size = sum(one.size for one in strata)
    without = take_part([_plain(one) for one in strata], of_all, about=about)
    slope = _slope(strata, size)
    if not slope:
        return AssistedPart(without, 0.0, 1.0)
    of_corpus = 0.0
    if about == "text":
        mean = sum(one.size / size * float(one.error.mean()) for one in strata)
        squares = sum(one.size / size * float((one.error**2).mean()) for one in strata)
        of_corpus = max(squares - mean**2, 0.0) / size
    plain = of_corpus + sum(_variance(one, one.error) * (one.size / size) ** 2 for one in strata)
    share = slope * mean_score
    variance, possible_variance = of_corpus, of_corpus
    for one in strata:
        weight, off = one.size / size, one.error - slope * one.score
        share += weight * float(off.mean())
        found = _variance(one, off)
        variance += weight**2 * found
        possible_variance += weight**2 * max(found, _least_variance(one))
    share = min(1.0, max(0.0, share))
    least = 0.5 / sum(len(one.error) for one in strata)  # half an error: none is not certainty
    possible = min(1 - least, max(least, share))
    n = possible * (1 - possible) / possible_variance if possible_variance > 0 else inf
    sure = np.array([n])
    part = without._replace(
        share=np.array([share]),
        variance=np.array([variance]),
        n=sure,
        skew=1 / sure**2,
        counts=None,
    )
    return AssistedPart(part, slope, plain / variance if variance > 0 else inf)


def _plain(one: ScoredStratum) -> SampledStratum:
    errors, squares = one.error.sum(), (one.error**2).sum()
    return SampledStratum(one.size, len(one.error), np.array([errors]), np.array([squares]))


def _least_variance(one: ScoredStratum) -> float:
    """With half a case off: that no judged case is off does not mean that none is."""
    n = len(one.error)
    least = 0.5 / n
    return least * (1 - least) / n * (1 - n / one.size)


def _slope(strata: Sequence[ScoredStratum], size: int) -> float:
    """The λ that makes the variance smallest; 0 where scores do not vary or errors are few."""
    together, own = 0.0, 0.0
    for one in strata:
        n = len(one.error)
        if n < 2:
            continue
        factor = (one.size / size) ** 2 / n * (1 - n / one.size)
        spread = np.cov(one.error, one.score)
        together += factor * float(spread[0, 1])
        own += factor * float(spread[1, 1])
    errors = sum(float(one.error.sum()) for one in strata)
    others = sum(len(one.error) for one in strata) - errors
    if own <= 0 or min(errors, others) < ENOUGH:
        return 0.0
    return together / own


def _variance(one: ScoredStratum, values: FloatArray) -> float:
    """Of the mean over the stratum, about this corpus."""
    n = len(values)
    if n < 2:
        return 0.25
    return float(np.var(values, ddof=1)) / n * (1 - n / one.size)


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
        stream(options.seed, "corpora"),
        alike=np.array([PARTS.index(one.label) for one in strata]),
        flagged=decisions.counts[0] if known else None,
        about=options.about,
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
