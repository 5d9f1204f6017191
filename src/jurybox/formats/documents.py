"""Document maps: which document every sentence belongs to, for formats that have no documents.

Two shapes, told by the first line. Plain: one document id per line, line i for sentence i. Table:
CSV with the header `sentence,document`, sentences counted from 1, each exactly once, in any order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TextIO

from jurybox.formats._io import BadLines, Source, as_input, is_whole_number

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
    found: dict[int, str] = {}
    for number, text in lines:
        if not text or text.isspace():
            continue
        try:
            sentence, document = _parse_row(text)
        except ValueError as error:
            bad.add(number, str(error))
            continue
        if sentence in found:
            bad.add(number, f"sentence {sentence} is listed before; give it one document")
        found[sentence] = document
    if not found and not bad.count:
        bad.add(None, "holds no sentence; write one sentence,document per line")
    if not bad.count:
        for sentence in range(1, len(found) + 1):
            if sentence not in found:
                bad.add(None, f"sentence {sentence} has no document; every sentence needs one")
    if not bad.count:
        yield from (found[sentence] for sentence in range(1, len(found) + 1))


def _parse_row(text: str) -> tuple[int, str]:
    import csv

    try:
        cells = [cell.strip() for cell in next(csv.reader([text], strict=True))]
    except csv.Error as error:
        raise ValueError(f"not CSV ({error}); write sentence,document") from None
    if len(cells) != 2:
        raise ValueError(f"{len(cells)} cells; write sentence,document")
    sentence, document = cells
    if not is_whole_number(sentence) or int(sentence) < 1:
        raise ValueError(f"'{sentence}' is no sentence number; sentences count from 1")
    if not document:
        raise ValueError("no document id; every sentence needs one")
    return int(sentence), document


def write(documents: Iterable[str], out: TextIO) -> None:
    """The plain shape: one document id per line."""
    for document in documents:
        out.write(f"{document}\n")
