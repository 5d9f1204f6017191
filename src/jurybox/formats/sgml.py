"""SGML essays of NUCLE and the CoNLL-2013/2014 shared tasks, and sentences made of them.

The markup itself, and what its readers forgive, is in _sgml_markup.py. Here mistakes by character
become edits by token and back.

Onto tokens (`to_sentences`), as the shared task's own files show it (README of release 3.2, and
its M2 files): a mistake grows to whole tokens, taking the rest of their text into the correction;
the correction is tokenised; tokens that both sides have at the beginning, then at the end, are cut
off. A mistake without effect is dropped, and so is one that crosses into another sentence or
paragraph, the blank before the next sentence included, since it joins what M2 keeps apart; both
are counted and reported. An insertion at the edge of a token stands beside it, as words of its own.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from jurybox.errors import FormatError, JuryboxWarning, LengthError
from jurybox.formats import m2
from jurybox.formats._io import Source
from jurybox.formats._sgml_markup import Document, Mistake, Paragraph, read, write
from jurybox.formats.tokens import split_sentences, tokenize
from jurybox.model import NOTHING, Annotation, Edit, Sentence

__all__ = [
    "Document",
    "Mistake",
    "Paragraph",
    "document_map",
    "from_sentences",
    "read",
    "read_annotators",
    "read_numbered",
    "to_sentences",
    "write",
]

ALTERNATIVES = "||"  # M2's sign, kept in corrections that come from there


class _Token(NamedTuple):
    """Where a token stands: characters of its paragraph, sentence there, number in the sentence."""

    start: int
    end: int
    sentence: int
    number: int


class _Layout(NamedTuple):
    """One paragraph with its sentences laid onto the text."""

    document: Document
    number: int
    sentences: list[Sentence]
    tokens: list[_Token]


def read_numbered(
    source: Source, *, tokens: Source | None = None
) -> Iterator[tuple[int, Sentence]]:
    """(line of the paragraph, sentence) for every sentence; `tokens` is an M2 file."""
    documents = read(source)
    given = None if tokens is None else m2.read(tokens)
    unused: list[str] = []
    for layout in _lay_out(documents, given):
        line = layout.document.paragraphs[layout.number].line
        for sentence in _annotate(layout, unused):
            yield line, sentence
    _report(unused)


def read_annotators(source: Source) -> list[str]:
    """The teachers of a file in order of rank."""
    teachers = {teacher: None for document in read(source) for teacher in document.teachers}
    return sorted(teachers, key=m2.rank)


def to_sentences(
    documents: Iterable[Document],
    tokens: Iterable[Sentence] | None = None,
    *,
    unused: list[str] | None = None,
) -> Iterator[Sentence]:
    """Sentences with token edits, one annotator per teacher of the document.

    `tokens` are tokenised sentences that cover the text in order (their edits are not looked at);
    without them paragraphs are split and tokenised by the rules of tokens.py, titles are not
    split. Mistakes that no sentence can hold go to `unused`, a line of text each that begins with
    FILE:LINE; without it a warning counts them.

    >>> text = (Paragraph("It are so. We know."),)
    >>> mistake = Mistake(0, 3, 0, 6, "SVA", "is", teacher="8")
    >>> for sentence in to_sentences([Document("1", text, ("8",), (mistake,))]):
    ...     print(sentence.text, [e.replacement for a in sentence.annotations for e in a.edits])
    It are so . ['is']
    We know . []
    """
    problems: list[str] = []
    for layout in _lay_out(documents, tokens):
        yield from _annotate(layout, problems)
    if unused is None:
        _report(problems)
    else:
        unused += problems


def document_map(
    documents: Iterable[Document], sentences: Iterable[Sentence]
) -> Iterator[tuple[Sentence, str, int]]:
    """(sentence, document id, paragraph number) for sentences that cover the documents' text."""
    for layout in _lay_out(documents, sentences):
        for sentence in layout.sentences:
            yield sentence, layout.document.nid, layout.number


def _report(unused: Sequence[str]) -> None:
    if unused:
        more = f" (and {len(unused) - 1} more such mistakes)" if len(unused) > 1 else ""
        message = f"{unused[0]}; it was left out{more}"
        warnings.warn(message, JuryboxWarning, stacklevel=3)


