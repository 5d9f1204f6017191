"""Objects of a JSON list or of JSONL, one after another, each with the line it begins in."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from jurybox.errors import FormatError
from jurybox.formats._io import BadLines, Input
from jurybox.formats.long_tables import encode_json, is_text

_DECODER = json.JSONDecoder()
_BLANK = re.compile(r"[ \t\r\n]*")


def read_objects(given: Input, bad: BadLines) -> Iterator[tuple[int, dict[str, Any]]]:
    r"""(line, object) of every object; JSONL goes by line, a JSON list is held as text.

    >>> from jurybox.formats import Input
    >>> list(read_objects(Input.from_text('[{"a": 1},\n {"a": 2}]'), BadLines("x")))
    [(1, {'a': 1}), (2, {'a': 2})]
    """
    if given.peek(256).removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"["):
        yield from _of_list(given)
        return
    for line, text in given.lines(bad):
        if not text.strip():
            continue
        try:
            item = json.loads(text)
        except json.JSONDecodeError as error:
            cut = " (was the file cut off?)" if error.pos >= len(text.rstrip()) else ""
            bad.add(line, f"column {error.colno}: not JSON: {error.msg}{cut}; one object a line")
            continue
        except (ValueError, RecursionError):
            bad.add(line, "the JSON is nested too deep, or has a number of thousands of digits")
            continue
        if (complaint := _complaint(item, text)) is None:
            yield line, item
        else:
            bad.add(line, complaint)


def _complaint(item: Any, text: str) -> str | None:
    if not isinstance(item, dict):
        return "not a JSON object"
    if "\\u" in text and not is_text(encode_json(item)):
        return "half a character (\\ud800 to \\udfff alone); write the text as UTF-8"
    return None


def _of_list(given: Input) -> Iterator[tuple[int, dict[str, Any]]]:
    text = "\n".join(line for _, line in given.lines())
    place = text.index("[") + 1
    line, counted = 1, 0
    while True:
        place = _skip_blank(text, place)
        line, counted = line + text.count("\n", counted, place), place
        if text.startswith("]", place):
            break
        item, place = _decode(given, text, place)
        if (complaint := _complaint(item, text[counted:place])) is not None:
            raise FormatError(complaint, path=given.name, line=line)
        yield line, item
        place = _skip_blank(text, place)
        if text.startswith(",", place):
            place += 1
        elif not text.startswith("]", place):
            raise _broken(given, text, place, "a comma or the end of the list is missing")
    if _skip_blank(text, place + 1) < len(text):
        raise _broken(given, text, place + 1, "something follows the end of the list")


def _skip_blank(text: str, place: int) -> int:
    found = _BLANK.match(text, place)
    return found.end() if found else place


def _decode(given: Input, text: str, place: int) -> tuple[Any, int]:
    try:
        return _DECODER.raw_decode(text, place)
    except json.JSONDecodeError as error:
        raise _broken(given, text, error.pos, error.msg) from None
    except (ValueError, RecursionError):
        raise _broken(given, text, place, "nested too deep, or a number too long") from None


def _broken(given: Input, text: str, place: int, what: str) -> FormatError:
    """Where a list of objects is broken: nothing behind that place can be read."""
    is_cut = place >= len(text.rstrip()) or what.startswith("Unterminated")
    line = text.count("\n", 0, place) + 1
    column = place - text.rfind("\n", 0, place)
    remedy = "the file seems to be cut off; export it again" if is_cut else "export the file again"
    return FormatError(f"column {column}: not JSON: {what}; {remedy}", path=given.name, line=line)


def as_word(value: Any) -> str:
    """A JSON value as a cell holds it.

    >>> as_word("a"), as_word(3), as_word(None), as_word(["x"]), as_word(True)
    ('a', '3', '', '["x"]', 'true')
    """
    if isinstance(value, str):
        return value
    if type(value) is int:
        return str(value)
    return "" if value is None else encode_json(value)


def as_label(value: Any) -> str:
    """What was chosen: one thing as it is, several as a JSON list.

    >>> as_label(["ok"]), as_label(["ok", "odd"]), as_label([]), as_label("ok")
    ('ok', '["ok", "odd"]', '', 'ok')
    """
    if isinstance(value, list) and len(value) < 2:
        return as_label(value[0]) if value else ""
    return as_word(value)
