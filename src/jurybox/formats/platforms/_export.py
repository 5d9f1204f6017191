"""What every reader of an export gives, what a user may ask of it, and which of its rows count.

A reader turns a platform's file into blocks of columns with our names (`FIELDS`). Three further
columns are for those who read the blocks only: `assignment`, which must not come twice, `leave`,
the reason why a row does not count ("" where it does), and `key`, where JSON holds the label.
`ExportAnswers` reads them: it leaves rows out, maps labels, and complains of malformed cells.
"""

from __future__ import annotations

import json
import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import compress, islice
from typing import NamedTuple

from jurybox.errors import Column, name_line, plural
from jurybox.formats._io import BadLines
from jurybox.formats.tables.coded import Block, converted, only, words_of
from jurybox.formats.tables.long_tables import ROWS_AT_ONCE, LineIndex, encode_json
from jurybox.model import LABELS

#: what is known of the text around a case
ABOUT_TEXT = ("construction", "document", "before", "after")
CASE_FIELDS = ("sentence", "start", "end", "written", *ABOUT_TEXT)
NUMBERS = ("seconds", "confidence", "trust", "reward")
TIMES = ("started", "submitted")
WORDS = ("batch", "context", "first", "second", "shown", "status")
FIELDS = (
    *("case", "rater", "label", "correction", "alternatives", "gold", "kind"),
    *NUMBERS,
    *TIMES,
    *WORDS,
    *CASE_FIELDS,
)

#: bytes of columns in a block of a large table that is not held
STREAMED = 1 << 22


class ExportRequest(NamedTuple):
    """What a user asks of an export.

    `columns` maps our fields to titles or keys of the file, `labels` their labels to others;
    `rejected` keeps rows that do not count otherwise. `held` is for large tables: bytes of columns
    in a block.
    """

    columns: Mapping[str, str] = {}
    labels: Mapping[str, str] = {}
    rejected: bool = False
    held: int = STREAMED


@dataclass(slots=True)
class Raw:
    """An export as it is read: its notes and complaints are complete when its blocks are."""

    fields: tuple[str, ...]
    blocks: Iterator[Block]
    bad: BadLines
    notes: list[str]
    titles: Mapping[str, str]  # our field -> what the file calls it, for messages
    currency: list[str] = field(default_factory=list)  # filled while blocks are read
    unit: str = "assignment"  # what must not come twice


def bad_lines(name: str) -> BadLines:
    """Malformed lines of an export: the first three are reported, the others are counted.

    >>> bad = bad_lines("batch.csv")
    >>> for line in (3, 5, 8, 9): bad.add(line, "no case")
    >>> bad.raise_first()
    Traceback (most recent call last):
    jurybox.errors.FormatError: batch.csv:3: no case
      batch.csv:5: no case
      batch.csv:8: no case (and 1 more bad line in this file)
    """
    return BadLines(name, shown=3)


class KeyFaultError(ValueError):
    """What is wrong with an object of JSON, and under which key, as `annotations[0].result`."""

    def __init__(self, key: str, message: str) -> None:
        self.key = key
        super().__init__(message)


@contextmanager
def under(key: str) -> Iterator[None]:
    """Faults that are found in here are reported under this key.

    >>> try:
    ...     with under("annotations[0]"), under("result"):
    ...         raise ValueError("no list")
    ... except KeyFaultError as error:
    ...     print(error.key, error)
    annotations[0].result no list
    """
    try:
        yield
    except KeyFaultError as error:
        raise KeyFaultError(f"{key}.{error.key}", str(error)) from None
    except ValueError as error:
        raise KeyFaultError(key, str(error)) from None


def ordered(fields: Iterable[str]) -> tuple[str, ...]:
    """Fields in the order in which we write them."""
    given = set(fields)
    return tuple(name for name in FIELDS if name in given)


class ExportRow(NamedTuple):
    """One judgment of a format that is no table: the line it stands in, and its cells."""

    line: int
    cells: Mapping[str, str]


def blocks_of(rows: Iterable[ExportRow], fields: Sequence[str]) -> Iterator[Block]:
    """Rows as blocks of columns; a cell that a row lacks is empty.

    >>> [block.cells for block in blocks_of([ExportRow(1, {"case": "c1"})], ("case", "rater"))]
    [{'case': ['c1'], 'rater': ['']}]
    """
    rows = iter(rows)
    while batch := list(islice(rows, ROWS_AT_ONCE)):
        cells: dict[str, Sequence[str]] = {
            name: [row.cells.get(name, "") for row in batch] for name in fields
        }
        yield Block([row.line for row in batch], cells)


