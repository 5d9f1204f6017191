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
    group.add_argument(
        "--resamples",
        type=int,
        default=1000,
        metavar="N",
        help="bootstrap resamples, and random exchanges when comparing (default: 1000)",
    )
    group.add_argument(
        "--ci-level",
        type=float,
        default=0.95,
        metavar="L",
        help="level of the intervals (default: 0.95)",
    )
    group.add_argument(
        "--ci-unit",
        default=units[0],
        metavar="UNIT",
        type=OneOf(*units),
        help=f"what is resampled: {', '.join(units[:-1])} or {units[-1]} (default: {units[0]})",
    )
    group.add_argument(
        "--seed",
        type=int,
        default=1,
        metavar="N",
        help="seed of the random numbers: the same seed gives the same digits (default: 1)",
    )
    return group


def resampling_arguments(options: Namespace) -> dict[str, Any]:
    """The same as keyword arguments."""
    return {name: getattr(options, name) for name in RESAMPLING}


def refuse_without_intervals(options: Namespace, defaults: Namespace, idle: Sequence[str]) -> None:
    """Options that would do nothing are a mistake worth naming."""
    given = given_arguments(idle, options, defaults)
    if given:
        listed = ", ".join(f"--{name.replace('_', '-')}" for name in given)
        raise UsageError(f"{listed}: only with --ci, which makes intervals")
