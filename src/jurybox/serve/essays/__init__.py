r"""Essays as text, and corrections in them; no database is used.

An essay is one text: a tokenised sentence per line, a blank line between paragraphs. Corrections
count sentences through the whole essay and tokens in their sentence, both from 0. They are stored
as JSON, and become edits of M2 and SGML.

What is typed as a correction is tokenised like the essay ("don't" becomes "do n't"), since edits
are compared token by token. It is looked at together with the word behind it: a full stop at its
end is a token of its own where the sentence ends, and "etc." stays whole elsewhere. Words at both
ends that stay as they are do not belong to a correction ("in the house" becoming "at the house" is
"in" becoming "at"): so two people who mean the same have made the same correction, whatever they
marked, in M2 as in SGML.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from jurybox.errors import InputError
from jurybox.formats.edits.tokens import tokenize
from jurybox.model import NOTHING, Annotation, Edit, Sentence
from jurybox.serve.categories import Category
from jurybox.serve.categories import of as categories_of
from jurybox.serve.model import EssayCorrection
from jurybox.serve.settings import is_storable

#: paragraphs of sentences, as in `Shown.essay`
Paragraphs = tuple[tuple[str, ...], ...]
#: what exports call the decisions of adjudicators
ADJUDICATOR = "ADJ"
MOST_EDITS, LONGEST_REPLACEMENT, LONGEST_COMMENT = 2000, 500, 500


class AnnotatedEssay(NamedTuple):
    """An essay and what its annotators did with it; who is in `edits` has finished it."""

    case: int  # its number in the store
    name: str  # its id in the file it came from
    paragraphs: Paragraphs
    edits: dict[str, tuple[EssayCorrection, ...]]


class Draft(NamedTuple):
    """Corrections that are saved and not yet sent; the version goes up with every save."""

    version: int = 0
    edits: tuple[EssayCorrection, ...] = ()
    saved: float | None = None


class SavedDraft(NamedTuple):
    """What became of a draft.

    `accepted` is false where another window has saved something else in between: `draft` is what is
    stored, and nothing was changed. `is_wanted` is false where others have finished the essay often
    enough meanwhile, so that an answer would come too late.
    """

    accepted: bool
    draft: Draft
    is_wanted: bool = True


# --- text -----------------------------------------------------------------------------------------


def paragraphs_of(text: str) -> Paragraphs:
    r"""An essay's text as paragraphs of sentences.

    >>> paragraphs_of("It are so .\nWe know .\n\nBye .")
    (('It are so .', 'We know .'), ('Bye .',))
    """
    found: list[tuple[str, ...]] = []
    lines: list[str] = []
    for line in [*text.splitlines(), ""]:
        if line.strip():
            lines.append(" ".join(line.split()))
        elif lines:
            found.append(tuple(lines))
            lines = []
    return tuple(found)


def text_of(paragraphs: Iterable[Iterable[str]]) -> str:
    """The other way round."""
    return "\n\n".join("\n".join(paragraph) for paragraph in paragraphs)


#: tokens without a blank before them in prose, and without one after them
_CLITICS = [sign + end for sign in "'’" for end in ("s", "m", "d", "ll", "re", "ve")]
_CLOSE_TO_LEFT = frozenset([*",.;:?!)]}%", "...", "n't", "n’t", *_CLITICS])
_CLOSE_TO_RIGHT = frozenset("([{$£€")


def is_close(before: str, token: str) -> bool:
    """Whether prose has no blank between two tokens; only for the eye, and only where it is clear.

    >>> is_close("does", "n't"), is_close("mat", "."), is_close("(", "yes"), is_close("a", '"')
    (True, True, True, False)
    """
    return token in _CLOSE_TO_LEFT or before in _CLOSE_TO_RIGHT


# --- corrections as they come and go --------------------------------------------------------------


def write_edits(edits: Iterable[EssayCorrection]) -> str:
    """Corrections as they are stored."""
    return json.dumps(list(edits), ensure_ascii=False, separators=(",", ":"))


def read_edits(text: str) -> tuple[EssayCorrection, ...]:
    """Corrections out of their JSON, as a database or a form holds it; no text is none.

    Only the shape is looked at: `check_corrections` says whether they fit an essay.
    """
    if not text.strip():
        return ()
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        given = None
    kinds = [int, int, int, str, str, str]
    if not isinstance(given, list) or not all(
        isinstance(one, list) and len(one) in (5, 6) and [*map(type, one)] == kinds[: len(one)]
        for one in given
    ):
        raise InputError(
            "The corrections came in a form that cannot be read. Please load the page."
        )
    return tuple(EssayCorrection(*one) for one in given)


# --- checking -------------------------------------------------------------------------------------


def check_corrections(
    edits: Iterable[EssayCorrection], essay: str, categories: Sequence[Category] = ()
) -> tuple[EssayCorrection, ...]:
    """Corrections in the order of the text, tokenised, of as few words as they change.

    What cannot be a correction is an InputError. `categories` is the project's own list; where it
    is empty the 28 of NUCLE are meant.
    """
    given = list(edits)
    if len(given) > MOST_EDITS:
        raise InputError(f"These are more than {MOST_EDITS} corrections in one essay.")
    sentences = [line.split() for line in essay.splitlines() if line.strip()]
    names = {category.name for category in categories_of(categories)}
    found = sorted(_checked(one, sentences, names) for one in given)
    for one, other in pairwise(found):
        if overlaps(one, other):
            raise InputError(
                f"Two corrections overlap: {quote(one, sentences)} and {quote(other, sentences)}. "
                "Please change or remove one of them."
            )
    return tuple(found)


def overlaps(one: EssayCorrection, other: EssayCorrection) -> bool:
    """Whether two corrections cannot both be made: they share words, or a place to insert at.

    >>> first = EssayCorrection(0, 1, 3, "x", "Wci")
    >>> at_its_end = EssayCorrection(0, 3, 3, "y", "Prep")
    >>> overlaps(first, at_its_end), overlaps(at_its_end, at_its_end)
    (False, True)
    """
    if one.sentence != other.sentence:
        return False
    is_same = (one.start, one.end) == (other.start, other.end)
    return is_same or (one.start < other.end and other.start < one.end)


def quote(edit: EssayCorrection, sentences: Sequence[Sequence[str]]) -> str:
    """A correction in words, for messages."""
    words = " ".join(sentences[edit.sentence][edit.start : edit.end])
    if not words:
        return f"“{edit.replacement}” inserted"
    return f"“{words}” → “{edit.replacement}”" if edit.replacement else f"“{words}” deleted"


def _checked(
    edit: EssayCorrection, sentences: Sequence[Sequence[str]], names: set[str]
) -> EssayCorrection:
    if not 0 <= edit.sentence < len(sentences):
        raise InputError("A correction stands in a sentence that the essay does not have.")
    tokens = sentences[edit.sentence]
    if not 0 <= edit.start <= edit.end <= len(tokens):
        raise InputError("A correction stands outside of its sentence.")
    typed = " ".join(edit.replacement.split())
    _refuse_signs(typed, "correction")
    if len(typed) > LONGEST_REPLACEMENT:
        raise InputError("That correction is too long: please mark as few words as you can.")
    if typed == NOTHING:
        raise InputError(f"{NOTHING} is no word: leave the correction empty to delete words.")
    following = " ".join(tokens[edit.end : edit.end + 1])
    replacement = " ".join(tokenize_correction(typed, following))
    if edit.start == edit.end and not replacement:
        raise InputError("Please write what is to be inserted.")
    if replacement.split() == list(tokens[edit.start : edit.end]):
        raise InputError(f"“{replacement}” is what stands there already: nothing would change.")
    if edit.category not in names:
        raise InputError(f"Please choose a category for {quote(edit, sentences)}.")
    comment = " ".join(edit.comment.split())
    _refuse_signs(comment, "comment")
    if len(comment) > LONGEST_COMMENT:
        raise InputError(f"Please keep comments under {LONGEST_COMMENT} characters.")
    return _minimal(edit._replace(replacement=replacement, comment=comment), tokens)


def _minimal(edit: EssayCorrection, tokens: Sequence[str]) -> EssayCorrection:
    """Without the words at its ends that it does not change, as readers of SGML cut them off."""
    start, end, corrected = edit.start, edit.end, edit.replacement.split()
    while start < end and corrected and tokens[start] == corrected[0]:
        start, corrected = start + 1, corrected[1:]
    while start < end and corrected and tokens[end - 1] == corrected[-1]:
        end, corrected = end - 1, corrected[:-1]
    return edit._replace(start=start, end=end, replacement=" ".join(corrected))


def tokenize_correction(typed: str, following: str) -> list[str]:
    """The tokens of a correction; `following` is the word behind it, if there is one.

    >>> [tokenize_correction("so, etc.", following) for following in ("and", "")]
    [['so', ',', 'etc.'], ['so', ',', 'etc', '.']]
    """
    tokens = tokenize(f"{typed} {following}")
    return tokens[: len(tokens) - len(tokenize(following))]


def _refuse_signs(text: str, what: str) -> None:
    """M2 parts its fields by bars, and databases take no NUL."""
    if "|" in text:
        raise InputError(f"Please do without the sign | in the {what} “{text[:40]}”.")
    if not is_storable(text):
        raise InputError(f"There is a character in a {what} that cannot be stored.")


# --- edits ----------------------------------------------------------------------------------------


def to_sentences(essay: AnnotatedEssay) -> list[Sentence]:
    """The sentences with an `Annotation` per annotator, who looked at all of them."""
    found: list[Sentence] = []
    for number, paragraph in enumerate(essay.paragraphs):
        for text in paragraph:
            annotations = tuple(
                Annotation(name, tuple(_edit(one) for one in edits if one.sentence == len(found)))
                for name, edits in essay.edits.items()
            )
            found.append(Sentence(tuple(text.split()), annotations, essay.name, number))
    return found


def _edit(one: EssayCorrection) -> Edit:
    comment = one.comment or NOTHING
    return Edit(one.start, one.end, one.replacement, one.category, comment=comment)
