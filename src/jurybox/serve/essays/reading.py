r"""Essays out of files: SGML, M2, our JSONL, plain text, or a table with case and sentence.

Documents become an essay each, by their ids. M2 has no documents: a document map names them, and
without one the file is one essay. So with a plain text, a sentence per line: with a map it holds an
essay per document; without one it is an essay by the name of the file, with a blank line between
paragraphs. Text that is no sequence of tokens yet ("mat.")
is tokenised (docs/tokenize.md), and its lines are parted into sentences.

Corrections that stand in a file are left out: annotators see the text alone.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import PurePath

from jurybox.errors import InputError, LengthError, warn
from jurybox.formats import File, Input, as_input, detect
from jurybox.formats.edits import documents as document_maps
from jurybox.formats.edits import jsonl, m2, sgml
from jurybox.formats.edits.tokens import split_sentences, tokenize
from jurybox.model import Sentence
from jurybox.serve.essays import Paragraphs, paragraphs_of, text_of
from jurybox.serve.model import NewCase, Purpose

#: signs that are joined to a word in prose and separate among tokens
_PROSE = re.compile(r"\w[,;:?!)](?=\s|$)|\w\.$", re.MULTILINE)


def is_table(source: File) -> bool:
    r"""Whether a file holds a case per line, not sentences.

    >>> is_table(Input.from_text("case,sentence\ne1,It are so .\n"))
    True
    >>> is_table(Input.from_text("In this case, the sentence stands .\n"))
    False
    """
    head = as_input(source).peek().decode("utf-8", errors="replace").removeprefix("\ufeff")
    first = head.lstrip().partition("\n")[0].strip()
    if first.startswith("{"):
        return '"case"' in first and '"sentence"' in first
    separator = "\t" if "\t" in first else ","
    titles = {cell.strip().lower() for cell in next(csv.reader([first], delimiter=separator), [])}
    return {"case", "sentence"} <= titles


def read_essays(source: File, documents: File | None = None) -> list[NewCase]:
    r"""The essays of a file of sentences, in its order; `documents` is a map for M2 and text.

    >>> text = "It are so .\nWe know .\n\nBye .\n"
    >>> essay, = read_essays(Input.from_text(text, "trip.txt"))
    >>> essay.id, essay.sentence
    ('trip', 'It are so .\nWe know .\n\nBye .')
    """
    given = as_input(source).keep()
    form = detect(given)
    if form == "text" and documents is None:
        text = "\n".join(line for _, line in given.lines())
        return [_essay(_stem(given), prose_to_paragraphs(text), given.name)]
    sentences = list(_with_documents(_sentences(given, form), documents))
    if any(annotation.edits for one in sentences for annotation in one.annotations):
        warn(f"{given.name}: its corrections are left out: annotators see the text alone")
    if len(sentences) > 1 and all(one.document is None for one in sentences):
        warn(
            f"{given.name} has no documents: its {len(sentences)} sentences are one essay; name "
            "the documents with --documents FILE, or give SGML"
        )
    found: list[NewCase] = []
    for name, group in groupby(sentences, key=lambda one: one.document):
        parts = groupby(group, key=lambda one: one.paragraph)
        texts = [[one.text for one in part if one.tokens] for _, part in parts]
        found.append(_essay(name or _stem(given), list(filter(None, texts)), given.name))
    return found


def as_essay(case: NewCase, name: str) -> NewCase:
    """A case of a table as an essay; its place in the sentence, if it has one, does not count."""
    if case.gold and case.purpose != Purpose.PRACTICE:
        raise InputError(
            f"{name}: case '{case.id}' has a known answer; essays have none, but for practice"
        )
    essay = _essay(case.id, prose_to_paragraphs(case.sentence), name)
    return replace(case, sentence=essay.sentence, start=None, end=None)


def prose_to_paragraphs(text: str) -> Paragraphs:
    r"""Tokenised text as it is; prose in tokens and sentences.

    >>> prose_to_paragraphs("It are so. We know.\nBye!\n")
    (('It are so .', 'We know .', 'Bye !'),)
    >>> prose_to_paragraphs("Mr. Lee goes etc. and so on .")
    (('Mr. Lee goes etc. and so on .',),)
    """
    paragraphs = paragraphs_of(text)
    if not _PROSE.search(text_of(paragraphs)):
        return paragraphs
    return tuple(
        tuple(
            " ".join(tokenize(sentence)) for line in paragraph for sentence in split_sentences(line)
        )
        for paragraph in paragraphs
    )


def _sentences(given: Input, form: str) -> Iterable[Sentence]:
    if form == "text":
        lines = (line for _, line in given.lines() if line.strip())
        return [
            Sentence(tuple(tokenize(line) if _PROSE.search(line.rstrip()) else line.split()))
            for line in lines
        ]
    if form == "sgml":
        # mistakes that fit no sentence would not be shown anyway
        return sgml.to_sentences(sgml.read(given), unused=[])
    return m2.read(given) if form == "m2" else jsonl.read(given)


def _with_documents(sentences: Iterable[Sentence], documents: File | None) -> Iterator[Sentence]:
    if documents is None:
        yield from sentences
        return
    given, names = list(sentences), list(document_maps.read(documents))
    if len(given) != len(names):
        raise LengthError(
            f"{as_input(documents).name} names the documents of {len(names)} sentences, but there "
            f"are {len(given)}; give the map of this file"
        )
    for one, name in zip(given, names, strict=True):
        yield one._replace(document=name)


def _essay(name: str, paragraphs: Sequence[Sequence[str]], file: str) -> NewCase:
    if not paragraphs:
        raise InputError(f"{file}: essay '{name}' holds no text; nobody could correct it")
    return NewCase(name, text_of(paragraphs))


def _stem(given: Input) -> str:
    return PurePath(given.name).stem.strip() or "essay"
