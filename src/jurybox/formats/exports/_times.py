"""Times and money as the platforms write them.

Times become ISO 8601 in UTC, money a plain number and a currency. Both are dictionaries with
`__missing__`: an export repeats few of them millions of times.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

from jurybox.errors import Column
from jurybox.formats._bad_cells import BadCells

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


def notes_on_times(times: Mapping[str, Times], bad: BadCells) -> list[str]:
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
