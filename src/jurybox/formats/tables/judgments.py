"""Judgments: long tables in CSV, TSV and JSONL with the columns `case`, `rater` and `label`.

Optional columns: `correction` (the one the rater would make; `-NONE-` deletes), `alternatives` (a
JSON list of further ones, equally good), `gold` (the label known to be right), `kind` (human or
model), `status` (`flagged` where an annotation server flagged the rater), and those that are read
when they are asked for: `seconds`, `confidence`, `batch`, `context`, and `first`, `second`, `shown`
of choice tasks.

A judgment is 8 bytes: ten million of them take 80 MB beside their cases. Nothing is dropped
without being counted: a rater who judges a case again is reported, and the first judgment stays.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from math import nan
from typing import Any, NamedTuple, TextIO, TypeAlias

import numpy as np

from jurybox.errors import InputError, UsageError, name_line, name_place, plural, unknown_name, warn
from jurybox.formats._io import BadLines, Source, as_inputs, is_text
from jurybox.formats.tables._columns import (
    NO_NAME,
    GrowingColumn,
    KnownNames,
    Numbering,
    Repeated,
    find_repeats,
    leave_out,
)
from jurybox.formats.tables._labels import LabelNumbers
from jurybox.formats.tables.cases import check_id
from jurybox.formats.tables.coded import Block, Coded, numbered, only, pair_up, words_of
from jurybox.formats.tables.long_tables import (
    LineIndex,
    LongTable,
    check_form,
    encode_json,
    note_unused,
    read_numbers,
    write_objects,
    write_table,
)
from jurybox.model import LABEL_BITS, LABELS, NOTHING, CaseSet, JudgmentTable, NamedCases

SCHEMA = "jurybox.judgments/1"
#: columns that `jurybox convert` writes for what looks at raters, pay and time
FURTHER = ("trust", "reward", "started", "submitted", "comment")
REQUIRED = ("case", "rater", "label")
OPTIONAL = ("correction", "alternatives", "gold", "kind", "status")
NUMBERS = ("seconds", "confidence")
WORDS = ("batch", "context", "first", "second", "shown")
KINDS = ("human", "model")
#: words of the column status in exports of our server, blanks between them
STATUS = ("flagged", "repeat", "late")
FLAGGED = STATUS[0]


class WordColumn(NamedTuple):
    """A column of words: `words[number[i]]` stands in row i."""

    words: list[str]
    number: array[int]


#: further columns by their names
ExtraColumns: TypeAlias = "dict[str, array[float] | WordColumn]"


class Repeats(NamedTuple):
    """Judgments by a rater on a case they had judged before: left out, and counted here."""

    same: int = 0
    different: int = 0  # the later answer was another one
    first: str = ""  # file, line and case of the first


class ReadJudgments(NamedTuple):
    """Judgments, the cases they are about, and what the user should know of them."""

    table: JudgmentTable
    cases: CaseSet
    extra: ExtraColumns
    repeats: Repeats = Repeats()
    unknown_cases: int = 0  # judgments left out since their case is not known, if that was asked
    notes: tuple[str, ...] = ()
    place: Callable[[int], tuple[str, int]] | None = None  # file and line of a row, if all are kept


def flagged_raters(block: Block, raters: np.ndarray) -> set[int]:
    """Raters of whom a row says that they are flagged; other words in the cell say nothing.

    >>> import numpy as np
    >>> cells = {"status": ["flagged late", "flagged for review"]}
    >>> flagged_raters(Block((2, 3), cells), np.array([0, 256]))
    {0}
    """
    if "status" not in block.cells:
        return set()
    says_so = numbered(block.cells["status"], _is_flagged, "bool")
    return set(raters[says_so].tolist())


def _is_flagged(cell: str) -> bool:
    return {FLAGGED} <= set(cell.split()) <= set(STATUS)


def flags_of(flagged: set[int], raters: int) -> list[bool] | None:
    """Whether each rater is flagged; None if nobody is."""
    return [number << LABEL_BITS in flagged for number in range(raters)] if flagged else None


def read(
    sources: Source | Sequence[Source],
    cases: CaseSet | None = None,
    *,
    columns: Mapping[str, str] | None = None,
    labels: Mapping[str, str] | None = None,
    unknown_case: str = "error",
    extra: Sequence[str] = (),
    repeats: str = "first",
) -> ReadJudgments:
    r"""The judgments of one file or several.

    Without `cases` the cases are those that were judged, in order of appearance. `columns` maps our
    columns to titles of the files, `labels` their labels to error, ok and unknown. A judgment
    on a case that is not known is an error, or left out and counted (`unknown_case="skip"`). Of a
    rater's judgments of a case the first counts; `repeats="keep"` keeps all, in their order.
    `extra` names further columns to read. What was left out is also a JuryboxWarning.

    >>> from jurybox.formats import Input
    >>> text = "HITId,WorkerId,answer\n1,Ann,No\n1,Bob,Yes\n2,Ann,Yes\n"
    >>> found = read(
    ...     Input.from_text(text),
    ...     columns={"case": "HITId", "rater": "WorkerId", "label": "answer"},
    ...     labels={"Yes": "ok", "No": "error"},
    ... )
    >>> list(found.table.case), found.table.raters, [a & 255 for a in found.table.answer]
    ([0, 0, 1], ['Ann', 'Bob'], [0, 1, 1])
    """
    if unknown_case not in ("error", "skip"):
        raise UsageError(f"unknown_case must be 'error' or 'skip', not '{unknown_case}'")
    for field in extra:
        if field not in (*NUMBERS, *WORDS):
            raise unknown_name("column", field, (*NUMBERS, *WORDS))
    reading = _JudgmentReading(
        cases, LabelNumbers(labels), extra, skip_unknown=unknown_case == "skip"
    )
    notes: list[str] = []
    given = as_inputs(sources, "judgments", REQUIRED)
    if not given:
        raise UsageError("no judgments given; name a file")
    for source in given:
        fields = (*REQUIRED, *OPTIONAL, *NUMBERS, *WORDS)
        table = LongTable(source, fields, required=REQUIRED, columns=columns, schema=SCHEMA)
        reading.take_file(table)
        if note := note_unused(table, FURTHER):
            notes.append(note)
    result = reading.finish(notes, keeps_repeats=repeats == "keep")
    warn(*result.notes)
    return result


class WordNumbers(dict[str, int]):
    """Words to numbers, in order of first appearance."""

    def __init__(self, *known: str) -> None:
        super().__init__((word, number) for number, word in enumerate(known))
        self.words = list(known)

    def __missing__(self, given: str) -> int:
        number = self[given] = len(self.words)
        self.words.append(given)
        return number


class JudgmentColumns:
    """What all readers of judgments fill: a table, and the further columns that were asked for."""

    def __init__(self, numbers: Iterable[str], words: Mapping[str, WordNumbers]) -> None:
        self._case: GrowingColumn[int] = GrowingColumn("I")
        self._answer: GrowingColumn[int] = GrowingColumn("I")
        self._correction: GrowingColumn[int] | None = None
        self._raters = Numbering("rater", LABEL_BITS)
        self._corrections: dict[tuple[str, str], int] = {("", ""): 0}
        self._sets: dict[tuple[str, ...], int] = {(): 0}  # in the order of their numbers
        self._kinds: dict[int, str] = {}
        self._flagged: set[int] = set()
        self._numbers: dict[str, GrowingColumn[float]] = {f: GrowingColumn("d") for f in numbers}
        self._word_numbers = words
        self._words: dict[str, GrowingColumn[int]] = {f: GrowingColumn("I") for f in words}
        self._met: set[str] = set()
        self._lines = LineIndex()

    def read_corrections(self, correction: str, alternatives: str) -> list[str]:
        """The corrections of one judgment, the best first; ValueError says what is wrong."""
        raise NotImplementedError

    def read_column(self, block: Block, field: str, bad: BadLines) -> array[float] | np.ndarray:
        return read_numbers(block, field, bad)

    def take_corrections(self, block: Block, bad: BadLines) -> None:
        """Add the corrections of a block, before its judgments."""
        cells = block.cells
        if "correction" in cells or "alternatives" in cells:
            empty = [""] * len(block.lines)
            best = Coded.of(cells.get("correction", empty))
            others = Coded.of(cells.get("alternatives", empty))
            rows, codes = pair_up(best.codes, others.codes)
            found = [
                self._number_corrections(best[row], others[row], block.lines[row], bad)
                for row in rows
            ]
            numbers = np.array(found, np.uint32)[codes]
            if self._correction is None and numbers.any():
                self._correction = GrowingColumn("I")
                self._correction.extend_by_same(0, len(self._case))
            if self._correction is not None:
                self._correction.extend(numbers)
        elif self._correction is not None:
            self._correction.extend_by_same(0, len(block.lines))

    def _number_corrections(self, best: str, others: str, line: int, bad: BadLines) -> int:
        pair = best, others
        if pair not in self._corrections:
            try:
                words = self.read_corrections(*pair)
            except ValueError as error:
                bad.add(line, str(error), "alternatives")
                words = []
            found = tuple(dict.fromkeys(words))
            self._corrections[pair] = self._sets.setdefault(found, len(self._sets))
        return self._corrections[pair]

    def take_raters(self, block: Block, raters: np.ndarray, bad: BadLines) -> None:
        """Add what a block says of its raters: human or model, flagged or not."""
        self._flagged |= flagged_raters(block, raters)
        if "kind" not in block.cells:
            return
        column = Coded.of(block.cells["kind"])
        for row in pair_up(raters, column.codes)[0]:
            rater, kind = int(raters[row]), column[row].strip().lower()
            if not kind or rater == NO_NAME:
                continue
            message = ""
            if kind not in KINDS:
                message = f"kind '{column[row][:40]}' is neither human nor model"
            elif self._kinds.setdefault(rater, kind) != kind:
                message = (
                    f"a rater is {kind} here and {self._kinds[rater]} before; a rater has one "
                    "kind: rename one of them"
                )
            if message:
                bad.add(block.lines[row], message, "kind")

    def take_extra(self, block: Block, bad: BadLines) -> None:
        """Add the further columns of a block; those that it lacks are filled up."""
        rows = len(block.lines)
        self._met |= block.cells.keys() & {*self._numbers, *self._words}
        for field, numbers in self._numbers.items():
            if field in block.cells:
                numbers.extend(self.read_column(block, field, bad))
            else:
                numbers.extend_by_same(nan, rows)
        for field, places in self._words.items():
            words = self._word_numbers[field]
            if field in block.cells:
                places.extend(numbered(block.cells[field], words.__getitem__))
            else:
                places.extend_by_same(words[""], rows)

    def finish_table(self, labels: list[str]) -> JudgmentTable:
        raters = self._raters.names
        kinds = None
        if "model" in self._kinds.values():
            numbers = range(len(raters))
            kinds = [self._kinds.get(number << LABEL_BITS, "human") for number in numbers]
        return JudgmentTable(
            raters,
            labels,
            case=self._case.whole(),
            answer=self._answer.whole(),
            corrections=list(self._sets),
            correction=None if self._correction is None else self._correction.whole(),
            kinds=kinds,
            flagged=flags_of(self._flagged, len(raters)),
        )

    def finish_extra(self, table: JudgmentTable, dropped: np.ndarray | None) -> ExtraColumns:
        """The further columns that were met, without some rows; the table loses them too."""
        numbers = {field: column.whole() for field, column in self._numbers.items()}
        places = {field: column.whole() for field, column in self._words.items()}
        columns: list[array[Any]] = [table.case, table.answer, *numbers.values(), *places.values()]
        if table.correction is not None:
            columns.append(table.correction)
        if dropped is not None and len(dropped):
            for column in columns:
                leave_out(column, dropped)
        extra: ExtraColumns = {field: numbers[field] for field in self._met if field in numbers}
        for field in self._met - numbers.keys():
            extra[field] = WordColumn(self._word_numbers[field].words, places[field])
        return extra


def tell_repeats(found: Repeated, same: int, lines: LineIndex, case: str = "") -> Repeats:
    """How many judgments were given twice, and where the first of them stands.

    The lines say enough: raters are not named, for ids of workers are nobody's business.
    """
    if not len(found.rows):
        return Repeats()
    place, before = (lines.place(int(row)) for row in (found.rows[0], found.first[0]))
    return Repeats(same, len(found.rows) - same, place_repeat(place, before, case))


def place_repeat(place: tuple[str, int], before: tuple[str, int], case: str = "") -> str:
    """Where a judgment was given again, and where it was given before."""
    is_same = place[0] == before[0]
    where = name_line(*before) if is_same else name_place(*before)
    what = f": case '{case}', judged by the same rater in" if case else ", judged in"
    return f"{name_place(*place)}{what} {where}"


def note_repeats(repeats: Repeats, what: str) -> list[str]:
    """The note on judgments that were given twice; `what` becomes of them."""
    count = repeats.same + repeats.different
    if not count:
        return []
    return [
        f"{plural(count, 'judgment')} by a rater on a case they had judged before "
        f"({repeats.same} with the same label, {repeats.different} with another): {what} "
        f"(first: {repeats.first})"
    ]


class _JudgmentReading(JudgmentColumns):
    """Blocks of columns to a table of judgments with our own labels."""

    def __init__(
        self, cases: CaseSet | None, labels: LabelNumbers, extra: Sequence[str], skip_unknown: bool
    ) -> None:
        words = {field: WordNumbers("") for field in extra if field in WORDS}
        super().__init__([field for field in extra if field in NUMBERS], words)
        self._known = cases
        self._labels = labels
        self._skip_unknown = skip_unknown
        self._cases: Numbering | KnownNames = (
            Numbering("case") if cases is None else KnownNames(cases.ids)
        )
        self._gold: dict[int, tuple[str, ...]] = {}
        self._unknown = 0
        self._first_unknown = ""

    def take_file(self, table: LongTable) -> None:
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
        if not all(field in block.cells for field in REQUIRED):
            # in JSONL a key may be missing from all lines of a block: its cells are empty then
            empty = {field: [""] * len(block.lines) for field in REQUIRED}
            block = block._replace(cells={**empty, **block.cells})
        cases = self._cases.numbers(block.cells["case"])
        if self._known is not None and self._skip_unknown and (cases == NO_NAME).any():
            block, cases = self._leave_unknown_out(block, cases, table.name)
            if not len(cases):
                return
        raters = self._raters.numbers(block.cells["rater"])
        labels = self._labels.numbers(block.cells["label"], block.lines)
        without = np.flatnonzero((cases == NO_NAME) | (raters == NO_NAME)).tolist()
        if without:
            self._complain(block, without, cases, table.bad)
        self.take_corrections(block, table.bad)
        self._case.extend(cases)
        self._answer.extend(raters | labels)
        self._lines.add(table.name, block.lines)
        self._take_gold(block, cases, table.bad)
        self.take_raters(block, raters, table.bad)
        self.take_extra(block, table.bad)

    def _leave_unknown_out(
        self, block: Block, cases: np.ndarray, name: str
    ) -> tuple[Block, np.ndarray]:
        known = cases != NO_NAME
        known |= numbered(block.cells["case"], lambda cell: not cell.strip(), "bool")
        left_out = len(known) - int(known.sum())
        if not self._unknown and left_out:
            place = int(known.argmin())
            given = block.cells["case"][place].strip()
            self._first_unknown = f"{name_place(name, block.lines[place])}: '{given}'"
        self._unknown += left_out
        return only(block, known), cases[known]

    def _complain(
        self, block: Block, rows: Iterable[int], cases: np.ndarray, bad: BadLines
    ) -> None:
        for row in rows:
            line, given = block.lines[row], block.cells["case"][row]
            if cases[row] != NO_NAME:
                message = "no rater; every judgment needs one, in the column 'rater'"
                bad.add(line, message, "rater")
            elif not given.strip():
                bad.add(line, "no case; every judgment needs one, in the column 'case'", "case")
            else:
                message = ""  # only counted: looking for close names takes time
                if not bad.count and isinstance(self._cases, KnownNames):
                    near = self._cases.near(given)
                    count = len(self._cases)
                    message = f"there is no case '{given.strip()}' among the {count} cases{near}"
                bad.add(line, message, "case")

    def read_corrections(self, correction: str, alternatives: str) -> list[str]:
        others: Any = []
        if alternatives.strip():
            try:
                others = json.loads(alternatives)
            except (ValueError, RecursionError):
                others = None
            is_list = isinstance(others, list) and all(isinstance(word, str) for word in others)
            if not is_list or not is_text("".join(others)):
                raise ValueError(
                    f"alternatives {alternatives[:40]} must be a JSON list of strings, as "
                    '["at", "on the"]'
                )
        words = [correction, *others] if correction.strip() else others
        return ["" if word.strip() == NOTHING else word for word in words]

    def _take_gold(self, block: Block, cases: np.ndarray, bad: BadLines) -> None:
        column = block.cells.get("gold")
        if column is None or not any(words_of(column)):
            return
        coded = Coded.of(column)
        for row in pair_up(cases, coded.codes)[0]:
            line, case, cell = block.lines[row], int(cases[row]), coded[row]
            if not cell or case == NO_NAME:
                continue
            try:
                gold = self._labels.read_gold(cell)
            except ValueError as error:
                bad.add(line, str(error), "gold")
                continue
            known = self._known.cases[case].gold if self._known else ()
            # cases of a server have the labels of trained raters; here they are errors and ok
            before = self._gold.get(case) or tuple(dict.fromkeys(map(self._labels.meaning, known)))
            if gold and before and set(before) != set(gold):
                name = self._known.cases[case].id if self._known else self._case_names[case]
                message = (
                    f"gold is {' or '.join(gold)}, but for case '{name}' it was "
                    f"{' or '.join(before)} before; a case has one set of right labels"
                )
                bad.add(line, message, "gold")
            elif gold and not before:
                self._gold[case] = gold

    @property
    def _case_names(self) -> list[str]:
        return self._cases.names if isinstance(self._cases, Numbering) else []

    def finish(self, notes: list[str], *, keeps_repeats: bool = False) -> ReadJudgments:
        """The table without repeated judgments, and the cases with their gold labels."""
        cases = self._known or CaseSet(NamedCases(self._case_names))
        cases = cases.with_gold(self._gold)
        if note := self._labels.note_trained():
            notes.append(note)
        self._cases.clear()  # the largest dictionary is not needed any more
        table = self.finish_table(list(LABELS))
        if keeps_repeats:
            extra, place = self.finish_extra(table, None), self._lines.place
            return ReadJudgments(table, cases, extra, notes=tuple(notes), place=place)
        found = find_repeats(table.case, table.answer)
        case = cases.cases[table.case[int(found.rows[0])]].id if len(found.rows) else ""
        repeats = tell_repeats(found, found.same, self._lines, case)
        extra = self.finish_extra(table, found.rows)
        if self._unknown:
            notes.append(
                f"{plural(self._unknown, 'judgment')} on cases that are not among the "
                f"{len(cases)} cases: left out (first: {self._first_unknown})"
            )
        notes += note_repeats(repeats, "the first one counts")
        return ReadJudgments(table, cases, extra, repeats, self._unknown, tuple(notes))


def write(table: JudgmentTable, cases: CaseSet, out: TextIO, form: str = "csv") -> None:
    r"""One line per judgment.

    >>> import sys
    >>> from jurybox.model import Case
    >>> table = JudgmentTable()
    >>> table.append(0, "Ann", "error", ("at", ""))
    >>> write(table, CaseSet((Case("c1"),)), sys.stdout)
    case,rater,label,correction,alternatives
    c1,Ann,error,at,"[""-NONE-""]"
    """
    check_form(form)
    for name in cases.ids:
        check_id(name, "case")
    for rater in table.raters:
        check_id(rater, "rater")
    for word in chain.from_iterable(table.corrections):
        if word == NOTHING or (word and not word.strip()):
            raise InputError(
                f"the correction {word!r} cannot be written: {NOTHING} deletes, and a blank cell "
                "is none"
            )
    ids, mask = cases.ids, (1 << LABEL_BITS) - 1
    places = {answer: answer >> LABEL_BITS for answer in set(table.answer)}  # of raters
    raters = {answer: table.raters[place] for answer, place in places.items()}
    labels = {answer: table.labels[answer & mask] for answer in places}
    columns: dict[str, Iterable[Any]] = {
        "case": map(ids.__getitem__, table.case),
        "rater": map(raters.__getitem__, table.answer),
        "label": map(labels.__getitem__, table.answer),
    }
    if table.correction is not None:
        corrections = [[word or NOTHING for word in each] for each in table.corrections]
        firsts = [each[0] if each else "" for each in corrections]
        columns["correction"] = map(firsts.__getitem__, table.correction)
        if any(len(each) > 1 for each in corrections):
            others: list[Any] = [each[1:] for each in corrections]
            if form != "jsonl":
                others = [encode_json(words) if words else "" for words in others]
            columns["alternatives"] = map(others.__getitem__, table.correction)
    if table.kinds is not None:
        kinds = {answer: table.kinds[place] for answer, place in places.items()}
        columns["kind"] = map(kinds.__getitem__, table.answer)
    rows = zip(*columns.values(), strict=True)
    if form != "jsonl":
        write_table(list(columns), rows, out, form)
        return
    write_objects(({t: c for t, c in zip(columns, row, strict=True) if c} for row in rows), out)
