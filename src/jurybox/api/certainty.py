"""How sure a score is: resampling options, checked before any work, and intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from jurybox.api.options import Options
from jurybox.api.results import ScoreResult
from jurybox.errors import InputError, UsageError, unknown_name
from jurybox.model import CountsTable

if TYPE_CHECKING:
    from jurybox.stats.resample import Interval, Resampled
    from jurybox.stats.statistic import Statistic

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
        return {
            "method": "percentile bootstrap",
            "resamples": self.resamples,
            "level": self.ci_level,
            "unit": self.ci_unit,
            "seed": self.seed,
        }


def statistic_for(options: Options) -> Statistic:
    """The function of counts that is resampled."""
    from jurybox.stats.statistic import EditScore, GleuScore

    if options.metric == "gleu":
        return GleuScore("expected" if options.expected_statistics else "draws")
    return EditScore(metric=options.metric, rule=options.choice, beta=options.beta)


def resample(tables: Sequence[CountsTable], options: Options, certainty: Certainty) -> Resampled:
    """Bootstrap all systems on the same resamples."""
    import numpy as np

    from jurybox.stats.resample import bootstrap

    return bootstrap(
        tables,
        statistic_for(options),
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


def with_intervals(result: ScoreResult, options: Options, certainty: Certainty) -> ScoreResult:
    """The same result with an interval for every score, and how it was made in the signature."""
    from jurybox.stats.resample import estimate

    drawn = resample([system.table for system in result.systems], options, certainty)
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
