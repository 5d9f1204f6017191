"""What to say of a file whose format nobody knows."""

from __future__ import annotations

import re
from collections.abc import Sequence

from jurybox.errors import Column, FormatError
from jurybox.formats._io import UTF16_MARKS, Input
from jurybox.formats._table_faults import listed
from jurybox.formats.exports._columns import peek_header, refuse_separator
from jurybox.formats.exports._export import FIELDS
from jurybox.formats.exports.long import OTHERS

KNOWN = (
    "MTurk batch results, CrowdFlower reports, Toloka TSV, Label Studio JSON, doccano and Prodigy "
    "JSONL, GUG, and tables with the columns case, rater, label"
)
#: ids of MTurk's workers, addresses of computers and of people
PERSONAL = re.compile(r"A[0-9A-Z]{9,}|\d+\.\d+\.\d+\.\d+|[^@\s]+@[^@\s]+\.\w+")


def explain_unknown(given: Input) -> FormatError:
    """The error for a file that is none of the exports we know."""
    start = given.peek()
    if start.startswith(UTF16_MARKS) or b"\0" in start:
        # spreadsheets save "Unicode text" so
        return FormatError(
            "is not UTF-8; convert the file, for example with iconv -f UTF-16 -t UTF-8",
            path=given.name,
            line=1,
            column=Column(1, character=1),
        )
    head = start.decode("utf-8", errors="replace").removeprefix("\ufeff")
    titles = peek_header(given).titles
    refuse_separator(given, titles)
    if not head.strip():
        return FormatError("is empty; was another file meant?", path=given.name)
    if head.lstrip().startswith(("[", "{")) or len(titles) < 2:
        return FormatError(
            f"is no export that is known; known are: {KNOWN}",
            path=given.name,
            line=1,
            column=Column(1),
        )
    for number, title in enumerate(titles, 1):
        if PERSONAL.fullmatch(title):  # then no title may be shown
            return FormatError(
                "somebody's id or address stands where a title should be; is the header missing? "
                "Put the line with the titles back",
                path=given.name,
                line=1,
                column=Column(number),
            )
    return FormatError(
        f"no export that is known has the columns {listed(titles)}; say which ones hold the case, "
        f"the rater and the label: --map {_suggest(titles)}, or --input-format wide if there is a "
        "column for every rater, or, for agree, --input-format counts if there is one for every "
        f"label (known are: {KNOWN})",
        path=given.name,
        line=1,
        column=Column(1, last=len(titles)),
    )


def _suggest(titles: Sequence[str]) -> str:
    """What to map: fields that no column is called after, to columns that are called alike.

    Where none is, the columns that are left, in their order.

    >>> _suggest(["when", "reply", "worker"])
    'case=when,rater=worker,label=reply'
    """
    low = {title.lower(): title for title in titles}
    missing = [field for field in OTHERS if field not in low]
    found = {
        field: next(low[name] for name in OTHERS[field] if name in low)
        for field in missing
        if low.keys() & set(OTHERS[field])
    }
    others = (t for t in titles if t.lower() not in FIELDS and t not in found.values())
    return ",".join(f"{field}={found.get(field) or next(others, 'COLUMN')}" for field in missing)
