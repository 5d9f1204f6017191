"""Detect which export a file is from its titles or keys, and say what is wrong with unknown ones.

A wrong guess would read the wrong thing, so each format must show what only it has. What shows
nothing of the kind is none of these: edits, plain text, or a table whose columns must be mapped.
A zip holds a report that was packed, or doccano's one file per user.
"""

from __future__ import annotations

import io
import json
import posixpath
import re
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

from jurybox.errors import Column, FormatError
from jurybox.formats._io import UTF16_MARKS, Input, Source, as_input
from jurybox.formats.platforms import gug
from jurybox.formats.platforms._columns import peek_titles, read_titles, refuse_separator
from jurybox.formats.platforms._export import FIELDS, Raw
from jurybox.formats.platforms.crowdflower import AGGREGATED
from jurybox.formats.platforms.long import OTHERS, is_json
from jurybox.formats.platforms.mturk import TASK_ANSWERS
from jurybox.formats.tables.long_tables import find_stray_title, listed

ZIP_MAGIC = b"PK\x03\x04"
#: a packed file that unpacks to more than this is not held in memory
MOST_BYTES = 1 << 30


def is_zip(given: Input) -> bool:
    return given.peek(len(ZIP_MAGIC)) == ZIP_MAGIC


def unpack(given: Input) -> list[tuple[str, Input]]:
    """(stem of its name, file) of every file in a zip, held in memory."""
    data = b"".join(given.keep().whole_lines())
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            members = [
                each
                for each in packed.infolist()
                if (base := posixpath.basename(each.filename))
                and not base.startswith(".")
                and "__MACOSX" not in each.filename
            ]
            if sum(each.file_size for each in members) > MOST_BYTES:
                raise given.error("unpacks to more than 1 GB; unpack it first")
            files = [_unpacked(given, each.filename, packed.read(each)) for each in members]
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise given.error(f"the zip is broken or cut off ({error}); download it again") from None
    if not files:
        raise given.error("the zip is empty; download it again")
    return files


def _unpacked(given: Input, member: str, data: bytes) -> tuple[str, Input]:
    name = f"{given.name}/{member}"
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        start, line = data.rfind(b"\n", 0, error.start) + 1, data.count(b"\n", 0, error.start) + 1
        broken = data[start:].partition(b"\n")[0].decode(errors="surrogateescape")
        message, column = find_stray_title(broken) or ("", Column(1))
        if data.lstrip().startswith((b"{", b"[")):  # where a column is a character
            column = Column(column.character)
        message = f"{message} (unpack it first)"
        raise FormatError(message, path=name, line=line, column=column) from None
    return posixpath.splitext(posixpath.basename(member))[0], Input.from_text(text, name)


#: titles that only MTurk has; one of them may have been taken out
MTURK = {"HITId", "HITTypeId", "AssignmentId", "WorkerId"}

_PAGE = re.compile(r"\s*(?:<!doctype html|<html|<head)", re.IGNORECASE)
_DECODER = json.JSONDecoder()


def detect(source: Source) -> str | None:
    r"""The name of the export format that a source has; None if it is none of them.

    >>> detect(Input.from_text("HITId,AssignmentId,WorkerId,Answer.Q1\n"))
    'mturk'
    >>> detect(Input.from_text("He go home .\n")) is None
    True
    """
    given = as_input(source)
    if is_zip(given):
        names = {detect(member) for _, member in unpack(given)}
        return names.pop() if len(names) == 1 else None
    text = given.head()
    if _PAGE.match(text):
        message = "is a web page, not an export; log in to the platform and download the results"
        raise given.error(f"{message} again", 1, Column(1))
    start = text.lstrip()
    if start.startswith(("[", "{")):
        return _by_keys(_first_object(start), given, is_list=start.startswith("["))
    return _by_titles(read_titles(text))


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


