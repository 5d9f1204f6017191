"""An export as a table of judgments, the cases they are about, and what goes along with them."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import compress
from operator import or_
from typing import NamedTuple

from jurybox.errors import (
    FormatError,
    UsageError,
    name_line,
    plural,
    unknown_name,
)
from jurybox.formats._io import BadLines, is_whole_number
from jurybox.formats.platforms._export import (
    CASE_FIELDS,
    MARKUP,
    NUMBERS,
    TIMES,
    WORDS,
    SeveralBadLines,
    parse_list,
)
from jurybox.formats.platforms._times import Moments
from jurybox.formats.tables._columns import Numbering, Repeated, all_but_first_answers, find_repeats
from jurybox.formats.tables.judgments import (
    ExtraColumns,
    JudgmentColumns,
    Repeats,
    WordNumbers,
    place_repeats,
)
from jurybox.formats.tables.long_tables import Block, LineIndex, only, read_numbers
from jurybox.model import LABEL_BITS, NOTHING, Case, CaseSet, JudgmentTable


class CaseFacts:
    """Cases in order of appearance, with what was shown and the labels known to be right."""

    def __init__(self, bad: BadLines) -> None:
        self._bad = bad
        self._numbers = Numbering("case")
        self._cases: list[Case] = []
        self._sentences: dict[str, str] = {}  # many cases share a sentence: hold it once
        self._gold: dict[int, str] = {}
        self._markup = 0
        self._first_markup = ""

    def take(self, block: Block) -> list[int]:
        """The numbers of the cases of a block; new ones are kept."""
        numbers = list(map(self._numbers.__getitem__, block.cells["case"]))
        fields = [field for field in CASE_FIELDS if field in block.cells]
        if not fields:
            self._cases.extend(map(Case, self._numbers.names[len(self._cases) :]))
        elif len(self._numbers.names) > len(self._cases):
            for row, number in enumerate(numbers):
                if number == len(self._cases):
                    facts = {field: block.cells[field][row] for field in fields}
                    self._cases.append(self._case(number, facts, block.lines[row]))
        self._take_gold(block, numbers)
        return numbers

    def _case(self, number: int, facts: dict[str, str], line: int) -> Case:
        given = facts.get("sentence", "")
        sentence = self._sentences.setdefault(given, given)
        if ("<" in sentence or "&" in sentence) and MARKUP.search(sentence):
            column = self._bad.columns.get("sentence")
            place = ", ".join(filter(None, [name_line(self._bad.name, line), str(column or "")]))
            self._first_markup = self._first_markup or place
            self._markup += 1
        start, end = self._span(facts.get("start", ""), facts.get("end", ""), line)
        written, construction = facts.get("written", ""), facts.get("construction", "")
        document = facts.get("document") or None
        name = self._numbers.names[number]
        return Case(name, sentence, start, end, written, construction, document)

    def _span(self, start: str, end: str, line: int) -> tuple[int | None, int | None]:
        if not start.strip() and not end.strip():
            return None, None
        if is_whole_number(start.strip()) and is_whole_number(end.strip()):
            span = int(start), int(end)
            if span[0] <= span[1]:
                return span
        self._bad.add(
            line,
            f"start '{start[:20]}' and end '{end[:20]}' must be two numbers of tokens, from 0, the "
            "start first",
            "start",
        )
        return None, None

    def _take_gold(self, block: Block, numbers: Sequence[int]) -> None:
        column = block.cells.get("gold")
        if column is None or not any(column):
            return
        for line, number, cell in zip(block.lines, numbers, column, strict=True):
            if cell and self._gold.setdefault(number, cell) != cell:
                self._bad.add(
                    line,
                    f"gold is {cell}, but for case '{self._numbers.names[number]}' it was "
                    f"{self._gold[number]} before; a case has one set of right labels",
                    "gold",
                )

    def finish(self) -> CaseSet:
        """All cases met; complaints about them are raised."""
        self._bad.raise_first()
        cases = list(self._cases)
        for number, cell in self._gold.items():
            gold = tuple(parse_list(cell)) or (cell,)  # what begins with [ may be a label
            cases[number] = cases[number]._replace(gold=gold)
        return CaseSet(tuple(cases))

    def notes(self) -> list[str]:
        if not self._markup:
            return []
        return [
            f"{plural(self._markup, 'sentence')} with HTML (first: {self._first_markup}): kept as "
            "written"
        ]


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
    extra: ExtraColumns
    repeats: Repeats
    left_out: dict[str, int]  # reason -> rows
    format: str
    currency: str
    notes: tuple[str, ...]
    are_workers: bool = False  # raters are called after a column with ids of workers


class Collector(JudgmentColumns):
    """Blocks of columns to a table of judgments with the labels of their file."""

    def __init__(self, extra: Sequence[str], repeats: str) -> None:
        for field in extra:
            if field not in (*NUMBERS, *TIMES, *WORDS):
                raise unknown_name("column", field, (*NUMBERS, *TIMES, *WORDS))
        if repeats not in REPEATS:
            raise UsageError(f"repeats must be 'first' or 'keep', not '{repeats}'")
        words = {field: _StrippedWords() for field in extra if field in WORDS}
        super().__init__([field for field in extra if field not in WORDS], words)
        self._keeps_repeats = repeats == "keep"
        self.bad = SeveralBadLines("")
        self.facts = CaseFacts(self.bad)
        self._labels = Numbering("label")
        self._moments = Moments()

    def __len__(self) -> int:
        return len(self._case)

    def take(self, block: Block, name: str) -> None:
        """Add the judgments of a block of the file `name`."""
        cases = self.facts.take(block)
        if not all(block.cells["label"]):  # rows that only tell of a case
            keep = list(map(bool, block.cells["label"]))
            cases = list(compress(cases, keep))
            block = only(block, keep)
        if not cases:
            return
        raters = list(map(self._raters.__getitem__, block.cells["rater"]))
        labels = list(map(self._labels.__getitem__, block.cells["label"]))
        names = self._labels.names
        if len(names) > MOST_LABELS:
            raise FormatError(
                f"'{names[MOST_LABELS][:40]}' is the {MOST_LABELS + 1}th different label (the "
                f"first are '{names[0][:40]}' and '{names[1][:40]}'), and {MOST_LABELS} is the "
                "most there can be; round numbers before they are read, or if the answer is in "
                "another column, choose it with --columns label=COLUMN",
                path=name,
                line=block.lines[labels.index(MOST_LABELS)],
                column=self.bad.columns.get("label"),
            )
        self.take_corrections(block, self.bad)
        self._case.extend(array("I", cases))
        self._answer.extend(array("I", map(or_, raters, labels)))
        self._lines.add(name, block.lines)
        self.take_raters(block, raters, self.bad)
        self.take_extra(block, self.bad)

    def read_corrections(self, correction: str, alternatives: str) -> list[str]:
        """The corrections of one judgment, the best first; ValueError says what is wrong."""
        others = parse_list(alternatives.strip())
        if alternatives.strip() and not others:
            raise ValueError('alternatives must be a JSON list of words, as ["at", "on the"]')
        words = [correction, *others] if correction.strip() else others
        return ["" if word == NOTHING else word for word in words]

    def read_column(self, block: Block, field: str, bad: BadLines) -> array[float]:
        """A further column of numbers; times are seconds since 1970."""
        if field in TIMES:
            return array("d", map(self._moments.__getitem__, block.cells[field]))
        return read_numbers(block, field, bad)

    def finish(self) -> tuple[JudgmentTable, ExtraColumns, Repeats]:
        """Judgments, further columns, and who judged a case again."""
        self.bad.raise_first()
        table = self.finish_table(self._labels.names)
        found = find_repeats(table.case, table.answer)
        repeats = tell_repeats(found, found.same, self._lines)
        dropped = None
        if len(found.rows) and not self._keeps_repeats:
            dropped = all_but_first_answers(found, table.answer, table.labels)
        return table, self.finish_extra(table, dropped), repeats


class _StrippedWords(WordNumbers):
    """Words to numbers; white space around a word does not count."""

    def __missing__(self, given: str) -> int:
        word = given.strip()
        return super().__missing__(word) if word == given else self[word]


def tell_repeats(found: Repeated, same: int, lines: LineIndex) -> Repeats:
    """How many judgments were given twice, and where the first of them stands."""
    if not len(found.rows):
        return Repeats()
    place, where = place_repeats(found, lines)
    return Repeats(same, len(found.rows) - same, f"{place}, judged in {where}")
