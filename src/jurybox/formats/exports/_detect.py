"""Which export a file is, told by its titles or keys.

A wrong guess would read the wrong thing, so each format must show what only it has. What shows
nothing of the kind is none of these: edits, plain text, or a table whose columns must be mapped.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from jurybox.errors import Column, FormatError
from jurybox.formats._io import Source, as_input
from jurybox.formats.exports import gug
from jurybox.formats.exports._columns import read_header
from jurybox.formats.exports.crowdflower import AGGREGATED
from jurybox.formats.exports.long import OTHERS

#: titles that only MTurk has; one of them may have been taken out
MTURK = {"HITId", "HITTypeId", "AssignmentId", "WorkerId"}
ZIP_MAGIC = b"PK\x03\x04"
_PAGE = re.compile(r"\s*(?:<!doctype html|<html|<head)", re.IGNORECASE)
_DECODER = json.JSONDecoder()


def detect(source: Source) -> str | None:
    r"""The name of the export format that a source has; None if it is none of them.

    >>> from jurybox.formats import Input
    >>> detect(Input.from_text("HITId,AssignmentId,WorkerId,Answer.Q1\n"))
    'mturk'
    >>> detect(Input.from_text("He go home .\n")) is None
    True
    """
    given = as_input(source)
    head = given.peek()
    if head.startswith(ZIP_MAGIC):
        return "zip"
    text = head.decode("utf-8", errors="replace").removeprefix("\ufeff")
    if _PAGE.match(text):
        raise FormatError(
            "is a web page, not an export; log in to the platform and download the results again",
            path=given.name,
            line=1,
            column=Column(1),
        )
    start = text.lstrip()
    if start.startswith(("[", "{")):
        return _by_keys(_first_object(start), given.name, is_list=start.startswith("["))
    return _by_titles(read_header(text).titles)


def _by_titles(titles: Sequence[str]) -> str | None:
    have = set(titles)
    if len(have & MTURK) > 1 or (have & MTURK and _starts(titles, "Answer.")):
        return "mturk"
    if "_unit_id" in have and ("_worker_id" in have or have & {*AGGREGATED, "_trust", "_tainted"}):
        return "crowdflower"
    if _starts(titles, "OUTPUT:") and (_starts(titles, "ASSIGNMENT:") or _starts(titles, "INPUT:")):
        return "toloka"
    if {gug.COLUMNS["expert"], gug.COLUMNS["crowd"]} <= have:
        return "gug"
    return "long" if _is_long({title.lower() for title in titles}) else None


def _starts(titles: Sequence[str], beginning: str) -> bool:
    return any(title.startswith(beginning) for title in titles)


def _is_long(titles: set[str]) -> bool:
    return all(titles & {field, *others} for field, others in OTHERS.items())


def _first_object(start: str) -> Mapping[str, Any]:
    """The first object; if the head ends within it, what its beginning shows of its keys."""
    place = start.find("{")
    if place < 0:
        return {}
    try:
        found = _DECODER.raw_decode(start, place)[0]
    except (ValueError, RecursionError):
        return dict.fromkeys(re.findall(r'"(\w+)"\s*:', start))
    if isinstance(found, dict) and "schema" in found and "case" not in found:
        return {"schema": found["schema"]}
    return found if isinstance(found, dict) else {}


def _by_keys(record: Mapping[str, Any], name: str, *, is_list: bool) -> str | None:
    keys = set(record)
    if "data" in keys and keys & {"annotations", "completions", "predictions"}:
        return "label_studio"
    if is_list and keys >= {"annotation_id", "annotator"}:
        raise FormatError(
            "is Label Studio's JSON_MIN; export the project as JSON",
            path=name,
            line=1,
            column=Column(title="annotation_id"),
        )
    return None if is_list else _by_keys_of_line(record, keys)


def _by_keys_of_line(record: Mapping[str, Any], keys: set[str]) -> str | None:
    if record.get("schema") == "jurybox.judgments/1" or _is_long({key.lower() for key in keys}):
        return "long"
    if "answer" in keys and keys & {"_input_hash", "_task_hash", "_session_id", "_annotator_id"}:
        return "prodigy"
    if {"text", "label"} <= keys or {"text", "labels"} <= keys or {"text", "entities"} <= keys:
        return "doccano"
    if {"text", "annotations"} <= keys and _has_users(record["annotations"]):
        return "doccano"
    return None


def _has_users(annotations: Any) -> bool:
    """Old exports of doccano name the user of every annotation; our own edits do not."""
    return isinstance(annotations, list) and any(
        isinstance(each, dict) and "user" in each for each in annotations
    )
