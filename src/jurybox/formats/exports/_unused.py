"""Columns of a table that a conversion leaves behind, among those that its user has filled."""

from __future__ import annotations

from jurybox.formats._io import Input
from jurybox.formats.exports._columns import peek_header
from jurybox.formats.exports._export import Raw
from jurybox.formats.exports.long import is_json
from jurybox.formats.exports.mturk import TASK_ANSWERS

#: how titles of answers, and of what was shown, begin; the others are the platform's own affairs
OWN = {
    "mturk": ("Input.", "Answer."),
    "toloka": ("INPUT:", "OUTPUT:", "GOLDEN:"),
    "crowdflower": ("",),
    "long": ("",),
}
#: columns that are read in another way, or are copies
NOT_OWN = {"mturk": (TASK_ANSWERS,), "crowdflower": ("_", "orig_")}


def unused_columns(name: str, given: Input, raw: Raw) -> list[str]:
    r"""Titles of a file of the format `name` whose cells are in none of its blocks.

    >>> from jurybox.formats.exports import EXPORTS, long
    >>> from jurybox.formats.exports._export import Request
    >>> given = Input.from_text("case,rater,label,colour\n1,a,ok,red\n")
    >>> unused_columns("long", given, long.read(given, Request()))
    ['colour']
    """
    if name not in OWN or is_json(given):
        return []
    used = {*raw.titles.values(), *(raw.fields if name == "long" else ())}
    return [
        title
        for title in peek_header(given).titles
        if title.startswith(OWN[name])
        and not title.startswith(NOT_OWN.get(name, "\0"))
        and not {title, title.lower(), title.rpartition(".")[0]} & used
    ]
