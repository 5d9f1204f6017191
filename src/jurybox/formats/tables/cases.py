"""Cases: CSV, TSV and JSONL.

JSONL begins with what the cases are, and has one case per line; keys with nothing to say are left
out:

    {"schema": "jurybox.caseset/1", "description": {"construction": "preposition", …}}
    {"case": "12:3", "sentence": "He sat at mat .", "start": 2, "end": 3, "written": "at"}

The first line may be missing. CSV and TSV have the same columns, of which only `case` is needed;
they cannot hold the description. Cells are kept as they are, but white space around an id does
not count.

A blind file is a case file with drawn cases as raters may see them: an id that says nothing, the
sentence, the span, the word that was written, and the sentences before and after. The system's
label, its suggestion and score, the stratum, the construction, the document and known answers are
never in it: each of them could tell a rater what is expected.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from itertools import repeat
from typing import Any, TextIO

from jurybox.errors import InputError, explain_span, name_line
from jurybox.formats._io import BadLines, Source, as_input, is_whole_number
from jurybox.formats.tables._columns import NO_NAME, Numbering
from jurybox.formats.tables._labels import LabelNumbers
from jurybox.formats.tables.coded import Block
from jurybox.formats.tables.long_tables import (
    LineIndex,
    LongTable,
    check_form,
    encode_json,
    write_lines,
    write_objects,
    write_table,
)
from jurybox.model import Case, CaseDescription, CaseSet

SCHEMA = "jurybox.caseset/1"
#: the fields of a `Case`
COLUMNS = ("case", *Case._fields[1:])
CONTEXT = ("before", "after")
#: all that raters see of a case
SHOWN = ("case", "sentence", "start", "end", "written", *CONTEXT)
SPAN = ("start", "end")
NO_PLACE = "{} '{}' is not a whole number; tokens count from 0"
HALF_A_SPAN = "start without end, or end without start; give both"
TRUTHS = {"": False, "false": False, "0": False, "true": True, "1": True}


def read(
    source: Source,
    *,
    columns: Mapping[str, str] | None = None,
    labels: Mapping[str, str] | None = None,
) -> CaseSet:
    r"""The cases of a file, in its order, and what they are if it says so.

    `columns` maps our columns to titles of the file, `labels` words of the gold column to labels.

    >>> from jurybox.formats import Input
    >>> [case.id for case in read(Input.from_text("case\nc1\nc2\n")).cases]
    ['c1', 'c2']
    """
    table = LongTable(source, COLUMNS, columns=columns, schema=SCHEMA)
    reading = _CaseReading(table.bad, LabelNumbers(labels))
    for block in table.blocks():
        reading.take(block, table.name)
    description = _read_description(table)
    table.finish(reading.cases, "holds no case; write one per line below the header 'case'")
    return CaseSet(tuple(reading.cases), description)


def write(case_set: CaseSet, out: TextIO, form: str = "jsonl") -> None:
    """One line per case; CSV and TSV leave the description out, and columns nobody uses."""
    check_form(form)
    for case in case_set.cases:
        check_id(case.id, "case")
    if form == "jsonl":
        described = {key: text for key, text in asdict(case_set.description).items() if text}
        write_lines([encode_json({"schema": SCHEMA, "description": described})], out)
        write_objects(map(_record, case_set.cases), out, before=1)
        return
    cases, places = case_set.cases, range(len(COLUMNS))
    used = [place for place in places if not place or any(case[place] for case in cases)]
    if any(case.start is not None for case in cases):  # all of them may be 0
        used = sorted({*used, COLUMNS.index("start"), COLUMNS.index("end")})
    rows = ([_cell(case[place]) for place in used] for case in cases)
    write_table([COLUMNS[place] for place in used], rows, out, form)


def show_only(case: Case, blind_id: str) -> Case:
    """The case as raters see it.

    >>> case = Case("d1:3", "He sat at mat .", 2, 3, "at", "preposition", "d1", before="Yes .")
    >>> shown = show_only(case, "k7mw3hqx")
    >>> shown[:6], shown.before
    (('k7mw3hqx', 'He sat at mat .', 2, 3, 'at', ''), 'Yes .')
    """
    return Case(blind_id, **{name: getattr(case, name) for name in SHOWN[1:]})


def write_blind(cases: Sequence[Case], out: TextIO, form: str = "csv") -> None:
    """Cases as raters see them, in their order, without a description of what they are."""
    for case in cases:
        if case != show_only(case, case.id):
            raise InputError(f"case '{case.id}' has fields that raters must not see")
    write(CaseSet(tuple(cases)), out, form)


def pick_cases(
    source: Source, wanted: Collection[str], *, columns: Mapping[str, str] | None = None
) -> dict[str, Case]:
    r"""The wanted cases of a case file, which may hold millions of others, as raters see them.

    >>> from jurybox.formats import Input
    >>> source = Input.from_text("case,sentence,written\nc1,He sat at mat .,at\nc2,So .,\n")
    >>> pick_cases(source, {"c1"})["c1"].written
    'at'
    """
    given = as_input(source)
    mapped = {ours: title for ours, title in (columns or {}).items() if ours in COLUMNS}
    table = LongTable(given, COLUMNS, columns=mapped, schema=SCHEMA)
    found: dict[str, Case] = {}
    for block in table.blocks():
        for row, name in enumerate(map(str.strip, block.cells.get("case", ()))):
            if name not in wanted:
                continue
            line = block.lines[row]
            if name in found:
                table.bad.add(line, f"case '{name}' is listed before; keep one of them")
            cells = {field: block.cells[field][row] for field in SHOWN if field in block.cells}
            span: list[int | None] = []
            for field in SPAN:
                text = cells.get(field, "").strip()
                if text and not is_whole_number(text):
                    table.bad.add(line, NO_PLACE.format(field, text))
                    text = "0"
                span.append(int(text) if text else None)
            start, end = span
            if (start is None) != (end is None):
                table.bad.add(line, HALF_A_SPAN)
            sentence, written, before, after = (
                cells.get(field, "") for field in ("sentence", "written", *CONTEXT)
            )
            found[name] = Case(name, sentence, start, end, written, before=before, after=after)
    table.bad.raise_first()
    missing = [name for name in wanted if name not in found]
    if missing:
        raise InputError(
            f"{given.name}: has no case '{missing[0]}', which was drawn ({len(missing)} of "
            f"{len(wanted)} are missing); give the cases that the system decided about"
        )
    return found


def check_id(name: str, noun: str) -> None:
    """Refuse an id that would not come back as it is."""
    if not name or name != name.strip():
        raise InputError(
            f"the {noun} id {name!r} is empty or has white space around it; give it another id"
        )


class _CaseReading:
    def __init__(self, bad: BadLines, labels: LabelNumbers) -> None:
        self.cases: list[Case] = []
        self._bad = bad
        self._labels = labels
        self._numbers = Numbering("case")
        self._lines = LineIndex()
        self._sentences: dict[str, str] = {}  # many cases share a sentence: hold it once
        self._integers: dict[str, int] = {}
        self._golds: dict[str, tuple[str, ...]] = {"": ()}

    def take(self, block: Block, name: str) -> None:
        cells, lines = block.cells, block.lines
        before = len(self._numbers.names)
        are_new = self._check_ids(block, name)
        sentences = cells.get("sentence")
        if sentences is not None:
            sentences = [self._sentences.setdefault(text, text) for text in sentences]
        starts, ends = self._whole(block, "start"), self._whole(block, "end")
        self._check_spans(lines, sentences, starts, ends)
        columns: list[Iterable[Any]] = [
            self._numbers.names[before:],
            sentences or repeat(""),
            repeat(None) if starts is None else starts,
            repeat(None) if ends is None else ends,
            cells.get("written", repeat("")),
            self._shared(cells.get("construction")),
            (document.strip() or None for document in self._shared(cells.get("document"))),
            self._gold(block),
            self._trivial(block),
            *(self._shared(cells.get(name)) for name in CONTEXT),
        ]
        if are_new:
            self.cases.extend(map(Case, *columns))

    def _check_ids(self, block: Block, name: str) -> bool:
        """Whether all ids are given, and new."""
        ids = block.cells.get("case", [""] * len(block.lines))
        before = len(self._numbers.names)
        found = list(map(self._numbers.__getitem__, ids))
        if found == list(range(before, before + len(ids))):
            self._lines.add(name, block.lines)
            return True
        new = before
        for number, line in zip(found, block.lines, strict=True):
            if number == NO_NAME:
                self._bad.add(line, "no case id; every case needs one, in the column 'case'")
            elif number < new:
                known, first = self._numbers.names[number], self._lines.place(number)[1]
                where = name_line(name, first)
                self._bad.add(line, f"case '{known}' is listed before, in {where}; keep one")
            else:
                self._lines.add(name, [line])
                new += 1
        return False

    def _whole(self, block: Block, field: str) -> list[int | None] | None:
        """A column of whole numbers; None for an empty cell."""
        cells = block.cells.get(field)
        if cells is None:
            return None
        wrong = set()
        for cell in dict.fromkeys(cells):
            text = cell.strip()
            if is_whole_number(text):
                self._integers[cell] = int(text)
            elif text:
                wrong.add(cell)
        if wrong:
            for line, cell in zip(block.lines, cells, strict=True):
                if cell in wrong:
                    self._bad.add(line, NO_PLACE.format(field, cell.strip()))
        return list(map(self._integers.get, cells))

    def _check_spans(
        self,
        lines: Sequence[int],
        sentences: Sequence[str] | None,
        starts: Sequence[int | None] | None,
        ends: Sequence[int | None] | None,
    ) -> None:
        if starts is None and ends is None:
            return
        nothing: list[None] = [None] * len(lines)
        rows = zip(
            lines, sentences or [""] * len(lines), starts or nothing, ends or nothing, strict=True
        )
        counted, length = "", 0
        for line, sentence, start, end in rows:
            if start is None or end is None:
                if start is not end:
                    self._bad.add(line, HALF_A_SPAN)
                continue
            if sentence and sentence is not counted:
                counted, length = sentence, len(sentence.split())
            known = length if sentence else end  # no sentence, no end of it
            if wrong := explain_span(start, end, known):
                self._bad.add(line, wrong)

    def _shared(self, column: Iterable[str] | None) -> Iterable[str]:
        """Words that come again and again, each held once."""
        if column is None:
            return repeat("")
        return [self._sentences.setdefault(word, word) for word in column]

    def _gold(self, block: Block) -> Iterable[tuple[str, ...]]:
        cells = block.cells.get("gold")
        if cells is None:
            return repeat(())
        for cell in dict.fromkeys(cells):
            if cell in self._golds:
                continue
            try:
                self._golds[cell] = self._labels.read_gold(cell)
            except ValueError as error:
                self._bad.add(block.lines[cells.index(cell)], str(error))
                self._golds[cell] = ()
        return [self._golds[cell] for cell in cells]

    def _trivial(self, block: Block) -> Iterable[bool]:
        cells = block.cells.get("trivial")
        if cells is None:
            return repeat(False)
        truths = [TRUTHS.get(cell.strip().lower()) for cell in cells]
        for line, cell, truth in zip(block.lines, cells, truths, strict=True):
            if truth is None:
                self._bad.add(line, f"trivial '{cell}' is neither true nor false")
        return list(map(bool, truths))


def _read_description(table: LongTable) -> CaseDescription:
    given = table.head.get("description", {})
    known = [field.name for field in fields(CaseDescription)]
    if not isinstance(given, dict) or not all(isinstance(text, str) for text in given.values()):
        table.bad.add(1, 'the "description" must be an object of strings')
    elif unknown := [key for key in given if key not in known]:
        message = f'unknown key "{unknown[0]}" in the description; known: {", ".join(known)}'
        table.bad.add(1, message)
    else:
        return CaseDescription(**given)
    return CaseDescription()


def _record(case: Case) -> dict[str, Any]:
    named = zip(COLUMNS, case, strict=True)
    return {key: value for key, value in named if value or (value == 0 and key in SPAN)}


def _cell(value: Any) -> str:
    if isinstance(value, tuple):
        return json.dumps(value) if len(value) > 1 else "".join(value)
    if isinstance(value, bool):
        return "true" if value else ""
    return "" if value is None else str(value)
