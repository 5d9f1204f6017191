"""Corrected essays as files: M2, SGML in the manner of NUCLE, and everything in a zip.

One M2 file holds all annotators, each a candidate in every sentence of the essays that they
finished: with noop where they corrected nothing. Where somebody did not get an essay they are no
candidate. A file of one annotator calls them 0, which every M2 tool takes.

In the zip everybody has a file with all sentences. Files cannot say which essays somebody did not
get, so a coverage map and a document map are in it as well; the map is right for the one file too,
since annotators are called by the names of their files everywhere in the zip.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby
from typing import IO, TextIO
from zipfile import ZIP_DEFLATED, ZipFile

from jurybox.errors import unknown_name
from jurybox.formats.edits import documents as document_maps
from jurybox.formats.edits import m2, sgml
from jurybox.formats.edits.tokens import tokenize
from jurybox.model import Annotation, Edit, Sentence
from jurybox.serve.essays import AnnotatedEssay, to_sentences

README = """\
{name}: corrected essays

edits.m2        all annotators in one file, with all sentences of all essays that somebody finished
edits.sgml      the same by characters, in the manner of NUCLE
m2/             the same sentences, a file for each annotator; such files need coverage.csv
source.txt      the same sentences as they were written, one per line: what systems are to correct
documents.txt   the essay of every sentence
coverage.csv    which sentences each annotator looked at; not everybody gets every essay

How far people agree, and how a system compares with them:

  jurybox annotators --gold edits.m2 --documents documents.txt --coverage coverage.csv
  jurybox ceiling --gold edits.m2 --documents documents.txt --coverage coverage.csv
  jurybox score corrected.txt --gold edits.m2

corrected.txt is what a system makes of source.txt, line by line.
"""


def write_m2(
    essays: Iterable[AnnotatedEssay], out: TextIO, *, annotator: str | None = None
) -> None:
    """All annotators, or one of them; essays that they did not finish are left out."""
    done = finished(essays, annotator)
    _write_sentences(chain.from_iterable(map(to_sentences, done)), out, annotator)


def _write_sentences(sentences: Iterable[Sentence], out: TextIO, annotator: str | None) -> None:
    """M2; if one annotator is named, with no edits in sentences that they did not look at."""
    plain = (one._replace(document=None, paragraph=None) for one in sentences)
    if annotator is not None:
        plain = (_alone(one, annotator) for one in plain)
    m2.write(plain, out, noop="always")


def _alone(sentence: Sentence, annotator: str) -> Sentence:
    edits = (one.edits for one in sentence.annotations if one.annotator == annotator)
    return sentence._replace(annotations=(Annotation("0", next(edits, ())),))


def write_sgml(
    essays: Iterable[AnnotatedEssay], out: TextIO, *, annotator: str | None = None
) -> None:
    """The same with mistakes by character; the text is the tokens with blanks between them."""
    for essay in finished(essays, annotator):
        documents = sgml.from_sentences(map(_for_sgml, to_sentences(essay)))
        sgml.write(documents, out)


def _for_sgml(sentence: Sentence) -> Sentence:
    """Corrections that readers, who tokenise them alone, would cut up: with the word behind them.

    "etc." would become "etc ."; of "etc. and" for "and" they keep "etc.".
    """

    def extend(edit: Edit) -> Edit:
        text, tokens = edit.replacement, sentence.tokens
        if edit.end == len(tokens) or tokenize(text) == text.split():
            return edit
        return edit._replace(end=edit.end + 1, replacement=f"{text} {tokens[edit.end]}")

    annotations = (
        one._replace(edits=tuple(map(extend, one.edits))) for one in sentence.annotations
    )
    return sentence._replace(annotations=tuple(annotations))


def finished(
    essays: Iterable[AnnotatedEssay], annotator: str | None = None
) -> Iterator[AnnotatedEssay]:
    """The essays that somebody finished; with the edits of this annotator alone, if one is named.

    Somebody who finished none of them is an UnknownNameError.
    """
    names: dict[str, None] = {}
    is_there = annotator is None
    for essay in essays:
        names.update(dict.fromkeys(essay.edits))
        if annotator is None:
            if essay.edits:
                yield essay
        elif annotator in essay.edits:
            is_there = True
            yield essay._replace(edits={annotator: essay.edits[annotator]})
    if annotator is not None and not is_there:
        raise unknown_name("annotator", annotator, names)


def write_zip(essays: Iterable[AnnotatedEssay], out: IO[bytes], *, name: str = "essays") -> None:
    """Everything, as `README` describes it."""
    done = list(finished(essays))
    names = sorted({name for essay in done for name in essay.edits}, key=_order)
    stems = file_stems(names)
    done = [
        essay._replace(edits={stems[one]: edits for one, edits in essay.edits.items()})
        for essay in done
    ]
    sentences = [sentence for essay in done for sentence in to_sentences(essay)]
    together, marked, documents = io.StringIO(), io.StringIO(), io.StringIO()
    write_m2(done, together)
    write_sgml(done, marked)
    names_of_essays = (" ".join((one.document or "").split()) for one in sentences)
    document_maps.write(names_of_essays, documents)
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        archive.writestr("README.txt", README.format(name=name))
        archive.writestr("edits.m2", together.getvalue())
        archive.writestr("edits.sgml", marked.getvalue())
        archive.writestr("source.txt", "".join(f"{one.text}\n" for one in sentences))
        archive.writestr("documents.txt", documents.getvalue())
        archive.writestr("coverage.csv", _coverage(sentences, stems.values()))
        for stem in stems.values():
            text = io.StringIO()
            _write_sentences(sentences, text, stem)
            archive.writestr(f"m2/{stem}.m2", text.getvalue())


def file_stems(names: Sequence[str]) -> dict[str, str]:
    """Names of files for annotators, on any system, each once.

    >>> file_stems(["R1", "Ann, B. (R2)", "../x", "X", "---"]).values()
    dict_values(['R1', 'Ann-B-R2', 'x', 'X-4', 'annotator-5'])
    """
    found: dict[str, str] = {}
    taken: set[str] = set()  # some systems do not tell A from a
    for number, name in enumerate(names, 1):
        stem = re.sub(r"[^A-Za-z0-9_]+", "-", name).strip("-") or f"annotator-{number}"
        while stem.lower() in taken:
            stem += f"-{number}"
        taken.add(stem.lower())
        found[name] = stem
    return found


def _coverage(sentences: Sequence[Sentence], names: Iterable[str]) -> str:
    lines = ["annotator,sentences"]
    for name in names:
        seen = [
            number
            for number, one in enumerate(sentences, 1)
            if any(annotation.annotator == name for annotation in one.annotations)
        ]
        # numbers that follow each other are a run
        for _, run in groupby(enumerate(seen), key=lambda pair: pair[1] - pair[0]):
            numbers = [number for _, number in run]
            lines.append(f"{name},{numbers[0]}-{numbers[-1]}")
    return "\n".join([*lines, ""])


def _order(name: str) -> tuple[int, str]:
    """R2 before R10, names and adjudicators behind them."""
    number = re.fullmatch(r"R(\d+)", name)
    return (int(number[1]), "") if number else (2**31, name)
