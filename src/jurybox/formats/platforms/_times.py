"""Times and money as the platforms write them.

Times become ISO 8601 in UTC, money a plain number and a currency. Both are dictionaries with
`__missing__`: an export repeats few of them millions of times.

Time and pay may be given for a page of several tasks, and belong to its tasks in parts: Toloka's
assignments and CrowdFlower's pages repeat the page's times in every row. Without the division ten
judgments on a page of ten would seem ten times as slow and as expensive as they were.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import chain

from jurybox.errors import Column, FormatError
from jurybox.formats._io import BadLines, Input
from jurybox.formats.tables.long_tables import Block, LongTable

#: hours from UTC of the zones that MTurk and its users' computers write
ZONES = {
    **{"UTC": 0, "GMT": 0, "Z": 0},
    **{"EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7},
    **{"AKST": -9, "AKDT": -8, "HST": -10, "BST": 1, "CET": 1, "CEST": 2, "EET": 2, "EEST": 3},
}
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WORDS = re.compile(
    r"(?:[a-z]{3} )?([a-z]{3}) +(\d{1,2}) (\d{1,2}):(\d\d):(\d\d) (?:([a-z]{1,4}) )?(\d{4})",
    re.IGNORECASE | re.ASCII,
)
_SLASHES = re.compile(
    r"(\d{1,2})/(\d{1,2})/(\d{4}) (\d{1,2}):(\d\d)(?::(\d\d))?(?: ?([A-Z]{1,4}))?", re.ASCII
)
_MONEY = re.compile(r"([^\d.,\s-]{0,6}?)\s*(\d+(?:[.,]\d+)?|[.,]\d+)\s*([^\d.,\s-]{0,6})", re.ASCII)
SIGNS = {"$": "USD", "US$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR"}
#: a hundredth of what? 5 cents are not read as 5 of something
CENTS = ("¢", "C", "CT", "CTS", "CENT", "CENTS")


def read_time(text: str) -> datetime:
    """A moment, in UTC where no zone is given; ValueError if it is none.

    >>> read_time("Wed Jan 24 09:48:10 PST 2018").isoformat()
    '2018-01-24T17:48:10+00:00'
    >>> read_time("7/4/2016 13:05:09").isoformat()
    '2016-07-04T13:05:09+00:00'
    """
    if found := _WORDS.fullmatch(text):
        month, day, hour, minute, second, zone, year = found.groups()
        if month.lower() not in _MONTHS:
            raise ValueError(f"'{month}' is no month")
        date = (int(year), _MONTHS.index(month.lower()) + 1, int(day))
    elif found := _SLASHES.fullmatch(text):
        month, day, year, hour, minute, second, zone = found.groups()
        date = (int(year), int(month), int(day))
    else:
        given = datetime.fromisoformat(text)
        return given.replace(tzinfo=UTC) if given.tzinfo is None else given.astimezone(UTC)
    if (zone or "UTC").upper() not in ZONES:
        raise ValueError(f"the time zone {zone} is not known")
    there = datetime(*date, int(hour), int(minute), int(second or 0), tzinfo=UTC)
    return there - timedelta(hours=ZONES[(zone or "UTC").upper()])


class Times(dict[str, str]):
    """Times to ISO 8601; what is no time becomes empty and is counted.

    >>> times = Times()
    >>> times["Wed Jan 24 09:48:10 PST 2018"], times["yesterday"], times.unread
    ('2018-01-24T17:48:10Z', '', Counter({'yesterday': 1}))
    """

    def __init__(self) -> None:
        super().__init__({"": ""})
        self.unread: Counter[str] = Counter()
        self._first_line = 0  # where the first of them stands

    def read(self, cells: Sequence[str], lines: Sequence[int]) -> list[str]:
        """A column of them."""
        found = list(map(self.__getitem__, cells))
        if self.unread and not self._first_line:
            pairs = zip(lines, cells, strict=True)
            self._first_line = next(line for line, cell in pairs if cell.strip() in self.unread)
        return found

    def __missing__(self, given: str) -> str:
        text = given.strip()
        try:
            found = read_time(text).isoformat().replace("+00:00", "Z") if text else ""
        except (ValueError, OverflowError):
            self.unread[text] += 1
            return ""
        self[given] = found
        return found

    def note(self, column: Column) -> str:
        """What could not be read, if there was anything."""
        if not self.unread:
            return ""
        place = f" (first: line {self._first_line}, {column})" if self._first_line else ""
        return (
            f"{self.unread.total()} times in '{column.title}' are not understood and left out, "
            f"as '{next(iter(self.unread))[:40]}'{place}"
        )


def notes_on_times(times: Mapping[str, Times], bad: BadLines) -> list[str]:
    """What could not be read of several fields; `bad` knows their columns."""
    named = ((known, bad.columns.get(field, Column(title=field))) for field, known in times.items())
    return [note for known, column in named if (note := known.note(column))]


class Moments(dict[str, float]):
    """Times in ISO 8601 to seconds since 1970; an empty one is nan."""

    def __missing__(self, given: str) -> float:
        found = self[given] = read_time(given).timestamp() if given else float("nan")
        return found


class Money(dict[str, str]):
    """Money to a plain number; the currencies met are kept.

    >>> money = Money()
    >>> money["$0.05"], money["0,10 €"], money.currencies
    ('0.05', '0.10', ['USD', 'EUR'])
    """

    def __init__(self, currencies: list[str] | None = None) -> None:
        super().__init__({"": ""})
        self.currencies = [] if currencies is None else currencies

    def __missing__(self, given: str) -> str:
        found = _MONEY.fullmatch(given.strip())
        if not found or (found[1] or found[3]).upper() in CENTS:
            return given  # the reader of numbers says in which line it stands
        before, number, behind = found.groups()
        sign = (before or behind).upper()
        currency = SIGNS.get(sign, sign)
        if currency and currency not in self.currencies:
            self.currencies.append(currency)
        self[given] = number.replace(",", ".")
        return self[given]


Pages = Counter[tuple[str, ...]]


def count_pages(given: Input, columns: Mapping[str, str]) -> Pages:
    r"""Count the rows of every page, by the columns that name it; reads the file once more.

    >>> source = Input.from_text("page,worker\n1,a\n1,a\n1,b\n")
    >>> sorted(count_pages(source, {"page": "page", "worker": "worker"}).items())
    [(('1', 'a'), 2), (('1', 'b'), 1)]
    """
    table = LongTable(given.keep(), tuple(columns), required=tuple(columns), columns=columns)
    table.bad = BadLines(given.name)  # the reader that comes after this one raises
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
    parts = list(cells)
    for place, (cell, size) in enumerate(zip(cells, sizes, strict=True)):
        if size != 1:
            with suppress(ValueError):
                parts[place] = repr(float(cell) / size)
    return parts
