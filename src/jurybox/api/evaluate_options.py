"""The options of `evaluate`, checked once before any work, and the signature they make."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan
from typing import Any

from jurybox.api.certainty import describe_bootstrap
from jurybox.errors import UsageError, unknown_name
from jurybox.measures import MEASURES, check_beta
from jurybox.signature import signature

TIES = ("ok", "error", "drop", "random")
MISSING = ("skip", "ok", "error")
#: what cases are binned by, as users write it -> as `jurybox.cases.bins` calls it
BIN_BY = {"agreement": "agreement", "error-share": "error share"}
UNITS = ("case", "document", "rater")


@dataclass(frozen=True)
class EvaluateOptions:
    """Everything that changes a number."""

    ties: str = "ok"
    missing: str = "skip"
    threshold: float | None = None
    beta: float = 0.5
    smooth: float | None = None
    bins: tuple[float, ...] | None = None
    bin_by: str = "agreement"
    judges: int | None = None
    with_models: bool = False
    ci: bool = False
    stability: bool = False
    resamples: int = 1000
    ci_level: float = 0.95
    ci_unit: str = "case"
    seed: int = 1
    develop: float | None = None
    choose: str = "f_beta"

    def __post_init__(self) -> None:
        for flag, given, known in (
            ("way to settle ties (--ties)", self.ties, TIES),
            ("way to settle missing decisions (--missing)", self.missing, MISSING),
            ("way to bin cases (--bin-by)", self.bin_by, tuple(BIN_BY)),
            ("unit (--ci-unit)", self.ci_unit, UNITS),
            ("measure (--choose)", self.choose, tuple(MEASURES)),
        ):
            if given not in known:
                raise unknown_name(flag, given, known)
        check_beta(self.beta)
        if self.resamples < 1:
            raise UsageError(f"--resamples must be 1 or more, not {self.resamples}")
        if not 0 < self.ci_level < 1:
            raise UsageError(f"--ci-level lies between 0 and 1, as 0.95, not {self.ci_level}")
        if self.seed < 0:
            raise UsageError(f"--seed must be 0 or more, not {self.seed}")
        if self.develop is not None and not 0 < self.develop < 1:
            raise UsageError(f"--develop lies between 0 and 1, as 0.5, not {self.develop}")
        if self.threshold is not None and isnan(self.threshold):
            raise UsageError("--threshold is not a number")
        if self.ci and self.ci_unit == "rater" and self.smooth is not None:
            raise UsageError(
                "--smooth and --ci-unit rater: raters are drawn with the shares as they are; leave "
                "out one of them"
            )

    def sign(self) -> str:
        """What the numbers depend on, in one line."""
        resampled = self.ci or self.stability
        random = resampled or self.ties == "random" or self.develop or self.judges
        return signature(
            "evaluate",
            ties=self.ties,
            missing=self.missing,
            threshold=self.threshold,
            beta=float(self.beta),
            smooth=self.smooth,
            bins=None if self.bins is None else [f"{edge:g}" for edge in self.bins],
            by=self.bin_by,
            judges=self.judges,
            models="yes" if self.with_models else None,
            develop=self.develop,
            choose=self.choose if self.develop else None,
            ci=f"bootstrap-{self.resamples}-{self.ci_unit}" if self.ci else None,
            stability=self.resamples if self.stability else None,
            seed=self.seed if random else None,
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        record: dict[str, Any] = {
            "ties": self.ties,
            "missing": self.missing,
            "threshold": self.threshold,
            "beta": self.beta,
            "smooth": self.smooth,
            "bins": None if self.bins is None else list(self.bins),
            "bin_by": self.bin_by,
            "judges": self.judges,
            "with_models": self.with_models,
            "stability": self.stability,
            "develop": self.develop,
            "choose": self.choose,
            "seed": self.seed,
        }
        if self.ci:
            record["ci"] = describe_bootstrap(self.resamples, self.ci_level, self.ci_unit)
        return record
