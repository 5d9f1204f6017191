"""Corpora that are drawn at random, samples of them, and how often intervals hold the truth.

`docs/studies/sampling.py` draws from essays that were judged as a whole. Here the text is made up,
so that the corpus, its strata and its judges can be anything: each of thousands of corpora has
cases by chance. About text of this kind the truth is that of the text, and the corpus is drawn anew
each time; about this corpus it is that of one corpus, and only the samples are drawn.
"""

from __future__ import annotations

from math import comb, nan
from typing import NamedTuple

import numpy as np
from coverage_rows import MOST, narrower_coverage
from numpy.typing import NDArray

from jurybox.sample.estimate.detection_intervals import (
    MEASURES,
    Weights,
    choose_method,
    find_bounds,
    measure_values,
)
from jurybox.sample.estimate.reweighting import JudgedCases, retest
from jurybox.sample.estimate.sampled_parts import (
    PartSample,
    SampledStratum,
    ScoredStratum,
    assist_part,
    take_part,
)
from jurybox.sample.options import About

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
ALL = 10**9
#: of an error, and of another case: how often a judge calls it an error, where there are several
SEES, IMAGINES = 0.85, 0.03
RETESTED = ("hits", "false_positives", "misses", "precision", "recall")
SAME = 1e-9


class Part(NamedTuple):
    """A stratum of the text: its share of all cases, its errors, and how many cases are judged.

    Of a new system: how often it flags an error, and another case.
    """

    flagged: bool
    share: float
    errors: float
    judged: int
    flags_error: float = 0.0
    flags_other: float = 0.0


class Design(NamedTuple):
    """A text, the size of its corpora, and their samples."""

    name: str
    cases: int
    parts: tuple[Part, ...]
    judges: int = 1


class Held(NamedTuple):
    """How often an interval holds the truth, its mean width, and what a narrower one would hold
    (`coverage_rows.narrower_coverage`), where it holds in over 97 %.
    """

    coverage: float
    width: float
    narrower: float = nan
    method: str = ""


def small_parts(
    flagged: float, precision: float, missed: float, n: tuple[int, int]
) -> tuple[Part, Part]:
    """One stratum for each part: share of flagged cases, errors in either part, judged cases."""
    return Part(True, flagged, precision, n[0]), Part(False, 1 - flagged, missed, n[1])


BY_SCORE = (
    (True, 0.06, 0.9),
    (True, 0.06, 0.4),
    (False, 0.1, 0.2),
    (False, 0.28, 0.05),
    (False, 0.5, 0.01),
)
DESIGNS = (
    Design("the paper's: 750 and 1,500 of 10,000", 10_000, small_parts(0.1, 0.8, 0.3, (750, 1500))),
    Design("3,000 cases, all judged", 3000, small_parts(0.02, 0.9, 0.03, (ALL, ALL))),
    Design("100 cases, all judged", 100, small_parts(0.1, 0.5, 0.05, (ALL, ALL))),
    Design("30 and 30 of 10,000", 10_000, small_parts(0.1, 0.8, 0.3, (30, 30))),
    Design("30 and 30 of 100", 100, small_parts(0.4, 0.5, 0.1, (30, 30))),
    Design("100 and 100 of 3,000", 3000, small_parts(0.1, 0.5, 0.05, (100, 100))),
    Design("500 and 500 of 10,000", 10_000, small_parts(0.1, 0.5, 0.05, (500, 500))),
    Design("100 and 500 of 10,000, errors rare", 10_000, small_parts(0.02, 0.5, 0.005, (100, 500))),
    Design("20 flagged cases of 2,000", 2000, small_parts(0.01, 0.5, 0.02, (ALL, 300))),
    Design("five strata by score, 40 each", 5000, tuple(Part(*one, 40) for one in BY_SCORE)),
    Design("five strata by score, all judged", 3000, tuple(Part(*one, ALL) for one in BY_SCORE)),
    Design("30 and 30, five judges", 5000, small_parts(0.1, 0.7, 0.08, (30, 30)), 5),
    Design("100 and 200, five judges", 5000, small_parts(0.1, 0.7, 0.08, (100, 200)), 5),
    Design("five strata, five judges, 40 each", 5000, tuple(Part(*one, 40) for one in BY_SCORE), 5),
)
RETESTS = (
    Design(
        "60 and 120 of 4,000, errors rare",
        4000,
        (Part(True, 0.075, 0.6, 60, 0.8, 0.4), Part(False, 0.925, 0.02, 120, 0.3, 0.01)),
    ),
    Design(
        "60 and 200 of 4,000",
        4000,
        (Part(True, 0.075, 0.6, 60, 0.8, 0.4), Part(False, 0.925, 0.05, 200, 0.5, 0.02)),
    ),
    Design(
        "five strata, 40 to 60 each, of 5,000",
        5000,
        (
            *(Part(True, 0.03, 0.8, 40, 0.9, 0.5), Part(True, 0.06, 0.5, 40, 0.8, 0.4)),
            *(Part(False, 0.1, 0.2, 40, 0.4, 0.05), Part(False, 0.3, 0.05, 60, 0.3, 0.02)),
            Part(False, 0.51, 0.01, 60, 0.2, 0.005),
        ),
    ),
)


