"""What all tables of `evaluate` share: titles of measures and kinds of truth, cells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isnan
from textwrap import wrap
from typing import TYPE_CHECKING

from jurybox.report.tables import MISSING, Cell

if TYPE_CHECKING:
    from jurybox.api.evaluation import EvaluateResult
    from jurybox.cases.bootstrap import Spread
    from jurybox.measures import MeasureValue

WIDTH = 110
TRUTHS = {"plain": "majority", "weighted": "weighted"}
#: the measures every table has, in this order
MAIN = ("precision", "recall", "f_beta", "cohen_kappa")
SHORT = {"precision": "P", "recall": "R", "cohen_kappa": "kappa"}


def f_title(result: EvaluateResult) -> str:
    """F with its beta."""
    return f"F{result.beta:g}"


def short_title(name: str, result: EvaluateResult) -> str:
    """A main measure in the head of a column."""
    return SHORT.get(name, f_title(result))


def cell(value: float) -> Cell:
    """A number, or nothing where it is undefined."""
    return None if isnan(value) else value


def value_cell(value: MeasureValue) -> Cell:
    """The number of a measure, or nothing where it is undefined."""
    return cell(value.value)


def interval_text(spread: Spread) -> str:
    """An interval in brackets."""
    if isnan(spread.low):
        return MISSING
    return f"[{spread.low:.4f}, {spread.high:.4f}]"


def fold(line: str) -> list[str]:
    """A note on as many lines as the page needs."""
    return wrap(line, WIDTH, subsequent_indent="  ")


def notes_of(reasons: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Why there is no number, once for every reason: reason -> what it holds for."""
    for reason, which in reasons.items():
        yield from fold(f"{', '.join(which)}: {reason}")
