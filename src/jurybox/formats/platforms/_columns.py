"""What exports in tables share: which column is the answer or the case, times and money.

What a user maps goes first; what is not mapped is taken where only one column can be meant, and
else asked for, with the columns there are.

Times become ISO 8601 in UTC, money a plain number and a currency. Both are dictionaries with
`__missing__`: an export repeats few of them millions of times.

Time and pay may be given for a page of several tasks, and belong to its tasks in parts: Toloka's
assignments and CrowdFlower's pages repeat the page's times in every row. Without the division ten
judgments on a page of ten would seem ten times as slow and as expensive as they were.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import chain
from typing import TypeAlias

from jurybox.errors import Column, FormatError, near_name
from jurybox.formats._io import BOM, Input
from jurybox.formats.platforms._export import STREAMED, ExportRequest, Raw, bad_lines, ordered
from jurybox.formats.tables.coded import Block, converted
from jurybox.formats.tables.long_tables import (
    DELIMITERS,
    LongTable,
    find_stray_title,
    listed,
    wrong_separator,
)

#: the cells of a block, by field
Cells: TypeAlias = dict[str, Sequence[str]]
#: names of answers that go along with a label
BESIDE_LABELS = {
    "correction": ("correction", "corrected", "suggestion"),
    "alternatives": ("alternatives",),
    "confidence": ("confidence", "certainty"),
}
#: never the label, whatever else there is
REMARKS = ("comment", "comments", "feedback", "remark", "remarks")
#: names of what was shown
SHOWN = {
    "sentence": ("sentence", "text", "original", "source"),
    "written": ("written", "target"),
    "construction": ("construction",),
    "document": ("document",),
    "before": ("before", "sentence_before", "previous_sentence"),
    "after": ("after", "sentence_after", "next_sentence"),
    "gold": ("gold",),
}


def read_titles(head: str) -> tuple[str, ...]:
    r"""The titles of a table, from its first characters.

    >>> read_titles("HITId\tAnswer.Q1\n1\tYes\n")
    ('HITId', 'Answer.Q1')
    """
    lines = head.lstrip("\r\n").split("\n")
    delimiter = DELIMITERS["tsv" if "\t" in lines[0] else "csv"]
    try:
        titles = next(csv.reader((f"{line}\n" for line in lines), delimiter=delimiter), [])
    except csv.Error:
        titles = []
    return tuple(title.strip() for title in titles)


def peek_titles(given: Input) -> tuple[str, ...]:
    """The titles of a file; a header that is not UTF-8 is an error."""
    head = given.peek().removeprefix(BOM).decode("utf-8", errors="surrogateescape")
    first = head.lstrip("\r\n").partition("\n")[0]
    if complaint := find_stray_title(first):
        message, column = complaint
        raise given.error(message, head.partition(first)[0].count("\n") + 1, column)
    return read_titles(head)


def refuse_separator(given: Input, titles: Sequence[str]) -> None:
    """Refuse tables with semicolons or bars instead of guessing: text is full of both."""
    if complaint := wrong_separator(titles):
        message, column = complaint
        raise given.error(message, 1, column)


class Chooser:
    """Our fields to titles of one file."""

    def __init__(self, given: Input, request: ExportRequest) -> None:
        self.given = given
        self.titles = peek_titles(given)
        refuse_separator(given, self.titles)
        self.found: dict[str, str] = dict(request.columns)

    def starting(self, before: str) -> dict[str, str]:
        """The titles that begin so -> what follows."""
        return {t: t.removeprefix(before) for t in self.titles if t.startswith(before)}

    def refuse(self, message: str, column: Column | None = None) -> FormatError:
        """The error for a header; without a column it is about all of them."""
        return self.given.error(message, 1, column or Column(1, last=len(self.titles)))

    @property
    def taken(self) -> set[str]:
        return set(self.found.values())

    def take(self, field: str, *titles: str) -> None:
        """The first of these titles that the file has."""
        for title in titles:
            if field not in self.found and title in self.titles and title not in self.taken:
                self.found[field] = title

    def take_all(self, columns: Mapping[str, str], needed: Sequence[str] = ()) -> None:
        """The columns that a platform has (field -> title); that a needed one lacks is an error."""
        for field, title in columns.items():
            self.take(field, title)
            if field in needed and field not in self.found:
                raise self.refuse(
                    f"no column '{title}', which names the {field}; the columns are: "
                    f"{listed(self.titles)}; say which one it is with --columns {field}=COLUMN"
                )

    def take_named(
        self, names: Mapping[str, Sequence[str]], columns: Mapping[str, str], *, alone: str = ""
    ) -> None:
        """Fields by the short names of columns (title -> short name).

        A single column that is left serves the field `alone`.
        """
        for field, known in names.items():
            for name in known:
                self.take(field, *(t for t, short in columns.items() if short.lower() == name))
        left = [title for title in columns if title not in self.taken]
        if alone and len(columns) == 1 and left:
            self.take(alone, left[0])

    def choose_label(self, answers: Mapping[str, str]) -> str:
        """The title of the answer that is the label."""
        if "label" not in self.found:
            self.take_named(BESIDE_LABELS, answers if len(answers) > 1 else {})
            left = [
                title
                for title, short in answers.items()
                if title not in self.taken and short.lower() not in REMARKS
            ]
            if not left:
                raise self.refuse(
                    f"no column holds answers; the columns are: {listed(self.titles)}; say which "
                    "one does with --columns label=COLUMN"
                )
            if len(left) > 1:
                raise self.several_answers(left)
            self.found["label"] = left[0]
        else:
            self.take_named(BESIDE_LABELS, answers)
        return self.found["label"]

    def several_answers(self, left: Sequence[str]) -> FormatError:
        """The error for a file in which several columns may be the label."""
        return self.refuse(
            f"{len(left)} columns may be the answer: {listed(left)}; choose one with "
            f"--columns label={left[0]}",
            Column(self.titles.index(left[0]) + 1, left[0]),
        )

    def check(self, further: Iterable[str] = ()) -> None:
        """Mapped titles that the file does not have are mistakes."""
        known = {*self.titles, *further}
        for field, title in self.found.items():
            if title not in known:
                raise self.refuse(
                    f"no column '{title}' (--columns {field}={title}){near_name(title, known)}; "
                    f"the columns are: {listed(self.titles)}"
                )


def open_table(given: Input, columns: Mapping[str, str]) -> LongTable:
    """The table with these columns (any field name -> title)."""
    if given.head().lstrip().startswith("{"):
        raise given.error(
            "is JSONL, where a table with a header is expected; leave --input-format out",
            1,
            Column(1),
        )
    table = LongTable(given, tuple(columns), required=tuple(columns), columns=columns)
    table.bad, table.held = bad_lines(given.name), STREAMED
    return table


def table_export(
    table: LongTable,
    titles: Mapping[str, str],
    finish: Callable[[Block, Cells], None],
    *,
    further: Iterable[str] = (),
    notes: Iterable[str] = (),
    unit: str = "assignment",
) -> Raw:
    """A table as an export, with times in UTC and money as plain numbers.

    `finish` completes the cells of each block; `further` fields are not among the titles.
    """
    times = {"started": Times(), "submitted": Times()}
    bad = table.bad

    def blocks() -> Iterator[Block]:
        money = Money(raw.currency)
        for block in table.blocks():
            cells: Cells = dict(block.cells)
            if "reward" in cells:
                cells["reward"] = converted(cells["reward"], money.__getitem__)
            for field, known in times.items():
                if field in cells:
                    cells[field] = known.read(cells[field], block.lines)
            finish(block, cells)
            yield Block(block.lines, cells)
        columns = [bad.columns.get(field, Column(title=field)) for field in times]
        notes_on_times = map(Times.note, times.values(), columns)
        raw.notes += filter(None, notes_on_times)

    raw = Raw(ordered([*titles, *further]), blocks(), bad, list(notes), titles, unit=unit)
    return raw


# --- times and money ---

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


def count_pages(given: Input, columns: Mapping[str, str]) -> Counter[tuple[str, ...]]:
    r"""Count the rows of every page, by the columns that name it; reads the file once more.

    >>> source = Input.from_text("page,worker\n1,a\n1,a\n1,b\n")
    >>> sorted(count_pages(source, {"page": "page", "worker": "worker"}).items())
    [(('1', 'a'), 2), (('1', 'b'), 1)]
    """
    table = LongTable(given.keep(), tuple(columns), required=tuple(columns), columns=columns)
    try:  # the reader that comes after this one raises
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
