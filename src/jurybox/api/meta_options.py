"""The options of `meta`, checked once, and the signature they make."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from jurybox.api.certainty import Certainty
from jurybox.errors import UsageError, unknown_name
from jurybox.signature import signature

UNITS = ("sentence", "system")


@dataclass(frozen=True)
class MetaOptions:
    """What changes a number, checked once."""

    metrics: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    without_judges: tuple[str, ...] = ()
    lower_is_better: tuple[str, ...] = ()
    orders: int = 10_000
    ci_unit: str = "sentence"
    certainty: Certainty = field(default_factory=Certainty)

    def __post_init__(self) -> None:
        if self.orders < 1:
            raise UsageError(f"--orders must be 1 or more, not {self.orders}")
        if self.ci_unit not in UNITS:
            raise unknown_name("unit (--ci-unit)", self.ci_unit, UNITS)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "metrics": list(self.metrics),
            "without": list(self.without),
            "without_judges": list(self.without_judges),
            "lower_is_better": list(self.lower_is_better),
            "orders": self.orders,
            "ci": {**self.certainty.to_dict(), "unit": self.ci_unit},
        }

    def sign(self, human: str, systems: int) -> str:
        """What the numbers depend on, in one line."""
        from jurybox.stats.correlation import ALL_ORDERS

        how = self.certainty
        return signature(
            "meta",
            human=human,
            systems=systems,
            without=self.without or None,
            judges=f"without-{'+'.join(self.without_judges)}" if self.without_judges else None,
            lower=self.lower_is_better or None,
            orders="all" if systems <= ALL_ORDERS else self.orders,
            ci=f"bootstrap-{how.resamples}-{self.ci_unit}",
            seed=how.seed,
        )
