"""Judgments out of blocks of columns: numbered, checked, each once."""

from __future__ import annotations

import json
from array import array
from collections.abc import Sequence
from itertools import compress
from math import nan
from operator import or_
from typing import Any, NamedTuple

from jurybox.errors import plural
from jurybox.formats._bad_cells import BadCells
from jurybox.formats._columns import GrowingColumn
from jurybox.formats._labels import LabelNumbers
from jurybox.formats._long_writing import is_text
from jurybox.formats._names import NO_NAME, KnownNames, Numbering
from jurybox.formats._repeats import find_repeats, leave_out
from jurybox.formats.long_tables import Block, LineIndex, LongTable, read_numbers
from jurybox.model import LABEL_BITS, NOTHING, Case, CaseSet, JudgmentTable

REQUIRED = ("case", "rater", "label")
OPTIONAL = ("correction", "alternatives", "gold", "kind")
NUMBERS = ("seconds", "confidence")
WORDS = ("batch", "context", "first", "second", "shown")
KINDS = ("human", "model")


class WordColumn(NamedTuple):
    """A column of words: `words[number[i]]` stands in row i."""

    words: list[str]
    number: array[int]


class Repeats(NamedTuple):
    """Judgments by a rater on a case they had judged before: left out, and counted here."""

    same: int = 0
    different: int = 0  # the later answer was another one
    first: str = ""  # file, line and case of the first


class ReadJudgments(NamedTuple):
    """Judgments, the cases they are about, and what the user should know of them."""

    table: JudgmentTable
    cases: CaseSet
    extra: dict[str, array[float] | WordColumn]
    repeats: Repeats = Repeats()
    unknown_cases: int = 0  # judgments left out since their case is not known, if that was asked
    notes: tuple[str, ...] = ()


