"""The page on which differing corrections of an essay are decided; no database is used.

Sentence by sentence: what every annotator made of it, then every distinct correction to be ticked.
What everybody corrected in the same way is ticked to begin with. Adjudicators may write corrections
of their own; one that takes the place of others unticks them.

The form holds everything: `keep` the marks of what is ticked, `own` the adjudicator's corrections.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from itertools import groupby
from typing import NamedTuple

from jurybox.errors import InputError
from jurybox.serve.categories import Category
from jurybox.serve.essays import (
    check_corrections,
    is_close,
    overlaps,
    quote,
    read_edits,
    text_of,
    write_edits,
)
from jurybox.serve.model import ContestedCase, CorrectedEssay, EssayCorrection

#: adjudicators write at most so many corrections of their own
MOST_OWN = 500
KEPT, STRUCK, ADDED = "", "struck", "added"
INSERT = "insert"


class TextPiece(NamedTuple):
    kind: str
    text: str
    blank: str  # before it, where prose has one


class Version(NamedTuple):
    letters: tuple[str, ...]
    pieces: tuple[TextPiece, ...]
    corrections: int


class CorrectionOption(NamedTuple):
    mark: str  # names it in the form
    correction: EssayCorrection
    text: str
    letters: tuple[str, ...]  # who made it
    is_everybodys: bool
    is_own: bool  # the adjudicator's
    is_kept: bool
    comments: tuple[str, ...]


class Part(NamedTuple):
    number: int
    tokens: tuple[str, ...]
    pieces: tuple[TextPiece, ...]  # as it was written
    versions: tuple[Version, ...]  # none where nobody corrected anything
    options: tuple[CorrectionOption, ...]
    is_agreed: bool


class Writing(NamedTuple):
    """The form for a correction of one's own, as it is filled in; positions are texts.

    `end` is behind the last word; '' where only one word is meant, `INSERT` where none is.
    """

    sentence: int
    start: str = ""
    end: str = ""
    replacement: str = ""
    category: str = ""
    instead: str = ""  # the mark of the correction that is changed

    @property
    def is_begun(self) -> bool:
        """Whether something was typed that must not get lost."""
        return bool(self.replacement.strip() or self.category)


class Ticked(NamedTuple):
    """What the form says: which marks are kept, and the adjudicator's own corrections."""

    kept: frozenset[str]
    own: tuple[EssayCorrection, ...] = ()


# --- the page -------------------------------------------------------------------------------------


def mark_of(correction: EssayCorrection) -> str:
    """A short name of a correction, the same for every annotator."""
    text = write_edits([correction._replace(comment="")])
    return blake2b(text.encode(), digest_size=6).hexdigest()


def first_ticked(case: ContestedCase) -> Ticked:
    """What is ticked before anybody touches the page: the decision, or what everybody made."""
    made = {mark_of(one) for judgment in case.judgments for one in judgment.edits}
    if case.decision is not None and case.decision.is_made:
        edits = case.decision.edits
        own = tuple(one for one in edits if mark_of(one) not in made)
        return Ticked(frozenset(map(mark_of, edits)), own)
    sets = [{mark_of(one) for one in judgment.edits} for judgment in case.counted]
    return Ticked(frozenset(sets[0].intersection(*sets)) if sets else frozenset())


def makers_of(
    edits: Mapping[str, Iterable[EssayCorrection]],
) -> dict[EssayCorrection, tuple[str, ...]]:
    """Every distinct correction, in the order of the text, and who made it.

    Corrections are the same in span, text and category; comments are left out.
    """
    makers: dict[EssayCorrection, list[str]] = {}
    for name, made in edits.items():
        for one in made:
            makers.setdefault(one._replace(comment=""), []).append(name)
    return {one: tuple(makers[one]) for one in sorted(makers)}


def parts_of(case: ContestedCase, ticked: Ticked) -> tuple[Part, ...]:
    edits = {judgment.letter: judgment.edits for judgment in case.judgments}
    counted = {judgment.letter for judgment in case.counted}
    makers = makers_of(edits)
    lines = [tuple(line.split()) for paragraph in case.shown.essay for line in paragraph]
    places = range(len(lines))
    own = {one for one in ticked.own if one not in makers and one.sentence in places}
    options: dict[int, list[CorrectionOption]] = {place: [] for place in places}
    for one in sorted([*makers, *own]):
        by, mark = makers.get(one, ()), mark_of(one)
        comments = tuple(
            f"{letter}: {each.comment}"
            for letter in by
            for each in edits[letter]
            if each.comment and mark_of(each) == mark
        )
        option = CorrectionOption(
            mark,
            one,
            quote(one, lines),
            by,
            is_everybodys=bool(counted) and counted <= set(by),
            is_own=one in own,
            is_kept=mark in ticked.kept,
            comments=comments,
        )
        options[one.sentence].append(option)
    corrected = {one.sentence for one in makers}
    return tuple(
        Part(
            place,
            tokens,
            pieces_of(tokens, ()),
            _versions(tokens, edits, place) if place in corrected else (),
            tuple(options[place]),
            is_agreed=all(
                one.is_everybodys or not counted & set(one.letters) for one in options[place]
            ),
        )
        for place, tokens in enumerate(lines)
    )


