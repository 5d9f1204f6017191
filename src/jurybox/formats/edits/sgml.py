"""SGML of NUCLE and the CoNLL-2013/2014 shared tasks: essays, and mistakes by character offset.

    <DOC nid="1">
    <TEXT>
    <TITLE>
    On genes
    </TITLE>
    <P>
    It are known.
    </P>
    </TEXT>
    <ANNOTATION teacher_id="8">
    <MISTAKE start_par="1" start_off="3" end_par="1" end_off="6">
    <TYPE>SVA</TYPE>
    <CORRECTION>is</CORRECTION>
    </MISTAKE>
    </ANNOTATION>
    </DOC>

Titles and paragraphs are counted together from 0, characters in each from 0, the line breaks after
<P> and before </P> left out. The files are no XML: a lone & or < and a "<b>" in the text are text.
The entities &lt; &gt; &amp; &quot; &apos; and numbers such as &#233; stand for one character;
offsets count characters, not bytes. An old end offset one past the paragraph is drawn back.

Onto tokens (`to_sentences`), as the shared task's own files show it (README of release 3.2, and
its M2 files): a mistake grows to whole tokens, taking the rest of their text into the correction;
the correction is tokenised; tokens that both sides have at the beginning, then at the end, are cut
off. A mistake without effect is dropped, and so is one that crosses into another sentence or
paragraph, the blank before the next sentence included, since it joins what M2 keeps apart; both
are counted and reported. An insertion at the edge of a token stands beside it, as words of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple, TextIO

from jurybox.errors import FormatError, LengthError, warn
from jurybox.formats._io import BadLines, File, as_input, is_whole_number
from jurybox.formats.edits import m2
from jurybox.formats.edits.tokens import split_sentences, tokenize
from jurybox.model import NOTHING, Annotation, Edit, Sentence


@dataclass(frozen=True, slots=True)
class Paragraph:
    """The text of a paragraph or title."""

    text: str
    title: bool = False
    line: int = field(default=0, compare=False)  # where it begins in its file


@dataclass(frozen=True, slots=True)
class Mistake:
    """A correction by character offsets (half-open) in numbered paragraphs."""

    start_paragraph: int
    start: int
    end_paragraph: int
    end: int
    type: str
    correction: str
    comment: str | None = None
    teacher: str = "0"
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Document:
    """One essay: its paragraphs, and the mistakes its teachers found in it."""

    nid: str
    paragraphs: tuple[Paragraph, ...]
    teachers: tuple[str, ...] = ()
    mistakes: tuple[Mistake, ...] = ()
    path: str = field(default="<memory>", compare=False)


# --- reading --------------------------------------------------------------------------------------

_PARENT: dict[str, str | None] = {
    **{"DOC": None, "TEXT": "DOC", "ANNOTATION": "DOC", "TITLE": "TEXT", "P": "TEXT"},
    **{"MISTAKE": "ANNOTATION", "TYPE": "MISTAKE", "CORRECTION": "MISTAKE", "COMMENT": "MISTAKE"},
}
_ATTRIBUTES = {
    "DOC": {"nid"},
    "ANNOTATION": {"teacher_id"},
    "MISTAKE": {"start_par", "start_off", "end_par", "end_off"},
}
_HOLDS_TEXT = frozenset({"TITLE", "P", "TYPE", "CORRECTION", "COMMENT"})
_TAG = re.compile(rf"<(/?)({'|'.join(_PARENT)})(?=[\s>])([^<>]*)>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""\s*([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))""")
_ENTITY = re.compile(r"&(lt|gt|amp|quot|apos|#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6});")
_ENTITY_TEXT = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'"}


class _Element(NamedTuple):
    """An element of a document, read: its children in order, or its text."""

    name: str
    line: int
    attributes: dict[str, str]
    children: list[_Element]
    text: list[str]