class Reading:
    """Blocks of columns to a table of judgments."""

    def __init__(
        self, cases: CaseSet | None, labels: LabelNumbers, extra: Sequence[str], skip_unknown: bool
    ) -> None:
        self._known = cases
        self._labels = labels
        self._skip_unknown = skip_unknown
        self._case: GrowingColumn[int] = GrowingColumn("I")
        self._answer: GrowingColumn[int] = GrowingColumn("I")
        self._correction: GrowingColumn[int] | None = None
        self._cases: Numbering | KnownNames = (
            Numbering("case") if cases is None else KnownNames(case.id for case in cases.cases)
        )
        self._raters = Numbering("rater", LABEL_BITS)
        self._corrections: dict[tuple[str, str], int] = {("", ""): 0}
        self._sets: dict[tuple[str, ...], int] = {(): 0}  # in the order of their numbers
        self._gold: dict[int, tuple[str, ...]] = {}
        self._kinds: dict[int, str] = {}
        self._numbers: dict[str, GrowingColumn[float]] = {
            field: GrowingColumn("d") for field in extra if field in NUMBERS
        }
        self._words: dict[str, GrowingColumn[int]] = {
            field: GrowingColumn("I") for field in extra if field in WORDS
        }
        self._word_numbers = {field: _Words() for field in self._words}
        self._met: set[str] = set()
        self._lines = LineIndex()
        self._unknown = 0
        self._first_unknown = ""

    def take_file(self, table: LongTable) -> None:
        """Add the judgments of a file, or say what is wrong with it."""
        before = len(self._case)
        unknown = self._unknown
        for block in table.blocks():
            self._take(block, table)
        bad = table.bad
        if self._labels.outside:
            raise self._labels.refuse(table.name, more=bad.count, column=bad.columns.get("label"))
        if len(self._case) == before and unknown == self._unknown and not bad.count:
            bad.add(None, "holds no judgment; write one per line below 'case,rater,label'")
        bad.raise_first()

    def _take(self, block: Block, table: LongTable) -> None:
        block = self._with_required(block)
        cases = array("I", map(self._cases.__getitem__, block.cells["case"]))
        if self._known is not None and self._skip_unknown and NO_NAME in cases:
            block, cases = self._leave_unknown_out(block, cases, table.name)
            if not cases:
                return
        raters = list(map(self._raters.__getitem__, block.cells["rater"]))
        labels = self._labels.numbers(block.cells["label"], block.lines)
        answers = array("I", map(or_, raters, labels))
        if NO_NAME in cases or NO_NAME in answers:
            self._complain(block, cases, raters, table.bad)
        self._take_corrections(block, table.bad)
        self._case.extend(cases)
        self._answer.extend(answers)
        self._lines.add(table.name, block.lines)
        self._take_gold(block, cases, table.bad)
        self._take_kinds(block, raters, table.bad)
        self._take_extra(block, table.bad)

    def _with_required(self, block: Block) -> Block:
        """In JSONL a key may be missing from all lines of a block: its cells are empty then."""
        if all(field in block.cells for field in REQUIRED):
            return block
        empty = {field: [""] * len(block.lines) for field in REQUIRED}
        return block._replace(cells={**empty, **block.cells})

    def _leave_unknown_out(
        self, block: Block, cases: array[int], name: str
    ) -> tuple[Block, array[int]]:
        known = [
            number != NO_NAME or not cell.strip()
            for number, cell in zip(cases, block.cells["case"], strict=True)
        ]
        if not self._unknown and not all(known):
            place = known.index(False)
            self._first_unknown = (
                f"{name}:{block.lines[place]}: '{block.cells['case'][place].strip()}'"
            )
        self._unknown += known.count(False)
        cells: dict[str, Sequence[str]] = {
            field: list(compress(column, known)) for field, column in block.cells.items()
        }
        return Block(list(compress(block.lines, known)), cells), array("I", compress(cases, known))

    def _complain(
        self, block: Block, cases: Sequence[int], raters: Sequence[int], bad: BadCells
    ) -> None:
        rows = zip(block.lines, block.cells["case"], cases, raters, strict=True)
        for line, given, case, rater in rows:
            if case == NO_NAME:
                bad.add(line, self._no_case(given.strip(), first=not bad.count), "case")
            elif rater == NO_NAME:
                message = "no rater; every judgment needs one, in the column 'rater'"
                bad.add(line, message, "rater")

    def _no_case(self, given: str, *, first: bool) -> str:
        if not given:
            return "no case; every judgment needs one, in the column 'case'"
        if not first or not isinstance(self._cases, KnownNames):
            return ""  # only counted: looking for close names takes time
        near = self._cases.near(given)
        return f"there is no case '{given}' among the {len(self._cases)} cases{near}"

    def _take_corrections(self, block: Block, bad: BadCells) -> None:
        cells = block.cells
        if "correction" in cells or "alternatives" in cells:
            empty = [""] * len(block.lines)
            given = list(
                zip(cells.get("correction", empty), cells.get("alternatives", empty), strict=True)
            )
            for pair in dict.fromkeys(given):
                if pair not in self._corrections:
                    self._corrections[pair] = self._number_corrections(pair, block, given, bad)
            numbers = array("I", map(self._corrections.__getitem__, given))
            if self._correction is None and any(numbers):
                self._correction = GrowingColumn("I")
                self._correction.extend_by_same(0, len(self._case))
            if self._correction is not None:
                self._correction.extend(numbers)
        elif self._correction is not None:
            self._correction.extend_by_same(0, len(block.lines))

    def _number_corrections(
        self,
        pair: tuple[str, str],
        block: Block,
        given: Sequence[tuple[str, str]],
        bad: BadCells,
    ) -> int:
        correction, alternatives = pair
        further = _parse_list(alternatives) if alternatives.strip() else []
        if further is None:
            bad.add(
                block.lines[given.index(pair)],
                f"alternatives {alternatives[:40]} must be a JSON list of strings, as "
                '["at", "on the"]',
                "alternatives",
            )
            return 0
        words = [correction, *further] if correction.strip() else further
        found = tuple(dict.fromkeys("" if word.strip() == NOTHING else word for word in words))
        return self._sets.setdefault(found, len(self._sets))

    def _take_gold(self, block: Block, cases: Sequence[int], bad: BadCells) -> None:
        column = block.cells.get("gold")
        if column is None or not any(column):
            return
        read_before: dict[str, tuple[str, ...]] = {}
        for line, case, cell in zip(block.lines, cases, column, strict=True):
            if not cell or case == NO_NAME:
                continue
            try:
                gold = read_before.get(cell) or self._labels.read_gold(cell)
            except ValueError as error:
                bad.add(line, str(error), "gold")
                continue
            read_before[cell] = gold
            if gold:
                self._set_gold(case, gold, line, bad)

    def _set_gold(self, case: int, gold: tuple[str, ...], line: int, bad: BadCells) -> None:
        before = self._gold.get(case) or (self._known.cases[case].gold if self._known else ())
        if before and set(before) != set(gold):
            name = self._known.cases[case].id if self._known else self._case_names[case]
            bad.add(
                line,
                f"gold is {' or '.join(gold)}, but for case '{name}' it was "
                f"{' or '.join(before)} before; a case has one set of right labels",
                "gold",
            )
        elif not before:
            self._gold[case] = gold

    @property
    def _case_names(self) -> list[str]:
        return self._cases.names if isinstance(self._cases, Numbering) else []

    def _take_kinds(self, block: Block, raters: Sequence[int], bad: BadCells) -> None:
        column = block.cells.get("kind")
        if column is None:
            return
        pairs = list(zip(raters, column, strict=True))
        for pair in dict.fromkeys(pairs):
            rater, kind = pair[0], pair[1].strip().lower()
            if not kind or rater == NO_NAME:
                continue
            line = block.lines[pairs.index(pair)]
            if kind not in KINDS:
                bad.add(line, f"kind '{pair[1][:40]}' is neither human nor model", "kind")
            elif self._kinds.setdefault(rater, kind) != kind:
                bad.add(
                    line,
                    f"a rater is {kind} here and {self._kinds[rater]} before; a rater has one "
                    "kind: rename one of them",
                    "kind",
                )

    def _take_extra(self, block: Block, bad: BadCells) -> None:
        rows = len(block.lines)
        for field, numbers in self._numbers.items():
            if field in block.cells:
                self._met.add(field)
                numbers.extend(read_numbers(block, field, bad))
            else:
                numbers.extend_by_same(nan, rows)
        for field, places in self._words.items():
            if field in block.cells:
                self._met.add(field)
                words = self._word_numbers[field]
                places.extend(array("I", map(words.__getitem__, block.cells[field])))
            else:
                places.extend_by_same(0, rows)

    def finish(self, notes: list[str]) -> ReadJudgments:
        """The table without repeated judgments, and the cases with their gold labels."""
        cases = self._fold_gold()
        self._cases.clear()  # the largest dictionary is not needed any more
        table = self._make_table()
        columns = {field: column.whole() for field, column in self._numbers.items()}
        places = {field: column.whole() for field, column in self._words.items()}
        repeats = self._drop_repeats(table, cases, [*columns.values(), *places.values()])
        if self._unknown:
            notes.append(
                f"{plural(self._unknown, 'judgment')} on cases that are not among the "
                f"{len(cases)} cases: left out (first: {self._first_unknown})"
            )
        if repeats.first:
            again = plural(repeats.same + repeats.different, "judgment")
            notes.append(
                f"{again} by a rater on a case they had judged before ({repeats.same} with the "
                f"same label, {repeats.different} with another): the first one counts "
                f"(first: {repeats.first})"
            )
        extra: dict[str, array[float] | WordColumn] = {}
        for field in self._met:
            if field in columns:
                extra[field] = columns[field]
            else:
                extra[field] = WordColumn(self._word_numbers[field].words, places[field])
        return ReadJudgments(table, cases, extra, repeats, self._unknown, tuple(notes))

    def _make_table(self) -> JudgmentTable:
        raters = self._raters.names
        kinds = None
        if "model" in self._kinds.values():
            numbers = range(len(raters))
            kinds = [self._kinds.get(number << LABEL_BITS, "human") for number in numbers]
        return JudgmentTable(
            raters,
            case=self._case.whole(),
            answer=self._answer.whole(),
            corrections=list(self._sets),
            correction=None if self._correction is None else self._correction.whole(),
            kinds=kinds,
        )

    def _fold_gold(self) -> CaseSet:
        known = self._known or CaseSet(tuple(map(Case, self._case_names)))
        if not self._gold:
            return known
        cases = list(known.cases)
        for place, gold in self._gold.items():
            cases[place] = cases[place]._replace(gold=gold)
        return CaseSet(tuple(cases), known.description)

    def _drop_repeats(
        self, table: JudgmentTable, cases: CaseSet, further: Sequence[array[Any]]
    ) -> Repeats:
        found = find_repeats(table.case, table.answer)
        if not len(found.rows):
            return Repeats()
        row, first = int(found.rows[0]), int(found.first[0])
        case = cases.cases[table.case[row]].id
        (name, line), (name_before, before) = self._lines.place(row), self._lines.place(first)
        where = f"line {before}" if name == name_before else f"{name_before}:{before}"
        columns: list[array[Any]] = [table.case, table.answer, *further]
        if table.correction is not None:
            columns.append(table.correction)
        for column in columns:
            leave_out(column, found.rows)
        # the lines say enough: ids of workers are nobody's business
        text = f"{name}:{line}: case '{case}', judged by the same rater in {where}"
        return Repeats(found.same, len(found.rows) - found.same, text)


class _Words(dict[str, int]):
    """Words to numbers; the empty one is 0."""

    def __init__(self) -> None:
        super().__init__({"": 0})
        self.words = [""]

    def __missing__(self, given: str) -> int:
        number = self[given] = len(self.words)
        self.words.append(given)
        return number


def _parse_list(text: str) -> list[str] | None:
    """A JSON list of strings; None if it is something else."""
    try:
        words = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        return None
    return words if is_text("".join(words)) else None
