"""Readers and writers, one file per format (docs/formats.md).

`FORMATS` names them; `detect` goes by the content, never by the file's name. m2 and jsonl
read and write Sentences, sgml Documents (with `to_sentences` and `from_sentences`), text lines;
`open_panel` reads any of the first three, one file or several, as one panel. A format's module is
imported when it is asked for (`load`, or `from jurybox.formats import sgml`): scoring an M2 file
should not wait for the others.
"""

from __future__ import annotations

from jurybox.formats._io import File, Input, Source, as_input, as_inputs, writing
from jurybox.formats.edits import FORMATS, FormatName, detect, load
from jurybox.formats.edits.panel import PanelStream, open_panel, read_panel

__all__ = [
    "FORMATS",
    "File",
    "FormatName",
    "Input",
    "PanelStream",
    "Source",
    "as_input",
    "as_inputs",
    "detect",
    "load",
    "open_panel",
    "read_panel",
    "writing",
]
