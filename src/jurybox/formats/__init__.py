"""Readers and writers, one file per format (spec/formats.md).

`FORMATS` names them; `detect` tells them apart by content, never by the file's name. m2 and jsonl
read and write Sentences, sgml Documents (and `to_sentences`), text lines; `open_panel` reads any
of the first three, one file or several, as one panel.
"""

from __future__ import annotations

from types import ModuleType

from jurybox.formats import jsonl, m2, sgml, text
from jurybox.formats._detect import FormatName, detect
from jurybox.formats._io import Input, Source, as_input, writing
from jurybox.formats.panel import PanelStream, open_panel, read_panel

FORMATS: dict[str, ModuleType] = {"m2": m2, "sgml": sgml, "jsonl": jsonl, "text": text}

__all__ = [
    "FORMATS",
    "FormatName",
    "Input",
    "PanelStream",
    "Source",
    "as_input",
    "detect",
    "open_panel",
    "read_panel",
    "writing",
]
