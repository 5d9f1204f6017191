"""What to say of tables with a wrong header, a wrong separator, or rows of a wrong length."""

from __future__ import annotations

import re
from collections.abc import Sequence

from jurybox.errors import Column, plural
from jurybox.formats._long_writing import DELIMITERS
from jurybox.formats._pieces import find_stray

#: what tables are separated by that we do not guess at: text is full of all of them
OTHER_SEPARATORS = (";", "|", "^", "~", " ")
#: words of a header that is separated by blanks
OURS = {"case", "label"}
LIST_AT_MOST = 12
_JSON_LIST = re.compile(r"\s*\[\s*(?:$|[{\[])")  # no title of a column begins like that


def explain_no_table(first: str) -> tuple[str, Column | None] | None:
    """What is wrong with a first line that begins no table and no JSONL."""
    if not first:
        return "holds no table; the first line names the columns, as 'case,label'", None
    if stray := find_stray_title(first):
        return stray
    if "\r" in first and '"' not in first:
        column = Column(1, character=first.index("\r") + 1)
        return "lines end with CR alone; convert the line ends to LF", column
    if _JSON_LIST.match(first):
        return "a JSON list; write one object per line (JSONL)", Column(first.index("[") + 1)
    return None


def find_stray_title(header: str) -> tuple[str, Column] | None:
    """What to say of a byte in a header that is not UTF-8, and where it stands."""
    stray = find_stray(header)
    if stray is None:
        return None
    delimiter = DELIMITERS["tsv" if "\t" in header else "csv"]
    number = header[: stray.character].count(delimiter) + 1
    return stray.message, Column(number, character=stray.character)


def wrong_separator(titles: Sequence[str], least: int = 3) -> tuple[str, Column] | None:
    """What to say of a header that is separated by something else, and where that stands first.

    A sign that would make fewer than `least` columns is taken for text.

    >>> wrong_separator(["case;rater;label"])[1]
    Column(number=1, title='', character=5, last=0)
    """
    if len(titles) != 1:
        return None
    for sign in OTHER_SEPARATORS:
        words = titles[0].split(sign)
        if len(words) >= least and (sign != " " or set(titles[0].lower().split()) >= OURS):
            name = "a blank" if sign == " " else f"'{sign}'"
            message = (
                f"columns are separated by {name}; separate them by commas or tabs (the titles "
                f"are: {listed(words)})"
            )
            return message, Column(1, character=len(words[0]) + 1)
    return None


def explain_no_columns(
    fields: Sequence[str], titles: Sequence[str], *, can_map: bool = True
) -> str:
    """What to say of columns that are not there.

    >>> explain_no_columns(["score"], ["system", "F"], can_map=False)
    "no column 'score'; the columns are: system, F; rename one"
    """
    several = len(fields) > 1
    names = ", ".join(f"'{field}'" for field in fields)
    message = (
        f"no column{'s' if several else ''} {names}; the columns are: {listed(titles)}; "
        f"rename {'some' if several else 'one'}"
    )
    if not can_map:
        return message
    pairs = ",".join(f"{field}=COLUMN" for field in fields)
    return f"{message}, or say which {'hold them' if several else 'holds it'} with --map {pairs}"


def listed(titles: Sequence[str]) -> str:
    """Some titles, for a message."""
    return ", ".join(titles[:LIST_AT_MOST]) + (", …" if len(titles) > LIST_AT_MOST else "")


def explain_width(cells: Sequence[str], width: int, delimiter: str) -> tuple[str, int]:
    """What is wrong with a row that is too short or too long, and its first such column."""
    found = len(cells)
    what = f"{plural(found, 'cell')} where the header has {width}"
    if found > width:
        return f"{what}; put a cell that holds the separator into quotes", width + 1
    others = [sign for sign in (*DELIMITERS.values(), *OTHER_SEPARATORS[:-1]) if sign != delimiter]
    if found == 1 and (sign := next((s for s in others if cells[0].count(s) == width - 1), "")):
        name, right = (f"'{_visible(each)}'" for each in (sign, delimiter))
        return f"{what}; is this line separated by {name}? The header has {right}", 2
    hint = "is the line, or the file, cut off here? A cell that holds a line break needs quotes"
    return f"{what}; {hint}", found + 1


def _visible(sign: str) -> str:
    return "tab" if sign == "\t" else sign
