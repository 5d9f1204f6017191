"""Formats of other packages: sentences with edits, read where a format is asked for by its name.

Such a format is anything with

    read(lines)             Sentences out of (line number, line) pairs
    write(sentences, out)   the same to an open file; only if it can be written

Compression, standard input, encodings and checksums are ours, and so are the checks: what is read
must be sentences whose edits lie within them. A ValueError of `read` becomes an error with file and
line. These formats are not auto-detected: one is read only where it is named.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, TextIO

from jurybox.errors import FormatError, InputError, JuryboxError, explain_span, unknown_name
from jurybox.formats._io import File, Input, as_input
from jurybox.model import Sentence
from jurybox.plugins import Plugin, find, names, told_of

#: what no package may call its format: ours, and those of judgments
EDITS = ("m2", "jsonl", "sgml", "labels", "text", "essays")
JUDGMENTS = (
    *("csv", "tsv", "json", "doccano", "gug", "long", "mturk", "toloka", "prodigy", "crowdflower"),
    *("label_studio", "counts", "wide"),
)
OURS = (*EDITS, *JUDGMENTS)


def load_format(name: str, kind: str, ours: Iterable[str]) -> PluginFormat:
    """A package's format; UnknownNameError, with every name there is, where nobody offers it."""
    plugin = find("format", name, OURS)
    if plugin is None:
        offered = [one for one in names("format", OURS) if one not in OURS]
        raise unknown_name(kind, name, (*ours, *offered))
    return _loaded(plugin)


@lru_cache(maxsize=8)
def _loaded(plugin: Plugin) -> PluginFormat:
    form = plugin.load()
    if not callable(getattr(form, "read", None)):
        raise InputError(f"{plugin} has no read; a format has read(lines), and perhaps write")
    return PluginFormat(plugin, form)


class PluginFormat:
    """A format of a package, used like a module of ours."""

    def __init__(self, plugin: Plugin, form: Any) -> None:
        self._plugin, self._form = plugin, form

    def read_numbered(self, source: File) -> Iterator[tuple[int, Sentence]]:
        """(the last line that was read for it, sentence) for every sentence."""
        given = as_input(source)
        lines = _NumberedLines(given)
        with told_of(self._plugin, f"failed to read {given.name}"):
            sentences = iter(self._form.read(lines))
        read = 0
        while (sentence := self._next(sentences, lines)) is not None:
            read += 1
            if fault := _fault(sentence):
                raise given.error(f"{fault}, says {self._plugin}", lines.number)
            yield lines.number, sentence
        if not read:
            raise given.error(f"holds no sentence, says {self._plugin}")

    def _next(self, sentences: Iterator[Any], lines: _NumberedLines) -> Any:
        try:
            return next(sentences, None)
        except JuryboxError:
            raise
        except ValueError as error:  # its way to say what is wrong with the file
            message = f"{error} ({self._plugin})"
            raise FormatError(message, path=lines.name, line=lines.number) from error
        except Exception:
            with told_of(self._plugin, f"failed at {lines.name}:{lines.number}"):
                raise

    def write(self, sentences: Iterable[Sentence], out: TextIO) -> None:
        if not callable(getattr(self._form, "write", None)):
            raise InputError(f"{self._plugin} can be read only: it has no write; name another one")
        with told_of(self._plugin, "failed to write"):
            self._form.write(sentences, out)


class _NumberedLines:
    """The numbered lines of a file, and how far they were read."""

    def __init__(self, given: Input) -> None:
        self._lines = given.lines()
        self.name = given.name
        self.number = 0

    def __iter__(self) -> _NumberedLines:
        return self

    def __next__(self) -> tuple[int, str]:
        self.number, line = next(self._lines)
        return self.number, line


def _fault(sentence: Any) -> str:
    """Why this is not a sentence that others can work with."""
    if not isinstance(sentence, Sentence):
        return f"{type(sentence).__name__} is no jurybox.Sentence"
    if not isinstance(sentence.tokens, tuple):
        return "tokens are no tuple"
    for token in sentence.tokens:
        if not isinstance(token, str) or token.split() != [token]:
            return f"{token!r} is no token: tokens are words without blanks"
    spans = ((e.start, e.end) for a in sentence.annotations for e in a.edits)
    faults = (explain_span(start, end, len(sentence.tokens)) for start, end in spans)
    return next(filter(None, faults), "")
