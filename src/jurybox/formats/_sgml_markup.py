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
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TextIO

from jurybox.formats._io import BadLines, Source, as_input, is_whole_number


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

_PARENT = {
    "DOC": None,
    "TEXT": "DOC",
    "ANNOTATION": "DOC",
    "TITLE": "TEXT",
    "P": "TEXT",
    "MISTAKE": "ANNOTATION",
    "TYPE": "MISTAKE",
    "CORRECTION": "MISTAKE",
    "COMMENT": "MISTAKE",
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


def read(source: Source) -> Iterator[Document]:
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
                finished = _close(tag[2].upper(), stack, number, bad)
                if finished is not None:
                    yield finished
            else:
                _open(tag, stack, number, bad)
        _take_text(line[position:] + "\n", stack, number, bad)
    if stack:
        bad.add(stack[-1].line, f"<{stack[-1].name}> is opened here and never closed")


def _take_text(text: str, stack: list[_Element], number: int, bad: BadLines) -> None:
    if stack and stack[-1].name in _HOLDS_TEXT:
        stack[-1].text.append(text)
    elif text.strip():
        place = f"<{stack[-1].name}>" if stack else "the file, outside <DOC>"
        bad.add(number, f"text {text.strip()[:20]!r} has no place in {place}; remove it")


def _open(tag: re.Match[str], stack: list[_Element], number: int, bad: BadLines) -> None:
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


def _close(name: str, stack: list[_Element], number: int, bad: BadLines) -> _Element | None:
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
            paragraphs += (_paragraph(element) for element in part.children)
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


def _paragraph(element: _Element) -> Paragraph:
    text = "".join(element.text)
    line = element.line + text.startswith("\n")
    return Paragraph(_decode(text.removeprefix("\n").removesuffix("\n")), element.name != "P", line)


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
    return Mistake(
        start_paragraph,
        start,
        end_paragraph,
        end,
        texts["TYPE"].strip(),
        texts["CORRECTION"],
        texts.get("COMMENT"),
        annotation.attributes.get("teacher_id") or "0",
        element.line,
    )


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
                if mistake.teacher == teacher:
                    lines += _mistake_lines(mistake)
            lines.append("</ANNOTATION>")
        lines += ["</DOC>", "", ""]
        out.write("\n".join(lines))


def _mistake_lines(mistake: Mistake) -> Iterator[str]:
    yield (
        f'<MISTAKE start_par="{mistake.start_paragraph}" start_off="{mistake.start}" '
        f'end_par="{mistake.end_paragraph}" end_off="{mistake.end}">'
    )
    yield f"<TYPE>{_encode(mistake.type)}</TYPE>"
    yield f"<CORRECTION>{_encode(mistake.correction)}</CORRECTION>"
    if mistake.comment is not None:
        yield f"<COMMENT>{_encode(mistake.comment)}</COMMENT>"
    yield "</MISTAKE>"


def _encode(text: str, *, quoted: bool = False) -> str:
    # only what would be read as a tag, an entity or a line end of the file
    text = _ENTITY.sub(lambda found: f"&amp;{found[0][1:]}", text)
    text = _TAG.sub(lambda found: f"&lt;{found[0][1:]}", text).replace("\r", "&#13;")
    if quoted:
        for sign, entity in (('"', "&quot;"), ("<", "&lt;"), (">", "&gt;"), ("\n", "&#10;")):
            text = text.replace(sign, entity)
    return text
