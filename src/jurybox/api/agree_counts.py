"""Tables that say how many raters gave each case each label, made judgments.

Published agreement data often has this form (Fleiss 1971). Who gave which label is not known, so
nothing can be said of pairs of raters. Read only where that is asked for (`--input-format counts`):
a table of numbers can as well hold the raters' own labels.
"""

from __future__ import annotations

import csv
import io
import os
from typing import cast

from jurybox.api.rater_inputs import GivenJudgments
from jurybox.errors import FormatError, UsageError
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
    lines = [text for _, text in source.lines()]
    rows = csv.reader(lines, delimiter="\t" if lines and "\t" in lines[0] else ",")
    titles = [title.strip() for title in next(rows, [])]
    if len(titles) < 3 or len(set(titles)) < len(titles):
        message = "a table of counts has a column for the case and one for each label"
        raise FormatError(message, path=source.name, line=1)
    out = io.StringIO()
    write = csv.writer(out, lineterminator="\n").writerow
    write(("case", "rater", "label"))
    for row in rows:
        if not any(map(str.strip, row)):
            continue
        if len(row) != len(titles):
            message = f"{len(row)} cells, but {len(titles)} titles"
            raise FormatError(message, path=source.name, line=rows.line_num)
        rater = 0
        for label, cell in zip(titles[1:], row[1:], strict=True):
            if cell.strip() and not cell.strip().isdecimal():
                message = f"column '{label}': '{cell[:40]}' is no number of raters"
                raise FormatError(message, path=source.name, line=rows.line_num)
            for _ in range(int(cell.strip() or 0)):
                rater += 1
                write((row[0].strip(), rater, label))
    return Input.from_text(out.getvalue(), source.name)
