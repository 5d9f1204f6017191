"""The options of `agree`, checked once before any work, and the signature they make."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from jurybox.api.certainty import describe_bootstrap
from jurybox.errors import UsageError, unknown_name
from jurybox.signature import signature

SCALES = ("nominal", "ordinal", "interval")
SPOILED = ("keep", "drop")
#: Without --largest, crowds are drawn up to this size: a case with hundreds of judgments must not
#: make the curve a matter of minutes.
LARGEST = 50


@dataclass(frozen=True)
class AgreeOptions:
    """Everything that changes a number, and what is shown of them."""

    experts: tuple[str, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
    scale: str | None = None  # None: told by the labels
    with_models: bool = False
    with_rejected: bool = False
    spoiled: str = "keep"
    by_batch: bool = False
    pairs: bool = False
    crowd_curve: bool = False
    ties: str = "random"
    draws: int = 100
    largest: int | None = None
    accuracy: float | None = None
    ci: bool = False
    resamples: int = 1000
    ci_level: float = 0.95
    seed: int = 1

    def __post_init__(self) -> None:
        if self.scale is not None and self.scale not in SCALES:
            raise unknown_name("scale (--scale)", self.scale, SCALES)
        if self.spoiled not in SPOILED:
            raise unknown_name("way to treat spoiled cases (--spoiled)", self.spoiled, SPOILED)
        if len(set(self.experts)) < len(self.experts):
            raise UsageError("--expert: an expert is named twice")
        if self.ties == "first":
            raise UsageError("--ties first: a crowd's ties get random, drop or a label")
        for flag, number in (("draws", self.draws), ("resamples", self.resamples)):
            if number < 1:
                raise UsageError(f"--{flag} must be 1 or more, not {number}")
        if self.largest is not None and self.largest < 1:
            raise UsageError(f"--largest must be 1 or more, not {self.largest}")
        if not 0 < self.ci_level < 1:
            raise UsageError(f"--ci-level lies between 0 and 1, as 0.95, not {self.ci_level}")
        if self.accuracy is not None and not 0 <= self.accuracy <= 1:
            raise UsageError(f"--accuracy is a share from 0 to 1, not {self.accuracy}")
        if self.seed < 0:
            raise UsageError(f"--seed must be 0 or more, not {self.seed}")

    def sign(self, *, scale: str, experts: tuple[str, ...], crowd: bool) -> str:
        """What the numbers depend on, in one line; experts are named as they are shown."""
        merged = [_plain(f"{word}={label}") for word, label in self.labels.items()]
        return signature(
            "agree",
            labels=merged or None,
            scale=scale,
            models="shown" if self.with_models else None,
            rejected="yes" if self.with_rejected else None,
            spoiled="drop" if self.spoiled == "drop" else None,
            experts=[_plain(name) for name in experts] or None,
            ties=_plain(self.ties) if crowd else None,
            draws=self.draws if crowd else None,
            largest=self.largest if crowd else None,
            accuracy=self.accuracy,
            ci=f"bootstrap-{self.resamples}-case" if self.ci else None,
            seed=self.seed if self.ci or crowd else None,
        )

    def to_dict(self, *, scale: str, experts: tuple[str, ...]) -> dict[str, Any]:
        """Plain values, for JSON."""
        record: dict[str, Any] = {
            "experts": list(experts),
            "labels": dict(self.labels),
            "scale": scale,
            "with_models": self.with_models,
            "with_rejected": self.with_rejected,
            "spoiled": self.spoiled,
            "by_batch": self.by_batch,
            "pairs": self.pairs,
            "crowd_curve": self.crowd_curve,
            "ties": self.ties,
            "draws": self.draws,
            "largest": self.largest,
            "accuracy": self.accuracy,
            "level": self.ci_level,
            "seed": self.seed,
        }
        if self.ci:
            record["ci"] = describe_bootstrap(self.resamples, self.ci_level, "case")
        return record


def _plain(text: str) -> str:
    """A name as it may stand in a signature, whose parts are set apart by bars."""
    return " ".join(text.replace("|", "/").split())
