"""Plain text, one sentence per line: what systems put out; and parallel text, line by line.

Blank lines are sentences too (a system may return nothing); the line end at the end of the file
opens no further line.

Parallel text is a source file and one or more corrected files: lines of plain text, or essays
(essays.py), which are matched by their ids. A line of a corrected file may hold several versions
with tabs between, as in GECCC: then every column is an annotator, who looked where there is text.
Its edits come from an alignment that the caller passes in (`extract`), since aligning is no matter
of formats. Annotators are "0", "1", … in the order of the files, as ERRANT numbers them, unless
they are given names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, TextIO

from jurybox.errors import InputError, LengthError, warn
from jurybox.formats._io import File, Input, as_input
from jurybox.formats.edits import detect, essays
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
    names: Sequence[str] = (),
) -> Iterator[Sentence]:
    r"""The source sentences with the edits that lead to each corrected text.

    Where a corrected file lacks an essay, its annotator did not look at it.

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
    widths = count_columns(source, corrected)
    names = names or [str(number) for number in range(sum(widths))]
    for original, versions, document in read_versions(source, corrected, widths):
        tokens = tuple(split(original))
        annotations = tuple(
            Annotation(name, extract(tokens, tuple(split(version))))
            for name, version in zip(names, versions, strict=True)
            if version is not None
        )
        yield Sentence(tokens, annotations, document)


class Versions(NamedTuple):
    """A source text, and what it is in every corrected file; None where the file lacks it."""

    source: str
    corrected: tuple[str | None, ...]
    document: str | None = None


def read_versions(
    source: File, corrected: Sequence[File], widths: Sequence[int] = ()
) -> Iterator[Versions]:
    r"""The texts of a source with those of corrected files: line by line, or essay by essay.

    `widths` are the numbers of versions on a line of each file; none: one each.

    >>> from jurybox.formats import Input
    >>> orig, ref = (f"### essay_id = 1\n{text}\n" for text in ("He go.", "He goes."))
    >>> list(read_versions(Input.from_text(orig), [Input.from_text(ref)]))
    [Versions(source='He go.', corrected=('He goes.',), document='1')]
    """
    inputs = [as_input(one) for one in (source, *corrected)]
    formats = [detect(one) == "essays" for one in inputs]
    if not any(formats):
        lines = read_lines(inputs)
        if max(widths, default=1) == 1:
            yield from (Versions(line, tuple(others)) for line, *others in lines)
            return
        for line, *others in lines:
            cells: list[str | None] = []
            for written, width in zip(others, widths, strict=True):
                first, *more = written.split("\t") if width > 1 else [written]
                more += [""] * (width - 1 - len(more))
                cells += [first, *(cell if cell.strip() else None for cell in more)]
            yield Versions(line, tuple(cells))
        return
    if not all(formats):
        plain, other = (inputs[formats.index(kind)] for kind in (False, True))
        raise plain.error(
            f"holds no essays, but {other.name} does; begin every text with ### essay_id = ID", 1
        )
    versions = [{essay.id: essay for essay in essays.read(one)} for one in inputs[1:]]
    left = [dict(essays_of) for essays_of in versions]
    originals = 0
    for essay in essays.read(inputs[0]):
        originals += 1
        found = [essays_of.pop(essay.id, None) for essays_of in left]
        yield Versions(essay.text, tuple(one and one.text for one in found), essay.id)
    for given, unknown, all_of_them in zip(inputs[1:], left, versions, strict=True):
        for essay in unknown.values():
            raise given.error(f"essay '{essay.id}' is not in {inputs[0].name}", essay.line)
        if lacking := originals - len(all_of_them):
            warn(f"{given.name} lacks {lacking} of {originals} essays, which it does not count in")


def count_columns(source: File, corrected: Sequence[File]) -> list[int]:
    r"""How many versions each corrected file has at most on a line, with tabs between.

    Where the source has tabs as well, they are white space.

    >>> from jurybox.formats import Input
    >>> count_columns(Input.from_text("He go\n"), [Input.from_text("He goes\tHe went\n")])
    [2]
    """

    def most_tabs(given: Input) -> int:
        if not given.rewindable and b"\t" not in given.peek():
            return 0
        pieces = (piece for piece in given.keep().whole_lines() if b"\t" in piece)
        return max((one.count(b"\t") for piece in pieces for one in piece.split(b"\n")), default=0)

    tabs = [0 if detect(one) == "essays" else most_tabs(as_input(one)) for one in corrected]
    if any(tabs) and most_tabs(as_input(source)):
        return [1] * len(tabs)
    return [1 + most for most in tabs]


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
