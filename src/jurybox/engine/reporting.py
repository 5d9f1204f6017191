"""What happens far away is told here: a worker's warnings come back with its results."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial
from threading import Lock
from typing import Any, NamedTuple, TypeVar

from jurybox.errors import JuryboxWarning

Result = TypeVar("Result")

#: a worker of Dask may have several threads, but catching warnings is a matter of the process
_ONE_AT_A_TIME = Lock()


class Report(NamedTuple):
    """A result, and our own warnings on the way to it."""

    result: Any
    warnings: tuple[tuple[str, type[Warning]], ...]


def call_and_report(function: Callable[..., Any], *given: Any) -> Report:
    """Call a function in a worker."""
    with _ONE_AT_A_TIME, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", JuryboxWarning)
        result = function(*given)
    own = [one for one in caught if issubclass(one.category, JuryboxWarning)]
    return Report(result, tuple((str(one.message), one.category) for one in own))


def reporting(function: Callable[..., Any]) -> Callable[..., Report]:
    """A function as workers call it."""
    return partial(call_and_report, function)


def take_report(report: Report) -> Any:
    """The result; the worker's warnings are issued here."""
    for message, category in report.warnings:
        warnings.warn(message, category, stacklevel=3)
    return report.result
