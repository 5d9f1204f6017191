"""What an edit changes: without the words it repeats, and for one of the tokens it covers.

People mark more than they change ("me" becomes "to me"), and alignment joins changes that stand
side by side. Both are read the same way, so that what a person and a system put in one place can
be compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from jurybox.jury.cases.constructions import Construction, Place
from jurybox.metrics.maxmatch import find_edits
from jurybox.model import Edit


class Change(NamedTuple):
    """Source tokens start..end become `words`; nothing at either end stays the same."""

    start: int
    end: int
    words: tuple[str, ...]


def trim(tokens: Sequence[str], start: int, end: int, replacement: str) -> Change:
    """An edit without the words it repeats at its beginning and end.

    >>> trim("explained me it".split(), 1, 2, "to me")
    Change(start=1, end=1, words=('to',))
    >>> trim("explained me it".split(), 0, 2, "explained")
    Change(start=1, end=2, words=())
    """
    words = replacement.split()
    first, last = 0, len(words)
    while start < end and first < last and tokens[start] == words[first]:
        start += 1
        first += 1
    while start < end and first < last and tokens[end - 1] == words[last - 1]:
        end -= 1
        last -= 1
    return Change(start, end, tuple(words[first:last]))


def put_at(tokens: Sequence[str], start: int, end: int, replacement: str, place: Place) -> str:
    """What stands for the token at a place once an edit that covers it is made; '': nothing.

    Of an edit of several words it is the part for that token, where it can be told: the one word of
    the construction that replaces the one it covers, or the word in the same place if there are as
    many as before. Else it is the whole replacement.

    >>> from jurybox.jury.cases.constructions import CONSTRUCTIONS
    >>> place = Place(1, 2, CONSTRUCTIONS["preposition"])
    >>> [put_at("sat at mat".split(), 1, 2, text, place) for text in ("on", "", "on the")]
    ['on', '', 'on']
    >>> put_at("sat at mat".split(), 0, 3, "sit at mats", place)
    'sit at mats'
    """
    change = trim(tokens, start, end, replacement)
    if not change.start <= place.start < change.end:
        return " ".join(replacement.split())  # covered and kept: only the whole tells what changed
    covered, words = tokens[change.start : change.end], change.words
    own = [word for word in words if place.construction.owns(word)]
    if (
        len(own) == 1
        and own[0].lower() != tokens[place.start].lower()
        and sum(map(place.construction.owns, covered)) == 1
    ):
        return own[0]
    if len(covered) == len(words) and words[place.start - change.start] != tokens[place.start]:
        return words[place.start - change.start]
    return " ".join(words)


class Insertion(NamedTuple):
    """Words put before the token at `position`."""

    position: int
    text: str
    own: bool  # one of the construction's words is among them


def insertions(
    tokens: Sequence[str], start: int, end: int, replacement: str, construction: Construction
) -> tuple[Insertion, ...]:
    """What an edit inserts, and where; its words are aligned to those it replaces.

    Each of the small edits that alignment finds inserts words if it only adds some, or if it
    replaces words by more words, of which the last or the first is the construction's own while
    none of those replaced was.

    >>> from jurybox.jury.cases.constructions import CONSTRUCTIONS
    >>> tokens, article = "sat at mat".split(), CONSTRUCTIONS["missing-article"]
    >>> insertions(tokens, 2, 3, "the mat", article)
    (Insertion(position=2, text='the', own=True),)
    >>> insertions(tokens, 1, 2, "on the", article)
    (Insertion(position=2, text='the', own=True),)
    >>> insertions(tokens, 1, 2, "on", article)
    ()
    >>> [made[:2] for made in insertions("I like cat".split(), 1, 3, "do like the cat", article)]
    [(1, 'do'), (2, 'the')]
    """
    change = trim(tokens, start, end, replacement)
    covered = tokens[change.start : change.end]
    if not covered:
        parts = [change]
    else:
        parts = [
            Change(
                change.start + edit.start, change.start + edit.end, tuple(edit.replacement.split())
            )
            for edit in align(covered, change.words)
        ]
    return tuple(made for part in parts for made in _insertion(tokens, part, construction))


def _insertion(
    tokens: Sequence[str], change: Change, construction: Construction
) -> tuple[Insertion, ...]:
    """What a smallest edit inserts: once, or nothing."""
    words, covered = change.words, tokens[change.start : change.end]
    if not covered:
        own = any(map(construction.owns, words))
        return (Insertion(change.start, " ".join(words), own),) if words else ()
    if len(words) > len(covered) and not any(map(construction.owns, covered)):
        if construction.owns(words[-1]):
            return (Insertion(change.end, words[-1], True),)
        if construction.owns(words[0]):
            return (Insertion(change.start, words[0], True),)
    return ()


def align(source: Sequence[str], hypothesis: Sequence[str]) -> tuple[Edit, ...]:
    """The smallest edits of the cheapest alignment, as MaxMatch aligns, without types.

    >>> [edit[:3] for edit in align("sat at mat".split(), "sat on the mat".split())]
    [(1, 2, 'on the')]
    """
    if tuple(source) == tuple(hypothesis):
        return ()
    found = find_edits(tuple(source), tuple(hypothesis), unchanged=0)
    return tuple(Edit(edit.start, edit.end, edit.replacement) for edit in found)
