"""Draws from a corpus of which everything is known: how often intervals hold the truth.

A sample of a stratum without replacement is a draw from the (multivariate) hypergeometric
distribution: how many of its cases have each share of judges is all that matters, so no case is
drawn one by one. About this corpus, every sample is drawn from it. About text of this kind, what is
known stands for the text: a corpus of the same size is drawn from it anew for every sample (with
replacement, a multinomial draw), and the sample from that corpus. Samples that are alike get the
same intervals and are looked at once; the weights that settle exact intervals are drawn for each of
them.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import nan
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurybox.engine import expect
from jurybox.errors import InputError, collecting_warnings, warn
from jurybox.jury.evaluate.inputs import Evidence, read_evidence
from jurybox.jury.evaluate.jury import call_jury
from jurybox.options import signature
from jurybox.sample.estimate.detection_intervals import (
    MEASURES,
    bootstrap_bounds,
    choose_method,
    measure_values,
    plain_bounds,
    settled_bounds,
)
from jurybox.sample.estimate.sampled_parts import (
    CountedShares,
    PartSample,
    SampledStratum,
    WholeCounts,
    take_part,
)
from jurybox.sample.simulate import SimulateOptions, SimulateSample
from jurybox.sample.simulate.result import (
    IntervalCoverage,
    SampleSimulation,
    SimulatedSetting,
    SimulatedSystem,
)
from jurybox.stats.proportions import Bounds, FloatArray, binomial_test
from jurybox.streams import stream

#: ends of intervals and the truth are the same number reached in two ways
SAME = 1e-9


class KnownPart(NamedTuple):
    """All cases of a part: how many have each share of judges who call them errors."""

    values: FloatArray
    counts: NDArray[np.int64]

    @property
    def size(self) -> int:
        return int(self.counts.sum())

    @property
    def share(self) -> float:
        return float(self.values @ self.counts / self.size) if self.size else 0.0


class Setting(NamedTuple):
    """How many cases are drawn from what a system flags, and from what it calls ok."""

    error: int
    ok: int


def simulate_intervals(call: SimulateSample) -> SampleSimulation:
    """Read what was judged, and draw samples in every setting."""
    options, progress = call.only(SimulateOptions), call.progress
    with collecting_warnings() as messages:
        evidence = read_evidence(
            call.cases,
            call.judgments,
            call.systems,
            derived=call.derived,
            columns=call.columns,
            labels=call.relabel,
        )
        truth = _truth(evidence, options)
        systems, settings = [], []
        expect(progress, len(evidence.decisions) * len(options.error) * len(options.ok), "settings")
        for number, (name, table) in enumerate(evidence.decisions.items()):
            flagged, passed = _parts(name, table.label, truth)
            cases = flagged.size + passed.size
            hits, misses = (round(part.share * part.size, 9) for part in (flagged, passed))
            systems.append(SimulatedSystem(name, cases, flagged.size, hits, misses))
            for setting in _settings(name, flagged, passed, options):
                rng = stream(options.seed, "corpus", number, *setting)
                expected_misses = passed.share * min(setting.ok, passed.size)
                intervals = tuple(simulate(flagged, passed, setting, rng, options))
                settings.append(SimulatedSetting(name, *setting, expected_misses, intervals))
                if progress is not None:
                    progress(1)
    return SampleSimulation(
        options=options,
        systems=tuple(systems),
        settings=tuple(settings),
        signature=signature(
            "sample",
            task="simulate",
            error=options.error,
            ok=options.ok,
            draws=options.draws,
            truth=options.truth,
            ties=options.ties if options.truth == "majority" else None,
            about=options.about,
            models="yes" if options.count_models else None,
            beta=options.beta,
            level=options.ci_level,
            resamples=options.resamples,
            seed=options.seed,
        ),
        inputs=evidence.inputs,
        warnings=tuple(messages),
    )


def _truth(evidence: Evidence, options: SimulateOptions) -> FloatArray:
    """The share of every case that is an error; nan where nobody decided."""
    jury = call_jury(
        evidence,
        ties=options.ties,
        smooth=None,
        count_models=options.count_models,
        judges=None,
        rng=stream(options.seed, "simulate"),
    )
    if options.truth == "graded":
        return jury.plain_p
    return np.where(jury.truth < 0, np.nan, jury.truth.astype(np.float64))


def _parts(name: str, labels: Sequence[int], truth: FloatArray) -> tuple[KnownPart, KnownPart]:
    decided = np.asarray(labels)
    known = ~np.isnan(truth)
    open_cases = int(np.count_nonzero(known & (decided < 0)))
    if open_cases:
        warn(f"{name}: {open_cases} judged cases have no decision and are left out")
    flagged, passed = truth[known & (decided == 1)], truth[known & (decided == 0)]
    if not len(flagged) or not len(passed):
        what = "an error" if not len(flagged) else "ok"
        raise InputError(f"{name} calls no judged case {what}: there is nothing to draw from")
    return know_part(flagged), know_part(passed)


def _settings(
    name: str, flagged: KnownPart, passed: KnownPart, options: SimulateOptions
) -> list[Setting]:
    """Every pair of sizes; where a part holds fewer, all of it is drawn.

    About text of this kind that depends on the corpus, which is drawn anew.
    """
    errors, oks = list(options.error), list(options.ok)
    if options.about == "corpus":
        errors = [min(one, flagged.size) for one in errors]
        oks = [min(one, passed.size) for one in oks]
    for asked, size, what in (
        (max(options.error), flagged.size, "flags"),
        (max(options.ok), passed.size, "calls ok"),
    ):
        if asked > size:
            warn(f"{name} {what} {size} cases: where {asked} are asked for, all are drawn")
    return list(dict.fromkeys(Setting(error, ok) for error in errors for ok in oks))


# --- one setting ---


def know_part(shares: FloatArray) -> KnownPart:
    """A part out of the share of every case.

    >>> know_part(np.array([0, 1, 1, 0.5]))
    KnownPart(values=array([0. , 0.5, 1. ]), counts=array([1, 1, 2]))
    """
    values, counts = np.unique(shares, return_counts=True)
    if len(values) and set(values.tolist()) <= {0.0, 1.0}:
        values = np.array([0.0, 1.0])
        counts = np.array([np.count_nonzero(shares == value) for value in values])
    return KnownPart(values.astype(np.float64), counts.astype(np.int64))


def simulate(
    flagged: KnownPart,
    passed: KnownPart,
    setting: Setting,
    rng: np.random.Generator,
    options: SimulateOptions,
) -> list[IntervalCoverage]:
    """Coverage and width of every interval for one setting; without resamples no bootstrap."""
    about, draws, level, beta = options.about, options.draws, options.ci_level, options.beta
    # how many cases of either part have each share, in the corpus of every draw
    known = np.concatenate([flagged.counts, passed.counts])
    drawn = np.broadcast_to(known, (draws, len(known)))
    if about == "text":
        drawn = rng.multinomial(known.sum(), known / known.sum(), size=draws)
    corpora = np.split(drawn, [len(flagged.counts)], axis=1)
    counts = [
        _draw(corpus, n, rng)
        for corpus, n in zip(corpora, (setting.error, setting.ok), strict=True)
    ]
    sizes = [corpus.sum(axis=1, keepdims=True) for corpus in corpora]
    alike, which = np.unique(np.concatenate([*counts, *sizes], 1), axis=0, return_inverse=True)
    which = which.ravel()
    first, both = counts[0].shape[1], counts[0].shape[1] + counts[1].shape[1]
    strata = (
        CountedShares(alike[:, both], flagged.values, alike[:, :first]),
        CountedShares(alike[:, both + 1], passed.values, alike[:, first:both]),
    )
    parts = []
    for size, values, of_value in strata:
        errors, squares = of_value @ values, of_value @ values**2
        sampled = SampledStratum(size, of_value.sum(axis=1), errors, squares)
        parts.append(take_part([sampled], alike[:, both:].sum(axis=1), about=about))
    # the intervals of every draw out of those of draws that differ
    found = {
        name: {method: Bounds(*(end[which] for end in ends)) for method, ends in methods.items()}
        for name, methods in plain_bounds(parts[0], parts[1], level=level, beta=beta).items()
    }
    settled = settled_bounds(
        _picked(parts[0], which),
        _picked(parts[1], which),
        (rng.random(draws), rng.random(draws)),
        level=level,
        beta=beta,
    )
    for name, methods in settled.items():
        found[name] |= methods
    if options.resamples:
        each = [[one] for one in strata]
        again = bootstrap_bounds(
            *(parts[0], parts[1], each, rng, options.resamples), about=about, level=level, beta=beta
        )
        for name, ends in again.items():
            found[name]["bootstrap"] = Bounds(ends.low[which], ends.high[which])
    total = flagged.size + passed.size
    truths = measure_values(
        np.array([flagged.share]),
        np.array([passed.share]),
        flagged.size / total,
        passed.size / total,
        beta,
    )
    sure: set[str] = set()
    if about == "corpus":  # of a part that was drawn as a whole the sample leaves no doubt
        if setting.error == flagged.size:
            sure |= {"hits", "false_positives", "precision"}
        if setting.ok == passed.size:
            sure |= {"misses"} if not sure else set(MEASURES)
    best = {name: choose_method(name, "recommended", methods) for name, methods in found.items()}
    return [
        _cover(
            name, method, float(truths[name][0]), ends, level=level, known=name in sure
        )._replace(recommended=method == best[name])
        for name, methods in found.items()
        for method, ends in methods.items()
    ]


def _draw(corpora: NDArray[np.int64], n: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """How many of n drawn cases have each share: [draws, values]; all, where there are fewer."""
    left, wanted = corpora.sum(axis=1), np.minimum(n, corpora.sum(axis=1))
    drawn = np.zeros_like(corpora)
    for value in range(corpora.shape[1]):
        left = left - corpora[:, value]
        drawn[:, value] = rng.hypergeometric(corpora[:, value], left, wanted)
        wanted = wanted - drawn[:, value]
    return drawn


def _picked(part: PartSample, which: NDArray[np.intp]) -> PartSample:
    """The samples `which` of a part."""

    def pick(field: object) -> object:
        if isinstance(field, np.ndarray):
            return field[which] if field.ndim else field
        if isinstance(field, tuple):
            parts = map(pick, field)
            return type(field)._make(parts) if isinstance(field, WholeCounts) else tuple(parts)
        return field

    return PartSample._make(map(pick, part))


def _cover(
    name: str, method: str, truth: float, ends: Bounds, *, level: float, known: bool
) -> IntervalCoverage:
    defined = ~(np.isnan(ends.low) | np.isnan(ends.high)) & (not np.isnan(truth))
    low, high = ends.low[defined], ends.high[defined]
    draws = len(low)
    if not draws:
        return IntervalCoverage(name, method, truth, 0, 0, nan, nan, nan)
    below, above = high < truth - SAME, low > truth + SAME
    covered = int(draws - below.sum() - above.sum())
    test = (None, None) if known else binomial_test(covered, draws, level)
    width = max(0.0, float((high - low).mean()))  # rounding may leave less than nothing
    return IntervalCoverage(
        name, method, truth, draws, covered, float(below.mean()), float(above.mean()), width, *test
    )
