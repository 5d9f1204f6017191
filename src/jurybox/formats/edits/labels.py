r"""Labels of tokens: which tokens are wrong, without corrections, as in MultiGED-2023.

    Das     c
    ist     c
    eine    i

    Ja      c

A token, a tab, and c (correct) or i (incorrect); a blank line ends a sentence. Before the token may
stand its number in the sentence, and above all tokens a line with the titles (token, label). Where
the shared task is silent:

- A token that is wrong is an edit of type UNK that leaves it as it is: something is wrong, and what
  would be right is not said. There is one annotator, "0".
- Tokens are read in Unicode's composed form (NFC), and `\"` is the `"` that MultiGED writes so.
- Further blank lines, and lines without a tab that begin with #, are passed by.
- A line -DOCSTART-, as in CoNLL-2003, begins a document; documents are numbered from 1.
- `write` marks the tokens that an edit covers; an insertion marks the token on its right, as
  ERRANT and MultiGED do. At the end of a sentence there is none: that is counted and reported.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TextIO
from unicodedata import normalize

from jurybox.errors import InputError, plural, warn
from jurybox.formats._io import BadLines, File, as_input, is_whole_number
from jurybox.model import Annotation, Edit, Sentence

ANNOTATOR = "0"
LABELS = {"c": False, "i": True}
TITLES = ("label", "labels", "tag", "tags")  # of the last column
DOCUMENT = "-DOCSTART-"


def read(source: File) -> Iterator[Sentence]:
    r"""The sentences of a file, one after another.

    >>> from jurybox.formats import Input
    >>> sentence = next(read(Input.from_text("Ich\tc\nhaben\ti\n")))
    >>> sentence.tokens, [edit[:3] for edit in sentence.annotations[0].edits]
    (('Ich', 'haben'), [(1, 2, 'haben')])
    """
    return (sentence for _, sentence in read_numbered(source))


def read_numbered(source: File) -> Iterator[tuple[int, Sentence]]:
    """(line of the first token, sentence) for every sentence."""
    given = as_input(source)
    bad = BadLines(given.name)
    opened = sentences = documents = 0
    tokens: list[str] = []
    wrong: list[Edit] = []

    def sentence() -> Sentence:
        document = str(documents) if documents else None
        return Sentence(tuple(tokens), (Annotation(ANNOTATOR, tuple(wrong)),), document)

    for number, text in given.lines(bad):
        begins_document = text.startswith(DOCUMENT)
        if begins_document or not text or text.isspace():
            if tokens and not bad.count:
                yield opened, sentence()
            opened, tokens, wrong = 0, [], []
            if begins_document and sentences and not documents:
                bad.add(number, f"the documents before have no {DOCUMENT}; begin each with one")
            documents += begins_document
        elif not sentences and text.rpartition("\t")[2].strip().lower() in TITLES:
            continue
        elif "\t" in text or not text.startswith("#"):
            try:
                token, is_wrong = parse_line(text)
            except ValueError as error:
                bad.add(number, str(error))
                continue
            if not tokens:
                opened = number
                sentences += 1
            if is_wrong:
                wrong.append(Edit(len(tokens), len(tokens) + 1, token))
            tokens.append(token)
    if tokens and not bad.count:
        yield opened, sentence()
    if not sentences and not bad.count:
        bad.add(None, "holds no token; write a token, a tab, and c or i on every line")
    bad.raise_first()


def parse_line(text: str) -> tuple[str, bool]:
    r"""The token of a line, and whether it is wrong; ValueError says what is wrong with the line.

    >>> parse_line("haben\ti"), parse_line("3\t\\\"\tc")
    (('haben', True), ('"', False))
    """
    columns = text.rstrip(" \t\r").split("\t")
    if len(columns) == 3 and is_whole_number(columns[0].strip()):
        del columns[0]
    if len(columns) != 2 or not columns[0].strip():
        found = {1: "no label", 2: "no token"}.get(len(columns), f"{len(columns)} columns")
        raise ValueError(f"{found} in '{text[:20]}'; write a token, a tab, and c or i")
    token, label = columns
    if label.strip().lower() not in LABELS:
        raise ValueError(f"label '{label}' is neither c (correct) nor i (incorrect)")
    return normalize("NFC", token).replace('\\"', '"'), LABELS[label.strip().lower()]


def write(sentences: Iterable[Sentence], out: TextIO) -> None:
    """The tokens that one annotator's edits cover are i."""
    documents = at_end = 0
    for number, sentence in enumerate(sentences, 1):
        if len(sentence.annotations) > 1:
            names = ", ".join(one.annotator for one in sentence.annotations)
            raise InputError(
                f"sentence {number} has several annotators ({names}); labels are those of one: "
                "choose one with --annotator"
            )
        documents += sentence.document is not None
        edits = [edit for one in sentence.annotations for edit in one.edits]
        wrong = {at for edit in edits for at in range(edit.start, max(edit.end, edit.start + 1))}
        at_end += len(sentence.tokens) in wrong
        for at, token in enumerate(sentence.tokens):
            if not token or {*token} & {"\t", "\n"}:
                raise InputError(f"sentence {number}: a token that is empty or has a tab")
            written = token.replace('"', '\\"')
            out.write(f"{written}\t{'i' if at in wrong else 'c'}\n")
        out.write("\n")
    if documents:
        warn(f"labels of tokens have no documents: those of {documents} sentences were not written")
    if at_end:
        warn(f"{plural(at_end, 'insertion')} at the end of a sentence: there is no token to mark")
