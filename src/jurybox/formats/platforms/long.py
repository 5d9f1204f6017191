"""Long tables of our own, and of others with titles that say the same.

`item,worker,response` is read as `case,rater,label` and said so. Unlike in
`formats.tables.judgments`, which feeds evaluations, any label is allowed.
"""

from __future__ import annotations

import json

from jurybox.formats._io import PEEK, Input
from jurybox.formats.platforms._columns import Cells, peek_titles, refuse_separator, table_export
from jurybox.formats.platforms._export import FIELDS, ExportRequest, Raw, bad_lines
from jurybox.formats.tables.coded import Block
from jurybox.formats.tables.judgments import SCHEMA
from jurybox.formats.tables.long_tables import LongTable

TITLE = "long table"
REQUIRED = ("case", "rater", "label")
#: other titles for what we need, in lower case
OTHERS = {
    "case": ("item", "task", "unit", "question", "item_id", "task_id", "case_id", "orig_id"),
    "rater": (
        *("worker", "annotator", "coder", "judge", "user", "worker_id", "annotator_id"),
        *("workerid", "!amt_worker_ids"),
    ),
    "label": ("answer", "response", "judgment", "judgement", "rating"),
}


def read(given: Input, request: ExportRequest) -> Raw:
    r"""The judgments of a long table, in CSV, TSV or JSONL.

    >>> text = "item,rater,label,gold\n25,w1,0,1\n"
    >>> raw = read(Input.from_text(text), ExportRequest())
    >>> next(raw.blocks).cells, raw.notes
    ({'case': ['25'], 'rater': ['w1'], 'label': ['0'], 'gold': ['1']}, ["'item' is read as case"])
    """
    titles = _titles(given)
    refuse_separator(given, titles)
    columns = dict(request.columns)
    notes: list[str] = []
    for field in REQUIRED:
        if field in columns or field in {title.lower() for title in titles}:
            continue
        alike = [title for title in titles if title.lower() in OTHERS[field]]
        if len(alike) == 1 and alike[0] not in columns.values():
            columns[field] = alike[0]
            notes.append(f"'{alike[0]}' is read as {field}")
    table = LongTable(given, FIELDS, required=REQUIRED, columns=columns, schema=SCHEMA)
    table.bad, table.held = bad_lines(given.name), request.held
    taken = {title.lower() for title in titles if title not in columns.values()}
    if is_json(given) and len(given.peek()) == PEEK:
        taken |= set(FIELDS)  # a key may come first behind what was looked at

    def finish(block: Block, cells: Cells) -> None:
        for field in REQUIRED:  # in JSONL a key may be missing from all lines of a block
            cells.setdefault(field, [""] * len(block.lines))

    return table_export(table, columns, finish, further=[*REQUIRED, *taken], notes=notes)


def is_json(given: Input) -> bool:
    return given.head().lstrip().startswith("{")


def _titles(given: Input) -> tuple[str, ...]:
    """Titles of a table; of JSONL the keys of its first lines."""
    if not is_json(given):
        return peek_titles(given)
    keys: dict[str, None] = {}
    for line in given.head().split("\n"):
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            continue  # the reader will say so, or the head ends within this line
        if isinstance(record, dict) and "schema" not in record:
            keys |= dict.fromkeys(record)
    return tuple(keys)
