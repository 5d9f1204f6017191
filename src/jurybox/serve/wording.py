"""The words of the pages on which cases are judged: what is asked, what can be answered, by which
key; and judgments in these words, for adjudicators.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from jurybox.model import NOTHING
from jurybox.serve.answers import StoredAnswer
from jurybox.serve.model import (
    AdjudicatorDecision,
    ContestedCase,
    Feedback,
    Judgment,
    Shown,
    SubmittedAnswer,
)
from jurybox.serve.settings import Task


class AnswerButton(NamedTuple):
    """A button: what it sends, what stands on it, and the key that presses it."""

    value: str
    text: str
    key: str = ""


JUDGE = (
    AnswerButton("error", "Error", "1"),
    AnswerButton("ok", "OK", "2"),
    AnswerButton("unknown", "Too hard to decide", "3"),
)
#: "extraneous (Error), not extraneous (OK) or too hard to decide (Unknown)": Madnani et al. 2011
EXTRANEOUS = (
    AnswerButton("error", "Extraneous: no word belongs here", "1"),
    AnswerButton("ok", "Not extraneous", "2"),
    JUDGE[2],
)
CONTEXT = (
    AnswerButton(
        "spelling", "a spelling error within two words, or in the word it depends on", "s"
    ),
    AnswerButton("determiner", "a wrong or missing determiner, or a wrong plural", "d"),
    AnswerButton("grammar", "another grammatical error", "g"),
)
VERDICTS = (
    AnswerButton("extraneous", "Extraneous: no word belongs here", "0"),
    AnswerButton("wrong", "Wrong choice: another word belongs here", "1"),
    AnswerButton("correct", "Correct", "2"),
    AnswerButton("equal", "Equally good: other words would do as well", "e"),
)
CONFIDENCE = (AnswerButton("low", "Low", "l"), AnswerButton("high", "High", "h"))
#: trained raters say what spoils the context instead of judging; adjudicators say that it is so
SPOILED = AnswerButton("unknown", "The context is spoiled: nothing can be said", "3")

_LABELS = {
    "error": "an error",
    "ok": "no error",
    "unknown": "too hard to decide",
    **{one.value: one.text.partition(":")[0].lower() for one in VERDICTS},
}
_SHORT_CONTEXT = {
    "spelling": "a spelling error is near",
    "determiner": "a determiner or a plural is wrong",
    "grammar": "another grammatical error",
}
_QUESTIONS = {
    Task.EXTRANEOUS: "Is the marked word extraneous?",
    Task.CLOZE: "Which word belongs in the gap?",
    Task.CHOICE: "Which word is better in the gap?",
    Task.CORRECT: "Correct the errors in this essay",
}
_ANSWERS = {Task.JUDGE: JUDGE, Task.EXTRANEOUS: EXTRANEOUS, Task.TRAINED: VERDICTS}
#: the same in short
SHORT_ANSWERS = {
    task: {one.value: one.text.partition(":")[0] for one in buttons}
    for task, buttons in _ANSWERS.items()
}


def question(task: Task, shown: Shown) -> str:
    """What a rater is asked."""
    if task in _QUESTIONS:
        return _QUESTIONS[task]
    if not shown.has_target:
        return "Is there an error in this sentence?"
    if not shown.target:
        return "Is something missing at the marked place?"
    return "Is the marked part an error?" if task == Task.JUDGE else "Is the marked part right?"


def choices(shown: Shown) -> tuple[AnswerButton, ...]:
    """The answers of a choice, in the order in which the words are shown."""
    left, right = shown.fillers or ("", "")
    return (
        AnswerButton("left", word(left), "1"),
        AnswerButton("right", word(right), "2"),
        AnswerButton("equal", "Both are good", "3"),
        AnswerButton("bad", "Both are bad", "4"),
    )


def listed(fillers: Iterable[str]) -> tuple[AnswerButton, ...]:
    """A closed list; the first ten have keys, the tenth has 0.

    >>> listed(["in", "at"])[1]
    AnswerButton(value='at', text='at', key='2')
    """
    keys: Iterator[str] = iter("1234567890")
    return tuple(AnswerButton(filler, filler, next(keys, "")) for filler in fillers)


def answers(task: Task, shown: Shown, fillers: Iterable[str] = ()) -> tuple[AnswerButton, ...]:
    """What can be answered; nothing where it is a free word, or corrections."""
    if task == Task.CHOICE:
        return choices(shown)
    if task == Task.CLOZE:
        return listed(fillers)
    return _ANSWERS.get(task, ())


def word(text: str) -> str:
    """A word as it is shown; no word at all is said in words."""
    return "(no word)" if text == NOTHING else text


def corrections(number: int) -> str:
    """How many there are.

    >>> corrections(0), corrections(1), corrections(2)
    ('no corrections', '1 correction', '2 corrections')
    """
    return f"{number or 'no'} correction{'' if number == 1 else 's'}"


def answer_text(task: Task, label: str, words: str, shown: Shown | None) -> str:
    """A rater's own answer, for the feedback after practice."""
    if task == Task.CHOICE and shown is not None:
        return next((one.text for one in choices(shown) if one.value == label), label)
    if task in (Task.CLOZE, Task.CORRECT):
        return label
    text = SHORT_ANSWERS[task].get(label, "The context is spoiled")
    return f"{text} ({words})" if words else text