def _lay_out(
    documents: Iterable[Document], sentences: Iterable[Sentence] | None
) -> Iterator[_Layout]:
    """Every paragraph with its sentences, given ones or our own."""
    given = None if sentences is None else iter(sentences)
    count = 0
    for document in documents:
        for number, paragraph in enumerate(document.paragraphs):
            if given is None:
                layout = _fill(document, number, _own_sentences(paragraph), count)
            else:
                layout = _fill(document, number, given, count)
            count += len(layout.sentences)
            yield layout
    if given is not None and next(given, None) is not None:
        raise LengthError(
            f"the tokens go on after the last document: sentence {count + 1} has no text; "
            "give the tokens of these documents"
        )


def _own_sentences(paragraph: Paragraph) -> Iterator[Sentence]:
    parts = [paragraph.text] if paragraph.title else split_sentences(paragraph.text)
    return (Sentence(tuple(tokenize(part))) for part in parts)


def _fill(document: Document, number: int, sentences: Iterator[Sentence], count: int) -> _Layout:
    """Lay sentences onto a paragraph until its text is used up."""
    paragraph = document.paragraphs[number]
    end = len(paragraph.text.rstrip())
    layout = _Layout(document, number, [], [])
    position = 0
    while position < end:
        sentence = next(sentences, None)
        if sentence is None:
            raise LengthError(
                f"{document.path}:{paragraph.line}: the tokens end after {count} sentences, before "
                f"{paragraph.text[position : position + 20]!r} of document {document.nid}; "
                "give the tokens of these documents"
            )
        count += 1
        for place, token in enumerate(sentence.tokens):
            start, position = _find(token, paragraph.text, position)
            if position < 0:
                raise FormatError(
                    f"token '{token}' of sentence {count} is not what stands in paragraph {number} "
                    f"of document {document.nid}: {paragraph.text[start : start + 20]!r}; "
                    "give the tokens of these documents",
                    path=document.path,
                    line=paragraph.line,
                )
            layout.tokens.append(_Token(start, position, len(layout.sentences), place))
        layout.sentences.append(sentence)
    return layout


# how Penn-treebank tokens write signs of the text
_TREEBANK_SIGNS = {
    "``": '"',
    "''": '"',
    "-LRB-": "(",
    "-RRB-": ")",
    "-LSB-": "[",
    "-RSB-": "]",
    "-LCB-": "{",
    "-RCB-": "}",
}


def _find(token: str, text: str, position: int) -> tuple[int, int]:
    """Start and end of a token that comes next in the text; end -1 if something else does."""
    while position < len(text) and text[position].isspace():
        position += 1
    for written in (token, _TREEBANK_SIGNS.get(token, token)):
        if text.startswith(written, position):
            return position, position + len(written)
    return position, -1


def _annotate(layout: _Layout, unused: list[str]) -> Iterator[Sentence]:
    """The paragraph's sentences with the teachers' edits."""
    document, number = layout.document, layout.number
    edits: dict[tuple[int, str], list[Edit]] = {}
    for mistake in document.mistakes:
        if mistake.start_paragraph == number:
            try:
                place, edit = _to_edit(mistake, layout)
            except ValueError as error:
                unused.append(f"{document.path}:{mistake.line}: {error}")
            else:
                edits.setdefault((place, mistake.teacher), []).append(edit)
    for place, sentence in enumerate(layout.sentences):
        annotations = tuple(
            Annotation(teacher, tuple(edits.get((place, teacher), ())))
            for teacher in sorted(document.teachers, key=m2.rank)
        )
        yield Sentence(sentence.tokens, annotations, document.nid, number)


def _to_edit(mistake: Mistake, layout: _Layout) -> tuple[int, Edit]:
    """Sentence of the paragraph and token edit of a mistake; ValueError if there is none."""
    what = f"the mistake with the correction {mistake.correction!r}"
    if mistake.end_paragraph != mistake.start_paragraph:
        raise ValueError(f"{what} crosses paragraphs, but an edit belongs to one sentence")
    text = layout.document.paragraphs[layout.number].text
    start, end = min(mistake.start, len(text)), min(mistake.end, len(text))
    if start == end:
        touched = [token for token in layout.tokens if token.start < start < token.end]
    else:
        touched = [token for token in layout.tokens if token.start < end and token.end > start]
    before = after = ""
    if touched:
        first, last = touched[0], touched[-1]
        place, begin, finish = first.sentence, first.number, last.number + 1
        following = next((t for t in layout.tokens if t.sentence == place + 1), None)
        if last.sentence != place or (following and end > _last_of(layout, place).end):
            raise ValueError(f"{what} joins two sentences, but an edit belongs to one")
        before, after = text[first.start : start], text[end : last.end]
    else:
        place, begin = _gap(layout, start)
        finish = begin
    corrected = [
        tokenize(before + alternative + after)
        for alternative in mistake.correction.split(ALTERNATIVES)
    ]
    if len(corrected) == 1:
        tokens = layout.sentences[place].tokens
        begin, finish, corrected[0] = _trim(tokens, begin, finish, corrected[0])
    replacement = ALTERNATIVES.join(" ".join(each) for each in corrected)
    if begin == finish and not replacement:
        raise ValueError(f"{what} changes nothing")
    comment = " ".join((mistake.comment or "").split()) or NOTHING
    return place, Edit(begin, finish, replacement, mistake.type, comment=comment)