def read(source: File) -> Iterator[Document]:
    """The documents of a file, one after another."""
    given = as_input(source)
    bad = BadLines(given.name)
    documents = 0
    for element in _elements(given.lines(bad), bad):
        documents += 1
        document = _document(element, given.name, bad)
        if document is not None and not bad.count:
            yield document
    if not documents and not bad.count:
        bad.add(None, "holds no document; an SGML file has <DOC nid=…> … </DOC>")
    bad.raise_first()


def _elements(lines: Iterable[tuple[int, str]], bad: BadLines) -> Iterator[_Element]:
    """Every complete DOC element; what stands in the wrong place goes to `bad`."""
    stack: list[_Element] = []
    number = 0
    for number, line in lines:
        position = 0
        for tag in _TAG.finditer(line):
            _take_text(line[position : tag.start()], stack, number, bad)
            position = tag.end()
            if tag[1]:
                finished = _close_element(tag[2].upper(), stack, number, bad)
                if finished is not None:
                    yield finished
            else:
                _open_element(tag, stack, number, bad)
        _take_text(line[position:] + "\n", stack, number, bad)
    if stack:
        bad.add(stack[-1].line, f"<{stack[-1].name}> is opened here and never closed")


def _take_text(text: str, stack: list[_Element], number: int, bad: BadLines) -> None:
    if stack and stack[-1].name in _HOLDS_TEXT:
        stack[-1].text.append(text)
    elif text.strip():
        place = f"<{stack[-1].name}>" if stack else "the file, outside <DOC>"
        bad.add(number, f"text {text.strip()[:20]!r} has no place in {place}; remove it")


def _open_element(tag: re.Match[str], stack: list[_Element], number: int, bad: BadLines) -> None:
    name = tag[2].upper()
    parent = stack[-1].name if stack else None
    if parent != _PARENT[name]:
        place = f"inside <{parent}>" if parent else "outside <DOC>"
        bad.add(number, f"<{name}> {place}; close what is open before it, or write &lt; in text")
        # go on as if it had been closed, so that one slip does not spoil all that follows
        while stack and stack[-1].name != _PARENT[name]:
            stack.pop()
    attributes: dict[str, str] = {}
    rest = _ATTRIBUTE.sub("", tag[3]).strip()
    for found in _ATTRIBUTE.finditer(tag[3]):
        attributes[found[1].lower()] = _decode(found[2] or found[3] or found[4] or "")
    unknown = sorted(attributes.keys() - _ATTRIBUTES.get(name, set()))
    if rest or unknown:
        bad.add(number, f"<{name}> with '{', '.join(unknown) or rest}', which has no meaning here")
    element = _Element(name, number, attributes, [], [])
    if stack:
        stack[-1].children.append(element)
    stack.append(element)


def _close_element(name: str, stack: list[_Element], number: int, bad: BadLines) -> _Element | None:
    """Close an element; the document, if it was that."""
    if name not in (element.name for element in stack):
        bad.add(number, f"</{name}> closes nothing; remove it")
        return None
    while stack[-1].name != name:
        left = stack.pop()
        bad.add(number, f"</{name}> comes before </{left.name}> (opened in line {left.line})")
    element = stack.pop()
    return element if not stack else None


def _document(doc: _Element, path: str, bad: BadLines) -> Document | None:
    if not doc.attributes.get("nid"):
        bad.add(doc.line, '<DOC> without nid; write <DOC nid="1">')
        return None
    paragraphs: list[Paragraph] = []
    teachers: dict[str, None] = {}
    for part in doc.children:
        if part.name == "TEXT":
            for element in part.children:
                text = "".join(element.text)
                line = element.line + text.startswith("\n")
                text = _decode(text.removeprefix("\n").removesuffix("\n"))
                paragraphs.append(Paragraph(text, element.name != "P", line))
        else:
            teachers[part.attributes.get("teacher_id") or "0"] = None
    mistakes = []
    for part in doc.children:
        for element in part.children:
            if element.name == "MISTAKE":
                try:
                    mistakes.append(_mistake(element, part, paragraphs))
                except ValueError as error:
                    bad.add(element.line, str(error))
    return Document(
        doc.attributes["nid"], tuple(paragraphs), tuple(teachers), tuple(mistakes), path
    )


