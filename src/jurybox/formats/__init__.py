"""Readers and writers, one file per format (docs/formats.md).

`FORMATS` names them; `detect` goes by the content, never by the file's name. m2 and jsonl
read and write Sentences, sgml Documents (with `to_sentences` and `from_sentences`), text lines;
`open_panel` reads any of the first three, one file or several, as one panel. A format's module is
imported when it is asked for (`load`): scoring an M2 file should not wait for the others. So are
readers of edits and panels: `--help` needs none of them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from jurybox.formats._io import File, Input, Source, as_input, as_inputs, writing

if TYPE_CHECKING:
    from jurybox.formats.edits import FORMATS, FormatName, detect, load
    from jurybox.formats.edits.panel import PanelStream, open_panel, read_panel

__all__ = [
    "FORMATS",
    "MISSING_RULES",
    "PLATFORMS",
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
#: platforms whose exports are read, each by the module of its name in formats/platforms
PLATFORMS = ("mturk", "crowdflower", "toloka", "label_studio", "doccano", "prodigy", "gug")
#: what an annotator without a line in a sentence did there
MISSING_RULES = ("auto", "same", "none", "skipped")
_OF_PANELS = ("PanelStream", "open_panel", "read_panel")


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'jurybox.formats' has no attribute '{name}'")
    module = import_module(f"jurybox.formats.edits{'.panel' if name in _OF_PANELS else ''}")
    value = globals()[name] = getattr(module, name)
    return value
