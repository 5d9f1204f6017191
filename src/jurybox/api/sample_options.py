"""The options of `estimate_sample`, checked once before any work, and the signature they make."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from jurybox.api.sample_votes import TRUTHS
from jurybox.errors import UsageError, unknown_name
from jurybox.measures import check_beta
from jurybox.signature import signature

METHODS = ("recommended", "wald", "wilson", "exact", "bootstrap")
TIES = ("ok", "error", "drop")


@dataclass(frozen=True)
class EstimateOptions:
    """Everything that changes a number."""

    method: str = "recommended"
    finite: bool = False
    truth: str = "graded"
    ties: str = "ok"
    verification: bool = False
    with_models: bool = False
    beta: float = 0.5
    ci_level: float = 0.95
    resamples: int = 1000
    seed: int = 1

    def __post_init__(self) -> None:
        for flag, given, known in (
            ("method (--method)", self.method, METHODS),
            ("truth (--truth)", self.truth, TRUTHS),
            ("way to settle ties (--ties)", self.ties, TIES),
        ):
            if given not in known:
                raise unknown_name(flag, given, known)
        check_beta(self.beta)
        if not 0 < self.ci_level < 1:
            raise UsageError(f"--ci-level lies between 0 and 1, as 0.95, not {self.ci_level}")
        if self.resamples < 1:
            raise UsageError(f"--resamples must be 1 or more, not {self.resamples}")
        if self.seed < 0:
            raise UsageError(f"--seed must be 0 or more, not {self.seed}")

    def to_dict(self, threshold: float | None = None) -> dict[str, Any]:
        """For JSON; `threshold` is that of `--system`, where it was given."""
        return asdict(self) | ({} if threshold is None else {"threshold": threshold})

    def sign(self, draws: int, threshold: float | None = None) -> str:
        """`draws` is how many keys were read, none for counts; `threshold` that of `--system`."""
        return signature(
            "sample",
            task="estimate",
            draws=draws or None,
            method=self.method,
            finite="yes" if self.finite else "no",
            truth=self.truth if draws else None,
            ties=self.ties if draws and self.truth == "majority" else None,
            verification="yes" if self.verification else None,
            models="yes" if self.with_models else None,
            threshold=threshold,
            beta=self.beta,
            level=self.ci_level,
            resamples=self.resamples,
            seed=self.seed,
        )