MARKUP = re.compile(r"<[a-zA-Z/!][^<>]*>|&(?:[a-zA-Z]+|#\d+);")
#: how rows that are left out are spoken of
NO_ANSWER = "without an answer"


class LabelWords(dict[str, str]):
    """Labels as they are read, or what a user maps them to; "" for an empty one.

    Our own three labels are the same in upper and lower case, in the spelling that came first.
    Other labels are not: two that differ in nothing else are reported (`twins`).

    >>> words = LabelWords({"Yes": "ok"})
    >>> [words[cell] for cell in (" yes ", "No", "OK", "Error", "ERROR", '["No"]')]
    ['ok', 'No', 'ok', 'Error', 'Error', 'No']
    """

    def __init__(self, given: Mapping[str, str]) -> None:
        super().__init__()
        self.met: dict[str, None] = {}
        self.used: set[str] = set()  # words of the user's that were met, in lower case
        self.markup: set[str] = set()  # cells that hold HTML instead of a label
        self._given = {word.strip().lower(): label.strip() for word, label in given.items()}
        self._own = {label.lower(): label for label in self._given.values()}

    def __missing__(self, cell: str) -> str:
        word = cell.strip()
        if word.startswith("[") and len(listed := parse_list(word)) == 1:
            word = listed[0].strip()
        low = word.lower()
        if low in self._given:
            self.used.add(low)
            word = self._given[low]
        elif low in LABELS:
            word = self._own.setdefault(low, word)
        elif MARKUP.search(word):
            self.markup.add(cell)
        if word:
            self.met[word] = None
        self[cell] = word
        return word

    def right(self, cell: str) -> tuple[str, ...]:
        """Right labels: those of a JSON list, or the cell itself; none if it is empty.

        >>> words = LabelWords({})
        >>> [words.right(cell) for cell in ("at", '["at", "in"]', "[0.50]", "[sic]", "[]")]
        [('at',), ('at', 'in'), ('0.50',), ('[sic]',), ()]
        """
        text = cell.strip()
        listed = parse_list(text) or ([] if text == "[]" else [cell])
        return tuple(dict.fromkeys(word for each in listed if (word := self[each])))

    def gold(self, cell: str) -> str:
        """The same as one cell: one label as it is, several as a JSON list."""
        words = self.right(cell)
        return encode_json(list(words)) if len(words) > 1 else "".join(words)

    def twins(self) -> str:
        """A note on labels that differ in upper and lower case only."""
        first: dict[str, str] = {}
        for label in self.met:
            if first.setdefault(label.lower(), label) != label:
                other = first[label.lower()]
                return (
                    f"the labels '{other}' and '{label}' differ in upper and lower case only and "
                    f"count as two; --relabel {label}={other} would make them one"
                )
        return ""


def parse_list(text: str) -> list[str]:
    """A JSON list of words or numbers, as they are spelled; nothing if it is something else.

    >>> parse_list('["at", 1, 0.50]'), parse_list("[sic]"), parse_list('[{"a": 1}]')
    (['at', '1', '0.50'], [], [])
    """
    if not text.startswith("["):
        return []
    try:
        words = json.loads(text, parse_float=str)
    except (ValueError, RecursionError):
        return []
    if not isinstance(words, list) or not all(isinstance(w, str | int) for w in words):
        return []
    return [word if isinstance(word, str) else json.dumps(word) for word in words]


