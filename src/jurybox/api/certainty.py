"""How sure a score is: resampling options, checked before any work, and intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from jurybox.api.counting import Progress, expect
from jurybox.api.options import METRICS, Options
from jurybox.api.results import ScoreResult
from jurybox.errors import InputError, UsageError, unknown_name
from jurybox.model import CountsTable

if TYPE_CHECKING:
    from jurybox.stats.resample import Interval, Resampled
    from jurybox.stats.running_choice import FloatArray
    from jurybox.stats.statistic import Statistic, SwapArray, WeightArray

UNITS = ("sentence", "document")


@dataclass(frozen=True)
class Certainty:
    """How resampling is done; wrong values are refused when this is made, not after matching."""

    resamples: int = 1000
    ci_level: float = 0.95
    ci_unit: str = "sentence"
    seed: int = 1

    def __post_init__(self) -> None:
        if self.resamples < 1:
            raise UsageError(f"--resamples must be 1 or more, not {self.resamples}")
        if not 0 < self.ci_level < 1:
            raise UsageError(f"--ci-level lies between 0 and 1, as 0.95, not {self.ci_level}")
        if self.ci_unit not in UNITS:
            raise unknown_name("unit (--ci-unit)", self.ci_unit, UNITS)
        if self.seed < 0:
            raise UsageError(f"--seed must be 0 or more, not {self.seed}")

    def sign(self, signature: str) -> str:
        """Put how resampling was done in front of the version."""
        head, _, version = signature.rpartition("|v:")
        how = f"ci:bootstrap-{self.resamples}-{self.ci_unit}|seed:{self.seed}"
        return f"{head}|{how}|v:{version}"

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        how = describe_bootstrap(self.resamples, self.ci_level, self.ci_unit)
        return {**how, "seed": self.seed}


def describe_bootstrap(resamples: int, level: float, unit: str) -> dict[str, Any]:
    """How intervals are made, for JSON.

    >>> describe_bootstrap(1000, 0.95, "sentence")["method"]
    'percentile bootstrap'
    """
    return {
        "method": "percentile bootstrap",
        "resamples": resamples,
        "level": level,
        "unit": unit,
    }


def statistic_for(options: Options) -> Statistic:
    """The function of counts that is resampled."""
    from jurybox.stats.statistic import EditScore, GleuScore

    if options.metric not in METRICS:
        from jurybox.api.plugin_metric import plugin_score

        return plugin_score(options.metric)
    if options.metric == "gleu":
        return GleuScore("expected" if options.expected_statistics else "draws")
    return EditScore(metric=options.metric, rule=options.choice, beta=options.beta)


class _ToldStatistic:
    """A statistic that tells of the resamples it has scored."""

    def __init__(self, statistic: Statistic, progress: Progress) -> None:
        self._statistic = statistic
        self._progress = progress

    @property
    def names(self) -> tuple[str, ...]:
        return self._statistic.names

    def observed(self, tables: Sequence[CountsTable]) -> FloatArray:
        return self._statistic.observed(tables)

    def bootstrap(self, tables: Sequence[CountsTable], weights: WeightArray) -> FloatArray:
        return self._told(self._statistic.bootstrap(tables, weights))

    def randomise(self, a: CountsTable, b: CountsTable, swaps: SwapArray) -> FloatArray:
        return self._told(self._statistic.randomise(a, b, swaps))

    def leave_one_out(self, table: CountsTable) -> FloatArray:
        return self._statistic.leave_one_out(table)

    def _told(self, scores: FloatArray) -> FloatArray:
        self._progress(scores.shape[-1], "resamples")
        return scores


def told_statistic(
    options: Options, certainty: Certainty, progress: Progress | None, times: int = 1
) -> Statistic:
    """The statistic to resample by, `times` over, with the progress told that it begins."""
    statistic = statistic_for(options)
    if progress is None:
        return statistic
    progress(0)
    if expect(progress, certainty.resamples * times, "resamples"):
        return _ToldStatistic(statistic, progress)
    return statistic


def resample(
    tables: Sequence[CountsTable], statistic: Statistic, certainty: Certainty
) -> Resampled:
    """Bootstrap all systems on the same resamples."""
    import numpy as np

    from jurybox.stats.resample import bootstrap

    return bootstrap(
        tables,
        statistic,
        rng=np.random.default_rng(certainty.seed),
        resamples=certainty.resamples,
        documents=documents_for(tables, certainty),
    )


def documents_for(tables: Sequence[CountsTable], certainty: Certainty) -> list[str] | None:
    """The documents to resample by, or None to resample sentences."""
    if certainty.ci_unit == "sentence":
        return None
    documents = tables[0].documents
    if documents is None:
        raise InputError(
            "--ci-unit document needs to know the documents: give --documents FILE (one document "
            "id per sentence, or the SGML file), or a gold file that has them"
        )
    return documents


def with_intervals(
    result: ScoreResult,
    options: Options,
    certainty: Certainty,
    progress: Progress | None = None,
) -> ScoreResult:
    """The same result with an interval for every score, and how it was made in the signature."""
    from jurybox.stats.resample import estimate

    statistic = told_statistic(options, certainty, progress)
    drawn = resample([system.table for system in result.systems], statistic, certainty)
    systems = []
    for number, system in enumerate(result.systems):
        intervals: dict[str, Interval] = {
            name: estimate(drawn, number, name, level=certainty.ci_level).interval
            for name in drawn.names
        }
        systems.append(replace(system, intervals=intervals))
    return replace(
        result,
        systems=tuple(systems),
        signature=certainty.sign(result.signature),
        options={**result.options, "ci": certainty.to_dict()},
    )
