"""Essays in Markdown, as in MultiGEC-2025: a heading with its id, and below it the text.

    ### essay_id = 1
    He go to school yesterday. It was fun.

    We play the games.

    ### essay_id = 2
    I like this books.

A file holds the essays themselves (`orig`), corrected ones (`ref1`, `ref2` …) or a system's output;
files belong together by the ids, not by the order, and a reference may lack essays. The shared task
evaluates essay by essay, so an essay is read as one text; its line breaks are white space. Text is
read in Unicode's composed form (NFC).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from unicodedata import normalize

from jurybox.formats._io import BadLines, File, as_input

HEADING = re.compile(r"#{1,6}[ \t]*essay_id[ \t]*=[ \t]*(.*)", re.IGNORECASE)


class Essay(NamedTuple):
    """A text, and the line of its heading."""

    id: str
    text: str
    line: int


def read(source: File) -> Iterator[Essay]:
    r"""The essays of a file, in its order.

    >>> from jurybox.formats import Input
    >>> text = "### essay_id = 7\nHe go.\n\nWe play.\n\n### essay_id = 8\n"
    >>> [essay[:2] for essay in read(Input.from_text(text))]
    [('7', 'He go. We play.'), ('8', '')]
    """
    given = as_input(source)
    bad = BadLines(given.name)
    lines_of: dict[str, int] = {}
    name, words = "", list[str]()
    for number, line in given.lines(bad):
        if heading := HEADING.match(line.strip()):
            if lines_of and not bad.count:
                yield Essay(name, " ".join(words), lines_of[name])
            name, words = normalize("NFC", heading[1].strip()), []
            if not name:
                bad.add(number, "a heading without an id; write ### essay_id = 1")
            elif name in lines_of:
                bad.add(number, f"essay '{name}' stands in line {lines_of[name]} before; keep one")
            lines_of.setdefault(name, number)
        elif lines_of:
            words += normalize("NFC", line).split()
        elif line.strip():
            bad.add(number, "text before the first heading; begin with ### essay_id = 1")
            lines_of[""] = number  # say it once
    if lines_of and not bad.count:
        yield Essay(name, " ".join(words), lines_of[name])
    if not lines_of and not bad.count:
        bad.add(None, "holds no essay; write ### essay_id = 1 above each")
    bad.raise_first()
