"""Writing long tables: their forms, which cells need quotes, and what no table can hold."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any, Literal

from jurybox.errors import InputError, unknown_name

Form = Literal["csv", "tsv", "jsonl"]
FORMS: tuple[Form, ...] = ("csv", "tsv", "jsonl")
DELIMITERS: dict[str, str] = {"csv": ",", "tsv": "\t"}
#: rows written, or parsed, at a time
ROWS_AT_ONCE = 1024
#: JSON with characters as they are; made once, since json.dumps makes one every time
encode_json = json.JSONEncoder(ensure_ascii=False).encode
# both separators: a table of one column does not show which one it has
_NEEDS_QUOTES = re.compile(r'[,\t"\r\n]')


def write_table(titles: Sequence[str], rows: Iterable[Sequence[str]], out: Any, form: str) -> None:
    """CSV or TSV: a header, then one line per row, cells quoted where they need it.

    >>> import sys
    >>> write_table(["case", "written"], [["c1", "at"], ["c2", "in, or at"]], sys.stdout, "csv")
    case,written
    c1,at
    c2,"in, or at"
    """
    delimiter = DELIMITERS[form]
    out.write(delimiter.join(titles) + "\n")
    rows = iter(rows)
    number = 0
    while batch := list(islice(rows, ROWS_AT_ONCE)):
        lines = list(map(delimiter.join, batch))
        if not _is_plain("\n".join(lines), batch, delimiter):
            lines = [delimiter.join(map(_quoted, row)) for row in batch]
        write_lines(lines, out, number)
        number += len(batch)


def _is_plain(text: str, rows: Sequence[Sequence[str]], delimiter: str) -> bool:
    """Whether joined rows hold no sign but those that join them, so that no cell needs quotes."""
    between_cells = sum(map(len, rows)) - len(rows)
    # counted sign by sign: ten times as fast as one search for any of them
    other = "\t" if delimiter == "," else ","
    return (
        text.count(delimiter) == between_cells
        and text.count("\n") == len(rows) - 1
        and not ('"' in text or "\r" in text or other in text)
    )


def _quoted(cell: str) -> str:
    if not _NEEDS_QUOTES.search(cell):
        return cell
    if "\r\n" in cell:
        raise InputError(f"{cell!r} holds CR LF, which a table cannot keep; write JSONL")
    return '"' + cell.replace('"', '""') + '"'


def write_lines(lines: Sequence[str], out: Any, before: int = 0) -> None:
    """Lines, all of them whole characters; `before` rows were written already."""
    text = "\n".join(lines)
    if not is_text(text):
        row = next(i for i, line in enumerate(lines, before + 1) if not is_text(line))
        message = "holds half a character (U+D800 to U+DFFF); decode the text as UTF-8"
        raise InputError(f"row {row} {message}")
    out.write(f"{text}\n")


def is_text(text: str) -> bool:
    """Whether text can be written as UTF-8: it holds no half character."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def check_form(form: str, forms: Sequence[str] = FORMS) -> None:
    if form not in forms:
        raise unknown_name("form", form, forms)
