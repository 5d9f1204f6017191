"""Document maps: which document every sentence belongs to, for formats that have no documents.

Two shapes; the first line decides. Plain: one document id per line, line i for sentence i. Table:
CSV with the header `sentence,document`, sentences counted from 1, each exactly once, in any order.

`select` says which documents (or sentences) are meant by `1-10`, `3,7` or `essay-4`. A part of such
a selection is a name, a number in order of appearance, or a range of either; parts are separated by
commas or blanks. A name comes before a number: where documents are called "11", "12", "13", `12` is
the document of that name. `all` (or `*`) is everything.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TextIO

from jurybox.errors import UsageError, near_name
from jurybox.formats._io import BadLines, File, as_input, is_whole_number

HEADER = ("sentence", "document")


def read(source: File) -> Iterator[str]:
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
        bad.raise_first()
        return
    for number, text in chain([first], lines):
        name = text.strip()
        if not name:
            bad.add(number, "no document id; every sentence needs one, line by line")
        elif not bad.count:
            yield name
    bad.raise_first()


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


EVERYTHING = ("all", "*")


def select(selection: str, names: Sequence[str], *, noun: str = "document") -> list[int]:
    """The places, from 0 and in order, of what a selection names.

    >>> select("1-2,essay", ["a", "b", "c", "essay"])
    [0, 1, 3]
    >>> select("12", ["11", "12", "13"])
    [1]
    """
    parts = selection.replace(",", " ").split()
    if not parts:
        raise UsageError(f"the selection of {noun}s is empty; write something like 1-10")
    places = {name: place for place, name in enumerate(names)}
    chosen: set[int] = set()
    for part in parts:
        if part in EVERYTHING and part not in places:
            chosen.update(range(len(names)))
            continue
        one = _place(part, places)
        if one is not None:
            chosen.add(one)
            continue
        # a name may contain the dash itself, so every dash is tried
        for dash in (index for index, letter in enumerate(part) if letter == "-"):
            first, last = _place(part[:dash], places), _place(part[dash + 1 :], places)
            if first is not None and last is not None:
                break
        else:
            known = f"{names[0]} to {names[-1]}" if len(names) > 1 else "".join(names)
            hint = "" if part.strip("0123456789-") == "" else near_name(part, names)
            raise UsageError(
                f"there is no {noun} '{part}' among {len(names)} ({known}){hint or ';'} "
                "give numbers, names or ranges, as 1-10"
            )
        if last < first:
            raise UsageError(f"the range {part} runs backwards; write the earlier {noun} first")
        chosen.update(range(first, last + 1))
    return sorted(chosen)


def _place(name: str, places: dict[str, int]) -> int | None:
    if name in places:
        return places[name]
    if name.isascii() and name.isdigit() and 1 <= int(name) <= len(places):
        return int(name) - 1
    return None
