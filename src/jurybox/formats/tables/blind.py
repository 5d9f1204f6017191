r"""Blind files: drawn cases as raters may see them, under ids that say nothing.

A blind file is a case file (CSV, TSV or JSONL) with the id, the sentence, the span and the word
that was written. The system's label, its suggestion and score, the stratum, the construction, the
document and known answers are never in it: each of them could tell a rater what is expected.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TextIO

from jurybox.errors import InputError
from jurybox.formats._io import Source, as_input, is_whole_number
from jurybox.formats.tables import cases as case_files
from jurybox.formats.tables.long_tables import LongTable
from jurybox.model import Case, CaseSet

#: all that raters see of a case
SHOWN = ("case", "sentence", "start", "end", "written")


def show_only(case: Case, blind_id: str) -> Case:
    """The case as raters see it.

    >>> show_only(Case("d1:3", "He sat at mat .", 2, 3, "at", "preposition", "d1"), "k7mw3hqx")[:6]
    ('k7mw3hqx', 'He sat at mat .', 2, 3, 'at', '')
    """
    return Case(blind_id, case.sentence, case.start, case.end, case.written)


def write(cases: Sequence[Case], out: TextIO, form: str = "csv") -> None:
    """Cases as raters see them, in their order, without a description of what they are."""
    for case in cases:
        if case != show_only(case, case.id):
            raise InputError(f"case '{case.id}' has fields that raters must not see")
    case_files.write(CaseSet(tuple(cases)), out, form)


def pick_cases(
    source: Source, wanted: Collection[str], *, columns: Mapping[str, str] | None = None
) -> dict[str, Case]:
    r"""The wanted cases of a case file, which may hold millions of others; id -> case.

    >>> from jurybox.formats import Input
    >>> source = Input.from_text("case,sentence,written\nc1,He sat at mat .,at\nc2,So .,\n")
    >>> pick_cases(source, {"c1"})["c1"].written
    'at'
    """
    given = as_input(source)
    fields = (*SHOWN, *(name for name in case_files.COLUMNS if name not in SHOWN))
    mapped = {ours: title for ours, title in (columns or {}).items() if ours in fields}
    table = LongTable(given, fields, columns=mapped, schema=case_files.SCHEMA)
    found: dict[str, Case] = {}
    for block in table.blocks():
        ids = map(str.strip, block.cells.get("case", ()))
        for row, name in enumerate(ids):
            if name in wanted:
                line = block.lines[row]
                if name in found:
                    table.bad.add(line, f"case '{name}' is listed before; keep one of them")
                cells = {field: block.cells[field][row] for field in SHOWN if field in block.cells}
                start, end = (_place(field, cells, line, table) for field in ("start", "end"))
                if (start is None) != (end is None):
                    table.bad.add(line, "start without end, or end without start; give both")
                sentence, written = cells.get("sentence", ""), cells.get("written", "")
                found[name] = Case(name, sentence, start, end, written)
    table.bad.raise_first()
    missing = [name for name in wanted if name not in found]
    if missing:
        raise InputError(
            f"{given.name}: has no case '{missing[0]}', which was drawn ({len(missing)} of "
            f"{len(wanted)} are missing); give the cases that the system decided about"
        )
    return found


def _place(field: str, cells: Mapping[str, str], line: int, table: LongTable) -> int | None:
    text = cells.get(field, "").strip()
    if text and not is_whole_number(text):
        message = f"{field} '{text}' is not a whole number; tokens count from 0"
        table.bad.add(line, message)
        return 0
    return int(text) if text else None
