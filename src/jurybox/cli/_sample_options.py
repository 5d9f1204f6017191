"""Options that several tasks of `jurybox sample` share."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import Any

from jurybox.cli._label_options import add_labels, label_arguments
from jurybox.cli._options import OneOf
from jurybox.errors import UsageError


def add_decision_reading(parser: ArgumentParser) -> None:
    """How decisions are read."""
    group = parser.add_argument_group("reading")
    add_labels(group, columns="case=id,label=answer", labels="1=error,0=ok")
    group.add_argument(
        "--threshold",
        type=float,
        metavar="T",
        help="a case is called an error if its score is T or more, whatever its label",
    )


def decision_reading(options: Namespace) -> dict[str, Any]:
    """The same as keyword arguments."""
    return {**label_arguments(options), "threshold": options.threshold}


def add_truth(group: Any, default: str, *, truth: str, ties: str) -> None:
    """What is true of a case that several people judged; `truth` and `ties` say what that means."""
    group.add_argument(
        "--truth",
        default=default,
        metavar="WHAT",
        type=OneOf("graded", "majority"),
        help=f"{truth} (default: {default})",
    )
    group.add_argument(
        "--ties",
        default="ok",
        metavar="RULE",
        type=OneOf("ok", "error", "drop"),
        help=f"{ties}: ok, error or drop (default: ok)",
    )


def read_numbers_of(flag: str, given: Sequence[str] | None) -> dict[str, int]:
    """`error=1000 ok=9000` as a dict; a name may hold equals signs.

    >>> read_numbers_of("--size", ["error=1000", "ok=9000"])
    {'error': 1000, 'ok': 9000}
    """
    numbers: dict[str, int] = {}
    for pair in given or ():
        name, equals, number = pair.rpartition("=")
        if not equals or not name or not number.isdecimal() or not number.isascii():
            raise UsageError(f"{flag} {pair}: write a name and a number, as {flag} error=1000")
        if name in numbers:
            raise UsageError(f"{flag}: {name} is given twice")
        numbers[name] = int(number)
    return numbers
