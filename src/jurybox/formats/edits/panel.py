"""One file or several as one panel, streamed.

One file is taken as it is. Several files are read in lockstep and must hold the same sentences;
the annotators of each are named after its file:

- A file with at most one annotator gives one annotator, named after the file ("A1.m2": "A1"), who
  is a candidate in every sentence: the single-annotator files of Bryant and Ng (2015) carry no
  noop lines. (JSONL lists its candidates, so there only the sentences that list them count.)
- A file with several gives "FILE:ID" for each, candidates by that file's own rule.

An annotator who has no line in a sentence is read by a rule of missing_annotators.py, file by file.

Ties between annotators go to the earlier file, then to the lower annotator number.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from jurybox.errors import InputError, LengthError, TableName, explain_difference, same_tokens
from jurybox.formats._io import File, Input, as_input, as_inputs
from jurybox.formats.edits import detect, load, m2
from jurybox.formats.edits.missing_annotators import (
    AUTO,
    NONE,
    SAME,
    SKIPPED,
    KnownFile,
    check_rule,
    fill,
    recognise,
)
from jurybox.model import Annotation, Panel, Sentence

Documents = File | Sequence[str]
#: what holds edits; other packages may bring more
OURS = ("m2", "jsonl", "sgml", "labels")


class PanelStream:
    """The sentences of a panel, read as they are asked for; iterate again to read again.

    `annotators` holds those known so far, in tie-break order; it is complete after an iteration.
    A panel of one file from standard input can be iterated once and says so the second time.
    `files` says how each file is read; `aligned` how edits were found in
    corrected texts, if they were.
    """

    def __init__(
        self,
        inputs: Sequence[Input],
        name: str,
        sentences: Callable[[], Iterator[Sentence]],
        annotators: Iterable[str] = (),
        files: Iterable[PanelFile] = (),
        *,
        aligned: str | None = None,
        has_documents: bool = False,
    ) -> None:
        self.inputs = tuple(inputs)
        self.aligned = aligned
        self.has_documents = has_documents  # given beside the files
        self.files = tuple(files)
        self.name = name
        self._sentences = sentences
        self._annotators = list(annotators)
        self._by_number = not self._annotators

    def __repr__(self) -> str:
        return f"PanelStream({self.name!r})"

    @property
    def annotators(self) -> tuple[str, ...]:
        return tuple(self._annotators)

    def annotators_of(self, file: PanelFile) -> tuple[str, ...]:
        """Those of one file, as the panel names them; complete after an iteration."""
        return tuple(file.annotators) if len(self.files) > 1 else self.annotators

    def __iter__(self) -> Iterator[Sentence]:
        known: set[str] = set(self._annotators)
        for sentence in self._sentences():
            for annotation in sentence.annotations:
                if annotation.annotator not in known:
                    self.meet([a.annotator for a in sentence.annotations])
                    known = set(self._annotators)
            yield sentence

    def meet(self, listed: Sequence[str]) -> None:
        """Add new annotators, each in front of the known one it precedes in this sentence."""
        place = len(self._annotators)
        for name in reversed(listed):
            if name in self._annotators:
                place = self._annotators.index(name)
            else:
                self._annotators.insert(place, name)
        if self._by_number:
            self._annotators.sort(key=m2.rank)


class PanelFile(NamedTuple):
    """One file of a panel: how to read it and what to call its annotators."""

    source: Input
    format: str
    name: str
    ids: tuple[str, ...] = ()
    rule: str = SKIPPED  # how an annotator without a line is read
    known: KnownFile | None = None  # a public file that was recognised

    @property
    def annotators(self) -> list[str]:
        return [self.name] if len(self.ids) < 2 else [f"{self.name}:{each}" for each in self.ids]

    def renamed(self, annotations: tuple[Annotation, ...]) -> tuple[Annotation, ...]:
        if len(self.ids) > 1:
            return tuple(a._replace(annotator=f"{self.name}:{a.annotator}") for a in annotations)
        if not annotations and self.format != "sgml":  # M2: the sentence could not be annotated
            return ()
        return (Annotation(self.name, annotations[0].edits if annotations else ()),)


def open_panel(
    sources: File | Iterable[File],
    *,
    format: str | None = None,  # noqa: A002  named like the option
    documents: Documents | None = None,
    tokens: File | None = None,
    missing_annotator: str = SKIPPED,
) -> PanelStream:
    r"""A panel from one or several files in M2, JSONL or SGML (auto-detected without `format`).

    `format` may also name a format that another package brings (docs/plugins.md).

    `documents` gives every sentence its document: a document map (see documents.py), the SGML
    file the sentences come from, or a list of ids. `tokens` is an M2 file onto whose
    sentences SGML files are laid. `missing_annotator` says what it means that an annotator has no
    line in a sentence where others of the same file have one: same, none, skipped or auto (see
    missing_annotators.py); `skipped` is M2 by the letter.

    >>> gold = Input.from_text("S A dogs .\nA 1 2|||Nn|||dog|||REQUIRED|||-NONE-|||0\n")
    >>> panel = open_panel(gold)
    >>> [len(sentence.annotations) for sentence in panel], panel.annotators
    ([1], ('0',))
    """
    inputs = as_inputs(sources, "gold")
    if tables := [source.name for source in inputs if isinstance(source.name, TableName)]:
        raise InputError(
            f"{tables[0]}: edits are read from files (M2, JSONL, SGML); give a path, or a Panel"
        )
    if not inputs:
        raise InputError("a panel needs at least one file")
    check_rule(missing_annotator)
    several = len(inputs) > 1
    members = []
    for source, name in zip(inputs, distinct_names(inputs), strict=True):
        member = PanelFile(source, _panel_format(source, format), name)
        members.append(_look_through(member, missing_annotator, several))
    return stream_members(members, documents=documents, tokens=tokens)


def stream_members(
    members: Sequence[PanelFile],
    *,
    documents: Documents | None = None,
    tokens: File | None = None,
) -> PanelStream:
    """The panel of files that were looked through."""
    several = len(members) > 1

    def sentences() -> Iterator[Sentence]:
        read = _lockstep(members, tokens) if several else _alone(members[0], tokens)
        return read if documents is None else with_documents(read, documents, panel.name)

    names = [member.name for member in members]
    title = "+".join(names) if len(names) < 4 else f"{names[0]}+{len(names) - 1} more"
    known: Sequence[str] = ()
    if several:
        known = [name for member in members for name in member.annotators]
    elif members[0].rule != SKIPPED:
        known = members[0].ids
    inputs = [member.source for member in members]
    panel = PanelStream(
        inputs,
        title,
        sentences,
        known,
        members,
        has_documents=documents is not None or tokens is not None,
    )
    return panel


def read_panel(
    sources: File | Iterable[File],
    *,
    format: str | None = None,  # noqa: A002  named like the option
    documents: Documents | None = None,
    tokens: File | None = None,
    missing_annotator: str = SKIPPED,
) -> Panel:
    """The same as `open_panel`, held in memory."""
    stream = open_panel(
        sources,
        format=format,
        documents=documents,
        tokens=tokens,
        missing_annotator=missing_annotator,
    )
    return Panel(tuple(stream), stream.annotators, stream.name)


def distinct_names(inputs: Sequence[Input]) -> list[str]:
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
        _reader(wanted)  # refuses what nobody offers
        return wanted
    found = detect(source)
    if found == "essays":
        raise source.error(
            "holds essays, but a panel needs edits; give the essays with --source and corrected "
            "ones with --refs, or convert them: jurybox convert orig.md OUT.m2 --corrected ref1.md",
            1,
        )
    if found == "text":
        # no hypothesis can be meant here: let the reader that fits best say what is wrong
        start = source.head(512).lstrip()
        for sign, kind in (("S ", "m2"), ("{", "jsonl"), ("<", "sgml")):
            if start.startswith(sign):
                return kind
        raise source.error(
            "is plain text, but a panel needs edits; give M2, JSONL, SGML or labels of tokens "
            "(token, tab, c or i), or convert the corrected text together with its source",
            1,
        )
    return found


def _look_through(member: PanelFile, rule: str, several: bool) -> PanelFile:
    """The file with its annotators and its own rule, where a pass over it is needed to tell."""
    by_content = rule == AUTO and member.format == "m2"
    if not (several or by_content or rule in (SAME, NONE)):
        return member
    source = member.source.keep()
    known = None
    if rule == AUTO:
        rule = SKIPPED
    if by_content:
        with_lines = m2.read_annotators(source, unedited=False)
        known = recognise(source) if len(with_lines) > 1 else None
        if known is not None:
            rule = known.rule
        elif len(with_lines) == 1 and not several:
            rule = NONE  # by the letter, sentences without lines would belong to another one, 0
    if rule == SKIPPED:
        return member._replace(ids=_annotator_ids(source, member.format), known=known)
    ids = _annotator_ids(source, member.format, unedited=False)
    return member._replace(ids=ids or ("0",), rule=rule, known=known)


def _reader(kind: str) -> Any:
    """What reads a format: our module, or that of another package."""
    if kind in OURS:
        return load(kind)
    from jurybox.formats.plugin_format import load_format

    return load_format(kind, "panel format", OURS)


def _annotator_ids(source: Input, kind: str, *, unedited: bool = True) -> tuple[str, ...]:
    if kind == "m2":
        return tuple(m2.read_annotators(source, unedited=unedited))
    reader = _reader(kind)
    if kind == "sgml":
        return tuple(reader.read_annotators(source))
    sentences = (sentence for _, sentence in reader.read_numbered(source))
    ids = dict.fromkeys(one.annotator for each in sentences for one in each.annotations)
    return tuple(sorted(ids, key=m2.rank) if kind in OURS else ids)


def _numbered(member: PanelFile, tokens: File | None) -> Iterator[tuple[int, Sentence]]:
    laid_onto = {"tokens": tokens} if member.format == "sgml" else {}
    numbered: Iterator[tuple[int, Sentence]]
    numbered = _reader(member.format).read_numbered(member.source, **laid_onto)
    if member.rule == SKIPPED:
        return numbered
    return (
        # who calls a sentence of M2 one that cannot be annotated is not missing there
        (line, sentence)
        if member.format == "m2" and not sentence.annotations
        else (line, fill(sentence, member.ids, member.rule))
        for line, sentence in numbered
    )


def _alone(member: PanelFile, tokens: File | None) -> Iterator[Sentence]:
    for _, sentence in _numbered(member, tokens):
        if member.format == "m2":  # its reader has them in order
            yield sentence
        else:
            ordered = sorted(sentence.annotations, key=lambda a: m2.rank(a.annotator))
            yield sentence._replace(annotations=tuple(ordered))


def _lockstep(members: Sequence[PanelFile], tokens: File | None) -> Iterator[Sentence]:
    streams = [_numbered(member, tokens) for member in members]
    count = 0
    while True:
        row = [next(stream, None) for stream in streams]
        present = [item for item in row if item is not None]
        if not present:
            return
        count += 1
        if len(present) < len(row):
            longer = next(index for index, item in enumerate(row) if item is not None)
            name, line = members[longer].source.name, present[0][0]
            raise LengthError(
                f"{name} is longer than {members[row.index(None)].source.name}: its sentence "
                f"{count} ({name}:{line}) has no partner; the files of a panel must hold the same "
                "sentences"
            )
        yield _merge(members, present, count)


def _merge(
    members: Sequence[PanelFile], row: Sequence[tuple[int, Sentence]], count: int
) -> Sentence:
    first = row[0][1]
    annotations: list[Annotation] = []
    document, paragraph = first.document, first.paragraph
    for member, (line, sentence) in zip(members, row, strict=True):
        if not same_tokens(
            sentence.tokens, first.tokens, member.source.name, members[0].source.name
        ):
            place = f"{members[0].source.name}:{row[0][0]}"
            difference = explain_difference(sentence.tokens, first.tokens)
            raise member.source.error(
                f"sentence {count} differs from {place}: {difference}; the files of a panel "
                "must hold the same sentences in the same tokens",
                line,
            )
        annotations += member.renamed(sentence.annotations)
        if document is None:
            document, paragraph = sentence.document, sentence.paragraph
    return Sentence(first.tokens, tuple(annotations), document, paragraph)


def with_documents(
    sentences: Iterator[Sentence], documents: Documents, panel: str
) -> Iterator[Sentence]:
    """The sentences with their documents: from a map, a list of ids, or the SGML file itself."""
    if isinstance(documents, Input | str | os.PathLike):
        from jurybox.formats.edits import documents as document_maps

        source = as_input(documents)
        if detect(source) == "sgml":
            sgml = load("sgml")
            placed = sgml.document_map(sgml.read(source), sentences)
            return (s._replace(document=nid, paragraph=number) for s, nid, number in placed)
        return _matched(sentences, document_maps.read(source), source.name, panel)
    from jurybox.formats.given_values import as_words

    ids = iter(as_words(documents, "documents"))
    return _matched(sentences, ids, "the list of documents", panel)


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
