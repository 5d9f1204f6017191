r"""Cases for a project out of files: case files, blind files of `jurybox sample draw`, M2; essays.

In addition to the columns of a case file (docs/formats.md) a project can use:

    before      the sentence before
    first       choice: the writer's word (else `written`)
    second      choice: the system's word
    purpose     work, gold or practice; nothing: gold where `gold` is filled in, else work
    feedback    practice: what is said after the answer

`gold` holds the answer that is right, or a JSON list of several: labels for judge, words for cloze,
first, second, equal or bad for choice. Essays (task correct) are read by `essays/reading.py`; in a
table their text stands in `sentence`.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator, Mapping
from itertools import islice

from jurybox.counting.panels import load_panel
from jurybox.errors import JuryboxWarning, UsageError
from jurybox.formats import File, as_input, detect
from jurybox.formats._io import is_whole_number
from jurybox.formats.tables import cases as case_files
from jurybox.formats.tables._labels import LabelNumbers
from jurybox.formats.tables.long_tables import LongTable, note_unused
from jurybox.jury.cases import derive_cases
from jurybox.serve.answers import complaints_about
from jurybox.serve.essays.reading import as_essay, is_table, read_essays
from jurybox.serve.model import NewCase, Purpose
from jurybox.serve.settings import Task

MORE_COLUMNS = ("before", "first", "second", "purpose", "feedback")


def read_cases(
    source: File,
    task: Task = Task.JUDGE,
    *,
    columns: Mapping[str, str] | None = None,
    labels: Mapping[str, str] | None = None,
    construction: str | None = None,
    documents: File | None = None,
) -> list[NewCase]:
    r"""The cases of a file, in its order.

    M2 is derived: `construction` says which places are cases (`jurybox cases derive`). Trivial
    cases, which a rule decided before any judgment, are left out with a JuryboxWarning. Of essays,
    `documents` is the document map of an M2 file or of a text.

    >>> from jurybox.formats import Input
    >>> text = "case,sentence,start,end,gold\nc1,He sat at mat .,2,3,\nc2,So .,,,ok\n"
    >>> [(case.id, case.start, case.gold) for case in read_cases(Input.from_text(text))]
    [('c1', 2, ()), ('c2', None, ('ok',))]
    """
    given = as_input(source).keep()
    if task == Task.CORRECT:
        if construction is not None:
            raise UsageError("--construction is not for essays (correct): they are corrected whole")
        if not columns and not is_table(given):
            return read_essays(given, documents)
    if documents is not None:
        raise UsageError(f"--documents is for essays in M2 or text, not for {given.name}")
    if task != Task.CORRECT and detect(given) == "m2":
        return _derive(given, construction)
    if construction is not None:
        raise UsageError(f"--construction is for M2; {given.name} holds cases already")
    table = LongTable(
        given, (*case_files.COLUMNS, *MORE_COLUMNS), columns=columns, schema=case_files.SCHEMA
    )
    reading = _CaseReading(table, task, LabelNumbers(labels))
    found = list(reading.cases())
    if not found and not table.bad.count and not reading.trivial:
        table.bad.add(None, "holds no case; write one per line below the header 'case'")
    table.bad.raise_first()
    if note := note_unused(table):
        warnings.warn(note, JuryboxWarning, stacklevel=2)
    _warn_of_trivial(given.name, reading.trivial)
    if task == Task.CORRECT:
        return [as_essay(case, given.name) for case in found]
    return found


class _CaseReading:
    """Rows to cases; what is wrong with them goes to the table's complaints."""

    def __init__(self, table: LongTable, task: Task, labels: LabelNumbers) -> None:
        self._table = table
        self._task = task
        self._lines: dict[str, int] = {}
        self._labels = labels if task not in (Task.CLOZE, Task.CHOICE) else None
        self.trivial = 0

    def cases(self) -> Iterator[NewCase]:
        for block in self._table.blocks():
            columns = list(block.cells)
            rows = zip(*block.cells.values(), strict=True)
            for line, row in zip(block.lines, rows, strict=True):
                cells = dict(zip(columns, row, strict=True))
                if case_files.TRUTHS.get(cells.get("trivial", "").strip().lower()):
                    self.trivial += 1
                else:
                    before = self._table.bad.count
                    case = self._case(line, cells)
                    if self._table.bad.count == before:
                        self._check(line, case, cells)
                    yield case

    def _check(self, line: int, case: NewCase, cells: Mapping[str, str]) -> None:
        first = self._lines.setdefault(case.id, line)
        if first != line:
            message = f"case '{case.id}' was given in line {first} already; keep one of them"
            self._table.bad.add(line, message, "case")
        elif self._task != Task.CORRECT:  # essays are looked at when they are made of it
            for field, message in islice(complaints_about(case, self._task), 1):
                place = field if field in cells else None
                self._table.bad.add(line, f"case '{case.id}': {message}", place)

    def _case(self, line: int, cells: Mapping[str, str]) -> NewCase:
        name = cells.get("case", "").strip()
        if not name:
            self._table.bad.add(line, "no case id; every case needs one", "case")
        return NewCase(
            id=name,
            sentence=cells.get("sentence", ""),
            start=self._place(line, cells, "start"),
            end=self._place(line, cells, "end"),
            written=cells.get("written", ""),
            before=cells.get("before", ""),
            first=cells.get("first", "").strip(),
            second=cells.get("second", "").strip(),
            purpose=self._purpose(line, cells),
            gold=self._gold(line, cells),
            feedback=cells.get("feedback", ""),
            construction=cells.get("construction", ""),
            document=cells.get("document", "").strip() or None,
        )

    def _place(self, line: int, cells: Mapping[str, str], field: str) -> int | None:
        text = cells.get(field, "").strip()
        if text and not is_whole_number(text):
            message = f"{field} '{text}' is not a whole number; tokens count from 0"
            self._table.bad.add(line, message, field)
            return None
        return int(text) if text else None

    def _purpose(self, line: int, cells: Mapping[str, str]) -> Purpose:
        text = cells.get("purpose", "").strip().lower() or "work"
        if text not in tuple(Purpose):
            message = f"purpose '{text}' is not one of {', '.join(Purpose)}"
            self._table.bad.add(line, message, "purpose")
            return Purpose.WORK
        return Purpose(text)

    def _gold(self, line: int, cells: Mapping[str, str]) -> tuple[str, ...]:
        text = cells.get("gold", "").strip()
        try:
            if self._labels is not None:
                return self._labels.read_gold(text)
            return _listed(text)
        except ValueError as error:
            self._table.bad.add(line, str(error), "gold")
            return ()


