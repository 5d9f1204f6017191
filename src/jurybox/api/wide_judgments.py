"""Tables with a row per case and a column per rater, made long.

They are read only where that is asked for (`--input-format wide`): a table of numbers can as well
hold how many raters gave each label.
"""

from __future__ import annotations

import csv
import io

from jurybox.errors import FormatError
from jurybox.formats import Input


def lengthen(source: Input) -> Input:
    r"""The same judgments, one a line; an empty cell is none. The first column names the cases.

    >>> table = lengthen(Input.from_text("unit,Ann,Bob\n1,ok,\n2,ok,error\n"))
    >>> [line for _, line in table.lines()]
    ['case,rater,label', '1,Ann,ok', '2,Ann,ok', '2,Bob,error']
    """
    lines = [text for _, text in source.lines()]
    separator = "\t" if lines and "\t" in lines[0] else ","
    rows = csv.reader(lines, delimiter=separator)
    titles = [title.strip() for title in next(rows, [])]
    if len(titles) < 2:
        raise FormatError("a wide table has a column per case and rater", path=source.name, line=1)
    if len(set(titles)) < len(titles):
        raise FormatError("two columns have the same title", path=source.name, line=1)
    out = io.StringIO()
    write = csv.writer(out, lineterminator="\n").writerow
    write(("case", "rater", "label"))
    for row in rows:
        if not any(map(str.strip, row)):
            continue
        if len(row) != len(titles):
            message = f"{len(row)} cells, but {len(titles)} titles"
            raise FormatError(message, path=source.name, line=rows.line_num)
        for rater, label in zip(titles[1:], row[1:], strict=True):
            if label.strip():
                write((row[0].strip(), rater, label.strip()))
    return Input.from_text(out.getvalue(), source.name)
