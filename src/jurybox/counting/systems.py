"""From what the user gave to streams of sentences: paths, lines in memory, panels.

A `str` or path is a file (`-` is standard input); a list of strings is one sentence each; a dict
names several systems. Formats are auto-detected. Everything is read in lockstep, so that
files of any size stream, and a file that ends before the others is an error, never a shorter score.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar

from jurybox.errors import (
    FormatError,
    InputError,
    LengthError,
    UsageError,
    explain_difference,
    same_tokens,
)
from jurybox.formats import Input, PanelStream, as_inputs, detect, open_panel
from jurybox.formats._io import MEMORY, Frame
from jurybox.formats.edits import essays, folders, text
from jurybox.formats.edits.missing_annotators import NONE, SAME, SKIPPED
from jurybox.formats.edits.panel import distinct_names, with_documents
from jurybox.model import Edit, Panel, Sentence, apply_edits


class Array(Protocol):
    """Sentences in an array of NumPy, or in a column of a frame."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[Any]: ...

    def tolist(self) -> Any: ...


Lines: TypeAlias = Sequence[str] | Array
Hypothesis: TypeAlias = "str | os.PathLike[str] | Input | Lines"
#: one system; several, by name or not; or a frame with a column for each
Systems: TypeAlias = "Hypothesis | Mapping[str, Hypothesis] | Sequence[Hypothesis] | Frame"
File: TypeAlias = "str | os.PathLike[str] | Input"
Gold: TypeAlias = "File | Sequence[File] | Panel | PanelStream"

HYPOTHESIS_FORMATS = ("text", "m2", "sgml", "jsonl", "json", "labels", "essays")

#: first bytes of files that may be JSON: what it begins with, white space, a byte order mark
JSON_STARTS = (b"{", b"[", b'"', b" ", b"\n", b"\r", b"\t", b"\xef")

T = TypeVar("T")


class System(NamedTuple):
    """A system's output before it is read: its name, and where it comes from."""

    name: str
    source: Input | tuple[str, ...]
    format: str  # one of HYPOTHESIS_FORMATS, or that of a package
    key: str | None = None  # of the corrected sentences in JSON; None: its keys decide

    @property
    def place(self) -> str:
        """What error messages call it."""
        return self.source.name if isinstance(self.source, Input) else self.name

    @property
    def is_text(self) -> bool:
        """Whether it comes as corrected sentences, without edits of its own."""
        return self.format in ("text", "json", "essays")

    @property
    def files(self) -> tuple[Input, ...]:
        """The file it is read from; none if it is in memory."""
        return (self.source,) if isinstance(self.source, Input) else ()


def systems_from(
    given: Systems,
    *,
    hyp_format: str | None = None,
    hyp_key: str | None = None,
) -> list[System]:
    """One system or several; a list of strings is the sentences of one system."""
    if hyp_key is not None and hyp_format not in (None, "json"):
        raise UsageError(f"--hyp-key is about JSON; leave out --hyp-format {hyp_format}")
    if hyp_format is not None and hyp_format not in HYPOTHESIS_FORMATS:
        from jurybox.formats.plugin_format import load_format

        load_format(hyp_format, "hypothesis format", HYPOTHESIS_FORMATS)
    given = by_name(given)
    named: list[tuple[str | None, Any]]
    if isinstance(given, Mapping):
        named = [(str(name), one) for name, one in given.items()]
    elif isinstance(given, (str, os.PathLike, Input)):
        named = [(None, given)]
    elif _is_lines(listed := sentences_from(given, "hypotheses", any_kind=True)):
        named = [(None, listed)]
    else:
        named = [(None, one) for one in listed]
    if not named:
        raise InputError("there is no hypothesis to score; give at least one")
    names = _distinct_names(named)
    systems: list[System] = []
    for (_, one), name in zip(named, names, strict=True):
        source = text_from(one, name)
        found = hyp_format or (_format_of(source) if isinstance(source, Input) else "text")
        systems.append(System(name, source, found, hyp_key))
    if hyp_key is not None and not any(system.format == "json" for system in systems):
        raise UsageError(f"--hyp-key {hyp_key}: no hypothesis is JSON; leave it out")
    return systems


def _format_of(source: Input) -> str:
    """The format, auto-detected; JSON that is not ours holds corrected sentences."""
    found = detect(source)
    if found not in ("text", "jsonl") or source.peek(1) not in JSON_STARTS:
        return found
    from jurybox.formats.edits import json_texts

    if found == "jsonl":
        return found if json_texts.is_ours(source) else "json"
    if not json_texts.is_json(source):
        return found
    json_texts.warn_of_quotes(source)
    return "json"