def _versions(
    tokens: Sequence[str], edits: Mapping[str, Sequence[EssayCorrection]], sentence: int
) -> tuple[Version, ...]:
    """A sentence as annotators left it; those who did the same stand in one line."""
    found: dict[tuple[str, ...], list[str]] = {}
    here = {
        letter: [one for one in made if one.sentence == sentence] for letter, made in edits.items()
    }
    for letter, made in here.items():
        found.setdefault(tuple(map(mark_of, made)), []).append(letter)
    return tuple(
        Version(tuple(letters), pieces_of(tokens, here[letters[0]]), len(marks))
        for marks, letters in found.items()
    )


def pieces_of(tokens: Sequence[str], edits: Iterable[EssayCorrection]) -> tuple[TextPiece, ...]:
    marked: list[tuple[str, str]] = []
    at = 0
    for one in sorted(edits):
        marked += [(KEPT, token) for token in tokens[at : one.start]]
        marked += [(STRUCK, token) for token in tokens[one.start : one.end]]
        marked += [(ADDED, token) for token in one.replacement.split()]
        at = one.end
    marked += [(KEPT, token) for token in tokens[at:]]
    spaced, before = [], ""
    for kind, token in marked:
        spaced.append(TextPiece(kind, token, "" if not before or is_close(before, token) else " "))
        before = token
    joined = []
    for _, each in groupby(spaced, key=lambda one: one.kind):
        first, *rest = each
        text = first.text + "".join(one.blank + one.text for one in rest)
        joined.append(first._replace(text=text))
    return tuple(joined)


class ShownEssay(NamedTuple):
    """An essay as one annotator corrected it: paragraphs of sentences, and every correction."""

    paragraphs: tuple[tuple[tuple[TextPiece, ...], ...], ...]
    corrections: tuple[tuple[str, EssayCorrection], ...]  # in words
    submitted: float


def shown_essay(corrected: CorrectedEssay) -> ShownEssay:
    """What an admin reads before writing feedback.

    >>> edits = (EssayCorrection(0, 1, 2, "is", "SVA"),)
    >>> shown = shown_essay(CorrectedEssay((("It are so .",),), edits, 0.0))
    >>> shown.paragraphs[0][0][1].text, shown.corrections[0][0]
    ('are', '“are” → “is”')
    """
    sentences = [text.split() for paragraph in corrected.essay for text in paragraph]
    marked = iter(
        pieces_of(tokens, (one for one in corrected.edits if one.sentence == number))
        for number, tokens in enumerate(sentences)
    )
    return ShownEssay(
        tuple(tuple(next(marked) for _ in paragraph) for paragraph in corrected.essay),
        tuple((quote(one, sentences), one) for one in sorted(corrected.edits)),
        corrected.submitted,
    )


# --- the form -------------------------------------------------------------------------------------


def read_ticked(kept: Iterable[str], own: Iterable[str]) -> Ticked:
    """What was sent; an own correction that is not ticked any more is gone."""
    written = [one for text in own for one in read_edits(text)][: MOST_OWN + 1]
    if len(written) > MOST_OWN:
        raise InputError(f"These are more than {MOST_OWN} corrections of your own.")
    marks = frozenset(kept)
    return Ticked(marks, tuple(one for one in written if mark_of(one) in marks))


def edits_of(case: ContestedCase, ticked: Ticked) -> tuple[EssayCorrection, ...]:
    """The corrections that are ticked; whether they fit together is checked with the decision."""
    options = [option for part in parts_of(case, ticked) for option in part.options]
    return tuple(option.correction for option in options if option.is_kept)


def begin_writing(case: ContestedCase, ticked: Ticked, asked: str) -> Writing:
    """An empty form for a sentence, by its number, or one with the correction of a mark in it."""
    for part in parts_of(case, ticked):
        if asked == str(part.number):
            return Writing(part.number)
        for option in part.options:
            if option.mark == asked:
                one = option.correction
                end = INSERT if one.start == one.end else str(one.end)
                places = (str(one.start), end)
                return Writing(part.number, *places, one.replacement, one.category, option.mark)
    raise InputError("There is no such sentence in this essay.")


def add_written(
    case: ContestedCase, ticked: Ticked, writing: Writing, categories: Sequence[Category]
) -> Ticked:
    """A correction more; what it replaces, or overlaps, is no longer ticked."""
    start = _place(writing.start, "Please choose the word at which your correction begins.")
    lines = [line for paragraph in case.shown.essay for line in paragraph]
    length = len(lines[writing.sentence].split()) if writing.sentence < len(lines) else 0
    if writing.end == INSERT or writing.start == str(length):  # the latter is behind all words
        end = start
    else:
        end = _place(writing.end or str(start + 1), "Please choose the word at which it ends.")
    typed = EssayCorrection(writing.sentence, start, end, writing.replacement, writing.category)
    if typed.end < typed.start:
        raise InputError("Your correction ends before it begins: please choose the words again.")
    (written,) = check_corrections([typed], text_of(case.shown.essay), categories)
    giving_way = {
        option.mark
        for part in parts_of(case, ticked)
        for option in part.options
        if option.mark == writing.instead or overlaps(option.correction, written)
    }
    own = (one for one in ticked.own if mark_of(one) not in giving_way)
    return Ticked((ticked.kept - giving_way) | {mark_of(written)}, (*own, written))


def _place(text: str, problem: str) -> int:
    if not text.isdecimal() or len(text) > 6:
        raise InputError(problem)
    return int(text)
