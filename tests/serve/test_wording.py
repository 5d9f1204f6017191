"""Judgments in the words of the page, and back."""

from __future__ import annotations

import pytest

from jurybox.serve.answers import check
from jurybox.serve.model import ContestedCase, Judgment, Shown, SubmittedAnswer
from jurybox.serve.settings import Settings, Task
from jurybox.serve.store.adjudication import letter
from jurybox.serve.wording import SPOILED, as_submitted, judgment_text

GIVEN = {
    Task.JUDGE: [SubmittedAnswer("error"), SubmittedAnswer("ok"), SubmittedAnswer("unknown")],
    Task.EXTRANEOUS: [SubmittedAnswer("error"), SubmittedAnswer("ok"), SubmittedAnswer("unknown")],
    Task.TRAINED: [
        *(SubmittedAnswer("extraneous"), SubmittedAnswer("correct")),
        *(
            SubmittedAnswer("wrong", ("on",)),
            SubmittedAnswer("wrong", ("on", "upon")),
            SubmittedAnswer("equal", ("at", "by")),
        ),
    ],
    Task.CLOZE: [SubmittedAnswer("in"), SubmittedAnswer("in front of")],
    Task.CHOICE: [
        SubmittedAnswer("left"),
        SubmittedAnswer("right"),
        SubmittedAnswer("equal"),
        SubmittedAnswer("bad"),
    ],
}


@pytest.mark.parametrize("is_swapped", [True, False])
@pytest.mark.parametrize(("task", "given"), [(t, one) for t, all_ in GIVEN.items() for one in all_])
def test_a_stored_answer_is_given_again_as_it_was(
    task: Task, given: SubmittedAnswer, is_swapped: bool
) -> None:
    stored = check(given, Settings("x", task), swapped=is_swapped)
    assert as_submitted(task, stored, swapped=is_swapped) == given


@pytest.mark.parametrize(
    ("task", "judgment", "words"),
    [
        (Task.JUDGE, Judgment("A", "unknown"), "Too hard to decide"),
        (Task.TRAINED, Judgment("A", "extraneous", "-NONE-"), "Extraneous"),
        (Task.TRAINED, Judgment("A", "equal", "", ("upon",)), "Equally good: upon"),
        (Task.TRAINED, Judgment("A", SPOILED.value), "The context is spoiled"),
        (Task.CLOZE, Judgment("A", "in"), "in"),
        (Task.CHOICE, Judgment("A", "second"), "in"),
        (Task.CHOICE, Judgment("A", "first"), "(no word)"),
        (Task.CHOICE, Judgment("A", "bad"), "Both are bad"),
    ],
)
def test_judgments_are_said_in_the_words_of_the_page(
    task: Task, judgment: Judgment, words: str
) -> None:
    shown = Shown("", "He sat", "", "mat .", True, ("in", "-NONE-"))
    case = ContestedCase(1, task, shown, True, (judgment,), None)
    assert judgment_text(case, judgment) == words


def test_letters_never_repeat() -> None:
    names = [letter(place) for place in range(2000)]
    assert len({*names}) == 2000
    assert all(name.isupper() and name.isalpha() for name in names)
