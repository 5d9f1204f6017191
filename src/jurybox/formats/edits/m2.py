"""M2, the edit format of the CoNLL-2013/2014 shared tasks (Dahlmeier and Ng 2012).

    S The cat sat at mat .
    A 3 4|||Prep|||on|||REQUIRED|||-NONE-|||0
    A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

Rules of the official scorer: an annotator without a line is no candidate; a noop line
makes its annotator a candidate without edits; a sentence without A lines has the one candidate
"0" without edits. Where the specification is silent:

- Fields are kept as they stand, blanks and `||` included; ERRANT compares the raw string. Only
  the annotator's id loses surrounding blanks. Further `|||` belong to the comment.
- An S line opens a sentence even where the blank line before it is missing.
- A noop may stand at -1 -1 or at an empty span, and corrects nothing; its comment is not kept.
- ChERRANT writes the corrected text above the edits that lead to it (`T0-A0 …`, or `T0 …` where
  there are none): such lines say nothing new and are passed by. A second alignment of the same text
  (`T0-A1`) is another set of edits under the same id; both count, as in its scorer. Type NA says
  that a sentence cannot be annotated: its annotator is no candidate.
- `write` puts annotators in the order of the sentence. Where "0" without edits is the only
  candidate it writes no A line (`noop="needed"`, as in the CoNLL files) or a noop line
  (`noop="always"`, as ERRANT does).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Literal, TextIO

from jurybox.errors import InputError, explain_span, warn
from jurybox.formats._io import BadLines, File, as_input, is_whole_number
from jurybox.model import NOOP, NOTHING, Annotation, Edit, Sentence

NOT_ANNOTATED = "NA"
SHAPE = "A START END|||TYPE|||CORRECTION|||REQUIRED|||COMMENT|||ANNOTATOR"
UNTOUCHED = (Annotation("0"),)

Noop = Literal["needed", "always"]

ALIGNED_TWICE = (
    "{}: {} corrected texts have a second alignment (T0-A1 …); the edits of all alignments count, "
    "as in ChERRANT's scorer"
)

#: what stands behind the last ||| of an A line; an S line without an A line directly below it
_ID = re.compile(rb"^A .*\|\|\|(.*)$", re.MULTILINE)
_UNTOUCHED = re.compile(rb"^(?:\xef\xbb\xbf)?S.*\n(?!A |T\d|\Z)", re.MULTILINE)
#: a corrected text of ChERRANT, and the number of its alignment
_TARGET = re.compile(r"T\d+(?:-A(\d+))?(?: |$)")


def read(source: File) -> Iterator[Sentence]:
    r"""The sentences of an M2 file, one after another.

    >>> from jurybox.formats import Input
    >>> text = "S A dogs .\nA 1 2|||Nn|||dog|||REQUIRED|||-NONE-|||0\n"
    >>> [(s.text, s.annotations[0].edits[0].replacement) for s in read(Input.from_text(text))]
    [('A dogs .', 'dog')]
    """
    return (sentence for _, sentence in read_numbered(source))


def read_numbered(source: File) -> Iterator[tuple[int, Sentence]]:
    """(line number of the S line, sentence) for every sentence."""
    given = as_input(source)
    bad = BadLines(given.name)
    opened = 0  # line of the sentence being read; 0 between sentences
    sentences = realigned = 0
    tokens: tuple[str, ...] = ()
    edits: dict[str, list[Edit]] = {}
    for number, text in given.lines(bad):
        kind = text[:2]
        if kind == "A ":
            if not opened:
                bad.add(number, "an A line without an S line directly above it; add its sentence")
                continue
            try:
                annotator, edit = _parse_annotation(text, len(tokens))
            except ValueError as error:
                bad.add(number, str(error))
                continue
            of_annotator = edits.setdefault(annotator, [])
            if edit is not None:
                of_annotator.append(edit)
            continue
        blank = not text or text.isspace()
        if not blank and kind not in ("S ", "S"):
            target = _TARGET.match(text) if opened else None
            realigned += target is not None and target[1] not in (None, "0")
            if target is None:
                bad.add(number, f"{text[:20]!r} begins neither with 'S ' nor with 'A '; remove it")
            continue
        if opened and not bad.count:
            yield opened, Sentence(tokens, _annotations(edits))
        opened = 0
        if not blank:
            opened = number
            sentences += 1
            tokens = tuple(text[2:].split())
            edits = {}
    if opened and not bad.count:
        yield opened, Sentence(tokens, _annotations(edits))
    if not sentences and not bad.count:
        bad.add(None, "holds no sentence; an M2 file has lines that begin with 'S '")
    bad.raise_first()
    warn(*[ALIGNED_TWICE.format(given.name, realigned)] * (realigned > 0))


def read_annotators(source: File, *, unedited: bool = True) -> list[str]:
    """The annotator ids of a file, in order of rank, by a quick look at its lines.

    Where several annotate, a sentence without A lines brings in annotator "0" (unless `unedited` is
    false); one annotator is taken to have seen such sentences. Malformed lines are left to `read`,
    which names them.
    """
    seen: dict[bytes, None] = {}
    untouched = after_sentence = False
    for piece in as_input(source).whole_lines():
        seen.update(dict.fromkeys(_ID.findall(piece)))
        untouched = (
            untouched
            or (after_sentence and not piece.startswith((b"A ", b"T")))
            or _UNTOUCHED.search(piece) is not None
        )
        after_sentence = piece.startswith(b"S", piece.rfind(b"\n", 0, -1) + 1)
    found = list(dict.fromkeys(one.decode(errors="replace").strip() for one in seen))
    if unedited and len(found) > 1 and (untouched or after_sentence) and "0" not in found:
        found.append("0")
    return sorted(found, key=rank)


@lru_cache(maxsize=4096)  # the same few annotators in every sentence
def rank(annotator: str) -> tuple[bool, int]:
    """Sort key of annotator ids: numbers first, ascending; the others as they come.

    >>> sorted(["B", "10", "2", "A"], key=rank)
    ['2', '10', 'B', 'A']
    """
    return (False, int(annotator)) if is_whole_number(annotator) else (True, 0)


def _parse_annotation(line: str, length: int) -> tuple[str, Edit | None]:
    """The annotator and the edit (None for noop) of an A line; ValueError says what is wrong.

    There is no annotator ("") where the line says that the sentence was not annotated.
    """
    fields = line.split("|||")
    if len(fields) != 6:
        if len(fields) < 6:
            raise ValueError(f"the A line has {len(fields)} of 6 fields; write {SHAPE}")
        fields[4:-1] = ["|||".join(fields[4:-1])]
    span, kind, correction, required, comment, annotator = fields
    start, end = _parse_span(span)
    annotator = annotator.strip()
    if not annotator:
        raise ValueError(f"the annotator's id is missing; write {SHAPE}")
    if kind == NOT_ANNOTATED and start == end == -1:
        return "", None
    if kind == NOOP:
        if start != end or correction not in ("", NOTHING):
            raise ValueError("a noop with a span or a correction; give the edit its type")
        return annotator, None
    if start < 0 or end < 0:
        raise ValueError(f"offset in '{span}' is negative; only a noop stands at -1 -1")
    if not start <= end <= length:
        raise ValueError(explain_span(start, end, length))
    return annotator, Edit(start, end, correction, kind, required, comment)


@lru_cache(maxsize=4096)  # a file repeats a few hundred spans thousands of times
def _parse_span(text: str) -> tuple[int, int]:
    """The offsets in "A START END"."""
    offsets = text.split()[1:]
    if len(offsets) != 2:
        raise ValueError(f"'{text}' does not give two offsets; write {SHAPE}")
    for offset in offsets:
        if not is_whole_number(offset.removeprefix("-")):
            raise ValueError(f"offset '{offset}' is not a whole number; write {SHAPE}")
    return int(offsets[0]), int(offsets[1])


def _annotations(edits: dict[str, list[Edit]]) -> tuple[Annotation, ...]:
    if not edits:
        return UNTOUCHED
    edits.pop("", None)  # of a sentence that could not be annotated
    order = sorted(edits, key=rank) if len(edits) > 1 else edits
    return tuple([Annotation(who, tuple(edits[who])) for who in order])


def write(sentences: Iterable[Sentence], out: TextIO, *, noop: Noop = "needed") -> None:
    """Write sentences as M2; what M2 cannot hold is an error or, where it is context, a warning."""
    documents = unannotated = 0
    for number, sentence in enumerate(sentences, 1):
        documents += sentence.document is not None
        unannotated += not sentence.annotations
        if tuple(sentence.text.split()) != sentence.tokens:
            raise InputError(f"sentence {number}: a token that is empty or has blanks; write JSONL")
        lines = [f"S {sentence.text}".rstrip()]
        if noop == "always" or sentence.annotations != UNTOUCHED:
            for annotation in sentence.annotations:
                lines += _annotation_lines(annotation, len(sentence.tokens), number)
        out.write("\n".join([*lines, "", ""]))
    if documents:
        warn(
            f"M2 has no documents: those of {documents} sentences were not written; "
            "write SGML or JSONL, or a document map beside the file (convert --write-documents)"
        )
    if unannotated:
        warn(
            f"{unannotated} sentences have no annotator; M2 readers will take them as untouched by "
            "annotator 0; write JSONL to keep the difference"
        )


def _annotation_lines(annotation: Annotation, length: int, number: int) -> Iterator[str]:
    who = annotation.annotator
    for edit in annotation.edits or (None,):
        if edit is None:
            line = f"A -1 -1|||{NOOP}|||{NOTHING}|||REQUIRED|||{NOTHING}|||{who}"
        else:
            fields = (edit.type, edit.replacement, edit.required, edit.comment, who)
            line = f"A {edit.start} {edit.end}|||{'|||'.join(fields)}"
        try:
            reads_back = "\n" not in line and _parse_annotation(line, length) == (who, edit)
        except ValueError:
            reads_back = False
        if not reads_back:
            raise InputError(
                f"sentence {number}: M2 cannot hold {edit or 'noop'} of annotator '{who}' "
                f"with {length} tokens; correct it or write JSONL"
            )
        yield line
