"""What exports in JSON share: objects with their lines, our fields by their keys, marked spans.

`read_objects` gives the objects of a JSON list or of JSONL. `ObjectReading` finds our fields in
them, by the keys a user maps or by those that say the same.

Every span that somebody marked is a case. A rater who looked at the text and did not mark the span
calls it correct. So the cases of a text are known only when all its raters are, and such exports
are held in memory.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from jurybox.errors import Column, FormatError, near_name, plural
from jurybox.formats._io import BadLines, Input, is_text
from jurybox.formats.platforms._columns import SHOWN
from jurybox.formats.platforms._export import (
    ExportRequest,
    ExportRow,
    Raw,
    bad_lines,
    blocks_of,
    ordered,
)
from jurybox.formats.tables.coded import Block
from jurybox.formats.tables.long_tables import (
    HALF_A_CHARACTER,
    as_text,
    encode_json,
    find_half,
    listed,
    read_lines,
)

_DECODER = json.JSONDecoder()
_BLANK = re.compile(r"[ \t\r\n]*")


def read_objects(given: Input, bad: BadLines) -> Iterator[tuple[int, dict[str, Any]]]:
    r"""(line, object) of every object; JSONL goes by line, a JSON list is held as text.

    >>> from jurybox.formats import Input
    >>> list(read_objects(Input.from_text('[{"a": 1},\n {"a": 2}]'), BadLines("x")))
    [(1, {'a': 1}), (2, {'a': 2})]
    """
    if given.head(256).lstrip().startswith("["):
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
    bad = BadLines(given.name)
    text = "\n".join(line for _, line in read_lines(given, bad))
    bad.raise_first()
    place = text.index("[") + 1
    line, counted = 1, 0
    while True:
        place = _skip_blank(text, place)
        line, counted = line + text.count("\n", counted, place), place
        if text.startswith("]", place):
            break
        try:
            item, place = _DECODER.raw_decode(text, place)
        except json.JSONDecodeError as error:
            raise _broken(given, text, error.pos, error.msg) from None
        except (ValueError, RecursionError):
            raise _broken(given, text, place, "nested too deep, or a number too long") from None
        if (complaint := _complaint(item, text[counted:place])) is not None:
            message, inside = complaint
            raise given.error(message, *_locate(text, counted + inside.number - 1))
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


def _broken(given: Input, text: str, place: int, what: str) -> FormatError:
    """Where a list of objects is broken: nothing behind that place can be read."""
    is_cut = place >= len(text.rstrip()) or what.startswith("Unterminated")
    remedy = "the file seems to be cut off; export it again" if is_cut else "export the file again"
    return given.error(f"not JSON: {what}; {remedy}", *_locate(text, place))


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


class ObjectReading:
    """What readers of exports in JSON share: the keys of our fields, spans, notes and complaints.

    `own` are the fields that a format reads in its own way; `further` are keys that serve a field
    where none is mapped. A key that is mapped and that no object has is an error at the end.

    >>> reading = ObjectReading("tasks.json", ExportRequest({"batch": "set"}), ("label",), {})
    >>> reading.read_facts({"text": "He sat .", "set": 3, "label": "ok"})
    {'sentence': 'He sat .', 'batch': '3'}
    """

    def __init__(
        self,
        name: str,
        request: ExportRequest,
        own: Collection[str],
        further: Mapping[str, tuple[str, ...]],
    ) -> None:
        self._map = dict(request.columns)
        self._bad = bad_lines(name)
        self._notes: list[str] = []
        self._spans: list[Marked] = []
        self._nameless = 0  # what lacks a name, of its case or its rater
        self._mapped = {
            field: key.removeprefix("data.").removeprefix("$")
            for field, key in self._map.items()
            if field not in own
        }
        names = {**SHOWN, **further, **{field: (key,) for field, key in self._mapped.items()}}
        self._pairs = [(field, key) for field, keys in names.items() for key in keys]
        self._met: set[str] = set()
        self._keys: dict[str, None] = {}

    def read_facts(self, record: Mapping[str, Any]) -> dict[str, str]:
        """The cells that an object has for us."""
        if not record.keys() <= self._keys.keys():
            self._keys |= dict.fromkeys(record)
        cells: dict[str, str] = {}
        for field, key in self._pairs:
            if key in record and field not in cells and record[key] is not None:
                cells[field] = as_text(record[key])
        self._met.update(cells)
        return cells

    def check_keys(self, path: str) -> None:
        """Refuse keys that were mapped and never met."""
        for field, key in self._mapped.items():
            if field not in self._met and self._keys:
                raise FormatError(
                    f"nothing has the key '{key}' (--columns {field}={key})"
                    f"{near_name(key, self._keys)}; the keys are: {listed(list(self._keys))}",
                    path=path,
                    line=1,
                    column=Column(title=key),
                )

    def rows(self) -> Iterator[ExportRow]:
        raise NotImplementedError

    def rows_of(
        self, given: Input, read: Callable[[int, dict[str, Any], int], Iterable[ExportRow]]
    ) -> Iterator[ExportRow]:
        """The judgments of every object: `read` is given its line, itself and its place."""
        for place, (line, record) in enumerate(read_objects(given, self._bad)):
            try:
                rows = list(read(line, record, place))
            except ValueError as error:
                self._bad.add(line, str(error), getattr(error, "key", None))
            else:
                yield from rows

    def blocks(self, fields: Sequence[str]) -> Iterator[Block]:
        return blocks_of(self.rows(), fields)

    def raw(
        self, fields: Sequence[str], columns: Mapping[str, str], unit: str = "assignment"
    ) -> Raw:
        """The export; `columns` are the keys that complaints name."""
        titles = {**columns, **self._map}
        self._bad.columns = {field: Column(title=title) for field, title in titles.items()}
        found = ordered((*fields, *self._map))
        blocks = self.blocks((*found, "leave", "assignment", "key"))
        return Raw(found, blocks, self._bad, self._notes, titles, unit=unit)


#: the label of a span that a rater left unmarked
UNMARKED = "ok"
Span = tuple[int, int]


class Marked(NamedTuple):
    """One rater's marks in one text; `spans` are characters from 0, half-open."""

    line: int
    text_id: str
    text: str
    rater: str
    spans: Mapping[Span, str]
    cells: Mapping[str, str] = {}  # what else is known of the judgment
    is_gold: bool = False  # the right marks, not somebody's


