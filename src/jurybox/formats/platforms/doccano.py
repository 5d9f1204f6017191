"""doccano JSONL, alone or in the zip with one file per user.

An object is one text with its `label` (or `labels`): a list of words, or of [start, end, word].
Nothing in it says who chose them, so the rater is the file's name; only exports of old versions
name the user of every annotation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from jurybox.errors import plural
from jurybox.formats._io import Input
from jurybox.formats.platforms._export import (
    ABOUT_TEXT,
    CASE_FIELDS,
    ExportRequest,
    ExportRow,
    KeyFaultError,
    Raw,
    blocks_of,
    ordered,
    under,
)
from jurybox.formats.platforms._objects import (
    Marked,
    ObjectReading,
    Span,
    as_label,
    note_unmarked,
    read_span,
    span_rows,
)
from jurybox.formats.tables.coded import Block
from jurybox.formats.tables.long_tables import as_text, listed

TITLE = "doccano JSONL"
LABELS = ("label", "labels", "entities")
FIELDS = ordered(("case", "rater", "label", "gold", "correction", "alternatives", *CASE_FIELDS))
#: keys that doccano has, and those of the lines that we write
OUR_KEYS = {"case": ("id",), "correction": ("correction",), "alternatives": ("alternatives",)}


def read(given: Input, request: ExportRequest) -> Raw:
    """The judgments of one user: their name is the file's."""
    return read_users([(given.stem, given)], request)


def read_users(users: list[tuple[str, Input]], request: ExportRequest) -> Raw:
    """The judgments of several users: (name, their file).

    >>> ann = Input.from_text('{"id": 7, "text": "He go .", "label": ["error"]}')
    >>> raw = read_users([("Ann", ann)], ExportRequest())
    >>> next(raw.blocks).cells["rater"]
    ['Ann']
    """
    keys = {"case": "id", "label": "label", "assignment": "id"}
    return _TextReading(users, request).raw(FIELDS, keys, unit="text")


class _TextReading(ObjectReading):
    def __init__(self, users: list[tuple[str, Input]], request: ExportRequest) -> None:
        super().__init__(users[0][1].name, request, ("rater", "label"), OUR_KEYS)
        self._users = users
        self._user = ""  # whose file is being read
        self._words = False

    def blocks(self, fields: Sequence[str]) -> Iterator[Block]:
        """Blocks of one user each, so that whoever complains of them names the right file."""
        for user, given in self._users:
            self._bad.name = given.name
            self._user = user
            yield from blocks_of(self.rows_of(given, self._record_rows), fields)
        yield from blocks_of(self._rows_at_end(), fields)

    def _rows_at_end(self) -> Iterator[ExportRow]:
        """Spans: which ones there are is known only when all users' files were read."""
        self._bad.raise_first()
        self.check_keys(self._users[0][1].name)
        if self._nameless:
            self._notes.append(
                f"{plural(self._nameless, 'text')} without 'id': cases are called after their "
                "lines, so the files of several users must hold the same texts in the same order"
            )
        if self._spans and self._words and any(each.spans for each in self._spans):
            self._notes.append("some texts have labels, others marked spans: both are read")
        if not self._words or any(each.spans for each in self._spans):
            self._notes += note_unmarked(self._spans)
            yield from span_rows(self._spans)
        else:
            for each in self._spans:
                cells = {"case": each.text_id, "sentence": each.text, "rater": each.rater}
                yield ExportRow(each.line, cells)

    def _record_rows(self, line: int, record: dict[str, Any], _: int) -> Iterator[ExportRow]:
        usual = "" if "case" in self._map else str(line)
        facts = {"case": usual, **self.read_facts(record)}
        self._nameless += "case" not in self._map and "id" not in record
        if "annotations" in record and not any(key in record for key in LABELS):
            for place, (rater, label) in enumerate(_old_annotations(record["annotations"])):
                self._words = True
                cells = {"rater": rater, "label": label, "key": f"annotations[{place}].label"}
                yield ExportRow(line, {**facts, **cells})
            return
        key = self._map.get("label") or next((key for key in LABELS if key in record), "label")
        if key not in record:
            raise KeyFaultError(
                key,
                f"no key '{key}'; its keys are: {listed(list(record))}; say which one holds the "
                "label with --columns label=KEY",
            )
        rater = as_text(record.get(self._map["rater"])) if "rater" in self._map else self._user
        labels = record[key] if isinstance(record[key], list) else [record[key]]
        spans = [each for each in labels if isinstance(each, list | dict)]
        if spans or not labels:
            text = facts.get("sentence", "")
            marks = {}
            for place, each in enumerate(labels):
                if isinstance(each, list | dict):
                    with under(f"{key}[{place}]"):
                        span, word = _span(each, text)
                    marks[span] = word
            about = {field: facts[field] for field in ABOUT_TEXT if field in facts}
            self._spans.append(Marked(line, facts["case"], text, rater, marks, about))
        if words := [each for each in labels if not isinstance(each, list | dict)]:
            self._words = True
            cells = {"rater": rater, "label": as_label(words), "key": key}
            if "id" in record:
                cells["assignment"] = f"{self._bad.name}\t{as_text(record['id'])}"
            yield ExportRow(line, {**facts, **cells})


def _span(given: Any, text: str) -> tuple[Span, str]:
    if isinstance(given, list) and len(given) == 3:
        start, end, label = given
        return read_span(start, end, label, text)
    if isinstance(given, dict) and "start_offset" in given:
        return read_span(given["start_offset"], given.get("end_offset"), given.get("label"), text)
    raise ValueError("a label is neither a word nor [start, end, word]; export the project again")


def _old_annotations(given: Any) -> Iterator[tuple[str, str]]:
    if not isinstance(given, list) or not all(isinstance(each, dict) for each in given):
        raise KeyFaultError("annotations", "is no list of objects; export the project again")
    for each in given:
        yield as_text(each.get("user")), as_label(each.get("label"))
