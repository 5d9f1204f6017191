"""Options that several tasks of `jurybox sample` share."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import Any

from jurybox.cli._options import add_files
from jurybox.errors import UsageError


def add_decision_reading(parser: ArgumentParser) -> None:
    """How decisions are read."""
    group = parser.add_argument_group("reading")
    add_files(
        group, "--map", "which columns are meant, as case=id,label=answer", metavar="OURS=TITLE"
    )
    add_files(group, "--labels", "what labels mean, as 1=error,0=ok", metavar="WORD=LABEL")
    group.add_argument(
        "--threshold",
        type=float,
        metavar="T",
        help="a case is called an error if its score is T or more, whatever its label",
    )


def decision_reading(options: Namespace) -> dict[str, Any]:
    """The same as keyword arguments."""
    from jurybox.cli.evaluate import read_pairs

    return {
        "columns": read_pairs(options.map, "--map"),
        "labels": read_pairs(options.labels, "--labels"),
        "threshold": options.threshold,
    }


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
