"""An export as a table of judgments, the cases they are about, and what goes along with them."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from math import nan
from typing import Any, NamedTuple

from jurybox.errors import FormatError, UsageError, plural, unknown_name
from jurybox.formats._names import Numbering
from jurybox.formats._repeats import Repeated, all_but_first_answers, find_repeats, leave_out
from jurybox.formats.exports._answers import only, parse_list
from jurybox.formats.exports._case_facts import CaseFacts
from jurybox.formats.exports._export import NUMBERS, TIMES, WORDS, SeveralBadLines
from jurybox.formats.exports._times import Moments
from jurybox.formats.judgments import Repeats, WordColumn
from jurybox.formats.long_tables import Block, LineIndex, read_numbers
from jurybox.model import LABEL_BITS, NOTHING, CaseSet, JudgmentTable

KINDS = ("human", "model")
MOST_LABELS = (1 << LABEL_BITS) - 1
REPEATS = ("first", "keep")


class Judgments(NamedTuple):
    """Judgments with the labels of their file, the cases, and what the user should know.

    `extra` holds the columns that were asked for and are there: numbers (`seconds`, `confidence`,
    `trust`, `reward`, and `started`, `submitted` in seconds since 1970; nan where missing) and
    words (`batch`, `context`, `first`, `second`, `shown`, `status`).
    """

    table: JudgmentTable
    cases: CaseSet
    extra: dict[str, array[float] | WordColumn]
    repeats: Repeats
    left_out: dict[str, int]  # reason -> rows
    format: str
    currency: str
    notes: tuple[str, ...]
    are_workers: bool = False  # raters are called after a column with ids of workers


class Collector:
    """Blocks of columns to a table of judgments."""

    def __init__(self, extra: Sequence[str], repeats: str) -> None:
        for field in extra:
            if field not in (*NUMBERS, *TIMES, *WORDS):
                raise unknown_name("column", field, (*NUMBERS, *TIMES, *WORDS))
        if repeats not in REPEATS:
            raise UsageError(f"repeats must be 'first' or 'keep', not '{repeats}'")
        self._keeps_repeats = repeats == "keep"
        self.bad = SeveralBadLines("")
        self.facts = CaseFacts(self.bad)
        self._table = JudgmentTable(labels=[])
        self._raters = Numbering("rater", LABEL_BITS)
        self._labels = Numbering("label")
        self._corrections: dict[tuple[str, str], int] = {("", ""): 0}
        self._kinds: dict[int, str] = {}
        self._numbers = {field: array("d") for field in extra if field not in WORDS}
        self._words = {field: array("I") for field in extra if field in WORDS}
        self._spelled = {field: Numbering(field) for field in self._words}
        self._met: set[str] = set()
        self._moments = Moments()
        self._lines = LineIndex()

    def __len__(self) -> int:
        return len(self._table)

    def take(self, block: Block, name: str) -> None:
        """Add the judgments of a block of the file `name`."""
        cases = self.facts.take(block)
        if not all(block.cells["label"]):  # rows that only tell of a case
            keep = list(map(bool, block.cells["label"]))
            cases = [case for case, kept in zip(cases, keep, strict=True) if kept]
            block = only(block, keep)
        if not cases:
            return
        before = len(self._table)
        raters = list(map(self._raters.__getitem__, block.cells["rater"]))
        labels = map(self._labels.__getitem__, block.cells["label"])
        self._table.case.extend(cases)
        self._table.answer.extend(map(int.__or__, raters, self._few(labels, block, name)))
        self._lines.add(name, block.lines)
        self._take_corrections(block, before)
        self._take_kinds(block, raters)
        self._take_extra(block)

    def _few(self, labels: Any, block: Block, name: str) -> list[int]:
        found = list(labels)
        names = self._labels.names
        if len(names) > MOST_LABELS:
            raise FormatError(
                f"'{names[MOST_LABELS][:40]}' is the {MOST_LABELS + 1}th different label (the "
                f"first are '{names[0][:40]}' and '{names[1][:40]}'), and {MOST_LABELS} is the "
                "most there can be; round numbers before they are read, or if the answer is in "
                "another column, choose it with --map label=COLUMN",
                path=name,
                line=block.lines[found.index(MOST_LABELS)],
                column=self.bad.columns.get("label"),
            )
        return found

    def _take_corrections(self, block: Block, before: int) -> None:
        cells, table = block.cells, self._table
        empty = [""] * len(block.lines)
        corrections = cells.get("correction", empty)
        alternatives = cells.get("alternatives", empty)
        if table.correction is None:
            if not any(corrections) and not any(alternatives):
                return
            table.correction = array("I", bytes(4 * before))
        pairs = list(zip(corrections, alternatives, strict=True))
        for row, pair in enumerate(pairs):
            if pair not in self._corrections:
                self._corrections[pair] = self._number(pair, block.lines[row])
        table.correction.extend(map(self._corrections.__getitem__, pairs))

    def _number(self, pair: tuple[str, str], line: int) -> int:
        correction, alternatives = pair
        further = parse_list(alternatives.strip())
        if alternatives.strip() and not further:
            message = 'alternatives must be a JSON list of words, as ["at", "on the"]'
            self.bad.add(line, message, "alternatives")
        words = [correction, *further] if correction.strip() else further
        found = tuple(dict.fromkeys("" if word == NOTHING else word for word in words))
        if found not in self._table.corrections:
            self._table.corrections.append(found)
        return self._table.corrections.index(found)

    def _take_kinds(self, block: Block, raters: Sequence[int]) -> None:
        column = block.cells.get("kind")
        if column is None:
            return
        for line, rater, cell in zip(block.lines, raters, column, strict=True):
            kind = cell.strip().lower()
            if kind and kind not in KINDS:
                self.bad.add(line, f"kind '{kind[:40]}' is neither human nor model", "kind")
            elif kind and self._kinds.setdefault(rater, kind) != kind:
                message = f"a rater is {kind} here and {self._kinds[rater]} before"
                self.bad.add(line, f"{message}; a rater has one kind: rename one", "kind")

    def _take_extra(self, block: Block) -> None:
        rows = len(block.lines)
        for field, numbers in self._numbers.items():
            if field not in block.cells:
                numbers.extend(array("d", [nan]) * rows)
                continue
            self._met.add(field)
            if field in TIMES:
                numbers.extend(map(self._moments.__getitem__, block.cells[field]))
            else:
                numbers.extend(read_numbers(block, field, self.bad))
        for field, places in self._words.items():
            if field in block.cells:
                self._met.add(field)
                spelled = self._spelled[field]
                column = (cell or _NOTHING for cell in block.cells[field])
                places.extend(map(spelled.__getitem__, column))
            else:
                places.extend(array("I", [self._spelled[field][_NOTHING]]) * rows)

    def finish(self) -> tuple[JudgmentTable, dict[str, array[float] | WordColumn], Repeats]:
        """Judgments, further columns, and who judged a case again."""
        self.bad.raise_first()
        table = self._table
        table.raters, table.labels = self._raters.names, self._labels.names
        if "model" in self._kinds.values():
            numbers = range(len(table.raters))
            table.kinds = [self._kinds.get(number << LABEL_BITS, "human") for number in numbers]
        repeats = self._find_repeats()
        extra: dict[str, array[float] | WordColumn] = {}
        for field in self._met:
            if field in self._numbers:
                extra[field] = self._numbers[field]
            else:
                words = [word.strip(_NOTHING) for word in self._spelled[field].names]
                extra[field] = WordColumn(words, self._words[field])
        return table, extra, repeats

    def _find_repeats(self) -> Repeats:
        table = self._table
        found = find_repeats(table.case, table.answer)
        if len(found.rows) and not self._keeps_repeats:
            dropped = all_but_first_answers(found, table.answer, self._labels.names)
            columns: list[array[Any]] = [table.case, table.answer, *self._words.values()]
            columns += self._numbers.values()
            if table.correction is not None:
                columns.append(table.correction)
            for column in columns:
                leave_out(column, dropped)
        return tell_repeats(found, found.same, self._lines)


#: stands for an empty cell where names are numbered
_NOTHING = "\0"


def tell_repeats(found: Repeated, same: int, lines: LineIndex) -> Repeats:
    """How many judgments were given twice, and where the first of them stands.

    Raters are not named: ids of workers do not belong into messages.
    """
    if not len(found.rows):
        return Repeats()
    name, line = lines.place(int(found.rows[0]))
    name_before, before = lines.place(int(found.first[0]))
    where = f"line {before}" if name == name_before else f"{name_before}:{before}"
    return Repeats(same, len(found.rows) - same, f"{name}:{line}, judged in {where}")


def note_repeats(repeats: Repeats, what: str) -> list[str]:
    """What is said of judgments that were given twice; `what` becomes of them."""
    count = repeats.same + repeats.different
    if not count:
        return []
    return [
        f"{plural(count, 'judgment')} by a rater on a case they had judged before "
        f"({repeats.same} with the same label, {repeats.different} with another): {what} "
        f"(first: {repeats.first})"
    ]
