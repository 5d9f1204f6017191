"""Tables that say how many raters gave each case each label, made judgments.

Published agreement data often has this form (Fleiss 1971). Who gave which label is not known, so
nothing can be said of pairs of raters. Read only where that is asked for (`--input-format counts`):
a table of numbers can as well hold the raters' own labels.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import cast

from jurybox.api.rater_inputs import GivenJudgments
from jurybox.api.wide_judgments import Made, WideTable
from jurybox.errors import Column, UsageError
from jurybox.formats import Input, Source, as_input
from jurybox.model import JudgmentTable


def lengthen_counts(given: GivenJudgments) -> list[Source]:
    r"""A row per case, a column per label, cells that count raters; the first column names cases.

    >>> [table] = lengthen_counts(Input.from_text("case,ok,error\n1,2,0\n2,1,1\n"))
    >>> [line for _, line in cast(Input, table).lines()]
    ['case,rater,label', '1,1,ok', '1,2,ok', '2,1,ok', '2,2,error']
    """
    if isinstance(given, JudgmentTable) or (
        not isinstance(given, Input | str | os.PathLike) and given and isinstance(given[0], tuple)
    ):
        raise UsageError("--input-format counts: only a file can hold counts")
    listed = [given] if isinstance(given, Input | str | os.PathLike) else given
    return [_lengthen(as_input(one)) for one in cast("list[Source]", listed)]


def _lengthen(source: Input) -> Input:
    table = WideTable(source)
    if len(table.columns) < 2:
        raise table.complain(
            1,
            "a table of counts has a column for the case and one for each label; add the labels",
            Column(1, last=len(table.titles)),
        )
    return table.lengthened(_judgments(table))


def _judgments(table: WideTable) -> Iterator[Made]:
    lines: dict[str, int] = {}
    for row in table.rows():
        if lines.setdefault(row.case, row.line) != row.line:
            message = f"case '{row.case}' is also in line {lines[row.case]}; add the two rows up"
            raise table.complain(row.line, message, table.titles[0])
        rater = 0
        for label, cell in row.cells.items():
            if cell and not cell.isdecimal():
                message = f"'{cell[:40]}' is no number of raters; write it as 3"
                raise table.complain(row.line, message, label)
            for _ in range(int(cell or 0)):
                rater += 1
                yield Made(row.line, label, (row.case, str(rater), label, *row.beside))
