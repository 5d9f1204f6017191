"""JSONL of our own: one sentence per line, everything a Sentence knows, nothing else.

    {"tokens": ["A", "dogs", "."], "document": "essay-3", "paragraph": 2,
     "annotations": [{"annotator": "A1", "edits": [
        {"start": 1, "end": 2, "replacement": "dog", "type": "Nn"}]}]}

(one line in the file). Keys of a sentence: `tokens` (list of strings) or instead `text` (a string,
split at white space); optional `document` (string), `paragraph` (whole number), `annotations`: the
candidates, in panel order; an annotator who is not listed did not look at the sentence; without
the key nobody did. Keys of an edit: `start`, `end` (token offsets, half-open), `replacement` (as
in M2: "" or "-NONE-" deletes, `||` separates alternatives); optional `type` ("UNK"), `required`
("REQUIRED"), `comment` ("-NONE-"), written where they differ from these defaults.

Unlike M2 the format is lossless. Keys we do not know are errors: they would be lost in the next
round trip. Blank lines are skipped.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, TextIO

from jurybox.errors import InputError, explain_span
from jurybox.formats._io import BadLines, File, as_input, is_text
from jurybox.model import Annotation, Edit, Sentence

SENTENCE_KEYS = frozenset({"tokens", "text", "document", "paragraph", "annotations"})
ANNOTATION_KEYS = frozenset({"annotator", "edits"})
EDIT_KEYS = frozenset({"start", "end", "replacement", "type", "required", "comment"})
EDIT_TEXTS = ("replacement", "type", "required", "comment")
_DEFAULTS = {"required": "REQUIRED", "comment": "-NONE-"}


def read(source: File) -> Iterator[Sentence]:
    """The sentences of a JSONL file, one after another.

    >>> from jurybox.formats import Input
    >>> next(read(Input.from_text('{"text": "A dog ."}'))).tokens
    ('A', 'dog', '.')
    """
    return (sentence for _, sentence in read_numbered(source))


def read_numbered(source: File) -> Iterator[tuple[int, Sentence]]:
    """(line number, sentence) for every sentence."""
    given = as_input(source)
    bad = BadLines(given.name)
    sentences = 0
    for number, text in given.lines(bad):
        if not text or text.isspace():
            continue
        sentences += 1
        try:
            sentence = _sentence(_parse(text))
        except ValueError as error:
            bad.add(number, str(error))
            continue
        if not bad.count:
            yield number, sentence
    if not sentences and not bad.count:
        bad.add(None, 'holds no sentence; write one {"tokens": […]} per line')
    bad.raise_first()


def write(sentences: Iterable[Sentence], out: TextIO) -> None:
    for number, sentence in enumerate(sentences, 1):
        line = json.dumps(_record(sentence), ensure_ascii=False)
        if not is_text(line):
            raise InputError(
                f"sentence {number} holds half a character (U+D800 to U+DFFF); "
                "decode the text as UTF-8"
            )
        out.write(f"{line}\n")


def _parse(text: str) -> dict[str, Any]:
    try:
        record = json.loads(text, object_pairs_hook=_distinct)
    except json.JSONDecodeError as error:
        raise ValueError(
            f"not JSON: {error.msg} at column {error.colno}; one object a line"
        ) from None
    except RecursionError:
        raise ValueError("not a sentence: the JSON is nested too deep") from None
    if not isinstance(record, dict):
        raise ValueError('not a JSON object; write {"tokens": […], "annotations": […]}')
    if "\\u" in text and not is_text(json.dumps(record, ensure_ascii=False)):
        raise ValueError("half a character (\\ud800 to \\udfff alone); write the text as UTF-8")
    return record


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        raise ValueError("a key is given twice in one object; keep one")
    return record


def _sentence(record: dict[str, Any]) -> Sentence:
    _check_keys(record, SENTENCE_KEYS, "sentence")
    if ("tokens" in record) == ("text" in record):
        raise ValueError('a sentence needs "tokens" or "text", and not both')
    if "text" in record:
        tokens = tuple(_text(record, "text").split())
    else:
        tokens = tuple(_list(record, "tokens"))
        if not all(isinstance(token, str) for token in tokens):
            raise ValueError('"tokens" must be a list of strings')
        if any(token.split() != [token] for token in tokens):
            raise ValueError('a token in "tokens" is empty or contains white space')
    document = None if record.get("document") is None else _text(record, "document")
    paragraph = None if record.get("paragraph") is None else _whole(record, "paragraph")
    annotations = tuple(
        _annotation(item, len(tokens)) for item in _list(record, "annotations", optional=True)
    )
    names = [annotation.annotator for annotation in annotations]
    if len(set(names)) < len(names):
        raise ValueError("an annotator is listed twice; join their edits")
    return Sentence(tokens, annotations, document, paragraph)


def _annotation(record: Any, length: int) -> Annotation:
    _check_keys(record, ANNOTATION_KEYS, "annotation")
    edits = tuple(_edit(item, length) for item in _list(record, "edits", optional=True))
    return Annotation(_text(record, "annotator"), edits)


def _edit(record: Any, length: int) -> Edit:
    _check_keys(record, EDIT_KEYS, "edit")
    start, end = _whole(record, "start"), _whole(record, "end")
    if start < 0:
        raise ValueError(f'"start" is {start}; offsets count tokens from 0')
    if wrong := explain_span(start, end, length):
        raise ValueError(wrong)
    texts = {key: _text(record, key) for key in EDIT_TEXTS if key in record or key == "replacement"}
    return Edit(start, end, **texts)


def _check_keys(record: Any, known: frozenset[str], what: str) -> None:
    if not isinstance(record, dict):
        raise ValueError(f"the {what} is not a JSON object")
    if unknown := sorted(record.keys() - known):
        names = ", ".join(f'"{key}"' for key in unknown)
        raise ValueError(f"unknown key {names} in the {what}; known: {', '.join(sorted(known))}")


def _text(record: dict[str, Any], key: str) -> str:
    value = record.get(key)
    if not isinstance(value, str):
        raise ValueError(f'"{key}" must be a string')
    return value


def _whole(record: dict[str, Any], key: str) -> int:
    value = record.get(key)
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(f'"{key}" must be a whole number')
    return value


def _list(record: dict[str, Any], key: str, *, optional: bool = False) -> list[Any]:
    value = record.get(key, [] if optional else None)
    if not isinstance(value, list):
        raise ValueError(f'"{key}" must be a list')
    return value


def _record(sentence: Sentence) -> dict[str, Any]:
    context = {"document": sentence.document, "paragraph": sentence.paragraph}
    annotations = [
        {"annotator": one.annotator, "edits": [_edit_record(edit) for edit in one.edits]}
        for one in sentence.annotations
    ]
    known = {key: value for key, value in context.items() if value is not None}
    return {"tokens": list(sentence.tokens), **known, "annotations": annotations}


def _edit_record(edit: Edit) -> dict[str, Any]:
    return {key: value for key, value in edit._asdict().items() if value != _DEFAULTS.get(key)}
