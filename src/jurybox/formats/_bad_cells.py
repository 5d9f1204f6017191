"""Malformed lines of a table or of JSON, with the column or the key that is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from jurybox.errors import Column, FormatError, name_place
from jurybox.formats._io import BadLines


class _Complaint(NamedTuple):
    path: str
    line: int | None
    column: Column | None
    message: str

    def __str__(self) -> str:
        return f"{name_place(self.path, self.line, self.column)}: {self.message}"


class BadCells(BadLines):
    """The same as BadLines, with columns: a Column, or the field of ours that it serves.

    Whoever reads the header says which columns there are. `shown` complaints are reported, the
    others are counted.

    >>> bad = BadCells("batch.csv")
    >>> bad.know(["HITId", "Answer.Q1"], {"case": 0, "label": 1})
    >>> bad.add(3, "empty", "label"); bad.add(4, "empty", "label")
    >>> bad.raise_first()
    Traceback (most recent call last):
    jurybox.errors.FormatError: batch.csv:3, column 2 (Answer.Q1): empty (and 1 more bad line in \
this file)
    """

    shown = 1

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.titles: Sequence[str] = ()
        self.columns: dict[str, Column] = {}  # our field -> the column, or the key, that serves it
        self._complaints: list[_Complaint] = []

    def know(self, titles: Sequence[str], places: dict[str, int]) -> None:
        """The titles of the table, and the places of our fields among them, from 0."""
        self.titles = titles
        self.columns = {field: self.column(place + 1) for field, place in places.items()}

    def column(self, number: int, character: int = 0) -> Column:
        """A column by its number from 1, with its title if it has one."""
        title = self.titles[number - 1] if number <= len(self.titles) else ""
        return Column(number, title, character)

    def add(self, line: int | None, message: str, column: Column | str | None = None) -> None:
        super().add(line, message)
        if len(self._complaints) == self.shown or not message:
            return
        if isinstance(column, str):
            column = self.columns.get(column, Column(title=column))
        self._complaints.append(_Complaint(self.name, line, column, message))

    def raise_first(self) -> None:
        """Raise the first complaints, if there were any."""
        if not self._complaints:
            super().raise_first()
            return
        first, *further = self._complaints
        raise FormatError(
            "\n  ".join([first.message, *map(str, further)]),
            path=first.path,
            line=first.line,
            column=first.column,
            more=self.count - len(self._complaints),
        )
