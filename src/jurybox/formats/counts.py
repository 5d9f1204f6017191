"""Counts on disk: what matching found, so that nothing has to be matched twice.

One JSON object (`.gz` and `.xz` as everywhere):

    {"schema": "jurybox.counts/1", "version": "0.1.0", "metric": "m2", "signature": "…",
     "options": {"beta": 0.5, …}, "inputs": [{"path", "sha256"}], "gold": [{"path", "sha256"}],
     "documents": […] or null,
     "systems": [{"name": "CAMB", "columns": ["tp", "fp", "fn"], "annotators": ["0", "1"],
                  "starts": […], "annotator": […], "values": {"tp": […], …}, "by_type": […]}]}

`starts`, `annotator` and `values` are those of `model.CountsTable`.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TextIO

from jurybox._version import __version__
from jurybox.errors import FormatError
from jurybox.formats._io import Source, as_input
from jurybox.model import CountsTable

SCHEMA = "jurybox.counts/1"
MARK = re.compile(rb'\s*\{\s*"schema"\s*:\s*"jurybox\.counts/')


class SavedCounts(NamedTuple):
    """The counts of several systems and how they were made."""

    metric: str
    options: Mapping[str, Any]
    signature: str
    inputs: Sequence[Mapping[str, str]]
    gold: Sequence[Mapping[str, str]]  # those of the inputs that hold gold edits or references
    tables: Mapping[str, CountsTable]


def is_counts(source: Source) -> bool:
    """Whether a source begins like a counts file."""
    return MARK.match(as_input(source).peek()) is not None


def write(saved: SavedCounts, out: TextIO) -> None:
    """Write all systems' counts; the documents stand once, they are the same for all."""
    documents = next((table.documents for table in saved.tables.values()), None)
    record = {
        "schema": SCHEMA,
        "version": __version__,
        "metric": saved.metric,
        "signature": saved.signature,
        "options": dict(saved.options),
        "inputs": list(saved.inputs),
        "gold": list(saved.gold),
        "documents": documents,
        "systems": [
            {
                "name": name,
                "columns": list(table.columns),
                "annotators": table.annotators,
                "starts": list(table.starts),
                "annotator": list(table.annotator),
                "values": {column: list(table.values[column]) for column in table.columns},
                "by_type": table.by_type,
            }
            for name, table in saved.tables.items()
        ],
    }
    import json  # late, as in `read`: most runs neither write nor read counts

    json.dump(record, out, ensure_ascii=False)
    out.write("\n")


def read(source: Source) -> SavedCounts:
    """Read what `write` wrote; anything else is a FormatError that says what is wrong."""
    import json

    given = as_input(source)
    text = "\n".join(line for _, line in given.lines())
    try:
        record = json.loads(text)
        if record["schema"] != SCHEMA:
            raise FormatError(
                f"has schema {record['schema']!r}, this version reads {SCHEMA!r}; "
                "make it again with jurybox score --save-counts",
                path=given.name,
            )
        documents = record["documents"]
        tables = {str(system["name"]): _table(system, documents) for system in record["systems"]}
        if not tables or len(tables) < len(record["systems"]):
            raise ValueError("it needs at least one system, each with its own name")
        signature = str(record["signature"])
        if "|v:" not in signature:
            raise ValueError("its signature has no version")
        return SavedCounts(
            str(record["metric"]),
            dict(record["options"]),
            signature,
            _files(record["inputs"]),
            _files(record["gold"]),
            tables,
        )
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as bad:
        raise FormatError(
            f"is not a complete counts file ({type(bad).__name__}: {bad}); "
            "make it again with jurybox score --save-counts",
            path=given.name,
        ) from None


def _files(records: Any) -> list[dict[str, str]]:
    return [{"path": str(r["path"]), "sha256": str(r["sha256"])} for r in records]


def _table(record: Mapping[str, Any], documents: list[str] | None) -> CountsTable:
    by_type = record["by_type"]
    table = CountsTable(
        columns=tuple(record["columns"]),
        annotators=list(record["annotators"]),
        starts=array("q", record["starts"]),
        annotator=array("q", record["annotator"]),
        values={column: array("q", record["values"][column]) for column in record["columns"]},
        by_type=None
        if by_type is None
        else [
            {kind: (int(tp), int(fp), int(fn)) for kind, (tp, fp, fn) in row.items()}
            for row in by_type
        ],
        documents=documents,
    )
    rows = len(table.annotator)
    lengths = [len(values) for values in table.values.values()]
    if by_type is not None:
        lengths.append(len(by_type))
    if list(table.starts[:1]) != [0] or table.starts[-1] != rows or set(lengths) != {rows}:
        raise ValueError("its columns differ in length")
    if list(table.starts) != sorted(table.starts):
        raise ValueError("its sentences are not in order")
    if any(not 0 <= number < len(table.annotators) for number in table.annotator):
        raise ValueError("it names an annotator that is not listed")
    if any(min(table.values.get(column, ()), default=0) < 0 for column in ("tp", "fn")):
        raise ValueError("a count is negative")
    if documents is not None and len(documents) != len(table):
        raise ValueError("its documents and sentences differ in number")
    return table
