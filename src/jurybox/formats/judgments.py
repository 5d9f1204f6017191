"""Judgments: long tables in CSV, TSV and JSONL with the columns `case`, `rater` and `label`.

Optional columns: `correction` (the one the rater would make; `-NONE-` deletes), `alternatives` (a
JSON list of further ones, equally good), `gold` (the label known to be right), `kind` (human or
model), and those that are read when they are asked for: `seconds`, `confidence`, `batch`,
`context`, and `first`, `second`, `shown` of choice tasks.

A judgment is 8 bytes: ten million of them take 80 MB beside their cases. Nothing is dropped
without being counted: a rater who judges a case again is reported, and the first judgment stays.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, TextIO

from jurybox.errors import InputError, JuryboxWarning, UsageError, unknown_name
from jurybox.formats._io import Input, Source
from jurybox.formats._judgment_reading import (
    NUMBERS,
    OPTIONAL,
    REQUIRED,
    WORDS,
    Reading,
    ReadJudgments,
    Repeats,
    WordColumn,
)
from jurybox.formats._labels import LabelNumbers
from jurybox.formats._long_writing import (
    ROWS_AT_ONCE,
    check_form,
    encode_json,
    write_lines,
    write_table,
)
from jurybox.formats.cases import check_id
from jurybox.formats.long_tables import LongTable, note_unused
from jurybox.model import LABEL_BITS, NOTHING, CaseSet, JudgmentTable

__all__ = [
    "NUMBERS",
    "OPTIONAL",
    "REQUIRED",
    "SCHEMA",
    "WORDS",
    "ReadJudgments",
    "Repeats",
    "WordColumn",
    "read",
    "write",
]

SCHEMA = "jurybox.judgments/1"
#: columns that `jurybox convert` writes for what looks at raters, pay and time
FURTHER = ("trust", "reward", "started", "submitted", "status", "comment")


def read(
    sources: Source | Sequence[Source],
    cases: CaseSet | None = None,
    *,
    columns: Mapping[str, str] | None = None,
    labels: Mapping[str, str] | None = None,
    unknown_case: str = "error",
    extra: Sequence[str] = (),
) -> ReadJudgments:
    r"""The judgments of one file or several.

    Without `cases` the cases are those that were judged, in order of appearance. `columns` maps our
    columns to titles of the files, `labels` their labels to error, ok and unknown. A judgment
    on a case that is not known is an error, or left out and counted (`unknown_case="skip"`).
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
    reading = Reading(cases, LabelNumbers(labels), extra, skip_unknown=unknown_case == "skip")
    notes: list[str] = []
    given = (
        [sources] if isinstance(sources, Input | str) or hasattr(sources, "__fspath__") else sources
    )
    if not given:
        raise UsageError("no judgments given; name a file")
    for source in given:
        fields = (*REQUIRED, *OPTIONAL, *NUMBERS, *WORDS)
        table = LongTable(source, fields, required=REQUIRED, columns=columns, schema=SCHEMA)
        reading.take_file(table)
        if note := note_unused(table, FURTHER):
            notes.append(note)
    result = reading.finish(notes)
    for note in result.notes:
        warnings.warn(note, JuryboxWarning, stacklevel=2)
    return result


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
    for case in cases.cases:
        check_id(case.id, "case")
    for rater in table.raters:
        check_id(rater, "rater")
    corrections = [[word or NOTHING for word in each] for each in table.corrections]
    _check_corrections(table.corrections)
    titles = list(REQUIRED)
    if table.correction is not None:
        titles.append("correction")
        if any(len(each) > 1 for each in corrections):
            titles.append("alternatives")
    if table.kinds is not None:
        titles.append("kind")
    alternatives: list[Any] | None = None
    if "alternatives" in titles:
        alternatives = [each[1:] for each in corrections]
        if form != "jsonl":
            alternatives = [encode_json(words) if words else "" for words in alternatives]
    firsts = [each[0] if each else "" for each in corrections]
    rows = _rows(table, [case.id for case in cases.cases], firsts, alternatives)
    if form != "jsonl":
        write_table(titles, rows, out, form)
        return
    number = 0
    lines = (encode_json({t: c for t, c in zip(titles, row, strict=True) if c}) for row in rows)
    while batch := list(islice(lines, ROWS_AT_ONCE)):
        write_lines(batch, out, number)
        number += len(batch)


def _check_corrections(corrections: Sequence[tuple[str, ...]]) -> None:
    for each in corrections:
        for word in each:
            if word == NOTHING or (word and not word.strip()):
                raise InputError(
                    f"the correction {word!r} cannot be written: {NOTHING} deletes, and a blank "
                    "cell is none"
                )


def _rows(
    table: JudgmentTable, ids: list[str], firsts: list[str], alternatives: list[Any] | None
) -> Iterator[Sequence[Any]]:
    """The cells of every judgment, made column by column for some judgments at a time."""
    for start in range(0, len(table), ROWS_AT_ONCE):
        part = slice(start, start + ROWS_AT_ONCE)
        answers = table.answer[part]
        raters = [answer >> LABEL_BITS for answer in answers]
        labels = (table.labels[answer & ((1 << LABEL_BITS) - 1)] for answer in answers)
        columns: list[Iterable[Any]] = [
            map(ids.__getitem__, table.case[part]),
            map(table.raters.__getitem__, raters),
            labels,
        ]
        if table.correction is not None:
            given = table.correction[part]
            columns.append(map(firsts.__getitem__, given))
            if alternatives is not None:
                columns.append(map(alternatives.__getitem__, given))
        if table.kinds is not None:
            columns.append(map(table.kinds.__getitem__, raters))
        yield from zip(*columns, strict=True)
