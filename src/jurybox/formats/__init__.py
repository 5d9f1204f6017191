"""Readers and writers, one file per format (docs/formats.md).

`FORMATS` names them; `detect` tells them apart by content, never by the file's name. m2 and jsonl
read and write Sentences, sgml Documents (with `to_sentences` and `from_sentences`), text lines;
`open_panel` reads any of the first three, one file or several, as one panel. A format's module is
imported when it is asked for (`load`, or `from jurybox.formats import sgml`): scoring an M2 file
should not wait for the others.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from jurybox.errors import unknown_name
from jurybox.formats._detect import FormatName, detect
from jurybox.formats._io import Input, Source, as_input
from jurybox.formats._writing import writing
from jurybox.formats.panel import PanelStream, open_panel, read_panel

#: name of a format -> its module, with `read` and `write`
FORMATS: dict[str, str] = {
    "m2": "jurybox.formats.m2",
    "sgml": "jurybox.formats.sgml",
    "jsonl": "jurybox.formats.jsonl",
    "text": "jurybox.formats.text",
}


def load(name: str) -> ModuleType:
    """The module of a format.

    >>> load("m2").__name__
    'jurybox.formats.m2'
    """
    if name not in FORMATS:
        raise unknown_name("format", name, FORMATS)
    return import_module(FORMATS[name])


__all__ = [
    "FORMATS",
    "FormatName",
    "Input",
    "PanelStream",
    "Source",
    "as_input",
    "detect",
    "load",
    "open_panel",
    "read_panel",
    "writing",
]
