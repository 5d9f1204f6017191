"""Corrected essays as files: M2, SGML in the manner of NUCLE, and everything in a zip.

One M2 file holds all annotators, each a candidate in the sentences of the essays that they
finished. A file of one annotator calls them 0, which every M2 tool takes. In the zip there is such
a file for everybody; since it cannot say which essays somebody did not look at, a coverage map and
a document map lie beside it.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import IO, TextIO

from jurybox.errors import unknown_name
from jurybox.formats import documents as document_maps
from jurybox.formats import m2, sgml
from jurybox.model import Annotation, Sentence
from jurybox.serve.essays import AnnotatedEssay, to_sentences

README = """\
{name}: corrected essays

edits.m2        all annotators in one file; jurybox knows from it who looked at what
edits.sgml      the same by characters, in the manner of NUCLE
m2/             a file for each annotator, with all sentences, also of essays they did not look at
documents.txt   the essay of every sentence
coverage.csv    which sentences each annotator looked at

jurybox ceiling --gold edits.m2
jurybox ceiling --gold m2/*.m2 --documents documents.txt --coverage coverage.csv
"""


def write_m2(
    essays: Iterable[AnnotatedEssay], out: TextIO, *, annotator: str | None = None
) -> None:
    r"""All annotators, or one of them; essays that nobody (or this one not) finished are left out.

    >>> from jurybox.serve.model import Correction
    >>> edits = {"R1": (Correction(0, 1, 2, "is", "SVA"),), "R2": ()}
    >>> out = io.StringIO()
    >>> write_m2([AnnotatedEssay(7, "essay-1", (("It are so .",),), edits)], out)
    >>> print(out.getvalue().strip())
    S It are so .
    A 1 2|||SVA|||is|||REQUIRED|||-NONE-|||R1
    A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||R2
    """
    sentences = chain.from_iterable(map(to_sentences, finished(essays, annotator)))
    plain = (one._replace(document=None, paragraph=None) for one in sentences)
    if annotator is not None:
        plain = (_alone(one, annotator) for one in plain)
    m2.write(plain, out, noop="always")


def write_sgml(
    essays: Iterable[AnnotatedEssay], out: TextIO, *, annotator: str | None = None
) -> None:
    """The same with mistakes by character; the text is the tokens with blanks between them."""
    for essay in finished(essays, annotator):
        documents = sgml.from_sentences(to_sentences(essay))
        sgml.write(documents, out)


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
    from zipfile import ZIP_DEFLATED, ZipFile

    done = list(finished(essays))
    names = sorted({name: None for essay in done for name in essay.edits}, key=_order)
    sentences = [sentence for essay in done for sentence in to_sentences(essay)]
    together, marked, documents = io.StringIO(), io.StringIO(), io.StringIO()
    write_m2(done, together)
    write_sgml(done, marked)
    document_maps.write((one.document or "" for one in sentences), documents)
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        archive.writestr("README.txt", README.format(name=name))
        archive.writestr("edits.m2", together.getvalue())
        archive.writestr("edits.sgml", marked.getvalue())
        archive.writestr("documents.txt", documents.getvalue())
        stems = file_stems(names)
        archive.writestr("coverage.csv", _coverage(sentences, stems))
        for one, stem in stems.items():
            text = io.StringIO()
            plain = (each._replace(document=None, paragraph=None) for each in sentences)
            m2.write((_alone(each, one) for each in plain), text, noop="always")
            archive.writestr(f"m2/{stem}.m2", text.getvalue())


def file_stems(names: Sequence[str]) -> dict[str, str]:
    """Names of files for annotators, on any system, each once.

    >>> file_stems(["R1", "Ann, B. (R2)", "../x", "---"])
    {'R1': 'R1', 'Ann, B. (R2)': 'Ann-B-R2', '../x': 'x', '---': 'annotator-4'}
    """
    found: dict[str, str] = {}
    for number, name in enumerate(names, 1):
        stem = re.sub(r"[^A-Za-z0-9_]+", "-", name).strip("-") or f"annotator-{number}"
        is_taken = stem.lower() in {one.lower() for one in found.values()}
        found[name] = f"{stem}-{number}" if is_taken else stem
    return found


def _alone(sentence: Sentence, annotator: str) -> Sentence:
    """The sentence with one candidate; no edits where they did not look at it."""
    edits = (one.edits for one in sentence.annotations if one.annotator == annotator)
    return sentence._replace(annotations=(Annotation("0", next(edits, ())),))


def _coverage(sentences: Sequence[Sentence], stems: dict[str, str]) -> str:
    lines = ["annotator,sentences"]
    for name, stem in stems.items():
        seen = [
            number
            for number, one in enumerate(sentences, 1)
            if any(annotation.annotator == name for annotation in one.annotations)
        ]
        lines += [f"{stem},{first}-{last}" for first, last in _runs(seen)]
    return "\n".join([*lines, ""])


def _runs(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Numbers that follow each other, from and to.

    >>> _runs([1, 2, 3, 7])
    [(1, 3), (7, 7)]
    """
    found: list[tuple[int, int]] = []
    for number in numbers:
        if found and found[-1][1] == number - 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return found


def _order(name: str) -> tuple[int, str]:
    """R2 before R10, names and adjudicators behind them."""
    number = re.fullmatch(r"R(\d+)", name)
    return (int(number[1]), "") if number else (2**31, name)