def expected(task: Task, feedback: Feedback, label: str, shown: Shown | None) -> str:
    """What would have been right, in words; '' where that cannot be said.

    A choice knows the first word and the second, the page only left and right. A rater who took
    the wrong one of the two is shown the other.

    >>> expected(Task.JUDGE, Feedback(False, ("error",), ""), "ok", None)
    'an error'
    >>> shown = Shown("", "", "", "", True, ("at", "in"))
    >>> expected(Task.CHOICE, Feedback(False, ("second",), ""), "left", shown)
    'in'
    """
    if task != Task.CHOICE:
        own = SHORT_ANSWERS[task] if task == Task.EXTRANEOUS else {}
        texts = {} if task == Task.CLOZE else _LABELS | {k: v.lower() for k, v in own.items()}
        return " or ".join(texts.get(one, word(one)) for one in feedback.expected)
    found = []
    for one in feedback.expected:
        if one in ("equal", "bad"):
            found.append(f"both are {'good' if one == 'equal' else 'bad'}")
        elif feedback.is_right is False and label in ("left", "right") and shown is not None:
            left, right = shown.fillers or ("", "")
            found.append(word(right if label == "left" else left))
        else:
            found.append("one of the two is better")
    return " or ".join(dict.fromkeys(found))


# --- for adjudicators ---


def as_submitted(
    task: Task, given: Judgment | AdjudicatorDecision | StoredAnswer, *, swapped: bool
) -> SubmittedAnswer:
    """What a form would have to say for an answer to be stored as this one."""
    label = given.label
    if task == Task.TRAINED:
        best = (given.correction,) if given.correction not in ("", NOTHING) else ()
        return SubmittedAnswer(label, (*best, *given.alternatives))
    if task == Task.CHOICE and label in ("first", "second"):
        return SubmittedAnswer("left" if (label == "first") != swapped else "right")
    return SubmittedAnswer(label)


def judgment_text(case: ContestedCase, judgment: Judgment | AdjudicatorDecision) -> str:
    """A judgment, or a decision, in the words of the page it was made on."""
    given = as_submitted(case.task, judgment, swapped=case.is_swapped)
    if case.task == Task.CLOZE:
        return word(given.label)
    if case.task == Task.CHOICE:
        return next((one.text for one in choices(case.shown) if one.value == given.label), "")
    if case.task == Task.TRAINED and given.label == SPOILED.value:
        return "The context is spoiled"
    text = next((one.text for one in _ANSWERS[case.task] if one.value == given.label), given.label)
    return ": ".join(filter(None, (text.partition(":")[0], ", ".join(given.words))))


def remarks(judgment: Judgment) -> tuple[str, ...]:
    """What goes with a judgment: how sure the rater was, what spoils the context.

    >>> remarks(Judgment("A", "ok", confidence="low", context=("grammar",)))
    ('confidence: low', 'the context: another grammatical error')
    """
    sure = next((one.text.lower() for one in CONFIDENCE if one.value == judgment.confidence), "")
    found = [f"confidence: {sure}"] if sure else []
    if judgment.context:
        named = ", ".join(_SHORT_CONTEXT.get(flag, flag) for flag in judgment.context)
        found.append(f"the context: {named}")
    return tuple(found)
