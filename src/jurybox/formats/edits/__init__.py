"""Texts and edits: M2, SGML, JSONL, labels, text, essays, parallel texts, panels of annotators.

`FORMATS` names the formats. `detect` goes by the content, never by the file's name. A wrong guess
would score the wrong thing, so each format must show what only it has: SGML a leading <DOC>, JSONL
an object with one of our keys, M2 an A line (or S lines set apart by blank lines), labels of tokens
a tab and c or i, essays a heading with essay_id. All else is plain text, also a sentence that
happens to begin with "S " or "{".
"""

from __future__ import annotations

import re
from importlib import import_module
from types import ModuleType
from typing import Literal

from jurybox.errors import unknown_name
from jurybox.formats._io import File, as_input

FormatName = Literal["m2", "sgml", "jsonl", "labels", "text", "essays"]
#: name of a format -> its module, with `read` and (but for essays) `write`
FORMATS: dict[str, str] = {
    "m2": "jurybox.formats.edits.m2",
    "sgml": "jurybox.formats.edits.sgml",
    "jsonl": "jurybox.formats.edits.jsonl",
    "labels": "jurybox.formats.edits.labels",
    "text": "jurybox.formats.edits.text",
    "essays": "jurybox.formats.edits.essays",
}
# possessive (*+): a head full of comments must not be matched in all possible ways
_SGML_START = re.compile(
    r"(?>\s+|<\?xml[^>]*>|<!--.*?-->|<!(?!--)[^>]*>)*+<DOC\b[^>]*>", re.IGNORECASE | re.DOTALL
)
_JSON_START = re.compile(r'\{\s*"(?:tokens|text|document|paragraph|annotations)"\s*:')
_ESSAY = re.compile(r"^#{1,6}[ \t]*essay_id[ \t]*=", re.IGNORECASE | re.MULTILINE)
#: a token with its label, or with an empty one: the reader says that it is missing
_LABEL = re.compile(r"(?:\d+\t)?(?:[^\t]*\t[ci]|[^\t ]+\t)[ \t\r]*", re.IGNORECASE)
_M2_EDIT = re.compile(r"^A \S+ \S+?\|\|\|", re.MULTILINE)


def load(name: str) -> ModuleType:
    """The module of a format.

    >>> load("m2").__name__
    'jurybox.formats.edits.m2'
    """
    if name not in FORMATS:
        raise unknown_name("format", name, FORMATS)
    return import_module(FORMATS[name])


def detect(source: File) -> FormatName:
    r"""The format of a source: m2, sgml, jsonl, labels, text or essays.

    >>> from jurybox.formats import Input
    >>> detect(Input.from_text("S A dog .\n\nS A cat .\n"))
    'm2'
    >>> detect(Input.from_text("S Club 7 sang .\nThey danced .\n"))
    'text'
    """
    given = as_input(source)
    head = given.head()
    if not head:
        raise given.error("is empty")
    start = head.lstrip()
    if _SGML_START.match(start):
        return "sgml"
    if _JSON_START.match(start):
        return "jsonl"
    if "#" in head and _ESSAY.search(head):  # text above the first heading: its reader says so
        return "essays"
    if "\t" in head and _looks_like_labels(head):
        return "labels"
    return "m2" if _looks_like_m2(head) else "text"


def _looks_like_labels(head: str) -> bool:
    """Most of the first tokens have a label; the reader names the line of one that has none."""
    *lines, last = head.split("\n")
    tokens = [line for line in lines or [last] if line.strip() and not line.startswith("# ")]
    labelled = sum(_LABEL.fullmatch(line) is not None for line in tokens[:50])
    return 2 * labelled > len(tokens[:50])


def _looks_like_m2(head: str) -> bool:
    if not head.lstrip().startswith(("S", "A ")):
        return False
    lines = [line.rstrip("\r") for line in head.split("\n")]
    written = [line for line in lines if line.strip()]
    if not written or not (written[0] == "S" or written[0].startswith(("S ", "A "))):
        return False
    if _M2_EDIT.search(head):
        return True
    only_sentences = all(line == "S" or line.startswith("S ") for line in written)
    set_apart = "" in (line.strip() for line in lines[1:-1])
    return only_sentences and set_apart