class ExportAnswers:
    """The rows of an export that count, with their labels as they are to be used."""

    def __init__(self, raw: Raw, request: ExportRequest) -> None:
        self._raw = raw
        self._keep_all = request.rejected
        self.words = LabelWords(request.labels)
        self._golds: dict[str, str] = {"": ""}
        self.left_out: Counter[str] = Counter()
        self.rows = 0
        self._assignments = _Assignments(raw)

    def blocks(self) -> Iterator[Block]:
        """Blocks without the rows that do not count; complaints are raised at the end."""
        for block in self._raw.blocks:
            self._assignments.add(block)
            kept = block
            reasons = block.cells.get("leave", ())
            if any(reasons) and not self._keep_all:
                self.left_out.update(filter(None, reasons))
                kept = only(block, [not reason for reason in reasons])
            kept = self._checked(self._relabelled(kept))
            if len(kept.lines):
                self.rows += len(kept.lines)
                yield kept
        self._assignments.check()
        self._raw.bad.raise_first()

    def notes(self) -> list[str]:
        """What the user should know, when all blocks were read."""
        how = {
            "rejected": "rejected; --with-rejected keeps them",
            "tainted": "of contributors who failed the test questions (tainted); "
            "--with-rejected keeps them",
            NO_ANSWER: f"{NO_ANSWER} in '{self._raw.titles.get('label', 'label')}'",
        }
        notes = [
            f"{plural(count, 'row')} left out: {how.get(reason, reason)}"
            for reason, count in self.left_out.items()
        ]
        return [*notes, *filter(None, [self.words.twins()])]

    def _relabelled(self, block: Block) -> Block:
        cells = dict(block.cells)
        for name in ("case", "rater"):
            cells[name] = converted(cells[name], str.strip)
        cells["label"] = converted(cells["label"], self.words.__getitem__)
        if "gold" in cells and any(words_of(cells["gold"])):
            for cell in dict.fromkeys(words_of(cells["gold"])):
                if cell not in self._golds:
                    self._golds[cell] = self.words.gold(cell)
            cells["gold"] = converted(cells["gold"], self._golds.__getitem__)
        if self.words.markup:
            self._complain_of_markup(block)
        return Block(block.lines, cells)

    def _complain_of_markup(self, block: Block) -> None:
        empty = [""] * len(block.lines)
        golds, keys = block.cells.get("gold", empty), block.cells.get("key", empty)
        rows = zip(block.lines, block.cells["label"], golds, keys, strict=True)
        for line, label, gold, key in rows:
            column = Column(title=key) if key else "label"
            found = [(label, "label", "answer", column)] if label in self.words.markup else []
            if gold and not self.words.markup.isdisjoint(parse_list(gold.strip()) or [gold]):
                found.append((gold, "gold", "right answer", "gold"))
            for cell, name, what, place in found:
                self._raw.bad.add(
                    line,
                    f"the {what} holds HTML: {' '.join(cell.split())[:40]}; take the markup out, "
                    f"or say what it means with --relabel, or is the {what} elsewhere "
                    f"(--columns {name}=…)?",
                    place,
                )

    def _checked(self, block: Block) -> Block:
        """Without rows that have no answer; a row that has nobody either is about its case only."""
        columns = [block.cells[name] for name in ("case", "rater", "label")]
        if all(all(words_of(column)) for column in columns):
            return block
        keep: list[bool] = []
        for line, case, rater, label in zip(block.lines, *columns, strict=True):
            if not case:
                self._raw.bad.add(line, _empty("case"), "case")
            elif label and not rater:
                self._raw.bad.add(line, _empty("rater"), "rater")
            elif rater and not label:
                self.left_out[NO_ANSWER] += 1
                keep.append(False)
                continue
            keep.append(bool(case))
        return only(block, keep)


def _empty(noun: str) -> str:
    what = f"empty; every judgment needs a {noun}"
    return f"{what}; fill it in, or choose another with --columns {noun}=…"


class _Assignments:
    """Ids that must not come twice, as hashes of 64 bits: a million ids take 8 MB.

    That two different ids out of a million have one hash happens once in thirty million files.
    """

    def __init__(self, raw: Raw) -> None:
        self._hashes = array("q")
        self._lines = LineIndex()
        self._raw = raw

    def add(self, block: Block) -> None:
        ids = block.cells.get("assignment")
        if ids is None or not any(ids):
            return
        lines = block.lines if all(ids) else list(compress(block.lines, ids))
        self._hashes.extend(map(hash, filter(None, ids)))
        self._lines.add(self._raw.bad.name, lines)

    def check(self) -> None:
        if len(set(self._hashes)) == len(self._hashes):
            return
        first: dict[int, int] = {}
        for row, number in enumerate(self._hashes):
            before = first.setdefault(number, row)
            if before != row:
                self._raw.bad.name, line = self._lines.place(row)
                where = name_line(self._raw.bad.name, self._lines.place(before)[1])
                self._raw.bad.add(
                    line,
                    f"the same {self._raw.unit} as in {where}; was the file put together "
                    "from overlapping parts? Keep one of the two",
                    "assignment",
                )