def try_design(
    design: Design, about: About, draws: int, rng: np.random.Generator
) -> dict[str, dict[str, Held]]:
    """Measure -> method -> how it did; the recommended one stands under "recommended"."""
    values, chances = _kinds(design)
    corpora = _corpora(chances, design.cases, about, draws, rng)
    strata = [
        _sample(corpora[:, place], part.judged, values, rng)
        for place, part in enumerate(design.parts)
    ]
    flags = np.array([part.flagged for part in design.parts])
    total = corpora.sum(axis=(1, 2))
    flagged, passed = (
        take_part(
            [one for one, is_in in zip(strata, flags == which, strict=True) if is_in],
            total,
            about=about,
        )
        for which in (True, False)
    )
    weights = (rng.random(draws), rng.random(draws))
    truth = _truth(chances if about == "text" else corpora[0].astype(float), values, flags)
    return _held(flagged, passed, weights, truth)


def try_scores(about: About, draws: int, rng: np.random.Generator) -> dict[str, dict[str, Held]]:
    """Scores on every case assist: 60 and 200 of 4,000 cases, scores that know a part of it."""
    design = RETESTS[1]
    _, chances = _kinds(design)
    cases = _draw_cases(design, rng)
    parts: tuple[list[PartSample], list[PartSample]] = ([], [])
    score = np.zeros(0)
    for draw in range(draws):
        if about == "text" or not draw:
            cases = _draw_cases(design, rng)
            score = np.clip(0.5 * cases.error + 0.1 + rng.normal(0, 0.15, design.cases), 0, 1)
        for place, (part, found) in enumerate(zip(design.parts, parts, strict=True)):
            among = np.flatnonzero(cases.stratum == place)
            drawn = rng.choice(among, part.judged, replace=False)
            stratum = ScoredStratum(len(among), cases.error[drawn], score[drawn])
            mean = float(score[among].mean())
            found.append(assist_part([stratum], mean, design.cases, about=about).part)
    if about == "corpus":
        counts = np.array(
            [
                [((cases.stratum == place) & (cases.error == kind)).sum() for kind in (0, 1)]
                for place in range(2)
            ]
        )
        chances = counts.astype(float)
    truth = _truth(chances, np.array([0.0, 1.0]), np.array([True, False]))
    flagged, passed = (_stacked(one) for one in parts)
    return _held(flagged, passed, None, truth)


def try_retest(
    design: Design, about: About, draws: int, rng: np.random.Generator
) -> dict[str, Held]:
    """A new system on judgments that were drawn for the old one."""
    inside: dict[str, list[bool]] = {name: [] for name in RETESTED}
    widths: dict[str, list[float]] = {name: [] for name in RETESTED}
    alike = np.array([0 if part.flagged else 1 for part in design.parts])
    cases = _draw_cases(design, rng)
    for _ in range(draws):
        if about == "text":
            cases = _draw_cases(design, rng)
        drawn = np.concatenate(
            [
                rng.choice(np.flatnonzero(cases.stratum == place), part.judged, replace=False)
                for place, part in enumerate(design.parts)
            ]
        )
        judged = JudgedCases(cases.stratum[drawn], cases.error[drawn], cases.flagged[drawn])
        if not 0 < judged.flagged.sum() < len(drawn):
            continue
        sizes = np.bincount(cases.stratum, minlength=len(design.parts))
        found = retest(
            judged, sizes, rng, alike=alike, flagged=int(cases.flagged.sum()), about=about
        )
        truth = _new_truth(design, cases if about == "corpus" else None)
        for name in RETESTED:
            one = getattr(found, name)
            low, high = one.low, one.high
            inside[name].append(low - SAME <= truth[name] <= high + SAME)
            widths[name].append(high - low)
    return {
        name: Held(float(np.mean(inside[name])), float(np.mean(widths[name]))) for name in RETESTED
    }


class _Cases(NamedTuple):
    stratum: IntArray
    error: FloatArray
    flagged: NDArray[np.bool_]  # by the new system


def _kinds(design: Design) -> tuple[FloatArray, FloatArray]:
    """Shares of judges that a case can have, and the chance of each by stratum [strata, values]."""
    errors = np.array([part.errors for part in design.parts])[:, None]
    of_all = np.array([part.share for part in design.parts])[:, None]
    k = design.judges
    if k == 1:
        return np.array([0.0, 1.0]), of_all * np.hstack([1 - errors, errors])
    seen, imagined = (
        np.array([comb(k, n) * p**n * (1 - p) ** (k - n) for n in range(k + 1)])
        for p in (SEES, IMAGINES)
    )
    return np.arange(k + 1) / k, of_all * (errors * seen + (1 - errors) * imagined)


