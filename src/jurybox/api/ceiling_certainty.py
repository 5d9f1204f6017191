"""How sure a ceiling is: over other sentences (intervals), and over other and more annotators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from jurybox.api.ceiling_result import HUMAN, Curve
from jurybox.api.ceiling_work import Work, documents_of
from jurybox.errors import UsageError

if TYPE_CHECKING:
    from jurybox.stats.ceiling import CeilingScores
    from jurybox.stats.resample import Interval
    from jurybox.stats.running import FloatArray


class Intervals(NamedTuple):
    """Intervals by size: of the human score, and of every system's score and ratio."""

    human: list[Interval]
    systems: list[list[Interval]]  # [system][size]
    ratios: list[list[Interval]]


def find_intervals(work: Work, scored: CeilingScores) -> Intervals:
    """Bootstrap intervals over sentences or documents, people and systems on the same resamples."""
    import numpy as np

    from jurybox.stats.ceiling import resample_ceiling
    from jurybox.stats.resample import bootstrap_weights, summarise

    how = work.certainty
    documents = documents_of(work.panel) if how.ci_unit == "document" else None
    units = len(work.panel) if documents is None else len(set(documents))
    alone = "" if units > 1 else f"one {how.ci_unit} alone shows no variation"
    rng = np.random.default_rng(how.seed)
    weights = bootstrap_weights(len(work.panel), how.resamples, rng, documents)
    drawn = resample_ceiling(
        work.people, work.systems, scored, work.statistic, weights, told=work.told
    )

    def intervals(curves: FloatArray) -> list[Interval]:
        summaries = (summarise(0.0, s, level=how.ci_level, only_one=alone) for s in curves)
        return [summary.interval for summary in summaries]

    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = drawn.systems / drawn.human
    return Intervals(
        intervals(drawn.human),
        [intervals(system) for system in drawn.systems],
        [intervals(system) for system in ratios],
    )


def check_extrapolation(to: int | None, sizes: Sequence[int]) -> None:
    """Raise where there is nothing to extrapolate from, or to."""
    from jurybox.stats.extrapolate import MINIMUM_SIZES

    if to is None:
        return
    if to <= sizes[-1]:
        raise UsageError(
            f"--extrapolate {to}: scores are measured up to {sizes[-1]} annotators already; give "
            "a larger number"
        )
    if len(sizes) < MINIMUM_SIZES:
        raise UsageError(
            f"--extrapolate fits a curve through at least {MINIMUM_SIZES} sizes, and there "
            f"{'is 1' if len(sizes) == 1 else f'are {len(sizes)}'}: add --sizes all"
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