def _by_keys(record: Mapping[str, Any], given: Input, *, is_list: bool) -> str | None:
    keys = set(record)
    if "data" in keys and keys & {"annotations", "completions", "predictions"}:
        return "label_studio"
    if is_list and keys >= {"annotation_id", "annotator"}:
        message = "is Label Studio's JSON_MIN; export the project as JSON"
        raise given.error(message, 1, Column(title="annotation_id"))
    if is_list:
        return None
    if record.get("schema") == "jurybox.judgments/1" or _is_long({key.lower() for key in keys}):
        return "long"
    if "answer" in keys and keys & {"_input_hash", "_task_hash", "_session_id", "_annotator_id"}:
        return "prodigy"
    if "text" not in keys:
        return None
    # old exports of doccano name the user of every annotation; our own edits do not
    annotations = record.get("annotations")
    annotated = annotations if isinstance(annotations, list) else []
    has_users = any(isinstance(each, dict) and "user" in each for each in annotated)
    return "doccano" if has_users or keys & {"label", "labels", "entities"} else None


KNOWN = (
    "MTurk batch results, CrowdFlower reports, Toloka TSV, Label Studio JSON, doccano and Prodigy "
    "JSONL, GUG, and tables with the columns case, rater, label"
)
#: ids of MTurk's workers, addresses of computers and of people
PERSONAL = re.compile(r"A[0-9A-Z]{9,}|\d+\.\d+\.\d+\.\d+|[^@\s]+@[^@\s]+\.\w+")


def explain_unknown(given: Input) -> FormatError:
    """The error for a file that is none of the exports we know."""
    start = given.peek()
    if start.startswith(UTF16_MARKS) or b"\0" in start:
        # spreadsheets save "Unicode text" so
        message = "is not UTF-8; convert the file, for example with iconv -f UTF-16 -t UTF-8"
        return given.error(message, 1, Column(1, character=1))
    titles = peek_titles(given)
    refuse_separator(given, titles)
    head = given.head().lstrip()
    if not head:
        return given.error("is empty; was another file meant?")
    if head.startswith(("[", "{")) or len(titles) < 2:
        return given.error(f"is no export that is known; known are: {KNOWN}", 1, Column(1))
    for number, title in enumerate(titles, 1):
        if PERSONAL.fullmatch(title):  # then no title may be shown
            message = "somebody's id or address stands where a title should be; is the header"
            message += " missing? Put the line with the titles back"
            return given.error(message, 1, Column(number))
    return given.error(
        f"unrecognised columns {listed(titles)}; say which ones hold the case, the rater and the "
        f"label: --columns {_suggest(titles)}, or --input-format wide if there is a column for "
        "every rater, or, for agree, --input-format counts if there is one for every label "
        f"(known are: {KNOWN})",
        1,
        Column(1, last=len(titles)),
    )


def _suggest(titles: Sequence[str]) -> str:
    """What to map: fields that no column is called after, to columns that are called alike.

    Where none is, the columns that are left, in their order.

    >>> _suggest(["when", "reply", "worker"])
    'case=when,rater=worker,label=reply'
    """
    low = {title.lower(): title for title in titles}
    missing = [field for field in OTHERS if field not in low]
    found = {
        field: next(low[name] for name in OTHERS[field] if name in low)
        for field in missing
        if low.keys() & set(OTHERS[field])
    }
    others = (t for t in titles if t.lower() not in FIELDS and t not in found.values())
    return ",".join(f"{field}={found.get(field) or next(others, 'COLUMN')}" for field in missing)


#: how titles of answers, and of what was shown, begin; the others are the platform's own affairs
OWN = {
    "mturk": ("Input.", "Answer."),
    "toloka": ("INPUT:", "OUTPUT:", "GOLDEN:"),
    "crowdflower": ("",),
    "long": ("",),
}
#: columns that are read in another way, or are copies
NOT_OWN = {"mturk": (TASK_ANSWERS,), "crowdflower": ("_", "orig_")}


def unused_columns(name: str, given: Input, raw: Raw) -> list[str]:
    r"""Titles of a file of the format `name` whose cells are in none of its blocks.

    >>> from jurybox.formats.platforms import EXPORTS, long
    >>> from jurybox.formats.platforms._export import ExportRequest
    >>> given = Input.from_text("case,rater,label,colour\n1,a,ok,red\n")
    >>> unused_columns("long", given, long.read(given, ExportRequest()))
    ['colour']
    """
    if name not in OWN or is_json(given):
        return []
    used = {*raw.titles.values(), *(raw.fields if name == "long" else ())}
    return [
        title
        for title in peek_titles(given)
        if title.startswith(OWN[name])
        and not title.startswith(NOT_OWN.get(name, "\0"))
        and not {title, title.lower(), title.rpartition(".")[0]} & used
    ]
