"""Objects of a JSON list or of JSONL, one after another, each with the line it begins in."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from jurybox.errors import Column, FormatError
from jurybox.formats._bad_cells import BadCells
from jurybox.formats._io import Input
from jurybox.formats._json_lines import HALF_A_CHARACTER, as_text, find_half
from jurybox.formats._pieces import read_lines
from jurybox.formats.long_tables import encode_json, is_text

_DECODER = json.JSONDecoder()
_BLANK = re.compile(r"[ \t\r\n]*")


def read_objects(given: Input, bad: BadCells) -> Iterator[tuple[int, dict[str, Any]]]:
    r"""(line, object) of every object; JSONL goes by line, a JSON list is held as text.

    >>> from jurybox.formats import Input
    >>> list(read_objects(Input.from_text('[{"a": 1},\n {"a": 2}]'), BadCells("x")))
    [(1, {'a': 1}), (2, {'a': 2})]
    """
    if given.peek(256).removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"["):
        yield from _of_list(given)
        return
    for line, text in read_lines(given, bad):
        if not text.strip():
            continue
        try:
            item = json.loads(text)
        except json.JSONDecodeError as error:
            cut = " (was the file cut off?)" if error.pos >= len(text.rstrip()) else ""
            message = f"not JSON: {error.msg}{cut}; one object a line"
            bad.add(line, message, Column(error.colno))
            continue
        except (ValueError, RecursionError):
            message = "the JSON is nested too deep, or has a number of thousands of digits"
            bad.add(line, f"{message}; export it again", Column(1))
            continue
        if (complaint := _complaint(item, text)) is None:
            yield line, item
        else:
            bad.add(line, *complaint)


def _complaint(item: Any, text: str) -> tuple[str, Column] | None:
    if not isinstance(item, dict):
        return "not a JSON object, as every task or text is one; export the file again", Column(1)
    if (half := find_half(text)) and not is_text(encode_json(item)):
        return HALF_A_CHARACTER, Column(half)
    return None


def _of_list(given: Input) -> Iterator[tuple[int, dict[str, Any]]]:
    bad = BadCells(given.name)
    text = "\n".join(line for _, line in read_lines(given, bad))
    bad.raise_first()
    place = text.index("[") + 1
    line, counted = 1, 0
    while True:
        place = _skip_blank(text, place)
        line, counted = line + text.count("\n", counted, place), place
        if text.startswith("]", place):
            break
        item, place = _decode(given, text, place)
        if (complaint := _complaint(item, text[counted:place])) is not None:
            message, inside = complaint
            here, column = _locate(text, counted + inside.number - 1)
            raise FormatError(message, path=given.name, line=here, column=column)
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
    line, column = _locate(text, place)
    remedy = "the file seems to be cut off; export it again" if is_cut else "export the file again"
    return FormatError(f"not JSON: {what}; {remedy}", path=given.name, line=line, column=column)


def _locate(text: str, place: int) -> tuple[int, Column]:
    """Line and column of a character, both from 1."""
    return text.count("\n", 0, place) + 1, Column(place - text.rfind("\n", 0, place))


def as_label(value: Any) -> str:
    """What was chosen: one thing as it is, several as a JSON list.

    >>> as_label(["ok"]), as_label(["ok", "odd"]), as_label([]), as_label("ok")
    ('ok', '["ok", "odd"]', '', 'ok')
    """
    if isinstance(value, list) and len(value) < 2:
        return as_label(value[0]) if value else ""
    return as_text(value)
