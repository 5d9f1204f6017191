"""Lines of JSONL: many at once where they are plain, or one, and what is wrong with it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from operator import methodcaller
from typing import Any

from jurybox.errors import Column
from jurybox.formats._long_writing import encode_json, is_text
from jurybox.formats._pieces import find_stray

HALF_A_CHARACTER = "half a character (\\ud800 to \\udfff alone); write the text as UTF-8"
_DECODER = json.JSONDecoder()
_ODD = re.compile(r'"\s+:|\\u')  # blanks behind a key; a character that may be half of one
_HALF = re.compile(r"\\u[dD][89a-fA-F]")


class NotJsonError(ValueError):
    """What is wrong with a line of JSONL; `column` is where, `message` what."""

    def __init__(self, message: str, column: Column) -> None:
        self.message, self.column = message, column
        super().__init__(f"{message} ({column})")


def parse_object(text: str) -> dict[str, Any]:
    """One line of JSONL; NotJsonError (a ValueError) says what is wrong with it."""
    if stray := find_stray(text):
        raise NotJsonError(stray.message, Column(stray.character))
    try:
        record = json.loads(text, object_pairs_hook=_distinct)
    except json.JSONDecodeError as error:
        is_cut = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated")
        cut = " (was the file cut off?)" if is_cut else ""
        message = f"not JSON: {error.msg}{cut}; one object a line"
        raise NotJsonError(message, Column(error.colno)) from None
    except RecursionError:
        raise NotJsonError(
            "the JSON is nested too deep; one flat object a line", Column(1)
        ) from None
    except NotJsonError:
        raise
    except ValueError:
        raise NotJsonError(
            "a number of thousands of digits; put it into quotes", Column(1)
        ) from None
    if not isinstance(record, dict):
        raise NotJsonError('not a JSON object; write {"case": …} on every line', Column(1))
    if (half := find_half(text)) and not is_text(encode_json(record)):
        raise NotJsonError(HALF_A_CHARACTER, Column(half))
    return record


def parse_at_once(text: str, texts: Sequence[str]) -> list[dict[str, Any]]:
    """The objects if every line is a flat one; else nothing, and each line must be looked at."""
    try:
        found = list(map(_DECODER.raw_decode, texts))
        ends = [end for _, end in found]
        records: list[dict[str, Any]] = [record for record, _ in found]
        are_whole = ends == list(map(len, texts)) and set(map(type, records)) == {dict}
        # as many ends of keys as keys: nothing is nested, and no key was given twice
        ends_of_keys = list(map(methodcaller("count", '":'), texts))
        are_flat = ends_of_keys == list(map(len, records)) and not _ODD.search(text)
    except (ValueError, TypeError, RecursionError):
        return []
    return records if are_whole and are_flat else []


def as_text(value: Any) -> str:
    """A JSON value as the cell of a CSV file would hold it.

    >>> as_text("a"), as_text(3), as_text(None), as_text(["x"]), as_text(True)
    ('a', '3', '', '["x"]', 'true')
    """
    if isinstance(value, str):
        return value
    if type(value) is int:
        return str(value)
    return "" if value is None else encode_json(value)


def find_half(text: str) -> int:
    """The place, from 1, of the first character that may be half of one; 0 if there is none."""
    found = _HALF.search(text)
    return found.start() + 1 if found else 0


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record: dict[str, Any] = {}
    for key, value in pairs:
        if key in record:
            raise NotJsonError("the key is given twice in one object; keep one", Column(title=key))
        record[key] = value
    return record