def _listed(text: str) -> tuple[str, ...]:
    """Words: a JSON list, or the one that is there.

    >>> _listed('["in", "at"]'), _listed("in"), _listed("")
    (('in', 'at'), ('in',), ())
    """
    if not text.startswith("["):
        return (text,) if text else ()
    try:
        words = json.loads(text)
    except (ValueError, RecursionError):
        words = None
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise ValueError(f"gold {text[:40]} is no JSON list of words")
    return tuple(dict.fromkeys(words))


def _derive(given: File, construction: str | None) -> list[NewCase]:
    panel = load_panel(given).panel
    derived = derive_cases(panel, construction or "preposition")
    found: list[NewCase] = []
    place, prefix, trivial = -1, None, 0
    for case in derived.case_set.cases:
        if case.id.rpartition(":")[0] != prefix:  # cases come in the order of their sentences
            prefix = case.id.rpartition(":")[0]
            rest = range(place + 1, len(panel.sentences))
            place = next(i for i in rest if panel.sentences[i].text == case.sentence)
        trivial += case.trivial
        if not case.trivial:
            one, earlier = panel.sentences[place], panel.sentences[place - 1]
            is_first = not place or earlier.document != one.document
            before = "" if is_first else earlier.text
            made = NewCase(case.id, case.sentence, case.start, case.end, case.written, before)
            found.append(made)
    _warn_of_trivial(as_input(given).name, trivial)
    return found


def _warn_of_trivial(name: str, count: int) -> None:
    if count:
        message = f"{name}: {count} trivial cases are left out: a rule decided them beforehand"
        warnings.warn(message, JuryboxWarning, stacklevel=3)
