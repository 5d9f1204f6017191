"""Plain text, one sentence per line: what systems put out.

Blank lines are sentences too (a system may return nothing); the line end at the end of the file
opens no further line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TextIO

from jurybox.errors import InputError
from jurybox.formats._io import Source, as_input


def read(source: Source) -> Iterator[str]:
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