def optional_systems(
    given: Any, *, hyp_format: str | None = None, hyp_key: str | None = None
) -> list[System]:
    """The same where there may be none: None, or an empty list or dict."""
    is_none = given is None or (isinstance(given, Sized) and not len(given))
    return [] if is_none else systems_from(given, hyp_format=hyp_format, hyp_key=hyp_key)


def by_name(given: Any) -> Any:
    """A frame as a dict: each column holds the sentences of a system. Anything else as it is."""
    if not hasattr(given, "columns"):
        return given
    from jurybox.formats.tables.memory_tables import MemoryTable

    table = MemoryTable(given, "hypotheses")
    for place, title in enumerate(table.titles):
        if title in table.titles[:place]:
            raise InputError(f"{table.name}: two columns are called '{title}'; rename one")
    return {title: table.values(place) for place, title in enumerate(table.titles)}


def text_from(given: Any, name: str) -> Input | tuple[str, ...]:
    """A file, or sentences in memory."""
    if isinstance(given, (str, os.PathLike)):
        return Input(given)
    return given if isinstance(given, Input) else sentences_from(given, name)


def plain_text_from(given: Any, name: str) -> Input | tuple[str, ...]:
    """The same, where JSON is no text."""
    found = text_from(given, name)
    if isinstance(found, Input) and found.peek(1) in JSON_STARTS:
        from jurybox.formats.edits import json_texts

        json_texts.refuse_json(found, name)
    return found


def sentences_from(given: Any, name: str, *, any_kind: bool = False) -> tuple[Any, ...]:
    """Sentences in memory: a list, an array, a column of a frame, whatever gives strings.

    `any_kind` leaves it to the caller to look at what is in it.
    """
    is_other = isinstance(given, (bytes, str, Mapping)) or hasattr(given, "columns")
    if is_other or not isinstance(given, Iterable) or getattr(given, "ndim", 1) != 1:
        raise InputError(
            f"{name}: a {type(given).__name__} holds no sentences; give a path or a list of strings"
        )
    sentences = tuple(given)
    for number, sentence in enumerate(sentences, 1):
        if not any_kind and not isinstance(sentence, str):
            raise InputError(
                f"sentence {number} of {name} is {sentence!r}, not a string; "
                "write '' where a system returned nothing"
            )
    return sentences


def _is_lines(given: Sequence[object]) -> bool:
    """Whether a list is the sentences of one system: strings, not paths or lists."""
    kinds = [isinstance(item, str) for item in given]
    if any(kinds) and not all(kinds):
        number = kinds.index(False) + 1
        raise InputError(
            f"sentence {number} is {given[number - 1]!r}, not a string; "
            "write '' where a system returned nothing"
        )
    if not all(kinds):
        return False
    if given and len(given) < 100 and all(os.path.isfile(str(item)) for item in given):  # noqa: PTH113  as quick as can be
        raise InputError(
            f"strings in a list are sentences, but '{given[0]}' is a file; pass several files as "
            "paths (pathlib.Path) or in a dict {name: file}"
        )
    return True


def _distinct_names(named: Sequence[tuple[str | None, Hypothesis]]) -> list[str]:
    """File names; where two are the same, the paths as given."""
    paths = {
        number: one.path if isinstance(one, Input) else os.fspath(one)
        for number, (_, one) in enumerate(named)
        if isinstance(one, (str, os.PathLike, Input))
    }
    names = []
    for number, (name, _) in enumerate(named):
        if name is not None:
            names.append(name)
        elif number in paths:
            is_stdin = paths[number] == "-"
            names.append("stdin" if is_stdin else os.path.basename(paths[number]))  # noqa: PTH119  see _io.py
        else:
            names.append("hypothesis" if len(named) == 1 else f"hypothesis {number + 1}")
    if len(set(names)) < len(names):
        for number, path in paths.items():
            names[number] = path or names[number]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"'{twice}' is given twice; every system needs its own name")
    return names


