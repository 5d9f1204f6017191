"""Document maps: which document every sentence belongs to, for formats that have no documents.

Two shapes, told by the first line. Plain: one document id per line, line i for sentence i. Table:
CSV with the header `sentence,document`, sentences counted from 1, each exactly once, in any order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TextIO

from jurybox.formats._io import BadLines, Source, as_input

HEADER = ("sentence", "document")


def read(source: Source) -> Iterator[str]:
    r"""The document id of every sentence, in sentence order.

    >>> from jurybox.formats import Input
    >>> list(read(Input.from_text("sentence,document\n2,essay B\n1,essay A\n")))
    ['essay A', 'essay B']
    """
    given = as_input(source)
    bad = BadLines(given.name)
    lines = given.lines(bad)
    first = next(lines, (1, ""))
    if tuple(cell.strip().lower() for cell in first[1].split(",")) == HEADER:
        yield from _read_table(lines, bad)
    else:
        yield from _read_plain(chain([first], lines), bad)
    bad.raise_first()


def _read_plain(lines: Iterable[tuple[int, str]], bad: BadLines) -> Iterator[str]:
    for number, text in lines:
        name = text.strip()
        if not name:
            bad.add(number, "no document id; every sentence needs one, line by line")
        elif not bad.count:
            yield name


def _read_table(lines: Iterable[tuple[int, str]], bad: BadLines) -> Iterator[str]:
    import csv

    found: dict[int, str] = {}
    for number, text in lines:
        if not text.strip():
            continue
        try:
            cells = [cell.strip() for cell in next(csv.reader([text], strict=True))]
        except csv.Error as error:
            bad.add(number, f"not CSV ({error}); write sentence,document")
            continue
        if len(cells) != 2 or not all(cells):
            bad.add(number, f"{len(cells)} cells; write sentence,document")
        elif not (cells[0].isdecimal() and cells[0].isascii() and 0 < len(cells[0]) < 19):
            bad.add(number, f"'{cells[0]}' is no sentence number; sentences count from 1")
        elif found.setdefault(int(cells[0]), cells[1]) != cells[1] or int(cells[0]) < 1:
            bad.add(number, f"sentence {cells[0]} has a document already, or is not counted from 1")
    for sentence in range(1, len(found) + 1):
        if sentence not in found:
            bad.add(None, f"sentence {sentence} has no document; every sentence needs one")
    if not bad.count:
        yield from (found[sentence] for sentence in range(1, len(found) + 1))


def write(documents: Iterable[str], out: TextIO) -> None:
    """The plain shape: one document id per line."""
    for document in documents:
        out.write(f"{document}\n")
