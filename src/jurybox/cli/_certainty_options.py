"""Options that say how sure a number is: resampling, levels, seeds."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import Any

from jurybox.cli._options import OneOf, given_arguments
from jurybox.errors import UsageError

RESAMPLING = ("resamples", "ci_level", "ci_unit", "seed")


def add_resampling(
    parser: ArgumentParser, *, ci: str = "", units: Sequence[str] = ("sentence", "document")
) -> Any:
    """How certainty is estimated; `units` is what can be drawn, the default first.

    `ci` is what --ci does, where intervals are made only if asked for.
    """
    group = parser.add_argument_group("certainty")
    if ci:
        group.add_argument("--ci", action="store_true", help=ci)
    add_resamples(group)
    add_ci_level(group)
    group.add_argument(
        "--ci-unit",
        default=units[0],
        metavar="UNIT",
        type=OneOf(*units),
        help=f"what is resampled: {', '.join(units[:-1])} or {units[-1]} (default: {units[0]})",
    )
    add_seed(group)
    return group


def add_resamples(
    group: Any,
    what: str = "bootstrap resamples, and random exchanges when comparing",
    *,
    default: int = 1000,
) -> None:
    """How many resamples."""
    group.add_argument(
        "--resamples",
        type=int,
        default=default,
        metavar="N",
        help=f"{what} (default: {default})",
    )


def add_ci_level(group: Any, what: str = "level of the intervals") -> None:
    """How sure intervals are to be."""
    group.add_argument(
        "--ci-level", type=float, default=0.95, metavar="L", help=f"{what} (default: 0.95)"
    )


def add_seed(group: Any, same: str = "gives the same digits") -> None:
    """Where random numbers begin; `same` is what the same seed does."""
    group.add_argument(
        "--seed",
        type=int,
        default=1,
        metavar="N",
        help=f"seed of the random numbers: the same seed {same} (default: 1)",
    )


def resampling_arguments(options: Namespace) -> dict[str, Any]:
    """The same as keyword arguments."""
    return {name: getattr(options, name) for name in RESAMPLING}


def refuse_without_intervals(options: Namespace, defaults: Namespace, idle: Sequence[str]) -> None:
    """Options that would do nothing are a mistake worth naming."""
    given = given_arguments(idle, options, defaults)
    if given:
        listed = ", ".join(f"--{name.replace('_', '-')}" for name in given)
        raise UsageError(f"{listed}: only with --ci, which makes intervals")