def _mistake(element: _Element, annotation: _Element, paragraphs: Sequence[Paragraph]) -> Mistake:
    offsets = []
    for name in ("start_par", "start_off", "end_par", "end_off"):
        value = element.attributes.get(name)
        if value is None:
            raise ValueError(f"<MISTAKE> without {name}")
        if not is_whole_number(value):
            raise ValueError(f"{name} '{value}' is not a whole number")
        offsets.append(int(value))
    start_paragraph, start, end_paragraph, end = offsets
    for number, offset in ((start_paragraph, start), (end_paragraph, end)):
        if number >= len(paragraphs):
            raise ValueError(
                f"paragraph {number} does not exist; the document has {len(paragraphs)}, "
                "counted from 0 with its titles"
            )
        if offset > len(paragraphs[number].text) + 1:
            length = len(paragraphs[number].text)
            raise ValueError(
                f"offset {offset} is outside paragraph {number}, which has {length} characters"
            )
    if (end_paragraph, end) < (start_paragraph, start):
        raise ValueError(
            f"span {start_paragraph}:{start} to {end_paragraph}:{end} ends before it starts; "
            "swap the offsets"
        )
    texts: dict[str, str] = {}
    for child in element.children:
        if child.name in texts:
            raise ValueError(f"<MISTAKE> with two <{child.name}>; keep one")
        texts[child.name] = _decode("".join(child.text))
    if "TYPE" not in texts or "CORRECTION" not in texts:
        missing = "TYPE" if "TYPE" not in texts else "CORRECTION"
        raise ValueError(f"<MISTAKE> without <{missing}>")
    span = (start_paragraph, start, end_paragraph, end)
    words = (texts["TYPE"].strip(), texts["CORRECTION"], texts.get("COMMENT"))
    teacher = annotation.attributes.get("teacher_id") or "0"
    return Mistake(*span, *words, teacher, element.line)


def _decode(text: str) -> str:
    return _ENTITY.sub(_entity, text) if "&" in text else text


def _entity(found: re.Match[str]) -> str:
    name = found[1]
    if not name.startswith("#"):
        return _ENTITY_TEXT[name]
    code = int(name[2:], 16) if name[1] in "xX" else int(name[1:])
    is_character = code < 0x110000 and not 0xD800 <= code < 0xE000
    return chr(code) if is_character else found[0]


# --- writing --------------------------------------------------------------------------------------


def write(documents: Iterable[Document], out: TextIO) -> None:
    """Write documents in the layout of the shared task's files."""
    for document in documents:
        lines = [f'<DOC nid="{_encode(document.nid, quoted=True)}">', "<TEXT>"]
        for paragraph in document.paragraphs:
            tag = "TITLE" if paragraph.title else "P"
            lines += [f"<{tag}>", _encode(paragraph.text), f"</{tag}>"]
        lines.append("</TEXT>")
        for teacher in document.teachers:
            lines.append(f'<ANNOTATION teacher_id="{_encode(teacher, quoted=True)}">')
            for mistake in document.mistakes:
                if mistake.teacher != teacher:
                    continue
                lines += [
                    f'<MISTAKE start_par="{mistake.start_paragraph}" start_off="{mistake.start}" '
                    f'end_par="{mistake.end_paragraph}" end_off="{mistake.end}">',
                    f"<TYPE>{_encode(mistake.type)}</TYPE>",
                    f"<CORRECTION>{_encode(mistake.correction)}</CORRECTION>",
                ]
                if mistake.comment is not None:
                    lines.append(f"<COMMENT>{_encode(mistake.comment)}</COMMENT>")
                lines.append("</MISTAKE>")
            lines.append("</ANNOTATION>")
        lines += ["</DOC>", "", ""]
        out.write("\n".join(lines))


