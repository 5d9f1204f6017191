"""Corrected sentences in JSON that is not ours: what models and evaluation harnesses write.

One record a line (JSONL), or all of them in one JSON list; blank lines are skipped. A record is

- a string: the corrected sentence;
- an object with one key of `HYPOTHESIS_KEYS`, whose value is the corrected sentence. `text` counts
  where none of the others is there. A source sentence under one of `SOURCE_KEYS` is checked against
  the gold's; other keys are not looked at;
- a sample of lm-evaluation-harness (`samples_*.jsonl`): the first of `filtered_resps`, in the order
  of `doc_id`, which must run from 0 without a gap; the source is looked for in `doc`. Of several
  filters the first counts.

All records of a file have the same shape. Any other shape is refused, never read as prose.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from jurybox.errors import InputError, warn
from jurybox.formats._io import PEEK, BadLines, Input, is_text
from jurybox.formats.edits.jsonl import SENTENCE_KEYS
from jurybox.formats.tables.long_tables import HALF_A_CHARACTER

HYPOTHESIS_KEYS = (
    *("hypothesis", "hyp", "prediction", "predicted", "pred"),
    *("output", "model_output", "system_output", "response", "completion"),
    *("generation", "generated_text"),
    *("corrected", "corrected_text", "corrected_sentence", "correction"),
)
LAST_RESORT = "text"
SOURCE_KEYS = ("source", "src", "original", "orig")
KNOWN = f"Known keys: {', '.join((*HYPOTHESIS_KEYS, LAST_RESORT))}"
#: keys that a message lists
LISTED = 12

# an object with a first key, also in Python's quotes, which JSON does not have
_OBJECT = r"""\{\s*(?:"[^"\n]*"\s*:|'[^'\n]*'\s*:|\}\s*$)"""
_STRING = r'"(?:[^"\\\n]|\\.)*"'
_START = re.compile(rf"{_OBJECT}|\[\s*(?:{_OBJECT}|{_STRING}\s*[,\]]|\])", re.MULTILINE)


class JsonText(NamedTuple):
    """A corrected sentence, its line (or place in the list), and its source if it is given."""

    line: int
    text: str
    source: str | None = None


def is_json(given: Input) -> bool:
    r"""Whether a file holds JSON, as far as its beginning tells.

    >>> is_json(Input.from_text('{"id": 7}\n')), is_json(Input.from_text('{ sic } He goes .\n'))
    (True, False)
    >>> is_json(Input.from_text('"He goes ."\n"Hi"')), is_json(Input.from_text('"Go !" he said .'))
    (True, False)
    """
    if not given.head(64).lstrip().startswith(("{", "[", '"')):
        return False
    head = given.head().lstrip()
    if not head.startswith('"'):
        return _START.match(head) is not None
    lines = [line.strip() for line in head.split("\n")]
    if len(lines) > 1 and len(head) > PEEK // 4:
        lines.pop()  # may be cut off
    return all(re.fullmatch(_STRING, line) for line in lines if line)


def is_ours(given: Input) -> bool:
    """Whether what begins like our own JSONL is it: it has only our keys, and more than `text`."""
    head = given.head().lstrip()
    try:
        record = json.loads(head.partition("\n")[0])
    except ValueError:
        return True  # its reader says what is wrong
    if not isinstance(record, dict) or record.keys() - SENTENCE_KEYS:
        return False
    return LAST_RESORT not in record or '"annotations"' in head


def warn_of_quotes(given: Input) -> None:
    """Quoted lines may be JSON strings or sentences that a model put into quotes."""
    head = given.head().lstrip()
    if head.startswith('"') and "\\" not in head:
        warn(
            f"{given.name}: every line is in quotes: read as JSON strings, without the quotes; "
            "--hyp-format json does so without this warning, --hyp-format text keeps the quotes"
        )


def refuse_json(given: Input, what: str) -> None:
    """JSON where plain text is asked for would be taken for sentences."""
    if is_json(given):
        message = f"is JSON, but {what} is plain text, one sentence per line"
        raise given.error(f"{message}; write the sentences alone", 1)


def read(given: Input, key: str | None = None) -> Iterator[JsonText]:
    r"""The corrected sentences; `key` says under which key of the objects they are.

    >>> [one.text for one in read(Input.from_text('{"id": 1, "output": "He goes ."}\n'))]
    ['He goes .']
    """
    bad = BadLines(given.name)
    shape: _Strings | None = None
    for number, value in _records(given, bad):
        try:
            if shape is None:
                shape = _shape_of(value, key)
            found = shape.read(number, value)
        except ValueError as error:
            if _is_list(given):
                raise given.error(f"item {number}: {error}") from None
            bad.add(number, str(error))
            if shape is None:
                break  # every line would be refused
            continue
        if found is not None and not bad.count:
            yield found
    bad.raise_first()
    if shape is None:
        raise given.error("holds no corrected sentence")
    yield from shape.rest(given.name)


def _is_list(given: Input) -> bool:
    return given.head(64).lstrip().startswith("[")


def _records(given: Input, bad: BadLines) -> Iterator[tuple[int, Any]]:
    """Every value with its line, or with its place in the list."""
    if _is_list(given):
        yield from enumerate(_listed(given), 1)
        return
    for number, line in given.lines(bad):
        if not line or line.isspace():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            what = error.msg if isinstance(error, json.JSONDecodeError) else "nested too deep"
            bad.add(
                number,
                f"not JSON: {what}; write one object or string per line, or one list. If this is "
                "plain text, say --hyp-format text",
            )
        else:
            yield number, value


def _listed(given: Input) -> list[Any]:
    text = "\n".join(line for _, line in given.lines())
    try:
        values = json.loads(text)
    except (ValueError, RecursionError) as error:
        message, line = "nested too deep", 1
        if isinstance(error, json.JSONDecodeError):
            message, line = error.msg, error.lineno
        raise given.error(
            f"not one JSON list: {message}; a file holds one list, or one object or string per "
            "line. If this is plain text, say --hyp-format text",
            line,
        ) from None
    assert isinstance(values, list)  # it begins with [
    return values


def _shape_of(value: Any, key: str | None) -> _Strings:
    """The shape of the first record, which all must have; ValueError says what was found."""
    if isinstance(value, str):
        if key is not None:
            raise ValueError(f"a string, not an object with the key '{key}'; leave out --hyp-key")
        return _Strings()
    if not isinstance(value, dict):
        raise ValueError(f"{_name(value)}, not an object or a string; {KNOWN}")
    if "doc_id" in value and "filtered_resps" in value:
        return _Samples(key or "filtered_resps")
    if key is not None:
        return _Objects(key)
    found = [name for name in HYPOTHESIS_KEYS if name in value]
    if not found and LAST_RESORT in value:
        found = [LAST_RESORT]
    if len(found) > 1:
        raise ValueError(
            f"several keys could hold the corrected sentence: {', '.join(found)}; say which, as "
            f"--hyp-key {found[0]}"
        )
    if not found:
        raise ValueError(
            f"no known key for the corrected sentence; {_keys_of(value)}. {KNOWN}; name another "
            "with --hyp-key KEY"
        )
    return _Objects(found[0])


def _keys_of(record: Mapping[str, Any]) -> str:
    names = list(record)
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    return f"keys there: {', '.join(names[:LISTED])}{more}" if names else "the object is empty"


def _name(value: Any) -> str:
    kinds = {str: "a string", dict: "an object", list: "a list", bool: "true or false"}
    return "null" if value is None else kinds.get(type(value), "a number")


class _Strings:
    """The sentence itself."""

    def read(self, number: int, value: Any) -> JsonText | None:
        if not isinstance(value, str):
            raise ValueError(f"{_name(value)}, where the file began with strings")
        return JsonText(number, _whole(value))

    def rest(self, name: str) -> Iterator[JsonText]:
        return iter(())


class _Objects(_Strings):
    """An object with the sentence under a key."""

    def __init__(self, key: str) -> None:
        self.key = key

    def read(self, number: int, value: Any) -> JsonText | None:
        text = self.value_of(value)
        if isinstance(text, list) and len(text) == 1:
            text = text[0]
        if not isinstance(text, str):
            raise ValueError(
                f"'{self.key}' is {_name(text)}, not a string; write \"\" where a system returned "
                "nothing"
            )
        return JsonText(number, _whole(text), _source_of(value))

    def value_of(self, record: Any) -> Any:
        if not isinstance(record, dict):
            raise ValueError(f"{_name(record)}, where the file began with objects")
        if self.key not in record:
            raise ValueError(f"no key '{self.key}'; {_keys_of(record)}")
        return record[self.key]


class _Samples(_Objects):
    """Samples of lm-evaluation-harness: in any order, once for every filter."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.filters: dict[str, None] = {}
        self.samples: dict[int, JsonText] = {}
        self.several = 0

    def read(self, number: int, value: Any) -> JsonText | None:
        text = self.value_of(value)
        several = False
        while isinstance(text, list) and text:
            several = several or len(text) > 1
            text = text[0]
        if not isinstance(text, str):
            raise ValueError(
                f"'{self.key}' holds {_name(text)}, not generated text; only tasks that generate "
                "text (output_type generate_until) can be scored"
            )
        place = value.get("doc_id")
        if not isinstance(place, int) or place < 0:
            raise ValueError("doc_id must be a whole number from 0")
        name = str(value.get("filter", "none"))
        self.filters[name] = None
        if name != next(iter(self.filters)):
            return None
        if place in self.samples:
            raise ValueError(f"doc_id {place} is on line {self.samples[place].line} already")
        doc = value.get("doc")
        source = _source_of(doc) if isinstance(doc, dict) else None
        self.samples[place] = JsonText(number, _whole(text), source)
        self.several += several
        return None

    def rest(self, name: str) -> Iterator[JsonText]:
        """The sentences in order, once all are there."""
        wanted = range(len(self.samples))
        missing = next((place for place in wanted if place not in self.samples), None)
        if missing is not None:
            raise InputError(
                f"{name}: doc_id {missing} is missing (there are {len(self.samples)}, up to "
                f"{max(self.samples)}); run the task on the whole test set, without --limit"
            )
        if len(self.filters) > 1:
            used, *others = self.filters
            warn(
                f"{name}: samples of several filters; those of '{used}' count, those of "
                f"{', '.join(others)} do not. To score these, keep their lines alone"
            )
        if self.several:
            warn(f"{name}: {self.several} samples hold several responses; the first counts")
        return (self.samples[place] for place in wanted)


def _whole(text: str) -> str:
    if not is_text(text):
        raise ValueError(HALF_A_CHARACTER)
    return text


def _source_of(record: Mapping[str, Any]) -> str | None:
    found = (record[key] for key in SOURCE_KEYS if isinstance(record.get(key), str))
    return next(found, None)
