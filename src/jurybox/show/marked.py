"""A corrected sentence with its changes marked, wrapped to a width.

In plain text changed words stand in [brackets] and [] is where something was deleted; in colour
changed words are bold and green instead, and the sign of a deletion red.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

GREEN, RED, RESET = "\033[1;32m", "\033[1;31m", "\033[0m"
DELETED = "[]"


class Run(NamedTuple):
    """Words that were changed together, or not at all; changed without words is a deletion."""

    words: tuple[str, ...]
    changed: bool


class Word(NamedTuple):
    """A word as it is printed, and how many columns it takes."""

    shown: str
    width: int


def mark_changes(tokens: Sequence[str], edits: Iterable[tuple[int, int, str]]) -> list[Run]:
    """The corrected sentence in runs; edits (start, end, replacement) act as in `apply_edits`.

    >>> mark_changes("I saw a the cat".split(), [(2, 3, ""), (4, 5, "cats")])
    [Run(words=('I', 'saw'), changed=False), Run(words=(), changed=True), \
Run(words=('the',), changed=False), Run(words=('cats',), changed=True)]
    """
    corrected: list[tuple[str, int | None]] = [(token, None) for token in tokens]
    gaps: set[int] = set()  # in front of which word something is missing
    shift = 0
    ordered = sorted(edits, key=lambda edit: edit[:2])
    for number, (start, end, replacement) in enumerate(ordered):
        words = replacement.split()
        before = len(corrected)
        first, last = (min(max(0, place + shift), before) for place in (start, end))
        corrected[first:last] = [(word, number) for word in words]
        growth = len(corrected) - before
        gaps = {gap if gap <= first else max(first, gap + growth) for gap in gaps}
        if end > start and not words:
            gaps.add(first)
        shift += len(words) - (end - start)
    return list(_runs(corrected, gaps))


def _runs(corrected: Sequence[tuple[str, int | None]], gaps: set[int]) -> Iterator[Run]:
    words: list[str] = []
    current: int | None = None
    for place, (word, number) in enumerate(corrected):
        if words and (number != current or place in gaps):
            yield Run(tuple(words), current is not None)
            words = []
        if place in gaps:
            yield Run((), True)
        words.append(word)
        current = number
    if words:
        yield Run(tuple(words), current is not None)
    if len(corrected) in gaps:
        yield Run((), True)


def show_words(runs: Iterable[Run], *, colour: bool = False) -> list[Word]:
    """The words to print, one by one, so that lines can break between them.

    >>> [word.shown for word in show_words([Run(("to", "me"), True), Run((), True)])]
    ['[to', 'me]', '[]']
    """
    shown: list[Word] = []
    for run in runs:
        if not run.changed:
            shown += [Word(word, len(word)) for word in run.words]
        elif colour:
            style = GREEN if run.words else RED
            words = run.words or (DELETED,)
            shown += [Word(f"{style}{word}{RESET}", len(word)) for word in words]
        else:
            bracketed = f"[{' '.join(run.words)}]".split()
            shown += [Word(word, len(word)) for word in bracketed]
    return shown


def fill(words: Iterable[Word], width: int) -> list[str]:
    """Lines of at most `width` columns; a longer word has a line of its own.

    >>> fill([Word("on", 2), Word("the", 3), Word("mat", 3)], 7)
    ['on the', 'mat']
    """
    lines: list[str] = []
    line: list[str] = []
    used = 0
    for word in words:
        if line and used + 1 + word.width > width:
            lines.append(" ".join(line))
            line, used = [], 0
        used += word.width + (1 if line else 0)
        line.append(word.shown)
    return [*lines, " ".join(line)] if line else lines


def hang(label: str, lines: Sequence[str], indent: int) -> list[str]:
    r"""Lines under a hanging indent, the label before the first, or above it where it is long.

    >>> print("\n".join(hang("A1", ["On the", "mat ."], 4)))
    A1  On the
        mat .
    """
    blank = " " * indent
    body = [f"{blank}{line}" for line in lines] or [blank]
    if len(label) + 2 > indent:
        return [label, *body]
    return [f"{label.ljust(indent)}{body[0][indent:]}".rstrip(), *body[1:]]
