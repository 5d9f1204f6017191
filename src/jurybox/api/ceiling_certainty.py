"""How sure a ceiling is: over other sentences (intervals), and over other and more annotators."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import nan
from typing import TYPE_CHECKING, NamedTuple

from jurybox.api.ceiling_result import HUMAN, Curve
from jurybox.api.ceiling_work import Work, documents_of
from jurybox.errors import UsageError

if TYPE_CHECKING:
    from jurybox.stats.ceiling import CeilingScores
    from jurybox.stats.resample import Interval
    from jurybox.stats.running_choice import FloatArray


#: beyond this share of undefined resamples there is no interval
MOST_UNDEFINED = 0.05
#: nobody needs the score of more annotators than this, least of all from a few
FARTHEST = 1000


class Intervals(NamedTuple):
    """Intervals by size: of the human score, and of every system's score and ratio."""

    human: list[Interval]
    systems: list[list[Interval]]  # [system][size]
    ratios: list[list[Interval]]


def find_intervals(work: Work, scored: CeilingScores) -> Intervals:
    """Bootstrap intervals over sentences or documents, people and systems on the same resamples."""
    import numpy as np

    from jurybox.stats.ceiling import resample_ceiling
    from jurybox.stats.resample import Interval, bootstrap_weights, summarise

    how = work.certainty
    documents = documents_of(work.panel) if how.ci_unit == "document" else None
    units = len(work.panel) if documents is None else len(set(documents))
    alone = "" if units > 1 else f"one {how.ci_unit} alone shows no variation"
    rng = np.random.default_rng(how.seed)
    weights = bootstrap_weights(len(work.panel), how.resamples, rng, documents)
    drawn = resample_ceiling(scored, work.statistic, weights, told=work.told(1 + len(work.systems)))

    def interval(scores: FloatArray) -> Interval:
        defined = scores[np.isfinite(scores)]
        if not defined.size:
            return Interval(nan, nan, how.ci_level, "there is no score to resample")
        missing = len(scores) - defined.size
        told = f"undefined in {missing} of {len(scores)} resamples"
        if missing > MOST_UNDEFINED * len(scores):  # what is left is a selected sample
            return Interval(nan, nan, how.ci_level, told)
        found = summarise(0.0, defined, level=how.ci_level, only_one=alone).interval
        return replace(found, reason=told) if missing and not found.reason else found

    def intervals(curves: FloatArray) -> list[Interval]:
        return [interval(scores) for scores in curves]

    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = drawn.systems / drawn.human
    return Intervals(
        intervals(drawn.human),
        [intervals(system) for system in drawn.systems],
        [intervals(system) for system in ratios],
    )


def check_extrapolation(to: int | None, sizes: Sequence[int], annotators: int) -> None:
    """Raise where there is nothing to extrapolate from, or to."""
    if to is None:
        return
    from jurybox.stats.extrapolate import MINIMUM_ANNOTATORS, MINIMUM_SIZES

    if not sizes[-1] < to <= FARTHEST:
        raise UsageError(
            f"--extrapolate {to}: scores are measured up to {sizes[-1]} annotators; give a larger "
            f"number, up to {FARTHEST}"
        )
    if annotators < MINIMUM_ANNOTATORS:
        raise UsageError(
            f"--extrapolate needs at least {MINIMUM_ANNOTATORS} annotators, and there are "
            f"{annotators}: the band shows what leaving one out would change"
        )
    # a panel without one annotator has no size annotators - 1, and its curve is fitted too
    if sum(size < annotators - 1 for size in sizes) < MINIMUM_SIZES:
        raise UsageError(
            f"--extrapolate fits a curve through at least {MINIMUM_SIZES} sizes below "
            f"{annotators - 1}: add --sizes all"
        )


def continue_curves(work: Work, scored: CeilingScores, to: int) -> tuple[Curve, ...]:
    """How the scores of people and systems would grow with more annotators than there are."""
    from jurybox.stats.ceiling import spread_over, without_each
    from jurybox.stats.extrapolate import extrapolate, extrapolate_ratio

    sizes = work.sizes
    level = work.certainty.ci_level
    targets = list(range(sizes[-1] + 1, to + 1))

    def means(scores: FloatArray) -> list[float]:
        found = work.subsets
        return [
            spread_over(scores[found.of(size)], found.combinations[size]).mean for size in sizes
        ]

    human = means(scored.human())
    human_without, systems_without = without_each(scored)
    curves = [Curve(HUMAN, extrapolate(sizes, human, human_without, targets, level=level), None)]
    for name, scores, without in zip(
        work.counts.systems, scored.systems, systems_without, strict=True
    ):
        system = means(scores)
        curves.append(
            Curve(
                name,
                extrapolate(sizes, system, without, targets, level=level),
                extrapolate_ratio(
                    sizes, system, human, without, human_without, targets, level=level
                ),
            )
        )
    return tuple(curves)
