"""One file or several as one panel, streamed.

One file is taken as it is. Several files are read in lockstep and must hold the same sentences;
the annotators of each are named after its file:

- A file with at most one annotator gives one annotator, named after the file ("A1.m2": "A1"), who
  is a candidate in every sentence: the single-annotator files of Bryant and Ng (2015) carry no
  noop lines. (JSONL lists its candidates, so there only the sentences that list them count.)
- A file with several gives "FILE:ID" for each, candidates by that file's own rule.

Ties between annotators go to the earlier file, then to the lower annotator number.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from jurybox.errors import FormatError, InputError, LengthError
from jurybox.formats import m2
from jurybox.formats._detect import detect
from jurybox.formats._io import BOM, Input, Source, as_input
from jurybox.model import Annotation, Panel, Sentence

Documents = Source | Sequence[str]
#: what holds edits; other packages may bring more
OURS = ("m2", "jsonl", "sgml")


class PanelStream:
    """The sentences of a panel, read as they are asked for; iterate again to read again.

    `annotators` holds those known so far, in tie-break order; it is complete after an iteration.
    A panel of one file from standard input can be iterated once and says so the second time.
    """

    def __init__(
        self,
        inputs: Sequence[Input],
        name: str,
        sentences: Callable[[], Iterator[Sentence]],
        annotators: Iterable[str] = (),
    ) -> None:
        self.inputs = tuple(inputs)
        self.name = name
        self._sentences = sentences
        self._annotators = list(annotators)
        self._by_number = not self._annotators

    @property
    def annotators(self) -> tuple[str, ...]:
        return tuple(self._annotators)

    def __iter__(self) -> Iterator[Sentence]:
        known: set[str] = set(self._annotators)
        for sentence in self._sentences():
            for annotation in sentence.annotations:
                if annotation.annotator not in known:
                    self._meet([a.annotator for a in sentence.annotations])
                    known = set(self._annotators)
            yield sentence

    def _meet(self, listed: Sequence[str]) -> None:
        """Add new annotators, each in front of the known one it precedes in this sentence."""
        place = len(self._annotators)
        for name in reversed(listed):
            if name in self._annotators:
                place = self._annotators.index(name)
            else:
                self._annotators.insert(place, name)
        if self._by_number:
            self._annotators.sort(key=m2.rank)


class _Member(NamedTuple):
    """One file of a panel: how to read it and what to call its annotators."""

    source: Input
    format: str
    name: str
    ids: tuple[str, ...] = ()

    @property
    def annotators(self) -> list[str]:
        return [self.name] if len(self.ids) < 2 else [f"{self.name}:{each}" for each in self.ids]

    def renamed(self, annotations: tuple[Annotation, ...]) -> tuple[Annotation, ...]:
        if len(self.ids) > 1:
            return tuple(Annotation(f"{self.name}:{a.annotator}", a.edits) for a in annotations)
        if not annotations and self.format not in ("m2", "sgml"):
            return ()
        return (Annotation(self.name, annotations[0].edits if annotations else ()),)


def open_panel(
    sources: Source | Iterable[Source],
    *,
    format: str | None = None,  # noqa: A002  named like the option
    documents: Documents | None = None,
    tokens: Source | None = None,
) -> PanelStream:
    r"""A panel from one or several files in M2, JSONL or SGML (told by content without `format`).

    `format` may also name a format that another package brings (docs/plugins.md).

    `documents` gives every sentence its document: a document map (see documents.py), the SGML
    file the sentences come from, or a list of ids. `tokens` is an M2 file onto whose
    sentences SGML files are laid.

    >>> gold = Input.from_text("S A dogs .\nA 1 2|||Nn|||dog|||REQUIRED|||-NONE-|||0\n")
    >>> panel = open_panel(gold)
    >>> [len(sentence.annotations) for sentence in panel], panel.annotators
    ([1], ('0',))
    """
    inputs = [as_input(source) for source in _each(sources)]
    if not inputs:
        raise InputError("a panel needs at least one file")
    several = len(inputs) > 1
    if several:
        for source in inputs:
            source.keep()  # the ids need a pass of their own
    members = []
    for source, name in zip(inputs, _distinct_names(inputs), strict=True):
        kind = _panel_format(source, format)
        ids = _annotator_ids(source, kind) if several else ()
        members.append(_Member(source, kind, name, ids))

    def sentences() -> Iterator[Sentence]:
        read = _lockstep(members, tokens) if several else _alone(members[0], tokens)
        return read if documents is None else with_documents(read, documents, panel.name)

    names = [member.name for member in members]
    title = "+".join(names) if len(names) < 4 else f"{names[0]}+{len(names) - 1} more"
    known = [name for member in members for name in member.annotators] if several else []
    panel = PanelStream(inputs, title, sentences, known)
    return panel


def read_panel(
    sources: Source | Iterable[Source],
    *,
    format: str | None = None,  # noqa: A002  named like the option
    documents: Documents | None = None,
    tokens: Source | None = None,
) -> Panel:
    """The same as `open_panel`, held in memory."""
    stream = open_panel(sources, format=format, documents=documents, tokens=tokens)
    sentences = tuple(stream)
    return Panel(sentences, stream.annotators, stream.name)


def _each(sources: Source | Iterable[Source]) -> Iterable[Source]:
    return [sources] if isinstance(sources, Input | str | os.PathLike) else sources


def _distinct_names(inputs: Sequence[Input]) -> list[str]:
    """The stems; where two are the same, with their folder; where that is the same, numbered."""
    stems = [source.stem for source in inputs]
    names: list[str] = []
    for source, stem in zip(inputs, stems, strict=True):
        folder = os.path.basename(os.path.dirname(source.path))  # noqa: PTH119, PTH120  see _io.py
        name = f"{folder}/{stem}" if stems.count(stem) > 1 and folder else stem
        count = 1
        unique = name
        while unique in names:
            count += 1
            unique = f"{name}#{count}"
        names.append(unique)
    return names


def _panel_format(source: Input, wanted: str | None) -> str:
    if wanted is not None:
        if wanted not in OURS:
            from jurybox.formats.plugin_format import load_format

            load_format(wanted, "panel format", OURS)  # refuses what nobody offers
        return wanted
    found = detect(source)
    if found == "text":
        # no hypothesis can be meant here: let the reader that fits best say what is wrong
        start = source.peek(512).removeprefix(BOM).lstrip()
        for sign, kind in ((b"S ", "m2"), (b"{", "jsonl"), (b"<", "sgml")):
            if start.startswith(sign):
                return kind
        raise FormatError(
            "is plain text, but a panel needs edits; give M2, JSONL or SGML, or convert the "
            "corrected text together with its source",
            path=source.name,
            line=1,
        )
    return found


def _annotator_ids(source: Input, kind: str) -> tuple[str, ...]:
    if kind == "m2":
        return tuple(m2.read_annotators(source))
    if kind == "jsonl":
        from jurybox.formats import jsonl

        return tuple(sorted(jsonl.read_annotators(source), key=m2.rank))
    if kind == "sgml":
        from jurybox.formats import sgml

        return tuple(sgml.read_annotators(source))
    from jurybox.formats.plugin_format import load_format

    return tuple(load_format(kind, "panel format", OURS).read_annotators(source))


def _numbered(member: _Member, tokens: Source | None) -> Iterator[tuple[int, Sentence]]:
    if member.format == "m2":
        return m2.read_numbered(member.source)
    if member.format == "jsonl":
        from jurybox.formats import jsonl

        return jsonl.read_numbered(member.source)
    if member.format == "sgml":
        from jurybox.formats import sgml

        return sgml.read_numbered(member.source, tokens=tokens)
    from jurybox.formats.plugin_format import load_format

    return load_format(member.format, "panel format", OURS).read_numbered(member.source)


def _alone(member: _Member, tokens: Source | None) -> Iterator[Sentence]:
    for _, sentence in _numbered(member, tokens):
        if member.format == "m2":  # its reader has them in order
            yield sentence
            continue
        ordered = tuple(sorted(sentence.annotations, key=lambda a: m2.rank(a.annotator)))
        yield (
            sentence if ordered == sentence.annotations else sentence._replace(annotations=ordered)
        )


def _lockstep(members: Sequence[_Member], tokens: Source | None) -> Iterator[Sentence]:
    streams = [_numbered(member, tokens) for member in members]
    count = 0
    while True:
        row = [next(stream, None) for stream in streams]
        present = [item for item in row if item is not None]
        if not present:
            return
        count += 1
        if len(present) < len(row):
            raise _length_error(members, row, count)
        yield _merge(members, present, count)


def _merge(members: Sequence[_Member], row: Sequence[tuple[int, Sentence]], count: int) -> Sentence:
    first = row[0][1]
    annotations: list[Annotation] = []
    document, paragraph = first.document, first.paragraph
    for member, (line, sentence) in zip(members, row, strict=True):
        if sentence.tokens != first.tokens:
            place = f"{members[0].source.name}:{row[0][0]}"
            difference = _first_difference(sentence.tokens, first.tokens)
            raise FormatError(
                f"sentence {count} differs from {place}: {difference}; the files of a panel "
                "must hold the same sentences in the same tokens",
                path=member.source.name,
                line=line,
            )
        annotations += member.renamed(sentence.annotations)
        if document is None:
            document, paragraph = sentence.document, sentence.paragraph
    return Sentence(first.tokens, tuple(annotations), document, paragraph)


def _first_difference(tokens: Sequence[str], others: Sequence[str]) -> str:
    for index, (token, other) in enumerate(zip(tokens, others, strict=False), 1):
        if token != other:
            return f"token {index} is '{token}' instead of '{other}'"
    return f"it has {len(tokens)} tokens instead of {len(others)}"


def _length_error(
    members: Sequence[_Member], row: Sequence[tuple[int, Sentence] | None], count: int
) -> LengthError:
    longer = next(index for index, item in enumerate(row) if item is not None)
    shorter = next(index for index, item in enumerate(row) if item is None)
    item = row[longer]
    line = item[0] if item else count
    name = members[longer].source.name
    return LengthError(
        f"{name} is longer than {members[shorter].source.name}: its sentence {count} "
        f"({name}:{line}) has no partner; the files of a panel must hold the same sentences"
    )


def with_documents(
    sentences: Iterator[Sentence], documents: Documents, panel: str
) -> Iterator[Sentence]:
    """The sentences with their documents: from a map, a list of ids, or the SGML file itself."""
    if isinstance(documents, Input | str | os.PathLike):
        from jurybox.formats import documents as document_maps

        source = as_input(documents)
        if detect(source) == "sgml":
            from jurybox.formats import sgml

            placed = sgml.document_map(sgml.read(source), sentences)
            return (s._replace(document=nid, paragraph=number) for s, nid, number in placed)
        return _matched(sentences, document_maps.read(source), source.name, panel)
    return _matched(sentences, iter(documents), "the list of documents", panel)


def _matched(
    sentences: Iterator[Sentence], ids: Iterator[str], name: str, panel: str
) -> Iterator[Sentence]:
    count = 0
    for sentence in sentences:
        count += 1
        document = next(ids, None)
        if document is None:
            raise LengthError(
                f"{name} is shorter than {panel}: sentence {count} has no document; "
                "a document map has one entry per sentence"
            )
        yield sentence._replace(document=document)
    if next(ids, None) is not None:
        raise LengthError(
            f"{name} is longer than {panel}: its entry {count + 1} has no sentence; "
            "a document map has one entry per sentence"
        )
