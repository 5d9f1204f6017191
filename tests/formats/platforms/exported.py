"""Judgments that were read, as plain tuples that tests compare."""

from __future__ import annotations

import warnings
from array import array
from pathlib import Path
from typing import Any

from jurybox.errors import JuryboxWarning
from jurybox.formats import Input
from jurybox.formats.platforms import Judgments, read_judgments_of
from jurybox.model import LABEL_BITS

FOLDER = Path(__file__).resolve().parents[2] / "data" / "exports"


def quietly(source: Any, **options: Any) -> Judgments:
    """What was read; its notes are in it, so their warnings are not needed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", JuryboxWarning)
        return read_judgments_of(source, **options)


def read_file(name: str, **options: Any) -> Judgments:
    return quietly(FOLDER / name, **options)


def read_text(text: str, name: str = "batch.csv", **options: Any) -> Judgments:
    return quietly(Input.from_text(text, name=name), **options)


def rows(found: Judgments) -> list[tuple[str, str, str]]:
    """(case, rater, label) of every judgment."""
    table, cases = found.table, found.cases.cases
    return [
        (cases[case].id, table.raters[answer >> LABEL_BITS], table.labels[answer & 255])
        for case, answer in zip(table.case, table.answer, strict=True)
    ]


def corrections(found: Judgments) -> list[tuple[str, ...]]:
    table = found.table
    if table.correction is None:
        return [()] * len(table)
    return [table.corrections[number] for number in table.correction]


def column(found: Judgments, field: str) -> list[Any]:
    """A further column, spelled out."""
    each = found.extra[field]
    if isinstance(each, array):
        return list(each)
    return [each.words[number] for number in each.number]
