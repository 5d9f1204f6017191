"""Pages of several tasks: time and pay are given for the page, and belong to its tasks in parts.

Toloka's assignments and CrowdFlower's pages repeat the page's times in every row. Without the
division ten judgments on a page of ten would seem ten times as slow and as dear as they were.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain

from jurybox.errors import FormatError
from jurybox.formats._bad_cells import BadCells
from jurybox.formats._io import Input
from jurybox.formats.exports._times import read_time
from jurybox.formats.long_tables import Block, LongTable

Pages = Counter[tuple[str, ...]]


def count_pages(given: Input, columns: Mapping[str, str]) -> Pages:
    r"""How many rows every page has, told by the columns that name it; reads the file once more.

    >>> source = Input.from_text("page,worker\n1,a\n1,a\n1,b\n")
    >>> sorted(count_pages(source, {"page": "page", "worker": "worker"}).items())
    [(('1', 'a'), 2), (('1', 'b'), 1)]
    """
    table = LongTable(given.keep(), tuple(columns), required=tuple(columns), columns=columns)
    table.bad = BadCells(given.name)  # the reader that comes after this one raises
    try:
        return Counter(chain.from_iterable(page_names(each, columns) for each in table.blocks()))
    except FormatError:
        return Counter()


def page_names(block: Block, columns: Mapping[str, str]) -> list[tuple[str, ...]]:
    return list(zip(*(block.cells[field] for field in columns), strict=True))


def seconds_of_tasks(
    started: Sequence[str], submitted: Sequence[str], sizes: Sequence[int]
) -> list[str]:
    """The seconds of every task: those between two ISO times, divided by the tasks of the page.

    >>> seconds_of_tasks(["2016-07-04T13:05:09Z"], ["2016-07-04T13:05:31Z"], [2])
    ['11']
    """
    found: dict[tuple[str, str, int], str] = {}
    rows = list(zip(started, submitted, sizes, strict=True))
    for begin, end, size in dict.fromkeys(rows):
        passed = -1.0
        if begin and end:
            passed = (read_time(end) - read_time(begin)).total_seconds()
        found[begin, end, size] = f"{passed / size:g}" if passed >= 0 else ""
    return [found[row] for row in rows]


def divide(cells: Sequence[str], sizes: Sequence[int]) -> list[str]:
    """Pay for a page as pay for its tasks; what is no number stays for the reader of numbers."""
    return [_part(cell, size) for cell, size in zip(cells, sizes, strict=True)]


def _part(cell: str, size: int) -> str:
    try:
        return cell if size == 1 else repr(float(cell) / size)
    except ValueError:
        return cell