def read_span(start: Any, end: Any, label: Any, text: str) -> tuple[Span, str]:
    """A span and its label; ValueError says what is wrong with them."""
    if type(start) is not int or type(end) is not int or not 0 <= start <= end:
        raise ValueError(
            f"span {start!r} to {end!r} is none; it counts characters from 0, as 3 to 5"
        )
    if end > len(text):
        raise ValueError(
            f"span {start}-{end} ends outside the text of {len(text)} characters; "
            "was the text changed after it was marked?"
        )
    return (start, end), as_label(label)


def span_rows(marked: Iterable[Marked]) -> Iterator[ExportRow]:
    """One row per span and rater of its text; a text that nobody marked gives none.

    >>> ann = Marked(1, "7", "He go home .", "Ann", {(3, 5): "SVA"})
    >>> bob = Marked(2, "7", "He go home .", "Bob", {})
    >>> rows = list(span_rows([ann, bob]))
    >>> [[row.cells[field] for field in ("case", "rater", "label")] for row in rows]
    [['7:3-5', 'Ann', 'SVA'], ['7:3-5', 'Bob', 'ok']]
    """
    texts: dict[str, list[Marked]] = {}
    for each in marked:
        texts.setdefault(each.text_id, []).append(each)
    for text_id, everybody in texts.items():
        right = next((each.spans for each in everybody if each.is_gold), None)
        text = everybody[0].text
        for start, end in sorted({span for each in everybody for span in each.spans}):
            known = {"case": f"{text_id}:{start}-{end}", **_place(text, start, end)}
            if right is not None:
                known["gold"] = right.get((start, end), UNMARKED)
            for each in everybody:
                if not each.is_gold:
                    label = each.spans.get((start, end), UNMARKED)
                    yield ExportRow(
                        each.line, {**each.cells, **known, "rater": each.rater, "label": label}
                    )


def note_unmarked(marked: Iterable[Marked]) -> list[str]:
    """The note on texts without any mark: there is no case for them.

    >>> note_unmarked([Marked(1, "7", "Fine .", "Ann", {}), Marked(2, "8", "It .", "Bob", {})])
    ['2 texts without any mark: no case is made of them']
    """
    texts: dict[str, bool] = {}
    for each in marked:
        texts[each.text_id] = texts.get(each.text_id, False) or bool(each.spans)
    bare = sum(not is_marked for is_marked in texts.values())
    return [f"{plural(bare, 'text')} without any mark: no case is made of them"] if bare else []


def _place(text: str, start: int, end: int) -> dict[str, str]:
    """Sentence, words, and the tokens they are where the span begins and ends with one."""
    known = {"sentence": text, "written": text[start:end]}
    before, behind = text[:start], text[end:]
    begins = not before or before[-1].isspace()
    ends = not behind or behind[0].isspace()
    if begins and ends and not text[start:end].isspace() and end > start:
        first = len(before.split())
        known |= {"start": str(first), "end": str(first + len(text[start:end].split()))}
    return known