def _corpora(
    chances: FloatArray, cases: int, about: About, draws: int, rng: np.random.Generator
) -> IntArray:
    """How many cases of each stratum have each share: [draws, strata, values]."""
    different = draws if about == "text" else 1
    drawn = rng.multinomial(cases, chances.ravel() / chances.sum(), size=different)
    return np.broadcast_to(drawn.reshape(different, *chances.shape), (draws, *chances.shape))


def _sample(
    corpora: IntArray, judged: int, values: FloatArray, rng: np.random.Generator
) -> SampledStratum:
    size = corpora.sum(axis=1)
    wanted, left = np.minimum(judged, size), size
    drawn = np.zeros_like(corpora)
    for value in range(len(values)):
        left = left - corpora[:, value]
        drawn[:, value] = rng.hypergeometric(corpora[:, value], left, wanted)
        wanted = wanted - drawn[:, value]
    return SampledStratum(size, drawn.sum(axis=1), drawn @ values, drawn @ values**2)


def _truth(cells: FloatArray, values: FloatArray, flags: NDArray[np.bool_]) -> dict[str, float]:
    """Of shares or numbers of cases [strata, values]."""
    sizes, errors = cells.sum(axis=1), cells @ values
    shares = [np.array([errors[of].sum() / sizes[of].sum()]) for of in (flags, ~flags)]
    weights = [float(sizes[of].sum() / sizes.sum()) for of in (flags, ~flags)]
    found = measure_values(shares[0], shares[1], weights[0], weights[1], 0.5)
    return {name: float(value[0]) for name, value in found.items()}


def _held(
    flagged: PartSample, passed: PartSample, weights: Weights | None, truth: dict[str, float]
) -> dict[str, dict[str, Held]]:
    found: dict[str, dict[str, Held]] = {}
    bounds = find_bounds(flagged, passed, weights=weights)
    for name in MEASURES:
        found[name] = {}
        for method, (low, high) in bounds[name].items():
            inside = (low - SAME <= truth[name]) & (truth[name] <= high + SAME)
            defined = ~np.isnan(low)
            coverage = float(inside[defined].mean())
            narrower = nan
            if coverage > MOST:
                narrower = narrower_coverage(low[defined], high[defined], truth[name])
            width = float((high - low)[defined].mean())
            found[name][method] = Held(coverage, width, narrower, method)
        found[name]["recommended"] = found[name][choose_method(name, "recommended", bounds[name])]
    return found


def _draw_cases(design: Design, rng: np.random.Generator) -> _Cases:
    parts = design.parts
    chances = np.array([part.share for part in parts])
    stratum = rng.choice(len(parts), size=design.cases, p=chances / chances.sum())
    error = rng.random(design.cases) < np.array([part.errors for part in parts])[stratum]
    flagged = rng.random(design.cases) < np.where(
        error,
        np.array([part.flags_error for part in parts])[stratum],
        np.array([part.flags_other for part in parts])[stratum],
    )
    return _Cases(stratum, error.astype(float), flagged)


def _new_truth(design: Design, corpus: _Cases | None) -> dict[str, float]:
    """What the new system is worth in a corpus, or in the text."""
    if corpus is not None:
        wrong = corpus.error > 0
        hits = float((wrong & corpus.flagged).mean())
        false, misses = (
            float((one).mean()) for one in (~wrong & corpus.flagged, wrong & ~corpus.flagged)
        )
    else:
        parts = design.parts
        hits = sum(one.share * one.errors * one.flags_error for one in parts)
        false = sum(one.share * (1 - one.errors) * one.flags_other for one in parts)
        misses = sum(one.share * one.errors * (1 - one.flags_error) for one in parts)
    return {
        "hits": hits,
        "false_positives": false,
        "misses": misses,
        "precision": hits / (hits + false),
        "recall": hits / (hits + misses),
    }


def _stacked(parts: list[PartSample]) -> PartSample:
    """Parts of single samples as one part of many."""
    first = parts[0]
    shares, variances, sure, skews, papers = (
        np.concatenate([getattr(one, field) for one in parts])
        for field in ("share", "variance", "n", "skew", "papers_variance")
    )
    limits = None
    if first.limits is not None:
        limits = (
            np.concatenate([one.limits[0] for one in parts if one.limits]),
            np.concatenate([one.limits[1] for one in parts if one.limits]),
        )
    weight = np.array([float(one.weight) for one in parts])
    return PartSample(weight, shares, variances, sure, skews, papers, first.cases, None, limits)