def gold_from(
    gold: Gold,
    *,
    gold_format: str | None = None,
    documents: object = None,
    missing_annotator: str = SKIPPED,
    align: Callable[[Input, Sequence[Input]], PanelStream] | None = None,
) -> Panel | PanelStream:
    """The panel to judge by; a panel that is already open or in memory is taken as it is.

    A folder is a data set: its M2, or edits that alignment (or `align`) finds in its references.
    """
    if isinstance(gold, Mapping):
        raise InputError("the gold is a file, a list of files or a Panel, not a dict")
    if isinstance(gold, (Panel, PanelStream)):
        if documents is not None:
            raise InputError("give documents when the panel is opened, not with a ready panel")
        if missing_annotator in (SAME, NONE):
            raise InputError(
                f"give missing_annotator={missing_annotator!r} to read_panel or open_panel: a "
                "panel in memory no longer says which annotators are of one file"
            )
        return gold
    files = as_inputs(gold, "gold")
    paths = [one.path for one in files]
    for path in paths:
        if paths.count(path) > 1 and path != MEMORY:
            raise InputError(
                f"the gold file {path} is given twice; its annotators would count twice"
            )
    if inner := [file for file in files if folders.is_folder(file)]:
        if len(files) > 1:
            raise InputError(f"{inner[0].name}: is a folder; give a data set alone, or name files")
        found = folders.read_folder(inner[0])
        if found.m2 is None and align is not None:
            return align(found.source, found.references)
        if found.m2 is None:
            return aligned_panel(found.source, found.references, documents=documents)
        files = [found.m2]
    return open_panel(
        files,
        format=gold_format,
        documents=documents,  # type: ignore[arg-type]  # open_panel checks what it is given
        missing_annotator=missing_annotator,
    )


def aligned_panel(
    source: Input,
    references: Sequence[Input],
    *,
    extract: text.Extract | None = None,
    by: str = "aligned",
    tokenize: bool = False,
    documents: Any = None,
) -> PanelStream:
    """Corrected texts as a panel; alignment, or `extract`, finds the edits that lead to them.

    `by` is what a signature calls that.
    """
    from jurybox.metrics.maxmatch import smallest_edits

    split: Callable[[str], Sequence[str]] = str.split
    if tokenize:
        from jurybox.formats.edits.tokens import tokenize as split
    files = distinct_names(references)
    names = [
        f"{name}:{column}" if width > 1 else name
        for name, width in zip(files, text.count_columns(source, references), strict=True)
        for column in range(width)
    ]
    title = "+".join(files) if len(files) < 4 else f"{files[0]}+{len(files) - 1} more"

    def sentences() -> Iterator[Sentence]:
        found = extract or smallest_edits
        read = text.read_parallel(source, references, found, split=split, names=names)
        return read if documents is None else with_documents(read, documents, title)

    return PanelStream((source, *references), title, sentences, names, aligned=by)


def files_of_panel(panel: Panel | PanelStream) -> tuple[Input, ...]:
    """The files that a panel is read from; none if it is in memory."""
    return panel.inputs if isinstance(panel, PanelStream) else ()


def place_of_panel(panel: Panel | PanelStream, files: Sequence[Input] = ()) -> str:
    """What error messages call a panel: its file, or its first file and how many more."""
    names = [given.name for given in files_of_panel(panel) or files]
    if len(names) < 2:
        return names[0] if names else panel.name
    return f"{names[0]} and {len(names) - 1} more"


def read_tokens(system: System, *, tokenized: bool = True) -> Iterator[tuple[str, ...]]:
    """The corrected sentences of a system as tokens, whatever it was stored as."""
    if not system.is_text:
        return (
            tuple(apply_edits(sentence.tokens, only_annotation(sentence, system)))
            for sentence in read_sentences(system)
        )
    split: Callable[[str], Iterable[str]] = str.split
    if not tokenized:
        from jurybox.formats.edits.tokens import tokenize as split
    if system.format == "json" and isinstance(system.source, Input):
        return JsonTokens(system.source, system.key, split)
    if system.format == "essays" and isinstance(system.source, Input):
        return EssayTokens(system.source, split)
    lines = system.source if isinstance(system.source, tuple) else text.read(system.source)
    return (tuple(split(line)) for line in lines)


class JsonTokens:
    """Corrected sentences out of JSON, which may tell their source sentences too."""

    def __init__(
        self, source: Input, key: str | None, split: Callable[[str], Iterable[str]]
    ) -> None:
        from jurybox.formats.edits import json_texts

        self._place = source.name
        self._texts = json_texts.read(source, key)
        self._split = split
        self._last: json_texts.JsonText

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        return self

    def __next__(self) -> tuple[str, ...]:
        self._last = next(self._texts)
        return tuple(self._split(self._last.text))

    def check_source(self, number: int, gold: Sequence[str]) -> None:
        """The source of the sentence that came last must be the gold's; blanks do not matter."""
        source = self._last.source
        if source is not None and "".join(source.split()) != "".join(gold):
            parting = explain_difference(source.split(), gold)
            raise FormatError(
                f"has another source than sentence {number} of the gold: {parting}; put the "
                "sentences into the gold's order (or leave out their source, which is then not "
                "checked)",
                path=self._place,
                line=self._last.line,
            )


