"""Parallel text: a source file and one or more corrected files, line by line.

Edits come from an alignment that the caller hands in (`extract`), since aligning is no matter of
formats. Annotators are "0", "1", … in the order of the files, as ERRANT numbers them.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TextIO

from jurybox.errors import InputError, JuryboxWarning, LengthError
from jurybox.formats._io import Source, as_input
from jurybox.model import Annotation, Edit, Sentence, apply_edits

Extract = Callable[[Sequence[str], Sequence[str]], tuple[Edit, ...]]


def read(
    source: Source,
    corrected: Sequence[Source],
    extract: Extract,
    *,
    split: Callable[[str], Sequence[str]] = str.split,
) -> Iterator[Sentence]:
    r"""The source sentences with the edits that lead to each corrected text.

    `split` makes tokens of a line; files that are not tokenised want `tokens.tokenize`.

    >>> from jurybox.formats import Input
    >>> def whole(source, target):
    ...     return (Edit(0, len(source), " ".join(target)),) if source != target else ()
    >>> files = [Input.from_text(text) for text in ("It are .\n", "It is .\n")]
    >>> [s.annotations[0].edits[0].replacement for s in read(files[0], files[1:], whole)]
    ['It is .']
    """
    if not corrected:
        raise InputError("parallel text needs at least one corrected file beside the source")
    for original, *versions in read_lines([source, *corrected]):
        tokens = tuple(split(original))
        annotations = tuple(
            Annotation(str(number), extract(tokens, tuple(split(version))))
            for number, version in enumerate(versions)
        )
        yield Sentence(tokens, annotations)


def read_lines(sources: Sequence[Source]) -> Iterator[tuple[str, ...]]:
    """The lines of several files side by side; files of different length are an error."""
    inputs = [as_input(source) for source in sources]
    streams = [source.lines() for source in inputs]
    number = 0
    while True:
        row = [next(stream, None) for stream in streams]
        lines = tuple(item[1] for item in row if item is not None)
        number += 1
        if not lines:
            return
        if len(lines) < len(row):
            longer = inputs[next(i for i, item in enumerate(row) if item is not None)].name
            shorter = inputs[next(i for i, item in enumerate(row) if item is None)].name
            raise LengthError(
                f"{longer} is longer than {shorter}: {longer}:{number} has no partner; "
                "parallel files need one line per sentence"
            )
        yield lines


def write(
    sentences: Iterable[Sentence], source: TextIO | None, corrected: Mapping[str, TextIO]
) -> None:
    """Write the source text and, for each annotator in `corrected`, the text with their edits.

    Where an annotator is no candidate their text has the source unchanged; a warning counts it.
    """
    missing = 0
    for sentence in sentences:
        if source is not None:
            source.write(f"{sentence.text}\n")
        edits = {annotation.annotator: annotation.edits for annotation in sentence.annotations}
        for annotator, out in corrected.items():
            missing += annotator not in edits
            out.write(" ".join(apply_edits(sentence.tokens, edits.get(annotator, ()))) + "\n")
    if missing:
        message = (
            f"{missing} times an annotator had not looked at a sentence, which was then written "
            "unchanged; M2 and JSONL keep the difference"
        )
        warnings.warn(message, JuryboxWarning, stacklevel=2)
