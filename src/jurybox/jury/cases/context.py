"""The context of a case: the sentences before and after it in the same document, and no others.

Raters are shown the sentence before (Tetreault and Chodorow 2008, section 5). Where documents are
not known there is no context: the last sentence of another essay would mislead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice, tee
from typing import NamedTuple, TypeVar

from jurybox.model import Sentence

Placed = TypeVar("Placed")


class Context(NamedTuple):
    """The neighbouring sentences; '' where there is none, or none is known."""

    before: str = ""
    after: str = ""


def neighbours(sentences: Iterable[tuple[object, str]]) -> Iterator[Context]:
    """The context of every sentence, given with its document; None: not known.

    >>> texts = [("d1", "A ."), ("d1", "B ."), ("d2", "C ."), (None, "D ."), (None, "E .")]
    >>> [tuple(context) for context in neighbours(texts)]
    [('', 'B .'), ('A .', ''), ('', ''), ('', ''), ('', '')]
    """
    edge = [(None, "")]
    streams = tee(chain(edge, sentences, edge), 3)
    shifted = (islice(stream, skipped, None) for skipped, stream in enumerate(streams))
    for before, (document, _), after in zip(*shifted, strict=False):
        known = document is not None
        yield Context(
            *(text if known and which == document else "" for which, text in (before, after))
        )


def contexts_of(sentences: Iterable[Sentence]) -> Iterator[Context]:
    """The context of every sentence of a panel."""
    return neighbours((sentence.document, sentence.text) for sentence in sentences)


def in_context(
    sentences: Iterable[Placed], place: Callable[[Placed], tuple[object, str]]
) -> Iterator[tuple[Placed, Context]]:
    """Every sentence of a stream, with its context; `place` tells its document and its text."""
    streamed, looked_at = tee(sentences)
    return zip(streamed, neighbours(map(place, looked_at)), strict=True)


def note_context(with_before: int, cases: int) -> str:
    """How many cases come with context, in words.

    >>> note_context(11, 13)
    'context: 11 of 13 cases have the sentence before, of the same document'
    """
    if not with_before:
        return (
            "context: no case has the sentence before; they have it where documents are known "
            "(--documents)"
        )
    return f"context: {with_before} of {cases} cases have the sentence before, of the same document"
