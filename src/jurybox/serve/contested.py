"""What adjudicators see and decide: cases on which raters differ, their judgments without names.

As with raters (`Shown`), what an adjudicator must not see has no field here: no rater's name, no
time, no case's id, no label of a system, no stratum, no known answer.
"""

from __future__ import annotations

from typing import NamedTuple

from jurybox.model import NOTHING
from jurybox.serve.model import EssayCorrection, Shown, SubmittedAnswer
from jurybox.serve.settings import Task
from jurybox.serve.wording import CONFIDENCE, JUDGE, VERDICTS, AnswerButton, choices, word

#: what a decision without an answer is: somebody looked at the case and left it open
UNDECIDED = ""
#: trained raters say what spoils the context instead of judging; adjudicators say that it is so
SPOILED = AnswerButton("unknown", "The context is spoiled: nothing can be said", "3")
_CONTEXT = {
    "spelling": "a spelling error is near",
    "determiner": "a determiner or a plural is wrong",
    "grammar": "another grammatical error",
}


class ContestedCounts(NamedTuple):
    """How many cases of a project are contested, and how far adjudicators are."""

    contested: int  # decided ones included
    decided: int

    @property
    def left(self) -> int:
        """Cases that wait for a decision."""
        return self.contested - self.decided


class AdjudicatorDecision(NamedTuple):
    """What an adjudicator said of a case; the last one counts."""

    label: str  # as judgments have it; '' where the case was left undecided
    correction: str
    alternatives: tuple[str, ...]
    edits: tuple[EssayCorrection, ...]
    comment: str
    by: str  # the adjudicator's name
    time: float

    @property
    def is_made(self) -> bool:
        """Whether something was decided."""
        return self.label != UNDECIDED


class Contested(NamedTuple):
    """A case in the list."""

    case: int  # a number of this database; the id in the file is not shown
    shown: Shown
    judgments: int  # that count: raters who are flagged do not
    #: share of judgments that are not the most frequent one; essays: of edits not all made
    minority: float
    state: str  # open, undecided (left so by an adjudicator), decided


class Judgment(NamedTuple):
    """What one rater said; the letter is given per case, in an order that reveals nothing."""

    letter: str
    label: str
    correction: str = ""
    alternatives: tuple[str, ...] = ()
    confidence: str = ""  # low, high
    context: tuple[str, ...] = ()
    comment: str = ""
    edits: tuple[EssayCorrection, ...] = ()
    is_flagged: bool = False  # by a rater who is not trusted: shown, not counted


class ContestedCase(NamedTuple):
    """A case with everything that an adjudicator may see of it.

    A choice's two words stand in an order that the case decides: `left` and `right` of a decision
    are those of `shown`.
    """

    case: int
    task: Task
    shown: Shown
    is_swapped: bool  # choice: the second word stands left
    judgments: tuple[Judgment, ...]
    decision: AdjudicatorDecision | None

    @property
    def counted(self) -> tuple[Judgment, ...]:
        """The judgments of raters who are trusted."""
        return tuple(one for one in self.judgments if not one.is_flagged)


def letter(place: int) -> str:
    """A, B … Z, AA, AB …

    >>> letter(0), letter(25), letter(26), letter(52)
    ('A', 'Z', 'AA', 'BA')
    """
    first, last = divmod(place, 26)
    return (letter(first - 1) if first else "") + chr(ord("A") + last)


def as_given(
    task: Task, label: str, correction: str, alternatives: tuple[str, ...], *, swapped: bool
) -> SubmittedAnswer:
    """What a form would have to say for an answer to be stored as this one.

    >>> as_given(Task.TRAINED, "error", "on", ("upon",), swapped=False)[:2]
    ('wrong', ('on', 'upon'))
    >>> as_given(Task.CHOICE, "second", "", (), swapped=True).label
    'left'
    """
    if task == Task.TRAINED:
        if label == "error":
            if correction == NOTHING:
                return SubmittedAnswer("extraneous")
            return SubmittedAnswer("wrong", (correction, *alternatives))
        if label == "ok":
            return (
                SubmittedAnswer("equal", alternatives)
                if alternatives
                else SubmittedAnswer("correct")
            )
    if task == Task.CHOICE and label in ("first", "second"):
        return SubmittedAnswer("left" if (label == "first") != swapped else "right")
    return SubmittedAnswer(label)


def in_words(case: ContestedCase, judgment: Judgment | AdjudicatorDecision) -> str:
    """A judgment, or a decision, in the words of the page it was made on.

    >>> shown = Shown("", "He sat", "at", "mat .")
    >>> case = ContestedCase(1, Task.TRAINED, shown, False, (), None)
    >>> in_words(case, Judgment("A", "error", "on", ("upon",)))
    'Wrong choice: on, upon'
    """
    given = as_given(
        case.task,
        judgment.label,
        judgment.correction,
        judgment.alternatives,
        swapped=case.is_swapped,
    )
    if case.task == Task.CLOZE:
        return word(given.label)
    if case.task == Task.CHOICE:
        return next((one.text for one in choices(case.shown) if one.value == given.label), "")
    if case.task == Task.TRAINED and given.label == SPOILED.value:
        return "The context is spoiled"
    answers = VERDICTS if case.task == Task.TRAINED else JUDGE
    text = next((one.text for one in answers if one.value == given.label), given.label)
    return ": ".join(filter(None, (text.partition(":")[0], ", ".join(given.words))))


def remarks(judgment: Judgment) -> tuple[str, ...]:
    """What goes with a judgment: how sure the rater was, what spoils the context.

    >>> remarks(Judgment("A", "ok", confidence="low", context=("grammar",)))
    ('confidence: low', 'the context: another grammatical error')
    """
    sure = next((one.text.lower() for one in CONFIDENCE if one.value == judgment.confidence), "")
    found = [f"confidence: {sure}"] if sure else []
    if judgment.context:
        named = ", ".join(_CONTEXT.get(flag, flag) for flag in judgment.context)
        found.append(f"the context: {named}")
    return tuple(found)