class EssayTokens:
    """Corrected essays, in the order of their file or in that of the gold's documents."""

    def __init__(self, source: Input, split: Callable[[str], Iterable[str]]) -> None:
        self._source = source
        self._lines: dict[str, int] = {}  # of essays that no document has asked for
        self._essays: dict[str, tuple[str, ...]] = {}
        for one in essays.read(source):
            self._lines[one.id] = one.line
            self._essays[one.id] = tuple(split(one.text))
        self._in_order = iter(self._essays.values())

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        return self

    def __next__(self) -> tuple[str, ...]:
        return next(self._in_order)

    def of(self, document: str) -> tuple[str, ...]:
        """The essay of a document."""
        if document not in self._essays:
            raise self._source.error(
                f"has no essay '{document}'; write every essay of the source, with its id"
            )
        self._lines.pop(document, None)
        return self._essays[document]

    def explain_end(self, sentence: Sentence | None) -> None:
        """Name the essay that is missing where the gold goes on, or is too many where it ended."""
        if sentence is not None and sentence.document is not None:
            self.of(sentence.document)
        if sentence is None and len(self._lines) < len(self._essays):  # some were found by id
            for document, line in self._lines.items():
                raise self._source.error(f"essay '{document}' is not in the source", line)


def check_source(system: System, number: int, source: Sequence[str], gold: Sequence[str]) -> None:
    """A hypothesis stored with its edits has a source of its own, which must be the gold's."""
    if not same_tokens(source, gold, system.place, "the gold"):
        difference = explain_difference(source, gold)
        raise FormatError(
            f"sentence {number} has another source than the gold: {difference}; "
            "both must annotate the same tokenised sentences",
            path=system.place,
        )


def read_sentences(system: System) -> Iterator[Sentence]:
    """The sentences of a system stored with its edits."""
    assert isinstance(system.source, Input)
    return iter(open_panel(system.source, format=system.format))


def only_annotation(sentence: Sentence, system: System) -> tuple[Edit, ...]:
    """The edits of a hypothesis that was given as edits: there must be one set of them."""
    if len(sentence.annotations) > 1:
        ids = ", ".join(a.annotator for a in sentence.annotations)
        raise FormatError(
            f"holds the edits of several annotators ({ids}); a hypothesis has one: "
            "pick one with jurybox convert --annotator",
            path=system.place,
        )
    return sentence.annotations[0].edits if sentence.annotations else ()


def unequal(longer: str, shorter: str, length: int, shorter_length: int) -> LengthError:
    """The error about files that should be parallel."""
    return LengthError(
        f"{longer} is longer than {shorter} ({length} sentences against {shorter_length}): "
        f"sentence {shorter_length + 1} of {longer} is the first without a partner; "
        "files must hold the same sentences, one by one"
    )


def lockstep(streams: Sequence[tuple[str, Iterator[T]]]) -> Iterator[tuple[T, ...]]:
    """Rows of parallel streams; one that ends early is an error that names both sides.

    >>> list(lockstep([("a.txt", iter("xy")), ("b.txt", iter("z"))]))
    Traceback (most recent call last):
    jurybox.errors.LengthError: a.txt is longer than b.txt (2 sentences against 1): \
sentence 2 of a.txt is the first without a partner; files must hold the same sentences, one by one
    """
    checked = [stream for _, stream in streams if isinstance(stream, JsonTokens)]
    by_id = [n for n, (_, stream) in enumerate(streams) if isinstance(stream, EssayTokens)]
    count = 0
    while True:
        row: list[T] = []
        ended: list[str] = []
        going: list[tuple[str, Iterator[T]]] = []
        for name, stream in streams:
            try:
                row.append(next(stream))
                going.append((name, stream))
            except StopIteration:
                ended.append(name)
        if not going:
            return
        if ended:
            name, stream = going[0]
            for place in by_id:
                gold = None if streams[0][0] in ended else row[0]
                streams[place][1].explain_end(gold)  # type: ignore[attr-defined]  # see by_id
            length = count + 1 + sum(1 for _ in stream)
            raise unequal(name, ended[0], length, count)
        count += 1
        for stream_checked in checked:
            stream_checked.check_source(count, row[0].tokens)  # type: ignore[attr-defined]  # gold comes first
        for place in by_id:
            document = row[0].document  # type: ignore[attr-defined]  # gold comes first
            if document is not None:
                row[place] = streams[place][1].of(document)  # type: ignore[attr-defined]  # see by_id
        yield tuple(row)
