"""How tables of `annotators` fit a page, and what is put in place of those that do not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import isnan, nan
from typing import TYPE_CHECKING

from jurybox.report.tables import Cell, Table

if TYPE_CHECKING:
    from jurybox.api.annotators_result import AnnotatorsResult

WIDTH = 120
CUT = "Shortened to fit the page; --format json or csv has every number."


def fits(table: Table) -> bool:
    """Whether a table is narrow enough as text."""
    return max(map(len, table.to_text().splitlines())) <= WIDTH


def scale_of(result: AnnotatorsResult) -> tuple[float, int]:
    """What scores are shown by, and digits: GLEU is shown from 0 to 100 everywhere."""
    return (100, 2) if result.metric == "gleu" else (1, 4)


def mean(values: Iterable[float]) -> float:
    """The mean of what is defined."""
    defined = [value for value in values if not isnan(value)]
    return sum(defined) / len(defined) if defined else nan


def ends(values: Mapping[str, float]) -> Sequence[Cell]:
    """The lowest value and whose it is, then the highest; nothing where nothing is defined."""
    defined = {name: value for name, value in values.items() if not isnan(value)}
    if not defined:
        return (nan, "", nan, "")
    low, high = min(defined, key=defined.__getitem__), max(defined, key=defined.__getitem__)
    return (defined[low], low, defined[high], high)