def _last_of(layout: _Layout, place: int) -> _Token:
    return [token for token in layout.tokens if token.sentence == place][-1]


def _gap(layout: _Layout, position: int) -> tuple[int, int]:
    """Sentence and token index of a place between tokens: behind the token that ends there."""
    for token in layout.tokens:
        if token.end == position:
            return token.sentence, token.number + 1
        if token.start >= position:
            return token.sentence, token.number
    if not layout.tokens:
        raise ValueError("a mistake in a paragraph without text")
    return layout.tokens[-1].sentence, layout.tokens[-1].number + 1


def _trim(
    tokens: Sequence[str], begin: int, finish: int, corrected: list[str]
) -> tuple[int, int, list[str]]:
    first, last = 0, len(corrected)
    while begin < finish and first < last and tokens[begin] == corrected[first]:
        begin, first = begin + 1, first + 1
    while begin < finish and first < last and tokens[finish - 1] == corrected[last - 1]:
        finish, last = finish - 1, last - 1
    return begin, finish, corrected[first:last]


# --- from tokens ----------------------------------------------------------------------------------


def from_sentences(sentences: Iterable[Sentence]) -> Iterator[Document]:
    """Documents whose text is the tokens joined by blanks, and whose mistakes are the edits.

    Consecutive sentences of one document and paragraph share it; sentences without a document
    make one document "1", those without a paragraph number one paragraph each. SGML knows which
    teachers saw a document, not which sentence, and no optional edits: a warning counts those.

    >>> sentence = Sentence(("It", "are"), (Annotation("0", (Edit(1, 2, "is", "SVA"),)),))
    >>> [(m.start, m.end) for m in next(from_sentences([sentence])).mistakes]
    [(3, 6)]
    """
    lost = 0
    for nid, group in groupby(sentences, key=lambda sentence: sentence.document):
        paragraphs: list[list[Sentence]] = []
        for sentence in group:
            last = paragraphs[-1][-1].paragraph if paragraphs else None
            if last is not None and sentence.paragraph == last:
                paragraphs[-1].append(sentence)
            else:
                paragraphs.append([sentence])
        document = _join(nid or "1", paragraphs)
        for sentence in (sentence for paragraph in paragraphs for sentence in paragraph):
            lost += len(sentence.annotations) < len(document.teachers) or any(
                edit.required != "REQUIRED" for a in sentence.annotations for edit in a.edits
            )
        yield document
    if lost:
        message = (
            f"SGML cannot say who saw which sentence or what is optional, which {lost} sentences "
            "do; write JSONL to keep that"
        )
        warnings.warn(message, JuryboxWarning, stacklevel=2)


def _join(nid: str, paragraphs: Sequence[Sequence[Sentence]]) -> Document:
    teachers: dict[str, None] = {}
    mistakes: list[Mistake] = []
    texts: list[Paragraph] = []
    for number, sentences in enumerate(paragraphs):
        text = ""
        for sentence in sentences:
            text += " " if text and sentence.tokens else ""
            for annotation in sentence.annotations:
                teachers[annotation.annotator] = None
                for edit in annotation.edits:
                    mistakes.append(
                        _to_mistake(edit, annotation.annotator, sentence.tokens, number, len(text))
                    )
            text += sentence.text
        texts.append(Paragraph(text))
    return Document(nid, tuple(texts), tuple(teachers), tuple(mistakes))


def _to_mistake(
    edit: Edit, teacher: str, tokens: Sequence[str], paragraph: int, shift: int
) -> Mistake:
    start = len(" ".join(tokens[: edit.start]))
    if 0 < edit.start < len(tokens):
        start += 1  # the blank before the token; an insertion at the very end touches the last one
    end = max(start, len(" ".join(tokens[: edit.end]))) if edit.end > edit.start else start
    return Mistake(
        paragraph,
        start + shift,
        paragraph,
        end + shift,
        edit.type,
        edit.replacement,
        None if edit.comment == NOTHING else edit.comment,
        teacher,
    )