def _encode(text: str, *, quoted: bool = False) -> str:
    # only what would be read as a tag, an entity or a line end of the file
    text = _ENTITY.sub(lambda found: f"&amp;{found[0][1:]}", text)
    text = _TAG.sub(lambda found: f"&lt;{found[0][1:]}", text).replace("\r", "&#13;")
    if quoted:
        for sign, entity in (('"', "&quot;"), ("<", "&lt;"), (">", "&gt;"), ("\n", "&#10;")):
            text = text.replace(sign, entity)
    return text


ALTERNATIVES = "||"  # M2's sign, kept in corrections that come from there


class _Token(NamedTuple):
    """Where a token stands: characters of its paragraph, sentence there, number in the sentence."""

    start: int
    end: int
    sentence: int
    number: int


class _LaidParagraph(NamedTuple):
    """One paragraph with its sentences laid onto the text."""

    document: Document
    number: int
    sentences: list[Sentence]
    tokens: list[_Token]


def read_numbered(source: File, *, tokens: File | None = None) -> Iterator[tuple[int, Sentence]]:
    """(line of the paragraph, sentence) for every sentence; `tokens` is an M2 file."""
    unused: list[str] = []
    for layout in _lay_out(read(source), None if tokens is None else m2.read(tokens)):
        line = layout.document.paragraphs[layout.number].line
        for sentence in _annotate(layout, unused):
            yield line, sentence
    _report(unused)


def read_annotators(source: File) -> list[str]:
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
        warn(f"{unused[0]}; it was left out{more}")


def _lay_out(
    documents: Iterable[Document], sentences: Iterable[Sentence] | None
) -> Iterator[_LaidParagraph]:
    """Every paragraph with its sentences, given ones or our own."""
    given = None if sentences is None else iter(sentences)
    count = 0
    for document in documents:
        for number, paragraph in enumerate(document.paragraphs):
            sentences_here = given
            if sentences_here is None:
                text = paragraph.text
                parts = [text] if paragraph.title else split_sentences(text)
                sentences_here = (Sentence(tuple(tokenize(part))) for part in parts)
            layout = _fill(document, number, sentences_here, count)
            count += len(layout.sentences)
            yield layout
    if given is not None and next(given, None) is not None:
        raise LengthError(
            f"the tokens go on after the last document: sentence {count + 1} has no text; "
            "give the tokens of these documents"
        )


def _fill(
    document: Document, number: int, sentences: Iterator[Sentence], count: int
) -> _LaidParagraph:
    """Lay sentences onto a paragraph until its text is used up."""
    paragraph = document.paragraphs[number]
    end = len(paragraph.text.rstrip())
    layout = _LaidParagraph(document, number, [], [])
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
    **{"``": '"', "''": '"', "-LRB-": "(", "-RRB-": ")"},
    **{"-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"},
}


def _find(token: str, text: str, position: int) -> tuple[int, int]:
    """Start and end of a token that comes next in the text; end -1 if something else does."""
    while position < len(text) and text[position].isspace():
        position += 1
    for written in (token, _TREEBANK_SIGNS.get(token, token)):
        if text.startswith(written, position):
            return position, position + len(written)
    return position, -1


def _annotate(layout: _LaidParagraph, unused: list[str]) -> Iterator[Sentence]:
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


def _to_edit(mistake: Mistake, layout: _LaidParagraph) -> tuple[int, Edit]:
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
        has_next = any(token.sentence == place + 1 for token in layout.tokens)
        sentence_end = max(token.end for token in layout.tokens if token.sentence == place)
        if last.sentence != place or (has_next and end > sentence_end):
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


def _gap(layout: _LaidParagraph, position: int) -> tuple[int, int]:
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
        warn(
            f"SGML cannot say who saw which sentence or what is optional, which {lost} sentences "
            "do; write JSONL to keep that"
        )


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
    span = (paragraph, start + shift, paragraph, end + shift)
    comment = None if edit.comment == NOTHING else edit.comment
    return Mistake(*span, edit.type, edit.replacement, comment, teacher)
