"""What to say of a file whose format nobody knows."""

from __future__ import annotations

from collections.abc import Sequence

from jurybox.errors import FormatError
from jurybox.formats._io import UTF16_MARKS, Input
from jurybox.formats.exports._columns import listed, read_header, refuse_separator
from jurybox.formats.exports._export import FIELDS
from jurybox.formats.exports.long import OTHERS

KNOWN = (
    "MTurk batch results, CrowdFlower reports, Toloka TSV, Label Studio JSON, doccano and Prodigy "
    "JSONL, GUG, and tables with the columns case, rater, label"
)


def explain_unknown(given: Input) -> FormatError:
    """The error for a file that is none of the exports we know."""
    start = given.peek()
    if start.startswith(UTF16_MARKS) or b"\0" in start:
        # spreadsheets save "Unicode text" so
        return FormatError(
            "is not UTF-8; convert the file, for example with iconv -f UTF-16 -t UTF-8",
            path=given.name,
            line=1,
        )
    head = start.decode("utf-8", errors="replace").removeprefix("\ufeff")
    titles = read_header(head).titles
    refuse_separator(given, titles)
    if not head.strip():
        return FormatError("is empty", path=given.name)
    if head.lstrip().startswith(("[", "{")) or len(titles) < 2:
        return FormatError(
            f"is no export that is known; known are: {KNOWN}", path=given.name, line=1
        )
    return FormatError(
        f"no export that is known has the columns {listed(titles)}; say which ones hold the case, "
        f"the rater and the label: --map {_suggest(titles)}, or --input-format wide if there is a "
        "column for every rater, or, for agree, --input-format counts if there is one for every "
        f"label (known are: {KNOWN})",
        path=given.name,
        line=1,
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
