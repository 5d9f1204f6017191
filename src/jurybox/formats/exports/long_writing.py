"""An export written on as our long table, without being held where its format allows."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import compress
from typing import Any, NamedTuple, TextIO

from jurybox.formats._names import Numbering
from jurybox.formats._repeats import find_repeats
from jurybox.formats.exports import Export, Pseudonyms
from jurybox.formats.exports._answers import only, parse_list
from jurybox.formats.exports._case_facts import CaseFacts
from jurybox.formats.exports._export import CASE_FIELDS, SeveralBadLines
from jurybox.formats.exports.collect import note_repeats, tell_repeats
from jurybox.formats.judgments import Repeats
from jurybox.formats.long_tables import (
    ROWS_AT_ONCE,
    Block,
    LineIndex,
    check_form,
    encode_json,
    write_lines,
    write_table,
)
from jurybox.model import LABEL_BITS, CaseSet

#: formats with a fixed list of columns, most of them empty as a rule; these files are small
HELD = ("label_studio", "doccano", "prodigy", "gug")
LISTS = ("alternatives", "gold")


class Written(NamedTuple):
    """What was written, the cases it is about, and what the user should know."""

    judgments: int
    raters: int
    cases: CaseSet
    repeats: Repeats  # judgments by a rater on a case they had judged before; all are written
    notes: tuple[str, ...]


def write_export(
    export: Export, out: TextIO, form: str = "csv", *, pseudonyms: Pseudonyms | None = None
) -> Written:
    r"""One line per judgment, with every column the export has for it.

    Sentences and places are facts about cases: they are in the cases that come back.

    >>> import sys
    >>> from jurybox.formats import Input
    >>> from jurybox.formats.exports import open_export
    >>> text = "HITId,AssignmentId,WorkerId,Answer.Q1\nh1,a1,w1,No\n"
    >>> export = open_export(Input.from_text(text), labels={"No": "error"})
    >>> written = write_export(export, sys.stdout, pseudonyms=Pseudonyms())
    case,rater,label
    h1,R1,error
    """
    check_form(form)
    unused = list(export.unused())  # asked first: what comes from a pipe can be read once
    watch = _Watch(export, pseudonyms)
    blocks = watch.blocks()
    fields = [field for field in export.fields if field not in CASE_FIELDS]
    if export.format in HELD:
        held = list(blocks)
        fields = [f for f in fields if any(any(block.cells.get(f, ())) for block in held)]
        blocks = iter(held)
    if form == "jsonl":
        _write_objects(blocks, fields, out)
    else:
        write_table(fields, _rows(blocks, fields), out, form)
    cases = watch.facts.finish()
    repeats = watch.repeats.finish()
    notes = (
        *export.notes,
        *unused,
        *watch.facts.notes(),
        *note_repeats(repeats, "all are written"),
    )
    return Written(len(watch.repeats), len(watch.repeats.raters.names), cases, repeats, notes)


class _Watch:
    """Blocks as they pass: cases kept, judgments counted, raters renamed."""

    def __init__(self, export: Export, pseudonyms: Pseudonyms | None) -> None:
        self._export = export
        self._pseudonyms = pseudonyms
        self._bad = SeveralBadLines("")
        self.facts = CaseFacts(self._bad)
        self.repeats = _Repeats()

    def blocks(self) -> Iterator[Block]:
        for name, block in self._export.blocks():
            self._bad.name, self._bad.columns = name, dict(self._export.columns)
            cases = self.facts.take(block)
            self._bad.raise_first()
            judged = block
            if not all(block.cells["label"]):  # rows that only tell of a case
                keep = list(map(bool, block.cells["label"]))
                cases = list(compress(cases, keep))
                judged = only(block, keep)
            if cases:
                self.repeats.take(cases, judged, name)
                yield self._renamed(judged)

    def _renamed(self, block: Block) -> Block:
        cells = dict(block.cells)
        if self._pseudonyms is not None:
            cells["rater"] = list(map(self._pseudonyms.__getitem__, cells["rater"]))
        currency = self._export.currency
        if currency and " " not in currency and "reward" in cells:
            cells["reward"] = [f"{cell} {currency}" if cell else "" for cell in cells["reward"]]
        return block._replace(cells=cells)


class _Repeats:
    """Who said what about which case, as numbers: 12 bytes for a judgment that is not held."""

    def __init__(self) -> None:
        self.raters = Numbering("rater", LABEL_BITS)
        self._labels = Numbering("label")
        self._case, self._rater, self._label = array("I"), array("I"), array("I")
        self._lines = LineIndex()

    def __len__(self) -> int:
        return len(self._case)

    def take(self, cases: Sequence[int], block: Block, name: str) -> None:
        self._case.extend(cases)
        self._rater.extend(map(self.raters.__getitem__, block.cells["rater"]))
        self._label.extend(map(self._labels.__getitem__, block.cells["label"]))
        self._lines.add(name, block.lines)

    def finish(self) -> Repeats:
        found = find_repeats(self._case, self._rater)
        pairs = zip(found.rows.tolist(), found.first.tolist(), strict=True)
        same = sum(self._label[row] == self._label[before] for row, before in pairs)
        return tell_repeats(found, same, self._lines)


def _columns(block: Block, fields: Sequence[str]) -> list[Sequence[str]]:
    empty = [""] * len(block.lines)
    return [block.cells.get(field, empty) for field in fields]


def _rows(blocks: Iterable[Block], fields: Sequence[str]) -> Iterator[Sequence[str]]:
    for block in blocks:
        yield from zip(*_columns(block, fields), strict=True)


def _write_objects(blocks: Iterable[Block], fields: Sequence[str], out: TextIO) -> None:
    written = 0
    for block in blocks:
        rows = zip(*_columns(block, fields), strict=True)
        lines = [encode_json(_record(fields, row)) for row in rows]
        for start in range(0, len(lines), ROWS_AT_ONCE):
            write_lines(lines[start : start + ROWS_AT_ONCE], out, written + start)
        written += len(lines)


def _record(fields: Sequence[str], row: Sequence[str]) -> dict[str, Any]:
    record: dict[str, Any] = {f: cell for f, cell in zip(fields, row, strict=True) if cell}
    for field in LISTS:
        if listed := parse_list(record.get(field, "")):
            record[field] = listed
    return record
