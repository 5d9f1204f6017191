"""From what the user gave to streams of sentences: paths, lines in memory, panels.

A `str` or path is a file (`-` is standard input); a list of strings is one sentence each; a dict
names several systems. Files are told apart by content. Everything is read in lockstep, so that
files of any size stream, and a file that ends before the others is an error, never a shorter score.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias, TypeVar

from jurybox.errors import FormatError, InputError, LengthError
from jurybox.formats import Input, PanelStream, detect, open_panel, text
from jurybox.model import Edit, Panel, Sentence, apply_edits

Lines: TypeAlias = Sequence[str]
Hypothesis: TypeAlias = "str | os.PathLike[str] | Input | Lines"
File: TypeAlias = "str | os.PathLike[str] | Input"
Gold: TypeAlias = "File | Sequence[File] | Panel | PanelStream"

HYPOTHESIS_FORMATS = ("text", "m2", "sgml", "jsonl")

T = TypeVar("T")


class System(NamedTuple):
    """A system's output before it is read: its name, and where it comes from."""

    name: str
    source: Input | tuple[str, ...]
    format: str  # one of HYPOTHESIS_FORMATS, or that of a package

    @property
    def place(self) -> str:
        """What error messages call it."""
        return self.source.name if isinstance(self.source, Input) else self.name


def systems_from(
    given: Hypothesis | Mapping[str, Hypothesis] | Sequence[Hypothesis],
    *,
    hyp_format: str | None = None,
) -> list[System]:
    """One system or several; a list of strings is the sentences of one system."""
    if hyp_format is not None and hyp_format not in HYPOTHESIS_FORMATS:
        from jurybox.formats.plugin_format import load_format

        load_format(hyp_format, "hypothesis format", HYPOTHESIS_FORMATS)
    if isinstance(given, Mapping):
        named: list[tuple[str | None, Hypothesis]] = list(given.items())
    elif isinstance(given, (str, os.PathLike, Input)):
        named = [(None, given)]
    elif _is_lines(given := list(given)):
        named = [(None, given)]  # type: ignore[list-item]  # _is_lines has seen that it is lines
    else:
        named = [(None, one) for one in given]
    if not named:
        raise InputError("there is no hypothesis to score; give at least one")
    names = _distinct_names(named)
    systems: list[System] = []
    for (_, one), name in zip(named, names, strict=True):
        source: Input | tuple[str, ...]
        if isinstance(one, (str, os.PathLike)):
            source = Input(one)
        elif isinstance(one, Input):
            source = one
        else:
            source = _sentences(one, name)
        found = hyp_format or (detect(source) if isinstance(source, Input) else "text")
        systems.append(System(name, source, found))
    return systems


def _sentences(given: Iterable[str], name: str) -> tuple[str, ...]:
    """Sentences in memory: a list, a column of a data frame, whatever gives strings."""
    sentences = tuple(given)
    for number, sentence in enumerate(sentences, 1):
        if not isinstance(sentence, str):
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
    names = []
    for number, (name, one) in enumerate(named):
        if name is not None:
            names.append(name)
        elif isinstance(one, (str, os.PathLike, Input)):
            path = one.path if isinstance(one, Input) else os.fspath(one)
            names.append("stdin" if path == "-" else os.path.basename(path))  # noqa: PTH119  see _io.py
        else:
            names.append("hypothesis" if len(named) == 1 else f"hypothesis {number + 1}")
    if len(set(names)) < len(names):
        names = [_path(one) or name for (_, one), name in zip(named, names, strict=True)]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"'{twice}' is given twice; every system needs its own name")
    return names


def _path(one: Hypothesis) -> str:
    if isinstance(one, Input):
        return one.path
    return os.fspath(one) if isinstance(one, (str, os.PathLike)) else ""


def gold_from(
    gold: Gold, *, gold_format: str | None = None, documents: object = None
) -> Panel | PanelStream:
    """The panel to judge by; a panel that is already open or in memory is taken as it is."""
    if isinstance(gold, Sequence) and not isinstance(gold, str):
        paths = [one.path if isinstance(one, Input) else os.fspath(one) for one in gold]
        for path in paths:
            if paths.count(path) > 1:
                raise InputError(
                    f"the gold file {path} is given twice; its annotators would count twice"
                )
    if isinstance(gold, Mapping):
        raise InputError("the gold is a file, a list of files or a Panel, not a dict")
    if isinstance(gold, (Panel, PanelStream)):
        if documents is not None:
            raise InputError("give documents when the panel is opened, not with a ready panel")
        return gold
    return open_panel(gold, format=gold_format, documents=documents)  # type: ignore[arg-type]  # open_panel checks what it is given


def place_of_panel(panel: Panel | PanelStream) -> str:
    """What error messages call a panel: its file, or its first file and how many more."""
    if isinstance(panel, Panel):
        return panel.name
    first, *others = [given.name for given in panel.inputs]
    return f"{first} and {len(others)} more" if others else first


def read_tokens(system: System, *, tokenized: bool = True) -> Iterator[tuple[str, ...]]:
    """The corrected sentences of a system as tokens, whatever it was stored as."""
    if system.format != "text":
        for sentence in read_sentences(system):
            yield tuple(apply_edits(sentence.tokens, only_annotation(sentence, system)))
        return
    lines = system.source if isinstance(system.source, tuple) else text.read(system.source)
    split: Callable[[str], Iterable[str]] = str.split
    if not tokenized:
        from jurybox.formats.tokens import tokenize as split
    for line in lines:
        yield tuple(split(line))


def check_source(system: System, number: int, source: Sequence[str], gold: Sequence[str]) -> None:
    """A hypothesis stored with its edits has a source of its own, which must be the gold's."""
    if tuple(source) != tuple(gold):
        raise FormatError(
            f"sentence {number} has another source than the gold: {difference(source, gold)}; "
            "both must annotate the same tokenised sentences",
            path=system.place,
        )


def difference(ours: Sequence[str], theirs: Sequence[str]) -> str:
    """Where two token sequences part, in words."""
    for place, (one, other) in enumerate(zip(ours, theirs, strict=False), 1):
        if one != other:
            return f"token {place} is '{one}', there '{other}'"
    return f"it has {len(ours)} tokens, there {len(theirs)}"


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


def lockstep(streams: Sequence[tuple[str, Iterator[T]]]) -> Iterator[tuple[T, ...]]:
    """Rows of parallel streams; one that ends early is an error that names both sides.

    >>> list(lockstep([("a.txt", iter("xy")), ("b.txt", iter("z"))]))
    Traceback (most recent call last):
    jurybox.errors.LengthError: a.txt is longer than b.txt (2 sentences against 1): \
sentence 2 of a.txt is the first without a partner; files must hold the same sentences, one by one
    """
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
            length = count + 1 + sum(1 for _ in stream)
            raise LengthError(
                f"{name} is longer than {ended[0]} ({length} sentences against {count}): "
                f"sentence {count + 1} of {name} is the first without a partner; "
                "files must hold the same sentences, one by one"
            )
        yield tuple(row)
        count += 1
