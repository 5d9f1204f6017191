"""Plain text, one sentence per line: what systems put out; and parallel text, line by line.

Blank lines are sentences too (a system may return nothing); the line end at the end of the file
opens no further line.

Parallel text is a source file and one or more corrected files. Its edits come from an alignment
that the caller passes in (`extract`), since aligning is no matter of formats. Annotators are "0",
"1", … in the order of the files, as ERRANT numbers them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TextIO

from jurybox.errors import InputError, LengthError
from jurybox.formats._io import File, as_input
from jurybox.model import Annotation, Edit, Sentence


def read(source: File) -> Iterator[str]:
    r"""The lines as they stand, without line ends.

    >>> from jurybox.formats import Input
    >>> list(read(Input.from_text("A cat .\n\nA dog .\n")))
    ['A cat .', '', 'A dog .']
    """
    for _, text in as_input(source).lines():
        yield text


def write(lines: Iterable[str], out: TextIO) -> None:
    """One line each; a line break inside a sentence would shift all lines after it."""
    for number, line in enumerate(lines, 1):
        if "\n" in line:
            raise InputError(f"line {number} to write contains a line break; replace it by a blank")
        out.write(f"{line}\n")


Extract = Callable[[Sequence[str], Sequence[str]], tuple[Edit, ...]]


def read_parallel(
    source: File,
    corrected: Sequence[File],
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
    >>> [s.annotations[0].edits[0].replacement for s in read_parallel(files[0], files[1:], whole)]
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


def read_lines(sources: Sequence[File]) -> Iterator[tuple[str, ...]]:
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
