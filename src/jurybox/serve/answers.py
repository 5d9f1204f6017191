"""What raters are shown and what they may answer, task by task; no database is used.

The trained raters' form is that of Tetreault and Chodorow (2008): what spoils the context, then 0
extraneous, 1 wrong choice with the best words, 2 correct, e equally good with the others, then
confidence. These four are the labels that are stored. Where only errors count, 0 and 1 are errors
(0 deletes), 2 and e are ok.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from itertools import chain
from typing import Any, NamedTuple

from jurybox.errors import InputError
from jurybox.model import LABELS, NOTHING, TRAINED_LABELS
from jurybox.serve.essays import check_corrections, paragraphs_of
from jurybox.serve.model import EssayCorrection, NewCase, Purpose, Shown, SubmittedAnswer
from jurybox.serve.settings import MOST_PER_CASE, Settings, Task, is_storable

#: what spoils a context
CONTEXT = ("spelling", "determiner", "grammar")
CONFIDENCE = {"": None, "low": 0.0, "high": 1.0}
CHOICES = ("left", "right", "equal", "bad")
#: labels of a choice: which of the two words is better
CHOSEN = ("first", "second", "equal", "bad")
LONGEST_WORD, LONGEST_COMMENT, MOST_WORDS = 200, 2000, 20


class StoredAnswer(NamedTuple):
    """An answer as it is stored, with the columns of `formats/tables/judgments.py`."""

    label: str
    correction: str = ""  # -NONE- deletes
    alternatives: tuple[str, ...] = ()
    confidence: float | None = None
    context: str = ""
    comment: str = ""
    edits: tuple[EssayCorrection, ...] | None = None  # correct: what is wrong in an essay


def show(case: Any, settings: Settings, *, swapped: bool) -> Shown:
    """A case (a row of its table, or a `NewCase`) as its rater sees it."""
    task, after = settings.task, case.after if settings.show_after else ""
    if task == Task.CORRECT:
        return Shown("", "", "", "", has_target=False, essay=paragraphs_of(case.sentence))
    if case.start is None or case.end is None:
        return Shown(case.before, case.sentence, "", "", has_target=False, after=after)
    tokens = case.sentence.split()
    left, right = " ".join(tokens[: case.start]), " ".join(tokens[case.end :])
    target, fillers = "", None
    if task in (Task.JUDGE, Task.EXTRANEOUS, Task.TRAINED):
        target = " ".join(tokens[case.start : case.end])
    elif task == Task.CHOICE:
        pair = (case.first, case.second)
        fillers = pair[::-1] if swapped else pair
    return Shown(case.before, left, target, right, True, fillers, after=after)


def check(
    given: SubmittedAnswer, settings: Settings, *, swapped: bool, essay: str = ""
) -> StoredAnswer:
    """An answer as it is stored; what a rater should do otherwise is an InputError.

    `essay` is the text that corrections stand in. An essay with corrections is labelled as one
    with errors: `error`, else `ok`.
    """
    if given.confidence not in CONFIDENCE:
        raise InputError("Please say how sure you are: low or high.")
    if any(flag not in CONTEXT for flag in given.context):
        raise InputError(f"The context can have: {', '.join(CONTEXT)}.")
    if settings.task == Task.CORRECT:
        edits = check_corrections(given.edits, essay, settings.categories)
        answered = StoredAnswer("error" if edits else "ok", edits=edits)
    elif settings.task == Task.TRAINED:
        answered = _trained(given)
    elif settings.task == Task.CLOZE:
        words = _words((given.label,))
        if not words:
            raise InputError("Please fill in the blank.")
        if settings.fillers and words[0] not in settings.fillers:
            raise InputError("Please choose a word from the list.")
        answered = StoredAnswer(words[0])
    else:
        if given.label not in (CHOICES if settings.task == Task.CHOICE else LABELS):
            raise InputError("Please choose one of the answers.")
        answered = StoredAnswer(given.label)
        if settings.task == Task.CHOICE:
            place = CHOICES.index(given.label)
            answered = StoredAnswer(CHOSEN[1 - place if swapped and place < 2 else place])
    flags = " ".join(flag for flag in CONTEXT if flag in given.context)
    return answered._replace(
        confidence=CONFIDENCE[given.confidence], context=flags, comment=check_comment(given.comment)
    )


def is_right(answered: StoredAnswer, gold: Sequence[str]) -> bool | None:
    """Whether an answer is one that is known to be right; None where none is known."""
    if not gold:
        return None
    return answered.label.casefold() in {word.casefold() for word in gold}


def chance(secret: str, *parts: object) -> float:
    """A number from 0 to 1 that nobody without the secret can predict, the same every time."""
    text = "\0".join(map(str, parts)).encode()
    digest = blake2b(text, key=secret.encode()[:64], digest_size=8).digest()
    return (int.from_bytes(digest) >> 11) / (1 << 53)


def _trained(given: SubmittedAnswer) -> StoredAnswer:
    words = _words(given.words)
    if not given.label and given.context:
        return StoredAnswer("unknown")
    if given.label not in TRAINED_LABELS:
        raise InputError("Please choose one of the answers, or say what spoils the context.")
    if given.label == "extraneous":
        return StoredAnswer(given.label, NOTHING)
    if given.label == "correct":
        return StoredAnswer(given.label)
    if not words:
        which = "the best word" if given.label == "wrong" else "the others that are as good"
        raise InputError(f"Please write {which}.")
    if given.label == "wrong":
        return StoredAnswer(given.label, words[0], words[1:])
    return StoredAnswer(given.label, alternatives=words)


def gold_labels(gold: Sequence[str], task: Task) -> tuple[str, ...]:
    """Known answers as raters of the task can give them: trained raters have two kinds of each.

    >>> gold_labels(("error", "unknown"), Task.TRAINED), gold_labels(("error",), Task.JUDGE)
    (('extraneous', 'wrong', 'unknown'), ('error',))
    """
    if task != Task.TRAINED:
        return tuple(gold)
    kinds = ([own for own, label in TRAINED_LABELS.items() if label == one] for one in gold)
    listed = (own or [one] for own, one in zip(kinds, gold, strict=True))
    return tuple(dict.fromkeys(chain.from_iterable(listed)))


def _words(given: Sequence[str]) -> tuple[str, ...]:
    """Words with single blanks, each once; the empty ones are none."""
    if len(given) > MOST_WORDS or any(len(word) > LONGEST_WORD for word in given):
        raise InputError("That is too long: please write single words.")
    if not all(map(is_storable, given)):
        raise InputError("There is a character in your answer that cannot be stored.")
    found = dict.fromkeys(" ".join(word.split()) for word in given)
    if NOTHING in found:
        raise InputError(f"{NOTHING} is no word.")
    return tuple(word for word in found if word)


def check_comment(given: str) -> str:
    if len(given) > LONGEST_COMMENT:
        raise InputError(f"Please keep the comment under {LONGEST_COMMENT} characters.")
    if not is_storable(given):
        raise InputError("There is a character in your comment that cannot be stored.")
    return given.strip().replace("\r\n", "\n")


def complaints_about(case: NewCase, task: Task) -> Iterator[tuple[str, str]]:
    """What is wrong with a case for this task: the column, and what to say of it."""
    if not case.sentence.strip():
        yield "sentence", "has no sentence; nobody could judge it"
    if (case.start is None) != (case.end is None):
        yield "end", "start without end, or end without start; give both"
    if case.start is not None and case.end is not None:
        length = len(case.sentence.split())
        if not 0 <= case.start <= case.end <= length:
            span = f"span {case.start}-{case.end}"
            yield "end", f"{span} is not inside the sentence ({length} tokens)"
    elif task in (Task.CLOZE, Task.CHOICE):
        yield "start", f"has no start and end; {task} needs the place of the blank"
    if task == Task.EXTRANEOUS and case.start == case.end:
        yield "start", f"has no word that could be extraneous; {task} needs its start and end"
    if task == Task.CHOICE and not (case.second and (case.first or case.written)):
        yield "second", "choice needs two words, in the columns first and second"
    elif task == Task.CHOICE and case.written not in ("", case.first or case.written, case.second):
        two = f"'{case.first}' and '{case.second}'"
        yield "written", f"choice is between {two}, and '{case.written}' is neither of them"
    of_task = {Task.CHOICE: CHOSEN, Task.CLOZE: (), Task.TRAINED: (*LABELS, *TRAINED_LABELS)}
    known = of_task.get(task, LABELS)
    if known and (wrong := [word for word in case.gold if word not in known]):
        yield "gold", f"the known answer '{wrong[0]}' is not one of {', '.join(known)}"
    if case.purpose == Purpose.GOLD and not case.gold:
        yield "gold", "is a gold case without a known answer; fill in the column gold"
    if case.per_case is not None and not 1 <= case.per_case <= MOST_PER_CASE:
        yield "per_case", f"needs from 1 to {MOST_PER_CASE} judgments, not {case.per_case}"
    texts = (case.id, case.sentence, case.written, case.before, case.after, case.first, case.second)
    if not all(map(is_storable, (*texts, case.feedback, case.batch, *case.gold))):
        yield "case", "holds a character that cannot be stored (NUL, or half a character)"
