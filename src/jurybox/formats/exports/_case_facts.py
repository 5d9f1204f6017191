"""The cases that an export shows, told from the first row of each."""

from __future__ import annotations

from collections.abc import Sequence

from jurybox.errors import plural
from jurybox.formats._bad_cells import BadCells
from jurybox.formats._io import is_whole_number
from jurybox.formats._names import Numbering
from jurybox.formats.exports._answers import MARKUP, parse_list
from jurybox.formats.exports._export import CASE_FIELDS
from jurybox.formats.long_tables import Block
from jurybox.model import Case, CaseSet


class CaseFacts:
    """Cases in order of appearance, with what was shown and the labels known to be right."""

    def __init__(self, bad: BadCells) -> None:
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
        if len(self._numbers.names) > len(self._cases):
            self._keep_new(block, numbers)
        self._take_gold(block, numbers)
        return numbers

    def _keep_new(self, block: Block, numbers: Sequence[int]) -> None:
        fields = [field for field in CASE_FIELDS if field in block.cells]
        if not fields:
            self._cases.extend(map(Case, self._numbers.names[len(self._cases) :]))
            return
        for row, number in enumerate(numbers):
            if number == len(self._cases):
                facts = {field: block.cells[field][row] for field in fields}
                self._cases.append(self._case(number, facts, block.lines[row]))

    def _case(self, number: int, facts: dict[str, str], line: int) -> Case:
        given = facts.get("sentence", "")
        sentence = self._sentences.setdefault(given, given)
        if ("<" in sentence or "&" in sentence) and MARKUP.search(sentence):
            column = self._bad.columns.get("sentence")
            place = f"line {line}, {column}" if column else f"line {line}"
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
            cases[number] = cases[number]._replace(gold=_labels(cell))
        return CaseSet(tuple(cases))

    def notes(self) -> list[str]:
        if not self._markup:
            return []
        return [
            f"{plural(self._markup, 'sentence')} with HTML (first: {self._first_markup}): kept as "
            "written"
        ]


def _labels(cell: str) -> tuple[str, ...]:
    return tuple(parse_list(cell)) or (cell,)  # what begins with [ may be a label
