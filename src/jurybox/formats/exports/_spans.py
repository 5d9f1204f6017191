"""Marked spans to judgments: every span that somebody marked is a case.

Who looked at the text and did not mark the span has said that it is in order. So the cases of a
text are known only when all its raters are, and such exports are held in memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from jurybox.errors import plural
from jurybox.formats.exports._export import Row
from jurybox.formats.exports._objects import as_label

#: the label of a span that a rater left unmarked
UNMARKED = "ok"
Span = tuple[int, int]


class Marked(NamedTuple):
    """One rater's marks in one text; `spans` are characters from 0, half-open."""

    line: int
    text_id: str
    text: str
    rater: str
    spans: Mapping[Span, str]
    cells: Mapping[str, str] = {}  # what else is known of the judgment
    is_gold: bool = False  # the right marks, not somebody's


def read_span(start: Any, end: Any, label: Any, text: str) -> tuple[Span, str]:
    """A span and its label; ValueError says what is wrong with them."""
    if type(start) is not int or type(end) is not int or not 0 <= start <= end:
        raise ValueError(
            f"span {start!r} to {end!r} is none; it counts characters from 0, as 3 to 5"
        )
    if end > len(text):
        raise ValueError(
            f"span {start}-{end} ends outside the text of {len(text)} characters; "
            "was the text changed after it was marked?"
        )
    return (start, end), as_label(label)


def span_rows(marked: Iterable[Marked]) -> Iterator[Row]:
    """One row per span and rater of its text; a text that nobody marked gives none.

    >>> ann = Marked(1, "7", "He go home .", "Ann", {(3, 5): "SVA"})
    >>> bob = Marked(2, "7", "He go home .", "Bob", {})
    >>> rows = list(span_rows([ann, bob]))
    >>> [[row.cells[field] for field in ("case", "rater", "label")] for row in rows]
    [['7:3-5', 'Ann', 'SVA'], ['7:3-5', 'Bob', 'ok']]
    """
    texts: dict[str, list[Marked]] = {}
    for each in marked:
        texts.setdefault(each.text_id, []).append(each)
    for text_id, everybody in texts.items():
        right = next((each.spans for each in everybody if each.is_gold), None)
        text = everybody[0].text
        for start, end in sorted({span for each in everybody for span in each.spans}):
            known = {"case": f"{text_id}:{start}-{end}", **_place(text, start, end)}
            if right is not None:
                known["gold"] = right.get((start, end), UNMARKED)
            for each in everybody:
                if not each.is_gold:
                    label = each.spans.get((start, end), UNMARKED)
                    yield Row(
                        each.line, {**each.cells, **known, "rater": each.rater, "label": label}
                    )


def note_unmarked(marked: Iterable[Marked]) -> list[str]:
    """What is said of texts without any mark: no case tells of them.

    >>> note_unmarked([Marked(1, "7", "Fine .", "Ann", {}), Marked(2, "8", "It .", "Bob", {})])
    ['2 texts without any mark: no case is made of them']
    """
    texts: dict[str, bool] = {}
    for each in marked:
        texts[each.text_id] = texts.get(each.text_id, False) or bool(each.spans)
    bare = sum(not is_marked for is_marked in texts.values())
    return [f"{plural(bare, 'text')} without any mark: no case is made of them"] if bare else []


def _place(text: str, start: int, end: int) -> dict[str, str]:
    """Sentence, words, and the tokens they are where the span begins and ends with one."""
    known = {"sentence": text, "written": text[start:end]}
    before, behind = text[:start], text[end:]
    begins = not before or before[-1].isspace()
    ends = not behind or behind[0].isspace()
    if begins and ends and not text[start:end].isspace() and end > start:
        first = len(before.split())
        known |= {"start": str(first), "end": str(first + len(text[start:end].split()))}
    return known
