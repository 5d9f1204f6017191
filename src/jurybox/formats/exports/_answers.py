"""What all exports have in common: rows that do not count, labels, cells that cannot be right."""

from __future__ import annotations

import json
import re
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import compress

from jurybox.errors import Column, plural
from jurybox.formats.exports._export import Raw, Request
from jurybox.formats.long_tables import Block, LineIndex, encode_json
from jurybox.model import LABELS

MARKUP = re.compile(r"<[a-zA-Z/!][^<>]*>|&(?:[a-zA-Z]+|#\d+);")
#: how rows that are left out are spoken of
NO_ANSWER = "without an answer"


class Words(dict[str, str]):
    """Labels as they are read, or what a user maps them to; "" for an empty one.

    Our own three labels are the same in upper and lower case, in the spelling that came first.
    Other labels are not: two that differ in nothing else are told (`twins`).

    >>> words = Words({"Yes": "ok"})
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

        >>> words = Words({})
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
                    f"count as two; --labels {label}={other} would make them one"
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


class Answers:
    """The rows of an export that count, with their labels as they are to be used."""

    def __init__(self, raw: Raw, request: Request) -> None:
        self._raw = raw
        self._keep_all = request.rejected
        self.words = Words(request.labels)
        self._golds: dict[str, str] = {"": ""}
        self.left_out: Counter[str] = Counter()
        self.rows = 0
        self._assignments = _Assignments(raw)

    def blocks(self) -> Iterator[Block]:
        """Blocks without the rows that do not count; complaints are raised at the end."""
        for block in self._raw.blocks:
            self._assignments.add(block)
            kept = self._relabelled(self._without_left(block))
            kept = self._checked(kept)
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

    def _without_left(self, block: Block) -> Block:
        reasons = block.cells.get("leave")
        if reasons is None or not any(reasons):
            return block
        if self._keep_all:
            return block
        self.left_out.update(filter(None, reasons))
        return only(block, [not reason for reason in reasons])

    def _relabelled(self, block: Block) -> Block:
        cells = dict(block.cells)
        for field in ("case", "rater"):
            cells[field] = list(map(str.strip, cells[field]))
        cells["label"] = list(map(self.words.__getitem__, cells["label"]))
        if "gold" in cells and any(cells["gold"]):
            for cell in dict.fromkeys(cells["gold"]):
                if cell not in self._golds:
                    self._golds[cell] = self.words.gold(cell)
            cells["gold"] = list(map(self._golds.__getitem__, cells["gold"]))
        if self.words.markup:
            self._complain_of_markup(block)
        return Block(block.lines, cells)

    def _complain_of_markup(self, block: Block) -> None:
        empty = [""] * len(block.lines)
        columns = (block.cells["label"], block.cells.get("gold", empty))
        keys = block.cells.get("key", empty)
        for line, label, gold, key in zip(block.lines, *columns, keys, strict=True):
            if label in self.words.markup:
                self._complain_of_cell(line, label, "label", Column(title=key) if key else None)
            if gold and not self.words.markup.isdisjoint(parse_list(gold.strip()) or [gold]):
                self._complain_of_cell(line, gold, "gold")

    def _complain_of_cell(
        self, line: int, cell: str, field: str, column: Column | None = None
    ) -> None:
        shown = " ".join(cell.split())[:40]
        what = "answer" if field == "label" else "right answer"
        self._raw.bad.add(
            line,
            f"the {what} holds HTML: {shown}; take the markup out, or say what it means with "
            f"--labels, or is the {what} elsewhere (--map {field}=…)?",
            column or field,
        )

    def _checked(self, block: Block) -> Block:
        """Without rows that have no answer; a row that has nobody either is about its case only."""
        cells = block.cells
        if not all(cells["case"]) or not all(cells["rater"]) or not all(cells["label"]):
            return self._check_each(block)
        return block

    def _check_each(self, block: Block) -> Block:
        keep: list[bool] = []
        names = ("case", "rater", "label")
        rows = zip(block.lines, *(block.cells[name] for name in names), strict=True)
        for line, case, rater, label in rows:
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
    return (
        f"empty; every judgment needs a {noun}; fill it in, or choose another with --map {noun}=…"
    )


def only(block: Block, keep: Sequence[bool]) -> Block:
    """Some rows of a block."""
    cells: dict[str, Sequence[str]] = {
        field: list(compress(column, keep)) for field, column in block.cells.items()
    }
    return Block(list(compress(block.lines, keep)), cells)


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
        """Complain of those that came twice."""
        if len(set(self._hashes)) == len(self._hashes):
            return
        first: dict[int, int] = {}
        for row, number in enumerate(self._hashes):
            before = first.setdefault(number, row)
            if before != row:
                self._raw.bad.name, line = self._lines.place(row)
                self._raw.bad.add(
                    line,
                    f"the same {self._raw.unit} as in line {self._lines.place(before)[1]}; was "
                    "the file put together from overlapping parts? Keep one of the two",
                    "assignment",
                )
