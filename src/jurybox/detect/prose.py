"""Sentences of training text: prose with a paragraph per line, or tokens with a sentence per line.

Wikipedia dumps as WikiExtractor writes them are read as they are: lines `<doc …>` and `</doc>` are
left out, and so is the line after the first of them, the title, which is no sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from jurybox.formats import File, as_input
from jurybox.formats.edits.tokens import split_sentences, tokenize

_ARTICLE = re.compile(r"</?doc\b.*>")


def read_prose(sources: File | Sequence[File]) -> Iterator[str]:
    r"""The sentences of files of paragraphs, in order.

    >>> from jurybox.formats import Input
    >>> text = "<doc id='1'>\nCats\n\nCats sleep. They dream of mice.\n</doc>\n"
    >>> list(read_prose(Input.from_text(text)))
    ['Cats sleep.', 'They dream of mice.']
    """
    for source in several(sources):
        yield from _sentences(line for _, line in as_input(source).lines())


def read_tokenised(sources: File | Sequence[File]) -> Iterator[list[str]]:
    r"""The tokens of files that have a sentence per line; blank lines are left out.

    >>> from jurybox.formats import Input
    >>> list(read_tokenised(Input.from_text("Cats sleep .\n\nThey dream .\n")))
    [['Cats', 'sleep', '.'], ['They', 'dream', '.']]
    """
    for source in several(sources):
        for _, line in as_input(source).lines():
            if tokens := line.split():
                yield tokens


def read_tokens(sources: File | Sequence[File], tokenised: bool) -> Iterator[list[str]]:
    """The tokens of every sentence of prose, or of files that are tokenised already."""
    return read_tokenised(sources) if tokenised else map(tokenize, read_prose(sources))


def several(sources: File | Sequence[File]) -> Sequence[File]:
    """One source or several, as several."""
    return [sources] if isinstance(sources, str) or not isinstance(sources, Sequence) else sources


def _sentences(lines: Iterable[str]) -> Iterator[str]:
    title_is_next = False
    for line in lines:
        text = line.strip()
        if not text:
            continue
        if _ARTICLE.fullmatch(text):
            title_is_next = not text.startswith("</")
        elif title_is_next:
            title_is_next = False
        else:
            yield from split_sentences(text)
